"""The form of a record: what is none is refused, with its place."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Final

import pytest

from records.helpers import MOVES, RANDOM, Damage, double, drop, put
from sintra import RecordError
from sintra.records.files import parse_records, read_records
from sintra.records.record import Record

BAD_FORM: Final[dict[str, tuple[Damage, str]]] = {
    "no format": (drop("format"), "format"),
    "another format": (put("format", value="sintra/2"), "sintra/2"),
    "no rules": (drop("rules"), "rules"),
    "rules are a list": (put("rules", value=[]), "rules"),
    "no goals": (drop("rules", "goals"), "goals"),
    "goals are a text": (put("rules", "goals", value="rows"), "goals"),
    "two goals": (drop("rules", "goals", 0), "3 or 4 goals"),
    "five goals": (put("rules", "goals", value=["rows", "edge", "wilds", "corners", "colors"]), "goals"),
    "unknown goal": (put("rules", "goals", 1, value="stars"), "stars"),
    "a goal is a number": (put("rules", "goals", 1, value=3), "goal"),
    "a goal is a list": (put("rules", "goals", 1, value=["rows"]), "goal"),
    "both sides of one tile": (put("rules", "goals", value=["rows", "colors", "edge"]), "one tile"),
    "unknown rule": (put("rules", "undo", value=True), "undo"),
    "unknown draw_at_zero": (put("rules", "draw_at_zero", value="never"), "draw_at_zero"),
    "draw_at_zero is a list": (put("rules", "draw_at_zero", value=["free"]), "draw_at_zero"),
    "special_is_color is a number": (put("rules", "special_is_color", value=1), "special_is_color"),
    "one player": (drop("players", 1), "players"),
    "players are numbers": (put("players", value=[1, 2]), "players"),
    "no first": (drop("first"), "first"),
    "first is 2": (put("first", value=2), "first"),
    "first is true": (put("first", value=True), "first"),
    "first is a text": (put("first", value="0"), "first"),
    "first is 0.0": (put("first", value=0.0), "first"),
    "no deal": (drop("deal"), "deal"),
    "deal is a list": (put("deal", value=[]), "deal"),
    "no plates": (drop("deal", "plates"), "plates"),
    "no chips": (drop("deal", "chips"), "chips"),
    "no tiles": (drop("deal", "tiles"), "tiles"),
    "unknown key in the deal": (put("deal", "bag", value=[]), "bag"),
    "17 plates": (drop("deal", "plates", 17), "18 entries"),
    "19 plates": (double("deal", "plates"), "18 entries"),
    "a plate twice": (put("deal", "plates", 5, value=RANDOM["deal"]["plates"][6]), RANDOM["deal"]["plates"][6]),
    "plate 19": (put("deal", "plates", 5, value="19"), "19"),
    "plate 7": (put("deal", "plates", 5, value="7"), "7"),
    "a plate is a number": (put("deal", "plates", 5, value=7), "plates"),
    "the display is hidden": (put("deal", "plates", 2, value="??"), "display"),
    "19 chips": (drop("deal", "chips", 0), "20 entries"),
    "a chip three times": (put("deal", "chips", value=[*["B-"] * 3, *RANDOM["deal"]["chips"][3:]]), "chip"),
    "unknown chip": (put("deal", "chips", 3, value="-B"), "-B"),
    "tiles are a text": (put("deal", "tiles", value="BYRKT"), "tiles"),
    "six rounds": (double("deal", "tiles"), "6 rounds"),
    "four factories": (drop("deal", "tiles", 2, 4), "round 3"),
    "a tile too many": (put("deal", "tiles", 0, 3, value="BYRKT"), "more than 4 tiles"),
    "256 tiles too many": (put("deal", "tiles", 0, 0, value="B" * 261), "more than 5 tiles"),
    "a tile too many in a round to come": (put("deal", "tiles", 4, 1, value="BYRKT"), "more than 4 tiles"),
    "goals in capitals": (put("rules", "goals", 0, value=RANDOM["rules"]["goals"][0].upper()), "unknown goal"),
    "unknown colour": (put("deal", "tiles", 2, 4, value="BYRG"), "G"),
    "a factory is a list": (put("deal", "tiles", 0, 0, value=["B"]), "round 1"),
    "no moves": (drop("moves"), "moves"),
    "moves are a text": (put("moves", value="DHE"), "moves"),
    "a move is a number": (put("moves", 3, value=3), "moves"),
    "legal is too short": (drop("legal", 0), "legal"),
    "legal has texts": (put("legal", 2, value="12"), "legal"),
    "legal is a number": (put("legal", value=3), "legal"),
    "result is a text": (put("result", value="won"), "result"),
    "unknown key in the result": (put("result", "margin", value=5), "margin"),
    "no winner": (drop("result", "winner"), "winner"),
    "winner null": (put("result", "winner", value=None), "winner"),
    "winner 2": (put("result", "winner", value=2), "winner"),
    "winner true": (put("result", "winner", value=True), "winner"),
    "no scores": (drop("result", "scores"), "scores"),
    "one score": (drop("result", "scores", 0), "scores"),
    "a score is a text": (put("result", "scores", 0, value="6"), "scores"),
    "no goals in the result": (drop("result", "goals"), "goals"),
    "too few goals in the result": (drop("result", "goals", 0, 0), "goals"),
    "goals of one player": (drop("result", "goals", 0), "goals"),
    "unknown reason": (put("result", "reason", value="bored"), "bored"),
    "reason and goals": (put("result", "reason", value="resigned"), "goals"),
    "display is a text": (put("display", value="01"), "display"),
    "display has an unknown plate": (put("display", value=[["19"]]), "19"),
    "looked has a hidden plate": (put("looked", value=[["??"]]), "looked"),
    "looked is flat": (put("looked", value=["01"]), "looked"),
}


@pytest.mark.parametrize("name", BAD_FORM)
def test_a_badly_formed_record_names_its_line_and_reason(name: str, tmp_path: Path) -> None:
    damage, reason = BAD_FORM[name]
    data = copy.deepcopy(RANDOM)
    damage(data)
    good = json.dumps(RANDOM)
    assert json.dumps(data) != good
    path = tmp_path / "games.jsonl"
    path.write_text(f"{good}\n{good}\n{json.dumps(data)}\n{good}\n", "utf-8")
    with pytest.raises(RecordError) as caught:
        read_records(path)
    error = caught.value
    assert (error.line, error.ply, error.source) == (3, None, str(path))
    assert reason in error.reason
    assert str(error) == f"{path}, line 3: {error.reason}"
    with pytest.raises(RecordError, match=re.escape(error.reason)):
        Record.from_dict(data)


@pytest.mark.parametrize(
    ("token", "ply"),
    [("", 0), ("S1B7", 4), ("P19@11r0", 0), ("U3:TY,T-", 9), ("SLB3:RYK", 2), ("S1B1:BBB", 3), ("e", MOVES - 1)],
)
def test_a_token_that_cannot_be_read_names_its_ply(token: str, ply: int) -> None:
    data = copy.deepcopy(RANDOM)
    data["moves"][ply] = token
    with pytest.raises(RecordError) as caught:
        parse_records(f"\n{json.dumps(data)}\n{json.dumps(RANDOM)}")
    assert (caught.value.line, caught.value.ply) == (2, ply)
    assert repr(token) in caught.value.reason


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}}",
        "not json",
        "[1, 2",
        '{"format": "sintra/1",}',
        "\ufeff{}",
        "'a'",
        "[]",
        "3",
        "null",
        '"text"',
        "[" * 100_000,
        '{"a":' * 100_000,
        "1" * 5000,
        '{"first": ' + "1" * 5000 + "}",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_line_that_is_no_record_names_its_line(text: str) -> None:
    good = json.dumps(RANDOM)
    with pytest.raises(RecordError) as caught:
        parse_records(f"{good}\n\n{text}\n")
    assert caught.value.line == 3
    with pytest.raises(RecordError):
        parse_records(text)
    with pytest.raises(RecordError):
        Record.loads(text)


def test_keys_at_the_top_are_kept() -> None:
    data = RANDOM | {"note": "a game", "elo": {"Ana": [1, 2, None]}}
    record = Record.from_dict(data)
    assert record.extra == {"note": "a game", "elo": {"Ana": [1, 2, None]}}
    assert record.check().is_over
    assert record.to_dict() == data


def test_other_rules_take_their_defaults() -> None:
    data = copy.deepcopy(RANDOM)
    data["rules"] = {"goals": data["rules"]["goals"]}
    assert Record.from_dict(data).rules == Record.from_dict(RANDOM).rules


def test_a_fault_in_an_object_of_many_lines_names_its_line() -> None:
    lines = json.dumps(RANDOM, indent=1).split("\n")
    lines[15] = lines[15].replace(",", "", 1) + " ]]"
    with pytest.raises(RecordError) as caught:
        parse_records("\n".join(lines))
    assert caught.value.line is not None
    assert abs(caught.value.line - 16) <= 1


@pytest.mark.parametrize(
    "more", ['"first": 1', '"note": NaN', '"note": "\\ud800"', '"\\uDC00": 1', '"note": {"a": 1, "a": 2}']
)
def test_json_that_readers_take_differently_is_refused(more: str) -> None:
    with pytest.raises(RecordError):
        Record.loads(json.dumps(RANDOM)[:-1] + f", {more}}}")
