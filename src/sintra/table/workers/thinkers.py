"""The worker processes in which computers think: they get views and return moves.

A job is a function and its arguments: a player, a seed, the bytes of a view. Nothing else of a game is sent to
a worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from sintra.game.game import View
from sintra.players.base import Clock, require_turn
from sintra.processes.worker import WorkerLostError, pickle_job
from sintra.table.base.opponents import SIMS_PER_SECOND, Opponent
from sintra.table.workers import warm_up
from sintra.table.workers.queueing import JobQueue, ThinkingError
from sintra.table.workers.remote_thinkers import ClusterUnavailableError, RemoteThinkers
from sintra.table.workers.restarting_worker import (
    BACKGROUND_NICENESS,
    RestartingWorker,
    lower_priority,
    use_non_blocking_output,
)
from sintra.tabletop.moves import Move

if TYPE_CHECKING:
    from sintra.review.forms import Sentence
    from sintra.review.reasons import Reason

WarmUpPart = Literal["choices", "views", "moves", "forecasts", "players", "reasons"]
"""A part of the code that is compiled in one go, by a function of `warm_up`."""
HINT_SIMS: Final = 1500
"""The simulations of a hint during a game."""
_JUDGING_SIMS: Final = 20_000
"""About how many simulations it takes to judge a move."""
ATTEMPTS: Final = 3
"""How often a job is tried whose worker dies."""
_GAME_NICENESS: Final = 5
"""The niceness of workers that think for games: the service goes first."""
_LOOK_SIMS: Final = 2000
"""The simulations of the look that moves of an analysis get which seem as good as its first."""
_MAX_ANALYSED: Final = 5
"""How many of the best moves an analysis tells."""
_WARM_UP: Final[dict[WarmUpPart, Callable[[], None]]] = {
    "choices": warm_up.warm_choices,
    "views": warm_up.warm_views,
    "moves": warm_up.warm_moves,
    "players": warm_up.warm_players,
    "forecasts": warm_up.warm_forecasts,
    "reasons": warm_up.warm_reasons,
}


class Advised(NamedTuple):
    """Advice for a player."""

    exact: bool
    """Whether the chances were calculated to the end of the game."""
    moves: list[tuple[str, float, float, tuple[Sentence, ...]]]
    """The best moves with their chance to win, their lead, and what speaks for each; the very best first."""
    about_equal: int
    """How many leading moves are about equal; 0 if the first is better."""
    reasons: tuple[Reason, ...]
    """Why the first move is better than the second."""


class Analysis(NamedTuple):
    """The analysis of a position."""

    exact: bool
    """Whether the chances were calculated to the end of the game."""
    moves: list[tuple[str, float, float, list[str]]]
    """The best moves with their chance to win, their lead, and the moves that are expected to follow."""


class MoveCost(NamedTuple):
    """What a move costs, as a review would find it."""

    cost: float
    """The share of a win that it gives away."""
    chance: float
    """The chance to win with the best move."""


class ThinkingJob(NamedTuple):
    """A call of one of the functions below that runs in a worker or in the cluster."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]


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

    return Foresight(_LOOK_SIMS)


@lru_cache(maxsize=2)
def _coach(sims: int) -> Any:
    from sintra.review.coaching import Coach

    return Coach(sims)


@cache
def _reviewer() -> Any:
    from sintra.review.judging import ReviewBudget
    from sintra.review.reviewing import Reviewer

    return Reviewer(ReviewBudget())


def choose_move(player: str, seed: int, view_bytes: bytes, clock: Clock | None = None) -> str:
    """The move of a player, as a token; with a clock it thinks no longer than that allows."""
    chosen = _player(player)
    chosen.new_game(seed)
    return str(chosen.choose(View.from_bytes(view_bytes), clock))


def advise(sims: int, view_bytes: bytes, with_reasons: bool) -> Advised:
    """The best moves by a search of so many simulations, with looks at each of them that say why, if that is wanted."""
    view = View.from_bytes(view_bytes)
    if not with_reasons:
        plain = _adviser(sims).evaluate(view)
        return Advised(plain.exact, [(str(one.move), one.win, one.lead, ()) for one in plain.advice], 0, ())
    found = _coach(sims).advise(view)
    moves = [(str(one.move), one.win, one.lead, one.why) for one in found.moves]
    return Advised(found.exact, moves, found.about_equal, found.reasons)


def explain(view_bytes: bytes, token: str, others: tuple[str, ...]) -> tuple[Sentence, ...]:
    """Why a move is better than others, in sentences."""
    from sintra.review.forms import SMALL

    why = _coach(HINT_SIMS).why(View.from_bytes(view_bytes), Move.parse(token), list(map(Move.parse, others)))
    return why or (SMALL,)


def analyse(sims: int, view_bytes: bytes) -> Analysis:
    """More of the best moves, and what is expected to follow each."""
    from sintra.review.looks import held_together

    view = View.from_bytes(view_bytes)
    found = _adviser(sims).evaluate(view, _MAX_ANALYSED)
    moves = [
        (str(one.move), one.win, one.lead, list(map(str, one.follow)))
        for one in held_together(view, found, _foresight())
    ]
    return Analysis(found.exact, moves)


def judge_move(view_bytes: bytes, token: str) -> MoveCost:
    """What a move costs by the budget of a review. What the view leaves unknown does not matter: a review judges a move
    by what its player could know."""
    before = View.from_bytes(view_bytes).sample(0)
    reviewer = _reviewer()
    return MoveCost(reviewer.cost(before, Move.parse(token)), reviewer.judge.evaluate(before).best.win)


def compile_part(part: WarmUpPart) -> None:
    """Loads a part of the compiled code, or compiles it."""
    # reasons do not count: nobody waits for them, so the progress that is shown is complete without
    with contextlib.nullcontext() if part == "reasons" else warm_up.count_compiled():
        _WARM_UP[part]()


_NICENESS: Final[dict[Callable[..., Any], int]] = {
    choose_move: _GAME_NICENESS,
    advise: _GAME_NICENESS,
    judge_move: _GAME_NICENESS,
    explain: _GAME_NICENESS,
    analyse: BACKGROUND_NICENESS,
}
"""The niceness of workers by what they do; compiling is not delayed, since somebody waits for it."""


def _run_here(function: Callable[..., Any], *arguments: Any) -> Any:
    """Runs a job in a worker of this machine, where it must not slow down the service: its output does not block, and
    its priority is lowered. In the cluster the function is called as it is."""
    use_non_blocking_output()
    if function in _NICENESS:
        lower_priority(_NICENESS[function])
    return function(*arguments)


# --- in the service -----------------------------------------------------------------------------


def _bytes_of(view: View) -> bytes:
    """The bytes of a view for a worker; raises if the game ended early, which the bytes do not say."""
    if view.ended_early:
        require_turn(view)
    return view.to_bytes()


class _Thinker(RestartingWorker):
    """A worker that thinks."""

    def __init__(self) -> None:
        super().__init__("the table is closed")

    def think(self, job: ThinkingJob) -> Any:
        """Runs a job; if the worker dies, another one repeats it."""
        for _ in range(ATTEMPTS):
            if self.closed:
                break
            try:
                return self.do(_run_here, job.function, *job.arguments)
            except WorkerLostError:
                self.stop(5.0)
            except Exception as error:
                raise ThinkingError(f"{type(error).__name__} while a computer was thinking") from error
        raise ThinkingError("workers die while thinking")

    def think_last(self, job: ThinkingJob) -> Any:
        """Runs a last job and ends the worker."""
        try:
            return self.think(job)
        finally:
            self.close()
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
        self._free = [self._new_worker() for _ in range(self.size)]
        self._all = tuple(self._free)
        self._compilers = (_Thinker(), _Thinker())
        self._analyst = self._new_worker()
        self._analysing = asyncio.Lock()
        self._threads = ThreadPoolExecutor(self.size + len(self._compilers) + 1, "thinker")
        self._queue = JobQueue(self.size, self._think_here)
        self.remote = remote
        """The cluster, if there is one."""
        self._tasks: set[asyncio.Task[Any]] = set()
        self._compiling: dict[WarmUpPart, asyncio.Task[None]] = {}
        self.done = 0
        """How many jobs were done."""
        self.seconds = 0.0
        """How long they took in all."""

    def _new_worker(self) -> _Thinker:
        """A worker that thinks, started with its first job."""
        return _Thinker()

    async def _run(self, worker: _Thinker, job: ThinkingJob) -> Any:
        """Runs a job in a worker that is free."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, worker.think, job)

    @property
    def waiting(self) -> int:
        """How many jobs wait for a worker."""
        return self._queue.waiting

    @property
    def busy(self) -> int:
        """How many workers are busy."""
        return self._queue.busy

    async def choose(self, opponent: Opponent, seed: int, view: View, clock: Clock | None = None) -> str:
        """The move that an opponent makes, as a token; with little time on its clock it thinks less, and goes first."""
        job = ThinkingJob(choose_move, (opponent.player, seed, _bytes_of(view), clock))
        await self.wait_compiled("players")
        return str(await self._ask(job, opponent.seconds * (clock.share if clock else 1.0)))

    async def advise(self, view: View, sims: int = HINT_SIMS) -> Advised:
        """Advice for the seat to move; without reasons as long as what finds them is being compiled."""
        compiling = self._compiling.get("reasons")
        with_reasons = compiling is None or compiling.done()
        job = ThinkingJob(advise, (sims, _bytes_of(view), with_reasons))
        await self.wait_compiled("players")
        answer: Advised = await self._ask(job, sims / SIMS_PER_SECOND)
        return answer

    async def judge(self, view: View, token: str) -> MoveCost:
        """What a legal move of the seat to move costs."""
        job = ThinkingJob(judge_move, (_bytes_of(view), token))
        await self.wait_compiled("players")
        answer: MoveCost = await self._ask(job, _JUDGING_SIMS / SIMS_PER_SECOND)
        return answer

    async def explain(self, view: View, token: str, others: Sequence[str]) -> tuple[Sentence, ...]:
        """Why a move is better than others; nothing as long as what finds it is being compiled."""
        compiling = self._compiling.get("reasons")
        if compiling is not None and not compiling.done():
            return ()
        job = ThinkingJob(explain, (_bytes_of(view), token, tuple(others)))
        answer: tuple[Sentence, ...] = await self._ask(job, HINT_SIMS / SIMS_PER_SECOND)
        return answer

    async def analyse(self, view: View, sims: int) -> Analysis:
        """The best moves of the seat to move."""
        job = ThinkingJob(analyse, (sims, _bytes_of(view)))
        await self.wait_compiled("players")
        task = asyncio.create_task(self._analyse(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _analyse(self, job: ThinkingJob) -> Analysis:
        """Runs analyses one after the other, each to its end, even if the client has left."""
        async with self._analysing:
            answer: Analysis = await self._run(self._analyst, job)
        return answer

    async def compile(self) -> None:
        """Compiles everything in two workers. Returns when a new game can be shown; the workers continue with moves,
        forecasts and players, for which `choose` waits."""
        first, second = self._compilers
        if not warm_up.has_beginning():
            warm_up.forget_count()
            await asyncio.gather(self._compile(first, "choices"), self._compile(second, "views"))
        self._compiling = {
            "players": asyncio.create_task(self._compile(second, "players", is_last=True)),
            "moves": asyncio.create_task(self._compile(first, "moves")),
            "forecasts": asyncio.create_task(self._compile_after("moves", first, "forecasts")),
            "reasons": asyncio.create_task(self._compile_after("forecasts", first, "reasons", is_last=True)),
        }

    async def _compile_after(
        self, earlier: WarmUpPart, worker: _Thinker, part: WarmUpPart, is_last: bool = False
    ) -> None:
        await self.wait_compiled(earlier)
        await self._compile(worker, part, is_last)

    async def _compile(self, worker: _Thinker, part: WarmUpPart, is_last: bool = False) -> None:
        """Compiles a part in a worker; if that fails, it is compiled where it is first needed."""
        if worker.closed:
            return
        do = worker.think_last if is_last else worker.think
        with contextlib.suppress(ThinkingError):
            await asyncio.get_running_loop().run_in_executor(self._threads, do, ThinkingJob(compile_part, (part,)))

    async def wait_compiled(self, part: WarmUpPart) -> None:
        """Waits while a part is being compiled by `compile`; returns at once if it is not, or is already."""
        if part in self._compiling:
            await asyncio.wait((self._compiling[part],))

    async def warm(self) -> None:
        """Starts all workers and loads their players; the first may have to compile them."""
        await self.wait_compiled("players")
        if self.remote is not None:
            self.remote.start()
        job = ThinkingJob(compile_part, ("players",))
        await self._queue.ask(job, 0.0)
        await asyncio.gather(*(self._queue.ask(job, 0.0) for _ in self._all))

    async def _ask(self, job: ThinkingJob, seconds: float) -> Any:
        """Runs a job when its turn comes: in the cluster, or in a worker while that cannot be reached."""
        if self.remote is not None:
            begun = time.monotonic()
            try:
                answer = await self.remote.think(pickle_job(job.function, *job.arguments), seconds)
            except ClusterUnavailableError:
                pass
            else:
                self._count(begun)
                return answer
        return await self._queue.ask(job, seconds)

    async def _think_here(self, job: ThinkingJob) -> Any:
        worker = self._free.pop()  # never empty: the queue runs as many jobs at a time as there are workers
        begun = time.monotonic()
        try:
            if worker.closed:
                raise ThinkingError("the table is closed")
            answer = await self._run(worker, job)
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
            worker.close()
        for worker in everyone:
            worker.join()
        self._queue.close()
        self._threads.shutdown(wait=False, cancel_futures=True)
