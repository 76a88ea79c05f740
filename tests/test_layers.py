"""The layers of the package: imports point one way, from a later room of the house to an earlier one, and
no module waits for itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import sintra
from helpers import some

PACKAGE: Final = Path(sintra.__file__).parent
DOOR: Final = "the door"
"""The package's own `__init__`, which shows what is public: no room that it shows goes through it."""
ROOMS: Final = (
    "errors",
    "processes",
    "components",
    "rules",
    "native",
    "build",
    "tabletop",
    "position",
    "drawing",
    "game",
    "records",
    "features",
    "players",
    DOOR,
    "protocol",
    "cluster",
    "review",
    "arena",
    "learn",
    "envs",
    "puzzles",
    "table",
    "tab",
    "cli",
    "__main__",
)
"""Every file and folder at the top, from the first to the last."""
TABLE_ROOMS: Final = (
    "table.base",
    "table.games",
    "table.shown",
    "table.workers",
    "table.service",
    "table.http",
    "table.codegen",
)
"""Every folder of the table, from the first to the last; a module belongs to the longest name that fits."""


def room_of(module: str, rooms: tuple[str, ...]) -> int | None:
    """The room of a module, given by its dotted name without the package's; None for one that is not listed."""
    name = module or DOOR
    fitting = [room for room in rooms if name == room or name.startswith(f"{room}.")]
    return rooms.index(max(fitting, key=len)) if fitting else None


@cache
def modules(package: Path) -> Mapping[str, Path]:
    """Every module of a package by its dotted name (empty for the package itself)."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, module: str, package: Path) -> Iterator[tuple[int, str]]:
    """All imports of the package's own modules in a file, local ones too: line and dotted name."""
    names = modules(package)
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


def faults(package: Path, rooms: tuple[str, ...] = ROOMS) -> list[str]:
    """Every import that points the wrong way, and every module that is in no room."""
    found = []
    for module, path in modules(package).items():
        file = path.relative_to(package)
        here = room_of(module, rooms)
        if here is None:
            found.append(f"{file} is in no room")
            continue
        for line, name in imports(path, module, package):
            there = room_of(name, rooms)
            if there is not None and there > here:
                found.append(f"{file}:{line} imports {name or 'the whole package'}")
    return list(dict.fromkeys(found))


def circles(package: Path) -> list[tuple[str, ...]]:
    """The sets of modules of which each needs the others, directly or not, to be imported."""
    needs = {module: {name for _, name in imports(path, module, package)} for module, path in modules(package).items()}
    reached = {module: _reached(module, needs) for module in needs}
    found = {tuple(sorted(one for one in reached[module] if module in reached[one])) for module in needs}
    return sorted(circle for circle in found if circle)


def _reached(module: str, needs: Mapping[str, set[str]]) -> set[str]:
    """All modules that a module needs, and so on."""
    found: set[str] = set()
    ahead = list(needs[module])
    while ahead:
        name = ahead.pop()
        if name not in found:
            found.add(name)
            ahead += needs.get(name, ())
    return found


def test_imports_point_one_way() -> None:
    assert faults(PACKAGE) == []


def test_imports_inside_the_table_point_one_way() -> None:
    rooms = tuple(room for room in ROOMS if room != "table") + TABLE_ROOMS
    inside = [fault for fault in faults(PACKAGE, (*rooms, "table")) if fault.startswith("table")]
    assert inside == []
    listed = {
        path.stem for path in (PACKAGE / "table").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert listed - {"__init__"} == {room.split(".")[1] for room in TABLE_ROOMS}


def test_no_module_waits_for_itself() -> None:
    assert circles(PACKAGE) == []


def test_a_class_has_its_name_for_itself() -> None:
    """One word, one thing: whoever reads a name need not ask which of two it is."""
    homes: dict[str, list[str]] = {}
    for module, path in modules(PACKAGE).items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(module)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_the_rules_know_nobody_but_the_components() -> None:
    found = modules(PACKAGE)
    assert list(imports(found["components"], "components", PACKAGE)) == []
    for module, path in some((module, path) for module, path in found.items() if module.split(".")[0] == "rules"):
        for line, name in imports(path, module, PACKAGE):
            assert name.split(".")[0] in ("components", "rules"), f"{path.name}:{line} imports {name}"


def test_every_module_is_looked_at() -> None:
    found = modules(PACKAGE)
    assert {"", "components", "game.game", "records.record", "rules.engine", "rules.state"} <= set(found)
    assert "rules.engine" in {name for _, name in imports(found["game.game"], "game.game", PACKAGE)}
    local = {name for _, name in imports(found["game.drawn"], "game.drawn", PACKAGE)}
    assert "drawing.terminal" in local, "a local import"


def toy_package(folder: Path, **files: str) -> Path:
    """A small package with these files (`__` for `/`)."""
    package = folder / "toy"
    names = (
        "__init__",
        "components",
        "game/__init__",
        "game/game",
        "features",
        "cli",
        "rules/__init__",
        "rules/engine",
    )
    for name in (*names, "players/__init__", "players/chance", "arena/__init__"):
        path = package / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    for name, text in files.items():
        (package / name).write_text(text)
    return package


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
        ("game/game.py", "def f():\n    from toy.players.chance import x", "game/game.py:2 imports players.chance"),
        ("game/game.py", "from ..players import chance", "game/game.py:1 imports players.chance"),
        ("players/chance.py", "from toy.arena import match", "players/chance.py:1 imports arena"),
        ("features.py", "from toy.cli import main", "features.py:1 imports cli"),
        ("players/chance.py", "import toy", "players/chance.py:1 imports the whole package"),
        ("__init__.py", "from toy.arena import x", "__init__.py:1 imports arena"),
        ("__init__.py", "import importlib\nimportlib.import_module('toy.arena')", "__init__.py:2 imports arena"),
        ("attic.py", "", "attic.py is in no room"),
        ("__init__.py", "from toy.players.chance import x", ""),
        ("players/chance.py", "from toy.game import Game\nfrom . import other", ""),
        ("game/game.py", "import os\nfrom toy.rules.engine import legal\nfrom ..components import x", ""),
        ("cli.py", "from toy.players import chance\nimport toy", ""),
    ],
)
def test_wrong_imports_are_found(tmp_path: Path, file: str, text: str, fault: str) -> None:
    assert faults(toy_package(tmp_path, **{file: text})) == ([fault] if fault else [])


def test_circles_are_found(tmp_path: Path) -> None:
    files = {
        "game/game.py": "def f():\n    from toy.game.view import View",
        "game/view.py": "from toy.game import words",
        "game/words.py": "from toy.game.game import Game\nfrom toy.features import x",
        "features.py": "from toy.rules import engine",
    }
    assert circles(toy_package(tmp_path, **files)) == [("game.game", "game.view", "game.words")]
