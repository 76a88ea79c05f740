"""How features are numbered and named: blocks, one after the other, each with axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import TypeVar

T = TypeVar("T")

Axis = Sequence[object]
"""The values of an axis, as they stand in names."""


@dataclass(frozen=True, slots=True)
class Block:
    """Features that belong together and have numbers in a row; the last axis changes quickest."""

    name: str
    """What the features tell."""
    first: int
    """The number of the first feature."""
    axes: tuple[tuple[str, ...], ...]
    """The words for the values of each axis."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(map(len, self.axes))

    @property
    def size(self) -> int:
        """How many features there are."""
        return prod(self.shape)

    @property
    def names(self) -> list[str]:
        """The features' names."""
        return [" ".join((self.name, *values)) for values in product(*self.axes)]


class Layout:
    """A numbering of features, perhaps beginning with another one's."""

    def __init__(self, begins_with: Iterable[Block] = ()) -> None:
        self.blocks: list[Block] = list(begins_with)
        self.names: list[str] = [name for block in self.blocks for name in block.names]

    def block(self, name: str, *axes: Axis) -> int:
        """Adds a block and gives the number of its first feature."""
        return self._add(Block(name, len(self), tuple(tuple(map(str, axis)) for axis in axes)))

    def again(self, first: int, word: str, instead: str) -> int:
        """Adds the blocks from a number on once more, with another word in their names."""
        found = [block for block in self.blocks if block.first >= first]
        return min(self._add(replace(block, name=block.name.replace(word, instead, 1))) for block in found)

    def _add(self, block: Block) -> int:
        added = replace(block, first=len(self))
        self.blocks.append(added)
        self.names += added.names
        return added.first

    def __len__(self) -> int:
        return len(self.names)


def by_name(values: Sequence[T], names: Sequence[str], wanted: Sequence[str], blank: T) -> list[T]:
    """Values, which have `names`, in the order of the names that are wanted; `blank` where a name is missing.

    So what was learned or written with other features is still read: what it does not know weighs nothing."""
    if len(values) != len(names):
        raise ValueError(f"it has {len(names)} names for an array of {len(values)}")
    place = {name: k for k, name in enumerate(names)}
    return [values[place[name]] if name in place else blank for name in wanted]
