"""What entries take: all of them say it exactly, and what Numba would make of arguments is the same."""

from __future__ import annotations

from typing import Any, Final

import numba
import pytest

from helpers import some
from sintra import Game
from sintra.build.signatures import Leaf, all_signatures, entry_modules, returned
from sintra.players.thinking.batches import Leaves
from sintra.players.thinking.endgame import Memory
from sintra.players.thinking.evaluator import standard_evaluator
from sintra.players.thinking.tree import Tree
from sintra.rules.compiled import ENTRIES, array_of

types: Final = numba.types


def test_all_modules_with_entries_are_found() -> None:
    found = all_signatures()
    declared = {f"sintra.{name.rpartition('.')[0]}" for name in some(ENTRIES)}
    assert declared <= set(entry_modules()) | {"sintra.__main__"}
    assert {"rules.engine.legal", "players.thinking.tree.think", "table.shown.turns.write_turn"} <= set(found)
    symbols = [one.symbol for one in found.values()]
    assert len(symbols) == len(set(symbols))


def test_arguments_have_the_types_of_what_python_hands_over() -> None:
    found = all_signatures()
    tree = Tree.with_room(1)
    memory = Memory.with_room(standard_evaluator())
    states = Game.new(seed=1).state
    examples: dict[str, list[Any]] = {
        "players.thinking.batches.gather": [tree, Leaves.with_room(1), states, 0, 0],
        "players.thinking.endgame.deepen": [memory, states, 0, 0, True],
        "players.thinking.tiler.solve": [states, 0, 0, tree.parameters, tree.work],
    }
    for name, arguments in examples.items():
        assert found[name].numba_types == tuple(numba.typeof(array_of(one)) for one in arguments)


def test_a_named_tuple_is_handed_over_field_by_field() -> None:
    leaves = all_signatures()["players.thinking.tree.think"].leaves
    assert leaves[2] == Leaf("t.head", "array", "V", 72, 1)
    assert "t.tilings.values" in [leaf.path for leaf in leaves]
    assert leaves[-1] == Leaf("simulations", "int")


def test_an_entry_that_is_not_exact_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def vague(states: list[int]) -> None:
        """Does nothing."""

    name = next(iter(ENTRIES))
    monkeypatch.setitem(ENTRIES, name, ENTRIES[name]._replace(function=vague))
    with pytest.raises(TypeError, match=f"the entry {name} does not say exactly what it takes"):
        all_signatures()


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (types.none, "none"),
        (types.int8, "int"),
        (types.boolean, "bool"),
        (types.float64, "float"),
        (types.UniTuple(types.int64, 4), "ints:4"),
    ],
)
def test_what_is_returned_has_a_word(kind: Any, told: str) -> None:
    assert returned(kind) == told


def test_nothing_else_can_be_returned() -> None:
    with pytest.raises(TypeError, match="cannot return unicode_type"):
        returned(types.unicode_type)
