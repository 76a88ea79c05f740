"""A board as JSON, written by compiled code, since a page asks for all of it at once: its pieces, where the tiles of
its lines can go or what becomes of them (R4.1 to R4.3), and the progress of its goals (R6.1)."""

from __future__ import annotations

from typing import Final

from sintra.components import (
    BROKEN_PENALTIES,
    BROKEN_PLACES,
    CHIP_FACES,
    CHIPS,
    COLOR_LETTERS,
    COLORS,
    GRID,
    LINES,
    MAX_GOALS,
    NOTHING,
    PLATES,
    SLOTS,
    SPACE_LETTERS,
)
from sintra.players.thinking.round_points import UNKNOWN
from sintra.rules.compiled import constants, kernel, np
from sintra.rules.dealing import count
from sintra.rules.outlook import last_chance, open_columns, plates_not_laid
from sintra.rules.scoring import goal_points, goal_progress
from sintra.rules.state import Array, State
from sintra.table.shown.messages import BoardShown, GoalProgress, LineShown, Outlook, PlateShown
from sintra.table.shown.writing import (
    ITEM,
    close_list,
    close_object,
    close_string,
    key_of,
    keys_of,
    open_list,
    open_object,
    open_string,
    put_flag,
    put_name,
    put_null,
    put_number,
    put_row,
    table,
)
from sintra.tabletop.moves.plates import TURNS

OUTLOOK: Final = 3
"""The numbers of an outlook: open columns as bits, the last round for a plate, what the tiles cost without either."""
(
    SCORE,
    BOARD_LINES,
    SHOWS,
    TILES,
    BOARD_PLATES,
    BROKEN,
    BOARD_START_TILE,
    BOARD_CHIPS,
    SPENT,
    MARKERS_LEFT,
    CHIPS_LEFT,
    GOALS,
    PROGRESS,
    FORECAST,
) = keys_of(BoardShown)
LINE_COLOR, LINE_TILES, PLACED, LINE_OUTLOOK = keys_of(LineShown)
COLUMNS, PLATE_BY, COST = keys_of(Outlook)
THERE, ASKED, CELLS = keys_of(GoalProgress)
PLATE, FACE = keys_of(PlateShown)
TILE_LETTERS: Final = table((*COLOR_LETTERS, ""))
TILE_KEYS: Final = constants(list(map(key_of, COLOR_LETTERS)), "u1")
SPACES: Final = table((*SPACE_LETTERS, "."))
"""The letters of spaces; the last one is for NOTHING, -1, as in `TILE_LETTERS`."""
MARKS: Final = table(".xo")
CHIP_NAMES: Final = table(chip.face for chip in CHIPS)
PLATE_NAMES: Final = table(plate.name for plate in PLATES)
PLATE_FACES: Final = table(plate.turned(turns) for plate in PLATES for turns in range(TURNS))


@kernel
def note_outlook(s: State, seat: int, line: int, color: int, tiles: int, broken: int, out: Array) -> bool:
    """Notes the outlook of a line with so many tiles when so many are broken before; returns whether its tile may be
    placed."""
    out[0] = open_columns(s, seat, line, color)
    out[1] = last_chance(s, seat, line, color, plates_not_laid(s)) if out[0] == 0 else 0
    hopeful = bool(out[0] or out[1])
    out[2] = 0 if hopeful else penalty(broken + tiles) - penalty(broken)
    return hopeful


@kernel
def penalty(tiles: int) -> int:
    """R3.6, R4.6: the penalty of so many broken tiles."""
    return BROKEN_PENALTIES[min(tiles, BROKEN_PLACES)]


@kernel
def note_outlooks(s: State, seat: int, broken: Array, out: Array) -> None:
    """Notes the outlook of each line of a seat that holds tiles to be placed, and how many tiles are broken when the
    tiling comes to it, since lines above break first (R4.1, R4.3)."""
    tiles = count(s.broken[seat])
    for line in range(LINES):
        broken[line] = tiles
        size = s.line_size[seat, line]
        waits = size > 0 and s.line_placed[seat, line] == 0
        if waits and not note_outlook(s, seat, line, s.line_color[seat, line], size, tiles, out[line]):
            tiles += size


@kernel
def put_outlook(w: State, key: Array, outlook: Array) -> None:
    """Puts an `Outlook`, given by its numbers."""
    open_object(w, key)
    if outlook[0]:
        open_list(w, COLUMNS)
        for column in range(GRID):
            if outlook[0] >> column & 1:
                put_number(w, ITEM, column + 1)
        close_list(w)
    if outlook[1]:
        put_number(w, PLATE_BY, outlook[1])
    if outlook[2]:
        put_number(w, COST, outlook[2])
    close_object(w)


@kernel
def put_forecast(w: State, key: Array, forecast: int) -> None:
    """Puts a forecast, or null if there is none."""
    if forecast == UNKNOWN:
        put_null(w, key)
    else:
        put_number(w, key, forecast)


@kernel
def put_tile_letters(w: State, key: Array, counts: Array) -> None:
    """Puts counts by colour as a string with one letter for each tile."""
    open_string(w, key)
    for color in range(COLORS):
        for _ in range(counts[color]):
            put_row(w, TILE_LETTERS, color)
    close_string(w)


@kernel
def put_chips(w: State, key: Array, counts: Array) -> None:
    """Puts counts by chip face as a list of faces."""
    open_list(w, key)
    for face in range(CHIP_FACES):
        for _ in range(counts[face]):
            put_name(w, ITEM, CHIP_NAMES, face)
    close_list(w)


@kernel
def put_plate(w: State, key: Array, plate: int, turns: int) -> None:
    """Puts a `PlateShown`, or null if no plate lies there."""
    if plate == NOTHING:
        put_null(w, key)
        return
    open_object(w, key)
    put_name(w, PLATE, PLATE_NAMES, plate)
    put_name(w, FACE, PLATE_FACES, plate * TURNS + turns)
    close_object(w)


@kernel
def put_grid(w: State, key: Array, cells: Array) -> None:
    """Puts six rows of letters."""
    open_list(w, key)
    for row in range(GRID):
        open_string(w, ITEM)
        for column in range(GRID):
            put_row(w, SPACES, cells[row, column])
        close_string(w)
    close_list(w)


@kernel
def put_line(w: State, s: State, seat: int, line: int, outlook: Array) -> None:
    """R1.7: puts a `LineShown`, with its outlook if it holds tiles to be placed."""
    size, placed = s.line_size[seat, line], s.line_placed[seat, line]
    open_object(w, ITEM)
    put_name(w, LINE_COLOR, TILE_LETTERS, s.line_color[seat, line])
    put_number(w, LINE_TILES, size)
    put_flag(w, PLACED, placed != 0)
    if size and not placed:
        put_outlook(w, LINE_OUTLOOK, outlook)
    close_object(w)


@kernel
def put_progress(w: State, s: State, seat: int, goal: int, cells: Array) -> None:
    """R6.1: puts a `GoalProgress`: the spaces that the goal is about, with and without a tile."""
    cells[:] = 0
    there, asked = goal_progress(s, seat, goal, cells)
    open_object(w, ITEM)
    put_number(w, THERE, there)
    put_number(w, ASKED, asked)
    open_string(w, CELLS)
    for row in range(GRID):
        for column in range(GRID):
            put_row(w, MARKS, cells[row, column])
    close_string(w)
    close_object(w)


@kernel
def put_board(w: State, s: State, seat: int, forecast: int) -> None:
    """Puts the `BoardShown` of a seat."""
    broken, outlooks = np.empty(LINES, np.int64), np.zeros((LINES, OUTLOOK), np.int64)
    cells = np.empty((GRID, GRID), np.int8)
    note_outlooks(s, seat, broken, outlooks)
    open_object(w, ITEM)
    put_number(w, SCORE, s.score[seat])
    open_list(w, BOARD_LINES)
    for line in range(LINES):
        put_line(w, s, seat, line, outlooks[line])
    close_list(w)
    put_grid(w, SHOWS, s.space[seat])
    put_grid(w, TILES, s.dome[seat])
    open_list(w, BOARD_PLATES)
    for slot in range(SLOTS):
        put_plate(w, ITEM, s.slot_plate[seat, slot], s.slot_turns[seat, slot])
    close_list(w)
    put_tile_letters(w, BROKEN, s.broken[seat])
    put_flag(w, BOARD_START_TILE, s.start_tile == seat)
    put_chips(w, BOARD_CHIPS, s.store[seat])
    put_chips(w, SPENT, s.spent[seat])
    put_number(w, MARKERS_LEFT, s.markers_left[seat])
    put_number(w, CHIPS_LEFT, s.chips_left[seat])
    open_list(w, GOALS)
    for k in range(MAX_GOALS):
        if s.goals[k] != NOTHING:
            put_number(w, ITEM, goal_points(s, seat, s.goals[k]))
    close_list(w)
    open_list(w, PROGRESS)
    for k in range(MAX_GOALS):
        if s.goals[k] != NOTHING:
            put_progress(w, s, seat, s.goals[k], cells)
    close_list(w)
    put_forecast(w, FORECAST, forecast)
    close_object(w)
