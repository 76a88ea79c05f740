"""Games stepped choice by choice, one or thousands at once: the compiled part that all environments share.

A step is made in two calls. `advance` makes the choices and the opponent's answers, and says which games ended;
`begin_and_show` begins new games where they are wanted and shows each game to the seat that decides next. Between the
two, an environment can look at the games that ended. All arrays have one row for each game, so that threads can step
slices of them side by side.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sintra.components import NOTHING, SEATS
from sintra.features.observation import write_seen
from sintra.features.spaces import RememberedArray
from sintra.players.greedy import greedy_move
from sintra.rules.array_types import Bools, Bytes, Bytes2D, Floats, Int8s, Int8s2D, Int64s, Uint32s2D
from sintra.rules.chance import below, next_word, seed_generator
from sintra.rules.choices import CHOICES, MAX_CHOICES, MAX_MOVES, MAX_STEPS
from sintra.rules.compiled import at, entry, keep, kernel
from sintra.rules.dealing import new_game
from sintra.rules.engine import apply_to, legal_of, mark_legal, play_path, wipe
from sintra.rules.scoring import winner
from sintra.rules.state import OVER, STATE, Array, State, States

NOBODY: Final = 0
"""No opponent: whoever steps decides for both seats."""
RANDOM: Final = 1
"""An opponent that plays by chance."""
GREEDY: Final = 2
"""The player `greedy` as the opponent."""

WORD_BITS: Final = 32
LEGAL_WORDS: Final = -(-CHOICES // WORD_BITS)
"""The legal choices of a game take so many words of `WORD_BITS` bits. Environments keep these sets, since agents may
write into the masks that they are given."""

WIN: Final = 1.0
"""The reward of a win; that of a loss is its negative."""
ILLEGAL_COST: Final = 100.0
"""The points that an illegal choice costs where rewards are points."""


@kernel
def lead(s: State, seat: int) -> float:
    """By how many points a seat is ahead."""
    return float(int(s.score[seat]) - int(s.score[1 - seat]))


@kernel
def play_for_opponent(states: States, i: int, seat: int, opponent: int, legal: Array, scratch: States) -> None:
    """The opponent of a seat moves until that seat is to move or the game is over."""
    s = at(states, i)
    moves = np.empty(MAX_MOVES if opponent == GREEDY else 0, np.int64)
    while opponent != NOBODY and s.stage != OVER and s.turn != seat:
        if opponent == RANDOM:
            n = legal_of(s, legal)
            apply_to(s, int(legal[below(s, n)]))
        else:
            scratch[0] = states[i]
            dice = at(scratch, MAX_STEPS)
            seed_generator(dice, next_word(s))
            play_path(s, greedy_move(scratch, moves, dice))


@entry
def advance(
    states: States,
    chosen: Int64s,
    legal_bits: Uint32s2D,
    waits: Bools,
    seats: Int64s,
    opponent: int,
    by_points: bool,
    rewards: Floats,
    ended: Bools,
    illegal: Bools,
) -> None:
    """Makes one choice in every game but those that `waits` names, which have ended and not begun again. A choice that
    is not in `legal_bits` loses the game. Rewards are those of the seat that chose."""
    legal = np.empty(MAX_CHOICES, np.int16)
    scratch = np.empty(MAX_STEPS + 1, STATE)
    for i in range(len(states)):
        rewards[i] = 0.0
        ended[i] = False
        illegal[i] = False
        if waits[i]:
            continue
        s = at(states, i)
        choice = int(chosen[i])
        if (np.int64(legal_bits[i, choice // WORD_BITS]) >> (choice % WORD_BITS)) & 1 == 0:
            rewards[i] = -ILLEGAL_COST if by_points else -WIN
            ended[i] = True
            illegal[i] = True
            continue
        seat = int(s.turn) if opponent == NOBODY else int(seats[i])
        before = lead(s, seat)
        apply_to(s, choice)
        play_for_opponent(states, i, seat, opponent, legal, scratch)
        ended[i] = s.stage == OVER
        if by_points:
            rewards[i] = lead(s, seat) - before
        elif s.stage == OVER:
            rewards[i] = WIN if winner(s) == seat else -WIN


@kernel
def begin(states: States, i: int, goals: int) -> None:
    """Begins a new game, whose seed comes from the generator of the last one."""
    high = next_word(at(states, i)) >> 1
    seed = (high << 32) | next_word(at(states, i))
    wipe(states, i)
    new_game(at(states, i), seed, goals)


@entry
def begin_and_show(
    states: States,
    begins: Bools,
    goals: int,
    own_seat: int,
    seats: Int64s,
    opponent: int,
    legal_bits: Uint32s2D,
    masks: Int8s2D,
    known: RememberedArray,
    observations: Bytes2D,
) -> None:
    """Begins new games where `begins` says so, in which the agent has `own_seat` or, if that is NOTHING, either seat.
    Then writes `masks` and `observations` of every game for the seat that decides; `observations` without columns are
    left out. `known` are the features that each game REMEMBERED from the step before."""
    legal = np.empty(MAX_CHOICES, np.int16)
    scratch = np.empty(MAX_STEPS + 1, STATE)
    view = np.zeros(1, STATE)
    for i in range(len(states)):
        s = at(states, i)
        if begins[i]:
            begin(states, i, goals)
            if opponent != NOBODY:
                seats[i] = below(s, SEATS) if own_seat == NOTHING else own_seat
                play_for_opponent(states, i, int(seats[i]), opponent, legal, scratch)
        if opponent == NOBODY:
            seats[i] = s.turn
        legal_bits[i] = 0
        for k in range(mark_legal(s, legal, masks[i])):
            choice = int(legal[k])
            legal_bits[i, choice // WORD_BITS] |= np.uint32(1 << (choice % WORD_BITS))
        if observations.shape[1] > 0:
            write_seen(s, int(seats[i]), at(view, 0), at(known, i), observations[i])
    keep(view)


@kernel
def show(s: State, seat: int, mask: Array, known: State, observation: Array) -> None:
    """What a seat may choose and know."""
    if s.turn == seat:
        mark_legal(s, np.empty(MAX_CHOICES, np.int16), mask)
    else:
        mask[:] = 0
    view = np.zeros(1, STATE)
    write_seen(s, seat, at(view, 0), known, observation)
    keep(view)


@entry
def show_one(states: States, seat: int, mask: Int8s, known: RememberedArray, observation: Bytes) -> None:
    """Shows a single game to a seat."""
    show(at(states, 0), seat, mask, at(known, 0), observation)


@entry
def step_one(states: States, choice: int, mask: Int8s, known: RememberedArray, observation: Bytes) -> int:
    """Makes a legal choice in a single game and shows it to the seat to move, which it returns; SEATS at the end."""
    s = at(states, 0)
    apply_to(s, choice)
    show(s, int(s.turn), mask, at(known, 0), observation)
    return SEATS if s.stage == OVER else int(s.turn)
