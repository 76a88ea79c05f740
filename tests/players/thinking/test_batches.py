"""The tree, grown by batches of leaves that are valued outside."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from helpers import legal_choices, play_on
from sintra import Game, Stage, View
from sintra.players.thinking.batches import Leaves, absorb, gather
from sintra.players.thinking.endgame import tiles_on_factories
from sintra.players.thinking.evaluator import hand_made_evaluator
from sintra.players.thinking.tree import Tree
from sintra.rules import engine
from sintra.rules.choices import CHOICES
from sintra.rules.state import Array, States

Opinion = Callable[[States], tuple[Array, Array]]


def uniform(leaves: States, value: float = 0.5) -> tuple[Array, Array]:
    """Gives every choice one prior, and every leaf one value."""
    return np.ones((len(leaves), CHOICES)), np.full(len(leaves), value)


def by_rollout(leaves: States) -> tuple[Array, Array]:
    """Gives every choice one prior, and values by random play to the end of the game."""
    values = []
    for k in range(len(leaves)):
        played = leaves[k : k + 1].copy()
        engine.reseed(played, 0, k)
        engine.play_random(played, 0, 10_000, np.zeros(1, np.int64))
        values.append(float(engine.who_won(played, 0) == 0))
    return np.ones((len(leaves), CHOICES)), np.array(values)


def driven(view: View, batches: int, batch: int, evaluate: Opinion, room: int | None = None) -> Tree:
    """A tree grown by batches of leaves that are valued outside; with room for all of them unless told."""
    grown = Tree.with_room(batches * batch if room is None else room, hand_made_evaluator())
    leaves = Leaves.with_room(batch)
    for _ in range(batches):
        n = gather(grown, leaves, view.state, view.seat, 11)
        assert n == batch
        assert (leaves.depths > 0).all()
        leaves.priors[:], leaves.values[:] = evaluate(leaves.states)
        absorb(grown, leaves)
    return grown


def late(seed: int, tiles: int) -> View:
    """A view late in a round, with so many tiles left at most."""
    for game in play_on(Game.new(seed=seed), "uniform", Random(seed)):
        if game.stage is Stage.TURN and tiles_on_factories(game.state) <= tiles and len(game.legal_moves) > 2:
            return game.view(game.turn)
    raise AssertionError("there is no such view")


class TestBatches:
    """`gather` and `absorb`: leaves are valued outside."""

    VIEWS = (Game.new(seed=3).view(Game.new(seed=3).turn), late(1, 21), late(2, 9), late(3, 4), late(4, 2))

    @pytest.mark.parametrize("view", VIEWS)
    @pytest.mark.parametrize("batch", [1, 8, 32])
    @pytest.mark.parametrize("evaluate", [uniform, by_rollout])
    def test_visits_add_up_and_values_are_chances(self, view: View, batch: int, evaluate: Opinion) -> None:
        grown = driven(view, 192 // batch, batch, evaluate)
        head = grown.head[0]
        assert head["simulations"] == 192
        root = grown.children(0)
        assert set(root) == set(legal_choices(view.state))
        assert sum(visits for visits, *_ in root.values()) == 192
        edges = slice(0, int(head["edges"]))
        visits, totals = grown.edge_visits.array[edges], grown.edge_total.array[edges]
        assert (visits >= 0).all()
        assert (totals >= -1e-3).all()
        assert (totals <= visits + 1e-3).all()
        assert not totals[visits == 0].any()
        for node in range(int(head["nodes"])):
            first, size = int(grown.node_first[node]), int(grown.node_size[node])
            if size:
                assert sum(grown.edge_prior[first : first + size]) == pytest.approx(1.0, abs=1e-4)

    @pytest.mark.parametrize("batch", [1, 8])
    def test_a_full_tree_still_takes_values(self, batch: int) -> None:
        """More walks than fit, where chance shows a new plate after each: the tree grows no more."""
        view = Game.new(seed=3).view(Game.new(seed=3).turn)
        grown = driven(view, 800 // batch, batch, uniform, room=12)
        head = grown.head[0]
        assert head["nodes"] == len(grown.node_first)
        assert head["outcomes"] == np.count_nonzero(grown.outcome_key.array) == len(grown.outcome_key) // 2
        assert sum(visits for visits, *_ in grown.children(0).values()) == head["simulations"] == 800

    @pytest.mark.parametrize("batch", [1, 16])
    def test_no_virtual_loss_is_left_behind(self, batch: int) -> None:
        """Below an edge there are as many visits as it had, less the one that made its node."""
        view = late(1, 21)
        grown = driven(view, 320 // batch, batch, uniform)
        checked = 0
        for visits, _, _, child in grown.children(0).values():
            if child >= 0:
                below = sum(one for one, *_ in grown.children(child).values())
                assert visits - batch <= below <= visits - 1
                checked += 1
        assert checked > 3

    def test_a_constant_value_comes_back_for_the_seat_that_moves(self) -> None:
        view = Game.new(seed=3).view(Game.new(seed=3).turn)
        grown = driven(view, 6, 16, lambda leaves: uniform(leaves, 0.8))
        mine = 0.8 if view.turn == 0 else 0.2
        seen = [mean for visits, mean, *_ in grown.children(0).values() if visits]
        assert seen == pytest.approx([mine] * len(seen), abs=1e-5)

    def test_priors_of_the_caller_lead_the_walk(self) -> None:
        view = Game.new(seed=3).view(Game.new(seed=3).turn)
        wanted = 163

        def turned_once(leaves: States) -> tuple[Array, Array]:
            priors, values = uniform(leaves)
            priors[:, wanted] = 1e4
            return priors, values

        grown = driven(view, 40, 8, turned_once)
        visited = [child for visits, _, _, child in grown.children(0).values() if visits > 12 and child >= 0]
        assert visited
        for child in visited:
            below = {choice: visits for choice, (visits, *_) in grown.children(child).items()}
            assert below[wanted] == max(below.values()) > sum(below.values()) / 2

    def test_a_winning_value_draws_the_visits(self) -> None:
        """Leaves with tiles on line 6 of a seat are wins for it: takes to line 6 are visited most."""
        view = late(1, 21)
        seat = view.turn
        assert view.state["line_size"][0, seat, 5] == 0

        def good(leaves: States) -> tuple[Array, Array]:
            priors, _ = uniform(leaves)
            mine = leaves["line_size"][:, seat, 5] > 0
            return priors, np.where(mine == (seat == 0), 1.0, 0.0)

        root = driven(view, 60, 8, good).children(0)
        best = view.state
        engine.apply(best, 0, max(root, key=lambda choice: root[choice][0]))
        assert best["line_size"][0, seat, 5] > 0
