"""Every screen of the page, reached quickly: games at each stage that any browser can open by link."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from playwright.sync_api import BrowserContext, Page

from sintra.puzzles import load
from table.browser.browsers import Seat, Table, assert_points_add_up, read_answer, resize, service_of, stage_is, words
from table.browser.reaching import is_in_tab, visit
from table.browser.users import KINDS

LONG = "Wilhelmina Konstantynopol"[:24]
LONG_WORD = "Wolfeschlegelsteinhausen"
"""As long as a name may be, in two words and in one."""
POSITION = """
round: 2; turn: 0
factory 1: sun BYRK moon - chip down
factory 2: sun - moon YK chip down
factory 3: sun - moon - chip up
factory L: sun - moon BBT
display: 07 12 03
0 lines: B1 - - K3 - -
0 plates: 11=04r1 12=16r0 22=02r0
1 plates: 11=05r0 21=17r2 33=01r0
"""
"""For the analysis board."""
PUZZLES = {kind: next(one.id for one in load() if one.kind == kind) for kind in ("tiling", "keep")}
"""A puzzle on an empty market, and one with all of it."""
GAMES = 40
"""So many games are tried until one comes to what is rare."""


@dataclass(frozen=True)
class Prepared:
    """A game at a certain stage, and the way into it."""

    path: str
    seat: Seat


def keep_progress(page: Page, games: int = 24) -> None:
    """The browser keeps results of many kinds: against levels, with help, reviewed, against friends; and puzzles."""
    page.add_init_script(f"localStorage.setItem('sintra.progress', {json.dumps(json.dumps(progress(games)))});")


def progress(games: int) -> dict[str, Any]:
    """Results of a player who loses every third game."""
    kept = []
    for k in range(games):
        lost = k % 3 == 0
        friend = k % 6 == 5
        one = {
            "game": f"prepared-{k:03}",
            "at": f"2026-01-01T{k // 60:02}:{k % 60:02}:00Z",
            "mode": "friend" if friend else "computer",
            "names": [LONG_WORD, LONG if friend else ""],
            "seat": 0,
            "opponent": "" if friend else f"level:n={4 + k % 2 + k // 12}",
            "winner": int(lost),
            "reason": "resigned" if k % 8 == 4 else "points",
            "scores": [30, 45 + k] if lost else [60 - k, 33],
            "sources": {"placement": 44, "specials": 2, "broken": -9 - k, "start_tile": -4, "draws": -1, "goals": 9},
        }
        one |= {"hinted": True} if k % 7 == 2 else {}
        kept.append(one | ({"error_rate": round(0.03 - k / 2000, 4)} if k % 2 else {}))
    puzzles = [{"puzzle": f"p{k}", "at": "2026-01-01T00:00:00Z", "solved": k > 2} for k in range(9)]
    return {"format": "sintra-progress/1", "forgotten": "", "games": kept, "puzzles": puzzles}


class Shelf:
    """Games made when they are wanted: at a server for all browsers, otherwise for each at its own table."""

    def __init__(self, table: Table | None, first_name: str = LONG_WORD, clock: dict[str, int] | None = None) -> None:
        self._first_name = first_name
        self._clock = clock
        self._ask = service_at(table) if table else None
        self._dealt_by = table.dealt_by if table else nullcontext
        self._games: dict[tuple[BrowserContext | None, str], Prepared] = {}

    def make(self, page: Page) -> tuple[dict[str, Any], Seat]:
        """A new game, which the page can enter."""
        ask = self._ask or service_of(page)
        body: dict[str, Any] = {
            "mode": "screen",
            "names": [self._first_name, LONG],
            "first": "me",
            "goals": ["colors", "columns", "diagonals", "specials"],
        }
        if self._clock:
            body["clock"] = self._clock
        made: dict[str, Any] = ask("POST", "/api/games", body)
        return made, Seat(ask, made["game"])

    def game(
        self, page: Page, stage: str, fits: Callable[[dict[str, Any]], bool] | None = None, wish: str = ""
    ) -> Prepared:
        """A game at a stage; the same one for all who ask. Where a game comes to its end before it fits, another is
        begun."""
        key = self._key(page, stage)
        for _ in range(GAMES):
            if key in self._games:
                break
            with self._dealt_by(stage):
                made, seat = self.make(page)
            if stage == "summary":
                seat.play_to_end_of_round()
            elif not self._comes_to(seat, fits or stage_is(stage), wish):
                continue
            self._games[key] = Prepared(f"/game/{made['game']}#{made['links']['own']}", seat)
        return self._games[key]

    @staticmethod
    def _comes_to(seat: Seat, fits: Callable[[dict[str, Any]], bool], wish: str) -> bool:
        return fits(seat.play(lambda shown: fits(shown) or shown["status"] == "over", wish))

    def forget(self, page: Page, stage: str) -> None:
        del self._games[self._key(page, stage)]

    def _key(self, page: Page, stage: str) -> tuple[BrowserContext | None, str]:
        return None if self._ask else page.context, stage


def service_at(table: Table) -> Callable[..., Any]:
    """What makes requests without a browser, which is quicker, and reads their answers."""
    person = table.person()

    def asked(method: str, path: str, body: Any = None) -> Any:
        answer = person.request(method, path, json=body)
        return read_answer(answer.status_code, answer.text)

    return asked


def screens(page: Page, shelf: Shelf, language: str) -> Iterator[str]:
    """Shows the screens one after another; each name is given when the page shows it."""

    game = partial(shelf.game, page)

    def sit(prepared: Prepared) -> None:
        visit(page, prepared.path)
        page.locator("[data-tour=prompt]").wait_for()

    visit(page, "/")
    page.locator("#opponent option").first.wait_for(state="attached")
    yield "start"
    page.locator("input[name=mode][value=screen]").check()
    page.locator("form summary").click()
    page.locator("#goals").select_option("chosen")
    page.locator("#clock").select_option("own")
    yield "start-options"
    page.get_by_role("button", name=words("page.settings", language)).click()
    yield "settings"
    visit(page, "/rules")
    page.locator("main h1").wait_for()
    yield "rules"
    keep_progress(page)
    visit(page, "/progress")
    page.locator("main table").first.wait_for()
    yield "progress"
    visit(page, "/nowhere")
    page.locator("main h1").wait_for()
    yield "lost"

    visit(page, "/")
    page.locator("input[name=mode][value=friend]").check()
    if is_in_tab(page):
        page.get_by_text(words("tab.friend.why", language)).wait_for()
        yield "no-server"
    else:
        page.locator("form .button.main").click()
        page.get_by_text(words("share.here", language)).click()
        page.get_by_role("button", name=words("share.qr", language)).first.click()
        page.locator("svg[role=img]").wait_for()
        yield "waiting"
        link = page.locator("#link-friend").input_value()
        page.evaluate("localStorage.removeItem('sintra.games')")
        visit(page, "/rules")
        page.goto(link)
        page.locator("#join-name").wait_for()
        yield "join"

    sit(game("opening"))
    page.locator(KINDS["plate"]).first.click()
    page.locator("button[data-drop^='slot-']").first.click()
    yield "opening"
    sit(game("turn", lambda shown: shown["position"]["stage"] == "turn" and shown["ply"] > 9))
    page.locator(KINDS["sun"]).first.or_(page.locator(KINDS["moon"]).first).first.click()
    page.locator("button[data-drop^='line-']").last.hover()
    yield "turn"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_role("link", name=words("page.rules", language)).wait_for()
    yield "help"
    page.keyboard.press("Escape")
    page.get_by_role("button", name=words("act.replay", language)).click()
    page.get_by_role("slider").wait_for()
    yield "replay"
    page.get_by_role("button", name=words("replay.close", language)).click()
    page.get_by_role("button", name=words("act.resign", language)).click()
    page.get_by_role("dialog").wait_for()
    yield "resign"
    sit(game("drawing", wish="draw"))
    yield "drawing"
    sit(game("keeping", wish="draw"))
    yield "curtain"
    page.locator("[data-tour=prompt] .button.main").first.click()
    page.locator(KINDS["hand"]).first.click()
    yield "keeping"
    sit(game("returning", wish="draw"))
    page.locator("[data-tour=prompt] .button.main").first.click()
    page.locator(KINDS["hand"]).first.wait_for()
    yield "returning"

    def can_pay(shown: dict[str, Any]) -> bool:
        return bool((shown.get("options") or {}).get("payments"))

    sit(game("paying", can_pay, wish="chips"))
    page.locator("[data-tour=pay] button").first.click()
    yield "paying"
    sit(
        game("tiling", lambda shown: stage_is("tiling")(shown) and bool((shown.get("options") or {}).get("placements")))
    )
    page.locator(KINDS["space"]).first.hover()
    yield "tiling"
    prepared = game("summary")
    sit(prepared)
    page.evaluate(
        "localStorage.setItem('sintra.settings',"
        " JSON.stringify({...JSON.parse(localStorage.getItem('sintra.settings')), speed: 'fast', tour: true}))"
    )
    page.reload()
    page.locator("[data-tour=prompt]").wait_for()
    yield "tour"
    prepared.seat.move(prepared.seat.shown())
    shelf.forget(page, "summary")
    page.get_by_role("dialog").wait_for()
    yield "summary"
    prepared = game("over", lambda shown: shown["status"] == "over")
    sit(prepared)
    page.get_by_role("dialog").wait_for()
    assert_points_add_up(page, prepared.seat.shown()["result"])
    yield "end"
    prepared = game("reviewed", lambda shown: shown["ply"] >= 14)
    if prepared.seat.shown()["status"] == "playing":
        prepared.seat.post("resign", seat=1)
    sit(prepared)
    page.get_by_role("dialog").get_by_role("button", name=words("act.review", language)).click()
    page.locator(".looked-at").wait_for()
    yield "review"
    page.get_by_role("link", name=words("learn.title", language)).click()
    page.get_by_role("button", name=words("act.hint", language), exact=True).click()
    page.locator(".said").wait_for()
    yield "learn"
    page.get_by_role("button", name=words("puzzle.solution", language), exact=True).click()
    page.get_by_role("button", name=words("puzzle.why", language)).click()
    page.get_by_role("dialog").wait_for()
    yield "learn-explained"
    visit(page, "/analysis")
    page.get_by_role("dialog").wait_for()
    yield "study-begin"
    page.locator("#study-text").fill(POSITION)
    page.locator("form .button.main").click()
    page.locator(".best li button:enabled").first.click()
    page.locator(".best li button:enabled").nth(1).click()
    page.locator(".best li button:enabled").first.wait_for()
    yield "study"
    resize(page, 1280, 800)
    page.get_by_role("button", name=words("study.moves", language), exact=True).click()
    yield "study-moves"
    resize(page, 1280, 800)
    page.get_by_role("button", name=words("study.share", language), exact=True).click()
    yield "study-share"
    page.keyboard.press("Escape")
    resize(page, 1280, 800)
    page.get_by_role("button", name=words("play_on.title", language), exact=True).click()
    page.locator("#play-on-opponent option").first.wait_for(state="attached")
    yield "play-on"
    page.keyboard.press("Escape")
    visit(page, "/analysis")
    page.get_by_role("button", name=words("edit.title", language)).click()
    page.locator("[data-fault]").first.wait_for()
    page.locator("[data-place='slot-0-22']").click()
    yield "edit"
    resize(page, 1280, 800)
    visit(page, "/lesson")
    page.locator("aside.lesson p").first.wait_for()
    yield "lesson"
    resize(page, 1280, 800)
    visit(page, "/puzzles")
    page.locator(".kinds button").first.wait_for()
    yield "puzzles"
    for kind, puzzle in PUZZLES.items():
        resize(page, 1280, 800)
        visit(page, f"/puzzles/{puzzle}")
        page.get_by_role("button", name=words("act.hint", language), exact=True).click()
        page.locator(".said").wait_for()
        yield f"puzzle-{kind}"
    page.get_by_role("button", name=words("puzzle.solution", language), exact=True).click()
    page.get_by_role("button", name=words("puzzle.why", language)).click()
    page.get_by_role("dialog").wait_for()
    yield "puzzle-explained"
