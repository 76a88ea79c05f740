"""From line to dome: which spaces could take a line's tile, and what is said where there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from helpers import some
from table.browser.browsers import Browsers, Seat, Table, words
from table.browser.reaching import visit
from table.browser.screens import Shelf
from table.browser.users import PROMPT

Take = dict[str, Any]
Destination = dict[str, Any]
TRUE_COLOR = """(one) => {
    let all = 1;
    for (let up = one; up && up !== document.body; up = up.parentElement) all *= getComputedStyle(up).opacity;
    return all;
}"""


@pytest.fixture(scope="module")
def shelf(table: Table | None) -> Shelf:
    return Shelf(table)


def sit(page: Page, shelf: Shelf, fits: Callable[[dict[str, Any]], bool]) -> tuple[Seat, dict[str, Any]]:
    """A page at a game that has come to something; not every game does."""
    for _ in range(40):
        made, seat = shelf.make(page)
        shown = seat.play(lambda shown: shown["status"] == "over" or fits(shown))
        if shown["status"] != "over":
            visit(page, f"/game/{made['game']}#{made['links']['own']}")
            page.locator(PROMPT).wait_for()
            return seat, shown
    raise AssertionError("no game came to that")


def destinations(shown: dict[str, Any], kind: str) -> Iterator[tuple[Take, Destination]]:
    """The takes to lines whose tile has a place now, `yet` or `never`."""
    for take in (shown.get("options") or {}).get("takes", []):
        for to in take["to"]:
            outlook = to.get("outlook")
            if outlook is not None and kind == ("now" if outlook.get("columns") else kind_of(outlook)):
                yield take, to


def kind_of(outlook: dict[str, Any]) -> str:
    return "yet" if "plate_by" in outlook else "never"


def tile_of(page: Page, take: Take) -> Locator:
    return page.locator(f"[data-place={take['places'][0]}] button[data-piece={take['color']}]").first


def spaces(page: Page, css: str) -> set[str | None]:
    return {one.get_attribute("data-place") for one in page.locator(f".near .space{css}").all()}


def said(to: Destination, color: str) -> str:
    """The words for a line without a place for its tile."""
    outlook = to["outlook"]
    cost = outlook.get("cost", 0)
    return words(
        f"outlook.{kind_of(outlook)}",
        line=to["line"],
        color=words(f"color.{color}"),
        round=outlook.get("plate_by"),
        cost=f"\N{MINUS SIGN}{cost}" if cost else "0",
    )


def test_spaces_that_could_take_the_tiles_light_up(browsers: Browsers, shelf: Shelf) -> None:
    page = browsers.page(confirm="on")

    def fits(shown: dict[str, Any]) -> bool:
        lines = [to["line"] for take, to in destinations(shown, "now") if take == shown["options"]["takes"][0]]
        return len(lines) > 1

    _, shown = sit(page, shelf, fits)
    seat, take = shown["position"]["seat"], shown["options"]["takes"][0]
    could = {
        f"space-{seat}-{to['line']}-{column}"
        for to in take["to"]
        for column in to.get("outlook", {}).get("columns", [])
    }
    expect(page.locator(".near .space.could")).to_have_count(0)
    tile_of(page, take).click()
    expect(page.locator(".near .space.could")).to_have_count(len(could))
    assert spaces(page, ".could") == could
    to = next(one for one in take["to"] if one.get("outlook", {}).get("columns"))
    own = {f"space-{seat}-{to['line']}-{column}" for column in to["outlook"]["columns"]}
    line = page.locator(f"button[data-drop=line-{to['line']}]")
    line.hover()
    expect(page.locator(".near .space.takes")).to_have_count(len(own))
    assert spaces(page, ".takes") == own
    assert spaces(page, ".could") == set()
    assert words("outlook.open", line=to["line"], count=len(own)) in (line.get_attribute("aria-label") or "")
    page.keyboard.press("Escape")
    expect(page.locator(".near :is(.could, .takes)")).to_have_count(0)


@pytest.mark.parametrize("kind", ["yet", "never"])
def test_a_line_without_a_place_says_so_before_and_after(browsers: Browsers, shelf: Shelf, kind: str) -> None:
    page = browsers.page(confirm="on")

    def stays_in_round(shown: dict[str, Any]) -> bool:
        return shown["ply"] > 8 and any(len(take.get("orders", [])) > 1 for take, _ in destinations(shown, kind))

    seat, shown = sit(page, shelf, stays_in_round)
    mover = shown["position"]["seat"]
    take, to = next((take, to) for take, to in destinations(shown, kind) if len(take.get("orders", [])) > 1)
    place = page.locator(f"[data-place=line-{mover}-{to['line']}]").first
    tile_of(page, take).click()
    expect(place.locator(".sign")).to_be_visible()
    page.locator(f"button[data-drop=line-{to['line']}]").click()
    outlook = page.locator(f"{PROMPT} .outlook.{kind}")
    expect(outlook).to_contain_text(said(to, take["color"]))
    wanted = page.locator(".near .slot.wanted")
    expect(wanted.first).to_be_visible() if kind == "yet" else expect(wanted).to_have_count(0)
    page.keyboard.press("c")
    expect(page.locator(".near .line.able")).to_have_count(0)
    for _ in range(3000):
        if seat.shown()["seq"] > shown["seq"]:
            break
        page.wait_for_timeout(20)
    line = page.locator(f".far-small [data-place=line-{mover}-{to['line']}]")
    expect(line).to_be_visible()
    page.locator(".far-small .open").click()
    held = page.locator(f".far-large [data-place=line-{mover}-{to['line']}]")
    expect(held.locator(".sign")).to_be_visible()
    expect(held).to_contain_text(said(to, take["color"]))
    held.hover()
    expect(page.get_by_role("tooltip")).to_have_text(said(to, take["color"]))


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_a_ghost_has_the_colour_of_its_tile(browsers: Browsers, shelf: Shelf, width: int, height: int) -> None:
    page = browsers.page(width, height, confirm="on")
    _, shown = sit(page, shelf, lambda shown: any(take.get("orders") for take, _ in destinations(shown, "yet")))
    take, to = next((take, to) for take, to in destinations(shown, "yet") if take.get("orders"))
    tile_of(page, take).click()
    page.locator(f"button[data-drop=line-{to['line']}]").click()
    page.mouse.move(0, 0)
    ghosts = page.locator(".ghost svg")
    expect(ghosts).to_have_count(to["fills"] + to["broken"] + len(take["orders"][0]["order"]))
    for ghost in some(ghosts.all()):
        assert ghost.evaluate(TRUE_COLOR) == 1


# --- tiling -------------------------------------------------------------------------------------


def test_a_placed_line_shows_what_is_left_of_it_and_no_chip(browsers: Browsers, shelf: Shelf) -> None:
    page = browsers.page()

    def fits(shown: dict[str, Any]) -> bool:
        board = shown["position"]["boards"][shown["position"]["seat"]]
        return any(line["placed"] and line["tiles"] > 1 for line in board["lines"])

    _, shown = sit(page, shelf, fits)
    mover = shown["position"]["seat"]
    for k, line in enumerate(shown["position"]["boards"][mover]["lines"]):
        if line["placed"]:
            place = page.locator(f".near [data-place=line-{mover}-{k + 1}]")
            expect(place.locator(f"[data-piece={line['color']}]")).to_have_count(line["tiles"])
            expect(place.locator("use[href='#sintra-coin']")).to_have_count(0)


def test_complete_lines_that_wait_are_named(browsers: Browsers, shelf: Shelf) -> None:
    page = browsers.page()

    def waiting(shown: dict[str, Any]) -> list[int]:
        options, position = shown.get("options") or {}, shown["position"]
        lines = enumerate(position["boards"][position["seat"]]["lines"], start=1)
        full = [n for n, line in lines if line["tiles"] == n and "plate_by" in line.get("outlook", {})]
        return full if options.get("end") and not options.get("payments") else []

    _, shown = sit(page, shelf, lambda shown: len(waiting(shown)) == 1)
    expect(page.locator(PROMPT)).to_contain_text(words("ask.waiting", count=1, lines=waiting(shown)[0]))
    expect(page.locator(PROMPT)).to_contain_text(words("ask.tiling_end"))
