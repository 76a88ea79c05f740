"""What a seat may do: each act is checked here and becomes an event of the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace as changed

from sintra.errors import SintraError
from sintra.game.seeds import secret_seed
from sintra.table.base.opponents import Opponent
from sintra.table.games.beginnings import new_game
from sintra.table.games.log import (
    Cancelled,
    Claimed,
    Created,
    Moved,
    Redone,
    Resigned,
    TakeBackAccepted,
    TakeBackAsked,
    TakeBackDeclined,
    TakenBack,
    Undone,
)
from sintra.table.games.refusals import RefusalError, cancelled
from sintra.table.games.room import COMPUTER, Room, parsed


def _playing(room: Room) -> None:
    status = room.now.status
    if status == "waiting":
        raise RefusalError(409, "waiting", "The game begins when the friend has taken a seat.", seq=room.seq)
    if status == "cancelled":
        raise cancelled(409, room.seq)
    if status == "over":
        raise RefusalError(409, "over", "The game is over.", seq=room.seq)


def _going_back(room: Room) -> None:
    """Nobody can make a log grow for ever."""
    _playing(room)
    if room.is_long:
        raise RefusalError(409, "too_long", "Too many moves were taken back: from now on they stand.", seq=room.seq)


def move(room: Room, seats: tuple[int, ...], token: str) -> Moved:
    """A move of the seat to move, tried in the room; what is wrong with an illegal one is said from that seat's
    view."""
    _playing(room)
    seat = room.now.turn
    if seat not in seats:
        raise RefusalError(409, "not_your_turn", "It is the other player's turn.", seq=room.seq)
    try:
        made = parsed(token)
        try:
            room.try_move(made)
        except SintraError:
            room.now.view(seat).legal_moves.require(made)
            raise
    except SintraError as error:
        raise RefusalError(422, "illegal", str(error), seq=room.seq) from None
    return Moved(seat, str(made))


def undo(room: Room, seats: tuple[int, ...], seat: int | None) -> Undone:
    """A seat's latest move back, if the law allows it."""
    _going_back(room)
    mover = seat if seat is not None else room.movers[-1] if room.movers else seats[0]
    if mover not in seats or not room.may_undo(mover):
        if mover in seats and room.movers[-1:] == [mover] and room.was_undone(mover):
            raise RefusalError(409, "undone_before", "You have undone this turn once: now it stands.", seq=room.seq)
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
        raise RefusalError(409, "nothing_to_take_back", "You have not made a move yet.", seq=room.seq)
    if room.created.mode == "friend":
        if room.now.asked_by is not None:
            raise RefusalError(409, "asked_already", "A take-back has already been asked for.", seq=room.seq)
        return TakeBackAsked(seat, ply)
    lawful = ply == room.game.ply - 1 and room.may_undo(seat)
    return TakenBack(seat, ply, marks=not lawful)


def redo(room: Room, seats: tuple[int, ...], seat: int | None) -> Redone:
    """What a seat took back last, made again; not against a friend, who had to agree to it."""
    _going_back(room)
    taker = next((one for one in seats if seat in (None, one) and room.may_redo(one)), None)
    if taker is None:
        raise RefusalError(
            409,
            "nothing_to_redo",
            "Only what you took back can be redone, before another move is made; not against a friend.",
            seq=room.seq,
        )
    return Redone(taker)


def answer(room: Room, seats: tuple[int, ...], agree: bool) -> TakeBackAccepted | TakeBackDeclined:
    """The other seat's answer to the question for a take-back."""
    _playing(room)
    asker = room.now.asked_by
    if asker is None or 1 - asker not in seats:
        raise RefusalError(409, "not_asked", "Nobody has asked you to allow a take-back.", seq=room.seq)
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
        raise RefusalError(409, "not_away", "The other player is here, or left only a moment ago.", seq=room.seq)
    if room.now.turn != other and room.now.asked_by != seats[0]:
        raise RefusalError(409, "your_turn", "The other player has nothing to decide: play on.", seq=room.seq)
    if room.on_clock == other and room.stopwatch.is_running:
        raise RefusalError(409, "clock_runs", "The other player's time is running: the clock decides.", seq=room.seq)
    return Claimed(seats[0])


def cancel(room: Room, seats: tuple[int, ...]) -> Cancelled:
    """A table that still waits for the friend is given up by its maker."""
    if room.now.status == "cancelled":
        raise cancelled(409, room.seq)
    if room.now.status != "waiting":
        raise RefusalError(409, "begun", "The game has begun: it can be resigned, not cancelled.", seq=room.seq)
    return Cancelled(seats[0])


def next_game(room: Room, opponent: Opponent | None = None) -> Created:
    """The game of a rematch: the same, with the other player to start and a new deal; against a computer perhaps
    with another one there."""
    if room.now.status != "over":
        raise RefusalError(409, "not_over", "A rematch can begin once the game is over.", seq=room.seq)
    old = room.created
    starter = 1 - new_game(old).first
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
    seed = new_seed(lambda one: starter is None or new_game(changed(made, seed=one)).first == starter)
    return changed(made, seed=seed)


def new_seed(fits: Callable[[int], bool]) -> int:
    """A secret seed; chance decides again until it fits what was asked."""
    while True:
        seed = secret_seed()
        if fits(seed):
            return seed
