"""What can be wrong with a position, a record or a move: every fault has an example, and words in all languages."""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import pytest

from helpers import cut
from records.helpers import MOVES, RANDOM, Damage, double, drop, put, vector
from sintra import Game, Record, SintraError
from sintra.errors import ENGLISH, Fault
from sintra.table.shown.faults import tellings_of
from table.catalogues import LANGUAGES, texts

FULL_DOME: Final = "0 plates: " + " ".join(f"{k // 3 + 1}{k % 3 + 1}={k + 1:02}r0" for k in range(9))
EMPTY_ROWS: Final = " ......" * 5
STACK: Final = "display: 01 02 03; stack: " + " ".join(f"{plate:02}" for plate in range(4, 19))
POSITIONS: Final[dict[str, str]] = {
    "no_colon": "round 2",
    "unknown_key": "round: 2\nfoo: 3",
    "twice": "round: 2\nround: 3",
    "twice.setting": "0 left: markers=1 markers=2",
    "number": "round: 6",
    "one_of": "stage: drafting",
    "one_of.option": "options: draw_at_zero=never",
    "like": "bag: X3",
    "like.setting": "options: draw_at_zero",
    "like.factory": "factory 1: sun BYRK",
    "like.laid": "0 plates: 11=01",
    "like.dome": "0 dome: ......",
    "like.returned": "round: 2; returned: 2.1" + " -" * 14,
    "count.lines": "0 lines: - - -",
    "count.places": "returned: 0.1",
    "most.tiles": f"0 broken: {'B' * 66}",
    "most.plates": "stack: " + "01 " * 19,
    "most.chips": "0 store: " + "B- " * 21,
    "most.stack": "factory 1: sun - moon BYRK chip down",
    "most.hand": f"stage: keeping; hand: {' '.join(f'{plate:02}' for plate in range(1, 17))}",
    "most.display": "display: 01 02 03 04",
    "most.small": "factory 1: sun BYRKT moon - chip down",
    "most.broken": "0 broken: BBBBB",
    "most.taken": "round: 2; stage: tiling; 0 store: B- Y- R- K- T-",
    "goals.count": "goals: rows",
    "goals.tile": "goals: rows colors edge",
    "no_goal": "goals: rows stars edge",
    "line_word": "0 lines: B2 - - - - -",
    "placed_too_soon": "round: 2; 0 lines: K0! - - - - -; factory 1: sun B moon - chip down",
    "placed_too_soon.elsewhere": "round: 2; stage: tiling; 1 lines: K0! - - - - -",
    "large": "factory L: sun BYRKTB moon -",
    "sun_and_moon": "factory 4: sun BY moon RRR chip down",
    "dome_tile": f"0 plates: 11=01r0; 0 dome: B.....{EMPTY_ROWS}",
    "tiles.table": "0 lines: - - - - B5 B6; 1 lines: - - - - - B6",
    "bag": "bag: B3; tower: B3 Y13 R13 K13 T13",
    "start_tile": "start tile: 1; factory L: sun BYRKT moon -",
    "no_plate": "display: 19",
    "plate_twice": "display: 01 01",
    "plate_nowhere": "display: 01 02 03; stack: 04",
    "slot_twice": "0 plates: 11=01r0 11=02r0",
    "no_slot": f"round: 2; factory 1: sun B moon - chip down; {FULL_DOME}",
    "display_more": "display: - - -",
    "plate_turn": "round: 2; returned: 0.3" + " -" * 14,
    "leaves_out": "spectator knows:" + " 04" * 15,
    "only_pile": f"{STACK}; 0 looked: 01",
    "known": "stage: keeping; factory 1: sun B moon - chip down; hand: 04 05; 0 looked: 06",
    "view.position": "seat: 0",
    "no_chip": "0 store: XX",
    "chip_thrice": "0 store: B- B- B-",
    "all_chips": "chips: B-",
    "chip_side": "factory 1: sun - moon - chip down",
    "chip_untaken": "; ".join(
        ["factory 1: sun BYRK moon - chip down"]
        + [f"factory {f}: sun B moon - chip down" for f in (2, 3, 4)]
        + ["0 store: B-"]
    ),
    "tiling": "tiling: pays=1 paid=0",
    "pay_line": "stage: tiling; tiling: pays=2 paid=0",
    "paid": "stage: tiling; tiling: pays=2 paid=0; 0 lines: - B1 - - - -",
    "no_pay_line": "stage: paying",
    "hand": "stage: keeping",
    "not_empty": "round: 2; stage: dealing; factory 4: sun - moon YKB chip down",
    "opening": "round: 3; stage: opening; display: 01 02 03",
    "no_plates_now.stage": "round: 5; stage: drawing; hand: 07 08",
    "no_marker.stage": "round: 4; stage: drawing; hand: 07; 0 left: markers=0",
    "no_move": "round: 5",
}


def hiding(**more: Any) -> Damage:
    """Hides the stack, and changes more of the deal."""

    def damage(data: dict[str, Any]) -> None:
        data["deal"]["plates"][3:] = ["??"] * 15
        data["deal"].update(more)

    return damage


def cut_to(ply: int, **more: Any) -> Damage:
    """Leaves out the later moves, and changes more."""

    def damage(data: dict[str, Any]) -> None:
        data.update(cut(Record.from_dict(data), ply).to_dict())
        data.update(more)

    return damage


def replaced_by(other: dict[str, Any]) -> Damage:
    """Another record."""

    def damage(data: dict[str, Any]) -> None:
        data.clear()
        data.update(other)

    return damage


RECORDS: Final[dict[str, Damage]] = {
    "unknown_key.inside": put("deal", "bag", value=[]),
    "unknown_key.rule": put("rules", "undo", value=True),
    "missing": drop("players"),
    "missing.deal": drop("deal", "chips"),
    "one_of.seat": put("first", value=2),
    "one_of.reason": put("result", "reason", value="bored"),
    "like.object": put("deal", value=[]),
    "like.list": put("deal", "tiles", value="BYRKT"),
    "like.texts": put("moves", value="DHE"),
    "like.numbers": put("legal", value=3),
    "like.pair": put("result", "scores", value=[1]),
    "like.pair_of_lists": put("result", "goals", value=[1, 2]),
    "like.goal_points": drop("result", "goals", 0, 0),
    "like.goals": put("rules", "goals", value="rows"),
    "count.entries": drop("deal", "plates", 17),
    "count.legal": drop("legal", 0),
    "most.filled": put("deal", "tiles", 0, 3, value="BYRKT"),
    "most.rounds": double("deal", "tiles"),
    "no_color": put("deal", "tiles", 2, 4, value="BYRG"),
    "tiles.round": put("deal", "tiles", 4, value=["BBKYR", *["BBBB"] * 4]),
    "dealt": put("deal", "tiles", 0, 0, value="BBBBB"),
    "no_plate.list": put("display", value=[["19"]]),
    "plate_or_twice": put("deal", "plates", 5, value="19"),
    "plate_kinds": hiding(plates=["01", "02", "03", *["?*"] * 15]),
    "display_open": put("deal", "plates", 2, value="??"),
    "view.record": hiding(),
    "chip_or_thrice": put("deal", "chips", 3, value="-B"),
    "no_record.format": drop("format"),
    "legal": put("legal", 7, value=RANDOM["legal"][7] + 1),
    "right": put("display", value=[["01"]]),
    "right.scores": replaced_by(vector("rare", 17) | {"result": {"scores": [9, 9], "winner": 0, "reason": "resigned"}}),
    "right.result": put("result", "scores", 0, value=RANDOM["result"]["scores"][0] + 1),
    "no_result": drop("result"),
    "early_result": cut_to(MOVES - 1, result=RANDOM["result"]),
    "early_goals": put("result", "reason", value="resigned"),
    "not_early": put("result", value={"scores": [9, 9], "winner": 0, "reason": "timeout"}),
    "move_like": put("moves", 3, value="S1B9"),
    "begins": put("moves", 3, value="nonsense"),
    "order_large": put("moves", 3, value="SLB3:R"),
    "order_taken": put("moves", 3, value="S1B3:RYB"),
    "chip_order": put("moves", 3, value="U3:TY,T-"),
}
TEXTS: Final = {
    "twice.object": '{"a": 1, "a": 2}',
    "json_at": '{"format": ',
    "json_more": "{}\n{}",
    "json.constant": '{"note": NaN}',
    "json.other": "[" * 100_000,
    "no_record": "[]",
}
TURN: Final = """
round: 2; turn: 1; display: 07 12 -
factory 1: sun BBYR moon - chip down; factory 2: sun - moon - chip up; factory 3: sun - moon KT chip down
factory L: sun - moon RRK; start tile: factory
0 lines: - B2 - K1 - -; 1 lines: Y1 - K2 - - -; 1 left: markers=1 chips=1; 1 plates: 11=01r0
chips: B- B- Y- Y- R- R- K- K- T- T- TY TY YK YK KB KB BR BR RT RT; 0 store: B-; 1 score: 3
"""
DRAWN: Final = "round: 2; factory 1: sun B moon - chip down; hand: 04 05; 0 plates: 11=01r0; "
LAST_PLATES: Final = "; ".join(
    [
        "round: 4; turn: 1; factory 1: sun B moon - chip down; display: 16 17 18",
        FULL_DOME,
        "0 left: markers=0",
        "1 plates: " + " ".join(f"{k // 3 + 1}{k % 3 + 1}={k + 10:02}r0" for k in range(6)),
    ]
)
LAID: Final = "0 plates: 11=02r0 12=03r0 21=10r0 22=11r0; 0 store: Y- YK R- T-"
TILING: Final = f"round: 2; stage: tiling; {LAID}; 0 lines: - T2 K2 Y3 - -"
PAYING: Final = f"round: 2; stage: paying; {LAID}; 0 lines: - - K2 Y2 - -; tiling: pays=4 paid=1"
ILLEGAL: Final[dict[str, tuple[str, str]]] = {
    "not_now.opening": ("stage: opening; " + STACK, "E"),
    "not_now.turn": (TURN, "H"),
    "not_now.drawing": (DRAWN + "stage: drawing", "E"),
    "not_now.keeping": (DRAWN + "stage: keeping", "E"),
    "not_now.returning": (DRAWN + "stage: returning; 0 left: markers=1", "E"),
    "not_now.tiling": (TILING, "D"),
    "not_now.paying": (PAYING, "E"),
    "over": ("stage: over", "D"),
    "not_dealt": ("round: 2; stage: dealing", "D"),
    "hidden": (DRAWN + "stage: returning; 0 left: markers=1", "<*"),
    "no_plates_now": ("round: 5; factory 1: sun B moon - chip down; display: 01 02 03", "P01@11r0"),
    "no_marker": ("0 left: markers=0; factory 1: sun B moon - chip down", "D"),
    "slot_taken": (TURN, "P07@11r0"),
    "not_on_display": (TURN, "P03@12r0"),
    "stack_empty": (LAST_PLATES, "D"),
    "no_point": ("0 score: 0; factory 1: sun B moon - chip down", "D"),
    "not_drawn": (DRAWN + "stage: keeping", "K06@12r0"),
    "no_sun_tile": (TURN, "S1K1:BBY"),
    "no_moon_tile": (TURN, "MB1"),
    "stack_order": (TURN, "S1B2:Y"),
    "stack_order.none": ("factory 1: sun BBBB moon - chip down", "S1B2:Y"),
    "line_full": (TURN, "MK1"),
    "line_holds": (TURN, "MR3"),
    "chips_taken": (TURN.replace("chips=1", "chips=0"), "C2"),
    "chip_down": (TURN, "C1"),
    "chip_gone": (TURN, "C4"),
    "pay.no_tile": (TILING, "U1:Y-,YK"),
    "pay.no_need": (TILING, "U2:Y-,YK"),
    "pay.no_space": (TILING, "U3:Y-,R-,T-"),
    "pay.other": (f"round: 2; stage: tiling; {LAID}; 0 lines: - - - Y3 - -; tiling: next=5", "U4:Y-,YK"),
    "pay_missing": (TILING, "U4:B-,BR"),
    "pay_cost": (TILING, "U4:Y-,R-"),
    "line_first.paid": (PAYING, "U3:Y-,R-,T-"),
    "line_first.place": (f"{TILING}; tiling: pays=4 paid=1", "T21"),
    "line_first.complete": (TILING, "U4:Y-,YK"),
    "downward": (f"{TILING}; tiling: next=3", "T21"),
    "downward.ahead": (TILING, "E"),
    "placed": (f"round: 2; stage: tiling; tiling: next=3; {LAID}; 0 lines: - T0! - - - -", "T21"),
    "no_space": (TILING, "T23"),
    "incomplete": (TILING, "T41"),
}
UNWRITTEN: Final = {
    "at_key.unsaid": "it is said by the fault that follows",
    "at_move": "studies: see tests/table/test_studies.py",
    "no_ply": "studies: see tests/table/test_studies.py",
    "view.review": "reviews: see tests/table/test_reviews.py",
    "unfinished": "reviews: see tests/table/test_reviews.py",
    "over.early": "no text holds a game that ended early and goes on",
    "like.goal_names": "texts hold goals as a list or as names",
    "goals.tiles": "rules are read first",
    "tiles": "bag and tower are read first",
    "plate_twice.one": "plates are read first",
    "returned": "returns are read first",
    **dict.fromkeys((code for code in ENGLISH if code.startswith("odd.")), "texts cannot say it"),
}
"""Faults of which these texts have no example."""


def read_position(text: str) -> Callable[[], object]:
    return lambda: Game.from_position(text)


def read_record(text: str) -> Callable[[], object]:
    return lambda: Record.loads(text).check()


def push(position: str, token: str) -> Callable[[], object]:
    return lambda: Game.from_position(position).push(token)


def damaged(damage: Damage) -> str:
    data = copy.deepcopy(RANDOM)
    damage(data)
    return json.dumps(data)


EXAMPLES: Final[dict[str, Callable[[], object]]] = {
    **{code: read_position(text) for code, text in POSITIONS.items()},
    **{code: read_record(damaged(damage)) for code, damage in RECORDS.items()},
    **{code: read_record(text) for code, text in TEXTS.items()},
    **{code: push(*where) for code, where in ILLEGAL.items()},
}


@cache
def error_of(code: str) -> SintraError:
    with pytest.raises(SintraError) as caught:
        EXAMPLES[code]()
    return caught.value


def places(text: Any) -> set[str]:
    """What is filled in; one that counts for a plural form may be left out of it."""
    return set(re.findall(r"\{(\w+)\}", str(text)))


@pytest.mark.parametrize("code", EXAMPLES)
def test_a_fault_is_told_in_english_and_in_every_language(code: str) -> None:
    error = error_of(code)
    assert error.faults[-1].code == code
    assert all(fault.kind.startswith("at_") for fault in error.faults[:-1])
    assert all(str(fault) in str(error) for fault in error.faults)
    for telling in tellings_of(error.faults):
        for language in LANGUAGES:
            assert places(texts(language)[telling.key]) <= telling.args.keys(), (language, telling)


def test_every_fault_has_an_example() -> None:
    told = {fault.code for code in EXAMPLES for fault in error_of(code).faults}
    assert told | UNWRITTEN.keys() == ENGLISH.keys()
    assert not EXAMPLES.keys() & UNWRITTEN.keys()


def test_an_error_with_a_part_that_is_only_text_has_no_faults() -> None:
    over = Fault("over")
    assert SintraError(over).faults == (over,)
    assert SintraError(Fault("at_line", line=3), SintraError(over)).faults[1:] == (over,)
    assert SintraError(Fault("at_line", line=3), "no text").faults == ()
    assert SintraError(Fault("at_line", line=3), SintraError("no text")).faults == ()


def test_what_was_found_is_told_in_short() -> None:
    fault = Fault("number", found="9" * 1000, low=1, high=5)
    assert fault.told == {"found": f"{'9' * 59}…", "low": 1, "high": 5}
    assert "9" * 1000 in str(fault)


@pytest.mark.parametrize("code", ["number", "legal", "no_sun_tile"])
def test_faults_travel_with_their_errors(code: str) -> None:
    error = error_of(code)
    twin = pickle.loads(pickle.dumps(error))
    assert str(twin) == str(error)
    assert [(fault.code, fault.told) for fault in twin.faults] == [(fault.code, fault.told) for fault in error.faults]
