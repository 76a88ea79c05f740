"""The tour points at what is there, and its cards can be read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.browser.browsers import Browsers, Seat, seat_of, start_game, words
from table.browser.users import KINDS
from table.catalogues import LONGEST_LANGUAGE, texts

CARDS = [
    key.removeprefix("tour.").removesuffix(".title")
    for key in texts("en")
    if key.startswith("tour.") and key.endswith(".title") and key != "tour.title"
]
TOURED = "[data-toured]"


def show_only(page: Page, *names: str) -> None:
    """The page as it is for somebody who has seen all the other cards."""
    seen = json.dumps([card for card in CARDS if card not in names])
    page.evaluate("seen => localStorage.setItem('sintra.tour', seen)", seen)
    page.reload()


def card_of(page: Page, name: str) -> Any:
    return page.get_by_role("complementary").get_by_role("heading", name=words(f"tour.{name}.title"))


def covered(page: Page, css: str = TOURED) -> bool:
    """Whether the card lies over something: what it points at, or another thing."""
    over: bool = page.evaluate(
        """(css) => {
            const [a, b] = [".guide > *", css].map((one) => document.querySelector(one).getBoundingClientRect());
            return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        }""",
        css,
    )
    return over


def is_cut(page: Page) -> bool:
    """Whether the card is longer than its room."""
    cut: bool = page.locator(".guide > *").evaluate("(one) => one.scrollHeight > one.clientHeight + 1")
    return cut


def first_is_empty_of(seat: Seat, side: str) -> dict[str, Any]:
    """Plays until there is something to take on a side of a factory, but nothing at the first one."""

    def fits(shown: dict[str, Any]) -> bool:
        factories = shown["position"]["factories"]
        if side == "chip":
            return factories[0]["chip"] == "down" and bool(shown["options"].get("chips"))
        others = any(one["sun"] for one in factories[1:-1])
        return shown["position"]["stage"] == "turn" and factories[0]["sun"] == "" and others

    return seat.play(fits)


def sides_to_take_from(shown: dict[str, Any]) -> set[str]:
    """The sides of factories that have tiles to take."""
    takes = (shown.get("options") or {}).get("takes") or []
    return {"moon" if take["source"] == "moon" else "sun" for take in takes}


def test_a_card_makes_room_for_advice(browsers: Browsers) -> None:
    page = browsers.page(390, 844, touch=True, tour=True)
    start_game(page)
    card = card_of(page, "welcome")
    expect(card).to_be_visible()
    page.get_by_role("button", name=words("act.hint"), exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name=words("act.hint")).tap()
    page.locator(".hint .advice").first.wait_for()
    expect(card).to_have_count(0)
    page.locator(".hint .head button").tap()
    expect(card).to_be_visible()


def test_a_card_points_at_what_is_there_and_stays_under_the_pointer(browsers: Browsers) -> None:
    page = browsers.page(tour=True)
    start_game(page, "screen")
    seat = seat_of(page)
    expect(card_of(page, "welcome")).to_be_visible()
    seat.play(lambda shown: shown["position"]["stage"] == "turn")

    show_only(page, "forecast")
    page.locator("[data-place^=sun-] button").first.click()
    page.locator("button[data-drop^=line-]").first.hover()
    card = card_of(page, "forecast")
    expect(card).to_be_visible()
    card.hover()
    expect(page.locator("button.tile.picked").first).to_be_visible()
    seat.move(seat.shown())  # what it spoke of is gone
    expect(page.locator("button.tile.picked")).to_have_count(0)
    expect(card).to_be_visible()
    page.get_by_role("button", name=words("tour.next")).click()
    expect(card).to_have_count(0)

    first_is_empty_of(seat, "sun")
    show_only(page, "sun")
    expect(card_of(page, "sun")).to_be_visible()
    expect(page.locator(f"{TOURED}[data-tour=sun] [data-piece]").first).to_be_visible()

    first_is_empty_of(seat, "chip")
    show_only(page, "chips")
    expect(card_of(page, "chips")).to_be_visible()
    expect(page.locator(f"{TOURED}[data-tour=chip] [data-explain=chip]")).to_be_visible()


def test_each_card_comes_once_and_goes_when_its_action_is_done(browsers: Browsers) -> None:
    page = browsers.page(tour=True, confirm="on")
    start_game(page, "screen")
    seat = seat_of(page)
    card = page.get_by_role("complementary")
    count = card.locator("header .num")
    expect(card_of(page, "welcome")).to_be_visible()
    expect(count).to_have_text(f"1 / {len(CARDS)}")
    page.get_by_role("button", name=words("tour.next")).click()
    expect(card_of(page, "opening")).to_be_visible()
    expect(count).to_have_text(f"2 / {len(CARDS)}")
    page.locator(KINDS["plate"]).first.click()
    expect(card_of(page, "turning")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card_of(page, "opening")).to_be_visible()
    page.locator(KINDS["plate"]).first.click()
    page.locator("button[data-drop^='slot-']").first.click()
    page.get_by_role("button", name=words("act.confirm")).click()
    expect(card).to_have_count(0)

    seat.play(lambda shown: shown["position"]["stage"] == "turn")
    expect(card_of(page, "sun")).to_be_visible()
    expect(count).to_have_text(f"4 / {len(CARDS)}")
    for comes in (1, 0):
        page.locator(KINDS["sun"]).first.click()
        expect(card_of(page, "lines")).to_have_count(comes)
        page.locator("button[data-drop^='line-']").last.click()
        expect(card_of(page, "lines")).to_have_count(0)
        page.get_by_role("button", name=words("act.confirm")).click()
        expect(page.get_by_role("button", name=words("act.confirm"))).to_have_count(0)
    expect(card_of(page, "sun")).to_have_count(0)


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390), (768, 1024), (1366, 625), (1440, 900)])
def test_a_card_does_not_cover_what_it_explains(browsers: Browsers, size: tuple[int, int]) -> None:
    page = browsers.page(*size, tour=True, confirm="on")
    start_game(page, "screen")
    seat = seat_of(page)

    def expect_in_sight(name: str) -> None:
        expect(card_of(page, name)).to_be_visible()
        page.locator(TOURED).wait_for()
        assert not covered(page), name

    for name in ("welcome", "opening"):
        expect_in_sight(name)
        page.get_by_role("button", name=words("tour.next")).click()
    page.locator(KINDS["plate"]).first.click()
    expect_in_sight("turning")
    seat.play(lambda shown: shown["ply"] > 10 and shown["position"]["stage"] == "turn")
    for name in ("broken", "goals"):
        show_only(page, name)
        expect_in_sight(name)


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_on_a_phone_a_card_leaves_in_sight_where_one_acts(browsers: Browsers, size: tuple[int, int]) -> None:
    page = browsers.page(*size, touch=True, tour=True, language=LONGEST_LANGUAGE)
    start_game(page, "screen")
    seat = seat_of(page)

    def expect_room(name: str, *acts_on: str) -> None:
        heading = words(f"tour.{name}.title", LONGEST_LANGUAGE)
        expect(page.get_by_role("complementary").get_by_role("heading", name=heading)).to_be_visible()
        assert [css for css in acts_on if covered(page, css)] == [], name
        assert not is_cut(page), name

    expect_room("welcome", ".display > .market", ".near > .board", ".ask > *")
    seat.play(lambda shown: sides_to_take_from(shown) == {"sun", "moon"})
    for name in ("sun", "moon"):
        show_only(page, name)
        expect_room(name, ".display > .market", ".factories", ".near .lines", ".near .dome")
    show_only(page, "lines")
    page.locator(KINDS["sun"]).first.tap()
    expect_room("lines", ".near > .board", ".ask > *")
    seat.play(lambda shown: shown["ply"] > 10 and bool(sides_to_take_from(shown)))
    for name in ("broken", "goals"):
        show_only(page, name)
        expect_room(name, ".display > .market", ".factories", ".near .lines", ".near .dome")
