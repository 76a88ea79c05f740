"""The links of a built site: everything that its pages name is there, and nothing is fetched from elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

_ADDRESSES: Final = ("href", "src", "poster", "data", "action")
_FETCHED: Final = ("script", "img", "source", "video", "audio", "iframe", "embed", "object")
_CSS_ADDRESS: Final = re.compile(r"""url\(\s*["']?([^"')]+)["']?\s*\)|@import\s+["']([^"']+)["']""")


@dataclass(slots=True)
class Page(HTMLParser):
    """What a page has and what it names."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    """Those of the links that a browser loads by itself."""

    def __post_init__(self) -> None:
        HTMLParser.__init__(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value is not None}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        named = [given[name] for name in _ADDRESSES if name in given]
        named += [part.split()[0] for part in given.get("srcset", "").split(",") if part.strip()]
        self.links += named
        if tag in _FETCHED or (tag == "link" and given.get("rel") not in ("canonical", "author", "license")):
            self.fetched += named


def read_page(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text("utf-8"))
    return page


def addresses_in_style(path: Path) -> list[str]:
    """What a style sheet, or the style of a page, has fetched."""
    text = path.read_text("utf-8")
    styles = [text] if path.suffix == ".css" else re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL)
    return [quoted[0] or quoted[1] for style in styles for quoted in _CSS_ADDRESS.findall(style)]


def faults(site: Path) -> list[str]:
    """What is wrong with the links of the pages and style sheets of a site, in words."""
    root = site.resolve()
    pages = {path: read_page(path) for path in sorted(root.rglob("*.html"))}
    found = []

    def check(page: Path, link: str, fetched: bool) -> None:
        parts = urlsplit(link)
        where = page.relative_to(root).as_posix()
        if parts.scheme == "data":
            return
        if parts.scheme or parts.netloc:
            if fetched:
                found.append(f"{where} fetches {link}")
            return
        there = (page.parent / unquote(parts.path)).resolve() if parts.path else page
        there = there / "index.html" if there.is_dir() else there
        if root not in there.parents or not there.is_file():
            found.append(f"{where} leads to {link}, which is not there")
        elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].ids | {"top"}:
            found.append(f"{where} leads to {link}, and there is no such place on that page")

    for path, page in pages.items():
        for link in page.links:
            check(path, link, link in page.fetched)
    for path in (*pages, *sorted(root.rglob("*.css"))):
        for link in addresses_in_style(path):
            check(path, link, True)
    return found
