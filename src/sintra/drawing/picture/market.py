"""The middle of the table: factories, the display, the stack, the drawn plates."""

from __future__ import annotations

from sintra.components import Plate
from sintra.drawing.glyphs import (
    EARTH,
    GOLD,
    INK,
    SAND,
    box,
    face_up,
    label,
    moved_to,
    night_tile,
    shadow,
    star,
    tag,
    tile,
    use,
)
from sintra.drawing.picture import places
from sintra.drawing.theme import Theme
from sintra.tabletop.pieces import Factory, PilePlace
from sintra.tabletop.tabletop import Tabletop


def factory_picture(factory: Factory) -> str:
    """A factory: the sun side, where the sun sets when it is empty, above the moon side."""
    width = places.factory_width(factory)
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
    sky = moved_to(width - 24 if factory.is_large else 20, 156, crescent) + moved_to(width - 16, 222, twinkle)
    name = tag("circle", cx=width / 2, cy=132, r=12, fill=INK, stroke=GOLD, stroke_width=2) + label(
        width / 2, 137, factory.name, 14, GOLD, text_anchor="middle", font_weight="bold"
    )
    frame = box(0, 0, width, 236, 12, fill="none", stroke=GOLD, stroke_width=2)
    horizon = tag("path", d=f"M0,132H{width}", stroke=GOLD, stroke_width=2)
    moon = _large_moon(factory) if factory.is_large else _small_moon(factory)
    content = day + rays + night + sky + horizon + frame + name + _sun_tiles(factory) + moon
    return shadow(width, 236) + content


def _sun_tiles(factory: Factory) -> str:
    spots = places.sun_spots(factory)
    return "".join(tile(color.letter, *spot) for color, spot in zip(factory.sun, spots, strict=True))


def _small_moon(factory: Factory) -> str:
    """The stack with the chip below it; the uncovered tile has a golden rim."""
    spot = places.chip_spot(factory)
    if factory.chip:
        below = face_up(factory.chip, *spot)
    elif factory.chip_is_down:
        below = use("coin", *spot)
    else:
        below = tag("circle", cx=67, cy=190, r=27, fill="none", stroke="#7f97bd", stroke_dasharray="4 5", opacity=0.6)
    spots = places.moon_spots(factory)
    stack = [night_tile(color.letter, *spot) for color, spot in zip(factory.moon, spots, strict=True)]
    rim = [box(x - 2, y - 2, size + 4, size + 4, 8, fill="none", stroke=GOLD, stroke_width=2.5) for x, y, size in spots]
    return below + "".join(stack + rim[-1:])


def _large_moon(factory: Factory) -> str:
    """Tiles side by side, and the start tile."""
    start = use("start", *places.START_SPOT) if factory.has_start_tile else ""
    spots = places.moon_spots(factory)
    return start + "".join(night_tile(color.letter, *spot) for color, spot in zip(factory.moon, spots, strict=True))


def plate_face(face: str, size: float) -> str:
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
    picture = plate_face(place.plate.printed, 42) if place.plate else use(_back(place), 0, 0, 42)
    return tag("g", _candidates(place), picture)


def _in_stack(place: PilePlace, theme: Theme) -> str:
    """A plate of the stack: its back, and its number where it is known."""
    name = place.plate.name if place.plate else ""
    number = label(11, 33, name, 10, theme.soft, text_anchor="middle") if name else ""
    return tag("g", _candidates(place), use(_back(place), 0, 0, 22), number)


def plates_picture(table: Tabletop, theme: Theme) -> str:
    """The display, the stack with the kind of its top, the drawn plates, and what is known below."""
    stack, hand = table.stack, table.hand
    parts = [theme.panel(422, 236), label(12, 19, "Display", 13, theme.accent, font_weight="bold")]
    parts += [
        moved_to(*places.display_spot(k)[:2], _display_plate(plate, theme)) for k, plate in enumerate(table.display)
    ]
    parts += [label(334, 19, f"Stack {table.stack_size}", 13, theme.accent, font_weight="bold")]
    back = _back(stack[0]) if stack else "back-?"
    parts += [use(back, *spot) for spot in places.stack_spots(table.stack_size)]
    if not table.stack_size:
        x, y, size = places.NO_STACK_SPOT
        parts.append(box(x, y, size, size, 8, fill="none", stroke=theme.missing, stroke_dasharray="5 5"))
    if hand:
        parts.append(label(12, 176, "In hand", 11, theme.soft))
        parts += [moved_to(*places.hand_spot(k, len(hand))[:2], _in_hand(place)) for k, place in enumerate(hand)]
    if stack:
        parts.append(label(12, places.known_spot(0, bool(hand)).y + 15, "From top", 11, theme.soft))
        parts += [
            moved_to(*places.known_spot(k, bool(hand))[:2], _in_stack(place, theme)) for k, place in enumerate(stack)
        ]
    return "".join(parts)


def _display_plate(plate: Plate | None, theme: Theme) -> str:
    if plate is None:
        return box(1, 1, 96, 96, 8, fill="none", stroke=theme.missing, stroke_dasharray="5 5")
    return plate_face(plate.printed, 98) + label(49, 113, plate.name, 12, theme.soft, text_anchor="middle")
