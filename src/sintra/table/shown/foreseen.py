"""The effects of every decision of a position: compiled, since a page asks for all of them at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Final

from sintra.components import COLORS, GRID, LINES, NOTHING, ROUNDS, SPECIAL
from sintra.rules.array_types import Int8s2D, Int16s, Int64s2D
from sintra.rules.choices import (
    BREAK,
    END,
    MAX_CHOICES,
    PLACE,
    color_of,
    destination_of,
    is_take,
    kind_of,
    line_and_column,
)
from sintra.rules.compiled import at, entry, keep, kernel, np
from sintra.rules.drafting import tiles_on_moon
from sintra.rules.effects import EFFECTS, Effects, EffectsOfMany, note_broken_lines, note_take
from sintra.rules.engine import legal_of, try_out
from sintra.rules.memory import zeros
from sintra.rules.scoring import goals_sum, placement_points, run_length, special_points, special_to_fill
from sintra.rules.state import STATE, Source, State, States
from sintra.table.shown.boards import OUTLOOK, note_outlook, note_outlooks
from sintra.tabletop.moves.plates import TURNS

BROKEN: Final = int(Source.BROKEN)
START_TILE: Final = int(Source.START_TILE)


class Foreseen(threading.local):
    """The legal choices of a position with what they do: memory of each thread, which is used for one position after
    the other, since new memory would not be in the caches."""

    def __init__(self) -> None:
        self.n = 0
        """How many choices there are; what lies beyond them is of another position."""
        self.choices = zeros(MAX_CHOICES, "i2")
        """The legal choices."""
        self.effects = zeros(MAX_CHOICES, EFFECTS)
        """The EFFECTS of each of them."""
        self.outlooks = zeros((MAX_CHOICES, OUTLOOK), "i8")
        """Of a take, the numbers of the outlook of the line that it fills."""
        self.moons = zeros((MAX_CHOICES, COLORS), "i1")
        """What a take from the moon sides would bring after it, before the order of a stack is asked for."""
        self.forecasts = zeros((MAX_CHOICES, TURNS), "i8")
        """What the mover may expect after it, by the turns of a plate (`forecasts`)."""

    def by_choice(self) -> Iterator[tuple[int, Effects]]:
        """The choices with their effects."""
        return zip(self.choices[: self.n].tolist(), map(Effects._make, self.effects[: self.n].tolist()), strict=True)


@kernel
def foresee_placement(s: State, choice: int, effects: State) -> None:
    """R4.2, R4.5, R5: the points, the runs across and down, the special space (from 0) that is
    filled or NOTHING, and its points; R6.1: in the last round those of goals, too. The tiles are laid on the dome of
    `s`."""
    line, col = line_and_column(choice)
    dome = s.dome[s.turn]
    is_last = s.round_no == ROUNDS
    before = goals_sum(s, s.turn) if is_last else 0
    dome[line, col] = s.line_color[s.turn, line]
    effects.points = placement_points(dome, line, col)
    effects.across = run_length(dome, line, col, 0, 1)
    effects.down = run_length(dome, line, col, 1, 0)
    effects.special = special_to_fill(s.space[s.turn], dome, line, col)
    effects.special_points = special_points(effects.special)
    if effects.special != NOTHING:
        dome[effects.special // GRID, effects.special % GRID] = SPECIAL
    if is_last:
        effects.goal_points = goals_sum(s, s.turn) - before


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
def foresee(states: States, i: int, choices: Int16s, effects: EffectsOfMany, outlooks: Int64s2D, moons: Int8s2D) -> int:
    """Writes the legal choices of a state (int16, MAX_CHOICES long), their EFFECTS, and of takes the outlooks of the
    lines that they fill (R3.5) and the tiles of each colour on the moon sides after them (R3.3); returns how many
    choices there are."""
    slates = np.zeros(2, STATE)
    nothing = np.zeros(1, EFFECTS)
    slates[0] = states[i]
    s = at(slates, 0)
    s.deals_itself = 0
    broken = np.empty(LINES, np.int64)
    note_outlooks(s, s.turn, broken, np.empty((LINES, OUTLOOK), np.int64))
    n = legal_of(s, choices)
    for k in range(n):
        choice = int(choices[k])
        kind = kind_of(choice)
        effects[k] = nothing[0]
        if is_take(choice):
            color, to, done = color_of(choice), destination_of(choice), at(effects, k)
            try_out(slates, 0, choice)
            note_take(s, at(slates, 1), color, to, done)
            for other in range(COLORS):
                moons[k, other] = tiles_on_moon(at(slates, 1), other)
            if to != BREAK:
                tiles = s.line_size[s.turn, to] + done.to_line
                note_outlook(s, s.turn, to, color, tiles, broken[to] + done.broken, outlooks[k])
        elif kind == PLACE:
            slates[1] = slates[0]
            foresee_placement(at(slates, 1), choice, at(effects, k))
        elif kind == END:
            foresee_end(slates, at(effects, k))
    keep(slates)
    keep(nothing)
    return n


_foreseen: Final = Foreseen()


def foreseen_in(states: States) -> Foreseen:
    """The legal choices of a state with what they do, until this thread asks for those of another one."""
    one = _foreseen
    one.n = foresee(states, 0, one.choices, one.effects, one.outlooks, one.moons)
    return one
