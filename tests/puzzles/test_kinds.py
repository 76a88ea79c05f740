"""The kinds of puzzles: found where they are, proved, and refused where they do not hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import soak
from helpers import played
from players.thinking.test_endgame import Partial, actions_left
from sintra import View
from sintra.players.thinking.endgame import WIN
from sintra.puzzles import KINDS, Grade, Kind, Puzzle, PuzzleError, load, make_from_game, prove
from sintra.puzzles import making as making_module
from sintra.puzzles.keeps import find_keep, is_of_this_kind
from sintra.puzzles.plans import plan_of, plans_of
from sintra.puzzles.positions import text_of, view_of
from sintra.puzzles.tilings import MAX_POSITIONS, all_tilings, find_tiling, tiled_by
from sintra.puzzles.wins import Ahead, Sorted, all_leads, find_win, right_moves, shift_for, sort_out
from sintra.tabletop.moves import Move, path_of

FIND: dict[Kind, Callable[[View, tuple[int, int]], Puzzle | None]] = {
    "tiling": find_tiling,
    "win": find_win,
    "keep": find_keep,
}


def clearest(kind: Kind) -> Puzzle:
    """Of the packaged puzzles of a kind with the fewest choices the one whose second best is furthest behind."""
    return min(
        (puzzle for puzzle in load() if puzzle.kind == kind), key=lambda one: (one.choices, one.second - one.best)
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_prepared_game_gives_its_puzzle(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Among the views of a game without one, the view that is a puzzle is found, proved and graded."""
    puzzle = clearest(kind)
    game = played(3)
    views = [game.view(game.turn)]
    while game.ply > 150:
        game.pop()
        views.append(game.view(game.turn))
    monkeypatch.setattr(making_module, "views_of_game", lambda seed, index: [*views[1:], puzzle.view])
    (found,) = make_from_game(5, 6, [kind])
    assert (found.kind, found.seat, found.view.round) == (kind, puzzle.seat, puzzle.view.round)
    assert set(found.answer) == set(puzzle.answer) or kind == "tiling"
    assert (found.best, found.second) == pytest.approx((puzzle.best, puzzle.second), abs=0.15)
    assert found.origin == (5, 6)
    assert 1 <= found.grade.level <= 11
    assert len(found.grade.found) == (0 if kind == "tiling" else 11)


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_of_another_kind_is_no_puzzle(kind: Kind) -> None:
    for other in KINDS:
        if other != kind:
            assert FIND[kind](clearest(other).view, (0, 0)) is None


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_packaged_puzzles_are_proved_again(kind: Kind) -> None:
    puzzles = [puzzle for puzzle in load() if puzzle.kind == kind]
    for puzzle in puzzles[:: soak.pick(len(puzzles) // 2, 1)]:
        prove(puzzle)


@pytest.mark.parametrize("kind", KINDS)
def test_what_does_not_hold_is_found_out(kind: Kind) -> None:
    puzzle = clearest(kind)
    wrong = replace(puzzle, best=puzzle.best + 1)
    if kind == "keep":
        other = plans_of(puzzle.view.legal_moves)[puzzle.others[0][0]][0]
        wrong = replace(puzzle, answer=(str(other),), others=((plan_of(Move.parse(puzzle.answer[0])), 0.1),))
    with pytest.raises(PuzzleError):
        prove(wrong)


# ---------------------------------------------------------------- tilings

BOARD = (
    "round: 5; stage: tiling; turn: 0; goals: rows columns diagonals; start tile: 1; 0 score: 20; "
    "0 lines: B1 K2 - - - -; 0 plates: 11=02r0 12=04r0; 0 dome: ..K... ...... ...... ...... ...... ......"
)
"""Row 1: wild, blue, a black tile, yellow; row 2: turquoise, black, red, wild. Blue beside the black tile makes 2
points, alone 1; black below blue 2, elsewhere 1."""


def test_all_ways_to_tile_are_found_with_their_points() -> None:
    view = view_of(BOARD, 0)
    ways = all_tilings(view)
    assert [(way.points, way.moves) for way in ways] == [
        (4, ("T12", "T22", "E")),
        (3, ("T12", "T24", "E")),
        (2, ("T11", "T22", "E")),
        (2, ("T11", "T24", "E")),
    ]
    assert ways[0].sources == {"placement": 4}


def test_a_tiling_that_somebody_makes_is_counted_in_the_same_way() -> None:
    view = view_of(BOARD, 0)
    first = tiled_by(lambda now: now.legal_moves[0], view)
    assert first in all_tilings(view)


def test_a_walk_of_too_many_positions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = clearest("tiling")
    monkeypatch.setattr("sintra.puzzles.tilings.MAX_POSITIONS", 3)
    with pytest.raises(PuzzleError, match="more than 3 positions"):
        all_tilings(puzzle.view)
    assert find_tiling(puzzle.view, (0, 0)) is None
    assert MAX_POSITIONS > 3


# ---------------------------------------------------------------- wins


def some_moves(*tokens: str) -> list[Move]:
    return [Move.parse(token) for token in tokens]


def test_orders_of_a_stack_are_one_try_and_the_others_are_sorted_by_their_hopes() -> None:
    first, second, third, fourth = some_moves("S1B3:RY", "S1B3:YR", "MY2", "C2")
    leads = {first: Ahead(-4, -2), second: Ahead(3, 5), third: Ahead(-9, -1), fourth: Ahead(-3, -3)}
    found = sort_out(leads)
    assert found == Sorted((second, first), 3, (("MY2", -1), ("C2", -3)))
    assert right_moves(leads, found) == (second,)
    assert right_moves(leads | {first: Ahead(-4, 1)}, found) is None, "neither won nor lost for sure"
    del leads[fourth]
    assert sort_out(leads) is None, "two tries are too few"


@pytest.mark.parametrize(("least", "second", "shift"), [(3, -1, 0), (9, 4, 5), (-2, -6, -3), (2, 0, 1), (1, -1, 0)])
def test_the_score_is_moved_as_little_as_makes_the_game_hang_on_the_move(least: int, second: int, shift: int) -> None:
    found = Sorted((), least, (("MY2", second),))
    assert shift_for(found) == shift
    assert second - shift < 0 < least - shift


def test_the_leads_of_a_win_are_those_of_a_plain_search() -> None:
    """Move by move, chips as it suits either seat: by code that shares nothing with the exact search."""
    puzzles = [puzzle for puzzle in load() if puzzle.kind == "win"]
    puzzle = min(puzzles, key=lambda one: actions_left(one.view.state))
    leads = all_leads(puzzle.view)
    assert leads
    for move, ahead in leads.items():
        path = path_of(move, puzzle.view.state, 0)
        against, suited = (Partial(seat).after(puzzle.view.state, path) for seat in (1 - puzzle.seat, puzzle.seat))
        assert ahead == Ahead(lead_in(against, puzzle.seat), lead_in(suited, puzzle.seat)), move


def lead_in(value: float, seat: int) -> int:
    """A seat's lead without the win on top."""
    lead = value - WIN if value > 0 else value + WIN
    return round(lead if seat == 0 else -lead)


# ---------------------------------------------------------------- positions


@pytest.mark.parametrize("ply", [30, 90, 140])
def test_a_position_says_what_the_solver_sees_and_nothing_else(ply: int) -> None:
    game = played(3)
    while game.ply > ply:
        game.pop()
    view = game.view(game.turn)
    text = text_of(view, with_rounds_ahead=True)
    seen = view_of(text, view.seat)
    assert seen.legal_moves.paths == view.legal_moves.paths
    assert (seen.boards, seen.factories, seen.display) == (view.boards, view.factories, view.display)
    assert seen.bag == view.bag
    twin = view.sample(12345).view(view.seat)
    assert text_of(twin, with_rounds_ahead=True) == text, "another truth behind the same view"
    assert len(text) < len(game.position)


def test_a_grade_comes_with_the_puzzle() -> None:
    puzzle = clearest("win")
    assert puzzle.graded(Grade(1234, 5)).grade == Grade(1234, 5)
    assert is_of_this_kind(clearest("keep").view)
    assert not is_of_this_kind(puzzle.view)
