"""The engine's entry points: everything that Python calls, over arrays of states.

Each takes an array of states and an index, `(states, i)`. `legal` and `apply` speak of choices
(see `choices`); `list_moves` and `play` speak of moves of the notation, which are packed paths of
choices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sintra.components import COLORS, LARGE, LINES, NOTHING, SEATS
from sintra.rules.array_types import (
    Bools,
    Bools2D,
    Int8s,
    Int8s2D,
    Int8s3D,
    Int8s4D,
    Int16s,
    Int64s,
    Int64s2D,
    Int64s3D,
)
from sintra.rules.chance import below, seed_generator
from sintra.rules.choices import (
    CHIP,
    CHOICES,
    DRAW,
    END,
    LOOK,
    MAX_CHOICES,
    MAX_MOVES,
    MAX_STEPS,
    MOON,
    PATH_STEP,
    PAY,
    PLACE,
    RETURN,
    SPEND,
    STACK,
    SUN,
    TURNED,
    color_of,
    destination_of,
    extended,
    factory_of,
    first_of,
    line_and_column,
    plate_and_slot,
    rest_of,
    said,
)
from sintra.rules.compiled import at, entry, frozen, keep, kernel, np, rare_entry
from sintra.rules.dealing import (
    clear_table,
    count,
    deal_fault,
    deal_if_asked,
    give_chip_face,
    give_stack_plate,
    give_tiles,
    lay_out,
    new_game,
)
from sintra.rules.drafting import (
    draw_cost,
    draw_plate,
    go_on_stacking,
    hold_plate,
    list_drawing,
    list_keeping,
    list_opening,
    list_returning,
    list_stacking,
    list_turn,
    list_turning,
    look_at_drawn,
    return_plate,
    stack_tile,
    take_chip,
    take_from_moon,
    take_from_sun,
    turn_plate,
)
from sintra.rules.effects import EffectsOfMany, note_broken_lines, note_take
from sintra.rules.knowledge import copy_vector, write_view
from sintra.rules.memory import numbers, zeros
from sintra.rules.outlook import last_chance, open_columns, plates_not_laid
from sintra.rules.sampling import sample_view
from sintra.rules.scoring import goal_points, goal_progress, tiles_from, winner, winner_with
from sintra.rules.soundness import NO_MOVE, PARTS, fault_at, fault_of
from sintra.rules.state import (
    DEALING,
    DRAWING,
    KEEPING,
    OPENING,
    OVER,
    PAYING,
    RETURNING,
    STACKING,
    STATE,
    TILING,
    TURN,
    TURNING,
    Array,
    State,
    States,
    blank_states,
)
from sintra.rules.tiling import (
    begin_payment,
    break_tiles_of,
    completes_payment,
    end_tiling,
    list_paying,
    list_tiling,
    place_tile,
    spend_chip,
)


@kernel
def legal_of(s: State, out: Array) -> int:
    """Writes the legal choices and returns how many there are (none when dealing or over)."""
    stage = s.stage
    if stage == TURN:
        return list_turn(s, out)
    if stage == TILING:
        return list_tiling(s, out)
    if stage == STACKING:
        return list_stacking(s, out)
    if stage == TURNING:
        return list_turning(out)
    if stage == OPENING:
        return list_opening(s, out)
    if stage == DRAWING:
        return list_drawing(s, out)
    if stage == KEEPING:
        return list_keeping(s, out)
    if stage == RETURNING:
        return list_returning(s, out)
    if stage == PAYING:
        return list_paying(s, out)
    return 0


@kernel
def mark_legal(s: State, legal: Array, mask: Array) -> int:
    """Marks the legal choices in a mask and returns how many there are; `legal` has room for their list."""
    mask[:] = 0
    n = legal_of(s, legal)
    for k in range(n):
        mask[legal[k]] = 1
    return n


@kernel
def apply_to(s: State, choice: int) -> None:
    """Makes a legal choice, in place; unchecked."""
    if choice < TURNED:
        plate, slot = plate_and_slot(choice)
        hold_plate(s, plate, slot)
    elif choice < DRAW:
        turn_plate(s, said(choice, TURNED))
    elif choice == DRAW:
        draw_plate(s)
    elif choice == LOOK:
        look_at_drawn(s)
    elif choice < SUN:
        return_plate(s, said(choice, RETURN))
    elif choice < MOON:
        take_from_sun(s, factory_of(choice), color_of(choice), destination_of(choice))
    elif choice < STACK:
        take_from_moon(s, color_of(choice), destination_of(choice))
    elif choice < CHIP:
        stack_tile(s, s.stacking, said(choice, STACK))
        go_on_stacking(s)
    elif choice < PAY:
        take_chip(s, said(choice, CHIP))
    elif choice < SPEND:
        begin_payment(s, said(choice, PAY))
    elif choice < PLACE:
        spend_chip(s, said(choice, SPEND))
    elif choice < END:
        line, column = line_and_column(choice)
        place_tile(s, line, column)
    else:
        end_tiling(s)


@kernel
def try_out(slates: States, i: int, choice: int) -> None:
    """Makes slates[i + 1] what slates[i] becomes by a choice."""
    slates[i + 1] = slates[i]
    apply_to(at(slates, i + 1), choice)


@kernel
def is_last(s: State, choice: int) -> bool:
    """Whether a choice completes a move of the notation."""
    if choice < TURNED:
        return False
    if choice < SUN:
        return True
    if choice < MOON:
        f = factory_of(choice)
        return f == LARGE or colors_left(s, f, color_of(choice), 0) <= 1
    if choice < STACK:
        return True
    if choice < CHIP:
        return colors_left(s, s.stacking, said(choice, STACK), 1) <= 1
    if choice < PAY:
        return True
    if choice < SPEND:
        return False
    if choice < PLACE:
        return completes_payment(s, said(choice, SPEND))
    return True


@kernel
def colors_left(s: State, f: int, color: int, only: int) -> int:
    """How many colours a sun side has left when `only` tiles of a colour go, or (0) all of them."""
    n = 0
    for other in range(COLORS):
        size = s.sun[f, other]
        if other == color:
            size = size - only if only else 0
        n += 1 if size > 0 else 0
    return n


@kernel
def list_moves_of(scratch: States, out: Array) -> int:
    """Writes the legal moves of scratch[0] as packed paths; scratch has room for MAX_STEPS states."""
    legal = np.empty((MAX_STEPS, MAX_CHOICES), np.int16)
    size = np.zeros(MAX_STEPS, np.int64)
    tried = np.zeros(MAX_STEPS, np.int64)
    path = np.zeros(MAX_STEPS, np.int64)
    size[0] = legal_of(at(scratch, 0), legal[0])
    n = 0
    depth = 0
    while depth >= 0:
        if tried[depth] == size[depth]:
            depth -= 1
            continue
        choice = np.int64(legal[depth, tried[depth]])
        tried[depth] += 1
        before = path[depth - 1] if depth > 0 else 0
        path[depth] = extended(before, depth, choice)
        if is_last(at(scratch, depth), choice):
            out[n] = path[depth]
            n += 1
        else:
            depth += 1
            scratch[depth] = scratch[depth - 1]
            apply_to(at(scratch, depth), choice)
            size[depth] = legal_of(at(scratch, depth), legal[depth])
            tried[depth] = 0
    return n


@kernel
def play_path(s: State, path: int) -> None:
    """Makes a legal move, given as a packed path; unchecked."""
    while path:
        apply_to(s, first_of(path))
        path = rest_of(path)


@kernel
def illegal_step(s: State, path: int, legal: Array) -> int:
    """Makes a move as far as it is legal. Returns the first step that is not (from 1), 0 if the
    move was made, or -1 if it is unfinished."""
    step = 1
    last = False
    while path:
        choice = first_of(path)
        path = rest_of(path)
        n = legal_of(s, legal)
        found = False
        for k in range(n):
            if legal[k] == choice:
                found = True
        if not found or last:
            return step
        last = is_last(s, choice)
        apply_to(s, choice)
        step += 1
    return 0 if last else -1


_BLANK: Final = frozen(blank_states())
"""A blank state, with which others are cleared."""


@kernel
def wipe(states: States, i: int) -> None:
    """Clears a state, except for the rules it is played by and whether it deals itself."""
    s = at(states, i)
    goals, options, rng = s.goals.copy(), s.options.copy(), s.rng.copy()
    itself = s.deals_itself
    states[i] = _BLANK[0]
    s.deals_itself = itself
    copy_vector(s.goals, goals)
    copy_vector(s.options, options)
    copy_vector(s.rng, rng)


@rare_entry
def new(states: States, i: int, seed: int, how_many_goals: int) -> None:
    """R2: a new game from a seed, by the rules that stand in the state; `how_many_goals` are drawn
    at random, with 0 the goals must be set already."""
    wipe(states, i)
    new_game(at(states, i), seed, how_many_goals)


@rare_entry
def set_up(states: States, i: int, first: int, plates: Int8s, chips: Int8s) -> None:
    """R2: a new game with a given order of plates and chips; the goals must be set already."""
    wipe(states, i)
    s = at(states, i)
    clear_table(s)
    lay_out(s, first, plates, chips)


@rare_entry
def deal(states: States, i: int, tiles: Int8s2D, checked: bool) -> int:
    """R2.3, R7.3: gives the tiles of the round from outside. Checked, an impossible deal changes
    nothing and returns the first impossible factory (in the order of filling), else NOTHING."""
    s = at(states, i)
    if checked:
        fault = deal_fault(s, tiles)
        if fault != NOTHING:
            return fault
    give_tiles(s, tiles)
    return NOTHING


@rare_entry
def give_chip(states: States, i: int, factory: int, face: int) -> bool:
    """Chance from outside: which chip lies face down on a small factory; False if it cannot."""
    return give_chip_face(at(states, i), factory, face)


@rare_entry
def give_plate(states: States, i: int, depth: int, plate: int) -> bool:
    """Chance from outside: which plate lies at a depth of the stack, 0 for the top; False if an
    observer knows that it does not."""
    return give_stack_plate(at(states, i), depth, plate)


@rare_entry
def reseed(states: States, i: int, seed: int) -> None:
    """Starts the state's generator anew; from now on the state deals itself, at once if it waits."""
    s = at(states, i)
    s.deals_itself = 1
    seed_generator(s, seed)
    deal_if_asked(s)


@entry
def legal(states: States, i: int, out: Int16s) -> int:
    """Writes the legal choices into `out` (int16, MAX_CHOICES long); returns how many."""
    return legal_of(at(states, i), out)


@entry
def legal_mask(states: States, i: int, mask: Bools) -> int:
    """Marks the legal choices in `mask` (bool, CHOICES long); returns how many there are."""
    return mark_legal(at(states, i), np.empty(MAX_CHOICES, np.int16), mask)


@entry
def apply(states: States, i: int, choice: int) -> bool:
    """Makes a choice in place; an illegal one changes nothing and returns False."""
    s = at(states, i)
    out = np.empty(MAX_CHOICES, np.int16)
    for k in range(legal_of(s, out)):
        if out[k] == choice:
            apply_to(s, choice)
            return True
    return False


@entry
def legal_batch(states: States, masks: Bools2D) -> None:
    """The masks of legal choices (bool, n by CHOICES) of a whole array."""
    out = np.empty(MAX_CHOICES, np.int16)
    for i in range(len(states)):
        mark_legal(at(states, i), out, masks[i])


@entry
def apply_batch(states: States, chosen: Int64s) -> int:
    """Makes one choice in every state that is not over; returns the index of the first illegal
    choice, before which all were made, or NOTHING."""
    out = np.empty(MAX_CHOICES, np.int16)
    for i in range(len(states)):
        s = at(states, i)
        if s.stage == OVER or s.stage == DEALING:
            continue
        found = False
        for k in range(legal_of(s, out)):
            if out[k] == chosen[i]:
                found = True
        if not found:
            return i
        apply_to(s, chosen[i])
    return NOTHING


@entry
def list_moves(states: States, i: int, out: Int64s) -> int:
    """Writes the legal moves as packed paths into `out` (int64, MAX_MOVES long); returns how many."""
    scratch = np.empty(MAX_STEPS, STATE)
    scratch[0] = states[i]
    return list_moves_of(scratch, out)


@entry
def play(states: States, i: int, path: int) -> int:
    """Makes a move, given as a packed path. Returns 0; or, changing nothing, the first illegal
    step (from 1), or -1 for a move that is unfinished."""
    scratch = np.empty(1, STATE)
    scratch[0] = states[i]
    legal = np.empty(MAX_CHOICES, np.int16)
    fault = illegal_step(at(scratch, 0), path, legal)
    if fault == 0:
        states[i] = scratch[0]
    keep(scratch)
    return fault


_PORTION: Final = 5000
"""How many positions of a perft are counted between two chances to interrupt it."""


@entry
def count_on(
    at_level: Int64s, levels: States, moves: Int64s2D, size: Int64s, tried: Int64s, deals: Int8s3D, rounds: int
) -> int:
    """Counts a portion of a perft and returns how much was counted. The arrays hold the way down to
    where it stands and have one place for each level; `at_level[0]` is the level, below 0 at the end."""
    scratch = np.empty(MAX_STEPS, STATE)
    depth = len(levels)
    level = at_level[0]
    fresh = size[level] < 0
    total = 0
    listed = 0
    while level >= 0 and listed < _PORTION:
        if fresh:
            s = at(levels, level)
            if s.stage == DEALING and s.round_no <= rounds:
                give_tiles(s, deals[s.round_no - 1])
            scratch[0] = levels[level]
            size[level] = list_moves_of(scratch, moves[level])
            tried[level] = 0
            listed += 1
            fresh = False
            if size[level] == 0:
                total += 1
            elif level == depth - 1:
                total += size[level]
                tried[level] = size[level]
        if tried[level] == size[level]:
            level -= 1
            continue
        levels[level + 1] = levels[level]
        play_path(at(levels, level + 1), moves[level, tried[level]])
        tried[level] += 1
        level += 1
        size[level] = -1
        fresh = True
    at_level[0] = level
    return total


def perft(
    states: States,
    i: int,
    depth: int,
    deals: Array,
    rounds: int,
    on_share: Callable[[float], None] | None = None,
) -> int:
    """Counts the sequences of `depth` moves. At a round's end `deals[round - 1]` is dealt if
    `rounds` covers it, otherwise the branch ends and counts as one. Between portions a Ctrl-C is
    heard, and `on_share` is told the share that is done."""
    if depth == 0:
        return 1
    levels = blank_states(depth)
    moves = zeros((depth, MAX_MOVES), "i8")
    size = numbers([-1] * depth, "i8")
    tried = zeros(depth, "i8")
    level = zeros(1, "i8")
    levels[0] = states[i]
    levels["deals_itself"][0] = 0
    total = 0
    while level[0] >= 0:
        total += int(count_on(level, levels, moves, size, tried, deals, rounds))
        if on_share is not None:
            on_share(_share_done(size[: level[0] + 1], tried))
    return total


def _share_done(size: Array, tried: Array) -> float:
    """About how much of a walk is done: the branches of a position are taken to be of one size."""
    share, part = 0.0, 1.0
    for n, done in zip(size.tolist(), tried.tolist(), strict=False):
        if n <= 0:
            break
        part /= n
        share += part * max(done - 1, 0)
    return share if len(size) else 1.0


@entry
def play_random(states: States, i: int, most: int, counts: Int64s) -> int:
    """Makes uniformly random choices with the state's own generator until the game is over or
    `most` are made; returns how many. `counts[0]` grows by the moves of the notation among them."""
    s = at(states, i)
    out = np.empty(MAX_CHOICES, np.int16)
    made = 0
    while made < most:
        if s.deals_itself:
            deal_if_asked(s)
        n = legal_of(s, out)
        if n == 0:
            break
        choice = np.int64(out[below(s, n)])
        counts[0] += 1 if is_last(s, choice) else 0
        apply_to(s, choice)
        made += 1
    return made


@entry
def view(states: States, i: int, observer: int, views: States, j: int) -> None:
    """R8: writes what a seat (or the spectator) may know into views[j]."""
    write_view(at(states, i), observer, at(views, j))


@entry
def sample(views: States, j: int, observer: int, seed: int, states: States, i: int) -> bool:
    """R8: a random complete state that fits a view, into states[i]."""
    states[i] = views[j]
    return sample_view(at(views, j), observer, seed, at(states, i))


@rare_entry
def fault(states: States, i: int) -> int:
    """What keeps a complete state between two moves from being played on, 0 if nothing does: a fault
    and where it was found (see `soundness`). Its fields must be within their limits."""
    s = at(states, i)
    found = fault_of(s)
    if found or s.stage == OVER or s.stage == DEALING:
        return found
    out = np.empty(MAX_CHOICES, np.int16)
    return 0 if legal_of(s, out) > 0 else fault_at(NO_MOVE, PARTS * np.int64(s.turn))


@rare_entry
def points_of_goals(states: States, i: int, out: Int64s2D) -> None:
    """R6.1: what each goal in play is worth to each seat as the domes stand (seat, goal)."""
    s = at(states, i)
    for seat in range(2):
        for k in range(out.shape[1]):
            out[seat, k] = goal_points(s, seat, s.goals[k]) if s.goals[k] != NOTHING else 0


@rare_entry
def progress_of_goals(states: States, i: int, out: Int64s3D, cells: Int8s4D) -> None:
    """R6.1: how far each goal in play has come for each seat (seat, goal): what is there, and what is asked for.
    `cells` (seat, goal, row, column) marks the spaces that this is about: 1 with a tile, 2 without one."""
    s = at(states, i)
    for seat in range(2):
        for k in range(out.shape[1]):
            if s.goals[k] != NOTHING:
                out[seat, k, 0], out[seat, k, 1] = goal_progress(s, seat, s.goals[k], cells[seat, k])


@rare_entry
def outlooks(states: States, i: int, columns: Int64s3D, chances: Int64s3D) -> None:
    """R4.1 to R4.3: for each seat, line and colour the columns of the open spaces, as a set of bits; and where there
    are none, the last round in which a plate can bring one, or 0."""
    s = at(states, i)
    plates = plates_not_laid(s)
    for seat in range(SEATS):
        for line in range(LINES):
            for color in range(COLORS):
                columns[seat, line, color] = open_columns(s, seat, line, color)
                chances[seat, line, color] = 0
                if columns[seat, line, color] == 0:
                    chances[seat, line, color] = last_chance(s, seat, line, color, plates)


@rare_entry
def who_won(states: States, i: int) -> int:
    """R6.3: the winner of a finished game."""
    return winner(at(states, i))


@rare_entry
def who_would_win(states: States, i: int, first: int, second: int) -> int:
    """R6.3: the winner if the game ended with these scores of seat 0 and seat 1."""
    return winner_with(at(states, i), first, second)


@rare_entry
def cost_of_draw(states: States, i: int) -> int:
    """R3.1: what a draw costs the player to move."""
    return draw_cost(at(states, i))


@rare_entry
def runs_through(states: States, i: int, seat: int, row: int, col: int) -> tuple[int, int, int, int]:
    """R5: the runs across and down through a space of a seat's dome: how many tiles there are to its left, to its
    right, above and below it without a gap."""
    dome = at(states, i).dome[seat]
    left, right = tiles_from(dome, row, col, 0, -1), tiles_from(dome, row, col, 0, 1)
    above, below = tiles_from(dome, row, col, -1, 0), tiles_from(dome, row, col, 1, 0)
    return left, right, above, below


@rare_entry
def effects_of_take(before: States, after: States, color: int, destination: int, out: EffectsOfMany) -> None:
    """R3.2 to R3.8: what a take did between two states, as EFFECTS, which are 0 before."""
    note_take(at(before, 0), at(after, 0), color, destination, at(out, 0))


@rare_entry
def effects_of_tiling(before: States, after: States, tiled: int, out: EffectsOfMany) -> None:
    """R4.3: which lines broke between two states, as EFFECTS, which are 0 before; not the line `tiled`."""
    note_broken_lines(at(before, 0), at(after, 0), tiled, at(out, 0))


@rare_entry
def break_line(states: States, i: int, seat: int, line: int) -> int:
    """R4.3, R3.6: breaks a line; how many of its tiles find a place among the broken ones."""
    s = at(states, i)
    before = count(s.broken[seat])
    break_tiles_of(s, seat, line)
    return count(s.broken[seat]) - before


assert CHOICES < PATH_STEP
