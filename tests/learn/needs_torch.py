"""Learning with PyTorch: `make test-learn` runs this, in an environment that has it."""

from __future__ import annotations

import runpy
import time
from pathlib import Path

import numpy as np
import pytest
import torch

from sintra.features.board import NAMES
from sintra.learn.deep import PolicyNetwork, fit_deep
from sintra.learn.deep_value import fit_hidden
from sintra.learn.examples import Examples
from sintra.learn.fitting import SAMPLE, fit
from sintra.learn.linear import divergence, fit_linear, logits_of, shares_of
from sintra.learn.loop import Plan, Run
from sintra.learn.notes import Notes
from sintra.learn.playing import Budget, Noter
from sintra.players.thinking.evaluator import TEMPERATURE, hand_made_evaluator, standard_evaluator
from sintra.players.thinking.network import ARRAYS, STAGES, load_network, no_network

BUDGET = Budget(deep=80, share=0.25, quick=10)


@pytest.fixture(scope="module")
def notes() -> Notes:
    noter = Noter(hand_made_evaluator(), BUDGET)
    return Notes.together([noter.play(seed) for seed in range(24)])


def test_a_network_learns_what_the_search_does(notes: Notes) -> None:
    is_aside = notes.game % 4 == 0
    learned_from = Examples.of(notes.of(np.flatnonzero(~is_aside)))
    aside = Examples.of(notes.of(np.flatnonzero(is_aside)))
    fitted = fit_deep(learned_from, aside, seed=1)
    rows = fitted.network.array["row_bias"].shape[1]
    by_hand = divergence(aside, logits_of(aside, np.zeros(rows), np.full(STAGES, 1 / TEMPERATURE)))
    assert fitted.held_out < by_hand
    assert fitted.training < fitted.held_out
    assert fitted.epochs > 1


def test_a_fit_goes_on_with_the_network_it_begins_with(notes: Notes) -> None:
    """One that knows twenty games learns from two more; from nothing, two games are too few."""
    many = Examples.of(notes.of(np.flatnonzero((notes.game % 4 != 0) & (notes.game > 2))))
    few = Examples.of(notes.of(np.flatnonzero((notes.game == 1) | (notes.game == 2))))
    aside = Examples.of(notes.of(np.flatnonzero(notes.game % 4 == 0)))
    start = fit_deep(many, aside, seed=1)
    lines: list[str] = []
    onward = fit_deep(few, aside, seed=1, tell=lines.append, start=start.network)
    assert lines[0] == f"it begins with {start.held_out:.4f}"
    assert onward.held_out <= start.held_out + 1e-6, "no worse than what it began with"
    assert onward.held_out < fit_deep(few, aside, seed=1).held_out


def test_a_fit_that_finds_nothing_better_keeps_what_it_began_with(notes: Notes) -> None:
    """What it learns from says the contrary of what is set aside."""
    aside = Examples.of(notes)
    contrary = Examples.of(notes._replace(visits=notes.visits.max() + 1 - notes.visits))
    start = fit_deep(aside, aside, seed=1).network
    kept = fit_deep(contrary, aside, seed=1, start=start).network
    for name in ARRAYS:
        assert kept.array[name] == pytest.approx(start.array[name])


def test_a_network_goes_to_the_search_and_comes_back(notes: Notes) -> None:
    examples = Examples.of(notes)
    linear = fit_linear(examples, steps=20)
    model = PolicyNetwork(linear)
    again = model.network()
    for name in ARRAYS:
        assert again.array[name] == pytest.approx(linear.array[name])
    model.eval()
    with torch.no_grad():
        logits = model(
            torch.from_numpy(examples.inputs.astype(np.int32)),
            torch.from_numpy(examples.stages),
            torch.from_numpy(examples.decision),
            torch.from_numpy(examples.rows.astype(np.int32)),
            torch.from_numpy(examples.opinions),
        ).numpy()
    expected = logits_of(examples, linear.array["row_bias"][0], linear.array["opinion"][0])
    assert shares_of(examples, logits) == pytest.approx(shares_of(examples, expected), abs=1e-4)
    assert PolicyNetwork(no_network()).network().array["opinion"] == pytest.approx(1 / TEMPERATURE)


def test_a_network_learns_what_weighs(notes: Notes) -> None:
    """Decisions that say the contrary teach nothing if they weigh nothing."""
    aside = Examples.of(notes.of(np.flatnonzero(notes.game % 4 == 0)))
    chosen = notes.of(np.flatnonzero(notes.game % 4 != 0))
    contrary = chosen._replace(visits=chosen.visits.max() + 1 - chosen.visits)
    decisions = np.arange(2 * len(chosen.states))
    both = Examples.of(Notes.together([chosen, contrary]).of(decisions))
    right = both._replace(weight=(decisions < len(chosen.states)).astype(np.float32))
    wrong = both._replace(weight=1 - right.weight)
    assert fit_deep(right, aside, seed=1).held_out < fit_deep(wrong, aside, seed=1).held_out - 0.01


def test_a_hidden_layer_learns_what_features_mean_together() -> None:
    """Boards gain 8 points where two features are there together, which no weights can say."""
    dice = np.random.default_rng(1)
    notes = np.zeros(4000, SAMPLE)
    notes["features"][:, :, :, :2] = dice.integers(0, 2, (4000, 1, 2, 2))
    notes["features"][..., NAMES.index("bias")] = 1
    notes["score"] = 20
    both = notes["features"][:, 0, :, 0] * notes["features"][:, 0, :, 1]
    notes["final"] = 30 + 8 * both
    found = fit_hidden(notes, fit(notes, tell=lambda line: None), seed=1)
    layer = found.hidden
    assert layer is not None
    seen = np.append(notes["features"][:, 1], notes["score"][:, 1, :, None], -1) @ layer.to_hidden
    added = np.maximum(seen + layer.hidden_bias[1], 0) @ layer.from_hidden + layer.bias[1]
    worth = 20 + notes["features"][:, 1] @ found.weights[1]
    lead = notes["final"][:, 0] - notes["final"][:, 1]
    assert np.abs(worth[:, 0] - worth[:, 1] - lead).mean() > 1.5
    assert np.abs((worth + added)[:, 0] - (worth + added)[:, 1] - lead).mean() < 0.5
    assert (worth + added).mean() == pytest.approx(worth.mean(), abs=0.01)


def test_the_whole_loop(tmp_path: Path) -> None:
    lines: list[str] = []
    run = Run(tmp_path, Plan(games=12, budget=BUDGET, trial_games=4, trial_sims=10, jobs=1), lines.append)
    (tmp_path / "best.npz").unlink(missing_ok=True)
    learned = run.go_on(minutes=0.5)
    assert learned or run.entries("games")
    assert lines[0] == "compiling what is not compiled yet"
    for one in learned:
        assert one.after < one.by_hand


@pytest.mark.parametrize(
    ("start", "fit_from", "began"),
    [
        ("packaged", "best", "best"),
        ("packaged", "nothing", "nothing"),
        ("hand", "best", "nothing"),
    ],
)
def test_fits_of_a_run_begin_with_what_the_plan_says(tmp_path: Path, start: str, fit_from: str, began: str) -> None:
    plan = Plan(games=12, budget=BUDGET, trial_games=2, trial_sims=5, jobs=1, start=start, fit_from=fit_from)
    lines: list[str] = []
    run = Run(tmp_path, plan, lines.append)
    assert run.play(1, time.monotonic() + 36_000)
    run.improve(1)
    assert [entry["start"] for entry in run.entries("fitted")] == [began]
    assert any(line.startswith("it begins with") for line in lines) == (began == "best")
    made, packaged = load_network(tmp_path / "networks" / "0001.npz"), standard_evaluator().network
    apart = np.abs(made["inputs"] - packaged["inputs"]).mean() / np.abs(packaged["inputs"]).mean()
    assert (apart < 0.5) == (began == "best"), apart


def test_the_training_of_the_examples_learns() -> None:
    """At random the lead is 0, give or take 0.1; in five runs of this length it came to 1.5 to 3.4."""
    torch.set_num_threads(1)
    example = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "train_torch.py"))
    (_, _, before), (decisions, _, after) = example["train"](250_000, seed=1, looks=1)
    assert decisions > 240_000
    assert abs(before) < 0.6
    assert after > 0.6
