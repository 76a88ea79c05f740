"""Writes the pieces' pictures for the page, from the same symbols as the library's pictures:
`python -m sintra.table.art`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sintra.glyphs import sprite

SPRITE: Final = Path(__file__).parents[3] / "web" / "src" / "art" / "pieces.svg"


def main() -> None:
    """Writes the sprite into the sources of the page."""
    SPRITE.parent.mkdir(parents=True, exist_ok=True)
    SPRITE.write_text(sprite() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
