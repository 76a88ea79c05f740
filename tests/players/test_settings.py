"""Settings of the search: the usual ones leave every move as it was, and each of the others does what it says."""

from __future__ import annotations

from hashlib import blake2b

import pytest

from sintra import Game, View
from sintra.players import PlayerError, player
from sintra.players.champion import ChampionPlayer
from sintra.players.search import SearchPlayer
from sintra.players.thinking.tree import SETTING_BOUNDS, STANDARD, SearchSettings, Tree, think

from .test_search import moves_at_some_positions

MOVES = {
    "search:sims=300,seed=2": "61748e81449911ae",
    "search:sims=300,trees=2,seed=2": "f15f072582546328",
    "champion:share=0.02": "025046ee2dd4915e",
    "level:n=6": "aa85146ebaffd829",
    "level:n=8": "078f2d35cc60cb2c",
}
"""Players, and digests of the moves that they make with the packaged network and value."""


def opening() -> View:
    game = Game.new(seed=3)
    return game.view(game.turn)


def thought_through(settings: SearchSettings, simulations: int = 200, view: View | None = None) -> Tree:
    """A tree after some simulations."""
    view = view or opening()
    tree = Tree.with_room(simulations, settings=settings)
    think(tree, view.state, view.seat, 5, simulations)
    return tree


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
                expected = usual.edge_prior.array[edges] ** (1 / temperature)
                assert tree.edge_prior.array[edges] == pytest.approx(expected / expected.sum(), rel=1e-4)


class TestNames:
    def test_search_and_champion_take_settings(self) -> None:
        for name in ("search:sims=10", "champion:share=0.02"):
            one = player(f"{name},explore=1.2,temperature=0.9")
            assert isinstance(one, SearchPlayer | ChampionPlayer)
            head = one.searcher.trees[-1].head[0]
            assert (head["explore"], head["temperature"], head["root_temperature"]) == (1.2, 0.9, 1.0)

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
