"""What could have come of a move: other worlds that its player could not tell from the real one."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.game.game import Game
from sintra.game.seeds import derive
from sintra.review.judging import Judge
from sintra.tabletop.moves import Move


def worlds_of(game: Game, how_many: int) -> list[Game]:
    """Games that fit what the seat to move may know, each with another hidden truth; the same ones for the same
    view."""
    view = game.view(game.turn)
    return [view.sample(derive(view.key, "world", k)) for k in range(how_many)]


def after(game: Game, move: Move) -> Game:
    """The game after a move; the one before stays as it is."""
    one = game.copy()
    one.push(move)
    return one


def others_dealt(game: Game, move: Move, how_many: int) -> list[Game]:
    """The same game after a move that ends a round, with other tiles and everything else as it came (R7.3)."""
    found = []
    for k in range(how_many):
        one = game.copy()
        one.reseed(derive(game.view(game.turn).key, "deal", k))
        one.push(move)
        found.append(one)
    return found


def outcomes(before: Game, move: Move, real: Game, how_many: int) -> list[Game]:
    """What could have come of a move; what came alone, if it showed its player nothing that could have been
    different."""
    seat = before.turn
    others = [after(one, move) for one in worlds_of(before, how_many)]
    seen = real.view(seat)
    return others if any(one.view(seat) != seen for one in others) else [real]


def mean_chance(judge: Judge, games: Sequence[Game]) -> float:
    """Seat 0's chance to win, over all of these."""
    return sum(judge.chance(one) for one in games) / len(games)
