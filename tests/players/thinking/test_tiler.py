"""The exact tiling against brute force over the engine's own moves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest

import soak
from helpers import VECTORS, legal_paths, play_on, some
from sintra import Game, Stage
from sintra.components import ROUNDS
from sintra.features.board import BIAS, CHIPS, FEATURES
from sintra.players.thinking.evaluator import Evaluator, standard_evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.records.files import read_records
from sintra.rules.choices import first_of
from sintra.rules.state import Array, States, copied

from ..helpers import PAYMENTS, begun_tilings, brute_force, features_of, play, value_of_end

NO_WEIGHTS = np.zeros((ROUNDS, FEATURES))
GAMES = soak.pick(12, 300)
"""Each gives ten positions."""


@cache
def positions() -> tuple[States, ...]:
    """Beginnings of tilings in greedy games where chips are hoarded, of all rounds."""
    return tuple(states for seed in range(GAMES) for states in begun_tilings(seed, goals=3 + seed % 2))


def random_weights(dice: Random) -> Array:
    """Weights of both signs; the bias keeps every end above 0."""
    weights = np.array([[dice.uniform(-3, 3) for _ in range(FEATURES)] for _ in range(ROUNDS)])
    weights[:, CHIPS] = dice.uniform(-4, 4)
    weights[:, BIAS] = 1000.0
    return weights


def weighing(weights: Array) -> Tiler:
    """A tiler with an evaluator that has these weights."""
    return Tiler(Evaluator(weights, Evaluator.blank().scales))


def solved(states: States, seat: int, weights: Array) -> float:
    return weighing(weights).value(states, seat)


def followed(states: States, weights: Array) -> float:
    """What following the tiler move by move comes to, every move being legal."""
    seat = int(states["turn"][0])
    now = copied(states)
    now["first"] = seat
    tiler = weighing(weights)
    while now["turn"][0] == seat:
        path = tiler.next_move(now)
        assert path in legal_paths(now), Game(now).position
        now = play(now, path)
    return value_of_end(now, seat, weights)


def walked(states: States, dice: Random) -> Iterator[States]:
    """The positions of a random walk through the seat's tiling, payments liked."""
    seat = int(states["turn"][0])
    now = copied(states)
    now["first"] = seat
    while True:
        paths = legal_paths(now)
        liked = [path for path in paths if first_of(path) in PAYMENTS]
        now = play(now, dice.choice(liked or paths))
        if now["turn"][0] != seat:
            return
        yield now


@pytest.mark.soak
def test_the_positions_are_worth_testing() -> None:
    chips = [int(states["store"][0, states["turn"][0]].sum()) for states in positions()]
    assert len(positions()) == 10 * GAMES
    assert {int(states["round_no"][0]) for states in positions()} == {1, 2, 3, 4, 5}
    assert max(chips) >= 10
    dice = Random(0)
    paid = [any(now["pay_line"][0] >= 0 for now in walked(states, dice)) for states in positions()]
    assert sum(paid) > 4 * GAMES


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["none", "standard", "random"])
def test_the_value_is_that_of_brute_force(kind: str) -> None:
    dice = Random(kind)
    for states in some(positions()):
        weights = {"none": NO_WEIGHTS, "standard": standard_evaluator().weights}.get(kind, random_weights(dice))
        seat = int(states["turn"][0])
        before = states.tobytes()
        assert solved(states, seat, weights) == pytest.approx(brute_force(states, seat, weights), abs=1e-6)
        assert states.tobytes() == before


@pytest.mark.soak
def test_both_seats_are_solved_from_the_beginning_of_the_phase() -> None:
    for states in some(states for states in positions() if states["turn"][0] == states["first"][0]):
        other = 1 - int(states["turn"][0])
        weights = standard_evaluator().weights
        assert solved(states, other, weights) == pytest.approx(brute_force(states, other, weights), abs=1e-6)


@pytest.mark.soak
def test_the_value_is_exact_in_the_middle_of_a_walk() -> None:
    dice = Random(1)
    tested = 0
    for states in positions()[::2]:
        for now in walked(states, dice):
            if Stage(now["stage"][0]) is Stage.TILING:
                weights = random_weights(dice)
                seat = int(now["turn"][0])
                assert solved(now, seat, weights) == pytest.approx(brute_force(now, seat, weights), abs=1e-6)
                tested += 1
    assert tested > 4 * GAMES


@pytest.mark.soak
def test_the_value_is_exact_with_a_payment_begun() -> None:
    dice = Random(2)
    tested = 0
    for states in positions():
        for now in walked(states, dice):
            if Stage(now["stage"][0]) is Stage.PAYING:
                weights = random_weights(dice)
                seat = int(now["turn"][0])
                found, best = solved(now, seat, weights), brute_force(now, seat, weights)
                assert found == pytest.approx(best, abs=1e-6), Game(now).position
                tested += 1
    assert tested > GAMES


@pytest.mark.soak
def test_a_payment_of_one_seat_does_not_touch_the_value_of_the_other() -> None:
    dice = Random(3)
    tested = 0
    for states in positions():
        if states["turn"][0] != states["first"][0]:
            continue
        other = 1 - int(states["turn"][0])
        expected = solved(states, other, standard_evaluator().weights)
        for now in walked(states, dice):
            if now["pay_line"][0] >= 0:
                assert solved(now, other, standard_evaluator().weights) == pytest.approx(expected), Game(now).position
                tested += 1
    assert tested > 2 * GAMES


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["standard", "random"])
def test_following_it_is_legal_and_attains_the_promise(kind: str) -> None:
    dice = Random(f"follow {kind}")
    for states in some(positions()):
        weights = standard_evaluator().weights if kind == "standard" else random_weights(dice)
        promise = solved(states, int(states["turn"][0]), weights)
        assert followed(states, weights) == pytest.approx(promise, abs=1e-6), Game(states).position


@pytest.mark.soak
def test_following_it_from_the_middle_attains_the_best() -> None:
    dice = Random(5)
    for states in some(positions()[::2]):
        for now in walked(states, dice):
            weights = random_weights(dice)
            best = brute_force(now, int(now["turn"][0]), weights)
            assert followed(now, weights) == pytest.approx(best, abs=1e-6), Game(now).position


def test_ends_below_zero_are_compared_too() -> None:
    """Weights may make every end negative; the least bad one is still the best."""
    weights = NO_WEIGHTS.copy()
    weights[:, BIAS] = -200.0
    for states in some(states for states in positions()[:20] if states["round_no"][0] < ROUNDS):
        seat = int(states["turn"][0])
        assert solved(states, seat, weights) == pytest.approx(brute_force(states, seat, weights))


def test_the_next_move_is_legal_on_poor_boards_too() -> None:
    """With few points a board can be expected to end below nothing; its owner must still move."""
    tiler = Tiler(standard_evaluator())
    for seed in range(12):
        games = play_on(Game.new(seed=seed), "uniform", Random(seed))
        for game in some(game for game in games if game.stage is Stage.TILING):
            path = tiler.next_move(game.state)
            assert path in legal_paths(game.state), game.position


class TestWhatIsLeft:
    """Chips and lines left over count, except in the last round."""

    TEXT = "stage: tiling; goals: rows columns diagonals; 0 lines: - B1 - - - -; 0 plates: 11=02r3; 0 store: B- BR"
    """Row 2 has a wild space for line 2."""

    @staticmethod
    def move(text: str, weights: Array) -> str:
        game = Game.from_position(text)
        path = weighing(weights).next_move(game.state)
        return str(
            next(move for move, one in zip(game.legal_moves, legal_paths(game.state), strict=True) if one == path)
        )

    def test_worthless_chips_are_spent_for_a_point(self) -> None:
        for round_no in range(2, 6):
            assert self.move(f"round: {round_no}; " + self.TEXT, NO_WEIGHTS) == "U2:B-,BR"

    def test_dear_chips_are_kept(self) -> None:
        weights = NO_WEIGHTS.copy()
        weights[:, CHIPS] = 1.0
        for round_no in range(2, 5):
            assert self.move(f"round: {round_no}; " + self.TEXT, weights) == "E"

    def test_in_the_last_round_nothing_left_over_counts(self) -> None:
        weights = np.full((ROUNDS, FEATURES), 50.0)
        assert self.move("round: 5; " + self.TEXT, weights) == "U2:B-,BR"
        assert solved(Game.from_position("round: 5; " + self.TEXT).state, 0, weights) == 6.0

    def test_the_goals_decide_the_space_in_the_last_round(self) -> None:
        text = "stage: tiling; goals: rows columns wilds; 0 lines: - B2 - - - -; 0 plates: 11=02r3 12=18r0; "
        text += "0 dome: ...... ...R.. ...... ...... ...... ......"  # row 2: W T, B R
        assert self.move("round: 4; " + text, NO_WEIGHTS) == "T23"
        assert self.move("round: 5; " + text, NO_WEIGHTS) == "T21"
        assert solved(Game.from_position("round: 5; " + text).state, 0, NO_WEIGHTS) == 5 + 1 + 2


def test_memory_used_before_leaves_nothing_behind() -> None:
    record = read_records(VECTORS / "rare.jsonl")[0]
    game = record.replay(145)
    used = weighing(NO_WEIGHTS)
    for seat in (0, 1):
        used.value(game.state, seat)
    assert used.value(game.state, game.turn) == solved(game.state, game.turn, NO_WEIGHTS) == 64
    weights = random_weights(Random(6))
    used = weighing(weights)
    for states in positions():
        for seat in (0, 1):
            fresh = weighing(weights)
            assert used.value(states, seat) == fresh.value(states, seat)
            for name in ("best_col", "best_chips", "best_score"):
                assert np.array_equal(used.work[name], fresh.work[name]), Game(states).position


def test_the_features_of_the_best_end_are_those_of_its_board() -> None:
    """Trying tiles on sets of bits leads to the board that the moves lead to."""
    for states in some(states for states in positions() if states["round_no"][0] < ROUNDS):
        seat, now, tiler = int(states["turn"][0]), copied(states), Tiler(standard_evaluator())
        now["first"] = seat
        tiler.value(now, seat)
        features, score = tiler.work["best_features"][0].copy(), int(tiler.work["best_score"][0])
        while now["turn"][0] == seat:
            now = play(now, tiler.next_move(now))
        assert np.array_equal(features, features_of(now, seat)), Game(states).position
        assert score == now["score"][0, seat]
