"""All that a decision needs is in sight at once: measured in every window, at every kind of decision.

The board of who decides, the factories, the display and the prompt lie inside the window, none overlaps another, no
text is cut, everything can be pressed, and a finger finds what it presses. The windows can be left as pictures in
`build/screens`, for looking at (`--pictures`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import soak
from table.browser.browsers import IS_HEARD_ONLY, Browsers, Table, keep_picture, resize, start_game, words
from table.browser.reaching import visit
from table.browser.screens import POSITION, Prepared, Shelf
from table.browser.users import KINDS, PROMPT
from table.catalogues import LANGUAGES, LONGEST_LANGUAGE, texts

Size = tuple[int, int]

SIZES: tuple[Size, ...] = (
    (1024, 768),
    (768, 1024),
    (1440, 900),
    (1920, 1080),
    (390, 844),
    (360, 640),
    (844, 390),
    (1280, 720),
    (1366, 625),
)
"""In the last one the next decision is made."""
SHARPEST: tuple[Size, ...] = ((1024, 768), (390, 844), (360, 640), (844, 390), (1366, 625))
LAYOUTS: dict[Size, str] = {
    (1440, 900): "wide",
    (1366, 625): "wide-low",
    (1024, 768): "square",
    (768, 1024): "tall",
    (640, 960): "phone-large",
    (390, 844): "phone",
    (360, 640): "phone-short",
    (844, 390): "phone-landscape",
}
SCROLLED: Size = (360, 640)
"""Where the analysis board has a line more than the window, and its page scrolls by that."""
FINGER = 32
"""Pixels: what a finger finds."""

REGIONS = {
    "bar": "header.bar",
    "board": ".near:not(.under) > .board",
    "factories": ".factories",
    "display": ".display > .market",
    "best line": ".ask > .best-line",
    "prompt": ".ask > :last-child",
    "other board": ".far-small > *",
    "goals": ".goals-shown > *",
    "hand": ".drawn > *",
    "advice": ".advice-shown > *",
}
COVERS = {"hand": ("other board", "goals"), "advice": ("prompt",), "log": ("other board", "goals", "display")}
"""What may lie over something else: plates that were drawn, over what the decision does not need, advice in the place
of the prompt, and the log beside the board."""


def whole_at(size: Size) -> dict[str, int]:
    """How many things of a row that can be moved, at least, are whole before it is."""
    rows = {".held .plate": 2, ".pay .lines .button": 4}
    return rows if min(size) < 600 else {**rows, ".hint .advice": 1}


MEASURE = (
    "async ([regions, covers, finger, scrolls, whole]) => {"
    + IS_HEARD_ONLY
    + """
    // a button that has just appeared cannot be pressed at once
    await Promise.allSettled(
        document.getAnimations().filter((one) => one.animationName === "settle").map((one) => one.finished));
    const found = [];
    const say = (one) => found.length < 12 && found.push(one);
    const room = document.scrollingElement;
    if (!scrolls && (room.scrollWidth > innerWidth || room.scrollHeight > innerHeight))
        say(`the page is ${room.scrollWidth} x ${room.scrollHeight}`);
    if (!scrolls && room.scrollWidth > innerWidth)
        for (const one of document.querySelectorAll("body *"))
            if (one.getBoundingClientRect().right > innerWidth) say(`too far right: ${one.outerHTML.slice(0, 90)}`);
    const isSeen = (one) => one.getClientRects().length > 0 && one.checkVisibility() && !isHeardOnly(one);
    const short = (one) => one.outerHTML.replace(/\\s+/g, " ").slice(0, 90);
    const inside = (a, b, by = 1) =>
        a.left >= b.left - by && a.top >= b.top - by && a.right <= b.right + by && a.bottom <= b.bottom + by;
    const meet = (a, b, by = 0.5) =>
        a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
    const box = (one) => one.getBoundingClientRect();
    const at = (b) => `${Math.round(b.left)},${Math.round(b.top)} ${Math.round(b.width)}x${Math.round(b.height)}`;
    const view = { left: 0, top: 0, right: room.scrollWidth, bottom: room.scrollHeight };

    const seen = {};
    for (const [name, css] of Object.entries(regions)) {
        const one = document.querySelector(css);
        if (one && isSeen(one)) seen[name] = one;
    }
    for (const [name, one] of Object.entries(seen)) {
        if (!inside(box(one), view)) say(`${name} leaves the window: ${at(box(one))}`);
        if (box(one).width < 8 || box(one).height < 8) say(`${name} has no room: ${at(box(one))}`);
    }
    const names = Object.keys(seen);
    for (const [k, a] of names.entries())
        for (const b of names.slice(k + 1))
            if (meet(box(seen[a]), box(seen[b])) && !(covers[a] ?? []).includes(b) && !(covers[b] ?? []).includes(a))
                say(`${a} and ${b} overlap: ${at(box(seen[a]))} / ${at(box(seen[b]))}`);

    const under = names.flatMap((name) => covers[name] ?? []);
    for (const [name, region] of Object.entries(seen)) {
        if (under.includes(name)) continue;
        const around = box(region);
        const texts = [];
        const walker = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
            const node = walker.currentNode;
            const home = node.parentElement;
            if (!node.data.trim() || !isSeen(home) || home.closest("svg")) continue;
            const range = document.createRange();
            range.selectNodeContents(node);
            const isShort = getComputedStyle(home).textOverflow === "ellipsis" && home.title === node.data.trim();
            const own = isShort ? [box(home)] : [...range.getClientRects()].filter((one) => one.width > 1);
            const row = home.closest(".held, .lines, .chips, .hint");
            const moves = row && (row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight);
            for (const one of own) {
                const limit = moves ? null : around;
                if (limit && !inside(one, limit, 1.5)) say(`${name}: "${node.data.trim()}" sticks out: ${at(one)}`);
                texts.push([one, node.data.trim(), home]);
            }
            for (let up = home; up !== region.parentElement; up = up.parentElement) {
                const style = getComputedStyle(up);
                if (style.overflowX === "visible" && style.overflowY === "visible") continue;
                if (isShort && up === home) continue;
                if (up.matches(".held, .lines, .chips, .hint")) continue;
                if (up.scrollWidth > up.clientWidth + 1 || up.scrollHeight > up.clientHeight + 1)
                    say(`${name}: "${node.data.trim()}" is cut by ${short(up)}`);
            }
            if (parseFloat(getComputedStyle(home).fontSize) < 11) say(`${name}: "${node.data.trim()}" is too small`);
        }
        const pieces = [...region.querySelectorAll(".hole, .tile, .slot")].filter(isSeen).map((one) => [one, box(one)]);
        for (const [k, [a, first, home]] of texts.entries()) {
            for (const [b, second, other] of texts.slice(k + 1))
                if (home !== other && meet(a, b, 2)) say(`${name}: "${first}" lies on "${second}": ${at(a)}`);
            for (const [piece, around] of pieces)
                if (meet(a, around, 2) && !piece.contains(home)) say(`${name}: "${first}" lies on ${short(piece)}`);
        }
        for (const one of region.querySelectorAll("[data-place], .hole, .tile, .plate, label, button")) {
            if (!isSeen(one) || one.closest(".held, .pay, .hint")) continue;
            if (!inside(box(one), around, 3)) say(`${name}: out of its region: ${short(one)} ${at(box(one))}`);
        }
        for (const one of region.querySelectorAll(".held .plate, .chips .coin")) {
            const b = box(one);
            if (b.top < around.top - 1 || b.bottom > around.bottom + 1 || !inside(b, { ...view, right: Infinity }))
                say(`${name}: cut: ${short(one)} ${at(b)}`);
            const row = one.closest(".held, .chips");
            if (b.top < box(row).top - 1 || b.bottom > box(row).bottom + 1) say(`${name}: cut by its row: ${at(b)}`);
        }
        for (const [css, least] of Object.entries(whole))
            for (const one of [...region.querySelectorAll(css)].filter(isSeen).slice(0, least))
                if (!inside(box(one), box(one.closest(".held, .lines, .hint"))))
                    say(`${name}: cut by its row: ${short(one)} ${at(box(one))}`);
        for (const one of region.querySelectorAll("fieldset"))
            if (!isSeen(one.querySelector("legend"))) say(`${name}: pictures without words: ${short(one)}`);
        for (const one of region.querySelectorAll("button:enabled, a, label:has(input)")) {
            if (!isSeen(one)) continue;
            const own = box(one);
            const row = one.closest(".held, .lines, .chips, .hint");
            const moves = row && (row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight);
            if (moves && !inside(own, box(row), 4)) continue;
            if (finger && Math.min(own.width, own.height) < finger - 0.5)
                say(`${name}: too small for a finger: ${short(one)} ${at(own)}`);
            if (scrolls) continue;
            const hit = document.elementFromPoint(own.left + own.width / 2, own.top + own.height / 2);
            if (!hit || !(one.contains(hit) || hit.closest("button, a, label") === one))
                say(`${name}: something covers ${short(one)}: ${hit && short(hit)}`);
        }
    }
    return found;
}"""
)

WIDTH = """(said) => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = getComputedStyle(document.body).font;
    return said.reduce((sum, text) => sum + pen.measureText(text).width, 0);
}"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """All windows and languages in a soak; the longest language and the sharpest windows in every run, and all windows
    where pictures are taken."""
    if "language" in metafunc.fixturenames:
        metafunc.parametrize("language", soak.pick([LONGEST_LANGUAGE], LANGUAGES))
        sizes = {"all": SIZES} if soak.takes_pictures else {"sharpest": SHARPEST}
        metafunc.parametrize("sizes", sizes.values(), ids=sizes)


@pytest.fixture(scope="module")
def shelf(table: Table | None) -> Shelf:
    """Games with a clock, which has to have its place, too."""
    return Shelf(table, clock={"seconds": 3 * 3600, "increment": 10})


def takes_in(shown: dict[str, Any]) -> list[dict[str, Any]]:
    """The takes that can be chosen."""
    return options_in(shown).get("takes") or []


def options_in(shown: dict[str, Any]) -> dict[str, Any]:
    return shown.get("options") or {}


@dataclass(frozen=True)
class WordyTake:
    """A take about which the prompt has most to say: it completes a line and breaks tiles, and there is more to it."""

    game: Prepared
    source: str
    color: str
    line: int

    def stage(self, page: Page) -> None:
        page.locator(f"[data-place={self.source}] button[data-piece={self.color}]").first.click()
        page.locator(f"button[data-drop=line-{self.line}]").click()
        page.locator(f"{PROMPT} .staged .tag").nth(2).wait_for()


def wordy_takes(shown: dict[str, Any], fits: Callable[[dict[str, Any]], bool]) -> list[tuple[dict[str, Any], int]]:
    """The takes that fit, each with a line that breaks some of it."""
    takes = options_in(shown).get("takes") or []
    return [(take, to["line"]) for take in takes if fits(take) for to in take["to"] if to["line"] and to["broken"]]


def wordy_from_sun(page: Page, shelf: Shelf) -> WordyTake:
    """R3.2: a stack is left behind that can be ordered."""

    def leaves_stack(take: dict[str, Any]) -> bool:
        return len(take.get("orders", [])) > 1

    game = shelf.game(page, "wordy-sun", lambda shown: bool(wordy_takes(shown, leaves_stack)))
    take, line = wordy_takes(game.seat.shown(), leaves_stack)[0]
    return WordyTake(game, take["source"], take["color"], line)


def wordy_from_moon(page: Page, shelf: Shelf) -> WordyTake:
    """R3.3: many tiles that come with the start tile and turn up a chip, while goals stand at long figures."""

    def has_it_all(take: dict[str, Any]) -> bool:
        return take["source"] == "moon" and take["count"] > 2 and "start_tile" in take and "turns_up" in take

    def fits(shown: dict[str, Any]) -> bool:
        longest = min(points for board in shown["position"]["boards"] for points in board["goals"])
        return longest <= -10 and bool(wordy_takes(shown, has_it_all))

    game = shelf.game(page, "wordy-moon", fits, wish="sun")
    take, line = wordy_takes(game.seat.shown(), has_it_all)[0]
    return WordyTake(game, take["places"][0], take["color"], line)


def in_trouble(takes: list[dict[str, Any]], kind: str) -> list[tuple[dict[str, Any], int]]:
    """The takes and lines without a place on the dome: that can come yet, or never."""
    found = [(take, to["line"], to["outlook"]) for take in takes for to in take["to"] if to["line"]]
    return [
        (take, line)
        for take, line, outlook in found
        if not outlook.get("columns") and ("plate_by" in outlook) == (kind == "yet")
    ]


def payable(shown: dict[str, Any]) -> set[int]:
    """R4.4: the lines that chips can complete."""
    return {one["line"] for one in options_in(shown).get("payments") or []}


def may_pay_before_placing(shown: dict[str, Any]) -> bool:
    """R4.2: chips could complete a line above the one whose tile comes next, which will be too late afterwards."""
    placements = options_in(shown).get("placements") or []
    return bool(placements) and any(line < placements[0]["line"] for line in payable(shown))


def lines_wait(shown: dict[str, Any]) -> bool:
    """R4.3: a complete line has no space yet, while there is nothing to place."""
    options, position = options_in(shown), shown["position"]
    lines = enumerate(position["boards"][position["seat"]]["lines"], start=1)
    full = [line.get("outlook") or {} for n, line in lines if line["tiles"] == n]
    waits = any("plate_by" in outlook and not outlook.get("columns") for outlook in full)
    return waits and "end" in options and not options.get("placements")


def decisions(page: Page, shelf: Shelf) -> Iterator[str]:
    """Every kind of decision, one after another; each name is given when the page shows it."""

    game = partial(shelf.game, page)

    def sit(prepared: Prepared) -> None:
        visit(page, prepared.path)
        page.locator(PROMPT).wait_for()

    def at(stage: str) -> Callable[[dict[str, Any]], bool]:
        return lambda shown: shown["position"]["stage"] == stage

    def orders(shown: dict[str, Any]) -> list[dict[str, Any]]:
        return [take for take in options_in(shown).get("takes") or [] if len(take.get("orders", [])) == 6]

    def in_trouble_at(kind: str) -> Prepared:
        """Not every game comes to it."""
        for k in range(20):
            found = game(
                f"{kind}-{k}", lambda shown: shown["status"] == "over" or bool(in_trouble(orders(shown), kind))
            )
            if found.seat.shown()["status"] == "playing":
                return found
        raise AssertionError(f"no game comes to a line with a place {kind}")

    confirm = page.locator(f"{PROMPT} .button.main").first

    sit(game("opening"))
    page.locator(KINDS["plate"]).first.wait_for()
    yield "opening"
    page.locator(KINDS["plate"]).first.click()
    yield "plate-picked"
    page.locator("button[data-drop^='slot-']").first.click()
    yield "plate-laid"

    take_of = game("orders", lambda shown: bool(orders(shown)) and shown["ply"] > 6)
    take = orders(take_of.seat.shown())[0]
    sit(take_of)
    tile = page.locator(f"[data-place={take['source']}] button[data-piece={take['color']}]").first
    tile.wait_for()
    yield "turn"
    page.keyboard.press("o")
    yield "other-board"
    page.keyboard.press("o")
    page.locator(f"{PROMPT} .button").last.click()
    page.locator(".hint .advice").first.wait_for()
    yield "hint"
    page.locator(".hint .head button").click()
    tile.click()
    yield "take-picked"
    page.locator("button[data-drop^='line-']").last.click()
    page.locator("input[name=order]").nth(5).wait_for(state="attached")
    yield "take-with-order"
    for name, wordy in (("wordy-sun", wordy_from_sun(page, shelf)), ("wordy-moon", wordy_from_moon(page, shelf))):
        sit(wordy.game)
        wordy.stage(page)
        yield name

    for kind in ("yet", "never"):
        take_of = in_trouble_at(kind)
        take, line = in_trouble(orders(take_of.seat.shown()), kind)[-1]
        sit(take_of)
        page.locator(f"[data-place={take['source']}] button[data-piece={take['color']}]").first.click()
        page.locator(f"button[data-drop=line-{line}]").click()
        page.mouse.move(0, 0)
        page.locator(f"{PROMPT} .outlook.{kind}").wait_for(state="attached")
        yield f"take-{kind}"

    sit(game("chip", lambda shown: bool(options_in(shown).get("chips"))))
    page.locator(KINDS["chip"]).first.click()
    yield "chip"
    sit(game("drawing", lambda shown: at("drawing")(shown) and len(shown["position"]["hand"]) == 2, wish="draw"))
    yield "drawing"
    sit(game("keeping", at("keeping"), wish="draw"))
    confirm.wait_for()
    yield "curtain"
    confirm.click()
    page.locator(KINDS["hand"]).first.click()
    page.locator("button[data-drop^='slot-']").first.click()
    yield "keeping"
    sit(game("returning", at("returning"), wish="draw"))
    confirm.click()
    page.locator(KINDS["hand"]).first.click()
    yield "returning"

    sit(game("paying", lambda shown: len(payable(shown)) > 2, wish="chips"))
    page.locator("[data-tour=pay] button").first.wait_for()
    yield "chips"
    page.locator("[data-tour=pay] button").first.click()
    page.locator(KINDS["spend"]).first.wait_for()
    yield "payment"
    chips = page.locator(f"{KINDS['spend']}:enabled")
    while chips.count():
        chips.first.click()
    yield "payment-whole"
    sit(game("waiting", lambda shown: bool(payable(shown)) and lines_wait(shown), wish="chips"))
    page.locator(f"{PROMPT} .waiting").wait_for(state="attached")
    yield "chips-and-lines-that-wait"
    sit(game("placing-or-pay", may_pay_before_placing, wish="chips"))
    page.locator(KINDS["space"]).first.wait_for()
    yield "placing-or-pay"
    sit(game("tiling", lambda shown: at("tiling")(shown) and bool(options_in(shown).get("placements"))))
    page.locator(KINDS["space"]).first.wait_for()
    yield "placing"
    page.locator(KINDS["space"]).first.click()
    yield "placed"
    sit(game("end", lambda shown: bool(options_in(shown).get("end")) and not options_in(shown).get("placements")))
    confirm.wait_for()
    yield "end-of-tiling"
    confirm.click()
    yield "end-staged"


def faults_in(
    page: Page, name: str, language: str, sizes: tuple[Size, ...], regions: dict[str, str] = REGIONS, *scrolled: Size
) -> list[str]:
    """What is not as it should be in windows of these sizes, in some of which the page may scroll; each is left as a
    picture."""
    found: list[str] = []
    for width, height in sizes:
        resize(page, width, height)
        touch = FINGER if width <= 1024 else 0
        asked = [regions, COVERS, touch, (width, height) in scrolled, whole_at((width, height))]
        found += [f"{name} at {width}x{height}: {one}" for one in page.evaluate(MEASURE, asked)]
        keep_picture(page, f"{name}-{width}x{height}-{language}")
    return found


@pytest.mark.long
@pytest.mark.soak
def test_all_that_a_decision_needs_is_in_sight(
    browsers: Browsers, shelf: Shelf, language: str, sizes: tuple[Size, ...]
) -> None:
    page = browsers.page(language=language, confirm="on", reducedMotion="on")
    found = [fault for name in decisions(page, shelf) for fault in faults_in(page, name, language, sizes)]
    assert not found, "\n".join(found)


@pytest.mark.long
@pytest.mark.soak
def test_the_other_board_is_in_sight(browsers: Browsers, shelf: Shelf, language: str, sizes: tuple[Size, ...]) -> None:
    """In the place of one's own, which is then where the other one was."""
    page = browsers.page(language=language, confirm="on", reducedMotion="on")
    visit(page, shelf.game(page, "turn", lambda shown: shown["position"]["stage"] == "turn" and shown["ply"] > 9).path)
    page.locator(PROMPT).wait_for()
    page.keyboard.press("o")
    page.locator(".far-large > .board").wait_for()
    found = faults_in(page, "other-board", language, sizes, REGIONS | {"board": ".far-large > .board"})
    assert not found, "\n".join(found)


@pytest.mark.long
@pytest.mark.soak
def test_the_analysis_is_in_sight(browsers: Browsers, language: str, sizes: tuple[Size, ...]) -> None:
    page = browsers.page(language=language, confirm="on", reducedMotion="on")
    visit(page, "/analysis")
    page.locator("#study-text").fill(POSITION)
    page.locator("form .button.main").click()
    page.locator(".best-line b.num").wait_for()
    regions = {name: css for name, css in REGIONS.items() if name != "best line"}  # which is shortened
    found = faults_in(page, "analysis", language, sizes, regions, SCROLLED)
    assert not found, "\n".join(found)


REVIEW = {
    "steps": ".steps",
    "board": ".boards > :first-child",
    "other board": ".boards > :last-child",
    "factories": ".looked-at .factories",
    "display": ".looked-at .market",
    "goals": ".looked-at .goals",
}
"""What a review shows of a turn beside what it says of it."""
IN_ONE_SIGHT = """() => [".steps", ".goals", ".boards > :first-child", ".boards > :last-child"].every((css) => {
    const { top, bottom } = document.querySelector(css).getBoundingClientRect();
    return top >= -1 && bottom <= innerHeight + 1;
})"""


@pytest.mark.long
@pytest.mark.soak
def test_a_review_is_in_sight(browsers: Browsers, shelf: Shelf, language: str, sizes: tuple[Size, ...]) -> None:
    """At a turning point, the buttons to step on and both boards are in one sight."""
    page = browsers.page(language=language, reducedMotion="on")
    prepared = shelf.game(page, "reviewed", lambda shown: shown["ply"] >= 14)
    if prepared.seat.shown()["status"] == "playing":
        prepared.seat.post("resign", seat=1)
    visit(page, prepared.path)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review", language)).click()
    page.locator(".boards > :last-child").wait_for()
    found: list[str] = []
    for width, height in sizes:
        resize(page, width, height)
        page.evaluate("scrollTo(0, 0)")
        found += faults_in(page, "review", language, ((width, height),), REVIEW, (width, height))
        if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
            found.append(f"the review at {width}x{height} is {wide} wide")
        page.locator(".points .point").first.click()
        if not page.evaluate(IN_ONE_SIGHT):
            found.append(f"the review at {width}x{height} has to be scrolled between steps and boards")
        keep_picture(page, f"review-turn-{width}x{height}-{language}")
    assert not found, "\n".join(found)


OTHER_BOARD = """() => ["near:not(.far-large)", "far-large"].map((name) => {
    const boxes = [...document.querySelectorAll(`.${name} > .board :is(.line, .slot, .broken, .store)`)];
    const { x, y } = document.querySelector(`.${name} > .board`).getBoundingClientRect();
    return boxes.map((one) => one.getBoundingClientRect()).map((one) =>
        [one.x - x, one.y - y, one.width, one.height].map(Math.round));
})"""
BEST_LINE = "(one) => one.getBoundingClientRect().toJSON()"


@pytest.mark.long
def test_the_other_board_lies_in_the_place_of_the_own_one(browsers: Browsers, shelf: Shelf) -> None:
    """Of the same layout and size, by one key or press and back; picking something turns back to the own one."""
    page = browsers.page(confirm="on", reducedMotion="on")
    visit(
        page,
        shelf.game(page, "orders", lambda shown: any(len(one.get("orders", [])) == 6 for one in takes_in(shown))).path,
    )
    page.locator(PROMPT).wait_for()
    other, own = page.locator(".far-large > .board"), page.locator(".near:not(.far-large) > .board")
    for size in SIZES:
        resize(page, *size)
        page.keyboard.press("o")
        expect(other).to_be_visible()
        expect(own).to_be_hidden()
        mine, theirs = page.evaluate(OTHER_BOARD)
        assert mine == theirs, size
        assert own.bounding_box() == other.bounding_box(), size
        page.locator(".far-large .close").click()
        expect(own).to_be_visible()
        page.locator(".far-small .open").click()
        expect(other).to_be_visible()
        page.keyboard.press("o")
    page.keyboard.press("o")
    page.locator(KINDS["sun"]).first.click()
    expect(own).to_be_visible()
    expect(other).to_have_count(0)


@pytest.mark.long
def test_the_best_line_is_in_sight_in_every_window(browsers: Browsers) -> None:
    """With its figure, beside the open analysis, too; nothing is dimmed and nothing lies over the board."""
    page = browsers.page(language=LONGEST_LANGUAGE, reducedMotion="on")
    visit(page, "/analysis")
    page.locator("#study-text").fill(POSITION)
    page.locator("form .button.main").click()
    line = page.locator(".best-line")
    line.locator("b.num").wait_for()
    for width, height in SIZES:
        resize(page, width, height)
        drawer = page.locator(".bar .drawer")
        for is_open in (False, True):
            if is_open and drawer.is_visible():
                drawer.click()
            box = line.evaluate(BEST_LINE)
            floor = height + (24 if (width, height) == SCROLLED else 1)
            assert box["left"] >= 0
            assert box["right"] <= width
            assert box["height"] >= 18
            assert box["bottom"] <= floor, (width, height, box)
            board = page.locator(".near > .board").bounding_box()
            ledger = page.locator(".ledger").bounding_box()
            assert board is not None
            if ledger is not None:
                is_beside = ledger["x"] >= board["x"] + board["width"] - 1
                assert is_beside or ledger["y"] + ledger["height"] <= board["y"] + 1
        assert page.locator("dialog[open]").count() == 0
        if drawer.is_visible():
            drawer.click()


EDGES = [
    *((width, 960) for width in (599, 600)),
    *((width, 690) for width in (703, 704, 799, 800, 1199, 1200)),
    *((1000, height) for height in (519, 520, 679, 680)),
    (1080, 720),
    (700, 700),
    (760, 761),
]
"""Sizes of windows beside each border between two layouts, and on it."""


def test_no_window_falls_between_two_layouts(page: Page) -> None:
    """Also where a window is a fraction of a pixel wide, as on scaled screens."""
    start_game(page, "screen")
    found: list[str] = []
    for width, height in EDGES:
        resize(page, width, height)
        for less in (0, 0.4):
            page.evaluate("(less) => document.body.style.setProperty('padding-right', less + 'px')", less)
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                found.append(f"{width - less}x{height}: the page is {wide} wide")
    assert not found, "\n".join(found)


def test_the_layout_follows_window_and_text(page: Page) -> None:
    """A window that is resized or turned, and text that becomes larger, choose another layout, without a reload."""
    start_game(page, "screen")
    frame = page.locator("[data-layout]")
    for size, layout in LAYOUTS.items():
        resize(page, size[0], size[1])
        expect(frame).to_have_attribute("data-layout", layout)
    resize(page, 1440, 900)
    for text, layout in (("200%", "phone"), ("130%", "wide-low"), ("100%", "wide")):
        page.evaluate("(size) => document.documentElement.style.fontSize = size", text)
        expect(frame).to_have_attribute("data-layout", layout)


def test_a_phone_that_is_zoomed_out_keeps_its_layout(browsers: Browsers) -> None:
    """A phone shows all of a page that is wider than its window: the window is as wide as before."""
    page = browsers.page(390, 844, touch=True)
    start_game(page, "screen")
    frame = page.locator("[data-layout]")
    expect(frame).to_have_attribute("data-layout", "phone")
    page.evaluate("document.body.append(Object.assign(document.createElement('hr'), { id: 'wide' }))")
    page.evaluate("document.querySelector('#wide').style.width = '1200px'")
    page.wait_for_function("innerWidth > 1000")
    for width in (391, 392):
        resize(page, width, 844)
        page.evaluate("new Promise(requestAnimationFrame)")
        expect(frame).to_have_attribute("data-layout", "phone")


@pytest.mark.long
@pytest.mark.parametrize("wordy", [wordy_from_sun, wordy_from_moon])
@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (844, 390)])
def test_with_doubled_text_the_page_scrolls_and_nothing_is_lost(
    browsers: Browsers, shelf: Shelf, size: Size, wordy: Callable[[Page, Shelf], WordyTake]
) -> None:
    page = browsers.page(*size, language=LONGEST_LANGUAGE, confirm="on", reducedMotion="on")
    take = wordy(page, shelf)
    visit(page, take.game.path)
    page.locator(PROMPT).wait_for()
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    take.stage(page)
    page.evaluate("scrollTo(0, 0)")
    found = page.evaluate(MEASURE, [REGIONS, COVERS, FINGER, True, whole_at(size)])
    name = f"doubled-{wordy.__name__.removeprefix('wordy_from_')}-{size[0]}x{size[1]}"
    keep_picture(page, name, is_whole=True)
    assert not found, "\n".join(found)


def test_the_longest_language_is_the_one_that_needs_most_room(page: Page) -> None:
    """Of what is said at the table; all of it is as wide as it would be in one line."""
    visit(page, "/")
    kinds = ("ask.", "act.", "staged.", "effect.", "board.", "goal.", "turn.", "bar.", "slot.", "takeback.", "curtain.")
    widths = {}
    for language in LANGUAGES:
        said = [text for key, text in texts(language).items() if key.startswith(kinds)]
        plain = [text if isinstance(text, str) else text["other"] for text in said]
        widths[language] = page.evaluate(WIDTH, plain)
    assert max(widths, key=widths.__getitem__) == LONGEST_LANGUAGE, widths
