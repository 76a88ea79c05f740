"""What is seen and heard of a move: pieces on their way, points, marks, the call to the player, the small board."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, TimeoutError, expect

from table.browser.browsers import Browsers, Seat, away, game_of, resize, seat_of, stage_is, start_game, words
from table.browser.reaching import visit
from table.browser.test_friends import friends
from table.browser.users import KINDS

MARKED = re.compile(r"\bmarked\b")
Shown = dict[str, Any]
Box = dict[str, float]

WATCH = """() => {
    window.seen = [];
    window.moved = [];
    window.held = [];
    const size = () => [document.scrollingElement.scrollWidth, document.scrollingElement.scrollHeight];
    const before = size();
    new MutationObserver((records) => {
        for (const record of records)
            for (const one of record.addedNodes) {
                if (!one.matches?.(".flight, .float")) continue;
                const motion = one.getAnimations()[0];
                const { delay, duration } = motion.effect.getComputedTiming();
                motion.pause();
                const boxes = [0, 0.5, 0.9999].map((part) => {
                    motion.currentTime = delay + part * duration;
                    return one.getBoundingClientRect().toJSON();
                });
                const grown = size().some((now, k) => now > before[k]);
                window.seen.push({ kind: one.className, text: one.textContent, boxes, grown, html: one.innerHTML });
                motion.currentTime = 0;
                if (window.holds) window.held.push(motion);
                else motion.play();
            }
    }).observe(document.body, { childList: true });
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
        const place = this.closest("[data-place]")?.dataset.place ?? "";
        window.moved.push({ place, piece: this.dataset?.piece ?? "", frames: JSON.stringify(frames) });
        return animate.call(this, frames, options);
    };
}"""
CALLS = """
    window.called = [];
    window.struck = 0;
    window.Notification = class {
        static permission = "granted";
        constructor(title, options) { window.called.push(title); }
    };
    Object.defineProperty(document, "hidden", { get: () => !!window.away });
    const strike = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        window.struck++;
        return strike.call(this);
    };
    window.EventSource = class extends EventSource {
        addEventListener(kind, hear) {
            super.addEventListener(kind, (message) => window.deaf && kind === "game" ? null : hear(message));
        }
    };
"""


def set_settings(page: Page, **settings: Any) -> None:
    """Other settings than those the page came with."""
    page.evaluate(
        "(more) => localStorage.setItem('sintra.settings',"
        " JSON.stringify({...JSON.parse(localStorage.getItem('sintra.settings')), ...more}))",
        settings,
    )
    page.reload()
    page.locator("[data-tour=prompt]").wait_for()


def watch(page: Page) -> None:
    page.evaluate(WATCH)


def seen(page: Page, kind: str = "flight") -> list[dict[str, Any]]:
    return [one for one in page.evaluate("() => window.seen") if one["kind"].startswith(kind)]


def expect_marked(page: Page, places: set[str], how: str = "marked") -> None:
    """The places that are marked, and no others."""
    script = """([how, places]) => {
        window.marked = [...document.querySelectorAll(`[data-place].${how}`)].map((one) => one.dataset.place);
        return window.marked.sort().join() === places;
    }"""
    try:
        page.wait_for_function(script, arg=[how, ",".join(sorted(places))])
    except TimeoutError:
        assert set(page.evaluate("() => window.marked")) == places


def log_length(page: Page, length: int) -> None:
    expect(page.locator("[data-tour=log] li")).to_have_count(length)


def middle(box: Box) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_near(a: Box, b: Box) -> bool:
    return all(abs(x - y) < 3 for x, y in zip(middle(a), middle(b), strict=True))


def box_of(one: Locator) -> Box:
    box = one.bounding_box()
    assert box is not None
    return {key: float(value) for key, value in dict(box).items()}  # type: ignore[arg-type]


def tell(page: Page, change: Callable[[Shown], None]) -> None:
    """The service is made to tell of one more event: the game as it stands, changed. A computer has moved before: its
    event would take the place of this one."""
    game = game_of(page)
    news: Shown = seat_of(page).play(lambda shown: "options" in shown)
    del news["log"]
    news["seq"] += 1
    news["event"] = {"seq": news["seq"], "kind": "move", "telling": {"key": "log.end_free"}, "at": "", "seat": 0}
    change(news)

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/event-stream", body=f"event: game\ndata: {json.dumps(news)}\n\n")

    page.route(f"**/api/games/{game}/events*", answer)
    page.reload()
    page.locator("[data-tour=prompt]").wait_for()


def play_to(seats: list[Seat], fits: Callable[[Shown], bool]) -> Shown:
    """Friends make moves until the game fits, as the one to move sees it."""
    for _ in range(400):
        mover = seats[seats[0].shown()["position"]["seat"]]
        shown: Shown = mover.shown()
        if fits(shown):
            return shown
        mover.move(shown)
    raise AssertionError("it never came to that")


def can_draw(shown: Shown) -> bool:
    return stage_is("turn")(shown) and bool(shown["options"].get("draw"))


def ends_round(shown: Shown) -> bool:
    """Whether the next move ends the first round: the other player has tiled, and nothing is left to place."""
    ended = [one for one in shown["log"] if one["telling"]["key"].startswith("log.end")]
    return stage_is("tiling")(shown) and len(ended) == 1 and not shown["options"].get("placements")


def lay_plate(seat: Seat) -> tuple[str, str]:
    """Somebody lays an open plate; from where and to where."""
    shown = seat.shown()
    laying = shown["options"]["layings"][0]
    slot, turnings = list(laying["slots"].items())[4]
    seat.post("moves", token=turnings[1]["token"])
    return laying["place"], f"slot-{shown['position']['seat']}-{slot}"


def test_plates_fly_above_the_page(browsers: Browsers) -> None:
    page = browsers.page(speed="slow")
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    display = [box_of(page.locator(f"[data-place=display-{k}] [data-piece]")) for k in range(3)]
    watch(page)
    start, end = lay_plate(seat)
    log_length(page, 2)
    expect(page.locator(".flight")).to_have_count(0)
    source = display[int(start[-1])]
    target = box_of(page.locator(f"[data-place={end}]"))
    plates = [one for one in seen(page) if is_near(one["boxes"][0], source)]
    assert len(plates) == 1
    _, half, last = plates[0]["boxes"]
    assert is_near(last, target)
    assert not is_near(half, source)
    assert not is_near(half, target)
    for way, at in (("x", 0), ("y", 1)):
        ends = sorted((middle(source)[at], middle(target)[at]))
        assert ends[0] - 1 <= middle(half)[at] <= ends[1] + 1, way
    assert "sintra-space" in plates[0]["html"]
    assert not any(one["grown"] for one in seen(page))


@pytest.mark.server("a second browser at the same game")
@pytest.mark.long
def test_a_phone_shows_what_the_other_player_does(browsers: Browsers) -> None:
    ann, ben, watchers = friends(browsers)
    resize(ann, 390, 844)
    set_settings(ann, speed="fast")
    mine, other = seat_of(ann), seat_of(ben)
    strip = ann.locator(".strip")
    small = strip.locator("[data-place=score-1]")
    expect(small).to_be_visible()
    expect(ann.locator("[data-place=score-1]")).to_have_count(1)

    shown = play_to(
        [mine, other], lambda one: one["you"] == [1] and stage_is("turn")(one) and bool(one["options"].get("takes"))
    )
    log_length(ann, len(shown["log"]))
    watch(ann)
    take = shown["options"]["takes"][0]
    to = next(one for one in take["to"] if one["line"])
    other.post("moves", token=to["tokens"][0])
    line = strip.locator(f"[data-place=line-1-{to['line']}]")
    expect(line).to_have_class(MARKED)
    expect(strip).to_have_class(MARKED)
    log_length(ben, len(shown["log"]) + 1)
    told = ben.locator("[data-tour=log] li button > span").first.text_content()
    assert told
    expect(ann.locator("[data-tour=prompt]")).to_contain_text(told)
    expect(ann.locator(".flight")).to_have_count(0)
    around = box_of(line)
    landed = [one for one in seen(ann) if inside(one["boxes"][2], around)]
    assert len(landed) >= to["fills"]
    assert not any(one["grown"] for one in seen(ann))

    # opened, the board itself is the place; then one's own move takes the mark away
    strip.get_by_role("button").click()
    expect(ann.locator(".board [data-place=score-1]")).to_be_visible()
    expect(small).to_have_count(0)
    ann.get_by_role("button", name=words("board.hide")).last.click()
    expect(small).to_be_visible()
    ply = mine.shown()["ply"]
    while (shown := mine.shown())["ply"] == ply or shown["position"]["seat"] == 0:
        mine.move(shown)
    expect(strip).not_to_have_class(MARKED)

    # who is not there, and who is
    expect(strip.get_by_text(words("player.away"), exact=True)).to_have_count(0)
    address = ben.url
    visit(ben, "/rules")
    expect(strip.get_by_text(words("player.away"), exact=True)).to_be_visible()
    ben.goto(address)
    eve = browsers.page()
    eve.goto(watchers)
    expect(ann.locator("header [data-tip]", has_text=words("bar.spectators", count=1))).to_be_visible()


def inside(box: Box, around: Box) -> bool:
    x, y = middle(box)
    across = around["x"] - 1 <= x <= around["x"] + around["width"] + 1
    return across and around["y"] - 1 <= y <= around["y"] + around["height"] + 1


@pytest.mark.server("a second browser at the same game")
def test_points_float_at_the_small_board(browsers: Browsers) -> None:
    ann, ben, _ = friends(browsers)
    resize(ann, 390, 844)
    set_settings(ann, speed="fast")
    seats = [seat_of(ann), seat_of(ben)]
    shown = play_to(seats, lambda one: one["you"] == [1] and can_draw(one))
    log_length(ann, len(shown["log"]))
    watch(ann)
    seats[1].post("moves", token="D")
    log_length(ann, len(shown["log"]) + 1)
    points = seen(ann, "float")
    assert [one["text"] for one in points] == ["\N{MINUS SIGN}1"]
    assert abs(middle(points[0]["boxes"][0])[0] - middle(box_of(ann.locator("[data-place=score-1]")))[0]) < 3


@pytest.mark.server("answers made up on their way over the network")
def test_skip_ends_what_is_being_shown(browsers: Browsers) -> None:
    page = browsers.page(speed="slow")
    start_game(page, "screen", name="Ann", other="Ben")
    watch(page)
    page.evaluate("() => { window.holds = true; }")
    lay_plate(seat_of(page))
    expect(page.locator(".flight")).not_to_have_count(0)
    skip = page.get_by_role("button", name=words("act.skip"))
    skip.click()
    expect(page.locator(".flight")).to_have_count(0)
    expect(skip).to_have_count(0)
    page.locator("[data-place^=display-] button").first.wait_for()


def test_without_animation_there_are_sounds_and_summaries(browsers: Browsers) -> None:
    page = browsers.page(speed="off", sound=True)
    page.add_init_script(CALLS)
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    page.locator("header.bar").click()
    watch(page)
    lay_plate(seat)
    page.wait_for_function("() => window.struck > 0")
    seat.play_to_end_of_round()
    seat.move(seat.shown())
    expect(page.get_by_role("heading", name=words("summary.title", round=1))).to_be_visible()
    assert seen(page) == seen(page, "float") == []


def test_reduced_motion_shows_points_that_stand_still(browsers: Browsers) -> None:
    page = browsers.page(speed="slow", reducedMotion="on")
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    shown = seat.play(can_draw)
    log_length(page, len(shown["log"]))
    watch(page)
    seat.post("moves", token="D")
    log_length(page, len(shown["log"]) + 1)
    points = seen(page, "float")
    assert [one["text"] for one in points] == ["\N{MINUS SIGN}1"]
    assert all(one["boxes"][0] == box for one in points for box in one["boxes"])
    assert seen(page) == []


def chips(shown: Shown) -> list[str]:
    """How the chips lie that nobody has taken yet."""
    return [factory["chip"] for factory in shown["position"]["factories"] if factory.get("chip")]


@pytest.mark.long
def test_chips_turn_over_and_a_round_is_dealt(browsers: Browsers) -> None:
    page = browsers.page(speed="fast")
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    with away(page):
        begun = seat.play(lambda shown: stage_is("turn")(shown) and chips(shown).count("down") == 2)
    log_length(page, len(begun["log"]))
    watch(page)
    shown = seat.play(lambda shown: "down" not in chips(shown))
    log_length(page, len(shown["log"]))
    later = shown["log"][len(begun["log"]) :]
    turned = {step["start"] for event in later for step in event.get("steps", []) if step["kind"] == "turn"}
    assert len(turned) == 2
    moved = page.evaluate("() => window.moved")
    assert {one["place"] for one in moved if "scaleX(0)" in one["frames"]} == turned
    assert sum("sintra-coin" in one["html"] for one in seen(page)) == len(turned)

    with away(page):
        seat.play_to_end_of_round()
    log_length(page, len(seat.shown()["log"]))
    watch(page)
    seat.move(seat.shown())
    page.get_by_role("button", name=words("act.continue")).click()
    log_length(page, len(seat.shown()["log"]))
    page.locator(KINDS["plate"]).first.wait_for()
    dropped = [one["place"] for one in page.evaluate("() => window.moved") if "translateY" in one["frames"]]
    position = seat.shown()["position"]
    for factory in position["factories"]:
        assert dropped.count(f"sun-{factory['name']}") == len(factory["sun"])
        assert dropped.count(f"chip-{factory['name']}") == (factory.get("chip") == "down")


@pytest.mark.server("answers made up on their way over the network")
def test_special_tiles_pop_up(browsers: Browsers) -> None:
    page = browsers.page(speed="slow")
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(stage_is("turn"))
    place = ""

    def special(news: Shown) -> None:
        nonlocal place
        tiles = news["position"]["boards"][0]["tiles"]
        row, column = next(
            (r, c)
            for r, line in enumerate(news["position"]["boards"][0]["shows"])
            for c, one in enumerate(line)
            if one != "."
        )
        tiles[row] = tiles[row][:column] + "*" + tiles[row][column + 1 :]
        place = f"space-0-{row + 1}-{column + 1}"
        news["event"]["steps"] = [{"kind": "travel", "start": "supply", "end": place, "piece": "*"}]

    page.add_init_script(f'addEventListener("DOMContentLoaded", {WATCH});')
    tell(page, special)
    expect(page.locator(f"[data-place={place}] [data-piece='*']")).to_be_visible()
    page.wait_for_function("() => window.moved.some((one) => one.piece === '*')")
    moved = [one for one in page.evaluate("() => window.moved") if one["piece"] == "*"]
    assert [one["place"] for one in moved] == [place]
    assert "scale(0)" in moved[0]["frames"]


def test_a_whole_turn_stays_marked(page: Page) -> None:
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(stage_is("returning"), "draw")
    while stage_is("returning")(shown := seat.shown()):
        seat.move(shown)
    shown = seat.shown()
    log_length(page, len(shown["log"]))
    slots = {
        step["end"] for event in shown["log"][-4:] for step in event.get("steps", []) if "slot" in step.get("end", "")
    }
    assert len(slots) == 1
    expect_marked(page, slots | {"stack"})

    # sources are marked less, chips that were turned up or taken too
    shown = seat.play(lambda one: any(step["kind"] == "turn" for step in one["event"].get("steps", [])))
    log_length(page, len(shown["log"]))
    travels = [step for step in shown["event"]["steps"] if step["kind"] == "travel"]
    ends = {step["end"] for step in travels} - {"tower"}
    chips = {step["start"] for step in shown["event"]["steps"] if step["kind"] == "turn"}
    expect_marked(page, ends | chips)
    expect_marked(page, {step["start"] for step in travels} - ends, "source")
    shown = seat.play(lambda one: one["event"]["telling"]["key"] == "log.chip", "chips")
    log_length(page, len(shown["log"]))
    (taken,) = shown["event"]["steps"]
    expect_marked(page, {taken["end"]})
    expect_marked(page, {taken["start"]}, "source")

    # the tiles of a tiling, and not the plates that come by themselves
    seat.play_to_end_of_round()
    mover = seat.shown()["position"]["seat"]
    seat.move(seat.shown())
    shown = seat.shown()
    page.get_by_role("dialog").get_by_role("button", name=words("act.continue")).click()
    log_length(page, len(shown["log"]))
    turn = [event for event in shown["log"] if event.get("turn") == shown["event"]["turn"]]
    placed = {step["end"] for event in turn for step in event.get("steps", []) if step["kind"] == "travel"} - {"tower"}
    assert all(place.split("-")[1] == str(mover) for place in placed)
    expect_marked(page, placed)


@pytest.mark.server("a second browser at the same game")
def test_a_question_leaves_the_marks(browsers: Browsers) -> None:
    ann, ben, _ = friends(browsers)
    seats = [seat_of(ann), seat_of(ben)]
    shown = play_to(seats, lambda one: one["ply"] > 3 and stage_is("turn")(one) and one["event"]["turn"] == one["ply"])
    log_length(ann, len(shown["log"]))
    ends = {step["end"] for step in shown["event"]["steps"] if step["kind"] == "travel"} - {"tower"}
    turned = {step["start"] for step in shown["event"]["steps"] if step["kind"] == "turn"}
    seats[shown["event"]["seat"]].post("take-back")
    log_length(ann, len(shown["log"]) + 1)
    expect_marked(ann, ends | turned)


def test_a_replay_marks_its_move(page: Page) -> None:
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] == 8)
    log_length(page, 9)
    page.get_by_role("button", name=words("act.replay")).click()
    for event in reversed(seat.shown()["log"][3:]):
        expect(page.get_by_text(f"{event['ply']} / 8")).to_be_visible()
        ends = {step["end"] for step in event["steps"] if step["kind"] == "travel"}
        turned = {step["start"] for step in event["steps"] if step["kind"] == "turn"}
        expect_marked(page, (ends | turned) - {"tower"})
        page.keyboard.press("ArrowLeft")


def test_in_a_replay_the_log_follows_and_leads(page: Page) -> None:
    resize(page, 1280, 720)
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    last = 20
    seat.play(lambda shown: shown["ply"] == last - 1)
    seat.post("undo" if seat.shown().get("may_undo") else "take-back")
    seat.play(lambda shown: shown["ply"] == last)
    log = page.locator("[data-tour=log] ol")
    log_length(page, len(seat.shown()["log"]))
    now = log.locator("[aria-current=step]")
    expect(now).to_have_count(0)

    def expect_now(ply: int) -> None:
        """The log marks the move that is shown, where it can be seen."""
        expect(page.get_by_text(f"{ply} / {last}")).to_be_visible()
        event = next(one for one in reversed(seat.shown()["log"]) if one["kind"] == "move" and one["ply"] == ply)
        expect(log.locator("li").nth(seat.shown()["seq"] - event["seq"])).to_have_attribute("aria-current", "step")
        expect(now).to_have_count(1)
        around, entry = box_of(log), box_of(now)
        assert around["y"] <= entry["y"] + 1
        assert entry["y"] + entry["height"] <= around["y"] + around["height"] + 1

    page.get_by_role("button", name=words("act.replay")).click()
    expect_now(last)
    page.keyboard.press("ArrowLeft")
    expect_now(last - 1)
    page.get_by_role("slider").fill("3")
    expect_now(3)
    page.get_by_role("button", name=words("replay.first")).click()
    expect(now).to_contain_text(words("log.created"))
    now.locator("xpath=preceding-sibling::li[2]").get_by_role("button").click()
    expect_now(2)

    # where the log is a drawer, it gives way to the move and follows all the same
    resize(page, 390, 844)
    drawer = page.locator("header.bar").get_by_role("button", name=words("log.title"))
    drawer.click()
    expect_now(2)
    now.locator("xpath=preceding-sibling::li[1]").get_by_role("button").click()
    expect(log).to_be_hidden()
    drawer.click()
    expect_now(3)
    page.keyboard.press("Escape")
    page.get_by_role("button", name=words("replay.close")).click()
    expect(page.locator("[data-tour=log] [aria-current]")).to_have_count(0)


@pytest.mark.server("a second browser at the same game")
@pytest.mark.long
def test_a_player_elsewhere_is_called_at_the_end_of_a_round(browsers: Browsers) -> None:
    ann, ben, _ = friends(browsers, first="me")
    ann.add_init_script(CALLS)
    set_settings(ann, notify=True)
    seats = [seat_of(ann), seat_of(ben)]
    shown = play_to(seats, ends_round)
    log_length(ann, len(shown["log"]))
    ann.evaluate("() => { window.away = true; window.called = []; }")
    assert shown["you"] == [1], "who starts a round tiles first (R4)"
    seats[1].move(shown)
    ann.get_by_role("dialog").wait_for()
    while (shown := seats[1].shown())["position"]["seat"] == 1:
        seats[1].move(shown)
    expect(ann).to_have_title(f"\N{BLACK CIRCLE} {words('turn.yours')} \N{EN DASH} Sintra")
    ann.wait_for_function("() => window.called.length > 0")
    ann.evaluate("() => { window.away = false; }")
    ann.get_by_role("dialog").get_by_role("button", name=words("act.continue")).click()
    log_length(ann, len(shown["log"]))
    assert ann.evaluate("() => window.called") == [words("turn.yours")]


@pytest.mark.server("a second browser at the same game")
def test_a_player_who_missed_something_is_called(browsers: Browsers) -> None:
    ann, ben, _ = friends(browsers)
    ann.add_init_script(CALLS)
    set_settings(ann, notify=True)
    seats = [seat_of(ann), seat_of(ben)]
    play_to(seats, lambda one: one["you"] == [1] and stage_is("turn")(one) and one["ply"] > 3)
    log_length(ann, len(seats[0].shown()["log"]))
    ann.evaluate("() => { window.away = window.deaf = true; window.called = []; }")
    while seats[0].shown()["position"]["seat"] == 1:
        seats[1].move(seats[1].shown())
    ann.evaluate("() => { window.deaf = false; }")
    seats[1].post("take-back")
    log_length(ann, len(seats[0].shown()["log"]))
    ann.wait_for_function("() => window.called.length > 0")
    assert ann.evaluate("() => window.called") == [words("turn.yours")]
