"""A game as messages to each observer, built from nothing but that observer's views."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, cast

import msgspec
from msgspec.structs import replace as changed

from sintra.components import SPECTATOR
from sintra.game.game import View
from sintra.records.record import Record
from sintra.records.steps import run_to_completion
from sintra.review.forms import Sentence
from sintra.review.reasons import Reason
from sintra.rules.state import Stage
from sintra.table.base.opponents import OPPONENTS, Opponent, next_to
from sintra.table.games import log
from sintra.table.games.beginnings import with_history
from sintra.table.games.room import Frame, Room
from sintra.table.shown import messages
from sintra.table.shown.made_move import RoundPast
from sintra.table.shown.options import options_of
from sintra.table.shown.position import open_position, position_text, result_of, with_pile
from sintra.table.shown.story import story_of
from sintra.table.shown.told import Told, written
from sintra.tabletop.moves import Move
from sintra.tabletop.ruleset import RuleOptions, Rules

PRIVATE: Final = (Stage.KEEPING, Stage.RETURNING)
"""Stages in which the player to move has plates before them that the other may not see."""
_encode: Final = msgspec.json.Encoder().encode


class Watcher(NamedTuple):
    """Somebody who looks at a game: the seats that they play, and the one whose view is asked for
    where they play both."""

    seats: tuple[int, ...] = ()
    asked_seat: int | None = None

    @property
    def observer(self) -> int:
        """Whose view they see: both seats on one screen see what is public."""
        if self.asked_seat is not None:
            return self.asked_seat
        return self.seats[0] if len(self.seats) == 1 else SPECTATOR


class Announcement:
    """A game after event `seq`, to be shown to several: what everybody may know is built and written once, from the
    views of a spectator, who knows nothing else. What can be decided is told with the latest event only, and not in a
    replay."""

    def __init__(self, room: Room, present: Sequence[bool], seq: int | None = None, *, replay: bool = False) -> None:
        self._room = room
        self._frame = frame = room.now if seq is None else room.frames[seq]
        self._is_latest = frame is room.now and not replay
        self._event: messages.Event | None = None
        status, view = frame.status, frame.view(SPECTATOR)
        self._position = open_position(view)
        self._common = messages.GameShown(
            game=room.id,
            seq=frame.seq,
            ply=frame.ply,
            status=status,
            mode=cast(messages.Mode, room.created.mode),
            you=[],
            players=_players_written(room, frame, present),
            rules=_rules_written(room),
            deal_known=room.deal_known,
            position=with_pile(self._position, view),
            thinking=status == "playing" and room.is_computer(frame.turn),
            take_back_asked_by=frame.asked_by,
            taken_back=frame.taken_back,
            rematch=frame.rematch,
            clock=clock_shown(room, frame, self._is_latest),
            began=_beginning(room),
        )
        self._has_text = replay and has_no_record(room)

    def to(self, watcher: Watcher) -> messages.GameShown:
        """The game as a watcher may see it."""
        room, frame, common = self._room, self._frame, self._common
        observer, seats = watcher.observer, watcher.seats
        decides = common.status == "playing" and frame.turn in seats
        curtain = decides and observer == SPECTATOR and frame.stage in PRIVATE
        options = None
        if decides and self._is_latest and not curtain and observer in (SPECTATOR, frame.turn):
            options = options_of(frame.view(frame.turn))
        acting = seats if self._is_latest else ()
        return changed(
            common,
            you=list(seats),
            position=common.position if observer == SPECTATOR else with_pile(self._position, frame.view(observer)),
            options=options,
            event=self._event_to(observer),
            curtain=curtain,
            may_undo=any(map(room.may_undo, acting)),
            may_take_back=any(map(room.may_take_back, acting)),
            may_redo=any(map(room.may_redo, acting)),
            result=_result(room, frame, watcher) if common.status == "over" else None,
            text=position_text(frame.view(frame.turn)) if self._has_text else "",
        )

    def _event_to(self, observer: int) -> messages.Event:
        """What has happened, as an observer may know it: it never changes, so it is kept once the log is told so
        far."""
        told, seq = _told_to(self._room, observer), self._frame.seq
        known = len(told)
        if seq < known:
            return told.event(seq)
        if _knows_more(self._frame, observer):
            event = _event(self._room, seq, observer)
        else:
            event = self._event = self._event or written(_event(self._room, seq, SPECTATOR))
        if seq == known:
            told.add(event)
        return event


def game_shown(
    room: Room, watcher: Watcher, present: Sequence[bool], *, seq: int | None = None, replay: bool = False
) -> messages.GameShown:
    """The game after event `seq`, or now, as one watcher may see it."""
    return Announcement(room, present, seq, replay=replay).to(watcher)


def _beginning(room: Room) -> messages.BeginningShown | None:
    start = room.created.start
    return messages.BeginningShown(start.moves, bool(start.record)) if start else None


def has_no_record(room: Room) -> bool:
    """Whether a game is over and has no record, since it began with a position."""
    start = room.created.start
    return room.now.status == "over" and start is not None and not start.record


def clock_shown(room: Room, frame: Frame, is_latest: bool = True) -> messages.ClockShown | None:
    """What the clock says: at this moment of the latest event, else as it was written down."""
    limit = room.created.clock
    left = None if limit is None else room.time_left if is_latest else frame.time_left
    if limit is None or left is None:
        return None
    running = room.on_clock if is_latest and room.stopwatch.is_running else None
    return messages.ClockShown(limit.seconds, limit.increment, list(left), running)


def whole_game(room: Room, watcher: Watcher, present: Sequence[bool], before: bytes = b"", after: bytes = b"") -> bytes:
    """The game now with its whole log, as JSON, between what stands before and after it: a long log is there
    as text already."""
    run_to_completion(telling(room, watcher.observer))
    shown = _encode(game_shown(room, watcher, present))
    return _told_to(room, watcher.observer).within(before + shown[:-1] + b',"log":', room.seq, b"}" + after)


def replay_shown(room: Room, watcher: Watcher, present: Sequence[bool], ply: int) -> messages.GameShown:
    """The game after so many moves, as the watcher could know it then."""
    return game_shown(room, watcher, present, seq=room.standing[ply], replay=True)


def brief_of(room: Room, watcher: Watcher, present: Sequence[bool]) -> messages.GameBrief:
    """The game as an entry of the list of games."""
    view = room.now.view(SPECTATOR)
    return messages.GameBrief(
        game=room.id,
        seq=room.seq,
        mode=cast(messages.Mode, room.created.mode),
        status=room.now.status,
        players=players_of(room, room.now, present),
        you=list(watcher.seats),
        round=view.round,
        seat=view.turn,
        scores=list(view.scores),
        at=room.now.at,
    )


def invitation_of(room: Room) -> messages.InvitationShown:
    """What an invited player sees before joining."""
    made = room.frames[0]
    limit = room.created.clock
    clock = None if limit is None else messages.ClockAsked(limit.seconds, limit.increment)
    return messages.InvitationShown(
        made.names[0], made.view(SPECTATOR).first, rules_shown(room.rules), room.deal_known, clock
    )


def recording(room: Room, watcher: Watcher) -> Generator[None, None, Record]:
    """Writes the whole record of a finished game, or what the watcher may know of one that goes on, step by step, as
    the game stood at the first step."""
    names, is_over, observer = room.now.names, room.now.status == "over", watcher.observer
    game = yield from with_history(room.created, room.game.copy())
    record = Record.of(game, names)
    return record if is_over else (yield from record.viewing(observer))


def hinting(
    view: View,
    seq: int,
    exact: bool,
    advice: Sequence[tuple[str, float, float, Sequence[Sentence]]],
    about_equal: int,
    reasons: Sequence[Reason],
) -> Generator[None, None, messages.Hint]:
    """Writes a hint, step by step: the advised moves in words, each with what speaks for it."""
    told = []
    for token, win, lead, why in advice:
        told.append(changed(advice_shown(view, token, win, lead), why=sentences_shown(why)))
        yield
    return messages.Hint(seq, exact, told, reasons_shown(reasons), about_equal)


def sentences_shown(sentences: Sequence[Sentence]) -> list[messages.SentenceShown]:
    """Sentences as they are shown."""
    return [messages.SentenceShown(one.form, one.args, list(one.places)) for one in sentences]


def reasons_shown(reasons: Sequence[Reason]) -> list[messages.ReasonShown]:
    """The reasons why a move is better than another, as they are shown."""
    return [msgspec.convert(reason, messages.ReasonShown, from_attributes=True) for reason in reasons]


def told_before(view: View, token: str) -> tuple[messages.Telling, list[str]]:
    """A move that could be made, in words, and the places that it is about."""
    move = Move.parse(token)
    fitting = view.sample(0)
    fitting.push(move)
    story = story_of(view, fitting.view(view.seat), move, view.seat)
    places = [place for one in story.steps if one.kind == "travel" for place in (one.start, one.end)]
    shown = [place for place in dict.fromkeys(places) if place not in ("tower", "supply")]
    return without_guesses(story.telling), shown


def advice_shown(view: View, token: str, win: float, lead: float) -> messages.AdviceShown:
    """A move that is advised, told from the view alone."""
    told, places = told_before(view, token)
    return messages.AdviceShown(token, told, round(win, 4), round(lead, 2), places)


def without_guesses(told: messages.Telling) -> messages.Telling:
    """A sentence about a move that was not made, without the chip that it would turn up, since nobody knows that."""
    return messages.Telling(told.key, {name: arg for name, arg in told.args.items() if name != "turned"})


def players_of(room: Room, frame: Frame, present: Sequence[bool]) -> list[messages.PlayerShown]:
    """The players of both seats."""
    return [
        messages.PlayerShown(
            name=frame.names[seat],
            kind="computer" if room.is_computer(seat) else "human",
            opponent=room.created.opponent if room.is_computer(seat) else "",
            joined=seat == 0 or frame.joined,
            present=present[seat],
        )
        for seat in (0, 1)
    ]


def _players_written(room: Room, frame: Frame, present: Sequence[bool]) -> list[messages.PlayerShown]:
    """The players of both seats, written once until one of them is another, comes or goes."""
    key = frame.names, frame.joined, *present
    known, players = room.shown.get("players", (None, []))
    if known != key:
        players = written(players_of(room, frame, present))
        room.shown["players"] = key, players
    shown: list[messages.PlayerShown] = players
    return shown


def _rules_written(room: Room) -> messages.RulesShown:
    """The goals and options in play, written once for each game."""
    rules: messages.RulesShown | None = room.shown.get("rules")
    if rules is None:
        rules = room.shown["rules"] = written(rules_shown(room.rules))
    return rules


def people_shown(names: Sequence[str]) -> list[messages.PlayerShown]:
    """The players of a study or a review, of whom a record has nothing but names: computers are known by theirs."""
    return [
        messages.PlayerShown(name, "computer" if found else "human", found, joined=True, present=True)
        for name, found in zip(names, opponents_named(names), strict=True)
    ]


def opponents_named(names: Sequence[str]) -> list[str]:
    """The computers that have these names, as the texts that they are made from; empty for people."""
    by_name = {one.name: one.player for one in OPPONENTS.values()}
    return [by_name.get(name, "") for name in names]


@lru_cache(maxsize=1024)
def rules_shown(rules: Rules) -> messages.RulesShown:
    """The goals and options in play."""
    return messages.RulesShown([str(goal) for goal in rules.goals], RuleOptions.to_dict(rules))


def _result(room: Room, frame: Frame, watcher: Watcher) -> messages.ResultShown:
    view = frame.view(watcher.observer)
    if frame.left is not None:
        result = result_of(view, "left", 1 - frame.left)
    elif frame.timed_out is not None:
        result = result_of(view, "timeout", 1 - frame.timed_out)
    elif frame.resigned is not None:
        result = result_of(view, "resigned", 1 - frame.resigned)
    else:
        result = result_of(view)
    if room.created.mode != "computer" or not watcher.seats:
        return result
    following = next_to(room.created.opponent, stronger=result.winner in watcher.seats)
    return changed(result, next_opponent=opponent_shown(following)) if following else result


def opponent_shown(one: Opponent) -> messages.OpponentShown:
    """A computer that can be played against."""
    return messages.OpponentShown(one.player, one.name, one.about, one.elo)


def _told_to(room: Room, observer: int) -> Told:
    """The events of a game that an observer was told, cached while the game is in memory."""
    told: Told | None = room.shown.get(observer)
    if told is None:
        told = room.shown[observer] = Told()
    return told


def telling(room: Room, observer: int) -> Generator[None, None, None]:
    """Tells an observer the log up to its end, event by event."""
    told = _told_to(room, observer)
    while len(told) <= room.seq:
        told.add(_event(room, len(told), observer))
        yield


def _knows_more(frame: Frame, observer: int) -> bool:
    """R8: whether an observer has seen more of a move than a spectator has: nothing else of what happens is hidden."""
    event, move = frame.event, frame.move
    if move is None or not isinstance(event, log.Moved) or event.seat != observer:
        return False
    return move.seen_by(observer, event.seat) is not move.seen_by(SPECTATOR, event.seat)


def _event(room: Room, seq: int, observer: int) -> messages.Event:
    frame = room.frames[seq]
    event = frame.event
    kind = str(event.__struct_config__.tag)
    if isinstance(event, log.Moved) and frame.move is not None:
        before = room.frames[seq - 1]
        view = before.view(observer)
        move = frame.move.seen_by(observer, event.seat)
        ends_round = frame.round_seq != before.round_seq or frame.stage is Stage.OVER
        since = (before.round_seq, before.tiling_seq)
        past = RoundPast(*(room.frames[one].view(observer) for one in since)) if ends_round else None
        story = story_of(view, frame.view(observer), move, event.seat, past)
        return messages.Event(
            seq=seq,
            kind=kind,
            telling=story.telling,
            at=frame.at,
            ply=frame.ply,
            turn=before.turn_ply + 1,
            round=view.round,
            seat=event.seat,
            token=str(move),
            steps=story.steps,
            summary=story.summary,
        )
    args: dict[str, str | int] = {"name": event.name} if isinstance(event, log.Joined) else {}
    told = kind
    if isinstance(event, log.Created) and event.start is not None:
        told = "played_on_known" if room.deal_known else "played_on"
    return messages.Event(
        seq=seq,
        kind=kind,
        telling=messages.Telling(f"log.{told}", args),
        at=frame.at,
        ply=frame.ply,
        round=frame.view(observer).round,
        seat=event.seat if isinstance(event, log.SeatEvent) else None,
        undoes=list(frame.undone),
        redoes=list(frame.redone),
    )
