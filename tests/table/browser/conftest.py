"""A server and a browser for each worker, and nothing that goes wrong unseen."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, Playwright, expect, sync_playwright

from table.browser.browsers import PAGE, TIMEOUT_MS, Browsers, Table, chromium
from table.browser.tabs import MAY_COMPILE, TabBrowsers


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Table | None]:
    """A server with a database of its own; none where browsers have tables in tabs of theirs (`--tab`)."""
    if pytestconfig.getoption("tab"):
        yield None
        return
    if not (PAGE / "index.html").exists():
        pytest.fail(f"the page is not built: run `cd web && npm run build`, or `make test`, which does ({PAGE})")
    with Table(
        tmp_path_factory.mktemp("table") / "games.sqlite", "--quiet", "--thinkers", "1", "--review-sims", "8"
    ) as one:
        one.warm()
        yield one


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Not for other tests than those of the page: it keeps an event loop running meanwhile."""
    expect.set_options(timeout=TIMEOUT_MS)
    with sync_playwright() as one:
        yield one


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A Chromium, the quickest there is."""
    with chromium(playwright) as one:
        yield one


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Pictures of what the browsers of a failed test show."""
    report = yield
    found = item.funcargs.get("browsers") if isinstance(item, pytest.Function) else None
    if report.when == "call" and report.failed and isinstance(found, Browsers):
        with suppress(Error):  # a page that hangs cannot be drawn either
            found.picture(f"failed-{item.name}")
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A run at tables in tabs (`--tab`) is of the tests that have browsers, but for those that need a server."""
    if config.getoption("tab"):
        config.hook.pytest_deselected(items=[item for item in items if not runs_in_tab(item)])
        items[:] = [item for item in items if runs_in_tab(item)]
        for item in items:
            item.add_marker(MAY_COMPILE)


def runs_in_tab(item: pytest.Item) -> bool:
    """Whether a test can have the table in a browser's tab: it says by a mark if it needs a server."""
    return "browsers" in getattr(item, "fixturenames", ()) and item.get_closest_marker("server") is None


@pytest.fixture
def browsers(browser: Browser, table: Table | None, request: pytest.FixtureRequest) -> Iterator[Browsers]:
    """Browsers at the worker's server, or with tables in tabs of theirs (`--tab`); in the end nothing may have gone
    wrong in any."""
    found: Browsers
    if table is None:
        found = TabBrowsers(browser, request.getfixturevalue("tab_folder"), request.node.name)
        yield found
    else:
        found = Browsers(browser, table)
        with table.dealt_by(request.node.name):
            yield found
    found.close()
    assert found.faults == []


@pytest.fixture
def page(browsers: Browsers) -> Page:
    """One browser of the usual size."""
    return browsers.page()


@pytest.fixture
def own_table(tmp_path: Path) -> Iterator[Table]:
    """A server of this test alone, which it may kill."""
    with Table(tmp_path / "games.sqlite", "--quiet", "--thinkers", "1") as one:
        yield one
