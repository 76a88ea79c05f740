"""How a board would be tiled now: which tile goes where, what it scores, and what breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sintra.components import NOTHING, Color
from sintra.game.game import View
from sintra.game.preview import lines_in, special_filled
from sintra.players.thinking.evaluator import Evaluator, standard_evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.rules import engine
from sintra.rules.state import PAYING, TILING, Source, States, copied, held
from sintra.tabletop.moves import EndTiling, Pay, Place, move_of

_MAX_STEPS: Final = 60
"""More moves than any tiling has."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile that the best tiling places."""

    line: int
    """The line that it comes from."""
    column: int
    """The column of its space."""
    points: int
    """What it scores."""
    run: int
    """The length of the longer of its two runs."""
    special: tuple[int, int] | None
    """Row and column of the special tile that comes with it, if any."""
    special_points: int
    """What that scores."""


@dataclass(frozen=True, slots=True)
class TilingPlan:
    """The best tiling of a board."""

    placed: dict[int, Placed]
    """The tiles that are placed, by their lines."""
    lines_broken: tuple[int, ...]
    """The lines that break."""
    penalty: int
    """What broken tiles and the start tile cost."""
    chips_spent: dict[int, int]
    """R4.4: how many chips are spent on each line that is paid for."""
    end: View
    """The seat's view after it."""

    @property
    def goal_points(self) -> tuple[int, ...]:
        """R6.1: what each goal in play is worth to the seat after it."""
        return self.end.goal_points[self.end.seat]

    @property
    def tiles(self) -> dict[tuple[int, int], Color]:
        """The tiles on the dome after it, by row and column; special tiles are left out."""
        dome = self.end.board(self.end.seat).dome
        return {
            (row, column): space.tile
            for row, spaces in enumerate(dome, 1)
            for column, space in enumerate(spaces, 1)
            if isinstance(space.tile, Color)
        }

    def goal_points_without(self, row: int, column: int) -> tuple[int, ...]:
        """What the goals would be worth if a tile were not there."""
        seat, states = self.end.seat, self.end.states
        states["dome"][0, seat, row - 1, column - 1] = NOTHING
        return View.of_state(states, 0, seat).goal_points[seat]


class Planner:
    """Finds how boards would be tiled if the draft ended now."""

    def __init__(self, evaluator: Evaluator | None = None) -> None:
        self._tiler = Tiler(evaluator or standard_evaluator())

    def plan(self, states: States, seat: int) -> TilingPlan:
        """The best tiling of a seat's board as it stands (R4); the states are left as they are."""
        now = held(copied(states))
        now["deals_itself"] = 0
        if now.get("stage") not in (TILING, PAYING) or now.get("turn") != seat:
            now["stage"], now["turn"], now["first"] = TILING, seat, seat
            now["walk"] = now["paid"] = now["pay_chips"] = now["pay_showing"] = 0
            now["pay_line"] = NOTHING
        placed: dict[int, Placed] = {}
        spent: dict[int, int] = {}
        for _ in range(_MAX_STEPS):
            path = self._tiler.next_move(now)
            move = move_of(path, now, 0)
            before = held(copied(now))
            engine.play(now, 0, path)
            tallies = zip(before.get("tally")[seat], now.get("tally")[seat], strict=True)
            gained = [later - earlier for earlier, later in tallies]
            if isinstance(move, EndTiling):
                empty = sum(
                    1 << line
                    for line, (had, has) in enumerate(
                        zip(before.get("line_size")[seat], now.get("line_size")[seat], strict=True)
                    )
                    if had and not has and not before.get("line_placed")[seat][line]
                )
                penalty = -gained[Source.BROKEN] - gained[Source.START_TILE]
                return TilingPlan(placed, lines_in(empty), penalty, spent, View.of_state(now, 0, seat))
            if isinstance(move, Pay):
                spent[move.line] = spent.get(move.line, 0) + len(move.chips)
            if isinstance(move, Place):
                left, right, above, below = engine.runs_through(now, 0, seat, move.line - 1, move.column - 1)
                special = special_filled(before.lists(), now.lists(), seat)
                run = 1 + max(int(left) + int(right), int(above) + int(below))
                points = gained[Source.PLACEMENT], gained[Source.SPECIALS]
                placed[move.line] = Placed(move.line, move.column, points[0], run, special, points[1])
        raise AssertionError("a tiling does not end")
