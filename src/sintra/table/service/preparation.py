"""What happens before the first game: the engine and the players are loaded, or compiled on the first start."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable
from typing import Any, Literal

from sintra.table.base.log import LOGGER
from sintra.table.service.puzzles import warm_puzzles
from sintra.table.shown.forecasts import NOT_YET
from sintra.table.workers.thinkers import Thinkers
from sintra.table.workers.warm_up import (
    forget_count,
    has_forecasts,
    is_compiled,
    share_compiled,
    warm_beginning,
    warm_engine,
    warm_forecasts,
    warm_hints,
)


class Preparation:
    """The warm-up of a service, and how far it is."""

    def __init__(self, thinkers: Thinkers, keep: Callable[[asyncio.Task[Any]], None]) -> None:
        """`keep` keeps a background task until it is done."""
        self._thinkers = thinkers
        self._keep = keep
        self._task: asyncio.Task[None] | None = None
        self._can_begin = asyncio.Event()
        self._is_first = False

    def start(self) -> None:
        """Starts to warm up the engine and the thinkers, in the background."""
        self._task = asyncio.create_task(self._prepare())
        self._keep(self._task)

    async def _prepare(self) -> None:
        """Warms up the engine; if that fails, says so in the log and by `status`."""
        try:
            await self._warm_up()
        except Exception as error:
            LOGGER.error({"what": "warm-up", "why": f"{type(error).__name__}: {error}"})
            raise

    async def _warm_up(self) -> None:
        """Warms up the engine. What is loaded then is exempt from garbage collection, which runs less often from then
        on: going through everything again and again would stop the service for tenths of a second."""
        self._is_first = not (is_compiled() and has_forecasts())
        if self._is_first:
            NOT_YET.set()
            await self._thinkers.compile()
            await asyncio.to_thread(warm_beginning)
            self._can_begin.set()
            await self._thinkers.wait_compiled("moves")
        await asyncio.to_thread(warm_engine)
        self._can_begin.set()
        if self._is_first:
            self._keep(asyncio.create_task(self._prepare_forecasts()))
        else:
            await asyncio.to_thread(warm_forecasts)
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        self._keep(asyncio.create_task(self._prepare_thinkers()))

    async def _prepare_forecasts(self) -> None:
        """Warms up the forecasts while games begin without them; pages ask until they are there."""
        await self._thinkers.wait_compiled("forecasts")
        await asyncio.to_thread(warm_forecasts)
        NOT_YET.clear()

    async def _prepare_thinkers(self) -> None:
        await self._thinkers.warm()
        await asyncio.to_thread(warm_hints)
        await asyncio.to_thread(warm_puzzles)
        if self._is_first:
            forget_count()
        self._is_first = False

    @property
    def status(self) -> Literal["ok", "preparing", "failed"]:
        """Whether games can be shown: not before the engine is warm, and not if it cannot be warmed up."""
        task = self._task
        if task is not None and task.done() and not task.cancelled() and task.exception() is not None:
            return "failed"
        return "ok" if task is None or self._can_begin.is_set() else "preparing"

    @property
    def progress(self) -> float:
        """How much is compiled of all that games and computers need, from 0 to 1."""
        return share_compiled() if self._is_first else 1.0

    @property
    def is_over(self) -> bool:
        """Whether everything that the service itself needs is warm, or failed to be."""
        return self._task is None or self._task.done()

    async def wait(self, to_begin: bool = False) -> None:
        """Waits until that is so: the first start on a machine compiles for up to a minute. What begins a game is there
        before that."""
        if self._task is None or self._task.done():
            return
        if to_begin:
            begun = asyncio.ensure_future(self._can_begin.wait())
            await asyncio.wait((self._task, begun), return_when=asyncio.FIRST_COMPLETED)
            begun.cancel()
        else:
            await asyncio.wait((self._task,))
