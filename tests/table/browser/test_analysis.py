"""The analysis board: positions are set up, both sides move, lines branch, a link leads back to all of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from table.browser.browsers import Browsers, Seat, keep_picture, seat_of, service_of, words
from table.browser.reaching import visit
from table.browser.screens import POSITION
from table.browser.users import KINDS

TILED = """
round: 1; stage: tiling; turn: 0; first: 0; start tile: 1
0 left: markers=0 chips=0; 1 left: markers=0 chips=0
0 lines: - Y1 - - - -
0 plates: 11=04r1 12=16r0 22=02r0
1 plates: 11=05r0 21=17r2 33=01r0
1 lines: - K1 - - - -
0 broken: BT
display: 03 06 09
"""
"""The end of round 1: nothing can be placed."""


def set_up(page: Page, text: str = POSITION) -> None:
    """Pastes a position or a record."""
    page.locator("#study-text").fill(text)
    page.get_by_role("dialog").get_by_role("button", name=words("study.open"), exact=True).click()


def moves(page: Page) -> Locator:
    return page.locator(".moves li button")


def best(page: Page) -> Locator:
    return page.locator(".best li button")


def part(page: Page, name: str) -> None:
    """Chooses what stands beside the board where there is no room for everything."""
    page.get_by_role("button", name=words(f"study.{name}"), exact=True).click()


def is_shown(page: Page, rows: int, now: int | None) -> None:
    """So many moves are in the list, and this one of them is shown (none: the start)."""
    expect(moves(page)).to_have_count(rows)
    if now is None:
        expect(page.locator(".moves [aria-current]")).to_have_count(0)
    else:
        expect(moves(page).nth(now)).to_have_attribute("aria-current", "step")


@pytest.mark.server("a second browser at the same game")
def test_a_position_is_analysed_and_shared(browsers: Browsers) -> None:
    page = browsers.page(width=1280, height=720)
    visit(page, "/")
    page.get_by_role("link", name=words("study.analyse"), exact=True).click()
    with browsers.without_server():  # the refusal is an answer that the browser notes as an error
        set_up(page, "factory 9: sun B")
        why = "Line 1: " + words("wrong.unknown_key", found="factory 9")
        expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text(words("problem.bad_position", why=why))
    set_up(page)
    expect(best(page).first).to_be_enabled()
    is_shown(page, 0, None)

    # moves for both sides, from the list of the best and on the table
    played = (best(page).first.locator(".what").text_content() or "").strip()
    best(page).first.click()
    is_shown(page, 1, 0)
    page.locator(KINDS["sun"]).first.or_(page.locator(KINDS["moon"]).first).first.click()
    page.locator("button[data-drop^='line-'], button[data-drop^='broken-']").first.click()
    confirm = page.locator("[data-tour=prompt]").get_by_role("button", name=words("act.confirm"))
    expect(confirm.or_(moves(page).nth(1)).first).to_be_attached()
    if confirm.is_visible():  # a stack is to be ordered, which depends on the move before
        confirm.click()
    is_shown(page, 2, 1)

    # another move from the start is a line of its own
    page.keyboard.press(",")
    is_shown(page, 2, 0)
    page.get_by_role("button", name=words("replay.back"), exact=True).click()
    is_shown(page, 2, None)
    other = best(page).filter(has_not_text=played).first
    expect(other).to_be_enabled()
    other.click()
    is_shown(page, 3, 1)
    assert depths(page) == ["0", "1", "0"]
    expect(best(page).first).to_be_enabled()
    keep_picture(page, "analysis-1280x720-best")
    part(page, "moves")
    keep_picture(page, "analysis-1280x720")
    page.get_by_role("button", name=words("study.promote")).click()
    is_shown(page, 3, 0)
    assert depths(page) == ["0", "1", "1"]

    # the link leads to the same tree, at the same place
    page.get_by_role("button", name=words("study.share")).click()
    link = page.locator("#study-link").input_value()
    text = page.locator("#study-position").input_value()
    page.keyboard.press("Escape")
    told = moves(page).all_inner_texts()
    friend = browsers.page(width=390, height=844, touch=True)
    friend.goto(link)
    friend.get_by_role("button", name=words("study.analysis"), exact=True).tap()
    is_shown(friend, 3, 0)
    expect(moves(friend)).to_have_text(told)
    keep_picture(friend, "analysis-390x844-moves")
    friend.get_by_role("button", name=words("study.share")).tap()
    keep_picture(friend, "analysis-390x844-share")
    assert friend.locator("#study-position").input_value() == text

    page.get_by_role("button", name=words("study.delete")).click()
    is_shown(page, 2, None)
    moves(page).last.focus()
    page.keyboard.press("ArrowRight")
    is_shown(page, 2, 0)
    page.keyboard.press("ArrowDown")
    is_shown(page, 2, 1)
    expect(moves(page).last).to_be_focused()


def test_a_round_that_ends_is_told(page: Page) -> None:
    visit(page, "/analysis")
    page.get_by_role("dialog").get_by_role("button", name=words("page.close")).click()
    page.get_by_role("button", name=words("study.begin"), exact=True).click()
    set_up(page, TILED)
    end = page.locator("[data-tour=prompt]").get_by_role("button", name=words("act.end"))
    for _ in range(2):
        end.click()
    story = page.get_by_role("dialog", name=words("summary.title", round=1))
    story.get_by_role("button", name=words("act.continue")).click()
    expect(story).to_have_count(0)
    is_shown(page, 2, 1)


def depths(page: Page) -> list[str]:
    """In how many side lines each move stands."""
    found: list[str] = page.locator(".moves li").evaluate_all(
        "(rows) => rows.map((row) => row.style.getPropertyValue('--depth'))"
    )
    return found


def test_a_finished_game_is_analysed_from_its_replay(browsers: Browsers) -> None:
    page = browsers.page(width=1280, height=720)
    visit(page, "/")
    asked = {"mode": "screen", "names": ["Ann", "Ben"]}
    service = service_of(page)
    made = service("POST", "/api/games", asked)
    seat = Seat(service, made["game"])
    for _ in range(8):
        seat.move(seat.shown())
    visit(page, f"/game/{made['game']}#{made['links']['own']}")
    page.get_by_role("button", name=words("act.replay")).click()
    page.get_by_role("button", name=words("replay.back")).click()
    expect(page.get_by_role("slider")).to_have_value("7")
    expect(page.get_by_role("button", name=words("study.analyse"))).to_have_count(0)
    now = seat.shown()
    seat.post("resign", seat=now["position"]["seat"])
    page.get_by_role("button", name=words("study.analyse")).click()
    page.wait_for_url("**/analysis#*")
    is_shown(page, 8, 6)
    expect(moves(page).first).to_contain_text("Ann")
    page.keyboard.press(".")
    is_shown(page, 8, 7)


@pytest.mark.tab
def test_play_goes_on_from_a_position_and_from_a_replay(browsers: Browsers) -> None:
    page = browsers.page(width=1280, height=720)
    visit(page, "/analysis")
    set_up(page)
    page.get_by_role("button", name=words("play_on.title"), exact=True).click()
    page.get_by_label(words("start.opponent")).select_option("level:n=1")
    page.get_by_label(words("clock.title"), exact=True).select_option("3+5")
    keep_picture(page, "play-on-1280x720")
    page.get_by_role("button", name=words("play_on.go")).click()
    page.wait_for_url("**/game/*")
    expect(page.locator(".log, [data-tour=prompt]").first).to_be_visible()
    seat = seat_of(page)
    now = seat.shown()
    assert (now["position"]["round"], now["position"]["seat"], now["ply"]) == (2, 0, 0)
    assert (now["clock"]["seconds"], now["clock"]["increment"]) == (180, 5)

    # and from the replay of that game, which has no record: for the other side, which is to wait then
    seat.move(now)
    seat.post("resign")
    ending = page.get_by_role("dialog")
    expect(ending.get_by_role("button", name=words("act.replay"))).to_be_visible()
    expect(ending.get_by_role("link", name=words("act.record"))).to_have_count(0)
    ending.get_by_role("button", name=words("act.replay")).click()
    expect(page.get_by_role("slider")).to_have_value("0")
    page.get_by_role("button", name=words("play_on.title"), exact=True).click()
    page.get_by_label(words("play_on.seat")).select_option("1")
    page.get_by_role("button", name=words("play_on.go")).click()
    page.wait_for_url(lambda url: not url.endswith(now["game"]))
    expect(page.get_by_role("slider")).to_have_count(0)
    assert seat_of(page).shown()["position"]["boards"][0]["plates"][0]["plate"] == "05"


@pytest.mark.parametrize("code", ["nonsense", "eyJ4IjoxfQ"])
def test_a_damaged_link_says_so(page: Page, code: str) -> None:
    visit(page, f"/analysis#{code}")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_have_text(words("study.damaged"))
