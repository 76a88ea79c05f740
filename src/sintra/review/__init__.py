"""Reviews of finished games: what each decision did, what chance did, and how both add up to the result."""

from sintra.review.judging import Judge, ReviewBudget
from sintra.review.reviewing import GameReview, LuckSource, TurnReview, review

__all__ = ["GameReview", "Judge", "LuckSource", "ReviewBudget", "TurnReview", "review"]
