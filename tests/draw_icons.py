"""Draws the app's icons from the one that is drawn by hand (`python tests/draw_icons.py`), with the tests' browser.

A system cuts a maskable icon to the shape it likes: there the tile lies small on its own ground.
"""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import sync_playwright

from chromium import installed

PUBLIC = Path(__file__).parents[1] / "web" / "public"
SIZES = (192, 512)
_PAGE = """<style>body {{ margin: 0; background: {ground}; }} svg {{ display: block; width: {drawn}px;
height: {drawn}px; margin: {margin}px; }}</style>{icon}"""


def main() -> None:
    icon = (PUBLIC / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=installed(), args=["--no-sandbox"]).new_page()
        for size in SIZES:
            page.set_viewport_size({"width": size, "height": size})
            for kind, ground, share in (("icon", "transparent", 1.0), ("icon-maskable", "#2456b0", 0.6)):
                drawn = round(size * share)
                page.set_content(_PAGE.format(ground=ground, drawn=drawn, margin=(size - drawn) // 2, icon=icon))
                page.screenshot(path=PUBLIC / f"{kind}-{size}.png", omit_background=True)


if __name__ == "__main__":
    main()
