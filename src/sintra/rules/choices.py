"""The fixed numbering of choices: what the engine asks is answered by one number below `CHOICES`.

A move of the notation is a short path of choices. The numbering is stable: it is written into
trained networks and data sets.

=========  ========  ============================================================================
from       how many  meaning
=========  ========  ============================================================================
LAY        18 * 9    lay plate p (from the display, or of those drawn) on slot q
TURNED     4         the plate just chosen is turned that many quarters clockwise
DRAW       1         draw a plate from the stack
LOOK       1         stop drawing and look
RETURN     18        put plate p under the stack next
SUN        5*5*7     take colour c from the sun side of factory f to destination d
MOON       5 * 7     take colour c from the moon sides to destination d
STACK      5         a tile of colour c goes on the moon stack next (bottom to top)
CHIP       4         take the chip of factory f
PAY        6         begin to complete line n with chips
SPEND      10        spend a chip with face k for the tile being paid (in rising order of faces)
PLACE      6 * 6     place the tile of line n on grid column k
END        1         end the tiling
=========  ========  ============================================================================

A destination is a line, 0 to 5, or `BREAK` (6). The last tiles of a moon stack need no choice
when they share one colour.

This is the one home of the numbers: the functions below make choices from what they mean, take
them apart, and pack them into paths. Python and compiled code call the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sintra.components import (
    CHIP_FACES,
    COLORS,
    FACTORIES,
    GRID,
    LINES,
    PLATE_COUNT,
    SLOTS,
    SMALL_FACTORIES,
)
from sintra.rules.compiled import shared

DESTINATIONS: Final = LINES + 1
"""How many places the tiles of a take can go to."""
BREAK: Final = LINES
"""The destination that breaks all tiles taken."""

LAY: Final = 0
TURNED: Final = LAY + PLATE_COUNT * SLOTS
DRAW: Final = TURNED + 4
LOOK: Final = DRAW + 1
RETURN: Final = LOOK + 1
SUN: Final = RETURN + PLATE_COUNT
MOON: Final = SUN + FACTORIES * COLORS * DESTINATIONS
STACK: Final = MOON + COLORS * DESTINATIONS
CHIP: Final = STACK + COLORS
PAY: Final = CHIP + SMALL_FACTORIES
SPEND: Final = PAY + LINES
PLACE: Final = SPEND + CHIP_FACES
END: Final = PLACE + LINES * GRID
CHOICES: Final = END + 1
"""How many choices there are."""

MAX_CHOICES: Final = 256
"""Room for the longest list of legal choices."""
MAX_MOVES: Final = 4096
"""Room for the longest list of legal moves."""

PATH_BITS: Final = 9
"""The bits of one choice in a packed path."""
PATH_STEP: Final = (1 << PATH_BITS) - 1
"""A mask for the first choice of a packed path."""
MAX_STEPS: Final = 4
"""The most choices that a move has: a payment's line and three chips."""

BLOCKS: Final = {
    LAY: (PLATE_COUNT, SLOTS),
    TURNED: (4,),
    DRAW: (),
    LOOK: (),
    RETURN: (PLATE_COUNT,),
    SUN: (FACTORIES, COLORS, DESTINATIONS),
    MOON: (COLORS, DESTINATIONS),
    STACK: (COLORS,),
    CHIP: (SMALL_FACTORIES,),
    PAY: (LINES,),
    SPEND: (CHIP_FACES,),
    PLACE: (LINES, GRID),
    END: (),
}
"""Each kind of choice, by the number it starts from, and how many values each of its fields has."""


# --- what a choice means ------------------------------------------------------------------------


@shared
def kind_of(choice: int) -> int:
    """The kind of a choice: the number from which its kind is counted, `LAY` to `END`."""
    if choice < DRAW:
        return LAY if choice < TURNED else TURNED
    if choice < SUN:
        return RETURN if choice >= RETURN else choice
    if choice < STACK:
        return SUN if choice < MOON else MOON
    if choice < PAY:
        return STACK if choice < CHIP else CHIP
    if choice < PLACE:
        return PAY if choice < SPEND else SPEND
    return PLACE if choice < END else END


def fields(choice: int) -> tuple[int, ...]:
    """What a choice says within its kind: `(plate, slot)`, `(factory, color, destination)` and so on,
    as in the table above; for Python, whatever the kind."""
    kind = kind_of(choice)
    rest = choice - kind
    found = []
    for size in reversed(BLOCKS[kind]):
        rest, field = divmod(rest, size)
        found.append(field)
    return tuple(reversed(found))


@shared
def said(choice: int, kind: int) -> int:
    """What a choice of a kind with one field says: the turns of `TURNED`, the plate of `RETURN`, the colour of
    `STACK`, the factory of `CHIP`, the line of `PAY`, the face of `SPEND`."""
    return choice - kind


@shared
def lay(plate: int, slot: int) -> int:
    """Lay a plate on a slot."""
    return LAY + int(plate) * SLOTS + int(slot)


@shared
def plate_and_slot(choice: int) -> tuple[int, int]:
    """What `lay` was given."""
    return (choice - LAY) // SLOTS, (choice - LAY) % SLOTS


@shared
def turn(turns: int) -> int:
    """Turn the plate just chosen so many quarters clockwise."""
    return TURNED + int(turns)


@shared
def give_back(plate: int) -> int:
    """Put a drawn plate under the stack next."""
    return RETURN + int(plate)


@shared
def sun(factory: int, color: int, destination: int) -> int:
    """Take a colour from the sun side of a factory to a destination."""
    return SUN + (int(factory) * COLORS + int(color)) * DESTINATIONS + int(destination)


@shared
def moon(color: int, destination: int) -> int:
    """Take a colour from the moon sides to a destination."""
    return MOON + int(color) * DESTINATIONS + int(destination)


@shared
def sent_to(take: int, destination: int) -> int:
    """A take to the first line, sent to a destination instead."""
    return take + int(destination)


@shared
def is_take(choice: int) -> bool:
    """Whether a choice takes tiles, from a sun side or from the moon sides."""
    return SUN <= choice < STACK


@shared
def factory_of(choice: int) -> int:
    """From which factory a choice of `SUN` takes."""
    return (choice - SUN) // (COLORS * DESTINATIONS)


@shared
def color_of(choice: int) -> int:
    """Which colour a take takes."""
    return (choice - (SUN if choice < MOON else MOON)) // DESTINATIONS % COLORS


@shared
def destination_of(choice: int) -> int:
    """Where the tiles of a take go: a line, or `BREAK`."""
    return (choice - SUN) % DESTINATIONS


@shared
def stack(color: int) -> int:
    """Put a tile on the moon stack next."""
    return STACK + int(color)


@shared
def chip(factory: int) -> int:
    """Take the chip of a factory."""
    return CHIP + int(factory)


@shared
def pay(line: int) -> int:
    """Begin to complete a line with chips."""
    return PAY + int(line)


@shared
def spend(face: int) -> int:
    """Spend a chip for the tile being paid for."""
    return SPEND + int(face)


@shared
def place(line: int, column: int) -> int:
    """Place the tile of a line on a column."""
    return PLACE + int(line) * GRID + int(column)


@shared
def line_and_column(choice: int) -> tuple[int, int]:
    """What `place` was given."""
    return (choice - PLACE) // GRID, (choice - PLACE) % GRID


# --- paths: the choices of one move, packed into one number ---------------------------------------


@shared
def joined(path: int, step: int, rest: int) -> int:
    """A packed path of so many steps and the packed path of what follows it."""
    return path | rest << (PATH_BITS * step)


@shared
def extended(path: int, step: int, choice: int) -> int:
    """A packed path of so many steps with one more choice."""
    return path | (int(choice) + 1) << (PATH_BITS * step)


@shared
def first_of(path: int) -> int:
    """The first choice of a packed path."""
    return (path & PATH_STEP) - 1


@shared
def rest_of(path: int) -> int:
    """What follows the first choice of a packed path; 0 if nothing does."""
    return path >> PATH_BITS


def pack(path: Iterable[int]) -> int:
    """A path of choices as one number: each choice plus one, in 9 bits, the first lowest."""
    packed = places = 0
    for choice in path:
        packed |= (choice + 1) << places
        places += PATH_BITS
    return packed


def pack_one(choice: int) -> int:
    """The packed path of a single choice."""
    return choice + 1


def pack_stack(order: Sequence[int]) -> int:
    """R3.2: the packed path that stacks tiles in their order from the bottom up: they are asked for as long as they
    differ."""
    asked = len(order)
    while asked > 1 and order[asked - 1] == order[asked - 2]:
        asked -= 1
    return pack(map(stack, order[: max(0, asked - 1)]))


def unpack(packed: int) -> list[int]:
    """The path of choices in a packed number."""
    path = []
    while packed:
        path.append(first_of(packed))
        packed = rest_of(packed)
    return path
