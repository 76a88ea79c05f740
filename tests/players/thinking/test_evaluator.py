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
from sintra.players.thinking.evaluator import Evaluator, chance_to_win, load_evaluator, standard_evaluator


class TestFiles:
    def test_an_evaluator_survives_being_written(self, tmp_path: Path) -> None:
        dice = Random(3)
        weights = np.array([[round(dice.uniform(-9, 9), 4) for _ in range(FEATURES)] for _ in range(ROUNDS)])
        value = Evaluator(weights, np.array([13.5, 11.25, 9.0, 7.125, 4.0]))
        value.save(tmp_path / "value.json")
        for read in (Evaluator.loads(value.dumps()), load_evaluator(str(tmp_path / "value.json"))):
            assert np.array_equal(read.weights, weights)
            assert np.array_equal(read.scales, value.scales)

    def test_a_blank_one_sees_the_score_only(self) -> None:
        blank = Evaluator.blank()
        assert not blank.weights.any()
        assert blank.weights.shape == (ROUNDS, FEATURES)
        assert (blank.scales > 0).all()
        assert len(blank.scales) == ROUNDS

    def test_the_packaged_one_names_every_feature(self) -> None:
        text = resources.files("sintra.players.thinking").joinpath("value.json").read_text("utf-8")
        assert list(json.loads(text)["weights"]) == NAMES
        value = standard_evaluator()
        assert np.isfinite(value.weights).all()
        assert value.weights[: ROUNDS - 1].any(axis=1).all()
        assert not value.weights[ROUNDS - 1].any()
        assert (value.scales > 0).all()

    def test_features_that_are_not_named_weigh_nothing(self) -> None:
        value = Evaluator.loads(
            '{"scales": [1, 2, 3, 4, 5], "weights": {"bias": [1, 2, 3, 4, 5], "hair": [1, 1, 1, 1, 1]}}'
        )
        assert value.weights[:, NAMES.index("bias")].tolist() == [1, 2, 3, 4, 5]
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


def test_less_foresight_weighs_less_and_is_as_sure() -> None:
    full = standard_evaluator()
    half = full.with_foresight(0.5)
    assert np.array_equal(half.weights, full.weights * 0.5)
    assert np.array_equal(half.scales, full.scales)
    assert not full.with_foresight(0.0).weights.any()


def test_a_lead_is_a_chance_to_win() -> None:
    assert chance_to_win(0.0, 8.0) == 0.5
    assert chance_to_win(3.0, 8.0) == pytest.approx(1 - chance_to_win(-3.0, 8.0))
    assert 0.5 < chance_to_win(3.0, 8.0) < chance_to_win(3.0, 4.0) < 1
