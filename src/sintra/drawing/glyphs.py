"""The palette and the pieces' looks: one SVG symbol a glyph, so that no colour has to be told by colour alone."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from sintra.components import CHIPS, COLOR_LETTERS, Chip

NIGHT: Final = "#0a1930"
COBALT: Final = "#16365f"
PLASTER: Final = "#fbf5e6"
SAND: Final = "#e6d6b4"
EARTH: Final = "#8a734a"
GOLD: Final = "#e2b450"
INK: Final = "#1b2740"
OUTLINE: Final = "#0b1120"
RIM: Final = "#c2ac7d"
MIST: Final = "#c9d9ee"

SERIF: Final = "Palatino, 'Palatino Linotype', 'Book Antiqua', Georgia, 'DejaVu Serif', serif"
SANS: Final = "'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif"
MINUS: Final = "\u2212"

TILE_COLOR: Final = {"B": "#2456b0", "Y": "#f2b632", "R": "#bb3d27", "K": "#20232b", "T": "#bfe6ea", "*": "#fffdf6"}
"""The ground of each tile, by its letter."""
GLYPH_COLOR: Final = {"B": "#ffffff", "Y": "#3a2a08", "R": "#ffffff", "K": "#ffffff", "T": "#123c48", "*": "#b07d18"}
"""The glyph upon it."""
FAINT_COLOR: Final = {"B": "#2456b0", "Y": "#855b00", "R": "#bb3d27", "K": "#20232b", "T": "#1f6f7b", "*": "#825a06"}
"""The glyph of an empty space, dark enough to be seen on plaster."""
FAINTNESS: Final = {"B": 0.84, "Y": 0.92, "R": 0.92, "K": 0.66, "T": 0.9}
"""How strong that glyph is drawn: weaker than a tile's, and still at a contrast of more than 3:1."""


def tag(name: str, *content: str, **attributes: str | float) -> str:
    """One SVG element; `_` in an attribute's name stands for `-`."""
    written = "".join(
        f" {key.strip('_').replace('_', '-')}={quoteattr(value if isinstance(value, str) else f'{value:.6g}')}"
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{''.join(content)}</{name}>" if content else f"<{name}{written}/>"


def moved_to(x: float, y: float, *content: str, **attributes: str | float) -> str:
    """A group moved to a place."""
    return tag("g", *content, transform=f"translate({x:.6g} {y:.6g})", **attributes) if content else ""


def box(x: float, y: float, width: float, height: float, radius: float, **attributes: str | float) -> str:
    """A rectangle with round corners."""
    return tag("rect", x=x, y=y, width=width, height=height, rx=radius, **attributes)


def clean(words: str) -> str:
    """Words as XML text, without the characters that XML cannot hold."""
    return escape("".join(letter for letter in words if letter.isprintable()))


def label(x: float, y: float, words: str, size: float, fill: str = PLASTER, **attributes: str | float) -> str:
    """A line of text."""
    return tag("text", clean(words), x=x, y=y, font_size=size, fill=fill, **attributes)


def use(symbol: str, x: float, y: float, size: float, **attributes: str | float) -> str:
    """A symbol, drawn in a square with this corner and size."""
    return tag("use", href=f"#sintra-{symbol}", x=x, y=y, width=size, height=size, **attributes)


def star(points: int, outer: float, inner: float) -> str:
    """The path of a star around the origin, one point upwards."""
    corners = []
    for k in range(2 * points):
        radius = inner if k % 2 else outer
        corners.append(f"{radius * sin(pi * k / points):.1f},{-radius * cos(pi * k / points):.1f}")
    return f"M{' '.join(corners)}Z"


def _circle(radius: float) -> str:
    """The path of a circle around the origin, to be cut out of a shape."""
    return f"M{-radius},0a{radius},{radius} 0 1 0 {2 * radius},0a{radius},{radius} 0 1 0 {-2 * radius},0Z"


def _shape(path: str, **attributes: str | float) -> str:
    return tag("path", d=path, fill_rule="evenodd", **attributes)


def _diamond(x: float, y: float, radius: float) -> str:
    return f"M{x},{y - radius}l{radius},{radius} {-radius},{radius} {-radius},{-radius}Z"


_WAVE: Final = "q7.5,-11 15,0t15,0t15,0t15,0"
_QUATREFOIL: Final = "M-16,-16a16,16 0 0 1 32,0a16,16 0 0 1 0,32a16,16 0 0 1 -32,0a16,16 0 0 1 0,-32Z"
_CORNERS: Final = (
    "M-41,-25A16,16 0 0 0 -25,-41M25,-41A16,16 0 0 0 41,-25M41,25A16,16 0 0 0 25,41M-25,41A16,16 0 0 0 -41,25"
)
_GLYPHS: Final = {
    "K": _shape(_circle(32) + _circle(21)) + _shape(_circle(10)),
    "B": _shape(star(8, 37, 27) + _circle(15)) + _shape(_circle(7)),
    "R": _shape("".join(_diamond(x, y, 16) for x, y in ((0, -19), (19, 0), (0, 19), (-19, 0)))),
    "Y": _shape(_QUATREFOIL + star(4, 15, 5)),
    "T": tag(
        "path",
        d="".join(f"M-30,{y}{_WAVE}" for y in (-17, 2, 21)),
        fill="none",
        stroke="currentColor",
        stroke_width=8,
        stroke_linecap="round",
    ),
    "*": _shape(star(8, 30, 11), opacity=0.55) + _shape(star(4, 40, 10)),
}
"""The marks of the five colours and of the special tile, in the current colour."""


def _rosette() -> str:
    """The mark of a wild space: a petal of each colour."""
    petals = [
        tag(
            "path",
            d="M0,-5C-20,-17 -15,-39 0,-39S20,-17 0,-5Z",
            fill=TILE_COLOR[letter],
            stroke=INK,
            stroke_width=2.5,
            transform=f"rotate({72 * k})",
        )
        for k, letter in enumerate(COLOR_LETTERS)
    ]
    return "".join(petals) + tag("circle", r=9, fill=PLASTER, stroke=INK, stroke_width=2.5)


def _tile_body(letter: str) -> str:
    """A glazed tile with a dark outline; the special one has a broad golden rim."""
    if letter == "*":
        rim = box(-41, -41, 82, 82, 8, fill="none", stroke=GOLD, stroke_width=7)
    else:
        rim = box(-41, -41, 82, 82, 8, fill="none", stroke="#ffffff", stroke_width=2.5, stroke_opacity=0.45)
        rim += tag("path", d=_CORNERS, fill="none", stroke="#ffffff", stroke_width=2.5, stroke_opacity=0.45)
    return (
        box(-48, -48, 96, 96, 13, fill=TILE_COLOR[letter], stroke=OUTLINE, stroke_width=4)
        + box(-48, -48, 96, 96, 13, fill="url(#sintra-glaze)")
        + rim
    )


def _symbol(name: str, *content: str) -> str:
    return tag("symbol", *content, id=f"sintra-{name}", viewBox="-50 -50 100 100", overflow="visible")


def _space(letter: str) -> str:
    """An empty space of a plate."""
    ground = box(-46, -46, 92, 92, 11, fill=PLASTER, stroke=RIM, stroke_width=3)
    if letter == "W":
        return ground + use("glyph-W", -50, -50, 100)
    if letter == "*":
        ring = tag("circle", r=39, fill="#fff3cf", stroke="#a5770f", stroke_width=4, stroke_dasharray="9 5.3")
        return ground + ring + use("glyph-*", -44, -44, 88, color=FAINT_COLOR["*"])
    tint = box(-46, -46, 92, 92, 11, fill=TILE_COLOR[letter], fill_opacity=0.3 if letter in "YT" else 0.16)
    return ground + tint + use(f"glyph-{letter}", -40, -40, 80, color=FAINT_COLOR[letter], opacity=FAINTNESS[letter])


def _back(kind: str) -> str:
    """A face-down plate: cobalt, with the mark of its kind where that is known."""
    ground = box(-48, -48, 96, 96, 9, fill="#1d4379", stroke=GOLD, stroke_width=3)
    frame = box(-40, -40, 80, 80, 5, fill="none", stroke=PLASTER, stroke_width=1.5, stroke_opacity=0.5)
    if kind == "?":
        mark = label(0, 17, "?", 50, GOLD, text_anchor="middle", font_weight="bold")
    else:
        mark = tag("circle", r=33, fill=PLASTER) + use(f"glyph-{kind}", -34, -34, 68, color=GLYPH_COLOR["*"])
    return ground + frame + mark


def _start_tile() -> str:
    return (
        tag("path", d=star(12, 49, 39), fill=GOLD, stroke="#5c430c", stroke_width=3)
        + tag("circle", r=31, fill=PLASTER, stroke="#5c430c", stroke_width=2.5)
        + tag("path", d="M-11,-9L3,-22V20M-11,21H15", fill="none", stroke=INK, stroke_width=8, stroke_linejoin="round")
    )


def _coin() -> str:
    """A face-down chip."""
    return (
        tag("circle", r=47, fill="#2c5a99", stroke=GOLD, stroke_width=6)
        + tag("circle", r=36, fill="none", stroke=PLASTER, stroke_width=2, stroke_opacity=0.6)
        + _shape(_QUATREFOIL + star(4, 15, 5), fill=PLASTER, fill_opacity=0.85)
    )


def _chip_face(face: str) -> str:
    """A face-up chip: two halves, each with colour and glyph, or blank."""
    halves = []
    for half, sweep in zip(face, (0, 1), strict=True):
        side = 2 * sweep - 1
        halves.append(
            tag("path", d=f"M0,-44A44,44 0 0 {sweep} 0,44Z", fill=TILE_COLOR.get(half, "#efe3c6"))
            + (use(f"glyph-{half}", side * 21 - 23, -23, 46, color=GLYPH_COLOR[half]) if half in TILE_COLOR else "")
        )
    rim = tag("circle", r=45, fill="none", stroke=OUTLINE, stroke_width=9) + tag(
        "circle", r=46, fill="none", stroke=GOLD, stroke_width=5
    )
    return "".join(halves) + tag("path", d="M0,-44V44", stroke=OUTLINE, stroke_width=4) + rim


def tile(letter: str, x: float, y: float, size: float) -> str:
    """A tile."""
    return use(f"tile-{letter}", x, y, size)


def night_tile(letter: str, x: float, y: float, size: float) -> str:
    """A tile on dark ground, with a light ring."""
    return box(x - 1, y - 1, size + 2, size + 2, size / 6, fill="#dbe7f6") + tile(letter, x, y, size)


def face_up(chip: Chip, x: float, y: float, size: float, **attributes: float) -> str:
    """A chip that lies face up."""
    face = tag("g", tag("title", f"chip {chip}"), _chip_face(chip.face), transform=f"scale({size / 100:.4g})")
    return moved_to(x + size / 2, y + size / 2, face, **attributes)


def shadow(width: float, height: float) -> str:
    """What a card throws on the ground below it."""
    return box(-2, 2, width + 4, height + 4, 15, fill="#03070f", fill_opacity=0.22) + box(
        -1, 1, width + 2, height + 3, 14, fill="#03070f", fill_opacity=0.25
    )


def symbols() -> str:
    """All symbols that a picture refers to."""
    pieces = [_symbol(f"glyph-{letter}", tag("g", mark, fill="currentColor")) for letter, mark in _GLYPHS.items()]
    pieces.append(_symbol("glyph-W", _rosette()))
    for letter in TILE_COLOR:
        mark = use(f"glyph-{letter}", -42, -42, 84, color=GLYPH_COLOR[letter])
        pieces.append(_symbol(f"tile-{letter}", _tile_body(letter), mark))
    pieces += [_symbol(f"space-{letter}", _space(letter)) for letter in (*COLOR_LETTERS, "*", "W")]
    pieces += [_symbol(f"back-{kind}", _back(kind)) for kind in "*W?"]
    pieces += [_symbol("start", _start_tile()), _symbol("coin", _coin())]
    return "".join(pieces)


GLAZE: Final = (
    '<linearGradient id="sintra-glaze" x1="0" y1="0" x2="1" y2="1">'
    '<stop offset="0" stop-color="#fff" stop-opacity="0.35"/><stop offset="0.5" stop-color="#fff" stop-opacity="0"/>'
    '<stop offset="1" stop-color="#000" stop-opacity="0.14"/></linearGradient>'
)
"""The light on a glazed tile."""


def sprite() -> str:
    """All pieces, chips too, as one SVG of symbols for a page to refer to."""
    chips = "".join(_symbol(f"chip-{chip}", _chip_face(chip.face)) for chip in CHIPS)
    return tag("svg", tag("defs", GLAZE), symbols(), chips, xmlns="http://www.w3.org/2000/svg")
