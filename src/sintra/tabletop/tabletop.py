"""`Tabletop` reads what lies on the table from a state: what a `Game` and a `View` have in common."""

from __future__ import annotations

from typing import Final

from sintra.components import (
    CHIPS,
    FACTORY_LETTERS,
    LARGE,
    LINES,
    NOTHING,
    PLATES,
    SLOTS,
    SMALL_FACTORIES,
    Color,
    Goal,
    Plate,
    PlateKind,
    slot_name,
)
from sintra.errors import SintraError
from sintra.rules import engine
from sintra.rules.memory import StoredRecords, zeros
from sintra.rules.state import ON_FACTORY, STAGES, ChipState, Source, Stage, States, held
from sintra.tabletop.pieces import Board, Factory, LaidPlate, Line, PilePlace, Space, chips_of, tiles_of
from sintra.tabletop.result import Result
from sintra.tabletop.ruleset import Rules

_SHOWN: Final = (*Color, PlateKind.SPECIAL, PlateKind.WILD, None)
"""What a number of the grid stands for: a colour, SPECIAL, WILD; NOTHING is the last."""

_BOARD_FIELDS: Final = (
    "score",
    "line_color",
    "line_size",
    "line_placed",
    "slot_plate",
    "slot_turns",
    "space",
    "dome",
    "broken",
    "store",
    "spent",
    "markers_left",
    "chips_left",
)
"""The fields of a state that tell of the boards."""


def check_seat(seat: int) -> int:
    """The seat, if there is such a one."""
    if seat not in (0, 1):
        raise SintraError(f"there is no seat {seat!r}: seats are 0 and 1")
    return seat


class Tabletop:
    """A state, read in the words of the game."""

    __slots__ = ("_ended", "_states")

    def __init__(self, states: States, ended: Result | None = None) -> None:
        """An array of one state; `ended` is how the game ended if that was before its time."""
        self._states: StoredRecords = states if type(states) is StoredRecords else held(states)
        self._ended = ended

    @property
    def rules(self) -> Rules:
        """The goals and options."""
        return Rules.read_from(self._states, 0)

    @property
    def round(self) -> int:
        """The round, 1 to 5."""
        return int(self._states.get("round_no"))

    @property
    def stage(self) -> Stage:
        """What the game asks for now."""
        stage: Stage = STAGES[self._states.get("stage")]
        return stage

    @property
    def phase(self) -> int:
        """1 while turns are taken (the opening plates too), 2 while tiling, 3 before the deal."""
        if self.stage in (Stage.TILING, Stage.PAYING, Stage.OVER):
            return 2
        return 3 if self.stage is Stage.DEALING else 1

    @property
    def turn(self) -> int:
        """The seat whose decision it is."""
        return int(self._states.get("turn"))

    @property
    def first(self) -> int:
        """The round's start player."""
        return int(self._states.get("first"))

    @property
    def start_tile(self) -> int | None:
        """The seat that has taken the start tile this round, or None while it lies on the factory."""
        holder = self._states.get("start_tile")
        return None if holder == ON_FACTORY else holder

    @property
    def paid_line(self) -> int | None:
        """R4.4: the line (1 to 6) that is being completed with chips, if any."""
        line = self._states.get("pay_line")
        return None if line == NOTHING else line + 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or early."""
        return self._ended is not None or self.stage is Stage.OVER

    @property
    def ended_early(self) -> Result | None:
        """How the game ended, if that was before its time."""
        return self._ended

    @property
    def result(self) -> Result | None:
        """How the game ended, or None while it goes on."""
        if self._ended is not None or self.stage is not Stage.OVER:
            return self._ended
        return Result(self.scores, int(engine.who_won(self._states, 0)), self.goal_points)

    @property
    def scores(self) -> tuple[int, int]:
        """Both seats' points now; the goals are included once the game is over."""
        a, b = self._states.get("score")
        return a, b

    @property
    def goals(self) -> tuple[Goal, ...]:
        """The goals in play."""
        return self.rules.goals

    @property
    def goal_points(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """R6.1: what each goal in play would be worth to each seat as the domes stand."""
        goals = len(self.goals)
        points = zeros((2, goals), "i8")
        engine.points_of_goals(self._states, 0, points)
        first, second = points.tolist()
        return tuple(first), tuple(second)

    @property
    def points_by_source(self) -> tuple[dict[Source, int], dict[Source, int]]:
        """Where each seat's points came from, beside the 5 everyone starts with (R1.8)."""
        first, second = self._states.get("tally")
        return dict(zip(Source, first, strict=True)), dict(zip(Source, second, strict=True))

    @property
    def factories(self) -> tuple[Factory, ...]:
        """The four small factories, then the large one."""
        return tuple(self._factory(f) for f in range(SMALL_FACTORIES + 1))

    def factory(self, name: str) -> Factory:
        """The factory with this name: 1 to 4, or L for the large one."""
        if not isinstance(name, str) or name not in tuple(FACTORY_LETTERS):
            raise SintraError(f"there is no factory {name!r}: the factories are {' '.join(FACTORY_LETTERS)}")
        return self._factory(FACTORY_LETTERS.index(name))

    def _factory(self, f: int) -> Factory:
        get = self._states.get
        sun = tiles_of(get("sun")[f])
        if f == LARGE:
            return Factory("L", sun, tiles_of(get("moon")), has_start_tile=get("start_tile") == ON_FACTORY)
        moon = tuple(Color(tile) for tile in get("stack")[f][: get("stack_height")[f]])
        state = get("chip_state")[f]
        face = get("chip_order")[SMALL_FACTORIES * (self.round - 1) + f]
        chip = CHIPS[face] if state == ChipState.UP and face != NOTHING else None
        return Factory(FACTORY_LETTERS[f], sun, moon, chip, state == ChipState.DOWN)

    @property
    def boards(self) -> tuple[Board, Board]:
        """Both player boards."""
        return self.board(0), self.board(1)

    def board(self, seat: int) -> Board:
        """The board of one seat."""
        check_seat(seat)
        s = {name: self._states.get(name)[seat] for name in _BOARD_FIELDS}
        lines = tuple(
            Line(line + 1, None if color == NOTHING else Color(color), size, bool(placed))
            for line, color, size, placed in zip(
                range(LINES), s["line_color"], s["line_size"], s["line_placed"], strict=True
            )
        )
        plates = tuple(
            None if plate == NOTHING else LaidPlate(PLATES[plate], slot_name(slot), turns)
            for slot, plate, turns in zip(range(SLOTS), s["slot_plate"], s["slot_turns"], strict=True)
        )
        return Board(
            seat=seat,
            score=s["score"],
            lines=lines,
            dome=tuple(
                tuple(Space(_SHOWN[shows], _SHOWN[tile]) for shows, tile in zip(spaces, tiles, strict=True))
                for spaces, tiles in zip(s["space"], s["dome"], strict=True)
            ),
            plates=plates,
            broken=tiles_of(s["broken"]),
            has_start_tile=self.start_tile == seat,
            chips=chips_of(s["store"]),
            chips_spent=chips_of(s["spent"]),
            markers_left=s["markers_left"],
            chips_left=s["chips_left"],
        )

    @property
    def display(self) -> tuple[Plate | None, ...]:
        """The three places of the display."""
        return tuple(None if plate == NOTHING else PLATES[plate] for plate in self._states.get("display"))

    @property
    def draw_cost(self) -> int:
        """R3.1: what a draw costs the seat whose turn it is."""
        return int(engine.cost_of_draw(self._states, 0))

    @property
    def bag(self) -> dict[Color, int]:
        """R1.2: how many tiles of each colour are in the bag."""
        return dict(zip(Color, self._states.get("bag"), strict=True))

    @property
    def tower(self) -> dict[Color, int]:
        """R1.2: how many tiles of each colour are in the tower."""
        return dict(zip(Color, self._states.get("tower"), strict=True))

    @property
    def stack_size(self) -> int:
        """How many plates the stack holds."""
        return int(self._states.get("pile_size") - self._states.get("drawn"))

    @property
    def drawn(self) -> int:
        """How many plates the player whose turn it is has drawn and not yet laid or returned."""
        return int(self._states.get("drawn"))

    @property
    def hand(self) -> tuple[PilePlace, ...]:
        """The drawn plates."""
        return self._pile(0, self.drawn)

    @property
    def stack(self) -> tuple[PilePlace, ...]:
        """The stack, top first."""
        return self._pile(self.drawn, self._states.get("pile_size"))

    def _pile(self, start: int, end: int) -> tuple[PilePlace, ...]:
        """Places of the pile, hand and stack: nothing, unless it is decided who looks at the table."""
        return ()
