"""Sentences: a position for each kind of reason, and none that the numbers do not carry."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Final

import pytest

from helpers import play_on, some
from sintra import Game, Move
from sintra.players.thinking.evaluator import standard_evaluator
from sintra.players.thinking.prospects import Foresight
from sintra.review.coaching import ABOUT_EQUAL, SHOWN, Coach
from sintra.review.forms import FORMS, MAX_SENTENCES, NOTHING_FORMS, Sentence, in_english
from sintra.review.looks import look_at_move
from sintra.review.reasons import Compared, ReasonKind, SumKind, is_more, with_lines
from sintra.review.sentences import Teller
from sintra.rules.state import Stage

from .test_reasons import FORESIGHT, OTHERS, dome, table

TEXTS: Final = Path(__file__).parents[2] / "web" / "src" / "texts"
TELLER: Final = Teller()


def said(game: Game, move: str, *others: str, against: bool = False) -> dict[str, Sentence]:
    """The sentences for a move rather than others, by their forms."""
    view = game.view(game.turn)
    one, *rivals = (look_at_move(view, Move.parse(token), FORESIGHT) for token in (move, *others))
    compared = Compared(view.seat, one.prospect, [rival.prospect for rival in rivals])
    moves = [rival.move for rival in rivals]
    reasons = with_lines(compared.reasons(), view, one.move, moves)
    found = TELLER.sentences(
        view, one.move, moves, reasons, one.reply, rivals[0].reply, rivals[0].own_next, against=against
    )
    carried = {reason.kind: reason.points for reason in reasons}
    assert len(found) <= MAX_SENTENCES
    for sentence in found:
        assert sentence.kind in carried
        assert (carried[sentence.kind] > 0) != against
        assert set(re.findall(r"\{(\w+)\}", FORMS[sentence.form])) <= {*sentence.args, "tiles"}
        assert "{" not in in_english(sentence)
        assert all(re.fullmatch(r"[a-z]+(-[0-9A-Z]+)*", place) for place in sentence.places)
    return {sentence.form: sentence for sentence in found}


def kinds_of(found: dict[str, Sentence]) -> set[ReasonKind | SumKind | None]:
    """The reasons that sentences tell."""
    return {one.kind for one in found.values()}


class TestWhatAMoveBrings:
    def test_a_line_that_is_completed(self) -> None:
        keys = {"round": "5", "factory_L": "sun - moon BK"}
        game = table(**keys, a_plates="11=02r0", a_dome=dome({1: "T....."}))
        told = said(game, "MB1", "MB2")["completes"]
        assert told.args == {"line": 1, "color": "B", "points": 2}
        assert told.places == ("line-0-1", "space-0-1-2")
        assert in_english(told) == "It completes line 1 (blue): +2 this round."
        assert said(table(**keys), "MB1", "MB2") == {}, "without a space nothing speaks for it"

    def test_a_run(self) -> None:
        plates = {"a_plates": "11=02r0 12=03r0", "a_dome": dome({1: "T.TR.."})}
        game = table(round="5", factory_L="sun - moon BK", **plates)
        found = said(game, "MB1", "MB2")
        assert found["completes_run"].args["length"] == 4

    def test_a_special_tile(self) -> None:
        keys = {"round": "5", "factory_L": "sun - moon T", "a_plates": "11=01r0", "a_lines": "- T1 - - - -"}
        found = said(table(**keys, a_dome=dome({1: "YK...."})), "MT2", "MT3")
        assert found["special_now"].kind == "specials"
        assert found["special_now"].args["points"] == 2
        assert "special_now" not in said(table(**keys, a_dome=dome({1: "Y....."})), "MT2", "MT3")

    def test_points_for_goals(self) -> None:
        keys = {"round": "5", "factory_L": "sun - moon B", "a_plates": "11=02r0"}
        found = said(table(**keys, goals="rows edge diagonals"), "MB1", "MB2")
        assert "goals" in kinds_of(found)
        assert "goals" not in kinds_of(said(table(**keys, goals="rows columns diagonals"), "MB1", "MB2"))

    def test_tiles_that_would_break(self) -> None:
        game = table(round="5", factory_L="sun - moon BB")
        told = said(game, "MB2", "MBx")["other_breaks_room"]
        assert told.args == {"count": 2, "color": "B", "points": -3, "room": 2}
        assert told.places[0] == "line-0-2"
        full = table(round="5", factory_L="sun - moon BB", a_lines="R1 R1 R1 R1 R1 B4")
        assert "other_breaks" in said(full, "MB6", "MBx") or "other_breaks_room" in said(full, "MB6", "MBx")
        assert said(game, "MB2", "MB3") == {}, "neither breaks any"
        against = said(game, "MBx", "MB2", against=True)
        assert against["breaks_room"].args["points"] == -3

    def test_the_start_tile(self) -> None:
        keys = {"round": "5", "factory_1": "sun - moon K chip down", "factory_L": "sun - moon B"}
        found = said(table(**keys, start_tile="factory"), "MK2", "MB2")
        assert {"avoids_start", "last_tiles"} == set(found)
        assert said(table(**keys, start_tile="0"), "MK2", "MB2") == {}

    def test_plates_that_are_drawn(self) -> None:
        keys = {"round": "4", "display": "02", "b_plates": OTHERS}
        game = table(**keys, factory_L="sun - moon -", a_left="markers=1 chips=0", a_lines="B1 - - - - -")
        assert "draws" in kinds_of(said(game, "P02@11r0", "D"))
        assert "saves_draws" not in said(game, "P02@11r0", "P02@11r2")


class TestLaterRounds:
    def test_a_plate_that_gives_a_line_its_space(self) -> None:
        keys = {"round": "3", "display": "02", "b_plates": OTHERS, "a_left": "markers=1 chips=0"}
        found = said(table(**keys, a_lines="- - B3 - - -"), "P02@21r0", "P02@11r0")
        told = found.get("opens_now") or found["opens"]
        assert told.args["count"] == 3
        assert told.args["line"] == 3
        assert told.places[:2] == ("line-0-3", "slot-0-21")
        assert {"opens", "opens_now"}.isdisjoint(said(table(**keys), "P02@21r0", "P02@11r0"))

    def test_a_line_that_is_begun(self) -> None:
        game = table(round="3", factory_L="sun - moon BBB", a_plates="31=09r2")
        told = said(game, "MB5", "MB6")["prepares"]
        assert told.kind == "lines"
        assert told.args["have"] == 3

    def test_columns(self) -> None:
        keys = {"stage": "tiling", "round": "1", "a_lines": "B1 - - - - -", "goals": "rows edge diagonals"}
        game = table(**keys, a_plates="11=02r0 21=03r0 31=09r0", a_dome=dome({3: "T.....", 4: "B.....", 5: "T....."}))
        told = said(game, "T11", "T12")["column"]
        assert (told.args["column"], told.args["have"]) == (1, 4)

    def test_special_plates(self) -> None:
        keys = {"stage": "tiling", "round": "2", "a_lines": "- T2 - - - -", "goals": "rows edge diagonals"}
        near = table(**keys, a_plates="11=01r0 13=02r0", a_dome=dome({1: "Y....."}))
        assert "special_plates" in kinds_of(said(near, "T21", "T25"))
        none = table(**keys, a_plates="11=06r2 13=02r0", a_dome=dome({1: "K....."}))
        assert "special_plates" not in kinds_of(said(none, "T22", "T25") | said(none, "T25", "T22"))

    def test_goals(self) -> None:
        keys = {"stage": "tiling", "round": "3", "a_lines": "- - - - B5 -", "a_plates": "31=02r0 32=15r0"}
        lower = dome({6: "T....."})
        told = said(table(**keys, a_dome=lower, goals="rows edge corners"), "T52", "T54")["goal_place"]
        assert told.args["goal"] == "corners"
        assert "goal-0-2" in told.places
        assert "goal_place" not in said(table(**keys, a_dome=lower, goals="rows columns wilds"), "T52", "T54")

    def test_chips(self) -> None:
        keys = {"round": "3", "factory_L": "sun - moon B", "factory_1": "sun - moon - chip up"}
        game = table(**keys, a_left="markers=0 chips=1", b_left="markers=0 chips=1")
        found = said(game, "C1", "MB2")
        assert {"chips", "their_chips"} == kinds_of(found)
        assert found["chip"].places == ("chip-1",)
        alone = table(**keys, a_left="markers=0 chips=1")
        assert "their_chips" not in kinds_of(said(alone, "C1", "MB2"))

    def test_the_start_of_the_next_round(self) -> None:
        keys = {"round": "3", "factory_1": "sun - moon K chip down", "factory_L": "sun - moon B"}
        scores = {"a_score": "0", "b_score": "0"}
        found = said(table(**keys, **scores, start_tile="factory"), "MB2", "MK2")
        assert found["starts"].places == ("start",)
        assert "starts" not in said(table(**keys, **scores, start_tile="1"), "MB2", "MK2")


class TestTheOpponent:
    def test_what_the_opponent_would_take(self) -> None:
        keys = {"round": "5", "factory_L": "sun - moon BK", "b_dome": dome({1: "T....."})}
        found = said(table(**keys, b_plates="11=02r0"), "MB2", "MK2")
        assert kinds_of(found) == {"their_points"}
        told = found["denies_take"]
        assert (told.args["color"], told.args["line"]) == ("B", 1)
        assert "line-1-1" in told.places
        assert said(table(**keys, b_plates="11=02r0", b_lines="K1 - - - - -"), "MB2", "MK2") == {}

    def test_what_the_mover_is_left_with(self) -> None:
        game = table(round="5", factory_L="sun - moon BKT", a_lines="R1 - R1 R1 R1 R1")
        looked = look_at_move(game.view(0), Move.parse("MB2"), FORESIGHT)
        assert looked.reply is not None
        assert looked.own_next is not None
        assert {str(looked.reply.move)[1], str(looked.own_next.move)[1]} == {"K", "T"}
        assert (looked.own_next.tiles, looked.own_next.broken) == (1, 1)

    def test_what_is_left_to_the_opponent(self) -> None:
        game = table(round="5", factory_L="sun - moon BKKK", b_lines="R1 R1 R1 R1 R1 B1")
        assert "last_tiles" in said(game, "MB2", "MK3")
        assert said(table(round="5", factory_L="sun - moon BKKK"), "MB2", "MK3") == {}


@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_hints_say_why_or_that_they_are_about_equal(taste: str) -> None:
    coach = Coach(sims=120, look_sims=60)
    stages = set()
    for game in play_on(Game.new(seed=9), taste, Random(9)):
        if game.ply % 9 or game.is_over:
            continue
        found = coach.advise(game.view(game.turn))
        stages.add(game.stage)
        wins = [one.win for one in found.moves]
        assert wins == sorted(wins, reverse=True)
        assert 1 <= len(wins) <= SHOWN
        assert found.about_equal != 1
        if len(wins) > 1:
            assert (found.about_equal > 1) == (wins[0] - wins[1] < ABOUT_EQUAL)
            assert found.about_equal > 1 or round(100 * wins[0]) != round(100 * wins[1])
        for one in found.moves:
            assert 1 <= len(one.why) <= MAX_SENTENCES
            assert one.move in game.legal_moves
        assert all(sentence.args.get("points", 1) != 0 for one in found.moves for sentence in one.why)
    assert Stage.TURN in stages


def test_the_same_view_has_the_same_hint() -> None:
    view = Game.new(seed=4).view(Game.new(seed=4).turn)
    assert Coach(sims=60, look_sims=30).advise(view) == Coach(sims=60, look_sims=30).advise(view)


@pytest.mark.parametrize("language", ["en", "de", "nl", "pl"])
def test_every_form_has_its_words_in_every_language(language: str) -> None:
    page = json.loads((TEXTS / f"{language}.json").read_text("utf-8"))["page"]
    for form, english in some(FORMS.items()):
        words = page[f"because.{form}"]
        assert set(re.findall(r"\{(\w+)\}", words)) == set(re.findall(r"\{(\w+)\}", english)), form
        assert language != "en" or words == english
    assert set(NOTHING_FORMS) <= set(FORMS)


def test_more_than_chance_would_make_is_more() -> None:
    assert is_more([1.0, 1.0, 1.0])
    assert not is_more([0.4, 0.4])
    assert not is_more([10.0, -9.0])
    assert not is_more([])


def test_what_boards_promise_of_special_tiles_is_what_they_bring() -> None:
    """A single special tile scores 6 at most (R4.5), so no plate may promise more."""
    foresight = Foresight(sims=30, lines=8, evaluator=standard_evaluator())
    game = Game.new(seed=3)
    view = game.view(game.turn)
    looks = [look_at_move(view, move, foresight).prospect for move in list(game.legal_moves)[::9]]
    for one in looks:
        for reason, _ in Compared(view.seat, one, looks).totals():
            assert reason.kind != "special_plates" or abs(reason.points) < 6
