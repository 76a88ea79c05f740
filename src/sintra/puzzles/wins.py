"""Puzzles of round 5: of all moves one wins against best play, whatever chips come, and all others lose.

Each move is searched to the end of the game twice where chips lie face down: as if they came as it suits the other
seat best, and the solver's own. The answer must win in the first case, and no other move may win in the second.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from sintra.components import CHIP_COPIES, CHIP_COUNT, CHIP_FACES, NOTHING, ROUNDS, SMALL_FACTORIES
from sintra.game.game import View
from sintra.players import player
from sintra.players.thinking.endgame import FOR_SEAT, WIN, EndgameSolver, is_within_reach, tiles_on_factories
from sintra.puzzles.plans import plan_of, plans_of
from sintra.puzzles.positions import text_of, view_of
from sintra.puzzles.puzzle import Explanation, Grade, Puzzle, PuzzleError
from sintra.rules import engine
from sintra.rules.state import ChipState, Stage, States, copied
from sintra.tabletop.moves import Move, move_of, path_of

GAP: Final = 2
"""The best move leads to at least so many points more than any other."""
FEWEST_PLANS: Final = 3
FEWEST_TILES: Final = 3
MAX_SHIFT: Final = 30
"""The points by which the other seat's score is moved at most, so that the game hangs on the move."""
LOWEST_SCORE: Final = 10
"""No score is moved below this: nobody comes near 0, where points are lost for nothing."""
NODES: Final = 400_000
"""The nodes of the exact search after a move at most."""
FIRST_NODES: Final = 250_000
"""The nodes of the first search of a position: most positions are not worth a longer one."""
MAX_LINE: Final = 8
"""The moves of the line that an explanation shows at most."""
SHOWN: Final = 5
"""How many other moves a puzzle names."""


@dataclass(frozen=True, slots=True)
class Ahead:
    """The solver's final lead after a move: if chips come as it suits the other seat, and the solver."""

    least: int
    most: int


@cache
def _solver(nodes: int) -> EndgameSolver:
    return EndgameSolver(nodes)


def lead_after(states: States, seat: int, chance: int) -> int | None:
    """A seat's final lead with best play after a move has been made, if chips come as `chance` says; None if that is
    too much to search."""
    sign = 1 if seat == 0 else -1
    wants_most = chance == FOR_SEAT[seat]
    leads = []
    for dealt in _turned_up(states):
        value = _solver(NODES).exact_value(dealt, chance)
        if value is None:
            return None
        leads.append(sign * round(value - WIN if value > 0 else value + WIN))
    return max(leads) if wants_most else min(leads)


def _turned_up(states: States) -> Iterator[States]:
    """The position with every face that a chip just turned up can have; itself, if all are known."""
    s = states[0]
    order = s["chip_order"].tolist()
    for f in range(SMALL_FACTORIES):
        place = CHIP_COUNT - SMALL_FACTORIES + f
        if s["chip_state"][f] == ChipState.UP and order[place] == NOTHING:
            for face in range(CHIP_FACES):
                if order.count(face) < CHIP_COPIES:
                    dealt = copied(states)
                    dealt["chip_order"][0, place] = face
                    yield from _turned_up(dealt)
            return
    yield states


def leads_of(view: View, moves: Iterable[Move]) -> Iterator[tuple[Move, Ahead] | None]:
    """What moves lead to, one after the other; None for one that is too much to search."""
    hidden = ChipState.DOWN in view.states.get("chip_state")
    for move in moves:
        after = view.states
        engine.play(after, 0, path_of(move, after, 0))
        least = lead_after(after, view.seat, FOR_SEAT[1 - view.seat])
        most = lead_after(after, view.seat, FOR_SEAT[view.seat]) if hidden else least
        yield None if least is None or most is None else (move, Ahead(least, most))


def all_leads(view: View) -> dict[Move, Ahead] | None:
    """What every move leads to; None if that is too much to search."""
    found: dict[Move, Ahead] = {}
    for one in leads_of(view, view.legal_moves):
        if one is None:
            return None
        found[one[0]] = one[1]
    return found


def one_is_far_ahead(view: View, best: Move) -> bool:
    """Whether a move leads to so much more than all that are no orders of the same: most positions fail soon."""
    others = [move for move in view.legal_moves if plan_of(move) != plan_of(best)]
    found = next(leads_of(view, [best]))
    if found is None:
        return False
    return all(one is not None and one[1].most <= found[1].least - GAP for one in leads_of(view, others))


@dataclass(frozen=True, slots=True)
class Sorted:
    """The moves of a position: the best plan with the lead that it makes sure of, and what others can hope for."""

    answer: tuple[Move, ...]
    least: int
    hopes: tuple[tuple[str, int], ...]

    @property
    def second(self) -> int:
        """The best that any other plan can hope for."""
        return self.hopes[0][1]


def sort_out(leads: dict[Move, Ahead]) -> Sorted | None:
    """The best plan and the others, the most hopeful first; None if there are not enough of them."""
    plans = plans_of(leads)
    if len(plans) < FEWEST_PLANS:
        return None
    best = max(plans, key=lambda plan: max(leads[move].least for move in plans[plan]))
    hopes = [(plan, max(leads[move].most for move in moves)) for plan, moves in plans.items() if plan != best]
    hopes.sort(key=lambda hope: (-hope[1], hope[0]))
    answer = sorted(plans[best], key=lambda move: (-leads[move].least, str(move)))
    return Sorted(tuple(answer), leads[answer[0]].least, tuple(hopes))


def right_moves(leads: dict[Move, Ahead], found: Sorted) -> tuple[Move, ...] | None:
    """The moves of the best plan that win; None if one of them is neither won nor lost for sure."""
    if any(leads[move].least <= 0 <= leads[move].most for move in found.answer):
        return None
    return tuple(move for move in found.answer if leads[move].least > 0)


def find_win(view: View, origin: tuple[int, int]) -> Puzzle | None:
    """The puzzle that a view of round 5 is, if it is a good one; its grade is still to be found."""
    states = view.states
    if view.round != ROUNDS or view.stage is not Stage.TURN or not is_within_reach(states):
        return None
    if tiles_on_factories(states) < FEWEST_TILES or len(plans_of(view.legal_moves)) < FEWEST_PLANS:
        return None
    ending = _solver(FIRST_NODES).solve_exactly(states)
    if ending is None or not one_is_far_ahead(view, move_of(ending.path, states, 0)):
        return None
    leads = all_leads(view)
    found = sort_out(leads) if leads else None
    if found is None or found.least - found.second < GAP:
        return None
    shift = shift_for(found)
    other = 1 - view.seat
    if abs(shift) > MAX_SHIFT or (shift and view.scores[other] + shift < LOWEST_SCORE):
        return None
    states["score"][0, other] += shift
    position = text_of(View(states, view.seat), with_rounds_ahead=True)
    view = view_of(position, view.seat)
    leads = all_leads(view)
    found = sort_out(leads) if leads else None
    if leads is None or found is None or found.least <= 0 or found.second >= 0:
        return None
    right = right_moves(leads, found)
    if not right:
        return None
    natural = player("greedy").choose(view)
    return Puzzle(
        kind="win",
        seat=view.seat,
        position=position,
        answer=tuple(map(str, right)),
        best=found.least,
        second=found.second,
        choices=len(found.hopes) + 1,
        others=found.hopes[:SHOWN],
        grade=Grade(0, 1),
        explanation=Explanation(
            line=best_line(view, right[0]),
            natural=(str(natural),),
            natural_value=leads[natural].least if natural in right else leads[natural].most,
            refutation=() if natural in right else best_line(view, natural),
            shift=shift,
        ),
        origin=origin,
    )


def shift_for(found: Sorted) -> int:
    """By how many points the other seat's score has to be moved, so that the best plan wins and no other does."""
    least, most = found.second + 1, found.least - 1
    return min(max(0, least), most)


def best_line(view: View, move: Move) -> tuple[str, ...]:
    """What follows a move with best play on both sides, until the draft ends or a chip is turned up."""
    states = view.states
    engine.play(states, 0, path_of(move, states, 0))
    line: list[str] = []
    while len(line) < MAX_LINE and states.get("stage") == Stage.TURN:
        if next(_turned_up(states)) is not states:
            break
        ending = _solver(NODES).solve(states)
        if ending is None:
            break
        line.append(str(move_of(ending.path, states, 0)))
        engine.play(states, 0, ending.path)
    return tuple(line)


def prove_win(puzzle: Puzzle) -> None:
    """Searches all moves to the end of the game again."""
    leads = all_leads(puzzle.view)
    if leads is None:
        raise PuzzleError("the position is too long to be searched to its end")
    found = sort_out(leads)
    if found is None:
        raise PuzzleError("there are not enough moves to choose from")
    if (found.least, found.second) != (puzzle.best, puzzle.second):
        raise PuzzleError(
            f"the best move leads by {found.least} and others by {found.second} points, "
            f"not {puzzle.best:g} and {puzzle.second:g}"
        )
    if found.least <= 0 or found.second >= 0:
        raise PuzzleError("not exactly one move wins")
    right = right_moves(leads, found) or ()
    if set(map(str, right)) != set(puzzle.answer):
        raise PuzzleError(f"the moves that win are {' '.join(map(str, right))}, not {' '.join(puzzle.answer)}")
    if {plan_of(move) for move in right} & {plan for plan, _ in puzzle.others}:
        raise PuzzleError("a move that wins is named among the others")
