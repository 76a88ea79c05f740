"""Light and dark: the colours of what lies around the boards and factories, which look the same in both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sintra.drawing.glyphs import COBALT, GOLD, INK, MIST, NIGHT, PLASTER, box
from sintra.errors import SintraError


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a picture."""

    name: str
    """`dark` or `light`."""
    middle: str
    """The middle of the ground."""
    rim: str
    """The rim of the ground."""
    pattern: str
    """The pattern of tiles on the ground."""
    pattern_opacity: float
    """The opacity of that pattern."""
    card: str
    """Cards."""
    card_frame: str
    """The thin frame of cards."""
    text: str
    """Words."""
    soft: str
    """Words that matter less."""
    accent: str
    """Words that matter more, and headings."""
    button: str
    """The button that says what is asked."""
    on_button: str
    """The words on that button."""
    missing: str
    """The outline of what is not there."""
    unlit: str
    """Spaces of a goal's figure that do not count."""
    lit: str
    """Spaces of a goal's figure that count."""
    seats: tuple[str, str]
    """The curves of the two seats in a plot."""
    bad: str
    """Turns that gave something away."""

    def panel(self, width: float, height: float) -> str:
        """A card with a thin frame."""
        return box(
            0, 0, width, height, 12, fill=self.card, fill_opacity=0.9, stroke=self.card_frame, stroke_opacity=0.45
        )


DARK: Final = Theme(
    name="dark",
    middle="#1b4274",
    rim=NIGHT,
    pattern="#9fc3ee",
    pattern_opacity=0.09,
    card=COBALT,
    card_frame=GOLD,
    text=PLASTER,
    soft=MIST,
    accent=GOLD,
    button=GOLD,
    on_button=INK,
    missing="#7f97bd",
    unlit="#3d6397",
    lit=GOLD,
    seats=("#7db4ff", "#f4bd4f"),
    bad="#ff9d8a",
)
LIGHT: Final = Theme(
    name="light",
    middle="#eef3fa",
    rim="#d4e0ef",
    pattern="#2456b0",
    pattern_opacity=0.1,
    card="#fdfaf2",
    card_frame="#7d90b0",
    text=INK,
    soft="#3c4c68",
    accent="#1f4d94",
    button="#1f4d94",
    on_button="#ffffff",
    missing="#6d82a4",
    unlit="#c3d0e2",
    lit="#1f4d94",
    seats=("#1f5fc0", "#a86400"),
    bad="#a52a14",
)
THEMES: Final = {theme.name: theme for theme in (DARK, LIGHT)}


def theme_of(name: str) -> Theme:
    """The theme with this name."""
    if not isinstance(name, str) or name not in THEMES:
        raise SintraError(f"there is no theme {name!r}: the themes are {' and '.join(THEMES)}")
    return THEMES[name]
