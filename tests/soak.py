"""Short and long forms of tests: `make test-all` runs every test in its short form, `make soak` those that have a long
one.

Such a test is marked `@pytest.mark.soak` and asks here how much of something there is to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

LONGER: Final = 40
"""So many times as many examples has the long form of a property test."""

is_on = False
"""Whether this run is one of long forms: the option `--soak`."""
takes_pictures = False
"""Whether pictures of the page are kept, for looking at: the option `--pictures`, and in every run of long forms."""


def pick(short: T, long: T) -> T:
    """How much of something a test does in this run."""
    return long if is_on else short


def rest_long(*cases: Any) -> list[Any]:
    """Cases for `parametrize`, of which `make test` runs the first and `make test-all` the others too."""
    rest = [case if isinstance(case, tuple) else (case,) for case in cases[1:]]
    return [cases[0], *(pytest.param(*case, marks=pytest.mark.long) for case in rest)]


def examples(short: int) -> Callable[[F], F]:
    """So many examples for a property test, and many more in its long form."""

    def decorate(test: F) -> F:
        marked: F = pytest.mark.soak(settings(max_examples=pick(short, LONGER * short))(test))
        return marked

    return decorate
