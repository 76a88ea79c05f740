"""The evaluator: its files, and what its parts say to Python."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from random import Random

import numpy as np
import pytest

from sintra.components import ROUNDS
from sintra.features.board import FEATURES, NAMES
from sintra.players import PlayerError
from sintra.players.thinking.evaluator import (
    INPUT_NAMES,
    Evaluator,
    HiddenLayer,
    chance_to_win,
    load_evaluator,
    standard_evaluator,
)
from sintra.players.thinking.tiler import Tiler

from ..helpers import begun_tilings


def with_hidden_layer(seed: int) -> Evaluator:
    """The packaged weights with a hidden layer of random numbers."""
    dice = np.random.default_rng(seed)
    made = standard_evaluator().with_foresight(1.0)
    made.set_hidden(HiddenLayer(*(dice.normal(0, 0.3, one.shape) for one in HiddenLayer.blank())))
    return made


class TestFiles:
    def test_an_evaluator_survives_being_written(self, tmp_path: Path) -> None:
        dice = Random(3)
        weights = np.array([[round(dice.uniform(-9, 9), 4) for _ in range(FEATURES)] for _ in range(ROUNDS)])
        value = Evaluator(weights, np.array([13.5, 11.25, 9.0, 7.125, 4.0]))
        value.save(tmp_path / "value.json")
        for read in (Evaluator.loads(value.dumps()), load_evaluator(str(tmp_path / "value.json"))):
            assert np.array_equal(read.weights, weights)
            assert np.array_equal(read.scales, np.asarray(value.scales))

    def test_a_hidden_layer_survives_being_written(self) -> None:
        value = with_hidden_layer(3)
        read = Evaluator.loads(value.dumps())
        assert value.hidden is not None
        assert read.hidden is not None
        for made, found in zip(value.hidden, read.hidden, strict=True):
            assert found.flattened() == pytest.approx(made.flattened(), abs=1e-4)
        assert list(json.loads(value.dumps())["hidden"]["inputs"]) == INPUT_NAMES
        assert Evaluator.loads(load_evaluator("classic").dumps()).hidden is None

    def test_a_blank_one_sees_the_score_only(self) -> None:
        blank = Evaluator.blank()
        assert not np.asarray(blank.weights).any()
        assert np.asarray(blank.weights).shape == (ROUNDS, FEATURES)
        assert min(blank.scales) > 0
        assert len(blank.scales) == ROUNDS

    def test_the_packaged_one_names_every_feature(self) -> None:
        text = resources.files("sintra.players.thinking").joinpath("value.json").read_text("utf-8")
        assert list(json.loads(text)["weights"]) == NAMES
        value = standard_evaluator()
        assert np.isfinite(value.weights.array).all()
        assert np.asarray(value.weights)[: ROUNDS - 1].any(axis=1).all()
        assert not np.asarray(value.weights)[ROUNDS - 1].any()
        assert min(value.scales) > 0

    def test_features_that_are_not_named_weigh_nothing(self) -> None:
        value = Evaluator.loads(
            '{"scales": [1, 2, 3, 4, 5], "weights": {"bias": [1, 2, 3, 4, 5], "hair": [1, 1, 1, 1, 1]}}'
        )
        assert np.asarray(value.weights)[:, NAMES.index("bias")].tolist() == [1, 2, 3, 4, 5]
        assert np.count_nonzero(value.weights) == 5

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "{}",
            '{"weights": {}}',
            '{"weights": {"bias": [1, 2]}, "scales": [1, 2, 3, 4, 5]}',
            '{"weights": {"bias": "heavy"}, "scales": [1, 2, 3, 4, 5]}',
            '{"weights": [], "scales": [1, 2, 3, 4, 5]}',
            '{"weights": {}, "scales": [1, 2]}',
            '{"weights": {}, "scales": ["a", "b", "c", "d", "e"]}',
            '{"weights": {}, "scales": [1, 2, 3, 4, 5], "hidden": {}}',
            '{"weights": {}, "scales": [1, 2, 3, 4, 5], "hidden": []}',
            with_hidden_layer(1).dumps().replace('"score": [', '"score": [1, '),
            with_hidden_layer(1).dumps().replace('"score": [', '"score": [NaN], "hair": ['),
        ],
    )
    def test_a_damaged_file_is_refused(self, text: str, tmp_path: Path) -> None:
        path = tmp_path / "value.json"
        path.write_text(text, "utf-8")
        with pytest.raises(PlayerError, match="cannot read weights from"):
            load_evaluator(str(path))

    def test_a_missing_file_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(PlayerError, match=r"cannot read weights from .*nothing\.json"):
            load_evaluator(str(tmp_path / "nothing.json"))


def test_a_hidden_layer_adds_what_it_makes_of_a_board_to_its_value() -> None:
    value = with_hidden_layer(5)
    layer = value.hidden
    assert layer is not None
    plain, full = Tiler(Evaluator(value.weights, np.asarray(value.scales))), Tiler(value)
    added: list[float] = []
    for states in begun_tilings(7):
        if states["round_no"][0] == ROUNDS:
            assert full.value(states, 0) == plain.value(states, 0)
            continue
        expected = plain.value(states, 0)
        score, features = plain.work.get("best_score"), plain.work.get("best_features")
        seen = np.append(features, score) @ layer.to_hidden.array + layer.hidden_bias.array[states["round_no"][0] - 1]
        added.append(float(np.maximum(seen, 0) @ layer.from_hidden.array + layer.bias[states["round_no"][0] - 1]))
        assert full.value(states, 0) == pytest.approx(expected + added[-1], abs=1e-3)
    assert len(added) >= 2 * (ROUNDS - 1)
    assert np.std(added) > 1


def test_less_foresight_weighs_less_and_is_as_sure() -> None:
    full = standard_evaluator()
    half = full.with_foresight(0.5)
    assert np.array_equal(half.weights, np.asarray(full.weights) * 0.5)
    assert np.array_equal(half.scales, np.asarray(full.scales))
    assert not np.asarray(full.with_foresight(0.0).weights).any()


def test_less_foresight_makes_less_of_a_hidden_layer() -> None:
    layer, less = with_hidden_layer(5).hidden, with_hidden_layer(5).with_foresight(0.25).hidden
    assert layer is not None
    assert less is not None
    assert less.from_hidden.tolist() == pytest.approx([one / 4 for one in layer.from_hidden])
    assert less.bias.tolist() == pytest.approx([one / 4 for one in layer.bias])
    assert np.array_equal(less.to_hidden, layer.to_hidden)


def test_a_lead_is_a_chance_to_win() -> None:
    assert chance_to_win(0.0, 8.0) == 0.5
    assert chance_to_win(3.0, 8.0) == pytest.approx(1 - chance_to_win(-3.0, 8.0))
    assert 0.5 < chance_to_win(3.0, 8.0) < chance_to_win(3.0, 4.0) < 1
