"""What a move would do, before it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sintra.components import FACTORY_LETTERS, GRID, LINES, SMALL_FACTORIES, SPECIAL, Color
from sintra.rules import engine
from sintra.rules.state import ON_FACTORY, OVER, PAYING, TILING, UP, Source, States, copied
from sintra.tabletop.moves import Move, Pay, Place, SunTake, TakeTiles, path_of


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of a move that do not depend on chance or on anybody's later decision.

    Lines, rows and columns count from 1, factories have their names. `points` is what is booked at
    once for the player who moves, by source; what a take may bring at the round's end is not in it.
    """

    move: Move
    taken: int = 0
    to_line: int = 0
    broken: int = 0
    to_tower: int = 0
    to_moon: tuple[Color, ...] = ()
    completes_line: bool = False
    takes_start_tile: bool = False
    turns_up: tuple[str, ...] = ()
    lines_broken: tuple[int, ...] = ()
    special: tuple[int, int] | None = None
    points: dict[Source, int] = field(default_factory=dict, hash=False)
    ends_phase: bool = False

    @property
    def points_now(self) -> int:
        """All points booked at once."""
        return sum(self.points.values())


def preview_of(states: States, move: Move) -> Preview:
    """The effects of a legal move in a state (or a view), which is left as it is."""
    before = states[0]
    seat = int(before["turn"])
    tried = copied(states)
    tried["deals_itself"] = 0
    engine.play(tried, 0, path_of(move, tried, 0))
    after = tried[0]
    gained = (after["tally"][seat] - before["tally"][seat]).tolist()
    points = {source: value for source, value in zip(Source, gained, strict=True) if value}
    ends = _phase(before) != _phase(after)
    if isinstance(move, TakeTiles):
        return _preview_take(before, after, seat, move, points, ends)
    return Preview(
        move,
        lines_broken=lines_broken(before, after, seat, move),
        special=special_filled(before, after, seat),
        points=points,
        ends_phase=ends,
    )


Fields = Any
"""The fields of a state by name: a record, or plain lists."""


def fates_of(before: Fields, after: Fields, seat: int, line: int | None, color: int) -> tuple[int, int, int]:
    """R3.5, R3.6: how many of the tiles taken went to the line, were broken, went to the tower."""
    to_line = 0 if line is None else int(after["line_size"][seat][line - 1] - before["line_size"][seat][line - 1])
    broken = int(sum(after["broken"][seat]) - sum(before["broken"][seat]))
    return to_line, broken, int(after["tower"][color] - before["tower"][color])


def lines_broken(before: Fields, after: Fields, seat: int, move: Move) -> tuple[int, ...]:
    """R4.3: the lines that broke with a move of the tiling, from the top; not the one that was tiled."""
    tiled = move.line if isinstance(move, Pay | Place) else None
    return tuple(
        line
        for line in range(1, LINES + 1)
        if before["line_size"][seat][line - 1] > 0 == after["line_size"][seat][line - 1]
        and not before["line_placed"][seat][line - 1]
        and line != tiled
    )


def special_filled(before: Fields, after: Fields, seat: int) -> tuple[int, int] | None:
    """R4.5: the row and column of the special space that was filled, if any."""
    then, now = before["dome"][seat], after["dome"][seat]
    filled = ((r + 1, c + 1) for r in range(GRID) for c in range(GRID) if now[r][c] == SPECIAL != then[r][c])
    return next(filled, None)


def _phase(s: np.void) -> tuple[int, bool, bool]:
    """The round, whether it is being tiled, and whether the game is over."""
    return int(s["round_no"]), bool(s["stage"] in (TILING, PAYING, OVER)), bool(s["stage"] == OVER)


def _preview_take(
    before: np.void, after: np.void, seat: int, move: TakeTiles, points: dict[Source, int], ends: bool
) -> Preview:
    to_line, broken, to_tower = fates_of(before, after, seat, move.line, move.color)
    to_moon: tuple[Color, ...] = ()
    if isinstance(move, SunTake):
        gained = (after["moon"] - before["moon"]).tolist()
        to_moon = move.order or tuple(tile for tile in Color for _ in range(gained[tile]))
    turned = [f for f in range(SMALL_FACTORIES) if after["chip_state"][f] == UP != before["chip_state"][f]]
    return Preview(
        move,
        taken=to_line + broken + to_tower,
        to_line=to_line,
        broken=broken,
        to_tower=to_tower,
        to_moon=to_moon,
        completes_line=move.line is not None and bool(after["line_size"][seat, move.line - 1] == move.line),
        takes_start_tile=bool(before["start_tile"] == ON_FACTORY and after["start_tile"] == seat),
        turns_up=tuple(FACTORY_LETTERS[f] for f in turned),
        points=points,
        ends_phase=ends,
    )
