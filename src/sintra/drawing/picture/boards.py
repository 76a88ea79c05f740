"""A player board: lines, dome, broken tiles, chips, and who sits there."""

from __future__ import annotations

from typing import Final

from sintra.components import BROKEN_PLACES, GRID, START_PENALTY
from sintra.drawing.caption import mover, total_with_goals, winning_seat
from sintra.drawing.glyphs import (
    EARTH,
    GLYPH_COLOR,
    GOLD,
    INK,
    MINUS,
    RIM,
    SAND,
    SERIF,
    box,
    face_up,
    label,
    shadow,
    star,
    tag,
    tile,
    use,
)
from sintra.drawing.picture.places import (
    BOARD_HEIGHT,
    BOARD_WIDTH,
    CELL,
    TAKEN_START_SPOT,
    broken_spot,
    chips_of_board,
    line_spot,
    row_offset,
    slot_spot,
    space_spot,
    stored_spot,
)
from sintra.rules.state import Stage
from sintra.tabletop.pieces import Board, LaidPlate, Line, Space
from sintra.tabletop.tabletop import Tabletop

_INNER_FRAME: Final = (
    "M24,6H588A18,18 0 0 0 606,24V358A18,18 0 0 0 588,376H24A18,18 0 0 0 6,358V24A18,18 0 0 0 24,6Z"
    "M6,16A10,10 0 0 0 16,6M596,6A10,10 0 0 0 606,16M606,366A10,10 0 0 0 596,376M16,376A10,10 0 0 0 6,366"
)


def board_picture(table: Tabletop, seat: int) -> str:
    """The board of a seat; a golden frame says that it is to move, or has won."""
    board = table.board(seat)
    is_active = seat in (mover(table), winning_seat(table))
    ground = shadow(BOARD_WIDTH, BOARD_HEIGHT) + box(0, 0, BOARD_WIDTH, BOARD_HEIGHT, 14, fill="url(#sintra-plaster)")
    stroke, width = (GOLD, 4) if is_active else ("#7d6a45", 1.5)
    frame = box(0, 0, BOARD_WIDTH, BOARD_HEIGHT, 14, fill="none", stroke=stroke, stroke_width=width)
    inner = tag("path", d=_INNER_FRAME, fill="none", stroke="#2456b0", stroke_opacity=0.55, stroke_width=1.5)
    return "".join([ground, frame, inner, _seat(table, board), *map(_line, board.lines), _dome(board), _things(board)])


def _seat(table: Tabletop, board: Board) -> str:
    """Who sits here, the score, and the markers left; in the corner that the short lines leave free."""
    name = label(24, 44, f"Seat {board.seat}", 21, INK, font_family=SERIF, font_weight="bold")
    if winning_seat(table) == board.seat:
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
    top = line_spot(line.number, 0).y - 1
    places = [box(296 - CELL * (k + 1), top + 2, 40, 40, 6, fill="#efe3c8", stroke=RIM) for k in range(line.number)]
    tiles = []
    if line.color is not None:
        tiles = [tile(line.color.letter, *line_spot(line.number, k)) for k in range(line.tiles)]
    number = label(286 - CELL * line.number, top + 26, f"{line.number}", 11, EARTH, text_anchor="end")
    stroke = GOLD if line.is_placed else EARTH
    arrow = tag("path", d=f"M298,{top + 14:g}l8,8 -8,8", fill="none", stroke=stroke, stroke_width=2.5)
    return "".join([number, *places, *tiles, arrow])


def _dome(board: Board) -> str:
    slots = [_slot(plate, slot) for slot, plate in enumerate(board.plates)]
    spaces = [_space(space, r, c) for r, row in enumerate(board.dome, 1) for c, space in enumerate(row, 1)]
    numbers = [label(334 + row_offset(c), 20, f"{c + 1}", 10, EARTH, text_anchor="middle") for c in range(GRID)]
    return "".join(numbers + slots + spaces)


def _slot(plate: LaidPlate | None, slot: int) -> str:
    x, y, size = slot_spot(slot)
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


def _space(space: Space, row: int, column: int) -> str:
    x, y, size = space_spot(row, column)
    if space.tile is not None:
        return tile(space.tile.letter, x, y, size)
    return use(f"space-{space.shows.letter}", x + 1, y + 1, size - 2) if space.shows is not None else ""


def _things(board: Board) -> str:
    """Broken tiles with their penalties, the place of the start tile, and the chips; those spent are faint."""
    to_take = f", {board.chips_left} more this round" if board.chips_left else ""
    parts = [label(26, 321, "Broken", 11, EARTH), label(258, 321, f"Chips{to_take}", 11, EARTH)]
    for k in range(BROKEN_PLACES):
        x, y, size = broken_spot(k)
        parts.append(box(x + 1, y + 1, size - 2, size - 2, 6, fill="#ecdcc0", stroke=RIM))
        parts.append(label(x + 20, y + 25, f"{MINUS}{k + 1}", 13, EARTH, text_anchor="middle"))
    parts += [tile(color.letter, *broken_spot(k)) for k, color in enumerate(board.broken)]
    x, y = TAKEN_START_SPOT.center
    parts.append(tag("circle", cx=x, cy=y, r=18, fill="#ecdcc0", stroke=RIM))
    parts.append(label(x, y + 5, f"{MINUS}{START_PENALTY}", 13, EARTH, text_anchor="middle"))
    if board.has_start_tile:
        parts.append(use("start", *TAKEN_START_SPOT))
    for k, chip in enumerate((*board.chips, *board.chips_spent)):
        opacity = 1 if k < len(board.chips) else 0.3
        parts.append(face_up(chip, *stored_spot(k, chips_of_board(board)), opacity=opacity))
    return "".join(parts)
