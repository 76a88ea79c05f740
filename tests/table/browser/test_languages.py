"""Every screen in every language: nothing overflows or is cut off, no key is left, axe has nothing to say.

The English ones can be left as pictures in `build/screens`, for looking at (`--pictures`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT  # type: ignore[import-untyped]
from playwright.sync_api import Page

import soak
from table.browser.browsers import IS_HEARD_ONLY, Browsers, Table, keep_picture, resize
from table.browser.screens import Shelf, screens
from table.catalogues import LANGUAGES, LONGEST_LANGUAGE

pytestmark = pytest.mark.long

Theme = Literal["dark", "light"]
PHONE, DESK = 390, 1280
SIZES = soak.pick(
    ((PHONE, 844), (768, 1024), (DESK, 800)),
    ((320, 568), (360, 740), (390, 844), (844, 390), (600, 960), (768, 1024), (1024, 768), (1280, 800), (1920, 1080)),
)
NARROWEST_TABLE = 360
"""Where a window is narrower, fingers would not find the pieces: there the table is as wide as this, and scrolls."""
ALL_RULES: dict[str, Any] = {}
COLORS_ONLY = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
AXE = """async (options) => {
    const found = await axe.run({ resultTypes: ["violations"], preload: false, ...options });
    return found.violations;
}"""
CHECK = (
    "() => {"
    + IS_HEARD_ONLY
    + """
    const found = [];
    const room = document.scrollingElement;
    if (room.scrollWidth > innerWidth) {
        found.push(`the page is ${room.scrollWidth} wide`);
        for (const one of document.querySelectorAll("body *")) {
            const box = one.getBoundingClientRect();
            if (box.right > innerWidth + 1 && box.width > 0 && !one.closest(".hidden, .skip")) {
                found.push(`out of the page: ${one.outerHTML.slice(0, 120)}`);
                if (found.length > 4) break;
            }
        }
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.data;
        if (/(^|[^\\w-])-\\d/.test(text)) found.push(`a hyphen for a minus sign: ${text}`);
    }
    const speaking = "button, label, a, th, td, h1, h2, h3, p, small, b, span, legend, summary, option";
    for (const one of document.querySelectorAll(speaking)) {
        const box = one.getBoundingClientRect();
        if (!box.width || one.closest(".skip, [aria-hidden=true], svg") || isHeardOnly(one)) continue;
        const style = getComputedStyle(one);
        const text = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
        if (/^[a-z_]+\\.[a-z_.]+$/.test(text)) found.push(`a key is shown: ${text}`);
        const clips = style.display !== "inline" && style.textOverflow !== "ellipsis";
        const scrolls = one.closest("ol, ul, .scroll, .held, pre, [data-scrolls]");
        if (text && !scrolls && box.left < -1 && box.right > 1) found.push(`out of the page on the left: ${text}`);
        if (text && clips && one.scrollWidth > one.clientWidth + 1)
            found.push(`cut off: ${text} (${one.scrollWidth} > ${one.clientWidth})`);
        const button = one.closest("button, .card");
        if (text && button && button !== one) {
            const around = button.getBoundingClientRect();
            const free = one.closest("ol, .badge, .count, .score, .scroll, .shortened");
            if (!free && (box.right > around.right + 2 || box.left < around.left - 2))
                found.push(`sticks out: ${text}`);
        }
    }
    return found;
}"""
)


@pytest.fixture(scope="module")
def shelf(table: Table | None) -> Shelf:
    return Shelf(table, clock={"seconds": 900, "increment": 15})


def looks(screen: str, is_even: bool, language: str, width: int) -> Iterator[tuple[Theme, dict[str, Any]]]:
    """The themes in which axe looks at a screen, and by which of its rules.

    The short form looks at the English screens only: other words change neither a colour nor what a thing is. It looks
    at one in the dark on a phone and at the next in the light on a desk, and at the colours of figures and
    charts in both.
    """
    if soak.is_on or (soak.takes_pictures and language == "en"):
        yield "dark", ALL_RULES
        yield "light", ALL_RULES
    elif language == "en" and width == (PHONE if is_even else DESK):
        yield "dark" if is_even else "light", ALL_RULES
        if screen in ("rules", "progress"):
            yield "light" if is_even else "dark", COLORS_ONLY


@pytest.mark.soak
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_fits_and_is_accessible(browsers: Browsers, shelf: Shelf, language: str) -> None:
    page = browsers.page(language=language, name="", reducedMotion="on")
    found: list[str] = []
    is_table = False
    for k, name in enumerate(screens(page, shelf, language)):
        is_table |= name == "opening"
        for width, height in SIZES if soak.is_on or language == LONGEST_LANGUAGE else (SIZES[0], SIZES[-1]):
            if is_table and width < NARROWEST_TABLE:
                continue
            resize(page, width, height)
            found += [f"{language} {name} at {width}: {one}" for one in page.evaluate(CHECK)]
            for theme, rules in looks(name, k % 2 == 0, language, width):
                dress(page, theme)
                found += [f"{language} {name} at {width}, {theme}: {one}" for one in violations(page, rules)]
                if language == "en":
                    keep_picture(page, f"{name}-{width}-{theme}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("language", soak.pick([LONGEST_LANGUAGE], LANGUAGES))
def test_screens_fit_with_doubled_text(browsers: Browsers, shelf: Shelf, language: str) -> None:
    """All before the table, which `test_layout` measures."""
    page = browsers.page(language=language, name="", reducedMotion="on")
    found: list[str] = []
    for name in takewhile(lambda name: name != "opening", screens(page, shelf, language)):
        for width, height in ((390, 844), (1280, 800)):
            resize(page, width, height)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            found += [f"{language} {name} at {width}, doubled: {one}" for one in page.evaluate(CHECK)]
            keep_picture(page, f"{name}-{width}-doubled-{language}")
        page.evaluate("document.documentElement.style.fontSize = ''")
    assert not found, "\n".join(found)


def dress(page: Page, theme: Theme) -> None:
    """Shows the page in the dark or in the light."""
    if page.evaluate("document.documentElement.dataset.theme") != theme:
        page.emulate_media(color_scheme=theme)
        page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)


def violations(page: Page, rules: dict[str, Any]) -> list[str]:
    """What axe objects to, by these of its rules."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = []
    for one in page.evaluate(AXE, rules):
        where = "; ".join(node["html"][:160] for node in one["nodes"][:3])
        found.append(f"{one['id']}: {one['help']}: {where}")
    return found
