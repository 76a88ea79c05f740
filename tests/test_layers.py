"""The layers of the package: imports point one way, from a later room of the house to an earlier one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import sintra

PACKAGE: Final = Path(sintra.__file__).parent
ROOMS: Final = ("components", "rules", "game", "features", "players", "arena", "learn", "table", "cli")
"""From the first to the last. Every other module or folder at the top belongs to the game's own layer."""
GAME: Final = ROOMS.index("game")
EXCEPTIONS: Final = ("__init__.py imports players",)
"""`sintra.player` opens the players' room when it is asked for."""


def room_of(module: str) -> int:
    """The room of a module, given by its dotted name without the package's."""
    top = module.split(".", maxsplit=1)[0]
    if top == "__main__":
        top = "cli"
    return ROOMS.index(top) if top in ROOMS else GAME


def modules(package: Path) -> Iterator[tuple[str, Path]]:
    """Every module of a package and its dotted name (empty for the package itself)."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(path: Path, module: str, package: Path) -> Iterator[tuple[int, str]]:
    """All imports of the package's own modules in a file, local ones too: line and dotted name."""
    names = {name for name, _ in modules(package)}
    inside = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top, _, rest = alias.name.partition(".")
                if top == package.name:
                    yield node.lineno, rest
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            called = node.args[0]
            assert isinstance(called, ast.Constant), "a module that is imported by its name must be named"
            top, _, rest = str(called.value).partition(".")
            if top == package.name:
                yield node.lineno, rest
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = [part for part in inside if part][: len(inside) - node.level + 1]
                start = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            else:
                top, _, start = (node.module or "").partition(".")
                if top != package.name:
                    continue
            for alias in node.names:
                name = f"{start}.{alias.name}".strip(".")
                yield node.lineno, name if name in names else start


def faults(package: Path) -> list[str]:
    """Every import that points the wrong way."""
    found = []
    for module, path in modules(package):
        for line, name in imports(path, module, package):
            here, there = room_of(module), room_of(name)
            if there > here or (name == "" and here < GAME):
                found.append(f"{path.relative_to(package)}:{line} imports {name or 'the whole package'}")
    return list(dict.fromkeys(found))


def test_imports_point_one_way() -> None:
    assert [re.sub(r":\d+", "", fault) for fault in faults(PACKAGE)] == list(EXCEPTIONS)


def test_the_rules_know_nobody_but_the_components() -> None:
    for module, path in modules(PACKAGE):
        if module.split(".")[0] == "rules":
            for line, name in imports(path, module, PACKAGE):
                assert name.split(".")[0] in ("components", "rules"), f"{path.name}:{line} imports {name}"
        if module == "components":
            assert list(imports(path, module, PACKAGE)) == []


def test_every_module_is_looked_at() -> None:
    found = dict(modules(PACKAGE))
    assert {"", "components", "game", "record", "rules.engine", "rules.state"} <= set(found)
    assert "rules.engine" in {name for _, name in imports(found["game"], "game", PACKAGE)}
    assert "record_view" in {name for _, name in imports(found["record"], "record", PACKAGE)}, "a local import"


@pytest.mark.parametrize(
    ("file", "text", "fault"),
    [
        ("rules/engine.py", "from toy.game import Game", "rules/engine.py:1 imports game"),
        ("rules/engine.py", "from toy import game", "rules/engine.py:1 imports game"),
        ("rules/engine.py", "from .. import game", "rules/engine.py:1 imports game"),
        ("rules/engine.py", "from ..game import Game", "rules/engine.py:1 imports game"),
        ("rules/engine.py", "import toy", "rules/engine.py:1 imports the whole package"),
        ("rules/engine.py", "import toy.game", "rules/engine.py:1 imports game"),
        ("components.py", "from toy.rules import engine", "components.py:1 imports rules.engine"),
        ("game.py", "def f():\n    from toy.players.chance import x", "game.py:2 imports players.chance"),
        ("game.py", "from .players import chance", "game.py:1 imports players.chance"),
        ("players/chance.py", "from toy.arena import match", "players/chance.py:1 imports arena"),
        ("features.py", "from toy.cli import main", "features.py:1 imports cli"),
        ("__init__.py", "from toy.players.chance import x", "__init__.py:1 imports players.chance"),
        ("__init__.py", "import importlib\nimportlib.import_module('toy.players')", "__init__.py:2 imports players"),
        ("players/chance.py", "from toy.game import Game\nfrom . import other", ""),
        ("game.py", "import os\nfrom toy.rules.engine import legal\nfrom .components import x", ""),
        ("cli.py", "from toy.players import chance\nimport toy", ""),
    ],
)
def test_wrong_imports_are_found(tmp_path: Path, file: str, text: str, fault: str) -> None:
    package = tmp_path / "toy"
    names = ("__init__", "components", "game", "features", "cli", "rules/__init__", "rules/engine")
    for name in (*names, "players/__init__", "players/chance", "arena/__init__"):
        path = package / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (package / file).write_text(text)
    assert faults(package) == ([fault] if fault else [])
