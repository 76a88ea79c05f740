"""How tests reach the page and its service: over the network, or in a folder whose table is in the browser itself."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import msgspec
from playwright.sync_api import BrowserContext, Page

from table.browser.folder import BELOW

_ASK: Final = """async ([method, path, body]) => {
    const name = `sintra ${new URL(".", location.origin + location.pathname).href}`;
    const hold = (held) => navigator.locks.request(`${name} test`, () => { held(); return new Promise(() => {}); });
    if (!window.asking) {
        window.asking = new BroadcastChannel(name);
        window.asked = 0;
        await new Promise((held) => void hold(held));
    }
    const id = `test:${++window.asked}`;
    return new Promise((resolve) => {
        const pieces = [];
        let status = 0;
        const listen = async ({ data: { to, message } }) => {
            if (to !== "test" || message.id !== id) return;
            if (message.kind === "head") status = message.status;
            if (message.kind === "chunk") pieces.push(message.data);
            if (message.kind !== "end") return;
            window.asking.removeEventListener("message", listen);
            resolve([status, await new Blob(pieces).text()]);
        };
        window.asking.addEventListener("message", listen);
        const headers = body === null ? {} : { "content-type": "application/json" };
        const message = { kind: "request", id, method, path, headers, body };
        window.asking.postMessage({ to: "owner", from: "test", message });
    });
}"""
"""Asks the tab that has the table, as another tab would."""

keepers: Final[WeakKeyDictionary[BrowserContext, Page]] = WeakKeyDictionary()
"""The tab that has the table, in browsers where others use it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the service answered."""

    status: int
    text: str

    def json(self) -> Any:
        """The message that the answer is."""
        return msgspec.json.decode(self.text)


def is_in_tab(page: Page) -> bool:
    """Whether the page's browser has a table of its own."""
    return BELOW in keepers.get(page.context, page).url


def address(page: Page, path: str) -> str:
    """Where a screen is, by its path at a table; relative to the address of the tests' table, where that is meant."""
    start, _, _ = keepers.get(page.context, page).url.partition("?")
    return f"{start}?{path}" if is_in_tab(page) else path


def link_to(page: Page, path: str) -> str:
    """What a link of the page to a screen says."""
    return f"?{path}" if is_in_tab(page) else path


def visit(page: Page, path: str) -> None:
    """Goes to the screen that a table has at a path."""
    page.goto(address(page, path))


def ask(page: Page, method: str, path: str, body: Any = None, at: str = "") -> Reply:
    """Asks the service as the page's own browser may, at the table of an address: that of the page unless another one
    is given."""
    if is_in_tab(page):
        sent = None if body is None else msgspec.json.encode(body).decode()
        status, text = keepers.get(page.context, page).evaluate(_ASK, [method, path, sent])
        return Reply(status, text)
    origin = re.match(r"https?://[^/]+", at or page.url)
    there = (origin[0] if origin else "") + path
    fetch = page.context.request.fetch
    answer = fetch(there, method=method) if body is None else fetch(there, method=method, data=body)
    return Reply(answer.status, answer.text())
