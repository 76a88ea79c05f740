"""The table as one observer may see it (R8), and how a game ended, as messages."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, Literal

import msgspec

from sintra.components import (
    CHIPS,
    COLOR_LETTERS,
    COLORS,
    DISPLAY,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    NOTHING,
    OBSERVERS,
    PLATES,
    SEATS,
    SMALL_FACTORIES,
    SPACE_LETTERS,
    letters_of,
    plates_in,
)
from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.rules import engine
from sintra.rules.array_types import Int64s
from sintra.rules.compiled import at, constants, entry, kernel
from sintra.rules.memory import layout_of
from sintra.rules.state import (
    DOWN,
    GONE,
    ON_FACTORY,
    STATE,
    Array,
    ChipState,
    Source,
    Stage,
    State,
    States,
    blank_states,
)
from sintra.table.shown.boards import CHIP_NAMES, TILE_KEYS, TILE_LETTERS, put_board, put_plate, put_tile_letters
from sintra.table.shown.fields import Fields, alphabet_of
from sintra.table.shown.forecasts import forecasts_in
from sintra.table.shown.messages import (
    Breakdown,
    FactoryShown,
    LineShown,
    PilePlate,
    PlateShown,
    PositionShown,
    ResultShown,
)
from sintra.table.shown.told import raw
from sintra.table.shown.writing import (
    ITEM,
    TextArray,
    begin,
    close_list,
    close_object,
    close_string,
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
    texts,
)
from sintra.tabletop.tabletop import Tabletop

ROUND, PHASE, STAGE, SEAT, FIRST, START_TILE, FACTORIES, DISPLAYED, BAG, TOWER, BOARDS, PAID_LINE, *_ = keys_of(
    PositionShown
)
NAME, SUN, MOON, CHIP, FACTORY_START_TILE = keys_of(FactoryShown)
NO_FACE: Final = table(("", "down"))
FACTORY_NAMES: Final = table(FACTORY_LETTERS)
STAGE_NAMES: Final = table(stage.name.lower() for stage in Stage)
_SPACES: Final = alphabet_of(SPACE_LETTERS + ".")
_CHIP_FACES: Final = tuple(chip.face for chip in CHIPS)
_FIELDS: Final = layout_of(STATE).fields
_PILE_SIZE, _DRAWN = (_FIELDS[name].offset for name in ("pile_size", "drawn"))
"""Where small numbers lie in the bytes of a state."""
_COULD_BE: Final = _FIELDS["could_be"]
_ROW_SIZE: Final = _COULD_BE.size // OBSERVERS
_ROWS: Final = tuple(slice(start, start + GRID) for start in range(0, SEATS * GRID * GRID, GRID))
_encode: Final = msgspec.json.Encoder().encode


def _phase(stage: Stage) -> int:
    """The phase to which a stage belongs."""
    states = blank_states()
    states["stage"] = stage
    return Tabletop(states).phase


PHASES: Final = constants(list(map(_phase, Stage)), "i8")


@cache
def plate_shown(plate: int, turns: int = 0) -> PlateShown:
    """A plate by its index, turned by quarters."""
    return PlateShown(PLATES[plate].name, PLATES[plate].turned(turns))


@lru_cache(maxsize=4096)
def tiles(counts: tuple[int, ...]) -> str:
    """Counts per colour as one letter for each tile."""
    return letters_of(counts)


@kernel
def put_factory(w: State, s: State, f: int) -> None:
    """R1.3: puts a `FactoryShown`."""
    open_object(w, ITEM)
    put_name(w, NAME, FACTORY_NAMES, f)
    put_tile_letters(w, SUN, s.sun[f])
    if f == LARGE:
        put_tile_letters(w, MOON, s.moon)
    else:
        open_string(w, MOON)
        for k in range(s.stack_height[f]):
            put_row(w, TILE_LETTERS, s.stack[f, k])
        close_string(w)
    if f == LARGE or s.chip_state[f] == GONE:
        put_name(w, CHIP, NO_FACE, 0)
    elif s.chip_state[f] == DOWN:
        put_name(w, CHIP, NO_FACE, 1)
    else:
        put_name(w, CHIP, CHIP_NAMES, s.chip_order[SMALL_FACTORIES * (s.round_no - 1) + f])
    put_flag(w, FACTORY_START_TILE, f == LARGE and s.start_tile == ON_FACTORY)
    close_object(w)


@kernel
def put_counts(w: State, key: Array, counts: Array) -> None:
    """Puts counts by colour letter."""
    open_object(w, key)
    for color in range(COLORS):
        put_number(w, TILE_KEYS[color], counts[color])
    close_object(w)


@entry
def write_open_position(states: States, i: int, forecasts: Int64s, text: TextArray) -> int:
    """Writes a `PositionShown` but for the pile, with these forecasts of the boards; the object is left open. Returns
    how long the text is."""
    s, w = at(states, i), at(text, 0)
    begin(w)
    open_object(w, ITEM)
    put_number(w, ROUND, s.round_no)
    put_number(w, PHASE, PHASES[s.stage])
    put_name(w, STAGE, STAGE_NAMES, s.stage)
    put_number(w, SEAT, s.turn)
    put_number(w, FIRST, s.first)
    if s.start_tile == ON_FACTORY:
        put_null(w, START_TILE)
    else:
        put_number(w, START_TILE, s.start_tile)
    open_list(w, FACTORIES)
    for f in range(LARGE + 1):
        put_factory(w, s, f)
    close_list(w)
    open_list(w, DISPLAYED)
    for k in range(DISPLAY):
        put_plate(w, ITEM, s.display[k], 0)
    close_list(w)
    put_counts(w, BAG, s.bag)
    put_counts(w, TOWER, s.tower)
    open_list(w, BOARDS)
    for seat in range(SEATS):
        put_board(w, s, seat, forecasts[seat])
    close_list(w)
    put_number(w, PAID_LINE, s.pay_line + 1)
    return int(w.length)


def open_position(view: View) -> bytes:
    """What everybody may know of the table, as the beginning of a `PositionShown`: taken from a spectator's view, it
    cannot hold anything hidden; and nothing is missing in it, since a view takes what lies open from a state whoever
    looks, and only what is known of the pile is its observer's own (R8, see `write_view` in `rules.knowledge`)."""
    states = view._states
    return texts.written(write_open_position(states, 0, forecasts_in(states), texts.text))


def with_pile(opened: bytes, view: View) -> PositionShown:
    """The table as a view's observer sees it, as JSON: what everybody may know, and what the observer knows of the
    pile."""
    seen, start = view._states.data, _COULD_BE.offset + _ROW_SIZE * view.seat
    could_be = bytes(seen[start : start + _ROW_SIZE])
    position: PositionShown = raw(opened + _pile(could_be, seen[_PILE_SIZE], seen[_DRAWN]))
    return position


def position_of(view: View) -> PositionShown:
    """The whole table as the view's observer may know it, as JSON."""
    return with_pile(open_position(view), view)


@lru_cache(maxsize=4096)
def _pile(could_be: bytes, size: int, drawn: int) -> bytes:
    """The end of a `PositionShown`: the stack and the hand, by the plates that could lie at each place."""
    pile = list(map(pile_plate, memoryview(could_be).cast("I")[:size]))
    return b'"stack":%b,"hand":%b}' % (_encode(pile[drawn:]), _encode(pile[:drawn]))


@cache
def pile_plate(mask: int) -> PilePlate:
    """R8: a place of the pile, from the set of plates that could lie there."""
    could_be = plates_in(mask)
    kinds = {plate.kind.value for plate in could_be}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if len(could_be) == 1:
        return PilePlate(kind, plate_shown(could_be[0].index))
    return PilePlate(kind, candidates=[plate.name for plate in could_be])


def chip_shown(s: Fields, f: int) -> str:
    """The chip of a small factory: its face, `down`, or empty when it is gone."""
    if s["chip_state"][f] == ChipState.DOWN:
        return "down"
    if s["chip_state"][f] == ChipState.GONE:
        return ""
    face: int = s["chip_order"][SMALL_FACTORIES * (s["round_no"] - 1) + f]
    return _CHIP_FACES[face]


def lines_shown(s: Fields, seat: int) -> list[LineShown]:
    """R1.7: a seat's pattern lines."""
    lines = zip(s["line_color"][seat], s["line_size"][seat], s["line_placed"][seat], strict=True)
    return [
        LineShown(COLOR_LETTERS[color] if color != NOTHING else "", size, bool(placed)) for color, size, placed in lines
    ]


def grid_rows(s: Fields, grid: Literal["space", "dome"]) -> tuple[list[str], list[str]]:
    """Six rows of letters for each seat, with a dot for NOTHING."""
    text = s.letters(grid, _SPACES)
    rows = [text[row] for row in _ROWS]
    return rows[:GRID], rows[GRID:]


def position_text(view: View) -> str:
    """A position as text, as an observer knows it: what they do not know is filled in with something that fits."""
    return view.sample(derive("study", view.key)).position


def result_of(
    table: Tabletop, reason: Literal["points", "resigned", "left", "timeout"] = "points", winner: int | None = None
) -> ResultShown:
    """How a game ended: by points (R6), or at this point because a seat gave it up or left, with the winner given."""
    if reason == "points":
        winner = int(engine.who_won(table._states, 0))
    assert winner is not None, "whoever resigns or leaves makes a winner"
    goals = table.goal_points
    breakdown = [
        Breakdown(
            start=table.scores[seat] - sum(points.values()),
            placement=points[Source.PLACEMENT],
            specials=points[Source.SPECIALS],
            broken=points[Source.BROKEN],
            start_tile=points[Source.START_TILE],
            draws=points[Source.DRAWS],
            goals=list(goals[seat]) if reason == "points" else [],
            goals_booked=points[Source.GOALS],
            total=table.scores[seat],
        )
        for seat, points in enumerate(table.points_by_source)
    ]
    return ResultShown(reason, winner, list(table.scores), breakdown, _tie_break(table) if reason == "points" else "")


def _tie_break(table: Tabletop) -> Literal["", "start_tile", "starter"]:
    """R6.3: what decided between equal points."""
    if table.scores[0] != table.scores[1]:
        return ""
    return "starter" if table._states["start_tile"][0] == ON_FACTORY else "start_tile"
