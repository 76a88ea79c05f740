"""The table as one observer may see it (R8), and how a game ended, as messages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal

import numpy as np

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
from sintra.rules.state import ON_FACTORY, ChipState, Source, Stage
from sintra.table.shown.fields import Fields, fields_of
from sintra.table.shown.forecasts import Forecast, forecasts_in
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
from sintra.table.shown.outlooks import outlooks_of_lines
from sintra.tabletop.tabletop import Tabletop

STAGE_NAMES: Final = {int(stage): stage.name.lower() for stage in Stage}
_GRID_LETTERS: Final = SPACE_LETTERS + "."
_MARKS: Final = ".xo"
_CHIP_FACES: Final = tuple(chip.face for chip in CHIPS)
_FACES: Final = tuple(tuple(plate.turned(turns) for turns in range(4)) for plate in PLATES)


@cache
def plate_shown(plate: int, turns: int = 0) -> PlateShown:
    """A plate by its index, turned by quarters."""
    return PlateShown(PLATES[plate].name, _FACES[plate][turns])


def faces(counts: list[int]) -> list[str]:
    """Counts per chip face as faces."""
    return [face for face, count in zip(_CHIP_FACES, counts, strict=True) for _ in range(count)]


def position_of(view: View) -> PositionShown:
    """The whole table as the view's observer may know it."""
    s = fields_of(view)
    forecasts = forecasts_in(view.state)
    goals = np.zeros((SEATS, MOST_GOALS), np.int64)
    engine.points_of_goals(view.state, 0, goals)
    progress = progress_in(view)
    in_play = sum(goal != NOTHING for goal in s["goals"])
    pile = [pile_plate(mask) for mask in s["could_be"][view.seat][: s["pile_size"]]]
    return PositionShown(
        round=s["round_no"],
        phase=view.phase,
        stage=STAGE_NAMES[s["stage"]],
        seat=s["turn"],
        first=s["first"],
        start_tile=None if s["start_tile"] == ON_FACTORY else s["start_tile"],
        factories=[_factory(s, f) for f in range(LARGE + 1)],
        display=[None if plate == NOTHING else plate_shown(plate) for plate in s["display"]],
        stack=pile[s["drawn"] :],
        hand=pile[: s["drawn"]],
        bag=dict(zip(COLOR_LETTERS, s["bag"], strict=True)),
        tower=dict(zip(COLOR_LETTERS, s["tower"], strict=True)),
        boards=[
            _board(s, seat, outlooks_of_lines(view, seat), points[:in_play], progress[seat][:in_play], forecast)
            for seat, points, forecast in zip(range(SEATS), goals.tolist(), forecasts, strict=True)
        ],
        paid_line=s["pay_line"] + 1,
    )


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
    sun = letters_of(s["sun"][f])
    if f == LARGE:
        return FactoryShown("L", sun, letters_of(s["moon"]), "", s["start_tile"] == ON_FACTORY)
    moon = "".join(COLOR_LETTERS[tile] for tile in s["stack"][f][: s["stack_height"][f]])
    return FactoryShown(FACTORY_LETTERS[f], sun, moon, chip_shown(s, f), False)


def chip_shown(s: Fields, f: int) -> str:
    """The chip of a small factory: its face, `down`, or empty when it is gone."""
    if s["chip_state"][f] == ChipState.DOWN:
        return "down"
    if s["chip_state"][f] == ChipState.GONE:
        return ""
    face: int = s["chip_order"][SMALL_FACTORIES * (s["round_no"] - 1) + f]
    return _CHIP_FACES[face]


def progress_in(view: View) -> list[list[GoalProgress]]:
    """R6.1: how far each goal has come for each seat."""
    counts = np.zeros((SEATS, MOST_GOALS, 2), np.int64)
    cells = np.zeros((SEATS, MOST_GOALS, GRID, GRID), np.int8)
    engine.progress_of_goals(view.state, 0, counts, cells)
    marks = cells.reshape(SEATS, MOST_GOALS, GRID * GRID).tolist()
    return [
        [
            GoalProgress(there, asked, "".join([_MARKS[mark] for mark in marked]))
            for (there, asked), marked in zip(of_seat, marks_of_seat, strict=True)
        ]
        for of_seat, marks_of_seat in zip(counts.tolist(), marks, strict=True)
    ]


def _board(
    s: Fields,
    seat: int,
    outlooks: list[Outlook | None],
    goals: list[int],
    progress: list[GoalProgress],
    forecast: Forecast,
) -> BoardShown:
    return BoardShown(
        score=s["score"][seat],
        lines=lines_shown(s, seat, outlooks),
        shows=rows_of(s["space"][seat]),
        tiles=rows_of(s["dome"][seat]),
        plates=[
            None if plate == NOTHING else plate_shown(plate, turns)
            for plate, turns in zip(s["slot_plate"][seat], s["slot_turns"][seat], strict=True)
        ],
        broken=letters_of(s["broken"][seat]),
        start_tile=s["start_tile"] == seat,
        chips=faces(s["store"][seat]),
        spent=faces(s["spent"][seat]),
        markers_left=s["markers_left"][seat],
        chips_left=s["chips_left"][seat],
        goals=goals,
        progress=progress,
        forecast=forecast,
    )


def lines_shown(s: Fields, seat: int, outlooks: Sequence[Outlook | None] = (None,) * LINES) -> list[LineShown]:
    """R1.7: a seat's pattern lines, and what becomes of them where that is asked."""
    return [
        LineShown("" if color == NOTHING else COLOR_LETTERS[color], size, bool(placed), outlook)
        for color, size, placed, outlook in zip(
            s["line_color"][seat], s["line_size"][seat], s["line_placed"][seat], outlooks, strict=True
        )
    ]


def rows_of(grid: list[list[int]]) -> list[str]:
    """Six rows of letters; NOTHING is the last letter of the list, a dot."""
    return ["".join([_GRID_LETTERS[value] for value in row]) for row in grid]


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
