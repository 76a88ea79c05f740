"""The page as an app: it can be installed, says why when there is no table, and calls the player whose turn it is."""

from __future__ import annotations

import json
import signal
import struct
from typing import Any

from playwright.sync_api import Browser, Page, expect

from table.browser.browsers import PAGE, Browsers, Table, game_of, start_game, words

_READY = "navigator.serviceWorker.ready.then((found) => found.active.state)"
_KEPT = """async () => {
    const found = [];
    for (const name of await caches.keys())
        for (const one of await (await caches.open(name)).keys()) found.push(new URL(one.url).pathname);
    return found.sort();
}"""
_NOTIFICATIONS = """async (count) => {
    const worker = await navigator.serviceWorker.ready;
    for (let tries = 0; ; tries++) {
        const found = await worker.getNotifications();
        if (found.length === count || tries === 1000) return found.map((one) => [one.title, one.body, one.tag]);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}"""
_CLICK = """async () => {
    const [notification] = await self.registration.getNotifications();
    return new Promise((resolve) => {
        WindowClient.prototype.focus = async function () { resolve(["focused", this.url]); };
        Clients.prototype.openWindow = async (path) => { resolve(["opened", path]); };
        self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
    });
}"""
_HIDDEN = "Object.defineProperty(Document.prototype, 'hidden', { get: () => true });"


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


def test_a_page_that_is_older_than_the_table_is_loaded_anew(browsers: Browsers) -> None:
    page = browsers.page()
    page.goto("/")
    gone = "**/assets/RulesScreen-*"
    page.route(gone, lambda route: route.fulfill(status=404))
    page.once("domcontentloaded", lambda loaded: loaded.unroute(gone))
    with browsers.without_server():  # the browser notes that a file is not there
        page.get_by_role("link", name=words("page.rules")).first.click()
        expect(page.get_by_role("heading", name=words("page.rules"), exact=True)).to_be_visible()
    assert page.evaluate("performance.getEntriesByType('navigation')[0].type") == "reload"


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
    assert page.evaluate(_NOTIFICATIONS, 0) == []
    body = {"id": "friend-0001", "seq": shown["seq"], "token": token}
    assert friend.post(f"/api/games/{game}/moves", json=body).status_code == 200
    assert page.evaluate(_NOTIFICATIONS, 1) == [[words("turn.yours"), "Ann \N{EN DASH} Ben", f"/game/{game}"]]

    elsewhere = page.context.new_page()
    elsewhere.goto("/rules")
    worker = page.context.service_workers[0]
    at_first = f"{browsers.table.address}/"
    assert worker.evaluate(_CLICK) == ["focused", at_first], "the tab that went from the start to the game"
    assert page.evaluate(_NOTIFICATIONS, 0) == []
