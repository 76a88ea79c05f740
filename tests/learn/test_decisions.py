"""Decisions of games as data: what stands in the rows is what happened, and nothing that was hidden."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from helpers import some
from sintra import Game
from sintra.arena.selfplay import Series
from sintra.cli import main
from sintra.features import observation
from sintra.features.observation import SIZE, observation_of, observe_batch
from sintra.game.seeds import derive
from sintra.learn import decision_files
from sintra.learn.collecting import Collecting
from sintra.learn.decision_files import FORMAT, VERSION, WRITERS, about_file, read_decisions
from sintra.learn.decisions import Decisions, DecisionsError, decisions_of
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.choices import CHOICES, END, MAX_CHOICES, PAY, PLACE, RETURN, SPEND, kind_of
from sintra.rules.state import Stage, States, empty_states

ROOT: Final = Path(__file__).parents[2]
PUBLISHED: Final = ROOT / "examples" / "data" / "decisions.npz"
SIMS: Final = 30
SERIES: Final = Series((f"search:sims={SIMS},nodes=0", "greedy"), seed=5)
COMMAND: Final = ("selfplay", "--players", *SERIES.players, "--seed", "5")
GAMES: Final = 3


@pytest.fixture(scope="module")
def records() -> list[Record]:
    return list(SERIES.records(GAMES, visits=True))


@pytest.fixture(scope="module")
def rows(records: list[Record]) -> Decisions:
    return Decisions.together(decisions_of(record, number) for number, record in enumerate(records))


def at_row(rows: Decisions, i: int) -> dict[int, int]:
    """The legal choices of a row, and how often each was tried."""
    part = slice(int(rows.first[i]), int(rows.first[i + 1]))
    return dict(zip(rows.choices[part].tolist(), rows.visits[part].tolist(), strict=True))


def replay(rows: Decisions, seed: int) -> Iterator[tuple[int, States]]:
    """Every row with the state in which it is decided: dealt from the seed, moved on by the choices of the rows."""
    states = empty_states()
    for i, number in enumerate(rows.game.tolist()):
        if i == 0 or number != rows.game[i - 1]:
            assert i == 0 or states["stage"][0] == Stage.OVER
            states = Game.new(seed=derive(seed, "game", number)).state
        yield i, states
        assert engine.apply(states, 0, int(rows.choice[i]))
    assert states["stage"][0] == Stage.OVER


def seen_by(states: States, seat: int) -> States:
    """What a seat may know."""
    view = empty_states()
    engine.view(states, 0, seat, view, 0)
    return view


def check(rows: Decisions, seed: int) -> None:
    """What the rows say of seats, legal choices and observations is what the engine says of the games, replayed."""
    legal, seen = np.empty(MAX_CHOICES, np.int16), np.empty(SIZE, np.uint8)
    for i, states in replay(rows, seed):
        seat = int(states["turn"][0])
        assert rows.seat[i] == seat
        assert rows.player[i] == (seat if rows.game[i] % 2 == 0 else 1 - seat)
        assert list(at_row(rows, i)) == legal[: engine.legal(states, 0, legal)].tolist()
        observation_of(seen_by(states, seat), seat, seen)
        assert np.array_equal(rows.observation[i], seen)


def check_visits(rows: Decisions, sims: int) -> None:
    """A search that was made tried as many choices as it has simulations, and on the way on as many as went there."""
    for i in range(len(rows.game)):
        total = sum(at_row(rows, i).values())
        if rows.step[i] == 0:
            assert total in (0, sims)
        elif total:
            assert total == at_row(rows, i - 1)[int(rows.choice[i - 1])] - 1


class TestRows:
    def test_they_are_what_the_engine_says(self, rows: Decisions) -> None:
        check(rows, SERIES.seed)

    def test_they_follow_the_record(self, rows: Decisions, records: list[Record]) -> None:
        for number, record in some(enumerate(records)):
            assert record.result
            mine = rows.game == number
            plies = rows.ply[mine]
            assert sorted(set(plies.tolist())) == list(range(len(record.moves)))
            assert np.array_equal(rows.step[mine] == 0, np.diff(plies, prepend=-1) == 1)
            for seat, outcome, lead in zip(rows.seat[mine], rows.outcome[mine], rows.lead[mine], strict=True):
                assert outcome == (1 if record.result.winner == seat else -1)
                assert lead == record.result.scores[seat] - record.result.scores[1 - seat]

    def test_visits(self, rows: Decisions) -> None:
        check_visits(rows, SIMS)
        searched = np.add.reduceat(rows.visits, rows.first[:-1]) > 0
        assert not searched[rows.player == 1].any()
        by_search = (rows.player == 0) & (rows.step == 0)
        tilings = np.array([kind_of(int(one)) in (PAY, SPEND, PLACE, END) for one in rows.choice])
        assert not searched[tilings].any()
        several = np.diff(rows.first) > 1
        returning = np.array([kind_of(int(one)) == RETURN for one in rows.choice])
        assert searched[by_search & several & ~tilings & ~returning].all()
        for i in np.flatnonzero(searched & by_search).tolist():
            assert at_row(rows, i)[int(rows.choice[i])] == max(at_row(rows, i).values())

    def test_nothing_hidden_is_in_the_observations(self, rows: Decisions) -> None:
        differ = 0
        for i, states in replay(rows, SERIES.seed):
            if i % 7:
                continue
            seat, world = int(rows.seat[i]), empty_states()
            assert engine.sample(seen_by(states, seat), 0, seat, i, world, 0)
            seen = np.empty((1, SIZE), np.uint8)
            observe_batch(world, rows.seat[i : i + 1].astype(np.int64), seen)
            assert np.array_equal(rows.observation[i], seen[0])
            differ += any(not np.array_equal(states[name], world[name]) for name in ("pile", "chip_order"))
        assert differ > 10

    def test_records_without_visits_have_none(self, records: list[Record], rows: Decisions) -> None:
        plain = decisions_of(replace(records[0], extra={}))
        assert not plain.visits.any()
        assert np.array_equal(plain.observation, rows.observation[rows.game == 0])

    def test_what_cannot_be_rows_is_refused(self, records: list[Record]) -> None:
        with pytest.raises(DecisionsError, match="not finished"):
            decisions_of(replace(records[0], result=None))
        with pytest.raises(DecisionsError, match="ply 0 has 27 legal choices, but visits of 3"):
            decisions_of(replace(records[0], extra={"visits": [[1, 2, 3]]}))


def bytes_of(rows: Decisions, kind: str) -> bytes:
    file = io.BytesIO()
    WRITERS[kind](file, [rows], about_file(seed=1))
    return file.getvalue()


@pytest.mark.parametrize("kind", WRITERS)
class TestFiles:
    def test_there_and_back(self, rows: Decisions, kind: str, tmp_path: Path) -> None:
        for written in (rows, Decisions.none()):
            (tmp_path / "file").write_bytes(bytes_of(written, kind))
            found, about = read_decisions(tmp_path / "file")
            for there, back in zip(written, found, strict=True):
                assert there.dtype == back.dtype
                assert np.array_equal(there, back)
            assert (about["format"], about["version"]) == (FORMAT, VERSION)
            assert about["observation_version"] == observation.VERSION
            assert about["seed"] == 1

    def test_observations_are_read_by_their_names(
        self, rows: Decisions, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The file has another order, a number that is unknown here, and one is missing: the rest is what it was."""
        names = ["once upon a time", *reversed(observation.NAMES[1:])]
        with monkeypatch.context() as elsewhere:
            elsewhere.setattr(decision_files, "_NAMES", "\n".join(names))
            other = np.concatenate([rows.observation[:, :1], rows.observation[:, :0:-1]], axis=1)
            (tmp_path / "file").write_bytes(bytes_of(rows._replace(observation=other), kind))
        found = read_decisions(tmp_path / "file")[0].observation
        assert not found[:, 0].any()
        assert np.array_equal(found[:, 1:], rows.observation[:, 1:])

    def test_the_same_seed_makes_the_same_file(self, kind: str, tmp_path: Path, rows: Decisions) -> None:
        paths = [tmp_path / "one", tmp_path / "two"]
        for path, jobs in zip(paths, "12" if kind == "npz" else "11", strict=True):
            command = (*COMMAND, "--games", GAMES, "--format", kind, "--out", path, "--jobs", jobs)
            assert main([str(word) for word in command]) == 0
        assert sorted(os.listdir(tmp_path)) == ["one", "two"]
        assert paths[0].read_bytes() == paths[1].read_bytes()
        found, about = read_decisions(paths[0])
        assert about["players"] == list(SERIES.players)
        for expected, got in zip(rows, found, strict=True):
            assert np.array_equal(expected, got)

    def test_standard_output(self, kind: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
        assert main(["selfplay", "--format", kind]) == 0
        (tmp_path / "file").write_bytes(capsysbinary.readouterr().out)
        found, about = read_decisions(tmp_path / "file")
        assert set(found.game) == {0}
        assert about["games"] == 1

    def test_it_goes_on_where_it_stopped(self, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = Collecting(SERIES, GAMES, tmp_path / "whole", kind)
        whole.play()
        kept = whole.part.read_text("utf-8").splitlines(keepends=True)
        assert main(["check", "--quiet", str(whole.part)]) == 0
        whole.write()
        stopped = Collecting(SERIES, GAMES, tmp_path / "stopped", kind)
        stopped.part.write_text(kept[0] + kept[1][:200], "utf-8")
        played: list[int] = []
        as_before = Series.play

        def noted(series: Series, index: int, *more: Any, **named: Any) -> Record:
            played.append(index)
            return as_before(series, index, *more, **named)

        monkeypatch.setattr(Series, "play", noted)
        stopped.play()
        assert played == [1, 2]
        stopped.write()
        assert stopped.out.read_bytes() == whole.out.read_bytes()
        assert sorted(os.listdir(tmp_path)) == ["stopped", "whole"]

    def test_games_of_another_series_are_left_alone(self, kind: str, tmp_path: Path) -> None:
        first = Collecting(Series(("random", "random"), 1), 2, tmp_path / "file", kind)
        first.play()
        there = first.part.read_bytes()
        for other in (Series(("random", "random"), 2), Series(("random", "greedy"), 1)):
            with pytest.raises(DecisionsError, match=r"file\.part has other games, begun before"):
                Collecting(other, 2, tmp_path / "file", kind).play()
        assert first.part.read_bytes() == there
        fewer = Collecting(first.series, 1, tmp_path / "file", kind)
        fewer.play()
        fewer.write()
        assert set(read_decisions(tmp_path / "file")[0].game) == {0}

    def test_files_of_other_versions_are_refused(self, rows: Decisions, kind: str, tmp_path: Path) -> None:
        file = io.BytesIO()
        WRITERS[kind](file, [rows], about_file() | {"version": 2})
        (tmp_path / "file").write_bytes(file.getvalue())
        with pytest.raises(DecisionsError, match="version 2 of sintra-decisions, and here version 1 is read"):
            read_decisions(tmp_path / "file")

    def test_damaged_files_are_refused(self, rows: Decisions, kind: str, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(bytes_of(rows, kind)[:5000])
        with pytest.raises(DecisionsError, match="cannot read decisions from"):
            read_decisions(tmp_path / "file")


class TestMistakes:
    @pytest.mark.parametrize("content", [b"", b"no such thing", b"PAR1 and no more"])
    def test_other_files_are_refused(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(DecisionsError, match="cannot read decisions from"):
            read_decisions(tmp_path / "file")

    def test_other_arrays_are_refused(self, tmp_path: Path) -> None:
        np.save(tmp_path / "one.npy", np.zeros(3))
        np.savez(tmp_path / "two.npz", about=json.dumps({"format": "something else"}))
        for name in ("one.npy", "two.npz"):
            with pytest.raises(DecisionsError, match="does not say that it is sintra-decisions"):
                read_decisions(tmp_path / name)
        with pytest.raises(DecisionsError, match="No such file"):
            read_decisions(tmp_path / "three.npz")

    def test_without_pyarrow(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        assert main(["selfplay", "--format", "parquet", "--out", str(tmp_path / "file")]) == 2
        assert capsys.readouterr().err == "sintra selfplay: Parquet needs pyarrow: pip install 'sintra[data]'\n"
        assert not os.listdir(tmp_path)

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["--format", "npz", "--legal"], "--legal is for records"),
            (["--format", "npz", "--out", "."], "cannot write .: it is a folder"),
            (["--format", "npz", "--out", "nowhere/file.npz"], "cannot write nowhere/file.npz.part: No such file"),
            (["--format", "npz", "--players", "nobody", "random"], "unknown player 'nobody'"),
            (["--format", "csv"], "invalid choice: 'csv'"),
            (["--jobs", "0"], "must be a whole number, 1 or more"),
        ],
    )
    def test_on_the_command_line(
        self,
        words: list[str],
        told: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.chdir(tmp_path)
        try:
            code = main(["selfplay", *words])
        except SystemExit as stop:
            code = int(stop.code or 0)
        assert code == 2
        assert told in capsys.readouterr().err.replace(os.sep, "/")
        assert not os.listdir(tmp_path)

    def test_a_terminal_gets_no_bytes(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        assert main(["selfplay", "--format", "npz"]) == 2
        assert "give --out FILE.npz" in capsys.readouterr().err


def test_the_published_set() -> None:
    """Its choices are legal and its observations those of the games: it is replayed, not made again."""
    assert PUBLISHED.stat().st_size < 1_000_000
    rows, about = read_decisions(PUBLISHED)
    assert about["players"] == ["search:sims=100", "search:sims=100,seed=1"]
    assert about["observation_version"] == observation.VERSION
    assert sorted(set(rows.game.tolist())) == list(range(about["games"])) == list(range(20))
    assert rows.observation.shape == (len(rows.game), SIZE)
    assert rows.choices.max() < CHOICES
    check(rows, about["seed"])
    check_visits(rows, 100)
