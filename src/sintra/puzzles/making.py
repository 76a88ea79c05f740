"""Puzzles are made from games that levels play against each other; a file of them can be added to at any time."""

from __future__ import annotations

import random
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, islice
from pathlib import Path
from typing import Final

from sintra.components import NOTHING, SEATS
from sintra.game.game import Game, View
from sintra.game.seeds import derive
from sintra.players import Player, player
from sintra.processes.worker import WorkerPool
from sintra.puzzles.collection import read_puzzles, write_puzzles
from sintra.puzzles.grading import grade_by_levels
from sintra.puzzles.keeps import find_keep, prove_keep
from sintra.puzzles.puzzle import KINDS, Kind, Puzzle, PuzzleError
from sintra.puzzles.themes import themes_of
from sintra.puzzles.tilings import find_tiling, prove_tiling
from sintra.puzzles.wins import find_win, prove_win
from sintra.rules.state import Stage

PAIRS: Final = (
    ("level:n=8", "level:n=6"),
    ("level:n=5", "level:n=7"),
    ("level:n=7", "level:n=8"),
)
"""Who plays the games, in turns: good players who still err."""
DULL_LEVEL: Final = 2
"""A move that `greedy` makes and this level finds reliably is no puzzle."""

_FIND: Final[dict[Kind, Callable[[View, tuple[int, int]], Puzzle | None]]] = {
    "tiling": find_tiling,
    "win": find_win,
    "keep": find_keep,
}
_PROVE: Final[dict[Kind, Callable[[Puzzle], None]]] = {
    "tiling": prove_tiling,
    "win": prove_win,
    "keep": prove_keep,
}


def prove(puzzle: Puzzle) -> None:
    """Proves a puzzle again from its position; a `PuzzleError` says what does not hold."""
    _PROVE[puzzle.kind](puzzle)


@cache
def _player(name: str) -> Player:
    return player(name)


def views_of_game(seed: int, index: int) -> list[View]:
    """What whoever was to move saw in a game, decision by decision."""
    names = PAIRS[index % len(PAIRS)]
    seats = [_player(name) for name in names]
    for seat, one in enumerate(seats):
        one.new_game(derive(seed, "puzzle player", index, seat))
    game = Game.new(seed=derive(seed, "puzzle game", index))
    views = []
    while not game.is_over:
        view = game.view(game.turn)
        views.append(view)
        game.push(seats[game.turn].choose(view))
    return views


def _in_order(views: Sequence[View], kind: Kind, seed: int) -> list[View]:
    """The views in which a kind of puzzle is looked for; where the first that is found could always be from the same
    part of a game, in any order."""
    if kind == "win":
        return list(views)
    if kind == "tiling":
        views = [view for view in views if _begins_to_tile(view)]
    else:
        views = [view for view in views if view.stage is Stage.TURN]
    return random.Random(seed).sample(views, len(views))


def _begins_to_tile(view: View) -> bool:
    s = view.states[0]
    return bool(s["stage"] == Stage.TILING and s["walk"] == 0 and s["pay_line"] == NOTHING)


def make_from_game(seed: int, index: int, kinds: Sequence[Kind] = KINDS) -> list[Puzzle]:
    """The puzzles found in one game, proved and graded: of each kind at most one, and one tiling for each seat."""
    views = views_of_game(seed, index)
    found: list[Puzzle] = []
    for kind in kinds:
        seats = set(range(SEATS))
        for view in _in_order(views, kind, derive(seed, kind, index)):
            puzzle = _FIND[kind](view, (seed, index)) if view.seat in seats else None
            if puzzle and (good := _graded(puzzle)):
                found.append(good)
                seats = seats - {view.seat} if kind == "tiling" else set()
    return found


def _graded(puzzle: Puzzle) -> Puzzle | None:
    """The puzzle with its grade and themes, if it holds on another look and is not dull."""
    try:
        prove(puzzle)
    except PuzzleError:
        return None
    puzzle = replace(puzzle, themes=themes_of(puzzle))
    if puzzle.kind == "tiling":
        return puzzle
    grade = grade_by_levels(puzzle)
    if grade is None or (grade.level <= DULL_LEVEL and puzzle.explanation.natural[0] in puzzle.answer):
        return None
    return puzzle.graded(grade)


def _lines_from_game(seed: int, index: int, kinds: Sequence[Kind]) -> list[str]:
    """Makes the puzzles of a game as lines of JSON, which a worker process can send."""
    return [puzzle.dumps() for puzzle in make_from_game(seed, index, kinds)]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the making of puzzles is."""

    games: int
    """The games looked at in this run."""
    share: float
    """The share of the run that is done."""
    puzzles: int
    """The puzzles in the file."""


def make(
    out: str | Path,
    *,
    minutes: float | None = None,
    games: int | None = None,
    kinds: Sequence[Kind] = KINDS,
    seed: int = 0,
    jobs: int = 1,
    per_level: int | None = None,
    on_game: Callable[[Progress], None] | None = None,
) -> list[Puzzle]:
    """Adds puzzles to a file, from so many games or for so many minutes, and returns all that are in it. The games of
    a seed are numbered: the same call goes on after the last one that gave a puzzle of the kind. With `per_level` no
    more than that many of a kind are kept that the same level finds."""
    path = Path(out)
    puzzles = read_puzzles(path, cut_is_fine=True) if path.exists() else []
    known = {puzzle.id for puzzle in puzzles}
    found_by = Counter((puzzle.kind, puzzle.grade.level) for puzzle in puzzles)
    last = {
        kind: max((one.origin[1] for one in puzzles if one.kind == kind and one.origin[0] == seed), default=-1)
        for kind in kinds
    }
    first = min(last.values(), default=-1) + 1
    ends = time.monotonic() + 60 * minutes if minutes is not None else None
    began = time.monotonic()
    numbers = range(first, games) if games is not None else count(first)
    ahead = ((seed, k, [kind for kind in kinds if k > last[kind]]) for k in numbers)
    try:
        if path.exists():
            write_puzzles(path, puzzles)
        with path.open("a", encoding="utf-8") as file, closing(_results(ahead, jobs)) as results:
            for looked_at, lines in enumerate(results, start=1):
                for line in lines:
                    puzzle = Puzzle.loads(line)
                    level = puzzle.kind, puzzle.grade.level
                    if puzzle.id not in known and (per_level is None or found_by[level] < per_level):
                        known.add(puzzle.id)
                        found_by[level] += 1
                        puzzles.append(puzzle)
                        file.write(line + "\n")
                        file.flush()
                shares = [looked_at / (games - first)] if games is not None else []
                if ends is not None:
                    shares.append((time.monotonic() - began) / (ends - began))
                if on_game:
                    on_game(Progress(looked_at, min(1.0, max(shares, default=0.0)), len(puzzles)))
                if ends is not None and time.monotonic() >= ends:
                    break
    except OSError as error:
        raise PuzzleError(f"cannot write {path}: {error.strerror}") from None
    return puzzles


def _results(ahead: Iterator[tuple[int, int, list[Kind]]], jobs: int) -> Generator[list[str], None, None]:
    """Yields the puzzles of game after game, in their order; several games are looked at at once."""
    if jobs == 1:
        for job in ahead:
            yield _lines_from_game(*job)
        return
    with WorkerPool(jobs) as pool:
        running: deque[Future[list[str]]] = deque()
        while True:
            running += [pool.submit(_lines_from_game, *job) for job in islice(ahead, 2 * jobs - len(running))]
            if not running:
                return
            yield running.popleft().result()
