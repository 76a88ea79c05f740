"""The page as an app: it can be installed, says why when there is no table, and calls the player whose turn it is."""

from __future__ import annotations

import json
import re
import shutil
import signal
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, Playwright, expect
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sintra.table.http.pages import Pages
from table.browser.browsers import PAGE, TIMEOUT_MS, Browsers, Table, chromium, game_of, start_game, words

pytestmark = pytest.mark.server("the service worker of a server's page")
_READY = "navigator.serviceWorker.ready.then((found) => found.active.state)"
_KEPT = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
    return found.sort();
}"""
_KEPT_BY = """async ([name, timeout]) => {
    for (const end = Date.now() + timeout; ; ) {
        const found = await caches.keys();
        if (String(found) === name || Date.now() > end) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""
_STAYING = """() => {
    const show = self.registration.showNotification.bind(self.registration);
    self.shown = new Promise((resolve) => {
        self.registration.showNotification = async (title, options) => {
            await show(title, { ...options, requireInteraction: true });
            resolve();
        };
    });
}"""
"""In the worker: notifications stay, which Chromium takes away after 25 seconds otherwise, and `shown` resolves once
there is one. Whoever asks for all of them before makes Chromium forget the one that is on its way."""
_SHOWN = "(timeout) => Promise.race([self.shown, new Promise((resolve) => setTimeout(resolve, timeout))])"
_NOTIFICATIONS = """async () => {
    const found = await (await navigator.serviceWorker.ready).getNotifications();
    return found.map((one) => [one.title, one.body, one.tag]);
}"""
_NO_NOTIFICATION = """async () => (await (await navigator.serviceWorker.ready).getNotifications()).length === 0"""
_CLICK = """async () => {
    const [notification] = await self.registration.getNotifications();
    return new Promise((resolve) => {
        WindowClient.prototype.focus = async function () { resolve(["focused", this.url]); };
        Clients.prototype.openWindow = async (path) => { resolve(["opened", path]); };
        self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    });
}"""
_HIDDEN = "Object.defineProperty(Document.prototype, 'hidden', { get: () => true });"


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """A whole Chromium: it can notify and install."""
    with chromium(playwright, is_whole=True) as one:
        yield one


def worker_ready(page: Page) -> None:
    page.evaluate(_READY)
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")


def test_the_icons_are_what_the_manifest_says() -> None:
    manifest = json.loads((PAGE / "manifest.webmanifest").read_text("utf-8"))
    drawn = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
    assert {(icon["sizes"], icon["purpose"]) for icon in drawn} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    for icon in drawn:
        data = (PAGE / icon["src"].lstrip("/")).read_bytes()
        assert data.startswith(b"\x89PNG")
        assert "x".join(map(str, struct.unpack(">II", data[16:24]))) == icon["sizes"]


@pytest.mark.long
def test_an_installed_app_says_why_it_is_empty_and_comes_back(browser: Browser, own_table: Table) -> None:
    browsers = Browsers(browser, own_table)
    page = browsers.page(390, 844, worker=True, language="de")
    page.goto("/")
    worker_ready(page)
    devtools = page.context.new_cdp_session(page)
    assert devtools.send("Page.getAppManifest")["errors"] == []
    faults = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [one["errorId"] for one in faults] == ["in-incognito"], "as every window of the tests is"
    page.evaluate(
        "dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: () => { window.prompted = true; } }))"
    )
    page.get_by_role("button", name=words("page.settings", "de")).click()
    page.get_by_role("button", name=words("settings.install", "de")).click()
    assert page.evaluate("window.prompted")
    page.goto("/rules")
    expect(page.locator("main h1")).to_be_visible()
    assert page.evaluate(_KEPT) == ["/icon.svg", "/offline.css", "/offline.html", "/offline.js"]
    with browsers.without_server():
        own_table.kill(signal.SIGTERM)
        page.reload()
        title = page.get_by_role("heading", name=words("offline.title", "de"))
        expect(title).to_be_visible()
        for key in ("why", "own", "other", "kept"):
            expect(page.get_by_text(words(f"offline.{key}", "de"))).to_be_visible()
        assert page.locator("html").get_attribute("lang") == "de"
        browsers.picture("offline")
        page.get_by_role("button", name=words("offline.again", "de")).click()
        expect(title).to_be_visible()
        own_table.start()
        expect(page.get_by_role("heading", name=words("page.rules", "de"), exact=True)).to_be_visible()
    browsers.close()
    assert browsers.faults == []


class Builds:
    """One build of the page after another at one address, as the table serves them, without a table behind."""

    def __init__(self, folder: Path) -> None:
        self._pages = Pages(folder)
        self._server = uvicorn.Server(
            uvicorn.Config(self._answer, port=0, interface="asgi3", lifespan="off", log_level="error")
        )
        self._thread = Thread(target=self._server.run)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._pages.answer(scope["path"], Headers(scope=scope)) or Response(status_code=404)
        await answer(scope, receive, send)

    def __enter__(self) -> str:
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)
        return f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    def __exit__(self, *error: object) -> None:
        self._server.should_exit = self._server.force_exit = True
        self._thread.join()


def build_anew(folder: Path) -> None:
    """Makes another build of one: whatever has a hash in its name has another one, and so has the worker."""
    assets = list((folder / "assets").iterdir())
    for path in [*assets, *(folder / name for name in ("index.html", "offline.html", "sw.js"))]:
        if path.suffix in (".html", ".css", ".js"):
            text = path.read_text("utf-8").replace("<html", "<html data-build='anew'")
            for other in assets:
                text = text.replace(other.name, f"anew-{other.name}")
            path.write_text(re.sub(r"offline-\w{16}", "offline-anew", text), "utf-8")
    for path in assets:
        path.rename(path.with_name(f"anew-{path.name}"))


@pytest.mark.long
def test_another_build_takes_the_place_of_a_page_and_its_worker(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "page"
    shutil.copytree(PAGE, folder)
    with Builds(folder) as address:
        page = browser.new_context(base_url=address, locale="en-GB").new_page()
        page.goto("/nowhere")
        page.reload()
        worker_ready(page)
        assert page.evaluate("caches.keys()") != ["offline-anew"]
        build_anew(folder)
        # the part that shows the rules is not there any more, also for those who loaded the page anew before
        page.get_by_role("link", name=words("page.rules")).first.click()
        expect(page.get_by_role("heading", name=words("page.rules"), exact=True)).to_be_visible()
        assert page.locator("html").get_attribute("data-build") == "anew"
        assert page.evaluate(_KEPT_BY, ["offline-anew", TIMEOUT_MS]) == ["offline-anew"]
        worker_ready(page)
    page.reload()
    expect(page.get_by_role("heading", name=words("offline.title"))).to_be_visible()
    assert page.locator("html").get_attribute("data-build") == "anew"
    page.context.close()


def test_a_page_stays_when_a_part_of_it_cannot_be_fetched(browser: Browser) -> None:
    with Builds(PAGE) as address:
        page = browser.new_context(base_url=address, locale="en-GB", service_workers="block").new_page()
        page.goto("/nowhere")
        page.get_by_role("heading", name=words("page.lost")).wait_for()
    with page.expect_event("requestfailed", lambda request: request.url == f"{address}/"):
        page.get_by_role("link", name=words("page.rules")).first.click()
    expect(page.get_by_role("alert")).to_have_text(words("problem.unreachable"))
    assert page.evaluate("performance.getEntriesByType('navigation')[0].type") == "navigate"
    page.context.close()


def test_a_notification_calls_the_player_and_leads_to_the_game(browsers: Browsers) -> None:
    page = browsers.page(worker=True, notify=True)
    page.context.grant_permissions(["notifications"])
    page.add_init_script(_HIDDEN)
    start_game(page, "friend", first="me")
    worker_ready(page)
    friend = browsers.table.person()
    game = game_of(page)
    secret = page.locator("#link-friend").input_value().partition("#")[2]
    friend.post(f"/api/games/{game}/enter", json={"secret": secret, "name": "Ben"})
    # the one who does not start lays the first plate (R2.6)
    shown: dict[str, Any] = friend.get(f"/api/games/{game}").json()
    laying = shown["options"]["layings"][0]
    token = next(iter(laying["slots"].values()))[0]["token"]
    page.locator("[data-tour=prompt]").wait_for()
    assert page.evaluate(_NOTIFICATIONS) == []
    worker = page.context.service_workers[0]
    worker.evaluate(_STAYING)
    body = {"id": "friend-0001", "seq": shown["seq"], "token": token}
    assert friend.post(f"/api/games/{game}/moves", json=body).status_code == 200
    worker.evaluate(_SHOWN, TIMEOUT_MS)
    assert page.evaluate(_NOTIFICATIONS) == [[words("turn.yours"), "Ann \N{EN DASH} Ben", f"/game/{game}"]]

    elsewhere = page.context.new_page()
    elsewhere.goto("/rules")
    at_first = f"{browsers.table.address}/"
    assert worker.evaluate(_CLICK) == ["focused", at_first], "the tab that went from the start to the game"
    page.wait_for_function(_NO_NOTIFICATION)
