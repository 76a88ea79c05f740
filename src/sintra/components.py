"""The physical game as data (R1): colours, factories, plates, chips and goals.

Everything here is a fact about the pieces in the box. The tables at the end are the same
facts as NumPy arrays, for the compiled rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final, NamedTuple


class UnknownPieceError(ValueError):
    """A name that no `piece` of the box has: a plate, a chip or a goal."""

    def __init__(self, piece: str, found: object, those: str) -> None:
        super().__init__(f"unknown {piece} {found!r}: {those}")
        self.piece = piece
        self.found = found


class Color(IntEnum):
    """R1.1: the five tile colours, in the order of the rules."""

    BLUE = 0
    YELLOW = 1
    RED = 2
    BLACK = 3
    TURQUOISE = 4

    @property
    def letter(self) -> str:
        """The colour's letter in the notation."""
        return COLOR_LETTERS[self]

    @classmethod
    def from_letter(cls, letter: str) -> Color:
        """The colour with this letter."""
        index = COLOR_LETTERS.find(letter) if len(letter) == 1 else -1
        if index < 0:
            raise ValueError(f"unknown colour {letter!r}: the colours are {' '.join(COLOR_LETTERS)}")
        return cls(index)

    def __str__(self) -> str:
        return self.name.lower()


COLOR_LETTERS: Final = "BYRKT"
COLORS: Final = 5
TILES_PER_COLOR: Final = 13
TILES: Final = COLORS * TILES_PER_COLOR


def letters_of(counts: Iterable[int]) -> str:
    """Counts per colour as one letter for each tile."""
    return "".join(letter * count for letter, count in zip(COLOR_LETTERS, counts, strict=True))


SPECIAL: Final = 5
"""A special tile on the dome, and a special space on a plate."""
WILD: Final = 6
"""A wild space on a plate."""
NOTHING: Final = -1
"""No tile, no plate, no chip; in a view also: not known."""
SPACE_LETTERS: Final = COLOR_LETTERS + "*W"

SEATS: Final = 2
SPECTATOR: Final = 2
"""Who watches without a seat: an observer like the two seats, who never looks at drawn plates."""
OBSERVERS: Final = 3

SMALL_FACTORIES: Final = 4
LARGE: Final = 4
"""R1.3: the large factory's index; the small ones are 0 to 3."""
FACTORIES: Final = 5
FACTORY_LETTERS: Final = "1234L"
SMALL_FILL: Final = 4
LARGE_FILL: Final = 5

LINES: Final = 6
GRID: Final = 6
SLOTS: Final = 9
SLOTS_ACROSS: Final = 3
BROKEN_PLACES: Final = 4
BROKEN_PENALTIES: Final = (0, 1, 3, 6, 10)
START_PENALTY: Final = 2
START_SCORE: Final = 5
ROUNDS: Final = 5
PLATE_ROUNDS: Final = 4
"""R3.1: plates are taken in rounds 1 to 4 only."""
MARKERS: Final = 2
CHIPS_PER_ROUND: Final = 2
DISPLAY: Final = 3


def slot_name(slot: int) -> str:
    """R1.7: a plate slot's row and column, as the notation writes them."""
    return f"{slot // SLOTS_ACROSS + 1}{slot % SLOTS_ACROSS + 1}"


SLOT_NAMES: Final = tuple(map(slot_name, range(SLOTS)))


def slot_index(name: str) -> int:
    """The slot with this row and column."""
    return SLOTS_ACROSS * (int(name[0]) - 1) + int(name[1]) - 1


class PlateKind(Enum):
    """R1.4: what a plate's back shows: the one of its spaces that has no colour."""

    SPECIAL = "*"
    WILD = "W"

    @property
    def letter(self) -> str:
        """The letter of such a space in a plate's face; `*` is also a special tile."""
        return self.value

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Plate:
    """R1.4: a dome plate; `printed` is its face as printed, `TL TR BL BR`."""

    number: int
    printed: str

    @property
    def name(self) -> str:
        """The two-digit number of the notation."""
        return f"{self.number:02d}"

    @property
    def index(self) -> int:
        """The plate's index in `PLATES` and in the compiled tables."""
        return self.number - 1

    @property
    def kind(self) -> PlateKind:
        """What the back shows."""
        return PlateKind.SPECIAL if "*" in self.printed else PlateKind.WILD

    def turned(self, turns: int) -> str:
        """The face after that many quarter turns clockwise, `TL TR BL BR`."""
        face = self.printed
        for _ in range(turns % 4):
            face = face[2] + face[0] + face[3] + face[1]
        return face

    def __str__(self) -> str:
        return self.name


PLATES: Final[tuple[Plate, ...]] = tuple(
    Plate(number, face)
    for number, face in enumerate(
        "YKT* WBTK TRBW KYRW K*TR TYWK *KRB YBK* TRB* YRWB Y*KR TKRW BK*T RTYW TBWY *TYB RWBK *YBR".split(),
        start=1,
    )
)
PLATE_COUNT: Final = len(PLATES)
PLATES_OF_A_KIND: Final = PLATE_COUNT // len(PlateKind)
PILE_PLACES: Final = PLATE_COUNT - DISPLAY


def plate_index(name: str) -> int:
    """The index of the plate with this two-digit number."""
    if len(name) == 2 and name.isascii() and name.isdigit() and 1 <= int(name) <= PLATE_COUNT:
        return int(name) - 1
    raise UnknownPieceError("plate", name, f"plates are 01 to {PLATE_COUNT}")


def plates_in(mask: int) -> tuple[Plate, ...]:
    """The plates of a set that is given as a bit mask."""
    return tuple(plate for plate in PLATES if mask >> plate.index & 1)


class Chip(NamedTuple):
    """R1.5: a bonus chip's face, two half-fields that show a colour or are blank."""

    face: str

    @property
    def colors(self) -> tuple[Color, ...]:
        """The colours it counts for."""
        return tuple(Color.from_letter(half) for half in self.face if half != "-")

    def shows(self, color: Color) -> bool:
        """Whether it counts for this colour."""
        return color.letter in self.face

    def __str__(self) -> str:
        return self.face


CHIPS: Final[tuple[Chip, ...]] = tuple(map(Chip, "B- Y- R- K- T- TY YK KB BR RT".split()))
"""The ten faces, in the order in which the notation sorts them; there are two chips of each."""
CHIP_FACES: Final = len(CHIPS)
CHIP_COPIES: Final = 2
CHIP_COUNT: Final = CHIP_FACES * CHIP_COPIES


def chip_index(face: str) -> int:
    """The index of the chip with this face."""
    for index, chip in enumerate(CHIPS):
        if chip.face == face:
            return index
    raise UnknownPieceError("chip", face, f"the chips are {' '.join(map(str, CHIPS))}")


class Goal(IntEnum):
    """R1.6: the goals; two neighbours (0|1, 2|3, ...) are the sides of one tile."""

    ROWS = 0
    COLORS = 1
    COLUMNS = 2
    EDGE = 3
    DIAGONALS = 4
    CORNERS = 5
    WILDS = 6
    SPECIALS = 7

    @property
    def tile(self) -> int:
        """Which of the four goal tiles it is a side of."""
        return self.value // 2

    @property
    def other_side(self) -> Goal:
        """The goal on the back of the same tile."""
        return Goal(self.value ^ 1)

    @classmethod
    def from_name(cls, name: str) -> Goal:
        """The goal with this name in records (`rows`, `colors`, ...)."""
        for goal in cls:
            if str(goal) == name:
                return goal
        raise UnknownPieceError("goal", name, f"the goals are {' '.join(map(str, cls))}")

    def __str__(self) -> str:
        return self.name.lower()


GOAL_TILES: Final = len(Goal) // 2
FEWEST_GOALS: Final = 3
MAX_GOALS: Final = 4
FIRST_GAME: Final = (Goal.ROWS, Goal.EDGE, Goal.WILDS)
"""R2.1: the set called `first-game`."""


def _plate_spaces(plate: Plate) -> tuple[tuple[tuple[int, ...], ...], ...]:
    faces = ([SPACE_LETTERS.index(letter) for letter in plate.turned(turns)] for turns in range(4))
    return tuple((tuple(face[:2]), tuple(face[2:])) for face in faces)


PLATE_SPACES: Final = tuple(map(_plate_spaces, PLATES))
"""Plate, turns, row, column -> colour, SPECIAL or WILD."""
IS_SPECIAL: Final = tuple(plate.kind is PlateKind.SPECIAL for plate in PLATES)
"""Plate -> whether its back shows the special kind."""
SPECIAL_PLATES: Final = sum(1 << plate.index for plate in PLATES if plate.kind is PlateKind.SPECIAL)
"""Bit mask of the special plates."""
ALL_PLATES: Final = (1 << PLATE_COUNT) - 1
CHIP_COUNTS_FOR: Final = tuple(tuple(chip.shows(color) for color in Color) for chip in CHIPS)
"""Chip face, colour -> whether the chip counts for the colour."""
