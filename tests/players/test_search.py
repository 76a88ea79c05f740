"""The tree search: repeatable, legal everywhere, honest, strong, and open to other evaluators."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from helpers import legal_choices, play_on
from random_positions import view_alike
from sintra import Game, Goal, Move, Rules, Stage, View
from sintra.arena.selfplay import play_game
from sintra.players import Clock, Player, player, tiler, tree
from sintra.players.value import standard_value
from sintra.rules import engine
from sintra.rules.choices import CHOICES
from sintra.rules.state import STATE, Array, States

from .helpers import wins_of

ALL_GOALS = (Goal.COLORS, Goal.EDGE, Goal.CORNERS, Goal.SPECIALS)
RULES = (
    Rules(ALL_GOALS, "free", False),
    Rules((Goal.ROWS, Goal.COLUMNS, Goal.WILDS)),
    Rules((Goal.ROWS, Goal.COLUMNS, Goal.DIAGONALS, Goal.WILDS), "free"),
    Rules((Goal.COLORS, Goal.DIAGONALS, Goal.SPECIALS), "forced", False),
)


def moves_at_some_positions(name: str) -> list[str]:
    """What a player would do at some positions of a random game."""
    one = player(name)
    one.new_game(3)
    found = []
    for game in play_on(Game.new(seed=5), "drawing", Random(5)):
        if not game.is_over and game.ply % 8 == 0:
            found.append(str(one.choose(game.view(game.turn))))
    return found


class TestRepeatable:
    @pytest.mark.parametrize("name", ["search:sims=60,seed=2", "search:sims=60,trees=2,seed=2"])
    def test_the_same_seed_and_budget_give_the_same_moves(self, name: str) -> None:
        moves = moves_at_some_positions(name)
        assert len(moves) > 10
        assert moves_at_some_positions(name) == moves

    def test_another_process_finds_the_same_moves(self) -> None:
        program = "import sys; from players.test_search import moves_at_some_positions as moves; "
        program += "print(*(move for name in sys.argv[1:] for move in moves(name)))"
        names = ["search:sims=60,seed=2", "search:sims=60,trees=2,seed=2"]
        paths = [path for path in sys.path if path]
        program = f"import sys; sys.path[:0] = {paths!r}; " + program
        done = subprocess.run([sys.executable, "-c", program, *names], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [move for name in names for move in moves_at_some_positions(name)]

    def test_what_was_thought_before_leaves_no_trace(self) -> None:
        game = Game.new(seed=9)
        view = game.view(game.turn)
        one = player("search:sims=50")
        fresh = one.choose(view)
        moves_elsewhere = moves_at_some_positions("search:sims=50")
        for seed in range(3):
            other = Game.new(seed=seed)
            one.choose(other.view(other.turn))
        assert one.choose(view) == fresh
        assert len(set(moves_elsewhere)) > 5

    def test_the_seed_matters(self) -> None:
        assert len({tuple(moves_at_some_positions(f"search:sims=4,seed={seed}")) for seed in range(3)}) == 3


class TestLegal:
    @pytest.mark.parametrize("k", range(len(RULES)))
    def test_whole_games_with_tiny_budgets(self, k: int) -> None:
        game = Game.new(seed=k, rules=RULES[k])
        seats = [player("search:sims=6,nodes=300"), player("search:sims=9,trees=3,nodes=0")]
        play_game(game, seats, k)
        assert game.is_over

    def test_every_stage_is_answered(self) -> None:
        stages: set[Stage] = set()
        one = player("search:sims=5,nodes=200")
        for k, rules in enumerate(RULES):
            for taste in ("drawing", "chips"):
                for game in play_on(Game.new(seed=k, rules=rules), taste, Random(k)):
                    if not game.is_over:
                        stages.add(game.stage)
                        assert one.choose(game.view(game.turn)) in game.legal_moves
        whole = {Stage.OPENING, Stage.TURN, Stage.DRAWING, Stage.KEEPING, Stage.RETURNING, Stage.TILING, Stage.PAYING}
        assert stages == whole


class TestHonest:
    """A player sees what its seat may know, and cannot tell one hidden truth from another (R8)."""

    @pytest.mark.parametrize(
        "name",
        ["random", "greedy", "search:sims=12,nodes=400", "level:n=1", "level:n=2", "level:n=3", "level:n=4"],
    )
    def test_another_hidden_truth_gives_the_same_move(self, name: str) -> None:
        for seed, taste in ((1, "drawing"), (2, "chips")):
            one, twin = player(name), player(name)
            one.new_game(seed)
            twin.new_game(seed)
            differ = 0
            for game in play_on(Game.new(seed=seed), taste, Random(seed)):
                if game.is_over:
                    break
                view = game.view(game.turn)
                other = view.sample_state(game.ply)
                differ += hidden(other) != hidden(game.state)
                assert one.choose(view) == twin.choose(View.of_state(other, 0, game.turn))
            assert differ > 50

    def test_a_player_gets_nothing_but_the_view_of_its_seat(self) -> None:
        class Witness:
            name = "witness"

            def __init__(self, seat: int) -> None:
                self.seat = seat
                self.asked = 0

            def new_game(self, seed: int) -> None:
                assert isinstance(seed, int)

            def choose(self, view: View, clock: Clock | None = None) -> Move:
                self.asked += 1
                assert type(view) is View
                assert view.seat == self.seat == view.turn
                assert view == view_alike(view, self.asked)
                return view.legal_moves[self.asked % len(view.legal_moves)]

        seats = [Witness(0), Witness(1)]
        assert all(isinstance(one, Player) for one in seats)
        play_game(Game.new(seed=4), seats, 1)
        assert min(one.asked for one in seats) > 30


def hidden(states: States) -> bytes:
    """What no seat sees: the order of the pile and of the chips to come."""
    return states["pile"].tobytes() + states["chip_order"].tobytes()


def test_search_beats_the_yardstick() -> None:
    assert wins_of("search:sims=150", "greedy", seed=50) >= 5


Evaluator = Callable[[States], tuple[Array, Array]]


def uniform(leaves: States, value: float = 0.5) -> tuple[Array, Array]:
    """The same prior for every choice, and the same value for every leaf."""
    return np.ones((len(leaves), CHOICES)), np.full(len(leaves), value)


def by_rollout(leaves: States) -> tuple[Array, Array]:
    """The same prior for every choice; values by random play to the end of the game."""
    values = []
    for k in range(len(leaves)):
        played = leaves[k : k + 1].copy()
        engine.reseed(played, 0, k)
        engine.play_random(played, 0, 10_000, np.zeros(1, np.int64))
        values.append(float(engine.who_won(played, 0) == 0))
    return np.ones((len(leaves), CHOICES)), np.array(values)


def driven(view: View, batches: int, batch: int, evaluate: Evaluator, room: int | None = None) -> tree.Tree:
    """A tree grown by batches of leaves that are valued outside; with room for all of them unless told."""
    grown = tree.Tree(batches * batch if room is None else room)
    leaves = np.zeros(batch, STATE)
    paths = np.zeros((batch, tree.MOST_DEPTH), np.int64)
    seats = np.zeros((batch, tree.MOST_DEPTH), np.int8)
    depths, hooks = np.zeros(batch, np.int64), np.zeros(batch, np.int64)
    value, work = standard_value(), tiler.new_work()
    for _ in range(batches):
        n = tree.gather(grown.arrays, view.state, view.seat, 11, leaves, paths, seats, depths, hooks)
        assert n == batch
        assert (depths > 0).all()
        priors, values = evaluate(leaves)
        tree.absorb(
            grown.arrays, leaves, paths, seats, depths, hooks, priors, values, value.weights, value.scales, work
        )
    return grown


def late(seed: int, tiles: int) -> View:
    """A view late in a round, with so many tiles left at most."""
    for game in play_on(Game.new(seed=seed), "uniform", Random(seed)):
        state = game.state
        left = int(state["sun"].sum() + state["stack_height"].sum() + state["moon"].sum())
        if game.stage is Stage.TURN and left <= tiles and len(game.legal_moves) > 2:
            return game.view(game.turn)
    raise AssertionError("there is no such view")


class TestBatches:
    """`gather` and `absorb`: leaves are valued outside."""

    VIEWS = (Game.new(seed=3).view(Game.new(seed=3).turn), late(1, 21), late(2, 9), late(3, 4), late(4, 2))

    @pytest.mark.parametrize("view", VIEWS)
    @pytest.mark.parametrize("batch", [1, 8, 32])
    @pytest.mark.parametrize("evaluate", [uniform, by_rollout])
    def test_visits_add_up_and_values_are_chances(self, view: View, batch: int, evaluate: Evaluator) -> None:
        grown = driven(view, 192 // batch, batch, evaluate)
        head = grown.head[0]
        assert head["simulations"] == 192
        root = grown.children(0)
        assert set(root) == set(legal_choices(view.state))
        assert sum(visits for visits, *_ in root.values()) == 192
        edges = slice(0, int(head["edges"]))
        visits, totals = grown.edge_visits[edges], grown.edge_total[edges]
        assert (visits >= 0).all()
        assert (totals >= -1e-3).all()
        assert (totals <= visits + 1e-3).all()
        assert not totals[visits == 0].any()
        for node in range(int(head["nodes"])):
            first, size = int(grown.node_first[node]), int(grown.node_size[node])
            if size:
                assert grown.edge_prior[first : first + size].sum() == pytest.approx(1.0, abs=1e-4)

    @pytest.mark.parametrize("batch", [1, 8])
    def test_a_full_tree_still_takes_values(self, batch: int) -> None:
        """More walks than fit, where chance shows a new plate after each: the tree grows no more."""
        view = Game.new(seed=3).view(Game.new(seed=3).turn)
        grown = driven(view, 800 // batch, batch, uniform, room=12)
        head = grown.head[0]
        assert head["nodes"] == len(grown.node_first)
        assert head["outcomes"] == np.count_nonzero(grown.outcome_key) == len(grown.outcome_key) // 2
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
