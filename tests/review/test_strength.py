"""The place on the ladder that an error rate speaks for."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sintra.players.levels import LEVELS, Level
from sintra.review.strength import DECISIONS, PRIOR_ELO, ROOT_ERROR_BY_LEVEL, strength_of

rates = st.floats(0, 0.2)


def test_every_level_has_its_errors_and_stronger_ones_no_more() -> None:
    assert list(ROOT_ERROR_BY_LEVEL) == [level.number for level in LEVELS]
    for weaker, stronger in pairwise(ROOT_ERROR_BY_LEVEL.values()):
        assert weaker.mean >= stronger.mean
        assert weaker.sd >= stronger.sd
    assert all(error.sd > 0 for error in ROOT_ERROR_BY_LEVEL.values())


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_who_errs_like_a_level_is_near_it(level: Level) -> None:
    found = strength_of(ROOT_ERROR_BY_LEVEL[level.number].mean ** 2, DECISIONS)
    assert found.low <= level.elo <= found.high
    assert found.low < found.elo < found.high
    surer = strength_of(ROOT_ERROR_BY_LEVEL[level.number].mean ** 2, 20 * DECISIONS)
    assert abs(surer.elo - level.elo) < 200, "levels 10 and 11, 160 Elo apart, err alike"
    assert surer.high - surer.low < found.high - found.low


@given(first=rates, second=rates, decisions=st.integers(1, 80))
@example(first=0.0, second=0.0003, decisions=79)
def test_more_errors_never_speak_for_more_strength(first: float, second: float, decisions: int) -> None:
    better, worse = (strength_of(rate, decisions) for rate in sorted((first, second)))
    assert better.elo >= worse.elo - 1e-6


def test_nothing_seen_tells_nothing() -> None:
    found = strength_of(0.0, 0)
    assert found.elo == pytest.approx(PRIOR_ELO.mean, abs=60)
    assert found.high - found.low > 3 * PRIOR_ELO.sd
    assert found.to_dict() == {"elo": round(found.elo), "low": round(found.low), "high": round(found.high)}
