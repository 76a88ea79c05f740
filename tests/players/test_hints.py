"""Advice: the best moves with a chance to win, a lead, and what is expected to follow."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from helpers import play_on, some
from random_positions import view_alike
from sintra import Game, LayPlate, MoonTake, Move, Stage, SunTake, TakeTiles
from sintra.players.hints import Adviser, Evaluation, best_of_ideas, idea_of, lead_of
from sintra.players.search import Candidate
from sintra.players.thinking.endgame import tiles_on_factories
from sintra.tabletop.moves import move_of, path_of

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
    chances = [(advice.win, advice.lead) for advice in evaluation.advice[1:]]
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
    for _ in range(2):
        game.push(game.legal_moves[0])
    assert len(adviser.evaluate(game.view(game.turn), most=5).advice) == 5
    assert len(adviser.evaluate(game.view(game.turn), most=1).advice) == 1


@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_ideas_are_different_and_the_best_stays_first(taste: str) -> None:
    adviser = Adviser(sims=120)
    kinds = set()
    for game in positions(taste, 8, 4):
        view = game.view(game.turn)
        evaluation = adviser.evaluate(view, most=4)
        moves = [advice.move for advice in evaluation.advice]
        assert len({idea_of(view, move) for move in moves}) == len(moves)
        assert len({(move.color, move.line) for move in moves if isinstance(move, TakeTiles)}) == sum(
            isinstance(move, TakeTiles) for move in moves
        )
        if not evaluation.exact:
            best = adviser._player.searcher.best(view.state)
            assert moves[0] == move_of(best, view.state, 0)
            kinds |= {type(move) for move in moves}
    assert {SunTake, MoonTake} <= kinds


def test_three_plates_at_the_opening_are_three_ideas() -> None:
    game = Game.new(seed=2)
    advice = Adviser(sims=400).evaluate(game.view(game.turn), most=9).advice
    plates = [one.move.plate for one in advice if isinstance(one.move, LayPlate)]
    assert len(plates) == len(set(plates)) == 3
    assert len(advice) == 3


def test_what_an_idea_is() -> None:
    game = Game.from_position(
        "round: 2; factory 1: sun BYRK moon - chip down; factory 2: sun - moon YB chip down; "
        "factory 3: sun - moon - chip up; factory 4: sun - moon - chip up; factory L: sun BBT moon -; "
        "display: 07 12 03; chips: B- Y- R- K- T- TY RT RT YK KB BR B- Y- R- K- T- TY YK KB BR"
    )
    view = game.view(0)

    def alike(*tokens: str) -> bool:
        return len({idea_of(view, Move.parse(token)) for token in tokens}) == 1

    assert alike("S1B3:YRK", "S1B3:KRY", "SLB3", "MB3")
    assert not alike("SLB3", "SLB4")
    assert not alike("SLB3", "SLT3")
    assert not alike("SLB3", "SLBx")
    assert alike("P07@11r0", "P07@33r2")
    assert not alike("P07@11r0", "P12@11r0")
    assert alike("C3", "C4")
    assert not alike("C3", "D")


def test_where_to_lay_the_only_plate_that_was_drawn_is_an_idea() -> None:
    game = Game.new(seed=2)
    for _ in range(2):
        game.push(game.legal_moves[0])
    for token in ("D", "H"):
        game.push(token)
    assert game.stage is Stage.KEEPING
    advice = Adviser(sims=200).evaluate(game.view(game.turn)).advice
    slots = [one.move.slot for one in advice if isinstance(one.move, LayPlate)]
    assert len(slots) == len(set(slots)) == 3


def test_an_idea_is_ranked_by_the_visits_of_all_its_moves_and_told_by_the_first() -> None:
    """A take is looked at with each order of its stack; these are one idea."""
    game = Game.from_position(
        "round: 2; factory 1: sun BYRK moon - chip down; factory L: sun YT moon -; display: 07 12 03"
    )
    view = game.view(0)
    visits = {"SLT1": 30, "SLY2": 25, "S1B3:YRK": 16, "S1B3:KRY": 14}
    found = [Candidate(path_of(Move.parse(token), view.state, 0), n, 0.5) for token, n in visits.items()]
    told = [str(move_of(one.path, view.state, 0)) for one in best_of_ideas(view, found)]
    assert told == ["SLT1", "S1B3:YRK", "SLY2"]


def test_a_main_line_goes_on_with_both_seats() -> None:
    game = Game.new(seed=2)
    for _ in range(2):
        game.push(game.legal_moves[0])
    best = Adviser(sims=1500).evaluate(game.view(game.turn)).best
    assert len(best.line) > 1
    assert all(words.startswith(("seat 0: ", "seat 1: ")) for words in best.line[1:])


def test_the_same_view_gives_the_same_advice_whatever_is_hidden() -> None:
    adviser, other = Adviser(sims=40), Adviser(sims=40)
    for game in some(positions("drawing", 3, 9)):
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
