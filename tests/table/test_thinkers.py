"""Thinkers: workers that see views only, die and are replaced, and do not let short jobs wait for long ones."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from sintra import Game, View, player
from sintra.players.base import Clock
from sintra.players.levels import LEVELS
from sintra.table.base.opponents import OPPONENTS
from sintra.table.workers.queueing import LONG_JOB_S, BusyError, JobQueue, ThinkingError
from sintra.table.workers.thinkers import Thinkers, advise, choose_move
from sintra.table.workers.thinkers import _player as thinkers_player


def run(work: Callable[[Thinkers], Coroutine[Any, Any, None]], workers: int = 1) -> None:
    """Does something with a pool, and ends it."""

    async def whole() -> None:
        thinkers = Thinkers(workers)
        try:
            await work(thinkers)
        finally:
            thinkers.close()

    asyncio.run(whole())


LEVEL = {number: OPPONENTS[f"level:n={number}"] for number in range(1, 12)}


def a_view() -> View:
    game = Game.new(seed=3)
    return game.view(game.turn)


def test_the_move_is_the_players_and_depends_on_view_and_seed_only() -> None:
    view = a_view()

    async def work(thinkers: Thinkers) -> None:
        for level in (1, 3):
            one = player(f"level:n={level}")
            one.new_game(17)
            assert await thinkers.choose(LEVEL[level], 17, view) == str(one.choose(view))
        assert await thinkers.advise(view, 16) == advise(16, view.to_bytes(), with_reasons=True)

    run(work)


def test_a_computer_with_little_time_thinks_less() -> None:
    """The clock comes with the job as far as the search, also through a worker's pipe."""
    view, short = a_view(), Clock(1.0)
    one = player("level:n=9")
    one.new_game(17)
    hurried = str(one.choose(view, short))

    async def work(thinkers: Thinkers) -> None:
        assert await thinkers.choose(LEVEL[9], 17, view, short) == hurried

    run(work)
    assert choose_move("level:n=9", 17, view.to_bytes(), short) == hurried
    trees = thinkers_player("level:n=9")._strong.searcher.trees
    assert trees[0].head["simulations"][0] == LEVELS[8].sims * short.share


def halt(thinkers: Thinkers) -> int:
    """The process of the only worker, in a sleep from which it does not wake by itself."""
    process = thinkers._all[0]._process
    assert process
    os.kill(process.pid, signal.SIGSTOP)
    return process.pid


def test_a_killed_worker_is_replaced_and_its_job_done_again() -> None:
    view = a_view()

    async def work(thinkers: Thinkers) -> None:
        first = await thinkers.choose(LEVEL[1], 5, view)
        pid = halt(thinkers)
        job = asyncio.create_task(thinkers.choose(LEVEL[1], 5, view))
        while thinkers._free:
            await asyncio.sleep(0)
        os.kill(pid, signal.SIGKILL)
        assert await job == first
        successor = thinkers._all[0]._process
        assert successor
        assert successor.pid != pid

    run(work)


def test_a_job_that_cannot_be_done_is_an_error_of_its_own() -> None:
    game = Game.new(seed=3)
    wrong = game.view(1 - game.turn)

    async def work(thinkers: Thinkers) -> None:
        with pytest.raises(ThinkingError, match="while a computer was thinking"):
            await thinkers.advise(wrong, 8)
        assert await thinkers.choose(LEVEL[1], 5, a_view())

    run(work)


def test_short_jobs_overtake_long_ones() -> None:
    view = a_view()
    done: list[int] = []

    async def work(thinkers: Thinkers) -> None:
        await thinkers.choose(LEVEL[1], 0, view)

        async def one(level: int) -> None:
            await thinkers.choose(LEVEL[level], 1, view)
            done.append(level)

        jobs = [asyncio.create_task(one(level)) for level in (10, 10, 10, 1, 2)]
        await asyncio.gather(*jobs)

    run(work)
    assert done[1:3] in ([1, 2], [2, 1])


def test_the_loop_is_free_while_a_computer_thinks() -> None:
    async def work(thinkers: Thinkers) -> None:
        await thinkers.choose(LEVEL[1], 0, a_view())
        pid = halt(thinkers)
        job = asyncio.create_task(thinkers.choose(LEVEL[1], 0, a_view()))
        for _ in range(100):
            await asyncio.sleep(0)
        assert not job.done()
        os.kill(pid, signal.SIGCONT)
        assert await job

    run(work)


def test_stronger_levels_are_expected_to_take_longer() -> None:
    assert LEVEL[11].seconds > LEVEL[10].seconds > LEVEL[8].seconds
    budget = {level.number: level.sims for level in LEVELS}
    assert LEVEL[10].seconds / LEVEL[9].seconds == pytest.approx(budget[10] / budget[9])
    assert LEVEL[11].seconds == 1, "the champion's second"


def test_only_the_strongest_level_is_kept_from_the_last_worker() -> None:
    assert [number for number, level in LEVEL.items() if level.seconds > LONG_JOB_S] == [11]


def test_all_workers_are_warmed() -> None:
    async def work(thinkers: Thinkers) -> None:
        await thinkers.warm()
        assert all(worker._process is not None and worker._process.is_alive() for worker in thinkers._all)

    run(work, workers=3)


def test_all_processes_are_killed_before_any_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    thinkers = Thinkers(3)
    for worker in thinkers._all + thinkers._compilers:
        monkeypatch.setattr(worker, "close", lambda: done.append("close"))
        monkeypatch.setattr(worker, "join", lambda: done.append("join"))
    thinkers.close()
    assert done == ["close"] * 5 + ["join"] * 5


def test_a_pool_closed_at_any_moment_ends() -> None:
    async def work(thinkers: Thinkers) -> None:
        for turns in range(30):
            pool = Thinkers(1)
            job = asyncio.create_task(pool.choose(LEVEL[1], 0, a_view()))
            await asyncio.sleep(0.002 * turns)
            pool.close()
            with contextlib.suppress(ThinkingError, asyncio.CancelledError):
                await job
            assert pool._all[0]._process is None or not pool._all[0]._process.is_alive()

    run(work)


def test_a_pool_closed_while_it_compiles_leaves_no_failed_task() -> None:
    async def close_early() -> None:
        thinkers = Thinkers(1)
        await thinkers.compile()
        thinkers.close()
        await asyncio.gather(*thinkers._compiling.values())

    asyncio.run(close_early())


def test_a_full_queue_refuses_and_is_told_from_a_failure() -> None:
    async def work(thinkers: Thinkers) -> None:
        thinkers._queue = JobQueue(1, thinkers._think_here, most=1)
        await thinkers.choose(LEVEL[1], 0, a_view())
        pid = halt(thinkers)
        first, second = (asyncio.create_task(thinkers.choose(LEVEL[1], seed, a_view())) for seed in (0, 1))
        while not (thinkers.busy and thinkers.waiting):
            await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await thinkers.advise(a_view(), 16)
        os.kill(pid, signal.SIGCONT)
        assert await first
        assert await second
        assert await thinkers.advise(a_view(), 16)

    run(work)
