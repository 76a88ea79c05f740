"""Round 5 searched to its end: no plates, and hidden only which chip lies where.

Alpha-beta over choices with chance where a chip is turned up, transpositions, iterative deepening
and a bound on nodes. At the end of the draft both boards are tiled exactly, goals included; since
the domes do not change during the draft, a seat's tiling depends on its lines, broken tiles and
chips alone and is remembered. The answer is exact when a deepening reaches no horizon.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from sintra.components import (
    CHIP_COPIES,
    CHIP_COUNT,
    CHIP_FACES,
    COLORS,
    FACTORIES,
    LINES,
    NOTHING,
    ROUNDS,
    SMALL_FACTORIES,
)
from sintra.players.thinking.evaluator import (
    Evaluator,
    ParametersArray,
    look_at_boards,
    quick_opinions_of,
    standard_evaluator,
)
from sintra.players.thinking.keys import LANE, Tilings, board_key, hashed, place_of
from sintra.players.thinking.network import ThoughtArray, new_thought
from sintra.players.thinking.outcomes import chips_down
from sintra.players.thinking.tiler import WorkArray, best_tiling, new_work
from sintra.rules import engine
from sintra.rules.array_types import Elements, Floats, Floats2D, Int16s2D, Int64s
from sintra.rules.choices import MAX_CHOICES, extended
from sintra.rules.compiled import at, entry, kernel, layout, np
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.memory import zeros
from sintra.rules.scoring import winner_with
from sintra.rules.state import OVER, STATE, TILING, Stage, State, States, copied

MAX_TILES: Final = 12
"""With more tiles on the factories round 5 is too long to be searched to its end."""
TABLE: Final = 1 << 18
TILINGS: Final = 1 << 16
MAX_PLIES: Final = 64
START: Final = MAX_PLIES + 6
"""Among the states: the position that was asked about."""
SLATE: Final = START + 1
"""And the one on which boards are tiled."""
ROOM: Final = SLATE + 1
MIN_NODES: Final = 200
"""What each step of a move may spend even beyond the bound, so that a move once begun is finished."""
WIN: Final = 15.0
"""Winning counts as much as this many points."""
NODES_PER_CALL: Final = 5000
"""Nodes that are searched in one call of compiled code; between two calls a Ctrl-C is heard."""
FAR: Final = 1e6
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2
WHOLE: Final = 100
"""The depth of an answer that met no horizon."""
MEAN: Final = 0
FOR_SEAT: Final = (1, 2)
"""How chips come that are turned up: as chance has it, or always as it suits a seat best."""

MARK: Final = layout([("depth", "i2"), ("bound", "i2"), ("choice", "i2")])
"""What is remembered of a position besides its value: how deep it was searched, whether the value is
exact or a bound, and the best choice."""
Marks: TypeAlias = Annotated[Any, Elements(MARK)]
HEAD: Final = layout(
    [
        ("nodes", "i8"),
        ("limit", "i8"),
        ("horizon", "i8"),
        ("stopped", "i8"),
        ("best", "i8"),
        ("ply", "i8"),
        ("value", "f8"),
        # how chips come: MEAN, or one of FOR_SEAT
        ("chance", "i8"),
    ]
)
EndgameHead: TypeAlias = Annotated[Any, Elements(HEAD)]
FRAME: Final = layout(
    [
        ("alpha", "f8"),
        ("beta", "f8"),
        ("low", "f8"),
        ("high", "f8"),
        ("best", "f8"),
        ("key", "i8"),
        ("depth", "i8"),
        ("pending", "i8"),
        ("turned", "i8"),
        ("at_child", "i8"),
        ("children", "i8"),
        ("chosen", "i8"),
        ("horizon", "i8"),
        ("factory", "i8"),
        ("total", "i8"),
        ("unseen", "i8", CHIP_FACES),
    ]
)
"""A position on the way down: what a call of a recursive search would hold."""
Frames: TypeAlias = Annotated[Any, Elements(FRAME)]


class Memory(NamedTuple):
    """What the search thinks with and remembers: positions, tilings, and the frames and states on the
    way down; used again and again."""

    parameters: ParametersArray
    head: EndgameHead
    keys: Int64s
    values: Floats
    marks: Marks
    tilings: Tilings
    work: WorkArray
    thought: ThoughtArray
    states: States
    legal: Int16s2D
    opinions: Floats2D
    frames: Frames

    @classmethod
    def with_room(cls, evaluator: Evaluator) -> Memory:
        """Nothing is known yet."""
        return cls(
            parameters=evaluator.parameters,
            head=zeros(1, HEAD),
            keys=zeros(TABLE, "i8"),
            values=zeros(TABLE, "f8"),
            marks=zeros(TABLE, MARK),
            tilings=Tilings.with_room(TILINGS),
            work=new_work(),
            thought=new_thought(),
            states=zeros(ROOM, STATE),
            legal=zeros((ROOM, MAX_CHOICES), "i2"),
            opinions=zeros((ROOM, MAX_CHOICES), "f8"),
            frames=zeros(ROOM, FRAME),
        )

    def clear(self) -> None:
        """Forgets another game's positions."""
        self.keys.clear()
        self.tilings.keys.clear()


@kernel
def position_key(s: State, pending: int) -> int:
    """A hash of a position of round 5."""
    key = hashed(board_key(s, 0), board_key(s, 1) & LANE)
    key = hashed(key, board_key(s, 1) >> 32)
    for f in range(FACTORIES):
        word = 0
        for color in range(COLORS):
            word = word * 6 + np.int64(s.sun[f, color])
        key = hashed(key, word)
    for f in range(SMALL_FACTORIES):
        word = np.int64(s.chip_state[f]) * 16 + s.chip_order[CHIP_COUNT - SMALL_FACTORIES + f] + 1
        for k in range(s.stack_height[f]):
            word = word * 6 + np.int64(s.stack[f, k]) + 1
        key = hashed(key, word)
    word = 0
    for color in range(COLORS):
        word = word * 6 + np.int64(s.moon[color])
    key = hashed(key, word)
    key = hashed(key, s.turn + 2 * np.int64(s.stage) + 32 * np.int64(s.stacking + 1) + 256 * pending)
    return hashed(key, s.chips_left[0] * 4 + s.chips_left[1]) | 1


@kernel
def final_score(m: Memory, s: State, seat: int) -> float:
    """What a seat ends with if it tiles now as well as it can, goals included."""
    key = board_key(s, seat)
    place = place_of(key, TILINGS)
    if m.tilings.keys[place] == key:
        return m.tilings.values[place]
    m.states[SLATE] = m.states[START]
    copy = at(m.states, SLATE)
    for line in range(LINES):
        copy.line_size[seat, line] = s.line_size[seat, line]
        copy.line_color[seat, line] = s.line_color[seat, line]
    for color in range(COLORS):
        copy.broken[seat, color] = s.broken[seat, color]
    for face in range(CHIP_FACES):
        copy.store[seat, face] = s.store[seat, face]
    copy.start_tile = s.start_tile
    copy.walk = 0
    value = best_tiling(copy, seat, at(m.parameters, 0), at(m.work, 0))
    m.tilings.keys[place] = key
    m.tilings.values[place] = value
    return value


@kernel
def worth(m: Memory, s: State) -> float:
    """Seat 0's lead if the draft ended here, with the win on top (R6.3 breaks a tie)."""
    mine = final_score(m, s, 0)
    theirs = final_score(m, s, 1)
    return mine - theirs + (WIN if winner_with(s, mine, theirs) == 0 else -WIN)


@kernel
def sort_choices(m: Memory, ply: int, n: int, first: int) -> None:
    """The remembered best choice first, then by opinion."""
    legal = m.legal[ply]
    values = m.opinions[ply]
    quick_opinions_of(at(m.parameters, 0), at(m.thought, 0), at(m.states, ply), legal, n, values)
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
def open_frame(m: Memory, ply: int, depth: int, alpha: float, beta: float, pending: int) -> bool:
    """Begins the search of the position at `ply`. True if its value is known at once: it is then in
    `head.value`. `pending` are factories whose chip has just been turned up and whose face chance
    has still to choose."""
    head = at(m.head, 0)
    s = at(m.states, ply)
    frame = at(m.frames, ply)
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
        frame.best = 0.0 if head.chance == MEAN else -FAR if head.chance == FOR_SEAT[0] else FAR
        return False
    if s.stage == TILING or s.stage == OVER:
        head.value = worth(m, s)
        return True
    if depth <= 0 or ply >= MAX_PLIES:
        head.horizon = 1
        head.value = worth(m, s)
        return True
    frame.key = position_key(s, 0)
    slot = frame.key % TABLE
    first = NOTHING
    if m.keys[slot] == frame.key:
        mark = at(m.marks, slot)
        first = np.int64(mark.choice)
        value = m.values[slot]
        bound = mark.bound
        fits = bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)
        if fits and mark.depth >= depth:
            if mark.depth < WHOLE:
                head.horizon = 1
            if ply == 0:
                head.best = first
            head.value = value
            return True
    frame.children = legal_of(s, m.legal[ply])
    sort_choices(m, ply, frame.children, first)
    frame.low = alpha
    frame.high = beta
    frame.best = -FAR if s.turn == 0 else FAR
    frame.chosen = m.legal[ply, 0]
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


@kernel
def next_child(m: Memory, ply: int) -> bool:
    """Sets up the next child of the position at `ply`; False when there is none left to look at."""
    frame = at(m.frames, ply)
    frame.at_child += 1
    if frame.pending:
        while frame.at_child < CHIP_FACES and frame.unseen[frame.at_child] == 0:
            frame.at_child += 1
        if frame.at_child == CHIP_FACES:
            return False
        m.states[ply + 1] = m.states[ply]
        at(m.states, ply + 1).chip_order[CHIP_COUNT - SMALL_FACTORIES + frame.factory] = frame.at_child
        return True
    if frame.at_child == frame.children or frame.low >= frame.high:
        return False
    m.states[ply + 1] = m.states[ply]
    after = at(m.states, ply + 1)
    down = chips_down(after)
    apply_to(after, m.legal[ply, frame.at_child])
    turned = down & ~chips_down(after)
    for f in range(SMALL_FACTORIES):
        if (turned >> f) & 1 and after.chip_order[CHIP_COUNT - SMALL_FACTORIES + f] != NOTHING:
            turned &= ~(1 << f)
    frame.turned = turned
    return True


@kernel
def open_child(m: Memory, ply: int) -> bool:
    """Begins the search of the child that `next_child` has set up."""
    frame = at(m.frames, ply)
    if frame.pending:
        return open_frame(m, ply + 1, frame.depth, -FAR, FAR, frame.pending & ~(1 << frame.factory))
    if frame.turned:
        return open_frame(m, ply + 1, frame.depth - 1, -FAR, FAR, frame.turned)
    return open_frame(m, ply + 1, frame.depth - 1, frame.low, frame.high, 0)


@kernel
def learn_child(m: Memory, ply: int, value: float) -> None:
    """Takes the value of the child just searched into account."""
    frame = at(m.frames, ply)
    if frame.pending:
        chance = at(m.head, 0).chance
        if chance == MEAN:
            frame.best += value * frame.unseen[frame.at_child] / frame.total
        elif chance == FOR_SEAT[0]:
            frame.best = max(frame.best, value)
        else:
            frame.best = min(frame.best, value)
        return
    mine = at(m.states, ply).turn == 0
    if (mine and value > frame.best) or (not mine and value < frame.best):
        frame.best = value
        frame.chosen = m.legal[ply, frame.at_child]
    if mine:
        frame.low = max(frame.low, frame.best)
    else:
        frame.high = min(frame.high, frame.best)


@kernel
def close_frame(m: Memory, ply: int) -> float:
    """Ends the search of a position: remembers and returns its value."""
    head = at(m.head, 0)
    frame = at(m.frames, ply)
    if frame.pending:
        return frame.best
    bound = EXACT
    if frame.best >= frame.beta:
        bound = AT_LEAST
    elif frame.best <= frame.alpha:
        bound = AT_MOST
    slot = frame.key % TABLE
    m.keys[slot] = frame.key
    m.values[slot] = frame.best
    mark = at(m.marks, slot)
    mark.depth = frame.depth if head.horizon else WHOLE
    mark.bound = bound
    mark.choice = frame.chosen
    if ply == 0:
        head.best = frame.chosen
    head.horizon |= frame.horizon
    return frame.best


@entry
def deepen(m: Memory, view: States, depth: int, limit: int, fresh: bool) -> float:
    """One deepening from a view's position: seat 0's value. `head` tells the best choice, whether
    a horizon was reached and whether the nodes ran out. After `NODES_PER_CALL` nodes it pauses at
    `head.ply`, and goes on when it is called again and not afresh. The frames are kept in an array,
    since Numba cannot keep a function that calls itself."""
    head = at(m.head, 0)
    if fresh:
        head.nodes = 0
        head.limit = limit
        head.horizon = 0
        head.stopped = 0
        head.best = NOTHING
        head.ply = 0
        m.states[0] = view[0]
        m.states[START] = view[0]
        look_at_boards(at(m.thought, 0), at(m.states, START))
        if open_frame(m, 0, depth, -FAR, FAR, 0):
            head.ply = NOTHING
            return head.value
    ply = head.ply
    head.ply = NOTHING
    pause = head.nodes + NODES_PER_CALL
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


def tiles_on_factories(states: States) -> int:
    """How many tiles are still to be taken this round."""
    s = states[0]
    return sum(map(sum, s["sun"].tolist())) + sum(s["stack_height"].tolist()) + sum(s["moon"].tolist())


def is_within_reach(states: States) -> bool:
    """Whether round 5 is so far that it can be searched to its end."""
    return bool(states["round_no"][0] == ROUNDS) and tiles_on_factories(states) <= MAX_TILES


class EndgameSolver:
    """Searches round 5 within a number of nodes."""

    def __init__(self, nodes: int, evaluator: Evaluator | None = None) -> None:
        self.nodes = nodes
        self.memory = Memory.with_room(evaluator or standard_evaluator())

    def solve_exactly(self, view: States) -> Ending | None:
        """The best move, if the end is within reach and the nodes suffice to be sure of it."""
        if not is_within_reach(view):
            return None
        ending = self.solve(view)
        return ending if ending and ending.exact else None

    def solve(self, view: States) -> Ending | None:
        """The best move from a view of the seat to move in round 5; None if not even one ply fits."""
        self.memory.clear()
        self.memory.head["chance"] = MEAN
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
            path = extended(path, step, choice)
            step += 1
            engine.apply(now, 0, choice)
            if Stage(now["stage"][0]) is not Stage.STACKING:
                return Ending(path, value, exact, spent, depth)

    def exact_value(self, states: States, chance: int) -> float | None:
        """Seat 0's value of a position of round 5, at the end of the draft too, if chips come as `chance` says (see
        `MEAN`); None if the nodes do not suffice to be sure of it."""
        self.memory.clear()
        self.memory.head["chance"] = chance
        found = self._choose(states, self.nodes)
        return found[1] if found and found[2] else None

    def _choose(self, now: States, budget: int) -> tuple[int, float, bool, int, int] | None:
        """Deepens until it is exact or the nodes run out."""
        head = self.memory.head
        best: tuple[int, float, bool, int, int] | None = None
        spent = 0
        for depth in range(2, MAX_PLIES):
            limit = max(budget - spent, MIN_NODES)
            value = float(deepen(self.memory, now, depth, limit, True))
            while head["ply"][0] != NOTHING:
                value = float(deepen(self.memory, now, depth, limit, False))
            spent += int(head["nodes"][0])
            if head["stopped"][0]:
                break
            exact = not head["horizon"][0]
            best = (int(head["best"][0]), value, exact, spent, depth)
            if exact or spent >= budget:
                break
        return None if best is None else (*best[:3], spent, best[4])
