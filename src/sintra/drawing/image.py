"""A picture as a value: SVG text that notebooks show and that can be saved, also as pixels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sintra.drawing import raster
from sintra.drawing.glyphs import SANS, clean, tag
from sintra.errors import SintraError

if TYPE_CHECKING:
    import numpy as np


class SvgPicture(str):
    """A self-contained SVG document: text, and in a notebook what it shows."""

    __slots__ = ()

    @classmethod
    def document(cls, width: float, height: float, title: str, *content: str) -> SvgPicture:
        """A document with a title for those who cannot see it."""
        view_box, space = f"0 0 {width:g} {height:g}", "http://www.w3.org/2000/svg"
        name = tag("title", clean(title))
        return cls(tag("svg", name, *content, xmlns=space, viewBox=view_box, font_family=SANS, role="img"))

    def _repr_svg_(self) -> str:
        """Notebooks show the picture."""
        return str(self)

    def png(self, width: int | None = None) -> bytes:
        """The picture as a PNG file, this many pixels wide, or as wide as it was drawn."""
        return raster.png(self, width)

    def rgb_array(self, width: int | None = None) -> np.ndarray:
        """The pixels: an array of height, width and three colours, `uint8`."""
        return raster.rgb_array(self, width)

    def save(self, path: str | Path, width: int | None = None) -> None:
        """Writes a file, SVG or PNG by its suffix."""
        suffix = Path(path).suffix.lower()
        if suffix == ".svg":
            Path(path).write_text(self, "utf-8")
        elif suffix == ".png":
            Path(path).write_bytes(self.png(width))
        else:
            raise SintraError(f"a picture is saved as .svg or .png, not as {Path(path).name!r}")
