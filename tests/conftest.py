"""What all tests share: one hypothesis profile, so that a run gives the same answer everywhere, long forms, an end for
what hangs, the engine compiled ahead of time, and a Ray cluster."""

from __future__ import annotations

import fcntl
import signal
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import HealthCheck, Phase, settings

import leftovers
import no_library  # noqa: F401
import soak
from rays import Rays

if TYPE_CHECKING:
    from sintra.build.targets import Kind

ROOT: Final = Path(__file__).parents[1]
TAB_IS_MADE_FROM: Final = ("src/sintra", "web/tab", "release", "hatch_build.py", "docs/hosting.md")
"""What changes the folder of a table in a tab, beside the sources of its page."""
BUILT: Final = frozenset({"built", "built_for_tab"})
"""The fixtures for which the engine is compiled ahead."""
SOAK_TIMEOUT_S: Final = 4 * 3600
"""The time-out of a test in its long form; that of others is in `pyproject.toml`."""

settings.register_profile(
    "sintra",
    deadline=None,
    derandomize=True,
    database=None,
    # most examples are seeds of whole games: a smaller seed is no simpler game
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sintra")


@pytest.fixture
def hears_ctrl_c() -> Iterator[None]:
    """Lets this process and its children receive SIGINT, also when the tests run under `nohup`, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--soak", action="store_true", help="run the tests that have a long form, in that form")
    parser.addoption("--tab", action="store_true", help="run the tests of the page at a table in a browser's tab")
    parser.addoption("--pictures", action="store_true", help="keep pictures of the page in build/screens")


def pytest_configure(config: pytest.Config) -> None:
    soak.is_on = config.getoption("soak")
    soak.takes_pictures = soak.is_on or config.getoption("pictures")


def pytest_sessionstart() -> None:
    leftovers.watch()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A run of long forms leaves out what has none. Those who use the Ray cluster come first: so they are given to one
    worker, and there is one cluster. Those who need the engine compiled ahead come next, so that others run
    meanwhile."""
    if soak.is_on:
        short = [item for item in items if not item.get_closest_marker("soak")]
        config.hook.pytest_deselected(items=short)
        items[:] = [item for item in items if item.get_closest_marker("soak")]
        for item in items:
            item.add_marker(pytest.mark.timeout(SOAK_TIMEOUT_S), append=False)
    items.sort(key=lambda item: ("cluster" not in fixtures_of(item), BUILT.isdisjoint(fixtures_of(item))))


def fixtures_of(item: pytest.Item) -> Sequence[str]:
    """The names of the fixtures that a test uses, its own and those of others."""
    return getattr(item, "fixturenames", ())


@pytest.fixture(scope="session")
def checked_code() -> None:
    """Makes sure that code that checks every index is compiled, once for all workers."""
    from compile_ahead import compile_checked

    compile_checked()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Rays]:
    """The one Ray cluster of a run: a test asks it for as many nodes as it needs."""
    with Rays(0) as one:
        yield one


@pytest.fixture(scope="session")
def built() -> Path:
    """A folder with the engine compiled ahead of time from these sources."""
    return engine_as("library", "wasm")


@pytest.fixture(scope="session")
def built_for_tab() -> Path:
    """A folder with the engine as WebAssembly alone: half the work, for which `make test` has the time."""
    return engine_as("wasm")


def engine_as(*kinds: Kind) -> Path:
    """A folder with the engine compiled ahead of time: made once, for all workers and later runs."""
    from sintra.build.building import build, sources
    from sintra.rules.library import MANIFEST
    from sintra.rules.sources import stamp_of, user_cache

    folder = user_cache() / f"built-{'-'.join(kinds)}-{stamp_of(sources())}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / MANIFEST).exists():
            build(folder, kinds)
    return folder


@pytest.fixture(scope="session")
def tab_folder(built_for_tab: Path) -> Path:
    """The static folder with the table of a browser's tab: made once from these sources, for all workers and later
    runs."""
    import hatch_build

    from sintra.rules.sources import user_cache
    from tab_folder import build_tab

    digest = sha256(hatch_build.sources_hash().encode())
    for path in files_in(TAB_IS_MADE_FROM, without=(hatch_build.PAGE, hatch_build.NATIVE)):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    folder = user_cache() / f"tab-{digest.hexdigest()[:16]}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            made = folder.with_suffix(".made")
            build_tab(made, built_for_tab)
            made.rename(folder)
    return folder


def files_in(places: Sequence[str], without: Sequence[Path]) -> Iterator[Path]:
    """The files of the project at some places and below, but for bytecode and for those in some folders."""
    for place in places:
        for path in sorted([ROOT / place, *(ROOT / place).rglob("*")]):
            if path.is_file() and path.suffix != ".pyc" and not any(path.is_relative_to(one) for one in without):
                yield path
