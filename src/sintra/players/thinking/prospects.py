"""What is expected of a move, by source: the lines that the search has found, played to the end of the round.

A tree that is made to begin with the move says what both will probably do. Each line of it is played in another world
that fits the view, on by opinion where the tree ends, and both boards are tiled as well as they can be. What was booked
is counted by its source; what the boards promise for later rounds is counted by what promises it.
"""

from __future__ import annotations

import math
from enum import IntEnum
from typing import Final, NamedTuple

from sintra.components import GRID, NOTHING, SEATS
from sintra.features import board
from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.players.thinking.evaluator import (
    HIDDEN,
    Evaluator,
    Parameters,
    look_at_boards,
    standard_evaluator,
    value_of_hidden,
    value_of_tiled,
)
from sintra.players.thinking.leaf import finish_draft
from sintra.players.thinking.outcomes import chips_down, open_plates, shown_by_chance
from sintra.players.thinking.tiler import next_tiling_move
from sintra.players.thinking.tree import FULL, NEW, SEVERAL, Tree, outcome_place, sample_for, think
from sintra.rules.array_types import Floats2D, Floats3D
from sintra.rules.chance import fraction
from sintra.rules.choices import MAX_CHOICES, first_of, rest_of, unpack
from sintra.rules.compiled import at, constants, keep, kernel, np, rare_entry
from sintra.rules.engine import apply_to
from sintra.rules.memory import zeros
from sintra.rules.state import OVER, PAYING, STATE, TILING, Array, Source, Stage, State, States
from sintra.tabletop.moves import Move
from sintra.tabletop.moves.paths import path_of

LATER: Final = len(Source)
LATER_BLOCKS: Final = constants(
    [
        board.READY,
        board.COLUMN_SQUARES,
        board.SPECIALS_NEAR,
        board.GOAL_ROWS,
        board.GOAL_COLORS,
        board.GOAL_COLUMNS,
        board.GOAL_EDGE,
        board.GOAL_DIAGONALS,
        board.GOAL_CORNERS,
        board.GOAL_WILDS,
        board.GOAL_SPECIALS,
        board.CHIPS,
        board.STARTS,
        board.TILES,
        board.FEATURES,
    ],
    "i8",
)
"""Where the features of a board begin that make a part of what it promises, and where the last ends."""
PARTS: Final = LATER + len(LATER_BLOCKS) - 1
"""What is counted for each seat: points of this round by `Source`, then what the board promises by `Promise`."""
FIRST_MEASURED: Final = 2
"""The first of the parts of what a board promises whose points could be counted in games: special tiles, then goals."""
PROMISE_SHARES: Final = constants(
    [
        [0.18, 0.36, 0.61, 0.54, 0.0],  # special tiles
        [0.0, 0.37, 0.99, 1.0, 0.0],  # goals: rows
        [0.48, 0.56, 1.0, 1.0, 0.0],  # colors
        [0.16, 0.5, 0.99, 0.93, 0.0],  # columns
        [0.0, 0.35, 1.0, 0.96, 0.0],  # edge
        [0.0, 0.0, 0.58, 0.65, 0.0],  # diagonals
        [0.41, 0.2, 0.52, 1.0, 0.0],  # corners
        [0.04, 0.37, 1.0, 1.0, 0.0],  # wilds
        [0.0, 0.0, 0.34, 0.84, 0.0],  # specials
    ],
    "f8",
)
"""How much of what the weights give for these parts really came as points of theirs, by round (`bench/promises.py`, 200
games). The value is fitted to final scores: boards with special plates gain more than their special tiles score, 15.1
points by the weights and 4.9 by the rules after round 1. What is left belongs to lines and tiles in general."""
MIN_FOLLOWED_VISITS: Final = 2
"""A line follows the tree as long as its choices were tried so often."""
MAX_VISITS_RATIO: Final = 4
"""A line takes choices that were tried at least one of so many times as often as the one tried most."""


class Promise(IntEnum):
    """What a board promises for later rounds, as parts of a prospect; the eight goals stand in their order."""

    LINES = LATER
    COLUMNS = LATER + 1
    SPECIALS = LATER + 2
    GOALS = LATER + 3
    CHIPS = LATER + 11
    STARTS = LATER + 12
    TILES = LATER + 13


class Prospect(NamedTuple):
    """What is expected of a move: `parts[line][seat][part]` in points, and how full the columns are in the end
    (`columns[line][seat]`, the squares of their tiles); lines of the same number are played in the same world, whatever
    the move. `win` is the mover's chance to win by the tree that began with the move, not a number in phase 2, where
    there is none."""

    parts: list[list[list[float]]]
    columns: list[list[float]]
    win: float

    def lead(self, seat: int) -> list[float]:
        """By how many points a seat is ahead of where both began, line by line."""
        return [sum(line[seat]) - sum(line[1 - seat]) for line in self.parts]


@kernel
def one_of_the_best(t: Tree, node: int, dice: State) -> int:
    """An edge of a node that was tried often, the more often the likelier; NEW where none was tried enough."""
    first = t.node_first[node]
    end = first + t.node_size[node]
    most = 0
    for edge in range(first, end):
        most = max(most, t.edge_visits[edge])
    if most < MIN_FOLLOWED_VISITS:
        return NEW
    total = 0
    for edge in range(first, end):
        if MAX_VISITS_RATIO * t.edge_visits[edge] >= most:
            total += t.edge_visits[edge]
    left = fraction(dice) * total
    best = NEW
    for edge in range(first, end):
        if MAX_VISITS_RATIO * t.edge_visits[edge] >= most:
            best = edge
            left -= t.edge_visits[edge]
            if left < 0.0:
                return best
    return best


@kernel
def edge_of(t: Tree, node: int, choice: int) -> int:
    """The edge of a node that makes a choice, or NEW."""
    for edge in range(t.node_first[node], t.node_first[node] + t.node_size[node]):
        if t.edge_choice[edge] == choice:
            return edge
    return NEW


@kernel
def follow(t: Tree, s: State, path: int) -> None:
    """Makes the choices of a path, then such as the tree tried often, as far as it goes."""
    node = 0 if at(t.head, 0).nodes > 0 else NEW
    while path != 0 or node != NEW:
        edge = NEW
        if node != NEW:
            edge = edge_of(t, node, first_of(path)) if path != 0 else one_of_the_best(t, node, s)
        if path == 0 and edge == NEW:
            return
        choice = np.int64(first_of(path) if path != 0 else t.edge_choice[edge])
        path = rest_of(path)
        down = chips_down(s)
        display = open_plates(s)
        apply_to(s, choice)
        node = NEW
        if edge != NEW:
            code = shown_by_chance(s, down, choice, display)
            if code == 0 and t.edge_child[edge] != SEVERAL:
                node = t.edge_child[edge]
            else:
                place = outcome_place(t, edge, code)
                if place != FULL:
                    node = t.outcome_node[place]


@kernel
def tile_both(s: State, evaluator: Parameters, work: State) -> None:
    """Both seats tile as well as they can."""
    while s.stage == TILING or s.stage == PAYING:
        path = next_tiling_move(s, evaluator, work)
        while path != 0:
            apply_to(s, first_of(path))
            path = rest_of(path)


@kernel
def call_back(s: State, round_no: int) -> None:
    """Where the engine has begun the next round, looks at the end of this one again: that is what the value knows
    boards of, and there somebody still holds the start tile."""
    if s.round_no != round_no:
        s.round_no = round_no
        s.start_tile = s.first


@kernel
def is_measured(part: int) -> bool:
    """Whether it is known what became of a part of what boards promise."""
    return FIRST_MEASURED <= part < FIRST_MEASURED + len(PROMISE_SHARES)


@kernel
def count_parts(s: State, seat: int, evaluator: Parameters, work: State, out: Array) -> None:
    """Adds what a seat has booked, and what its board promises, to the parts of a line."""
    for source in range(LATER):
        out[source] += s.tally[seat, source]
    if s.stage == OVER:
        return
    board.look_at(s, seat, work)
    value_of_tiled(evaluator, s, seat, 0, work, work.features)
    for part in range(len(LATER_BLOCKS) - 1):
        promised = 0.0
        for k in range(LATER_BLOCKS[part], LATER_BLOCKS[part + 1]):
            promised += evaluator.weights[s.round_no - 1, k] * work.features[k]
        share = PROMISE_SHARES[part - FIRST_MEASURED, s.round_no - 1] if is_measured(part) else 1.0
        out[LATER + part] += share * promised
        out[PARTS - 1] += (1.0 - share) * promised
    if evaluator.has_hidden:
        count_hidden(s, seat, evaluator, work, out)


@kernel
def count_hidden(s: State, seat: int, evaluator: Parameters, work: State, out: Array) -> None:
    """Adds what the hidden layer makes of a board, whose features are known, to the parts of a line: by how much it
    would change with each feature. What the score and no feature makes of it is added to the tiles, and so is what it
    makes of measured parts, whose points are known by the weights."""
    rest = value_of_hidden(evaluator, s, s.score[seat], work.features, work.hidden)
    for part in range(len(LATER_BLOCKS) - 1):
        if is_measured(part):
            continue
        for k in range(LATER_BLOCKS[part], LATER_BLOCKS[part + 1]):
            if work.features[k] != 0.0:
                slope = 0.0
                for h in range(HIDDEN):
                    if work.hidden[h] > 0.0:
                        slope += float(evaluator.to_hidden[k, h] * evaluator.from_hidden[h])
                out[LATER + part] += slope * work.features[k]
                rest -= slope * work.features[k]
    out[PARTS - 1] += rest


@kernel
def squares_of_columns(s: State, seat: int) -> int:
    """How full the columns of a dome are: the sum of the squares of their tiles."""
    total = 0
    for col in range(GRID):
        n = 0
        for row in range(GRID):
            n += 1 if s.dome[seat, row, col] != NOTHING else 0
        total += n * n
    return total


@rare_entry
def play_lines(t: Tree, view: States, observer: int, seed: int, path: int, out: Floats3D, columns: Floats2D) -> None:
    """Plays a move and what is expected to follow in as many worlds as `out` has lines; where no world is found, a
    line is not a number. `columns` gets how full the columns are in the end."""
    scratch = np.empty(2, STATE)
    legal = np.empty(MAX_CHOICES, np.int16)
    values = np.empty(MAX_CHOICES, np.float64)
    evaluator = at(t.parameters, 0)
    for line in range(len(out)):
        scratch[0] = view[0]
        s = at(scratch, 0)
        if not sample_for(view, observer, seed, line, s):
            out[line] = np.nan
            continue
        for seat in range(SEATS):
            for source in range(LATER):
                out[line, seat, source] = -s.tally[seat, source]
            for part in range(LATER, PARTS):
                out[line, seat, part] = 0.0
        round_no = s.round_no
        follow(t, s, path)
        look_at_boards(at(t.thought, 0), s)
        scratch[1] = scratch[0]
        end = at(scratch, 1)
        finish_draft(evaluator, at(t.thought, 0), end, s, legal, values)
        tile_both(end, evaluator, at(t.work, 0))
        call_back(end, round_no)
        for seat in range(SEATS):
            count_parts(end, seat, evaluator, at(t.work, 0), out[line, seat])
            columns[line, seat] = squares_of_columns(end, seat)
    keep(scratch)


class Foresight:
    """Finds prospects with a fixed budget: simulations of the tree that begins with the move, and lines played."""

    def __init__(self, sims: int = 600, lines: int = 64, evaluator: Evaluator | None = None) -> None:
        self._sims = sims
        self._lines = lines
        self._tree = Tree.with_room(sims + 8, evaluator or standard_evaluator())

    def of(self, view: View, move: Move) -> Prospect:
        """What is expected of a legal move of the seat to move."""
        is_tiling = view.stage in (Stage.TILING, Stage.PAYING)
        win = math.nan if is_tiling else self.win(view, move)
        if is_tiling:
            self._tree.clear()
        lines = 1 if is_tiling else self._lines
        parts, columns = zeros((lines, SEATS, PARTS), "f8"), zeros((lines, SEATS), "f8")
        path = path_of(move, view.states, 0)
        play_lines(self._tree, view.states, view.seat, _seed_of(view), path, parts, columns)
        found = [
            (line, full)
            for line, full in zip(parts.tolist(), columns.tolist(), strict=True)
            if not math.isnan(line[0][0])
        ]
        return Prospect([line for line, _ in found], [full for _, full in found], win)

    def win(self, view: View, move: Move) -> float:
        """The mover's chance to win after a move of the draft, which is all that is asked for here."""
        path = unpack(path_of(move, view.states, 0))
        self._tree.clear()
        self._begin_with(path, view, _seed_of(view))
        think(self._tree, view.states, view.seat, _seed_of(view), self._sims)
        return self._win(path)

    @property
    def tree(self) -> Tree:
        """The tree that began with the move last asked about."""
        return self._tree

    def _win(self, path: list[int]) -> float:
        """The mean value, for the mover, of the simulations that went through the last choice of a path."""
        node, win = 0, math.nan
        for choice in path:
            child = self._tree.children(node).get(choice) if node >= 0 else None
            if child is None or not child.visits:
                break
            node, win = child.node, child.mean
        return win

    def _begin_with(self, path: list[int], view: View, seed: int) -> None:
        """Makes a tree that tries nothing but these choices first."""
        tree = self._tree
        think(tree, view.states, view.seat, seed, 0)
        node = 0
        for step, choice in enumerate(path, 1):
            first = tree.node_first[node]
            for edge in range(first, first + tree.node_size[node]):
                tree.edge_prior[edge] = float(tree.edge_choice[edge] == choice)
            if step == len(path):
                return
            think(tree, view.states, view.seat, seed, 1)
            node = tree.children(node)[choice].node
            if node < 0:
                return


def _seed_of(view: View) -> int:
    return derive(view.key, "prospect") >> 8
