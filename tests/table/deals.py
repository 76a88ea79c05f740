"""Deals that follow from a name, so that a run has the same games everywhere; long forms leave them to chance.

As a program, `sintra` with such deals: the name is what the file says that is named first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random


class Deals:
    """Gives seeds of so many bits; under a name that comes back they go on where they were."""

    def __init__(self, name: Callable[[], str]) -> None:
        self._name = name
        self._dice: dict[str, Random] = {}

    def __call__(self, bits: int) -> int:
        name = self._name()
        return self._dice.setdefault(name, Random(name)).getrandbits(bits)


if __name__ == "__main__":
    from sintra.cli import run
    from sintra.game import seeds

    vars(seeds)["randbits"] = Deals(Path(sys.argv.pop(1)).read_text)
    run()
