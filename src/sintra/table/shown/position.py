"""The table as one observer may see it (R8), and how a game ended, as messages."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, Literal

from msgspec.structs import replace as changed

from sintra.components import (
    CHIPS,
    COLOR_LETTERS,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    LINES,
    MOST_GOALS,
    NOTHING,
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
from sintra.rules.state import ON_FACTORY, ChipState, Source, Stage, empty_states
from sintra.table.shown.boards import boards_in
from sintra.table.shown.fields import Fields, alphabet_of
from sintra.table.shown.forecasts import forecasts_in
from sintra.table.shown.messages import (
    BoardShown,
    Breakdown,
    FactoryShown,
    GoalProgress,
    LineShown,
    Outlook,
    PilePlate,
    PlateShown,
    PositionShown,
    ResultShown,
)
from sintra.tabletop.tabletop import Tabletop

STAGE_NAMES: Final = {int(stage): stage.name.lower() for stage in Stage}
_SPACES: Final = alphabet_of(SPACE_LETTERS + ".")
_MARKS: Final = alphabet_of(".xo?")
_CHIP_FACES: Final = tuple(chip.face for chip in CHIPS)
_FACES: Final = tuple(tuple(plate.turned(turns) for turns in range(4)) for plate in PLATES)
_NOT_ASKED: Final[list[list[int]]] = [[]] * LINES
_CELLS: Final = tuple(slice(k * GRID * GRID, (k + 1) * GRID * GRID) for k in range(SEATS * MOST_GOALS))
"""Where the spaces of each seat's goals are."""
_ROWS: Final = tuple(slice(start, start + GRID) for start in range(0, SEATS * GRID * GRID, GRID))


@cache
def plate_shown(plate: int, turns: int = 0) -> PlateShown:
    """A plate by its index, turned by quarters."""
    return PlateShown(PLATES[plate].name, _FACES[plate][turns])


@cache
def _laid(plate: int, turns: int = 0) -> PlateShown | None:
    """What lies where a plate can lie."""
    return None if plate == NOTHING else plate_shown(plate, turns)


@lru_cache(maxsize=4096)
def faces(counts: tuple[int, ...]) -> list[str]:
    """Counts per chip face as faces."""
    return [face for face, count in zip(_CHIP_FACES, counts, strict=True) for _ in range(count)]


@lru_cache(maxsize=4096)
def tiles(counts: tuple[int, ...]) -> str:
    """Counts per colour as one letter for each tile."""
    return letters_of(counts)


@cache
def _phase(stage: int) -> int:
    """The phase to which a stage belongs, asked once."""
    states = empty_states()
    states["stage"] = stage
    return Tabletop(states).phase


@cache
def outlook_shown(columns: int, plate_by: int, cost: int) -> Outlook:
    """The outlook of a line by its numbers."""
    return Outlook([k + 1 for k in range(GRID) if columns >> k & 1], plate_by, cost)


def position_of(view: View) -> PositionShown:
    """The whole table as the view's observer may know it."""
    s, states = Fields(view), view.state
    outlooks, goals, cells = boards_in(states)
    marks, in_play = cells.translate(_MARKS).decode(), MOST_GOALS - s["goals"].count(NOTHING)
    forecasts, shows, lying = forecasts_in(states), rows_of(s, "space"), rows_of(s, "dome")
    stack, hand = _pile(s, view.seat)
    return PositionShown(
        round=s["round_no"],
        phase=_phase(s["stage"]),
        stage=STAGE_NAMES[s["stage"]],
        seat=s["turn"],
        first=s["first"],
        start_tile=None if s["start_tile"] == ON_FACTORY else s["start_tile"],
        factories=[_factory(s, f) for f in range(LARGE + 1)],
        display=list(map(_laid, s["display"])),
        stack=stack,
        hand=hand,
        bag=dict(zip(COLOR_LETTERS, s["bag"], strict=True)),
        tower=dict(zip(COLOR_LETTERS, s["tower"], strict=True)),
        boards=[
            BoardShown(
                score=s["score"][seat],
                lines=lines_shown(s, seat, outlooks[seat]),
                shows=shows[seat],
                tiles=lying[seat],
                plates=list(map(_laid, s["slot_plate"][seat], s["slot_turns"][seat])),
                broken=tiles(s["broken"][seat]),
                start_tile=s["start_tile"] == seat,
                chips=faces(s["store"][seat]),
                spent=faces(s["spent"][seat]),
                markers_left=s["markers_left"][seat],
                chips_left=s["chips_left"][seat],
                goals=[points for points, _, _ in goals[seat][:in_play]],
                progress=[
                    GoalProgress(there, asked, marks[where])
                    for (_, there, asked), where in zip(
                        goals[seat][:in_play], _CELLS[MOST_GOALS * seat :], strict=False
                    )
                ],
                forecast=forecasts[seat],
            )
            for seat in range(SEATS)
        ],
        paid_line=s["pay_line"] + 1,
    )


def position_for(common: PositionShown, view: View) -> PositionShown:
    """The table as a seat sees it, made of the `common` one that a spectator sees and of what the seat's own view
    knows of the pile. Nothing hidden can leave with the common part; and nothing is missing there, since a view takes
    what lies open from a state whoever looks, and only what is known of the pile is its observer's own (R8, see
    `write_view` in `rules.knowledge`)."""
    stack, hand = _pile(Fields(view), view.seat)
    return changed(common, stack=stack, hand=hand)


def _pile(s: Fields, observer: int) -> tuple[list[PilePlate], list[PilePlate]]:
    """The stack and the hand."""
    pile = list(map(pile_plate, s["could_be"][observer][: s["pile_size"]]))
    return pile[s["drawn"] :], pile[: s["drawn"]]


@cache
def pile_plate(mask: int) -> PilePlate:
    """R8: a place of the pile, from the set of plates that could lie there."""
    could_be = plates_in(mask)
    kinds = {plate.kind.value for plate in could_be}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if len(could_be) == 1:
        return PilePlate(kind, plate_shown(could_be[0].index))
    return PilePlate(kind, candidates=[plate.name for plate in could_be])


def _factory(s: Fields, f: int) -> FactoryShown:
    sun = tiles(s["sun"][f])
    if f == LARGE:
        return FactoryShown("L", sun, tiles(s["moon"]), "", s["start_tile"] == ON_FACTORY)
    moon = "".join([COLOR_LETTERS[tile] for tile in s["stack"][f][: s["stack_height"][f]]])
    return FactoryShown(FACTORY_LETTERS[f], sun, moon, chip_shown(s, f), False)


def chip_shown(s: Fields, f: int) -> str:
    """The chip of a small factory: its face, `down`, or empty when it is gone."""
    if s["chip_state"][f] == ChipState.DOWN:
        return "down"
    if s["chip_state"][f] == ChipState.GONE:
        return ""
    face: int = s["chip_order"][SMALL_FACTORIES * (s["round_no"] - 1) + f]
    return _CHIP_FACES[face]


def lines_shown(s: Fields, seat: int, outlooks: list[list[int]] | None = None) -> list[LineShown]:
    """R1.7: a seat's pattern lines, and what becomes of those with tiles to be placed where that is asked."""
    return [
        LineShown(
            COLOR_LETTERS[color] if color != NOTHING else "",
            size,
            bool(placed),
            outlook_shown(*outlook) if outlooks and size and not placed else None,
        )
        for color, size, placed, outlook in zip(
            s["line_color"][seat], s["line_size"][seat], s["line_placed"][seat], outlooks or _NOT_ASKED, strict=True
        )
    ]


def rows_of(s: Fields, grid: Literal["space", "dome"]) -> tuple[list[str], list[str]]:
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
