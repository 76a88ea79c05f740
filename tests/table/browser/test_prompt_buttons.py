"""The buttons of the prompt: each in its place, none pressed unasked, what help costs, and redoing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import soak
from table.browser.browsers import Browsers, Seat, keep_picture, resize, seat_of, stage_is, start_game, words
from table.browser.test_layout import faults_in
from table.browser.test_motion import Box, log_length, watch
from table.browser.users import KINDS, LOG, PROMPT, MouseUser, TouchUser
from table.catalogues import LONGEST_LANGUAGE

SIZES = ((1440, 900), (1024, 768), (768, 1024), (390, 844), (360, 640), (844, 390), (1280, 720))
BOXES = """(prompt) => [...document.querySelectorAll(`${prompt} button`)]
    .filter((one) => one.getClientRects().length)
    .map((one) => [one.innerText, one.getBoundingClientRect().toJSON()])"""
CATCH = """(prompt) => {
    window.hits = [];
    const known = new Set(document.querySelectorAll(`${prompt} button`));
    new MutationObserver(() => {
        for (const one of document.querySelectorAll(`${prompt} button`)) {
            if (known.has(one) || !one.getClientRects().length) continue;
            known.add(one);
            const { x, y, width, height } = one.getBoundingClientRect();
            const hit = document.elementFromPoint(x + width / 2, y + height / 2);
            window.hits.push([one.innerText, hit === one || one.contains(hit)]);
        }
    }).observe(document.querySelector(prompt), { childList: true, subtree: true });
}"""
"""Notes of every button of the prompt, at the moment when it appears, whether a click would press it."""


def button(page: Page, key: str) -> Locator:
    return page.locator(PROMPT).get_by_role("button", name=words(key), exact=True)


def meet(a: Box, b: Box) -> bool:
    return (
        a["x"] < b["x"] + b["width"]
        and b["x"] < a["x"] + a["width"]
        and a["y"] < b["y"] + b["height"]
        and b["y"] < a["y"] + a["height"]
    )


def boxes(page: Page) -> list[tuple[str, Box]]:
    found: list[tuple[str, Box]] = [(text, box) for text, box in page.evaluate(BOXES, PROMPT)]
    return found


def can_pay(shown: dict[str, Any]) -> bool:
    return bool((shown.get("options") or {}).get("payments"))


def one_move_before(seat: Seat, fits: Callable[[dict[str, Any]], bool], wish: str = "") -> dict[str, Any]:
    """Plays until the game fits, and goes one move back: the move that led there."""
    shown = seat.play(lambda one: one["ply"] > 6 and fits(one), wish)
    latest = next(one for one in reversed(shown["log"]) if one["kind"] == "move")
    seat.post("undo" if shown.get("may_undo") else "take-back")
    return {"token": latest["token"], "events": len(shown["log"]) + 1}


@pytest.mark.parametrize("stage", soak.rest_long("turn", "drawing", "tiling", "paying"))
def test_skip_lies_where_no_other_button_appears(browsers: Browsers, stage: str) -> None:
    page = browsers.page(speed="slow", confirm="off")
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    fits = can_pay if stage == "paying" else stage_is(stage)
    page.goto("about:blank")
    before = one_move_before(seat, fits, {"drawing": "draw", "paying": "chips"}.get(stage, ""))
    page.go_back()
    log_length(page, before["events"])
    watch(page)
    page.evaluate("() => { window.holds = true; }")
    seat.post("moves", token=before["token"])
    skip = button(page, "act.skip")
    expect(skip).to_be_visible()
    skips: dict[tuple[int, int], Box] = {}
    for width, height in SIZES:
        resize(page, width, height)
        skips[width, height] = dict(boxes(page))[words("act.skip")]
        keep_picture(page, f"skip-{stage}-{width}x{height}")
    skip.click()
    expect(skip).to_have_count(0)
    button(page, "act.hint").wait_for()
    for width, height in SIZES:
        resize(page, width, height)
        others = boxes(page)
        assert others
        there = [text for text, box in others if meet(box, skips[width, height])]
        assert there == [], (width, height)
        keep_picture(page, f"skipped-{stage}-{width}x{height}")


def test_undo_and_hint_keep_their_places(browsers: Browsers) -> None:
    """At a desk, whatever else there is to press."""
    page = browsers.page(confirm="on", theme="light")
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    places: list[set[tuple[float, float]]] = []

    def stands(stage: str) -> Callable[[dict[str, Any]], bool]:
        return lambda one: one["ply"] > 6 and stage_is(stage)(one) and not one.get("may_undo")

    def look(name: str) -> None:
        found = dict(boxes(page))
        places.append({(found[words(key)]["x"], found[words(key)]["y"]) for key in ("act.take_back", "act.hint")})
        keep_picture(page, f"places-{name}")

    for stage, wish in (("drawing", "draw"), ("turn", ""), ("tiling", "")):
        shown = seat.play(stands(stage), wish)
        log_length(page, len(shown["log"]))
        expect(button(page, "act.take_back")).to_be_visible()
        look(stage)
        if stage == "turn":
            page.locator(KINDS["sun"]).first.click()
            expect(button(page, "act.cancel")).to_be_visible()
            look("picked")
            page.keyboard.press("Escape")
    assert len(places) == 4
    assert all(one == places[0] for one in places), places


@pytest.mark.parametrize("motion", ["on", "off"])
def test_a_click_just_when_a_button_appears_does_nothing(browsers: Browsers, motion: str) -> None:
    """It was meant for what was there before; a moment later, and with the keyboard at once, the button works."""
    page = browsers.page(390, 844, confirm="on", reducedMotion=motion)
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    shown = seat.play(lambda one: one["ply"] > 6 and stage_is("turn")(one) and bool(one["options"].get("draw")))
    log_length(page, len(shown["log"]))
    page.evaluate(CATCH, PROMPT)
    page.locator(KINDS["draw"]).click()
    confirm = page.locator(PROMPT).get_by_role("button", name=words("act.confirm"))
    confirm.click()
    log_length(page, len(shown["log"]) + 1)
    look = page.locator(PROMPT).get_by_role("button", name=words("act.look", count=1))
    expect(look).to_be_enabled()
    hits = dict(page.evaluate("() => window.hits"))
    assert hits.pop(words("act.confirm")), "it is there because something was picked just now"
    assert hits.pop(words("act.cancel"))
    hits.pop(words("act.skip"), None)
    assert words("act.look", count=1) in hits
    assert words("act.take_back") in hits
    assert not any(hits.values()), hits
    look.click()
    confirm.wait_for()
    page.keyboard.press("Escape")
    look.focus()
    page.keyboard.press("Enter")
    confirm.wait_for()


def test_the_story_of_a_round_is_not_closed_by_a_second_click(browsers: Browsers) -> None:
    page = browsers.page(speed="slow")
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    page.goto("about:blank")
    seat.play_to_end_of_round()
    shown = seat.shown()
    page.go_back()
    log_length(page, len(shown["log"]))
    seat.move(shown)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=words("act.skip")).wait_for()
    pressed = page.evaluate("""() => {
        const one = document.querySelector("dialog .button.main");
        const { x, y, width, height } = one.getBoundingClientRect();
        const hit = () => document.elementFromPoint(x + width / 2, y + height / 2) === one;
        const before = hit();
        one.click();
        return new Promise((done) => requestAnimationFrame(() => done([before, hit(), one.innerText])));
    }""")
    assert pressed == [True, False, words("act.continue")]
    dialog.get_by_role("button", name=words("act.continue")).click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize(
    ("width", "height", "theme"), soak.rest_long((390, 844, "dark"), (1280, 800, "light"), (360, 640, "light"))
)
def test_what_was_taken_back_is_redone(browsers: Browsers, width: int, height: int, theme: str) -> None:
    page = browsers.page(width, height, theme)
    start_game(page, first="other", level=1)
    hand = MouseUser(page, 31)
    seat = seat_of(page)
    hand.ready()
    while (before := seat.shown())["ply"] < 6 or before["event"]["seat"] == 0:
        assert hand.decide()
        hand.ready()
    expect(button(page, "act.redo")).to_have_count(0)
    button(page, "act.take_back").click()
    page.get_by_role("dialog").get_by_role("button", name=words("act.take_back")).click()
    log_length(page, len(before["log"]) + 1)
    expect(page.locator(f"{LOG} del").first).to_be_attached()
    hand.ready()
    keep_picture(page, f"redo-{width}x{height}")
    button(page, "act.redo").click()
    log_length(page, len(before["log"]) + 2)
    expect(page.locator(f"{LOG} del")).to_have_count(0)
    hand.ready()
    after = seat.shown()
    assert (after["position"], after["options"]) == (before["position"], before["options"])
    assert after["taken_back"]
    expect(button(page, "act.redo")).to_have_count(0)
    # the keyboard can do it, too; another move ends it
    seat.post("take-back")
    button(page, "act.redo").wait_for()
    page.keyboard.press("y")
    expect(button(page, "act.redo")).to_have_count(0)
    assert seat.shown()["position"] == before["position"]
    seat.post("take-back")
    button(page, "act.redo").wait_for()
    hand.ready()
    assert hand.decide()
    expect(button(page, "act.redo")).to_have_count(0)


@pytest.mark.parametrize(
    ("width", "height", "theme"), soak.rest_long((1280, 800, "dark"), (390, 844, "light"), (844, 390, "dark"))
)
def test_help_says_first_that_the_game_will_not_be_rated(
    browsers: Browsers, width: int, height: int, theme: str
) -> None:
    page = browsers.page(width, height, theme, touch=width < 1000)
    start_game(page, first="other", level=1)
    user = TouchUser(page, 5) if width < 1000 else MouseUser(page, 5)
    assert user.decide()
    user.ready()
    asked, advice = page.get_by_role("dialog"), page.get_by_role("region", name=words("hint.title"))
    seq = seat_of(page).shown()["seq"]
    user.press(button(page, "act.take_back"))
    expect(asked.get_by_text(words("help.unrated"))).to_be_visible()
    keep_picture(page, f"unrated-{width}x{height}")
    user.press(asked.get_by_role("button", name=words("act.cancel")))
    expect(asked).to_have_count(0)
    # as long as nothing was agreed to, it is asked again, whatever help is wanted
    button(page, "act.hint").focus()
    page.keyboard.press("h")
    expect(asked.get_by_text(words("help.unrated"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    expect(advice).to_have_count(0)
    expect(button(page, "act.hint")).to_be_focused()
    assert seat_of(page).shown()["seq"] == seq
    page.keyboard.press("Enter")
    expect(asked.get_by_text(words("help.unrated"))).to_be_visible()
    user.press(asked.get_by_role("button", name=words("act.hint")))
    expect(advice).to_be_visible()
    # once per game, also after coming back
    page.reload()
    user.ready()
    user.press(button(page, "act.hint"))
    expect(advice).to_be_visible()
    user.press(advice.get_by_role("button", name=words("page.close")))
    events = len(seat_of(page).shown()["log"])
    user.press(button(page, "act.take_back"))
    log_length(page, events + 1)
    assert seat_of(page).shown()["seq"] == seq + 1
    expect(asked).to_have_count(0)


def test_help_is_not_asked_about_where_nothing_is_rated(page: Page) -> None:
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    shown = seat.play(lambda one: one["ply"] > 6 and stage_is("turn")(one) and not one.get("may_undo"))
    log_length(page, len(shown["log"]))
    button(page, "act.hint").click()
    advice = page.get_by_role("region", name=words("hint.title"))
    expect(advice).to_be_visible()
    # what lies below the advice cannot be reached by keys, which are in the advice now
    expect(advice).to_be_focused()
    below = page.locator(f".ask:has({PROMPT})")
    expect(below).to_have_attribute("inert", "")
    resize(page, 1024, 768)
    expect(below).to_have_attribute("inert", "")
    advice.get_by_role("button", name=words("page.close")).click()
    expect(below).not_to_have_attribute("inert", "")
    button(page, "act.take_back").click()
    log_length(page, len(shown["log"]) + 1)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_second_click_does_not_close_the_question(page: Page) -> None:
    start_game(page, first="other", level=1)
    hand = MouseUser(page, 5)
    assert hand.decide()
    hand.ready()
    button(page, "act.take_back").dblclick()
    asked = page.get_by_role("dialog")
    expect(asked.get_by_text(words("help.unrated"))).to_be_visible()
    asked.get_by_role("button", name=words("act.cancel")).click()
    expect(asked).to_have_count(0)


@pytest.mark.parametrize("stage", soak.rest_long("drawing", "tiling", "paying"))
def test_redo_has_room_in_every_window(browsers: Browsers, stage: str) -> None:
    page = browsers.page(confirm="on", language=LONGEST_LANGUAGE)
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    page.goto("about:blank")
    wish = {"drawing": "draw", "paying": "chips"}.get(stage, "")
    stands = can_pay if stage == "paying" else stage_is(stage)
    seat.play(lambda one: one["ply"] > 6 and stands(one), wish)
    seat.move(seat.shown(), wish)
    seat.post("undo" if seat.shown().get("may_undo") else "take-back")
    shown = seat.shown()
    assert shown["may_redo"]
    assert stands(shown)
    page.go_back()
    log_length(page, len(shown["log"]))
    redo = page.locator(PROMPT).get_by_role("button", name=words("act.redo", LONGEST_LANGUAGE))
    expect(redo).to_be_visible()
    found = faults_in(page, f"redo-{stage}", LONGEST_LANGUAGE, SIZES)
    assert not found, "\n".join(found)
