"""A position as one self-contained SVG picture: cobalt night, cream plaster, gold for what matters."""

from __future__ import annotations

from typing import Final

from sintra.components import GRID, ROUNDS, Color, Goal
from sintra.drawing.caption import asked_words, round_words
from sintra.drawing.glyphs import (
    GLAZE,
    GOLD,
    INK,
    MINUS,
    MIST,
    NIGHT,
    SANS,
    SERIF,
    at,
    box,
    clean,
    label,
    night_tile,
    panel,
    star,
    symbols,
    tag,
    use,
)
from sintra.drawing.picture.boards import board_picture
from sintra.drawing.picture.market import factory_picture, plates_picture
from sintra.tabletop.tabletop import Tabletop

__all__ = ["svg"]

WIDTH: Final = 1280
HEIGHT: Final = 800

_DEFINITIONS: Final = f"""
<radialGradient id="sintra-sky" cx="0.5" cy="0.3" r="0.9">
<stop offset="0" stop-color="#1b4274"/><stop offset="1" stop-color="{NIGHT}"/></radialGradient>
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
<pattern id="sintra-azulejo" width="64" height="64" patternUnits="userSpaceOnUse">
<path d="M0,20A20,20 0 0 0 20,0M44,0A20,20 0 0 0 64,20M64,44A20,20 0 0 0 44,64M20,64A20,20 0 0 0 0,44M32,12L52,32 32,52
12,32ZM32,24a8,8 0 1 0 .1,0M0,32H12M52,32H64M32,0V12M32,52V64" fill="none" stroke="#9fc3ee" stroke-opacity="0.09"
stroke-width="1.5"/></pattern>
"""


def svg(table: Tabletop, *, title: str | None = None) -> str:
    """The position as an SVG document, as far as the table knows it."""
    name = title or "Sintra"
    summary = f"{round_words(table)}. {asked_words(table)}. {table.scores[0]} to {table.scores[1]} points."
    return tag(
        "svg",
        tag("title", clean(name)),
        tag("desc", clean(summary)),
        tag("defs", GLAZE, _DEFINITIONS, symbols()),
        *(box(0, 0, WIDTH, HEIGHT, 0, fill=f"url(#sintra-{layer})") for layer in ("sky", "azulejo")),
        at(20, 14, _header(table, name)),
        *(at(20 + 144 * k, 70, factory_picture(factory)) for k, factory in enumerate(table.factories)),
        at(838, 70, plates_picture(table)),
        *(at(20 + 628 * seat, 318, board_picture(table, seat)) for seat in (0, 1)),
        at(20, 712, _goals(table)),
        at(788, 712, _counts("Bag", table.bag)),
        at(1030, 712, _counts("Tower", table.tower)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        font_family=SANS,
        role="img",
    )


def _header(table: Tabletop, name: str) -> str:
    """The title, how far the game is, and in gold what is asked."""
    asked = asked_words(table)
    width = 7.6 * len(asked) + 40
    pips = [
        tag(
            "path",
            d=star(4, 11, 5.5),
            transform=f"translate({468 + 26 * k} 22)",
            fill=GOLD if k < table.round else "none",
            stroke=GOLD,
            stroke_width=1.5,
        )
        for k in range(ROUNDS)
    ]
    return (
        label(4, 32, name, min(30, 660 / len(name)), font_family=SERIF, font_weight="bold", letter_spacing="0.03em")
        + "".join(pips)
        + label(596, 27, round_words(table), 14, MIST)
        + box(1240 - width, 4, width, 36, 18, fill=GOLD)
        + label(1240 - width / 2, 27, asked, 15, INK, text_anchor="middle", font_weight="bold")
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


def _goals(table: Tabletop) -> str:
    """Each goal with a small picture of it and what it is worth to both seats now."""
    width = (756 - 8 * len(table.goals)) / len(table.goals)
    cards = []
    for k, goal in enumerate(table.goals):
        first, second = (f"{points[k]}".replace("-", MINUS) for points in table.goal_points)
        cards.append(
            at(
                k * (width + 8),
                0,
                panel(width, 74),
                at(10, 10, _goal_icon(goal)),
                label(74, 22, str(goal).capitalize(), 15, font_family=SERIF, font_weight="bold"),
                label(74, 38, _GOAL_RULES[goal], 10.5, MIST),
                label(74, 62, f"{first} : {second}", 18, GOLD, font_weight="bold"),
            )
        )
    return "".join(cards)


def _goal_icon(goal: Goal) -> str:
    """The 6x6 dome with the spaces that the goal is about in gold."""
    if goal in (Goal.WILDS, Goal.SPECIALS):
        return use("space-W" if goal is Goal.WILDS else "space-*", 0, 0, 54)
    return "".join(
        box(9 * c + 0.5, 9 * r + 0.5, 8, 8, 1.5, fill=GOLD if _counts_for(goal, r, c) else "#3d6397")
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


def _counts(name: str, counts: dict[Color, int]) -> str:
    """How many tiles of each colour are in the bag or in the tower."""
    parts = [panel(230, 74), label(12, 20, f"{name} {sum(counts.values())}", 13, GOLD, font_weight="bold")]
    for k, (color, count) in enumerate(counts.items()):
        parts.append(night_tile(color.letter, 12 + 43 * k, 36, 21))
        parts.append(label(37 + 43 * k, 51, f"{count}", 12.5))
    return "".join(parts)
