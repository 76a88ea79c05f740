"""Puzzles of the draft: one move keeps the game, and every other gives a good part of a win away.

A long search says which moves are candidates, and two looks, the second longer and with other dice, must agree on
what each of them is worth: the position after it, over what chance can then show. A third look proves the puzzle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from sintra.game.game import Game, View
from sintra.game.seeds import derive
from sintra.players import player
from sintra.players.hints import Adviser
from sintra.players.search import Searcher
from sintra.players.thinking.endgame import is_within_reach
from sintra.puzzles.plans import plan_of, plans_of
from sintra.puzzles.positions import text_of, view_of
from sintra.puzzles.puzzle import Explanation, Grade, Puzzle, PuzzleError
from sintra.review.judging import Judge
from sintra.review.worlds import game_after, mean_chance, revealed_anything, sample_outcomes
from sintra.rules.state import Stage
from sintra.tabletop.moves import Draw, Move, move_of

MARGIN: Final = 0.15
"""The share of a win that every other move gives away at least, by both evaluations."""
PROVED_MARGIN: Final = 0.10
"""The share of a win that every other move gives away at least when the puzzle is proved again."""
SUSPECTED: Final = 0.11
"""The share of a win that the quick search must see at stake before a position is looked at longer."""
HOPELESS: Final = 0.3
"""The least chance to win of a position that is worth a puzzle."""
DECIDED: Final = 0.97
"""The largest chance to win of a position that is worth a puzzle."""
AS_GOOD: Final = 0.04
"""An order of the stack, or turns of the plate, that cost at most so much are right, too."""
FEWEST_PLANS: Final = 5
QUICK: Final = 300
"""The simulations of the quick search."""
SECOND: Final = 2000
"""The simulations of the second search, which must agree with the quick one."""
LONG: Final = 12_000
"""The simulations of the long search."""
WORLDS: Final = 6
"""The worlds in which the position after a move is evaluated."""
RIVALS: Final = 6
"""How many other plans are evaluated."""
WELL_KNOWN: Final = 6
"""The visits from which on the value of a plan means something."""
MAX_LINE: Final = 3
"""The moves of the line that an explanation shows at most."""
SHOWN: Final = 5
"""How many other plans a puzzle names."""


@dataclass(frozen=True, slots=True)
class LookBudget:
    """How closely, and with which dice, the positions after moves are evaluated."""

    sims: int
    """The simulations of an evaluation."""
    seed: int
    """The seed of its dice."""


LOOKS: Final = (LookBudget(1500, 1), LookBudget(4000, 2))
PROOF: Final = LookBudget(3000, 3)


@cache
def _judge(look: LookBudget) -> Judge:
    return Judge(look.sims, look.seed)


@cache
def _searcher(sims: int) -> Searcher:
    return Searcher(sims, 1)


@cache
def _adviser() -> Adviser:
    return Adviser(LOOKS[1].sims)


def chance_after(view: View, move: Move, look: LookBudget) -> float:
    """The chance to win after a move, over all that its player cannot know."""
    game = view.sample(derive(view.key, "world"))
    chance = mean_chance(_judge(look), sample_outcomes(game, move, WORLDS))
    return chance if view.seat == 0 else 1.0 - chance


def searched(view: View, sims: int) -> list[tuple[str, float, int, Move]]:
    """The plans that a search has looked at: value, visits and move, the most visited first."""
    searcher = _searcher(sims)
    searcher.run(view, derive("puzzle", view.key))
    found: dict[str, tuple[str, float, int, Move]] = {}
    for one in searcher.candidates(view.states):
        move = move_of(one.path, view.states, 0)
        plan = plan_of(move)
        if plan in found:
            _, value, visits, first = found[plan]
            visits += one.visits
            found[plan] = plan, value + (one.value - value) * one.visits / visits, visits, first
        else:
            found[plan] = plan, one.value, one.visits, move
    return sorted(found.values(), key=lambda entry: (-entry[2], entry[0]))


def _seems_critical(view: View, sims: int) -> bool:
    """Whether a search sees one plan far ahead of all that it has tried a few times."""
    (_, best, visits, _), *others = searched(view, sims)
    if not HOPELESS < best < DECIDED or visits < WELL_KNOWN:
        return False
    known = [value for _, value, tried, _ in others if tried >= WELL_KNOWN] or [value for _, value, _, _ in others[:3]]
    return bool(known) and best - max(known) >= SUSPECTED


def with_rivals(view: View) -> tuple[Move, list[Move]]:
    """The move that a long search would play, and the other moves that come into question."""
    first, *others = searched(view, LONG)
    by_value = sorted(others, key=lambda entry: -entry[1])
    chosen = [*by_value[: RIVALS // 2], *others[: RIVALS // 2], *by_value]
    return first[3], list(dict.fromkeys(entry[3] for entry in chosen))[:RIVALS]


def is_of_this_kind(view: View) -> bool:
    """Whether a view is one of a turn with enough to choose from, and not near enough to the end to be solved."""
    if view.stage is not Stage.TURN or is_within_reach(view.states):
        return False
    return len(plans_of(view.legal_moves)) >= FEWEST_PLANS


def find_keep(view: View, origin: tuple[int, int]) -> Puzzle | None:
    """The puzzle that a view of a turn is, if it is a good one; its grade is still to be found."""
    if not is_of_this_kind(view) or not all(_seems_critical(view, sims) for sims in (QUICK, SECOND)):
        return None
    position = text_of(view, with_rounds_ahead=True)
    view = view_of(position, view.seat)
    best, rivals = with_rivals(view)
    if isinstance(best, Draw) or len(rivals) < RIVALS // 2:
        return None
    values: dict[str, float] = {}
    for look in LOOKS:
        values[str(best)] = chance_after(view, best, look)
        if not HOPELESS < values[str(best)] < DECIDED:
            return None
        for move in rivals:
            values[str(move)] = chance_after(view, move, look)
            if values[str(best)] - values[str(move)] < MARGIN:
                return None
    natural = player("greedy").choose(view)
    answer = _alike(view, best, values[str(best)])
    if str(natural) not in values:
        values[str(natural)] = chance_after(view, natural, LOOKS[1])
    others = sorted(
        ((plan_of(move), round(values[str(move)], 3)) for move in rivals), key=lambda one: (-one[1], one[0])
    )
    is_right = str(natural) in answer
    if not is_right and values[str(natural)] > values[str(best)] - MARGIN:
        return None
    return Puzzle(
        kind="keep",
        seat=view.seat,
        position=position,
        answer=answer,
        best=round(values[str(best)], 3),
        second=others[0][1],
        choices=len(plans_of(view.legal_moves)),
        others=tuple(others[:SHOWN]),
        grade=Grade(0, 1),
        explanation=Explanation(
            line=expected_line(view, best),
            natural=(str(natural),),
            natural_value=round(values[str(natural)], 3),
            refutation=() if is_right else expected_line(view, natural),
        ),
        origin=origin,
    )


def _margin(values: dict[str, float], best: Move, rivals: Sequence[Move]) -> float:
    return values[str(best)] - max(values[str(move)] for move in rivals)


def _alike(view: View, best: Move, value: float) -> tuple[str, ...]:
    """The move, and those of its plan that are as good."""
    alike = [move for move in plans_of(view.legal_moves)[plan_of(best)] if move != best]
    good = [move for move in alike if chance_after(view, move, LOOKS[1]) >= value - AS_GOOD]
    return (str(best), *map(str, good))


def expected_line(view: View, move: Move) -> tuple[str, ...]:
    """What is expected to follow a move, until chance is asked."""
    game = view.sample(derive(view.key, "line"))
    line: list[str] = []
    while len(line) < MAX_LINE:
        found = _next(game, move)
        if found is None or found.stage is not Stage.TURN:
            break
        game = found
        move = _adviser().evaluate(game.view(game.turn)).best.move
        line.append(str(move))
    return tuple(line)


def _next(game: Game, move: Move) -> Game | None:
    """The game after a move; None if the move has shown its player something that could have been different."""
    made = game_after(game, move)
    return None if revealed_anything(game, made, sample_outcomes(game, move, 2)) else made


def prove_keep(puzzle: Puzzle) -> None:
    """Looks at the answer and its rivals with other dice than those that found them."""
    view = puzzle.view
    if not is_of_this_kind(view):
        raise PuzzleError("this is no turn with enough to choose from")
    best = view.legal_moves.require(puzzle.answer[0])
    rivals = [plans_of(view.legal_moves).get(plan) for plan, _ in puzzle.others]
    moves = [move for found in rivals if found for move in found[:1]]
    if len(moves) < len(puzzle.others) or not moves:
        raise PuzzleError("another move that it names is not legal")
    values = {str(move): chance_after(view, move, PROOF) for move in (best, *moves)}
    margin = _margin(values, best, moves)
    if margin < PROVED_MARGIN:
        raise PuzzleError(f"another move gives away {100 * margin:.0f} % of a win, not {100 * PROVED_MARGIN:.0f} %")
