"""Writes the pieces' pictures for the page, from the same symbols as the library's pictures, and the
plates' faces: `python -m sintra.table.codegen.art`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from sintra.components import PLATES
from sintra.drawing.glyphs import sprite

ART: Final = Path(__file__).parents[3] / "web" / "src" / "art"
SPRITE: Final = ART / "pieces.svg"
FACES: Final = ART / "plates.json"


def faces() -> str:
    """R1.4: the four spaces of each plate by its number, as printed."""
    return json.dumps({plate.name: plate.turned(0) for plate in PLATES}, indent=2)


def main() -> None:
    """Writes the sprite and the faces into the sources of the page."""
    ART.mkdir(parents=True, exist_ok=True)
    SPRITE.write_text(sprite() + "\n", encoding="utf-8")
    FACES.write_text(faces() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
