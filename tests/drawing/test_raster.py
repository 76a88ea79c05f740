"""Pixels: the right size, with text wherever they are drawn, and animations with all their pictures."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFont
from PIL.GifImagePlugin import GifImageFile

from sintra import PLATES, Game, SintraError
from sintra.drawing import raster
from sintra.drawing.glyphs import MINUS, label, tag
from sintra.drawing.picture import plate_svg


def written(words: str) -> str:
    """A picture of words alone."""
    return tag("svg", label(5, 30, words, 20, "#000000"), xmlns="http://www.w3.org/2000/svg", viewBox="0 0 400 40")


def test_png_has_the_size_that_is_asked_for() -> None:
    game = Game.new(seed=3)
    assert Image.open(BytesIO(game.board_svg(1).png(320))).size == (320, 205)
    assert Image.open(BytesIO(plate_svg(PLATES[0]).png())).size == (104, 104)


def test_arrays_are_pixels() -> None:
    game = Game.new(seed=3)
    pixels = raster.rgb_array(game.view(0), width=160)
    assert (pixels.shape, pixels.dtype) == ((100, 160, 3), np.uint8)
    assert np.array_equal(pixels, game.view(0).svg().rgb_array(160))
    assert pixels.max() > 200 > 60 > pixels.min()
    light = raster.rgb_array(game.svg(theme="light"), width=160)
    assert light[0].mean() > 180 > 60 > pixels[0].mean()


def test_a_transparent_ground_is_white() -> None:
    assert tuple(plate_svg(PLATES[0]).rgb_array(52)[0, 0]) == (255, 255, 255)


@pytest.mark.parametrize("font", raster.fonts(), ids=lambda font: font.name)
def test_the_fonts_have_their_letters(font: Path) -> None:
    face = ImageFont.truetype(str(font), 20)

    def drawn(letter: str) -> tuple[object, ...]:
        mask = face.getmask(letter)
        return mask.size, bytes(mask)

    none = drawn("\N{SNOWMAN}")
    assert [letter for letter in raster.LETTERS if drawn(letter) == none] == []
    assert MINUS in raster.LETTERS


def test_text_is_drawn_without_the_fonts_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    import resvg_py

    given: list[bool] = []
    real = resvg_py.svg_to_bytes

    def noted(**options: object) -> bytes:
        given.append(bool(options["skip_system_fonts"]))
        return real(**options)  # type: ignore[arg-type]

    monkeypatch.setattr(resvg_py, "svg_to_bytes", noted)
    assert raster.rgb_array(written(f"Zażółć 3 · {MINUS}2")).min() < 60
    raster.png(written("\N{SNOWMAN}"))
    assert given == [True, False]


def test_an_animation_has_all_its_pictures() -> None:
    game = Game.new(seed=5)
    pictures: list[str] = []
    for _ in range(3):
        pictures.append(game.board_svg(0, title="a") if len(pictures) == 1 else game.board_svg(1))
        game.push(game.legal_moves[0])
    shares: list[float] = []
    film = GifImageFile(BytesIO(raster.gif(pictures, 160, delay=0.5, last=2.0, jobs=2, on_share=shares.append)))
    durations = []
    for k in range(film.n_frames):
        film.seek(k)
        durations.append(film.info["duration"])
        drawn = np.asarray(film.convert("RGB")).astype(int)
        assert np.abs(drawn - raster.rgb_array(pictures[k], 160)).mean() < 6
    assert (film.size, durations, film.info["loop"]) == ((160, 103), [500, 500, 2000], 0)
    assert shares == pytest.approx([1 / 3, 2 / 3, 1])


def test_a_file_is_saved_by_its_suffix(tmp_path: Path) -> None:
    picture = plate_svg(PLATES[6], 3)
    picture.save(tmp_path / "plate.svg")
    picture.save(tmp_path / "plate.png", width=30)
    assert (tmp_path / "plate.svg").read_text("utf-8") == picture
    assert Image.open(BytesIO((tmp_path / "plate.png").read_bytes())).size == (30, 30)
    with pytest.raises(SintraError, match=r"saved as .svg or .png, not as 'plate.jpg'"):
        picture.save(tmp_path / "plate.jpg")


def test_mistakes_are_told() -> None:
    picture = plate_svg(PLATES[0])
    for width in (0, -3, 1.5, True, 9000):
        with pytest.raises(SintraError, match="a picture is 1 to 8192 pixels wide"):
            picture.png(width)  # type: ignore[arg-type]
    with pytest.raises(SintraError, match="at least one picture"):
        raster.gif([])
    with pytest.raises(SintraError, match=r"shown for 0.02 to 600 seconds, not 0"):
        raster.gif([picture], delay=0)


@pytest.mark.parametrize("missing", ["resvg_py", "PIL"])
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(SintraError, match=r"pip install 'sintra\[pictures\]'"):
        raster.rgb_array(plate_svg(PLATES[0]))
    assert Game.new(seed=1).svg().startswith("<svg")
