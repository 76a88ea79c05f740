"""Moves as values, in the notation of the game records (`S1B3:RYK`, `P07@23r1`, ...)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from functools import total_ordering
from operator import attrgetter
from typing import Final, NoReturn

from sintra.components import (
    CHIPS,
    COLOR_LETTERS,
    COLORS,
    FACTORIES,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    LINES,
    PLATE_COUNT,
    PLATES,
    SLOTS,
    SMALL_FACTORIES,
    SMALL_FILL,
    Chip,
    Color,
    PlateKind,
    chip_index,
    plate_index,
    slot_index,
    slot_name,
)
from sintra.errors import NotationError
from sintra.rules import choices
from sintra.rules.choices import BREAK, DESTINATIONS
from sintra.rules.state import States

TURNS: Final = 4
"""How many ways there are to turn a plate."""


class MoveKind(Enum):
    """The kinds of token."""

    DISPLAY_PLATE = "P"
    DRAW = "D"
    LOOK = "H"
    KEEP_PLATE = "K"
    RETURN_PLATE = "<"
    SUN = "S"
    MOON = "M"
    CHIP = "C"
    PAY = "U"
    PLACE = "T"
    END = "E"


@total_ordering
@dataclass(frozen=True, slots=True)
class Move:
    """One decision of a game. Only the fields that its kind needs are set.

    Plates, slots, factories, lines and columns are counted from 0 as in the engine; `str(move)`
    is the notation, which counts lines and columns from 1. `line` None in a take means that the
    tiles are broken. A hidden return (the opponent's `<*` in a view) has a `back` and no plate.
    """

    kind: MoveKind
    plate: int | None = None
    slot: int | None = None
    turns: int | None = None
    back: PlateKind | None = None
    factory: int | None = None
    color: Color | None = None
    line: int | None = None
    order: tuple[Color, ...] | None = None
    chips: tuple[Chip, ...] = ()
    column: int | None = None

    def __post_init__(self) -> None:
        """Refuses what could not be written: such a move would be taken for another one."""
        form = _FORMS_OF.get(self.kind)
        if form is None:
            raise NotationError(f"{self.kind!r} is no kind of move: read the notation with Move.parse")
        for name, limit in form.needed:
            value = getattr(self, name)
            if value is None:
                raise NotationError(f"a move of kind {self.kind.name} needs its {name}")
            if not isinstance(value, int) or not 0 <= value < limit:
                raise NotationError(f"the {name} of a move of kind {self.kind.name} is below {limit}, not {value!r}")
        if form.others(self) != form.nothing:
            raise NotationError(f"a move of kind {self.kind.name} has only {' '.join(form.names) or 'its kind'}")
        if form.check:
            form.check(self)

    @classmethod
    def parse(cls, token: str) -> Move:
        """Reads a token of the notation."""
        if not isinstance(token, str):
            raise NotationError(f"a move is written as text, not as {type(token).__name__}")
        for pattern, read in _READERS:
            match = pattern.fullmatch(token)
            if match:
                return read(match)
        _refuse(token)

    def __str__(self) -> str:
        match self.kind:
            case MoveKind.DISPLAY_PLATE | MoveKind.KEEP_PLATE:
                assert self.plate is not None and self.slot is not None
                return f"{self.kind.value}{PLATES[self.plate].name}@{slot_name(self.slot)}r{self.turns}"
            case MoveKind.RETURN_PLATE:
                hidden = self.back.value if self.back else "?"
                return f"<{hidden if self.plate is None else PLATES[self.plate].name}"
            case MoveKind.SUN:
                assert self.factory is not None and self.color is not None
                order = "" if self.order is None else ":" + "".join(color.letter for color in self.order)
                return f"S{FACTORY_LETTERS[self.factory]}{self.color.letter}{self._destination}{order}"
            case MoveKind.MOON:
                assert self.color is not None
                return f"M{self.color.letter}{self._destination}"
            case MoveKind.CHIP:
                assert self.factory is not None
                return f"C{FACTORY_LETTERS[self.factory]}"
            case MoveKind.PAY:
                assert self.line is not None
                return f"U{self.line + 1}:{','.join(chip.face for chip in self.chips)}"
            case MoveKind.PLACE:
                assert self.line is not None and self.column is not None
                return f"T{self.line + 1}{self.column + 1}"
            case _:
                return str(self.kind.value)

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other) if isinstance(other, Move) else NotImplemented

    @property
    def is_take(self) -> bool:
        """Whether tiles are taken (`S` or `M`)."""
        return self.kind in (MoveKind.SUN, MoveKind.MOON)

    @property
    def _destination(self) -> str:
        return "x" if self.line is None else str(self.line + 1)


def _check_take(move: Move) -> None:
    if not isinstance(move.color, Color):
        raise NotationError(f"the colour of a take is a Color, not {move.color!r}")
    if move.line is not None and not (isinstance(move.line, int) and 0 <= move.line < LINES):
        raise NotationError(f"the line of a take is below {LINES}, or None to break the tiles, not {move.line!r}")


def _check_sun(move: Move) -> None:
    _check_take(move)
    if move.order is None:
        return
    if move.factory == LARGE or not 0 < len(move.order) < SMALL_FILL:
        raise NotationError("an order names the 1 to 3 tiles left on a small factory (R3.2)")
    if not all(isinstance(tile, Color) and tile != move.color for tile in move.order):
        raise NotationError("an order names tiles of the colours that are not taken (R3.2)")


def _check_return(move: Move) -> None:
    if (move.plate is None) == (move.back is None):
        raise NotationError("a returned plate is named, or hidden with its back shown (R8)")
    if move.plate is not None and not (isinstance(move.plate, int) and 0 <= move.plate < PLATE_COUNT):
        raise NotationError(f"a plate is below {PLATE_COUNT}, not {move.plate!r}")


def _check_payment(move: Move) -> None:
    if len(move.chips) not in (2, 3) or not all(chip in CHIPS for chip in move.chips):
        raise NotationError("a missing tile is paid for with 2 or 3 chips (R4.4)")
    if sorted(move.chips, key=CHIPS.index) != list(move.chips):
        raise NotationError("chips are named in the order of R1.5")


class _Form:
    """What moves of one kind have: fields that they need, each below a limit, and a check of the others."""

    def __init__(self, check: Callable[[Move], None] | None = None, *, may: str = "", **needed: int) -> None:
        self.needed = tuple(needed.items())
        self.names = (*needed, *may.split())
        self.check = check
        unused = [one for one in fields(Move) if one.name not in ("kind", *self.names)]
        self.others = attrgetter(*(one.name for one in unused))
        self.nothing = tuple(one.default for one in unused)


_FORMS_OF: Final[dict[MoveKind, _Form]] = {
    MoveKind.DISPLAY_PLATE: _Form(plate=PLATE_COUNT, slot=SLOTS, turns=TURNS),
    MoveKind.KEEP_PLATE: _Form(plate=PLATE_COUNT, slot=SLOTS, turns=TURNS),
    MoveKind.DRAW: _Form(),
    MoveKind.LOOK: _Form(),
    MoveKind.RETURN_PLATE: _Form(_check_return, may="plate back"),
    MoveKind.SUN: _Form(_check_sun, may="line order", factory=FACTORIES, color=COLORS),
    MoveKind.MOON: _Form(_check_take, may="line", color=COLORS),
    MoveKind.CHIP: _Form(factory=SMALL_FACTORIES),
    MoveKind.PAY: _Form(_check_payment, may="chips", line=LINES),
    MoveKind.PLACE: _Form(line=LINES, column=GRID),
    MoveKind.END: _Form(),
}


def path_of(move: Move, states: States, i: int) -> int:
    """The packed path of choices that makes a move in a state; legal or not is for the engine."""
    line = BREAK if move.line is None else move.line
    color = 0 if move.color is None else int(move.color)
    match move.kind:
        case MoveKind.DISPLAY_PLATE | MoveKind.KEEP_PLATE:
            assert move.plate is not None and move.slot is not None and move.turns is not None
            path = [choices.LAY + move.plate * SLOTS + move.slot, choices.TURNED + move.turns]
        case MoveKind.DRAW:
            path = [choices.DRAW]
        case MoveKind.LOOK:
            path = [choices.LOOK]
        case MoveKind.RETURN_PLATE:
            assert move.plate is not None
            path = [choices.RETURN + move.plate]
        case MoveKind.SUN:
            assert move.factory is not None
            path = [choices.SUN + (move.factory * COLORS + color) * DESTINATIONS + line]
            order = list(move.order or ())
            while len(order) > 1 and order[-1] == order[-2]:
                order.pop()
            path += [choices.STACK + tile for tile in order[:-1]]
        case MoveKind.MOON:
            path = [choices.MOON + color * DESTINATIONS + line]
        case MoveKind.CHIP:
            assert move.factory is not None
            path = [choices.CHIP + move.factory]
        case MoveKind.PAY:
            path = [] if states["pay_line"][i] == move.line else [choices.PAY + line]
            path += [choices.SPEND + CHIPS.index(chip) for chip in move.chips]
        case MoveKind.PLACE:
            assert move.column is not None
            path = [choices.PLACE + line * GRID + move.column]
        case MoveKind.END:
            path = [choices.END]
    return choices.pack(path)


def move_of(packed: int, states: States, i: int) -> Move:
    """The move that a packed path of choices makes in a state."""
    path = choices.unpack(packed)
    choice = path[0]
    if choice < choices.TURNED:
        kind = MoveKind.KEEP_PLATE if states["drawn"][i] else MoveKind.DISPLAY_PLATE
        return Move(kind, plate=choice // SLOTS, slot=choice % SLOTS, turns=path[1] - choices.TURNED)
    if choice == choices.DRAW:
        return Move(MoveKind.DRAW)
    if choice == choices.LOOK:
        return Move(MoveKind.LOOK)
    if choice < choices.SUN:
        return Move(MoveKind.RETURN_PLATE, plate=choice - choices.RETURN)
    if choice < choices.MOON:
        return _sun_move(path, states, i)
    if choice < choices.STACK:
        color, destination = divmod(choice - choices.MOON, DESTINATIONS)
        return Move(MoveKind.MOON, color=_COLORS[color], line=_line(destination))
    if choice < choices.PAY:
        return Move(MoveKind.CHIP, factory=choice - choices.CHIP)
    if choice < choices.PLACE:
        begun = choice >= choices.SPEND
        line = int(states["pay_line"][i]) if begun else choice - choices.PAY
        faces = path if begun else path[1:]
        return Move(MoveKind.PAY, line=line, chips=tuple(CHIPS[face - choices.SPEND] for face in faces))
    if choice < choices.END:
        line, column = divmod(choice - choices.PLACE, GRID)
        return Move(MoveKind.PLACE, line=line, column=column)
    return Move(MoveKind.END)


def _sun_move(path: list[int], states: States, i: int) -> Move:
    rest, destination = divmod(path[0] - choices.SUN, DESTINATIONS)
    factory, color = divmod(rest, COLORS)
    order: tuple[Color, ...] | None = None
    if factory != LARGE:
        left = states["sun"][i, factory].tolist()
        left[color] = 0
        stacked = [choice - choices.STACK for choice in path[1:]]
        for tile in stacked:
            left[tile] -= 1
        stacked += [tile for tile in range(COLORS) for _ in range(left[tile])]
        order = tuple(_COLORS[tile] for tile in stacked) or None
    return Move(MoveKind.SUN, factory=factory, color=_COLORS[color], line=_line(destination), order=order)


_COLORS: Final = tuple(Color)


def _line(destination: int) -> int | None:
    return None if destination == BREAK else destination


def _read_plate(match: re.Match[str]) -> Move:
    try:
        plate = plate_index(match["plate"])
    except ValueError as error:
        _refuse(match[0], str(error))
    return Move(MoveKind(match["kind"]), plate=plate, slot=slot_index(match["slot"]), turns=int(match["turns"]))


def _read_return(match: re.Match[str]) -> Move:
    if match["plate"] in ("*", "W"):
        return Move(MoveKind.RETURN_PLATE, back=PlateKind(match["plate"]))
    try:
        return Move(MoveKind.RETURN_PLATE, plate=plate_index(match["plate"]))
    except ValueError as error:
        _refuse(match[0], str(error))


def _destination_of(match: re.Match[str]) -> int | None:
    return None if match["to"] == "x" else int(match["to"]) - 1


def _read_sun(match: re.Match[str]) -> Move:
    factory = FACTORY_LETTERS.index(match["factory"])
    order = match["order"]
    if order is not None and factory == LARGE:
        _refuse(match[0], "the large factory's tiles are not stacked, so no order follows (R3.2)")
    if order is not None and match["color"] in order:
        _refuse(match[0], f"all {match['color']} tiles are taken, so none is stacked (R3.2)")
    return Move(
        MoveKind.SUN,
        factory=factory,
        color=Color.from_letter(match["color"]),
        line=_destination_of(match),
        order=None if order is None else tuple(map(Color.from_letter, order)),
    )


def _read_moon(match: re.Match[str]) -> Move:
    return Move(MoveKind.MOON, color=Color.from_letter(match["color"]), line=_destination_of(match))


def _read_chip(match: re.Match[str]) -> Move:
    return Move(MoveKind.CHIP, factory=FACTORY_LETTERS.index(match["factory"]))


def _read_pay(match: re.Match[str]) -> Move:
    try:
        faces = [chip_index(face) for face in match["chips"].split(",")]
    except ValueError as error:
        _refuse(match[0], str(error))
    if faces != sorted(faces):
        _refuse(match[0], f"chips are written in the order {','.join(CHIPS[face].face for face in sorted(faces))}")
    return Move(MoveKind.PAY, line=int(match["line"]) - 1, chips=tuple(CHIPS[face] for face in faces))


def _read_place(match: re.Match[str]) -> Move:
    return Move(MoveKind.PLACE, line=int(match["line"]) - 1, column=int(match["column"]) - 1)


def _read_word(match: re.Match[str]) -> Move:
    return Move(MoveKind(match[0]))


_C = f"[{COLOR_LETTERS}]"
_READERS: Final = (
    (re.compile(rf"S(?P<factory>[1-4L])(?P<color>{_C})(?P<to>[1-6x])(?::(?P<order>{_C}{{1,3}}))?"), _read_sun),
    (re.compile(rf"M(?P<color>{_C})(?P<to>[1-6x])"), _read_moon),
    (re.compile(r"(?P<kind>[PK])(?P<plate>[0-9]{2})@(?P<slot>[1-3][1-3])r(?P<turns>[0-3])"), _read_plate),
    (re.compile(r"T(?P<line>[1-6])(?P<column>[1-6])"), _read_place),
    (re.compile(r"C(?P<factory>[1-4])"), _read_chip),
    (re.compile(r"U(?P<line>[1-6]):(?P<chips>..(?:,..){1,2})"), _read_pay),
    (re.compile(r"<(?P<plate>[0-9]{2}|\*|W)"), _read_return),
    (re.compile(r"[DHE]"), _read_word),
)

_FORMS: Final = {
    "P": "P07@23r1 (plate, slot row and column, quarter turns)",
    "K": "K07@23r1 (plate, slot row and column, quarter turns)",
    "S": "S1B3:RYK or SLB3 (factory, colour, line or x, and for a small factory the tiles left, bottom first)",
    "M": "MB3 (colour, line or x)",
    "C": "C2 (small factory)",
    "U": "U3:T-,TY (line, 2 or 3 chips)",
    "T": "T35 (line, column)",
    "<": "<12 (plate)",
}


def _refuse(token: str, reason: str | None = None) -> NoReturn:
    if reason is None:
        form = _FORMS.get(token[:1])
        reason = f"it should read like {form}" if form else f"a move begins with one of {' '.join(_FORMS)} D H E"
    raise NotationError(f"cannot read the move {token!r}: {reason}")
