"""The progress bar: seen on a terminal, and nowhere else."""

from __future__ import annotations

import sys
from io import StringIO

import pytest

from sintra.cli.progress import progress_bar, tracked


class Terminal(StringIO):
    """What is written to a terminal."""

    def isatty(self) -> bool:
        """Says that it is one."""
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Makes standard error a terminal."""
    made = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", made)
    return made


def test_a_terminal_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    with progress_bar("counting") as report:
        report(0.25, "two wrong [so far]")
    told = stderr.getvalue()
    assert "counting" in told
    assert "25%" in told
    assert "two wrong [so far]" in told


def test_things_are_counted_where_there_are_several(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    with progress_bar("compiling") as report:
        report(3, total=8, what="games")
    told = stderr.getvalue()
    assert "games" in told
    assert "3/8" in told


def test_items_pass_through(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    assert list(tracked("abc", 3, "letters")) == ["a", "b", "c"]
    assert "3/3" in stderr.getvalue()


def test_nothing_is_written_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(tracked("abc", 3, "letters")) == ["a", "b", "c"]
    with progress_bar("counting") as report:
        report(1.0, "done", total=1, what="more")
    assert capsys.readouterr() == ("", "")
