"""The middle of the table: factories, the display, the stack, the drawn plates."""

from __future__ import annotations

from sintra.components import Plate
from sintra.drawing.glyphs import (
    EARTH,
    GOLD,
    INK,
    MIST,
    SAND,
    at,
    box,
    face_up,
    label,
    night_tile,
    panel,
    shadow,
    star,
    tag,
    tile,
    use,
)
from sintra.tabletop.pieces import Factory, PilePlace
from sintra.tabletop.tabletop import Tabletop


def factory_picture(factory: Factory) -> str:
    """A factory: the sun side, where the sun sets when it is empty, above the moon side."""
    width = 230 if factory.is_large else 134
    rays = tag(
        "path",
        d=star(24, 62, 40),
        fill="#fff3cd",
        fill_opacity=0.55,
        stroke="#d9a53d",
        stroke_opacity=0.5,
        transform=f"translate({width / 2:g} {66 if factory.sun else 126})",
    )
    day = tag(
        "path",
        d=f"M0,132V12a12,12 0 0 1 12,-12h{width - 24}a12,12 0 0 1 12,12V132Z",
        fill=f"url(#sintra-{'sun' if factory.sun else 'dusk'})",
    )
    night = tag("path", d=f"M0,132H{width}V224a12,12 0 0 1 -12,12H12a12,12 0 0 1 -12,-12Z", fill="url(#sintra-moon)")
    crescent = tag("path", d="M0,-11a11,11 0 1 0 10,15a9,9 0 0 1 -10,-15Z", fill="#f3e2ae", fill_opacity=0.85)
    twinkle = tag("path", d=star(4, 5, 1.6), fill="#f3e2ae")
    sky = at(width - 24 if factory.is_large else 20, 156, crescent) + at(width - 16, 222, twinkle)
    name = tag("circle", cx=width / 2, cy=132, r=12, fill=INK, stroke=GOLD, stroke_width=2) + label(
        width / 2, 137, factory.name, 14, GOLD, text_anchor="middle", font_weight="bold"
    )
    frame = box(0, 0, width, 236, 12, fill="none", stroke=GOLD, stroke_width=2)
    horizon = tag("path", d=f"M0,132H{width}", stroke=GOLD, stroke_width=2)
    moon = _large_moon(factory) if factory.is_large else _small_moon(factory)
    content = day + rays + night + sky + horizon + frame + name + _sun_tiles(factory, width) + moon
    return shadow(width, 236) + content


def _sun_tiles(factory: Factory, width: float) -> str:
    """The tiles of the sun side in two rows."""
    upper = (len(factory.sun) + 1) // 2
    rows = (factory.sun[:upper], factory.sun[upper:])
    top = 40 if len(factory.sun) == 1 else 15
    return "".join(
        tile(color.letter, (width - 54 * len(row)) / 2 + 54 * k + 3, top + 54 * r, 48)
        for r, row in enumerate(rows)
        for k, color in enumerate(row)
    )


def _small_moon(factory: Factory) -> str:
    """The stack rises from left to right, the chip below it; the uncovered tile has a golden rim."""
    size = 40 if factory.moon else 60
    x, y = (6, 188) if factory.moon else (37, 160)
    if factory.chip:
        below = face_up(factory.chip, x, y, size)
    elif factory.chip_is_down:
        below = use("coin", x, y, size)
    else:
        below = tag("circle", cx=67, cy=190, r=27, fill="none", stroke="#7f97bd", stroke_dasharray="4 5", opacity=0.6)
    places = [(30 + 26 * k, 184 - 17 * k) for k in range(len(factory.moon))]
    stack = [night_tile(color.letter, x, y, 44) for color, (x, y) in zip(factory.moon, places, strict=True)]
    rim = [box(x - 2, y - 2, 48, 48, 8, fill="none", stroke=GOLD, stroke_width=2.5) for x, y in places[-1:]]
    return below + "".join(stack + rim)


def _large_moon(factory: Factory) -> str:
    """Tiles side by side, and the start tile."""
    start = use("start", 10, 160, 56) if factory.has_start_tile else ""
    left = 68 if start else 115 - 20 * len(factory.moon)
    return start + "".join(night_tile(color.letter, left + 40 * k, 170, 37) for k, color in enumerate(factory.moon))


def _face(face: str, size: float) -> str:
    """A plate with its four spaces, `TL TR BL BR`."""
    cell = size / 2 - 3
    spaces = [
        use(f"space-{letter}", 3 + (k % 2) * (size / 2 - 1), 3 + k // 2 * (size / 2 - 1), cell - 1)
        for k, letter in enumerate(face)
    ]
    return box(0, 0, size, size, size / 14, fill=SAND, stroke=EARTH, stroke_width=1.5) + "".join(spaces)


def _back(place: PilePlace) -> str:
    """The symbol of a plate's back, as far as its kind is known."""
    return f"back-{place.kind.value if place.kind else '?'}"


def _candidates(place: PilePlace) -> str:
    return tag("title", " or ".join(plate.name for plate in place.candidates))


def _in_hand(place: PilePlace) -> str:
    """A drawn plate: its face where it is known."""
    picture = _face(place.plate.printed, 42) if place.plate else use(_back(place), 0, 0, 42)
    return tag("g", _candidates(place), picture)


def _in_stack(place: PilePlace) -> str:
    """A plate of the stack: its back, and its number where it is known."""
    name = place.plate.name if place.plate else ""
    number = label(11, 33, name, 10, MIST, text_anchor="middle") if name else ""
    return tag("g", _candidates(place), use(_back(place), 0, 0, 22), number)


def plates_picture(table: Tabletop) -> str:
    """The display, the stack with the kind of its top, the drawn plates, and what is known below."""
    stack = table.stack
    hand = table.hand
    display = [at(12 + 106 * k, 28, _display_plate(plate)) for k, plate in enumerate(table.display)]
    parts = [panel(422, 236), label(12, 19, "Display", 13, GOLD, font_weight="bold"), *display]
    parts += [label(334, 19, f"Stack {table.stack_size}", 13, GOLD, font_weight="bold")]
    back = _back(stack[0]) if stack else "back-?"
    parts += [use(back, 332 + 1.5 * k, 50 - 3 * k, 74) for k in range(min(table.stack_size, 6))]
    if not table.stack_size:
        parts.append(box(332, 36, 78, 78, 8, fill="none", stroke="#7f97bd", stroke_dasharray="5 5"))
    if hand:
        step = min(44, 350 / len(hand))
        parts.append(label(12, 176, "In hand", 11, MIST))
        parts += [at(60 + step * k, 151, _in_hand(place)) for k, place in enumerate(hand)]
    if stack:
        y = 198 if hand else 180
        parts.append(label(12, y + 15, "From top", 11, MIST))
        parts += [at(60 + 23.5 * k, y, _in_stack(place)) for k, place in enumerate(stack)]
    return "".join(parts)


def _display_plate(plate: Plate | None) -> str:
    if plate is None:
        return box(1, 1, 96, 96, 8, fill="none", stroke="#7f97bd", stroke_dasharray="5 5")
    return _face(plate.printed, 98) + label(49, 113, plate.name, 12, MIST, text_anchor="middle")
