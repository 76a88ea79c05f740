"""The forecasts of both boards, now and after each decision: compiled, since a page asks for all of them at once.

A seat's forecast is the change of its score until the round's end if it takes nothing more and tiles
in the best way (R4), penalties included; in round 5 the goals count too (R6). While the solver is compiled
for the first time, games go on without forecasts.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sintra.components import COLORS, MAX_GOALS, NOTHING, ROUNDS, SEATS
from sintra.players.thinking.round_points import UNKNOWN, most_points
from sintra.players.thinking.tiler import WorkArray, new_work
from sintra.rules.array_types import Int16s, Int64s, Int64s2D
from sintra.rules.choices import CHIP, DESTINATIONS, LAY, color_of, destination_of, is_take, kind_of, turn
from sintra.rules.compiled import at, entry, keep, kernel, np, rare_entry
from sintra.rules.effects import EffectsOfMany
from sintra.rules.engine import play_path, try_out
from sintra.rules.memory import numbers, zeros
from sintra.rules.scoring import goals_sum
from sintra.rules.state import DEALING, OVER, PAYING, STATE, TILING, Array, State, States
from sintra.table.shown.foreseen import Foreseen, foreseen_in

Forecast = int | None
"""The points that a seat can expect until the end of the round; None if unknown."""
MAX_STEPS: Final = 100_000
"""What one call may spend on all its forecasts, some milliseconds: the loop of the table waits for it. The hardest
tiling takes a third of it, so the first ones are always found; those of games are found by far."""
NOT_YET: Final = threading.Event()
"""Set while the solver is compiled for the first time."""


@kernel
def is_done(s: State, seat: int) -> bool:
    """Whether a seat has ended its tiling of this round; the round's start player goes first (R4)."""
    return bool((s.stage == TILING or s.stage == PAYING) and s.turn != seat and s.first == seat)


@kernel
def forecast(slates: States, i: int, seat: int, w: State) -> int:
    """What slates[i] promises a seat until the round's end, or `UNKNOWN` if that takes too many steps; slates[i + 1]
    is written on."""
    s = at(slates, i)
    if s.stage == OVER or s.stage == DEALING:
        return 0
    score = int(s.score[seat])
    if is_done(s, seat):
        return max(0, score + goals_sum(s, seat)) - score if s.round_no == ROUNDS else 0
    if w.steps >= MAX_STEPS:
        return UNKNOWN
    slates[i + 1] = slates[i]
    slate = at(slates, i + 1)
    if s.round_no < ROUNDS:
        leave_out_goals(slate)
    most = most_points(slate, seat, MAX_STEPS - w.steps, w)
    return UNKNOWN if most == UNKNOWN else most - score


@kernel
def leave_out_goals(s: State) -> None:
    """Makes the tiler look at the points of the round only, without pricing what is left over."""
    s.round_no = ROUNDS
    for k in range(MAX_GOALS):
        s.goals[k] = NOTHING


@entry
def forecast_choices(
    states: States, i: int, n: int, choices: Int16s, effects: EffectsOfMany, work: WorkArray, out: Int64s2D
) -> None:
    """The forecasts of the mover's board after each of n legal choices with these EFFECTS (by the turns of a plate), or
    `UNKNOWN`."""
    slates = np.zeros(4, STATE)
    slates[0] = states[i]
    s, w = at(slates, 0), at(work, 0)
    w.steps = 0
    s.deals_itself = 0
    found = np.full((COLORS, DESTINATIONS, 32), UNKNOWN, np.int64)
    for k in range(n):
        choice = int(choices[k])
        kind = kind_of(choice)
        out[k] = UNKNOWN
        if kind == LAY:
            try_out(slates, 0, choice)
            for turns in range(4):
                try_out(slates, 1, turn(turns))
                out[k, turns] = forecast(slates, 2, s.turn, w)
        elif is_take(choice):
            done = at(effects, k)
            color, to = color_of(choice), destination_of(choice)
            case = 2 * (done.to_line + done.broken + done.to_tower) + done.start_tile
            if found[color, to, case] == UNKNOWN:
                try_out(slates, 0, choice)
                found[color, to, case] = forecast(slates, 1, s.turn, w)
            out[k, 0] = found[color, to, case]
        elif kind == CHIP:
            try_out(slates, 0, choice)
            out[k, 0] = forecast(slates, 1, s.turn, w)
    keep(slates)


@rare_entry
def forecasts_after(states: States, i: int, paths: Int64s, work: WorkArray, out: Int64s) -> None:
    """What each path of choices (int64, as `list_moves` packs them) leaves the mover to expect."""
    slates = np.zeros(3, STATE)
    slates[0] = states[i]
    seat, w = at(slates, 0).turn, at(work, 0)
    w.steps = 0
    for k in range(len(paths)):
        slates[1] = slates[0]
        play_path(at(slates, 1), int(paths[k]))
        out[k] = forecast(slates, 1, seat, w)
    keep(slates)


@rare_entry
def forecasts_of(states: States, i: int, work: WorkArray, out: Int64s) -> None:
    """What a state promises each seat until the round's end."""
    slates = np.zeros(2, STATE)
    slates[0] = states[i]
    w = at(work, 0)
    w.steps = 0
    for seat in range(SEATS):
        out[seat] = forecast(slates, 0, seat, w)


class _Memory(threading.local):
    """What each thread calculates with, again and again."""

    def __init__(self) -> None:
        self.work = new_work()
        self.of_seats = zeros(SEATS, "i8")


_memory: Final = _Memory()


@contextmanager
def without_forecasts() -> Iterator[None]:
    """Makes everything within the context do without forecasts."""
    was_set = NOT_YET.is_set()
    NOT_YET.set()
    try:
        yield
    finally:
        if not was_set:
            NOT_YET.clear()


def load_forecasts(states: States) -> None:
    """Calls all that is compiled here, which takes long for the first time."""
    nothing = zeros(0, "i8")
    f, work = foreseen_in(states), _memory.work
    forecast_choices(states, 0, f.n, f.choices, f.effects, work, f.forecasts)
    forecasts_after(states, 0, nothing, work, nothing)
    forecasts_of(states, 0, work, _memory.of_seats)


def note_forecasts(states: States, foreseen: Foreseen) -> None:
    """Notes what the mover may expect after each of the choices; `UNKNOWN` where there is no forecast."""
    if NOT_YET.is_set():
        foreseen.forecasts.fill(UNKNOWN)
    else:
        forecast_choices(states, 0, foreseen.n, foreseen.choices, foreseen.effects, _memory.work, foreseen.forecasts)


def forecasts_by_path(states: States, paths: list[int]) -> list[Forecast]:
    """The mover's forecast after each path of choices."""
    out = numbers([UNKNOWN] * len(paths), "i8")
    if not NOT_YET.is_set():
        forecasts_after(states, 0, numbers(paths, "i8"), _memory.work, out)
    return [None if one == UNKNOWN else one for one in out.tolist()]


def forecasts_in(states: States) -> Array:
    """The forecast of each seat, or `UNKNOWN`, until this thread asks for those of another state."""
    out = _memory.of_seats
    if NOT_YET.is_set():
        out.fill(UNKNOWN)
    else:
        forecasts_of(states, 0, _memory.work, out)
    return out
