"""The end of round 5 against a plain expectimax over the engine's moves."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import soak
from helpers import legal_paths, some
from sintra import Game, Stage, View
from sintra.components import CHIP_COPIES, CHIP_FACES, NOTHING, ROUNDS
from sintra.players.thinking.endgame import (
    FOR_SEAT,
    MAX_TILES,
    MEAN,
    WIN,
    EndgameSolver,
    is_within_reach,
    tiles_on_factories,
)
from sintra.rules import engine
from sintra.rules.choices import unpack
from sintra.rules.state import DOWN, States, copied

from ..helpers import brute_force, play, played_greedily

NO_WEIGHTS = np.zeros((ROUNDS, 1))
FIRST_CHIP = 16
"""The place of round 5's first chip."""
SEEDS = soak.pick(9, 200)
"""Games, each of which gives up to two positions."""


def actions_left(states: States) -> int:
    return tiles_on_factories(states) + int((states["chip_state"] != 0).sum())


class Expectimax:
    """Round 5 to its end, move by move, without cleverness: seat 0's lead with the win on top."""

    def __init__(self) -> None:
        self.known: dict[bytes, float] = {}
        self.finals: dict[bytes, float] = {}

    def value(self, now: States) -> float:
        key = now.tobytes()
        if key not in self.known:
            if Stage(now["stage"][0]) is Stage.TILING:
                self.known[key] = self.worth(now)
            else:
                pick = max if now["turn"][0] == 0 else min
                self.known[key] = pick(self.after(now, path) for path in legal_paths(now))
        return self.known[key]

    def after(self, now: States, path: int) -> float:
        """The value of a move: the mean over the faces of chips it turns up."""
        made = play(now, path)
        turned = [
            f
            for f in range(4)
            if now["chip_state"][0, f] == DOWN != made["chip_state"][0, f]
            and made["chip_order"][0, FIRST_CHIP + f] == NOTHING
        ]
        return self.mean(made, turned)

    def mean(self, now: States, turned: list[int]) -> float:
        if not turned:
            return self.value(now)
        order: list[int] = now["chip_order"][0].tolist()
        unseen = {face: CHIP_COPIES - order.count(face) for face in range(CHIP_FACES)}
        total = 0.0
        for face, n in unseen.items():
            if n:
                shown = copied(now)
                shown["chip_order"][0, FIRST_CHIP + turned[0]] = face
                total += n * self.mean(shown, turned[1:])
        return total / float(sum(unseen.values()))

    def worth(self, now: States) -> float:
        lead = self.final(now, 0) - self.final(now, 1)
        holder = int(now["start_tile"][0] if now["start_tile"][0] >= 0 else now["first"][0])
        ahead = lead > 0 if lead else holder == 0
        return lead + (WIN if ahead else -WIN)

    def final(self, now: States, seat: int) -> float:
        """What a seat ends with; it depends on its board alone."""
        names = ("line_color", "line_size", "broken", "store", "dome")
        key = bytes([seat, int(now["start_tile"][0] == seat)]) + b"".join(
            now[name][0, seat].tobytes() for name in names
        )
        if key not in self.finals:
            self.finals[key] = brute_force(now, seat, NO_WEIGHTS)
        return self.finals[key]


class Partial(Expectimax):
    """Expectimax in which chips always come as it suits one seat best."""

    def __init__(self, seat: int) -> None:
        super().__init__()
        self.pick = max if seat == 0 else min

    def mean(self, now: States, turned: list[int]) -> float:
        if not turned:
            return self.value(now)
        order: list[int] = now["chip_order"][0].tolist()
        values = []
        for face in range(CHIP_FACES):
            if order.count(face) < CHIP_COPIES:
                shown = copied(now)
                shown["chip_order"][0, FIRST_CHIP + turned[0]] = face
                values.append(self.mean(shown, turned[1:]))
        return self.pick(values)


def view_of(states: States) -> States:
    return View.of_state(states, 0, int(states["turn"][0])).state


@cache
def late_positions() -> tuple[States, ...]:
    """Views of the seat to move in round 5 with few tiles and chips left, of many games."""
    found: list[States] = []
    for seed in range(SEEDS):
        late = [
            states
            for states in played_greedily(seed, goals=3 + seed % 2)
            if states["round_no"][0] == ROUNDS and states["stage"][0] == Stage.TURN and actions_left(states) <= 5
        ]
        wide = [view_of(states) for states in late if len(legal_paths(states)) > 1 and actions_left(states) > 2]
        found += wide[:2]
    return tuple(found)


def with_hidden_chips() -> list[States]:
    return [states for states in late_positions() if (states["chip_state"] == DOWN).any()]


@pytest.mark.soak
def test_the_positions_are_worth_testing() -> None:
    assert len(late_positions()) > SEEDS
    assert len(with_hidden_chips()) > SEEDS // 3
    assert {int(states["turn"][0]) for states in late_positions()} == {0, 1}


@pytest.mark.soak
def test_the_value_is_exact_and_the_move_attains_it() -> None:
    solver = EndgameSolver(400_000)
    for states in some(late_positions()):
        ending = solver.solve(states)
        assert ending is not None
        assert ending.exact
        plain = Expectimax()
        assert ending.value == pytest.approx(plain.value(states), abs=1e-6), Game(states).position
        assert ending.path in legal_paths(states)
        assert plain.after(states, ending.path) == pytest.approx(ending.value, abs=1e-6), Game(states).position


def with_a_chip_that_decides() -> Game:
    """One of two hidden chips completes seat 0's line 2, and who gets it depends on where it lies."""
    return Game.from_position(
        "round: 5; turn: 0; goals: rows columns diagonals; start tile: 0; factory 1: sun - moon Y chip down; "
        "factory 2: sun - moon T chip down; chips: B- Y- Y- R- R- K- K- T- TY TY YK YK KB KB RT RT B- T- BR BR; "
        "0 left: markers=0 chips=1; 1 left: markers=0 chips=1; 0 lines: - B1 - - - -; 0 plates: 11=02r0 12=04r0; "
        "0 store: B-"
    )


@pytest.mark.soak
def test_chips_can_come_as_it_suits_a_seat() -> None:
    solver = EndgameSolver(400_000)
    differ = 0
    for states in (with_a_chip_that_decides().view(0).state, *with_hidden_chips()[: soak.pick(1, 100)]):
        values = [solver.exact_value(states, chance) for chance in (FOR_SEAT[0], MEAN, FOR_SEAT[1])]
        plain = [Partial(0).value(states), Expectimax().value(states), Partial(1).value(states)]
        assert values == pytest.approx(plain, abs=1e-6), Game(states).position
        assert plain == sorted(plain, reverse=True)
        differ += plain[0] != plain[2]
    assert differ


def test_the_end_of_a_draft_has_an_exact_value_too() -> None:
    ends = [
        states
        for states in played_greedily(4)
        if states["round_no"][0] == ROUNDS and states["stage"][0] == Stage.TILING and states["walk"][0] == 0
    ]
    assert EndgameSolver(1000).exact_value(ends[0], MEAN) == pytest.approx(Expectimax().value(ends[0]))
    long = next(states for states in played_greedily(3) if states["round_no"][0] == ROUNDS)
    assert EndgameSolver(1000).exact_value(view_of(long), MEAN) is None


def test_solving_leaves_the_view_alone_and_does_not_remember() -> None:
    solver = EndgameSolver(100_000)
    some = late_positions()[:8]
    first = [solver.solve(states) for states in some]
    again = [EndgameSolver(100_000).solve(copied(states)) for states in reversed(some)][::-1]
    assert first == again


def small_with_stacking() -> Game:
    """Seat 0 may take from a sun side whose rest goes on the moon stack in an order it chooses."""
    return Game.from_position(
        "round: 5; turn: 0; goals: rows columns diagonals; factory 1: sun BYR moon - chip down; "
        "0 left: markers=0 chips=1; 1 left: markers=0 chips=1; "
        "0 lines: - B1 - - - -; 1 lines: Y1 R1 - - - -; 0 plates: 11=02r0 12=04r0; 1 plates: 11=03r0 12=10r0; "
        "0 dome: ...... ..R... ...... ...... ...... ......; 0 store: B-; 1 store: R- RT"
    )


def test_orders_of_the_moon_stack_are_chosen_exactly() -> None:
    states = small_with_stacking().view(0).state
    solver, plain = EndgameSolver(400_000), Expectimax()
    whole = solver.solve(states)
    assert whole
    assert whole.exact
    assert whole.value == pytest.approx(plain.value(states))
    takes = {path for path in legal_paths(states) if len(unpack(path)) > 1}
    assert takes
    begun = {unpack(path)[0] for path in takes}
    for choice in begun:
        middle = copied(states)
        assert engine.apply(middle, 0, choice)
        assert Stage(middle["stage"][0]) is Stage.STACKING
        ending = solver.solve(middle)
        assert ending
        assert ending.exact
        values = {path: plain.after(states, path) for path in takes if unpack(path)[0] == choice}
        assert ending.value == pytest.approx(max(values.values()))
        assert ending.path in legal_paths(middle)
        whole_path = next(path for path in values if unpack(path)[1:] == unpack(ending.path))
        assert values[whole_path] == pytest.approx(ending.value)


def test_it_stops_at_its_bound_of_nodes_and_says_so() -> None:
    states = next(
        view_of(states)
        for states in played_greedily(3)
        if states["round_no"][0] == ROUNDS and states["stage"][0] == Stage.TURN
    )
    assert tiles_on_factories(states) == 21
    for nodes in (1_000, 5_000):
        ending = EndgameSolver(nodes).solve(states)
        assert ending is not None
        assert not ending.exact
        assert ending.path in legal_paths(states)
        # each step of a move may spend 200 nodes beyond the bound
        assert ending.nodes <= nodes + 3 * 201


def test_more_nodes_look_deeper() -> None:
    states = max(late_positions(), key=lambda one: len(legal_paths(one)))
    shallow, deep = EndgameSolver(250).solve(states), EndgameSolver(400_000).solve(states)
    assert deep
    assert deep.exact
    assert shallow is None or shallow.depth <= deep.depth


def test_only_what_is_within_reach_and_sure_is_answered_exactly() -> None:
    solver = EndgameSolver(400_000)
    for states in late_positions()[:4]:
        assert is_within_reach(states)
        assert solver.solve_exactly(states) == solver.solve(states)
        assert EndgameSolver(1).solve_exactly(states) is None
    earlier = [view_of(states) for states in played_greedily(3) if states["stage"][0] == Stage.TURN]
    far = [states for states in earlier if states["round_no"][0] < ROUNDS or tiles_on_factories(states) > MAX_TILES]
    assert {int(states["round_no"][0]) for states in far} == set(range(1, ROUNDS + 1))
    for states in far:
        assert not is_within_reach(states)
        assert solver.solve_exactly(states) is None
