"""Matches against programs: they can lose games by what they do, never the match, and nothing of them is left."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
from rich.console import Console

import soak
from protocol.engines import EXAMPLE, TIMEOUT_S, odd, pids_in, wait_until_gone
from sintra.arena import Match, MatchError, play_match
from sintra.arena.report import ladder_svg, print_report
from sintra.cli import main
from sintra.protocol import TimeLimits
from sintra.protocol.asking import ENGINE
from sintra.records.record import Record

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")

SINTRA: Final = [sys.executable, "-m", "sintra"]


def named(command: list[str]) -> str:
    return ENGINE + shlex.join(command)


def records_in(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def report_of(match: Match) -> str:
    file = StringIO()
    print_report(match, console=Console(file=file))
    return " ".join(file.getvalue().split())


def test_an_engine_plays_a_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.jsonl"
    command = ["arena", "random", "--engine", shlex.join(EXAMPLE), "--games", "2", "--jobs", "1", "--out", str(out)]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert "Lost by a fault" not in told
    games = records_in(out)
    assert [game["players"].index(named(EXAMPLE)) for game in games] == [1, 0]
    for game in games:
        assert "fault" not in game["arena"]
        assert Record.from_dict(game).check().is_over
    assert [game["players"][game["result"]["winner"]] for game in games] == [named(EXAMPLE)] * 2
    assert main([*command[:5], "4", *command[6:]]) == 0
    assert records_in(out)[:2] == games
    assert len(records_in(out)) == 4


@pytest.mark.parametrize(
    ("what", "reason", "note"),
    [
        ("crash", "resigned", "ended with exit code 1; its last words: RuntimeError: my mistake"),
        ("illegal", "resigned", "made an illegal move: MB1 is not legal"),
        ("hang", "timeout", "gave no answer within 0.2 s"),
    ],
)
def test_a_fault_loses_the_game_and_not_the_match(what: str, reason: str, note: str, tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    match = Match(("random", named(odd(what))), 2, 1, limits=TimeLimits(move=0.2))
    play_match(match, out=out)
    assert match.wins() == {("random", named(odd(what))): 2}
    for game in records_in(out):
        assert game["arena"]["fault"].startswith(note)
        assert game["players"][game["result"]["winner"]] == "random"
        assert game["result"]["reason"] == reason
        Record.from_dict(game).check()
        assert Record.from_dict(game).replay().is_over
    told = report_of(match)
    assert "Lost by a fault of an engine: 2 games" in told
    assert note.partition(";")[0] in told
    assert "nan" not in told
    assert ladder_svg(match).startswith("<svg")


def test_the_next_game_has_a_fresh_program(tmp_path: Path) -> None:
    names = ("random", named(odd("crash once", tmp_path / "mark")))
    match = play_match(Match(names, 4, 1), out=tmp_path / "match.jsonl")
    assert [bool(one.fault) for one in match.played] == [True, False, False, False]
    assert [one.loser for one in match.played if one.fault] == [names[1]]
    resumed = play_match(Match(names, 4, 1), out=tmp_path / "match.jsonl")
    assert resumed.played == match.played, "faults are in the file"


def test_two_engines_meet() -> None:
    names = (named(EXAMPLE), named(odd("[good]")))
    match = play_match(Match(names, 2, 3))
    assert [one.fault for one in match.played] == [None, None]
    assert "[good]" in report_of(match)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["random", "--engine", "./nowhere"], "cannot start ./nowhere: there is no such program"),
        (["random"], "an arena needs at least two players"),
        (["--engine", shlex.join(EXAMPLE)] * 2, "two players of an arena have the same name"),
        (
            ["random", "--engine", shlex.join(odd("crash at the start"))],
            f"the program of {named(odd('crash at the start'))} cannot be used: it ended with exit code 1; "
            "its last words: no licence",
        ),
        (["random", "--engine", "x", "--engine-time", "0"], "argument --engine-time: '0' must be a number of seconds"),
    ],
)
def test_what_cannot_be_played(arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["arena", *arguments, "--games", "2", "--jobs", "1"])
    except SystemExit as stop:
        code = int(str(stop.code))
    assert code == 2
    assert reason in capsys.readouterr().err


def test_a_program_that_cannot_play_at_all_loses_no_game(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    with pytest.raises(MatchError, match="said: error"):
        play_match(Match(("random", named([*EXAMPLE[:1], "-c", "print('error no')"])), 2, 1), out=out)
    assert not out.exists()


@contextmanager
def hanging_match(jobs: str, path: Path) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A match in a group of its own, as a terminal starts it, whose engine hangs; and the engine's processes. With two
    jobs the engine belongs to another process."""
    engine = shlex.join(odd("hang with a daemon", path))
    command = ["arena", "random", "--engine", engine, "--games", "2", "--jobs", jobs, "--engine-time", "600"]
    with subprocess.Popen(
        [*SINTRA, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as match:
        try:
            yield match, pids_in(path)
        finally:
            match.kill()


@pytest.mark.parametrize("jobs", soak.rest_long("1", "2"))
def test_ctrl_c_leaves_nothing(jobs: str, tmp_path: Path) -> None:
    with hanging_match(jobs, tmp_path / "pids") as (match, pids):
        os.killpg(match.pid, signal.SIGINT)
        _, told = match.communicate(timeout=TIMEOUT_S)
    assert (match.returncode, told) == (130, "sintra: stopped\n")
    wait_until_gone(pids)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.long
def test_who_ends_a_match_under_nohup_leaves_nothing(number: signal.Signals, jobs: str, tmp_path: Path) -> None:
    """Only the match itself is ended; the processes that it has started notice that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with hanging_match(jobs, tmp_path / "pids") as (match, pids):
        match.send_signal(number)
        match.communicate(timeout=TIMEOUT_S)
    assert match.returncode == -number
    wait_until_gone(pids)


def test_games_at_once_are_the_same_games(tmp_path: Path) -> None:
    names = ("random", named(EXAMPLE))
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for jobs, path in enumerate(files, start=1):
        play_match(Match(names, 2, 2), jobs=jobs, out=path)
    one, two = ({json.dumps([game["players"], game["moves"]]) for game in records_in(path)} for path in files)
    assert one == two
