"""Secrecy: whatever is hidden from an observer, every message to them is the same, byte for byte.

Every state of a game's log is replaced by another that fits the observer's view of it, and plates that
others returned unseen by others of their kind; then all messages are built again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

import soak
from helpers import TASTES, some
from sintra import PLATES, Record, ReturnPlate
from sintra.components import SPECTATOR
from sintra.records.steps import run_to_completion
from sintra.table.base.opponents import USUAL
from sintra.table.games import log
from sintra.table.games.log import Created, write_event
from sintra.table.games.room import Frame, Room
from sintra.table.games.storage import Stored
from sintra.table.service.live import event_message, missed
from sintra.table.shown.game import (
    Announcement,
    Watcher,
    brief_of,
    game_shown,
    hinting,
    recording,
    replay_shown,
    whole_game,
)
from sintra.table.workers.thinkers import advise, choose_move
from sintra.tabletop.moves import Move
from sintra.tabletop.ruleset import RuleOptions

AT = "2026-01-01T00:00:00.000Z"
EVERY = soak.pick(3, 1)
"""One event in so many is looked at: the log grows, and every message is built anew for each."""
HINT_EVERY = soak.pick(12, 1)
"""One position in so many is one in which hints are asked for."""
WATCHERS = (Watcher((0,)), Watcher((1,)), Watcher(()), Watcher((0, 1)))
PRESENT = [True, False]


@cache
def played_room(mode: str, taste: str, seed: int) -> Room:
    """A whole game of random play, with some undos and take-backs."""
    dice = Random(seed)
    made = Created(seed, seed + 1, mode, ["Ann", "Ben"], [], 3, RuleOptions(), USUAL)
    room = Room("abcdefghijkl", [Stored(0, None, AT, write_event(made))])
    if mode == "friend":
        add(room, log.Joined(1, "Ben"))
    while room.now.status == "playing":
        mover = room.now.turn
        add(room, log.Moved(mover, str(TASTES[taste](room.game, dice))))
        if room.now.status == "playing" and dice.random() < 0.1:
            ply = room.last_decision(mover)
            assert ply is not None
            add(room, log.Undone(mover) if room.may_undo(mover) else log.TakenBack(mover, ply, True))
    return room


def add(room: Room, event: log.AnyEvent) -> None:
    room.add(Stored(room.seq + 1, None, AT, write_event(event)))


def other_world(room: Room, observer: int, seed: int) -> Room:
    """A game that an observer cannot tell from this one, with everything else changed."""
    twin = object.__new__(Room)
    twin.__dict__.update(room.__dict__)
    twin.frames, twin.shown = OtherFrames(room.frames, observer, seed), {}
    twin.now = twin.frames[-1]
    return twin


class OtherFrames(list[Frame]):
    """The frames of another world, made when they are looked at."""

    def __init__(self, frames: list[Frame], observer: int, seed: int) -> None:
        super().__init__(frames)
        self._other = cache(lambda k: _other_frame(frames[k], observer, seed))

    def __getitem__(self, k: Any) -> Any:
        return self._other(k % len(self))


def _other_frame(frame: Frame, observer: int, seed: int) -> Frame:
    event, move = frame.event, frame.move
    if isinstance(event, log.Moved) and event.seat != observer and isinstance(move, ReturnPlate):
        alike = [plate for plate in PLATES if plate.kind is move.plate.kind]
        move = Move.parse(f"<{alike[(seed + move.plate.index) % len(alike)].name}")
        event = log.Moved(event.seat, str(move))
    state = frame.view(observer).sample_state(seed).tobytes()
    return msgspec.structs.replace(frame, event=event, move=move, state=state)


def grown(room: Room) -> Iterator[Room]:
    """The game as it stood after every event: one room that grows."""
    first, *later = [Stored(frame.seq, None, frame.at, write_event(frame.event)) for frame in room.frames]
    now = Room(room.id, [first])
    yield now
    for event in later:
        now.add(event)
        yield now


def all_messages(room: Room, watcher: Watcher) -> Iterator[bytes]:
    """Everything that a watcher can be sent at this moment, but for records and hints."""
    yield event_message(Announcement(room, PRESENT, room.seq), watcher)
    yield whole_game(room, watcher, PRESENT)
    yield msgspec.json.encode(brief_of(room, watcher, PRESENT))
    yield from (message for _, message in missed(room, watcher, PRESENT, max(0, room.seq - 2)))
    yield msgspec.json.encode(replay_shown(room, watcher, PRESENT, room.now.ply))
    for seat in watcher.seats if len(watcher.seats) == 2 else ():
        yield event_message(Announcement(room, PRESENT, room.seq), Watcher((0, 1), seat))


@pytest.mark.soak
@pytest.mark.parametrize("taste", ["drawing", "uniform"])
@pytest.mark.parametrize("watcher", WATCHERS[:3], ids=["seat 0", "seat 1", "spectator"])
def test_messages_are_the_same_in_every_world_that_fits(watcher: Watcher, taste: str) -> None:
    room = played_room("friend", taste, 11 if taste == "drawing" else 12)
    for now in some(islice(grown(room), None, None, EVERY)):
        told = list(all_messages(now, watcher))
        assert list(all_messages(other_world(now, watcher.observer, now.seq), watcher)) == told, now.seq


@pytest.mark.soak
def test_what_is_built_once_for_all_is_the_same_in_every_world_that_fits_one() -> None:
    """One announcement serves all: each is told what they would be told if all that is hidden from them were
    another."""
    room = played_room("friend", "drawing", 11)
    for now in some(islice(grown(room), None, None, EVERY)):
        shared = Announcement(now, PRESENT, now.seq)
        for watcher in WATCHERS[:3]:
            other = Announcement(other_world(now, watcher.observer, now.seq), PRESENT, now.seq)
            assert event_message(shared, watcher) == event_message(other, watcher), (now.seq, watcher)


@pytest.mark.soak
def test_one_screen_shows_what_is_public_until_a_seat_looks() -> None:
    """The shared screen is the spectator's; a private stage has no options there."""
    room = played_room("screen", "drawing", 13)
    curtains = 0
    for now in islice(grown(room), None, None, EVERY):
        both = Watcher((0, 1))
        shown = game_shown(now, both, PRESENT)
        other = game_shown(other_world(now, SPECTATOR, 3), both, PRESENT)
        assert msgspec.structs.replace(shown, options=None) == msgspec.structs.replace(other, options=None)
        if shown.curtain:
            curtains += 1
            assert shown.options is None
            assert shown == other
        for seat in (0, 1):
            eyes = Watcher((0, 1), seat)
            assert game_shown(now, eyes, PRESENT) == game_shown(other_world(now, seat, 4), eyes, PRESENT)
    assert curtains > 2


@pytest.mark.soak
def test_options_on_the_shared_screen_tell_nothing_private() -> None:
    """Before the curtain falls, what can be decided is the same whatever that seat has looked at."""
    room, looked = played_room("screen", "drawing", 13), 0
    for now in islice(grown(room), None, None, EVERY):
        shown = game_shown(now, Watcher((0, 1)), PRESENT)
        if shown.options is not None:
            looked += 1
            other = game_shown(other_world(now, SPECTATOR, 5), Watcher((0, 1)), PRESENT)
            assert msgspec.json.encode(other.options) == msgspec.json.encode(shown.options)
    assert looked


@pytest.mark.soak
def test_hints_and_computers_are_the_same_in_every_world_that_fits() -> None:
    room = played_room("friend", "drawing", 11)
    for frame in some(frame for frame in room.frames[::HINT_EVERY] if frame.status == "playing"):
        other = _other_frame(frame, frame.turn, 6)
        told = [_hint_and_move(one) for one in (frame, other)]
        assert told[0] == told[1]


def _hint_and_move(frame: Frame) -> tuple[bytes, Any]:
    view = frame.view(frame.turn)
    advised = advise(8, view.to_bytes(), with_reasons=True)
    hint = msgspec.json.encode(run_to_completion(hinting(view, frame.seq, *advised)))
    return hint, choose_move("level:n=2", 7, view.to_bytes())


@pytest.mark.soak
@pytest.mark.parametrize("observer", [0, 1, SPECTATOR])
def test_records_of_games_that_go_on_are_the_same_in_every_world_that_fits(observer: int) -> None:
    """Unseen plates of a kind change places in the deal, unseen chips too; the game is played again."""
    room = played_room("friend", "drawing", 11)
    changed = 0
    for now in islice(grown(room), 2, room.seq, EVERY):
        told = run_to_completion(recording(now, Watcher((observer,) if observer != SPECTATOR else ())))
        record = Record.of(now.game, now.now.names)
        twin = _other_deal(record, told, now.seq)
        twin.replay()
        assert twin.view(observer).dumps() == told.dumps()
        changed += twin.dumps() != record.dumps()
    assert changed > 3


def _other_deal(record: Record, told: Record, seed: int) -> Record:
    """Another game that looks the same: hidden names are dealt out anew among their like."""
    dice = Random(seed)
    opened = [name for plates in (*(told.display or ()), *(told.looked or ())) for name in plates]
    public = {*opened, *(token[1:3] for token in told.moves if token[0] in "PK")}
    new = dict(zip(record.plates, record.plates, strict=True))
    for kind in ("*", "W"):
        hidden = [
            name
            for name, shown in zip(record.plates, told.plates, strict=True)
            if "?" in shown and name not in public and PLATES[int(name) - 1].kind.value == kind
        ]
        new |= dict(zip(hidden, dice.sample(hidden, len(hidden)), strict=True))
    faces = [face for face, shown in zip(record.chips, told.chips, strict=True) if shown == "??"]
    dice.shuffle(faces)
    chips = [faces.pop() if shown == "??" else face for face, shown in zip(record.chips, told.chips, strict=True)]
    moves = [f"<{new[token[1:]]}" if token[0] == "<" else token for token in record.moves]
    return replace(record, plates=tuple(new[name] for name in record.plates), chips=tuple(chips), moves=tuple(moves))
