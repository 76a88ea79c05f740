"""A game in memory: `Room` folds the events of its log into frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import force_setattr
from msgspec.structs import replace as changed

from sintra.components import SMALL_FACTORIES
from sintra.game.game import Game, View
from sintra.rules.memory import layout_of
from sintra.rules.state import STAGES, STATE, ChipState, Stage, states_of
from sintra.table.base.times import Stopwatch
from sintra.table.games import log
from sintra.table.games.beginnings import is_deal_known, start_of_game
from sintra.table.games.log import AnyEvent, Created, Moved, read_event
from sintra.table.games.storage import Stored
from sintra.tabletop.moves import DisplayPlate, Draw, KeepPlate, Look, Move

Status = Literal["waiting", "cancelled", "playing", "over"]
COMPUTER: Final = 1
"""The computer's seat."""
MAX_EVENTS: Final = 4000
"""The events after which a game can only be played to its end, which takes a few hundred moves: reading a log takes
time."""
TILING: Final = (Stage.TILING, Stage.PAYING)
_REVEALING: Final = (Draw, Look, KeepPlate)
_ROUND, _STAGE, _TURN, _PILE_SIZE, _CHIP = (
    layout_of(STATE).fields[name].offset for name in ("round_no", "stage", "turn", "pile_size", "chip_state")
)
_CHIPS: Final = slice(_CHIP, _CHIP + SMALL_FACTORIES)
"""Where small numbers lie in the bytes of a state."""


class Frame(Struct, frozen=True, gc=False):
    """How a game stands after an event."""

    seq: int
    """The number of the event."""
    at: str
    """When it happened."""
    event: AnyEvent
    """The event."""
    state: bytes
    """The whole state, hidden things too: it is looked at through `view` only."""
    ply: int
    """How many moves were made."""
    stage: Stage
    """What the game asks for next."""
    turn: int
    """The seat to move."""
    names: tuple[str, str]
    """The names of both seats."""
    joined: bool
    """Whether both players sit at the table."""
    move: Move | None = None
    """The move that the event made, if it is one."""
    round_seq: int = 0
    """The event after which the round began."""
    tiling_seq: int = 0
    """The event after which the latest tiling began (R4)."""
    undone: tuple[int, ...] = ()
    """The events whose moves this one took back."""
    redone: tuple[int, ...] = ()
    """The events whose moves this one made again."""
    turn_ply: int = 0
    """The ply after which the turn of the seat to move began."""
    asked_by: int | None = None
    """The seat that asks for a take-back."""
    asked_ply: int = 0
    """The ply to which it asks to go back."""
    taken_back: bool = False
    """Whether a move was taken back that the undo law does not give back."""
    resigned: int | None = None
    """The seat that resigned."""
    left: int | None = None
    """The seat that lost because it stayed away."""
    cancelled: bool = False
    """Whether the game was given up before the friend had come."""
    rematch: str = ""
    """The name of the next game."""
    time_left: tuple[int, int] | None = None
    """The milliseconds that both seats had left, in a game with a clock."""
    on_time: frozenset[int] = frozenset()
    """The seats whose time counts: each has made its first move."""
    furthest: int = 0
    """The highest ply that the game has come to."""
    timed_out: int | None = None
    """The seat whose time ran out."""
    undone_turn: int = -1
    """The ply at which the latest turn began that was undone after it had passed to the other seat."""
    status: Status = "waiting"
    """Whether the table waits for the friend, in vain, plays, or is done: it follows from the other fields."""

    def __post_init__(self) -> None:
        lost_early = not (self.resigned is self.left is self.timed_out is None)
        if self.cancelled:
            status = "cancelled"
        elif lost_early or self.stage is Stage.OVER:
            status = "over"
        else:
            status = "playing" if self.joined else "waiting"
        force_setattr(self, "status", status)

    def view(self, observer: int) -> View:
        """R8: what an observer may know then."""
        return _view(self.state, observer)


@dataclass(frozen=True, slots=True)
class TakenMoves:
    """Moves that a seat took back and can redo, each with the event that made it."""

    seat: int
    moves: tuple[tuple[Move, int], ...]


class TriedMove(Struct, frozen=True):
    """A move that was made beside a game, and the game after it."""

    token: str
    move: Move
    game: Game


parsed: Final = lru_cache(maxsize=4096)(Move.parse)
"""`Move.parse` with a cache: most tokens come again and again."""


@lru_cache(maxsize=4096)
def _view(state: bytes, observer: int) -> View:
    """What an observer may know of a state. Several messages look at the same views, before and after each move: those
    of a thousand games are cached."""
    return View.of_state(_looked_at(state), 0, observer)


_looked_at: Final = lru_cache(maxsize=16)(states_of)
"""The states at which several observers look, one after the other."""


class Room:
    """One game: the frames of its log, and the live game at the end of them."""

    def __init__(self, name: str, events: Sequence[Stored], stopwatch: Stopwatch | None = None) -> None:
        """Folds the log of a game from its first event, which tells how it was made."""
        self.id = name
        self.posts: dict[str, int] = {}
        """The events that acts of players became, by the names of the acts."""
        first = read_event(events[0].text)
        assert isinstance(first, Created), "a log begins with the making of its game"
        self.created = first
        self.game = start_of_game(first)
        self.rules = self.game.rules
        self.deal_known = is_deal_known(first, self.game)
        self.movers: list[int] = []
        """The seats that made the moves that stand."""
        self._revealed: list[bool] = []
        self.standing: list[int] = [0]
        """The events after which the game stood at each ply: those whose moves were not taken back."""
        self._rounds: list[int] = [0]
        self._tilings: list[int] = [0]
        self._turns: list[int] = [0]
        self._redoable: list[TakenMoves] = []
        self._tried: TriedMove | None = None
        self._state = self.game.states.tobytes()
        self.is_behind = False
        """Whether the log may have grown without this room: it is read on before anything else is done."""
        self.used_at = 0.0
        """When somebody last opened the game, by the ticks of all rooms."""
        self.shown: dict[int | str, Any] = {}
        """What was made of the game to be shown, and stays the same, for those who make it."""
        self.stopwatch = stopwatch or Stopwatch()
        """Runs while the time of the seat to move does; what was left before is in the log."""
        names = (first.names[0], first.names[1])
        self.now = Frame(
            seq=0,
            at=events[0].at,
            event=first,
            state=self._state,
            ply=0,
            stage=self.game.stage,
            turn=self.game.turn,
            names=names,
            joined=first.mode != "friend",
            time_left=None if first.clock is None else (1000 * first.clock.seconds,) * 2,
        )
        """The latest frame."""
        self.seq = 0
        """The number of the latest event."""
        self.frames = [self.now]
        for event in events[1:]:
            self.add(event)

    @property
    def goes_on(self) -> bool:
        """Whether the game is played, or will be when the friend has come."""
        return self.now.status in ("waiting", "playing")

    def is_computer(self, seat: int) -> bool:
        """Whether the computer sits there."""
        return self.created.mode == "computer" and seat == COMPUTER

    @property
    def computer_to_move(self) -> bool:
        """Whether the computer has to decide now."""
        now = self.now
        return self.created.mode == "computer" and now.turn == COMPUTER and now.status == "playing"

    def add(self, stored: Stored, event: AnyEvent | None = None) -> Frame:
        """Folds one more event of the log, which is read from its text unless the caller knows it."""
        if event is None:
            event = read_event(stored.text)
        tried, self._tried = self._tried, None
        was = self.now
        changes: dict[str, object] = {}
        move: Move | None = None
        undone: tuple[int, ...] = ()
        redone: tuple[int, ...] = ()
        match event:
            case Moved():
                if tried is not None and tried.token == event.token:
                    move, self.game = tried.move, tried.game
                else:
                    move = parsed(event.token)
                    self.game.push(move)
                self._note_move(move, stored.seq)
                self._redoable.clear()
                changes = {"asked_by": None, "on_time": was.on_time | {event.seat}}
            case log.Joined():
                changes = {"joined": True, "names": (was.names[0], event.name)}
            case log.Undone():
                undone = self._take_back(event.seat, self.game.ply - 1)
                changes = {"asked_by": None}
                if was.turn != event.seat:
                    changes["undone_turn"] = max(was.undone_turn, self._turns[-1])
            case log.TakenBack() | log.TakeBackAccepted():
                undone = self._take_back(event.seat, event.ply)
                marks = event.marks if isinstance(event, log.TakenBack) else True
                changes = {"asked_by": None, "taken_back": was.taken_back or marks}
            case log.Redone():
                moves = self._redoable.pop().moves
                for again, seq in moves:
                    self.game.push(again)
                    self._note_move(again, seq)
                redone = tuple(seq for _, seq in moves)
                changes = {"asked_by": None}
            case log.TakeBackAsked():
                changes = {"asked_by": event.seat, "asked_ply": event.ply}
            case log.TakeBackDeclined():
                changes = {"asked_by": None}
            case log.Resigned():
                self.game.resign(event.seat)
                changes = {"asked_by": None, "resigned": event.seat}
            case log.Claimed():
                self.game.end_early(event.seat, "timeout")
                changes = {"asked_by": None, "left": 1 - event.seat}
            case log.TimedOut():
                self.game.end_early(1 - event.seat, "timeout")
                changes = {"asked_by": None, "timed_out": event.seat}
            case log.Cancelled():
                changes = {"cancelled": True}
            case log.Rematched():
                changes = {"rematch": event.game}
        ply = self.game.ply
        if ply != was.ply:
            changes |= {
                "state": self._state,
                "ply": ply,
                "furthest": max(was.furthest, ply),
                "stage": STAGES[self._state[_STAGE]],
                "turn": self._state[_TURN],
                "round_seq": self._rounds[-1],
                "tiling_seq": self._tilings[-1],
                "turn_ply": self._turns[-1],
            }
        if event.time_left is not None:
            changes["time_left"] = event.time_left
            self.stopwatch.reset()
        frame = changed(
            was, seq=stored.seq, at=stored.at, event=event, move=move, undone=undone, redone=redone, **changes
        )
        self.frames.append(frame)
        self.now, self.seq = frame, frame.seq
        if stored.post is not None:
            self.posts[stored.post] = stored.seq
        return frame

    def try_move(self, move: Move) -> Moved:
        """Makes a move of the seat to move beside the game, where nobody sees it, and returns its event; raises why the
        move is illegal. If `add` folds this event next, the move is not made again."""
        tried = self.game.copy()
        tried.push(move)
        self._tried = TriedMove(str(move), move, tried)
        return Moved(self.now.turn, self._tried.token)

    def _note_move(self, move: Move, seq: int) -> None:
        """Notes what a move that was just made in the game has changed; `seq` is the event that made it."""
        before = self._state
        self._state = after = self.game.states.tobytes()
        self.movers.append(before[_TURN])
        self._revealed.append(reveals(before, after, move))
        self.standing.append(seq)
        begins = before[_ROUND] != after[_ROUND]
        self._rounds.append(seq if begins else self._rounds[-1])
        tiles = after[_STAGE] in TILING and before[_STAGE] not in TILING
        self._tilings.append(seq if tiles else self._tilings[-1])
        same_turn = before[_TURN] == after[_TURN] and _same_turn(before[_STAGE], after[_STAGE])
        self._turns.append(self._turns[-1] if same_turn else self.game.ply)

    def _take_back(self, seat: int, ply: int) -> tuple[int, ...]:
        """Goes back to a ply and returns the events whose moves that takes back. They can be redone until a move is
        made; not against a friend, who has to be asked for a take-back."""
        taken = tuple(self.standing[ply + 1 :])
        if self.created.mode != "friend":
            self._redoable.append(TakenMoves(seat, tuple(zip(self.game.moves[ply:], taken, strict=True))))
        while self.game.ply > ply:
            self.game.pop()
            self.movers.pop()
            self._revealed.pop()
            self.standing.pop()
            self._rounds.pop()
            self._tilings.pop()
            self._turns.pop()
        self._state = self.game.states.tobytes()
        return taken

    # --- the clock ------------------------------------------------------------------------------

    @property
    def on_clock(self) -> int | None:
        """The seat whose time is to run: the one to move, but its first decision is free."""
        now = self.now
        counts = now.time_left is not None and now.status == "playing" and now.turn in now.on_time
        return now.turn if counts else None

    @property
    def time_left(self) -> tuple[int, int] | None:
        """The milliseconds that both seats have left at this moment; None without a clock."""
        left = self.now.time_left
        if left is None or self.on_clock is None:
            return left
        used = self.stopwatch.milliseconds
        return max(0, left[0] - used * (self.on_clock == 0)), max(0, left[1] - used * (self.on_clock == 1))

    @property
    def is_late(self) -> bool:
        """Whether the time of the seat to move has run out."""
        return (
            self.created.clock is not None
            and self.on_clock is not None
            and self.time_left is not None
            and not self.time_left[self.on_clock]
        )

    def timed(self, event: AnyEvent) -> AnyEvent:
        """An event with the time that it leaves to both seats, in a game with a clock. A seat that completes a turn
        gets the increment, unless the turn was completed before and taken back. A seat whose position is taken away
        gets the time back that it cost."""
        limit = self.created.clock
        left = None if limit is None else self.time_left
        if limit is None or left is None:
            return event
        match event:
            case log.Undone(seat):
                left = self._given_back(left, 1 - seat, self.game.ply - 1)
            case log.TakenBack(seat, ply):
                left = self._given_back(left, 1 - seat, ply)
            case log.TakeBackAccepted(seat, ply):
                left = self._given_back(left, seat, ply)
        if isinstance(event, Moved) and self.on_clock == event.seat and self._completes_turn():
            more = 1000 * limit.increment
            left = (left[0] + more * (event.seat == 0), left[1] + more * (event.seat == 1))
        return changed(event, time_left=left)

    def _given_back(self, left: tuple[int, int], seat: int, ply: int) -> tuple[int, int]:
        """What is left when the game goes back to a ply: the seat has at least what it had after the next move."""
        had = self.frames[self.standing[ply + 1]].time_left
        assert had is not None, "a clock is there from the start"
        return (max(left[0], had[0]), left[1]) if seat == 0 else (left[0], max(left[1], had[1]))

    def _completes_turn(self) -> bool:
        """Whether the move that was tried completes a turn for the first time."""
        if self._tried is None or self.now.furthest > self.game.ply:
            return False
        return not goes_on(self.game.turn, self.game.stage, self._tried.game)

    # --- going back -----------------------------------------------------------------------------

    @property
    def is_long(self) -> bool:
        """Whether the log has so many events that nothing is taken back any more."""
        return self.seq >= MAX_EVENTS

    @property
    def _may_go_back(self) -> bool:
        return self.now.status == "playing" and self.seq < MAX_EVENTS

    def may_undo(self, seat: int) -> bool:
        """The undo law: a seat's own latest move, which revealed nothing and let chance not act. A friend is to decide
        in peace: the same turn is not taken from them twice."""
        lawful = bool(self.movers) and self.movers[-1] == seat and not self._revealed[-1]
        return lawful and self._may_go_back and not self.was_undone(seat)

    def was_undone(self, seat: int) -> bool:
        """Whether a turn that has passed to a friend was undone before."""
        passed = self.created.mode == "friend" and self.now.turn != seat and bool(self.movers)
        return passed and self._turns[-2] <= self.now.undone_turn

    def open_states(self, whole: bool = False) -> list[bytes]:
        """The states whose decision is still open: the present one and those to which undos lead back; or all that
        stand. The start of a game that is played on is not among them: its maker could look into it before."""
        first = self.game.ply
        while first and (whole or (self.movers[first - 1] == self.movers[-1] and not self._revealed[first - 1])):
            first -= 1
        if self.created.start is not None:
            first = max(first, 1)
        return [self.frames[seq].state for seq in self.standing[first:]]

    def last_decision(self, seat: int) -> int | None:
        """The ply of a seat's latest decision, to which a take-back goes; None if it made none."""
        plies = [ply for ply, mover in enumerate(self.movers) if mover == seat]
        return plies[-1] if plies else None

    def may_take_back(self, seat: int) -> bool:
        """Whether a seat can take back, or ask for it."""
        return self._may_go_back and self.now.asked_by is None and seat in self.movers

    def may_redo(self, seat: int) -> bool:
        """Whether a seat can redo what was taken back last, by it, if no move was made since."""
        return bool(self._redoable) and self._redoable[-1].seat == seat and self._may_go_back


def goes_on(mover: int, before: Stage, after: Game) -> bool:
    """Whether a move leaves its maker in the middle of a turn."""
    return after.turn == mover and _same_turn(before, after.stage)


def _same_turn(before: int, after: int) -> bool:
    """R3.1, R4: a seat that has drawn goes on until all plates lie where they belong, one that tiles to the end."""
    return after in (Stage.DRAWING, Stage.KEEPING, Stage.RETURNING) or (before in TILING and after in TILING)


def reveals(before: bytes, after: bytes, move: Move) -> bool:
    """Whether a move that led from one state to another brought something hidden to light, or let chance act: then it
    stands."""
    if isinstance(move, _REVEALING) or before[_ROUND] != after[_ROUND] or after[_STAGE] == Stage.OVER:
        return True
    if isinstance(move, DisplayPlate) and before[_PILE_SIZE] != after[_PILE_SIZE]:
        return True
    return (ChipState.DOWN, ChipState.UP) in zip(before[_CHIPS], after[_CHIPS], strict=True)
