"""The review of a game in a browser: from the end of the game, through its turns, to the mistakes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

import soak
from helpers import some
from sintra.records.record import Record
from sintra.tabletop.moves import DisplayPlate, MoonTake, Move, SunTake, TakeChip
from table.browser.browsers import Browsers, keep_picture, seat_of, start_game, words
from table.browser.reaching import ask, visit
from table.browser.users import ORDERS, PROMPT, KeyboardUser, MouseUser, TouchUser

GRAPH = ".course .graph"
SIZES = pytest.mark.parametrize(("width", "height"), soak.rest_long((1280, 720), (390, 844)), ids=["desk", "phone"])


def resigned(page: Page, plies: int = 14, mode: str = "screen") -> None:
    """A short game, played without any thought and given up; the page tells of its end."""
    start_game(page, mode)
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] >= plies)
    seat.post("resign", seat=seat.shown()["position"]["seat"])
    page.reload()
    page.get_by_role("dialog").wait_for()


def key_of(page: Page) -> str:
    """The key of the review that the page shows."""
    key = re.search(r"/review/([\w-]+)", page.url)
    assert key is not None
    return key[1]


def found_of(page: Page) -> dict[str, Any]:
    """What the service says of the review that the page shows."""
    found: dict[str, Any] = ask(page, "GET", f"/api/reviews/{key_of(page)}").json()["found"]
    return found


@pytest.mark.tab
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
        page.locator(".verdict summary").click()
        expect(page.locator(".verdict details li b")).to_have_count(len(turn["reasons"]))
    for turn in some(turn for turn in found["turns"] if turn.get("mark")):
        assert turn["why"], "a move with a mark has a reason in words"
    sentences = page.locator(".verdict .because button")
    page.locator(".points .point").first.click()
    expect(sentences.first).to_be_visible()
    sentences.first.hover()
    expect(page.locator(".looked-at .marked").first).to_be_attached()
    page.locator(".account summary").click()

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


IN_SIGHT = """() => [".steps", ".looked-at .goals", ".boards > :first-child", ".boards > :last-child"].every((css) => {
    const { top, bottom } = document.querySelector(css).getBoundingClientRect();
    return top >= -1 && bottom <= innerHeight + 1;
}) && document.querySelector(".verdict").getBoundingClientRect().top < innerHeight"""


def is_out_of_sight(page: Page, css: str) -> bool:
    """Scrolls to something, from where the boards cannot be seen."""
    page.locator(css).evaluate("(one) => one.scrollIntoView({ block: 'end', behavior: 'instant' })")
    return not page.evaluate(IN_SIGHT)


@SIZES
def test_a_move_that_is_chosen_comes_into_sight(browsers: Browsers, width: int, height: int) -> None:
    """By the cards, the graph, the list and the buttons alike; nothing is scrolled where all of it is in sight."""
    page = browsers.page(width, min(height, 844) if width < 600 else 625)
    resigned(page)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    graph = page.locator(GRAPH)
    graph.wait_for()
    page.locator(".boards > :last-child").wait_for()
    last = page.locator(".list .entry").last

    def choose_in_graph() -> None:
        box = graph.bounding_box()
        assert box is not None
        graph.click(position={"x": box["width"] * 0.6, "y": 40})

    for away, choose in (
        ("header.head", page.locator(".points .point").nth(1).click),
        (GRAPH, choose_in_graph),
        ("header.head", lambda: page.keyboard.press("p")),
        ("main > p:last-child", lambda: last.evaluate("(one) => one.click()")),
        ("header.head", lambda: last.evaluate("(one) => one.click()")),
        (".account", lambda: page.keyboard.press("p")),
    ):
        assert is_out_of_sight(page, away)
        choose()
        page.wait_for_function(IN_SIGHT)
    keep_picture(page, f"review-chosen-{width}")


def test_what_is_in_sight_is_not_scrolled(browsers: Browsers) -> None:
    page = browsers.page(1366, 768, reducedMotion="on")
    resigned(page)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    page.locator(".boards > :last-child").wait_for()
    page.keyboard.press("Home")
    page.keyboard.press("n")
    assert page.evaluate(IN_SIGHT), "at once, where motion is reduced"
    page.evaluate("scrollBy(0, -40)")
    assert page.evaluate(IN_SIGHT)
    before, now = page.evaluate("scrollY"), page.locator(GRAPH).get_attribute("aria-valuenow")
    page.get_by_role("button", name=words("review.next")).click()
    expect(page.locator(GRAPH)).not_to_have_attribute("aria-valuenow", str(now))
    assert page.evaluate("scrollY") == before


def test_a_review_shows_the_goals(browsers: Browsers) -> None:
    page = browsers.page(1366, 768)
    resigned(page, plies=30)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    page.locator(GRAPH).wait_for()
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name=words("review.end"))).to_be_visible()
    key = re.search(r"/review/([\w-]+)", page.url)
    assert key is not None
    last = page.locator(GRAPH).get_attribute("aria-valuenow")
    shown = ask(page, "GET", f"/api/reviews/{key[1]}/positions/{last}").json()
    goals = page.locator(".looked-at .goal")
    expect(goals).to_have_count(len(shown["rules"]["goals"]))
    for k, goal in enumerate(some(shown["rules"]["goals"])):
        expect(goals.nth(k).locator(".title")).to_have_text(words(f"goal.{goal}"))
        for seat, board in enumerate(shown["position"]["boards"]):
            progress = words("goal.progress", **{one: board["progress"][k][one] for one in ("there", "asked")})
            expect(goals.nth(k).locator(".of").nth(seat)).to_contain_text(progress)
            points = str(abs(board["goals"][k]))
            expect(goals.nth(k).locator(".of b").nth(seat)).to_have_text(re.compile(rf"^\D?{points}$"))


def test_next_stops_at_the_mistakes_of_whom_it_is_seen_from(browsers: Browsers) -> None:
    """At those of both until somebody is chosen."""
    page = browsers.page()
    resigned(page, plies=24)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    graph = page.locator(GRAPH)
    graph.wait_for()
    marked = [turn for turn in found_of(page)["turns"] if turn.get("mark")]
    following = page.get_by_role("button", name=words("review.next"))

    def stops() -> list[int]:
        page.keyboard.press("Home")
        found = [0]
        while True:
            following.click()
            at = int(graph.get_attribute("aria-valuenow") or 0)
            if at == found[-1]:
                return found[1:]
            found.append(at)

    expect(following).to_have_attribute("title", f"{words('review.next')} ({words('review.both')})")
    assert stops() == [turn["ply"] for turn in marked if turn["ply"]]
    for seat, name in ((1, "Ben"), (0, "Ann")):
        page.get_by_label(words("review.view")).select_option(str(seat))
        own = [turn["ply"] for turn in marked if turn["seat"] == seat and turn["ply"]]
        assert any(own[0] < turn["ply"] < own[-1] and turn["seat"] != seat for turn in marked)
        assert stops() == own
        expect(following).to_have_accessible_name(f"{words('review.next')} ({name})")
    page.get_by_label(words("review.view")).select_option("1")
    page.reload()
    graph.wait_for()
    first = next(turn["ply"] for turn in marked if turn["seat"] == 1)
    expect(graph).to_have_attribute("aria-valuenow", str(first))
    expect(following).to_have_accessible_name(f"{words('review.next')} (Ben)")


@pytest.mark.server("answers made up on their way over the network")
@SIZES
def test_full_stores_of_chips_fit_their_boards(browsers: Browsers, width: int, height: int) -> None:
    page = browsers.page(width, height)

    def with_chips(route: Route) -> None:
        answer = route.fetch()
        shown = answer.json()
        for board in shown["position"]["boards"]:
            board |= {"chips": ["B-", "TY", "R-", "K-", "BR"], "spent": ["T-", "Y-", "YK", "KB", "RT"]}
        route.fulfill(response=answer, json=shown)

    page.route("**/api/reviews/*/positions/*", with_chips)
    resigned(page, plies=2)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    boards = page.locator(".looked-at .board")
    expect(boards.locator(".coin")).to_have_count(20)
    for board in some(boards.all()):
        outer = board.bounding_box()
        assert outer is not None
        for coin in board.locator(".store, .coin").all():
            box = coin.bounding_box()
            assert box is not None
            assert outer["x"] <= box["x"] < box["x"] + box["width"] <= outer["x"] + outer["width"]
            assert outer["y"] <= box["y"] < box["y"] + box["height"] <= outer["y"] + outer["height"]
    keep_picture(page, f"review-{width}-chips")


def enter(user: MouseUser, move: Move, places: list[str]) -> bool:
    """Makes a move with what lies on the table, as far as it is of a common kind; False for others."""
    page = user.page
    match move:
        case SunTake() | MoonTake():
            side = f"sun-{move.factory}" if isinstance(move, SunTake) else "moon-"
            tile = f"[data-place^='{side}'] button[data-piece={move.color.letter}]:not([data-place^='chip-'] *)"
            user.press(page.locator(tile).first)
            user.press(page.locator(f"button[data-drop='line-{move.line or 0}']"))
            order = "".join(color.letter for color in getattr(move, "order", ()))
            if page.locator(f"{ORDERS}[value='{order}']:not(:checked)").count():
                page.locator(f"{ORDERS}[value='{order}']").check(force=True)
        case TakeChip():
            user.press(page.locator(f"[data-place='chip-{move.factory}'] button"))
        case DisplayPlate():
            display = next(place for place in places if place.startswith("display-"))
            user.press(page.locator(f"[data-place='{display}'] button"))
            user.press(page.locator(f"button[data-drop='slot-{move.slot}']"))
            for _ in range(move.turns):
                user.press(page.locator(".turner button").last)
        case _:
            return False
    said, confirm = page.locator(".said"), page.locator(f"{PROMPT} button:enabled", has_text=words("act.confirm"))
    said.or_(confirm).first.wait_for()
    if confirm.count():
        user.confirm()
    return True


@pytest.mark.parametrize(
    ("width", "height", "kind"),
    soak.rest_long((1280, 720, MouseUser), (390, 844, TouchUser), (1280, 720, KeyboardUser)),
    ids=["mouse", "touch", "keys"],
)
def test_mistakes_are_tried_on_the_table(browsers: Browsers, width: int, height: int, kind: type[MouseUser]) -> None:
    """As many tries as wanted, a hint, the solution on request, and in the end what was found."""
    page = browsers.page(width, height, touch=kind is TouchUser)
    resigned(page)
    record = Record.loads(ask(page, "GET", f"/api/games/{page.url.split('/')[-1]}/record").text)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review")).click()
    page.locator(GRAPH).wait_for()
    own = sorted(
        (turn for turn in found_of(page)["turns"] if turn.get("mark") and turn["seat"] == 0),
        key=lambda turn: -turn["cost"],
    )
    user = kind(page, 3) if kind is not MouseUser else MouseUser(page, 3, drags=False)
    user.press(page.get_by_role("link", name=words("learn.title")))
    said = page.locator(".said")
    found = helped = 0
    for k, turn in enumerate(own):
        count = words("learn.count", k=k + 1, count=len(own))
        expect(page.locator(".question b")).to_have_text(count)
        played, best = turn["played"], turn["best"][0]
        if k == 0:
            if kind is KeyboardUser and page.evaluate("document.activeElement === document.body"):
                page.keyboard.press("Tab")
            keep_picture(page, f"learn-{width}")
        if enter(user, Move.parse(played["token"]), played["places"]):
            expect(said).to_contain_text(words("learn.same", less=f"{round(100 * turn['cost'])}%"))
            expect(page.locator(".marked").first).to_be_attached()
            user.press(said.get_by_role("button", name=words("puzzle.again")))
        other = next(
            one for one in record.replay(turn["ply"]).legal_moves if str(one) not in (played["token"], best["token"])
        )
        asked = {"ply": turn["ply"], "token": str(other)}
        known = ask(page, "POST", f"/api/reviews/{key_of(page)}/tries", asked).json()
        if enter(user, other, known["places"]):
            verdict = "as_good" if known["right"] else "better" if known["cost"] < turn["cost"] else "wrong"
            less = f"{round(100 * known['cost'])}%"
            expect(said).to_contain_text(words(f"learn.{verdict}", less=less))
            if not known["right"]:
                user.press(said.get_by_role("button", name=words("puzzle.again")))
        open_still = page.get_by_role("button", name=words("puzzle.solution"), exact=True)
        if not open_still.count():
            found += 1
        elif k % 2 == 0 and enter(user, Move.parse(best["token"]), best["places"]):
            expect(said).to_contain_text(words("learn.right"))
            found += 1
        else:
            helped += 1
            user.press(page.get_by_role("button", name=words("act.hint"), exact=True))
            expect(said).to_contain_text(re.compile(r"\w"))
            if helped == 1:
                keep_picture(page, f"learn-{width}-hint")
            user.press(open_still)
            expect(said).to_contain_text(words("learn.answer", win=f"{round(100 * best['chance'])}%"))
        expect(page.locator("button[data-drop]")).to_have_count(0)
        if k == 0:
            user.press(page.get_by_role("button", name=words("puzzle.why")))
            expect(page.get_by_role("dialog")).to_contain_text(words("review.best.one"))
            keep_picture(page, f"learn-{width}-explained")
            page.keyboard.press("Escape")
        user.press(said.get_by_role("button", name=words("learn.next")))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(words("learn.end", found=found, count=len(own)))
    keep_picture(page, f"learn-{width}-end")
    if helped:
        user.press(dialog.get_by_role("button", name=words("learn.again")))
        expect(dialog).to_have_count(0)
        expect(page.locator(".question b")).to_have_text(words("learn.count", k=1, count=helped))
        user.press(page.get_by_role("link", name=words("review.back")))
    else:
        user.press(dialog.get_by_role("link", name=words("review.back")))
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
    record = ask(page, "GET", f"/api/games/{game[1]}/record").text
    visit(page, "/")
    names = "Ann \N{EN DASH} Ben"
    page.get_by_role("button", name=f"{words('act.review')}: {names}").click()
    page.locator(GRAPH).wait_for()
    key = key_of(page)
    visit(page, "/")
    page.get_by_text(words("review.record.title")).click()
    text = page.get_by_label(words("review.record.text"))
    text.fill("nonsense")
    with browsers.without_server():
        page.get_by_role("button", name=words("act.review"), exact=True).click()
        why = "Line 1: " + words("wrong.json_at", column=1)
        expect(page.get_by_role("alert")).to_have_text(words("problem.unreviewable", why=why))
    text.fill(record)
    page.get_by_role("button", name=words("act.review"), exact=True).click()
    page.locator(GRAPH).wait_for()
    assert key_of(page) == key, "it is the same game"
    visit(page, "/")
    page.get_by_text(words("review.record.title")).click()
    page.locator("input[type=file][accept*=json]").set_input_files(
        {"name": "game.json", "mimeType": "application/json", "buffer": record.encode()}
    )
    page.locator(GRAPH).wait_for()
    assert key_of(page) == key
