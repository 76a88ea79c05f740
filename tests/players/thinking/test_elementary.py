"""Exponentials and logarithms of our own: how exact they are, and that compiled code has the same bits."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from random import Random

import numpy as np
import pytest

from helpers import some
from players.helpers import compiled
from sintra.players.thinking.elementary import LARGEST, SMALLEST, exponential, logarithm, power
from sintra.rules.state import Array

RANGES = ((-5.0, 5.0), (-50.0, 50.0), (SMALLEST, LARGEST), (-0.01, 0.01), (-1e-9, 1e-9))


@compiled
def write_exponentials(numbers: Array, out: Array) -> None:
    """The exponential of each number, by compiled code."""
    for k in range(len(numbers)):
        out[k] = exponential(numbers[k])


@compiled
def write_powers(numbers: Array, exponent: float, out: Array) -> None:
    """Each number to a power, by compiled code."""
    for k in range(len(numbers)):
        out[k] = power(numbers[k], exponent)


def numbers_between(how_many: int) -> list[float]:
    dice = Random(7)
    return [dice.uniform(*RANGES[k % len(RANGES)]) for k in range(how_many)]


def units_off(found: float, exact: Decimal) -> float:
    """How far a number is from the exact one, in units of the last place."""
    return float(abs(Decimal(found) - exact) / Decimal(math.ulp(float(exact))))


def worst_of(function: Callable[[float], float], exact: Callable[[Decimal], Decimal], numbers: list[float]) -> float:
    with localcontext(prec=40):
        return max(units_off(function(number), exact(Decimal(number))) for number in some(numbers))


def test_an_exponential_is_right_to_one_unit_in_the_last_place() -> None:
    assert worst_of(exponential, Decimal.exp, numbers_between(20_000)) <= 0.51


def test_a_logarithm_is_right_to_a_few_units_in_the_last_place() -> None:
    numbers = [math.exp(number) for number in numbers_between(20_000)]
    assert worst_of(logarithm, Decimal.ln, [number for number in numbers if number != 1.0]) <= 4


def test_powers_are_what_the_standard_library_makes_of_them() -> None:
    dice = Random(8)
    for _ in range(1000):
        base, exponent = dice.uniform(1e-6, 2), dice.uniform(0.01, 20)
        assert power(base, exponent) == pytest.approx(base**exponent, rel=1e-13)


@pytest.mark.parametrize(
    ("number", "found"),
    [
        (0.0, 1.0),
        (-0.0, 1.0),
        (LARGEST, math.inf),
        (math.inf, math.inf),
        (math.nextafter(SMALLEST, -math.inf), 0.0),
        (-math.inf, 0.0),
    ],
)
def test_ends_of_the_exponential(number: float, found: float) -> None:
    assert exponential(number) == found


def test_what_is_no_number_stays_none() -> None:
    assert math.isnan(exponential(math.nan))
    assert logarithm(1.0) == 0.0


def test_compiled_code_has_the_same_bits() -> None:
    numbers = np.array([*numbers_between(5000), -1e300, 1e300, math.inf, -math.inf])
    out = np.empty(len(numbers))
    write_exponentials(numbers, out)
    assert out.tolist() == [exponential(number) for number in numbers.tolist()]
    bases = out[(out > 0) & np.isfinite(out)]
    powers = np.empty(len(bases))
    write_powers(bases, 0.7, powers)
    assert powers.tolist() == [power(number, 0.7) for number in bases.tolist()]
