"""Puzzles at the table: the list and the one of the day, questions, and what becomes of tries.

Nothing of it is kept here: whoever solves puzzles keeps their own list.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Final

from sintra.errors import SintraError
from sintra.game.game import Game, View
from sintra.puzzles import Judgement, Puzzle, judge, load, of_the_day
from sintra.puzzles.plans import plan_of
from sintra.review.forms import Sentence
from sintra.table.base.scheduler import Scheduler
from sintra.table.games.refusals import RefusalError
from sintra.table.service.studies import Studies
from sintra.table.shown.messages import AskTry, Explained, LineMove, PuzzleHint, PuzzleList, PuzzleShown, TryShown
from sintra.table.shown.puzzle import about, brief_of_puzzle, explaining, question_of, rivals_of, the_move
from sintra.table.shown.study import line_told
from sintra.table.workers.queueing import BusyError, ThinkingError
from sintra.table.workers.thinkers import Thinkers
from sintra.tabletop.moves import Move

_SIMS: Final = 500
"""Simulations of the analysis of a wrong move that the puzzle does not explain itself."""
_LOST: Final = -1.0
"""The most that a move leads to that does not win."""


class Puzzles:
    """Questions for whoever asks, and answers to what they try."""

    def __init__(self, studies: Studies, thinkers: Thinkers, scheduler: Scheduler) -> None:
        self._studies = studies
        self._thinkers = thinkers
        self._scheduler = scheduler
        self._known: dict[str, Puzzle] = {}
        self._why: dict[str, tuple[Sentence, ...]] = {}
        self._judging = asyncio.Lock()

    async def shown(self, day: str | None) -> PuzzleList:
        """All puzzles, and the one of a day: today's, if none is named."""
        try:
            asked = datetime.now(UTC).date() if day is None else date.fromisoformat(day)
        except ValueError:
            raise RefusalError(400, "malformed", "day is a date, YYYY-MM-DD.") from None
        known = await self._all()
        chosen = of_the_day(asked, known.values())
        return PuzzleList(asked.isoformat(), chosen.id, [brief_of_puzzle(one) for one in known.values()])

    async def question(self, name: str) -> PuzzleShown:
        """A puzzle as a question, without its answer."""
        return question_of(await self._puzzle(name))

    async def attempt(self, name: str, asked: AskTry, asker: str | None = None) -> TryShown:
        """Judges the moves of a try, and adds the help that is asked for."""
        puzzle = await self._puzzle(name)
        await self._thinkers.wait_compiled("players")
        try:
            async with self._judging:
                found = await asyncio.to_thread(judge, puzzle, asked.moves)
        except SintraError as error:
            raise RefusalError(422, "bad_move", str(error), faults=error.faults) from None
        wants_all = asked.help == "solution"
        explained = await self._explained(puzzle) if wants_all or found.outcome == "right" else None
        tried = _as_told(puzzle, asked, found)
        return TryShown(
            tried.outcome,
            tried.value,
            tried.reachable,
            None if tried.outcome == "unfinished" else puzzle.best,
            tried.outcome == "wrong" and found.value is None,
            tried.outcome == "wrong" and puzzle.kind != "tiling" and _is_near(puzzle, asked.moves[0]),
            the_move(puzzle.view, asked.moves[0]) if puzzle.kind != "tiling" and asked.moves else None,
            await self._refuting(puzzle, asked.moves[0], asker) if _is_refuted(puzzle, found) else [],
            self._hint(puzzle, asked, found),
            explained,
        )

    async def _explained(self, puzzle: Puzzle) -> Explained:
        """The solution with its explanation; without sentences while the computers have too much to do."""
        why = self._why.get(puzzle.id)
        if why is None:
            rivals = rivals_of(puzzle)
            try:
                why = await self._thinkers.explain(puzzle.view, puzzle.answer[0], rivals) if rivals else ()
            except (BusyError, ThinkingError):
                why = ()
            if why:
                self._why[puzzle.id] = why
        return await self._scheduler.run(explaining(puzzle, why))

    @staticmethod
    def _hint(puzzle: Puzzle, asked: AskTry, found: Judgement) -> PuzzleHint | None:
        """The next right move, or what it is about; none where there is no such move."""
        if asked.help not in ("piece", "move") or found.outcome != "unfinished":
            return None
        if puzzle.kind != "tiling":
            view, token = puzzle.view, puzzle.answer[0]
        elif (found.reachable or 0) < puzzle.best or not found.ahead:
            return None
        else:
            view, token = _after(puzzle, asked.moves), found.ahead[0]
        return about(view, token) if asked.help == "piece" else the_move(view, token)

    async def _refuting(self, puzzle: Puzzle, token: str, asker: str | None) -> list[LineMove]:
        """What follows a wrong move: what the puzzle says of it, or what the computer would play."""
        told = puzzle.explanation
        table = puzzle.view.sample(0)
        table.push(token)
        follow = list(told.refutation) if told.natural == (token,) else []
        if not follow and not table.is_over:
            follow = await self._best_line(table, asker)
        return await self._scheduler.run(line_told(table, puzzle.seat, follow))

    async def _best_line(self, table: Game, asker: str | None) -> list[str]:
        """What the computer would play; nothing while too many jobs wait."""
        try:
            _, found = await self._studies.analysed(table.view(table.turn), _SIMS, asker)
        except RefusalError:
            return []
        return [found[0][0], *found[0][3]] if found else []

    async def _puzzle(self, name: str) -> Puzzle:
        """A puzzle by its name, its position read."""
        puzzle = (await self._all()).get(name)
        if puzzle is None:
            raise RefusalError(404, "no_puzzle", "There is no puzzle of this name.")
        if "view" not in vars(puzzle):
            await asyncio.to_thread(lambda: puzzle.view)
        return puzzle

    async def _all(self) -> dict[str, Puzzle]:
        if not self._known:
            self._known = {one.id: one for one in await asyncio.to_thread(load)}
        return self._known


def _as_told(puzzle: Puzzle, asked: AskTry, found: Judgement) -> Judgement:
    """The judgement as the solver is told it: a tiling that can no longer reach the most points is wrong, and a wrong
    move that was not analysed is worth no more than the next best."""
    if puzzle.kind == "tiling":
        is_short = found.outcome == "unfinished" and (found.reachable or 0) < puzzle.best
        return replace(found, outcome="wrong") if is_short else found
    if found.outcome == "wrong" and found.value is None:
        return replace(found, value=_most_of(puzzle, asked.moves[0]))
    return found


def _is_refuted(puzzle: Puzzle, found: Judgement) -> bool:
    return puzzle.kind != "tiling" and found.outcome == "wrong"


def _is_near(puzzle: Puzzle, token: str) -> bool:
    """Whether a wrong move differs from the answer in a stack's order or a plate's turns only."""
    return plan_of(Move.parse(token)) in {plan_of(Move.parse(one)) for one in puzzle.answer}


def _most_of(puzzle: Puzzle, token: str) -> float | None:
    """What a wrong move can be worth at most, if anything is known: no more than the best of all others, or, if it is
    near the answer, that it does not win."""
    if not _is_near(puzzle, token):
        return puzzle.second
    return _LOST if puzzle.kind == "win" else None


def _after(puzzle: Puzzle, moves: list[str]) -> View:
    """The solver's view after some moves of a tiling."""
    table = puzzle.view.sample(0)
    for token in moves:
        table.push(token)
    return table.view(puzzle.seat)


def warm_puzzles() -> None:
    """Loads or compiles what judges tries."""
    judge(next(one for one in load() if one.kind == "tiling"), [])
