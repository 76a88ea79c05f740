"""Intervals, Elo and the sequential test against known numbers and synthetic results."""

from __future__ import annotations

import math
from itertools import combinations
from random import Random

import pytest

from helpers import some
from sintra.arena import ladder, sequential_test, wilson


def chance(difference: float) -> float:
    """The share of wins of who is so much stronger."""
    return 1 / (1 + 10 ** (-difference / 400))


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (50, 100, 0.4038, 0.5962),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (1, 2, 0.0945, 0.9055),
        (810, 1000, 0.7845, 0.8331),
    ],
)
def test_wilson_gives_known_intervals(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=2e-4)


def test_nothing_played_tells_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_an_interval_never_leaves_what_a_share_can_be() -> None:
    for games in range(1, 200):
        assert f"{wilson(0, games)[0]:.1f}" == "0.0"
        assert 0.999 < wilson(games, games)[1] <= 1


class TestLadder:
    TRUE = {"novice": 800.0, "greedy": 1000.0, "search": 1350.0, "master": 1500.0}  # noqa: RUF012

    def results(self, games: int) -> dict[tuple[str, str], int]:
        """What the true strengths give on average."""
        found: dict[tuple[str, str], int] = {}
        for a, b in combinations(self.TRUE, 2):
            won = round(games * chance(self.TRUE[a] - self.TRUE[b]))
            found |= {(a, b): won, (b, a): games - won}
        return found

    def test_it_recovers_known_strengths(self) -> None:
        standings = ladder(self.results(10_000), list(self.TRUE))
        assert [standing.name for standing in standings] == ["master", "search", "greedy", "novice"]
        for standing in standings:
            assert standing.elo == pytest.approx(self.TRUE[standing.name], abs=3)

    def test_greedy_is_the_anchor_wherever_it_stands(self) -> None:
        for names in (list(self.TRUE), list(self.TRUE)[::-1]):
            by_name = {standing.name: standing for standing in ladder(self.results(100), names)}
            assert by_name["greedy"].elo == 1000
            assert by_name["greedy"].margin == 0

    def test_without_greedy_the_first_player_is_the_anchor(self) -> None:
        standings = ladder({("a", "b"): 30, ("b", "a"): 10}, ["b", "a"])
        assert [(standing.name, standing.elo > 1000) for standing in standings] == [("a", True), ("b", False)]
        assert standings[1].elo == 1000

    def test_margins_shrink_with_games_and_hold_the_truth(self) -> None:
        few, many = (ladder(self.results(games), list(self.TRUE)) for games in (40, 4000))
        for wide, narrow in some(zip(few, many, strict=True)):
            if wide.name != "greedy":
                assert wide.margin == pytest.approx(10 * narrow.margin, rel=0.25)
                assert abs(wide.elo - self.TRUE[wide.name]) < wide.margin

    def test_the_margin_of_an_even_match(self) -> None:
        """A rate of one half after n games is known to 1.96 / (2 √n)."""
        standing = next(
            one for one in ladder({("x", "greedy"): 200, ("greedy", "x"): 200}, ["x", "greedy"]) if one.margin
        )
        assert standing.margin == pytest.approx(1.96 * 0.5 / 20 * 4 * 400 / math.log(10), rel=0.02)

    def test_a_clean_sweep_stays_finite(self) -> None:
        standings = ladder({("x", "greedy"): 50}, ["greedy", "x"])
        best = standings[0]
        assert best.name == "x"
        assert best.elo - 1000 == pytest.approx(400 * math.log10(50.5 / 0.5), abs=0.1)
        assert math.isfinite(best.margin)
        assert best.margin > 100

    def test_players_who_never_met_are_linked_by_others(self) -> None:
        wins = {("a", "greedy"): 3000, ("greedy", "a"): 1000, ("b", "a"): 3000, ("a", "b"): 1000}
        by_name = {standing.name: standing.elo for standing in ladder(wins, ["greedy", "a", "b"])}
        step = 400 * math.log10(3)
        assert by_name == pytest.approx({"greedy": 1000, "a": 1000 + step, "b": 1000 + 2 * step}, abs=1)


def stream(elo: float, seed: int, length: int = 4000) -> list[float]:
    """Paired results of somebody who is so much stronger."""
    dice = Random(seed)
    return [sum(dice.random() < chance(elo) for _ in range(2)) / 2 for _ in range(length)]


def decided(pairs: list[float], elo0: float, elo1: float) -> tuple[str, int]:
    """What the test says first, and after how many pairs."""
    for n in range(len(pairs) + 1):
        decision = sequential_test(pairs[:n], elo0, elo1).decision
        if decision != "open":
            return decision, n
    return "open", len(pairs)


class TestSequential:
    def test_nothing_is_decided_at_the_beginning(self) -> None:
        for pairs in ([], [1.0]):
            verdict = sequential_test(pairs, 0, 50)
            assert verdict.decision == "open"
            assert verdict.low < verdict.ratio == 0 < verdict.high

    def test_the_bounds_are_those_of_wald(self) -> None:
        verdict = sequential_test([], 0, 50)
        assert (verdict.low, verdict.high) == pytest.approx((-math.log(19), math.log(19)))
        strict = sequential_test([], 0, 50, error=0.01)
        assert (strict.low, strict.high) == pytest.approx((-math.log(99), math.log(99)))

    @pytest.mark.parametrize(("elo", "says"), [(100.0, "stronger"), (-50.0, "not stronger")])
    def test_clear_streams_are_always_decided_right(self, elo: float, says: str) -> None:
        assert {decided(stream(elo, seed, 1500), 0, 50)[0] for seed in range(12)} == {says}

    @pytest.mark.parametrize(("elo", "says"), [(50.0, "stronger"), (0.0, "not stronger")])
    def test_streams_at_the_hypotheses_are_mostly_decided_right(self, elo: float, says: str) -> None:
        right = sum(decided(stream(elo, seed, 1500), 0, 50)[0] == says for seed in range(20))
        assert right >= 17

    def test_a_larger_difference_is_found_sooner(self) -> None:
        slow, quick = (decided(stream(elo, 5), 0, 50)[1] for elo in (60.0, 300.0))
        assert quick < slow

    def test_equal_results_without_spread_do_not_break_it(self) -> None:
        assert sequential_test([1.0] * 60, 0, 100).decision == "stronger"
        assert sequential_test([0.0] * 60, 0, 100).decision == "not stronger"
