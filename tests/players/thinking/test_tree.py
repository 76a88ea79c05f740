"""The tree: compiled and not, kept on disk, used again, and led by its evaluator."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

import pytest

from checked_integers import INSTALL
from sintra import Game
from sintra.players import player
from sintra.players.thinking.evaluator import Evaluator, standard_evaluator
from sintra.players.thinking.keys import Tilings
from sintra.players.thinking.tree import NEW, TILINGS, Tree, think

KEPT: Final = """
from sintra import Game
from sintra.players.thinking import batches, endgame, tiler, tree
from sintra.players.thinking.evaluator import standard_evaluator
game = Game.new(seed=1)
view = game.view(game.turn)
one, leaves = tree.Tree.with_room(4), batches.Leaves.with_room(2)
tree.think(one, view.state, view.seat, 1, 2)
batches.gather(one, leaves, view.state, view.seat, 1)
batches.absorb(one, leaves)
endgame.EndgameSolver(10).solve(view.state)
tiler.Tiler(standard_evaluator()).value(view.state, 0)
entries = (tree.think, batches.gather, batches.absorb, endgame.deepen, tiler.solve)
stats = [entry.__wrapped__.stats for entry in entries]
print(*(sum(one.cache_hits.values()) - sum(one.cache_misses.values()) for one in stats))
"""
"""Calls each entry once and says which were found on disk."""


THOUGHTS: Final = """
from sintra import Game, Stage
from sintra.players import player
from sintra.players.thinking.batches import Leaves, absorb, gather
from sintra.players.thinking.endgame import EndgameSolver, is_within_reach
from sintra.players.thinking.tree import Tree
game, search, quick, solver = Game.new(seed=5), player("search:sims=3,nodes=0"), player("greedy"), EndgameSolver(60)
one, leaves = Tree.with_room(20), Leaves.with_room(3)
while not game.is_over:
    view = game.view(game.turn)
    if game.ply % 20 == 0:
        print(search.choose(view))
        if game.stage is Stage.TURN:
            one.clear()
            for _ in range(2):
                gather(one, leaves, view.state, view.seat, 1)
                leaves.priors[:], leaves.values[:] = 1.0, 0.4
                absorb(one, leaves)
            print({choice: tuple(child) for choice, child in one.children(0).items() if child.visits})
    if game.stage is Stage.TURN and game.ply % 3 == 0 and is_within_reach(view.state):
        print(solver.solve(view.state))
    game.push(quick.choose(view))
"""
"""Moves, trees and endings of one game."""


def printed_by(program: str, **variables: str) -> str:
    """What a new process prints."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | variables
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
    ).stdout


def test_another_process_finds_the_compiled_search_on_disk() -> None:
    printed_by(KEPT, NUMBA_DISABLE_JIT="0")
    assert printed_by(KEPT, NUMBA_DISABLE_JIT="0").split() == ["1"] * 5


@pytest.mark.long
def test_without_compilation_the_same_is_thought() -> None:
    thoughts = printed_by(INSTALL + THOUGHTS, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert thoughts == printed_by(THOUGHTS, NUMBA_DISABLE_JIT="0")
    assert thoughts.count("Ending(") > 1
    assert len(thoughts.splitlines()) > 10


def test_a_tree_can_be_used_again() -> None:
    game = Game.new(seed=3)
    view = game.view(game.turn)
    used, fresh = Tree.with_room(40), Tree.with_room(40)
    think(used, view.state, view.seat, 9, 30)
    used.clear()
    for one in (used, fresh):
        think(one, view.state, view.seat, 5, 40)
    assert repr(used.children(0)) == repr(fresh.children(0))
    root = used.children(0)
    assert sum(child.visits for child in root.values()) == 40
    assert all((child.node == NEW) == (child.visits == 0) for child in root.values())


def test_what_is_remembered_of_tilings_saves_work_and_changes_nothing() -> None:
    """With two places for boards tilings are solved again late in a round; otherwise all places are used."""
    game, quick = Game.new(seed=3), player("greedy")
    while game.ply < 18:
        game.push(quick.choose(game.view(game.turn)))
    view = game.view(game.turn)
    usual, forgetful = Tree.with_room(200), Tree.with_room(200)._replace(tilings=Tilings.with_room(2))
    for one in (usual, forgetful):
        think(one, view.state, view.seat, 5, 200)
    assert repr(usual.children(0)) == repr(forgetful.children(0))
    assert usual.work.get("steps") < forgetful.work.get("steps")
    assert {place % 2 for place, key in enumerate(usual.tilings.keys) if key} == {0, 1}


def test_a_long_search_has_room_for_its_tilings() -> None:
    rooms = [len(Tree.with_room(simulations, edges_per_node=1).tilings.keys) for simulations in (1, 30_000)]
    assert rooms == [TILINGS, 60_000]


def test_the_evaluator_of_a_tree_decides_what_it_finds() -> None:
    """What is worth nothing to one evaluator leads another one elsewhere."""
    game = Game.new(seed=3)
    view = game.view(game.turn)
    found = []
    full = standard_evaluator()
    for evaluator in (full, Evaluator.blank(), Evaluator(full.weights, full.scales, temperature=50.0)):
        one = Tree.with_room(60, evaluator)
        think(one, view.state, view.seat, 5, 60)
        found.append(repr(one.children(0)))
    assert len(set(found)) == 3
