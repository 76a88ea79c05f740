"""A game you can talk to: push and pop moves, ask what is legal, look at it, keep its record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Self

from sintra.components import (
    CHIP_COUNT,
    CHIPS,
    COLORS,
    FACTORIES,
    FACTORY_LETTERS,
    LARGE,
    LARGE_FILL,
    NOTHING,
    PLATE_COUNT,
    PLATES,
    ROUNDS,
    Color,
    Goal,
    Plate,
    letters_of,
)
from sintra.errors import Fault, SintraError
from sintra.game.drawn import Drawn
from sintra.game.illegal import HALF_MADE, refused, why_none
from sintra.game.legal import LegalMoves
from sintra.game.preview import Preview, preview_of
from sintra.game.seeds import checked_seed
from sintra.game.view import BareView, numpy_array_of
from sintra.game.words import describe
from sintra.position import read_position, write_position
from sintra.rules import engine
from sintra.rules.memory import layout_of, numbers, zeros
from sintra.rules.older_layout import older_bytes
from sintra.rules.state import STATE, Array, Stage, States, blank_states, copied, held, is_one_state, states_of
from sintra.tabletop.moves import Move, path_of
from sintra.tabletop.pieces import PilePlace
from sintra.tabletop.result import Reason, Result
from sintra.tabletop.ruleset import Rules, parse_goals
from sintra.tabletop.tabletop import check_seat

_STAGE, _ROUND = (layout_of(STATE).fields[name].offset for name in ("stage", "round_no"))
"""The bytes of a state that `push` reads, which is quicker than `get`."""


@dataclass(frozen=True, slots=True)
class Deal:
    """What chance brought in a game."""

    first: int
    """The seat that starts the first round."""
    plates: tuple[Plate, ...]
    """The plates: the display, then the stack from the top."""
    chips: tuple[str, ...]
    """The faces of the chips: factories 1 to 4 of round 1, then of round 2, and so on."""
    tiles: tuple[tuple[str, ...], ...]
    """The tiles of each round begun: for each the letters on the large factory, then on 1 to 4."""


class Game(Drawn):
    """A game in progress, with its history.

    >>> game = Game.new(seed=7)
    >>> len(game.legal_moves)
    108
    >>> game.push(game.legal_moves[0])
    >>> game.pop()
    Move.parse('P10@11r0')
    """

    __slots__ = ("_first", "_moves", "_plates", "_tiles", "_undo")

    def __init__(self, states: States) -> None:
        """A game without history from an array of one state; see `new` and the `from_` methods."""
        super().__init__(states)
        self._moves: list[Move] = []
        self._undo: list[bytes] = []
        self._first: int | None = None
        self._plates: tuple[int, ...] = ()
        self._tiles: list[tuple[str, ...]] = []

    @classmethod
    def new(
        cls,
        seed: int | None = None,
        goals: str | Iterable[str | Goal] | int | None = None,
        rules: Rules | Mapping[str, Any] | None = None,
    ) -> Self:
        """R2: a new game. The same seed gives the same game on every machine.

        `goals` is a list of names, `first-game`, or how many to draw at random (3 if not given);
        `rules` holds the options, and the goals unless they are given apart.
        """
        states = blank_states()
        how_many, chosen = goals_and_rules(goals, rules)
        chosen.write_to(states, 0)
        states["deals_itself"] = 1
        engine.new(states, 0, checked_seed(seed), how_many)
        game = cls(states)
        game._begin()
        return game

    @classmethod
    def from_deal(
        cls,
        rules: Rules,
        first: int,
        plates: Sequence[int],
        chips: Sequence[int],
        seed: int | None = None,
    ) -> Self:
        """A new game with a given order of plates and chips. Without a seed each round's tiles
        are to be given with `deal`."""
        if first not in (0, 1):
            raise SintraError(f"first is {first!r}: it must be seat 0 or 1")
        if sorted(plates) != list(range(PLATE_COUNT)):
            raise SintraError("the plates of a deal must be all 18, each once (R1.4)")
        if sorted(chips) != [chip // 2 for chip in range(CHIP_COUNT)]:
            raise SintraError("the chips of a deal must be all 20, two of each face (R1.5)")
        states = blank_states()
        rules.write_to(states, 0)
        if seed is not None:
            engine.reseed(states, 0, checked_seed(seed))
        engine.set_up(states, 0, first, numbers(plates, "i1"), numbers(chips, "i1"))
        game = cls(states)
        game._begin()
        return game

    def _begin(self) -> None:
        """Notes what the record of the game needs to know of its beginning."""
        get = self._states.get
        self._first = get("first")
        self._plates = (*get("display"), *get("pile"))
        self._note_tiles()

    def _note_tiles(self) -> None:
        """Keeps the list of tiles dealt in step with the rounds begun."""
        begun = self.round - (self.stage is Stage.DEALING)
        del self._tiles[begun:]
        if len(self._tiles) < begun and self.has_history:
            sun = self._states.get("sun")
            self._tiles.append(tuple(letters_of(sun[f]) for f in (LARGE, 0, 1, 2, 3)))

    def _pile(self, start: int, end: int) -> tuple[PilePlace, ...]:
        """The places of the pile as the plates really lie."""
        return tuple(PilePlace((PLATES[plate],)) for plate in self._states.get("pile")[start:end])

    @property
    def has_history(self) -> bool:
        """Whether the game is known from its beginning; one made from a position is not."""
        return self._first is not None

    @property
    def legal_moves(self) -> LegalMoves:
        """The moves that can be made now; none when the game is over or waits for a deal."""
        return LegalMoves(copied(self._states), why_none(self))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(self._moves)

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self._moves)

    def push(self, move: Move | str) -> None:
        """Makes a move, given as a value or in the notation; an illegal one changes nothing."""
        parsed = move if isinstance(move, Move) else Move.parse(move)
        before = self._states.tobytes()
        if (self._ended or before[_STAGE] in HALF_MADE) and (refusal := why_none(self)):
            raise refused(parsed, *refusal)
        if engine.play(self._states, 0, path_of(parsed, self._states, 0)):
            LegalMoves(self._states).require(parsed)
            raise AssertionError(f"the engine refuses the legal move {parsed}")
        self._undo.append(before)
        self._moves.append(parsed)
        if self._states.data[_ROUND] > len(self._tiles):
            self._note_tiles()

    def pop(self) -> Move:
        """Takes the last move back and returns it."""
        if not self._moves:
            raise SintraError("there is no move to take back")
        later, self._states = self._states, states_of(self._undo.pop())
        if later.get("deals_itself") and not self._states.get("deals_itself"):
            for name in ("deals_itself", "rng"):
                self._states.put(name, later.get(name))
        self._ended = None
        self._note_tiles()
        return self._moves.pop()

    def deal(self, tiles: Sequence[str]) -> None:
        """R2.3, R7.3: gives the tiles of the round that begins: for the large factory, then for
        1 to 4, the letters of its tiles in any order."""
        if self.stage is not Stage.DEALING:
            raise SintraError("no tiles are to be dealt now")
        counts = [[0] * COLORS for _ in range(FACTORIES)]
        if isinstance(tiles, str) or not all(isinstance(letters, str) for letters in tiles):
            raise SintraError('a deal is a list of texts like ["BYRKT", "BBYK", ...] (R7.3)')
        if len(tiles) != FACTORIES:
            raise SintraError(f"a deal names the tiles of 5 factories, not of {len(tiles)} (R7.3)")
        for k, letters in enumerate(tiles):
            for letter in letters:
                try:
                    counts[LARGE if k == 0 else k - 1][Color.from_letter(letter)] += 1
                except ValueError as error:
                    raise SintraError(str(error)) from None
        fault = next((k for k, letters in enumerate(tiles) if len(letters) > LARGE_FILL), NOTHING)
        if fault == NOTHING:
            fault = engine.deal(self._states, 0, numbers(counts, "i1"), True)
        if fault != NOTHING:
            name = "the large factory" if fault == 0 else f"factory {fault}"
            got, found = tiles[fault] or "nothing", tiles[fault] or "-"
            factory = FACTORY_LETTERS[fault - 1]  # the large one has the last letter
            raise SintraError(Fault("dealt", round=self.round, name=name, got=got, factory=factory, found=found))
        self._note_tiles()

    @property
    def awaits_deal(self) -> bool:
        """Whether the next round's tiles have to be given with `deal`."""
        return self.stage is Stage.DEALING

    def reseed(self, seed: int) -> None:
        """Gives the game a generator of its own; from now on it deals itself."""
        engine.reseed(self._states, 0, checked_seed(seed))
        self._note_tiles()

    def end_early(self, winner: int, reason: Reason) -> None:
        """Ends the game now: a seat resigned, or its time ran out, and `winner` is the other."""
        if self.is_over:
            raise SintraError("the game is over already")
        check_seat(winner)
        if reason not in ("resigned", "timeout"):
            raise SintraError(f"a game ends early by 'resigned' or 'timeout', not by {reason!r}")
        self._ended = Result(self.scores, winner, reason=reason)

    def resign(self, seat: int) -> None:
        """Ends the game: a seat gives up."""
        self.end_early(1 - check_seat(seat), "resigned")

    def view(self, seat: int) -> View:
        """R8: what a seat may know (or a spectator, 2), and no more."""
        return View.of_state(self._states, 0, seat, self._ended)

    @property
    def deal_so_far(self) -> Deal:
        """What chance brought: the plates' and chips' whole order and the tiles dealt."""
        if self._first is None:
            raise SintraError("this game was made from a position: how it began is not known")
        chips = tuple(CHIPS[face].face for face in self._states.get("chip_order"))
        return Deal(self._first, tuple(PLATES[plate] for plate in self._plates), chips, tuple(self._tiles))

    @property
    def states(self) -> States:
        """A copy of the state, as an array of one: for the engine and searches."""
        return copied(self._states)

    @property
    def state(self) -> Any:
        """A copy of the state, as an array of NumPy with one state: for learners."""
        return numpy_array_of(self._states)

    @classmethod
    def from_state(cls, states: Any) -> Self:
        """The game at a state, given as an array of one, which is copied."""
        if not is_one_state(states):
            raise SintraError("a state is an array of one, as `state` gives it: write states[i : i + 1]")
        return cls(states_of(states.tobytes()))

    @classmethod
    def from_position(cls, text: str, seed: int | None = None) -> Self:
        """The game at a position written as text (see `sintra.position`). Without a seed the tiles
        of later rounds are to be given with `deal`."""
        game = cls(read_position(text))
        if seed is not None:
            game.reseed(seed)
        return game

    @property
    def position(self) -> str:
        """The position as text, hidden things included."""
        return write_position(self._states)

    def legal_counts(self) -> list[int]:
        """The number of legal moves before each move made so far."""
        return [len(LegalMoves(states_of(before))) for before in self._undo]

    def describe(self, move: Move | str) -> str:
        """A legal move in plain words."""
        return describe(self, self.legal_moves.require(move))

    def preview(self, move: Move | str) -> Preview:
        """What a legal move would do: tiles, broken tiles, the moon side, points booked at once."""
        return preview_of(self._states, self.legal_moves.require(move))

    def perft(self, depth: int) -> int:
        """How many sequences of `depth` moves there are; a branch ends where tiles are to be dealt."""
        return self.perft_with(depth, zeros((ROUNDS, FACTORIES, COLORS), "i1"), 0)

    def perft_with(self, depth: int, deals: Array, rounds: int, on_share: Callable[[float], None] | None = None) -> int:
        """How many sequences of `depth` moves there are if the first `rounds` rounds get the tiles of `deals` (round,
        factory, colour); `on_share` is called now and then with the share that is counted."""
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 0:
            raise SintraError(f"the depth is {depth!r}: it must be a whole number, 0 or more")
        if self._ended:
            return int(depth == 0)
        return engine.perft(self._states, 0, depth, deals, rounds, on_share)

    def copy(self) -> Self:
        """An independent copy, history included; what a subclass adds is copied as `copy.copy` does."""
        twin = type(self).__new__(type(self))
        for name, value in self._attributes().items():
            setattr(twin, name, value)
        twin._states = copied(self._states)
        twin._moves = self._moves.copy()
        twin._undo = self._undo.copy()
        twin._tiles = self._tiles.copy()
        return twin

    __copy__ = copy

    @property
    def position_key(self) -> int:
        """A 64-bit hash of the position, hidden things included; the same on every machine."""
        data = older_bytes(_position_bytes(self._states))
        return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")

    def __eq__(self, other: object) -> bool:
        """Whether two games stand at the same position; generator and history do not count."""
        if not isinstance(other, Game):
            return NotImplemented
        return _position_bytes(self._states) == _position_bytes(other._states) and self._ended == other._ended

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return self._attributes() | {"_states": self._states.tobytes()}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        for name, value in saved.items():
            setattr(self, name, states_of(value) if name == "_states" else value)

    def _attributes(self) -> dict[str, Any]:
        """All that the object holds, by name: slots, and what a subclass adds."""
        held: tuple[dict[str, Any] | None, dict[str, Any]] = object.__getstate__(self)  # type: ignore[assignment]
        added, slots = held
        return slots | (added or {})

    def __repr__(self) -> str:
        result = self.result
        now = f"won by seat {result.winner}" if result else f"seat {self.turn} {self.stage.name.lower()}"
        return f"<Game: round {self.round}, {now}, scores {self.scores}, {self.ply} moves>"


class View(BareView):
    """Everything that an observer may know, and nothing else.

    A view is immutable; equal views are byte-equal.
    """

    __slots__ = ()

    def sample(self, seed: int) -> Game:
        """A game that fits the view and deals itself; all that is hidden is uniform over what this
        observer thinks possible (R8)."""
        return Game.from_state(self.sample_states(seed))


def _position_bytes(states: States) -> bytes:
    """The bytes of a state without its generator."""
    bare = held(copied(states))
    bare.put("rng", 0)
    bare.put("deals_itself", 0)
    return bare.tobytes()


def goals_and_rules(
    goals: str | Iterable[str | Goal] | int | None, rules: Rules | Mapping[str, Any] | None
) -> tuple[int, Rules]:
    """Returns how many goals are to be drawn at random (0: they are given), and the rules."""
    if isinstance(rules, Rules):
        if isinstance(goals, int) and goals != len(rules.goals):
            raise SintraError(f"the rules name {len(rules.goals)} goals: ask for that many, or name the goals")
        return 0, rules if goals is None or isinstance(goals, int) else replace(rules, goals=parse_goals(goals))
    if rules is not None and not isinstance(rules, Mapping):
        raise SintraError(f"rules are a Rules or a dict of options, not {rules!r}")
    options = dict(rules or {})
    named = options.pop("goals", None)
    if named is not None and isinstance(goals, int):
        raise SintraError("the rules name the goals: leave out how many, or name the goals")
    goals = named if goals is None else goals
    if goals is None or isinstance(goals, int):
        how_many = 3 if goals is None else goals
        if how_many not in (3, 4):
            raise SintraError(f"a game has 3 or 4 goals, not {how_many} (R2.1)")
        return how_many, Rules.from_dict(options | {"goals": ["rows", "columns", "wilds"]})
    return 0, Rules.from_dict(options | {"goals": list(parse_goals(goals))})
