"""The learned opinion on choices: the compiled network says what its numbers say, in the search and in files."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from helpers import legal_choices, play_on
from sintra import Game
from sintra.features.inputs import MAX_INPUTS, inputs_of
from sintra.features.rows import MAX_ROWS, rows_of
from sintra.players import PlayerError, player
from sintra.players.search import Searcher
from sintra.players.thinking.evaluator import (
    HAND,
    MIN_PRIOR,
    TEMPERATURE,
    hand_made_evaluator,
    load_evaluator,
    standard_evaluator,
)
from sintra.players.thinking.network import ARRAYS, load_network, no_network, save_network
from sintra.rules.state import Array, Stage, States


def any_network(seed: int) -> Array:
    """One with numbers by chance."""
    dice = np.random.default_rng(seed)
    network = no_network()
    for name in ARRAYS:
        network[name][0] = dice.normal(0, 0.2, network[name][0].shape)
    network["is_there"] = 1
    return network


def priors(states: States, network: Array) -> dict[int, float]:
    """What the search takes for priors at a root."""
    searcher = Searcher(1, 1, hand_made_evaluator().with_network(network))
    view = Game(states).view(int(states["turn"][0]))
    searcher.run(view, 1)
    return {choice: child.prior for choice, child in searcher.trees[0].children(0).items()}


def worked_out(states: States, network: Array, chosen: list[int], by_hand: list[float]) -> Array:
    """The priors worked out from the numbers of the network, with NumPy."""
    network, there = network.array, np.zeros(MAX_INPUTS, np.int16)
    n = inputs_of(states, 0, int(states["turn"][0]), there)
    hidden = np.maximum(0, network["bias"][0] + network["inputs"][0][there[:n]].sum(0))
    rows = np.zeros((len(chosen), MAX_ROWS), np.int16)
    sizes = np.zeros(len(chosen), np.int64)
    rows_of(states, 0, np.array(chosen, np.int16), rows, sizes)
    opinion = network["opinion"][0, int(states["stage"][0])]
    logits = np.array(
        [
            opinion * hand + network["row_bias"][0][row[:size]].sum() + (network["rows"][0][row[:size]] @ hidden).sum()
            for hand, row, size in zip(by_hand, rows, sizes, strict=True)
        ]
    )
    weights = np.exp(logits - logits.max()) + MIN_PRIOR
    return np.asarray(weights / weights.sum())


def opinions_by_hand(states: States, chosen: list[int]) -> list[float]:
    """The hand-made opinions, from the priors that they give."""
    found = priors(states, no_network())
    most = max(found.values())
    total = (1 + MIN_PRIOR) / most
    return [TEMPERATURE * float(np.log(max(found[one] * total - MIN_PRIOR, 1e-12))) for one in chosen]


def test_the_search_gets_what_the_numbers_say() -> None:
    compared = 0
    for ply, game in enumerate(play_on(Game.new(seed=6), "drawing", Random(4), most=60)):
        if game.stage in (Stage.TILING, Stage.PAYING, Stage.RETURNING) or ply % 5:
            continue
        network, chosen = any_network(ply), legal_choices(game.state)
        by_hand = opinions_by_hand(game.state, chosen)
        expected = worked_out(game.state, network, chosen, by_hand)
        found = priors(game.state, network)
        assert [found[one] for one in chosen] == pytest.approx(expected.tolist(), rel=2e-2, abs=2e-4)
        compared += 1
    assert compared > 5


def test_a_network_that_has_learned_nothing_thinks_as_by_hand() -> None:
    network = no_network()
    network["opinion"] = 1 / TEMPERATURE
    network["is_there"] = 1
    state = Game.new(seed=2).state
    assert priors(state, network) == pytest.approx(priors(state, no_network()))


def test_a_network_survives_in_a_file(tmp_path: Path) -> None:
    network = any_network(1)
    save_network(network, tmp_path / "network.npz", games=7)
    found = load_network(tmp_path / "network.npz")
    for name in ARRAYS:
        assert found.part(name).flattened() == pytest.approx(network.part(name).flattened(), rel=1e-3, abs=1e-4)
    assert found.get("is_there") == 1
    assert load_evaluator(policy=str(tmp_path / "network.npz")).network.tobytes() == found.tobytes()


def test_a_network_is_read_by_the_names_of_its_features(tmp_path: Path) -> None:
    """A file in which inputs and rows stand in another order, one of each is missing and one is unknown here: what is
    missing weighs nothing, and everything else is what it was."""
    save_network(any_network(1), tmp_path / "network.npz")
    saved = load_network(tmp_path / "network.npz")
    arrays = dict(np.load(tmp_path / "network.npz"))
    for names, named in (("input_names", ("inputs",)), ("row_names", ("rows", "row_bias"))):
        known = str(arrays[names]).split("\n")
        arrays[names] = np.array("\n".join(["once upon a time", *reversed(known[1:])]))
        for name in named:
            arrays[name] = np.concatenate([arrays[name][:1], arrays[name][:0:-1]])
            saved[name][0, 0] = 0
    np.savez(tmp_path / "other.npz", **arrays)
    assert load_network(tmp_path / "other.npz").tobytes() == saved.tobytes()


def test_a_network_without_names_has_the_features_of_today(tmp_path: Path) -> None:
    save_network(any_network(1), tmp_path / "network.npz")
    arrays = dict(np.load(tmp_path / "network.npz"))
    del arrays["input_names"], arrays["row_names"]
    np.savez(tmp_path / "unnamed.npz", **arrays)
    assert load_network(tmp_path / "unnamed.npz").tobytes() == load_network(tmp_path / "network.npz").tobytes()
    arrays["inputs"] = arrays["inputs"][:-1]
    np.savez(tmp_path / "shorter.npz", **arrays)
    with pytest.raises(PlayerError, match="inputs must be of shape"):
        load_network(tmp_path / "shorter.npz")
    np.savez(tmp_path / "misnamed.npz", **arrays, input_names="one\ntwo")
    with pytest.raises(PlayerError, match="2 names for an array of "):
        load_network(tmp_path / "misnamed.npz")


def test_a_file_that_holds_no_network_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"cannot read a network from .*nowhere\.npz"):
        load_network(tmp_path / "nowhere.npz")
    (tmp_path / "text.npz").write_text("hello")
    with pytest.raises(PlayerError, match=r"cannot read a network from .*text\.npz"):
        player(f"search:policy={tmp_path / 'text.npz'}")
    np.savez(tmp_path / "old.npz", version=0)
    with pytest.raises(PlayerError, match="it is for version 0 of the features"):
        load_network(tmp_path / "old.npz")
    broken = any_network(1)
    broken["bias"][0, 3] = np.nan
    save_network(broken, tmp_path / "broken.npz")
    with pytest.raises(PlayerError, match="it contains NaN or infinity"):
        load_network(tmp_path / "broken.npz")


def test_the_package_has_a_network_and_the_classic_player_does_without() -> None:
    assert standard_evaluator().network["is_there"][0] == 1
    assert load_evaluator(policy=HAND).network["is_there"][0] == 0
    by_hand = player("search:sims=60,policy=hand,value=classic")
    classic, learned = player("classic:sims=60"), player("search:sims=60")
    games = [Game.new(seed=seed) for seed in range(12)]
    views = [game.view(game.turn) for game in games]
    assert [by_hand.choose(one) for one in views] == [classic.choose(one) for one in views]
    assert [learned.choose(one) for one in views] != [classic.choose(one) for one in views]
    assert all(one.to_move for one in views)
