"""Records damaged at random: they are read, or refused in good order."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import cut
from records.helpers import EVERYBODY, vector
from sintra import Game, SintraError
from sintra.records.files import parse_records
from sintra.records.record import Record


@cache
def good_texts() -> tuple[str, str]:
    """A game just begun, and a whole one."""
    return cut(Record.from_dict(vector("draw", 0)), 24).dumps(), json.dumps(vector("chips", 2))


plain_values = st.none() | st.booleans() | st.integers(-3, 300) | st.floats(allow_nan=False)
json_values = st.recursive(
    plain_values | st.text("0159BYRKT*?W-<:,x", max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner, max_size=3),
    max_leaves=6,
)


def read_and_check(text: str) -> Game | None:
    """Everything that may be done with a text from outside; errors of any other kind go through."""
    try:
        games = [record.check() for record in parse_records(text)]
        for record in parse_records(text):
            for observer in EVERYBODY:
                record.view(observer)
    except SintraError as error:
        told_in_codes(error)
        return None
    return games[-1] if games else None


def told_in_codes(error: SintraError) -> None:
    """What is wrong can be said in other languages too."""
    assert error.faults, error


@given(data=st.data(), which=st.integers(0, 1))
@soak.examples(75)
def test_characters_deleted_replaced_and_moved(data: st.DataObject, which: int) -> None:
    text = good_texts()[which]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text) - 1))
        end = min(len(text), start + data.draw(st.integers(0, 5)))
        text = text[:start] + data.draw(st.text('0123456789BYRKT*?W-<:,x"[]{} \n', max_size=4)) + text[end:]
    read_and_check(text)


@given(data=st.data(), which=st.integers(0, 1))
@soak.examples(100)
def test_values_replaced_by_others(data: st.DataObject, which: int) -> None:
    """Any value of the JSON tree becomes something else, or changes places with another one."""
    tree = json.loads(good_texts()[which])
    for _ in range(data.draw(st.integers(1, 2))):
        spots = list(values_in(tree))
        place, key = data.draw(st.sampled_from(spots))
        if data.draw(st.booleans()):
            other, name = data.draw(st.sampled_from(spots))
            place[key], other[name] = copy.deepcopy(other[name]), copy.deepcopy(place[key])
        else:
            place[key] = data.draw(json_values)
    read_and_check(json.dumps(tree))


def values_in(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON tree: a container and a key of it."""
    pairs = list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)) if isinstance(tree, list) else []
    for key, value in pairs:
        yield tree, key
        yield from values_in(value)


@given(text=st.text())
def test_any_text_is_refused_in_good_order(text: str) -> None:
    assert read_and_check(text) is None


def test_the_fuzzed_texts_are_good_before() -> None:
    begun, whole = good_texts()
    assert read_and_check(begun) is not None
    game = read_and_check(whole)
    assert game is not None
    assert game.is_over
