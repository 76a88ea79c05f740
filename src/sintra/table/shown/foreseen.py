"""What each decision of a position would do: compiled, because a page asks for all of them at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from sintra.components import COLORS, LINES, NOTHING
from sintra.rules.choices import (
    BREAK,
    END,
    MOST_CHOICES,
    PLACE,
    color_of,
    destination_of,
    is_take,
    kind_of,
    line_and_column,
)
from sintra.rules.compiled import at, keep, kernel, rare_entry
from sintra.rules.drafting import tiles_on_moon
from sintra.rules.effects import EFFECTS, Effects, note_broken_lines, note_take
from sintra.rules.engine import legal_of, play_path, try_out
from sintra.rules.scoring import placement_points, run_length, special_points, special_to_fill
from sintra.rules.state import STATE, Array, Source, State, States
from sintra.table.shown.boards import OUTLOOK, note_outlook, note_outlooks
from sintra.table.shown.forecasts import Forecast, forecasts_by_choice

BROKEN: Final = int(Source.BROKEN)
START_TILE: Final = int(Source.START_TILE)


Foreseen = tuple[int, list[int], list[int], list[Forecast]]
"""A legal choice, its `Effects` as plain numbers, the numbers of the outlook of the line that it fills, and the
forecasts after it (one, or one for each turn of a plate)."""


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


@rare_entry
def foresee(states: States, i: int, choices: Array, effects: Array, outlooks: Array) -> int:
    """Writes the legal choices of a state (int16, MOST_CHOICES long), their EFFECTS, and R3.5: the outlooks of the
    lines that takes fill, all of which are 0 before; returns how many choices there are."""
    slates = np.zeros(2, STATE)
    slates[0] = states[i]
    s = at(slates, 0)
    s.deals_itself = 0
    broken = np.empty(LINES, np.int64)
    note_outlooks(s, s.turn, broken, np.empty((LINES, OUTLOOK), np.int64))
    n = legal_of(s, choices)
    for k in range(n):
        choice = int(choices[k])
        kind = kind_of(choice)
        if is_take(choice):
            color, to, done = color_of(choice), destination_of(choice), at(effects, k)
            try_out(slates, 0, choice)
            note_take(s, at(slates, 1), color, to, done)
            if to != BREAK:
                tiles = s.line_size[s.turn, to] + done.to_line
                note_outlook(s, s.turn, to, color, tiles, broken[to] + done.broken, outlooks[k])
        elif kind == PLACE:
            slates[1] = slates[0]
            foresee_placement(at(slates, 1), choice, at(effects, k))
        elif kind == END:
            foresee_end(slates, at(effects, k))
    keep(slates)
    return n


@rare_entry
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
    keep(slate)


def foreseen_in(states: States) -> list[Foreseen]:
    """The legal choices of a state with what they do."""
    choices = np.empty(MOST_CHOICES, np.int16)
    done = np.zeros((MOST_CHOICES, len(Effects._fields)), np.int64)
    effects = done.reshape(-1).view(EFFECTS)
    outlooks = np.zeros((MOST_CHOICES, OUTLOOK), np.int64)
    n = foresee(states, 0, choices, effects, outlooks)
    forecasts = forecasts_by_choice(states, choices[:n], effects[:n])
    return list(zip(choices[:n].tolist(), done[:n].tolist(), outlooks[:n].tolist(), forecasts, strict=True))


def moons_by(states: States, paths: list[int]) -> list[list[int]]:
    """What can be taken from the moon sides after each path of choices, by colour."""
    out = np.zeros((len(paths), COLORS), np.int64)
    if paths:
        moons_after(states, 0, np.array(paths, np.int64), out)
    counts: list[list[int]] = out.tolist()
    return counts
