"""What lies where in a picture, read back from its SVG."""

from __future__ import annotations

import re
from typing import NamedTuple
from xml.etree import ElementTree

NAMESPACE = "{http://www.w3.org/2000/svg}"


class Part(NamedTuple):
    """A piece: its name, its middle and its size in the picture's own measure."""

    name: str
    x: float
    y: float
    size: float

    def covers(self, x: float, y: float, margin: float = 0) -> bool:
        half = self.size / 2 + margin
        return abs(x - self.x) <= half and abs(y - self.y) <= half


class Arrow(NamedTuple):
    """Where the tails of an arrow begin, and its tip."""

    starts: list[tuple[float, float]]
    tip: tuple[float, float]


def pieces(picture: str) -> list[Part]:
    """Every symbol that is drawn, and every chip that lies face up; without what points at a move."""
    found: list[Part] = []
    _walk(ElementTree.fromstring(picture), 0, 0, found)
    return found


def _walk(element: ElementTree.Element, x: float, y: float, found: list[Part]) -> None:
    tag = element.tag.removeprefix(NAMESPACE)
    if tag in ("defs", "symbol") or element.get("class") == "sintra-move":
        return
    if moved := re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", element.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    if tag == "use":
        size = float(element.attrib["width"])
        left, top = float(element.attrib["x"]), float(element.attrib["y"])
        name = element.attrib["href"].removeprefix("#sintra-")
        found.append(Part(name, x + left + size / 2, y + top + size / 2, size))
    title = element.find(f"{NAMESPACE}title")
    if tag == "g" and title is not None and (title.text or "").startswith("chip "):
        scale = float(element.attrib["transform"].removeprefix("scale(").removesuffix(")"))
        found.append(Part((title.text or "").replace(" ", "-"), x, y, 100 * scale))
        return
    for child in element:
        _walk(child, x, y, found)


def arrows(picture: str, kind: str = "arrow") -> list[Arrow]:
    """The arrows of the move, or its asides."""
    found = []
    root = ElementTree.fromstring(picture)
    for group in root.iter(f"{NAMESPACE}g"):
        if group.get("class") == f"sintra-{kind}":
            paths = [path.attrib["d"] for path in group.iter(f"{NAMESPACE}path")]
            starts = [re.match(r"M([-\d.]+),([-\d.]+)Q", path) for path in paths[: len(paths) // 2]]
            head = next(group.iter(f"{NAMESPACE}polygon")).attrib["points"].split()[0]
            tip_x, tip_y = head.split(",")
            found.append(
                Arrow([(float(start[1]), float(start[2])) for start in starts if start], (float(tip_x), float(tip_y)))
            )
    return found
