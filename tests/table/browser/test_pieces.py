"""Pieces can be read: contrasts measured in pictures of the page, in the dark and in the light, also as they look to
people who see fewer colours."""

from __future__ import annotations

import base64
from typing import Any, Literal

import numpy as np
import pytest
from playwright.sync_api import FloatRect, Locator, Page

import soak
from table.browser.browsers import Browsers, Table
from table.browser.reaching import visit
from table.browser.screens import Shelf
from table.browser.test_languages import dress

Pixels = np.ndarray[Any, np.dtype[np.float64]]

LEAST = 3.0
"""The contrast that a glyph needs."""
GLYPH = 0.08
"""The least part of a space that its glyph covers."""
READ = """async (data) => {
    const picture = await createImageBitmap(await (await fetch(data)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    const bytes = pen.getImageData(0, 0, picture.width, picture.height).data;
    let letters = "";
    for (const one of bytes) letters += String.fromCharCode(one);
    return [picture.height, picture.width, btoa(letters)];
}"""
SIGHT = {
    "full": np.eye(3),
    "protan": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "deutan": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "tritan": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
"""How colours look to people without one kind of cone (Machado, Oliveira and Fernandes 2009), in linear light."""
AROUND = 2
"""Pixels around a piece that show what it lies on, and a ring that it has there."""
EMPTY = "BYRKT*W"
DESK, PHONE = (1280, 720), (360, 640)
LOOKS = soak.pick(
    (("dark", DESK), ("light", PHONE)), (("dark", DESK), ("dark", PHONE), ("light", DESK), ("light", PHONE))
)


@pytest.fixture(scope="module")
def shelf(table: Table | None) -> Shelf:
    return Shelf(table)


def pixels(reader: Page, one: Locator, around: int = 0) -> Pixels:
    """A picture of something on the page in linear light (row, column, channel), with so many pixels around it."""
    if around:
        box = one.bounding_box()
        assert box is not None
        x, y = (int(box[side]) - around for side in ("x", "y"))
        width, height = (int(box[side]) + 2 * around for side in ("width", "height"))
        clip: FloatRect = {"x": x, "y": y, "width": width, "height": height}
        taken = one.page.screenshot(caret="initial", clip=clip)
    else:
        taken = one.screenshot(caret="initial")
    picture = base64.b64encode(taken).decode()
    height, width, values = reader.evaluate(READ, f"data:image/png;base64,{picture}")
    bytes_of = np.frombuffer(base64.b64decode(values), np.uint8)
    scaled = bytes_of.reshape(height, width, 4)[:, :, :3] / 255
    linear: Pixels = np.where(scaled <= 0.04045, scaled / 12.92, ((scaled + 0.055) / 1.055) ** 2.4)
    return linear


def luminance(light: Pixels, sight: str) -> Pixels:
    seen: Pixels = np.clip(light @ SIGHT[sight].T, 0, 1) @ np.array([0.2126, 0.7152, 0.0722])
    return seen


def contrasts(light: Pixels, ground: Pixels, sight: str) -> Pixels:
    """How much each pixel differs from a ground."""
    a, b = luminance(light, sight), luminance(ground, sight)
    ratio: Pixels = (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)
    return ratio


def inner(light: Pixels, by: float) -> Pixels:
    """A picture without its rim."""
    height, width, _ = light.shape
    y, x = round(by * height), round(by * width)
    return light[y : height - y, x : width - x]


def ground_of(light: Pixels) -> Pixels:
    """The colour around a glyph: what most of the corners show, inside the rim."""
    part = inner(light, 0.12)
    side = max(2, part.shape[0] // 7)
    corners = [part[:side, :side], part[:side, -side:], part[-side:, :side], part[-side:, -side:]]
    middle: Pixels = np.median(np.concatenate([one.reshape(-1, 3) for one in corners]), axis=0)
    return middle


@pytest.mark.soak
@pytest.mark.parametrize(("theme", "size"), LOOKS)
def test_empty_spaces_can_be_read(
    browsers: Browsers, shelf: Shelf, theme: Literal["dark", "light"], size: tuple[int, int]
) -> None:
    page = browsers.page(*size, reducedMotion="on")
    reader = page.context.new_page()
    visit(page, shelf.game(page, "orders", lambda shown: shown["ply"] > 60).path)
    page.locator("[data-tour=prompt]").wait_for()
    dress(page, theme)
    assert_spaces_can_be_read(reader, page, (".near .slot", ".display .plate"), theme)


@pytest.mark.soak
@pytest.mark.parametrize(("theme", "size"), LOOKS)
def test_empty_spaces_in_the_pictures_of_the_rules_can_be_read(
    browsers: Browsers, theme: Literal["dark", "light"], size: tuple[int, int]
) -> None:
    page = browsers.page(*size, reducedMotion="on")
    reader = page.context.new_page()
    visit(page, "/rules")
    page.locator("#way li").last.wait_for()
    dress(page, theme)
    assert_spaces_can_be_read(reader, page, ("#way .slot", "#table .board .slot", "#table .market .plate"), theme)


def assert_spaces_can_be_read(reader: Page, page: Page, homes: tuple[str, ...], theme: str) -> None:
    """Every kind of space lies in one of these homes at least, and wherever it lies its glyph stands out."""
    seen = set[str]()
    for letter in EMPTY:
        for home in homes:
            spaces = page.locator(f"{home} svg:has(use[href='#sintra-space-{letter}'])")
            if not spaces.count():
                continue
            light = pixels(reader, spaces.first)
            for sight in SIGHT:
                found = contrasts(inner(light, 0.1), ground_of(light), sight)
                share = float((found >= LEAST).mean())
                assert share >= GLYPH, f"{letter} in {home}, {theme}, {sight}: {share:.3f} of it has a contrast of 3"
            seen.add(letter)
    assert seen == set(EMPTY)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_tiles_are_told_from_empty_spaces_by_their_outline(
    browsers: Browsers, shelf: Shelf, theme: Literal["dark", "light"]
) -> None:
    """A tile has a rim that differs from the board; the rim of an empty space differs far less from its plate."""
    page = browsers.page(1280, 720, reducedMotion="on")
    reader = page.context.new_page()
    visit(page, shelf.game(page, "orders", lambda shown: shown["ply"] > 60).path)
    page.locator("[data-tour=prompt]").wait_for()
    dress(page, theme)
    paper = ground_of(pixels(reader, page.locator(".near .hole:not(:has(.in))").first))
    tiles = page.locator(".near .hole .in[data-piece] svg")
    empty = page.locator(".near .slot svg:has(use[href^='#sintra-space-'])")
    tile, space = (pixels(reader, one.first, AROUND) for one in (tiles, empty))
    plate = np.median(space[AROUND:-AROUND, 0], axis=0)
    for sight in SIGHT:
        assert rim(tile, paper, sight) > 2 * LEAST
        assert rim(space, plate, sight) < LEAST


def rim(light: Pixels, paper: Pixels, sight: str) -> float:
    """How much the darkest line around a piece differs from the board."""
    middle = light.shape[0] // 2
    depth = max(2, light.shape[1] // 8)
    return float(contrasts(light[middle, :depth], paper, sight).max())
