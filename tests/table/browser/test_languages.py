"""Every screen in every language: nothing overflows or is cut off, no key is left, axe has nothing to say.

The English ones are left as pictures in `build/screens`, for looking at.
"""

from __future__ import annotations

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page

from table.browser.people import SCREENS, People, Table
from table.browser.screens import Shelf, screens
from table.catalogues import LANGUAGES

WIDTHS = ((390, 844), (768, 1024), (1280, 800))
THEMES: dict[int, tuple[Literal["dark", "light"], ...]] = {390: ("dark",), 768: (), 1280: ("light",)}
CHECK = """() => {
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
    const isHeardOnly = (one) => {
        for (let up = one; up; up = up.parentElement)
            if (getComputedStyle(up).clipPath === "inset(50%)") return true;
        return false;
    };
    const speaking = "button, label, a, th, td, h1, h2, h3, p, small, b, span, legend, summary, option";
    for (const one of document.querySelectorAll(speaking)) {
        const box = one.getBoundingClientRect();
        if (!box.width || one.closest(".skip, [aria-hidden=true], svg") || isHeardOnly(one)) continue;
        const style = getComputedStyle(one);
        const text = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
        if (/^[a-z_]+\\.[a-z_.]+$/.test(text)) found.push(`a key is shown: ${text}`);
        const clips = style.display !== "inline" && style.textOverflow !== "ellipsis";
        if (text && clips && one.scrollWidth > one.clientWidth + 1)
            found.push(`cut off: ${text} (${one.scrollWidth} > ${one.clientWidth})`);
        const button = one.closest("button, .card");
        if (text && button && button !== one) {
            const around = button.getBoundingClientRect();
            const free = one.closest("ol, .badge, .count, .score, .scroll");
            if (!free && (box.right > around.right + 2 || box.left < around.left - 2))
                found.push(`sticks out: ${text}`);
        }
    }
    return found;
}"""


@pytest.fixture(scope="module")
def shelf(table: Table) -> Shelf:
    return Shelf(table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_screen_fits_and_is_accessible(people: People, shelf: Shelf, language: str) -> None:
    page = people.page(language=language, name="", reducedMotion="on")
    found: list[str] = []
    for name in screens(page, shelf, language):
        for width, height in WIDTHS:
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{language} {name} at {width}: {one}" for one in page.evaluate(CHECK)]
            for theme in THEMES[width] if language != "en" or width == 768 else ("dark", "light"):
                dress(page, theme)
                found += [f"{language} {name} at {width}, {theme}: {one}" for one in violations(page)]
                if language == "en":
                    page.screenshot(path=SCREENS / f"{name}-{width}-{theme}.png", caret="initial")
    assert not found, "\n".join(found)


def dress(page: Page, theme: Literal["dark", "light"]) -> None:
    """Shows the page in the dark or in the light."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)


def violations(page: Page) -> list[str]:
    """What axe objects to."""
    found = []
    for one in Axe().run(page).response["violations"]:
        where = "; ".join(node["html"][:160] for node in one["nodes"][:3])
        found.append(f"{one['id']}: {one['help']}: {where}")
    return found
