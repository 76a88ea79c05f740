"""What could have come of a move: other worlds that its player could not tell from the real one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sintra.game.game import Game
from sintra.game.seeds import derive
from sintra.review.judging import Judge
from sintra.tabletop.moves import Move


def sample_worlds(game: Game, how_many: int) -> list[Game]:
    """Games that fit what the seat to move may know, each with another hidden truth; the same ones for the same
    view."""
    view = game.view(game.turn)
    return [view.sample(derive(view.key, "world", k)) for k in range(how_many)]


def game_after(game: Game, move: Move) -> Game:
    """The game after a move; the one before stays as it is."""
    one = game.copy()
    one.push(move)
    return one


def redealt(game: Game, move: Move, how_many: int) -> list[Game]:
    """Returns games after a move that ends a round, with other tiles and everything else as it came (R7.3)."""
    found = []
    for k in range(how_many):
        one = game.copy()
        one.reseed(derive(game.view(game.turn).key, "deal", k))
        one.push(move)
        found.append(one)
    return found


def sample_outcomes(before: Game, move: Move, how_many: int) -> list[Game]:
    """What could have come of a move in worlds that fit its player's view. The real game is not among them: what only
    the other seat has seen (R8) must not tell a good move from a bad one."""
    return [game_after(one, move) for one in sample_worlds(before, how_many)]


def revealed_anything(before: Game, real: Game, others: Iterable[Game]) -> bool:
    """Whether a move showed its player something that could have been different."""
    seen = real.view(before.turn)
    return any(one.view(before.turn) != seen for one in others)


def mean_chance(judge: Judge, games: Sequence[Game]) -> float:
    """Seat 0's chance to win, over all of these."""
    return sum(judge.chance(one) for one in games) / len(games)
