"""The pieces' pictures and the palette for the page, the same as in the library's pictures.

`python -m sintra.table.codegen.typescript` writes them into the page's sources.
"""

from __future__ import annotations

from sintra.drawing import glyphs

_HEAD = "/* Made from sintra.drawing.glyphs by `python -m sintra.table.codegen.typescript`: change that instead. */\n"
_PALETTE = ("night", "cobalt", "plaster", "gold", "ink", "rim", "mist")


def files() -> dict[str, str]:
    """What belongs in the page's art, by path."""
    return {"src/art/pieces.svg": glyphs.sprite() + "\n", "src/art/palette.css": palette()}


def palette() -> str:
    """The colours that the page shares with the pictures, and the grounds of the tiles by their letters."""
    colors = {name: getattr(glyphs, name.upper()) for name in _PALETTE}
    colors |= {f"tile-{letter}": color for letter, color in glyphs.TILE_COLOR.items() if letter.isalpha()}
    lines = [f"  --{name}: {color};" for name, color in colors.items()]
    return "\n".join([f"{_HEAD}:root {{", *lines, "}\n"])
