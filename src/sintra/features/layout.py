"""How sparse features are numbered and named: blocks, one after the other, each with axes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

Axis = Sequence[object]
"""The values of an axis, as they stand in names."""


class Layout:
    """A numbering of features. `block` gives the number of a block's first feature; the last axis changes quickest."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def block(self, name: str, *axes: Axis) -> int:
        """Adds a block."""
        first = len(self.names)
        self.names += [" ".join(map(str, (name, *values))) for values in product(*axes)]
        return first

    def __len__(self) -> int:
        return len(self.names)
