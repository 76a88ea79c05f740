"""Short words for the rule tests: positions, moves, and what lies on the table as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import pytest

from helpers import letter
from sintra import CHIPS, PLATES, Chip, Color, Game, IllegalMoveError, PilePlace, Rules
from sintra.components import FIRST_GAME

COLORS: Final = "BYRKT"
WILD_PLATES: Final = "11=02r0 12=03r0 13=04r0 21=06r0 22=10r0 23=12r0 31=14r0 32=15r0 33=17r0"
"""A dome of all nine wild plates.

row 1  W B  T R  K Y
row 2  T K  B W  R W
row 3  T Y  Y R  T K
row 4  W K  W B  R W
row 5  R T  T B  R W
row 6  Y W  W Y  B K
"""
SPECIAL_PLATES: Final = "11=01r0 12=05r0 13=07r0 21=08r0 22=09r0 23=11r0 31=13r0 32=16r0 33=18r0"
"""A dome of all nine special plates.

row 1  Y K  K *  * K
row 2  T *  T R  R B
row 3  Y B  T R  Y *
row 4  K *  B *  K R
row 5  B K  * T  * Y
row 6  * T  Y B  B R
"""
PLAIN_CHIPS: Final = tuple(sorted([*range(len(CHIPS))] * 2))
"""The faces of the 20 chips in their plain order, two of each."""
ALL_SPACES: Final = tuple((row, column) for row in range(1, 7) for column in range(1, 7))


def at(text: str, seed: int | None = None) -> Game:
    """The game at a position text; with a seed it deals itself."""
    return Game.from_position(text, seed)


def new_deal(
    first: int = 0,
    plates: Sequence[int] = tuple(range(len(PLATES))),
    chips: Sequence[int] = PLAIN_CHIPS,
) -> Game:
    """A game before its first tiles: plates 01, 02, 03 open, 04 on top of the stack."""
    return Game.from_deal(Rules(FIRST_GAME), first, plates, chips)


def play(game: Game, tokens: str) -> Game:
    """Makes the moves, written one after the other."""
    for token in tokens.split():
        game.push(token)
    return game


def legal(game: Game, beginning: str = "") -> set[str]:
    """The legal tokens that begin so."""
    return {token for token in map(str, game.legal_moves) if token.startswith(beginning)}


def first_letters(game: Game) -> set[str]:
    """With which letters the legal tokens begin."""
    return {token[0] for token in legal(game)}


def refused(game: Game, token: str) -> str:
    """The rule that forbids a token; the position must stay as it was, and the message name the rule."""
    before = game.position
    assert token not in game.legal_moves
    with pytest.raises(IllegalMoveError) as caught:
        game.push(token)
    assert game.position == before
    assert str(caught.value).endswith(f"({caught.value.rule})")
    return caught.value.rule


def letters(tiles: Iterable[Color]) -> str:
    """Tiles as their letters, `-` for none."""
    return "".join(tile.letter for tile in tiles) or "-"


def amounts(counts: Mapping[Color, int]) -> str:
    """Bag or tower as `B2 K1`, `-` for nothing."""
    return " ".join(f"{color.letter}{n}" for color, n in counts.items() if n) or "-"


def lines(game: Game, seat: int = 0) -> str:
    """The pattern lines as in a position text; `!` after a line whose tile has been placed."""
    words = []
    for line in game.board(seat).lines:
        name = "-" if line.color is None else f"{line.color.letter}{line.tiles}"
        words.append(name + "!" * line.is_placed)
    return " ".join(words)


def broken(game: Game, seat: int = 0) -> str:
    """The broken tiles as letters."""
    return letters(game.board(seat).broken)


def dome(game: Game, seat: int = 0) -> list[str]:
    """The tiles on a dome, a text for each grid row."""
    return ["".join(letter(space.tile) for space in row) for row in game.board(seat).dome]


def shown(game: Game, seat: int = 0) -> list[str]:
    """What the spaces of a dome show, a text for each grid row."""
    return ["".join(letter(space.shows) for space in row) for row in game.board(seat).dome]


def display(game: Game) -> str:
    """The plates of the display, `-` for a free place."""
    return " ".join(plate.name if plate else "-" for plate in game.display)


def names(places: Iterable[PilePlace]) -> str:
    """The plates of stack or hand, `?*`, `?W` or `??` where they are not known."""
    words = []
    for place in places:
        words.append(place.plate.name if place.plate else f"?{place.kind.value if place.kind else '?'}")
    return " ".join(words) or "-"


def faces(chips: Iterable[Chip]) -> str:
    """Chips as their faces."""
    return " ".join(chip.face for chip in chips) or "-"


def tiles_in_play(game: Game) -> dict[str, int]:
    """How many tiles of each colour there are, wherever they lie."""
    everywhere = "".join(letter * n for color, n in (*game.bag.items(), *game.tower.items()) for letter in color.letter)
    for factory in game.factories:
        everywhere += letters(factory.sun) + letters(factory.moon)
    for seat in range(2):
        everywhere += broken(game, seat) + "".join(dome(game, seat))
        for line in game.board(seat).lines:
            everywhere += line.color.letter * line.tiles if line.color is not None else ""
    return {letter: everywhere.count(letter) for letter in COLORS}


def covered(plates: str, spaces: Iterable[tuple[int, int]], wilds: str = COLORS) -> str:
    """A dome text with tiles on these (row, column) spaces of these plates.

    A tile has the colour its space shows; the wild spaces get the colours of `wilds` in turn.
    Special spaces cannot be named: a special tile lies where the other three spaces are covered.
    """
    shows = shown(at(f"stage: over; 0 plates: {plates}"))
    rows = [["."] * 6 for _ in range(6)]
    wild_colors = list(wilds)
    for row, column in sorted(spaces):
        letter = shows[row - 1][column - 1]
        assert letter in COLORS + "W", f"no tile can be placed on row {row}, column {column}"
        if letter == "W":
            letter = wild_colors.pop(0)
            wild_colors.append(letter)
        rows[row - 1][column - 1] = letter
    for row, column in ALL_SPACES:
        if shows[row - 1][column - 1] == "*":
            top, left = (row - 1) // 2 * 2, (column - 1) // 2 * 2
            others = [(r, c) for r in (top, top + 1) for c in (left, left + 1) if (r, c) != (row - 1, column - 1)]
            if all(rows[r][c] != "." for r, c in others):
                rows[row - 1][column - 1] = "*"
    return " ".join("".join(row) for row in rows)


def colored(plates: str, without: Iterable[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """All spaces of these plates on which a tile can be placed, but for some."""
    shows = shown(at(f"stage: over; 0 plates: {plates}"))
    left_out = set(without)
    return [(r, c) for r, c in ALL_SPACES if shows[r - 1][c - 1] not in ".*" and (r, c) not in left_out]
