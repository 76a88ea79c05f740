"""The table in a browser's tab: from a plain static server, below a path, and then without any network."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import hatch_build
import pytest
from playwright.sync_api import Browser, Page, Route, expect

import soak
from helpers import some
from sintra.table.http.security import HEADERS
from table.browser.browsers import Browsers, fill_start, game_of, words
from table.browser.folder import BELOW, Folder
from table.browser.tabs import MAY_COMPILE, table_answers
from table.browser.users import LOG, MouseUser
from table.catalogues import texts
from table.lessons import STEPS

pytestmark = MAY_COMPILE
_KEPT = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
    return found;
}"""
_WAITS = "async (folder) => (await navigator.serviceWorker.getRegistration(folder)).waiting !== null"
"""Whether a newer build of a folder is there, which waits for the older one's pages to be gone,"""
_GONE = "async (folder) => (await navigator.serviceWorker.getRegistration(folder)).waiting === null"
"""and whether none waits any more."""
_ANEW = "html[data-build=anew]"
_LACKING = {
    "secure": "Object.defineProperty(window, 'isSecureContext', { get: () => false });",
    "wasm": "delete window.WebAssembly;",
    "browser": "delete Navigator.prototype.locks;",
    "storage": "Object.defineProperty(window, 'indexedDB', { get: () => { throw new Error('forbidden'); } });",
}


@pytest.fixture
def visitors(browser: Browser) -> Iterator[Browsers]:
    """Browsers that come to a folder by its address; in the end nothing may have gone wrong in any."""
    found = Browsers(browser, None)
    yield found
    found.close()
    assert found.faults == []


def first_visit(page: Page, folder: Path) -> None:
    """Opens the folder, and cuts the network as soon as the table answers."""
    with Folder(folder) as there:
        page.goto(there.address)
        table_answers(page)


@pytest.mark.parametrize(("width", "height"), soak.rest_long((1280, 800), (390, 844)))
def test_a_game_goes_on_without_a_network_and_after_a_reload(
    visitors: Browsers, tab_folder: Path, width: int, height: int
) -> None:
    page = visitors.page(width, height, confirm="on")
    first_visit(page, tab_folder)
    kept = {Path(path).name for path in page.evaluate(_KEPT)}
    assert kept == {path.name for path in tab_folder.rglob("*") if path.is_file()} - {"sw.js"}
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/game/*")
    hand = MouseUser(page, 31)
    for _ in range(3):
        assert hand.decide()
    assert hand.used["confirm"]
    hand.ready()
    told = page.locator(LOG).all_inner_texts()
    page.reload()
    hand.ready()
    assert page.locator(LOG).all_inner_texts() == told
    assert hand.decide()


def test_the_policy_is_that_of_a_table_and_allows_compiled_code_too(tab_folder: Path) -> None:
    found = re.search(r'content="(default-src[^"]+)"', (tab_folder / "index.html").read_text("utf-8"))
    assert found is not None
    policy = HEADERS["content-security-policy"].replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
    assert found[1].replace("&#39;", "'") == policy.replace("; frame-ancestors 'none'", ""), (
        "which only headers can say"
    )


@pytest.mark.long
@pytest.mark.parametrize("code", _LACKING)
def test_a_browser_that_lacks_something_is_told_what(browser: Browser, tab_folder: Path, code: str) -> None:
    visitors = Browsers(browser, None)
    page = visitors.page()
    page.add_init_script(_LACKING[code])
    with Folder(tab_folder) as folder:
        page.goto(folder.address)
        expect(page.get_by_role("alert").first).to_have_text(words(f"tab.failed.{code}"))
        page.get_by_role("link", name=words("page.rules")).first.click()
        expect(page.locator("main h1")).to_have_text(words("page.rules"))
    visitors.close()
    assert [fault for fault in visitors.faults if "cannot be started" not in fault] == []


@pytest.mark.long
def test_lesson_and_rules_can_be_read_while_the_table_loads(visitors: Browsers, tab_folder: Path) -> None:
    page = visitors.page()
    page.add_init_script("delete Navigator.prototype.serviceWorker;")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/py/packages.zip", hold)
    with Folder(tab_folder) as folder:
        with page.expect_request("**/py/packages.zip"):
            page.goto(folder.address)
        page.get_by_role("link", name=words("page.rules")).first.click()
        expect(page.locator("main h1")).to_have_text(words("page.rules"))
        page.get_by_role("link", name=words("lesson.start"), exact=True).click()
        expect(page.get_by_role("progressbar")).to_be_visible()
        for step in some(STEPS):
            expect(page.get_by_text(texts("en", "lesson")[f"{step.name}.say"])).to_be_visible()
        for one in some(held):
            one.continue_()
        page.locator("aside.lesson").wait_for()
        expect(page.get_by_role("progressbar")).to_have_count(0)


@pytest.mark.long
def test_a_friend_needs_a_server(visitors: Browsers, tab_folder: Path) -> None:
    page = visitors.page()
    with Folder(tab_folder) as folder:
        page.goto(folder.address)
        page.locator("input[name=mode][value=friend]").check()
        expect(page.get_by_text(words("tab.friend.why"))).to_be_visible()
        expect(page.locator("form .button.main")).to_be_disabled()
        with page.expect_popup() as opened:
            page.get_by_role("link", name=words("tab.friend.hosting")).click()
        expect(opened.value.locator("body")).to_contain_text("sintra serve")


@pytest.mark.long
def test_addresses_of_a_table_lead_to_the_same_screens(visitors: Browsers, tab_folder: Path) -> None:
    page = visitors.page()
    with Folder(tab_folder) as folder:
        page.goto(folder.address)
        table_answers(page)
    for path, screen in some(
        {"rules#moon": "?/rules#moon", "puzzles/0123456789ab?kind=win": "?/puzzles/0123456789ab?kind=win"}.items()
    ):
        page.goto(folder.address + path)
        assert page.url == folder.address + screen


@pytest.mark.long
def test_another_tab_plays_at_the_same_table_and_takes_it_over(visitors: Browsers, tab_folder: Path) -> None:
    page = visitors.page()
    first_visit(page, tab_folder)
    start = page.url
    other = page.context.new_page()
    other.goto(start)
    fill_start(other, "computer")
    hand = MouseUser(other, 5)
    assert hand.decide()
    game = game_of(other)
    page.reload()
    page.get_by_role("link", name=re.compile("Ann")).click()
    page.wait_for_url(f"**/game/{game}")
    MouseUser(page, 5).ready()
    page.close()
    assert hand.decide(), "the other tab has the table now"


@pytest.mark.long
def test_games_go_to_another_browser_as_a_file(visitors: Browsers, tab_folder: Path, tmp_path: Path) -> None:
    page = visitors.page()
    first_visit(page, tab_folder)
    fill_start(page, "screen", other="Ben")
    hand = MouseUser(page, 5)
    assert hand.decide()
    told = page.locator(LOG).all_inner_texts()
    page.goto(page.url.partition("?")[0])
    table_answers(page)
    with page.expect_download() as download:
        page.get_by_role("button", name=words("tab.games.save")).click()
    download.value.save_as(tmp_path / "games.sqlite")
    other = visitors.page()
    first_visit(other, tab_folder)
    other.locator("input[type=file]").set_input_files(tmp_path / "games.sqlite")
    expect(other.get_by_text(words("tab.games.added", count=1))).to_be_visible()
    other.get_by_role("link", name=re.compile("Ben")).click()
    hand = MouseUser(other, 5)
    hand.ready()
    assert other.locator(LOG).all_inner_texts() == told
    assert hand.decide()


@pytest.mark.long
def test_a_newer_build_takes_the_place_of_an_older_one_as_a_whole(
    visitors: Browsers, tab_folder: Path, tmp_path: Path
) -> None:
    """While a tab shows the older build, all others do too; when none does, the browser gives way to the newer one,
    which a page beside the folder waits for."""
    shutil.copytree(tab_folder, tmp_path / "tab")
    index = tmp_path / "tab" / "index.html"
    with Folder(tmp_path / "tab") as folder, visitors.without_server():
        page = visitors.page()
        page.goto(folder.address)
        table_answers(page)
        index.write_text(index.read_text("utf-8").replace("<html", "<html data-build=anew"), "utf-8")
        hatch_build.seal(tmp_path / "tab")
        page.reload()
        beside = page.context.new_page()
        beside.goto(folder.address.removesuffix(f"{BELOW}/"))
        beside.wait_for_function(_WAITS, arg=folder.address)
        other = page.context.new_page()
        for one in (page, other):
            one.goto(folder.address)
            table_answers(one)
            expect(one.locator(_ANEW)).to_have_count(0)
        page.close()
        other.close()
        beside.wait_for_function(_GONE, arg=folder.address)
        page = beside.context.new_page()
        page.goto(folder.address)
        table_answers(page)
        expect(page.locator(_ANEW)).to_have_count(1)
    assert len(page.evaluate("caches.keys()")) == 1
