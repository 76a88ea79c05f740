"""Records to damage, and what was seen in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

from helpers import ALL_RULES, VECTORS, played
from sintra import Rules
from sintra.records.record import Record
from sintra.records.seen import Seen

EVERYBODY = (0, 1, 2)
seeds = st.integers(0, 2**62)
rule_sets = st.sampled_from(ALL_RULES)


def vector(name: str, index: int) -> dict[str, Any]:
    """A game of the vectors as plain JSON."""
    data = json.loads((VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines()[index])
    assert isinstance(data, dict)
    return data


def record_of(seed: int, taste: str, rules: Rules, most: int = 10_000) -> Record:
    """The record of a random game."""
    return Record.of(played(seed, taste, rules, most), ("Ana", "Bob"), legal=True)


def seen_in(record: Record) -> Seen:
    """What was seen in a record's game."""
    seen = Seen()
    for game in record.positions():
        seen.follow(game)
    return seen


Damage = Callable[[dict[str, Any]], None]
RANDOM: Final = vector("random", 0)
MOVES: Final = len(RANDOM["moves"])


def put(*path: str | int, value: Any) -> Damage:
    """Sets a value deep in a record."""

    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return damage


def drop(*path: str | int) -> Damage:
    """Leaves out a key or an entry deep in a record."""

    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return damage


def double(*path: str | int) -> Damage:
    """Writes the last entry of a list deep in a record twice."""

    def damage(data: Any) -> None:
        for key in path:
            data = data[key]
        data.append(data[-1])

    return damage
