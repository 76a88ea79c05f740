"""The exact best way through phase 2 for one seat (R4): placements, and chips spent.

No choice of one seat affects the other, and a line's open spaces do not depend on the other
lines, so the walk is a small tree: for each line the space, or paying, or not. It is searched to
the end; each end is worth the points booked, less the penalties, plus the value of what is left
over: what the evaluator makes of the board (in round 5 the goals).

Chips that count for the same lines still ahead are interchangeable, so one of them is tried; and of the ways to pay
for a line that leave the same for those after it, the first one.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from sintra.components import CHIP_COUNTS_FOR, CHIP_FACES, COLORS, GRID, LINES, NOTHING, ROUNDS, SPECIAL
from sintra.features.board import BOARD_FIELDS, FEATURES, look_at, on_plate
from sintra.players.thinking.evaluator import (
    HIDDEN,
    Evaluator,
    Parameters,
    ParametersArray,
    value_of_hidden,
    value_of_tiled,
)
from sintra.rules import choices
from sintra.rules.array_types import Elements
from sintra.rules.choices import END, extended, pay, spend
from sintra.rules.compiled import at, constants, entry, keep, kernel, layout, np
from sintra.rules.dealing import count
from sintra.rules.drafting import row_slots_are_full
from sintra.rules.memory import zeros
from sintra.rules.piece_tables import CHIP_SHOWS
from sintra.rules.scoring import (
    broken_penalty,
    goals_sum,
    points_between,
    special_of_plate,
    special_points,
    start_penalty,
)
from sintra.rules.state import STATE, State, States
from sintra.rules.tiling import can_pay

MAX_SPENDS: Final = 512
"""Ways to pay for one line that are told apart."""
MAX_STEPS: Final = 200_000
"""Steps after which a walk stops with the best way so far. Tilings of games take a few thousand, but a position
that is made up can hold ten chips and six lines that take millions."""
SKIP: Final = -1
NOT_LISTED: Final = -1
DECIDED: Final = 0
COMPLETE: Final = 1
INCOMPLETE: Final = 2
BEGUN: Final = 3
"""What can be done with a line: nothing; its tile is placed; it may be paid for and placed; it must be."""
FACE_BITS: Final = 4
"""Chips in one number: so many bits for each face."""
ONE_FACE: Final = (1 << FACE_BITS) - 1
KIND_BITS: Final = 5
"""Chips of a kind in one number: so many bits for each."""
TALLY_BITS: Final = 8
"""Chips by what they show in one number: so many bits for each colour, and above them for all chips."""
ONE_TALLY: Final = (1 << TALLY_BITS) - 1
ALL_CHIPS: Final = TALLY_BITS * COLORS
FACE_COLORS: Final = constants(
    [sum(1 << color for color in range(COLORS) if shows[color]) for shows in CHIP_COUNTS_FOR], "i8"
)
"""Chip face -> the set of colours that it counts for."""
FACE_TALLIES: Final = constants(
    [
        sum(1 << TALLY_BITS * color for color in range(COLORS) if shows[color]) + (1 << ALL_CHIPS)
        for shows in CHIP_COUNTS_FOR
    ],
    "i8",
)
"""Chip face -> one such chip by what it shows."""

WORK: Final = layout(
    [
        # the board that tiles are tried on, and its chips by face and by what they show
        *BOARD_FIELDS,
        ("chips", "i8"),
        ("tally", "i8"),
        # line by line: what can be done, on which columns, and how many tiles are missing
        ("kind", "i8", LINES),
        ("open", "i8", LINES),
        ("missing", "i8", LINES),
        # line by line: the ways to pay, for which chips they were listed, and what each leaves
        ("spends", "i8", (LINES, MAX_SPENDS)),
        ("tallies", "i8", (LINES, MAX_SPENDS)),
        ("spend_count", "i8", LINES),
        ("listed_for", "i8", LINES),
        # the faces that are held while ways to pay are listed: which, how many, an earlier one that counts for the
        # same, the first one that does so for the lines after this one, how many are taken, what is still to be taken,
        # and what this face and those after it can give; and what each way listed spends of each kind
        ("face", "i8", CHIP_FACES),
        ("held", "i8", CHIP_FACES),
        ("alike", "i8", CHIP_FACES),
        ("stands_for", "i8", CHIP_FACES),
        ("taken", "i8", CHIP_FACES),
        ("wants_showing", "i8", CHIP_FACES),
        ("wants_others", "i8", CHIP_FACES),
        ("showing_ahead", "i8", CHIP_FACES + 1),
        ("others_ahead", "i8", CHIP_FACES + 1),
        ("spent", "i8", MAX_SPENDS),
        # where the walk stands
        ("at_spend", "i8", LINES),
        ("at_col", "i8", LINES),
        ("special_at", "i8", LINES),
        ("ways", "i8", LINES),
        ("shown_before", "i8", LINES),
        ("shown_beside", "i8", LINES),
        ("tiles_before", "i8", LINES),
        ("points", "i8", LINES + 1),
        ("plan_col", "i8", LINES),
        ("best_col", "i8", LINES),
        ("best_chips", "i8", LINES),
        ("features", "f8", FEATURES),
        ("best_features", "f8", FEATURES),
        ("hidden", "f4", HIDDEN),
        ("best_score", "i8"),
        # how many steps all walks took: what tilings cost, whatever the clock says
        ("steps", "i8"),
    ]
)
"""What one search needs to remember; made once and used again."""
WorkArray: TypeAlias = Annotated[Any, Elements(WORK)]
"""An array with what one search needs."""


def new_work() -> WorkArray:
    """Memory for one search at a time."""
    return zeros(1, WORK)


@kernel
def look_at_lines(s: State, seat: int, walk: int, w: State) -> int:
    """Writes down the board, its chips, and what can be done with each line from `walk` on. Lines without a place
    break (R4.3); returns how many tiles they have."""
    look_at(s, seat, w)
    w.chips = 0
    w.tally = 0
    for face in range(CHIP_FACES):
        n = int(s.store[seat, face])
        w.chips |= n << (FACE_BITS * face)
        w.tally += n * FACE_TALLIES[face]
    broken = 0
    for line in range(LINES):
        w.plan_col[line] = SKIP
        w.best_col[line] = SKIP
        w.kind[line] = DECIDED
        w.listed_for[line] = NOT_LISTED
        size = w.sizes[line]
        if s.line_placed[seat, line]:
            w.sizes[line] = 0
            continue
        if size == 0 or line < walk:
            continue
        w.open[line] = w.fitting[line] & ~w.rows[line]
        if w.open[line] == 0:
            if row_slots_are_full(s, seat, line):
                broken += size
                w.sizes[line] = 0
            continue
        begun = s.turn == seat and s.pay_line == line
        w.missing[line] = line + 1 - size - (s.paid if begun else 0)
        w.kind[line] = COMPLETE if w.missing[line] == 0 else BEGUN if begun else INCOMPLETE
    return broken


@kernel
def showing_of(tally: int, color: int) -> int:
    """How many of these chips show a colour."""
    return (tally >> (TALLY_BITS * color)) & ONE_TALLY


@kernel
def may_pay_now(s: State, seat: int, line: int, w: State) -> bool:
    """R4.4: whether the chips left complete a line that is incomplete and has an open space."""
    showing = showing_of(w.tally, s.line_color[seat, line])
    return can_pay(showing, (w.tally >> ALL_CHIPS) - showing, w.missing[line])


@kernel
def relevant_colors(s: State, seat: int, line: int, w: State) -> int:
    """A set of the colours that chips may still be wanted for, from this line on."""
    colors = 0
    for ahead in range(line, LINES):
        if w.kind[ahead] == BEGUN or (w.kind[ahead] == INCOMPLETE and may_pay_now(s, seat, ahead, w)):
            colors |= 1 << int(s.line_color[seat, ahead])
    return colors


@kernel
def list_spends(s: State, seat: int, line: int, w: State) -> None:
    """R4.4: all ways to pay for a line that differ in what is left for the lines after it. What is possible there
    depends on the chips alone, so the list of the same chips is still good."""
    if w.listed_for[line] == w.chips:
        return
    w.listed_for[line] = w.chips
    color = int(s.line_color[seat, line])
    faces = list_faces(color, relevant_colors(s, seat, line + 1, w), w)
    missing = w.missing[line]
    n = 0
    for pairs in range(missing + 1):
        for mixed in range(missing - pairs + 1):
            need_showing = 2 * pairs + mixed
            need_others = 2 * mixed + 3 * (missing - pairs - mixed)
            if need_showing <= w.showing_ahead[0] and need_others <= w.others_ahead[0]:
                n = spend_vectors(line, color, faces, need_showing, need_others, w, n)
    w.spend_count[line] = n


@kernel
def list_faces(color: int, colors: int, w: State) -> int:
    """The faces among the chips left, for payments of a colour while these colours are wanted later; returns how
    many."""
    faces = 0
    for face in range(CHIP_FACES):
        n = (w.chips >> (FACE_BITS * face)) & ONE_FACE
        if n > 0:
            w.face[faces] = face
            w.held[faces] = n
            w.alike[faces] = NOTHING
            w.stands_for[faces] = face
            for k in range(faces - 1, -1, -1):
                differ = FACE_COLORS[w.face[k]] ^ FACE_COLORS[face]
                if differ & colors == 0:
                    w.stands_for[faces] = w.face[k]
                    if w.alike[faces] == NOTHING and (differ >> color) & 1 == 0:
                        w.alike[faces] = k
            faces += 1
    w.showing_ahead[faces] = 0
    w.others_ahead[faces] = 0
    for k in range(faces - 1, -1, -1):
        shows = (FACE_COLORS[w.face[k]] >> color) & 1
        w.showing_ahead[k] = w.showing_ahead[k + 1] + (w.held[k] if shows else 0)
        w.others_ahead[k] = w.others_ahead[k + 1] + (0 if shows else w.held[k])
    return faces


@kernel
def spend_vectors(line: int, color: int, faces: int, need_showing: int, need_others: int, w: State, n: int) -> int:
    """Counts through the chips, face by face, like an odometer. Of chips that count for the same, the first ones
    are taken."""
    w.wants_showing[0] = need_showing
    w.wants_others[0] = need_others
    w.taken[0] = -1
    k = 0 if faces > 0 else -1
    while k >= 0:
        w.taken[k] += 1
        taken = w.taken[k]
        showing = w.wants_showing[k]
        others = w.wants_others[k]
        if (FACE_COLORS[w.face[k]] >> color) & 1:
            showing -= taken
        else:
            others -= taken
        alike = w.alike[k]
        if (
            taken > w.held[k]
            or showing < 0
            or others < 0
            or (taken > 0 and alike != NOTHING and w.taken[alike] < w.held[alike])
        ):
            k -= 1
        elif k + 1 < faces:
            if showing <= w.showing_ahead[k + 1] and others <= w.others_ahead[k + 1]:
                k += 1
                w.wants_showing[k] = showing
                w.wants_others[k] = others
                w.taken[k] = -1
        elif showing == 0 and others == 0 and n < MAX_SPENDS:
            n = list_taken(line, faces, w, n)
    return n


@kernel
def list_taken(line: int, faces: int, w: State, n: int) -> int:
    """Lists the chips taken as a way to pay, if none that is listed leaves the same for the lines after it."""
    chips = 0
    tally = 0
    spent = 0
    for k in range(faces):
        chips |= w.taken[k] << (FACE_BITS * w.face[k])
        tally += w.taken[k] * FACE_TALLIES[w.face[k]]
        spent += w.taken[k] << (KIND_BITS * w.stands_for[k])
    for k in range(n):
        if w.spent[k] == spent:
            return n
    w.spends[line, n] = chips
    w.tallies[line, n] = tally
    w.spent[n] = spent
    return n + 1


@kernel
def ways_of_line(s: State, seat: int, line: int, w: State) -> int:
    """How many ways there are to pay for a line, which are listed; a complete one is paid for with nothing."""
    kind = w.kind[line]
    if kind == DECIDED or (kind == INCOMPLETE and not may_pay_now(s, seat, line, w)):
        return 0
    if kind == COMPLETE:
        w.spends[line, 0] = 0
        w.tallies[line, 0] = 0
        return 1
    list_spends(s, seat, line, w)
    return int(w.spend_count[line])


@kernel
def undo(s: State, seat: int, line: int, w: State) -> None:
    """Takes back what was tried with a line."""
    col = w.plan_col[line]
    if col == SKIP:
        return
    special = w.special_at[line]
    if special != NOTHING:
        lift_tile(s, seat, special // GRID, special % GRID, w)
        w.shown[special // GRID] = w.shown_beside[line]
    lift_tile(s, seat, line, col, w)
    w.shown[line] = w.shown_before[line]
    w.sizes[line] = w.tiles_before[line]
    spend = w.at_spend[line]
    w.chips += w.spends[line, spend]
    w.tally += w.tallies[line, spend]
    w.unused = w.tally >> ALL_CHIPS
    w.plan_col[line] = SKIP


@kernel
def undo_from(s: State, seat: int, walk: int, w: State) -> None:
    """Takes back all that was tried with the lines from `walk` on."""
    for line in range(LINES - 1, walk - 1, -1):
        undo(s, seat, line, w)


@kernel
def lift_tile(s: State, seat: int, row: int, col: int, w: State) -> None:
    """Takes a tile off the dome again."""
    s.dome[seat, row, col] = NOTHING
    w.rows[row] &= ~(1 << col)
    w.columns[col] &= ~(1 << row)


@kernel
def put_tile(s: State, seat: int, row: int, col: int, tile: int, w: State) -> None:
    """Puts a tile on the dome."""
    s.dome[seat, row, col] = tile
    w.rows[row] |= 1 << col
    w.columns[col] |= 1 << row
    w.shown[row] |= 1 << tile


@kernel
def try_place(s: State, seat: int, line: int, col: int, w: State) -> int:
    """Places a line's tile, pays for it, and returns the points."""
    points = points_between(w.rows[line], w.columns[col], line, col)
    w.shown_before[line] = w.shown[line]
    put_tile(s, seat, line, col, s.line_color[seat, line], w)
    w.special_at[line] = NOTHING
    top = line - line % 2
    left = col - col % 2
    special = special_of_plate(on_plate(w.special, top, left), on_plate(w.rows, top, left))
    if special != NOTHING:
        row = top + special // 2
        across = left + special % 2
        w.special_at[line] = row * GRID + across
        w.shown_beside[line] = w.shown[row]
        put_tile(s, seat, row, across, SPECIAL, w)
        points += special_points(row * GRID + across)
    w.tiles_before[line] = w.sizes[line]
    w.sizes[line] = 0
    spend = w.at_spend[line]
    w.chips -= w.spends[line, spend]
    w.tally -= w.tallies[line, spend]
    w.unused = w.tally >> ALL_CHIPS
    w.plan_col[line] = col
    return points


@kernel
def value_of_end(s: State, seat: int, points: int, penalty: int, evaluator: Parameters, w: State) -> float:
    """What the board is worth at the end of the walk: the score, and what is left over or the goals."""
    score = max(0, s.score[seat] + points - penalty)
    if s.round_no == ROUNDS:
        return float(max(0, score + goals_sum(s, seat)))
    return value_of_tiled(evaluator, s, seat, score, w, w.features)


@kernel
def best_tiling(s: State, seat: int, evaluator: Parameters, w: State) -> float:
    """Searches all ways through the walk of a seat from `s.walk` on, up to `MAX_STEPS`, and returns the best value.
    `s` is used as a slate and comes back as it was."""
    walk = s.walk if s.turn == seat else 0
    broken = count(s.broken[seat]) + look_at_lines(s, seat, walk, w)
    penalty = broken_penalty(broken) + start_penalty(s, seat)
    best = -1e300
    w.points[walk] = 0
    line = walk
    entering = True
    last = w.steps + MAX_STEPS
    while line >= walk:
        w.steps += 1
        if w.steps > last:
            undo_from(s, seat, walk, w)
            break
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
            w.points[line + 1] = w.points[line]
            w.ways[line] = ways_of_line(s, seat, line, w)
            w.at_spend[line] = 0
            w.at_col[line] = NOTHING
            if w.kind[line] == DECIDED or w.kind[line] == INCOMPLETE:
                line += 1
                continue
        undo(s, seat, line, w)
        if w.at_spend[line] == w.ways[line]:
            line -= 1
            entering = False
            continue
        col = w.at_col[line] + 1
        while col < GRID and (w.open[line] >> col) & 1 == 0:
            col += 1
        w.at_col[line] = col
        if col == GRID:
            w.at_spend[line] += 1
            w.at_col[line] = NOTHING
            entering = False
            continue
        w.points[line + 1] = w.points[line] + try_place(s, seat, line, col, w)
        line += 1
        entering = True
    if s.round_no < ROUNDS:
        best += value_of_hidden(evaluator, s, w.best_score, w.best_features, w.hidden)
    return best


@kernel
def keep_plan(walk: int, w: State) -> None:
    """Remembers the way just tried."""
    for line in range(walk, LINES):
        w.best_col[line] = w.plan_col[line]
        w.best_chips[line] = w.spends[line, w.at_spend[line]] if w.plan_col[line] != SKIP else 0
    for k in range(FEATURES):
        w.best_features[k] = w.features[k]


@kernel
def first_payment(s: State, seat: int, line: int, chips: int) -> int:
    """The packed path that pays for the first missing tile with some of these chips."""
    color = s.line_color[seat, line]
    showing = 0
    others = 0
    for face in range(CHIP_FACES):
        n = (chips >> (FACE_BITS * face)) & ONE_FACE
        if CHIP_SHOWS[face, color]:
            showing += n
        else:
            others += n
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
        left = (chips >> (FACE_BITS * face)) & ONE_FACE
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
def next_tiling_move(s: State, evaluator: Parameters, w: State) -> int:
    """The packed path of the next move of the best way; `s` is used as a slate and comes back as it was."""
    seat = s.turn
    best_tiling(s, seat, evaluator, w)
    for line in range(s.walk, LINES):
        if w.best_col[line] == SKIP:
            continue
        if w.best_chips[line] > 0:
            return first_payment(s, seat, line, w.best_chips[line])
        return extended(0, 0, choices.place(line, w.best_col[line]))
    return extended(0, 0, END)


@entry
def solve(states: States, i: int, seat: int, parameters: ParametersArray, work: WorkArray) -> float:
    """The value of a seat's best way through phase 2, from where it stands in its walk; the way is
    left in `work`."""
    slate = np.empty(1, STATE)
    slate[0] = states[i]
    value = best_tiling(at(slate, 0), seat, at(parameters, 0), at(work, 0))
    keep(slate)
    return value


@entry
def solve_next_move(states: States, i: int, parameters: ParametersArray, work: WorkArray) -> int:
    """The packed path of the next move of the best way for the seat that tiles."""
    slate = np.empty(1, STATE)
    slate[0] = states[i]
    path = next_tiling_move(at(slate, 0), at(parameters, 0), at(work, 0))
    keep(slate)
    return path


@entry
def stand(states: States, i: int, seat: int, parameters: ParametersArray, work: WorkArray) -> float:
    """The value of a seat's board as it stands, when its tiling of the round is done."""
    s = at(states, i)
    w = at(work, 0)
    look_at(s, seat, w)
    value = value_of_end(s, seat, 0, 0, at(parameters, 0), w)
    if s.round_no < ROUNDS:
        value += value_of_hidden(at(parameters, 0), s, s.score[seat], w.features, w.hidden)
    return value


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
