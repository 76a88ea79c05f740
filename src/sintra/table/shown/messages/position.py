"""What lies on the table, as one observer may see it (R8)."""

from __future__ import annotations

from msgspec import Struct

from sintra.table.shown.messages.base import StageName


class PlateShown(Struct, frozen=True, gc=False):
    """A dome plate (R1.4)."""

    plate: str
    """Its number, two digits."""
    face: str
    """Its four spaces as it lies: top left, top right, bottom left, bottom right."""


class FactoryShown(Struct, frozen=True, gc=False):
    """A factory (R1.3)."""

    name: str
    """`1` to `4`, or `L` for the large one."""
    sun: str
    """The tiles on its sun side."""
    moon: str
    """The tiles on its moon side, from the bottom up."""
    chip: str
    """The face of its chip, `down` while it lies face down, or empty once it is gone."""
    start_tile: bool
    """Whether the start tile lies on it."""


class Outlook(Struct, frozen=True, gc=False, omit_defaults=True):
    """Whether the tile of a line can be placed on the dome (R4.1 to R4.3)."""

    columns: list[int] = []
    """The columns of the open spaces for it."""
    plate_by: int = 0
    """If there is none, the last round in which a plate can bring one; 0 if none can, so that the line will break."""
    cost: int = 0
    """The points that the tiles then lose when they break."""


class LineShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A pattern line (R1.7)."""

    color: str
    """The colour of its tiles; empty if there is none."""
    tiles: int
    """The number of tiles on it."""
    placed: bool
    """Whether its tile was placed on the dome in this tiling."""
    outlook: Outlook | None = None
    """Whether its tile can be placed, if it holds tiles and is not placed."""


class GoalProgress(Struct, frozen=True, gc=False):
    """The progress of a goal on one board (R6.1), in the row, column, … that lacks the fewest tiles."""

    there: int
    """How many of the tiles are there."""
    asked: int
    """How many tiles the goal asks for."""
    cells: str
    """Six rows of six letters: `x` counts and holds a tile, `o` counts and is empty, `.` does not count."""


class BoardShown(Struct, frozen=True, gc=False):
    """The board of one player."""

    score: int
    """The points so far."""
    lines: list[LineShown]
    """The six pattern lines, from the top."""
    shows: list[str]
    """What the spaces of the dome show: six rows of six letters, `.` where no plate lies."""
    tiles: list[str]
    """The tiles on the dome: six rows of six letters, `.` for none."""
    plates: list[PlateShown | None]
    """The plates on the nine slots, row by row."""
    broken: str
    """The broken tiles, by colour."""
    start_tile: bool
    """Whether the player holds the start tile."""
    chips: list[str]
    """The faces of the chips that can be spent."""
    spent: list[str]
    """The faces of the chips that were spent."""
    markers_left: int
    """How many plates the player still takes in this round (R3.1)."""
    chips_left: int
    """How many chips the player may still take in this round (R3.4)."""
    goals: list[int]
    """The points of each goal if the game ended now, in the order of the rules."""
    progress: list[GoalProgress]
    """The progress of each goal, in the order of the rules."""
    forecast: int | None
    """The points of the best tiling of this round, with penalties and, in round 5, goals; null if not calculated."""


class PilePlate(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place of the stack or the hand, as far as the reader knows it (R8)."""

    kind: str = ""
    """The kind of the plate, `*` or `W`, if it is known."""
    plate: PlateShown | None = None
    """The plate, if it is known."""
    candidates: list[str] = []
    """The numbers of the plates that it can be, if it is not known."""


class PositionShown(Struct, frozen=True, gc=False):
    """Everything on the table, as one observer may see it (R8)."""

    round: int
    """The round, from 1 to 5."""
    phase: int
    """The phase of the round: 1 while tiles are taken, 2 during the tiling."""
    stage: StageName
    """What is to be decided."""
    seat: int
    """The seat that decides."""
    first: int
    """The seat that starts the round."""
    start_tile: int | None
    """The seat that holds the start tile; null if it lies on the large factory."""
    factories: list[FactoryShown]
    """Factories 1 to 4, then the large one."""
    display: list[PlateShown | None]
    """The plates in the display."""
    bag: dict[str, int]
    """The tiles in the bag, by colour."""
    tower: dict[str, int]
    """The tiles in the tower, by colour."""
    boards: list[BoardShown]
    """The boards of both players."""
    paid_line: int
    """The line that is being completed with chips (R4.4); 0 if none is."""
    stack: list[PilePlate]
    """The stack of plates, from the top."""
    hand: list[PilePlate]
    """The plates in the hand of the player who draws."""
