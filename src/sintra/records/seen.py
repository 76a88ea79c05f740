"""Who has seen what of a game while it was played (R8): plates, backs, returns.

It is built up from what each observer sees: the game is followed from its beginning, and each plate
is noted only when the observer saw it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sintra.components import DISPLAY, OBSERVERS, Plate, PlateKind
from sintra.game.game import Game
from sintra.tabletop.moves import DisplayPlate, Draw, KeepPlate, Look, Move, ReturnPlate


@dataclass(slots=True)
class Seen:
    """The plates of a game: where each came from, who saw it, and which backs are public. Places are those of the
    deal."""

    known: tuple[dict[int, Plate], ...] = field(default_factory=lambda: tuple({} for _ in range(OBSERVERS)))
    """For each observer the plates that it saw, by the place that they came from."""
    kinds: dict[int, PlateKind] = field(default_factory=dict)
    """The backs that were public, by place."""
    display: list[tuple[str, ...]] = field(default_factory=list)
    """The plates laid open at each filling of the display."""
    looked: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    """The seat and the plates of each look, in the order in which they were drawn."""
    seats: list[int] = field(default_factory=list)
    """The seat of each move."""
    _stack: list[tuple[Plate, int | None]] = field(default_factory=list)
    """The plates of the stack from the top, with their places; a returned plate has lost its place."""
    _hand: list[tuple[Plate, int | None]] = field(default_factory=list)
    """The plates that were drawn and not laid yet, with their places."""
    _turn: int = 0
    """The seat that was to move when the game was last followed."""
    _shown: int = 0
    """How many plates lay in the display then."""

    def follow(self, game: Game) -> None:
        """Follows a game: to be called at ply 0 and after each move."""
        shown = sum(plate is not None for plate in game.display)
        if game.ply:
            move = game.moves[-1]
            self._watch(move, self._turn)
            self.seats.append(self._turn)
            self._fill(shown - self._shown + isinstance(move, DisplayPlate))
        else:
            self._begin(game.deal_so_far.plates)
        self._turn, self._shown = game.turn, shown

    def _begin(self, plates: tuple[Plate, ...]) -> None:
        """R2.2: three plates lie open, the others are the stack."""
        self._stack = [(plate, DISPLAY + k) for k, plate in enumerate(plates[DISPLAY:])]
        self.display.append(tuple(plate.name for plate in plates[:DISPLAY]))
        self._show_top()

    def _show_top(self) -> None:
        """R3.1: the top plate's back is public."""
        if self._stack and self._stack[0][1] is not None:
            self.kinds[self._stack[0][1]] = self._stack[0][0].kind

    def _see(self, observer: int, plate: Plate, place: int | None) -> None:
        """The observer sees a plate come from its place."""
        if place is not None:
            self.known[observer][place] = plate

    def _fill(self, how_many: int) -> None:
        """R2.6, R7.2: plates are laid open from the top."""
        opened = []
        for _ in range(min(how_many, len(self._stack))):
            plate, place = self._stack.pop(0)
            opened.append(plate.name)
            for observer in range(OBSERVERS):
                self._see(observer, plate, place)
            self._show_top()
        if opened:
            self.display.append(tuple(opened))

    def _watch(self, move: Move, seat: int) -> None:
        """Follows one move of the plates."""
        match move:
            case Draw():
                self._hand.append(self._stack.pop(0))
                self._show_top()
            case Look():
                self.looked.append((seat, tuple(plate.name for plate, _ in self._hand)))
                for plate, place in self._hand:
                    self._see(seat, plate, place)
            case KeepPlate(kept):
                alike = [place for plate, place in self._hand if plate.kind is kept.kind]
                if len(alike) == 1:
                    for observer in range(OBSERVERS):
                        self._see(observer, kept, alike[0])
                self._hand = [(plate, place) for plate, place in self._hand if plate != kept]
            case ReturnPlate(returned):
                self._hand = [(plate, place) for plate, place in self._hand if plate != returned]
                self._stack.append((returned, None))
