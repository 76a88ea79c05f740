"""The editor: a table is built by hand, faults are told at once, and it can be analysed when there is none."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from table.browser.browsers import Browsers, keep_picture, resize, words
from table.browser.reaching import visit
from table.browser.test_analysis import best, set_up

TILING = """
round: 1; stage: tiling; turn: 0; first: 0; start tile: 1
0 left: markers=0 chips=0; 1 left: markers=0 chips=0
0 lines: B1 Y2 - K3 - -
0 plates: 11=04r1 12=16r0 22=02r0
1 plates: 11=05r0 21=17r2 33=01r0
1 lines: K1 - - - - -
0 store: B- TY; 1 store: Y- KB
0 broken: BT
display: 03 06 09
"""
"""The end of phase 1 in round 1."""


def place(page: Page, name: str) -> Locator:
    return page.locator(f"button[data-place='{name}']")


def piece(page: Page, name: str) -> Locator:
    """A piece of the palette, by the beginning of its name."""
    return page.locator(".palette").get_by_role("button", name=name)


def fault(page: Page, name: str) -> Locator:
    return page.locator(f"[data-fault='{name}']")


def spaces(page: Page) -> list[str]:
    """What is said of the spaces of the second player's dome."""
    found: list[str] = page.locator("[data-place^='space-1-']").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    return found


def build(page: Page) -> None:
    page.get_by_role("button", name=words("study.open"), exact=True).first.click()
    page.get_by_role("button", name=words("edit.title")).click()
    expect(place(page, "sun-1")).to_be_visible()


@pytest.mark.tab
def test_a_table_is_built_and_analysed(browsers: Browsers) -> None:
    page = browsers.page(width=1280, height=720)
    visit(page, "/analysis")
    page.get_by_role("button", name=words("edit.title")).click()
    done = page.locator(".end").get_by_role("button", name=words("study.analyse"))
    expect(fault(page, "plates-0")).to_be_visible()
    expect(done).to_be_disabled()
    keep_picture(page, "editor-1280x720-empty")

    # a new deal is whole; what is changed is wrong at once, next to its place
    page.get_by_role("button", name=words("edit.from.deal")).click()
    expect(page.locator("[data-fault]")).to_have_count(0)
    expect(done).to_be_enabled()
    place(page, "sun-1").click()
    page.keyboard.press("Delete")
    expect(fault(page, "sun-1")).to_be_visible()
    expect(done).to_be_disabled()
    fault(page, "sun-1").click()
    expect(place(page, "sun-1")).to_be_focused()
    piece(page, words("color.B")).or_(piece(page, words("color.Y"))).locator("visible=true").first.click()
    expect(page.locator("[data-fault]")).to_have_count(0)

    # both lay their first plates, one of them turned
    for seat in (0, 1):
        place(page, f"slot-{seat}-22").click()
        page.locator(".palette .plate").first.click()
        expect(place(page, f"space-{seat}-3-3")).to_be_visible()
    place(page, "space-1-3-3").click()
    printed = spaces(page)
    piece(page, words("edit.turn.plate")).click()
    expect(place(page, "space-1-3-3")).not_to_have_attribute("aria-label", printed[0])
    turned = spaces(page)

    # a line and a tile by the keyboard: the tile is too early in round 1
    place(page, "line-0-3").focus()
    page.keyboard.press("k")
    page.keyboard.press("k")
    expect(place(page, "line-0-3")).to_have_attribute(
        "aria-label", f"{words('study.player', number=1)}, {words('line.holds', line=3, count=2, color='black')}"
    )
    keep_picture(page, "editor-1280x720")
    expect(done).to_be_enabled()
    place(page, "space-0-3-3").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("[data-fault]")).not_to_have_count(0)
    place(page, "space-0-3-3").focus()
    page.keyboard.press("Backspace")
    expect(page.locator("[data-fault]")).to_have_count(0)
    done.click()
    expect(page.locator("[data-place='line-0-3']").first).to_be_visible()
    expect(best(page).first).to_be_enabled()

    # the position that is analysed can be changed, also on a phone
    build(page)
    expect(place(page, "line-0-3")).to_have_attribute(
        "aria-label", f"{words('study.player', number=1)}, {words('line.holds', line=3, count=2, color='black')}"
    )
    assert spaces(page) == turned
    resize(page, 390, 844)
    expect(page.locator("[data-fault]")).to_have_count(0)
    place(page, "line-1-4").click()
    piece(page, words("color.R")).click()
    keep_picture(page, "editor-390x844")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    done.click()
    expect(page.locator(".edit")).to_have_count(0)


def test_changes_are_taken_back_and_a_table_that_was_left_is_still_there(page: Page) -> None:
    visit(page, "/analysis")
    page.get_by_role("button", name=words("edit.title")).click()
    undo = page.get_by_role("button", name=words("act.undo"), exact=True)
    expect(undo).to_be_disabled()
    for letter in "bk":
        place(page, "line-0-1").focus()
        page.keyboard.press(letter)
    line = f"{words('study.player', number=1)}, {words('line.holds', line=1, count=1, color='{color}')}"
    expect(place(page, "line-0-1")).to_have_attribute("aria-label", line.format(color="black"))
    page.get_by_role("button", name=words("edit.from.deal")).click()
    expect(page.locator("[data-fault]")).to_have_count(0)
    undo.click()
    expect(place(page, "line-0-1")).to_have_attribute("aria-label", line.format(color="black"))
    page.keyboard.press("Control+z")
    expect(place(page, "line-0-1")).to_have_attribute("aria-label", line.format(color="blue"))
    page.get_by_role("button", name=words("page.close"), exact=True).click()
    page.get_by_role("button", name=words("edit.title")).click()
    expect(place(page, "line-0-1")).to_have_attribute("aria-label", line.format(color="blue"))


def test_a_round_is_counted(browsers: Browsers) -> None:
    page = browsers.page(width=1280, height=720)
    visit(page, "/analysis")
    set_up(page, TILING)
    page.get_by_role("button", name=words("count.open"), exact=True).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("rowheader", name=words("count.sum"))).to_have_count(2)
    keep_picture(page, "count-1280x720")
