"""Draws the README's picture of the page (`PYTHONPATH=tests:bench python tests/draw_page.py`), with the tests' browser.

Both players follow the computer's hints into the third round, where a take is staged that leaves a stack behind.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from table.browser.browsers import Browsers, Table, whole_chromium

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "page.png"
SIZE = (1280, 800)
ROUND, LEAST_PLIES = 3, 4
_GAME = {
    "mode": "screen",
    "names": ["Ann", "Ben"],
    "first": "me",
    "goals": ["colors", "columns", "diagonals", "specials"],
}


def main() -> None:
    with TemporaryDirectory() as folder, Table(Path(folder) / "games.sqlite", "--quiet") as table:
        person = table.person()
        with table.dealt_by("README"):
            made: dict[str, Any] = person.post("/api/games", json=_GAME, timeout=900).json()
        path = f"/api/games/{made['game']}"
        begun = 0
        for k in range(1000):
            shown = person.get(path).json()
            if shown.get("curtain"):
                shown = person.get(f"{path}?seat={shown['position']['seat']}").json()
            options = shown["options"]
            orders = [take for take in options.get("takes") or [] if len(take.get("orders", [])) > 2]
            begun += shown["position"]["round"] == ROUND
            if begun > LEAST_PLIES and orders:
                break
            hint = person.post(f"{path}/hint", json={"seq": shown["seq"]}, timeout=900).json()
            move = {"id": f"picture-{k:04}", "seq": shown["seq"], "token": hint["advice"][0]["token"]}
            person.post(f"{path}/moves", json=move).raise_for_status()
        best = max(((to["forecast"], take, to["line"]) for take in orders for to in take["to"]), key=lambda one: one[0])
        _, take, line = best
        with whole_chromium() as browser:
            page = Browsers(browser, table).page(*SIZE, confirm="on", reducedMotion="on", sound=True)
            page.goto(f"/game/{made['game']}#{made['links']['own']}")
            page.locator(f"[data-place={take['source']}] button[data-piece={take['color']}]").first.click()
            page.locator(f"button[data-drop=line-{line}]").click()
            page.mouse.move(0, 0)
            page.locator("input[name=order]").first.wait_for(state="attached")
            page.screenshot(path=PICTURE, caret="initial")


if __name__ == "__main__":
    main()
