"""The database of a tab: a SQLite file in memory, which the browser keeps page by page after each commit. The cookies
are in it too, so that seats come along where the file goes."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

from sintra.tab.cookies import Cookie
from sintra.table.games.database import database_fault
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import StorageError

_COOKIES: Final = "CREATE TABLE IF NOT EXISTS cookies (path TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL)"
_HEAD: Final = b"SQLite format 3\0"
_JOURNALS_AT: Final = slice(18, 20)
"""Where the head of a SQLite file says that it has a write-ahead log beside it."""


class TabStorage(SqliteStorage):
    """Games in the one file of a tab."""

    def __init__(self, path: str | Path, keep: Callable[[], Awaitable[None]]) -> None:
        super().__init__(path, keep=keep)
        try:
            self._db.execute(_COOKIES)
        except sqlite3.Error as error:
            raise database_fault(error) from None

    def cookies(self) -> list[Cookie]:
        """The cookies that are kept."""
        return [Cookie(*row) for row in self._look("SELECT path, name, value FROM cookies ORDER BY rowid")]

    async def keep_cookies(self, cookies: list[Cookie]) -> None:
        """Keeps these cookies and no others."""

        def work() -> None:
            self._db.execute("DELETE FROM cookies")
            self._db.executemany("INSERT INTO cookies VALUES (?, ?, ?)", cookies)

        await self._write(work)

    def dump(self) -> bytes:
        """The whole database as a file."""
        return self._db.serialize()


@contextlib.asynccontextmanager
async def storage_in(data: bytes, file: Path) -> AsyncIterator[TabStorage]:
    """The storage in a database's file that somebody has brought, with all that a write-ahead log of it held written
    into it; it is put into a file of its own, which does not stay."""
    if not data.startswith(_HEAD):
        raise StorageError("this is not a file of games")
    whole = bytearray(data)
    whole[_JOURNALS_AT] = b"\1\1"
    file.write_bytes(whole)
    try:
        storage = TabStorage(file, _keep_nothing)
        try:
            yield storage
        finally:
            await storage.close()
    finally:
        file.unlink()


async def _keep_nothing() -> None:
    """Stands for keeping a file that does not stay."""
