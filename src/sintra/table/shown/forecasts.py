"""What each decision of a position would do, and what each board promises: compiled, because a page
asks for all of them at once.

A seat's forecast is the change of its score until the round's end if it takes nothing more and tiles
in the best way (R4), penalties included; in round 5 the goals count too (R6).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sintra.components import COLORS, LINES, MOST_GOALS, NOTHING, ROUNDS, SEATS
from sintra.players.thinking.evaluator import Evaluator
from sintra.players.thinking.tiler import WORK, best_tiling
from sintra.rules.choices import (
    CHIP,
    DESTINATIONS,
    END,
    LAY,
    MOST_CHOICES,
    PLACE,
    color_of,
    destination_of,
    is_take,
    kind_of,
    line_and_column,
    turn,
)
from sintra.rules.compiled import at, entry, kernel
from sintra.rules.drafting import tiles_on_moon
from sintra.rules.effects import EFFECTS, Effects, note_broken_lines, note_take
from sintra.rules.engine import apply_to, legal_of, play_path
from sintra.rules.scoring import goals_sum, placement_points, run_length, special_points, special_to_fill
from sintra.rules.state import DEALING, OVER, PAYING, STATE, TILING, Array, Source, State, States


class Foreseen(NamedTuple):
    """A legal choice, its effects, and the forecasts after it (one, or one for each turn of a plate)."""

    choice: int
    effects: Effects
    forecasts: list[int]


UNKNOWN: Final = -1000
"""No forecast is as low."""
POINTS_ONLY: Final = Evaluator.blank().parameters
"""A forecast prices nothing but points."""
BROKEN: Final = int(Source.BROKEN)
START_TILE: Final = int(Source.START_TILE)


@kernel
def is_done(s: State, seat: int) -> bool:
    """Whether a seat has ended its tiling of this round; the round's start player goes first (R4)."""
    return bool((s.stage == TILING or s.stage == PAYING) and s.turn != seat and s.first == seat)


@kernel
def forecast(slates: States, i: int, seat: int, w: State) -> int:
    """What slates[i] promises a seat until the round's end; slates[i + 1] is written on."""
    s = at(slates, i)
    if s.stage == OVER or s.stage == DEALING:
        return 0
    score = int(s.score[seat])
    if is_done(s, seat):
        return max(0, score + goals_sum(s, seat)) - score if s.round_no == ROUNDS else 0
    slates[i + 1] = slates[i]
    slate = at(slates, i + 1)
    if s.round_no < ROUNDS:
        leave_out_goals(slate)
    w.points[LINES] = 0
    return int(best_tiling(slate, seat, at(POINTS_ONLY, 0), w)) - score


@kernel
def leave_out_goals(s: State) -> None:
    """Makes the tiler look at the points of the round only, without pricing what is left over."""
    s.round_no = ROUNDS
    for k in range(MOST_GOALS):
        s.goals[k] = NOTHING


@kernel
def try_out(slates: States, i: int, choice: int) -> None:
    """Makes slates[i + 1] what slates[i] becomes by a choice."""
    slates[i + 1] = slates[i]
    apply_to(at(slates, i + 1), choice)


@kernel
def foresee_placement(s: State, choice: int, effects: State) -> None:
    """R4.2, R4.5, R5: the points, the runs across and down, the special space (from 0) that is
    filled or NOTHING, and its points. The tile is laid on the dome of `s`."""
    line, col = line_and_column(choice)
    dome = s.dome[s.turn]
    dome[line, col] = s.line_color[s.turn, line]
    effects.points = placement_points(dome, line, col)
    effects.across = run_length(dome, line, col, 0, 1)
    effects.down = run_length(dome, line, col, 1, 0)
    effects.special = special_to_fill(s.space[s.turn], dome, line, col)
    effects.special_points = special_points(effects.special)


@kernel
def foresee_end(slates: States, effects: State) -> None:
    """R4.3, R4.6: the penalties really booked, and the lines that break."""
    s = at(slates, 0)
    seat = s.turn
    try_out(slates, 0, END)
    note_broken_lines(s, at(slates, 1), NOTHING, effects)
    for source in (BROKEN, START_TILE):
        effects.points += at(slates, 1).tally[seat, source] - s.tally[seat, source]


@entry
def foresee(states: States, i: int, choices: Array, effects: Array, forecasts: Array) -> int:
    """Writes the legal choices of a state (int16, MOST_CHOICES long), their EFFECTS, which are 0 before,
    and the forecasts of the mover's board after them (MOST_CHOICES by 4, by the turns of a
    plate); returns how many there are."""
    slates = np.zeros(4, STATE)
    work = np.zeros(1, WORK)
    slates[0] = states[i]
    s = at(slates, 0)
    s.deals_itself = 0
    n = legal_of(s, choices)
    forecasts[:n] = 0
    known = np.full((COLORS, DESTINATIONS, 32), UNKNOWN, np.int64)
    for k in range(n):
        choice = int(choices[k])
        kind = kind_of(choice)
        if kind == LAY:
            try_out(slates, 0, choice)
            for turns in range(4):
                try_out(slates, 1, turn(turns))
                forecasts[k, turns] = forecast(slates, 2, s.turn, at(work, 0))
        elif is_take(choice):
            try_out(slates, 0, choice)
            done = at(effects, k)
            color, to = color_of(choice), destination_of(choice)
            note_take(s, at(slates, 1), color, to, done)
            case = 2 * (done.to_line + done.broken + done.to_tower) + done.start_tile
            if known[color, to, case] == UNKNOWN:
                known[color, to, case] = forecast(slates, 1, s.turn, at(work, 0))
            forecasts[k, 0] = known[color, to, case]
        elif kind == CHIP:
            try_out(slates, 0, choice)
            forecasts[k, 0] = forecast(slates, 1, s.turn, at(work, 0))
        elif kind == PLACE:
            slates[1] = slates[0]
            foresee_placement(at(slates, 1), choice, at(effects, k))
        elif kind == END:
            foresee_end(slates, at(effects, k))
    return n


@entry
def forecasts_after(states: States, i: int, paths: Array, out: Array) -> None:
    """What each path of choices (int64, as `list_moves` packs them) leaves the mover to expect."""
    slates = np.zeros(3, STATE)
    work = np.zeros(1, WORK)
    slates[0] = states[i]
    seat = at(slates, 0).turn
    for k in range(len(paths)):
        slates[1] = slates[0]
        play_path(at(slates, 1), int(paths[k]))
        out[k] = forecast(slates, 1, seat, at(work, 0))


@entry
def moons_after(states: States, i: int, paths: Array, out: Array) -> None:
    """R3.3: how many tiles of each colour a take from the moon sides would bring after each path of choices."""
    slate = np.zeros(1, STATE)
    for k in range(len(paths)):
        slate[0] = states[i]
        s = at(slate, 0)
        s.deals_itself = 0
        play_path(s, int(paths[k]))
        for color in range(COLORS):
            out[k, color] = tiles_on_moon(s, color)


@entry
def forecasts_of(states: States, i: int, out: Array) -> None:
    """What a state promises each seat until the round's end."""
    slates = np.zeros(2, STATE)
    work = np.zeros(1, WORK)
    slates[0] = states[i]
    for seat in range(SEATS):
        out[seat] = forecast(slates, 0, seat, at(work, 0))


def foreseen_in(states: States) -> list[Foreseen]:
    """The legal choices of a state with what they do."""
    choices = np.empty(MOST_CHOICES, np.int16)
    effects = np.zeros(MOST_CHOICES, EFFECTS)
    forecasts = np.empty((MOST_CHOICES, 4), np.int64)
    n = foresee(states, 0, choices, effects, forecasts)
    done = (Effects(*row) for row in effects[:n].tolist())
    return list(map(Foreseen, choices[:n].tolist(), done, forecasts[:n].tolist()))


def forecasts_by(states: States, paths: list[int]) -> list[int]:
    """What the mover may expect after each path of choices."""
    out = np.zeros(len(paths), np.int64)
    forecasts_after(states, 0, np.array(paths, np.int64), out)
    return [int(one) for one in out]


def moons_by(states: States, paths: list[int]) -> list[list[int]]:
    """What can be taken from the moon sides after each path of choices, by colour."""
    out = np.zeros((len(paths), COLORS), np.int64)
    moons_after(states, 0, np.array(paths, np.int64), out)
    counts: list[list[int]] = out.tolist()
    return counts


def forecasts_in(states: States) -> list[int]:
    """What a state promises each seat."""
    out = np.zeros(SEATS, np.int64)
    forecasts_of(states, 0, out)
    return [int(one) for one in out]
