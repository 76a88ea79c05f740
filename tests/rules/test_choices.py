"""The numbers of choices: made, taken apart and packed, alike in Python and in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from math import prod
from random import Random
from typing import Any

import numba
import numpy as np

from helpers import legal_choices, legal_paths, play_on
from sintra import Game
from sintra.rules import choices
from sintra.rules.choices import BLOCKS, CHOICES, MOON, PATH_STEP, SUN, fields, kind_of, pack, unpack
from sintra.rules.compiled import COMPILED
from sintra.rules.state import Array

MAKERS: dict[int, Callable[..., int]] = {
    choices.LAY: choices.lay,
    choices.TURNED: choices.turn,
    choices.RETURN: choices.give_back,
    choices.SUN: choices.sun,
    choices.MOON: choices.moon,
    choices.STACK: choices.stack,
    choices.CHIP: choices.chip,
    choices.PAY: choices.pay,
    choices.SPEND: choices.spend,
    choices.PLACE: choices.place,
}


def test_the_kinds_follow_each_other_without_a_gap() -> None:
    starts = [*BLOCKS, CHOICES]
    assert starts[0] == 0
    for start, end in pairwise(starts):
        assert end - start == prod(BLOCKS[start])


def test_the_numbers_are_those_of_the_data_sets() -> None:
    assert CHOICES == 458
    assert (choices.lay(17, 8), choices.turn(3), choices.give_back(17)) == (161, 165, 185)
    assert (choices.sun(4, 4, 6), choices.moon(0, 0), choices.moon(4, 6)) == (360, 361, 395)
    assert (choices.stack(4), choices.chip(3), choices.pay(5)) == (400, 404, 410)
    assert (choices.spend(9), choices.place(5, 5), choices.END) == (420, 456, 457)


def test_every_choice_is_made_from_its_fields() -> None:
    seen = []
    for kind, sizes in BLOCKS.items():
        for some in product(*map(range, sizes)):
            choice = MAKERS[kind](*some) if sizes else kind
            assert kind_of(choice) == kind
            assert fields(choice) == some
            seen.append(choice)
    assert seen == list(range(CHOICES))


def test_parts_of_choices() -> None:
    for choice in range(CHOICES):
        kind = kind_of(choice)
        assert choices.is_take(choice) == (kind in (SUN, MOON))
        if kind == choices.LAY:
            assert choices.plate_and_slot(choice) == fields(choice)
        if kind == choices.PLACE:
            assert choices.line_and_column(choice) == fields(choice)
        if kind == SUN:
            assert (choices.factory_of(choice), choices.color_of(choice), choices.destination_of(choice)) == fields(
                choice
            )
        if kind == MOON:
            assert (choices.color_of(choice), choices.destination_of(choice)) == fields(choice)


def everything(choice: int, out: Array) -> None:
    """Calls whatever there is with numbers that fit, for compiled code to do the same."""
    out[0] = kind_of(choice)
    out[1] = choices.is_take(choice)
    out[2] = choices.color_of(choice)
    out[3] = choices.destination_of(choice)
    out[4] = choices.factory_of(choice)
    out[5], out[6] = choices.plate_and_slot(choice)
    out[7], out[8] = choices.line_and_column(choice)
    out[9] = choices.lay(choice % 18, choice % 9)
    out[10] = choices.sun(choice % 5, choice % 4, choice % 7)
    out[11] = choices.moon(choice % 5, choice % 7)
    out[12] = choices.place(choice % 6, choice % 5)
    out[13] = choices.turn(choice % 4) + choices.give_back(choice % 18) + choices.stack(choice % 5)
    out[14] = choices.chip(choice % 4) + choices.pay(choice % 6) + choices.spend(choice % 10)
    out[15] = choices.extended(choices.extended(0, 0, choice), 1, 457 - choice)
    out[16] = choices.first_of(out[15])
    out[17] = choices.rest_of(out[15])
    out[18] = choices.joined(choice + 1, 1, out[17])


def test_compiled_code_finds_the_same() -> None:
    compiled = numba.njit(error_model="numpy")(everything) if COMPILED else everything
    here, there = np.zeros(19, np.int64), np.zeros(19, np.int64)
    for choice in range(CHOICES):
        everything(choice, here)
        compiled(choice, there)
        assert here.tolist() == there.tolist()
        assert here[18] == here[15]


def test_small_numbers_of_a_state_do_not_overflow() -> None:
    """Fields of a state are of one byte; what is made of them is not."""
    byte: Callable[[int], Any] = np.int8
    assert choices.lay(byte(17), byte(8)) == 161
    assert choices.sun(byte(4), byte(4), byte(6)) == 360
    assert choices.place(byte(5), byte(5)) == 456
    assert choices.extended(0, 3, byte(127)) == 128 << 27


def test_paths_are_packed_and_unpacked() -> None:
    assert pack([]) == 0
    assert unpack(0) == []
    path = [410, 411, 415, 457]
    packed = pack(path)
    assert unpack(packed) == path
    assert packed < 1 << 63
    assert choices.first_of(packed) == path[0]
    assert unpack(choices.rest_of(packed)) == path[1:]
    assert choices.joined(pack(path[:2]), 2, pack(path[2:])) == packed
    assert CHOICES < PATH_STEP


def test_the_paths_of_the_engine_are_these() -> None:
    for game in play_on(Game.new(seed=4), "drawing", Random(4), 60):
        paths = legal_paths(game.state)
        assert {unpack(path)[0] for path in paths} == set(legal_choices(game.state))
        assert all(pack(unpack(path)) == path for path in paths)
