"""`sintra engine`: dialogues by hand and through a pipe, mistakes in them, and thinking that is stopped."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import pytest

from protocol.engines import ROOT, TIMEOUT_S
from sintra import Game, View, player
from sintra.arena.selfplay import play_game
from sintra.errors import SintraError
from sintra.players import PlayerError
from sintra.protocol import EngineProgram
from sintra.protocol.answering import EngineSession
from sintra.protocol.lines import Go, in_one_line, view_in

ENGINE: Final = [sys.executable, "-m", "sintra", "engine"]
PAGE: Final = ROOT / "docs" / "engine-protocol.md"
LATE: Final = "round: 5; turn: 1; factory L: sun - moon BBT; 0 lines: B1 - - - - -; 0 score: 20; 1 score: 9"


def view_of(seed: int = 1, moves: int = 0) -> View:
    game = Game.new(seed=seed)
    for _ in range(moves):
        game.push(game.legal_moves[0])
    return game.view(game.turn)


def talk(lines: Sequence[str], who: str = "random") -> list[str]:
    """What a session says to some lines."""
    said: list[str] = []
    EngineSession(who, "sintra", said.append).hold(lines)
    return said


def test_a_dialogue() -> None:
    view = view_of()
    asked = ["sintra 1", "newgame seed 7", "isready", f"position {in_one_line(view)}", "legal", "go", "quit"]
    name, *options, ok, ready, legal, info, best = talk(asked)
    assert (name, ok, ready) == ("name sintra random", "ok 1", "readyok")
    assert options == ["option lines number default 3 min 0 max 100", "option seed number"]
    assert legal.split() == ["legal", *map(str, view.legal_moves)]
    assert re.fullmatch(r"info time \d+", info)
    same = player("random")
    same.new_game(7)
    assert best == f"bestmove {same.choose(view)}"


def test_the_search_tells_what_it_thinks() -> None:
    view = view_of(moves=2)
    said = talk([f"position {in_one_line(view)}", "go sims 90"], "search:seed=4")
    *news, best = said
    assert re.fullmatch(r"info time \d+ sims 90", news[0])
    ranks = [re.fullmatch(r"info rank (\d) chance (0\.\d{3}) visits (\d+) line (.+)", line) for line in news[1:]]
    assert [rank and rank[1] for rank in ranks] == ["1", "2", "3"]
    assert all(rank and rank[4].split()[0] in view.legal_moves for rank in ranks)
    assert sum(int(rank[3]) for rank in ranks if rank) <= 90
    assert best == f"bestmove {player('search:sims=90,seed=4').choose(view)}"
    assert ranks[0] is not None
    assert best.split()[1] == ranks[0][4].split()[0]


def test_an_end_that_is_searched_through_is_exact() -> None:
    said = talk([f"position {LATE}", "go"])
    assert said[-1].startswith("bestmove ")
    said = talk([f"position {LATE}", "go"], "search:sims=300")
    assert re.fullmatch(r"info exact 1 chance \d\.\d{3} lead -?\d+\.\d line \S+", said[-2])
    assert said[-2].split()[-1] == said[-1].split()[1]


@pytest.mark.parametrize("who", ["champion", "search", "level:n=9", "level:n=2", "greedy"])
def test_time_is_kept_by_every_player(who: str) -> None:
    """With a moment to think even the champion has a move."""
    view = view_of(moves=2)
    said = talk([f"position {in_one_line(view)}", "go movetime 1", "go limit 1"], who)
    answers = [line.split()[1] for line in said if line.startswith("bestmove")]
    assert len(answers) == 2
    assert all(token in view.legal_moves for token in answers)


def test_who_does_not_count_simulations_says_so() -> None:
    said = talk([f"position {in_one_line(view_of())}", "go sims 5"], "greedy")
    assert said[0] == "info string greedy does not count simulations: it thinks as usual"
    assert said[-1].startswith("bestmove ")


def test_options_can_be_set() -> None:
    view = view_of(moves=2)
    position = f"position {in_one_line(view)}"
    said = talk(["setoption sims 40", "setoption lines 1", "sintra 1", position, "go"], "search:seed=4")
    assert "option sims number default 40" in said
    assert [line for line in said if line.startswith("info rank")][1:] == []
    assert said[-1] == f"bestmove {player('search:sims=40,seed=4').choose(view)}"


def wait_for(said: Sequence[str], is_it: Callable[[str], bool]) -> None:
    until = time.monotonic() + TIMEOUT_S
    while not any(map(is_it, list(said))):
        assert time.monotonic() < until, said
        time.sleep(0.005)


@pytest.mark.parametrize("end", ["stop", "quit"])
def test_thinking_can_be_stopped(end: str) -> None:
    said: list[str] = []

    def lines() -> Iterator[str]:
        yield f"position {in_one_line(view_of(moves=2))}"
        yield "go sims 1000000"
        wait_for(said, lambda line: line.startswith("info time"))
        yield "isready"
        wait_for(said, lambda line: line == "readyok")
        assert not any(line.startswith("bestmove") for line in said)
        yield end

    EngineSession("search", "sintra", said.append).hold(lines())
    assert said[-1].startswith("bestmove ")
    last = [line for line in said if line.startswith("info time")][-1]
    assert int(last.split()[-1]) < 1_000_000


def test_a_stop_that_comes_with_the_question_is_heard() -> None:
    said = talk([f"position {in_one_line(view_of(moves=2))}", "go sims 1000000", "stop", "stop"], "search")
    sims = next(line for line in said if line.startswith("info time")).split()[-1]
    assert 0 < int(sims) < 1_000_000


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (
            "hello there",
            "error unknown command 'hello': there are sintra, setoption, newgame, isready, position, legal,",
        ),
        ("go", "error there is no position yet: send position first"),
        ("legal", "error there is no position yet: send position first"),
        ("position", "error position takes a position as text"),
        ("position round: 9", "error line 1, round: '9' must be a number from 1 to 5"),
        ("position what is this", "error line 1: 'what is this' lacks a colon: write `key: value`"),
        ("position seat: 3; round: 1", "error line 1, seat: '3' must be one of 0, 1, spectator"),
        ("position seat: 0; round: 1", "error stack: a view names each place"),
        ("sintra x", "error sintra takes a whole number from 1 to"),
        ("setoption", "error setoption takes a name and a value"),
        ("setoption depth 3", "error there is no option 'depth': there are lines, seed"),
        ("setoption lines many", "error lines takes a whole number from 0 to 100, not 'many'"),
        ("setoption seed x", "error seed='x' of player 'random' must be of type int"),
        ("setoption seed", "error seed cannot be ''"),
        ("newgame 7", "error newgame takes nothing but a seed"),
        ("newgame seed -1", "error newgame seed takes a whole number from 0 to 9223372036854775807, not '-1'"),
    ],
)
def test_a_mistake_is_one_line_and_the_talk_goes_on(line: str, answer: str) -> None:
    said = talk([line, "", "   ", "isready"])
    assert len(said) == 2
    assert said[0].startswith(answer)
    assert said[1] == "readyok"


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        ("go sims", "go sims takes a whole number from 1 to 1000000, not ''"),
        ("go sims 0", "go sims takes"),
        ("go movetime -5", "go movetime takes"),
        ("go fast", "go has no 'fast': it takes sims, movetime, limit, each with a number"),
        ("go sims 5 sims 6", "go says sims twice"),
    ],
)
def test_what_go_does_not_take(go: str, reason: str) -> None:
    said = talk([f"position {in_one_line(view_of())}", go, "go"])
    assert said[0].startswith(f"error {reason}")
    assert said[-1].startswith("bestmove "), "the position is still there"


HUGE: Final = ("1000000000000", "9223372036854775808", "9" * 30, "9" * 5000)
NO_NUMBERS: Final = ("nan", "inf", "-inf", "1.5", "0x10", "many", "\0")


@pytest.mark.parametrize(
    ("who", "option", "values"),
    [
        ("search", "sims", (*HUGE, *NO_NUMBERS, "0", "-1", "1000001")),
        ("search", "trees", (*HUGE, *NO_NUMBERS, "0", "-1", "9")),
        ("search", "nodes", (*HUGE, *NO_NUMBERS, "-1", "1000000001")),
        ("search", "value", ("/", "nowhere", "\0", "x" * 5000)),
        ("search", "policy", ("/", "nowhere", "\0", "x" * 5000)),
        ("search", "lines", (*HUGE, *NO_NUMBERS, "-1", "101")),
        ("classic", "sims", (*HUGE, *NO_NUMBERS, "0", "-1", "1000001")),
        ("champion", "share", (*HUGE, "nan", "inf", "-inf", "0", "-1", "4.001", "1e400", "many")),
        ("level", "n", (*HUGE, *NO_NUMBERS, "0", "-1", "12")),
        ("greedy", "seed", ("9" * 5000, *NO_NUMBERS)),
    ],
)
def test_a_value_that_cannot_be_is_one_error_and_changes_nothing(
    who: str, option: str, values: tuple[str, ...]
) -> None:
    said: list[str] = []
    EngineSession(who, "sintra", said.append).hold([*(f"setoption {option} {value}" for value in values), "sintra"])
    errors, name = said[: len(values)], said[len(values)]
    assert all(line.startswith("error ") and len(line) <= 1006 and "\n" not in line for line in errors), errors
    assert name == f"name sintra {who}"


@pytest.mark.parametrize("name", ["sims", "movetime", "limit"])
def test_numbers_that_go_does_not_take(name: str) -> None:
    values = (*HUGE, *NO_NUMBERS, "0", "-1", "")
    said = talk([f"position {in_one_line(view_of())}", *(f"go {name} {value}" for value in values), "isready"])
    assert said[-1] == "readyok"
    assert len(said) == len(values) + 1
    assert all(line.startswith(f"error go {name} takes a whole number from 1 to ") for line in said[:-1])


def test_a_bad_position_leaves_none() -> None:
    good = f"position {in_one_line(view_of())}"
    said = talk([good, "position round: 9", "go"])
    assert [line.split(":")[0] for line in said] == ["error line 1, round", "error there is no position yet"]


def test_a_seat_that_is_not_to_move_has_no_move() -> None:
    game = Game.new(seed=1)
    (said,) = talk([f"position {in_one_line(game.view(1 - game.turn))}", "go"])
    assert said == f"error seat {1 - game.turn} is not to move: seat {game.turn} is"


def test_an_unknown_player_is_refused() -> None:
    with pytest.raises(PlayerError, match="unknown player 'nobody'"):
        EngineSession("nobody", "sintra", print)


def test_a_whole_position_is_seen_by_the_seat_to_move() -> None:
    assert view_in(LATE) == Game.from_position(LATE).view(1)
    with pytest.raises(SintraError):
        view_in("seat: 0; round: 9")


@pytest.mark.parametrize("go", [Go(), Go(sims=5), Go(movetime=7, limit=9), Go(sims=1, limit=2)])
def test_go_is_read_as_it_is_written(go: Go) -> None:
    assert Go.parse(str(go).split()[1:]) == go


# in a process of its own


def test_through_the_protocol_a_player_makes_the_same_moves() -> None:
    who = "search:sims=20,nodes=100,seed=3"
    with EngineProgram([*ENGINE, who]) as engine:
        through = play_game(Game.new(seed=5), [engine, player("greedy")], 9)
    assert through.moves == play_game(Game.new(seed=5), [player(who), player("greedy")], 9).moves


def dialogues(text: str) -> list[tuple[list[str], list[tuple[str, str]]]]:
    """The dialogues of a page: the command, and each line with who says it."""
    found = []
    for block in re.findall(r"```dialogue\n\$ (.+?)\n(.+?)```", text, re.DOTALL):
        lines = [(line[0], line[2:]) for line in block[1].splitlines()]
        assert {who for who, _ in lines} <= {">", "<"}
        found.append((block[0].split(), lines))
    return found


@pytest.mark.parametrize(("command", "lines"), dialogues(PAGE.read_text("utf-8")))
def test_the_dialogues_of_the_page_are_true(command: list[str], lines: list[tuple[str, str]]) -> None:
    """Typed line by line, each answer is awaited; `…` on the page stands for anything."""
    words = ENGINE[:3] if command[0] == "sintra" else [sys.executable]
    process = subprocess.Popen(
        [*words, *command[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True, encoding="utf-8"
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for who, line in lines:
            if who == ">":
                process.stdin.write(line + "\n")
                process.stdin.flush()
            else:
                said = process.stdout.readline().rstrip("\n")
                assert re.fullmatch(".+".join(map(re.escape, line.split("…"))), said), said
        process.stdin.close()
        assert process.stdout.read() == ""
    assert process.returncode == 0


def test_the_page_has_dialogues() -> None:
    commands = [command[0] for command, _ in dialogues(PAGE.read_text("utf-8"))]
    assert commands == ["python", "sintra"]
