"""The learning curve: drawn from the log alone, with what the log says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sintra.learn.curve import LEARNED, curve_svg, elo_by_iteration, elo_of, read_entries, ticks

DOCS = Path(__file__).parents[2] / "docs" / "learning"
LOG = DOCS / "first-run.jsonl"


def test_the_picture_in_the_documentation_is_that_of_its_log() -> None:
    assert (DOCS / "first-run.svg").read_text("utf-8") == curve_svg(read_entries(LOG, "iteration"))


def test_it_shows_every_iteration_and_names_its_axes() -> None:
    iterations = read_entries(LOG, "iteration")
    picture = ElementTree.fromstring(curve_svg(iterations))
    texts = ["".join(one.itertext()) for one in picture.iter() if one.tag.endswith("text")]
    assert {"games played", "iteration", "by hand", "learned", "12,000", "5"} <= set(texts)
    dots = [one for one in picture.iter() if one.tag.endswith("circle")]
    assert len(dots) == 3 * len(iterations)
    assert sum(one.get("fill") == "none" for one in dots) == sum(not one["accepted"] for one in iterations)
    for one in dots:
        assert 0 < float(one.get("cx", "")) < 860
        assert 0 < float(one.get("cy", "")) < 340


def test_less_divergence_is_lower_and_more_elo_is_higher() -> None:
    iterations = read_entries(LOG, "iteration")
    picture = ElementTree.fromstring(curve_svg(iterations))
    dots = [one for one in picture.iter() if one.tag.endswith("circle") and one.get("stroke") == LEARNED]
    learned, elos = dots[: len(iterations)], dots[len(iterations) :]
    assert float(learned[-1].get("cy", "")) > float(learned[0].get("cy", ""))
    assert float(elos[3].get("cy", "")) < float(elos[0].get("cy", ""))


def test_elo_adds_up_over_what_was_kept() -> None:
    tried = [{"won": won, "tried": 100, "accepted": won > 50} for won in (75, 40, 60)]
    (first, low, high, kept), (second, *_, dropped), (third, *_) = elo_by_iteration(tried)
    assert elo_of(50, 100) == 0
    assert low < first < high
    assert first == pytest.approx(190, abs=5)
    assert (kept, dropped) == (True, False)
    assert second < first < third
    assert third == first + elo_of(60, 100)


@pytest.mark.parametrize(("low", "high"), [(0, 0), (0, 0.43), (-120, 310), (0, 12_000), (3, 3)])
def test_ticks_are_few_and_reach_around(low: float, high: float) -> None:
    found = ticks(low, high)
    assert 2 <= len(found) <= 9
    assert found[0] <= low
    assert found[-1] >= high


def test_a_clean_sweep_and_a_single_iteration_can_be_drawn() -> None:
    one = {"iteration": 1, "games": 2, "by_hand": 0.3, "after": 0.2, "won": 4.0, "tried": 4, "accepted": True}
    ElementTree.fromstring(curve_svg([one]))


def test_it_is_drawn_from_the_command_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sintra.learn.curve"]
    done = subprocess.run([*command, str(LOG)], capture_output=True, text=True, check=True)
    assert done.stdout == curve_svg(read_entries(LOG, "iteration"))
    (tmp_path / "log.jsonl").write_text('{"what": "games"}\n{"what": "iter')
    done = subprocess.run([*command, str(tmp_path / "log.jsonl")], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "no iteration is logged there" in done.stderr
