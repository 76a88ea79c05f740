"""What the processes at one PostgreSQL database share while they run.

Each has a connection on which it hears of the others, and one which holds what it has taken: that is lost with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import secrets
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any, Final, LiteralString
from weakref import WeakValueDictionary

import psycopg
from psycopg import AsyncConnection
from psycopg.pq import TransactionStatus

from sintra.table.games.commons import Attendance, Elsewhere, Hearing
from sintra.table.games.postgres_pool import PATIENCE, PostgresPool, is_lost
from sintra.table.games.postgres_schema import CHANNEL
from sintra.table.games.storage import StorageAwayError, StorageError

_BEAT: Final = 2.0
"""Seconds between two beats of a process's heart."""
_TIDY: Final = 150
"""Beats between two times that old things are removed."""
_PAUSES: Final = (0.05, 0.2, 0.5, 1.0, 2.0)
"""Seconds before each try to listen again; the last one stays."""
_BLOCKS: Final = 20
"""A process draws at most this part of what somebody may ask for at once."""
_MOST_DOUBTS: Final = 1000
_ATTEND: Final[LiteralString] = "SELECT attended.* FROM sintra.attend(%s, %s, %s, %s, %s, '') AS attended"
_TOLD: Final[LiteralString] = ", sintra.tell('', '-', %s)"


class PostgresCommons:
    """See `Commons`. A process that is presumed dead, because its heart did not beat for some seconds, comes back by
    itself."""

    def __init__(self, pool: PostgresPool) -> None:
        self.id: Final = secrets.token_hex(8)
        self._pool = pool
        self._hearing: Hearing | None = None
        self._line: AsyncConnection[Any] | None = None
        self._lost = asyncio.Event()
        self._keeper: AsyncConnection[Any] | None = None
        self._turn = asyncio.Lock()
        self._listening: asyncio.Task[None] | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._taken: set[str] = set()
        self._here: dict[str, Attendance] = {}
        self._unsaid: dict[str, Attendance] = {}
        self._attending: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._doubts: set[tuple[str, int]] = set()

    # --- hearing --------------------------------------------------------------------------------

    async def open(self, hearing: Hearing) -> None:
        """See `Commons`."""
        self._hearing = hearing
        await self._connect()
        self._tasks = [asyncio.create_task(self._stay_connected()), asyncio.create_task(self._beat())]

    async def _connect(self) -> None:
        """Listens, and only then says that this process is there: nobody tells it anything before."""
        line = await self._pool.address.connect()
        try:
            await line.execute(f"LISTEN {CHANNEL}")
            await line.execute("SELECT sintra.come(%s)", (self.id,))
        except psycopg.Error as error:
            await line.close()
            raise self._pool.address.away(error) from None
        except BaseException:
            await line.close()
            raise
        self._line = line
        self._lost.clear()
        self._listening = asyncio.create_task(self._listen(line))

    async def _listen(self, line: AsyncConnection[Any]) -> None:
        try:
            async for note in line.notifies():
                self._hear(note.payload)
        except psycopg.Error:
            self._lost.set()

    def _hear(self, payload: str) -> None:
        sender, what, game = payload.split(" ", 2)
        hearing, loop = self._hearing, asyncio.get_running_loop()
        if hearing is None:
            return
        if what == "*":
            loop.call_soon(hearing.missed)
        elif what == "-":
            if sender != self.id:
                loop.call_soon(hearing.presence, game)
        elif sender != self.id or (game, int(what)) in self._doubts:
            loop.call_soon(hearing.event, game, int(what))

    async def _stay_connected(self) -> None:
        """Listens again whenever the connection is lost, says anew what this process has said, and that something may
        have been missed."""
        while True:
            await self._lost.wait()
            await self._disconnect()
            for pause in chain(_PAUSES, repeat(_PAUSES[-1])):
                with contextlib.suppress(StorageError):
                    await self._connect()
                    self._unsaid = self._here | self._unsaid
                    await self._say_unsaid()
                    break
                await self._disconnect()
                await asyncio.sleep(pause)
            if self._hearing is not None:
                self._hearing.missed()

    async def _disconnect(self) -> None:
        line, self._line = self._line, None
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait({self._listening})
        if line is not None:
            await line.close()

    async def _beat(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(_BEAT)
            beats += 1
            with contextlib.suppress(StorageError):
                known = (await self._pool.ask("SELECT sintra.beat(%s)", self.id))[0][0]
                if not known:
                    self._unsaid = self._here | self._unsaid
                await self._say_unsaid()
                await self._tell_doubts()
                if beats % _TIDY == 0:
                    await self._pool.ask("SELECT sintra.tidy()")

    async def _tell_doubts(self) -> None:
        """Tells everybody of events that may have been written, and may not have been told."""
        for game, seq in list(self._doubts):
            await self._pool.ask("SELECT sintra.tell('', %s, %s)", str(seq), game)
            self._doubts.discard((game, seq))

    @contextlib.contextmanager
    def writing(self, game: str, seq: int) -> Iterator[None]:
        """An event is written: if nobody knows whether it was, everybody is told, this process too."""
        try:
            yield
        except (StorageAwayError, asyncio.CancelledError):
            if len(self._doubts) < _MOST_DOUBTS:
                self._doubts.add((game, seq))
            raise

    # --- who is where ---------------------------------------------------------------------------

    async def attend(self, game: str, here: Attendance) -> Elsewhere:
        """See `Commons`."""
        attending = self._attending.setdefault(game, asyncio.Lock())
        async with attending:
            if here.is_empty:
                self._here.pop(game, None)
            else:
                self._here[game] = here
            return await self._attend(game, here)

    async def _attend(self, game: str, here: Attendance, again: bool = False) -> Elsewhere:
        """Says who is at a game. What cannot be said is said `again`: then everybody is told."""
        values = (self.id, game, sum(1 << seat for seat in here.seats), here.spectators, here.counts)
        try:
            rows = await (self._pool.ask(_ATTEND + _TOLD, *values, game) if again else self._pool.ask(_ATTEND, *values))
        except BaseException:
            self._unsaid[game] = here
            raise
        if again:
            del self._unsaid[game]
        elif game in self._unsaid:
            self._unsaid[game] = here
        elsewhere, spectators, first, second = rows[0]
        return Elsewhere(frozenset(seat for seat in (0, 1) if elsewhere >> seat & 1), spectators, (first, second))

    async def _say_unsaid(self) -> None:
        """Says of games who is there, where that could not be said, or was said while this process was taken for dead.
        Who has asked meanwhile, here too, was told something else, and asks again."""
        for game in list(self._unsaid):
            attending = self._attending.setdefault(game, asyncio.Lock())
            async with attending:
                if here := self._unsaid.get(game):
                    await self._attend(game, here, again=True)

    # --- clocks ---------------------------------------------------------------------------------

    async def clock(self, game: str, seq: int, start: bool) -> float | None:
        """See `Commons`."""
        age: float | None = (await self._pool.ask("SELECT sintra.clock(%s, %s, %s)", game, seq, start))[0][0]
        return age

    # --- what one does for all ------------------------------------------------------------------

    async def take(self, task: str) -> bool:
        """See `Commons`."""
        async with self._turn:
            await self._notice_loss()
            if task in self._taken:
                return True
            if await self._ask_keeper("SELECT pg_try_advisory_lock(%s)", task):
                self._taken.add(task)
                return True
            return False

    async def leave(self, task: str) -> None:
        """See `Commons`."""
        async with self._turn:
            await self._notice_loss()
            if task in self._taken:
                self._taken.remove(task)
                await self._ask_keeper("SELECT pg_advisory_unlock(%s)", task)

    async def _ask_keeper(self, query: LiteralString, task: str) -> bool:
        """Asks the connection that holds what was taken, as a part of a turn; with it, everything is lost."""
        try:
            async with asyncio.timeout(PATIENCE):
                if self._keeper is None:
                    self._keeper = await self._pool.address.connect()
                row = await (await self._keeper.execute(query, (_key(task),))).fetchone()
        except BaseException as error:
            await self._let_go()
            if isinstance(error, psycopg.Error | TimeoutError):
                raise self._pool.address.away(error) from None
            raise
        return bool(row and row[0])

    async def _notice_loss(self) -> None:
        if self._keeper is not None and is_lost(self._keeper):
            await self._let_go()

    async def _let_go(self) -> None:
        """Leaves everything that was taken. The server would do so, too, but only when it sees the connection end."""
        taken, self._taken = self._taken, set()
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return
        if taken and keeper.info.transaction_status == TransactionStatus.IDLE:
            with contextlib.suppress(psycopg.Error, TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    await keeper.execute("SELECT pg_advisory_unlock_all()")
        await keeper.close()

    # --- reviews --------------------------------------------------------------------------------

    async def note_review(self, key: str, share: float | None, ahead: int = 0) -> None:
        """See `Commons`."""
        if share is None:
            await self._pool.ask("DELETE FROM sintra.reviewing WHERE key = %s AND process = %s", key, self.id)
            return
        await self._pool.ask(
            "INSERT INTO sintra.reviewing (key, process, share, ahead) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (key, process) DO UPDATE SET share = excluded.share, ahead = excluded.ahead",
            key,
            self.id,
            float(share),
            ahead,
        )

    async def noted_review(self, key: str) -> tuple[float, int] | None:
        """See `Commons`."""
        rows = await self._pool.ask(
            "SELECT share, ahead FROM sintra.reviewing WHERE key = %s AND process <> %s"
            " AND process IN (SELECT sintra.living()) ORDER BY share DESC LIMIT 1",
            key,
            self.id,
        )
        return (rows[0][0], rows[0][1]) if rows else None

    async def noted_reviews(self) -> int:
        """See `Commons`."""
        rows = await self._pool.ask(
            "SELECT count(*) FROM sintra.reviewing WHERE process <> %s AND process IN (SELECT sintra.living())", self.id
        )
        return int(rows[0][0])

    # --- limits ---------------------------------------------------------------------------------

    async def draw(self, what: str, who: str, a_minute: float, at_once: int) -> tuple[int, float]:
        """See `Commons`; several at once where there are many, so that most requests need not ask."""
        rows = await self._pool.ask(
            "SELECT * FROM sintra.draw(%s, %s, %s, %s, %s)",
            what,
            hashlib.sha256(who.encode()).digest()[:16],
            float(a_minute),
            at_once,
            max(1, at_once // _BLOCKS),
        )
        return rows[0][0], rows[0][1]

    async def close(self) -> None:
        """See `Commons`."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        was_open, self._tasks = bool(self._tasks), []
        self._here.clear()
        self._unsaid.clear()
        self._hearing = None
        if was_open:
            with contextlib.suppress(StorageError):
                await self._pool.ask("SELECT sintra.go(%s)", self.id)
        async with self._turn:
            await self._let_go()
        await self._disconnect()


def _key(task: str) -> int:
    """The advisory lock of a task."""
    return int.from_bytes(hashlib.sha256(task.encode()).digest()[:8], "big", signed=True)
