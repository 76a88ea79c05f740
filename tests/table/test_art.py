"""What the page draws is what the library knows."""

from __future__ import annotations

from sintra.drawing.glyphs import sprite
from sintra.table.codegen.art import FACES, SPRITE, faces


def test_written_art_is_up_to_date() -> None:
    assert SPRITE.read_text("utf-8") == sprite() + "\n", "run python -m sintra.table.art"
    assert FACES.read_text("utf-8") == faces() + "\n", "run python -m sintra.table.art"
