"""R8: samples are complete games that fit a view, all equally likely."""

from __future__ import annotations

from collections import Counter
from math import factorial
from random import Random

import numpy as np
import pytest
from hypothesis import given

import soak
from chi_squared import chi_squared
from game.knowing import (
    EVERYBODY,
    SPECIALS,
    WILDS,
    assert_nobody_is_wrong,
    assert_uniform,
    check_mind,
    choices_fond_of_drawing,
    rule_sets,
    samples,
    seeds,
)
from helpers import (
    ALL_CHIP_LIST,
    ALL_PLATE_LIST,
    Scene,
    chip_list,
    legal_choices,
    plate_list,
    played,
    random_scene,
    small_stack,
    some,
    tile_counts,
    world_of,
)
from sintra import Game, Rules, Stage, View
from sintra.components import CHIP_COUNT, NOTHING
from sintra.rules import engine
from sintra.rules.state import States


@given(seed=seeds, rules=rule_sets)
@soak.examples(5)
def test_samples_are_complete_games_that_go_on_to_the_end(seed: int, rules: Rules) -> None:
    counts = np.zeros(1, np.int64)
    for k, states in some(enumerate(choices_fond_of_drawing(seed, rules))):
        observer = k % 3
        sampled = View.of_state(states, 0, observer).sample_state(seed + k)
        assert tile_counts(sampled) == [13] * 5
        assert plate_list(sampled) == ALL_PLATE_LIST
        assert chip_list(sampled) == ALL_CHIP_LIST
        assert_nobody_is_wrong(sampled)
        for other in EVERYBODY:
            again = View.of_state(sampled, 0, other).sample_state(seed)
            assert plate_list(again) == ALL_PLATE_LIST
            assert_nobody_is_wrong(again)
        if k % 8 == seed % 8 and not is_laying_a_drawn_plate(states):
            engine.play_random(sampled, 0, 100_000, counts)
            assert Stage(sampled["stage"][0]) is Stage.OVER
            assert tile_counts(sampled) == [13] * 5
            assert plate_list(sampled) == ALL_PLATE_LIST


def is_laying_a_drawn_plate(states: States) -> bool:
    """Between the two choices that lay a drawn plate: which one it is, only the mover knows."""
    return bool(states["stage"][0] == Stage.TURNING and states["held_from"][0] == Stage.KEEPING)


@pytest.mark.parametrize("observer", EVERYBODY)
def test_a_sample_between_the_choices_of_a_kept_plate_is_complete(observer: int) -> None:
    """Which plate is being laid, and where, is hidden from others: a sample must fill that in, too."""
    game = Game.new(seed=3)
    for token in (None, None, "D", "D", "H"):
        game.push(token or game.legal_moves[0])
    states = game.state
    assert engine.apply(states, 0, legal_choices(states)[-1])
    assert is_laying_a_drawn_plate(states)
    for sampled in samples(View.of_state(states, 0, observer), 20):
        hand = sampled["pile"][0, : sampled["drawn"][0]].tolist()
        if Stage(sampled["stage"][0]) is Stage.TURNING:
            assert sampled["held_plate"][0] in hand
            assert sampled["slot_plate"][0, game.turn, sampled["held_slot"][0]] == NOTHING
            assert sampled["held_slot"][0] != NOTHING
        engine.play_random(sampled, 0, 100_000, np.zeros(1, np.int64))
        assert plate_list(sampled) == ALL_PLATE_LIST


def test_a_sample_before_a_deal_deals_itself_too() -> None:
    """A view of a game that waits for its tiles samples to a game that goes on."""
    game = Game.from_position("stage: dealing; round: 2")
    counts = np.zeros(1, np.int64)
    for observer in EVERYBODY:
        sampled = game.view(observer).sample_state(5)
        engine.play_random(sampled, 0, 100_000, counts)
        assert Stage(sampled["stage"][0]) is Stage.OVER


@given(seed=seeds)
@soak.examples(30)
def test_views_and_samples_agree_with_brute_force(seed: int) -> None:
    """At every decision of games with small stacks, against all piles that fit what was seen."""
    dice = Random(seed)
    for scene in some(random_scene(seed)):
        for mind in scene.minds:
            check_mind(scene, mind)
            view = scene.game.view(mind.observer)
            for _ in range(3):
                world = world_of(view.sample_state(dice.getrandbits(62)))
                assert world in mind.worlds or mind.observer in scene.mixed_again


def test_every_unseen_plate_is_equally_likely_at_every_unknown_place() -> None:
    """The whole stack of a new game, of which only the kind on top is known."""
    game = played(6, most=2)
    view = game.view(0)
    top = view.stack[0]
    assert [len(place.candidates) for place in view.stack[1:]] == [13] * 12
    of_kind = {plate.index for plate in top.candidates}
    unseen = {plate.index for plate in view.stack[1].candidates}
    piles = np.array([states["pile"][0, :13] for states in samples(view, 8000)])
    assert_uniform(piles[:, 0].tolist(), of_kind)
    likely = {plate: (1 - 1 / len(of_kind)) / 12 if plate in of_kind else 1 / 12 for plate in sorted(unseen)}
    for place in range(1, 13):
        counts = Counter(piles[:, place].tolist())
        assert set(counts) <= unseen
        expected = [8000 * share for share in likely.values()]
        assert chi_squared([counts[plate] for plate in likely], expected) > 1e-4


@pytest.mark.parametrize("observer", EVERYBODY)
def test_all_piles_of_a_small_stack_are_equally_likely(observer: int) -> None:
    stack = [WILDS[0], SPECIALS[0], WILDS[1], WILDS[2], SPECIALS[1]]
    scene = Scene(small_stack(stack, SPECIALS[2:5]))
    worlds = {pile for _, pile in scene.minds[observer].worlds}
    assert len(worlds) == 3 * factorial(4)
    view = scene.game.view(observer)
    assert_uniform((world_of(states)[1] for states in samples(view, 6000)), worlds)


@pytest.mark.parametrize("observer", EVERYBODY)
def test_all_orders_of_the_unseen_chips_are_equally_likely(observer: int) -> None:
    """Round 5 with one chip turned up: three chips are still hidden, two of them alike."""
    order = [*"B- B- Y- Y- R- R- K- K- T- T- TY TY YK YK KB KB BR RT BR RT".split()]
    text = f"round: 5; chips: {' '.join(order)}; factory 1: sun - moon - chip up"
    text += "".join(f"; factory {f}: sun BYRK moon - chip down" for f in (2, 3, 4))
    view = Game.from_position(text).view(observer)
    known = [int(face) for face in view.state["chip_order"][0] if face != NOTHING]
    assert len(known) == 17
    drawn = [tuple(states["chip_order"][0, 17:].tolist()) for states in samples(view, 2000)]
    assert_uniform(drawn, {(9, 9, 8), (9, 8, 9), (8, 9, 9)})


def test_every_hidden_chip_is_equally_likely_at_every_place() -> None:
    game = played(8, "chips", most=60)
    view = game.view(1)
    hidden = [place for place in range(CHIP_COUNT) if view.state["chip_order"][0, place] == NOTHING]
    left = Counter(game.state["chip_order"][0, hidden].tolist())
    assert 8 <= len(hidden) < 20
    orders = np.array([states["chip_order"][0] for states in samples(view, 6000)])
    for place in hidden:
        counts = Counter(orders[:, place].tolist())
        assert set(counts) <= set(left)
        expected = [6000 * left[face] / len(hidden) for face in sorted(left)]
        assert chi_squared([counts[face] for face in sorted(left)], expected) > 1e-4


@pytest.mark.parametrize("seed", range(12))
def test_samples_are_uniform_at_random_moments(seed: int) -> None:
    """After draws and returns of both seats, over all piles that fit."""
    checked = 0
    for scene in random_scene(seed):
        if scene.game.ply < 8 or scene.game.stage is Stage.RETURNING:
            continue
        for mind in scene.minds:
            if 2 <= len(mind.worlds) <= 48 and mind.observer not in scene.mixed_again:
                view = scene.game.view(mind.observer)
                assert_uniform(map(world_of, samples(view, 25 * len(mind.worlds))), mind.worlds)
                checked += 1
        if checked > 12:
            return
    assert checked
