"""Draws the pictures of the page in README and docs, with the tests' browser: all of them, or those that are named
(`PYTHONPATH=tests:bench python tests/draw_page.py table review puzzle`).

On the table both players follow the computer's hints into the third round, where a take is staged that leaves a stack
behind. The review is that of a game between two levels, at its costliest take. The puzzle asks for the one move
that keeps the game, and the natural one has just been tried.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL import Image
from playwright.sync_api import Page, expect

from sintra import Game, MoonTake, Move, Record, player
from sintra.puzzles import load
from table.browser.browsers import Browsers, Table, whole_chromium

PICTURES: Final = Path(__file__).parents[1] / "docs" / "images"
SIZE: Final = (1280, 800)
ROUND, MIN_PLIES = 3, 4
_GAME: Final = {
    "mode": "screen",
    "names": ["Ann", "Ben"],
    "first": "me",
    "goals": ["colors", "columns", "diagonals", "specials"],
}
REVIEWED: Final = ("level:n=4", "level:n=5")
REVIEWED_DEAL: Final = 8
ROUND_OF_PUZZLE: Final = 4
COLORS: Final = 256


def keep(page: Page, name: str) -> None:
    """Leaves a picture of the window, in few colours, so that it is small."""
    page.mouse.move(0, 0)
    whole = Image.open(BytesIO(page.screenshot(caret="initial"))).convert("RGB")
    few = whole.quantize(COLORS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(PICTURES / f"{name}.png", optimize=True)


def draw_table(table: Table, browsers: Browsers) -> None:
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
        if begun > MIN_PLIES and orders:
            break
        hint = person.post(f"{path}/hint", json={"seq": shown["seq"]}, timeout=900).json()
        move = {"id": f"picture-{k:04}", "seq": shown["seq"], "token": hint["advice"][0]["token"]}
        person.post(f"{path}/moves", json=move).raise_for_status()
    best = max(((to["forecast"], take, to["line"]) for take in orders for to in take["to"]), key=lambda one: one[0])
    _, take, line = best
    page = browsers.page(*SIZE, confirm="on", reducedMotion="on", sound=True)
    page.goto(f"/game/{made['game']}#{made['links']['own']}")
    page.locator(f"[data-place={take['source']}] button[data-piece={take['color']}]").first.click()
    page.locator(f"button[data-drop=line-{line}]").click()
    page.locator("input[name=order]").first.wait_for(state="attached")
    keep(page, "page")


def draw_review(table: Table, browsers: Browsers) -> None:
    game = Game.new(seed=REVIEWED_DEAL, goals=["rows", "columns", "wilds"])
    players = [player(f"{name},seed={REVIEWED_DEAL}") for name in REVIEWED]
    while not game.is_over:
        game.push(players[game.turn].choose(game.view(game.turn)))
    person = table.person()
    record = Record.of(game, ("Ann", "Ben")).dumps()
    review = person.post("/api/reviews", json={"record": record}, timeout=900).json()["review"]
    page = browsers.page(*SIZE, theme="light", reducedMotion="on")
    page.goto(f"/review/{review}")
    graph = page.locator(".course .graph")
    graph.wait_for(timeout=600_000)
    turns = person.get(f"/api/reviews/{review}", timeout=900).json()["found"]["turns"]
    told = [turn for turn in turns if turn.get("mark") and turn["played"]["token"][0] in "SM"]
    worst = max(told, key=lambda turn: (len(turn.get("reasons", [])) > 1, turn["cost"]))
    page.keyboard.press("Home")
    for _ in range(worst["ply"]):
        page.keyboard.press("ArrowRight")
    expect(graph).to_have_attribute("aria-valuenow", str(worst["ply"]))
    page.locator(".verdict .why").wait_for()
    page.locator(".review .head").evaluate("head => scrollTo(0, head.offsetTop - 8)")
    keep(page, "review")


def draw_puzzle(table: Table, browsers: Browsers) -> None:
    for puzzle in load():
        natural = [Move.parse(token) for token in puzzle.explanation.natural]
        match natural:
            case [MoonTake(color=color, line=int(line))] if (
                puzzle.kind == "keep" and puzzle.view.round == ROUND_OF_PUZZLE
            ):
                break
    page = browsers.page(*SIZE, theme="light", confirm="off", reducedMotion="on")
    page.goto(f"/puzzles/{puzzle.id}")
    page.locator(f"[data-place^=moon-] button[data-piece={color.letter}]:not([data-place^=chip-] *)").first.click()
    page.locator(f"button[data-drop=line-{line}]").click()
    page.locator(".said b").wait_for()
    keep(page, "puzzle")


DRAWN: Final[dict[str, Callable[[Table, Browsers], None]]] = {
    "table": draw_table,
    "review": draw_review,
    "puzzle": draw_puzzle,
}


def main(*names: str) -> None:
    with TemporaryDirectory() as folder, Table(Path(folder) / "games.sqlite", "--quiet") as table:
        table.warm()
        with whole_chromium() as browser:
            for name in names or DRAWN:
                DRAWN[name](table, Browsers(browser, table))


if __name__ == "__main__":
    main(*sys.argv[1:])
