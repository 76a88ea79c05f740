"""Exponentials and logarithms that have the same bits on every machine.

The C library's differ from one platform to the next in the last bit, which is enough for a search to take another way.
These use nothing but additions, multiplications and divisions, which IEEE 754 defines, in one order.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Final

from sintra.rules.compiled import constants, shared
from sintra.rules.state import Array

STEP_BITS: Final = 7
STEPS: Final = 1 << STEP_BITS
"""How many steps the table has from one power of two to the next."""
STEP_MASK: Final = STEPS - 1
INFINITY: Final = float("inf")
SMALLEST: Final = -708.0
"""Exponentials of less are 0: they would be below the normal numbers, or nearly."""
LARGEST: Final = 709.0
"""Exponentials of this and of more are infinite: they would be above the finite numbers, or nearly."""
POWER_BITS: Final = 5
POWER_MASK: Final = (1 << POWER_BITS) - 1
POWER_START: Final = -1024
_DIGITS: Final = 50
_PART_BITS: Final = 32
"""How many bits the first part of ln 2 / STEPS has: with the number of steps, which has 18, it can be multiplied
exactly."""


def _table() -> tuple[Array, Array, float, float, float]:
    """The powers of two between 1 and 2, as numbers and what these lack; the steps in 1; and 1 step in two parts."""
    with localcontext(prec=_DIGITS):
        step = Decimal(2).ln() / STEPS
        root = step.exp()
        powers = [Decimal(1)]
        while len(powers) < STEPS:
            powers.append(powers[-1] * root)
        near = [float(power) for power in powers]
        lacks = [float(power - Decimal(number)) for power, number in zip(powers, near, strict=True)]
        scale = 2 ** (_PART_BITS + STEP_BITS)
        first = float(int(step * scale)) / scale
        return constants(near, "f8"), constants(lacks, "f8"), float(1 / step), first, float(step - Decimal(first))


NEAR, LACKS, STEPS_IN_ONE, STEP_FIRST, STEP_REST = _table()
LOW_POWERS: Final = constants([2.0**k for k in range(1 << POWER_BITS)], "f8")
HIGH_POWERS: Final = constants([2.0**k for k in range(POWER_START, 1024, 1 << POWER_BITS)], "f8")
"""Powers of two: any one is the product of one of each."""
LN_2_FIRST: Final = STEP_FIRST * STEPS
LN_2_REST: Final = STEP_REST * STEPS
SQRT_HALF: Final = 0.7071067811865476
LOG_TERMS: Final = 11
"""How many terms of its series a logarithm needs."""


@shared
def exponential(x: float) -> float:
    """e to the power of x, to one unit in the last place; 0 below `SMALLEST`, infinite from `LARGEST` on."""
    if x < SMALLEST:
        return 0.0
    if not x < LARGEST:
        return x if x != x else INFINITY
    steps = int(x * STEPS_IN_ONE + (0.5 if x >= 0.0 else -0.5))
    r = (x - steps * STEP_FIRST) - steps * STEP_REST
    grown = r + r * r * (1.0 / 2 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))))
    near = float(NEAR[steps & STEP_MASK])
    return (near + (float(LACKS[steps & STEP_MASK]) + near * grown)) * power_of_two(steps >> STEP_BITS)


@shared
def power_of_two(n: int) -> float:
    """2 to the power of n, from -1024 to 1023."""
    from_start = n - POWER_START
    return float(HIGH_POWERS[from_start >> POWER_BITS]) * float(LOW_POWERS[from_start & POWER_MASK])


@shared
def logarithm(x: float) -> float:
    """The natural logarithm of a normal number above 0, to a few units in the last place."""
    twos = 0
    for bit in range(9, -1, -1):
        if x >= power_of_two(1 << bit):
            x *= power_of_two(-(1 << bit))
            twos += 1 << bit
        elif x < power_of_two(-(1 << bit)):
            x *= power_of_two(1 << bit)
            twos -= 1 << bit
    if x < SQRT_HALF:
        x *= 2.0
        twos -= 1
    elif x >= 2.0 * SQRT_HALF:
        x *= 0.5
        twos += 1
    ratio = (x - 1.0) / (x + 1.0)
    square = ratio * ratio
    series = 0.0
    for term in range(LOG_TERMS, 0, -1):
        series = series * square + 1.0 / (2 * term - 1)
    return twos * LN_2_FIRST + (2.0 * ratio * series + twos * LN_2_REST)


@shared
def power(base: float, exponent: float) -> float:
    """A normal number above 0 to any power, as exactly as its logarithm."""
    return exponential(exponent * logarithm(base))
