"""A cache with a limit, where `functools.lru_cache` does not fit: for results that are awaited, or that are found under
another key than their argument.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import ItemsView, Iterator, MutableMapping, ValuesView
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class LruCache(MutableMapping[K, V]):
    """A mapping of at most `max_size` entries. Storing one more drops the least recently used one; looking an entry up
    counts as use, storing it too."""

    def __init__(self, max_size: int) -> None:
        self.max_size = max_size
        self._entries: OrderedDict[K, V] = OrderedDict()

    def __getitem__(self, key: K) -> V:
        value = self._entries[key]
        self._entries.move_to_end(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        self._entries[key] = value
        self._entries.move_to_end(key)
        if len(self._entries) > self.max_size:
            self._entries.popitem(last=False)

    def __delitem__(self, key: K) -> None:
        del self._entries[key]

    def __iter__(self) -> Iterator[K]:
        """Iterates over a copy of the keys, the least recently used first, so that entries may be used meanwhile."""
        return iter(tuple(self._entries))

    def values(self) -> ValuesView[V]:
        """The values, the least recently used first. Looking at all of them counts as no use."""
        return self._entries.values()

    def items(self) -> ItemsView[K, V]:
        """The entries, the least recently used first. Looking at all of them counts as no use."""
        return self._entries.items()

    def __len__(self) -> int:
        return len(self._entries)
