"""A game at the table is its log of events: `Room` folds them, `Rooms` keeps and loads them."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final, Literal

from msgspec.structs import replace as changed

from sintra.errors import SintraError
from sintra.game.game import Game, View
from sintra.rules.state import ChipState, Stage, States, states_of
from sintra.steps import at_once
from sintra.table.games.log import (
    AnyAct,
    Cancelled,
    Claimed,
    Created,
    Joined,
    Moved,
    Rematched,
    Resigned,
    TakeBackAccepted,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Undone,
    read_act,
    write_act,
)
from sintra.table.games.refusals import RefusalError, cancelled, no_game, stale
from sintra.table.games.storage import ConflictError, Storage, Stored
from sintra.table.portions import Portions
from sintra.table.told import Told
from sintra.tabletop.moves import DisplayPlate, Draw, KeepPlate, Look, Move

Status = Literal["waiting", "cancelled", "playing", "over"]
COMPUTER: Final = 1
"""The computer's seat."""
MOST_EVENTS: Final = 4000
"""From here on a game can only be played to its end, which takes a few hundred moves: every reading of
its log costs time."""
_READ: Final = 64
"""Events that are read from the storage at a time."""
_REVEALING: Final = (Draw, Look, KeepPlate)


@dataclass(frozen=True, slots=True)
class Frame:
    """How a game stands after an event. `state` holds everything, hidden things too: it is looked at
    through `view` only. `round_seq` is the event after which the round began, `turn_ply` the ply after
    which the turn of the seat to move did, `undone` are the events whose moves this one took back,
    `left` is the seat whose absence cost it the game."""

    seq: int
    at: str
    act: AnyAct
    state: bytes
    ply: int
    stage: Stage
    turn: int
    names: tuple[str, str]
    joined: bool
    round_seq: int = 0
    undone: tuple[int, ...] = ()
    turn_ply: int = 0
    asked_by: int | None = None
    asked_ply: int = 0
    taken_back: bool = False
    resigned: int | None = None
    left: int | None = None
    cancelled: bool = False
    rematch: str = ""

    @property
    def status(self) -> Status:
        """Whether the table waits for the friend, in vain, plays, or is done."""
        if self.cancelled:
            return "cancelled"
        if self.resigned is not None or self.left is not None or self.stage is Stage.OVER:
            return "over"
        return "playing" if self.joined else "waiting"

    def view(self, observer: int) -> View:
        """R8: what an observer may know then."""
        return _view(self.state, observer)


@lru_cache(maxsize=1024)
def _view(state: bytes, observer: int) -> View:
    """Several messages look at the same view; a bytearray is copied faster than a record."""
    return View.of_state(states_of(state), 0, observer)


class Room:
    """One game: all frames of its log, the live game at the end of them, and what each observer was told."""

    def __init__(self, name: str, events: Sequence[Stored]) -> None:
        """Folds the log of a game from its first event, which tells how it was made."""
        self.id = name
        self.frames: list[Frame] = []
        self.posts: dict[str, int] = {}
        first = read_act(events[0].act)
        assert isinstance(first, Created), "a log begins with the making of its game"
        self.created = first
        self.game = new_game(first)
        self.rules = self.game.rules
        self.movers: list[int] = []
        self._bare: list[bool] = []
        self.line: list[int] = [0]
        self._rounds: list[int] = [0]
        self._turns: list[int] = [0]
        self.told: dict[int, Told] = {}
        names = (first.names[0], first.names[1])
        self.frames.append(
            Frame(
                seq=0,
                at=events[0].at,
                act=first,
                state=self.game.state.tobytes(),
                ply=0,
                stage=self.game.stage,
                turn=self.game.turn,
                names=names,
                joined=first.mode != "friend",
            )
        )
        for event in events[1:]:
            self.add(event)

    @property
    def now(self) -> Frame:
        """The latest frame."""
        return self.frames[-1]

    @property
    def seq(self) -> int:
        """The number of the latest event."""
        return self.frames[-1].seq

    def is_computer(self, seat: int) -> bool:
        """Whether the computer sits there."""
        return self.created.mode == "computer" and seat == COMPUTER

    @property
    def computer_to_move(self) -> bool:
        """Whether the computer has to decide now."""
        return self.now.status == "playing" and self.is_computer(self.now.turn)

    def add(self, event: Stored) -> Frame:
        """Folds one more event of the log."""
        act = read_act(event.act)
        was = self.now
        line = list(self.line)
        changes: dict[str, object] = {}
        match act:
            case Joined():
                changes = {"joined": True, "names": (was.names[0], act.name)}
            case Moved():
                self._push(Move.parse(act.token), event.seq)
                changes = {"asked_by": None}
            case Undone():
                self._back_to(self.game.ply - 1)
                changes = {"asked_by": None}
            case TakenBack() | TakeBackAccepted():
                self._back_to(act.ply)
                marks = act.marks if isinstance(act, TakenBack) else True
                changes = {"asked_by": None, "taken_back": was.taken_back or marks}
            case TakeBackAsked():
                changes = {"asked_by": act.seat, "asked_ply": act.ply}
            case TakeBackDeclined():
                changes = {"asked_by": None}
            case Resigned():
                self.game.resign(act.seat)
                changes = {"asked_by": None, "resigned": act.seat}
            case Claimed():
                self.game.end_early(act.seat, "timeout")
                changes = {"asked_by": None, "left": 1 - act.seat}
            case Cancelled():
                changes = {"cancelled": True}
            case Rematched():
                changes = {"rematch": act.game}
        if self.game.ply != was.ply:
            changes |= {
                "state": self.game.state.tobytes(),
                "ply": self.game.ply,
                "stage": self.game.stage,
                "turn": self.game.turn,
                "round_seq": self._rounds[-1],
                "turn_ply": self._turns[-1],
            }
        changes["undone"] = tuple(line[len(self.line) :])
        frame = replace(was, seq=event.seq, at=event.at, act=act, **changes)  # type: ignore[arg-type]
        self.frames.append(frame)
        if event.post is not None:
            self.posts[event.post] = event.seq
        return frame

    def _push(self, move: Move, seq: int) -> None:
        before = self.game.state
        self.movers.append(self.game.turn)
        self.game.push(move)
        self._bare.append(reveals(before, self.game.state, move))
        self.line.append(seq)
        begins = before["round_no"][0] != self.game.round
        self._rounds.append(seq if begins else self._rounds[-1])
        goes_on = self.game.turn == self.movers[-1] and _same_turn(Stage(before["stage"][0]), self.game.stage)
        self._turns.append(self._turns[-1] if goes_on else self.game.ply)

    def _back_to(self, ply: int) -> None:
        while self.game.ply > ply:
            self.game.pop()
            self.movers.pop()
            self._bare.pop()
            self.line.pop()
            self._rounds.pop()
            self._turns.pop()

    def may_undo(self, seat: int) -> bool:
        """The undo law: a seat's own latest move, which revealed nothing and let chance not act."""
        playing = self.now.status == "playing" and self.seq < MOST_EVENTS
        return playing and bool(self.movers) and self.movers[-1] == seat and not self._bare[-1]

    def last_decision(self, seat: int) -> int | None:
        """The ply of a seat's latest decision, to which a take-back goes; None if it made none."""
        plies = [ply for ply, mover in enumerate(self.movers) if mover == seat]
        return plies[-1] if plies else None

    def may_take_back(self, seat: int) -> bool:
        """Whether a seat can take back, or ask for it."""
        now = self.now
        playing = now.status == "playing" and self.seq < MOST_EVENTS
        return playing and now.asked_by is None and seat in self.movers


def _same_turn(before: Stage, after: Stage) -> bool:
    """R3.1, R4: a seat that has drawn goes on until all plates lie where they belong, one that tiles to the end."""
    tiling = (Stage.TILING, Stage.PAYING)
    return after in (Stage.DRAWING, Stage.KEEPING, Stage.RETURNING) or (before in tiling and after in tiling)


def reveals(before: States, after: States, move: Move) -> bool:
    """Whether a move brought something hidden to light, or let chance act: then it stands."""
    if isinstance(move, _REVEALING):
        return True
    if before["round_no"][0] != after["round_no"][0] or after["stage"][0] == Stage.OVER:
        return True
    if isinstance(move, DisplayPlate) and before["pile_size"][0] != after["pile_size"][0]:
        return True
    turned_up = (after["chip_state"][0] == ChipState.UP) & (before["chip_state"][0] == ChipState.DOWN)
    return bool(turned_up.any())


def new_game(made: Created) -> Game:
    """The game that was made, at its beginning."""
    rules = {"draw_at_zero": made.draw_at_zero, "special_is_color": made.special_is_color}
    return Game.new(seed=made.seed, goals=made.goals or made.goal_count, rules=rules)


def new_seed(fits: Callable[[int], bool]) -> int:
    """A secret seed; chance decides again until it fits what was asked."""
    while True:
        seed = secrets.randbits(63)
        if fits(seed):
            return seed


def time_now() -> str:
    """The time in UTC, as it is written in logs."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Rooms:
    """All games: the latest ones in memory, every one in the storage."""

    def __init__(self, storage: Storage, portions: Portions | None = None, most: int = 512) -> None:
        self.storage = storage
        self._portions = portions or Portions()
        self._most = most
        self._open: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[bool]] = {}
        self.is_busy: Callable[[Room], bool] = lambda room: False
        self.on_event: Callable[[Room, int], None] = lambda room, seq: None

    async def load(self, name: str) -> None:
        """Reads the log of a game that is not in memory, if there is one, in portions. Then `open` has the
        game at once, as long as nothing else is waited for."""
        while name not in self._open:
            task = self._loading.get(name)
            if task is None:
                task = self._loading[name] = asyncio.create_task(self._load(name))
                task.add_done_callback(lambda _: self._loading.pop(name))
            if not await asyncio.shield(task):
                return

    async def _load(self, name: str) -> bool:
        """Whether there is such a game; then it is in memory."""
        room = await self._portions.do(self._folding(name))
        if room is not None and name not in self._open:
            self._keep(room)
        return room is not None

    def _folding(self, name: str) -> Generator[None, None, Room | None]:
        """Folds the log of a game, event by event."""
        room: Room | None = None
        while events := self.storage.events(name, 0 if room is None else room.seq + 1, _READ):
            for event in events:
                if room is None:
                    room = Room(name, [event])
                else:
                    room.add(event)
                yield
        return room

    def open(self, name: str) -> Room:
        """The game of that name, from memory or from its log."""
        room = self._open.get(name)
        if room is None:
            room = at_once(self._folding(name))
            if room is None:
                raise no_game()
            self._keep(room)
        self._open.move_to_end(name)
        return room

    def _keep(self, room: Room) -> Room:
        """Remembers a room, and forgets those that nobody has used for longest."""
        self._open[room.id] = room
        for name in list(self._open)[: max(0, len(self._open) - self._most)]:
            if name != room.id and not self.is_busy(self._open[name]):
                del self._open[name]
        return room

    def create(self, made: Created, roles: dict[str, bytes], joined: str | None = None) -> Room:
        """A new game; `joined` names a friend who sits there from the start."""
        name = secrets.token_urlsafe(9)
        at = time_now()
        events = [Stored(0, None, at, write_act(made))]
        if joined is not None:
            events.append(Stored(1, None, at, write_act(Joined(1, joined))))
        self.storage.create(name, events, list(roles.items()))
        return self._keep(Room(name, events))

    def post(self, room: Room, post: str, seq: int, make: Callable[[], AnyAct]) -> int:
        """Does what a post asks, once: a repeated one gets the same answer, a stale one is refused."""
        if post in room.posts:
            return room.posts[post]
        if seq != room.seq:
            raise stale(room.seq)
        return self.append(room, make(), post).seq

    def append(self, room: Room, act: AnyAct, post: str | None = None) -> Frame:
        """Writes an event down, then makes it happen and tells of it."""
        stored = Stored(room.seq + 1, post, time_now(), write_act(act))
        try:
            self.storage.append(room.id, stored)
        except ConflictError:
            self._open.pop(room.id, None)
            raise stale(room.seq + 1) from None
        frame = room.add(stored)
        self.on_event(room, frame.seq)
        return frame

    def sit(self, name: str, secret_hash: bytes, said: str) -> None:
        """Seats somebody who has come by an invitation, under the name they said, unless another was quicker.
        Where somebody else had come first, the log has that one's name until now."""
        while True:
            room = self.open(name)
            joined = None
            if said not in ("", room.now.names[1]):
                joined = Stored(room.seq + 1, None, time_now(), write_act(Joined(1, said)))
            try:
                seated = self.storage.sit(name, secret_hash, joined)
            except ConflictError:
                self._open.pop(name, None)
                continue
            if seated and joined is not None:
                self.on_event(room, room.add(joined).seq)
            return


# --- what a seat may do -------------------------------------------------------------------------


def _playing(room: Room) -> None:
    status = room.now.status
    if status == "waiting":
        raise RefusalError(409, "waiting", "The game begins when the friend has come to the table.", seq=room.seq)
    if status == "cancelled":
        raise cancelled(409, room.seq)
    if status == "over":
        raise RefusalError(409, "over", "The game is over.", seq=room.seq)


def _going_back(room: Room) -> None:
    """Nobody can make a log grow for ever."""
    _playing(room)
    if room.seq >= MOST_EVENTS:
        raise RefusalError(
            409, "too_long", "Moves of this game were taken back too often: now they stand.", seq=room.seq
        )


def move(room: Room, seats: tuple[int, ...], token: str) -> Moved:
    """A move of the seat to move; what is wrong with an illegal one is said from that seat's view."""
    _playing(room)
    seat = room.now.turn
    if seat not in seats:
        raise RefusalError(409, "not_your_turn", "It is the other player's turn.", seq=room.seq)
    try:
        parsed = Move.parse(token)
        if not _is_legal(room.game, parsed):
            room.now.view(seat).legal_moves.require(parsed)
            raise SintraError(f"{parsed} is not legal")
    except SintraError as error:
        raise RefusalError(422, "illegal", str(error), seq=room.seq) from None
    return Moved(seat, str(parsed))


def _is_legal(game: Game, parsed: Move) -> bool:
    try:
        game.push(parsed)
    except SintraError:
        return False
    game.pop()
    return True


def undo(room: Room, seats: tuple[int, ...], seat: int | None) -> Undone:
    """A seat's latest move back, if the law allows it."""
    _going_back(room)
    mover = seat if seat is not None else room.movers[-1] if room.movers else seats[0]
    if mover not in seats or not room.may_undo(mover):
        raise RefusalError(
            409,
            "no_undo",
            "Only your own latest move can be undone, before the other player acts, and only if it revealed nothing.",
            seq=room.seq,
        )
    return Undone(mover)


def take_back(room: Room, seats: tuple[int, ...], seat: int | None) -> TakenBack | TakeBackAsked:
    """Back to a seat's latest decision: at once against the computer and on one screen, else asked for."""
    _going_back(room)
    if seat is None:
        seat = seats[0] if len(seats) == 1 or not room.movers else room.movers[-1]
    ply = room.last_decision(seat)
    if ply is None:
        raise RefusalError(409, "nothing_to_take_back", "You have made no move yet.", seq=room.seq)
    if room.created.mode == "friend":
        if room.now.asked_by is not None:
            raise RefusalError(409, "asked_already", "A take-back has been asked for already.", seq=room.seq)
        return TakeBackAsked(seat, ply)
    lawful = ply == room.game.ply - 1 and room.may_undo(seat)
    return TakenBack(seat, ply, marks=not lawful)


def answer(room: Room, seats: tuple[int, ...], agree: bool) -> TakeBackAccepted | TakeBackDeclined:
    """The other seat's answer to the question for a take-back."""
    _playing(room)
    asker = room.now.asked_by
    if asker is None or 1 - asker not in seats:
        raise RefusalError(409, "not_asked", "Nobody has asked you for a take-back.", seq=room.seq)
    return TakeBackAccepted(1 - asker, room.now.asked_ply) if agree else TakeBackDeclined(1 - asker)


def resign(room: Room, seats: tuple[int, ...], seat: int | None) -> Resigned:
    """A seat gives up."""
    _playing(room)
    if seat is None:
        seat = seats[0] if len(seats) == 1 else room.now.turn
    return Resigned(seat)


def claim(room: Room, seats: tuple[int, ...], gone: Sequence[int]) -> Claimed:
    """The game for the one who stayed, when the other has to decide and is `gone` for long."""
    _playing(room)
    other = 1 - seats[0]
    if other in seats or other not in gone:
        raise RefusalError(409, "not_away", "The other player is here, or has left only lately.", seq=room.seq)
    if room.now.turn != other and room.now.asked_by != seats[0]:
        raise RefusalError(409, "your_turn", "The other player has nothing to decide: play on.", seq=room.seq)
    return Claimed(seats[0])


def cancel(room: Room, seats: tuple[int, ...]) -> Cancelled:
    """A table that still waits for the friend is given up by its maker."""
    if room.now.status == "cancelled":
        raise cancelled(409, room.seq)
    if room.now.status != "waiting":
        raise RefusalError(409, "begun", "The game has begun: it can be resigned, not cancelled.", seq=room.seq)
    return Cancelled(seats[0])


def next_game(room: Room) -> Created:
    """The game of a rematch: the same, with the other player to start and a new deal."""
    if room.now.status != "over":
        raise RefusalError(409, "not_over", "A rematch can begin when the game is over.", seq=room.seq)
    old = room.created
    starter = 1 - new_game(old).first
    base = Created(
        seed=0,
        mood=secrets.randbits(63),
        mode=old.mode,
        names=list(room.now.names),
        goals=old.goals,
        goal_count=old.goal_count,
        draw_at_zero=old.draw_at_zero,
        special_is_color=old.special_is_color,
        level=old.level,
        previous=room.id,
    )
    return with_starter(base, starter)


def with_starter(made: Created, starter: int | None) -> Created:
    """The game with a secret seed; if a starter is given, one whose draw made that seat begin."""
    seed = new_seed(lambda one: starter is None or new_game(changed(made, seed=one)).first == starter)
    return changed(made, seed=seed)
