"""The table in a tab as one object, made and called by the page's worker."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sintra.errors import SintraError
from sintra.tab.browser import Browser
from sintra.tab.carrying import add_games
from sintra.tab.requests import Requests
from sintra.tab.storage import TabStorage, storage_in
from sintra.tab.thinking import IDLE_S, PageWorker, TabReviewWorker, TabThinkers
from sintra.table.base.log import LOGGER, JsonFormatter
from sintra.table.http.access_log import AccessLog
from sintra.table.http.answers import answer_with
from sintra.table.http.metrics import Metrics
from sintra.table.http.security import UNLIMITED
from sintra.table.http.web import Web
from sintra.table.service.service import Service
from sintra.table.shown.messages import Problem

GAMES_FILE: Final = "/tab/games"
"""Where the page asks for all games as a file, and posts such a file."""


class Tab:
    """The table, as the page's worker calls it."""

    def __init__(self, browser: Browser, file: str) -> None:
        """`file` is the database's file."""

        async def keep() -> None:
            try:
                await browser.keep()
            except Exception as error:
                raise OSError(str(error)) from error

        self._file = Path(file)
        self._storage = TabStorage(file, keep)
        failures = logging.StreamHandler()
        failures.setLevel(logging.ERROR)
        failures.setFormatter(JsonFormatter())
        LOGGER.addHandler(failures)
        background = PageWorker(browser, IDLE_S)
        access_log = AccessLog(Metrics())
        self._table = Service(
            self._storage,
            TabThinkers(browser, background),
            review_worker=TabReviewWorker(background),
            on_failure=access_log.note_failure,
        )
        self._service = Web(self._table, rates=UNLIMITED, access_log=access_log).application()
        self._requests = Requests(self._application, browser, self._storage)
        self.start = self._requests.start
        self.cancel = self._requests.cancel

    async def open(self) -> None:
        """Opens the table; returns when it can be asked."""
        self._table.preparation.start()
        await self._table.when_ready(None, looks=False)

    async def close(self) -> None:
        """Closes the table; what was answered is kept already."""
        await self._table.close()

    async def _application(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The service, and what only a tab can be asked for."""
        if scope["path"] != GAMES_FILE:
            await self._service(scope, receive, send)
            return
        request = Request(scope, receive)
        if request.method == "GET":
            answer = Response(self._storage.dump(), media_type="application/vnd.sqlite3")
        else:
            answer = await self._load(await request.body())
        await answer(scope, receive, send)

    async def _load(self, data: bytes) -> Response:
        """Adds the games of a file, in which whoever has it sits where they sat, or, if the file does not say, at all
        seats that people play."""
        try:
            async with storage_in(data, self._file.with_name("loaded.sqlite")) as source:
                carried, cookies = await add_games(source, self._storage)
        except SintraError as error:
            return answer_with(Problem("bad_games", str(error)), 422)
        for one in carried:
            self._table.rooms.lose(one.game)  # it may have gone on elsewhere: it is read anew
        self._requests.jar.add(cookies)
        await self._storage.keep_cookies(self._requests.jar.cookies)
        return answer_with({"games": [one._asdict() for one in carried]})


async def open_table(browser: Browser, file: str) -> Tab:
    """The table, open."""
    tab = Tab(browser, file)
    await tab.open()
    return tab
