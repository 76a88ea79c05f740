"""Advice: the best moves with a chance to win, a lead, and what is expected to follow."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from helpers import play_on
from random_positions import view_alike
from sintra import Game, Stage
from sintra.players.hints import Adviser, Evaluation, lead_of
from sintra.players.thinking.endgame import tiles_on_factories

from .helpers import played_greedily

LAST_TILING = (
    "round: 5; stage: tiling; turn: 1; first: 0; goals: rows columns diagonals; "
    "0 plates: 11=02r3; 1 plates: 11=03r0; 1 lines: T1 - - - - -; "
)


def positions(taste: str, seed: int, every: int) -> Iterator[Game]:
    for game in play_on(Game.new(seed=seed), taste, Random(seed)):
        if not game.is_over and (game.ply % every == 0 or game.stage in (Stage.KEEPING, Stage.PAYING)):
            yield game.copy()


def check(evaluation: Evaluation, game: Game) -> None:
    """What holds of every evaluation."""
    assert evaluation.advice
    assert len({advice.move for advice in evaluation.advice}) == len(evaluation.advice)
    for advice in evaluation.advice:
        assert advice.move in game.legal_moves
        assert 0 <= advice.win <= 1
        assert 0 < advice.share <= 1
        if abs(advice.win - 0.5) > 0.01:
            assert advice.lead == 0 or (advice.lead > 0) == (advice.win > 0.5)
        assert advice.line
        assert all(words.strip() == words and words for words in advice.line)
        assert advice.line[0] == game.describe(advice.move)
    assert evaluation.best is evaluation.advice[0]
    chances = [(advice.win, advice.lead) for advice in evaluation.advice]
    assert chances == sorted(chances, reverse=True)
    assert sum(advice.share for advice in evaluation.advice) <= 1 + 1e-9


@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_advice_is_legal_and_sensible_in_every_stage(taste: str) -> None:
    adviser = Adviser(sims=60)
    stages = set()
    for game in positions(taste, 7, 5):
        evaluation = adviser.evaluate(game.view(game.turn))
        stages.add(game.stage)
        check(evaluation, game)
        assert evaluation.exact or game.stage not in (Stage.TILING, Stage.PAYING)
    assert stages >= {Stage.OPENING, Stage.TURN, Stage.TILING}


def test_at_most_so_many_moves_are_named() -> None:
    game = Game.new(seed=2)
    adviser = Adviser(sims=100)
    assert len(adviser.evaluate(game.view(game.turn), most=5).advice) == 5
    assert len(adviser.evaluate(game.view(game.turn), most=1).advice) == 1


def test_a_main_line_goes_on_with_both_seats() -> None:
    game = Game.new(seed=2)
    for _ in range(2):
        game.push(game.legal_moves[0])
    best = Adviser(sims=1500).evaluate(game.view(game.turn)).best
    assert len(best.line) > 1
    assert all(words.startswith(("seat 0: ", "seat 1: ")) for words in best.line[1:])


def test_the_same_view_gives_the_same_advice_whatever_is_hidden() -> None:
    adviser, other = Adviser(sims=40), Adviser(sims=40)
    for game in positions("drawing", 3, 9):
        view = game.view(game.turn)
        assert adviser.evaluate(view) == other.evaluate(view_alike(view, game.ply))


def test_late_in_round_5_it_is_exact() -> None:
    adviser = Adviser(sims=5000)
    checked = 0
    for states in played_greedily(5):
        game = Game(states)
        if game.round == 5 and game.stage is Stage.TURN and tiles_on_factories(game.state) <= 4:
            evaluation = adviser.evaluate(game.view(game.turn))
            assert evaluation.exact
            check(evaluation, game)
            checked += 1
    assert checked > 1


def test_a_seat_that_is_not_to_move_gets_none() -> None:
    game = Game.new(seed=1)
    with pytest.raises(ValueError, match="not to move"):
        Adviser(sims=10).evaluate(game.view(1 - game.turn))
    with pytest.raises(ValueError, match="not to move"):
        Adviser(sims=10).evaluate(game.view(2))


def test_a_lead_has_the_sign_of_its_chance() -> None:
    assert lead_of(0.5, 8.0) == pytest.approx(0.0)
    assert lead_of(0.75, 8.0) == pytest.approx(-lead_of(0.25, 8.0))
    assert 0 < lead_of(0.75, 8.0) < lead_of(1.0, 8.0) < 100


class TestTheLastTiling:
    """The seat that tiles second knows what the other one has: nothing of it changes any more."""

    @pytest.mark.parametrize("score", [7, 9, 10, 12])
    def test_the_lead_is_exact(self, score: int) -> None:
        text = LAST_TILING + f"0 score: 9; 1 score: {score}; start tile: 1; "
        game = Game.from_position(text)  # one point for T11, two lost for the start tile
        best = Adviser(sims=10).evaluate(game.view(1)).best
        assert best.lead == score + 1 - 2 - 9

    def test_the_penalty_of_the_seat_that_is_done_is_not_paid_again(self) -> None:
        game = Game.from_position(LAST_TILING + "0 score: 10; 1 score: 8; start tile: 0")
        best = Adviser(sims=10).evaluate(game.view(1)).best
        assert best.lead == 8 + 1 - 10
        assert best.win == 0.0

    def test_the_seat_that_is_done_spends_no_more_chips(self) -> None:
        more = "0 lines: - B1 - - - -; 0 store: B- BR; start tile: 1; 0 score: 10; 1 score: 12"
        game = Game.from_position(LAST_TILING + more)
        assert Adviser(sims=10).evaluate(game.view(1)).best.lead == 12 + 1 - 2 - 10

    @pytest.mark.parametrize(("holder", "win"), [(0, 0.0), (1, 1.0)])
    def test_a_tie_goes_to_the_holder_of_the_start_tile(self, holder: int, win: float) -> None:
        """R6.3"""
        score = 9 if holder == 0 else 11
        game = Game.from_position(LAST_TILING + f"0 score: 10; 1 score: {score}; start tile: {holder}")
        copy = game.copy()
        copy.push("T11")
        copy.push("E")
        assert copy.result
        assert copy.result.scores == (10, 10)
        assert copy.result.winner == holder
        assert Adviser(sims=10).evaluate(game.view(1)).best.win == win
