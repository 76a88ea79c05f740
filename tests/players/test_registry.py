"""The registry: players by name, with parameters, and what it says when something is wrong."""

from __future__ import annotations

import pytest

from sintra import Game
from sintra.players import Clock, Player, PlayerError, entries, player
from sintra.players.levels import LEVELS, LevelPlayer
from sintra.players.search import SearchPlayer

NAMES = ("random", "simple", "search", "classic", "champion", "greedy", "level")


def test_there_are_these_players() -> None:
    assert tuple(entry.name for entry in entries())[: len(NAMES)] == NAMES
    for entry in entries():
        assert entry.summary
        assert "seed" not in entry.parameters or entry.parameters["seed"] is int


@pytest.mark.parametrize("name", NAMES)
def test_every_player_is_made_by_its_name_alone(name: str) -> None:
    made = player(name)
    assert isinstance(made, Player)
    assert made.name == name


def test_a_player_keeps_the_text_it_was_made_from_as_its_name() -> None:
    assert player("search:sims=50,seed=7").name == "search:sims=50,seed=7"
    assert player("level:n=2").name == "level:n=2"


def test_parameters_reach_the_player() -> None:
    made = player("search:sims=50,seed=7,trees=2,nodes=0")
    assert isinstance(made, SearchPlayer)
    assert made.searcher.simulations == 50
    assert len(made.searcher.trees) == 2
    assert made.endgame is None


def test_the_nodes_of_the_endgame_follow_from_the_simulations_or_are_given() -> None:
    plain, given = player("search:sims=50"), player("search:sims=50,nodes=77")
    assert isinstance(plain, SearchPlayer)
    assert isinstance(given, SearchPlayer)
    assert plain.endgame
    assert given.endgame
    assert (plain.endgame.nodes, given.endgame.nodes) == (600, 77)


def test_another_seed_is_another_random_player() -> None:
    view = Game.new(seed=1).view(Game.new(seed=1).turn)
    moves = {seed: player(f"random:seed={seed}").choose(view) for seed in range(12)}
    assert len(set(moves.values())) > 6
    assert moves == {seed: player(f"random:seed={seed}").choose(view) for seed in range(12)}


def test_a_level_is_known_by_number_and_by_name() -> None:
    for level in LEVELS[:4]:
        for text in (str(level.number), level.name.lower()):
            made = player(f"level:n={text}")
            assert isinstance(made, LevelPlayer)
            assert made.level is level


def test_a_clock_is_optional() -> None:
    game = Game.new(seed=3)
    for name in ("random", "greedy", "search:sims=4", "level:n=1"):
        view = game.view(game.turn)
        assert player(name).choose(view, Clock(60.0)) == player(name).choose(view)


def test_a_clock_that_runs_out_makes_the_search_hurry() -> None:
    game = Game.new(seed=3)
    hurried = player("search:sims=400")
    hurried.choose(game.view(game.turn), Clock(1.0))
    assert isinstance(hurried, SearchPlayer)
    assert hurried.searcher.trees[0].head["simulations"][0] == 20


def test_hurry_comes_in_steps() -> None:
    shares = [Clock(tenths / 10).share for tenths in range(301)]
    assert shares == sorted(shares)
    assert sorted(set(shares)) == [0.05, 0.125, 0.25, 0.5, 1.0]
    assert (shares[0], shares[-1]) == (0.05, 1.0)


def test_an_increment_leaves_time_to_think_unless_almost_nothing_is_left() -> None:
    assert Clock(4.0, 10.0).share == 1.0 > Clock(4.0).share
    assert Clock(0.2, 10.0).share == Clock(0.2).share == 0.05


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gready", "unknown player 'gready': there are champion, classic, greedy, level, random, search, simple"),
        ("", "unknown player '': there are champion, classic, greedy, level, random, search, simple"),
        ("greedy:sims=3", "player 'greedy' has no parameter 'sims=3': it takes seed=…"),
        ("search:sims", "player 'search' has no parameter 'sims': it takes sims=…, trees=…"),
        ("search:sims=many", "sims='many' of player 'search' must be of type int"),
        ("random:seed=", "seed='' of player 'random' must be of type int"),
        ("search:sims=0", "1 to 8 trees and at least one simulation for each"),
        ("search:sims=100,trees=9", "1 to 8 trees"),
        ("search:trees=0", "1 to 8 trees"),
        ("search:value=nowhere.json", "cannot read weights from nowhere.json"),
        ("level:n=99", f"unknown level '99': there are 1 to {len(LEVELS)}"),
        ("level:n=0", f"unknown level '0': there are 1 to {len(LEVELS)}"),
    ],
)
def test_an_error_says_what_would_be_right(text: str, says: str) -> None:
    with pytest.raises(PlayerError) as caught:
        player(text)
    assert says in str(caught.value)
