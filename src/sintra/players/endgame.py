"""Round 5 searched to its end: no plates, and hidden only which chip lies where.

Alpha-beta over choices with chance where a chip is turned up, transpositions, iterative deepening
and a bound on nodes. At the end of the draft both boards are tiled exactly, goals included; since
the domes do not change during the draft, a seat's tiling depends on its lines, broken tiles and
chips alone and is remembered. The answer is exact when a deepening reaches no horizon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sintra.components import (
    CHIP_COPIES,
    CHIP_COUNT,
    CHIP_FACES,
    COLORS,
    FACTORIES,
    LINES,
    NOTHING,
    SMALL_FACTORIES,
)
from sintra.players.policy import opinions
from sintra.players.tiler import LANE, best_tiling, board_key, mix, new_work
from sintra.players.tree import chips_down
from sintra.rules import choices, engine
from sintra.rules.choices import MOST_CHOICES
from sintra.rules.compiled import at, entry, kernel
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.scoring import winner_with
from sintra.rules.state import OVER, STATE, TILING, Array, Stage, State, States, copied

TABLE: Final = 1 << 18
TILINGS: Final = 1 << 16
MOST_PLIES: Final = 64
LEAST_NODES: Final = 200
"""What each step of a move may spend even beyond the bound, so that a move once begun is finished."""
WIN: Final = 15.0
"""Winning counts as much as this many points."""
PORTION: Final = 5000
"""Nodes that are searched in one go; between portions a Ctrl-C is heard."""
FAR: Final = 1e6
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
WHOLE: Final = 100
"""The depth of an answer that met no horizon."""

HEAD: Final = np.dtype(
    [
        ("nodes", np.int64),
        ("limit", np.int64),
        ("horizon", np.int64),
        ("stopped", np.int64),
        ("best", np.int64),
        ("ply", np.int64),
        ("value", np.float64),
    ],
    align=True,
)
FRAME: Final = np.dtype(
    [
        ("alpha", np.float64),
        ("beta", np.float64),
        ("low", np.float64),
        ("high", np.float64),
        ("best", np.float64),
        ("key", np.int64),
        ("depth", np.int64),
        ("pending", np.int64),
        ("turned", np.int64),
        ("at_child", np.int64),
        ("children", np.int64),
        ("chosen", np.int64),
        ("horizon", np.int64),
        ("factory", np.int64),
        ("total", np.int64),
        ("unseen", np.int64, CHIP_FACES),
    ],
    align=True,
)
"""A position on the way down: what a call of a recursive search would hold."""


class Memory:
    """What the search remembers: positions, tilings, and scratch states; used again and again."""

    def __init__(self) -> None:
        self.head = np.zeros(1, HEAD)
        self.keys = np.zeros(TABLE, np.int64)
        self.values = np.zeros(TABLE, np.float64)
        self.marks = np.zeros((TABLE, 3), np.int16)
        self.tiling_keys = np.zeros(TILINGS, np.int64)
        self.tiling_values = np.zeros(TILINGS, np.float64)
        self.states = np.zeros(MOST_PLIES + 8, STATE)
        self.weights = np.zeros((5, 1))
        self.work = new_work()
        self.legal = np.zeros((MOST_PLIES + 8, MOST_CHOICES), np.int16)
        self.opinions = np.zeros((MOST_PLIES + 8, MOST_CHOICES), np.float64)
        self.frames = np.zeros(MOST_PLIES + 8, FRAME)

    @property
    def arrays(self) -> tuple[Array, ...]:
        """What the compiled functions take, in their order."""
        return (
            self.head,
            self.keys,
            self.values,
            self.marks,
            self.tiling_keys,
            self.tiling_values,
            self.states,
            self.weights,
            self.work,
            self.legal,
            self.opinions,
            self.frames,
        )

    def clear(self) -> None:
        """Forgets another game's positions."""
        self.keys[:] = 0
        self.tiling_keys[:] = 0


@kernel
def position_key(s: State, pending: int) -> int:
    """A hash of a position of round 5."""
    key = mix(board_key(s, 0), board_key(s, 1) & LANE)
    key = mix(key, board_key(s, 1) >> 32)
    for f in range(FACTORIES):
        word = 0
        for color in range(COLORS):
            word = word * 6 + np.int64(s.sun[f, color])
        key = mix(key, word)
    for f in range(SMALL_FACTORIES):
        word = np.int64(s.chip_state[f]) * 16 + s.chip_order[CHIP_COUNT - SMALL_FACTORIES + f] + 1
        for k in range(s.stack_height[f]):
            word = word * 6 + np.int64(s.stack[f, k]) + 1
        key = mix(key, word)
    word = 0
    for color in range(COLORS):
        word = word * 6 + np.int64(s.moon[color])
    key = mix(key, word)
    key = mix(key, s.turn + 2 * np.int64(s.stage) + 32 * np.int64(s.stacking + 1) + 256 * pending)
    return mix(key, s.chips_left[0] * 4 + s.chips_left[1]) | 1


@kernel
def final_score(m: tuple[Array, ...], s: State, seat: int) -> float:
    """What a seat ends with if it tiles now as well as it can, goals included."""
    key = board_key(s, seat)
    place = key % TILINGS
    if m[4][place] == key:
        return m[5][place]
    slate = m[6]
    slate[MOST_PLIES + 7] = slate[MOST_PLIES + 6]
    copy = at(slate, MOST_PLIES + 7)
    for line in range(LINES):
        copy.line_size[seat, line] = s.line_size[seat, line]
        copy.line_color[seat, line] = s.line_color[seat, line]
    for color in range(COLORS):
        copy.broken[seat, color] = s.broken[seat, color]
    for face in range(CHIP_FACES):
        copy.store[seat, face] = s.store[seat, face]
    copy.start_tile = s.start_tile
    copy.walk = 0
    value = best_tiling(copy, seat, m[7], at(m[8], 0))
    m[4][place] = key
    m[5][place] = value
    return value


@kernel
def worth(m: tuple[Array, ...], s: State) -> float:
    """Seat 0's lead if the draft ended here, with the win on top (R6.3 breaks a tie)."""
    mine = final_score(m, s, 0)
    theirs = final_score(m, s, 1)
    return mine - theirs + (WIN if winner_with(s, mine, theirs) == 0 else -WIN)


@kernel
def sort_choices(s: State, legal: Array, n: int, first: int, values: Array) -> None:
    """The remembered best choice first, then by opinion."""
    opinions(s, legal, n, True, values)
    for k in range(n):
        if legal[k] == first:
            values[k] = 1e9
    for i in range(1, n):
        j = i
        while j > 0 and values[j] > values[j - 1]:
            value = values[j]
            values[j] = values[j - 1]
            values[j - 1] = value
            choice = legal[j]
            legal[j] = legal[j - 1]
            legal[j - 1] = choice
            j -= 1


@kernel
def open_frame(m: tuple[Array, ...], ply: int, depth: int, alpha: float, beta: float, pending: int) -> bool:
    """Begins the search of the position at `ply`. True if its value is known at once: it is then in
    `head.value`. `pending` are factories whose chip has just been turned up and whose face chance
    has still to choose."""
    head = at(m[0], 0)
    s = at(m[6], ply)
    frame = at(m[11], ply)
    head.nodes += 1
    if head.nodes > head.limit:
        head.stopped = 1
        return True
    frame.depth = depth
    frame.alpha = alpha
    frame.beta = beta
    frame.pending = pending
    frame.at_child = -1
    if pending:
        open_chance(s, frame)
        return False
    if s.stage == TILING or s.stage == OVER:
        head.value = worth(m, s)
        return True
    if depth <= 0 or ply >= MOST_PLIES:
        head.horizon = 1
        head.value = worth(m, s)
        return True
    frame.key = position_key(s, 0)
    slot = frame.key % TABLE
    first = NOTHING
    if m[1][slot] == frame.key:
        first = np.int64(m[3][slot, 2])
        value = m[2][slot]
        mark = m[3][slot, 1]
        fits = mark == EXACT or (mark == AT_LEAST and value >= beta) or (mark == AT_MOST and value <= alpha)
        if fits and m[3][slot, 0] >= depth:
            if m[3][slot, 0] < WHOLE:
                head.horizon = 1
            if ply == 0:
                head.best = first
            head.value = value
            return True
    frame.children = legal_of(s, m[9][ply])
    sort_choices(s, m[9][ply], frame.children, first, m[10][ply])
    frame.low = alpha
    frame.high = beta
    frame.best = -FAR if s.turn == 0 else FAR
    frame.chosen = m[9][ply, 0]
    frame.horizon = head.horizon
    head.horizon = 0
    return False


@kernel
def open_chance(s: State, frame: State) -> None:
    """R3.8: chance chooses the face of the first chip turned up, among those nobody has seen."""
    f = 0
    while (frame.pending >> f) & 1 == 0:
        f += 1
    frame.factory = f
    frame.total = 0
    for face in range(CHIP_FACES):
        frame.unseen[face] = CHIP_COPIES
    for k in range(CHIP_COUNT):
        if s.chip_order[k] != NOTHING:
            frame.unseen[s.chip_order[k]] -= 1
    for face in range(CHIP_FACES):
        frame.total += frame.unseen[face]
    frame.best = 0.0


@kernel
def next_child(m: tuple[Array, ...], ply: int) -> bool:
    """Sets up the next child of the position at `ply`; False when there is none left to look at."""
    frame = at(m[11], ply)
    frame.at_child += 1
    if frame.pending:
        while frame.at_child < CHIP_FACES and frame.unseen[frame.at_child] == 0:
            frame.at_child += 1
        if frame.at_child == CHIP_FACES:
            return False
        m[6][ply + 1] = m[6][ply]
        at(m[6], ply + 1).chip_order[CHIP_COUNT - SMALL_FACTORIES + frame.factory] = frame.at_child
        return True
    if frame.at_child == frame.children or frame.low >= frame.high:
        return False
    m[6][ply + 1] = m[6][ply]
    after = at(m[6], ply + 1)
    down = chips_down(after)
    apply_to(after, m[9][ply, frame.at_child])
    turned = down & ~chips_down(after)
    for f in range(SMALL_FACTORIES):
        if (turned >> f) & 1 and after.chip_order[CHIP_COUNT - SMALL_FACTORIES + f] != NOTHING:
            turned &= ~(1 << f)
    frame.turned = turned
    return True


@kernel
def open_child(m: tuple[Array, ...], ply: int) -> bool:
    """Begins the search of the child that `next_child` has set up."""
    frame = at(m[11], ply)
    if frame.pending:
        return open_frame(m, ply + 1, frame.depth, -FAR, FAR, frame.pending & ~(1 << frame.factory))
    if frame.turned:
        return open_frame(m, ply + 1, frame.depth - 1, -FAR, FAR, frame.turned)
    return open_frame(m, ply + 1, frame.depth - 1, frame.low, frame.high, 0)


@kernel
def learn_child(m: tuple[Array, ...], ply: int, value: float) -> None:
    """Takes the value of the child just searched into account."""
    frame = at(m[11], ply)
    if frame.pending:
        frame.best += value * frame.unseen[frame.at_child] / frame.total
        return
    mine = at(m[6], ply).turn == 0
    if (mine and value > frame.best) or (not mine and value < frame.best):
        frame.best = value
        frame.chosen = m[9][ply, frame.at_child]
    if mine:
        frame.low = max(frame.low, frame.best)
    else:
        frame.high = min(frame.high, frame.best)


@kernel
def close_frame(m: tuple[Array, ...], ply: int) -> float:
    """Ends the search of a position: remembers and returns its value."""
    head = at(m[0], 0)
    frame = at(m[11], ply)
    if frame.pending:
        return frame.best
    mark = EXACT
    if frame.best >= frame.beta:
        mark = AT_LEAST
    elif frame.best <= frame.alpha:
        mark = AT_MOST
    slot = frame.key % TABLE
    m[1][slot] = frame.key
    m[2][slot] = frame.best
    m[3][slot, 0] = frame.depth if head.horizon else WHOLE
    m[3][slot, 1] = mark
    m[3][slot, 2] = frame.chosen
    if ply == 0:
        head.best = frame.chosen
    head.horizon |= frame.horizon
    return frame.best


@entry
def deepen(m: tuple[Array, ...], view: States, depth: int, limit: int, fresh: bool) -> float:
    """One deepening from a view's position: seat 0's value. `head` tells the best choice, whether
    a horizon was reached and whether the nodes ran out. After a `PORTION` of nodes it pauses at
    `head.ply`, and goes on when it is called again and not afresh. The frames are kept in an array,
    since Numba cannot keep a function that calls itself."""
    head = at(m[0], 0)
    if fresh:
        head.nodes = 0
        head.limit = limit
        head.horizon = 0
        head.stopped = 0
        head.best = NOTHING
        head.ply = 0
        m[6][0] = view[0]
        m[6][MOST_PLIES + 6] = view[0]
        if open_frame(m, 0, depth, -FAR, FAR, 0):
            head.ply = NOTHING
            return head.value
    ply = head.ply
    head.ply = NOTHING
    pause = head.nodes + PORTION
    while True:
        if head.nodes >= pause:
            head.ply = ply
            return 0.0
        if next_child(m, ply):
            known = open_child(m, ply)
            if head.stopped:
                return 0.0
            if known:
                learn_child(m, ply, head.value)
            else:
                ply += 1
        else:
            value = close_frame(m, ply)
            if ply == 0:
                return value
            ply -= 1
            learn_child(m, ply, value)


@dataclass(frozen=True, slots=True)
class Ending:
    """What the search found: the best move, seat 0's value, and whether that is exact."""

    path: int
    value: float
    exact: bool
    nodes: int
    depth: int


class EndgameSolver:
    """Searches round 5 within a number of nodes."""

    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.memory = Memory()

    def solve(self, view: States) -> Ending | None:
        """The best move from a view of the seat to move in round 5; None if not even one ply fits."""
        self.memory.clear()
        path = step = spent = depth = 0
        value = 0.0
        exact = True
        now = copied(view)
        while True:
            found = self._choose(now, self.nodes - spent)
            if found is None:
                return None
            choice, value_here, exact_here, nodes, depth_here = found
            spent += nodes
            if step == 0:
                value, depth = value_here, depth_here
            exact &= exact_here
            path |= choice + 1 << choices.PATH_BITS * step
            step += 1
            engine.apply(now, 0, choice)
            if Stage(now["stage"][0]) is not Stage.STACKING:
                return Ending(path, value, exact, spent, depth)

    def _choose(self, now: States, budget: int) -> tuple[int, float, bool, int, int] | None:
        """Deepens until it is exact or the nodes run out."""
        head = self.memory.head
        best: tuple[int, float, bool, int, int] | None = None
        spent = 0
        for depth in range(2, MOST_PLIES):
            limit = max(budget - spent, LEAST_NODES)
            value = float(deepen(self.memory.arrays, now, depth, limit, True))
            while head["ply"][0] != NOTHING:
                value = float(deepen(self.memory.arrays, now, depth, limit, False))
            spent += int(head["nodes"][0])
            if head["stopped"][0]:
                break
            exact = not head["horizon"][0]
            best = (int(head["best"][0]), value, exact, spent, depth)
            if exact or spent >= budget:
                break
        return None if best is None else (*best[:3], spent, best[4])
