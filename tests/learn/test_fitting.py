"""Fitting the value of boards to games whose outcome follows from one feature."""

from __future__ import annotations

import numpy as np
import pytest

from sintra.components import ROUNDS
from sintra.features.board import FEATURES, NAMES
from sintra.learn.fitting import LAST_SCALE, SAMPLE, fit


def test_what_boards_still_gain_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Boards gain 3 points for one feature and 5 in any case: these are the weights, in every round but the last."""
    rng = np.random.default_rng(1)
    notes = np.zeros(2000, SAMPLE)
    notes["features"] = rng.normal(size=(2000, ROUNDS, 2, FEATURES))
    notes["features"][..., NAMES.index("bias")] = 1
    notes["features"][..., 7] = notes["features"][:, :1, :, 7]
    notes["final"] = np.round(20 + 5 + 3 * notes["features"][:, 0, :, 7])
    notes["score"] = 20
    found = fit(notes, ridge=1.0)
    weights = found.weights.array
    assert weights[:-1, NAMES.index("bias")] == pytest.approx(5, abs=0.1)
    assert weights[:-1, 7] == pytest.approx(3, abs=0.1)
    others = np.delete(weights, [7, NAMES.index("bias")], axis=1)
    assert abs(others).max() < 0.1
    assert not weights[-1].any()
    assert found.scales[-1] == LAST_SCALE
    assert min(found.scales) > 0
    assert capsys.readouterr().out.count("4000 boards") == ROUNDS - 1
    assert np.array_equal(fit(notes, ridge=1.0).weights, found.weights)
