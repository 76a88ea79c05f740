"""The test's own judge, against the printed tables of the distribution."""

from __future__ import annotations

import pytest

from chi_squared import chi_squared, upper_tail


@pytest.mark.parametrize(
    ("distance", "freedom", "share"),
    [
        (3.841, 1, 0.05),
        (10.828, 1, 0.001),
        (5.991, 2, 0.05),
        (7.815, 3, 0.05),
        (18.307, 10, 0.05),
        (29.588, 10, 0.001),
        (43.773, 30, 0.05),
        (124.342, 100, 0.05),
        (0.0, 1, 1.0),
        (0.0, 4, 1.0),
    ],
)
def test_shares_are_those_of_the_tables(distance: float, freedom: int, share: float) -> None:
    assert upper_tail(distance, freedom) == pytest.approx(share, rel=1e-3)


def test_counts_are_compared_with_what_is_expected() -> None:
    assert chi_squared([44, 56]) == pytest.approx(0.2301, abs=1e-4)
    assert chi_squared([10, 20, 30], [10, 20, 30]) == 1
    assert chi_squared([30, 20, 10], [10, 20, 30]) < 1e-6
