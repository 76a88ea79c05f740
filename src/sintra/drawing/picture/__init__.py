"""A position, a board or a plate as one self-contained SVG picture: cream plaster, gold for what matters, on a ground
that is cobalt night or light."""

from __future__ import annotations

from typing import Final

from sintra.components import GRID, ROUNDS, Color, Goal, Plate
from sintra.drawing.caption import asked_words, mover, round_words
from sintra.drawing.glyphs import (
    GLAZE,
    MINUS,
    SERIF,
    box,
    clean,
    label,
    moved_to,
    night_tile,
    star,
    symbols,
    tag,
    use,
)
from sintra.drawing.image import SvgPicture
from sintra.drawing.picture import places
from sintra.drawing.picture.arrows import pointing_at
from sintra.drawing.picture.boards import board_picture
from sintra.drawing.picture.market import factory_picture, plate_face, plates_picture
from sintra.drawing.theme import Theme, theme_of
from sintra.tabletop.moves import Move
from sintra.tabletop.tabletop import Tabletop

__all__ = ["board_svg", "plate_svg", "svg"]

_MARGIN: Final = 14
"""Around a board."""
_DEFINITIONS: Final = """
<radialGradient id="sintra-sun" cx="0.5" cy="0.5" r="0.75">
<stop offset="0" stop-color="#fff6dc"/><stop offset="0.6" stop-color="#f7dfa0"/><stop offset="1" stop-color="#eabf60"/>
</radialGradient>
<linearGradient id="sintra-dusk" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#23467a"/><stop offset="0.5" stop-color="#8a6f78"/><stop offset="1" stop-color="#eeb15a"/>
</linearGradient>
<linearGradient id="sintra-moon" x1="0" y1="0" x2="0" y2="1">
<stop offset="0" stop-color="#1c2f57"/><stop offset="1" stop-color="#0a1428"/></linearGradient>
<linearGradient id="sintra-plaster" x1="0" y1="0" x2="1" y2="1">
<stop offset="0" stop-color="#fdf8ec"/><stop offset="1" stop-color="#eee1c5"/></linearGradient>
"""
_AZULEJO: Final = (
    "M0,20A20,20 0 0 0 20,0M44,0A20,20 0 0 0 64,20M64,44A20,20 0 0 0 44,64M20,64A20,20 0 0 0 0,44M32,12L52,32 32,52 "
    "12,32ZM32,24a8,8 0 1 0 .1,0M0,32H12M52,32H64M32,0V12M32,52V64"
)


def svg(table: Tabletop, *, title: str | None = None, move: Move | None = None, theme: str = "dark") -> SvgPicture:
    """The position as an SVG document, as far as the table knows it, and a move on it that can be made."""
    look = theme_of(theme)
    name = title or "Sintra"
    asked = asked_words(table) if move is None else f"Seat {table.turn} plays {move}"
    summary = f"{round_words(table)}. {asked}. {table.scores[0]} to {table.scores[1]} points."
    return _document(
        places.WIDTH,
        places.HEIGHT,
        name,
        summary,
        tag("defs", GLAZE, _DEFINITIONS, symbols()),
        _ground(places.WIDTH, places.HEIGHT, look),
        moved_to(20, 14, _header(table, name, asked, look)),
        *(moved_to(*places.factory_at(factory), factory_picture(factory)) for factory in table.factories),
        moved_to(*places.PLATES_AT, plates_picture(table, look)),
        *(moved_to(*places.board_at(seat), board_picture(table, seat)) for seat in (0, 1)),
        moved_to(20, 712, _goals(table, look)),
        moved_to(788, 712, _counts("Bag", table.bag, look)),
        moved_to(*places.TOWER_AT, _counts("Tower", table.tower, look)),
        pointing_at(table, move).picture() if move is not None else "",
    )


def board_svg(
    table: Tabletop, seat: int, *, title: str | None = None, move: Move | None = None, theme: str = "dark"
) -> SvgPicture:
    """The board of one seat, with what a move does on it."""
    board = table.board(seat)
    width, height = places.BOARD_WIDTH + 2 * _MARGIN, places.BOARD_HEIGHT + 2 * _MARGIN
    x, y = places.board_at(seat)
    pointing = ""
    if move is not None and seat == mover(table):
        pointing = moved_to(-x, -y, pointing_at(table, move).on_board(seat).picture())
    return _document(
        width,
        height,
        title or f"Seat {seat}",
        f"The board of seat {seat}, round {table.round}: {board.score} points, {board.tiles_placed} tiles on the dome.",
        tag("defs", GLAZE, _DEFINITIONS, symbols()),
        _ground(width, height, theme_of(theme)),
        moved_to(_MARGIN, _MARGIN, board_picture(table, seat), pointing),
    )


def plate_svg(plate: Plate, turns: int = 0) -> SvgPicture:
    """A plate with its four spaces, after so many quarter turns clockwise; its ground is transparent."""
    face = plate.turned(turns)
    turned = f", turned {turns % 4} times" if turns % 4 else ""
    return _document(
        104,
        104,
        f"Plate {plate.name}",
        f"Plate {plate.name}{turned}: {face}.",
        tag("defs", GLAZE, symbols()),
        moved_to(3, 3, plate_face(face, 98)),
    )


def _document(width: float, height: float, title: str, summary: str, *content: str) -> SvgPicture:
    return SvgPicture.document(width, height, title, tag("desc", clean(summary)), *content)


def _ground(width: float, height: float, theme: Theme) -> str:
    """What everything lies on: the sky, and a pattern of tiles upon it."""
    stops = [tag("stop", offset=k, stop_color=color) for k, color in enumerate((theme.middle, theme.rim))]
    sky = tag("radialGradient", *stops, id="sintra-sky", cx=0.5, cy=0.3, r=0.9)
    lines = tag(
        "path", d=_AZULEJO, fill="none", stroke=theme.pattern, stroke_opacity=theme.pattern_opacity, stroke_width=1.5
    )
    tiles = tag("pattern", lines, id="sintra-azulejo", width=64, height=64, patternUnits="userSpaceOnUse")
    layers = [box(0, 0, width, height, 0, fill=f"url(#sintra-{layer})") for layer in ("sky", "azulejo")]
    return tag("defs", sky, tiles) + "".join(layers)


def _header(table: Tabletop, name: str, asked: str, theme: Theme) -> str:
    """The title, how far the game is, and on a button what is asked or played."""
    width = 7.6 * len(asked) + 40
    pips = [
        tag(
            "path",
            d=star(4, 11, 5.5),
            transform=f"translate({468 + 26 * k} 22)",
            fill=theme.accent if k < table.round else "none",
            stroke=theme.accent,
            stroke_width=1.5,
        )
        for k in range(ROUNDS)
    ]
    size = min(30, 660 / len(name))
    return (
        label(4, 32, name, size, theme.text, font_family=SERIF, font_weight="bold", letter_spacing="0.03em")
        + "".join(pips)
        + label(596, 27, round_words(table), 14, theme.soft)
        + box(1240 - width, 4, width, 36, 18, fill=theme.button)
        + label(1240 - width / 2, 27, asked, 15, theme.on_button, text_anchor="middle", font_weight="bold")
    )


_GOAL_RULES: Final = {
    Goal.ROWS: "3 a full row",
    Goal.COLORS: "4 a row of 5 colours",
    Goal.COLUMNS: "7 a full column",
    Goal.EDGE: "1 a tile on the edge",
    Goal.DIAGONALS: "10 a full diagonal",
    Goal.CORNERS: "3 above, 8 below",
    Goal.WILDS: "2 a wild, if all are full",
    Goal.SPECIALS: f"{MINUS}3 an empty special",
}


def _goals(table: Tabletop, theme: Theme) -> str:
    """Each goal with a small picture of it and what it is worth to both seats now."""
    width = (756 - 8 * len(table.goals)) / len(table.goals)
    cards = []
    for k, goal in enumerate(table.goals):
        first, second = (f"{points[k]}".replace("-", MINUS) for points in table.goal_points)
        cards.append(
            moved_to(
                k * (width + 8),
                0,
                theme.panel(width, 74),
                moved_to(10, 10, _goal_icon(goal, theme)),
                label(74, 22, str(goal).capitalize(), 15, theme.text, font_family=SERIF, font_weight="bold"),
                label(74, 38, _GOAL_RULES[goal], 10.5, theme.soft),
                label(74, 62, f"{first} : {second}", 18, theme.accent, font_weight="bold"),
            )
        )
    return "".join(cards)


def _goal_icon(goal: Goal, theme: Theme) -> str:
    """The 6x6 dome with the spaces that the goal is about lit."""
    if goal in (Goal.WILDS, Goal.SPECIALS):
        return use("space-W" if goal is Goal.WILDS else "space-*", 0, 0, 54)
    return "".join(
        box(9 * c + 0.5, 9 * r + 0.5, 8, 8, 1.5, fill=theme.lit if _counts_for(goal, r, c) else theme.unlit)
        for r in range(GRID)
        for c in range(GRID)
    )


def _counts_for(goal: Goal, r: int, c: int) -> bool:
    last = GRID - 1
    match goal:
        case Goal.ROWS:
            return r == 2
        case Goal.COLUMNS:
            return c == 3
        case Goal.EDGE:
            return r in (0, last) or c in (0, last)
        case Goal.DIAGONALS:
            return r in (c, last - c)
        case Goal.CORNERS:
            return r in (0, 1, 4, 5) and c in (0, 1, 4, 5)
        case _:
            return r == 2 and c != 3


def _counts(name: str, counts: dict[Color, int], theme: Theme) -> str:
    """How many tiles of each colour are in the bag or in the tower."""
    words = f"{name} {sum(counts.values())}"
    parts = [theme.panel(230, 74), label(12, 20, words, 13, theme.accent, font_weight="bold")]
    for color, count in counts.items():
        spot = places.tower_spot(color)
        parts.append(night_tile(color.letter, *spot))
        parts.append(label(spot.x + 25, 51, f"{count}", 12.5, theme.text))
    return "".join(parts)
