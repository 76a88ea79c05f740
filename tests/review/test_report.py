"""Reviews for people: text, page and graph, and the command that prints them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from helpers import VECTORS
from sintra.cli import main
from sintra.records.files import read_records, write_records
from sintra.review import GameReview, ReviewBudget, review
from sintra.review.report import as_html, as_text, graph, mark_of, marked

RECORD = read_records(VECTORS / "kinds.jsonl")[0]


@pytest.fixture(scope="module")
def found() -> GameReview:
    """Of a game of random moves, which gives plenty to say."""
    return review(RECORD, ReviewBudget(sims=20, deep_factor=2, deals=2, worlds=2))


def test_the_parts_that_are_told_add_up(found: GameReview) -> None:
    """In percentage points, but for what rounding takes."""
    text = as_text(found, RECORD)
    start, end = re.findall(r"at the (?:start|end) +(\d+) %", text)
    parts = [
        float(one.replace("\N{MINUS SIGN}", "-")) for one in re.findall(r" ([+\N{MINUS SIGN}]\d+\.\d)$", text, re.M)
    ]
    assert len(parts) == 6
    assert int(start) + sum(parts) == pytest.approx(int(end), abs=1.0)


def test_every_turn_that_cost_much_is_told_with_a_better_move(found: GameReview) -> None:
    text = as_text(found, RECORD)
    turns = [turn for turn, _ in marked(found)]
    assert len(turns) > 5
    assert all(turn.cost >= 0.05 for turn in turns)
    assert text.count("better: ") == len(turns)
    for turn in turns:
        assert re.search(
            rf"ply +{turn.ply}, .*{re.escape(turn.move)} .*better: {re.escape(str(turn.best[0].move))}", text
        )
    words = {0.05: "inaccuracy", 0.1: "mistake", 0.15: "blunder"}
    for turn in found.turns:
        least = max((one for one in words if turn.cost >= one), default=None)
        mark = mark_of(turn)
        assert (mark.word if mark else None) == (words[least] if least else None)


def test_the_graph_follows_the_chances_from_the_first_ply_to_the_result(found: GameReview) -> None:
    picture = ElementTree.fromstring(graph(found, RECORD))
    (line,) = picture.iter("{http://www.w3.org/2000/svg}polyline")
    heights = [float(point.split(",")[1]) for point in line.attrib["points"].split()]
    assert len(heights) == len(found.turns) + 1
    chances = [*(turn.chance for turn in found.turns), found.result]
    by_height = sorted(range(len(heights)), key=lambda k: -heights[k])
    assert [round(chances[k], 2) for k in by_height] == sorted(round(chance, 2) for chance in chances)
    assert "round 5" in "".join(picture.itertext())


def test_a_page_holds_all_and_loads_nothing(found: GameReview) -> None:
    page = as_html(found, RECORD)
    assert page.startswith("<!doctype html>")
    assert graph(found, RECORD) in page
    assert not re.search(r"src=|href=|@import", page)
    assert page.count("<td>blunder</td>") == sum(turn.cost >= 0.15 for turn in found.turns)


def test_names_are_escaped_once_on_a_page(found: GameReview) -> None:
    names = ("Tom & Co", "<b>Ben</b>")
    page = as_html(found, replace(RECORD, players=names))
    assert "decisions of Tom &amp; Co<" in page
    assert "decisions of &lt;b&gt;Ben&lt;/b&gt;<" in page
    assert "&amp;amp;" not in page
    assert not re.search(r"&\w+;", unescape(page)), "something is escaped twice"
    assert "<b>" not in page


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.jsonl"
    write_records(games, [RECORD])
    assert main(["review", str(games), "--sims", "2", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    parts = told["start"] + sum(told["skill"]) + sum(told["luck"].values()) + told["noise"] + told["ending"]
    assert parts == pytest.approx(told["result"])
    assert set(told["luck"]) == {"tiles", "chips", "plates"}
    assert {"ply", "seat", "chance", "lead", "best", "cost"} <= set(told["turns"][0])


def test_a_game_that_goes_on_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = RECORD.to_dict()
    data["moves"], data["legal"] = data["moves"][:30], data.get("legal", [])[:30]
    del data["result"]
    if not data["legal"]:
        del data["legal"]
    data["deal"]["tiles"] = data["deal"]["tiles"][:1]
    games = tmp_path / "games.jsonl"
    games.write_text(json.dumps(data) + "\n", "utf-8")
    assert main(["review", str(games)]) == 2
    assert capsys.readouterr().err == "sintra review: only a finished game can be reviewed: this one goes on\n"
