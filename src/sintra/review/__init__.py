"""Reviews of finished games: what each decision did, what chance did, and how both add up to the result."""

from sintra.review.judging import Judge, ReviewBudget
from sintra.review.reviewing import Chance, GameReview, TurnReview, review

__all__ = ["Chance", "GameReview", "Judge", "ReviewBudget", "TurnReview", "review"]
