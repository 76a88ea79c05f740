"""The packaged puzzles, puzzles in files, the one of the day, and what becomes of a try."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from datetime import date, timedelta
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from helpers import some
from sintra import IllegalMoveError, NotationError
from sintra.cli import main
from sintra.players.levels import LEVELS
from sintra.puzzles import KINDS, Kind, Puzzle, PuzzleError, judge, load, make, of_the_day, read_puzzles
from sintra.puzzles import making as making_module
from sintra.puzzles.collection import write_puzzles
from sintra.puzzles.keeps import MARGIN as KEEP_MARGIN
from sintra.puzzles.plans import plan_of, plans_of
from sintra.puzzles.tilings import FEWEST_BOARDS
from sintra.puzzles.tilings import MARGIN as TILING_MARGIN
from sintra.tabletop.moves import Move


def first(kind: Kind) -> Puzzle:
    return next(puzzle for puzzle in load() if puzzle.kind == kind)


# ---------------------------------------------------------------- the package


def test_the_package_has_puzzles_of_every_kind() -> None:
    kinds = Counter(puzzle.kind for puzzle in load())
    assert kinds["tiling"] >= 100
    assert min(kinds["win"], kinds["keep"]) >= 100
    levels = Counter(puzzle.grade.level for puzzle in load())
    assert min(levels[level] for level in range(1, len(LEVELS) + 1)) >= 5, "something for everybody"
    file = resources.files("sintra.puzzles").joinpath("puzzles.jsonl")
    assert len(file.read_bytes()) < 600_000


def test_every_packaged_puzzle_can_be_asked_and_its_answer_is_right() -> None:
    for puzzle in some(load()):
        view = puzzle.view
        assert view.to_move
        assert view.seat == puzzle.seat
        if puzzle.kind == "tiling":
            assert judge(puzzle, puzzle.answer).outcome == "right"
            assert puzzle.choices >= FEWEST_BOARDS
            assert puzzle.best - puzzle.second >= TILING_MARGIN
            assert sum(puzzle.explanation.sources.values()) == puzzle.best
            assert sum(puzzle.explanation.natural_sources.values()) == puzzle.explanation.natural_value
            continue
        for token in puzzle.answer:
            assert judge(puzzle, [token]).outcome == "right"
        assert len({plan_of(Move.parse(token)) for token in puzzle.answer}) == 1
        plans = plans_of(view.legal_moves)
        assert puzzle.choices == len(plans) >= 3
        assert puzzle.second == puzzle.others[0][1] == max(value for _, value in puzzle.others)
        for plan, value in puzzle.others:
            assert judge(puzzle, [str(plans[plan][0])]).value == value
        assert puzzle.explanation.natural[0] in view.legal_moves
        if puzzle.kind == "win":
            assert puzzle.second < 0 < puzzle.best
        else:
            assert puzzle.best - puzzle.second >= KEEP_MARGIN - 0.001


def test_nothing_that_is_hidden_decides_what_a_packaged_puzzle_shows() -> None:
    for puzzle in some(load()[::10]):
        assert puzzle.view.sample(7).view(puzzle.seat) == puzzle.view


def test_no_game_gives_many_puzzles() -> None:
    origins = Counter((puzzle.kind, puzzle.origin, puzzle.kind == "tiling" and puzzle.seat) for puzzle in load())
    assert set(origins.values()) == {1}
    assert len({puzzle.id for puzzle in load()}) == len(load())


# ---------------------------------------------------------------- the day


def some_puzzles(how_many: int) -> list[Puzzle]:
    """Puzzles that differ in nothing but a remark."""
    one = first("tiling")
    return [replace(one, position=f"{one.position} # {k}") for k in range(how_many)]


def test_each_puzzle_has_its_day_before_any_comes_again() -> None:
    puzzles = some_puzzles(7)
    begins = date.fromordinal(7 * 105_000)
    days = [of_the_day(begins + timedelta(k), puzzles) for k in range(21)]
    for turn in range(3):
        assert {puzzle.id for puzzle in days[7 * turn : 7 * turn + 7]} == {puzzle.id for puzzle in puzzles}
    assert [one.id for one in days[:7]] != [one.id for one in days[7:14]], "another order next time"


def test_a_day_has_the_same_puzzle_however_they_are_sorted() -> None:
    puzzles = some_puzzles(9)
    day = date(2027, 3, 14)
    assert of_the_day(day, puzzles) == of_the_day(day, reversed(puzzles))
    assert of_the_day(day) is of_the_day(day)
    assert of_the_day(day) in load()
    with pytest.raises(PuzzleError, match="no puzzles"):
        of_the_day(day, [])


# ---------------------------------------------------------------- judging


def test_a_tiling_is_unfinished_until_it_ends_and_right_in_every_way_that_makes_the_points() -> None:
    puzzle = first("tiling")
    for k in range(len(puzzle.answer)):
        verdict = judge(puzzle, puzzle.answer[:k])
        assert verdict.outcome == "unfinished"
        assert verdict.reachable == verdict.best == puzzle.best
    assert judge(puzzle, puzzle.answer).value == puzzle.best
    wrong = judge(puzzle, puzzle.explanation.natural)
    assert (wrong.outcome, wrong.value) == ("wrong", puzzle.explanation.natural_value)
    assert wrong.value is not None
    assert wrong.value < wrong.best
    with pytest.raises(PuzzleError, match="comes too late"):
        judge(puzzle, [*puzzle.answer, "E"])
    with pytest.raises(IllegalMoveError):
        judge(puzzle, ["MB3"])


@pytest.mark.parametrize("kind", ["win", "keep"])
def test_one_move_decides_elsewhere(kind: Kind) -> None:
    puzzle = first(kind)
    assert judge(puzzle, []).outcome == "unfinished"
    assert judge(puzzle, puzzle.answer[:1]).value == puzzle.best
    unnamed = [
        move
        for plan, moves in plans_of(puzzle.view.legal_moves).items()
        for move in moves
        if plan not in dict(puzzle.others) and str(move) not in puzzle.answer
    ]
    for move in unnamed[:1]:
        assert (judge(puzzle, [str(move)]).outcome, judge(puzzle, [str(move)]).value) == ("wrong", None)
    with pytest.raises(PuzzleError, match="one move is asked for"):
        judge(puzzle, [*puzzle.answer[:1], *puzzle.answer[:1]])
    with pytest.raises(NotationError):
        judge(puzzle, ["nonsense"])
    with pytest.raises(IllegalMoveError):
        judge(puzzle, ["E"])


# ---------------------------------------------------------------- files


def test_puzzles_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    some = [first(kind) for kind in KINDS]
    write_puzzles(file, some)
    assert read_puzzles(file) == some
    assert [puzzle.id for puzzle in read_puzzles(file)] == [puzzle.id for puzzle in some]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "sintra/1"}, "the format"),
        ({"kind": "chess"}, r"'chess' - at `\$.kind`"),
        ({"seat": 2}, r"<= 1 - at `\$.seat`"),
        ({"seat": True}, r"got `bool` - at `\$.seat`"),
        ({"id": "0"}, "is not that of its position"),
        ({"answer": []}, r"length >= 1 - at `\$.answer`"),
        ({"answer": "E"}, r"Expected `array`, got `str` - at `\$.answer`"),
        ({"answer": [1]}, r"Expected `str`, got `int` - at `\$.answer\[0\]`"),
        ({"grade": {"rating": 1, "level": 12}}, r"<= 11 - at `\$.grade.level`"),
        ({"grade": {"rating": 1, "level": 1, "found": [1]}}, "1 levels should be 11"),
        ({"grade": None}, "no puzzle"),
        ({"best": "many"}, "no puzzle"),
        ({"origin": [1]}, "no puzzle"),
        ({"explanation": {"sources": {"goals": 1001}}}, "<= 1000"),
    ],
)
def test_a_damaged_puzzle_is_refused_in_words(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text(json.dumps(first("tiling").to_dict() | change))
    with pytest.raises(PuzzleError, match=said) as caught:
        read_puzzles(file)
    assert "line 1" in str(caught.value)


def test_what_is_no_file_of_puzzles_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "cut.jsonl").write_text(first("tiling").dumps()[:100])
    (tmp_path / "short.jsonl").write_text(json.dumps({"format": "sintra-puzzle/1", "kind": "win"}))
    for name, said in (
        ("bytes", "no puzzles"),
        ("none", "cannot read"),
        ("cut.jsonl", "JSON"),
        ("short.jsonl", "missing"),
    ):
        with pytest.raises(PuzzleError, match=said):
            read_puzzles(tmp_path / name)


# ---------------------------------------------------------------- making


def prepared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, tuple[str, ...]]]:
    """Every game gives a puzzle of each kind that is asked for, but for even ones; tells which games were looked at."""
    asked: list[tuple[int, int, tuple[str, ...]]] = []

    def found(seed: int, index: int, kinds: list[Kind]) -> list[Puzzle]:
        asked.append((seed, index, tuple(kinds)))
        if index % 2 == 0:
            return []
        return [
            replace(first(kind), origin=(seed, index), position=f"{first(kind).position} # {seed} {index}")
            for kind in kinds
        ]

    monkeypatch.setattr(making_module, "make_from_game", found)
    return asked


def test_making_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "made.jsonl"
    asked = prepared(monkeypatch)
    made = make(out, games=4, kinds=["tiling"], seed=3)
    assert [puzzle.origin for puzzle in made] == [(3, 1), (3, 3)]
    asked.clear()
    shares: list[float] = []
    more = make(out, games=8, kinds=["tiling", "win"], seed=3, on_game=lambda progress: shares.append(progress.share))
    assert [kinds for _, _, kinds in asked] == [("win",)] * 4 + [("tiling", "win")] * 4, "each kind from where it was"
    assert Counter(puzzle.kind for puzzle in more) == {"tiling": 4, "win": 4}
    assert read_puzzles(out) == more
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    asked.clear()
    assert make(out, games=8, kinds=["tiling"], seed=3) == more
    assert asked == []
    make(out, games=2, kinds=["tiling"], seed=4)
    assert [job[:2] for job in asked] == [(4, 0), (4, 1)], "another seed has other games"


def test_no_more_of_a_kind_are_kept_than_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared(monkeypatch)
    made = make(tmp_path / "made.jsonl", games=8, kinds=["tiling", "win"], seed=3, per_level=2)
    assert Counter((puzzle.kind, puzzle.grade.level) for puzzle in made).most_common(1)[0][1] == 2
    assert [puzzle.origin[1] for puzzle in made if puzzle.kind == "tiling"] == [1, 3], "the first ones"
    assert read_puzzles(tmp_path / "made.jsonl") == made


def test_a_line_that_was_cut_off_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "made.jsonl"
    prepared(monkeypatch)
    whole = make(out, games=4, kinds=["tiling"])
    out.write_text(out.read_text("utf-8")[:-30], "utf-8")
    assert make(out, games=4, kinds=["tiling"]) == whole
    assert read_puzzles(out) == whole


def test_making_stops_when_the_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = prepared(monkeypatch)
    make(tmp_path / "made.jsonl", minutes=1e-9)
    assert len(asked) == 1


# ---------------------------------------------------------------- the command


def test_the_command_makes_shows_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "made.jsonl")
    assert main(["puzzles", "make", out, "--games", "1", "--kind", "tiling", "--seed", "5"]) == 0
    assert "made.jsonl: " in capsys.readouterr().out
    made = read_puzzles(out)
    again = str(tmp_path / "again.jsonl")
    assert main(["puzzles", "make", again, "--games", "1", "--kind", "tiling", "--jobs", "2", "--seed", "5"]) == 0
    assert read_puzzles(again) == made, "other processes find the same"
    capsys.readouterr()
    write_puzzles(out, [first("tiling")])
    assert main(["puzzles", "check", out]) == 0
    assert capsys.readouterr().out == f"{out}: 1 puzzle (1 tiling, 0 win, 0 keep), all as they say\n"
    write_puzzles(out, [first("tiling"), replace(first("tiling"), second=-3)])
    assert main(["puzzles", "check", out]) == 1
    assert f"{out}, puzzle 1 ({first('tiling').id}): the best tilings make" in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_shows_the_question_and_the_answer_when_asked(
    kind: Kind, capsys: pytest.CaptureFixture[str]
) -> None:
    number = str(load().index(first(kind)))
    assert main(["puzzles", "show", "packaged", number]) == 0
    asked = capsys.readouterr().out
    assert str(first(kind).view) in asked
    assert asked.rstrip().endswith("?")
    assert main(["puzzles", "show", "packaged", number, "--answer"]) == 0
    answered = capsys.readouterr().out
    assert answered.startswith(asked)
    assert f"Answer: {first(kind).answer[0]}" in answered


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["make", "x.jsonl"], "say how long or from how many games"),
        (["show", "packaged", "99999"], "there is no puzzle 99999: packaged has puzzles 0 to"),
        (["show", "nowhere.jsonl", "0"], "cannot read nowhere.jsonl"),
        (["make", "/", "--games", "1"], "/"),
    ],
)
def test_a_mistake_is_told_in_words(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", *arguments]) == 2
    assert said in capsys.readouterr().err
