"""Seeds: checked, and independent, reproducible ones from others for games, players and samples."""

from __future__ import annotations

from hashlib import blake2b
from operator import index
from secrets import randbits
from typing import Any, Final

from sintra.errors import SintraError

SEED_BITS: Final = 63
"""The bits of a seed."""


def derive(*parts: int | str) -> int:
    """A seed that depends on all the parts, the same on every machine."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def secret_seed() -> int:
    """A seed that nobody can foretell."""
    return randbits(SEED_BITS)


def checked_seed(seed: Any) -> int:
    """The seed as a number that the engine takes; a secret one for None."""
    if seed is None:
        return secret_seed()
    try:
        number = -1 if isinstance(seed, bool) else index(seed)
    except TypeError:
        number = -1
    if not 0 <= number < 1 << SEED_BITS:
        raise SintraError(f"a seed is a whole number from 0 to 2^{SEED_BITS} - 1, not {seed!r}")
    return number
