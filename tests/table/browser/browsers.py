"""Browsers at a table: each with its own cookies and settings, and with an eye on everything that goes wrong."""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    sync_playwright,
)

import soak
from chromium import installed, shell
from table.browser.reaching import ask, visit
from table.catalogues import texts
from table.served import Served, any_token

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "src" / "sintra" / "table" / "page"
SCREENS = ROOT / "build" / "screens"
TIMEOUT_MS = 240_000
"""Milliseconds after which something does not happen any more. Reviews, which let everybody else go first, can take
minutes on a busy machine."""
_SETTINGS = {
    "language": "en",
    "theme": "auto",
    "speed": "off",
    "sound": False,
    "tour": False,
    "name": "Ann",
    "autoPlace": False,
    "autoEnd": False,
}
_WATCH = """
addEventListener("securitypolicyviolation", (event) =>
    console.error(`CSP ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
"""
_FEATURES_OFF = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
"""Of Playwright's own list, which this replaces, whatever matters here; and pages that Chromium loads for an address
bar in every new window, which nobody sees."""
_ARGUMENTS = [
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--mute-audio",
    "--no-first-run",
    "--disable-features=" + ",".join(_FEATURES_OFF),
]
IS_HEARD_ONLY = """
    const heard = new Map([[null, false]]);
    const isHeardOnly = (one) => {
        if (!heard.has(one))
            heard.set(one, getComputedStyle(one).clipPath === "inset(50%)" || isHeardOnly(one.parentElement));
        return heard.get(one);
    };
"""
"""For scripts that look at a page: whether something is for screen readers alone."""
_FILES = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .map((one) => [new URL(one.name).pathname, one.encodedBodySize])
    .filter(([path]) => !path.startsWith("/api/"))"""
_ids = itertools.count()


@contextmanager
def chromium(playwright: Playwright, is_whole: bool = False) -> Iterator[Browser]:
    """A Chromium without a window: without all that is around a page, unless it is to be a whole one."""
    arguments = _ARGUMENTS + (["--no-sandbox"] if os.name == "posix" and os.geteuid() == 0 else [])
    if quick := None if is_whole else shell():
        one = playwright.chromium.launch(executable_path=quick, args=arguments)
    elif found := installed():
        one = playwright.chromium.launch(executable_path=found, args=["--headless=new", *arguments])
    else:  # Playwright has downloaded both kinds
        one = playwright.chromium.launch(channel="chromium" if is_whole else None, args=arguments)
    yield one
    one.close()


@contextmanager
def whole_chromium() -> Iterator[Browser]:
    """A Chromium as people have it, for whoever needs no other browser."""
    with sync_playwright() as playwright, chromium(playwright, is_whole=True) as one:
        yield one


class Table(Served):
    """A server for browsers."""

    def warm(self) -> None:
        """Waits until a computer has made a move: before the first one the engine may have to be compiled.
        The one who does not start lays the first plate (R2.6)."""
        person = self.person()
        asked = {"mode": "computer", "names": ["Ann"], "opponent": "level:n=1", "first": "me"}
        made = person.post("/api/games", json=asked, timeout=900).json()
        deadline = time.monotonic() + 900
        while "options" not in person.get(f"/api/games/{made['game']}", timeout=900).json():
            assert time.monotonic() < deadline, "no computer moves"
            time.sleep(0.1)


class Browsers:
    """The browsers of one test; what went wrong in any of them is in `faults`."""

    def __init__(self, browser: Browser, table: Table | None) -> None:
        """Without a table there is no address but those that are said in full."""
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self._pardoned = False
        self._table = table
        self.faults: list[str] = []

    @property
    def table(self) -> Table:
        """The server of these browsers."""
        assert self._table is not None, "there is none: each browser has a table of its own"
        return self._table

    def page(
        self,
        width: int = 1280,
        height: int = 800,
        theme: str = "dark",
        touch: bool = False,
        worker: bool = False,
        **settings: Any,
    ) -> Page:
        """A page in a browser of its own, at no address yet; with the service worker only where it is the point."""
        context = self._browser.new_context(
            base_url=self._table.address if self._table else None,
            viewport={"width": width, "height": height},
            color_scheme="light" if theme == "light" else "dark",
            has_touch=touch,
            is_mobile=touch,
            locale="en-GB",
            accept_downloads=True,
            service_workers="allow" if worker or self._table is None else "block",
        )
        self._contexts.append(context)
        context.set_default_timeout(TIMEOUT_MS)
        kept = json.dumps(json.dumps(_SETTINGS | settings))
        context.add_init_script(
            f"{_WATCH} if (location.protocol === 'http:' && !localStorage.getItem('sintra.settings')) "
            f"localStorage.setItem('sintra.settings', {kept});"
        )
        context.on("console", self._heard)
        context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        context.on("requestfailed", self._failed)
        return self._first_page(context)

    def _first_page(self, context: BrowserContext) -> Page:
        return context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not (self._pardoned and message.text.startswith("Failed to load resource")):
            self.faults.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        reason = request.failure or ""
        if reason != "net::ERR_ABORTED" and not self._pardoned:  # a page that is left ends its requests
            self.faults.append(f"request: {request.method} {request.url}: {reason}")

    @contextmanager
    def without_server(self) -> Iterator[None]:
        """Requests may fail in here."""
        self._pardoned = True
        yield
        self._pardoned = False

    def picture(self, name: str) -> None:
        """Pictures of all pages as they are."""
        for k, page in enumerate(page for context in self._contexts for page in context.pages):
            page.screenshot(path=SCREENS / f"{name}-{k}.png", caret="initial")

    def close(self) -> None:
        for context in self._contexts:
            context.close()


def resize(page: Page, width: int, height: int) -> None:
    """Gives the window another size, and waits until the page has chosen its layout: that is done before it paints."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def keep_picture(page: Page, name: str, is_whole: bool = False) -> None:
    """Leaves a picture of the window, or of the whole page, in `build/screens` if pictures are wanted."""
    if soak.takes_pictures:
        page.screenshot(path=SCREENS / f"{name}.png", caret="initial", full_page=is_whole)


def words(key: str, language: str = "en", **args: object) -> str:
    """A sentence of the catalogue."""
    text = texts(language)[key]
    if isinstance(text, dict):
        text = text["one" if args.get("count") == 1 else "other"]
    return re.sub(r"\{(\w+)\}", lambda found: str(args.get(found[1], found[0])), text)


def pattern(key: str) -> str:
    """A regular expression for a sentence of the catalogue, whatever fills it."""
    text = texts("en")[key]
    forms = text.values() if isinstance(text, dict) else [text]
    return "^(" + "|".join(re.sub(r"\\\{\w+\\\}", ".+", re.escape(form)) for form in forms) + ")"


class StaleError(Exception):
    """A post was refused because the game has moved on since it was looked at."""


def read_answer(status: int, text: str) -> Any:
    """What the service answered to a request that it must not refuse, unless the request is stale."""
    answer = json.loads(text)
    if status == 409 and answer["code"] == "stale":
        raise StaleError(text)
    assert status == 200, text
    return answer


class Seat:
    """Somebody at a game who asks the service itself: quicker than a page where the page is not the point."""

    def __init__(
        self, ask: Callable[..., Any], game: str, seed: int = 3, catch_up: Callable[[], object] = lambda: None
    ) -> None:
        """`ask` makes a request and reads its answer with `read_answer`; `catch_up` is what an open page needs after a
        round that went by without its player."""
        self._ask = ask
        self._catch_up = catch_up
        self.game = game
        self._dice = Random(seed)
        self._tilings_ended = 0

    def shown(self) -> dict[str, Any]:
        """The game as it stands, with the private plates of whoever is to move on a shared screen."""
        found: dict[str, Any] = self._ask("GET", f"/api/games/{self.game}")
        if found.get("curtain"):
            found = self._ask("GET", f"/api/games/{self.game}?seat={found['position']['seat']}")
        return found

    def post(self, what: str, **body: Any) -> None:
        """Does something on the latest event: looks again when somebody else acts meanwhile."""
        while True:
            seq = self.shown()["seq"]
            with suppress(StaleError):
                self._post(what, seq, body)
                return

    def _post(self, what: str, seq: int, body: dict[str, Any]) -> None:
        post = {"id": f"browser-{next(_ids):06}", "seq": seq} | body
        self._ask("POST", f"/api/games/{self.game}/{what}", post)

    def play(self, fits: Callable[[dict[str, Any]], bool], wish: str = "") -> dict[str, Any]:
        """Makes moves until the game fits; `wish` is what to do whenever it can be done: `draw`, `chips`, or `sun`,
        which leaves many tiles on the moon sides."""
        rounds = set[int]()
        deadline = time.monotonic() + TIMEOUT_MS / 1000
        while time.monotonic() < deadline:
            shown = self.shown()
            rounds.add(shown["position"]["round"])
            if fits(shown):
                if len(rounds) > 1:
                    self._catch_up()
                return shown
            if "options" in shown:
                with suppress(StaleError):  # somebody else acted meanwhile
                    self.move(shown, wish)
            else:  # a computer thinks
                assert shown["status"] == "playing", "it never came to that"
                time.sleep(0.02)
        raise AssertionError("it never came to that")

    def move(self, shown: dict[str, Any], wish: str = "") -> None:
        """Makes a move in the game as it was shown. Raises StaleError if it has moved on."""
        options = shown["options"]
        hand = len(shown["position"]["hand"])
        if wish == "draw" and options.get("draw") and hand < 2:
            token = options["draw"]["token"]
        elif options.get("look"):
            token = options["look"]["token"]
        elif wish == "chips" and options.get("chips"):
            token = options["chips"][0]["token"]
        else:
            calm = {key: value for key, value in options.items() if key not in ("draw", "payments")}
            suns = [take for take in options.get("takes") or [] if take["source"].startswith("sun-")]
            if wish == "sun" and suns:
                calm = {"takes": suns}
            token = any_token(shown | {"options": calm if any(calm.values()) else options}, self._dice)
        self._post("moves", shown["seq"], {"token": token})
        self._tilings_ended += token == "E"

    def play_to_end_of_round(self) -> None:
        """Plays until one more move ends the round."""
        ended = self._tilings_ended

        def fits(shown: dict[str, Any]) -> bool:
            options = shown["options"]
            only_end = shown["position"]["stage"] == "tiling" and not options.get("placements")
            return only_end and self._tilings_ended == ended + 1

        self.play(fits)


def stage_is(stage: str) -> Callable[[dict[str, Any]], bool]:
    return lambda shown: shown["position"]["stage"] == stage


def service_of(page: Page) -> Callable[..., Any]:
    """What makes requests as the page's own browser may, and reads their answers; also while the page is away."""
    at = page.url

    def asked(method: str, path: str, body: Any = None) -> Any:
        answer = ask(page, method, path, body, at)
        return read_answer(answer.status, answer.text)

    return asked


def seat_of(page: Page, seed: int = 3) -> Seat:
    """The service as the page's own browser may ask it, for the game that the page shows."""
    return Seat(service_of(page), game_of(page), seed, page.reload)


@contextmanager
def away(*pages: Page) -> Iterator[None]:
    """Pages leave their game meanwhile: they would draw every move of it."""
    addresses = [page.url for page in pages]
    for page in pages:
        page.goto("about:blank")
    yield
    for page, address in zip(pages, addresses, strict=True):
        page.goto(address)


def game_of(page: Page) -> str:
    found = re.search(r"/game/([\w-]+)", page.url)
    assert found is not None
    return found[1]


def start_game(page: Page, mode: str = "computer", level: int = 1, first: str = "me", **fields: str) -> None:
    """A new game: one with a friend from the start screen, others straight from the service, which is quicker."""
    if mode == "friend":
        fill_start(page, mode, level, first, **fields)
        return
    names = [fields.get("name", "Ann"), fields.get("other", "Ben")][: 2 if mode == "screen" else 1]
    body = {"mode": mode, "names": names, "first": first, "opponent": f"level:n={level}"}
    answer = ask(page, "POST", "/api/games", body)
    assert answer.status == 200, answer.text
    made = answer.json()
    visit(page, f"/game/{made['game']}#{made['links']['own']}")
    page.locator("[data-tour=prompt]").wait_for()


def fill_start(page: Page, mode: str, level: int = 1, first: str = "me", **fields: str) -> None:
    """A new game from the start screen."""
    visit(page, "/")
    page.locator(f"input[name=mode][value={mode}]").check()
    if mode == "computer":
        page.locator("#opponent").select_option(f"level:n={level}")
    page.locator("#first").select_option(first)
    for name, value in fields.items():
        page.locator(f"#{name}").fill(value)
    page.locator("form .button.main").click()
    page.wait_for_url("**/game/*")
    if mode != "friend":
        page.locator("[data-tour=prompt]").wait_for()


def files_of(page: Page) -> dict[str, int]:
    """Every file that the start, the rules and a game make a browser fetch, and how many bytes it is, compressed."""
    files: dict[str, int] = {}
    for path in ("/", "/rules"):
        page.goto(path)
        page.locator("main h1").wait_for()
        files |= dict(page.evaluate(_FILES))
    start_game(page, "screen")
    return files | dict(page.evaluate(_FILES))


def assert_points_add_up(page: Page, result: dict[str, Any]) -> None:
    """The breakdown at the end shows the result, and each column sums up to its score (R6.2)."""
    ending = page.get_by_role("dialog")
    told = ending.locator("p").first.inner_text()
    assert re.findall(r"\d+", told) == [str(score) for score in result["scores"]]
    rows = ending.locator("tbody tr").all_inner_texts()
    for seat, breakdown in enumerate(result["breakdown"]):
        *parts, score = (int(row.split("\t")[1 + seat].replace("\N{MINUS SIGN}", "-")) for row in rows)
        assert score == result["scores"][seat]
        assert sum(parts) == score, rows
        shown = parts[6 : 6 + len(breakdown["goals"])]
        assert shown == breakdown["goals"]
