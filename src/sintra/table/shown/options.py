"""The decisions of the player to move, and their effects, as messages."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from sintra.components import GRID, NOTHING, PLATES
from sintra.game.game import View
from sintra.game.preview import lines_in
from sintra.rules import choices
from sintra.rules.effects import Effects
from sintra.rules.state import STAGES, Stage, blank_states
from sintra.table.shown.fields import Fields
from sintra.table.shown.forecasts import forecasts_by_path
from sintra.table.shown.foreseen import Foreseen, foreseen_in
from sintra.table.shown.messages import EndingShown, Options, Payment, Placement, ReturnOption
from sintra.table.shown.position import plate_shown
from sintra.table.shown.told import raw
from sintra.table.shown.turns import turn_written
from sintra.tabletop.moves import EndTiling, Pay, Place, ReturnPlate, move_of

_NO_OPTIONS: Final = Options()
_END: Final = str(EndTiling())


def options_of(view: View) -> Options:
    """Every decision of the view's observer; none if it is not their turn."""
    s = Fields(view)
    stage = STAGES[s["stage"]]
    if view.seat != s["turn"] or view.ended_early or stage in (Stage.OVER, Stage.DEALING):
        return _NO_OPTIONS
    if stage is Stage.PAYING:
        return Options(payments=_payments(view, s))
    states = s.states
    foreseen = foreseen_in(states)
    if stage is Stage.TILING:
        return _tiling(view, s, foreseen)
    if stage is Stage.RETURNING:
        return Options(returns=[_return(choices.said(choice, choices.RETURN)) for choice, _ in foreseen.by_choice()])
    options: Options = raw(turn_written(states, foreseen))
    return options


@cache
def _return(plate: int) -> ReturnOption:
    """R3.1: a drawn plate may go under the stack."""
    shown = plate_shown(plate)
    return ReturnOption(str(ReturnPlate(PLATES[plate])), shown.plate, shown.face)


def _tiling(view: View, s: Fields, foreseen: Foreseen) -> Options:
    """R4: placing, paying and ending."""
    placements, end, pays = [], None, False
    for choice, done in foreseen.by_choice():
        kind = choices.kind_of(choice)
        if kind == choices.PLACE:
            placements.append(_placement(choice, done))
        elif kind == choices.END:
            end = EndingShown(_END, done.points, list(lines_in(done.lines_broken)))
        else:
            pays = True
    return Options(placements=placements, payments=_payments(view, s) if pays else [], end=end)


def _placement(choice: int, done: Effects) -> Placement:
    line, column = choices.line_and_column(choice)
    special = done.special
    special_row, special_column = (0, 0) if special == NOTHING else (special // GRID + 1, special % GRID + 1)
    return Placement(
        token=_place_token(line, column),
        line=line + 1,
        column=column + 1,
        points=done.points,
        across=done.across,
        down=done.down,
        special_row=special_row,
        special_column=special_column,
        special_points=done.special_points,
        goal_points=done.goal_points,
    )


@cache
def _place_token(line: int, column: int) -> str:
    return str(Place(line + 1, column + 1))


def _payments(view: View, s: Fields) -> list[Payment]:
    """R4.4: the ways to pay for one missing tile."""
    pays = [
        (path, _paid(path, s["pay_line"]))
        for path in view.legal_moves.paths
        if choices.kind_of(choices.first_of(path)) in (choices.PAY, choices.SPEND)
    ]
    forecasts = forecasts_by_path(s.states, [path for path, _ in pays])
    sizes, paid = s["line_size"][s["turn"]], s["paid"]
    return [
        Payment(token, line, faces, line - 1 - sizes[line - 1] - paid, forecast)
        for (_, (token, line, faces)), forecast in zip(pays, forecasts, strict=True)
    ]


@lru_cache(maxsize=4096)
def _paid(path: int, begun: int) -> tuple[str, int, list[str]]:
    """A payment by its path of choices, and by the line (from 0) whose payment has begun, if one has: its token, line
    and chips."""
    states = blank_states()
    states["pay_line"] = begun
    move = move_of(path, states, 0)
    assert isinstance(move, Pay), "a path that pays is a payment"
    return str(move), move.line, [chip.face for chip in move.chips]
