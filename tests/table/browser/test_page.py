"""What the page offers besides moves: undo, hints, replay, log, settings, resuming, the record."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from processes import children_of
from table.browser.browsers import Browsers, Table, game_of, seat_of, start_game, words
from table.browser.reaching import visit
from table.browser.users import KINDS, KeyboardUser, MouseUser

LOG = "[data-tour=log] li"


@pytest.mark.tab
def test_undo_take_back_and_hint(page: Page) -> None:
    start_game(page, first="me", level=1)
    hand = MouseUser(page, 31)
    for _ in range(3):
        assert hand.decide()
    hand.ready()
    before = seat_of(page).shown()
    page.get_by_role("button", name=words("act.take_back")).click()
    page.get_by_role("dialog").get_by_role("button", name=words("act.take_back")).click()
    expect(page.locator(LOG, has_text=words("log.take_back"))).to_be_visible()
    after = seat_of(page).shown()
    assert after["ply"] < before["ply"]
    assert after["position"]["seat"] == before["position"]["seat"]

    hand.ready()
    page.get_by_role("button", name=words("act.hint")).click()
    advice = page.get_by_role("region", name=words("hint.title"))
    expect(advice).to_be_visible()
    first = advice.locator("li button").first
    first.hover()
    ply = after["ply"]
    first.click()
    confirm = page.get_by_role("button", name=words("act.confirm"))
    expect(confirm).to_be_visible()
    expect(advice).to_be_hidden()
    assert seat_of(page).shown()["ply"] == ply
    page.get_by_role("button", name=words("act.cancel"), exact=True).click()
    expect(advice).to_be_visible()

    page.get_by_role("button", name=words("act.replay")).click()
    expect(advice).to_have_count(0)
    page.get_by_role("button", name=words("replay.close")).click()
    expect(advice).to_be_visible()
    first.click()
    confirm.click()
    expect(advice).to_be_hidden()
    hand.ready()
    assert seat_of(page).shown()["ply"] > ply


MARKED = "[...document.querySelectorAll('.marked[data-place]')].map((one) => one.dataset.place).sort().join()"
"""The places that are marked on the table."""


def test_advice_that_comes_to_lie_under_the_mouse_is_not_looked_at(browsers: Browsers) -> None:
    """Until the mouse moves; and what is opened in a panel that scrolls comes into view."""
    page = browsers.page(1366, 625, speed="off")
    start_game(page, first="me", level=1)
    MouseUser(page, 31).ready()
    page.get_by_role("button", name=words("act.hint")).click()
    page.get_by_role("dialog").get_by_role("button", name=words("act.hint")).click()
    panel = page.get_by_role("region", name=words("hint.title"))
    third = panel.locator(".advice").nth(2)
    box = third.bounding_box()
    assert box is not None
    panel.get_by_role("button", name=words("page.close")).click()
    x, y = box["x"] + box["width"] / 2, box["y"] + min(box["height"], 40) / 2
    page.mouse.move(x, y)
    before = page.evaluate(MARKED)
    page.keyboard.press("h")
    page.wait_for_function("() => document.querySelectorAll('.hint .advice')[2]?.matches(':hover')")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate(MARKED) == before
    page.mouse.move(x + 4, y + 4)
    page.wait_for_function(f"(before) => {MARKED} !== before", arg=before)
    page.mouse.move(2, 2)
    page.wait_for_function(f"(before) => {MARKED} === before", arg=before)
    third.focus()
    page.wait_for_function(f"(before) => {MARKED} !== before", arg=before)

    opened = panel.locator("details")
    panel.locator("summary").click()
    opened.locator("li").last.wait_for()
    page.wait_for_function(
        """() => {
            const bottom = (css) => document.querySelector(css).getBoundingClientRect().bottom;
            return bottom(".hint details") <= bottom(".hint") + 1;
        }"""
    )


def test_undo_within_the_law(page: Page) -> None:
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(lambda shown: shown["position"]["stage"] == "tiling" and bool(shown["options"].get("placements")))
    hand = MouseUser(page, 32)
    hand.ready()
    before = seat.shown()
    page.locator(KINDS["space"]).first.click()
    expect(page.locator(LOG)).to_have_count(len(before["log"]) + 1)
    page.get_by_role("button", name=words("act.undo")).click()
    expect(page.locator(LOG, has_text=words("log.undo"))).to_be_visible()
    after = seat.shown()
    assert after["position"] == before["position"]
    assert not after.get("taken_back")


def test_replay_by_slider_buttons_and_arrow_keys(page: Page) -> None:
    start_game(page, "screen")
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] == 12)
    expect(page.locator(LOG)).to_have_count(13)
    now = page.locator("[data-place^='line-'], [data-place^='slot-']").all_inner_texts()
    page.get_by_role("button", name=words("act.replay")).click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("12")
    expect(page.locator(KINDS["sun"])).to_have_count(0)
    page.get_by_role("button", name=words("replay.first")).click()
    expect(slider).to_have_value("0")
    for _ in range(3):
        page.get_by_role("button", name=words("replay.on")).click()
    expect(slider).to_have_value("3")
    slider.fill("7")
    expect(page.get_by_text("7 / 12")).to_be_visible()
    page.locator("[data-tour=log] li button").nth(3).click()
    expect(slider).to_have_value("9")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("8")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("10")
    page.locator(".replay").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name=words("replay.pause"))).to_be_visible()
    expect(slider).to_have_value("12")
    play = page.get_by_role("button", name=words("replay.play"))
    play.click()  # at the end, from the beginning
    expect(slider).to_have_value("0")
    page.get_by_role("button", name=words("replay.pause")).click()
    expect(play).to_be_visible()
    page.get_by_role("button", name=words("replay.close")).click()
    expect(slider).to_have_count(0)
    assert page.locator("[data-place^='line-'], [data-place^='slot-']").all_inner_texts() == now


def test_the_replay_of_a_game_that_is_over_begins_at_its_beginning(page: Page) -> None:
    start_game(page, "screen")
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] == 3)
    seat.post("resign")
    page.get_by_role("dialog").get_by_role("button", name=words("page.close")).click()
    page.locator("header.bar").get_by_role("button", name=words("act.replay")).click()
    expect(page.get_by_role("slider")).to_have_value("0")


def test_moves_that_were_taken_back_are_struck_through_and_cannot_be_replayed(page: Page) -> None:
    start_game(page, "screen")
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] == 6)
    seat.post("take-back")
    seat.play(lambda shown: shown["ply"] == 7)
    log = seat.shown()["log"]
    struck = [one for one in log if one["seq"] in log[7]["undoes"]]
    assert len(struck) == 1
    expect(page.locator(LOG)).to_have_count(len(log))
    expect(page.locator(f"{LOG} del")).to_have_count(1)
    expect(page.locator(LOG).nth(len(log) - 1 - struck[0]["seq"]).locator("del")).to_be_visible()
    entries = page.locator(f"{LOG} button")
    expect(entries).to_have_count(7)
    for ply in (7, 6, 3):
        entries.nth(7 - ply).click()
        expect(page.get_by_role("slider")).to_have_value(str(ply))


def test_six_orders_leave_the_confirmation_in_sight_on_a_phone(browsers: Browsers) -> None:
    page = browsers.page(390, 844)
    start_game(page, "screen")
    seat = seat_of(page)

    def takes(shown: dict[str, Any]) -> list[dict[str, Any]]:
        return [take for take in (shown["options"].get("takes") or []) if len(take.get("orders", [])) == 6]

    take = takes(seat.play(lambda shown: bool(takes(shown))))[0]
    page.reload()
    page.locator(f"[data-place={take['source']}] button[data-piece={take['color']}]").first.click()
    page.locator("button[data-drop^='line-']").first.click()
    expect(page.locator("input[name=order]")).to_have_count(6)
    expect(page.get_by_role("button", name=words("act.confirm"))).to_be_in_viewport(ratio=1)


def test_the_log_marks_places(page: Page) -> None:
    start_game(page, "screen")
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] == 9)
    expect(page.locator(LOG)).to_have_count(10)
    for entry in seat.shown()["log"][1:4]:
        ends = {step["end"] for step in entry["steps"] if step["kind"] == "travel" and step["end"] != "tower"}
        page.locator(LOG).nth(9 - entry["ply"]).locator("button").hover()
        for place in ends:
            expect(page.locator(f"[data-place~='{place}'].marked").first).to_be_attached()


@pytest.mark.tab
def test_a_reload_loses_nothing_and_the_list_resumes(page: Page) -> None:
    start_game(page, "screen", name="Ann", other="Ben")
    hand = MouseUser(page, 33)
    for _ in range(6):
        assert hand.decide()
    before = (
        seat_of(page).shown(),
        page.locator(LOG).all_inner_texts(),
        page.locator("main section").all_inner_texts(),
    )
    page.reload()
    hand.ready()
    after = (seat_of(page).shown(), page.locator(LOG).all_inner_texts(), page.locator("main section").all_inner_texts())
    assert after == before
    game = game_of(page)
    visit(page, "/")
    page.get_by_role("link", name="Ann \N{EN DASH} Ben").click()
    page.wait_for_url(f"**/game/{game}")
    hand.ready()
    assert hand.decide()


def test_settings_last(page: Page) -> None:
    visit(page, "/")
    keys = KeyboardUser(page, 1)
    opener = page.get_by_role("button", name=words("page.settings"))
    keys.press(opener)
    page.locator("#set-language").select_option("de")
    page.locator("#set-theme").select_option("light")
    page.locator("#set-confirm").select_option("on")
    expect(page.get_by_role("heading", name=words("page.settings", "de"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name=words("page.settings", "de"))).to_be_focused()
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.get_by_role("button", name=words("page.settings", "de")).click()
    expect(page.locator("#set-confirm")).to_have_value("on")


@pytest.mark.long
def test_the_record_of_a_finished_game(browsers: Browsers, tmp_path: Path) -> None:
    page = browsers.page()
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(lambda shown: shown["status"] == "over")
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("dialog").get_by_role("link", name=words("act.record")).click()
    path = tmp_path / "game.json"
    download.value.save_as(path)
    record = json.loads(path.read_text())
    assert len(record["moves"]) == seat.shown()["ply"]
    command = [sys.executable, "-m", "sintra", "check", str(path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_a_first_start_says_why_it_takes_long(browser: Browser, tmp_path: Path) -> None:
    """While the page is looked at, what compiles stands still."""
    empty = {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    with Table(tmp_path / "games.sqlite", "--quiet", **empty) as cold, ExitStack() as at_the_end:
        person = cold.person()
        while not person.get("/api/health").json()["progress"]:
            time.sleep(0.05)
        for compiler in children_of(cold.pid):
            os.kill(compiler, signal.SIGSTOP)
            at_the_end.callback(os.kill, compiler, signal.SIGCONT)
        browsers = Browsers(browser, cold)
        page = browsers.page(390, 844)
        visit(page, "/")
        expect(page.get_by_text(words("page.preparing"))).to_be_visible()
        done = person.get("/api/health").json()["progress"]
        page.wait_for_function("done => document.querySelector('progress')?.value >= done", arg=done)
        shown = page.get_by_role("progressbar").evaluate("bar => bar.value")
        assert done <= shown <= person.get("/api/health").json()["progress"] < 1
        page.locator("form .button.main").click()
        page.get_by_role("button", name=words("page.settings")).click()
        page.keyboard.press("Escape")
        page.get_by_role("link", name=words("page.rules")).first.click()
        page.wait_for_url("**/rules")
        expect(page.get_by_role("progressbar")).to_be_visible()
        browsers.picture("preparing")
        visit(page, "/game/AAAAAAAAAAAAAAAA")
        expect(page.get_by_role("status").get_by_text(words("page.loading"))).to_be_visible()
        expect(page.locator("main").get_by_role("link", name=words("page.rules"))).to_be_visible()
        expect(page.get_by_role("progressbar")).to_be_visible()
        browsers.picture("setting-up")
        browsers.close()
    assert browsers.faults == []
