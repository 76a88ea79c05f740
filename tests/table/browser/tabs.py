"""Browsers that have the table in a tab of theirs: the page comes from a plain static server, whose network is cut."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from table.browser.browsers import Browsers
from table.browser.folder import Folder
from table.browser.reaching import keepers

MAY_COMPILE = pytest.mark.timeout(1800)
"""For tests of the folder, the first of which compiles the engine and builds it, unless that was done before."""


class TabBrowsers(Browsers):
    """The browsers of one test, each with a table of its own; nothing can be fetched once that has answered."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        super().__init__(browser, None)
        self._folder = folder

    def _first_page(self, context: BrowserContext) -> Page:
        keeper = context.new_page()
        with Folder(self._folder) as folder:
            keeper.goto(folder.address)
            table_answers(keeper)
        keepers[context] = keeper
        return context.new_page()


def table_answers(page: Page) -> None:
    """Waits until the start page knows its opponents, which it asks the table for."""
    page.locator("#opponent option").first.wait_for(state="attached")
