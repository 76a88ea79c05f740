"""How a board would be tiled now: which tile goes where, what it scores, and what breaks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from sintra.components import NOTHING
from sintra.game.preview import lines_in, special_filled
from sintra.players.thinking.evaluator import Evaluator, standard_evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.rules import engine
from sintra.rules.state import PAYING, TILING, Source, States, copied, held
from sintra.tabletop.moves import EndTiling, Place, move_of

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

    placed: dict[int, Placed] = field(default_factory=dict)
    """The tiles that are placed, by their lines."""
    lines_broken: tuple[int, ...] = ()
    """The lines that break."""
    penalty: int = 0
    """What broken tiles and the start tile cost."""


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
                return TilingPlan(placed, lines_in(empty), -gained[Source.BROKEN] - gained[Source.START_TILE])
            if isinstance(move, Place):
                left, right, above, below = engine.runs_through(now, 0, seat, move.line - 1, move.column - 1)
                special = special_filled(before.lists(), now.lists(), seat)
                run = 1 + max(int(left) + int(right), int(above) + int(below))
                points = gained[Source.PLACEMENT], gained[Source.SPECIALS]
                placed[move.line] = Placed(move.line, move.column, points[0], run, special, points[1])
        return TilingPlan(placed)
