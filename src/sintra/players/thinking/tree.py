"""Compiled Monte-Carlo tree search over the choices of one round.

Each simulation draws a complete state from the view, walks down the tree by PUCT, grows it by one
node, and values the new leaf. What chance shows on the way (a chip turned up, a plate on the
display, the plates looked at) picks the child: chance is chance, not a guess. The tree ends with
the round's draft; there both boards are tiled exactly and valued.

The walk down (`descend`), the growing (`new_node`, `hang`) and the way back (`back_up`) do not know
where priors and values come from: `think` asks the evaluator, and `batches` hands whole batches of
leaves to a caller. `SearchSettings` says how the walk weighs what is known.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from sintra.players.thinking.elementary import power
from sintra.players.thinking.evaluator import (
    Evaluator,
    ParametersArray,
    look_at_boards,
    priors_of,
    standard_evaluator,
)
from sintra.players.thinking.keys import Tilings
from sintra.players.thinking.leaf import is_drafted, value_of_drafted, value_of_leaf
from sintra.players.thinking.network import NetworkArray, ThoughtArray, new_thought
from sintra.players.thinking.outcomes import chips_down, open_plates, shown_by_chance
from sintra.players.thinking.tiler import WorkArray, new_work
from sintra.rules.array_types import Elements, Float32s, Floats, Int8s, Int16s, Int32s, Int64s
from sintra.rules.choices import MAX_CHOICES
from sintra.rules.compiled import at, entry, keep, kernel, layout, np
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.memory import zeros
from sintra.rules.sampling import sample_view
from sintra.rules.state import STATE, Array, State, States

MAX_DEPTH: Final = 160
EDGES_PER_NODE: Final = 48
"""For how many choices of each node a tree has room, on average."""
TILINGS: Final = 1 << 15
"""Room for tilings that are remembered, at least."""
TILINGS_PER_SIMULATION: Final = 2
"""How many of them there is room for in a long search: each simulation ends with two boards."""
SEED_STEP: Final = 7919
"""From the seed of one simulation to the next."""
NEW: Final = -1
"""A child that has not been visited."""
SEVERAL: Final = -2
"""A child that depends on what chance shows."""
FULL: Final = -1
"""No place is left for another outcome of chance."""
NO_HOOK: Final = -(1 << 63)
"""Where no new node can be hung."""

TREE: Final = layout(
    [
        ("nodes", "i8"),
        ("edges", "i8"),
        ("outcomes", "i8"),
        ("explore", "f8"),
        ("first_play", "f8"),
        ("temperature", "f8"),
        ("root_temperature", "f8"),
        ("simulations", "i8"),
        ("visited", "i8"),
    ]
)
"""Counters and settings of a search."""
TreeHead: TypeAlias = Annotated[Any, Elements(TREE)]
"""An array with the counters and settings of a search."""


class SearchSettings(NamedTuple):
    """How a search weighs what it knows."""

    explore: float = 1.6
    """How much priors count against values in the walk down (PUCT)."""
    first_play: float = 0.08
    """How much worse than its node a choice without visits is taken to be, when all others have been tried."""
    temperature: float = 1.0
    """How flat priors are made: above 1 flatter than the evaluator gives them, below 1 sharper."""
    root_temperature: float = 1.0
    """How flat the priors of the position are made that is searched."""


STANDARD: Final = SearchSettings()
SETTING_BOUNDS: Final = {
    "explore": (0.0, 100.0),
    "first_play": (0.0, 1.0),
    "temperature": (0.05, 100.0),
    "root_temperature": (0.05, 100.0),
}
"""The least and the largest value of each setting."""


class Child(NamedTuple):
    """What a tree says of a choice at a node: visits, their mean value for who moves there, the prior,
    and the node behind it (or NEW, or SEVERAL)."""

    visits: int
    mean: float
    prior: float
    node: int


class Tree(NamedTuple):
    """What one search thinks with and remembers: nodes, their edges, and the outcomes of chance."""

    parameters: ParametersArray
    network: NetworkArray
    head: TreeHead
    node_first: Int64s
    node_size: Int32s
    node_seat: Int8s
    node_value: Floats
    edge_choice: Int16s
    edge_prior: Float32s
    edge_visits: Int32s
    edge_total: Float32s
    edge_child: Int32s
    outcome_key: Int64s
    outcome_node: Int32s
    tilings: Tilings
    work: WorkArray
    thought: ThoughtArray

    @classmethod
    def with_room(
        cls,
        simulations: int,
        evaluator: Evaluator | None = None,
        edges_per_node: int = EDGES_PER_NODE,
        settings: SearchSettings = STANDARD,
    ) -> Tree:
        """An empty tree for so many simulations."""
        evaluator = evaluator or standard_evaluator()
        nodes = simulations + 2
        edges = nodes * edges_per_node + MAX_CHOICES
        head = zeros(1, TREE)
        for name, value in settings._asdict().items():
            head[name] = value
        return cls(
            parameters=evaluator.parameters,
            network=evaluator.network,
            head=head,
            node_first=zeros(nodes, "i8"),
            node_size=zeros(nodes, "i4"),
            node_seat=zeros(nodes, "i1"),
            node_value=zeros(nodes, "f8"),
            edge_choice=zeros(edges, "i2"),
            edge_prior=zeros(edges, "f4"),
            edge_visits=zeros(edges, "i4"),
            edge_total=zeros(edges, "f4"),
            edge_child=zeros(edges, "i4"),
            outcome_key=zeros(4 * nodes, "i8"),
            outcome_node=zeros(4 * nodes, "i4"),
            tilings=Tilings.with_room(max(TILINGS, TILINGS_PER_SIMULATION * simulations)),
            work=new_work(),
            thought=new_thought(),
        )

    def clear(self) -> None:
        """Forgets everything but the settings."""
        for name in ("nodes", "edges", "outcomes", "simulations", "visited"):
            self.head[name] = 0
        self.outcome_key.clear()
        self.tilings.keys.clear()
        self.work["steps"] = 0

    def children(self, node: int) -> dict[int, Child]:
        """What is known of each choice at a node."""
        first = self.node_first[node]
        edges = slice(first, first + self.node_size[node])
        known = (self.edge_choice, self.edge_visits, self.edge_total, self.edge_prior, self.edge_child)
        rows = zip(*(one.cells[edges] for one in known), strict=True)
        return {
            choice: Child(visits, total / visits if visits else math.nan, prior, child)
            for choice, visits, total, prior, child in rows
        }


@kernel
def outcome_place(t: Tree, edge: int, code: int) -> int:
    """The place among the outcomes for what chance has shown behind an edge, made if it was never
    seen; FULL if it would fill more than half of them, which would make looking them up slow."""
    head = at(t.head, 0)
    keys = t.outcome_key
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
    t.outcome_node[place] = NEW
    return place


@kernel
def new_node(t: Tree, s: State, legal: Array, priors: Array, n: int) -> int:
    """Adds a node with its edges and priors, which get their temperature and are made to add up to 1."""
    head = at(t.head, 0)
    node = head.nodes
    first = head.edges
    t.node_first[node] = first
    t.node_size[node] = n
    t.node_seat[node] = s.turn
    t.node_value[node] = np.nan
    temperature = head.temperature if node > 0 else head.root_temperature
    if temperature != 1.0:
        for k in range(n):
            priors[k] = power(priors[k], 1.0 / temperature)
    total = 0.0
    for k in range(n):
        total += priors[k]
    for k in range(n):
        t.edge_choice[first + k] = legal[k]
        t.edge_prior[first + k] = priors[k] / total
        t.edge_visits[first + k] = 0
        t.edge_total[first + k] = 0.0
        t.edge_child[first + k] = NEW
    head.nodes = node + 1
    head.edges = first + n
    return node


@kernel
def best_edge(t: Tree, node: int) -> int:
    """PUCT: the edge with the largest mean value plus exploration by prior. An edge without visits
    counts as a little worse than the node has been so far."""
    head = at(t.head, 0)
    first = t.node_first[node]
    visits = 0
    total = 0.0
    seen = 0.0
    for edge in range(first, first + t.node_size[node]):
        visits += t.edge_visits[edge]
        total += t.edge_total[edge]
        if t.edge_visits[edge] > 0:
            seen += t.edge_prior[edge]
    mean = total / visits if visits > 0 else 0.5
    untried = mean - head.first_play * np.sqrt(seen)
    scale = head.explore * np.sqrt(visits + 1.0)
    best = first
    most = -1e9
    for edge in range(first, first + t.node_size[node]):
        n = t.edge_visits[edge]
        q = t.edge_total[edge] / n if n > 0 else untried
        value = q + scale * t.edge_prior[edge] / (1.0 + n)
        if value > most:
            most = value
            best = edge
    return best


@kernel
def descend(t: Tree, s: State, path: Array, seats: Array) -> tuple[int, int, int]:
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
        choice = np.int64(t.edge_choice[edge])
        seats[depth] = s.turn
        path[depth] = edge
        depth += 1
        apply_to(s, choice)
        code = shown_by_chance(s, down, choice, display)
        if code == 0 and t.edge_child[edge] != SEVERAL:
            hook = edge
            child = t.edge_child[edge]
        else:
            t.edge_child[edge] = SEVERAL
            place = outcome_place(t, edge, code)
            if place == FULL:
                return depth, NEW, NO_HOOK
            hook = -1 - place
            child = t.outcome_node[place]
        if child == NEW or t.node_size[child] == 0 or depth == MAX_DEPTH:
            return depth, child, hook
        node = child


@kernel
def has_room(t: Tree, n: int) -> bool:
    """Whether another node with n edges fits."""
    head = at(t.head, 0)
    return bool(head.nodes < len(t.node_first) and head.edges + n < len(t.edge_choice))


@kernel
def child_at(t: Tree, hook: int) -> int:
    """The node that hangs at a hook, or NEW."""
    return t.edge_child[hook] if hook >= 0 else t.outcome_node[-1 - hook]


@kernel
def hang(t: Tree, hook: int, node: int) -> None:
    """Hangs a new node where `descend` found none."""
    if hook >= 0:
        t.edge_child[hook] = node
    else:
        t.outcome_node[-1 - hook] = node


@kernel
def back_up(t: Tree, path: Array, seats: Array, depth: int, value: float) -> None:
    """Adds a value (for seat 0) to all edges passed."""
    for k in range(depth):
        t.edge_visits[path[k]] += 1
        t.edge_total[path[k]] += value if seats[k] == 0 else 1.0 - value


@kernel
def start_tree(t: Tree, s: State, legal: Array, values: Array) -> None:
    """Makes the root."""
    n = legal_of(s, legal)
    look_at_boards(at(t.thought, 0), s)
    priors_of(at(t.parameters, 0), at(t.network, 0), at(t.thought, 0), s, legal, n, values)
    new_node(t, s, legal, values, n)


@kernel
def sample_for(view: States, observer: int, seed: int, number: int, s: State) -> bool:
    """Makes `s`, a copy of the view, the complete state of one simulation, which ends with its round; False
    if none was found."""
    found = sample_view(at(view, 0), observer, seed + SEED_STEP * number, s)
    s.deals_itself = 0
    return found


@entry
def think(t: Tree, view: States, observer: int, seed: int, simulations: int) -> None:
    """Runs simulations with the evaluator's priors and values. A tree that has some already goes on where
    it stopped."""
    head = at(t.head, 0)
    scratch = np.empty(2, STATE)
    path = np.empty(MAX_DEPTH, np.int64)
    seats = np.empty(MAX_DEPTH, np.int8)
    legal = np.empty(MAX_CHOICES, np.int16)
    values = np.empty(MAX_CHOICES, np.float64)
    if head.nodes == 0:
        scratch[0] = view[0]
        start_tree(t, at(scratch, 0), legal, values)
    for _ in range(simulations):
        scratch[0] = view[0]
        s = at(scratch, 0)
        head.simulations += 1
        if not sample_for(view, observer, seed, head.simulations - 1, s):
            continue
        depth, node, hook = descend(t, s, path, seats)
        head.visited += depth
        value = 0.0
        if node != NEW and t.node_size[node] == 0:
            value = t.node_value[node]
        elif is_drafted(s):
            value = value_of_drafted(at(t.parameters, 0), t.tilings, s, at(t.work, 0))
            if hook != NO_HOOK and head.nodes < len(t.node_first):
                node = new_node(t, s, legal, values, 0)
                t.node_value[node] = value
                hang(t, hook, node)
        else:
            n = legal_of(s, legal)
            look_at_boards(at(t.thought, 0), s)
            if hook != NO_HOOK and has_room(t, n):
                priors_of(at(t.parameters, 0), at(t.network, 0), at(t.thought, 0), s, legal, n, values)
                hang(t, hook, new_node(t, s, legal, values, n))
            value = value_of_leaf(
                at(t.parameters, 0), at(t.thought, 0), t.tilings, scratch, legal, values, at(t.work, 0)
            )
        back_up(t, path, seats, depth, value)
    keep(scratch)
