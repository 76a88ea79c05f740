"""How heavy and how quick the page is.

    make page

Prints the figures: a first start in seconds, the rest in bytes and milliseconds, and those of the table in a browser's
tab. It uses the browser and the table of the tests.
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tab_figures import tab_figures
from table.browser.browsers import ROOT, Browsers, Table, files_of, fill_start, seat_of, start_game, whole_chromium
from table.browser.users import KINDS
from table.catalogues import LANGUAGES

TAB = ROOT / "build" / "tab"
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


def figures(browsers: Browsers) -> dict[str, Any]:
    """The weight in each language, the first and the largest paint of start and game, and how long the preview of
    a line takes to be drawn."""
    found: dict[str, Any] = {
        f"weight_{language}": sum(files_of(browsers.page(language=language)).values()) for language in LANGUAGES
    }
    page = browsers.page()
    page.goto("/")
    page.locator("#opponent option").first.wait_for(state="attached")
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


def first_start(browser: Browser, folder: Path) -> dict[str, float]:
    """Seconds from opening the page of a table for which nothing is compiled yet: until a game against a computer can
    be begun with a move, and until the computer has answered it. Who does not start lays the first plate (R2.6)."""
    nothing = {"NUMBA_CACHE_DIR": str(folder / "compiled"), "NUMBA_DISABLE_JIT": "0"}
    with Table(folder / "first.sqlite", "--quiet", **nothing) as table:
        browsers = Browsers(browser, table)
        page = browsers.page()
        page.set_default_timeout(600_000)
        begun = time.monotonic()
        fill_start(page, "computer", level=3, first="other")
        page.locator(KINDS["plate"]).first.wait_for()
        decision = time.monotonic()
        seat = seat_of(page)
        seat.move(seat.shown())
        while "options" not in seat.shown():
            time.sleep(0.1)
        answer = time.monotonic()
        browsers.close()
    return {"decision": decision - begun, "answer": answer - begun}


def main() -> None:
    """Serves a table and measures the page."""
    with tempfile.TemporaryDirectory() as folder, whole_chromium() as browser:
        print(json.dumps({"first_start": first_start(browser, Path(folder))}, indent=2), flush=True)
        measure(browser, Path(folder))
    with whole_chromium() as browser:
        print(json.dumps({"tab": tab_figures(browser, TAB)}, indent=2), flush=True)


def measure(browser: Browser, folder: Path) -> None:
    """Weight and quickness of a page whose table is ready."""
    with Table(folder / "table.sqlite", "--quiet", "--thinkers", "1") as table:
        table.warm()
        browsers = Browsers(browser, table)
        print(json.dumps(figures(browsers), indent=2), flush=True)
        browsers.close()


if __name__ == "__main__":
    main()
