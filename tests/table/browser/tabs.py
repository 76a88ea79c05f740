"""Browsers that have the table in a tab of theirs: the page comes from a plain static server, whose network is cut."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

import soak
from sintra.game.seeds import SEED_BITS
from table.browser.browsers import Browsers
from table.browser.folder import Folder
from table.browser.reaching import keepers

MAY_COMPILE = pytest.mark.timeout(1800)
"""For tests of the folder, the first of which compiles the engine and builds it, unless that was done before."""
MAX_DEALS: Final = 200
"""More than any test has games: what comes after them is left to chance."""
_DEAL: Final = """(deals) => {
    const byChance = crypto.getRandomValues.bind(crypto);
    crypto.getRandomValues = (room) => {
        if (room.byteLength !== 8 || !deals.length) return byChance(room);
        room.set(deals.shift());
        return room;
    };
}"""
"""For the table's worker: what its Python draws for the seed of a game. It draws so many bytes for nothing else."""


class TabBrowsers(Browsers):
    """The browsers of one test, each with a table of its own; nothing can be fetched once that has answered. Games have
    the deals that follow from a name, as at a server; long forms leave them to chance."""

    def __init__(self, browser: Browser, folder: Path, name: str) -> None:
        super().__init__(browser, None)
        self._folder = folder
        self._dice = Random(name)

    def _first_page(self, context: BrowserContext) -> Page:
        keeper = context.new_page()
        with Folder(self._folder) as folder:
            keeper.goto(folder.address)
            table_answers(keeper)
        if not soak.is_on:
            (worker,) = (one for one in keeper.workers if one.url.endswith("/table.js"))
            worker.evaluate(_DEAL, [self._deal() for _ in range(MAX_DEALS)])
        keepers[context] = keeper
        return context.new_page()

    def _deal(self) -> list[int]:
        """The bytes of a seed, as `secrets.randbits` reads them."""
        return list((self._dice.getrandbits(SEED_BITS) << 1).to_bytes(8, "big"))


def table_answers(page: Page) -> None:
    """Waits until the start page knows its opponents, which it asks the table for."""
    page.locator("#opponent option").first.wait_for(state="attached")
