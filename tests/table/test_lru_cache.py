"""The cache drops what was used longest ago, not what came first."""

from __future__ import annotations

import pytest

from sintra.table.base.lru_cache import LruCache


def cache_of(max_size: int, keys: str) -> LruCache[str, int]:
    """A cache in which these keys were stored one after the other."""
    cache: LruCache[str, int] = LruCache(max_size)
    for number, key in enumerate(keys):
        cache[key] = number
    return cache


def test_it_keeps_no_more_than_its_size() -> None:
    cache = cache_of(3, "abcde")
    assert dict(cache) == {"c": 2, "d": 3, "e": 4}
    assert len(cache) == 3
    assert "a" not in cache
    with pytest.raises(KeyError):
        cache["a"]


def test_an_entry_that_is_looked_up_outlives_younger_ones() -> None:
    cache = cache_of(3, "abc")
    assert cache["a"] == 0
    assert cache.get("b") == 1
    cache["d"] = 3
    assert list(cache) == ["a", "b", "d"]
    assert cache.get("c") is None


def test_an_entry_that_is_stored_again_is_the_newest() -> None:
    cache = cache_of(3, "abca")
    cache["d"] = 4
    assert dict(cache) == {"c": 2, "a": 3, "d": 4}


def test_entries_can_be_taken_out() -> None:
    cache = cache_of(3, "abc")
    del cache["b"]
    assert cache.pop("a") == 0
    assert cache.pop("a", None) is None
    cache["d"], cache["e"] = 3, 4
    assert list(cache) == ["c", "d", "e"]
    cache.clear()
    assert len(cache) == 0


def test_entries_can_be_used_while_they_are_listed() -> None:
    cache = cache_of(3, "abc")
    assert list(cache.items()) == [("a", 0), ("b", 1), ("c", 2)]
    assert [cache[key] for key in cache] == [0, 1, 2]


def test_looking_at_all_entries_uses_none_of_them() -> None:
    cache = cache_of(3, "abc")
    assert cache["a"] == 0
    assert list(cache.items()) == [("b", 1), ("c", 2), ("a", 0)]
    assert list(cache.values()) == [1, 2, 0]
    assert all(number < 3 for number in cache.values())
    assert list(cache) == ["b", "c", "a"]
