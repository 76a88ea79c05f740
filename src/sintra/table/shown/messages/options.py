"""What the reader can decide, with the effects of each decision and the token that makes it."""

from __future__ import annotations

from msgspec import Struct

from sintra.table.shown.messages.position import Outlook


class Order(Struct, frozen=True, gc=False):
    """An order in which the tiles left over go on the moon stack (R3.2)."""

    order: str
    """The tiles from the bottom up."""
    moon: dict[str, int]
    """How many tiles of each colour the other player can then take from the moon sides."""


class Destination(Struct, frozen=True, gc=False, omit_defaults=True):
    """A destination of the tiles of a take, and what the take does there (R3.5)."""

    line: int
    """The line, or 0 if all tiles are to break."""
    tokens: tuple[str, ...]
    """The moves: one for each of the take's orders, or one if there is nothing to order."""
    fills: int
    """How many tiles come on the line."""
    broken: int
    """How many tiles break."""
    forecast: int | None
    """The board's forecast after the move."""
    to_tower: int = 0
    """How many tiles find no place among the broken ones and go to the tower."""
    completes: bool = False
    """Whether the line is then complete."""
    outlook: Outlook | None = None
    """Whether the line's tile can then be placed."""


class Take(Struct, frozen=True, gc=False, omit_defaults=True):
    """Tiles of one colour that can be taken (R3.2, R3.3)."""

    source: str
    """The place: the sun side of a factory (`sun-1`), or `moon` for all moon sides."""
    color: str
    """The colour."""
    count: int
    """The number of tiles."""
    places: list[str]
    """The places where these tiles lie."""
    to: list[Destination]
    """Where they can go."""
    orders: list[Order] = []
    """The orders in which the tiles left over can be stacked."""
    moon: dict[str, int] = {}
    """How many tiles of each colour the other player can then take from the moon sides, if nothing is stacked."""
    start_tile: bool = False
    """Whether the start tile comes with them (R3.7)."""
    turns_up: list[str] = []
    """The places of the chips that are then turned up (R3.8)."""


class ChipTake(Struct, frozen=True, gc=False):
    """A chip that can be taken (R3.4): the move, where it lies (`chip-1`), and the board's forecast after it."""

    token: str
    place: str
    forecast: int | None


class Turning(Struct, frozen=True, gc=False):
    """A way to lay a plate on a slot: the move, and the board's forecast after it."""

    token: str
    forecast: int | None


class Laying(Struct, frozen=True, gc=False):
    """A plate that can be laid (R3.1)."""

    place: str
    """Where it lies: `display-0` … or `hand-0` …."""
    plate: str
    """Its number."""
    faces: tuple[str, ...]
    """Its faces after 0, 1, 2 and 3 quarter turns."""
    slots: dict[str, list[Turning]]
    """The slots where it can lie (`23`: second row, third column), each with its moves by quarter turns."""


class DrawOption(Struct, frozen=True, gc=False):
    """Drawing a plate (R3.1): the move, and the points that it costs."""

    token: str
    cost: int


class LookOption(Struct, frozen=True, gc=False):
    """Looking at the plates drawn, which ends the drawing (R3.1)."""

    token: str


class ReturnOption(Struct, frozen=True, gc=False):
    """A drawn plate that can go under the stack next (R3.1): the move, its number and its printed face."""

    token: str
    plate: str
    face: str


class Placement(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tile of a complete line that can be placed on an open space, and its points (R4.2, R5)."""

    token: str
    """The move."""
    line: int
    """The line, which is the row on the dome."""
    column: int
    """The column on the dome."""
    points: int
    """The points of the tile."""
    across: int
    """The length of the run through it in its row."""
    down: int
    """The length of the run through it in its column."""
    special_row: int = 0
    """The row of a special tile that it earns (R4.5); 0 for none."""
    special_column: int = 0
    """The column of that special tile."""
    special_points: int = 0
    """The points of that special tile."""
    goal_points: int = 0
    """What both tiles bring by goals (R6.1): known in the last round, 0 before."""


class Payment(Struct, frozen=True, gc=False):
    """Chips that can be spent for one missing tile of a line (R4.4)."""

    token: str
    """The move."""
    line: int
    """The line."""
    chips: list[str]
    """The faces of the chips."""
    missing: int
    """How many tiles the line then still lacks."""
    forecast: int | None
    """The board's forecast after the move."""


class EndingShown(Struct, frozen=True, gc=False):
    """The end of one's tiling (R4.6)."""

    token: str
    """The move."""
    points: int
    """The penalties that it books."""
    breaks: list[int]
    """The lines that then break (R4.3)."""


class Options(Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything that the reader may decide now, with the effects of each decision and the token that makes it."""

    takes: list[Take] = []
    """The tiles that can be taken."""
    chips: list[ChipTake] = []
    """The chips that can be taken."""
    layings: list[Laying] = []
    """The plates that can be laid."""
    draw: DrawOption | None = None
    """Drawing a plate from the stack."""
    look: LookOption | None = None
    """Looking at the plates that were drawn."""
    returns: list[ReturnOption] = []
    """The drawn plates that can go under the stack next."""
    placements: list[Placement] = []
    """The tiles that can be placed on the dome."""
    payments: list[Payment] = []
    """The lines that can be completed with chips."""
    end: EndingShown | None = None
    """The end of the tiling."""
