"""Playing needs no NumPy: who may import it, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import sintra
from sintra import Game, SintraError, View
from sintra.rules import state

PACKAGE: Final = Path(sintra.__file__).parent
HEAVY: Final = ("numpy", "numba", "llvmlite")
ROOMS: Final = ("build", "envs", "learn")
"""What needs NumPy as a whole."""
MODULES: Final = {
    "rules/compiled.py": "kernels that are compiled while running, or run as they are, are written in its words",
    "rules/jit.py": "the compiler",
}
"""Other modules that import it when they are imported, and why: a library does without them."""


def imported_at_once(tree: ast.AST) -> Iterator[str]:
    """What a module imports when it is imported itself, not for type checkers and not in functions."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                continue
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                yield node.module or ""
            case _:
                yield from imported_at_once(node)


def test_only_what_computes_with_whole_arrays_needs_numpy_at_its_import() -> None:
    found = set()
    for file in PACKAGE.rglob("*.py"):
        place = file.relative_to(PACKAGE).as_posix()
        names = imported_at_once(ast.parse(file.read_text("utf-8")))
        if any(name.partition(".")[0] in HEAVY for name in names) and not place.startswith(ROOMS):
            found.add(place)
    assert found == set(MODULES)


@pytest.mark.parametrize("made", [lambda: Game.new(seed=1), lambda: Game.new(seed=1).view(0)])
def test_without_numpy_a_state_as_an_array_says_what_to_install(made: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert callable(made)
    shown: Game | View = made()
    assert shown.state.tobytes() == shown.states.tobytes()
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(SintraError, match=r"needs NumPy: pip install 'sintra\[envs\]' brings it"):
        _ = shown.state


def test_arrays_of_states_are_made_for_those_who_have_numpy() -> None:
    many = state.empty_states(3)
    assert many.dtype == state.STATE
    assert many.shape == (3,)
    assert not many.view("u1").any()
