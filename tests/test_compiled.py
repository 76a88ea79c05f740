"""How the rules are compiled: no stale code, the same game without compilation, and no index out of bounds."""

from __future__ import annotations

import ast
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Final

import pytest

import sintra
from checked_integers import INSTALL
from compile_ahead import CHECKED
from helpers import TASTES, VECTORS, play_on
from sintra import Game
from sintra.records.files import read_records
from sintra.rules.sources import BESIDE

PACKAGE: Final = Path(sintra.__file__).parent
TESTS: Final = Path(__file__).parent


def run(code: str, path: Path = PACKAGE.parent, *flags: str, **environment: str) -> str:
    """What a new Python process prints, with the package from this path."""
    found = os.pathsep.join((str(path), str(TESTS)))
    done = subprocess.run(
        [sys.executable, *flags, "-c", code],
        env={**os.environ, "PYTHONPATH": found, "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the package that can be edited."""
    shutil.copytree(PACKAGE, tmp_path / "src" / "sintra", ignore=shutil.ignore_patterns("__pycache__", "page"))
    return tmp_path / "src"


# ---------------------------------------------------------------- memory


MAKERS: Final = ("np.empty", "np.zeros", "np.full")


def looks_at_what_it_frees(function: ast.FunctionDef) -> str | None:
    """What is wrong with how a function looks at arrays of its own: the pointer that `at` returns does not keep
    them alive, so each is kept by the function's last words."""
    made = {
        target.id
        for line in ast.walk(function)
        if isinstance(line, ast.Assign) and ast.unparse(line.value).startswith(MAKERS)
        for target in line.targets
        if isinstance(target, ast.Name)
    }
    calls = [call for call in ast.walk(function) if isinstance(call, ast.Call) and ast.unparse(call.func) == "at"]
    if any(isinstance(call.args[0], ast.Call) for call in calls):
        return "looks at an array without a name"
    looked_at = {ast.unparse(call.args[0]) for call in calls} & made
    last = list(function.body)
    if looked_at and any(isinstance(line, ast.Return) for part in last[:-1] for line in ast.walk(part)):
        return "returns early"
    if isinstance(last[-1], ast.Return):
        if looked_at and not isinstance(last[-1].value, ast.Name | None):
            return "computes what it returns after its last words"
        del last[-1]
    while last and looked_at and ast.unparse(last[-1]).startswith("keep("):
        looked_at.discard(ast.unparse(last.pop())[len("keep(") : -1])
    return f"does not keep {sorted(looked_at)}" if looked_at else None


def test_no_array_is_looked_at_after_it_was_freed() -> None:
    """Memory that compiled code frees is given away at once, to other threads too."""
    seen = 0
    for source in sorted(PACKAGE.rglob("*.py")):
        text = source.read_text("utf-8")
        if "sintra.rules.compiled import at" not in text:
            continue
        for function in ast.walk(ast.parse(text)):
            if isinstance(function, ast.FunctionDef):
                fault = looks_at_what_it_frees(function)
                assert fault is None, f"{source.name}: {function.name} {fault}"
                seen += 1
    assert seen > 100


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("    use(at(np.empty(1, STATE), 0))", "without a name"),
        ("    a = np.empty(1, STATE)\n    s = at(a, 0)\n    use(s)", "does not keep ['a']"),
        ("    a = np.empty(1, STATE)\n    s = at(a, 0)\n    keep(a)\n    use(s)", "does not keep ['a']"),
        ("    a = np.empty(1, STATE)\n    s = at(a, 0)\n    keep(a)\n    return use(s)", "after its last words"),
        ("    a = np.empty(1, STATE)\n    if at(a, 0):\n        return 0\n    keep(a)", "returns early"),
        ("    a = np.empty(1, STATE)\n    n = use(at(a, 0))\n    keep(a)\n    return n", None),
        ("    s = at(states, 0)\n    return use(s)", None),
    ],
)
def test_that_check_sees(body: str, fault: str | None) -> None:
    function = ast.parse(f"def f(states):\n{body}").body[0]
    assert isinstance(function, ast.FunctionDef)
    found = looks_at_what_it_frees(function)
    assert found is None if fault is None else found is not None and fault in found


BORROWING: Final = """
import sys

import numpy as np
from numba.core.runtime import rtsys
from sintra.rules.compiled import at, entry, kernel

@kernel
def first_of(a):
    part = a[1:]
    return part[0]

@kernel
def first_of_copy(a):
    return a.copy()[0]

@kernel
def kept(a):
    return a[1:]

@entry
def borrows(a, i):
    return first_of(a) + i

@entry
def makes(a):
    made = np.zeros(1000)
    made[0] = a[0]
    return first_of_copy(made) + kept(made)[0]

numbers = np.arange(9.0)
held = sys.getrefcount(numbers)
makes(numbers)
before = rtsys.get_allocation_stats()
for k in range(1000):
    assert borrows(numbers, k) == 1.0 + k
    assert makes(numbers) == 0.0
after = rtsys.get_allocation_stats()
assert sys.getrefcount(numbers) == held, "an argument was kept"
assert after.alloc - before.alloc == after.free - before.free >= 2000, "what was made was not freed"
for function, counts in ((first_of, False), (borrows, False), (first_of_copy, True), (kept, True), (makes, True)):
    (made,) = function.overloads.values()
    assert ("call void @NRT_" in str(made.library._final_module)) is counts, function
"""


def test_only_functions_with_arrays_of_their_own_count_references(tmp_path: Path) -> None:
    """The others borrow what their callers keep; nothing is freed too early, and nothing is left behind."""
    source = tmp_path / "borrowing.py"
    source.write_text(BORROWING, "utf-8")
    run(f"import runpy; runpy.run_path({str(source)!r})", NUMBA_CACHE_DIR=str(tmp_path / "cache"), NUMBA_NRT_STATS="1")


# ---------------------------------------------------------------- stale code


EVERY_SOURCE_READ: Final = {"PYTHONDONTWRITEBYTECODE": "1"}
"""Python's own cache goes by the size and the time of a source, which `edit` keeps."""


def edit(source: Path, old: str, new: str) -> None:
    """Changes a source file without changing its size or its time."""
    text = source.read_text("utf-8")
    assert text.count(old) == 1
    assert len(old) == len(new)
    stat = source.stat()
    source.write_text(text.replace(old, new), "utf-8")
    os.utime(source, ns=(stat.st_atime_ns, stat.st_mtime_ns))


GOALS: Final = """
import numpy as np
from sintra.rules import engine
from sintra.rules.state import empty_states
states = empty_states()
states["goals"][0] = [0, -1, -1, -1]
points = np.zeros((2, 1), np.int64)
engine.points_of_goals(states, 0, points)
print(points[0, 0])
"""
"""A dome of zeros is a dome full of blue tiles: six complete rows, 3 points each."""

DEAL: Final = """
import numpy as np
from sintra.rules import engine
from sintra.rules.state import empty_states
states = empty_states()
states["round_no"] = 2
engine.deal(states, 0, np.zeros((5, 5), np.int8), False)
print(states["stage"][0])
"""
"""After a deal in round 2 it is somebody's turn."""


@pytest.mark.long
def test_an_edited_rule_never_meets_stale_code(copied: Path, tmp_path: Path) -> None:
    """A rule in a module that the cached function only calls; the cache stays the same folder."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), **EVERY_SOURCE_READ}
    assert run(GOALS, copied, **cache) == "18"
    assert run(GOALS, copied, **cache) == "18"
    edit(copied / "sintra" / "rules" / "scoring.py", "points += 3 if is_full_row", "points += 5 if is_full_row")
    assert run(GOALS, copied, **cache) == "30"


@pytest.mark.long
def test_checkouts_with_the_same_sources_share_compiled_code(copied: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    assert run(GOALS, NUMBA_CACHE_DIR=str(cache)) == "18"
    kept = {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb*")}
    assert kept
    assert run(GOALS, copied, NUMBA_CACHE_DIR=str(cache)) == "18"
    assert {file: file.stat().st_mtime_ns for file in cache.rglob("*.nb*")} == kept


@pytest.mark.long
def test_an_edited_constant_never_meets_stale_code(copied: Path, tmp_path: Path) -> None:
    """A number in a module that holds no compiled function at all."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), **EVERY_SOURCE_READ}
    assert run(DEAL, copied, **cache) == "2"
    state = copied / "sintra" / "rules" / "state.py"
    edit(state, "    TURN = 2\n", "    TURN = 3\n")
    edit(state, "    DRAWING = 3\n", "    DRAWING = 2\n")
    assert run(DEAL, copied, **cache) == "3"


COMPILED: Final = """
import numpy as np
from numba.core.event import Listener, install_listener
from sintra.rules import engine
from sintra.rules.state import empty_states

class Names(Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event):
        pass

with install_listener("numba:compile", Names()):
    ENTRY
"""


@pytest.mark.long
def test_kernels_that_another_process_has_compiled_are_not_compiled_again(tmp_path: Path) -> None:
    def compiled(call: str) -> list[str]:
        return run(COMPILED.replace("ENTRY", call), NUMBA_CACHE_DIR=str(tmp_path)).split()

    first = compiled("engine.legal(empty_states(), 0, np.zeros(999, np.int16))")
    assert {"legal", "legal_of", "list_turn"} <= set(first)
    second = compiled("print(engine.legal_mask(empty_states(), 0, np.zeros(999, np.bool_)))")
    assert {"legal_mask", "mark_legal"} <= set(second)
    assert "legal_of" not in second
    assert "list_turn" not in second
    assert second[-1] == "0"
    assert compiled("print(engine.legal_mask(empty_states(), 0, np.zeros(999, np.bool_)))") == ["0"]


LIBRARIES: Final = """
import numpy as np
from llvmlite.binding import Linkage
from sintra.rules import engine, scoring
from sintra.rules.jit import EntryLibrary, KernelLibrary, RareEntryLibrary
from sintra.rules.state import empty_states

def library_of(function):
    (compiled,) = function.overloads.values()
    return compiled.library

engine.legal(empty_states(), 0, np.zeros(999, np.int16))
engine.points_of_goals(empty_states(), 0, np.zeros((2, 4), np.int64))
assert type(library_of(scoring.goal_points)) is KernelLibrary
assert not hasattr(library_of(scoring.goal_points), "_compiled_object"), "a kernel has machine code of its own"
for entry, kind in ((engine.legal, EntryLibrary), (engine.points_of_goals, RareEntryLibrary)):
    assert type(library_of(entry)) is kind
    assert library_of(entry)._compiled_object
    ours = [one for one in library_of(entry)._final_module.functions if not one.is_declaration and "rules" in one.name]
    outside = [one.name for one in ours if one.linkage != Linkage.private]
    assert all(f"engine{len(entry.__name__)}{entry.__name__}" in name for name in outside), outside
    assert outside
    assert kind is EntryLibrary or len(outside) < len(ours)
"""


@pytest.mark.long
def test_only_entries_have_machine_code_and_their_kernels_are_their_own(tmp_path: Path) -> None:
    run(LIBRARIES, NUMBA_CACHE_DIR=str(tmp_path))


def sources_module_of(package: Path) -> ModuleType:
    """The module `sources` of a copy of the package."""
    spec = importlib.util.spec_from_file_location("copied_sources", package / "sintra" / "rules" / "sources.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def imported(module: str) -> Iterator[str]:
    """The modules of the package that a module imports, when it is loaded or later."""
    path = PACKAGE.parent.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "sintra":
            for alias in node.names:
                inner = PACKAGE.parent.joinpath(*node.module.split("."), alias.name)
                is_module = inner.with_suffix(".py").is_file() or inner.is_dir()
                yield f"{node.module}.{alias.name}" if is_module else node.module


def sources_behind(module: str) -> set[str]:
    """The modules with compiled functions, or numbers for them, that are behind a module."""
    found: set[str] = set()
    ahead = [module]
    while ahead:
        name = ahead.pop()
        if name not in found and source_of(PACKAGE, name) not in BESIDE:
            found.add(name)
            ahead += imported(name)
    return {name for name in found if name == "sintra.components" or uses_compiler(name)}


def uses_compiler(module: str) -> bool:
    """Whether a module belongs to the rules or has compiled functions of its own."""
    text = source_of(PACKAGE, module).read_text("utf-8")
    return module.startswith("sintra.rules.") or "\n@kernel" in text or "entry\ndef " in text


def source_of(package: Path, module: str) -> Path:
    """The file of a module."""
    path = package.parent.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


ENTRIES: Final = sorted(
    ".".join(("sintra", *path.relative_to(PACKAGE).with_suffix("").parts))
    for path in PACKAGE.rglob("*.py")
    if "\n@entry\n" in path.read_text("utf-8")
)


def test_the_cache_folder_changes_with_every_source_behind_it(copied: Path) -> None:
    """And with no other."""
    before = folders_of(copied)
    assert folders_of(copied) == before
    behind = {module: sources_behind(module) for module in ENTRIES}
    assert all("sintra.rules.compiled" in names for names in behind.values())
    for name in sorted(set().union(*behind.values())):
        source = source_of(copied / "sintra", name)
        text = source.read_text("utf-8")
        source.write_text(text + "\nCHANGED = 1\n", "utf-8")
        after = folders_of(copied)
        source.write_text(text, "utf-8")
        changed = {module for module in ENTRIES if after[module] != before[module]}
        assert changed == {module for module, names in behind.items() if name in names}, name
    assert folders_of(copied) == before


def folders_of(copied: Path) -> dict[str, Path]:
    """Where the compiled code of each module with entries is kept, as a new process finds it."""
    folder: Any = sources_module_of(copied).cache_folder
    return {module: folder(module) for module in ENTRIES}


def test_the_engine_and_what_is_behind_it_are_looked_at() -> None:
    assert "sintra.rules.engine" in ENTRIES
    assert sources_behind("sintra.rules.engine") >= {
        f"sintra.rules.{name}"
        for name in ("chance", "choices", "dealing", "drafting", "engine", "knowledge", "scoring", "state", "tiling")
    }


# ---------------------------------------------------------------- without compilation

OUTLOOKS: Final = """
import numpy as np
from helpers import *
from sintra.components import COLORS, LINES, SEATS
from sintra.rules import engine

columns, chances = np.zeros((2, SEATS, LINES, COLORS), np.int64)
for taste in TASTES:
    for game in play_on(Game.new(seed=21), taste, Random(21), 60):
        pass
    engine.outlooks(game.state, 0, columns, chances)
    print(columns.ravel().tolist(), chances.ravel().tolist())
"""
REPLAY: Final = """
from test_compiled import keys_of_vectors

print(*keys_of_vectors())
"""
PLAY: Final = """
from helpers import *
from sintra import View

for taste in TASTES:
    for game in play_on(Game.new(seed=21), taste, Random(21), MOST):
        if game.ply % 4 == 0:
            for observer in range(3):
                view = game.view(observer)
                sampled = view.sample_state(game.ply)
                assert tile_counts(sampled) == [13] * 5 and plate_list(sampled) == ALL_PLATE_LIST
    print(game.position_key)
"""


@pytest.mark.long
def test_uncompiled_rules_play_the_same_games() -> None:
    """Vector games with their numbers of legal moves, and random games with views and samples; any warning counts."""
    code = INSTALL + REPLAY + PLAY.replace("MOST", "60")
    keys = run(code, PACKAGE.parent, "-W", "error", NUMBA_DISABLE_JIT="1").split()
    assert [int(key) for key in keys] == [*keys_of_vectors(), *(key_after(taste, 60) for taste in TASTES)]


def test_uncompiled_outlooks_are_the_same() -> None:
    """With plates on the domes whose numbers are bits beyond the width of a small integer."""
    uncompiled = run(INSTALL + OUTLOOKS, PACKAGE.parent, "-W", "error", NUMBA_DISABLE_JIT="1")
    assert uncompiled == run(OUTLOOKS)
    assert len(uncompiled.splitlines()) == len(TASTES)


def keys_of_vectors() -> list[int]:
    """The keys of the positions that some of the vector games end with; every number of legal moves is checked."""
    games = (("draw", 1), ("chips", 4), ("free", 0), ("rare", 18))
    return [read_records(VECTORS / f"{name}.jsonl")[game].check().position_key for name, game in games]


def key_after(taste: str, most: int) -> int:
    """The key of the position that compiled play of the same game reaches."""
    game = Game.new(seed=21)
    for _ in play_on(game, taste, Random(21), most):
        pass
    return game.position_key


# ---------------------------------------------------------------- bounds


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.usefixtures("checked_code")
def test_no_index_is_out_of_bounds() -> None:
    """Whole games of every taste, with views and samples, compiled once more with a check of every index."""
    keys = run(PLAY.replace("MOST", "10_000"), PACKAGE.parent, **CHECKED).split()
    assert [int(key) for key in keys] == [key_after(taste, 10_000) for taste in TASTES]


def test_bounds_are_really_checked() -> None:
    """The setting that the test above relies on."""
    code = """
import numba, numpy
try:
    numba.njit(lambda numbers: numbers[7])(numpy.zeros(3))
except IndexError:
    print("refused")
"""
    assert run(code, PACKAGE.parent, **CHECKED) == "refused"
