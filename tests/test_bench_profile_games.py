"""The profile of recorded games (`bench/profile_games.py`), and the games that the documentation shows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from profile_games import main, profiles_of
from sintra.records.files import read_records

DOCS = Path(__file__).parents[1] / "docs"
GAMES = DOCS / "games" / "champion.jsonl"


def test_the_published_games_are_as_the_rules_say_and_as_their_page_lists_them() -> None:
    """Every move, every number of legal moves, and the result."""
    listed = re.findall(
        r"^\| (\d+) \| ([\w, ]+) \| (\d+) : (\d+) \| (\d+) \|$", (DOCS / "games.md").read_text("utf-8"), re.M
    )
    found = []
    for k, record in enumerate(read_records(GAMES)):
        game = record.check()
        goals = ", ".join(goal.name.lower() for goal in record.rules.goals)
        found.append((str(k), goals, *map(str, game.scores), str(len(record.moves))))
        assert record.players == ("champion", "champion")
        assert record.legal
    assert listed == found
    assert len(found) == 20


def test_points_of_a_profile_add_up_to_the_scores() -> None:
    (profiles,) = profiles_of(GAMES).values()
    assert len(profiles) == 40
    scores = [score for record in read_records(GAMES) for score in record.check().scores]
    assert [profile["score"] for profile in profiles] == scores


def test_it_prints_the_tables(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["profile_games.py", str(GAMES)])
    main()
    printed = capsys.readouterr().out
    assert "Where the points came from" in printed
    assert "takes to lines 5, 6" in printed


def test_a_file_that_holds_no_games_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["profile_games.py", str(DOCS / "games.md")])
    with pytest.raises(SystemExit):
        main()
    assert "games.md, line 1" in capsys.readouterr().err
