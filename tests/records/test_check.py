"""Records of games that did not happen so."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any, Final

import pytest

from helpers import ALL_RULES, VECTORS, cut
from records.helpers import EVERYBODY, MOVES, RANDOM, Damage, double, drop, put, record_of, seen_in, vector
from sintra import PLATES, RecordError
from sintra.records.files import parse_records, read_records
from sintra.records.record import Record


def test_openings_are_checked_in_a_full_record() -> None:
    record = record_of(5, "drawing", ALL_RULES[0])
    seen = seen_in(record)
    display, looked = tuple(seen.display), seen.looked
    full = replace(record, display=display, looked=tuple(plates for _, plates in looked))
    assert full.check().is_over
    assert Record.loads(full.dumps()) == full
    for wrong in damaged_lists(display):
        with pytest.raises(RecordError, match="display"):
            replace(full, display=wrong).check()
    assert full.looked
    for wrong in damaged_lists(full.looked):
        with pytest.raises(RecordError, match="looked"):
            replace(full, looked=wrong).check()


def damaged_lists(lists: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    """The lists with one too few, one too many, and another plate in the first."""
    other = next(plate.name for plate in PLATES if plate.name not in lists[0])
    return [lists[:-1], (*lists, ("01",)), ((other, *lists[0][1:]), *lists[1:])]


def first_ply(kind: str) -> int:
    """The first move of a kind in the game that is damaged."""
    return next(ply for ply, token in enumerate(RANDOM["moves"]) if token.startswith(kind))


def last_end(round_no: int) -> int:
    """The ply of a round's last `E`."""
    return [ply for ply, token in enumerate(RANDOM["moves"]) if token == "E"][2 * round_no - 1]


def without_legal(damage: Damage) -> Damage:
    """A damage to a record that does not tell the numbers of legal moves."""

    def both(data: dict[str, Any]) -> None:
        damage(data)
        del data["legal"]

    return both


BAD_GAME: Final[dict[str, tuple[Damage, int | None, str]]] = {
    "first is the other seat": (put("first", value=1 - RANDOM["first"]), MOVES, "result"),
    "an illegal move": (put("moves", 0, value="E"), 0, "R2.6"),
    "an illegal move later": (put("moves", first_ply("S"), value="MB1"), first_ply("S"), "R3.3"),
    "a hidden return": (put("moves", first_ply("<"), value="<*"), None, "view"),
    "a hidden plate": (put("deal", "plates", 17, value="??"), None, "view"),
    "a hidden chip": (put("deal", "chips", 19, value="??"), None, "view"),
    "a move too many": (without_legal(double("moves")), MOVES, "over"),
    "a move left out": (without_legal(drop("moves", 1)), 3, "slot 23 holds a plate already (R3.1)"),
    "a wrong number of legal moves": (put("legal", 7, value=RANDOM["legal"][7] + 1), 7, "legal moves"),
    "a wrong last number": (put("legal", MOVES - 1, value=0), MOVES - 1, "legal moves"),
    "wrong scores": (put("result", "scores", 0, value=RANDOM["result"]["scores"][0] + 1), MOVES, "result"),
    "wrong winner": (put("result", "winner", value=1 - RANDOM["result"]["winner"]), MOVES, "result"),
    "wrong goals": (put("result", "goals", 1, 0, value=99), MOVES, "result"),
    "one colour on the large factory": (put("deal", "tiles", 0, 0, value="BBBBB"), 0, "R2.4"),
    "a tile too few": (put("deal", "tiles", 0, 1, value="BYR"), 0, "factory 1"),
    "more tiles than there are": (put("deal", "tiles", 0, value=["BYRKT", *["BBBB"] * 4]), 0, "factory 4"),
    "an empty factory": (put("deal", "tiles", 1, 4, value=""), last_end(1) + 1, "factory 4"),
    "no tiles for the second round": (
        without_legal(put("deal", "tiles", value=RANDOM["deal"]["tiles"][:1])),
        last_end(1) + 1,
        "is not legal",
    ),
    "other rules": (put("rules", "draw_at_zero", value="free"), 31, "there are 111 legal moves, the record says 110"),
}


@pytest.mark.parametrize("name", BAD_GAME)
def test_a_record_that_breaks_the_rules_names_its_ply(name: str) -> None:
    damage, ply, reason = BAD_GAME[name]
    data = copy.deepcopy(RANDOM)
    damage(data)
    [record] = parse_records(json.dumps(data))
    with pytest.raises(RecordError) as caught:
        record.check()
    assert reason in caught.value.reason
    assert caught.value.ply == ply
    assert str(caught.value) == (caught.value.reason if ply is None else f"ply {ply}: {caught.value.reason}")


def test_an_early_end_is_checked() -> None:
    record = Record.from_dict(vector("rare", 17))
    assert record.result is not None
    wrong = replace(record, result=replace(record.result, scores=(9, 9)))
    with pytest.raises(RecordError, match="scores"):
        wrong.check()
    finished = Record.from_dict(RANDOM)
    assert finished.result is not None
    with pytest.raises(RecordError, match="over by the rules"):
        replace(finished, result=replace(finished.result, goals=None, reason="timeout")).check()
    unfinished = cut(finished, MOVES - 1)
    with pytest.raises(RecordError, match="not over"):
        replace(unfinished, result=finished.result).check()


@pytest.mark.parametrize("name", ["random", "greedy", "kinds"])
def test_views_that_hide_nothing_are_checked_like_records(name: str) -> None:
    """A finished game may have no secret left; `looked` then still tells the looks of one seat only."""
    checked = 0
    for record in read_records(VECTORS / f"{name}.jsonl"):
        for observer in EVERYBODY:
            view = record.view(observer)
            if not view.is_view:
                view.check()
                checked += 1
    assert checked
    looks = next(one for one in read_records(VECTORS / f"{name}.jsonl") if seen_in(one).looked)
    with pytest.raises(RecordError, match="looked should be"):
        replace(looks, looked=(("01", "02", "03", "04"),)).check()
