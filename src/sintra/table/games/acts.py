"""What a player can do in a game. An act is a message that somebody posts; its class says at which address, who may do
it and when, and which event of the log it becomes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, ClassVar, Final, Literal, Protocol, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace as changed

from sintra.errors import SintraError
from sintra.game.seeds import secret_seed
from sintra.table.base.opponents import Opponent
from sintra.table.games import log
from sintra.table.games.beginnings import start_of_game
from sintra.table.games.log import AnyEvent, Created
from sintra.table.games.refusals import RefusalError, cancelled, stale
from sintra.table.games.room import COMPUTER, Room, parsed

Seat = Literal[0, 1]
PostId = Annotated[str, Meta(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
Seq = Annotated[int, Meta(ge=0, le=1_000_000)]
Token = Annotated[str, Meta(min_length=1, max_length=16)]


class Absences(Protocol):
    """Who is away from their games."""

    def gone(self, room: Room) -> Sequence[int]:
        """The seats that have been away for so long that the other may claim the game."""


class PlayerAct(Struct, frozen=True, gc=False, forbid_unknown_fields=True, tag_field="kind"):
    """An act of a player. `seq` is the latest event that its sender has seen; `id` is the sender's own name for it and
    makes a repeated post harmless."""

    address: ClassVar[str] = ""
    """The address below `/api/games/{game}/` at which it is posted; there its `kind` may be left out."""
    summary: ClassVar[str] = ""
    """Its summary in the description of the API."""
    may_be_stale: ClassVar[bool] = False
    """Whether it may be done although more has happened than its sender has seen: the position does not matter."""

    id: PostId
    seq: Seq

    def post_name(self, role: str) -> str:
        """What the act is called in the log, by which a repeated one is recognised."""
        return f"{role}:{self.address.rpartition('/')[2]}:{self.id}"

    def check_seat(self, seats: tuple[int, ...]) -> None:
        """Refuses an act for a seat that is not among those of its sender."""

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> AnyEvent:
        """The event that the act of a player of these seats becomes; RefusalError if it is not allowed now."""
        raise NotImplementedError


class SeatAct(PlayerAct, frozen=True, gc=False):
    """An act of a player who may have to say for which seat it is: on one screen a player has both."""

    seat: Seat | None = None

    def check_seat(self, seats: tuple[int, ...]) -> None:
        """See `PlayerAct`."""
        if self.seat is not None and self.seat not in seats:
            raise RefusalError(403, "not_your_seat", "You can only act for your own seat.")


class MoveAct(PlayerAct, frozen=True, gc=False, tag="move"):
    """Makes a move of the seat to move."""

    address = "moves"
    summary = "Make a move"

    token: Token

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> log.Moved:
        """The move, tried in the room. Why an illegal one is illegal is told from the view of the seat to move."""
        _require_playing(room)
        seat = room.now.turn
        if seat not in seats:
            raise _not_now(room, "not_your_turn", "It is the other player's turn.")
        try:
            move = parsed(self.token)
            try:
                return room.try_move(move)
            except SintraError:
                room.now.view(seat).legal_moves.require(move)
                raise
        except SintraError as error:
            raise RefusalError(422, "illegal", str(error), seq=room.seq) from None


class UndoAct(SeatAct, frozen=True, gc=False, tag="undo"):
    """Undoes the seat's latest move, within the undo law: it revealed nothing, and the other player has not acted."""

    address = "undo"
    summary = "Undo within the law"

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> log.Undone:
        """The undo of the seat that is named, or of the one that moved last."""
        _require_going_back(room)
        seat: int = seats[0]
        if self.seat is not None:
            seat = self.seat
        elif room.movers:
            seat = room.movers[-1]
        if seat not in seats or not room.may_undo(seat):
            if seat in seats and room.movers[-1:] == [seat] and room.was_undone(seat):
                raise _not_now(room, "undone_before", "You have undone this turn once: now it stands.")
            only = "Only your own latest move can be undone, before the other player acts"
            raise _not_now(room, "no_undo", f"{only}, and only if it revealed nothing.")
        return log.Undone(seat)


class TakeBackAct(SeatAct, frozen=True, gc=False, tag="take_back"):
    """Goes back to the seat's latest decision: at once against the computer and on one screen; a friend is asked."""

    address = "take-back"
    summary = "Take back"

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> log.TakenBack | log.TakeBackAsked:
        """The take-back, or the question for it."""
        _require_going_back(room)
        seat: int | None = self.seat
        if seat is None:
            seat = seats[0] if len(seats) == 1 or not room.movers else room.movers[-1]
        ply = room.last_decision(seat)
        if ply is None:
            raise _not_now(room, "nothing_to_take_back", "You have not made a move yet.")
        if room.created.mode == "friend":
            if room.now.asked_by is not None:
                raise _not_now(room, "asked_already", "A take-back has already been asked for.")
            return log.TakeBackAsked(seat, ply)
        is_lawful = ply == room.game.ply - 1 and room.may_undo(seat)
        return log.TakenBack(seat, ply, marks=not is_lawful)


class RedoAct(SeatAct, frozen=True, gc=False, tag="redo"):
    """Makes the moves again that the seat took back last; not against a friend, who had to agree to that."""

    address = "redo"
    summary = "Redo what was taken back"

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> log.Redone:
        """The redo of the seat that took back last."""
        _require_going_back(room)
        seat = next((one for one in seats if self.seat in (None, one) and room.may_redo(one)), None)
        if seat is None:
            only = "Only what you took back can be redone, before another move is made"
            raise _not_now(room, "nothing_to_redo", f"{only}; not against a friend.")
        return log.Redone(seat)


class AnswerAct(PlayerAct, frozen=True, gc=False, tag="answer"):
    """Answers the friend who asks for a take-back."""

    address = "take-back/answer"
    summary = "Agree to a take-back, or not"

    agree: bool

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> AnyEvent:
        """The answer of the seat that was asked."""
        _require_playing(room)
        asker = room.now.asked_by
        if asker is None or 1 - asker not in seats:
            raise _not_now(room, "not_asked", "Nobody has asked you to allow a take-back.")
        return log.TakeBackAccepted(1 - asker, room.now.asked_ply) if self.agree else log.TakeBackDeclined(1 - asker)


class ResignAct(SeatAct, frozen=True, gc=False, tag="resign"):
    """Gives the game up, wherever it stands."""

    address = "resign"
    summary = "Give up"
    may_be_stale = True

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> log.Resigned:
        """The end of the game for the seat that is named, or for the sender's. A player of both seats who names none
        means the one to move, and has to have seen the position."""
        if self.seat is None and len(seats) > 1 and self.seq != room.seq:
            raise stale(room.seq)
        _require_playing(room)
        if self.seat is not None:
            return log.Resigned(self.seat)
        return log.Resigned(seats[0] if len(seats) == 1 else room.now.turn)


class ClaimAct(SeatAct, frozen=True, gc=False, tag="claim"):
    """Claims the game from a friend who has to decide and has been away for long."""

    address = "claim"
    summary = "Win because the other has to decide and stays away"
    may_be_stale = True

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> log.Claimed:
        """The win of the seat that stayed."""
        _require_playing(room)
        other = 1 - seats[0]
        if other in seats or other not in absences.gone(room):
            raise _not_now(room, "not_away", "The other player is here, or left only a moment ago.")
        if room.now.turn != other and room.now.asked_by != seats[0]:
            raise _not_now(room, "your_turn", "The other player has nothing to decide: play on.")
        if room.on_clock == other and room.stopwatch.is_running:
            raise _not_now(room, "clock_runs", "The other player's time is running: the clock decides.")
        return log.Claimed(seats[0])


class CancelAct(SeatAct, frozen=True, gc=False, tag="cancel"):
    """Withdraws the invitation to a game that still waits for the friend."""

    address = "cancel"
    summary = "Give up a table that waits for the friend"
    may_be_stale = True

    def event(self, room: Room, seats: tuple[int, ...], absences: Absences) -> log.Cancelled:
        """The end of a game that has not begun."""
        if room.now.status == "cancelled":
            raise cancelled(409, room.seq)
        if room.now.status != "waiting":
            raise _not_now(room, "begun", "The game has begun: it can be resigned, not cancelled.")
        return log.Cancelled(seats[0])


AnyAct: TypeAlias = MoveAct | UndoAct | TakeBackAct | RedoAct | AnswerAct | ResignAct | ClaimAct | CancelAct
ACTS: Final[tuple[type[AnyAct], ...]] = AnyAct.__args__


def _not_now(room: Room, code: str, message: str) -> RefusalError:
    """Refuses an act that is not allowed as the game stands."""
    return RefusalError(409, code, message, seq=room.seq)


def _require_playing(room: Room) -> None:
    """Refuses what can be done only while the game is played."""
    status = room.now.status
    if status == "waiting":
        raise _not_now(room, "waiting", "The game begins when the friend has taken a seat.")
    if status == "cancelled":
        raise cancelled(409, room.seq)
    if status == "over":
        raise _not_now(room, "over", "The game is over.")


def _require_going_back(room: Room) -> None:
    """Refuses to go back in a game that is not played, or whose log is long: no log grows for ever."""
    _require_playing(room)
    if room.is_long:
        raise _not_now(room, "too_long", "Too many moves were taken back: from now on they stand.")


def next_game(room: Room, opponent: Opponent | None = None) -> Created:
    """The game of a rematch: the same, with the other player to start and a new deal; against a computer perhaps
    with another one there."""
    if room.now.status != "over":
        raise _not_now(room, "not_over", "A rematch can begin once the game is over.")
    old = room.created
    starter = 1 - start_of_game(old).first
    names = list(room.now.names)
    if opponent is not None:
        names[COMPUTER] = opponent.name
    base = Created(
        seed=0,
        computer_seed=secret_seed(),
        mode=old.mode,
        names=names,
        goals=old.goals,
        goal_count=old.goal_count,
        options=old.options,
        opponent=opponent.player if opponent is not None else old.opponent,
        previous=room.id,
        clock=old.clock,
    )
    return with_starter(base, starter)


def with_starter(made: Created, starter: int | None) -> Created:
    """The game with a secret seed; if a starter is given, one whose draw made that seat begin."""
    seed = new_seed(lambda one: starter is None or start_of_game(changed(made, seed=one)).first == starter)
    return changed(made, seed=seed)


def new_seed(fits: Callable[[int], bool]) -> int:
    """A secret seed; chance decides again until it fits what was asked."""
    while True:
        seed = secret_seed()
        if fits(seed):
            return seed
