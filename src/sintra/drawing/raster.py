"""Pictures as pixels: PNG, GIF and arrays, drawn from the SVG.

Text is set in fonts that come with the extra, so that a picture looks the same everywhere, also where no font is
installed; only for letters that these lack the fonts of the machine are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol
from xml.etree import ElementTree

from sintra.errors import SintraError
from sintra.processes.worker import WorkerPool

if TYPE_CHECKING:
    import numpy as np
    from PIL.Image import Image

MAX_WIDTH: Final = 8192
"""A picture that is wider would take gigabytes."""
MAX_FRAME_S: Final = 600.0
"""A picture of an animation is shown for so many seconds at most."""
SANS: Final = "Source Sans Pro"
SERIF: Final = "Source Serif Pro"
LETTERS: Final = frozenset(
    chr(code)
    for codes in (
        range(0x20, 0x7F),
        range(0xA0, 0x12C),
        range(0x12E, 0x132),
        range(0x134, 0x14A),
        range(0x14C, 0x166),
        range(0x168, 0x17F),
        range(0x218, 0x21C),
        range(0x2012, 0x2015),
        range(0x2018, 0x201B),
        range(0x201C, 0x201F),
        (0x2022, 0x2026, 0x20AC, 0x2190, 0x2192, 0x2212),
    )
    for code in codes
)
"""What these fonts have: the letters of Europe's languages that are written like Latin, and signs."""
_COLORS: Final = 255
"""The colours of a GIF, besides the one for pixels that stay as they are."""


class Drawable(Protocol):
    """What draws itself: a `Game` or a `View`."""

    def svg(self) -> str:
        """The picture."""


def fonts() -> list[Path]:
    """The files of the fonts that text is set in."""
    import font_source_sans_pro
    import font_source_serif_pro

    sans, serif = (Path(found.__file__).parent / "files" for found in (font_source_sans_pro, font_source_serif_pro))
    return [sans / "SourceSansPro-Regular.ttf", sans / "SourceSansPro-Bold.ttf", serif / "SourceSerifPro-Bold.ttf"]


def png(picture: str, width: int | None = None) -> bytes:
    """An SVG picture as a PNG file, this many pixels wide, or as wide as it was drawn."""
    try:
        import resvg_py

        files = fonts()
    except ImportError:
        _refuse()
    if width is not None and (isinstance(width, bool) or not isinstance(width, int) or not 1 <= width <= MAX_WIDTH):
        raise SintraError(f"a picture is 1 to {MAX_WIDTH} pixels wide, not {width!r}")
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=str(picture),
            width=width,
            skip_system_fonts=not _has_other_letters(picture),
            font_files=[str(file) for file in files],
            font_family=SANS,
            sans_serif_family=SANS,
            serif_family=SERIF,
        )
    )


def rgb_array(picture: str | Drawable, width: int | None = None) -> np.ndarray:
    """The pixels of a picture, or of a game or view: an array of height, width and three colours, `uint8`."""
    image = _image(png(picture if isinstance(picture, str) else picture.svg(), width))
    pixels: np.ndarray = _numpy().array(image)
    return pixels


def gif(
    pictures: Iterable[str],
    width: int | None = None,
    *,
    delay: float = 1.0,
    last: float | None = None,
    jobs: int = 1,
    on_share: Callable[[float], None] | None = None,
) -> bytes:
    """SVG pictures of one size as an animation that begins again: each is shown for `delay` seconds, the last one for
    `last`, or three times as long. So many `jobs` are done at once, each in a process; `on_share` is told now and then
    how much of it is done."""
    drawings = list(pictures)
    end = min(3 * delay, MAX_FRAME_S) if last is None else last
    if not drawings:
        raise SintraError("an animation needs at least one picture")
    for seconds in (delay, end):
        if not 0.02 <= seconds <= MAX_FRAME_S:
            raise SintraError(f"a frame of an animation is shown for 0.02 to {MAX_FRAME_S:g} seconds, not {seconds!r}")
    images = []
    for image in _with_few_colors(drawings, width, jobs):
        images.append(image)
        if on_share:
            on_share(len(images) / len(drawings))
    first, *rest = images
    shown = [round(1000 * delay)] * len(rest) + [round(1000 * end)]
    file = BytesIO()
    first.save(file, "GIF", save_all=True, append_images=rest, duration=shown, loop=0, optimize=True, disposal=1)
    return file.getvalue()


def _with_few_colors(drawings: Sequence[str], width: int | None, jobs: int) -> Iterator[Image]:
    """The images in the same colours, so that what does not change does not flicker."""
    from PIL import Image

    colors = _palette([_image(png(drawings[k], width)) for k in sorted({0, len(drawings) // 2, len(drawings) - 1})])
    for file in _files(drawings, width, jobs):
        yield _image(file).quantize(palette=colors, dither=Image.Dither.NONE)


def _palette(images: Iterable[Image]) -> Image:
    """The colours of these images, as few as a GIF has. What is seen often counts for more, but not by as much: small
    pieces want colours of their own as well as the wide ground."""
    from PIL import Image

    np = _numpy()
    pixels = np.concatenate([np.asarray(image).reshape(-1, 3) for image in images])
    coarse = (pixels >> 2).astype(np.int64) @ (1 << 12, 1 << 6, 1)
    _, places, seen = np.unique(coarse, return_index=True, return_counts=True)
    weighed = np.repeat(pixels[places], np.ceil(seen**0.4).astype(int), axis=0)
    return Image.fromarray(weighed[np.newaxis]).quantize(_COLORS, kmeans=2)


def _files(drawings: Sequence[str], width: int | None, jobs: int) -> Iterator[bytes]:
    """The pictures as PNG files, several of them made at once."""
    if jobs == 1:
        yield from (png(drawing, width) for drawing in drawings)
        return
    with WorkerPool(jobs) as pool:
        for future in [pool.submit(png, str(drawing), width) for drawing in drawings]:
            yield future.result()


def _image(file: bytes) -> Image:
    """A PNG file as an image, on white where it is transparent."""
    try:
        from PIL import Image
    except ImportError:
        _refuse()
    drawn = Image.open(BytesIO(file)).convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn).convert("RGB")


def _numpy() -> Any:
    """NumPy, which is there with the extra."""
    try:
        import numpy as np
    except ImportError:
        _refuse()
    return np


def _refuse() -> NoReturn:
    raise SintraError("PNG, GIF and arrays of pixels need more: pip install 'sintra[pictures]'") from None


def _has_other_letters(picture: str) -> bool:
    """Whether something is written in letters that these fonts lack."""
    texts = ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    return any(not LETTERS.issuperset("".join(text.itertext())) for text in texts)
