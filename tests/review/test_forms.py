"""The forms of sentences: a position for each, in which its facts hold, and the same where one does not, in which
another form is told. What the numbers carry is given here; `test_sentences` and `test_reasons` find it."""

from __future__ import annotations

from typing import Final, NamedTuple, get_args

import pytest

from sintra import Game, Move
from sintra.review import reasons
from sintra.review.coaching import Coach
from sintra.review.forms import FORMS, Sentence, sentences_of_sums
from sintra.review.looks import Reply
from sintra.review.reasons import Reason, ReasonKind, SumKind
from sintra.review.sentences import Teller
from sintra.rules.state import Stage

from .test_reasons import OTHERS, dome, table

TELLER: Final = Teller()
Keys = dict[str, str]


class Case(NamedTuple):
    """A move, what it is held against, and a reason that is given for it, or with fewer than 0 points against it."""

    form: str
    """The form that is told."""
    kind: ReasonKind
    """What the reason is about."""
    move: str
    """The move."""
    keys: Keys
    """The table."""
    lacks: Keys
    """What is another way where the form must not be told; `move`, `others`, `reply` and `theirs` among them."""
    others: str = ""
    """The other moves, apart by spaces."""
    points: float = 2.0
    """What the reason weighs."""
    reply: str = ""
    """What the opponent is expected to do after the move."""
    theirs: str = ""
    """What the opponent is expected to do after the other."""
    own_next: str = ""
    """A take of two tiles, of which one breaks, that the mover is expected to make then."""
    goal: str = ""
    """The goal of the reason."""
    line: tuple[int, str] = (0, "")
    """The line of the reason, and its colour."""


def told(case: Case) -> Sentence:
    """The sentence of a case."""
    game = table(**case.keys)
    reason = Reason(case.kind, case.points, case.goal, *case.line)
    others = [Move.parse(token) for token in case.others.split()]
    view = game.view(game.turn)
    view.legal_moves.require(case.move)
    for one in others:
        view.legal_moves.require(one)
    reply, theirs = (Reply(Move.parse(token), 2) if token else None for token in (case.reply, case.theirs))
    own_next = Reply(Move.parse(case.own_next), 2, 1) if case.own_next else None
    (found,) = TELLER.sentences(view, Move.parse(case.move), others, [reason], reply, theirs, own_next)
    assert found.kind == case.kind
    return found


def lacking(case: Case) -> Case:
    """The case where a fact does not hold."""
    more = dict(case.lacks)
    return case._replace(
        move=more.pop("move", case.move),
        others=more.pop("others", case.others),
        reply=more.pop("reply", case.reply),
        theirs=more.pop("theirs", case.theirs),
        own_next=more.pop("own_next", case.own_next),
        keys=case.keys | more,
    )


ROUND_5: Final = {"round": "5", "factory_L": "sun - moon BK", "a_plates": "11=02r0", "a_dome": dome({1: "T....."})}
TWO_BLUE: Final = {"round": "5", "factory_L": "sun - moon BBK"}
MANY_TILES: Final = {f"factory_{k}": "sun BKRT moon - chip down" for k in "12"}
FEW_TILES: Final = {f"factory_{k}": "sun - moon K chip down" for k in "12"}
LAYING: Final = {"round": "3", "display": "02 01", "b_plates": OTHERS, "a_left": "markers=2 chips=0"}
TILING: Final = {"stage": "tiling", "round": "2", "a_plates": "11=02r0 12=03r0", "a_lines": "B1 - - - - -"}
CHIP: Final = {
    "round": "3",
    "factory_L": "sun - moon B",
    "factory_1": "sun - moon - chip up",
    "a_left": "markers=0 chips=1",
}
START: Final = {
    "round": "3",
    "factory_1": "sun - moon K chip down",
    "factory_L": "sun - moon B",
    "start_tile": "factory",
}
TWO_BLACK: Final = {"factory_2": "sun - moon K chip down"}
PAYING: Final = {"stage": "tiling", "round": "3", "a_lines": "- B1 - - - -", "a_plates": "11=02r2", "a_store": "B- B-"}
CHIPS: Final = {"a_store": "B- B- Y- K- T- KB"}
HALF_PAID: Final = {"a_lines": "- B1 - - - -", "a_plates": "11=02r2", "a_store": "B- B-", "a_dome": dome({})}
ONE_MORE: Final = {"round": "5", "a_lines": "- B1 - - - -", "a_plates": "11=02r2", "a_store": "T- Y-"}
TWO_MISSING: Final = {"a_lines": "- - B1 - - -", "a_plates": "21=02r0", "a_store": "B- B- KB KB"}
WAITING: Final = {"a_dome": dome({1: "YK...."}), "a_lines": "- T2 - - - -"}
FULL: Final = {"a_lines": "R1 R1 R1 R1 R1 B5"}

CASES: Final = (
    # what the move brings
    Case("completes", "placement", "MB1", ROUND_5, {"move": "MB2"}),
    Case(
        "completes_run",
        "placement",
        "MB1",
        ROUND_5 | {"a_plates": "11=02r0 12=03r0", "a_dome": dome({1: "T.TR.."})},
        {"a_dome": dome({1: "T....."})},
    ),
    Case("fills", "placement", "MB3", TWO_BLUE, {"move": "MB2"}),
    Case("waits", "lines", "MB1", ROUND_5 | {"round": "3", "a_plates": "21=02r0", "a_dome": dome({})}, {"round": "5"}),
    Case("places", "placement", "T12", TILING, {"a_dome": dome({1: "T.TR.."})}),
    Case("places_run", "placement", "T12", TILING | {"a_dome": dome({1: "T.TR.."})}, {"a_dome": dome({1: "T....."})}),
    Case("more_now", "placement", "MBx", TWO_BLUE, {"move": "MB3"}),
    Case(
        "special_now",
        "specials",
        "MT2",
        {"round": "5", "factory_L": "sun - moon T", "a_plates": "11=01r0", "a_lines": "- T1 - - - -"}
        | {"a_dome": dome({1: "YK...."})},
        {"a_dome": dome({1: "Y....."})},
    ),
    Case("special_soon", "specials", "MB3", ROUND_5, {"a_plates": "11=01r0", **WAITING}),
    Case(
        "goals_space",
        "goals",
        "T11",
        TILING | {"round": "5", "goals": "rows wilds diagonals", "a_plates": "11=02r0"},
        {"goals": "rows edge diagonals"},
        others="T12",
    ),
    Case(
        "goals_now",
        "goals",
        "T12",
        TILING | {"round": "5", "goals": "rows edge diagonals"},
        {"goals": "rows columns wilds"},
    ),
    Case("goals_more", "goals", "T12", TILING | {"round": "5"}, {"goals": "rows edge diagonals"}),
    Case("pays", "placement", "U2:B-,B-", PAYING, {}),
    Case("pays_part", "placement", "U3:B-,B-", PAYING | TWO_MISSING, {"a_lines": "- - B2 - - -"}),
    Case("chip_completes", "placement", "C1", CHIP | ONE_MORE, {"a_store": "T-"}),
    Case("chip_soon", "placement", "C1", CHIP | {"round": "5"}, ONE_MORE),
    Case(
        "better_space",
        "placement",
        "P02@12r0",
        LAYING | {"a_plates": "11=06r0 13=10r2", "a_lines": "B1 - - - - -", "a_dome": dome({1: "TY...."})},
        {"a_plates": "11=06r0 13=10r0"},
    ),
    # what it saves
    Case("fits", "broken", "MB2", TWO_BLUE, {"others": "MB3 MB4"}, others="MB1 MBx"),
    Case("other_breaks", "broken", "MB6", TWO_BLUE | FULL, {"a_lines": "R1 R1 R1 R1 R1 B4"}, others="MBx"),
    Case("other_breaks_room", "broken", "MB2", TWO_BLUE, {"others": "MB3"}, others="MBx"),
    Case(
        "other_no_space",
        "broken",
        "MB2",
        TWO_BLUE | {"a_plates": "21=09r0 22=03r0 23=04r0"},
        {"a_plates": "21=09r0 22=03r0"},
        others="MB3",
    ),
    Case("left_with", "broken", "MK3", TWO_BLUE, {"own_next": ""}, others="MB2", own_next="MK1"),
    Case("breaks_less", "broken", "MK3", TWO_BLUE, {"others": "MB1"}, others="MB2"),
    Case("saves_line", "broken", "P02@21r0", LAYING | {"a_lines": "- - B3 - - -"}, {"a_lines": "- - - - - -"}),
    Case("avoids_start", "start_tile", "MK2", START, {}),
    Case("start_likely", "start_tile", "MK2", START | TWO_BLACK, {"others": "MB2"}, others="MK1"),
    Case("saves_draws", "draws", "MB2", ROUND_5, {}),
    Case("fewer_draws", "draws", "P02@11r0", LAYING, {"others": "D"}, others="P01@11r0"),
    # what it does for later rounds
    Case("prepares", "lines", "MB5", TWO_BLUE, {"move": "MB2"}),
    Case("keeps_free", "lines", "MB2", TWO_BLUE, {"others": "MB1"}, others="MK3"),
    Case("completes_later", "lines", "MB1", ROUND_5, {"a_plates": "", "a_dome": dome({})}),
    Case("unbound", "lines", "MBx", TWO_BLUE, {"a_lines": "R1 R1 R1 R1 R1 R1"}),
    Case("ready", "lines", "MBx", TWO_BLUE | {"a_lines": "R1 R1 R1 R1 R1 R1"}, {"a_lines": "R1 R1 R1 R1 - R1"}),
    Case("keeps_wild", "lines", "T12", TILING | {"a_plates": "11=02r0"}, {"others": ""}, others="T11"),
    Case("keeps_space", "lines", "T11", TILING | {"a_plates": "11=02r0"}, {"others": ""}, others="T12"),
    Case("keeps_line", "lines", "E", PAYING, {"others": ""}, others="U2:B-,B-"),
    Case("frees_line", "lines", "U2:B-,B-", PAYING, {"others": ""}, others="E"),
    Case("draw", "lines", "D", LAYING, {"move": "P02@11r0"}),
    Case("draw_spaces", "lines", "D", LAYING | {"factory_L": "sun - moon B"}, {"others": "P02@11r0"}, others="MB2"),
    Case("first_spaces", "lines", "P02@11r0", LAYING, {"a_plates": "12=06r0"}),
    Case("spaces", "lines", "P02@11r0", LAYING | {"a_plates": "12=06r0"}, {"a_plates": "12=06r0 13=07r0"}),
    Case(
        "neighbours",
        "lines",
        "P02@12r0",
        LAYING | {"a_plates": "11=06r0 13=07r0", "a_dome": dome({1: ".Y...."})},
        {"a_dome": dome({})},
    ),
    Case("shorter_lines", "lines", "P02@12r0", LAYING, {"others": "P02@13r0"}, others="P02@22r0"),
    Case(
        "new_space",
        "lines",
        "P02@12r0",
        LAYING | {"a_plates": "11=06r0 13=07r0"},
        {"a_plates": "11=06r0 13=08r0"},
        others="P02@12r1",
    ),
    Case("plate_slot", "lines", "P02@12r0", LAYING, {"others": "P02@22r0 D"}, others="P02@13r0"),
    Case("plate_turned", "lines", "P02@12r0", LAYING, {"others": "P02@12r1 P02@13r0"}, others="P02@12r1"),
    Case("plate_fits", "lines", "P02@12r0", LAYING | {"a_plates": "11=06r0 13=08r0"}, {"a_dome": dome({1: ".Y...."})}),
    Case(
        "opens", "opens", "P02@21r0", LAYING | {"a_lines": "- - B2 - - -"}, {"a_lines": "- - B3 - - -"}, line=(3, "B")
    ),
    Case(
        "opens_now",
        "opens",
        "P02@21r0",
        LAYING | {"a_lines": "- - B3 - - -"},
        {"a_lines": "- - B2 - - -"},
        line=(3, "B"),
    ),
    Case("column", "columns", "T12", TILING, {"move": "E", "a_lines": "- - - - - -"}),
    Case("columns", "columns", "MBx", TWO_BLUE, {**ROUND_5, "move": "MB1"}),
    Case("special_plate", "special_plates", "P01@11r0", LAYING, {"move": "P02@11r0"}),
    Case(
        "special_near",
        "special_plates",
        "T21",
        TILING | {"a_lines": "- T2 - - - -", "a_plates": "11=01r0 13=02r0", "a_dome": dome({1: "Y....."})},
        {"a_plates": "11=06r2 13=02r0", "a_dome": dome({}), "move": "T22"},
    ),
    Case("special_later", "special_plates", "MBx", TWO_BLUE, {**LAYING, "move": "P01@11r0"}),
    Case("goal_place", "goal", "MB1", ROUND_5, {"move": "MB2"}, goal="rows"),
    Case("goal_plate", "goal", "P02@11r0", LAYING, {"move": "D"}, goal="rows"),
    Case("goal", "goal", "MBx", TWO_BLUE, {**LAYING, "move": "P02@11r0"}, goal="rows"),
    Case("chip", "chips", "C1", CHIP, {"move": "MB2"}),
    Case("keeps_chips", "chips", "E", PAYING, {"move": "U2:B-,B-", "others": "U2:B-,KB", **CHIPS}, others="U2:B-,B-"),
    Case("fewer_chips", "chips", "U2:B-,B-", PAYING | CHIPS, {"others": "U2:B-,KB"}, others="U2:Y-,K-,T-"),
    Case("better_chips", "chips", "U2:B-,B-", PAYING | CHIPS, {"others": "U2:Y-,K-,T-"}, others="U2:B-,KB"),
    Case("saves_chips", "chips", "MB2", {**ROUND_5, **HALF_PAID}, {"a_store": ""}, others="MK1"),
    Case("chips_left", "chips", "MB2", CHIP, {"move": "C1"}),
    Case("starts", "starts", "MB2", START, {"start_tile": "1"}),
    Case("starts_later", "starts", "MB2", START | {"start_tile": "1"}, {"start_tile": "factory"}),
    # what it does to the opponent
    Case("last_tiles", "their_penalties", "MB2", ROUND_5 | FEW_TILES, MANY_TILES),
    Case("their_breaks", "their_penalties", "MB2", ROUND_5 | MANY_TILES, FEW_TILES),
    Case("denies_take", "their_points", "MB2", TWO_BLUE, {"theirs": "MK1"}, theirs="MB1"),
    Case("denies_plate", "their_later", "P02@11r0", LAYING, {"theirs": "P01@12r0"}, theirs="P02@12r0"),
    Case("denies_chip", "their_chips", "C1", CHIP, {"theirs": "MB2"}, theirs="C1"),
    Case("averts_take", "their_points", "MB2", TWO_BLUE, {"reply": "MK1"}, theirs="MK1", reply="MK2"),
    Case("averts_plate", "their_later", "P02@11r0", LAYING, {"theirs": "P02@12r0"}, theirs="P01@12r0", reply="D"),
    Case("averts_chip", "their_chips", "MB2", CHIP, {"reply": "C1"}, theirs="C1", reply="MB2"),
    Case("denies_exactly", "their_points", "MB2", TWO_BLUE | {"b_lines": "- - - B2 - -"}, {"b_lines": "- - - B1 - -"}),
    Case("denies_line", "their_points", "MB2", TWO_BLUE | {"b_lines": "- - - B1 - -"}, {"b_lines": "- - - R1 - -"}),
    Case("same_left", "their_points", "MB2", TWO_BLUE, {"others": "MK3"}, others="MB3"),
    Case("denies", "their_points", "MB2", TWO_BLUE, {"b_lines": "- - - B1 - -"}),
    Case("denies_later", "their_later", "MB2", TWO_BLUE, {"b_lines": "- - - B1 - -"}),
    # what speaks against it
    Case("breaks", "broken", "MB1", TWO_BLUE | {"a_lines": "- R1 R1 R1 R1 R1"}, {"move": "MK1"}, points=-2),
    Case("breaks_room", "broken", "MB1", TWO_BLUE, {"move": "MB2"}, points=-2),
    Case(
        "no_space",
        "broken",
        "MB3",
        TWO_BLUE | {"a_plates": "21=09r0 22=03r0 23=04r0"},
        {"a_plates": "21=09r0 22=03r0"},
        points=-2,
    ),
    Case("risks", "broken", "MB2", TWO_BLUE, {"move": "MB1"}, points=-2),
    Case("takes_start", "start_tile", "MB2", START, {}, points=-2),
    Case("draws", "draws", "D", LAYING, {"move": "P02@11r0"}, points=-2),
    Case("less_now", "placement", "MB2", TWO_BLUE, {}, points=-2),
    Case("less_later", "lines", "MB2", TWO_BLUE, {}, points=-2),
    Case("loses_start", "starts", "MK2", START, {}, points=-2),
    Case("leaves_take", "their_points", "MK1", TWO_BLUE, {"reply": ""}, points=-2, reply="MB2"),
    Case("leaves_plate", "their_later", "P02@11r0", LAYING, {"reply": ""}, points=-2, reply="P01@12r0"),
    Case("leaves_chip", "their_chips", "MB2", CHIP, {"reply": ""}, points=-2, reply="C1"),
    Case("leaves", "their_points", "MK1", TWO_BLUE, {"reply": "MB2"}, points=-2),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.form)
def test_a_form_is_told_where_its_facts_hold_and_only_there(case: Case) -> None:
    found = told(case)
    assert found.form == case.form
    if "points" in FORMS[found.form] and case.form not in (
        "breaks",
        "breaks_room",
        "other_breaks",
        "other_breaks_room",
    ):
        assert found.args["points"] == case.points
    if case.lacks:
        assert told(lacking(case)).form != case.form


def test_what_the_opponent_takes_otherwise_is_told_if_something_else_is_left_to_them() -> None:
    case = Case("denies", "their_points", "MB2", TWO_BLUE, {}, theirs="MK1")
    assert told(case._replace(reply="MK1")).form == "denies"
    assert told(case._replace(reply="MK2")).form == "averts_take"


def test_the_other_move_does_not_break_more_where_this_one_does() -> None:
    case = Case("breaks_less", "broken", "MBx", TWO_BLUE, {}, others="MB1")
    assert told(case).form == "breaks_less"
    assert told(case._replace(move="MB1", others="MBx")).form.startswith("other_breaks")


def test_what_both_plates_do_is_no_reason() -> None:
    plates = LAYING | {"a_plates": "11=06r0 13=07r0", "a_dome": dome({1: ".Y...."})}
    case = Case("neighbours", "lines", "P02@12r0", plates, {})
    assert told(case).form == "neighbours"
    assert told(case._replace(others="P01@12r0")).form == "plate_fits"
    case = Case("first_spaces", "lines", "P02@11r0", LAYING, {})
    assert told(case).form == "first_spaces"
    assert told(case._replace(others="P01@21r0")).form == "plate_fits", "rows 3 and 4 get their first spaces, too"
    assert told(case._replace(others="P01@12r0")).form == "plate_fits"
    assert told(case._replace(others="P02@21r0")).form == "shorter_lines"


def test_what_both_takes_do_is_no_reason() -> None:
    needed = Case("denies_line", "their_points", "MB2", TWO_BLUE | {"b_lines": "- - - B1 - -"}, {})
    assert told(needed._replace(others="MK2")).form == "denies_line"
    assert told(needed._replace(others="MB3")).form == "same_left"
    assert told(needed._replace(others="MB3", theirs="MB4")).form == "same_left"
    both = {"factory_1": "sun BKKK moon - chip down", "b_lines": "- - - B2 - -"}
    assert told(needed._replace(keys=TWO_BLUE | both, others="S1B3:KKK")).form == "denies_exactly"
    assert told(needed._replace(keys=TWO_BLUE | both | {"b_lines": "- - - B1 - -"}, others="S1B3:KKK")).form == "denies"
    filled = Case("completes", "placement", "MB1", ROUND_5 | both, {})
    assert told(filled._replace(others="MB2")).form == "completes"
    assert told(filled._replace(others="S1B1:KKK")).form == "more_now"


def test_what_takes_of_several_moves_share_is_no_reason_if_most_or_the_best_of_them_do() -> None:
    needed = Case("denies_line", "their_points", "MB2", TWO_BLUE | {"b_lines": "- - - B1 - -"}, {})
    assert told(needed._replace(others="MK2 MK3 MB3")).form == "denies_line"
    assert told(needed._replace(others="MK2 MB3")).form == "denies_line"
    assert told(needed._replace(others="MK2 MB3 MB4")).form == "denies"
    assert told(needed._replace(others="MB3 MK2 MK3")).form == "denies"


DEAD: Final = {"a_plates": "21=09r0 22=03r0 23=04r0"}


@pytest.mark.parametrize("kind", ["broken", "placement"])
def test_a_move_that_puts_tiles_where_they_can_only_break_is_told_of(kind: ReasonKind) -> None:
    view = (game := table(**TWO_BLUE | DEAD)).view(game.turn)
    found = [Reason("lines", 5.0), Reason("chips", 4.0), Reason(kind, 1.0)]
    told = TELLER.sentences(view, Move.parse("MB2"), [Move.parse("MB3")], found)
    assert [one.form for one in told][1:] == ["other_no_space"]
    assert told[1].args == {"count": 2, "color": "B", "line": 3, "points": 1}
    assert told[1].kind == kind
    for better, other, given in (("MB3", "MB2", found), ("MB2", "MB3", found[:2])):
        told = TELLER.sentences(view, Move.parse(better), [Move.parse(other)], given)
        assert "other_no_space" not in [one.form for one in told]


def test_tiles_that_the_other_move_breaks_are_told_of() -> None:
    view = (game := table(**TWO_BLUE)).view(game.turn)
    found = [Reason("lines", 5.0), Reason("chips", 4.0), Reason("broken", 1.0)]
    told = TELLER.sentences(view, Move.parse("MB3"), [Move.parse("MB1")], found)
    assert [one.form for one in told][1:] == ["other_breaks_room"]


def test_a_move_is_not_blamed_for_what_the_better_one_does_too() -> None:
    case = Case("breaks", "broken", "MB1", TWO_BLUE, {}, points=-2)
    assert told(case._replace(others="MBx")).form == "risks"
    assert told(case._replace(others="MB2")).form == "breaks_room"
    case = Case("leaves_take", "their_points", "MK1", TWO_BLUE, {}, points=-2, reply="MB2")
    assert told(case._replace(theirs="MB2")).form == "leaves"
    case = Case("takes_start", "start_tile", "MK2", START, {}, points=-2)
    assert told(case).form == "less_now"


def test_with_no_plate_in_sight_a_draw_brings_spaces_but_no_better_ones() -> None:
    case = Case("draw", "lines", "D", LAYING, {})
    assert told(case).form == "draw"
    assert told(case._replace(keys=LAYING | {"display": "-"})).form == "draw_spaces"


def test_a_further_draw_gives_more_to_choose_from() -> None:
    game = Game.new(seed=3)
    while game.stage != Stage.DRAWING:
        game.push(draw if (draw := Move.parse("D")) in game.legal_moves else next(iter(game.legal_moves)))
    (found,) = TELLER.sentences(game.view(game.turn), Move.parse("D"), [Move.parse("H")], [Reason("lines", 2.0)])
    assert found.form == "draw_more"
    (found,) = TELLER.sentences(game.view(game.turn), Move.parse("H"), [Move.parse("D")], [Reason("draws", 2.0)])
    assert found.form == "stops"


def test_a_take_that_is_only_stacked_otherwise_is_told_by_its_stack() -> None:
    keys = {"round": "5", "factory_1": "sun BKRT moon - chip down"}
    view = (game := table(**keys)).view(game.turn)
    found = [Reason("their_points", 3.0), Reason("placement", 2.0)]
    told = TELLER.sentences(view, Move.parse("S1B2:KRT"), [Move.parse("S1B2:KTR")], found)
    assert "stacked" not in [one.form for one in told[1:]]
    assert told[0].form == "stacked"
    assert told[0].args == {"color": "T", "factory": "1", "points": 3}
    assert told[0].places == ("moon-1",)
    for other in ("S1B2:RKT", "S1B3:KTR", "S1K2:BTR"):
        told = TELLER.sentences(view, Move.parse("S1B2:KRT"), [Move.parse(other)], found)
        assert "stacked" not in [one.form for one in told]


def test_a_second_reason_names_something() -> None:
    view = (game := table(**TWO_BLUE)).view(game.turn)
    found = [Reason("placement", 3.0), Reason("their_points", 2.0), Reason("chips", 1.0)]
    told = TELLER.sentences(view, Move.parse("MB3"), [], found)
    assert [one.form for one in told] == ["fills", "chips_left"]
    assert [one.form for one in TELLER.sentences(view, Move.parse("MB3"), [], found[1:])] == ["denies", "chips_left"]


@pytest.mark.parametrize(
    ("kind", "form"),
    [("this_round", "sum_now"), ("later_rounds", "sum_later"), ("opponent", "sum_opponent")],
)
def test_sums_have_a_form_each(kind: SumKind, form: str) -> None:
    (found,) = sentences_of_sums({kind: 1.4})
    assert (found.form, found.args, found.kind) == (form, {"points": 1}, kind)
    assert sentences_of_sums({}) == ()


def first_forms(game: Game) -> list[str]:
    """The first forms of the hints for a position."""
    coach = Coach(sims=60, look_sims=30)
    return [one.why[0].form for one in coach.advise(game.view(game.turn)).moves]


def test_a_single_move_needs_no_reason() -> None:
    assert first_forms(table(stage="tiling", round="2")) == ["only"]


def test_what_is_known_to_the_end_says_so_where_all_is_alike() -> None:
    assert first_forms(table(round="5", factory_L="sun - moon BK")) == ["exact"]
    assert first_forms(table(stage="tiling", round="5", a_plates="11=02r0", a_lines="B1 - - - - -")) == ["tiled"]


def test_where_nothing_weighs_enough_moves_are_equal_or_many_things_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "MIN_POINTS", 1000.0)
    found = Coach(sims=60, look_sims=30).advise(Game.new(seed=3).view(Game.new(seed=3).turn))
    forms = {one.why[0].form for one in found.moves}
    assert forms <= {"nothing", "small"}
    assert ("nothing" in forms) == (found.about_equal > 1)


UNMADE: Final = {
    "only",
    "draw_more",
    "stops",
    "stacked",
    "exact",
    "tiled",
    "nothing",
    "small",
    "sum_now",
    "sum_later",
    "sum_opponent",
}
"""Forms that have tests of their own."""


def test_every_form_and_every_kind_of_reason_has_a_position() -> None:
    assert set(FORMS) == {case.form for case in CASES} | UNMADE
    assert {case.kind for case in CASES} == set(get_args(ReasonKind))
