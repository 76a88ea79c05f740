"""The command line end to end: what each command prints, which exit code it gives, and how it refuses."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

import pytest

import sintra
from helpers import VECTORS, some
from sintra import Game, Move, View
from sintra.cli import _parser, main
from sintra.drawing.terminal import draw
from sintra.players import Clock, base, register
from sintra.records.files import read_records, write_records
from sintra.records.record import Record
from sintra.rules.compiled import IS_JIT, RUNNING
from sintra.rules.sources import user_cache
from sintra.table.workers import warm_up as warming

KINDS: Final = str(VECTORS / "kinds.jsonl")
PERFT: Final[list[dict[str, Any]]] = json.loads((VECTORS / "perft.json").read_text("utf-8"))

COMMANDS: Final[dict[str, argparse.ArgumentParser]] = next(
    action.choices for action in _parser()._actions if isinstance(action, argparse._SubParsersAction)
)


class Outcome(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in this process."""

    def run_it(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        return Outcome(code, *capsys.readouterr())

    return run_it


def start(*arguments: object, given: str | None = None) -> Outcome:
    """Runs a command as a program of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "sintra", *map(str, arguments)],
        input=given,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        check=False,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def games_of(text: str) -> list[dict[str, Any]]:
    """The records in an output, one a line."""
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with three short games of the vectors' kind, their legal counts included."""
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    write_records(path, read_records(KINDS)[:3])
    return path


def damaged(source: Path, target: Path, game: int, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy of a file of records in which one game is changed."""
    records = games_of(source.read_text("utf-8"))
    change(records[game])
    target.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return target


# selfplay


def test_selfplay_prints_a_record(run: Run) -> None:
    outcome = run("selfplay")
    assert outcome.code == 0
    assert outcome.err == ""
    [game] = games_of(outcome.out)
    assert game["format"] == "sintra/1"
    assert game["players"] == ["random", "random"]
    assert len(game["rules"]["goals"]) == 3
    assert game["result"]["winner"] in (0, 1)
    assert "legal" not in game


def test_selfplay_writes_a_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    assert run("selfplay", "--games", 2, "--seed", 3, "--out", path) == Outcome(0, "", "")
    assert os.listdir(tmp_path) == ["games.jsonl"]
    assert len(read_records(path)) == 2
    assert path.read_text("utf-8") == run("selfplay", "--games", 2, "--seed", 3).out


def test_selfplay_seed_decides_everything(run: Run) -> None:
    first = run("selfplay", "--seed", 11)
    assert run("selfplay", "--seed", 11) == first
    assert run("selfplay", "--seed", 12).out != first.out
    assert start("selfplay", "--seed", 11) == first


def test_selfplay_without_games_writes_an_empty_file(run: Run, tmp_path: Path) -> None:
    assert run("selfplay", "--games", 0, "--out", tmp_path / "none.jsonl").code == 0
    assert (tmp_path / "none.jsonl").read_text("utf-8") == ""


def test_selfplay_players_change_seats(run: Run) -> None:
    outcome = run("selfplay", "--players", "random", "random:seed=3", "--games", 3)
    there, back = ["random", "random:seed=3"], ["random:seed=3", "random"]
    assert [game["players"] for game in games_of(outcome.out)] == [there, back, there]


def test_selfplay_notes_legal_counts(run: Run, tmp_path: Path) -> None:
    outcome = run("selfplay", "--legal")
    [game] = games_of(outcome.out)
    assert len(game["legal"]) == len(game["moves"])
    assert game["legal"][0] == 108
    (tmp_path / "legal.jsonl").write_text(outcome.out, "utf-8")
    assert run("check", tmp_path / "legal.jsonl").code == 0


@pytest.mark.parametrize(
    ("given", "goals"),
    [
        (["first-game"], ["rows", "edge", "wilds"]),
        (["corners", "colors", "columns"], ["corners", "colors", "columns"]),
        (["rows", "edge", "diagonals", "specials"], ["rows", "edge", "diagonals", "specials"]),
        (["rows,edge,wilds"], ["rows", "edge", "wilds"]),
    ],
)
def test_selfplay_takes_goals_by_name(run: Run, given: list[str], goals: list[str]) -> None:
    [game] = games_of(run("selfplay", "--goals", *given).out)
    assert game["rules"]["goals"] == goals


@pytest.mark.parametrize("how_many", [3, 4])
def test_selfplay_draws_goals_at_random(run: Run, how_many: int) -> None:
    played = games_of(run("selfplay", "--goals", how_many, "--games", 3).out)
    assert {len(game["rules"]["goals"]) for game in played} == {how_many}
    assert len({tuple(game["rules"]["goals"]) for game in played}) > 1


def test_selfplay_takes_rule_options(run: Run) -> None:
    [game] = games_of(run("selfplay").out)
    assert game["rules"]["draw_at_zero"] == "forced"
    assert game["rules"]["special_is_color"] is True
    [game] = games_of(run("selfplay", "--draw-at-zero", "free", "--special-is-color", "false").out)
    assert game["rules"]["draw_at_zero"] == "free"
    assert game["rules"]["special_is_color"] is False


class Fainting:
    """Plays first moves until it faints in the middle of its second game."""

    def __init__(self) -> None:
        self.name = "fainting"
        self._games = 0

    def new_game(self, seed: int) -> None:
        self._games += 1

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        if self._games > 1:
            raise base.PlayerError("fainted")
        return view.legal_moves[0]


@pytest.mark.parametrize("before", [None, "kept"])
def test_selfplay_leaves_nothing_half_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.setattr(base, "_registry", dict(base._registry))
    register("fainting", "faints")(Fainting)
    path = tmp_path / "games.jsonl"
    if before:
        path.write_text(before, "utf-8")
    outcome = run("selfplay", "--players", "fainting", "random", "--games", 2, "--out", path)
    assert outcome == Outcome(2, "", "sintra selfplay: fainted\n")
    assert os.listdir(tmp_path) == (["games.jsonl"] if before else [])
    assert not before or path.read_text("utf-8") == before


def test_selfplay_says_when_it_cannot_write(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "no" / "games.jsonl"
    outcome = run("selfplay", "--out", missing)
    assert outcome == Outcome(2, "", f"sintra selfplay: cannot write {missing}: No such file or directory\n")
    outcome = run("selfplay", "--out", tmp_path)
    assert outcome == Outcome(2, "", f"sintra selfplay: cannot write {tmp_path}: Is a directory\n")
    assert os.listdir(tmp_path) == []
    assert not Path(f"{tmp_path}.part").exists()


# check


def test_check_says_that_all_is_well(run: Run, games: Path, tmp_path: Path) -> None:
    assert run("check", games) == Outcome(0, f"{games}: 3 games, all as the rules say\n", "")
    assert run("check", games, "--quiet") == Outcome(0, "", "")
    write_records(tmp_path / "one.json", read_records(games)[:1])
    assert run("check", tmp_path / "one.json").out == f"{tmp_path / 'one.json'}: 1 game, all as the rules say\n"


def test_check_reads_a_single_object_over_several_lines(run: Run, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "wide.json"
    path.write_text(json.dumps(read_records(games)[0].to_dict(), indent=2), "utf-8")
    assert run("check", path).code == 0


def test_check_takes_several_files_and_goes_on_after_a_fault(run: Run, games: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\n", "utf-8")
    missing = tmp_path / "missing.jsonl"
    outcome = run("check", games, broken, missing, KINDS)
    assert outcome.code == 1
    assert outcome.out.splitlines() == [
        f"{games}: 3 games, all as the rules say",
        f"{KINDS}: 20 games, all as the rules say",
    ]
    assert len(outcome.err.splitlines()) == 2
    assert outcome.err.startswith(f"{broken}, line 1: ")
    assert outcome.err.endswith(f"{missing}: cannot be read: No such file or directory\n")


def test_check_names_the_place_of_an_illegal_move(run: Run, games: Path, tmp_path: Path) -> None:
    def change(game: dict[str, Any]) -> None:
        game["moves"][7] = "E"

    path = damaged(games, tmp_path / "games.jsonl", 1, change)
    outcome = run("check", path)
    assert outcome.code == 1
    assert outcome.out == ""
    assert outcome.err == f"{path}, game 1, ply 7: E is not legal: a turn is to be taken (P, D, S, M or C) (R3)\n"


def test_check_names_the_place_of_a_wrong_legal_count(run: Run, games: Path, tmp_path: Path) -> None:
    right = read_records(games)[2].legal
    assert right is not None

    def change(game: dict[str, Any]) -> None:
        game["legal"][20] += 1

    path = damaged(games, tmp_path / "games.jsonl", 2, change)
    place = f"{path}, game 2, ply 20"
    said = f"there are {right[20]} legal moves, the record says {right[20] + 1}"
    assert run("check", path) == Outcome(1, "", f"{place}: {said}\n")


def test_check_finds_a_wrong_result(run: Run, games: Path, tmp_path: Path) -> None:
    def change(game: dict[str, Any]) -> None:
        game["result"]["winner"] = 1 - game["result"]["winner"]

    path = damaged(games, tmp_path / "games.jsonl", 0, change)
    outcome = run("check", path)
    plies = len(read_records(games)[0].moves)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{path}, game 0, ply {plies}: the result is ")


def test_check_finds_an_impossible_deal(run: Run, games: Path, tmp_path: Path) -> None:
    def change(game: dict[str, Any]) -> None:
        game["deal"]["tiles"][0][0] = "BBBBB"

    path = damaged(games, tmp_path / "games.jsonl", 0, change)
    outcome = run("check", path)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{path}, game 0, ply 0: round 1: the large factory cannot have got 'BBBBB'")


def test_check_reports_every_wrong_game(run: Run, games: Path, tmp_path: Path) -> None:
    def change(game: dict[str, Any]) -> None:
        game["moves"][2] = "E"

    path = damaged(games, tmp_path / "games.jsonl", 0, change)
    path = damaged(path, path, 2, change)
    outcome = run("check", path)
    assert outcome.code == 1
    assert re.findall(r"game \d, ply \d+", outcome.err) == ["game 0, ply 2", "game 2, ply 2"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"format": "sintra/1"', "line 1: not JSON"),
        (b"\n\n[1]\n", "line 3: a record is a JSON object"),
        (b"\xff\xfe", "is not UTF-8 text (byte 0)"),
    ],
)
def test_check_names_the_line_of_what_is_no_record(run: Run, tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(content)
    outcome = run("check", path)
    assert outcome.code == 1
    assert len(outcome.err.splitlines()) == 1
    assert outcome.err.startswith(str(path))
    assert said in outcome.err


def test_check_names_line_and_ply_of_what_is_no_move(run: Run, games: Path, tmp_path: Path) -> None:
    def change(game: dict[str, Any]) -> None:
        game["moves"][5] = "Q7"

    path = damaged(games, tmp_path / "games.jsonl", 1, change)
    outcome = run("check", path)
    assert outcome.code == 1
    assert outcome.err.startswith(f"{path}, line 2, ply 5: cannot read the move 'Q7'")


def test_check_refuses_a_view(run: Run, games: Path, tmp_path: Path) -> None:
    path = tmp_path / "view.jsonl"
    write_records(path, [read_records(games)[0].view(0)])
    outcome = run("check", path)
    assert outcome.code == 1
    assert "this is a view of a record" in outcome.err


def test_check_reads_standard_input(run: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(games.read_bytes())))
    assert run("check", "-") == Outcome(0, "-: 3 games, all as the rules say\n", "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"nonsense")))
    outcome = run("check", "-")
    assert outcome.code == 1
    assert outcome.err.startswith("standard input, line 1: not JSON")


def test_selfplay_feeds_check() -> None:
    assert start("check", "-", given=start("selfplay", "--legal", "--games", 2).out).code == 0


# legal


@pytest.mark.parametrize("ply", [0, 2, 40, 121])
def test_legal_prints_the_moves_sorted(run: Run, games: Path, ply: int) -> None:
    outcome = run("legal", games, "--ply", ply)
    record = read_records(games)[0]
    tokens = outcome.out.splitlines()
    assert outcome.code == 0
    assert record.legal is not None
    assert len(tokens) == record.legal[ply]
    assert record.moves[ply] in tokens
    assert tokens == sorted(set(tokens))
    assert set(tokens) == set(map(str, record.replay(ply).legal_moves))


def test_legal_counts_games_from_0_and_ends_with_none(run: Run, games: Path) -> None:
    records = read_records(games)
    for index, record in some(enumerate(records)):
        assert run("legal", games, "--game", index) == Outcome(0, "", "")
        outcome = run("legal", games, "--game", index, "--ply", len(record.moves) - 1)
        assert record.moves[-1] in outcome.out.splitlines()


def test_legal_of_an_unfinished_game_is_that_of_its_last_position(run: Run, tmp_path: Path) -> None:
    game = Game.new(seed=2)
    write_records(tmp_path / "new.jsonl", [Record.of(game)])
    assert run("legal", tmp_path / "new.jsonl").out.splitlines() == sorted(map(str, game.legal_moves))


def test_legal_reads_standard_input(games: Path) -> None:
    given = games.read_text("utf-8")
    assert start("legal", "-", "--game", 1, "--ply", 2, given=given) == start("legal", games, "--game", 1, "--ply", 2)


# perft


@pytest.mark.parametrize(
    "case", [case for case in PERFT if case["leaves"] < 500_000], ids=lambda case: f"{case['record']}-{case['ply']}"
)
def test_perft_agrees_with_the_vectors(run: Run, case: dict[str, Any]) -> None:
    place = (VECTORS / case["record"], "--game", case["game"], "--ply", case["ply"])
    assert run("perft", *place, "--depth", case["depth"]) == Outcome(0, f"{case['leaves']}\n", "")


def test_perft_of_depth_0_and_1(run: Run, games: Path) -> None:
    assert run("perft", games, "--ply", 2, "--depth", 0).out == "1\n"
    listed = run("legal", games, "--ply", 2).out.splitlines()
    assert run("perft", games, "--ply", 2, "--depth", 1).out == f"{len(listed)}\n"


def test_perft_after_the_end_counts_one(run: Run, games: Path) -> None:
    assert run("perft", games, "--depth", 3).out == "1\n"


# show


def test_show_draws_the_position(run: Run, games: Path) -> None:
    game = read_records(games)[1].replay(50)
    assert run("show", games, "--game", 1, "--ply", 50) == Outcome(0, draw(game, color=False) + "\n", "")
    assert "wins" in run("show", games, "--game", 1).out.splitlines()[0]


@pytest.mark.parametrize(("seat", "observer"), [("0", 0), ("1", 1), ("spectator", 2)])
def test_show_as_a_seat_sees_it(run: Run, games: Path, seat: str, observer: int) -> None:
    view = read_records(games)[0].replay(30).view(observer)
    outcome = run("show", games, "--ply", 30, "--seat", seat)
    assert outcome == Outcome(0, draw(view, color=False) + "\n", "")
    assert outcome.out != run("show", games, "--ply", 30).out


def test_show_text_can_be_read_again(run: Run, games: Path) -> None:
    outcome = run("show", games, "--ply", 30, "--text")
    assert outcome.code == 0
    assert Game.from_position(outcome.out) == read_records(games)[0].replay(30)


@pytest.mark.parametrize("seat", [(), ("--seat", "1")])
def test_show_svg_is_a_picture(run: Run, games: Path, seat: Sequence[str]) -> None:
    outcome = run("show", games, "--ply", 30, "--svg", *seat)
    assert outcome.code == 0
    assert ElementTree.fromstring(outcome.out).tag == "{http://www.w3.org/2000/svg}svg"


def test_show_text_of_a_seat_is_its_view(run: Run, games: Path) -> None:
    outcome = run("show", games, "--ply", 30, "--text", "--seat", 0)
    view = read_records(games)[0].replay(30).view(0)
    assert outcome == Outcome(0, view.position, "")
    assert View.from_position(outcome.out) == view


def test_show_stops_quietly_when_nobody_reads_on(games: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "sintra", "show", str(games), "--svg"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


# errors


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("show nowhere.jsonl", "sintra show: nowhere.jsonl: cannot be read: No such file or directory"),
        ("legal nowhere.jsonl", "sintra legal: nowhere.jsonl: cannot be read: No such file or directory"),
        ("perft nowhere.jsonl --depth 1", "sintra perft: nowhere.jsonl: cannot be read: No such file or directory"),
        ("show GAMES --game 3", "sintra show: GAMES: there is no game 3: the file has games 0 to 2"),
        ("legal EMPTY", "sintra legal: EMPTY: there is no game 0: the file has no game"),
        ("legal GAMES --ply 1000", "sintra legal: there is no ply 1000: the record has plies 0 to LAST"),
        ("perft GAMES --ply 1000 --depth 1", "sintra perft: there is no ply 1000: the record has plies 0 to LAST"),
        ("show GAMES --seat 2", "argument --seat: invalid choice: '2'"),
        ("selfplay --players nobody random", "sintra selfplay: unknown player 'nobody': there are "),
        ("selfplay --players random:seed=x random", "sintra selfplay: seed='x' of player 'random' must be of type int"),
        ("selfplay --players random:depth=2 random", "sintra selfplay: player 'random' has no parameter 'depth=2'"),
        (
            "selfplay --players search:sims=1000000000000 random",
            "sintra selfplay: a search has 1 to 1000000 simulations",
        ),
        ("arena random search:sims=1000000000000", "sintra arena: a search has 1 to 1000000 simulations"),
        ("arena random greedy --games 1000000000000", "1000000000000 games: a match has 1000000 at most"),
        ("arena random search:nodes=-1", "sintra arena: the nodes of a search are 0 to 1000000000"),
        ("arena random champion:share=nan", "sintra arena: the champion's share is above 0 and at most 4"),
        ("engine classic:sims=1000000000000", "sintra engine: a search has 1 to 1000000 simulations"),
        ("selfplay --players random", "argument --players: expected 2 arguments"),
        ("selfplay --goals rows colors edge", "sintra selfplay: goals rows and colors are on one tile"),
        ("selfplay --goals rows edge", "sintra selfplay: a game has 3 or 4 goals, not 2 (R2.1)"),
        ("selfplay --goals rows edge flowers", "sintra selfplay: unknown goal 'flowers': the goals are rows colors"),
        ("selfplay --goals 5", "sintra selfplay: unknown goal '5'"),
        ("selfplay --draw-at-zero never", "argument --draw-at-zero: invalid choice: 'never'"),
        ("selfplay --special-is-color maybe", "argument --special-is-color: invalid choice: 'maybe'"),
        ("selfplay --games -1", "argument --games: '-1' must be a whole number, 0 or more"),
        ("selfplay --seed -1", "argument --seed: '-1' must be a whole number, 0 or more"),
        ("selfplay --games 1.5", "argument --games: '1.5' must be a whole number, 0 or more"),
        ("legal GAMES --ply -1", "argument --ply: '-1' must be a whole number, 0 or more"),
        ("show GAMES --game -1", "argument --game: '-1' must be a whole number, 0 or more"),
        ("perft GAMES --depth -1", "argument --depth: '-1' must be a whole number, 0 or more"),
        ("perft GAMES", "the following arguments are required: --depth"),
        ("check", "the following arguments are required: FILE"),
        ("dance", "argument COMMAND: invalid choice: 'dance'"),
        ("serve --port 70000", "argument --port: '70000' must be a port from 0 to 65535"),
        ("serve --host 203.0.113.7", "sintra serve: cannot listen on 203.0.113.7, port 8765: "),
    ],
)
def test_mistakes_are_one_clear_line(run: Run, games: Path, tmp_path: Path, command: str, said: str) -> None:
    (tmp_path / "empty.jsonl").touch()
    names = {"GAMES": str(games), "EMPTY": str(tmp_path / "empty.jsonl")}
    outcome = run(*[names.get(word, word) for word in command.split()])
    last = str(len(read_records(games)[0].moves))
    for name, path in {**names, "LAST": last}.items():
        said = said.replace(name, path)
    assert outcome.code == 2
    assert outcome.out == ""
    usage, _, line = outcome.err.rstrip("\n").rpartition("\n")
    assert said in line
    assert line.startswith("sintra")
    assert not usage or usage.startswith("usage: sintra")


def test_mistakes_show_no_traceback() -> None:
    outcome = start("show", "nowhere.jsonl")
    assert outcome == Outcome(2, "", "sintra show: nowhere.jsonl: cannot be read: No such file or directory\n")
    outcome = start("legal", KINDS, "--ply", "-1")
    assert outcome.code == 2
    assert "Traceback" not in outcome.err


# players, bench, warm


def test_players_lists_every_kind_of_player(run: Run) -> None:
    outcome = run("players")
    assert outcome.code == 0
    assert outcome.err == ""
    for entry in base.entries():
        assert f"{entry.name:10} {entry.summary}\n" in outcome.out
        for parameter in entry.parameters:
            assert re.search(rf"parameters: .*\b{parameter} \(", outcome.out)


def test_bench_prints_figures_and_writes_them(run: Run, tmp_path: Path) -> None:
    outcome = run("bench", "--quick", "--seconds", "0.01", "--out", tmp_path / "new" / "bench.json")
    assert outcome.code == 0
    measured = json.loads((tmp_path / "new" / "bench.json").read_text("utf-8"))
    names = [figure["name"] for figure in measured["figures"]]
    assert {"random games", "copy", "game.push from Python", "exact tilings", "round 5, nodes"} <= set(names)
    may_be_nothing = ("apply", "round 5, solved to the end")  # a difference of two short times, and a count
    assert all(figure["value"] > 0 for figure in measured["figures"] if figure["name"] not in may_be_nothing)
    for name in names:
        assert name in outcome.out


def test_warm_leaves_nothing_to_compile_for_the_table(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warming, "_ENGINE_STAMP", tmp_path / "new" / "engine")
    monkeypatch.setattr(warming, "_FORECASTS_STAMP", tmp_path / "new" / "forecasts")
    assert not (warming.is_compiled() or warming.has_forecasts()) or not IS_JIT
    outcome = run("warm")
    done = f"compiled into {user_cache()}" if IS_JIT else f"nothing to compile: the engine is {RUNNING}"
    assert outcome == Outcome(0, f"{done}\n", "")
    assert warming.is_compiled()
    assert warming.has_forecasts()


# help


def test_version(run: Run) -> None:
    assert run("--version") == Outcome(0, f"sintra {sintra.__version__} ({RUNNING})\n", "")
    assert start("--version") == Outcome(0, f"sintra {sintra.__version__} ({RUNNING})\n", "")


def test_help_names_every_command(run: Run) -> None:
    outcome = run("--help")
    assert outcome.code == 0
    assert {"selfplay", "arena", "players", "warm"} <= set(COMMANDS)
    for command in COMMANDS:
        assert f"sintra {command}" in outcome.out
        assert re.search(rf"^    {command} +\w", outcome.out, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_explains_its_options(run: Run, command: str) -> None:
    outcome = run(command, "--help")
    assert outcome.code == 0
    assert outcome.err == ""
    assert outcome.out.startswith(f"usage: sintra {command} ")
    for action in COMMANDS[command]._actions:
        name = action.option_strings[-1] if action.option_strings else action.metavar
        assert action.help, name
        assert re.search(rf"^  (?:-h, )?{name}\b", outcome.out, re.MULTILINE), name


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Runs a line of the shell in which `$S` is the program."""
    variables = os.environ | {"S": f"{sys.executable} -m sintra"} | environment
    return subprocess.run(["bash", "-c", command], capture_output=True, env=variables, check=False)


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("$S selfplay --out /", 2, b"Is a directory"),
        ("$S selfplay --out ''", 2, b"Is a directory"),
        ("$S arena random greedy --games 2 --jobs 1 --out .", 2, b"Is a directory"),
        ("printf '\\xff' > bytes; $S arena random greedy --games 2 --out bytes", 2, b"no games of an arena"),
        ("printf '\\xff\\xfe' | $S check -", 1, b"standard input: is not UTF-8 text"),
        ("$S players > /dev/full", 2, b"No space left"),
        ("$S players >&-", 0, b""),
        ("$S show --text --svg x", 2, b"not allowed with"),
        ("$S check $'\\xff.jsonl'", 1, b"cannot be read"),
        ("$S arena random greedy --games 2 --goals foo --out new.jsonl; ls new.jsonl", 2, b"unknown goal 'foo'"),
    ],
)
def test_a_mistake_is_one_line_and_no_traceback(tmp_path: Path, command: str, code: int, said: bytes) -> None:
    done = shell(f"cd {tmp_path}; {command}", PYTHONIOENCODING="utf-8:strict")
    assert done.returncode == code
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_terminal_without_the_letters_shows_others(tmp_path: Path) -> None:
    done = shell(f"$S show {KINDS}", PYTHONIOENCODING="ascii:strict")
    assert done.returncode == 0
    assert b"Round 5 of 5" in done.stdout


def test_files_that_are_no_matches_are_left_alone(tmp_path: Path) -> None:
    for name, text in (("notes", "my only notes"), ("two", '{"a": 1}\nmy last line')):
        (tmp_path / name).write_text(text)
        done = shell(f"$S arena random greedy --games 2 --jobs 1 --out {tmp_path / name}")
        assert done.returncode == 2
        assert (tmp_path / name).read_text() == text
