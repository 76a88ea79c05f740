"""Reviews: decisions and chance add up to the result, blame falls on bad moves and on nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import VECTORS, played, some
from sintra import Game, SintraError, View
from sintra.arena.selfplay import play_game, selfplay
from sintra.players import Clock, Player, player
from sintra.records.files import read_records
from sintra.records.record import Record
from sintra.review import GameReview, ReviewBudget, review
from sintra.review.judging import CHEAP, Judge
from sintra.review.reviewing import LUCK_SOURCES, Reviewer, TurnReview
from sintra.review.worlds import game_after, redealt, sample_worlds
from sintra.tabletop.moves import Move

QUICK = ReviewBudget(sims=8, deep_factor=2, deals=2, worlds=2)


def total(found: GameReview) -> float:
    return found.start + sum(found.skill) + sum(found.luck.values()) + found.noise + found.ending


def assert_adds_up(found: GameReview) -> None:
    """The parts of the game, and of every turn, to the next one's chance."""
    assert total(found) == pytest.approx(found.result, abs=1e-9)
    chances = [*(turn.chance for turn in found.turns), found.result - found.ending]
    for turn, later in zip(found.turns, chances[1:], strict=True):
        assert turn.chance + turn.skill + sum(turn.luck.values()) + turn.noise == pytest.approx(later, abs=1e-9)
        assert turn.cost == pytest.approx(-turn.skill if turn.seat == 0 else turn.skill)
        assert turn.cost >= 0
        assert set(turn.luck) <= set(LUCK_SOURCES)


@given(seed=st.integers(0, 2**62), names=st.permutations(["random", "greedy"]))
@soak.examples(2)
def test_what_decisions_and_chance_did_adds_up_to_the_result(seed: int, names: list[str]) -> None:
    (record,) = selfplay(names, 1, seed)
    found = review(record, QUICK)
    assert_adds_up(found)
    assert len(found.turns) == len(record.moves)
    assert found.result == float(record.result is not None and record.result.winner == 0)
    assert found.ending == 0.0


def test_a_game_that_was_given_up_ends_with_what_that_cost() -> None:
    game = played(3)
    while game.ply > 40:
        game.pop()
    game.resign(game.turn)
    found = review(Record.of(game), QUICK)
    assert_adds_up(found)
    assert found.ending != 0.0
    assert found.result == float(game.turn == 1)


def test_the_same_game_has_the_same_review_and_progress_is_told_to_its_end() -> None:
    record = read_records(VECTORS / "random.jsonl")[0]
    shares: list[float] = []
    assert review(record, QUICK, shares.append).to_dict() == review(record, QUICK).to_dict()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_what_is_not_over_or_not_whole_is_refused_in_words() -> None:
    game = played(3)
    while game.ply > 40:
        game.pop()
    with pytest.raises(SintraError, match="only a finished game"):
        review(Record.of(game), QUICK)
    game.resign(0)
    with pytest.raises(SintraError, match="a view of a game"):
        review(Record.of(game).view(0), QUICK)
    with pytest.raises(SintraError, match="at least 2 simulations"):
        ReviewBudget(sims=1)


# ---------------------------------------------------------------- blame


class Spoiler:
    """Plays as another does, but once breaks a whole handful of tiles."""

    name = "spoiler"

    def __init__(self, other: Player) -> None:
        self._other = other
        self.spoilt = ""

    def new_game(self, seed: int) -> None:
        self._other.new_game(seed)

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        broken = [move for move in view.legal_moves if str(move).startswith(("S", "M")) and "x" in str(move)]
        if not self.spoilt and view.round == 2 and broken:
            worst = max(broken, key=lambda move: (-view.preview(move).points_now, str(move)))
            self.spoilt = str(worst)
            return worst
        return self._other.choose(view)


def test_blame_falls_on_the_move_that_was_bad() -> None:
    """Of a game by two equal players, one of whom throws tiles away once, that turn is the costliest."""
    spoiler = Spoiler(player("search:sims=300"))
    game = play_game(Game.new(seed=11), [spoiler, player("search:sims=300")], 5)
    found = review(Record.of(game), ReviewBudget(sims=200, deep_factor=4, deals=2, worlds=3))
    worst = max(found.turns, key=lambda turn: turn.cost)
    assert (worst.seat, worst.move) == (0, spoiler.spoilt)
    assert worst.cost > 0.04
    assert str(worst.best[0].move) != worst.move


def test_the_first_choice_and_the_only_one_cost_nothing() -> None:
    (record,) = selfplay(["search:sims=20", "random"], 1, 3)
    turns = review(record, QUICK).turns
    for turn in some(turn for turn in turns if turn.choices == 1):
        assert turn.cost == 0.0
    for turn in some(turn for turn in turns if turn.choices > 1 and str(turn.best[0].move) == turn.move):
        assert turn.cost == 0.0


@pytest.mark.soak
@pytest.mark.long
def test_weaker_players_give_more_away() -> None:
    pairs = soak.pick(1, 10)
    rates = {"level:n=1": 0.0, "level:n=9": 0.0}
    for record in selfplay(["level:n=1", "level:n=9"], 2 * pairs, 8):
        found = review(record, soak.pick(ReviewBudget(sims=60, deep_factor=2, deals=2, worlds=3), CHEAP))
        for seat, name in enumerate(record.players):
            rates[name] += found.error_rate(seat)
    assert rates["level:n=1"] > 2 * rates["level:n=9"]


# ---------------------------------------------------------------- chance


def at(record: Record, ply: int) -> Game:
    return Game.from_state(record.replay(ply).state)


def some_steps() -> list[tuple[Game, Move, Game]]:
    """All moves of some games, with the positions before and after."""
    found = []
    for name, k in (("draw", 1), ("chips", 4)):
        record = read_records(VECTORS / f"{name}.jsonl")[k]
        for ply, token in enumerate(record.moves):
            found.append((at(record, ply), Move.parse(token), at(record, ply + 1)))
    return found


def test_chance_is_seen_where_something_came_to_light_and_nowhere_else() -> None:
    seen: dict[str, int] = {"tiles": 0, "plates": 0, "chips": 0, "nothing": 0}
    reviewer = Reviewer(ReviewBudget(sims=2, deep_factor=1, deals=12, worlds=12))
    for before, move, real in some_steps():
        a, b = before.state[0], real.state[0]
        luck, _ = reviewer._luck(before, move, real)
        if real.round != before.round:
            assert set(luck) == {"tiles", "plates"}
            seen["tiles"] += 1
        elif (a["chip_state"] != b["chip_state"]).any() and luck:
            assert set(luck) == {"chips"}
            seen["chips"] += 1
        elif luck:
            assert set(luck) == {"plates"}
            seen["plates"] += 1
        else:
            assert (a["display"] == b["display"]).all() or (b["display"] < 0).any() or a["pile_size"] <= 2
            seen["nothing"] += 1
    assert all(count > 3 for count in seen.values()), seen


def test_other_worlds_look_the_same_to_who_moves() -> None:
    record = read_records(VECTORS / "draw.jsonl")[1]
    dice = Random(1)
    for ply in sorted(dice.sample(range(len(record.moves)), 25)):
        game = at(record, ply)
        for world in some(sample_worlds(game, 3)):
            assert world.view(game.turn) == game.view(game.turn)


def test_other_deals_change_the_tiles_alone() -> None:
    dealt = 0
    for before, move, real in some_steps():
        if real.round == before.round:
            continue
        for one in redealt(before, move, 3):
            assert one.round == real.round
            assert one.scores == real.scores
            assert (one.state["display"] == real.state["display"]).all()
            assert (one.state["pile"] == real.state["pile"]).all()
            dealt += bool((one.state["sun"] != real.state["sun"]).any())
    assert dealt > 15


def test_a_judge_looks_once_and_sees_what_is_over() -> None:
    judge = Judge(10)
    game = Game.new(seed=4)
    assert judge.evaluate(game) is judge.evaluate(Game.from_state(game.state))
    assert 0 < judge.chance(game) < 1
    over = played(3)
    assert over.result is not None
    assert judge.chance(over) == float(over.result.winner == 0)
    assert judge.lead(over) == over.result.scores[0] - over.result.scores[1]


# ---------------------------------------------------------------- what its player could know


def judgement(turn: TurnReview) -> dict[str, Any]:
    """What a review says of a decision, without what chance did afterwards."""
    return {name: value for name, value in msgspec.structs.asdict(turn).items() if name not in ("luck", "noise")}


def test_a_move_is_judged_by_what_its_player_could_know() -> None:
    """R8: games that look the same to the mover give a move the same cost, whatever the other seat has seen."""
    reviewer = Reviewer(QUICK)
    differ = 0
    for before, move, real in some_steps()[24:120:2]:
        world = before.view(before.turn).sample(differ)
        here, there = reviewer.turn(0, before, move, real), reviewer.turn(0, world, move, game_after(world, move))
        assert judgement(here) == judgement(there)
        assert reviewer.cost(before, move) == reviewer.cost(world, move)
        differ += before.view(1 - before.turn) != world.view(1 - before.turn)
    assert differ > 15


def exchanged(record: Record, plates: tuple[str, str], ply: int) -> Record:
    """The record up to a ply with two plates exchanged, in the stack and where they were put back under it."""
    first, second = plates
    names = {first: second, second: first, f"<{first}": f"<{second}", f"<{second}": f"<{first}"}
    moves = tuple(names.get(token, token) for token in record.moves[:ply])
    stack = tuple(names.get(plate, plate) for plate in record.plates)
    return replace(record, plates=stack, moves=moves, result=None)


def looks_alike(record: Record, plies: Iterable[int]) -> Iterator[tuple[Record, Record]]:
    """Pairs of games that are given up after a move before which the mover could not tell them apart, while the other
    seat had seen other plates."""
    for ply in plies:
        here = record.replay(ply)
        for plates in combinations(record.plates, 2):
            try:
                there = exchanged(record, plates, ply).replay()
            except SintraError:
                continue
            if here.view(here.turn) == there.view(here.turn) and here.view(1 - here.turn) != there.view(1 - here.turn):
                for game in (here, there):
                    game.push(record.moves[ply])
                    game.resign(0)
                yield Record.of(here), Record.of(there)
                break


def test_reviews_of_games_that_the_mover_cannot_tell_apart_agree_on_the_move() -> None:
    pairs = list(looks_alike(read_records(VECTORS / "draw.jsonl")[0], (32, 33)))
    assert len(pairs) == 2
    for pair in pairs:
        here, there = (review(record, QUICK).turns[-1] for record in pair)
        assert judgement(here) == judgement(there)
