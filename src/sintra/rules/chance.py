"""The random generator that lives inside a state (sfc32): a seed gives the same game everywhere.

All arithmetic is on 32-bit numbers inside 64-bit integers, so it is the same with and without
compilation and never overflows.
"""

from __future__ import annotations

from typing import Final

from sintra.rules.compiled import kernel, np
from sintra.rules.state import Array, State

WORD: Final = 0xFFFFFFFF
"""A mask for the 32 bits of a word."""
WORDS: Final = 4294967296.0
"""How many different words there are."""
WARM_UP: Final = 12
"""How many words a seeded generator throws away, so that similar seeds give different games."""


@kernel
def next_word(s: State) -> int:
    """The next 32 random bits."""
    a = np.int64(s.rng[0])
    b = np.int64(s.rng[1])
    c = np.int64(s.rng[2])
    counter = np.int64(s.rng[3])
    out = (a + b + counter) & WORD
    s.rng[0] = b ^ (b >> 9)
    s.rng[1] = (c + (c << 3)) & WORD
    s.rng[2] = ((((c << 21) | (c >> 11)) & WORD) + out) & WORD
    s.rng[3] = (counter + 1) & WORD
    return out


@kernel
def below(s: State, n: int) -> int:
    """A random number from 0 to n - 1."""
    return (next_word(s) * n) >> 32


@kernel
def fraction(s: State) -> float:
    """A random number from 0 up to 1, but not 1."""
    return next_word(s) / WORDS


@kernel
def seed_generator(s: State, seed: int) -> None:
    """Starts the generator from a seed of up to 63 bits."""
    s.rng[0] = seed & WORD
    s.rng[1] = (seed >> 32) & WORD
    s.rng[2] = 0x9E3779B9
    s.rng[3] = 1
    for _ in range(WARM_UP):
        next_word(s)


@kernel
def shuffle(s: State, cards: Array, n: int) -> None:
    """Shuffles the first n entries in place."""
    for i in range(n - 1, 0, -1):
        j = below(s, i + 1)
        kept = cards[i]
        cards[i] = cards[j]
        cards[j] = kept
