"""Settings of the search: the usual ones leave every move as it was, and each of the others does what it says."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import pytest

from sintra import Game, View
from sintra.players import PlayerError, player
from sintra.players.champion import ChampionPlayer
from sintra.players.search import Searcher, SearchPlayer
from sintra.players.thinking.batches import Leaves, absorb, gather
from sintra.players.thinking.tree import SETTING_BOUNDS, STANDARD, WEIGHT_POWER, SearchSettings, Tree, think
from sintra.rules.choices import first_of

from .test_search import moves_at_some_positions

MOVES = {
    "search:sims=300,seed=2": "b9143c1ffc059842",
    "search:sims=300,trees=2,seed=2": "12bcd0c1c83e1dc5",
    "champion:share=0.02": "dd1b039a3291d3f0",
    "level:n=6": "52013327541d827f",
    "level:n=8": "30fa60acec09dd9a",
}
"""Players, and digests of their moves from before there were settings."""


def opening() -> View:
    game = Game.new(seed=3)
    return game.view(game.turn)


def thought_through(settings: SearchSettings, simulations: int = 200, view: View | None = None) -> Tree:
    """A tree after some simulations."""
    view = view or opening()
    tree = Tree.with_room(simulations, settings=settings)
    think(tree, view.state, view.seat, 5, simulations)
    return tree


def led_to_one_choice(settings: SearchSettings, values: list[float]) -> tuple[Tree, float]:
    """A tree whose root tries one choice only, with these values for who is to move; and the mean of that choice."""
    view = opening()
    tree, leaves = Tree.with_room(len(values) + 1, settings=settings), Leaves.with_room(1)
    think(tree, view.state, view.seat, 5, 0)
    tree.edge_prior[: tree.node_size[0]] = 0.0
    tree.edge_prior[0] = 1.0
    for value in values:
        gather(tree, leaves, view.state, view.seat, seed=5)
        leaves.priors[:] = 1.0
        leaves.values[:] = value if view.seat == 0 else 1.0 - value
        absorb(tree, leaves)
    child = next(iter(tree.children(0).values()))
    assert child.visits == len(values)
    return tree, child.mean


@pytest.mark.parametrize("name", MOVES)
def test_the_usual_settings_leave_every_move_as_it_was(name: str) -> None:
    moves = " ".join(moves_at_some_positions(name))
    assert blake2b(moves.encode(), digest_size=8).hexdigest() == MOVES[name]


def test_usual_settings_that_are_named_change_nothing() -> None:
    named = ",".join(f"{name}={value}" for name, value in STANDARD._asdict().items())
    assert moves_at_some_positions(f"search:sims=60,{named}") == moves_at_some_positions("search:sims=60")


@pytest.mark.parametrize(
    "settings",
    [
        SearchSettings(explore=1.0),
        SearchSettings(first_play=0.2),
        SearchSettings(temperature=1.3),
        SearchSettings(root_temperature=1.3),
        SearchSettings(spread=0.5),
        SearchSettings(recency=0.5),
        SearchSettings(correction=0.5),
    ],
)
def test_every_setting_of_a_tree_changes_where_it_looks(settings: SearchSettings) -> None:
    assert repr(thought_through(settings).children(0)) != repr(thought_through(STANDARD).children(0))


class TestTemperature:
    def test_it_flattens_or_sharpens_the_priors_of_its_nodes(self) -> None:
        usual = thought_through(STANDARD, 1)
        for settings in (
            SearchSettings(root_temperature=2.0),
            SearchSettings(temperature=2.0),
            SearchSettings(temperature=0.5),
        ):
            tree = thought_through(settings, 1)
            temperatures = (settings.root_temperature, settings.temperature)
            for node, temperature in enumerate(temperatures):
                edges = slice(int(tree.node_first[node]), int(tree.node_first[node] + tree.node_size[node]))
                expected = usual.edge_prior[edges] ** (1 / temperature)
                assert tree.edge_prior[edges] == pytest.approx(expected / expected.sum(), rel=1e-4)


class TestSpread:
    @staticmethod
    def visits_of_the_favourite(spread: float, noise: float) -> int:
        """How often the favourite choice is tried where one is a little better than the others, with some noise."""
        view = opening()
        tree, leaves = Tree.with_room(401, settings=SearchSettings(spread=spread)), Leaves.with_room(1)
        think(tree, view.state, view.seat, 5, 0)
        tree.edge_prior[: tree.node_size[0]] = 1 / tree.node_size[0]
        dice = np.random.default_rng(1)
        for _ in range(400):
            gather(tree, leaves, view.state, view.seat, seed=5)
            value = 0.5 + 0.05 * (leaves.paths[0, 0] == 0) + noise * dice.choice([-1, 1])
            leaves.priors[:] = 1.0
            leaves.values[:] = value if view.seat == 0 else 1.0 - value
            absorb(tree, leaves)
        return max(child.visits for child in tree.children(0).values())

    def test_where_values_are_alike_it_explores_less(self) -> None:
        assert self.visits_of_the_favourite(1.0, 0.0) > 1.5 * self.visits_of_the_favourite(0.0, 0.0)

    def test_where_they_differ_it_explores_more(self) -> None:
        assert self.visits_of_the_favourite(1.0, 0.4) < self.visits_of_the_favourite(0.0, 0.4)

    def test_squares_are_those_of_the_values(self) -> None:
        values = [0.2, 0.9, 0.4, 0.7]
        tree, _ = led_to_one_choice(SearchSettings(spread=1.0), values)
        assert next(iter(tree.squares(0).values())) == pytest.approx(sum(value**2 for value in values))


class TestRecency:
    VALUES = (0.2, 0.9, 0.4, 0.7, 0.1)

    def test_without_it_all_values_count_the_same(self) -> None:
        assert led_to_one_choice(STANDARD, list(self.VALUES))[1] == pytest.approx(np.mean(self.VALUES))

    def test_with_1_each_counts_by_its_number(self) -> None:
        expected = np.average(self.VALUES, weights=range(1, len(self.VALUES) + 1))
        assert led_to_one_choice(SearchSettings(recency=1.0), list(self.VALUES))[1] == pytest.approx(expected)


class TestCorrection:
    def test_buckets_hold_the_errors_of_their_nodes(self) -> None:
        tree = thought_through(SearchSettings(correction=0.5), 600)
        nodes = int(tree.head["nodes"][0])
        inner = [node for node in range(1, nodes) if tree.node_size[node] and tree.node_weight[node]]
        assert len(inner) > 30
        for node in inner:
            edges = slice(int(tree.node_first[node]), int(tree.node_first[node] + tree.node_size[node]))
            earlier = tree.edge_visits[edges].sum() - 1
            assert tree.node_weight[node] == pytest.approx(earlier**WEIGHT_POWER)
        for sums, parts in ((tree.bucket_error, tree.node_error), (tree.bucket_weight, tree.node_weight)):
            expected = np.bincount(tree.node_bucket[inner], parts[inner], minlength=len(sums))
            assert sums == pytest.approx(expected, abs=1e-9)
        assert len(set(tree.node_bucket[inner])) < len(inner), "similar nodes share a bucket"

    def test_a_new_node_is_corrected_by_the_mean_error_of_its_bucket(self) -> None:
        """A single simulation, whose node has a bucket in which nodes were too high by 0.1 so far."""
        values = []
        for correction, error in ((0.5, 0.0), (0.5, 0.1), (1.0, 0.1)):
            view = opening()
            tree = Tree.with_room(1, settings=SearchSettings(correction=correction))
            tree.bucket_weight[:], tree.bucket_error[:] = 2.0, 2.0 * error
            think(tree, view.state, view.seat, 5, 1)
            (mean,) = (child.mean for child in tree.children(0).values() if child.visits)
            values.append(mean if view.seat == 0 else 1.0 - mean)
        assert values[1] == pytest.approx(values[0] - 0.05, abs=1e-6)
        assert values[2] == pytest.approx(values[0] - 0.1, abs=1e-6)

    def test_a_tree_that_is_used_again_has_forgotten_its_errors(self) -> None:
        tree = thought_through(SearchSettings(correction=0.5))
        view = opening()
        tree.clear()
        think(tree, view.state, view.seat, 5, 200)
        assert repr(tree.children(0)) == repr(thought_through(SearchSettings(correction=0.5)).children(0))


class TestCaution:
    @staticmethod
    def first_choice(caution: float, known: list[tuple[int, float, float]]) -> int:
        """The number of the choice that is made where so many visits had this mean and this deviation."""
        view = opening()
        searcher = Searcher(10, 1, settings=SearchSettings(caution=caution))
        searcher.run(view, 1)
        (tree,) = searcher.trees
        tree.edge_visits[: tree.node_size[0]] = 0
        for edge, (visits, mean, deviation) in enumerate(known):
            tree.edge_visits[edge] = visits
            tree.edge_total[edge] = visits * mean
            if caution:
                tree.edge_squares[edge] = visits * (mean**2 + deviation**2)
        return list(tree.children(0)).index(first_of(searcher.best(view.state)))

    def test_a_better_mean_that_is_as_sure_wins_against_more_visits(self) -> None:
        known = [(100, 0.5, 0.1), (90, 0.6, 0.1)]
        assert self.first_choice(2.0, known) == 1
        assert self.first_choice(0.0, known) == 0

    def test_a_better_mean_that_is_less_sure_does_not(self) -> None:
        known = [(100, 0.5, 0.1), (90, 0.6, 0.6)]
        assert self.first_choice(4.0, known) == 0

    def test_nor_does_one_that_was_hardly_visited(self) -> None:
        known = [(100, 0.5, 0.1), (14, 0.9, 0.0)]
        assert self.first_choice(2.0, known) == 0

    def test_a_few_values_that_are_alike_by_chance_are_not_sure(self) -> None:
        known = [(10, 0.8, 0.3), (2, 0.9, 0.0)]
        assert self.first_choice(2.0, known) == 0

    def test_a_search_with_caution_makes_legal_moves(self) -> None:
        assert len(moves_at_some_positions("search:sims=60,trees=2,caution=2")) > 10


def test_without_noise_playouts_differ_less() -> None:
    found = {}
    for noise in (0.0, 1.0):
        view = opening()
        values = set()
        for seed in range(20):
            searcher = Searcher(1, 1, settings=SearchSettings(noise=noise))
            searcher.run(view, seed)
            values |= {round(child.mean, 6) for child in searcher.trees[0].children(0).values() if child.visits}
        found[noise] = len(values)
    assert found[0.0] < found[1.0]


class TestNames:
    def test_search_and_champion_take_settings(self) -> None:
        for name in ("search:sims=10", "champion:share=0.02"):
            one = player(f"{name},explore=1.2,recency=0.5,caution=1")
            assert isinstance(one, SearchPlayer | ChampionPlayer)
            assert one.searcher.settings == SearchSettings(explore=1.2, recency=0.5, caution=1.0)
            head = one.searcher.trees[-1].head[0]
            assert (head["explore"], head["recency"], head["keeps_squares"]) == (1.2, 0.5, 1)

    def test_every_setting_has_bounds(self) -> None:
        assert tuple(SETTING_BOUNDS) == SearchSettings._fields
        for name, value in STANDARD._asdict().items():
            least, most = SETTING_BOUNDS[name]
            assert least <= value <= most

    @pytest.mark.parametrize("name", SearchSettings._fields)
    @pytest.mark.parametrize("value", ["-1", "1e9", "nan"])
    def test_a_setting_that_cannot_be_is_refused(self, name: str, value: str) -> None:
        with pytest.raises(PlayerError, match=f"^{name}=.* of a search must be "):
            player(f"search:{name}={value}")

    def test_an_unknown_setting_is_refused(self) -> None:
        with pytest.raises(PlayerError, match="no setting 'depth'"):
            SearchPlayer(sims=10, depth=3.0)
