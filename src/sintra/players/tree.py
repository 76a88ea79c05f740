"""Compiled Monte-Carlo tree search over the choices of one round.

Each simulation draws a complete state from the view, walks down the tree by PUCT, grows it by one
node, and values the new leaf. What chance shows on the way (a chip turned up, a plate on the
display, the plates looked at) picks the child: chance is chance, not a guess. The tree ends with
the round's draft; there both boards are tiled exactly and valued.

The walk down (`descend`), the growing (`new_node`, `hang`) and the way back (`back_up`) do not know where
priors and values come from: `think` takes them from the hand-made policy and playouts, `gather`
and `absorb` hand whole batches of leaves to a caller.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sintra.components import DISPLAY, NOTHING, ROUNDS, SMALL_FACTORIES
from sintra.players.policy import finish_draft, opinions
from sintra.players.tiler import best_tiling, board_key
from sintra.rules.choices import DRAW, LOOK, MOST_CHOICES, TURNED
from sintra.rules.compiled import at, entry, kernel
from sintra.rules.dealing import chip_face
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.sampling import sample_view
from sintra.rules.scoring import winner_with
from sintra.rules.state import DEALING, DOWN, OVER, STATE, TILING, Array, State, States

MOST_DEPTH: Final = 160
TILINGS: Final = 1 << 15
"""Room for tilings that are remembered: late in a round the same boards come up again and again."""
NEW: Final = -1
"""A child that has not been visited."""
SEVERAL: Final = -2
"""A child that depends on what chance shows."""
FULL: Final = -1
"""No place is left for another outcome of chance."""
NO_HOOK: Final = np.iinfo(np.int64).min
"""Where no new node can be hung."""

TREE: Final = np.dtype(
    [
        ("nodes", np.int64),
        ("edges", np.int64),
        ("outcomes", np.int64),
        ("explore", np.float64),
        ("first_play", np.float64),
        ("temperature", np.float64),
        ("rollouts", np.int64),
        ("simulations", np.int64),
        ("visited", np.int64),
    ],
    align=True,
)
"""Counters and settings of a search."""


class Tree:
    """The memory of one search: nodes, their edges, and the outcomes of chance."""

    def __init__(self, simulations: int, edges_per_node: int = 48) -> None:
        nodes = simulations + 2
        edges = nodes * edges_per_node + MOST_CHOICES
        self.head = np.zeros(1, TREE)
        self.node_first = np.zeros(nodes, np.int64)
        self.node_size = np.zeros(nodes, np.int32)
        self.node_seat = np.zeros(nodes, np.int8)
        self.node_value = np.full(nodes, np.nan)
        self.edge_choice = np.zeros(edges, np.int16)
        self.edge_prior = np.zeros(edges, np.float32)
        self.edge_visits = np.zeros(edges, np.int32)
        self.edge_total = np.zeros(edges, np.float32)
        self.edge_child = np.zeros(edges, np.int32)
        self.outcome_key = np.zeros(4 * nodes, np.int64)
        self.outcome_node = np.zeros(4 * nodes, np.int32)
        self.tiling_key = np.zeros(TILINGS, np.int64)
        self.tiling_value = np.zeros(TILINGS, np.float64)
        self.head["explore"] = 1.6
        self.head["first_play"] = 0.08
        self.head["temperature"] = 1.6
        self.head["rollouts"] = 1

    @property
    def arrays(self) -> tuple[Array, ...]:
        """What the compiled functions take, in their order."""
        return (
            self.head,
            self.node_first,
            self.node_size,
            self.node_seat,
            self.node_value,
            self.edge_choice,
            self.edge_prior,
            self.edge_visits,
            self.edge_total,
            self.edge_child,
            self.outcome_key,
            self.outcome_node,
            self.tiling_key,
            self.tiling_value,
        )

    def clear(self) -> None:
        """Forgets everything but the settings."""
        self.head["nodes"] = self.head["edges"] = self.head["outcomes"] = 0
        self.head["simulations"] = self.head["visited"] = 0
        self.outcome_key[:] = 0
        self.tiling_key[:] = 0

    def children(self, node: int) -> dict[int, tuple[int, float, float, int]]:
        """For each choice at a node: visits, mean value for who moves there, prior, child."""
        first, size = int(self.node_first[node]), int(self.node_size[node])
        found = {}
        for edge in range(first, first + size):
            visits = int(self.edge_visits[edge])
            mean = float(self.edge_total[edge]) / visits if visits else float("nan")
            child = int(self.edge_child[edge])
            found[int(self.edge_choice[edge])] = (visits, mean, float(self.edge_prior[edge]), child)
        return found


@kernel
def shown_by_chance(s: State, before: int, choice: int, display: int) -> int:
    """What chance has shown with a choice, as a number; 0 when it was not asked.

    `before` are the chips that were face down and `display` the plates open before the choice.
    """
    code = 0
    if choice == LOOK:
        for place in range(s.drawn):
            code |= 1 << np.int64(s.pile[place])
        return code | 1 << 40
    if choice == DRAW:
        return 2 << 40
    for f in range(SMALL_FACTORIES):
        code *= 12
        if (before >> f) & 1 and s.chip_state[f] != DOWN:
            code += 1 + chip_face(s, f)
    if code:
        return code | 3 << 40
    if choice < DRAW and choice >= TURNED:
        now = open_plates(s)
        if now & ~display:
            return (now & ~display) | 4 << 40
    return 0


@kernel
def open_plates(s: State) -> int:
    """The set of plates on the display."""
    plates = 0
    for k in range(DISPLAY):
        if s.display[k] != NOTHING:
            plates |= 1 << np.int64(s.display[k])
    return plates


@kernel
def chips_down(s: State) -> int:
    """The set of small factories whose chip is face down."""
    down = 0
    for f in range(SMALL_FACTORIES):
        if s.chip_state[f] == DOWN:
            down |= 1 << f
    return down


@kernel
def outcome_place(t: tuple[Array, ...], edge: int, code: int) -> int:
    """The place among the outcomes for what chance has shown behind an edge, made if it was never
    seen; FULL if it would fill more than half of them, which would make looking them up slow."""
    head = at(t[0], 0)
    keys = t[10]
    key = (edge + 1) * 2654435761 ^ (code * 40503 + code // 65536)
    place = (key & 0x7FFFFFFFFFFF) % len(keys)
    mark = key | 1
    while keys[place] != 0:
        if keys[place] == mark:
            return place
        place = (place + 1) % len(keys)
    if 2 * head.outcomes >= len(keys):
        return FULL
    head.outcomes += 1
    keys[place] = mark
    t[11][place] = NEW
    return place


@kernel
def new_node(t: tuple[Array, ...], s: State, legal: Array, priors: Array, n: int) -> int:
    """Adds a node with its edges and priors, which are made to add up to 1."""
    head = at(t[0], 0)
    node = head.nodes
    first = head.edges
    t[1][node] = first
    t[2][node] = n
    t[3][node] = s.turn
    t[4][node] = np.nan
    total = 0.0
    for k in range(n):
        total += priors[k]
    for k in range(n):
        t[5][first + k] = legal[k]
        t[6][first + k] = priors[k] / total
        t[7][first + k] = 0
        t[8][first + k] = 0.0
        t[9][first + k] = NEW
    head.nodes = node + 1
    head.edges = first + n
    return node


@kernel
def best_edge(t: tuple[Array, ...], node: int) -> int:
    """PUCT: the edge with the largest mean value plus exploration by prior. An edge without visits
    counts as a little worse than the node has been so far."""
    head = at(t[0], 0)
    first = t[1][node]
    visits = 0
    total = 0.0
    seen = 0.0
    for edge in range(first, first + t[2][node]):
        visits += t[7][edge]
        total += t[8][edge]
        if t[7][edge] > 0:
            seen += t[6][edge]
    mean = total / visits if visits > 0 else 0.5
    untried = mean - head.first_play * np.sqrt(seen)
    scale = head.explore * np.sqrt(visits + 1.0)
    best = first
    most = -1e9
    for edge in range(first, first + t[2][node]):
        n = t[7][edge]
        q = t[8][edge] / n if n > 0 else untried
        value = q + scale * t[6][edge] / (1.0 + n)
        if value > most:
            most = value
            best = edge
    return best


@kernel
def descend(t: tuple[Array, ...], s: State, path: Array, seats: Array) -> tuple[int, int, int]:
    """Walks down from the root, making choices in `s`. Returns how many edges were passed, the
    last node (NEW at a leaf to grow, otherwise an end of the draft), and where to hang a new node:
    an edge, or minus one minus a place among the outcomes, or NO_HOOK when these are full."""
    node = 0
    depth = 0
    hook = 0
    while True:
        edge = best_edge(t, node)
        down = chips_down(s)
        display = open_plates(s)
        choice = np.int64(t[5][edge])
        seats[depth] = s.turn
        path[depth] = edge
        depth += 1
        apply_to(s, choice)
        code = shown_by_chance(s, down, choice, display)
        if code == 0 and t[9][edge] != SEVERAL:
            hook = edge
            child = t[9][edge]
        else:
            t[9][edge] = SEVERAL
            place = outcome_place(t, edge, code)
            if place == FULL:
                return depth, NEW, NO_HOOK
            hook = -1 - place
            child = t[11][place]
        if child == NEW or t[2][child] == 0 or depth == MOST_DEPTH:
            return depth, child, hook
        node = child


@kernel
def has_room(t: tuple[Array, ...], n: int) -> bool:
    """Whether another node with n edges fits."""
    head = at(t[0], 0)
    return bool(head.nodes < len(t[1]) and head.edges + n < len(t[5]))


@kernel
def child_at(t: tuple[Array, ...], hook: int) -> int:
    """The node that hangs at a hook, or NEW."""
    return t[9][hook] if hook >= 0 else t[11][-1 - hook]


@kernel
def hang(t: tuple[Array, ...], hook: int, node: int) -> None:
    """Hangs a new node where `descend` found none."""
    if hook >= 0:
        t[9][hook] = node
    else:
        t[11][-1 - hook] = node


@kernel
def back_up(t: tuple[Array, ...], path: Array, seats: Array, depth: int, value: float) -> None:
    """Adds a value (for seat 0) to all edges passed."""
    for k in range(depth):
        t[7][path[k]] += 1
        t[8][path[k]] += value if seats[k] == 0 else 1.0 - value


@kernel
def chance_to_win(difference: float, scale: float) -> float:
    """How likely a lead of so many expected points wins."""
    return 1.0 / (1.0 + np.exp(-difference / scale))


@kernel
def value_of_board(t: tuple[Array, ...], s: State, seat: int, weights: Array, work: State) -> float:
    """A board tiled exactly and valued, or what is remembered of it."""
    key = board_key(s, seat)
    place = key % TILINGS
    if t[12][place] != key:
        t[13][place] = best_tiling(s, seat, weights, work)
        t[12][place] = key
    return t[13][place]


@kernel
def value_of_boards(t: tuple[Array, ...], s: State, weights: Array, scales: Array, work: State) -> float:
    """At the end of a draft: both boards tiled exactly and valued, as seat 0's chance to win."""
    mine = value_of_board(t, s, 0, weights, work)
    theirs = value_of_board(t, s, 1, weights, work)
    if s.round_no == ROUNDS:
        ahead = 1.0 if winner_with(s, mine, theirs) == 0 else 0.0
        return 0.9 * ahead + 0.1 * chance_to_win(mine - theirs, 12.0)
    return chance_to_win(mine - theirs, scales[s.round_no - 1])


@kernel
def priors_of(s: State, legal: Array, n: int, temperature: float, values: Array) -> None:
    """The policy's opinions as weights."""
    opinions(s, legal, n, False, values)
    most = values[0]
    for k in range(1, n):
        most = max(most, values[k])
    for k in range(n):
        values[k] = np.exp((values[k] - most) / temperature) + 0.003


@kernel
def start_tree(t: tuple[Array, ...], s: State, legal: Array, values: Array) -> None:
    """Makes the root."""
    n = legal_of(s, legal)
    priors_of(s, legal, n, at(t[0], 0).temperature, values)
    new_node(t, s, legal, values, n)


@entry
def think(
    t: tuple[Array, ...],
    view: States,
    observer: int,
    seed: int,
    simulations: int,
    weights: Array,
    scales: Array,
    work: Array,
) -> None:
    """Runs simulations with the hand-made policy, playouts to the end of the draft, and values. A
    tree that has some already goes on where it stopped."""
    head = at(t[0], 0)
    scratch = np.empty(2, STATE)
    path = np.empty(MOST_DEPTH, np.int64)
    seats = np.empty(MOST_DEPTH, np.int8)
    legal = np.empty(MOST_CHOICES, np.int16)
    values = np.empty(MOST_CHOICES, np.float64)
    if head.nodes == 0:
        scratch[0] = view[0]
        start_tree(t, at(scratch, 0), legal, values)
    for _ in range(simulations):
        scratch[0] = view[0]
        s = at(scratch, 0)
        sample_view(at(view, 0), observer, seed + 7919 * head.simulations, s)
        s.deals_itself = 0
        depth, node, hook = descend(t, s, path, seats)
        head.visited += depth
        value = 0.0
        if node != NEW and t[2][node] == 0:
            value = t[4][node]
        elif s.stage == TILING or s.stage == OVER or s.stage == DEALING:
            value = value_of_boards(t, s, weights, scales, at(work, 0))
            if hook != NO_HOOK and head.nodes < len(t[1]):
                node = new_node(t, s, legal, values, 0)
                t[4][node] = value
                hang(t, hook, node)
        else:
            n = legal_of(s, legal)
            if hook != NO_HOOK and has_room(t, n):
                priors_of(s, legal, n, head.temperature, values)
                hang(t, hook, new_node(t, s, legal, values, n))
            for _ in range(head.rollouts):
                scratch[1] = scratch[0]
                finish_draft(at(scratch, 1), s, legal, values)
                value += value_of_boards(t, at(scratch, 1), weights, scales, at(work, 0)) / head.rollouts
        back_up(t, path, seats, depth, value)
        head.simulations += 1


@entry
def gather(
    t: tuple[Array, ...],
    view: States,
    observer: int,
    seed: int,
    leaves: States,
    paths: Array,
    seats: Array,
    depths: Array,
    hooks: Array,
) -> int:
    """Walks down once for each place of `leaves` and leaves there the states to be valued. Passed
    edges count a visit and a loss meanwhile, so that the walks spread. Returns how many there are."""
    head = at(t[0], 0)
    if head.nodes == 0:
        legal = np.empty(MOST_CHOICES, np.int16)
        values = np.empty(MOST_CHOICES, np.float64)
        leaves[0] = view[0]
        start_tree(t, at(leaves, 0), legal, values)
    for k in range(len(leaves)):
        leaves[k] = view[0]
        s = at(leaves, k)
        sample_view(at(view, 0), observer, seed + 7919 * (head.simulations + k), s)
        s.deals_itself = 0
        depth, _, hook = descend(t, s, paths[k], seats[k])
        depths[k] = depth
        hooks[k] = hook
        for d in range(depth):
            t[7][paths[k, d]] += 1
    return len(leaves)


@entry
def absorb(
    t: tuple[Array, ...],
    leaves: States,
    paths: Array,
    seats: Array,
    depths: Array,
    hooks: Array,
    priors: Array,
    values: Array,
    weights: Array,
    scales: Array,
    work: Array,
) -> None:
    """Takes the caller's priors (n by CHOICES) and values (seat 0's chance to win) for gathered
    leaves. A leaf at the end of its draft is valued by exact tiling instead."""
    head = at(t[0], 0)
    legal = np.empty(MOST_CHOICES, np.int16)
    weighed = np.empty(MOST_CHOICES, np.float64)
    for k in range(len(leaves)):
        s = at(leaves, k)
        value = values[k]
        n = legal_of(s, legal)
        if s.stage == TILING or s.stage == OVER or s.stage == DEALING:
            value = value_of_boards(t, s, weights, scales, at(work, 0))
        else:
            if hooks[k] != NO_HOOK and child_at(t, hooks[k]) == NEW and has_room(t, n):
                for j in range(n):
                    weighed[j] = priors[k, legal[j]] + 1e-6
                hang(t, hooks[k], new_node(t, s, legal, weighed, n))
        for d in range(depths[k]):
            t[7][paths[k, d]] -= 1
        back_up(t, paths[k], seats[k], depths[k], value)
        head.simulations += 1
