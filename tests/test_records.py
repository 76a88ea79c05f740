"""Records: seats' views of them, positions cut out of them, and damaged ones."""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import ALL_RULES, TASTES, VECTORS, cut, look_alike, plate_of, played, turned_up
from sintra import PLATES, Game, Move, MoveKind, RecordError, Rules, SintraError, Stage
from sintra.records.record import Record, check_record, parse_records, read_records, write_records
from sintra.records.seen import openings, view_of_record

EVERYBODY = (0, 1, 2)
seeds = st.integers(0, 2**62)
rule_sets = st.sampled_from(ALL_RULES)


def vector(name: str, index: int) -> dict[str, Any]:
    """A game of the vectors as plain JSON."""
    data = json.loads((VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines()[index])
    assert isinstance(data, dict)
    return data


# ---------------------------------------------------------------- views of records


def record_of(seed: int, taste: str, rules: Rules, most: int = 10_000) -> Record:
    """The record of a random game."""
    return Record.of(played(seed, taste, rules, most), ("Ana", "Bob"), legal=True)


@given(seed=seeds, taste=st.sampled_from(sorted(TASTES)), rules=rule_sets, most=st.integers(0, 200))
@settings(max_examples=25)
def test_a_view_of_a_record_has_the_same_form(seed: int, taste: str, rules: Rules, most: int) -> None:
    record = record_of(seed, taste, rules, most)
    for observer in EVERYBODY:
        view = view_of_record(record, observer)
        assert Record.loads(view.dumps()) == view
        for key in ("rules", "players", "first", "tiles", "legal", "result"):
            assert getattr(view, key) == getattr(record, key), key
        for key in ("plates", "chips", "moves"):
            assert len(getattr(view, key)) == len(getattr(record, key)), key
        assert view.is_view == (record.plates + record.chips + record.moves != view.plates + view.chips + view.moves)
        check_plates(view, record)
        check_moves(view, record, observer)
        check_chips(view, record)


def check_plates(view: Record, record: Record) -> None:
    """What is written is true, and the display of the beginning is written."""
    assert view.plates[:3] == record.plates[:3]
    for shown, name in zip(view.plates, record.plates, strict=True):
        assert shown in (name, "??", f"?{PLATES[int(name) - 1].kind.value}")


def check_moves(view: Record, record: Record, observer: int) -> None:
    """Exactly the returns of others are hidden, and their backs are told."""
    positions = record.positions()
    for shown, token in zip(view.moves, record.moves, strict=True):
        if token.startswith("<") and next(positions).turn != observer:
            assert shown == f"<{PLATES[int(token[1:]) - 1].kind.value}"
        else:
            assert shown == token
            if not token.startswith("<"):
                next(positions)


def check_chips(view: Record, record: Record) -> None:
    """Exactly the chips that were turned up are written."""
    up = turned_up(record.replay(len(record.moves)))
    expected = [face if place in up else "??" for place, face in enumerate(record.chips)]
    assert list(view.chips) == expected


@given(seed=seeds, rules=rule_sets, most=st.integers(0, 180))
@settings(max_examples=25)
def test_a_view_of_a_record_tells_what_was_seen_to_come_from_a_place(seed: int, rules: Rules, most: int) -> None:
    record = record_of(seed, "drawing", rules, most)
    for observer in EVERYBODY:
        view = view_of_record(record, observer)
        seen, backs, looked, display = watch(record, observer)
        for place, (shown, name) in enumerate(zip(view.plates, record.plates, strict=True)):
            if place in seen:
                assert shown == name
            elif place in backs:
                assert shown in (name, f"?{PLATES[int(name) - 1].kind.value}")
            else:
                assert shown == "??"
        assert view.looked == looked
        assert view.display == display


def watch(
    record: Record, observer: int
) -> tuple[set[int], set[int], tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """From how the game really lay: the places of the deal from which the observer saw a plate come, those
    whose back was seen, what the observer looked at, and the fillings of the display."""
    place_of = {int(name) - 1: place for place, name in enumerate(record.plates)}
    returned: set[int] = set()
    seen, backs = {0, 1, 2}, {0, 1, 2}
    looked: list[tuple[str, ...]] = []
    display = [record.plates[:3]]
    before: tuple[object, ...] = ()
    for game in record.positions():
        hand = [plate_of(place) for place in game.hand]
        now = tuple(plate.index if plate else None for plate in game.display)
        opened = [plate for plate, old in zip(now, before, strict=False) if plate is not None and plate != old]
        if opened:
            display.append(tuple(PLATES[plate].name for plate in opened))
        before = now
        top = [plate_of(place) for place in game.stack[:1]]
        backs |= {place_of[plate] for plate in (*opened, *hand, *top) if plate not in returned}
        seen |= {place_of[plate] for plate in opened if plate not in returned}
        if game.stage is Stage.KEEPING and game.turn == observer:
            seen |= {place_of[plate] for plate in hand if plate not in returned}
            looked.append(tuple(PLATES[plate].name for plate in hand))
        last = game.moves[-1] if game.moves else Move(MoveKind.END)
        if last.kind is MoveKind.KEEP_PLATE and last.plate not in returned and game.stage is not Stage.RETURNING:
            assert last.plate is not None
            seen.add(place_of[last.plate])
        if last.kind is MoveKind.RETURN_PLATE and last.plate is not None:
            returned.add(last.plate)
    return seen, backs, tuple(looked), tuple(display)


@given(seed=seeds, rules=rule_sets, most=st.integers(0, 200))
@settings(max_examples=40)
def test_games_that_look_the_same_have_the_same_record(seed: int, rules: Rules, most: int) -> None:
    """Byte for byte, for two games that differ only in what the observer cannot know."""
    record = record_of(seed, "drawing", rules, most)
    for observer in EVERYBODY:
        other = look_alike(record, observer, Random(seed))
        check_record(other)
        assert view_of_record(other, observer).dumps() == view_of_record(record, observer).dumps()


def test_a_view_hides_what_the_other_seat_alone_knows() -> None:
    """Seat 0 draws three and returns two: 04 and 06 have the same back, which one was laid tells nothing."""
    plates = "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18".split()
    tiles = ["BYRKT", "BBBB", "YYYY", "RRRR", "KKKK"]
    moves = "P01@11r0 P02@11r0 D D D H K08@12r0 <07 <06".split()
    record = Record.from_dict(vector("random", 0) | {"first": 0, "moves": moves, "legal": None, "result": None})
    record = replace(record, plates=tuple(plates), tiles=(tuple(tiles),))
    assert check_record(record).turn == 1
    hidden = ["??"] * 9
    drawer, other, spectator = (view_of_record(record, observer) for observer in EVERYBODY)
    assert list(drawer.plates) == [*plates[:8], "?*", *hidden]
    assert list(other.plates) == list(spectator.plates) == [*plates[:5], "?W", "?*", "?*", "?*", *hidden]
    assert drawer.moves[-2:] == ("<07", "<06")
    assert other.moves[-2:] == spectator.moves[-2:] == ("<*", "<W")
    assert drawer.looked == (("06", "07", "08"),)
    assert other.looked == spectator.looked == ()
    for view in (drawer, other, spectator):
        assert view.display == (("01", "02", "03"), ("04",), ("05",))
        assert view.chips == ("??",) * 20
        assert view.is_view


def test_a_spectator_does_not_see_what_a_seat_looked_at() -> None:
    record = record_of(3, "drawing", ALL_RULES[0])
    spectator = view_of_record(record, 2)
    assert spectator.looked == ()
    assert not any(re.fullmatch(r"<\d\d", token) for token in spectator.moves)
    assert any(token in ("<*", "<W") for token in spectator.moves)


def test_openings_are_checked_in_a_full_record() -> None:
    record = record_of(5, "drawing", ALL_RULES[0])
    display, looked = openings(record)
    full = replace(record, display=display, looked=tuple(plates for _, plates in looked))
    assert check_record(full).is_over
    assert Record.loads(full.dumps()) == full
    for wrong in damaged_lists(display):
        with pytest.raises(RecordError, match="display"):
            check_record(replace(full, display=wrong))
    assert full.looked
    for wrong in damaged_lists(full.looked):
        with pytest.raises(RecordError, match="looked"):
            check_record(replace(full, looked=wrong))


def damaged_lists(lists: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
    """The lists with one too few, one too many, and another plate in the first."""
    other = next(plate.name for plate in PLATES if plate.name not in lists[0])
    return [lists[:-1], (*lists, ("01",)), ((other, *lists[0][1:]), *lists[1:])]


@pytest.mark.parametrize("observer", [3, -1])
def test_there_is_no_view_for_nobody(observer: int) -> None:
    with pytest.raises(RecordError, match="no seat"):
        view_of_record(record_of(1, "uniform", ALL_RULES[0], 5), observer)


def test_a_view_of_a_record_is_no_record_of_the_game() -> None:
    view = view_of_record(record_of(1, "drawing", ALL_RULES[0], 30), 0)
    for use in (view.start, view.replay, lambda: check_record(view), lambda: view_of_record(view, 0)):
        with pytest.raises(RecordError, match="view of a record"):
            use()


# ---------------------------------------------------------------- cut records


@pytest.mark.parametrize(("name", "index"), [("rare", 11), ("chips", 1)])
def test_a_record_cut_after_any_move_is_a_record_of_that_position(name: str, index: int) -> None:
    record = Record.from_dict(vector(name, index))
    for ply, game in enumerate(record.positions()):
        part = cut(record, ply)
        here = check_record(Record.loads(part.dumps()))
        assert here == game
        assert here.ply == ply
        for observer in EVERYBODY:
            assert here.view(observer) == game.view(observer)
        again = Record.of(here, record.players, legal=True)
        assert (again.moves, again.legal, again.plates, again.chips) == (
            part.moves,
            part.legal,
            part.plates,
            part.chips,
        )


@pytest.mark.parametrize("name", ["greedy", "draw", "hoard"])
def test_a_record_cut_at_a_rounds_end_may_lack_the_next_tiles(name: str) -> None:
    record = Record.from_dict(vector(name, 2))
    ends = [ply + 1 for ply, token in enumerate(record.moves) if token == "E"][1:-1:2]
    assert len(ends) == 4
    for round_no, ply in enumerate(ends, start=1):
        with_tiles = cut(record, ply)
        without = replace(with_tiles, tiles=with_tiles.tiles[:-1])
        assert len(without.tiles) == round_no
        assert not check_record(with_tiles).awaits_deal
        game = check_record(without)
        assert game.awaits_deal
        assert len(game.legal_moves) == 0
        for observer in EVERYBODY:
            assert view_of_record(without, observer).tiles == without.tiles
        game.deal(record.tiles[round_no])
        assert game == check_record(with_tiles)


def test_replay_stops_at_a_ply() -> None:
    record = Record.from_dict(vector("random", 3))
    assert [str(move) for move in record.replay(17).moves] == list(record.moves[:17])
    assert record.replay().is_over
    for ply in (-1, len(record.moves) + 1):
        with pytest.raises(RecordError, match="no ply"):
            record.replay(ply)


def test_a_game_that_ended_early_replays_with_its_end() -> None:
    record = Record.from_dict(vector("rare", 17))
    assert record.replay().result == record.result
    assert record.replay(3).result is None
    again = Record.of(record.replay(), record.players, legal=True)
    assert (again.moves, again.legal, again.result) == (record.moves, record.legal, record.result)


# ---------------------------------------------------------------- damaged records

Damage = Callable[[dict[str, Any]], None]
RANDOM: Final = vector("random", 0)
MOVES: Final = len(RANDOM["moves"])


def put(*path: str | int, value: Any) -> Damage:
    """Sets a value deep in a record."""

    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return damage


def drop(*path: str | int) -> Damage:
    """Leaves out a key or an entry deep in a record."""

    def damage(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        del data[path[-1]]

    return damage


def double(*path: str | int) -> Damage:
    """Writes the last entry of a list deep in a record twice."""

    def damage(data: Any) -> None:
        for key in path:
            data = data[key]
        data.append(data[-1])

    return damage


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
    assert check_record(record).is_over
    assert record.to_dict() == data


def test_other_rules_take_their_defaults() -> None:
    data = copy.deepcopy(RANDOM)
    data["rules"] = {"goals": data["rules"]["goals"]}
    assert Record.from_dict(data).rules == Record.from_dict(RANDOM).rules


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
        check_record(record)
    assert reason in caught.value.reason
    assert caught.value.ply == ply
    assert str(caught.value) == (caught.value.reason if ply is None else f"ply {ply}: {caught.value.reason}")


def test_an_early_end_is_checked() -> None:
    record = Record.from_dict(vector("rare", 17))
    assert record.result is not None
    wrong = replace(record, result=replace(record.result, scores=(9, 9)))
    with pytest.raises(RecordError, match="scores"):
        check_record(wrong)
    finished = Record.from_dict(RANDOM)
    assert finished.result is not None
    with pytest.raises(RecordError, match="over by the rules"):
        check_record(replace(finished, result=replace(finished.result, goals=None, reason="timeout")))
    unfinished = cut(finished, MOVES - 1)
    with pytest.raises(RecordError, match="not over"):
        check_record(replace(unfinished, result=finished.result))


def test_a_file_that_cannot_be_read_is_a_damaged_record(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read_records(tmp_path / "missing.jsonl")
    with pytest.raises(RecordError, match="cannot be read"):
        read_records(tmp_path)
    (tmp_path / "latin.jsonl").write_bytes(b'{"format": "\xe9"}')
    with pytest.raises(RecordError, match="UTF-8"):
        read_records(tmp_path / "latin.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n \n")
    assert read_records(tmp_path / "empty.jsonl") == []


def test_a_file_is_replaced_only_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = Record.from_dict(RANDOM)
    write_records(path, [record])

    def broken() -> Iterator[Record]:
        yield replace(record, first=1)
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        write_records(path, broken())
    assert read_records(path) == [record]
    assert [file.name for file in tmp_path.iterdir()] == ["games.jsonl"]


@pytest.mark.parametrize("name", ["Ana\u2028Bob", "line\x85end", "a\nb", "\x1e", "Åsa 🎲", '"'])
def test_any_player_name_survives(name: str, tmp_path: Path) -> None:
    """Also names with characters at which Python would split lines."""
    record = replace(Record.from_dict(RANDOM), players=(name, "Bob"))
    write_records(tmp_path / "games.jsonl", [record, record])
    assert read_records(tmp_path / "games.jsonl") == [record, record]


def test_half_a_character_in_a_name_does_no_harm(tmp_path: Path) -> None:
    """JSON can write half of a surrogate pair, UTF-8 cannot: such a name survives or is refused."""
    text = json.dumps(RANDOM | {"players": ["\ud800", "Bob"]})
    try:
        records = parse_records(text)
        write_records(tmp_path / "games.jsonl", records)
    except RecordError:
        return
    assert read_records(tmp_path / "games.jsonl") == records


# ---------------------------------------------------------------- fuzz


@cache
def good_texts() -> tuple[str, str]:
    """A game just begun, and a whole one."""
    return cut(Record.from_dict(vector("draw", 0)), 24).dumps(), json.dumps(vector("chips", 2))


plain_values = st.none() | st.booleans() | st.integers(-3, 300) | st.floats(allow_nan=False)
json_values = st.recursive(
    plain_values | st.text("0159BYRKT*?W-<:,x", max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner, max_size=3),
    max_leaves=6,
)


def read_and_check(text: str) -> Game | None:
    """Everything that may be done with a text from outside; errors of any other kind go through."""
    try:
        games = [check_record(record) for record in parse_records(text)]
        for record in parse_records(text):
            for observer in EVERYBODY:
                view_of_record(record, observer)
    except SintraError:
        return None
    return games[-1] if games else None


@given(data=st.data(), which=st.integers(0, 1))
@settings(max_examples=150)
def test_characters_deleted_replaced_and_moved(data: st.DataObject, which: int) -> None:
    text = good_texts()[which]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text) - 1))
        end = min(len(text), start + data.draw(st.integers(0, 5)))
        text = text[:start] + data.draw(st.text('0123456789BYRKT*?W-<:,x"[]{} \n', max_size=4)) + text[end:]
    read_and_check(text)


@given(data=st.data(), which=st.integers(0, 1))
@settings(max_examples=200)
def test_values_replaced_by_others(data: st.DataObject, which: int) -> None:
    """Any value of the JSON tree becomes something else, or changes places with another one."""
    tree = json.loads(good_texts()[which])
    for _ in range(data.draw(st.integers(1, 2))):
        spots = list(values_in(tree))
        place, key = data.draw(st.sampled_from(spots))
        if data.draw(st.booleans()):
            other, name = data.draw(st.sampled_from(spots))
            place[key], other[name] = copy.deepcopy(other[name]), copy.deepcopy(place[key])
        else:
            place[key] = data.draw(json_values)
    read_and_check(json.dumps(tree))


def values_in(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON tree: a container and a key of it."""
    pairs = list(tree.items()) if isinstance(tree, dict) else list(enumerate(tree)) if isinstance(tree, list) else []
    for key, value in pairs:
        yield tree, key
        yield from values_in(value)


@given(text=st.text())
def test_any_text_is_refused_in_good_order(text: str) -> None:
    assert read_and_check(text) is None


def test_the_fuzzed_texts_are_good_before() -> None:
    begun, whole = good_texts()
    assert read_and_check(begun) is not None
    game = read_and_check(whole)
    assert game is not None
    assert game.is_over


@pytest.mark.parametrize("name", ["random", "greedy", "kinds"])
def test_views_that_hide_nothing_are_checked_like_records(name: str) -> None:
    """A finished game may have no secret left; `looked` then still tells the looks of one seat only."""
    checked = 0
    for record in read_records(VECTORS / f"{name}.jsonl"):
        for observer in EVERYBODY:
            view = view_of_record(record, observer)
            if not view.is_view:
                check_record(view)
                checked += 1
    assert checked
    looks = next(one for one in read_records(VECTORS / f"{name}.jsonl") if openings(one)[1])
    with pytest.raises(RecordError, match="looked should be"):
        check_record(replace(looks, looked=(("01", "02", "03", "04"),)))


def test_a_fault_in_an_object_of_many_lines_names_its_line() -> None:
    lines = json.dumps(RANDOM, indent=1).split("\n")
    lines[15] = lines[15].replace(",", "", 1) + " ]]"
    with pytest.raises(RecordError) as caught:
        parse_records("\n".join(lines))
    assert caught.value.line is not None
    assert abs(caught.value.line - 16) <= 1


@pytest.mark.parametrize("more", ['"first": 1', '"note": NaN', '"note": {"a": 1, "a": 2}'])
def test_json_that_readers_take_differently_is_refused(more: str) -> None:
    with pytest.raises(RecordError):
        Record.loads(json.dumps(RANDOM)[:-1] + f", {more}}}")


def test_what_is_no_plain_file_is_written_to(tmp_path: Path) -> None:
    record = Record.from_dict(RANDOM)
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_records(link, [record])
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert read_records(real) == [record]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as hands:
        text = hands.submit(pipe.read_text)
        write_records(pipe, [record])
    assert parse_records(text.result()) == [record]
    assert pipe.is_fifo()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link.jsonl", "pipe", "real.jsonl"]
