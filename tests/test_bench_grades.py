"""Grades made anew: ratings follow from what the levels find, and puzzles that do not hold are left out and named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from grades import main, rated_again
from sintra.players.levels import LEVELS
from sintra.puzzles import Kind, Puzzle, load, read_puzzles
from sintra.puzzles.collection import write_puzzles
from sintra.puzzles.grading import grade_by_levels, rating_of


def easiest(kind: Kind) -> Puzzle:
    return min((one for one in load() if one.kind == kind), key=lambda one: one.choices)


def test_ratings_follow_from_what_was_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    win, tiling = easiest("win"), easiest("tiling")
    old = [one.graded(replace(one.grade, rating=one.grade.rating + 300, level=1)) for one in (win, tiling)]
    file = tmp_path / "puzzles.jsonl"
    write_puzzles(file, old)
    main([str(file), str(file), "--ratings"])
    first, second = read_puzzles(file)
    assert first == win
    assert first.grade.rating == rating_of(win.grade.found)
    assert second.grade.rating == tiling.grade.rating + 300
    assert LEVELS[second.grade.level - 1].elo >= second.grade.rating
    assert "| win | 1 | 1 |" in capsys.readouterr().out


def test_the_packaged_grades_are_those_of_the_ladder() -> None:
    assert [rated_again(one) for one in load()] == list(load())


@pytest.mark.long
def test_puzzles_are_proved_and_graded_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    win, tiling = easiest("win"), easiest("tiling")
    file, out = tmp_path / "puzzles.jsonl", tmp_path / "new.jsonl"
    unknown = win.graded(replace(win.grade, rating=400, level=1, found=(0,) * len(LEVELS)))
    write_puzzles(file, [unknown, tiling, replace(tiling, best=tiling.best + 1)])
    main([str(file), str(out), "--jobs", "1"])
    first, second = read_puzzles(out)
    assert first.grade == grade_by_levels(win)
    assert first.graded(win.grade) == win
    assert second == tiling
    assert f"{tiling.id} (tiling): the best tilings make" in capsys.readouterr().out


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "nowhere.jsonl"), str(tmp_path / "out.jsonl")])
    assert "nowhere.jsonl" in capsys.readouterr().err
