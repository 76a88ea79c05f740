"""A position drawn for the terminal: every piece has a letter, so colour is never needed to read it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from sintra.components import BROKEN_PENALTIES, BROKEN_PLACES, LINES, START_PENALTY, Chip, Color, Plate
from sintra.drawing.caption import asked_words, mover, round_words, total_with_goals, winning_seat
from sintra.drawing.glyphs import FAINT_COLOR, GLYPH_COLOR, PLASTER, TILE_COLOR
from sintra.rules.state import Stage
from sintra.tabletop.pieces import Board, Factory, Line, PilePlace, Space
from sintra.tabletop.tabletop import Tabletop

WIDTH: Final = 98
LEGEND: Final = "B blue, Y yellow, R red, K black, T turquoise, * special; empty: small, w wild, o special, · none"
_BOARD: Final = 47
_FAINT: Final = "bright_black"
_GOLD: Final = "bold #c08a1e"
_SHORT_LIST: Final = 3
_PLATES_IN_A_ROW: Final = 8


def draw(table: Tabletop, color: bool | None = None) -> str:
    """The whole position as text; `color` None means: if the output is a terminal that wants colour."""
    if color is None:
        color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    console = Console(
        file=StringIO(),
        width=WIDTH,
        height=100,
        force_terminal=color,
        force_jupyter=False,
        color_system="truecolor" if color else None,
        no_color=not color,
        legacy_windows=False,
        highlight=False,
        emoji=False,
        markup=False,
    )
    with console.capture() as capture:
        console.print(_page(table))
    return "\n".join(row.rstrip() for row in capture.get().rstrip().splitlines())


def _page(table: Tabletop) -> RenderableType:
    head = _side_by_side([Text(round_words(table), "bold"), Text(asked_words(table), _GOLD)], expand=True)
    head.columns[1].justify = "right"
    plates = _side_by_side([_plates("display", [_plate(plate) for plate in table.display]), _supplies(table)], gap=6)
    boards = _side_by_side([_board(table, seat) for seat in (0, 1)], width=_BOARD)
    parts = [head, _scores(table), _factories(table), plates, *_hand(table), boards]
    return Group(*(row for part in parts for row in (part, Text())), Text(LEGEND, _FAINT))


def _side_by_side(
    parts: Sequence[RenderableType], gap: int = 2, expand: bool = False, width: int | None = None
) -> Grid:
    grid = Grid.grid(padding=(0, gap, 0, 0), expand=expand)
    for _ in parts:
        grid.add_column(width=width)
    grid.add_row(*parts)
    return grid


def _labelled(rows: Iterable[tuple[str, Text]]) -> Grid:
    """Rows of a faint label and what it is about."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style=_FAINT, width=7)
    grid.add_column()
    for label, content in rows:
        grid.add_row(label, content)
    return grid


def _tile(letter: str) -> Text:
    return Text(f" {letter} ", f"bold {GLYPH_COLOR[letter]} on {TILE_COLOR[letter]}")


def _tiles(colors: Iterable[Color]) -> Text:
    row = Text().join(_tile(color.letter) for color in colors)
    return row if row else Text(" -", _FAINT)


def _empty(letter: str) -> Text:
    """An empty space of a plate that shows this."""
    if letter == "W":
        return Text(" w ", f"italic #6b5a2e on {PLASTER}")
    if letter == "*":
        return Text(" o ", f"bold #a87412 on {PLASTER}")
    return Text(f" {letter.lower()} ", f"{FAINT_COLOR[letter]} on {PLASTER}")


def _chip(chip: Chip) -> Text:
    """A chip's two half-fields, like `(TY)`."""
    face = Text("(")
    for half in chip.face:
        face.append(half, f"bold {GLYPH_COLOR[half]} on {TILE_COLOR[half]}" if half in TILE_COLOR else "")
    return face.append(")")


def _seat_name(table: Tabletop, seat: int) -> Text:
    if seat == winning_seat(table):
        return Text(f"* seat {seat}", _GOLD)
    return Text(f"> seat {seat}", _GOLD) if seat == mover(table) else Text(f"  seat {seat}")


def _scores(table: Tabletop) -> Grid:
    """Points, what each goal is worth now, and both together (R6.2)."""
    heads = ["", "points", *map(str, table.goals)]
    if table.stage is not Stage.OVER:
        heads.append("with goals")
    grid = Grid.grid(padding=(0, 3, 0, 0))
    for name in heads:
        grid.add_column(justify="right" if name else "left")
    grid.add_row(*(Text(name, _FAINT) for name in heads))
    for seat in (0, 1):
        numbers = [table.scores[seat], *table.goal_points[seat], total_with_goals(table, seat)]
        grid.add_row(_seat_name(table, seat), *map(str, numbers[: len(heads) - 1]))
    return grid


def _factories(table: Tabletop) -> Grid:
    grid = Grid.grid(padding=(0, 3, 0, 0))
    factories = table.factories
    for _ in range(1 + len(factories)):
        grid.add_column(min_width=13 if grid.columns else 7)
    grid.add_row("", *(Text(" large factory" if f.is_large else f" factory {f.name}", "bold") for f in factories))
    grid.add_row(Text("sun", _FAINT), *(_tiles(f.sun) for f in factories))
    grid.add_row(Text("moon", _FAINT), *(_moon(f) for f in factories))
    grid.add_row(Text("chip", _FAINT), *(_chip_place(f) for f in factories))
    return grid


def _moon(factory: Factory) -> Text:
    """The moon side; a stack is written from the bottom to the top."""
    is_stack = len(factory.moon) > 1 and not factory.is_large
    return _tiles(factory.moon).append(" top" if is_stack else "", _FAINT)


def _chip_place(factory: Factory) -> Text:
    if factory.is_large:
        return Text(" start tile", _GOLD) if factory.has_start_tile else Text(" start tile taken", _FAINT)
    if factory.chip_is_down:
        return Text(" face down")
    return Text(" ").append(_chip(factory.chip)) if factory.chip else Text(" gone", _FAINT)


def _plate(plate: Plate | None, back: str = "--") -> Text:
    """A plate as it is printed, its number above its 2x2 spaces; or a place without one."""
    if plate is None:
        return Text(f"  {back}  ", _FAINT)
    halves = (Text().join(map(_empty, half)) for half in (plate.printed[:2], plate.printed[2:]))
    return Text("\n").join([Text(f"  {plate.name}  ", "bold"), *halves])


def _plates(label: str, plates: Sequence[Text]) -> Grid:
    return _side_by_side([Text(f"{label:7}", _FAINT), *plates], gap=3)


def _hand(table: Tabletop) -> list[Grid]:
    """The drawn plates, as far as they are known."""
    plates = [_plate(place.plate, _place_words(place)) for place in table.hand]
    rows = range(0, len(plates), _PLATES_IN_A_ROW)
    return [_plates("" if start else "hand", plates[start : start + _PLATES_IN_A_ROW]) for start in rows]


def _place_words(place: PilePlace) -> str:
    """A place of the stack: `07` if it is known, `03/12` for one of these, else `?W`, `?*` or `??`."""
    if len(place.candidates) <= _SHORT_LIST:
        return "/".join(plate.name for plate in place.candidates)
    return f"?{place.kind.value if place.kind else '?'}"


def _supplies(table: Tabletop) -> Grid:
    """The stack, the bag and the tower."""
    stack = table.stack
    height = Text(f"{table.stack_size} plate{'' if table.stack_size == 1 else 's'}")
    if stack and stack[0].kind:
        height.append(f", a {stack[0].kind} one on top")
    rows = [("stack", height)]
    if stack:
        rows.append(("", Text(" ".join(map(_place_words, stack)))))
    for name, counts in (("bag", table.bag), ("tower", table.tower)):
        row = Text("  ").join(Text().append(_tile(color.letter)).append(f"{n}") for color, n in counts.items())
        rows.append((name, row.append(f"  = {sum(counts.values())}", _FAINT)))
    return _labelled(rows)


def _board(table: Tabletop, seat: int) -> RenderableType:
    board = table.board(seat)
    title = _seat_name(table, seat).append(f" · {board.score} points", "bold")
    if table.first == seat and not table.is_over:
        title.append(" · started the round", _FAINT)
    grid = Grid.grid(padding=(0, 1, 0, 0))
    grid.add_column(style=_FAINT)
    grid.add_column(justify="right")
    grid.add_column(style=_FAINT)
    grid.add_column()
    for line, row in zip(board.lines, board.dome, strict=True):
        grid.add_row(f"{line.number}", _line(line), ">" if line.is_placed else "|", _dome_row(row))
        if line.number % 2 == 0 and line.number < LINES:
            grid.add_row()
    return Group(title, grid, Text(), _belongings(board))


def _line(line: Line) -> Text:
    tiles = [_tile(line.color.letter)] * line.tiles if line.color is not None else []
    return Text().join([Text(" _ ", _FAINT)] * line.room + tiles)


def _dome_row(row: Sequence[Space]) -> Text:
    return Text(" ").join(Text().join(map(_space, row[c : c + 2])) for c in range(0, len(row), 2))


def _space(space: Space) -> Text:
    if space.tile is not None:
        return _tile(space.tile.letter)
    return _empty(space.shows.letter) if space.shows is not None else Text(" · ", _FAINT)


def _belongings(board: Board) -> Grid:
    """Broken tiles, chips and markers."""
    broken = Text().join(_tile(color.letter) for color in board.broken)
    broken.append(" _ " * (BROKEN_PLACES - len(board.broken)), _FAINT)
    if board.has_start_tile:
        broken.append(" start tile", _GOLD)
    penalty = BROKEN_PENALTIES[len(board.broken)] + (START_PENALTY if board.has_start_tile else 0)
    rows = [
        ("broken", broken.append(f" = {-penalty}" if penalty else "")),
        ("chips", Text(" ").join(map(_chip, board.chips)) if board.chips else Text("-", _FAINT)),
    ]
    if board.chips_spent:
        rows.append(("spent", Text(" ".join(map(str, board.chips_spent)), _FAINT)))
    rows.append(("left", Text(f"markers {board.markers_left}, chips to take {board.chips_left}", _FAINT)))
    return _labelled(rows)
