"""Who is better: matches over paired deals, Elo, sequential tests and reports."""

from __future__ import annotations

from sintra.arena.match import Match, MatchError, Played, play_match
from sintra.arena.stats import Standing, ladder, sequential_test, wilson

__all__ = ["Match", "MatchError", "Played", "Standing", "ladder", "play_match", "sequential_test", "wilson"]
