"""A seat's or a spectator's view of a record: the same form, with what that observer may not know
left out (R8).

It is built up from what the observer has seen, not cut down from the record: the game is
replayed, and each plate, chip and return is written only when the observer saw it.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from sintra.components import CHIPS, DISPLAY, NOTHING, PLATES, SPECTATOR, Plate
from sintra.errors import RecordError
from sintra.game.game import Game
from sintra.records.record import Record
from sintra.steps import at_once
from sintra.tabletop.moves import Move, MoveKind


@dataclass(slots=True)
class _Watcher:
    """Follows the plates of a game: where each came from, who saw it, and which backs are public.

    A plate is followed together with its place in the deal; a returned plate has none any more.
    """

    stack: list[tuple[Plate, int | None]]
    hand: list[tuple[Plate, int | None]] = field(default_factory=list)
    kinds: dict[int, str] = field(default_factory=dict)
    known: tuple[dict[int, Plate], dict[int, Plate], dict[int, Plate]] = field(default_factory=lambda: ({}, {}, {}))
    display: list[tuple[str, ...]] = field(default_factory=list)
    looked: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)

    def show_top(self) -> None:
        """R3.1: the top plate's back is public."""
        if self.stack and self.stack[0][1] is not None:
            self.kinds[self.stack[0][1]] = self.stack[0][0].kind.value

    def see(self, observer: int, plate: Plate, place: int | None) -> None:
        """The observer sees a plate come from its place."""
        if place is not None:
            self.known[observer][place] = plate

    def fill(self, how_many: int) -> None:
        """R2.6, R7.2: plates are laid open from the top."""
        opened = []
        for _ in range(min(how_many, len(self.stack))):
            plate, place = self.stack.pop(0)
            opened.append(plate.name)
            for observer in range(3):
                self.see(observer, plate, place)
            self.show_top()
        if opened:
            self.display.append(tuple(opened))

    def watch(self, move: Move, seat: int) -> None:
        """Follows one move."""
        if move.kind is MoveKind.DRAW:
            self.hand.append(self.stack.pop(0))
            self.show_top()
        elif move.kind is MoveKind.LOOK:
            self.looked.append((seat, tuple(plate.name for plate, _ in self.hand)))
            for plate, place in self.hand:
                self.see(seat, plate, place)
        elif move.kind is MoveKind.KEEP_PLATE and move.plate is not None:
            kept = PLATES[move.plate]
            alike = [place for plate, place in self.hand if plate.kind is kept.kind]
            if len(alike) == 1:
                for observer in range(3):
                    self.see(observer, kept, alike[0])
            self.hand = [(plate, place) for plate, place in self.hand if plate is not kept]
        elif move.kind is MoveKind.RETURN_PLATE and move.plate is not None:
            returned = PLATES[move.plate]
            self.hand = [(plate, place) for plate, place in self.hand if plate is not returned]
            self.stack.append((returned, None))


def _watch(record: Record) -> Generator[None, None, tuple[_Watcher, list[int], Game]]:
    """Replays a record move by move; returns what was seen, the seat of each move, and the game at its end."""
    plates = [PLATES[int(name) - 1] for name in _full(record).plates]
    watcher = _Watcher([(plate, DISPLAY + k) for k, plate in enumerate(plates[DISPLAY:])])
    watcher.display.append(tuple(plate.name for plate in plates[:DISPLAY]))
    watcher.show_top()
    seats: list[int] = []
    shown = DISPLAY
    for game in record.positions():
        if game.ply:
            move = game.moves[-1]
            watcher.watch(move, seats[-1])
            now = sum(plate is not None for plate in game.display)
            watcher.fill(now - shown + (move.kind is MoveKind.DISPLAY_PLATE))
            shown = now
        seats.append(game.turn)
        yield
    return watcher, seats[: len(record.moves)], game


def _full(record: Record) -> Record:
    if record.is_view:
        raise RecordError("this is a view of a record already")
    return record


def openings(record: Record) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[int, tuple[str, ...]], ...]]:
    """The plates laid open at each filling of the display, and for each `H` the seat and the
    plates it saw, in draw order."""
    watcher, _, _ = at_once(_watch(record))
    return tuple(watcher.display), tuple(watcher.looked)


def view_of_record(record: Record, observer: int) -> Record:
    """The record as a seat (0 or 1) or a spectator (2) may know it."""
    return at_once(viewing(record, observer))


def viewing(record: Record, observer: int) -> Generator[None, None, Record]:
    """The same move by move, for those who have other things to do meanwhile."""
    if observer not in (0, 1, SPECTATOR):
        raise RecordError(f"there is no seat {observer!r}: seats are 0 and 1, a spectator is 2")
    watcher, seats, game = yield from _watch(record)
    known = watcher.known[observer]
    plates = [
        name if k < DISPLAY or k in known else f"?{watcher.kinds.get(k, '?')}" for k, name in enumerate(record.plates)
    ]
    moves = []
    for token, seat in zip(record.moves, seats, strict=True):
        move = Move.parse(token)
        hidden = move.kind is MoveKind.RETURN_PLATE and seat != observer and move.plate is not None
        moves.append(f"<{PLATES[move.plate].kind.value}" if hidden and move.plate is not None else token)
    faces = game.view(observer).state["chip_order"][0].tolist()
    return Record(
        rules=record.rules,
        players=record.players,
        first=record.first,
        plates=tuple(plates),
        chips=tuple("??" if face == NOTHING else CHIPS[face].face for face in faces),
        tiles=record.tiles[: len(game.deal_so_far.tiles)],
        moves=tuple(moves),
        result=record.result,
        legal=record.legal,
        display=tuple(watcher.display),
        looked=tuple(seen for seat, seen in watcher.looked if seat == observer),
    )
