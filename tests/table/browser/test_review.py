"""The review of a game in a browser: from the end of the game, through its turns, to the mistakes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.browser.browsers import Browsers, keep_picture, seat_of, start_game, words

GRAPH = ".graph"
SIZES = pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)], ids=["desk", "phone"])


def resigned(page: Page, plies: int = 14, mode: str = "screen") -> None:
    """A short game, played without any thought and given up; the page tells of its end."""
    start_game(page, mode)
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] >= plies)
    seat.post("resign", seat=seat.shown()["position"]["seat"])
    page.reload()
    page.get_by_role("dialog").wait_for()


def found_of(page: Page) -> dict[str, Any]:
    """What the service says of the review that the page shows."""
    key = re.search(r"/review/([\w-]+)", page.url)
    assert key is not None
    answer = page.context.request.get(f"/api/reviews/{key[1]}")
    found: dict[str, Any] = answer.json()["found"]
    return found


def at(page: Page) -> int:
    return int(page.locator(GRAPH).get_attribute("aria-valuenow") or -1)


@SIZES
def test_a_game_is_looked_through(browsers: Browsers, width: int, height: int) -> None:
    page = browsers.page(width, height)
    resigned(page)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    page.wait_for_url("**/review/*")
    graph = page.locator(GRAPH)
    graph.wait_for()
    found = found_of(page)
    marked = [turn["ply"] for turn in found["turns"] if turn.get("mark")]
    assert len(marked) > 2, "moves without any thought cost something"
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    expect(graph).to_have_attribute("aria-valuenow", str(marked[0]))
    page.keyboard.press("n")
    expect(graph).to_have_attribute("aria-valuenow", str(marked[1]))
    page.get_by_role("button", name=words("review.next")).click()
    expect(graph).to_have_attribute("aria-valuenow", str(marked[2]))
    page.keyboard.press("p")
    expect(graph).to_have_attribute("aria-valuenow", str(marked[1]))
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name=words("review.end"))).to_be_visible()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("aria-valuenow", "1")

    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] - 12, "y": 40})
    expect(graph).to_have_attribute("aria-valuenow", str(len(found["turns"])))
    for turn in found["turns"][:3]:
        page.keyboard.press("Home")
        for _ in range(turn["ply"]):
            page.keyboard.press("ArrowRight")
        heading = words("review.move", round=turn["round"], ply=turn["ply"] + 1, last=len(found["turns"]))
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        marked_places = page.locator(".looked-at .marked")
        expect(marked_places.first).to_be_attached()

    told = [turn for turn in found["turns"] if turn.get("reasons")]
    for turn in told[:1]:
        page.keyboard.press("Home")
        for _ in range(turn["ply"]):
            page.keyboard.press("ArrowRight")
        expect(page.get_by_text(words("why.title"))).to_be_visible()
        expect(page.locator(".verdict ul b")).to_have_count(len(turn["reasons"]))

    account = page.locator("table").first.locator("td").all_inner_texts()
    start, *parts, end = (
        float(text.replace("\N{MINUS SIGN}", "-").replace("%", "").replace("\N{NO-BREAK SPACE}", ""))
        for text in account
    )
    assert start + sum(parts) == pytest.approx(end, abs=1.5)
    page.locator("select").last.select_option("lead")
    expect(graph.locator("text").first).not_to_have_text("0%")
    keep_picture(page, f"review-{width}", is_whole=True)

    graph.focus()
    page.keyboard.press("End")
    play_on = page.get_by_role("button", name=words("play_on.title"), exact=True)
    expect(play_on).to_have_count(0)
    page.keyboard.press("Home")
    play_on.click()
    page.get_by_label(words("start.opponent")).select_option("level:n=1")
    page.get_by_role("button", name=words("play_on.go")).click()
    page.wait_for_url("**/game/*")
    assert seat_of(page).shown()["began"] == {"moves": 0, "has_record": True}


@SIZES
def test_mistakes_are_questions(browsers: Browsers, width: int, height: int) -> None:
    """As many tries as wanted, and the answer on request."""
    page = browsers.page(width, height)
    resigned(page)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    page.locator(GRAPH).wait_for()
    own = sorted(
        (turn for turn in found_of(page)["turns"] if turn.get("mark") and turn["seat"] == 0),
        key=lambda turn: -turn["cost"],
    )
    page.get_by_role("button", name=words("learn.title")).click()
    for k, turn in enumerate(own):
        expect(page.get_by_text(words("learn.count", k=k + 1, count=len(own)))).to_be_visible()
        assert at(page) == turn["ply"]
        moves = page.locator(".learn .move")
        tokens = sorted({turn["played"]["token"], *(one["token"] for one in turn["best"])})
        assert moves.count() == len(tokens)
        moves.nth(tokens.index(turn["played"]["token"])).click()
        expect(page.get_by_text(words("learn.wrong"))).to_be_visible()
        if k % 2:
            page.get_by_role("button", name=words("learn.show")).click()
        else:
            moves.nth(tokens.index(turn["best"][0]["token"])).click()
            expect(page.get_by_text(words("learn.right"))).to_be_visible()
        expect(moves.first).to_be_disabled()
        if k + 1 < len(own):
            page.get_by_role("button", name=words("learn.next")).click()
    expect(page.get_by_text(words("learn.done"))).to_be_visible()
    page.get_by_role("button", name=words("review.back")).click()
    expect(page.get_by_role("heading", name=words("review.mistakes"))).to_be_visible()


def test_what_decisions_cost_belongs_to_ones_progress(browsers: Browsers) -> None:
    page = browsers.page()
    resigned(page, plies=2, mode="computer")
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    page.locator(GRAPH).wait_for()
    kept = page.evaluate("JSON.parse(localStorage['sintra.progress']).games[0]")
    assert kept["error_rate"] == found_of(page)["error_rate"][kept["seat"]]


def test_a_record_is_pasted_and_a_finished_game_found_again(browsers: Browsers) -> None:
    page = browsers.page()
    resigned(page, plies=4)
    game = re.search(r"/game/([\w-]+)", page.url)
    assert game is not None
    record = page.context.request.get(f"/api/games/{game[1]}/record").text()
    page.goto("/")
    names = "Ann \N{EN DASH} Ben"
    page.get_by_role("button", name=f"{words('act.review')}: {names}").click()
    page.locator(GRAPH).wait_for()
    address = page.url.partition("?")[0]
    page.goto("/")
    page.get_by_text(words("review.record.title")).click()
    text = page.get_by_label(words("review.record.text"))
    text.fill("nonsense")
    with browsers.without_server():
        page.get_by_role("button", name=words("act.review"), exact=True).click()
        expect(page.get_by_role("alert")).to_have_text(words("problem.unreviewable"))
    text.fill(record)
    page.get_by_role("button", name=words("act.review"), exact=True).click()
    page.locator(GRAPH).wait_for()
    assert page.url == address, "it is the same game"
    page.goto("/")
    page.get_by_text(words("review.record.title")).click()
    page.locator("input[type=file]").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": record.encode()}
    )
    page.locator(GRAPH).wait_for()
    assert page.url == address
