"""The exact best way through phase 2 for one seat (R4): placements, and chips spent.

No choice of one seat affects the other, and a line's open spaces do not depend on the other
lines, so the walk is a small tree: for each line the space, or paying, or not. It is searched to
the end; each end is worth the points booked, less the penalties, plus the value of what is left
over: what the evaluator makes of the board (in round 5 the goals).

Chips that count for the same lines still ahead are interchangeable, so one of them is tried.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sintra.components import CHIP_FACES, CHIP_SHOWS, COLORS, GRID, LINES, NOTHING, ROUNDS, SPECIAL
from sintra.features.board import FEATURES
from sintra.players.thinking.evaluator import Evaluator, Parameters, value_of_tiled
from sintra.rules import choices
from sintra.rules.choices import END, extended, pay, spend
from sintra.rules.compiled import at, entry, kernel
from sintra.rules.dealing import count
from sintra.rules.scoring import (
    broken_penalty,
    goals_sum,
    placement_points,
    special_points,
    special_to_fill,
    start_penalty,
)
from sintra.rules.state import STATE, Array, State, States
from sintra.rules.tiling import (
    chips_showing,
    chips_unused,
    has_open_space,
    is_complete,
    is_open,
    is_unplaceable,
    may_pay,
)

MOST_SPENDS: Final = 512
"""Ways to pay for one line that are told apart."""
SKIP: Final = -1

WORK: Final = np.dtype(
    [
        ("spends", np.int8, (LINES, MOST_SPENDS, CHIP_FACES)),
        ("spend_count", np.int64, LINES),
        ("at_spend", np.int64, LINES),
        ("at_col", np.int64, LINES),
        ("has_skip", np.int64, LINES),
        ("special", np.int64, LINES),
        ("points", np.int64, LINES + 1),
        ("tiles_before", np.int64, LINES),
        ("plan_col", np.int64, LINES),
        ("plan_spend", np.int64, LINES),
        ("best_col", np.int64, LINES),
        ("best_chips", np.int8, (LINES, CHIP_FACES)),
        ("features", np.float64, FEATURES),
        ("best_features", np.float64, FEATURES),
        ("best_score", np.int64),
        # how many steps all walks took: what tilings cost, whatever the clock says
        ("steps", np.int64),
    ],
    align=True,
)
"""What one search needs to remember; made once and used again."""


def new_work() -> np.ndarray:
    """Memory for one search at a time."""
    return np.zeros(1, WORK)


@kernel
def relevant_colors(s: State, seat: int, line: int) -> int:
    """A set of the colours that chips may still be wanted for, from this line on."""
    colors = 0
    for ahead in range(line, LINES):
        if s.line_size[seat, ahead] > 0 and (may_pay(s, seat, ahead) or (s.turn == seat and s.pay_line == ahead)):
            colors |= 1 << np.int64(s.line_color[seat, ahead])
    return colors


@kernel
def chip_class(face: int, colors: int) -> int:
    """The colours among these that a chip counts for."""
    shown = 0
    for color in range(COLORS):
        if CHIP_SHOWS[face, color] and (colors >> color) & 1:
            shown |= 1 << color
    return shown


@kernel
def list_spends(s: State, seat: int, line: int, w: State) -> None:
    """R4.4: all ways to pay for a line that differ in what is left for the lines ahead."""
    color = s.line_color[seat, line]
    missing = line + 1 - s.line_size[seat, line] - (s.paid if s.turn == seat and s.pay_line == line else 0)
    showing = chips_showing(s, seat, color)
    others = chips_unused(s, seat) - showing
    colors = relevant_colors(s, seat, line)
    n = 0
    for pairs in range(missing + 1):
        for mixed in range(missing - pairs + 1):
            need_showing = 2 * pairs + mixed
            need_others = 2 * mixed + 3 * (missing - pairs - mixed)
            if need_showing <= showing and need_others <= others:
                n = spend_vectors(s, seat, line, color, colors, need_showing, need_others, w, n)
    w.spend_count[line] = n


@kernel
def spend_vectors(
    s: State, seat: int, line: int, color: int, colors: int, need_showing: int, need_others: int, w: State, n: int
) -> int:
    """Counts through the chips, face by face, like an odometer."""
    taken = np.zeros(CHIP_FACES, np.int64)
    face = 0
    showing = need_showing
    others = need_others
    taken[0] = -1
    while face >= 0:
        shows = CHIP_SHOWS[face, color]
        taken[face] += 1
        if taken[face] > 0:
            if shows:
                showing -= 1
            else:
                others -= 1
        if taken[face] > s.store[seat, face] or showing < 0 or others < 0:
            if shows:
                showing += taken[face]
            else:
                others += taken[face]
            taken[face] = 0
            face -= 1
            continue
        if face < CHIP_FACES - 1:
            face += 1
            taken[face] = -1
            continue
        if showing == 0 and others == 0 and n < MOST_SPENDS and is_canonical(s, seat, taken, colors):
            for k in range(CHIP_FACES):
                w.spends[line, n, k] = taken[k]
            n += 1
    return n


@kernel
def is_canonical(s: State, seat: int, taken: Array, colors: int) -> bool:
    """Of chips that count for the same, the first ones are taken."""
    for face in range(CHIP_FACES):
        if taken[face] == 0:
            continue
        mine = chip_class(face, colors)
        for earlier in range(face):
            if taken[earlier] < s.store[seat, earlier] and chip_class(earlier, colors) == mine:
                return False
    return True


@kernel
def enter_line(s: State, seat: int, line: int, w: State) -> bool:
    """Lists what can be done with a line; False if nothing is to be decided there."""
    if s.line_size[seat, line] == 0 or s.line_placed[seat, line]:
        return False
    begun = s.turn == seat and s.pay_line == line
    complete = is_complete(s, seat, line) or (begun and s.line_size[seat, line] + s.paid == line + 1)
    if complete:
        if not has_open_space(s, seat, line):
            return False
        for face in range(CHIP_FACES):
            w.spends[line, 0, face] = 0
        w.spend_count[line] = 1
        w.has_skip[line] = 0
    else:
        if not begun and not may_pay(s, seat, line):
            return False
        list_spends(s, seat, line, w)
        w.has_skip[line] = 0 if begun else 1
    w.at_spend[line] = 0
    w.at_col[line] = NOTHING
    w.special[line] = NOTHING
    return True


@kernel
def undo(s: State, seat: int, line: int, w: State) -> None:
    """Takes back what was tried with a line."""
    col = w.plan_col[line]
    if col == SKIP:
        return
    s.dome[seat, line, col] = NOTHING
    s.line_size[seat, line] = w.tiles_before[line]
    if w.special[line] != NOTHING:
        s.dome[seat, w.special[line] // GRID, w.special[line] % GRID] = NOTHING
        w.special[line] = NOTHING
    for face in range(CHIP_FACES):
        s.store[seat, face] += w.spends[line, w.plan_spend[line], face]
    w.plan_col[line] = SKIP


@kernel
def try_place(s: State, seat: int, line: int, col: int, spend: int, w: State) -> int:
    """Places a line's tile, pays for it, and returns the points."""
    s.dome[seat, line, col] = s.line_color[seat, line]
    points = placement_points(s.dome[seat], line, col)
    special = special_to_fill(s.space[seat], s.dome[seat], line, col)
    w.special[line] = special
    if special != NOTHING:
        s.dome[seat, special // GRID, special % GRID] = SPECIAL
        points += special_points(special)
    w.tiles_before[line] = s.line_size[seat, line]
    s.line_size[seat, line] = 0
    for face in range(CHIP_FACES):
        s.store[seat, face] -= w.spends[line, spend, face]
    w.plan_col[line] = col
    w.plan_spend[line] = spend
    return points


@kernel
def value_of_end(s: State, seat: int, points: int, penalty: int, evaluator: Parameters, w: State) -> float:
    """What the board is worth at the end of the walk: the score, and what is left over or the goals."""
    score = max(0, s.score[seat] + points - penalty)
    if s.round_no == ROUNDS:
        return float(max(0, score + goals_sum(s, seat)))
    return value_of_tiled(evaluator, s, seat, score, w.features)


@kernel
def best_tiling(s: State, seat: int, evaluator: Parameters, w: State) -> float:
    """Searches all ways through the walk of a seat from `s.walk` on, and returns the best value.
    `s` is used as a slate: it comes back as it was, but for lines that break, which are empty."""
    walk = s.walk if s.turn == seat else 0
    broken = count(s.broken[seat])
    for line in range(walk, LINES):
        if is_unplaceable(s, seat, line):
            broken += s.line_size[seat, line]
            s.line_size[seat, line] = 0
    for line in range(LINES):
        w.plan_col[line] = SKIP
        w.best_col[line] = SKIP
        if s.line_placed[seat, line]:
            s.line_size[seat, line] = 0
    penalty = broken_penalty(broken) + start_penalty(s, seat)
    best = -1e300
    w.points[walk] = 0
    line = walk
    entering = True
    while line >= walk:
        w.steps += 1
        if line == LINES:
            value = value_of_end(s, seat, w.points[LINES], penalty, evaluator, w)
            if value > best:
                best = value
                keep_plan(walk, w)
                w.best_score = max(0, s.score[seat] + w.points[LINES] - penalty)
            line -= 1
            entering = False
            continue
        if entering:
            before = w.points[line] if line > walk else 0
            w.points[line] = before
            if not enter_line(s, seat, line, w):
                w.spend_count[line] = 0
                w.points[line + 1] = before
                line += 1
                continue
            if w.has_skip[line]:
                w.points[line + 1] = before
                line += 1
                continue
        if w.spend_count[line] == 0:
            line -= 1
            entering = False
            continue
        undo(s, seat, line, w)
        col = w.at_col[line] + 1
        color = s.line_color[seat, line]
        while col < GRID and not is_open(s, seat, line, col, color):
            col += 1
        if col == GRID:
            w.at_spend[line] += 1
            w.at_col[line] = NOTHING
            if w.at_spend[line] == w.spend_count[line]:
                line -= 1
            entering = False
            continue
        w.at_col[line] = col
        points = try_place(s, seat, line, col, w.at_spend[line], w)
        w.points[line + 1] = w.points[line] + points
        line += 1
        entering = True
    return best


@kernel
def keep_plan(walk: int, w: State) -> None:
    """Remembers the way just tried."""
    for line in range(walk, LINES):
        w.best_col[line] = w.plan_col[line]
        for face in range(CHIP_FACES):
            w.best_chips[line, face] = w.spends[line, w.plan_spend[line], face] if w.plan_col[line] != SKIP else 0
    for k in range(FEATURES):
        w.best_features[k] = w.features[k]


@kernel
def first_payment(s: State, seat: int, line: int, chips: Array) -> int:
    """The packed path that pays for the first missing tile with some of these chips."""
    color = s.line_color[seat, line]
    showing = 0
    others = 0
    for face in range(CHIP_FACES):
        if CHIP_SHOWS[face, color]:
            showing += chips[face]
        else:
            others += chips[face]
    missing = line + 1 - s.line_size[seat, line] - (s.paid if s.pay_line == line else 0)
    take_showing = 0
    for pairs in range(missing + 1):
        for mixed in range(missing - pairs + 1):
            if 2 * pairs + mixed == showing and 2 * mixed + 3 * (missing - pairs - mixed) == others:
                take_showing = 2 if pairs > 0 else (1 if mixed > 0 else 0)
    take_others = 0 if take_showing == 2 else 3 - take_showing
    path = 0
    step = 0
    if s.pay_line != line:
        path = extended(path, step, pay(line))
        step += 1
    for face in range(CHIP_FACES):
        left = chips[face]
        while left > 0 and (take_showing if CHIP_SHOWS[face, color] else take_others) > 0:
            path = extended(path, step, spend(face))
            step += 1
            left -= 1
            if CHIP_SHOWS[face, color]:
                take_showing -= 1
            else:
                take_others -= 1
    return path


@kernel
def next_tiling_move(s: State, evaluator: Parameters, w: State, slate: State) -> int:
    """The packed path of the next move of the best way; `slate` is a copy of `s` to search on."""
    seat = s.turn
    best_tiling(slate, seat, evaluator, w)
    for line in range(s.walk, LINES):
        if w.best_col[line] == SKIP:
            continue
        for face in range(CHIP_FACES):
            if w.best_chips[line, face] > 0:
                return first_payment(s, seat, line, w.best_chips[line])
        return extended(0, 0, choices.place(line, w.best_col[line]))
    return extended(0, 0, END)


@entry
def solve(states: States, i: int, seat: int, parameters: Array, work: Array) -> float:
    """The value of a seat's best way through phase 2, from where it stands in its walk; the way is
    left in `work`."""
    slate = np.empty(1, STATE)
    slate[0] = states[i]
    return best_tiling(at(slate, 0), seat, at(parameters, 0), at(work, 0))


@entry
def solve_next_move(states: States, i: int, parameters: Array, work: Array) -> int:
    """The packed path of the next move of the best way for the seat that tiles."""
    slate = np.empty(1, STATE)
    slate[0] = states[i]
    return next_tiling_move(at(states, i), at(parameters, 0), at(work, 0), at(slate, 0))


@entry
def stand(states: States, i: int, seat: int, parameters: Array, work: Array) -> float:
    """The value of a seat's board as it stands, when its tiling of the round is done."""
    return value_of_end(at(states, i), seat, 0, 0, at(parameters, 0), at(work, 0))


class Tiler:
    """Solves phase 2 for one player; keeps its memory for the next move."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.work = new_work()

    def next_move(self, states: States) -> int:
        """The packed path of the next move of the best way for the seat that tiles."""
        return int(solve_next_move(states, 0, self.evaluator.parameters, self.work))

    def value(self, states: States, seat: int) -> float:
        """What a seat's board is worth after its best way through phase 2."""
        return float(solve(states, 0, seat, self.evaluator.parameters, self.work))

    def value_when_done(self, states: States, seat: int) -> float:
        """What a seat's board is worth as it stands, when its tiling of the round is done."""
        return float(stand(states, 0, seat, self.evaluator.parameters, self.work))
