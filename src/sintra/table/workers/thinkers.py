"""The worker processes in which computers think: they get views and return moves.

A job is what to do, a player, a seed and the bytes of a view; nothing else of a game is sent to a worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from sintra.game.game import View
from sintra.players.base import Clock, require_turn
from sintra.processes.worker import WorkerLostError, pickle_job
from sintra.table.base.opponents import SIMS_PER_SECOND, Opponent
from sintra.table.workers.queueing import ThinkingError, ThoughtQueue
from sintra.table.workers.remote_thinkers import AwayError, RemoteThinkers
from sintra.table.workers.warm_up import (
    counting,
    forget_count,
    warm_choices,
    warm_forecasts,
    warm_moves,
    warm_players,
    warm_reasons,
    warm_views,
)
from sintra.table.workers.worker_process import LOWEST, WorkerProcess, let_others_go_first, use_non_blocking_output

if TYPE_CHECKING:
    from sintra.review.reasons import Reason

Part = Literal["choices", "views", "moves", "forecasts", "players", "reasons"]
Kind = Literal["choose", "advise", "explain", "analyse"] | Part
Advised: TypeAlias = "tuple[bool, list[tuple[str, float, float]], tuple[Reason, ...]]"
"""Whether the advice is exact, moves with their chance to win and lead, and why the first is better than the second."""
Analysis = tuple[bool, list[tuple[str, float, float, list[str]]]]
"""Whether the analysis is exact, and moves with their chance to win, lead, and the moves expected to follow."""
HINT_SIMS: Final = 1500
ATTEMPTS: Final = 3
_NICENESS: Final = 15
"""The niceness of workers: the service goes first."""
_MAX_ANALYSED: Final = 5
_WARMING: Final[dict[str, Callable[[], None]]] = {
    "choices": warm_choices,
    "views": warm_views,
    "moves": warm_moves,
    "players": warm_players,
    "forecasts": warm_forecasts,
    "reasons": warm_reasons,
}


# --- in the worker ------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _player(text: str) -> Any:
    from sintra.players import player

    return player(text)


@lru_cache(maxsize=4)
def _adviser(sims: int) -> Any:
    from sintra.players.hints import Adviser

    return Adviser(sims)


@cache
def _foresight() -> Any:
    from sintra.players.thinking.prospects import Foresight

    return Foresight()


def think(kind: Kind, player: str, seed: int, data: bytes, clock: Clock | None = None) -> Any:
    """Runs a job: `choose` gives a token, within the time on the `clock`, `advise` an `Advised`, `explain` one with
    reasons, `analyse` more moves and what follows each; the others make compiled code ready."""
    if kind in _WARMING:
        with contextlib.nullcontext() if kind == "reasons" else counting():
            return _WARMING[kind]()
    view = View.from_bytes(data)
    if kind == "choose":
        chosen = _player(player)
        chosen.new_game(seed)
        return str(chosen.choose(view, clock))
    if kind == "analyse":
        found = _adviser(int(player)).evaluate(view, _MAX_ANALYSED)
        return found.exact, [(str(one.move), one.win, one.lead, list(map(str, one.follow))) for one in found.advice]
    found = _adviser(int(player)).evaluate(view)
    reasons = _reasons(view, found) if kind == "explain" else ()
    return found.exact, [(str(one.move), one.win, one.lead) for one in found.advice], reasons


def _reasons(view: View, found: Any) -> tuple[Reason, ...]:
    """Why the first move that is advised is better than the second, if there is one."""
    from sintra.review.reasons import reasons_for

    if len(found.advice) < 2:
        return ()
    first, second = found.advice[0].move, found.advice[1].move
    return reasons_for(view, first, second, _foresight())


def _work(*job: Any) -> Any:
    """Runs a job in a worker, at its priority."""
    use_non_blocking_output()
    if job[0] in ("choose", "advise", "explain"):
        let_others_go_first(_NICENESS)
    elif job[0] == "analyse":
        let_others_go_first(LOWEST)
    return think(*job)


# --- in the service -----------------------------------------------------------------------------


def _bytes_of(view: View) -> bytes:
    """The bytes of a view for a worker; raises if the game ended early, which the bytes do not say."""
    if view.ended_early:
        require_turn(view)
    return view.to_bytes()


class _Thinker(WorkerProcess):
    """A worker that thinks."""

    def __init__(self) -> None:
        super().__init__("the table is closed")

    def think(self, job: tuple[Any, ...]) -> Any:
        """Runs a job; if the worker dies, another one repeats it."""
        for _ in range(ATTEMPTS):
            if self.closed:
                break
            try:
                return self.do(_work, *job)
            except WorkerLostError:
                self.end_process(5.0)
            except Exception as error:
                raise ThinkingError(f"{type(error).__name__} while a computer was thinking") from error
        raise ThinkingError("workers die while thinking")

    def think_last(self, job: tuple[Any, ...]) -> Any:
        """Runs a last job and ends the worker."""
        try:
            return self.think(job)
        finally:
            self.kill()
            self.join()


def default_size() -> int:
    """The default number of workers: one for each processor but one."""
    return max(1, (os.cpu_count() or 2) - 1)


class Thinkers:
    """A pool of workers behind one queue, and optionally a cluster, which runs the jobs while it can be reached.
    Analyses have a worker of their own with the lowest priority, so that no game waits for one."""

    def __init__(self, workers: int | None = None, remote: RemoteThinkers | None = None) -> None:
        """`workers` is by default `default_size()`: one processor is left to the service."""
        self.size = workers or default_size()
        self._free = [_Thinker() for _ in range(self.size)]
        self._all = tuple(self._free)
        self._compilers = (_Thinker(), _Thinker())
        self._analyst = _Thinker()
        self._analysing = asyncio.Lock()
        self._threads = ThreadPoolExecutor(self.size + len(self._compilers) + 1, "thinker")
        self._queue = ThoughtQueue(self.size, self._think_here)
        self.remote = remote
        """The cluster, if there is one."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._compiling: dict[Part, asyncio.Task[None]] = {}
        self.done = 0
        """How many thoughts were answered."""
        self.seconds = 0.0
        """How long they took in all."""

    @property
    def waiting(self) -> int:
        """How many thoughts wait for a worker."""
        return self._queue.waiting

    @property
    def busy(self) -> int:
        """How many workers are busy."""
        return self._queue.busy

    async def choose(self, opponent: Opponent, seed: int, view: View, clock: Clock | None = None) -> str:
        """The move that an opponent makes, as a token; with little time on its clock it thinks less, and goes first."""
        job = ("choose", opponent.player, seed, _bytes_of(view), clock)
        await self.until("players")
        return str(await self._ask(job, opponent.seconds * (clock.share if clock else 1.0)))

    async def advise(self, view: View, sims: int = HINT_SIMS) -> Advised:
        """Advice for the seat to move; without reasons as long as what finds them is being compiled."""
        compiling = self._compiling.get("reasons")
        kind: Kind = "explain" if compiling is None or compiling.done() else "advise"
        job = (kind, str(sims), 0, _bytes_of(view))
        await self.until("players")
        answer: Advised = await self._ask(job, sims / SIMS_PER_SECOND)
        return answer

    async def analyse(self, view: View, sims: int) -> Analysis:
        """The best moves of the seat to move."""
        job = ("analyse", str(sims), 0, _bytes_of(view))
        await self.until("players")
        task = asyncio.create_task(self._analyse(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _analyse(self, job: tuple[Any, ...]) -> Analysis:
        """Runs analyses one after the other, each to its end, even if its asker has left."""
        async with self._analysing:
            answer: Analysis = await asyncio.get_running_loop().run_in_executor(self._threads, self._analyst.think, job)
        return answer

    async def compile(self) -> None:
        """Compiles everything in two workers. Returns when a new game can be shown; the workers continue with moves,
        forecasts and players, for which `choose` waits."""
        first, second = self._compilers
        forget_count()
        await asyncio.gather(self._compile(first, "choices"), self._compile(second, "views"))
        self._compiling = {
            "players": asyncio.create_task(self._compile(second, "players", is_last=True)),
            "moves": asyncio.create_task(self._compile(first, "moves")),
            "forecasts": asyncio.create_task(self._compile_after("moves", first, "forecasts")),
            "reasons": asyncio.create_task(self._compile_after("forecasts", first, "reasons", is_last=True)),
        }

    async def _compile_after(self, earlier: Part, worker: _Thinker, part: Part, is_last: bool = False) -> None:
        await self.until(earlier)
        await self._compile(worker, part, is_last)

    async def _compile(self, worker: _Thinker, part: Part, is_last: bool = False) -> None:
        """Compiles a part in a worker; if that fails, it is compiled where it is first needed."""
        do = worker.think_last if is_last else worker.think
        with contextlib.suppress(ThinkingError):
            await asyncio.get_running_loop().run_in_executor(self._threads, do, (part, "", 0, b""))

    async def until(self, part: Part) -> None:
        """Waits for a part that is being compiled: moves, forecasts, players."""
        if part in self._compiling:
            await asyncio.wait((self._compiling[part],))

    async def warm(self) -> None:
        """Starts all workers and loads their players; the first may have to compile them."""
        await self.until("players")
        if self.remote is not None:
            self.remote.start()
        job = ("players", "", 0, b"")
        await self._queue.ask(job, 0.0)
        await asyncio.gather(*(self._queue.ask(job, 0.0) for _ in self._all))

    async def _ask(self, job: tuple[Any, ...], seconds: float) -> Any:
        """Runs a job when its turn comes: in the cluster, or in a worker while that cannot be reached."""
        if self.remote is not None:
            begun = time.monotonic()
            try:
                answer = await self.remote.think(pickle_job(think, *job), seconds)
            except AwayError:
                pass
            else:
                self._count(begun)
                return answer
        return await self._queue.ask(job, seconds)

    async def _think_here(self, job: tuple[Any, ...]) -> Any:
        worker = self._free.pop()
        begun = time.monotonic()
        try:
            if worker.closed:
                raise ThinkingError("the table is closed")
            answer = await asyncio.get_running_loop().run_in_executor(self._threads, worker.think, job)
        finally:
            self._free.append(worker)
        self._count(begun)
        return answer

    def _count(self, begun: float) -> None:
        self.done += 1
        self.seconds += time.monotonic() - begun

    def close(self) -> None:
        """Ends all workers at once."""
        if self.remote is not None:
            self.remote.close()
        everyone = (*self._all, *self._compilers, self._analyst)
        for worker in everyone:
            worker.kill()
        for worker in everyone:
            worker.join()
        self._queue.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
