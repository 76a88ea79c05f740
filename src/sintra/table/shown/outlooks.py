"""Where the tiles of lines could go on the dome, and what becomes of those that cannot (R4.1 to R4.3), as messages."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from sintra.components import BROKEN_PENALTIES, BROKEN_PLACES, COLORS, GRID, LINES, SEATS
from sintra.game.game import View
from sintra.rules import engine
from sintra.table.shown.fields import Fields, fields_of
from sintra.table.shown.messages import Outlook


def outlooks_of_lines(view: View, seat: int) -> list[Outlook | None]:
    """The outlook of each line of a seat that holds tiles to be placed."""
    s = fields_of(view)
    return [
        _outlook(view, seat, line, color, size, _broken_above(view, seat, line)) if _waits(s, seat, line) else None
        for line, color, size in zip(range(LINES), s["line_color"][seat], s["line_size"][seat], strict=True)
    ]


def outlook_after(view: View, line: int, color: int, fills: int, broken: int) -> Outlook:
    """R3.5: the outlook of a line of the player to move when tiles of a colour have gone there, and others broke."""
    seat = view.turn
    tiles = fields_of(view)["line_size"][seat][line] + fills
    return _outlook(view, seat, line, color, tiles, broken + _broken_above(view, seat, line))


def _waits(s: Fields, seat: int, line: int) -> bool:
    return s["line_size"][seat][line] > 0 and not s["line_placed"][seat][line]


def _outlook(view: View, seat: int, line: int, color: int, tiles: int, broken: int) -> Outlook:
    columns, chances = reach_of(view)
    spaces, chance = columns[seat][line][color], chances[seat][line][color]
    if spaces or chance:
        return Outlook([k + 1 for k in range(GRID) if spaces >> k & 1], chance)
    return Outlook(cost=_penalty(broken + tiles) - _penalty(broken))


def _penalty(tiles: int) -> int:
    """R3.6, R4.6: what so many broken tiles cost."""
    return BROKEN_PENALTIES[min(tiles, BROKEN_PLACES)]


def _broken_above(view: View, seat: int, line: int) -> int:
    """R4.1, R4.3: the broken tiles of a seat when the tiling comes to a line: those above break first."""
    s = fields_of(view)
    columns, chances = reach_of(view)
    tiles: int = sum(s["broken"][seat])
    for above in range(line):
        color = s["line_color"][seat][above]
        if _waits(s, seat, above) and not (columns[seat][above][color] or chances[seat][above][color]):
            tiles += s["line_size"][seat][above]
    return tiles


Found = list[list[list[int]]]
"""A number for each seat, line and colour."""


@lru_cache(maxsize=256)
def reach_of(view: View) -> tuple[Found, Found]:
    """What the engine says of every line and colour: open columns as bits, and the last round for a plate."""
    columns, chances = np.zeros((2, SEATS, LINES, COLORS), np.int64)
    engine.outlooks(view.state, 0, columns, chances)
    return columns.tolist(), chances.tolist()
