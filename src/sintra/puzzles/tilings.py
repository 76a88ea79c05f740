"""Puzzles of phase 2: tile a board for the most points of the round, in round 5 with the goals.

All ways through the walk are tried, move by move with the engine, and the exact tiler, which is other code, must find
the same best. No choice of the other seat and no chance matters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sintra.components import ROUNDS
from sintra.game.game import View
from sintra.game.legal import LegalMoves
from sintra.players import player
from sintra.players.levels import LEVELS
from sintra.players.thinking.evaluator import standard_evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.puzzles.positions import text_of, view_of
from sintra.puzzles.puzzle import Explanation, Grade, Puzzle, PuzzleError
from sintra.rules import engine
from sintra.rules.state import Source, Stage, States, copied
from sintra.tabletop.moves import Move, move_of, path_of
from sintra.tabletop.tabletop import Tabletop

MARGIN: Final = 2
"""The best tiling makes at least so many points more than any other total."""
FEWEST_BOARDS: Final = 6
"""The fewest boards that can be reached in a puzzle."""
MAX_POSITIONS: Final = 2000
"""A walk with more positions is no puzzle for people."""
EASIEST: Final = 600
"""The rating of a tiling before `PER_DOUBLING` and `PER_MISS` are added."""
PER_DOUBLING: Final = 100
"""Added to the rating for each doubling of the boards that can be reached."""
PER_MISS: Final = 150
"""Added to the rating for each of the simple players that misses the best."""
SIMPLE_PLAYERS: Final = ("greedy", "simple")


@dataclass(frozen=True, slots=True)
class Tiled:
    """A way to tile a board: the moves, the points that they make, and where these come from."""

    moves: tuple[str, ...]
    points: int
    sources: dict[str, int]


class TooManyError(PuzzleError):
    """A walk has more positions than a person could look at."""


def has_ended_tiling(states: States, view: View) -> bool:
    """Whether the seat has ended its tiling."""
    s = states[0]
    return bool(s["stage"] not in (Stage.TILING, Stage.PAYING) or s["turn"] != view.seat or s["round_no"] != view.round)


def points_by_source(states: States, view: View) -> dict[str, int]:
    """Where the points come from that a seat has made since the view, goals of round 5 included; none that are 0."""
    tallies = zip(Source, view.states.get("tally")[view.seat], states.get("tally")[view.seat], strict=True)
    gained = {source: after - before for source, before, after in tallies}
    if view.round == ROUNDS and states.get("stage") != Stage.OVER:
        gained[Source.GOALS] += sum(Tabletop(states).goal_points[view.seat])
    return {source.name.lower(): points for source, points in gained.items() if points}


@dataclass(frozen=True, slots=True)
class TiledSoFar:
    """A tiling that somebody has begun: whether it has ended, the points so far (once it has ended all of them), the
    most that can still be reached, and moves that reach it."""

    is_done: bool
    points: int
    reachable: int
    ahead: tuple[str, ...] = ()


def tiled_so_far(view: View, moves: Sequence[str]) -> TiledSoFar:
    """Makes some moves of a tiling; one that is not legal is refused."""
    states = view.states
    for token in moves:
        if has_ended_tiling(states, view):
            raise PuzzleError(f"{token} comes too late: the tiling has ended")
        move = LegalMoves(states).require(token)
        engine.play(states, 0, path_of(move, states, 0))
    if has_ended_tiling(states, view):
        points = sum(points_by_source(states, view).values())
        return TiledSoFar(True, points, points)
    booked = states.get("score")[view.seat] - view.scores[view.seat]
    best = tiled_by(_tiler_choice(_tilers()[0]), View(states, view.seat))
    return TiledSoFar(False, booked, booked + best.points, best.moves)


def tiled_by(choose: Callable[[View], Move], view: View) -> Tiled:
    """How somebody tiles the board."""
    states = view.states
    moves: list[str] = []
    while not has_ended_tiling(states, view):
        move = choose(View(copied(states), view.seat))
        engine.play(states, 0, path_of(move, states, 0))
        moves.append(str(move))
    sources = points_by_source(states, view)
    return Tiled(tuple(moves), sum(sources.values()), sources)


def all_tilings(view: View) -> list[Tiled]:
    """The best way to every board that can be reached, the most points first."""
    known: dict[bytes, dict[bytes, Tiled]] = {}

    def boards_from(states: States) -> dict[bytes, Tiled]:
        key = states.tobytes()
        if key in known:
            return known[key]
        if len(known) >= MAX_POSITIONS:
            raise TooManyError(f"this walk has more than {MAX_POSITIONS} positions")
        found: dict[bytes, Tiled] = {}
        known[key] = found
        for path in LegalMoves(states).paths:
            after = copied(states)
            engine.play(after, 0, path)
            token = str(move_of(path, states, 0))
            if has_ended_tiling(after, view):
                sources = points_by_source(after, view)
                ends = {after.part("dome")[view.seat].tobytes(): Tiled((), sum(sources.values()), sources)}
            else:
                ends = boards_from(after)
            for dome, way in ends.items():
                one = Tiled((token, *way.moves), way.points, way.sources)
                if dome not in found or _order(one) < _order(found[dome]):
                    found[dome] = one
        return found

    return sorted(boards_from(view.states).values(), key=_order)


def _order(one: Tiled) -> tuple[int, int, tuple[str, ...]]:
    """Most points first, then the fewest moves."""
    return -one.points, len(one.moves), one.moves


@cache
def _tilers() -> tuple[Tiler, Tiler]:
    """One that counts the points of the round only (in round 5 all that count), and one that looks ahead."""
    return Tiler(standard_evaluator().with_foresight(0.0)), Tiler(standard_evaluator())


def _tiler_choice(tiler: Tiler) -> Callable[[View], Move]:
    return lambda view: move_of(tiler.next_move(view.states), view.states, 0)


@cache
def _simple_player(name: str) -> Any:
    return player(name)


def find_tiling(view: View, origin: tuple[int, int]) -> Puzzle | None:
    """The puzzle that a view at the beginning of a tiling is, if it is a good one."""
    if view.stage is not Stage.TILING:
        return None
    try:
        ways = all_tilings(view)
    except TooManyError:
        return None
    if len(ways) < FEWEST_BOARDS or ways[0].points - ways[1].points < MARGIN:
        return None
    best = ways[0]
    for tiler in _tilers():
        if tiled_by(_tiler_choice(tiler), view).points != best.points:
            return None
    position = text_of(view, with_rounds_ahead=False)
    view = view_of(position, view.seat)
    greedy, simple = (tiled_by(_simple_player(name).choose, view) for name in SIMPLE_PLAYERS)
    if greedy.points == best.points and simple.points == best.points:
        return None
    natural = min(greedy, simple, key=lambda one: one.points)
    misses = sum(one.points < best.points for one in (greedy, simple))
    return Puzzle(
        kind="tiling",
        seat=view.seat,
        position=position,
        answer=best.moves,
        best=best.points,
        second=ways[1].points,
        choices=len(ways),
        others=(),
        grade=grade_of(len(ways), misses),
        explanation=Explanation(
            natural=natural.moves,
            natural_value=natural.points,
            sources=best.sources,
            natural_sources=natural.sources,
        ),
        origin=origin,
    )


def grade_of(boards: int, misses: int) -> Grade:
    """How hard a tiling is: all levels tile exactly, so it is estimated from how many boards can be reached, and how
    many of the simple players miss the best."""
    rating = round(EASIEST + PER_DOUBLING * math.log2(boards) + PER_MISS * misses)
    return Grade(rating, level_at(rating))


def level_at(rating: int) -> int:
    """The lowest level that is as strong as that."""
    return next((level.number for level in LEVELS if level.elo >= rating), len(LEVELS))


def prove_tiling(puzzle: Puzzle) -> None:
    """Tries all ways again, and asks the exact tiler."""
    view = puzzle.view
    ways = all_tilings(view)
    best, second = ways[0].points, ways[1].points if len(ways) > 1 else ways[0].points
    if (best, second) != (puzzle.best, puzzle.second):
        raise PuzzleError(f"the best tilings make {best} and {second} points, not {puzzle.best:g}, {puzzle.second:g}")
    if best - second < MARGIN:
        raise PuzzleError(f"another tiling makes {second} points, and the best one {best}")
    said = tiled_so_far(view, puzzle.answer)
    if not said.is_done or said.points != best:
        raise PuzzleError(f"the answer makes {said.points} points, not {best}")
    if tiled_by(_tiler_choice(_tilers()[0]), view).points != best:
        raise PuzzleError("the exact tiler finds another best tiling")
