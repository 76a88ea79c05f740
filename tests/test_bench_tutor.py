"""The measurement of the tutor: what it counts, and that it goes on."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import tutor


def test_what_is_asked_and_what_is_caught() -> None:
    turns = [[1, 0.2, "??", 0.2], [2, 0.16, "??", 0.05], [3, 0.06, "?!", 0.13], [4, 0.0, "", 0.14], [5, 0.0, "", 0.0]]
    text = tutor.report([{"game": 0, "turns": turns}], 0.12)
    assert "1 games, 5 decisions" in text
    assert "asked about: 1 of 2, 50.0 %" in text
    assert "without a mark: 1 of 3, 33.3 %" in text
    assert "none" in tutor.report([{"game": 0, "turns": []}])


def test_what_was_judged_is_not_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "tutor.jsonl"
    out.write_text(json.dumps({"game": 0, "players": ["a", "b"], "turns": [[1, 0.2, "??", 0.2]]}) + "\n")
    written = out.read_text()
    monkeypatch.setattr(sys, "argv", ["tutor.py", str(out), "--games", "1", "--jobs", "1"])
    tutor.main()
    assert out.read_text() == written
    assert "1 of 1, 100.0 %" in capsys.readouterr().out
