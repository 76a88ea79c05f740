"""How a round and a game end: what was counted is told one thing after the other, or at a glance."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import soak
from table.browser.browsers import Browsers, Seat, away, game_of, keep_picture, resize, seat_of, start_game, words
from table.browser.reaching import visit
from table.browser.screens import LONG
from table.browser.test_layout import SHARPEST, SIZES
from table.browser.test_motion import tell
from table.catalogues import LONGEST_LANGUAGE

Shown = dict[str, Any]
COUNTED = ("placement", "specials", "broken", "start_tile")

LISTEN = """() => {
    window.told = [];
    new MutationObserver(() => {
        const dialog = document.querySelector("dialog[open]");
        const caption = dialog?.querySelector("[aria-live]")?.textContent.replace(/\\s+/g, " ").trim();
        if (!caption || window.told.at(-1)?.caption === caption) return;
        window.told.push({
            caption,
            lit: [...dialog.querySelectorAll("[data-cell].lit")].map((one) => one.dataset.cell),
            scores: [...dialog.querySelectorAll("section .num")].map((one) => one.textContent.trim()),
            behind: document.querySelectorAll("[data-place^='sun-'] [data-piece]").length,
            isSkippable: dialog.textContent.includes("Skip"),
        });
    }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
}"""


HOLD = """
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        const one = animate.apply(this, given);
        if (this === document.body && document.querySelector("dialog[open]")) one.pause();
        return one;
    };
"""
FITS = """(scrolls) => {
    const dialog = document.querySelector("dialog[open] .dialog");
    const inside = [...dialog.querySelectorAll("section, .button.main, a.button")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight;
    });
    const found = inside.map((one) => `out of sight: ${one.outerHTML.slice(0, 80)}`);
    if (dialog.scrollWidth > dialog.clientWidth) found.push("too wide");
    if (!scrolls && dialog.scrollHeight > dialog.clientHeight) found.push("too high");
    return found;
}"""


def too_large(page: Page, size: tuple[int, int], screen: str) -> list[str]:
    """What a window of some size does not show at once: the boards, the buttons, and of a round all there is."""
    resize(page, size[0], size[1])
    keep_picture(page, f"{screen}-{size[0]}x{size[1]}-{LONGEST_LANGUAGE}")
    return [f"{size}: {one}" for one in page.evaluate(FITS, screen == "end")]


def told(page: Page) -> list[dict[str, Any]]:
    """What a page has told step by step."""
    found: list[dict[str, Any]] = page.evaluate("() => window.told")
    return [one for one in found if one["isSkippable"]]


def counted_in(shown: Shown) -> list[dict[str, Any]]:
    """What the latest round's tiling booked, as the service tells it."""
    steps = [
        step
        for event in shown["log"]
        if event.get("round") == shown["event"]["round"]
        for step in event.get("steps", ())
    ]
    return [step for step in steps if step["kind"] == "points" and step["reason"] in COUNTED]


def to_the_end_of_a_round(seat: Seat, round_no: int) -> None:
    """Plays to the last decision of a round."""
    seat.play(lambda shown: shown["position"]["round"] == round_no)
    seat.play_to_end_of_round()


def to_a_round_with_points(seat: Seat) -> int:
    """Plays to the last decision of a round in which tiles were placed, if there is one before the last."""
    for round_no in (2, 3, 4):
        to_the_end_of_a_round(seat, round_no)
        shown = seat.shown()
        if any(step["reason"] == "placement" for step in counted_in(shown)):
            break
    return round_no


def watcher(browsers: Browsers, page: Page, holds: bool = False, **settings: Any) -> Page:
    """Somebody who watches the game of a page; if it `holds`, a story stops at the first thing that it tells."""
    answer = page.context.request.post(f"{browsers.table.address}/api/games/{game_of(page)}/links", data={})
    other = browsers.page(**settings)
    if holds:
        other.add_init_script(HOLD)
    visit(other, f"/game/{game_of(page)}#{answer.json()['watch']}")
    other.locator("[data-tour=prompt]").wait_for()
    return other


@pytest.mark.server("a second browser at the same game")
@pytest.mark.long
@pytest.mark.soak
def test_rounds_and_the_game_end_with_a_story(browsers: Browsers) -> None:
    sizes = soak.pick(SHARPEST, SIZES)
    page = browsers.page(speed="fast")
    start_game(page, "screen", name="Ann", other=LONG)
    seat = seat_of(page)
    with away(page):
        round_no = to_a_round_with_points(seat)
    page.locator("[data-tour=prompt]").wait_for()
    eve = watcher(browsers, page, holds=True, speed="fast")
    tom = watcher(browsers, page, holds=True, width=390, height=844, touch=True, speed="fast")
    still = watcher(browsers, page, speed="slow", reducedMotion="on")
    long = watcher(browsers, page, language=LONGEST_LANGUAGE)
    page.evaluate(LISTEN)
    seat.move(seat.shown())

    # one thing after the other, before the next round is dealt
    title = words("summary.title", round=round_no)
    go_on = page.get_by_role("button", name=words("act.continue"))
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    go_on.wait_for()
    shown = seat.shown()
    booked = counted_in(shown)
    story = told(page)
    drawn = sum(bool(gain["draws"]) for gain in shown["event"]["summary"]["gains"])
    breaks = [one for one in story if re.search(r"[Ll]ine \d breaks", one["caption"])]
    assert len(story) == drawn + len(booked) + len(breaks)
    assert all(one["behind"] == 0 for one in story)
    placed = [step for step in booked if step["reason"] in ("placement", "specials")]
    lit = [sorted(one["lit"]) for one in story if one["lit"]]
    assert lit == [sorted(cell.split("-", 2)[2] for cell in step.get("cells") or [step["end"]]) for step in placed]
    for step, one in zip(placed, [one for one in story if one["lit"]], strict=True):
        assert f"{('Ann', LONG)[step.get('seat', 0)]} " in one["caption"]
        assert f"+{step['points']}" in one["caption"]
    for k, gain in enumerate(shown["event"]["summary"]["gains"]):
        told_score = page.locator(f"[data-seat='{k}'] .score")
        expect(told_score).to_have_text(re.compile(rf"{gain['before']}\D+{gain['score']}$"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("header.bar")).to_contain_text(words("bar.round", round=round_no + 1, rounds=5))
    expect(page.locator("[data-place^='sun-'] [data-piece]")).not_to_have_count(0)

    # all of it is in sight in every window
    long.get_by_role("dialog").wait_for()
    assert [one for size in sizes for one in too_large(long, size, "summary")] == []
    long.get_by_role("button", name=words("act.continue", LONGEST_LANGUAGE)).click()

    # a key, a finger, or no motion at all lead to the same still picture
    heard = [one.strip() for one in still.locator("dialog ol li").all_text_contents()]
    assert len(heard) == len(story)
    expect(still.get_by_role("button", name=words("act.continue"))).to_be_visible()
    eve.get_by_role("dialog").get_by_role("button", name=words("act.skip")).wait_for()
    eve.keyboard.press("Enter")
    tom.get_by_role("heading", name=title).tap()
    for other in (eve, tom):
        other.get_by_role("button", name=words("act.continue")).wait_for()
        for k in range(2):
            same = still.locator(f"[data-seat='{k}']").inner_text()
            assert other.locator(f"[data-seat='{k}']").inner_text() == same
        other.get_by_role("button", name=words("act.continue")).click()
        expect(other.get_by_role("dialog")).to_have_count(0)
    still.close()

    # the goals are counted one after the other, then the result is told
    with away(page, eve, tom, long):
        to_the_end_of_a_round(seat, 5)
    for other in (page, eve, tom, long):
        other.locator("[data-tour=prompt]").wait_for()
    seat.move(seat.shown())
    go_on.wait_for()
    page.evaluate(LISTEN)
    page.keyboard.press("Enter")
    for other in (eve, tom):
        other.get_by_role("dialog").get_by_role("button", name=words("act.skip")).wait_for()
        other.keyboard.press(" ")
        other.get_by_role("button", name=words("act.continue")).wait_for()
        other.keyboard.press("Enter")
    result = seat.shown()["result"]
    rematch = page.get_by_role("button", name=words("act.rematch"))
    rematch.wait_for()
    goals = [one for one in told(page) if re.match(r"[\w ]+: Ann ", one["caption"])]
    names = [words(f"goal.{goal}") for goal in seat.shown()["rules"]["goals"]]
    assert [one["caption"].split(":")[0] for one in goals] == names
    for k, one in enumerate(goals):
        brought = [breakdown["goals"][k] for breakdown in result["breakdown"]]
        assert [
            int(found.replace("\N{MINUS SIGN}", "-")) for found in re.findall(r"[+\N{MINUS SIGN}]?\d+", one["caption"])
        ] == brought
    assert goals[-1]["scores"] == [str(score) for score in result["scores"]]
    expect(page.get_by_role("heading", name=words("end.winner", name=("Ann", LONG)[result["winner"]]))).to_be_visible()
    expect(page.get_by_role("button", name=words("start.new"))).to_be_visible()
    for kind in ("act.stronger", "act.gentler"):
        expect(page.get_by_role("button", name=words(kind))).to_have_count(0)
    eve.get_by_role("dialog").get_by_role("button", name=words("act.skip")).wait_for()
    eve.keyboard.press("Enter")
    eve.keyboard.press("Enter")
    expect(eve.get_by_role("button", name=words("start.new"))).to_be_visible()
    expect(eve.get_by_role("button", name=words("act.rematch"))).to_have_count(0)
    tom.get_by_role("dialog").get_by_role("button", name=words("act.skip")).tap()
    expect(tom.get_by_role("button", name=words("start.new"))).to_be_visible()
    long.get_by_role("button", name=words("act.continue", LONGEST_LANGUAGE)).click()
    long.get_by_role("button", name=words("start.new", LONGEST_LANGUAGE)).wait_for()
    assert [one for size in sizes for one in too_large(long, size, "end")] == []
    was = page.url
    rematch.click()
    page.wait_for_url(lambda url: url != was)
    page.locator("[data-tour=prompt]").wait_for()


@pytest.mark.server("answers made up on their way over the network")
def test_after_a_game_against_the_computer_another_one_is_offered(browsers: Browsers) -> None:
    page = browsers.page()
    start_game(page, "computer", level=2)
    was, rules = page.url, seat_of(page).shown()["rules"]

    def won(news: Shown) -> None:
        sources = ("start", "placement", "specials", "broken", "start_tile", "draws", "goals_booked", "total")
        breakdown = dict.fromkeys(sources, 0) | {"goals": [0, 0, 0]}
        stronger = {"player": "level:n=3", "name": "Helper", "about": "", "elo": None}
        end = {"reason": "points", "winner": 0, "scores": [9, 2], "breakdown": [breakdown] * 2, "tie_break": ""}
        news |= {"status": "over", "result": end | {"next_opponent": stronger}}
        news.pop("options", None)

    tell(page, won)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name=words("end.won"))).to_be_visible()
    expect(dialog.get_by_text(words("end.by", count=7))).to_be_visible()
    offer = dialog.get_by_role("button", name=words("act.stronger"))
    expect(offer).to_contain_text(words("opponent.level:n=3"))
    page.unroute_all()
    seat_of(page).post("resign")
    page.reload()
    offer = dialog.get_by_role("button", name=words("act.gentler"))
    expect(offer).to_contain_text(words("opponent.level:n=1"))
    offer.click()
    page.wait_for_url(lambda url: url != was)
    page.locator("[data-tour=prompt]").wait_for()
    begun = seat_of(page).shown()
    assert begun["players"][1]["opponent"] == "level:n=1"
    assert begun["rules"]["rule_options"] == rules["rule_options"]
