"""Storages for tests: one that really waits, and events to keep in any."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from sintra.table.games.database import MEMORY, Durability
from sintra.table.games.opening import open_storage
from sintra.table.games.storage import Storage, Stored
from table.served import TIMEOUT_S

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")
TURNS = 3
"""How often everybody else gets a turn before a call, and after it."""


def in_a_loop(test: Callable[Arguments, Coroutine[Any, Any, None]]) -> Callable[Arguments, None]:
    """A test that waits, in an event loop of its own, in which the databases that it was given are left."""

    async def whole(*arguments: Arguments.args, **more: Arguments.kwargs) -> None:
        try:
            await test(*arguments, **more)
        finally:
            for given in more.values():
                if isinstance(given, Backend):
                    await given.close()

    @functools.wraps(test)
    def run(*arguments: Arguments.args, **more: Arguments.kwargs) -> None:
        asyncio.run(whole(*arguments, **more))

    return run


async def until(happened: Callable[[], object]) -> None:
    """Waits for something to happen."""
    async with asyncio.timeout(TIMEOUT_S):
        while not happened():
            await asyncio.sleep(0.01)


def event(seq: int, post: str | None = None, act: str = "{}") -> Stored:
    return Stored(seq, post, "2026-01-01T00:00:00.000Z", act)


def once(do: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[None]]:
    """What is done the first time only."""
    left = [do]

    async def first() -> None:
        if left:
            await left.pop()()

    return first


class Gate:
    """A place where the first who comes waits until it is opened; later ones pass."""

    def __init__(self) -> None:
        self.reached = asyncio.Event()
        self.opened = asyncio.Event()

    async def __call__(self) -> None:
        if not self.reached.is_set():
            self.reached.set()
            await self.opened.wait()


class Failure:
    """A place where the first who comes fails."""

    def __init__(self, error: Exception) -> None:
        self._errors = [error]

    async def __call__(self) -> None:
        if self._errors:
            raise self._errors.pop()


class Waiting:
    """A storage that takes its time, as one at the other end of a network does: others get several turns before
    and after everything that is done. `before` and `after` are what happens then, by the name of the call."""

    def __init__(self, inner: Storage) -> None:
        self.inner = inner
        self.before: dict[str, Callable[[], Awaitable[None]]] = {}
        self.after: dict[str, Callable[[], Awaitable[None]]] = {}
        self.running: list[str] = []
        self.closed_while: list[str] | None = None

    async def _slowly(self, name: str, call: Callable[[], Awaitable[Made]]) -> Made:
        self.running.append(name)
        try:
            await _turns()
            if name in self.before:
                await self.before[name]()
            made = await call()
            if name in self.after:
                await self.after[name]()
            await _turns()
            return made
        finally:
            self.running.remove(name)

    def __getattr__(self, name: str) -> Any:
        """A call of the storage."""
        call = getattr(self.inner, name)
        if name == "leases":
            return call
        return lambda *arguments: self._slowly(name, lambda: call(*arguments))

    async def close(self) -> None:
        self.closed_while = list(self.running)
        await self._slowly("close", self.inner.close)


class Backend:
    """A database that is there for one test, and those who use it at once."""

    def __init__(self, address: str, waits: bool = False, durability: Durability = "full") -> None:
        self._address = address
        self._waits = waits
        self._durability = durability
        self._users: list[Storage] = []

    async def open(self) -> Storage:
        """One more user of it; what is in memory only has a single one."""
        if self._users and self._address == MEMORY:
            return self._users[0]
        opened = await open_storage(self._address, self._durability)
        slow: Any = Waiting(opened)
        self._users.append(slow if self._waits else opened)
        return self._users[-1]

    async def reopen(self) -> Storage:
        """The database as it is found when all others have left it."""
        if self._address != MEMORY:
            await self.close()
        return await self.open()

    async def close(self) -> None:
        while self._users:
            await self._users.pop().close()


async def _turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)
