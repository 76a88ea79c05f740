"""What a seat, or a spectator, may know (R8): a value of its own, without game or generator.

`sintra.game.game` has the `View` that can also make a `Game` of itself.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final, Self

from sintra.components import SEATS, SPECTATOR, plates_in
from sintra.errors import Fault, PositionError, SintraError
from sintra.game.drawn import Drawn
from sintra.game.illegal import why_none
from sintra.game.legal import LegalMoves
from sintra.game.preview import Preview, preview_of
from sintra.game.seeds import checked_seed
from sintra.game.words import describe
from sintra.position import read_view_text, write_view_text
from sintra.rules import engine
from sintra.rules.limits import field_out_of_limits
from sintra.rules.older_layout import older_bytes
from sintra.rules.soundness import fault_found
from sintra.rules.state import STATE, Stage, States, as_numpy, blank_states, copied, held, states_of
from sintra.tabletop.moves import Move
from sintra.tabletop.pieces import PilePlace
from sintra.tabletop.result import Result

_BLANK: Final = bytes(STATE.itemsize)
"""What a view is written on."""


class BareView(Drawn):
    """Everything that an observer may know, and nothing else.

    A view is immutable; equal views are byte-equal.
    """

    __slots__ = ("_key", "_seat")

    def __init__(self, states: States, observer: int, ended: Result | None = None) -> None:
        """Wraps a state written by the engine's `view`; use `Game.view` to get one."""
        super().__init__(states, ended)
        self._seat = observer
        self._key = bytes(self._states.data)

    @classmethod
    def of_state(cls, states: States, i: int, observer: int, ended: Result | None = None) -> Self:
        """The view of one state of an array."""
        if observer not in (0, 1, SPECTATOR):
            raise SintraError(f"there is no seat {observer!r}: seats are 0 and 1, a spectator is 2")
        seen = states_of(_BLANK)
        engine.view(states, i, int(observer), seen, 0)
        return cls(seen, int(observer), ended)

    @property
    def seat(self) -> int:
        """Whose view it is: 0 or 1 for a seat, 2 for a spectator."""
        return self._seat

    @property
    def key(self) -> int:
        """A 64-bit hash of the view, the same on every machine."""
        data = bytes([self.seat]) + older_bytes(self._key)
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")

    @property
    def to_move(self) -> bool:
        """Whether this observer is the one who decides now."""
        return self.seat == self.turn and not self.is_over and self.stage is not Stage.DEALING

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves this seat can make now; none when it is not its turn."""
        refusal: tuple[str | Fault, str] | None = why_none(self)
        if not self.to_move and self.stage not in (Stage.OVER, Stage.DEALING):
            refusal = refusal or (f"seat {self.turn} is to move", "R3")
        return LegalMoves(self._states, refusal)

    def _pile(self, start: int, end: int) -> tuple[PilePlace, ...]:
        """The places of the pile as far as this observer knows them."""
        masks = self._states.get("could_be")[self.seat]
        return tuple(PilePlace(plates_in(mask)) for mask in masks[start:end])

    @property
    def states(self) -> States:
        """A copy of the view as an array of one state: what features and solvers are fed with."""
        return copied(self._states)

    @property
    def state(self) -> Any:
        """A copy of the view as an array of NumPy."""
        return numpy_array_of(self._states)

    def sample_state(self, seed: int) -> Any:
        """A random complete state that fits the view, as an array of NumPy with one state."""
        return numpy_array_of(self.sample_states(seed))

    def sample_states(self, seed: int) -> States:
        """A random complete state that fits the view: an array of one state that deals itself.

        All that is hidden is uniform over what this observer thinks possible. Searches play on with
        such states; `View.sample` makes a `Game` of one.
        """
        states = blank_states()
        if not engine.sample(self._states, 0, self.seat, checked_seed(seed), states, 0):
            raise SintraError("the view contradicts itself: no pile of plates fits it")
        return states

    def describe(self, move: Move | str) -> str:
        """A legal move in plain words."""
        return describe(self, self.legal_moves.require(move))

    def preview(self, move: Move | str) -> Preview:
        """What a legal move would do, as far as this seat can tell."""
        return preview_of(self._states, self.legal_moves.require(move))

    def to_bytes(self) -> bytes:
        """The view as bytes; the same for any two games that look the same from here."""
        return bytes([self.seat]) + self._key

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The view that `to_bytes` wrote."""
        if not isinstance(data, bytes) or len(data) != STATE.itemsize + 1:
            raise SintraError(f"a view is {STATE.itemsize + 1} bytes")
        if data[0] > SPECTATOR:
            raise SintraError(f"there is no observer {data[0]}: seats are 0 and 1, a spectator is 2")
        states = states_of(data[1:])
        if reason := _why_no_view(states, data[0]):
            raise SintraError(f"these bytes are no view between two moves: {reason}")
        return cls(states, data[0])

    @property
    def position(self) -> str:
        """The view as text (see `sintra.position.seen`): all that this observer may know, and nothing else."""
        return write_view_text(self._states, self._seat)

    @classmethod
    def from_position(cls, text: str) -> Self:
        """The view that `position` wrote."""
        if not isinstance(text, str):
            raise PositionError(f"a position is text, not {type(text).__name__}")
        states, observer = read_view_text(text)
        if reason := _why_no_view(states, observer):
            raise PositionError(f"this is no view between two moves: {reason}")
        return cls(states, observer)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BareView):
            return NotImplemented
        return (self.seat, self._ended, self._key) == (other.seat, other._ended, other._key)

    def __hash__(self) -> int:
        return hash((self.seat, self._ended, self._key))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._key, self.seat, self._ended)

    def __repr__(self) -> str:
        who = "spectator" if self.seat == SPECTATOR else f"seat {self.seat}"
        return f"<View of {who}: round {self.round}, {self.stage.name.lower()}, scores {self.scores}>"


def numpy_array_of(states: States) -> Any:
    """A copy of the states as an array of NumPy, for those who have it."""
    try:
        return as_numpy(states)
    except ImportError:
        raise SintraError("a state as an array needs NumPy: pip install 'sintra[envs]' brings it") from None


def _restored(kind: type[BareView], data: bytes, observer: int, ended: Result | None) -> BareView:
    """The view that was pickled."""
    return kind(states_of(data), observer, ended)


def _why_no_view(states: States, observer: int) -> str | None:
    """What is wrong with a state that should be a view, so that nothing that is done with it can fail.

    Its hidden part is filled in: that must be possible, give a state that can be played on, and look
    the same again. Only what the view says of other seats' thoughts need not be the same: for a
    position that was made up there may be nothing that it follows from.
    """
    if field := field_out_of_limits(states):
        return f"{field} is out of range"
    filled = blank_states(2)
    if not engine.sample(states, 0, observer, 0, filled, 0):
        return "no pile of plates and chips fits it"
    if found := engine.fault(filled, 0):
        key, code, details = fault_found(found)
        return f"{key}: {Fault(code, **details)}"
    engine.view(filled, 0, observer, filled, 1)
    seen = filled[1:]
    told = held(states).get("could_be")
    for other in range(SEATS):
        if other != observer:
            seen["could_be"][0, other] = told[other]
    return None if seen.tobytes() == states.tobytes() else "it tells what its observer does not know (R8)"
