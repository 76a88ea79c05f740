"""The measurements of reviews: what they write down, that they go on, and what their tables say."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers import VECTORS
from reviews import main, read_summaries, report


def one(players: list[str], costs: list[list[float]], **more: Any) -> dict[str, Any]:
    """A summary as it is written down."""
    account = {"start": 0.5, "result": 1.0, "skill": [0.2, 0.1], "luck": {"tiles": 0.1}, "noise": 0.1, "ending": 0.0}
    return {"game": 0, "players": players, "costs": costs, "mistakes": [], **account, **more}


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["reviews.py", *arguments])
    main()


@pytest.mark.long
def test_games_are_reviewed_once_and_told_in_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "reviews.jsonl"
    arguments = (str(VECTORS / "random.jsonl"), str(out), "--cheap", "--games", "1", "--jobs", "1")
    run(monkeypatch, *arguments, "--blame")
    (found,) = read_summaries(out)
    parts = found["start"] + sum(found["skill"]) + sum(found["luck"].values()) + found["noise"] + found["ending"]
    assert parts == pytest.approx(found["result"])
    assert found["mistakes"]
    assert all(deep >= 0 for _, _, deep in found["mistakes"])
    assert "Mistakes looked at again with 10 times the budget" in capsys.readouterr().out
    written = out.read_text("utf-8")
    run(monkeypatch, *arguments)
    assert out.read_text("utf-8") == written


def test_error_rates_are_held_against_the_ladder() -> None:
    found = [
        one(["level:n=1", "level:n=5"], [[0.04, 0.06], [0.02, 0.02]]),
        one(["level:n=5", "level:n=9"], [[0.02, 0.02], [0.01, 0.01]]),
    ]
    text = report(found)
    assert "| `level:n=1` | 2 | 5.00 ±" in text
    assert "of their ranks -1.000" in text
    assert "of their ranks +" not in text


def test_blame_that_does_not_stand_is_counted() -> None:
    text = report([one(["a", "b"], [[0.2], [0.1]], mistakes=[[3, 0.2, 0.15], [5, 0.12, 0.0], [9, 0.1, 0.01]])])
    assert "3, of which 2 are worse there, too" in text


def test_a_file_without_games_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps({"format": "other"}), "utf-8")
    with pytest.raises(SystemExit):
        run(monkeypatch, str(wrong), str(tmp_path / "out.jsonl"))
    assert "wrong.jsonl, line 1" in capsys.readouterr().err
