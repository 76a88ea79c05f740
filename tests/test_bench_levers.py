"""Levers: games are written down and not played again, the better half goes on, and the tables count them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from levers import Result, halve, main, read, summary, table, varied

AGAINST = "search:sims=2,nodes=0"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["levers.py", *arguments])
    main()


def results_of(name: str, won: str, seed: int = 1) -> list[Result]:
    """Games of a variant against another player, two to a deal."""
    return [
        Result((name, "other"), seed, k // 2, bool(k % 2), one == "1", (60, 50), (3.0, 2.0))
        for k, one in enumerate(won)
    ]


def test_games_are_played_once_and_the_better_half_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "levers.jsonl"
    options = (str(out), "--against", AGAINST, "--try", "explore=0.5", "first_play=0.3", "--jobs", "1")
    run(monkeypatch, *options, "--games", "2", "4")
    played = read(out)
    by_name = {
        name: [one for one in played if one.players == (name, AGAINST)] for name, _ in {x.players for x in played}
    }
    assert sorted(map(len, by_name.values())) == [2, 4]
    best = max(by_name, key=lambda name: sum(one.won for one in by_name[name][:2]))
    assert sum(one.won for one in by_name[best][:2]) >= max(sum(one.won for one in g[:2]) for g in by_name.values())
    assert len({one.key for one in played}) == 6
    written = out.read_text("utf-8")
    capsys.readouterr()
    run(monkeypatch, *options, "--games", "2", "4", "--summary", str(tmp_path / "summary.jsonl"))
    assert out.read_text("utf-8") == written
    assert capsys.readouterr().out.count(f"| `{AGAINST},") == 2
    lines = [json.loads(line) for line in (tmp_path / "summary.jsonl").read_text("utf-8").splitlines()]
    assert sorted(line["games"] for line in lines) == [2, 4]


def test_without_time_nothing_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, str(tmp_path / "none.jsonl"), "--try", "explore=1", "--seconds", "0")
    assert not (tmp_path / "none.jsonl").exists()
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_a_variant_that_no_player_has_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, str(tmp_path / "none.jsonl"), "--try", "depth=1")
    assert "no parameter 'depth=1'" in capsys.readouterr().err


def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    results = results_of("a", "10")
    whole = "".join(json.dumps(one._asdict()) + "\n" for one in results)
    (tmp_path / "cut.jsonl").write_text(whole[:-5], "utf-8")
    assert read(tmp_path / "cut.jsonl") == results[:1]


def test_half_of_the_variants_stay_and_at_least_one() -> None:
    results = results_of("a", "1000") + results_of("b", "1110") + results_of("c", "1100")
    assert halve(["a", "b", "c"], results, 0.5) == ["b", "c"]
    assert halve(["a", "b", "c"], results, 0.0) == ["b"]


def test_the_table_and_the_summary_count_games() -> None:
    results = results_of("a", "1110") + results_of("b", "110", seed=2)
    text = table(results)
    assert "| `a` | `other` | 1 | 4 | 3 (75.0 %) | 30.1 to 95.4 % | 60.0 : 50.0 | 1.50 |" in text
    first, second = map(json.loads, summary(results).splitlines())
    assert first == {"players": ["a", "other"], "seed": 1, "games": 4, "won": 3, "deals": "11 10"}
    assert second["deals"] == "11 0-"


def test_a_variant_is_added_to_the_player() -> None:
    assert varied("search", "explore=1") == "search:explore=1"
    assert varied("search:sims=9", "explore=1") == "search:sims=9,explore=1"
