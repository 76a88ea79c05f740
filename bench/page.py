"""How heavy and how quick the page is, and pictures of its screens.

    make page

Prints the figures, in bytes and milliseconds, and leaves pictures of every screen, at two sizes, dark and
light, in `build/screens`. It uses the browser and the table of the tests.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from table.browser.hands import KINDS
from table.browser.people import LANGUAGES, SCREENS, People, Table, chromium, files_of, seat_of, start_game
from table.browser.screens import Shelf, screens

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
SIZES = {"phone": (390, 844), "wide": (1280, 800)}
WANTED = set("start rules settings waiting opening turn keeping paying tiling summary end".split())


def figures(people: People) -> dict[str, Any]:
    """The weight in each language, the first and the largest paint of start and game, and how long the preview of
    a line takes to be drawn."""
    found: dict[str, Any] = {
        f"weight_{language}": sum(files_of(people.page(language=language)).values()) for language in LANGUAGES
    }
    page = people.page()
    page.goto("/")
    page.locator("#level option").first.wait_for(state="attached")
    found["start_paint"] = page.evaluate(PAINT)
    start_game(page, "screen")
    seat_of(page).play(lambda shown: shown["position"]["stage"] == "turn" and shown["ply"] > 3)
    page.reload()
    page.locator(KINDS["sun"]).first.wait_for()
    found["game_paint"] = page.evaluate(PAINT)
    found["hover_to_next_frame"] = hover(page)
    return found


def hover(page: Page) -> dict[str, float]:
    """How long the page takes to draw the preview of each line that the pointer comes to."""
    page.evaluate(FRAMES)
    page.locator(KINDS["sun"]).first.click()
    for _ in range(3):
        for line in page.locator("button[data-drop]").all():
            line.hover()
    times = sorted(page.evaluate("() => window.frames_seen"))
    return {"count": len(times), "median": times[len(times) // 2], "most": times[-1]}


def pictures(people: People, table: Table) -> None:
    """Every screen at two sizes, light and dark."""
    page = people.page(name="", reducedMotion="on")
    for name in screens(page, Shelf(table), "en"):
        if name not in WANTED:
            continue
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for theme in ("dark", "light"):
                page.emulate_media(color_scheme="light" if theme == "light" else "dark")
                page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)
                page.screenshot(path=SCREENS / f"{name}-{size}-{theme}.png", caret="initial")


def main() -> None:
    """Serves a table, measures the page, and takes the pictures."""
    with (
        tempfile.TemporaryDirectory() as folder,
        chromium() as browser,
        Table(Path(folder) / "table.sqlite", "--quiet", "--thinkers", "1") as table,
    ):
        table.warm()
        people = People(browser, table)
        print(json.dumps(figures(people), indent=2), flush=True)
        SCREENS.mkdir(parents=True, exist_ok=True)
        pictures(people, table)
        people.close()
    print(f"pictures: {SCREENS}")


if __name__ == "__main__":
    main()
