"""What the tests of the players share: compiled peeps, positions with hoarded chips, brute force."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, TypeVar

import numba
import numpy as np

from helpers import legal_paths
from sintra import Game, Stage
from sintra.arena.selfplay import play_game
from sintra.features.board import BOARD, FEATURES, board_features, look_at
from sintra.players import player
from sintra.players.greedy import choose_greedily, move_value
from sintra.rules import engine
from sintra.rules.choices import CHIP, PAY, PLACE, first_of
from sintra.rules.compiled import COMPILED, at
from sintra.rules.state import Array, States, copied
from sintra.tabletop.moves import path_of

F = TypeVar("F", bound=Callable[..., Any])

PAYMENTS: Final = range(PAY, PLACE)
"""The choices that begin or continue a payment."""


def compiled(function: F) -> F:
    """Compiles a function of a test afresh: code kept on disk would not notice a changed player."""
    return numba.njit(error_model="numpy")(function) if COMPILED else function


@compiled
def write_values(states: States, i: int, paths: Array, out: Array) -> None:
    """The yardstick's value of each of these moves."""
    for k in range(len(paths)):
        out[k] = move_value(at(states, i), paths[k])


@compiled
def write_features(states: States, i: int, seat: int, board: Array, out: Array) -> None:
    """The features of a seat's board."""
    look_at(at(states, i), seat, at(board, 0))
    board_features(at(states, i), seat, at(board, 0), out)


def values_of(states: States, paths: list[int]) -> list[float]:
    """The yardstick's values of moves, without noise."""
    out = np.empty(len(paths))
    write_values(states, 0, np.array(paths, np.int64), out)
    return [float(value) for value in out]


def value_of(game: Game, token: str) -> float:
    """The yardstick's value of one legal move."""
    move = game.legal_moves.require(token)
    return values_of(game.state, [path_of(move, game.state, 0)])[0]


def features_of(states: States, seat: int) -> Array:
    """The features of a seat's board."""
    out = np.empty(FEATURES)
    write_features(states, 0, seat, np.zeros(1, BOARD), out)
    return out


def play(states: States, path: int) -> States:
    """The position after a legal move."""
    after = copied(states)
    assert engine.play(after, 0, path) == 0
    return after


def played_greedily(seed: int, *, hoards: bool = False, goals: int = 3) -> Iterator[States]:
    """A game of greedy play; yields the state before each move. Who hoards takes chips early and
    never spends one."""
    states = Game.new(seed=seed, goals=goals).state
    dice = Random(seed)
    while Stage(states["stage"][0]) is not Stage.OVER:
        yield copied(states)
        path = int(choose_greedily(states, 0, dice.getrandbits(60)))
        if hoards:
            paths = legal_paths(states)
            chips = [one for one in paths if CHIP <= first_of(one) < PAY]
            if chips and dice.random() < 0.8:
                path = dice.choice(chips)
            elif first_of(path) in PAYMENTS:
                path = dice.choice([one for one in paths if first_of(one) not in PAYMENTS])
        assert engine.play(states, 0, path) == 0


def begun_tilings(seed: int, *, hoards: bool = True, goals: int = 3) -> Iterator[States]:
    """The states in which a seat begins its tiling."""
    seen: set[tuple[int, int]] = set()
    for states in played_greedily(seed, hoards=hoards, goals=goals):
        key = int(states["round_no"][0]), int(states["turn"][0])
        if Stage(states["stage"][0]) is Stage.TILING and key not in seen:
            seen.add(key)
            yield states


def value_of_end(states: States, seat: int, weights: Array) -> float:
    """What a board is worth when its tiling is done: the score, and what is left over or the goals."""
    score = int(states["score"][0, seat])
    round_no = int(states["round_no"][0])
    if round_no == 5:
        points = np.zeros((2, states["goals"].shape[1]), np.int64)
        engine.points_of_goals(states, 0, points)
        return float(max(0, score + int(points[seat].sum())))
    return score + float(weights[round_no - 1] @ features_of(states, seat))


def ends(states: States, seat: int) -> list[States]:
    """All ends of a seat's tiling, found by trying all moves of the engine."""
    start = copied(states)
    if start["turn"][0] != seat:
        start["turn"] = seat
        start["walk"] = start["paid"] = start["pay_chips"] = start["pay_showing"] = 0
        start["pay_line"] = start["pay_last"] = -1
        start["stage"] = Stage.TILING
    start["first"] = seat  # so that the seat's end neither deals nor scores goals
    seen: set[bytes] = set()
    found: list[States] = []
    ahead = [start]
    while ahead:
        now = ahead.pop()
        if now["turn"][0] != seat:
            found.append(now)
            continue
        for path in legal_paths(now):
            after = play(now, path)
            key = after.tobytes()
            if key not in seen:
                seen.add(key)
                ahead.append(after)
    return found


_known: dict[tuple[bytes, int], tuple[Array, Array]] = {}


def brute_force(states: States, seat: int, weights: Array) -> float:
    """The best end of a seat's tiling; the ends of a position are remembered."""
    key = states.tobytes(), seat
    if key not in _known:
        found = ends(states, seat)
        plain = np.array([value_of_end(end, seat, np.zeros_like(weights)) for end in found])
        _known[key] = plain, np.array([features_of(end, seat) for end in found])
    plain, features = _known[key]
    round_no = int(states["round_no"][0])
    return float(plain.max() if round_no == 5 else (plain + features @ weights[round_no - 1]).max())


def wins_of(strong: str, weak: str, seed: int) -> int:
    """How many of six games the first player wins: three deals, each from both seats."""
    won = 0
    for deal in range(3):
        for seat in range(2):
            game = Game.new(seed=seed + deal)
            seats = [player(strong), player(weak)]
            play_game(game, seats if seat == 0 else seats[::-1], deal)
            assert game.result
            won += game.result.winner == seat
    return won
