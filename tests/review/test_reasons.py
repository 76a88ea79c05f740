"""Reasons: each kind on a small table made for it, where it holds and where its cause is taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Final, get_args

import pytest

from sintra import Color, Game, Move
from sintra.features.board import NAMES
from sintra.players.thinking.evaluator import load_evaluator
from sintra.players.thinking.prospects import PROMISE_SHARES, Foresight
from sintra.review.reasons import Reason, ReasonKind, line_completed, line_opened, reasons_for
from sintra.review.report import REASONS, in_words

VALUE: Final = load_evaluator(str(Path(__file__).parents[2] / "docs" / "learning" / "fifth-run.json"))
"""A value that adds up weights, so that what a reason weighs can be told from them."""
FORESIGHT: Final = Foresight(sims=60, lines=16, evaluator=VALUE)
TABLE: Final = {
    "turn": "0",
    "first": "0",
    "start tile": "1",
    "goals": "rows columns diagonals",
    **{f"factory {f}": "sun - moon - chip gone" for f in range(1, 5)},
    **{f"{seat} left": "markers=0 chips=0" for seat in range(2)},
    **{f"{seat} score": "20" for seat in range(2)},
}
"""Nothing is left on it but what a test lays there."""

OTHERS: Final = "11=03r0 12=04r0 13=05r0"
"""Plates that lie with the other seat."""


def table(**more: str) -> Game:
    """A position with these keys: `a_` begins those of seat 0, `b_` those of seat 1."""
    keys = {key.replace("a_", "0 ").replace("b_", "1 ").replace("_", " "): value for key, value in more.items()}
    return Game.from_position("; ".join(f"{key}: {value}" for key, value in (TABLE | keys).items()), seed=1)


def dome(rows: dict[int, str]) -> str:
    """The tiles of a dome, by the rows that hold any."""
    return " ".join(rows.get(row, "......") for row in range(1, 7))


def told(game: Game, better: str, other: str) -> dict[ReasonKind, Reason]:
    """The reasons for one move and against another by their kinds, each of which is given once."""
    found = reasons_for(game.view(game.turn), Move.parse(better), Move.parse(other), FORESIGHT)
    kinds = {reason.kind: reason for reason in found}
    assert len(kinds) == len(found)
    pros = [reason.points for reason in found if reason.points > 0]
    assert pros == sorted(pros, reverse=True)
    assert len(pros) <= 3
    assert len(found) - len(pros) <= 1
    if found:
        back = reasons_for(game.view(game.turn), Move.parse(other), Move.parse(better), FORESIGHT)
        assert back == (), "the worse move is better for no reason"
    return kinds


def sizes(game: Game, better: str, other: str) -> dict[ReasonKind, float]:
    """What each kind of reason weighs."""
    return {kind: round(reason.points, 2) for kind, reason in told(game, better, other).items()}


def weight(feature: str, round_no: int) -> float:
    """What the packaged value gives for a feature of a board at the end of a round."""
    return float(VALUE.weights[round_no - 1, NAMES.index(feature)])


def worth_of_a_chip() -> float:
    """At the end of round 3: each counts as a chip and, as one of the first three, once more."""
    return weight("unused chips 1", 3) + weight("unused chips 2", 3)


class TestPointsOfThisRound:
    """In round 5, with few tiles left, all follows from the move: the points are exact."""

    def test_placement_names_the_line_that_the_move_completes(self) -> None:
        plate = {"a_plates": "11=02r0", "a_dome": dome({1: "T....."})}
        keys = {"round": "5", "factory_L": "sun - moon BK"}
        found = told(table(**keys, **plate), "MB1", "MB2")
        assert found == {"placement": Reason("placement", 2.0, line=1, color="B")}
        assert in_words(tuple(found.values())) == "+2.0 tiles placed this round (blue completes line 1)"
        assert told(table(**keys), "MB1", "MB2") == {}

    def test_a_placement_that_both_moves_bring_names_no_line(self) -> None:
        keys = {"a_plates": "11=02r0", "a_dome": dome({1: "T....."}), "factory_1": "sun BKKK moon - chip down"}
        game = table(round="5", factory_L="sun - moon B", **keys, b_lines="R1 R1 R1 R1 R1 R1")
        view = game.view(0)
        assert line_completed(view, Move.parse("MB1")) == line_completed(view, Move.parse("S1B1:KKK"))
        found = told(game, "MB1", "S1B1:KKK")
        assert found["placement"].points > 0.5
        assert all(not reason.line for reason in found.values())

    @pytest.mark.parametrize(("row", "special"), [("YK....", {"specials": 2.0}), ("Y.....", {})])
    def test_specials(self, row: str, special: dict[ReasonKind, float]) -> None:
        game = table(
            round="5", factory_L="sun - moon T", a_plates="11=01r0", a_dome=dome({1: row}), a_lines="- T1 - - - -"
        )
        assert sizes(game, "MT2", "MT3") == {"placement": 2.0, **special}

    @pytest.mark.parametrize(
        ("goals", "edge"), [("rows edge diagonals", {"goals": 1.0}), ("rows columns diagonals", {})]
    )
    def test_goals(self, goals: str, edge: dict[ReasonKind, float]) -> None:
        game = table(round="5", factory_L="sun - moon B", a_plates="11=02r0", goals=goals)
        assert sizes(game, "MB1", "MB2") == {"placement": 1.0, **edge}

    def test_broken(self) -> None:
        game = table(round="5", factory_L="sun - moon BB")
        assert sizes(game, "MB2", "MBx") == {"broken": 3.0}
        assert sizes(game, "MB2", "MB1") == {"broken": 1.0}
        assert sizes(game, "MB2", "MB3") == {}

    def test_what_a_floor_of_0_does_not_cost_is_no_reason(self) -> None:
        assert sizes(table(round="5", factory_L="sun - moon BB", a_score="0"), "MB2", "MBx") == {}

    def test_start_tile_for_who_must_take_what_is_left(self) -> None:
        keys = {"round": "5", "factory_1": "sun - moon K chip down", "factory_L": "sun - moon B"}
        game = table(**keys, start_tile="factory")
        assert sizes(game, "MK2", "MB2") == {"start_tile": 2.0, "their_penalties": 2.0}
        assert sizes(table(**keys, start_tile="0"), "MK2", "MB2") == {}

    def test_draws(self) -> None:
        keys = {"round": "4", "display": "02", "b_plates": OTHERS}
        game = table(**keys, factory_L="sun - moon -", a_left="markers=1 chips=0", a_lines="B1 - - - - -")
        found = sizes(game, "P02@11r0", "D")
        assert found["draws"] == 1.0
        assert "draws" not in told(game, "P02@11r0", "P02@11r2")

    def test_their_points(self) -> None:
        keys = {"round": "5", "factory_L": "sun - moon BK", "b_dome": dome({1: "T....."})}
        game = table(**keys, b_plates="11=02r0")
        assert sizes(game, "MB2", "MK2") == {"their_points": 2.0}
        held = table(**keys, b_plates="11=02r0", b_lines="K1 - - - - -")
        assert sizes(held, "MB2", "MK2") == {}

    def test_their_penalties(self) -> None:
        """What fits none of the other's lines is left to them."""
        game = table(round="5", factory_L="sun - moon BKKK", b_lines="R1 R1 R1 R1 R1 B1")
        found = sizes(game, "MB2", "MK3")
        assert set(found) == {"their_penalties"}
        assert 4.5 < found["their_penalties"] <= 6  # 6 for three tiles, less what else they may break
        assert sizes(table(round="5", factory_L="sun - moon BKKK"), "MB2", "MK3") == {}


class TestLaterRounds:
    """What the boards promise, about as much as the value of boards says."""

    def test_lines(self) -> None:
        keys = {"round": "3", "factory_L": "sun - moon BBB"}
        rows = {"09r2": ("MB5", "MB6"), "09r0": ("MB6", "MB5")}  # blue in row 5, or in row 6
        for plate, (better, other) in rows.items():
            found = sizes(table(**keys, a_plates=f"31={plate}"), better, other)
            assert set(found) == {"lines"}
            assert 1.0 < found["lines"] < 4

    @pytest.mark.parametrize(("line", "size"), [("B3", "complete"), ("B2", "begun")])
    def test_opens_names_the_line_that_waits(self, line: str, size: str) -> None:
        keys = {"round": "3", "display": "02", "b_plates": OTHERS, "a_left": "markers=1 chips=0"}
        game = table(**keys, a_lines=f"- - {line} - - -")
        assert line_opened(game.view(0), Move.parse("P02@21r0")) == (3, Color.BLUE)
        assert line_opened(game.view(0), Move.parse("P02@11r0")) is None
        found = told(game, "P02@21r0", "P02@11r0")
        assert found["opens"].line == 3
        assert found["opens"].color == "B"
        assert found["opens"].points > (2.0 if size == "complete" else 0.5)
        assert {"placement", "lines"}.isdisjoint(kind for kind, reason in found.items() if reason.points > 0)
        assert "opens" not in told(table(**keys), "P02@21r0", "P02@11r0")

    def test_a_line_that_both_plates_open_is_no_reason(self) -> None:
        keys = {"round": "1", "display": "02", "b_plates": OTHERS, "a_left": "markers=1 chips=0"}
        game = table(**keys, a_lines="- - B3 - - -", a_plates="11=15r2", a_dome=dome({2: ".T...."}))
        view = game.view(0)
        assert line_opened(view, Move.parse("P02@21r0")) == line_opened(view, Move.parse("P02@23r0")) == (3, Color.BLUE)
        found = told(game, "P02@21r0", "P02@23r0")
        assert found["placement"].points == 1.0  # below a tile there
        assert not found["placement"].line
        assert "opens" not in found

    def test_a_plate_gives_no_line_a_space_that_has_one(self) -> None:
        keys = {
            "round": "3",
            "display": "02",
            "b_plates": OTHERS,
            "a_left": "markers=1 chips=0",
            "a_lines": "- - B3 - - -",
        }
        game = table(**keys, a_plates="22=15r0")
        assert line_opened(game.view(0), Move.parse("P02@21r0")) is None
        assert line_opened(table(**keys).view(0), Move.parse("P02@21r2")) is None  # row 3: black and turquoise

    @pytest.mark.parametrize("round_no", [1, 2, 3, 4])
    def test_columns_only_where_fuller_ones_are_worth_more(self, round_no: int) -> None:
        keys = {
            "stage": "tiling",
            "round": str(round_no),
            "a_lines": "B1 - - - - -",
            "a_plates": "11=02r0 21=03r0 31=09r0",
            "goals": "rows edge diagonals",
        }
        full = table(**keys, a_dome=dome({3: "T.....", 4: "B.....", 5: "T....."}))
        for better, other in (("T11", "T12"), ("T12", "T11")):
            for kind, reason in told(full, better, other).items():
                assert kind != "columns" or (reason.points > 0) == (better == "T11")
        if round_no == 1:
            worth = sum(weight(name, 1) for name in ("columns squared", "fullest column", "columns of 4 or more"))
            assert told(full, "T11", "T12")["columns"].points == pytest.approx(worth, abs=0.01)
        assert "columns" not in told(table(**keys), "T11", "T12")

    def test_special_plates(self) -> None:
        keys = {"stage": "tiling", "round": "2", "a_lines": "- T2 - - - -", "goals": "rows edge diagonals"}
        near = table(**keys, a_plates="11=01r0 13=02r0", a_dome=dome({1: "Y....."}))
        promised = weight("special plates with 2 of 3", 2) * PROMISE_SHARES[0][1]
        assert 0.5 < told(near, "T21", "T25")["special_plates"].points < promised
        none = table(**keys, a_plates="11=06r2 13=02r0", a_dome=dome({1: "K....."}))
        found = told(none, "T22", "T25") or told(none, "T25", "T22")
        assert "special_plates" not in found

    def test_a_special_tile_of_this_round_is_not_missed_later(self) -> None:
        """What it was worth as a hope is taken off what it brings."""
        game = table(
            round="3", factory_L="sun - moon T", a_plates="11=01r0", a_dome=dome({1: "YK...."}), a_lines="- T1 - - - -"
        )
        found = sizes(game, "MT2", "MT6")
        assert found["placement"] == 2.0
        assert len({"specials", "special_plates"} & set(found)) <= 1

    def test_goal(self) -> None:
        keys = {"stage": "tiling", "round": "3", "a_lines": "- - - - B5 -", "a_plates": "31=02r0 32=15r0"}
        lower = dome({6: "T....."})
        found = told(table(**keys, a_dome=lower, goals="rows edge corners"), "T52", "T54")
        assert found["goal"].goal == "corners"
        assert 0.5 < found["goal"].points < 1, "about half of what the value gives came as points of the goal"
        assert "the goal corners" in in_words(tuple(found.values()))
        assert "goal" not in told(table(**keys, a_dome=lower, goals="rows columns wilds"), "T52", "T54")

    def test_chips_and_their_chips(self) -> None:
        keys = {"round": "3", "factory_L": "sun - moon B", "factory_1": "sun - moon - chip up"}
        game = table(**keys, a_left="markers=0 chips=1", b_left="markers=0 chips=1")
        found = told(game, "C1", "MB2")
        assert found["chips"].points == pytest.approx(worth_of_a_chip(), abs=0.1)
        assert found["their_chips"].points == pytest.approx(worth_of_a_chip(), abs=0.1)
        alone = told(table(**keys, a_left="markers=0 chips=1"), "C1", "MB2")
        assert "their_chips" not in alone, "they may take none"

    def test_chips_kept_in_phase_2(self) -> None:
        keys = {"stage": "tiling", "round": "3", "a_lines": "- B1 - - - -"}
        game = table(**keys, a_plates="11=02r2", a_store="B- B-", a_dome=dome({1: "K.....", 2: ".R...."}))
        found = sizes(game, "U2:B-,B-", "E")
        assert found["placement"] == 4.0
        assert list(found)[-1] == "chips"
        assert found["chips"] == pytest.approx(-2 * worth_of_a_chip(), abs=0.1)

    def test_starts_and_their_later(self) -> None:
        """The start tile costs a seat without points nothing, and who takes it starts."""
        keys = {
            "round": "3",
            "factory_1": "sun - moon K chip down",
            "factory_L": "sun - moon B",
            "a_score": "0",
            "b_score": "0",
        }
        found = sizes(table(**keys, start_tile="factory"), "MB2", "MK2")
        assert found["starts"] == pytest.approx(weight("starts the next round", 3), abs=0.1)
        assert found["their_later"] == pytest.approx(weight("starts the next round", 3), abs=0.6)
        assert {"start_tile", "their_penalties"}.isdisjoint(found)
        assert "starts" not in sizes(table(**keys, start_tile="1"), "MB2", "MK2")

    def test_what_speaks_against_a_move_comes_last(self) -> None:
        keys = {"round": "3", "factory_1": "sun - moon K chip down", "factory_L": "sun - moon B"}
        found = told(table(**keys, start_tile="factory"), "MK2", "MB2")
        assert list(found)[-1] in ("starts", "their_later")
        assert list(found.values())[-1].points == pytest.approx(-weight("starts the next round", 3), abs=0.6)


def test_a_move_is_not_better_than_itself() -> None:
    game = Game.new(seed=4)
    move = str(game.legal_moves[0])
    assert told(game, move, move) == {}


def test_every_kind_has_words() -> None:
    assert list(REASONS) == list(get_args(ReasonKind))
