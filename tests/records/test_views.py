"""What a seat or a spectator may know of a record (R8)."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import ALL_RULES, TASTES, plate_of, record_alike, turned_up
from records.helpers import EVERYBODY, record_of, rule_sets, seeds, vector
from sintra import PLATES, KeepPlate, RecordError, ReturnPlate, Rules, Stage
from sintra.records.record import Record


@given(seed=seeds, taste=st.sampled_from(sorted(TASTES)), rules=rule_sets, most=st.integers(0, 200))
@soak.examples(13)
def test_a_view_of_a_record_has_the_same_form(seed: int, taste: str, rules: Rules, most: int) -> None:
    record = record_of(seed, taste, rules, most)
    for observer in EVERYBODY:
        view = record.view(observer)
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
@soak.examples(13)
def test_a_view_of_a_record_tells_what_was_seen_to_come_from_a_place(seed: int, rules: Rules, most: int) -> None:
    record = record_of(seed, "drawing", rules, most)
    for observer in EVERYBODY:
        view = record.view(observer)
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
        match game.moves[-1:]:
            case [KeepPlate(plate)] if plate.index not in returned and game.stage is not Stage.RETURNING:
                seen.add(place_of[plate.index])
            case [ReturnPlate(plate)]:
                returned.add(plate.index)
    return seen, backs, tuple(looked), tuple(display)


@given(seed=seeds, rules=rule_sets, most=st.integers(0, 200))
@soak.examples(20)
def test_games_that_look_the_same_have_the_same_record(seed: int, rules: Rules, most: int) -> None:
    """Byte for byte, for two games that differ only in what the observer cannot know."""
    record = record_of(seed, "drawing", rules, most)
    for observer in EVERYBODY:
        other = record_alike(record, observer, Random(seed))
        other.check()
        assert other.view(observer).dumps() == record.view(observer).dumps()


def test_a_view_hides_what_the_other_seat_alone_knows() -> None:
    """Seat 0 draws three and returns two: 04 and 06 have the same back, which one was laid tells nothing."""
    plates = "01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18".split()
    tiles = ["BYRKT", "BBBB", "YYYY", "RRRR", "KKKK"]
    moves = "P01@11r0 P02@11r0 D D D H K08@12r0 <07 <06".split()
    record = Record.from_dict(vector("random", 0) | {"first": 0, "moves": moves, "legal": None, "result": None})
    record = replace(record, plates=tuple(plates), tiles=(tuple(tiles),))
    assert record.check().turn == 1
    hidden = ["??"] * 9
    drawer, other, spectator = (record.view(observer) for observer in EVERYBODY)
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
    spectator = record.view(2)
    assert spectator.looked == ()
    assert not any(re.fullmatch(r"<\d\d", token) for token in spectator.moves)
    assert any(token in ("<*", "<W") for token in spectator.moves)


@pytest.mark.parametrize("observer", [3, -1])
def test_there_is_no_view_for_nobody(observer: int) -> None:
    with pytest.raises(RecordError, match="no seat"):
        record_of(1, "uniform", ALL_RULES[0], 5).view(observer)


def test_a_view_of_a_record_is_no_record_of_the_game() -> None:
    view = record_of(1, "drawing", ALL_RULES[0], 30).view(0)
    for use in (view.start, view.replay, view.check, lambda: view.view(0)):
        with pytest.raises(RecordError, match="view of a record"):
            use()
