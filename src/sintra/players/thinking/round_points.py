"""The most points that a seat's tiling can bring (R4 to R6), whatever chips it leaves.

Points do not depend on which chips pay for which line, only on which lines are paid for together, and that can be
counted. So all there is to search are the places of the tiles: a few ten thousand ways at most, where the exact
tiler, which also prices the chips that are left, may have millions.
"""

from __future__ import annotations

from typing import Final

from sintra.components import CHIP_FACES, CHIPS, COLORS, GRID, LINES, NOTHING, ROUNDS
from sintra.players.thinking.tiler import (
    ALL_CHIPS,
    BEGUN,
    COMPLETE,
    DECIDED,
    FACE_BITS,
    INCOMPLETE,
    ONE_FACE,
    TALLY_BITS,
    look_at_lines,
    showing_of,
    try_place,
    undo,
    undo_from,
)
from sintra.rules.compiled import constants, kernel
from sintra.rules.dealing import count
from sintra.rules.scoring import broken_penalty, goals_sum, start_penalty
from sintra.rules.state import State

UNKNOWN: Final = -1000
"""No score and no change of one is as low."""
CHIP_COLORS: Final = constants([[*map(int, chip.colors), NOTHING][:2] for chip in CHIPS], "i8")
"""Chip face -> its one or two colours."""


@kernel
def most_pairs(chips: int, wanted: int) -> int:
    """R4.4: how many of the missing tiles, `wanted` by colour, two chips each that show their colour can pay for. A
    chip with two colours that are both wanted is tried as either."""
    ways = 1
    for face in range(CHIP_FACES):
        if is_wanted_twice(face, wanted):
            ways *= 1 + ((chips >> (FACE_BITS * face)) & ONE_FACE)
    most = 0
    for way in range(ways):
        rest = way
        showing = 0
        for face in range(CHIP_FACES):
            n = (chips >> (FACE_BITS * face)) & ONE_FACE
            first = CHIP_COLORS[face, 0]
            second = CHIP_COLORS[face, 1]
            to_second = 0
            if is_wanted_twice(face, wanted):
                to_second = rest % (n + 1)
                rest //= n + 1
            elif second != NOTHING and showing_of(wanted, second) > 0:
                to_second = n
            showing += (n - to_second) << (TALLY_BITS * first)
            if to_second > 0:
                showing += to_second << (TALLY_BITS * second)
        pairs = 0
        for color in range(COLORS):
            pairs += min(showing_of(wanted, color), showing_of(showing, color) // 2)
        most = max(most, pairs)
    return most


@kernel
def is_wanted_twice(face: int, wanted: int) -> bool:
    """Whether a chip shows two colours that are both wanted."""
    second = CHIP_COLORS[face, 1]
    return second != NOTHING and showing_of(wanted, CHIP_COLORS[face, 0]) > 0 and showing_of(wanted, second) > 0


@kernel
def can_pay_all(s: State, seat: int, lines: int, w: State) -> bool:
    """R4.4: whether the chips complete all lines of a set. A missing tile costs two chips that show its colour or any
    three (if two of these show it, they do by themselves), so what counts is how many of the cheap ones there are."""
    missing = 0
    wanted = 0
    for line in range(LINES):
        if (lines >> line) & 1:
            missing += w.missing[line]
            wanted += w.missing[line] << (TALLY_BITS * int(s.line_color[seat, line]))
    chips = w.tally >> ALL_CHIPS
    if 3 * missing <= chips:
        return True
    return 2 * missing <= chips and most_pairs(w.chips, wanted) >= 3 * missing - chips


@kernel
def sets_payable(s: State, seat: int, w: State) -> int:
    """The sets of lines that the chips complete together, themselves as a set: bit `lines` stands for one. Line 1 is
    never incomplete, so there are less than 63."""
    to_pay = 0
    for line in range(LINES):
        if w.kind[line] == INCOMPLETE or w.kind[line] == BEGUN:
            to_pay |= 1 << line
    found = 0
    for lines in range(1, to_pay + 1):
        if lines & ~to_pay == 0 and can_pay_all(s, seat, lines, w):
            found |= 1 << lines
    return found


@kernel
def most_points(s: State, seat: int, most_steps: int, w: State) -> int:
    """The highest score that a seat can have at the end of its tiling, in round 5 with its goals, or `UNKNOWN` if that
    takes more steps. `s` is used as a slate and comes back as it was."""
    walk = s.walk if s.turn == seat else 0
    broken = count(s.broken[seat]) + look_at_lines(s, seat, walk, w)
    penalty = broken_penalty(broken) + start_penalty(s, seat)
    payable = sets_payable(s, seat, w)
    for line in range(LINES):
        w.at_spend[line] = 0
        w.spends[line, 0] = 0
        w.tallies[line, 0] = 0
    best = UNKNOWN
    paid = 0
    w.points[walk] = 0
    line = walk
    entering = True
    last = w.steps + most_steps
    while line >= walk:
        w.steps += 1
        if w.steps > last:
            undo_from(s, seat, walk, w)
            return UNKNOWN
        if line == LINES:
            score = max(0, s.score[seat] + w.points[LINES] - penalty)
            if s.round_no == ROUNDS:
                score = max(0, score + goals_sum(s, seat))
            best = max(best, score)
            line -= 1
            entering = False
            continue
        kind = w.kind[line]
        if entering:
            w.points[line + 1] = w.points[line]
            may_place = kind == COMPLETE or (kind != DECIDED and (payable >> (paid | 1 << line)) & 1)
            w.at_col[line] = NOTHING if may_place else GRID
            if kind == DECIDED or kind == INCOMPLETE:
                line += 1
                continue
        undo(s, seat, line, w)
        paid &= (1 << line) - 1
        col = min(w.at_col[line] + 1, GRID)
        while col < GRID and (w.open[line] >> col) & 1 == 0:
            col += 1
        w.at_col[line] = col
        entering = col < GRID
        if entering:
            w.points[line + 1] = w.points[line] + try_place(s, seat, line, col, w)
            paid |= (1 << line) if kind != COMPLETE else 0
            line += 1
        else:
            line -= 1
    return best
