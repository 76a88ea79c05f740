"""A player board: lines, dome, broken tiles, chips, and who sits there."""

from __future__ import annotations

from typing import Final

from sintra.components import BROKEN_PLACES, GRID, START_PENALTY
from sintra.drawing.caption import mover, total_with_goals, winner
from sintra.drawing.glyphs import (
    EARTH,
    GLYPH_COLOR,
    GOLD,
    INK,
    MINUS,
    RIM,
    SAND,
    SERIF,
    at,
    box,
    face_up,
    label,
    shadow,
    star,
    tag,
    tile,
    use,
)
from sintra.rules.state import Stage
from sintra.tabletop.pieces import Board, LaidPlate, Line, Space
from sintra.tabletop.tabletop import Tabletop

_CELL: Final = 44
_GAP: Final = 6
_INNER_FRAME: Final = (
    "M24,6H588A18,18 0 0 0 606,24V358A18,18 0 0 0 588,376H24A18,18 0 0 0 6,358V24A18,18 0 0 0 24,6Z"
    "M6,16A10,10 0 0 0 16,6M596,6A10,10 0 0 0 606,16M606,366A10,10 0 0 0 596,376M16,376A10,10 0 0 0 6,366"
)


def board_picture(table: Tabletop, seat: int) -> str:
    """The board of a seat; a golden frame says that it is to move, or has won."""
    board = table.board(seat)
    is_active = seat in (mover(table), winner(table))
    ground = shadow(612, 382) + box(0, 0, 612, 382, 14, fill="url(#sintra-plaster)")
    frame = box(
        0, 0, 612, 382, 14, fill="none", stroke=GOLD if is_active else "#7d6a45", stroke_width=4 if is_active else 1.5
    )
    inner = tag("path", d=_INNER_FRAME, fill="none", stroke="#2456b0", stroke_opacity=0.55, stroke_width=1.5)
    lines = [at(0, 24 + _offset(line.number - 1), _line(line)) for line in board.lines]
    return "".join(
        [ground, frame, inner, _seat(table, board), *lines, at(312, 24, _dome(board)), at(26, 315, _belongings(board))]
    )


def _offset(row: int) -> float:
    """Where a row or column of the dome begins."""
    return _CELL * row + _GAP * (row // 2)


def _seat(table: Tabletop, board: Board) -> str:
    """Who sits here, the score, and the markers left; in the corner that the short lines leave free."""
    name = label(24, 44, f"Seat {board.seat}", 21, INK, font_family=SERIF, font_weight="bold")
    if winner(table) == board.seat:
        name += use("glyph-*", 108, 22, 32, color=GLYPH_COLOR["*"])
    elif table.first == board.seat and not table.is_over:
        name += label(112, 43, "started", 13, EARTH, font_style="italic")
    score = label(24, 98, f"{board.score}", 48, "#1d4379", font_family=SERIF, font_weight="bold")
    if table.stage is not Stage.OVER:
        score += label(24, 118, f"{total_with_goals(table, board.seat)} with goals", 12, EARTH)
    markers = [
        tag("path", d="M0,-11L9,0 0,11 -9,0Z", transform=f"translate({34 + 24 * k} 142)", fill=GOLD, stroke=INK)
        for k in range(board.markers_left)
    ]
    return name + score + "".join(markers)


def _line(line: Line) -> str:
    """A pattern line, filled from the right, and the way to its row of the dome."""
    places = [box(296 - _CELL * (k + 1), 2, 40, 40, 6, fill="#efe3c8", stroke=RIM) for k in range(line.number)]
    tiles = []
    if line.color is not None:
        tiles = [tile(line.color.letter, 295 - _CELL * (k + 1), 1, 42) for k in range(line.tiles)]
    number = label(286 - _CELL * line.number, 26, f"{line.number}", 11, EARTH, text_anchor="end")
    arrow = tag("path", d="M298,14l8,8 -8,8", fill="none", stroke=GOLD if line.is_placed else EARTH, stroke_width=2.5)
    return "".join([number, *places, *tiles, arrow])


def _dome(board: Board) -> str:
    slots = [_slot(plate, slot) for slot, plate in enumerate(board.plates)]
    spaces = [
        at(_offset(c), _offset(r), _space(space)) for r, row in enumerate(board.dome) for c, space in enumerate(row)
    ]
    numbers = [label(_offset(c) + 22, -4, f"{c + 1}", 10, EARTH, text_anchor="middle") for c in range(GRID)]
    return "".join(numbers + slots + spaces)


def _slot(plate: LaidPlate | None, slot: int) -> str:
    x, y = _offset(2 * (slot % 3)) - 1, _offset(2 * (slot // 3)) - 1
    size = 2 * _CELL + 2
    if plate:
        return box(x, y, size, size, 8, fill=SAND, stroke=EARTH, stroke_width=1.5)
    ornament = tag(
        "path",
        d=star(8, 26, 19),
        fill="none",
        stroke="#b9a579",
        transform=f"translate({x + size / 2:g} {y + size / 2:g})",
    )
    return box(x, y, size, size, 8, fill="#efe5cd", stroke="#b9a579", stroke_dasharray="5 4") + ornament


def _space(space: Space) -> str:
    if space.tile is not None:
        return tile(space.tile.letter, 1, 1, 42)
    return use(f"space-{space.shows.letter}", 2, 2, 40) if space.shows is not None else ""


def _belongings(board: Board) -> str:
    """Broken tiles with their penalties, the place of the start tile, and the chips."""
    to_take = f", {board.chips_left} more this round" if board.chips_left else ""
    parts = [label(0, 6, "Broken", 11, EARTH), label(232, 6, f"Chips{to_take}", 11, EARTH)]
    for k in range(BROKEN_PLACES):
        parts.append(box(42 * k, 14, 38, 38, 6, fill="#ecdcc0", stroke=RIM))
        parts.append(label(42 * k + 19, 38, f"{MINUS}{k + 1}", 13, EARTH, text_anchor="middle"))
    parts += [tile(color.letter, 42 * k - 1, 13, 40) for k, color in enumerate(board.broken)]
    parts.append(tag("circle", cx=193, cy=33, r=18, fill="#ecdcc0", stroke=RIM))
    parts.append(label(193, 38, f"{MINUS}{START_PENALTY}", 13, EARTH, text_anchor="middle"))
    if board.has_start_tile:
        parts.append(use("start", 171, 11, 44))
    return "".join(parts) + at(232, 14, _chips(board))


def _chips(board: Board) -> str:
    """The chips in store; those spent are faint."""
    chips = (*board.chips, *board.chips_spent)
    step = min(42, 340 / max(1, len(chips)))
    return "".join(
        face_up(chip, step * k, 20 - step / 2, step - 3, opacity=1 if k < len(board.chips) else 0.3)
        for k, chip in enumerate(chips)
    )
