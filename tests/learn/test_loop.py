"""Learning as a loop: notes of games, a policy that comes nearer to the search, runs that go on where they stopped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sintra.learn.curve import curve_svg
from sintra.learn.examples import Examples
from sintra.learn.linear import divergence, fit_linear, logits_of
from sintra.learn.loop import HELD_OUT_EVERY, LearnError, Plan, Run
from sintra.learn.notes import Notes, NotesError
from sintra.learn.playing import ALL, Budget, Noter
from sintra.players import PlayerError
from sintra.players.thinking.evaluator import HAND, TEMPERATURE, hand_made_evaluator, load_evaluator
from sintra.players.thinking.network import STAGES, load_network, no_network, save_network
from sintra.rules.state import Stage

HOURS_LATER = time.monotonic() + 36_000
BUDGET = Budget(deep=80, share=0.25, quick=10)


@pytest.fixture(scope="module")
def notes() -> Notes:
    noter = Noter(hand_made_evaluator(), BUDGET)
    return Notes.together([noter.play(seed) for seed in range(16)])


def test_notes_say_what_was_searched_and_what_came_of_it(notes: Notes) -> None:
    assert len(notes.boards) == 16
    assert len(notes.states) > 100
    assert (np.diff(notes.first) > 1).all()
    totals = np.add.reduceat(notes.visits, notes.first[:-1])
    assert totals.max() >= BUDGET.deep - 1
    assert set(notes.states["stage"]) <= {Stage.OPENING, Stage.TURN, Stage.TURNING, Stage.STACKING, Stage.DRAWING, 4}
    scores = notes.sources.sum(2) + 5
    assert (scores == notes.boards["final"]).mean() > 0.9  # all but those that a floor of 0 has kept up
    assert (notes.boards["score"][:, :4] <= notes.boards["final"][:, None] + 40).all()


def test_the_same_seed_gives_the_same_notes(notes: Notes) -> None:
    again = Noter(hand_made_evaluator(), BUDGET).play(0)
    first = notes.of(np.flatnonzero(notes.game == 0))
    assert again.states.tobytes() == first.states.tobytes()
    assert again.visits.tolist() == first.visits.tolist()


def test_notes_survive_in_files(notes: Notes, tmp_path: Path) -> None:
    notes.save(tmp_path / "notes.npz")
    found = Notes.load(tmp_path / "notes.npz")
    for one, other in zip(notes, found, strict=True):
        assert one.tobytes() == other.tobytes()
    twice = Notes.together([notes, found])
    assert len(twice.states) == 2 * len(notes.states)
    assert twice.of(np.arange(len(notes.states), 2 * len(notes.states))).choices.tolist() == notes.choices.tolist()
    assert len(Notes.together([]).states) == 0
    (tmp_path / "cut.npz").write_bytes((tmp_path / "notes.npz").read_bytes()[:1000])
    with pytest.raises(NotesError, match=r"cannot read notes from .*cut\.npz"):
        Notes.load(tmp_path / "cut.npz")


def test_notes_of_all_decisions_are_of_the_same_games(notes: Notes) -> None:
    noter = Noter(hand_made_evaluator(), replace(BUDGET, targets=ALL, quick=30))
    some = Noter(hand_made_evaluator(), replace(BUDGET, quick=30)).play(3)
    every = noter.play(3)
    assert some.is_deep.all()
    assert len(every.states) > 2 * len(some.states)
    deep = every.of(np.flatnonzero(every.is_deep))
    for one, other in zip(some, deep, strict=True):
        assert one.tobytes() == other.tobytes()
    totals = np.add.reduceat(every.visits, every.first[:-1])
    assert totals[~every.is_deep].max() <= 30
    both = Notes.together([notes, every])
    assert both.is_deep.tolist() == [True] * len(notes.states) + every.is_deep.tolist()


def test_notes_that_do_not_say_which_decisions_are_deep_hold_deep_ones(notes: Notes, tmp_path: Path) -> None:
    notes.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as found:
        np.savez_compressed(tmp_path / "old.npz", **{name: found[name] for name in found if name != "is_deep"})
    old = Notes.load(tmp_path / "old.npz")
    assert old.is_deep.dtype == np.bool_
    assert old.is_deep.tolist() == [True] * len(notes.states)
    assert old.visits.tolist() == notes.visits.tolist()


def test_a_quick_decision_counts_by_its_visits(notes: Notes) -> None:
    assert (Examples.of(notes).weight == 1).all()
    assert Examples.of(Notes.empty()).weight.tolist() == []
    is_deep = notes.game % 2 == 0
    totals = np.add.reduceat(notes.visits, notes.first[:-1])
    weight = Examples.of(notes._replace(is_deep=is_deep)).weight
    assert weight == pytest.approx(np.where(is_deep, 1, totals / totals.max()))
    assert weight.min() < 1


def test_a_decision_of_weight_two_counts_as_two(notes: Notes) -> None:
    """And one of weight 0 not at all."""
    first = np.flatnonzero(notes.game < 4)
    half = first[::2]
    once = Examples.of(notes.of(first))
    weighted = once._replace(weight=np.where(np.arange(len(first)) % 2 == 0, 2, 1).astype(np.float32))
    twice = Examples.of(notes.of(np.concatenate([first, half])))
    alone = once._replace(weight=np.where(np.arange(len(first)) % 2 == 0, 1, 0).astype(np.float32))
    for one, other in ((weighted, twice), (alone, Examples.of(notes.of(half)))):
        network, expected = fit_linear(one, steps=20), fit_linear(other, steps=20)
        rows, opinion = network.array["row_bias"][0], network.array["opinion"][0]
        assert rows == pytest.approx(expected.array["row_bias"][0], abs=5e-3)
        assert np.abs(rows - fit_linear(once, steps=20).array["row_bias"][0]).max() > 2e-2
        apart = divergence(one, logits_of(one, rows, opinion))
        assert apart == pytest.approx(divergence(other, logits_of(other, rows, opinion)), rel=1e-5)


def test_what_is_learned_comes_nearer_to_the_search_on_games_it_has_not_seen(notes: Notes) -> None:
    is_aside = notes.game % 4 == 0
    learned_from = Examples.of(notes.of(np.flatnonzero(~is_aside)))
    aside = Examples.of(notes.of(np.flatnonzero(is_aside)))
    network = fit_linear(learned_from, steps=60)
    rows, opinion = network.array["row_bias"][0], network.array["opinion"][0]
    by_hand = (np.zeros_like(rows), np.full(STAGES, 1 / TEMPERATURE))
    assert divergence(learned_from, logits_of(learned_from, rows, opinion)) < 0.8 * divergence(
        learned_from, logits_of(learned_from, *by_hand)
    )
    assert divergence(aside, logits_of(aside, rows, opinion)) < divergence(aside, logits_of(aside, *by_hand))


shown: list[tuple[str, int, int]] = []


def run(folder: Path, **changes: int | str | Budget) -> Run:
    plan = {"games": 12, "budget": BUDGET, "trial_games": 4, "trial_sims": 10, "kind": "linear", "jobs": 1} | changes
    return Run(folder, Plan(**plan), lambda line: None, lambda *what: shown.append(what))  # type: ignore[arg-type]


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first = run(tmp_path)
    assert not first.play(1, end=0.0), "no time, no games"
    assert first.play(1, end=HOURS_LATER)
    again = run(tmp_path)
    assert again.play(1, end=0.0), "its games are there already"
    learned = again.improve(1)
    assert learned.games >= 12
    assert learned.tried == 4
    assert (tmp_path / "networks" / "0001.npz").exists()
    for what in ("network", "value"):
        assert len((tmp_path / "trials" / f"0001-{what}.jsonl").read_text().splitlines()) == 4
    value = load_evaluator(str(tmp_path / "values" / "0001.json"))
    assert (again.value is not None) == learned.value_accepted
    assert learned.value_accepted == (learned.value_won > 2)
    if again.value:
        assert load_evaluator(again.value).dumps() == value.dumps()
    assert len(again.entries("iteration")) == 1
    assert shown[-1] == ("0001-value: trial", 4, 4)
    assert ("0001-network: trial", 4, 4) in shown
    assert ("iteration 1: games", 12, 12) in shown
    assert (tmp_path / "curve.svg").read_text() == curve_svg(again.entries("iteration"))
    log = tmp_path / "log.jsonl"
    log.write_text(log.read_text() + '{"what": "iterat')  # killed while writing
    assert len(run(tmp_path).entries("iteration")) == 1
    run(tmp_path).log("games", iteration=2, games=0)
    assert len(run(tmp_path).entries("games")) > len(again.entries("iteration")), "what follows a cut line is not lost"
    assert run(tmp_path).entries("games")[-1]["iteration"] == 2
    best = run(tmp_path).best
    assert load_evaluator(policy=best).network["is_there"][0] == (best != HAND)


def test_a_run_learns_from_the_decisions_that_its_plan_names(tmp_path: Path) -> None:
    everything = replace(BUDGET, targets=ALL, quick=30)
    assert run(tmp_path, budget=everything).play(1, end=HOURS_LATER)
    noted = Notes.together(map(Notes.load, run(tmp_path).notes()))
    assert 0 < noted.is_deep.sum() < len(noted.states)
    assert run(tmp_path, budget=everything).improve(1).decisions == len(noted.states)
    assert run(tmp_path).improve(2).decisions == noted.is_deep.sum()
    by_hand = [entry["by_hand"] for entry in run(tmp_path).entries("iteration")]
    assert by_hand[0] == by_hand[1], "both are measured on the same decisions"


def test_what_a_run_says(tmp_path: Path) -> None:
    command = "learn RUN --minutes 0.02 --games 2 --deep 30 --quick 5 --trial 2 --trial-sims 5 --kind linear --jobs 1"
    command += " --targets all"
    done = subprocess.run(
        [sys.executable, "-m", "sintra", *command.split()],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("compiling what is not compiled yet\n")


def test_a_folder_that_cannot_be_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LearnError, match="cannot learn in"):
        run(tmp_path / "file")


def test_a_linear_network_begins_with_no_other(tmp_path: Path) -> None:
    with pytest.raises(LearnError, match="always fitted from nothing: leave out --fit-from, or learn with --kind deep"):
        run(tmp_path, fit_from="best")
    assert not list(tmp_path.iterdir())


def test_without_pytorch_a_deep_network_is_refused_in_words_before_games_are_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "sintra.learn.deep", raising=False)
    one = run(tmp_path, kind="deep", games=HELD_OUT_EVERY + 2)
    with pytest.raises(LearnError, match="needs PyTorch: pip install 'sintra\\[learn\\]', or learn with --kind linear"):
        one.go_on(1)
    assert [json.loads(line)["what"] for line in (tmp_path / "log.jsonl").read_text().splitlines()] == ["start"]


def test_a_run_begins_with_whom_it_is_told_to_and_stays_with_them(tmp_path: Path) -> None:
    assert run(tmp_path / "a").best == str(tmp_path / "a" / "best.npz")
    assert run(tmp_path / "b", start="hand").best == HAND
    assert run(tmp_path / "b").best == HAND, "the folder is not new any more"
    nothing_learned = run(tmp_path / "b").value
    assert nothing_learned is not None
    assert load_evaluator(nothing_learned).dumps() == hand_made_evaluator().dumps()
    save_network(no_network(), tmp_path / "mine.npz")
    own = load_network(Path(run(tmp_path / "c", start=str(tmp_path / "mine.npz")).best))
    assert not own.array["row_bias"].any()
    with pytest.raises(PlayerError, match="cannot read a network from nowhere"):
        run(tmp_path / "d", start="nowhere")
    assert not (tmp_path / "d" / "log.jsonl").exists(), "the next run may begin with somebody else"
    assert [entry["start"] for entry in run(tmp_path / "b").entries("start")] == ["hand"]
