"""The ladder: games are written down and not played again, and its tables say how far apart neighbours are."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ladder import elo_of, main, pairs_of, report
from sintra.arena.match import Match, Played, _resume

MATCH = Path(__file__).parent.parent / "docs" / "learning" / "champion-match.jsonl"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["ladder.py", *arguments])
    main()


def match_of(first: str, second: str, games: int, won_by_second: int) -> Match:
    """A match of which so many games were played."""
    match = Match((first, second), games, 1)
    for k in range(games):
        match.played.append(Played((first, second), k // 2, bool(k % 2), k >= won_by_second, (0, 0), ({}, {})))
    return match


def test_the_ladder_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "ladder.jsonl"
    players = ("--players", "random", "simple", "greedy", "--seed", "5", "--jobs", "1")
    run(monkeypatch, str(out), *players, "--games", "2", "--minutes", "1e-9")
    assert len(out.read_text("utf-8").splitlines()) == 1, "a game is finished before the time is looked at"
    assert "the same command goes on" in capsys.readouterr().out
    run(monkeypatch, str(out), *players, "--games", "2", "--minutes", "0")
    assert len(out.read_text("utf-8").splitlines()) == 1
    assert "| `random` : `simple` | 1 |" in capsys.readouterr().out
    run(monkeypatch, str(out), *players, "--games", "2")
    written = out.read_text("utf-8")
    assert len(written.splitlines()) == 4
    capsys.readouterr()
    run(monkeypatch, str(out), *players, "--games", "2")
    assert out.read_text("utf-8") == written
    printed = capsys.readouterr().out
    assert "| `random` : `simple` | 2 |" in printed
    assert "| `greedy` | 1000 | 0 |" in printed


def test_the_match_of_two_champions_can_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was played of it stands in the docs, without its moves."""
    old = "engine:env PYTHONPATH=build/ebea642/src python3 -m sintra engine champion:share=0.32"
    file = str(MATCH)
    run(monkeypatch, file, "--players", old, "champion:share=0.32", "--also", "--seed", "3302", "--minutes", "0")
    played = len(MATCH.read_text("utf-8").splitlines())
    assert f"`champion:share=0.32` | {played} |" in capsys.readouterr().out
    match = Match((old, "champion:share=0.32"), 800, 3302)
    assert len(_resume(match, MATCH)) == played


def test_a_match_tells_how_far_apart_two_players_are() -> None:
    text = report(match_of("greedy", "level:n=9", 200, 150), [("greedy", "level:n=9")])
    assert "| 200 | 150 (75.0 %) | 68.6 to 80.5 % | 191 | 135 to 246 |" in text


@pytest.mark.parametrize(("won", "is_named"), [(120, True), (140, False), (170, True)])
def test_neighbouring_levels_too_near_or_too_far_apart_are_named(won: int, is_named: bool) -> None:
    text = report(match_of("level:n=4", "level:n=5", 200, won), [("level:n=4", "level:n=5")])
    assert ("Neighbours that are not 100 to 230 Elo apart: `level:n=4` : `level:n=5`" in text) is is_named


def test_levels_that_are_no_neighbours_may_be_far_apart() -> None:
    assert "Neighbours" not in report(match_of("level:n=4", "level:n=6", 20, 20), [("level:n=4", "level:n=6")])


def test_elo_of_a_share() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.0) == -elo_of(1.0) == float("-inf")


def test_pairs_that_meet_besides_come_once() -> None:
    assert pairs_of(["a", "b", "c"], ["c~a", "b~a", "a~z"]) == [("a", "b"), ("b", "c"), ("a", "c")]
