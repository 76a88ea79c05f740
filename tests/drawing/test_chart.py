"""A chart draws values where they belong on its axes."""

from __future__ import annotations

from xml.etree import ElementTree

from sintra.drawing.chart import Chart


def chart() -> Chart:
    return Chart((100, 300), (20, 120), (0, 10), (-1, 1), ink="#111111", grid="#222222", size=10)


def drawn(one: Chart) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<g>{''.join(one.parts)}</g>"))


def test_values_lie_between_the_edges() -> None:
    one = chart()
    assert (one.x(0), one.x(5), one.x(10)) == (100, 200, 300)
    assert (one.y(-1), one.y(0), one.y(1)) == (120, 70, 20), "more is higher"


def test_a_row_has_its_words_on_the_left() -> None:
    one = chart()
    one.row(0, "50 % & more")
    line, words = drawn(one)
    assert (line.attrib["d"], line.attrib["stroke"]) == ("M100,70.0H300", "#222222")
    assert words.text == "50 % & more"
    assert float(words.attrib["x"]) < 100


def test_a_column_reaches_from_top_to_bottom() -> None:
    one = chart()
    one.column(5, stroke_dasharray="3 4")
    one.below(5, "round 2")
    line, words = drawn(one)
    assert (line.attrib["d"], line.attrib["stroke-dasharray"]) == ("M200.0,20V120", "3 4")
    assert (words.attrib["x"], words.text) == ("200", "round 2")
    assert float(words.attrib["y"]) > 120


def test_a_curve_and_its_dots_lie_at_the_same_places() -> None:
    one = chart()
    one.curve([(0, -1), (10, 1)], "red")
    one.dot(10, 1, "none", stroke="red")
    curve, dot = drawn(one)
    assert curve.attrib["points"] == "100.0,120.0 300.0,20.0"
    assert (dot.attrib["cx"], dot.attrib["cy"], dot.attrib["fill"]) == ("300", "20", "none")
