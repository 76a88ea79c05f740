"""How heavy and how quick the page is (build/screens/figures.json; its weight alone can fail), and how it looks."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from table.browser.hands import KINDS
from table.browser.people import LANGUAGES, SCREENS, People, Table, seat_of, start_game
from table.browser.screens import Shelf, screens

MOST = 150_000
WEIGHT = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .filter((one) => !new URL(one.name).pathname.startsWith("/api/"))
    .map((one) => [new URL(one.name).pathname, one.encodedBodySize, one.decodedBodySize])"""
PAINT = """() => new Promise((resolve) => new PerformanceObserver((list) => resolve({
    first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    largest: list.getEntries().at(-1).startTime,
})).observe({ type: "largest-contentful-paint", buffered: true }))"""
FRAMES = """() => {
    window.frames_seen = [];
    addEventListener("pointerover", (event) => {
        if (!event.target.closest("[data-drop]")) return;
        const channel = new MessageChannel();
        channel.port1.onmessage = () => window.frames_seen.push(performance.now() - event.timeStamp);
        requestAnimationFrame(() => channel.port2.postMessage(null));
    }, { capture: true });
}"""


def test_weight_and_speed(people: People, table: Table) -> None:
    figures: dict[str, Any] = {"unit": "bytes compressed, milliseconds"}
    for language in LANGUAGES:
        page = people.page(language=language)
        files: dict[str, int] = {}
        for path in ("/", "/rules"):
            page.goto(path)
            page.locator("main h1").wait_for()
            files |= {name: size for name, size, _ in page.evaluate(WEIGHT)}
        start_game(page, "screen")
        files |= {name: size for name, size, _ in page.evaluate(WEIGHT)}
        figures[f"weight_{language}"] = sum(files.values())
        assert 0 < sum(files.values()) < MOST, files
    page = people.page()
    page.goto("/")
    page.locator("#level option").first.wait_for(state="attached")
    figures["start_paint"] = page.evaluate(PAINT)
    start_game(page, "screen")
    seat = seat_of(page)
    seat.play(lambda shown: shown["position"]["stage"] == "turn" and shown["ply"] > 3)
    page.reload()
    page.locator(KINDS["sun"]).first.wait_for()
    figures["game_paint"] = page.evaluate(PAINT)
    figures["hover_to_next_frame"] = _hover(page)
    SCREENS.mkdir(parents=True, exist_ok=True)
    (SCREENS / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    print(json.dumps(figures, indent=2))


def _hover(page: Page) -> dict[str, float]:
    """How long the page takes to draw the preview of each line that the pointer comes to."""
    page.evaluate(FRAMES)
    page.locator(KINDS["sun"]).first.click()
    for _ in range(3):
        for line in page.locator("button[data-drop]").all():
            line.hover()
    times = sorted(page.evaluate("() => window.frames_seen"))
    assert len(times) > 3
    return {"count": len(times), "median": times[len(times) // 2], "most": times[-1]}


def test_pictures_of_the_main_screens(people: People, table: Table) -> None:
    """Not a test but for looking at: every screen at two sizes, light and dark."""
    shelf = Shelf(table)
    wanted = set("start rules settings waiting opening turn keeping paying tiling summary end".split())
    page = people.page(name="", reducedMotion="on")
    for name in screens(page, shelf, "en"):
        if name not in wanted:
            continue
        for size, (width, height) in {"phone": (390, 844), "wide": (1280, 800)}.items():
            page.set_viewport_size({"width": width, "height": height})
            for theme in ("dark", "light"):
                page.emulate_media(color_scheme="light" if theme == "light" else "dark")
                page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)
                path = SCREENS / f"{name}-{size}-{theme}.png"
                page.screenshot(path=path, caret="initial")
                assert path.stat().st_size > 5000
