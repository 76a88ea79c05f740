"""What scores: placements (R4.5, R5), penalties (R4.6), goals and the winner (R6)."""

from __future__ import annotations

from sintra.components import (
    BROKEN_PENALTIES,
    BROKEN_PLACES,
    COLORS,
    GRID,
    MAX_GOALS,
    NOTHING,
    SPECIAL,
    START_PENALTY,
    WILD,
    Goal,
)
from sintra.rules.compiled import constants, frozen, kernel, np
from sintra.rules.limits import MAX_POINTS
from sintra.rules.memory import zeros
from sintra.rules.rule_options import SPECIAL_IS_COLOR
from sintra.rules.state import ON_FACTORY, Array, Source, State

ROWS = int(Goal.ROWS)
DIFFERENT = int(Goal.COLORS)
COLUMNS = int(Goal.COLUMNS)
EDGE = int(Goal.EDGE)
DIAGONALS = int(Goal.DIAGONALS)
CORNERS = int(Goal.CORNERS)
WILDS = int(Goal.WILDS)
SPECIALS = int(Goal.SPECIALS)
"""The goals as plain numbers, for compiled code."""
PENALTY = constants(BROKEN_PENALTIES, "i8")
"""R4.6: what 0 to 4 broken tiles cost."""
GOALS_SOURCE = int(Source.GOALS)
"""The source of goal points as a plain number."""
WHOLE_PLATE = 0b1111
"""All four spaces of a plate, as a set of bits."""


def _runs() -> Array:
    """For the set of places that hold tiles along a row or column, and a place: the unbroken run through that place,
    itself included; 0 where it is alone."""
    found = zeros((1 << GRID, GRID), "i8")
    for places in range(1 << GRID):
        for place in range(GRID):
            first = last = place
            while first > 0 and places >> (first - 1) & 1:
                first -= 1
            while last < GRID - 1 and places >> (last + 1) & 1:
                last += 1
            found[places, place] = last + 1 - first if last > first else 0
    return found


RUNS = frozen(_runs())
"""The length of the run through each place, for each set of places that hold tiles."""


@kernel
def book(s: State, seat: int, source: int, points: int) -> int:
    """R1.8: adds points, never below 0, and returns what was really booked. No game comes near `MAX_POINTS`, at
    which scores that are made up stop."""
    before = np.int64(s.score[seat])
    after = min(MAX_POINTS, max(0, before + points))
    s.score[seat] = after
    s.tally[seat, source] = min(MAX_POINTS, max(-MAX_POINTS, s.tally[seat, source] + after - before))
    return after - before


@kernel
def tiles_from(dome: Array, row: int, col: int, down: int, across: int) -> int:
    """R5: tiles that follow (row, col) one way without a gap, itself not included: a part of `run_length`, which has a
    loop of its own because a call from there would halve the speed of a search."""
    length = 0
    r = row + down
    c = col + across
    while 0 <= r < GRID and 0 <= c < GRID and dome[r, c] != NOTHING:
        length += 1
        r += down
        c += across
    return length


@kernel
def run_length(dome: Array, row: int, col: int, down: int, across: int) -> int:
    """R5: tiles in the unbroken run through (row, col) along one direction, itself included."""
    length = 1
    for sign in (-1, 1):
        r = row + sign * down
        c = col + sign * across
        while 0 <= r < GRID and 0 <= c < GRID and dome[r, c] != NOTHING:
            length += 1
            r += sign * down
            c += sign * across
    return length


@kernel
def placement_points(dome: Array, row: int, col: int) -> int:
    """R5: what the tile just placed on (row, col) scores."""
    across = run_length(dome, row, col, 0, 1)
    down = run_length(dome, row, col, 1, 0)
    if across == 1 and down == 1:
        return 1
    return (across if across > 1 else 0) + (down if down > 1 else 0)


@kernel
def points_between(across: int, down: int, row: int, col: int) -> int:
    """What `placement_points` says, from the columns of the row and the rows of the column that hold tiles, as sets
    of bits."""
    return max(1, RUNS[across, col] + RUNS[down, row])


@kernel
def special_to_fill(space: Array, dome: Array, row: int, col: int) -> int:
    """R4.5: the special space (row * 6 + column) that the tile on (row, col) sets off, or NOTHING."""
    top = row - row % 2
    left = col - col % 2
    found = NOTHING
    for r in range(top, top + 2):
        for c in range(left, left + 2):
            if space[r, c] == SPECIAL:
                found = r * GRID + c
            elif dome[r, c] == NOTHING:
                return NOTHING
    if found != NOTHING and dome[found // GRID, found % GRID] != NOTHING:
        return NOTHING
    return found


@kernel
def special_of_plate(special: int, held: int) -> int:
    """What `special_to_fill` says, from the sets of a plate's four spaces that are special and that hold tiles: which
    of the four it is, row by row, or NOTHING."""
    if special == 0 or held != WHOLE_PLATE & ~special:
        return NOTHING
    place = 0
    while (special >> place) & 1 == 0:
        place += 1
    return place


@kernel
def special_points(special: int) -> int:
    """R4.5: what the special tile on this space (row * 6 + column) scores, 0 for NOTHING."""
    return special // GRID + 1 if special != NOTHING else 0


@kernel
def broken_penalty(n: int) -> int:
    """R4.6: what n broken tiles cost; those beyond the fourth went to the tower (R3.6)."""
    return PENALTY[min(n, BROKEN_PLACES)]


@kernel
def start_penalty(s: State, seat: int) -> int:
    """R4.6: what holding the start tile costs a seat."""
    return START_PENALTY if s.start_tile == seat else 0


@kernel
def is_full_row(dome: Array, row: int) -> bool:
    """Whether all six spaces of a grid row hold tiles."""
    for col in range(GRID):
        if dome[row, col] == NOTHING:
            return False
    return True


@kernel
def is_full_column(dome: Array, col: int) -> bool:
    """Whether all six spaces of a column hold tiles."""
    for row in range(GRID):
        if dome[row, col] == NOTHING:
            return False
    return True


@kernel
def different_colors(s: State, seat: int, row: int) -> int:
    """R6.1 `colors`: how many colours a row holds; a special tile may count as one more, once."""
    special_is_color = s.options[SPECIAL_IS_COLOR] != 0
    seen = 0
    for col in range(GRID):
        tile = s.dome[seat, row, col]
        if tile != NOTHING and (tile != SPECIAL or special_is_color):
            seen |= 1 << np.int64(tile)
    count = 0
    for color in range(COLORS + 1):
        count += (seen >> color) & 1
    return count


@kernel
def is_full_diagonal(dome: Array, falling: bool) -> bool:
    """Whether a main diagonal is complete; the falling one starts at the top left."""
    for row in range(GRID):
        if dome[row, row if falling else GRID - 1 - row] == NOTHING:
            return False
    return True


@kernel
def is_on_edge(row: int, col: int) -> bool:
    """R6.1 `edge`: whether a space lies at the rim of the dome."""
    return row % (GRID - 1) == 0 or col % (GRID - 1) == 0


@kernel
def is_full_plate(dome: Array, top: int, left: int) -> bool:
    """Whether the four spaces of the slot with this top left space hold tiles."""
    return (
        dome[top, left] != NOTHING
        and dome[top, left + 1] != NOTHING
        and dome[top + 1, left] != NOTHING
        and dome[top + 1, left + 1] != NOTHING
    )


@kernel
def goal_points(s: State, seat: int, goal: int) -> int:
    """R6.1: what one goal is worth to a seat as its dome stands."""
    dome = s.dome[seat]
    space = s.space[seat]
    points = 0
    if goal == ROWS:
        for row in range(GRID):
            points += 3 if is_full_row(dome, row) else 0
    elif goal == DIFFERENT:
        for row in range(GRID):
            points += 4 if different_colors(s, seat, row) >= 5 else 0
    elif goal == COLUMNS:
        for col in range(GRID):
            points += 7 if is_full_column(dome, col) else 0
    elif goal == EDGE:
        for row in range(GRID):
            for col in range(GRID):
                if is_on_edge(row, col) and dome[row, col] != NOTHING:
                    points += 1
    elif goal == DIAGONALS:
        points += 10 if is_full_diagonal(dome, True) else 0
        points += 10 if is_full_diagonal(dome, False) else 0
    elif goal == CORNERS:
        points += 3 if is_full_plate(dome, 0, 0) else 0
        points += 3 if is_full_plate(dome, 0, 4) else 0
        points += 8 if is_full_plate(dome, 4, 0) else 0
        points += 8 if is_full_plate(dome, 4, 4) else 0
    elif goal == WILDS:
        for row in range(GRID):
            for col in range(GRID):
                if space[row, col] == WILD:
                    if dome[row, col] == NOTHING:
                        return 0
                    points += 2
    elif goal == SPECIALS:
        for row in range(GRID):
            for col in range(GRID):
                if space[row, col] == SPECIAL and dome[row, col] == NOTHING:
                    points -= 3
    return points


@kernel
def mark_unit(dome: Array, cells: Array, top: int, left: int, down: int, across: int, size: int) -> int:
    """Marks `size` spaces from (top, left) on, one step down and across each: 1 with a tile, 2 without one.
    Returns how many hold tiles; four spaces with a step of neither are those of a plate."""
    held = 0
    for k in range(size):
        row = top + (k * down if down or across else k // 2)
        col = left + (k * across if down or across else k % 2)
        full = dome[row, col] != NOTHING
        cells[row, col] = 1 if full else 2
        held += 1 if full else 0
    return held


@kernel
def units_of(goal: int) -> int:
    """How many rows, columns, diagonals or plates a goal asks for; 0 if it counts single spaces."""
    if goal == ROWS or goal == DIFFERENT or goal == COLUMNS:
        return GRID
    if goal == DIAGONALS:
        return 2
    return 4 if goal == CORNERS else 0


@kernel
def mark_goal_unit(s: State, seat: int, goal: int, unit: int, cells: Array) -> int:
    """R6.1: marks the spaces of one row, column, diagonal or corner plate, and returns how much of it is there."""
    dome = s.dome[seat]
    if goal == ROWS:
        return mark_unit(dome, cells, unit, 0, 0, 1, GRID)
    if goal == DIFFERENT:
        mark_unit(dome, cells, unit, 0, 0, 1, GRID)
        return min(different_colors(s, seat, unit), COLORS)
    if goal == COLUMNS:
        return mark_unit(dome, cells, 0, unit, 1, 0, GRID)
    if goal == DIAGONALS:
        return mark_unit(dome, cells, 0, (GRID - 1) * unit, 1, 1 - 2 * unit, GRID)
    return mark_unit(dome, cells, 4 * (unit // 2), 4 * (unit % 2), 0, 0, 4)


@kernel
def goal_progress(s: State, seat: int, goal: int, cells: Array) -> tuple[int, int]:
    """R6.1: how far a goal has come for a seat: what is there, and what is asked for.

    Of rows and the like, this is about the one that lacks least, and about a full one when all are.
    The spaces that it is about are marked, and those of full ones: 1 with a tile, 2 without one."""
    dome = s.dome[seat]
    space = s.space[seat]
    trial = np.empty((GRID, GRID), np.int8)
    whole = COLORS if goal == DIFFERENT else 4 if goal == CORNERS else GRID
    cells[:] = 0
    units = units_of(goal)
    if units:
        best = NOTHING
        most = NOTHING
        for unit in range(units):
            held = mark_goal_unit(s, seat, goal, unit, trial)
            if held == whole:
                mark_goal_unit(s, seat, goal, unit, cells)
            elif held > most:
                most = held
                best = unit
        if best == NOTHING:
            return whole, whole
        mark_goal_unit(s, seat, goal, best, cells)
        return most, whole
    counted = WILD if goal == WILDS else SPECIAL
    held = 0
    asked = 0
    for row in range(GRID):
        for col in range(GRID):
            if is_on_edge(row, col) if goal == EDGE else space[row, col] == counted:
                full = dome[row, col] != NOTHING
                cells[row, col] = 1 if full else 2
                asked += 1
                held += 1 if full else 0
    return held, asked


@kernel
def goals_sum(s: State, seat: int) -> int:
    """R6.2: the sum of all goals in play."""
    points = 0
    for k in range(MAX_GOALS):
        if s.goals[k] != NOTHING:
            points += goal_points(s, seat, s.goals[k])
    return points


@kernel
def score_goals(s: State) -> None:
    """R6.1, R6.2: books the goals of both seats."""
    for seat in range(2):
        book(s, seat, GOALS_SOURCE, goals_sum(s, seat))


@kernel
def winner_with(s: State, first: float, second: float) -> int:
    """R6.3: who wins with these final scores of seat 0 and seat 1: more points, and on a tie the
    holder of the start tile, else who started the round."""
    if first != second:
        return 0 if first > second else 1
    return s.start_tile if s.start_tile != ON_FACTORY else s.first


@kernel
def winner(s: State) -> int:
    """R6.3: the winner of a finished game."""
    return winner_with(s, s.score[0], s.score[1])
