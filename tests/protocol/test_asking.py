"""Programs as players: what they are told, and what becomes of those that do something wrong."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from processes import children_of, is_running
from protocol.engines import EXAMPLE, TIMEOUT_S, odd, pids_in, wait_until_gone
from sintra import Game, View, player
from sintra.arena.selfplay import play_game
from sintra.players import Clock, NotToMoveError, Player
from sintra.processes.program import MAX_LINE_BYTES, Program, ProgramError, _Lines
from sintra.protocol import EngineFaultError, EngineProgram, TimeLimits
from sintra.protocol.asking import MAX_INFO_LINES, engine_named, is_engine

SHORT = TimeLimits(move=0.3, start=30.0)


def first_view(seed: int = 1) -> View:
    game = Game.new(seed=seed)
    return game.view(game.turn)


def test_the_example_plays_a_game_by_the_rules() -> None:
    with EngineProgram(EXAMPLE) as thumb:
        assert isinstance(thumb, Player)
        game = play_game(Game.new(seed=3), [thumb, player("random")], 3)
        assert game.result is not None
        assert game.result.reason is None
        assert thumb.title == "thumb 1.0"
        assert thumb.info[-1].startswith("string ")
        again = play_game(Game.new(seed=3), [thumb, player("random")], 3)
        assert again.moves == game.moves, "what is random follows from the seed"
        assert play_game(Game.new(seed=3), [thumb, player("random")], 4).moves != game.moves


def test_it_is_told_its_view_and_the_legal_moves_and_nothing_else(tmp_path: Path) -> None:
    script, heard = tmp_path / "scribe.py", tmp_path / "heard"
    script.write_text(
        f"""
import sys
with open({str(heard)!r}, "w") as file:
    for line in sys.stdin:
        file.write(line)
        file.flush()
        word = line.split()[0]
        if word == "legal":
            moves = line.split()[1:]
        answer = dict(sintra="ok 1", isready="readyok", go="bestmove " + moves[0] if word == "go" else "").get(word)
        if answer:
            print(answer, flush=True)
""",
        "utf-8",
    )
    view = first_view()
    with EngineProgram([sys.executable, str(script)], TimeLimits(move=7.5)) as one:
        one.new_game(11)
        assert one.choose(view) == view.legal_moves[0]
        one.choose(view, Clock(2.0))
    greeting, _, seed, _, position, legal, go, *_, hurried, _quit = heard.read_text("utf-8").splitlines()
    assert (greeting, seed) == ("sintra 1", "newgame seed 11")
    assert View.from_position(position.removeprefix("position ")) == view
    assert legal.split() == ["legal", *map(str, view.legal_moves)]
    assert (go, hurried) == ("go limit 7500", "go limit 2000")


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("crash", r"ended with exit code 1; its last words: RuntimeError: my mistake"),
        ("exit", r"ended with exit code 0"),
        ("kill", r"was ended by SIGABRT"),
        ("nonsense", r"said 'I would rather not' instead of 'bestmove'"),
        ("bytes", r"said '��\?' instead of 'bestmove'"),
        ("error", r"said: error no idea"),
        ("no move", r"answered '', which is no move"),
        ("no token", r"answered 'Q9', which is no move"),
        ("illegal", r"made an illegal move: MB1 is not legal: .* \(R"),
        ("endless line", r"said a line of more than 1,000,000 bytes"),
    ],
)
def test_a_fault_is_told_in_clear_words(what: str, reason: str) -> None:
    one = EngineProgram(odd(what))
    with pytest.raises(EngineFaultError, match=rf"^{reason}") as fault:
        one.choose(first_view())
    assert fault.value.program is one
    assert not fault.value.is_timeout


@pytest.mark.parametrize("what", ["hang", "endless info"])
def test_who_does_not_answer_in_time_is_ended(what: str) -> None:
    one = EngineProgram(odd(what), SHORT)
    with pytest.raises(EngineFaultError, match=r"^gave no answer within 0\.3 s$") as fault:
        one.choose(first_view())
    assert fault.value.is_timeout


TOO_MUCH = r"^said more than 100,000 lines or 10,000,000 characters without an answer$"


def test_who_says_too_much_is_ended() -> None:
    """What it says is bounded, however long it has for its move."""
    one = EngineProgram(odd("flood"), TimeLimits(move=600.0))
    with pytest.raises(EngineFaultError, match=TOO_MUCH) as fault:
        one.choose(first_view())
    assert not fault.value.is_timeout
    assert len(one.info) == MAX_INFO_LINES


def test_who_says_too_much_of_itself_is_ended() -> None:
    with pytest.raises(EngineFaultError, match=TOO_MUCH):
        EngineProgram(odd("endless options"), TimeLimits(start=600.0)).start()


def test_who_says_more_than_anybody_reads_has_to_wait() -> None:
    lines = _Lines()
    for _ in range(2):
        assert lines._has_room()
        lines.put(b"x" * (MAX_LINE_BYTES // 2))
    assert not lines._has_room(), "of long lines"
    while lines.take(time.monotonic()):
        pass
    for _ in range(1000):
        assert lines._has_room()
        lines.put(b"")
    assert not lines._has_room(), "of short ones"


def test_information_after_a_move_is_no_fault() -> None:
    view = first_view()
    with EngineProgram(odd("unasked info")) as one:
        for _ in range(2):
            assert one.choose(view) == view.legal_moves[0]
            assert one._program is not None
            until = time.monotonic() + TIMEOUT_S
            while not one._program.has_output():
                assert time.monotonic() < until


def test_who_closes_the_channel_is_not_waited_for() -> None:
    with pytest.raises(EngineFaultError, match=r"^closed its standard output$"):
        EngineProgram(odd("close")).choose(first_view())


def test_who_speaks_unasked_is_caught_at_the_next_move() -> None:
    view = first_view()
    with EngineProgram(odd("unasked")) as one:
        assert one.choose(view) == view.legal_moves[0]
        assert one._program is not None
        until = time.monotonic() + 60
        while not one._program.has_output():
            assert time.monotonic() < until
        with pytest.raises(EngineFaultError, match=r"^said 'bestmove .*' unasked$"):
            one.choose(view)


def test_however_much_is_said_on_standard_error_it_plays_on() -> None:
    view = first_view()
    with EngineProgram(odd("loud")) as one:
        for _ in range(2):
            assert one.choose(view) == view.legal_moves[0]
            assert one.info == ["string that was loud"]


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("crash at the start", r"ended with exit code 1; its last words: no licence"),
        ("from the future", r"speaks version '9' of the protocol, not 1"),
    ],
)
def test_a_start_that_fails(what: str, reason: str) -> None:
    with pytest.raises(EngineFaultError, match=f"^{reason}$"):
        EngineProgram(odd(what)).start()


@pytest.mark.parametrize("what", ["silent at the start", "never ready"])
def test_a_start_that_takes_too_long(what: str) -> None:
    with pytest.raises(EngineFaultError, match=r"^gave no answer within 0\.5 s$"):
        EngineProgram(odd(what), TimeLimits(start=0.5)).start()


def test_after_a_fault_it_is_started_again(tmp_path: Path) -> None:
    view = first_view()
    with EngineProgram(odd("crash once", tmp_path / "mark")) as one:
        with pytest.raises(EngineFaultError):
            one.choose(view)
        one.new_game(1)
        assert one.choose(view) == view.legal_moves[0]


def test_options_are_set_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "told"
    with EngineProgram(odd("good", path), options={"depth": 5}) as one:
        one.start()
        assert path.read_text("utf-8") == "setoption depth 5"
    with pytest.raises(EngineFaultError, match=r"^has no option 'width': it has depth$"):
        EngineProgram(odd("good"), options={"width": 5}).start()


def no_program(folder: Path) -> str:
    return str(folder / "nowhere")


def a_folder(folder: Path) -> str:
    return str(folder)


def not_executable(folder: Path) -> str:
    (folder / "plain").write_text("#!/bin/sh\n", "utf-8")
    return str(folder / "plain")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (no_program, "there is no such program"),
        (a_folder, "it is a folder"),
        (not_executable, "it is not executable"),
    ],
)
def test_what_cannot_be_started_is_refused_at_once(make: Callable[[Path], str], reason: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match=f"^cannot start .*: {reason}$"):
        EngineProgram(make(tmp_path))


@pytest.mark.parametrize(("command", "reason"), [("", "is empty"), ("'x", "No closing quotation")])
def test_what_is_no_command_is_refused(command: str, reason: str) -> None:
    with pytest.raises(ProgramError, match=reason):
        EngineProgram(command)


def test_a_program_that_the_system_cannot_run(tmp_path: Path) -> None:
    path = tmp_path / "strange"
    path.write_text("#!/nowhere/interpreter\n", "utf-8")
    path.chmod(0o755)
    with pytest.raises(EngineFaultError, match=r"^could not be started: No such file"):
        EngineProgram([str(path)]).start()


def test_a_program_that_has_gone_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "here"
    path.write_text("#!/bin/sh\n", "utf-8")
    path.chmod(0o755)
    one = EngineProgram([str(path)])
    path.unlink()
    with pytest.raises(EngineFaultError, match=r"^cannot start .*: there is no such program$"):
        one.start()


def test_it_is_asked_only_when_it_is_to_move() -> None:
    game = Game.new(seed=1)
    with pytest.raises(NotToMoveError):
        EngineProgram(EXAMPLE).choose(game.view(1 - game.turn))


def test_names() -> None:
    one = EngineProgram(EXAMPLE)
    assert one.name == f"engine:{shlex.join(EXAMPLE)}"
    assert is_engine(one.name)
    assert not is_engine("greedy")
    assert engine_named(one.name).name == one.name


@pytest.mark.parametrize("what", ["hang with a child", "hang with a daemon", "kill the reaper", "stop the reaper"])
def test_nothing_is_left_of_a_program_and_what_it_started(what: str, tmp_path: Path) -> None:
    """Not even of a process in a session of its own whose parent has ended, nor of the reaper."""
    path = tmp_path / "pids"
    program = Program(odd(what, path))
    reapers = [program.pid, *children_of(program.pid)]
    program.send("go")
    pids = pids_in(path)
    if "reaper" not in what:
        assert all(map(is_running, pids))
    program.close()
    wait_until_gone([*pids, *reapers])


def test_who_kills_the_reaper_is_ended_and_that_is_said(tmp_path: Path) -> None:
    """Nobody has to close the program: the end of one reaper is noticed by the other."""
    path = tmp_path / "pids"
    one = EngineProgram(odd("kill the reaper", path))
    with pytest.raises(EngineFaultError, match=r"^killed the process that supervises it$"):
        one.choose(first_view())
    wait_until_gone(pids_in(path))


def test_a_killed_guard_takes_everything_with_it(tmp_path: Path) -> None:
    """The guard is the process that this one has started."""
    path = tmp_path / "pids"
    program = Program(odd("hang with a daemon", path))
    program.send("go")
    pids = pids_in(path)
    os.kill(program.pid, signal.SIGKILL)
    wait_until_gone(pids)
    program.close()


def test_a_program_that_is_dropped_is_ended() -> None:
    program = Program(odd("good"))
    pid = program.pid
    assert is_running(pid)
    del program
    wait_until_gone([pid])
