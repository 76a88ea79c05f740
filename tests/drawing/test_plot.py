"""The plots of a game: every figure is written, curves lie where the figures say, and nothing leaves the picture."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from drawing.parts import NAMESPACE
from helpers import some
from sintra import Source
from sintra.drawing.plot import SOURCE_WORDS, Chances, Course, TurningPoint, plot

COURSE = Course(
    players=("Ana & <Bob>", "Bob"),
    rounds=((7, 9), (7, 14), (24, 38), (30, 50), (52, 74)),
    scores=(55, 91),
    end="goals",
    sources=(
        dict(zip(Source, (51, 7, -7, -2, -2, 3), strict=True)),
        dict(zip(Source, (78, 2, 0, -8, -3, 17), strict=True)),
    ),
)
CHANCES = Chances((0.5, 0.6, 0.2, 0.9, 1.0), (0, 2), (TurningPoint(1, "??"),))


def words(picture: str) -> list[str]:
    return [text.text or "" for text in ElementTree.fromstring(picture).iter(f"{NAMESPACE}text")]


def curves(picture: str) -> list[list[tuple[float, float]]]:
    lines = ElementTree.fromstring(picture).iter(f"{NAMESPACE}polyline")
    pairs = [[point.split(",") for point in line.attrib["points"].split()] for line in lines]
    return [[(float(x), float(y)) for x, y in line] for line in pairs]


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_figure_is_written(theme: str) -> None:
    said = words(plot(COURSE, theme=theme))
    assert "Ana & <Bob> 55 : 91 Bob" in said
    assert {"start", "round 1", "round 5", "goals", *SOURCE_WORDS.values()} <= set(said)
    assert {"51", "78", "\N{MINUS SIGN}7", "\N{MINUS SIGN}8", "17"} <= set(said)
    assert set(SOURCE_WORDS) == set(Source)


def test_curves_rise_with_the_scores() -> None:
    first, second = curves(plot(COURSE))
    scores = [(5, 5), *COURSE.rounds, COURSE.scores]
    per_point = (first[0][1] - first[-1][1]) / (55 - 5)
    for seat, curve in enumerate((first, second)):
        assert len(curve) == len(scores)
        for (_, y), pair in zip(curve, scores, strict=True):
            assert y == pytest.approx(first[0][1] - (pair[seat] - 5) * per_point, abs=0.2)


def test_chances_are_plotted_where_they_are_known() -> None:
    without, with_them = plot(COURSE), plot(replace(COURSE, chances=CHANCES))
    assert len(curves(with_them)) == len(curves(without)) + 1
    chance = curves(with_them)[-1]
    assert [y for _, y in chance] == pytest.approx([194 - 152 * value for value in CHANCES.by_ply], abs=0.1)
    assert "??" in words(with_them)
    assert words(with_them).count("round 1") == 2
    short = CHANCES.up_to(1)
    assert (short.by_ply, short.rounds) == ((0.5, 0.6), (0,))
    assert CHANCES.up_to(0).turning_points == ()


def test_a_game_without_points_can_be_plotted() -> None:
    nothing = dict.fromkeys(Source, 0)
    bare = Course(("a", "b"), (), (5, 5), "now", (nothing, nothing))
    assert "now" in words(plot(bare, title="A game"))
    assert "A game" in words(plot(bare, title="A game"))


def test_bars_stay_in_the_picture() -> None:
    for sources in ((200, 90, -60, -10, -30, 40), (0, 0, -60, 0, 0, 0), (0, 0, 0, 0, 0, 0)):
        points = dict(zip(Source, sources, strict=True))
        picture = plot(replace(COURSE, sources=(points, points)))
        for box in some(ElementTree.fromstring(picture).iter(f"{NAMESPACE}rect")):
            assert float(box.attrib["x"]) >= 0
            assert float(box.attrib["x"]) + float(box.attrib["width"]) <= 920
