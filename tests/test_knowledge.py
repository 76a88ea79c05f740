"""R8: who knows what. Views tell all that an observer can know, and nothing else; samples are fair."""

from __future__ import annotations

import gc
import pickle
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from math import factorial
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from helpers import (
    ALL_CHIP_LIST,
    ALL_PLATE_LIST,
    ALL_RULES,
    IS_SPECIAL,
    Mind,
    Scene,
    chip_list,
    is_tangled,
    legal_choices,
    look_alike,
    names,
    plate_list,
    play_on,
    played,
    random_scene,
    scene_of_returns,
    small_stack,
    tile_counts,
    turned_up,
    world_of,
)
from sintra import PLATES, Game, Plate, PlateKind, Rules, Stage, View
from sintra.components import CHIP_COUNT, NOTHING
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.choices import DRAW
from sintra.rules.state import States

EVERYBODY = (0, 1, 2)
WILDS = [plate.index for plate in PLATES if plate.kind is PlateKind.WILD]
SPECIALS = [plate.index for plate in PLATES if plate.kind is PlateKind.SPECIAL]
seeds = st.integers(0, 2**62)
rule_sets = st.sampled_from(ALL_RULES)


def choices_fond_of_drawing(seed: int, rules: Rules) -> Iterator[States]:
    """Random play choice by choice, so also in the middle of moves; likes to draw plates."""
    dice = Random(seed)
    states = Game.new(seed=seed, rules=rules).state
    while legal := legal_choices(states):
        yield states
        assert engine.apply(states, 0, DRAW if DRAW in legal and dice.random() < 0.75 else dice.choice(legal))
    yield states


# ---------------------------------------------------------------- nothing else


@pytest.mark.parametrize("observer", EVERYBODY)
@given(seed=seeds, rules=rule_sets)
@settings(max_examples=15)
def test_states_that_look_the_same_give_the_same_view(observer: int, seed: int, rules: Rules) -> None:
    """At every choice: all that is hidden is dealt anew, and the view stays the same byte for byte."""
    dice = Random(seed)
    stages = set()
    for states in choices_fond_of_drawing(seed, rules):
        stages.add(Stage(states["stage"][0]))
        view = View.of_state(states, 0, observer)
        other = view.sample(dice.getrandbits(62))
        assert View.of_state(other, 0, observer).to_bytes() == view.to_bytes()
    assert stages >= {Stage.DRAWING, Stage.KEEPING, Stage.RETURNING, Stage.TURNING, Stage.STACKING, Stage.TILING}


@given(seed=seeds, rules=rule_sets)
@settings(max_examples=12)
def test_games_that_look_the_same_give_the_same_views(seed: int, rules: Rules) -> None:
    """Two whole games that differ only in what an observer cannot know look the same at every ply."""
    dice = Random(seed)
    record = Record.of(played(seed, "drawing", rules, most=dice.randrange(150)))
    for observer in EVERYBODY:
        other = look_alike(record, observer, dice)
        for ours, theirs in zip(record.positions(), other.positions(), strict=True):
            assert ours.view(observer).to_bytes() == theirs.view(observer).to_bytes()


def test_games_that_look_the_same_are_not_the_same() -> None:
    record = Record.of(played(1, "drawing", most=60))
    for observer in EVERYBODY:
        others = {look_alike(record, observer, Random(k)).plates for k in range(5)}
        assert len(others) == 5
        assert look_alike(record, observer, Random(1)).chips != record.chips


@given(seed=seeds, rules=rule_sets)
@settings(max_examples=8)
def test_samples_are_really_dealt_anew(seed: int, rules: Rules) -> None:
    """The test above would mean little if samples copied the hidden truth."""
    game = played(seed, "uniform", rules, most=5)
    for observer in EVERYBODY:
        samples = [game.view(observer).sample(k) for k in range(30)]
        assert len({states["pile"].tobytes() for states in samples}) > 10
        assert len({states["chip_order"].tobytes() for states in samples}) == 30
        assert len({states["rng"].tobytes() for states in samples}) == 30


@given(seed=seeds, rules=rule_sets)
@settings(max_examples=10)
def test_another_order_of_the_hidden_chips_is_not_seen(seed: int, rules: Rules) -> None:
    game = played(seed, "chips", rules, most=seed % 120)
    states = game.state
    seen = [chip for chip in range(CHIP_COUNT) if game.view(0).state["chip_order"][0, chip] != NOTHING]
    hidden = [chip for chip in range(CHIP_COUNT) if chip not in seen]
    faces = states["chip_order"][0, hidden].tolist()
    Random(seed).shuffle(faces)
    states["chip_order"][0, hidden] = faces
    assert seen == turned_up(game)
    for observer in EVERYBODY:
        assert View.of_state(states, 0, observer) == game.view(observer)


def test_a_view_holds_neither_game_nor_generator() -> None:
    game = played(2, "drawing", most=40)
    for observer in EVERYBODY:
        view = game.view(observer)
        assert not view.state["rng"].any()
        assert not view.state["deals_itself"].any()
        assert not np.shares_memory(view._states, game._states)
        reachable: set[int] = set()
        ahead: list[object] = [view]
        while ahead:
            thing = ahead.pop()
            if id(thing) not in reachable and not isinstance(thing, type):
                reachable.add(id(thing))
                ahead += gc.get_referents(thing)
        assert id(view._states) in reachable
        assert id(game) not in reachable
        assert id(game._states) not in reachable


def test_a_view_stays_as_it_is() -> None:
    game = played(2, "drawing", most=40)
    views = [game.view(observer) for observer in EVERYBODY]
    before = [view.to_bytes() for view in views]
    saved = pickle.dumps(views)
    for _ in play_on(game, "drawing", Random(3), most=30):
        pass
    assert [view.to_bytes() for view in views] == before
    assert pickle.loads(saved) == views
    assert [game.view(observer) for observer in EVERYBODY] != views
    for view in views:
        states = view.state
        if states.flags.writeable:
            states["score"][0] = 99
            states["pile"][0] = 0
        sampled = view.sample(1)
        engine.play_random(sampled, 0, 50, np.zeros(1, np.int64))
        assert view.scores != (99, 99)
        assert View(view.state, view.seat).scores == view.scores
    assert [view.to_bytes() for view in views] == before
    assert pickle.loads(saved) == views


def test_the_plate_about_to_be_kept_is_not_shown_to_others() -> None:
    """A kept plate is laid in two choices; between them nobody else knows which one it will be."""
    game = Game.new(seed=3)
    for token in (str(game.legal_moves[0]), None, "D", "D", "H"):
        game.push(token or game.legal_moves[0])
    views = []
    for lay in legal_choices(game.state):
        states = game.state
        assert engine.apply(states, 0, lay)
        assert Stage(states["stage"][0]) is Stage.TURNING
        assert View.of_state(states, 0, game.turn).state["held_plate"][0] == lay // 9
        views.append([View.of_state(states, 0, observer) for observer in (1 - game.turn, 2)])
    assert all(pair == views[0] for pair in views)
    assert len(views) == 16


# ---------------------------------------------------------------- and all of it


@given(seed=seeds, rules=rule_sets)
@settings(max_examples=15)
def test_a_seat_sees_its_own_legal_moves(seed: int, rules: Rules) -> None:
    for states in choices_fond_of_drawing(seed, rules):
        mover = int(states["turn"][0])
        assert legal_choices(View.of_state(states, 0, mover).state) == legal_choices(states)
    for game in play_on(Game.new(seed=seed, rules=rules), "drawing", Random(seed)):
        for observer in EVERYBODY:
            view = game.view(observer)
            assert view.to_move == (observer == game.turn and not game.is_over)
            assert view.legal_moves.paths == (game.legal_moves.paths if view.to_move else [])


@given(seed=seeds, rules=rule_sets)
@settings(max_examples=4)
def test_what_lies_open_is_in_every_view(seed: int, rules: Rules) -> None:
    for game in play_on(Game.new(seed=seed, rules=rules), "drawing", Random(seed)):
        for observer in EVERYBODY:
            view = game.view(observer)
            assert view.boards == game.boards
            assert view.factories == game.factories
            assert (view.display, view.bag, view.tower) == (game.display, game.bag, game.tower)
            assert (view.scores, view.round, view.turn, view.stage) == (game.scores, game.round, game.turn, game.stage)
            assert (view.rules, view.first, view.start_tile) == (game.rules, game.first, game.start_tile)
            assert (view.stack_size, view.drawn) == (game.stack_size, game.drawn)
            assert view.goal_points == game.goal_points
            if view.stack:
                assert view.stack[0].kind is not None
            truth = [*game.hand, *game.stack]
            for shown, place in zip([*view.hand, *view.stack], truth, strict=True):
                assert place.plate in shown.candidates


@given(seed=seeds, rules=rule_sets)
@settings(max_examples=10)
def test_samples_are_complete_games_that_go_on_to_the_end(seed: int, rules: Rules) -> None:
    counts = np.zeros(1, np.int64)
    for k, states in enumerate(choices_fond_of_drawing(seed, rules)):
        observer = k % 3
        sampled = View.of_state(states, 0, observer).sample(seed + k)
        assert tile_counts(sampled) == [13] * 5
        assert plate_list(sampled) == ALL_PLATE_LIST
        assert chip_list(sampled) == ALL_CHIP_LIST
        assert_nobody_is_wrong(sampled)
        for other in EVERYBODY:
            again = View.of_state(sampled, 0, other).sample(seed)
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


def assert_nobody_is_wrong(states: States) -> None:
    """Every observer thinks the plate possible that lies at a place, and no plate that lies open."""
    s = states[0]
    pile = s["pile"][: s["pile_size"]].tolist()
    unseen = sum(1 << plate for plate in pile)
    for observer in EVERYBODY:
        for plate, mask in zip(pile, s["could_be"][observer].tolist(), strict=False):
            assert mask >> plate & 1
            assert mask & ~unseen == 0


def test_a_sample_before_a_deal_deals_itself_too() -> None:
    """A view of a game that waits for its tiles samples to a game that goes on."""
    game = Game.from_position("stage: dealing; round: 2")
    counts = np.zeros(1, np.int64)
    for observer in EVERYBODY:
        sampled = game.view(observer).sample(5)
        engine.play_random(sampled, 0, 100_000, counts)
        assert Stage(sampled["stage"][0]) is Stage.OVER


@given(seed=seeds)
@settings(max_examples=60)
def test_views_and_samples_agree_with_brute_force(seed: int) -> None:
    """At every decision of games with small stacks, against all piles that fit what was seen."""
    dice = Random(seed)
    for scene in random_scene(seed):
        for mind in scene.minds:
            check_mind(scene, mind)
            view = scene.game.view(mind.observer)
            for _ in range(3):
                assert world_of(view.sample(dice.getrandbits(62))) in mind.worlds


def check_mind(scene: Scene, mind: Mind) -> None:
    """Compares what a view tells of the stack with all that can be."""
    game = scene.game
    assert world_of(game.state) in mind.worlds
    view = game.view(mind.observer)
    for j, place in enumerate(view.stack):
        possible = {stack[j] for _, stack in mind.worlds}
        shown = {plate.index for plate in place.candidates}
        assert possible <= shown
        if len(possible) == 1:
            assert place.plate is not None, "what can be concluded is known"
    if game.stage is not Stage.RETURNING:
        for j, place in enumerate(view.hand):
            possible = {hand[j] for hand, _ in mind.worlds}
            assert possible <= {plate.index for plate in place.candidates}
            if len(possible) == 1:
                assert place.plate is not None


# ---------------------------------------------------------------- fair samples


def assert_uniform(drawn: Iterable[Hashable], possible: AbstractSet[Hashable]) -> None:
    """Chi-squared: every possible outcome is equally likely, and nothing else comes out."""
    counts = Counter(drawn)
    assert set(counts) <= possible
    if len(possible) > 1:
        assert counts.total() >= 20 * len(possible)
        observed = [counts[outcome] for outcome in sorted(possible, key=repr)]
        assert stats.chisquare(observed).pvalue > 1e-4


def samples(view: View, how_many: int) -> Iterator[States]:
    """Many samples of one view."""
    for k in range(how_many):
        yield view.sample(k)


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
        assert stats.chisquare([counts[plate] for plate in likely], expected).pvalue > 1e-4


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
        assert stats.chisquare([counts[face] for face in sorted(left)], expected).pvalue > 1e-4


@pytest.mark.parametrize("seed", range(12))
def test_samples_are_uniform_at_random_moments(seed: int) -> None:
    """After draws and returns of both seats, over all piles that fit."""
    checked = 0
    for scene in random_scene(seed):
        if scene.game.ply < 8 or scene.game.stage is Stage.RETURNING:
            continue
        for mind in scene.minds:
            if 2 <= len(mind.worlds) <= 48:
                view = scene.game.view(mind.observer)
                assert_uniform(map(world_of, samples(view, 25 * len(mind.worlds))), mind.worlds)
                checked += 1
        if checked > 12:
            return
    assert checked


# ---------------------------------------------------------------- perfect recall


def known(view: View) -> list[str]:
    """The stack of a view: plates where they are known, kinds where these are, `??` elsewhere."""
    return [place.plate.name if place.plate else f"?{place.kind.value}" if place.kind else "??" for place in view.stack]


def candidates(view: View, place: int) -> set[Plate]:
    """What could lie at a place of the stack."""
    return set(view.stack[place].candidates)


def plates(indices: Iterable[int]) -> set[Plate]:
    """Plates by their indices."""
    return {PLATES[index] for index in indices}


STACK = [WILDS[0], WILDS[1], SPECIALS[0], WILDS[2], SPECIALS[1], WILDS[3], SPECIALS[2]]
"""From the top: 02 03 01 04 05 06 07, of the kinds W W * W * W *."""


def drawn_by_seat_0() -> Scene:
    """Seat 0 draws 02 03 01 04, keeps 03 and returns 01 04 02 in this order."""
    scene = Scene(small_stack(STACK, SPECIALS[3:6], more="factory L: sun BYRK moon -"))
    scene.draw(4, WILDS[1], [SPECIALS[0], WILDS[2], WILDS[0]])
    return scene


def test_the_drawer_knows_what_it_returned_and_in_which_order() -> None:
    scene = drawn_by_seat_0()
    assert known(scene.game.view(0)) == ["?*", "??", "??", "01", "04", "02"]
    for place in (1, 2):
        assert candidates(scene.game.view(0), place) == plates([SPECIALS[1], WILDS[3], SPECIALS[2]])


@pytest.mark.parametrize("observer", [1, 2])
def test_others_know_only_the_kinds_returned(observer: int) -> None:
    scene = drawn_by_seat_0()
    view = scene.game.view(observer)
    assert known(view) == ["?*", "??", "??", "?*", "?W", "?W"]
    assert candidates(view, 3) == plates(SPECIALS[:3])
    assert candidates(view, 4) == candidates(view, 5) == plates([WILDS[0], WILDS[2], WILDS[3]])


@pytest.mark.parametrize("observer", EVERYBODY)
def test_samples_after_the_first_return_are_uniform(observer: int) -> None:
    scene = drawn_by_seat_0()
    worlds = scene.minds[observer].worlds
    assert len(worlds) == {0: 4, 1: 72, 2: 72}[observer]
    assert_uniform(map(world_of, samples(scene.game.view(observer), 40 * len(worlds))), worlds)


def redrawn_by_seat_1() -> Scene:
    """Then seat 1 draws 05 06 07 01 04, keeps 06 and returns 04 07 01 05."""
    scene = drawn_by_seat_0()
    scene.draw(5, WILDS[3], [WILDS[2], SPECIALS[2], SPECIALS[0], SPECIALS[1]])
    return scene


def test_a_seat_still_knows_which_plates_are_among_those_put_back() -> None:
    """Seat 0 knew 01 and 04 of the five drawn; the wild one must be 04, the order of the others is not known."""
    view = redrawn_by_seat_1().game.view(0)
    assert known(view) == ["02", "04", "?*", "?*", "?*"]
    for place in (2, 3, 4):
        assert candidates(view, place) == plates(SPECIALS[:3])


def test_who_drew_again_knows_places_and_the_rest_only_as_before() -> None:
    scene = redrawn_by_seat_1()
    assert known(scene.game.view(1)) == ["02", "04", "07", "01", "05"]
    spectator = scene.game.view(2)
    assert known(spectator) == ["?W", "?W", "?*", "?*", "?*"]
    assert candidates(spectator, 0) == candidates(spectator, 1) == plates([WILDS[0], WILDS[2]])


@pytest.mark.parametrize(("observer", "piles"), [(0, 6), (1, 1), (2, 12)])
def test_samples_after_the_second_return_are_uniform(observer: int, piles: int) -> None:
    scene = redrawn_by_seat_1()
    worlds = scene.minds[observer].worlds
    assert len(worlds) == piles
    assert_uniform(map(world_of, samples(scene.game.view(observer), 60 * piles)), worlds)


def test_a_set_known_to_a_seat_stays_known_when_a_part_is_drawn_again() -> None:
    """Seat 1 draws 02 04 07 again and keeps 07: what it puts back is known to all, 01 and 05 stay a set."""
    scene = redrawn_by_seat_1()
    scene.until(1)
    scene.draw(3, SPECIALS[2], [WILDS[2], WILDS[0]])
    view = scene.game.view(0)
    assert known(view) == ["?*", "?*", "?W", "?W"]
    assert candidates(view, 0) == candidates(view, 1) == plates(SPECIALS[:2])
    assert candidates(view, 2) == candidates(view, 3) == plates([WILDS[0], WILDS[2]])
    for mind in scene.minds:
        assert_uniform(map(world_of, samples(scene.game.view(mind.observer), 200)), mind.worlds)


def test_a_plate_that_must_lie_at_a_place_is_known_there() -> None:
    """Two plates left, one of each kind: the back on top tells both fronts."""
    scene = Scene(small_stack([SPECIALS[0], WILDS[0]], SPECIALS[1:4]))
    for observer in EVERYBODY:
        assert known(scene.game.view(observer)) == ["01", "02"]


def test_the_last_plate_of_a_set_is_known_when_the_others_come_to_light() -> None:
    """Seat 1 draws two plates that seat 0 returned and keeps one: seat 0 knows the other."""
    stack = [WILDS[0], WILDS[1], WILDS[2], WILDS[3]]
    scene = Scene(small_stack(stack, SPECIALS[:3], more="factory L: sun BYRK moon -"))
    scene.draw(3, WILDS[0], [WILDS[1], WILDS[2]])
    scene.draw(3, WILDS[1], [WILDS[2], WILDS[3]])
    assert known(scene.game.view(0)) == ["?W", "?W"]
    scene.until(1)
    scene.draw(2, WILDS[3], [WILDS[2]])
    for observer in EVERYBODY:
        assert known(scene.game.view(observer)) == ["04"]


def test_a_plate_known_to_one_seat_is_a_surprise_to_the_other() -> None:
    """What a seat thinks of the stack goes into its own samples, not into the other seat's."""
    scene = drawn_by_seat_0()
    bottoms = {world_of(states)[1][-1] for states in samples(scene.game.view(0), 50)}
    assert bottoms == {WILDS[0]}
    bottoms = {world_of(states)[1][-1] for states in samples(scene.game.view(1), 200)}
    assert bottoms == {WILDS[0], WILDS[2], WILDS[3]}


@pytest.mark.parametrize("observer", EVERYBODY)
def test_in_a_sample_the_other_seat_knows_what_it_returned(observer: int) -> None:
    """Seat 0 returned three plates in an order it knows: it does so in every sample, too."""
    view = drawn_by_seat_0().game.view(observer)
    for states in samples(view, 30):
        stack = world_of(states)[1]
        own = View.of_state(states, 0, 0)
        assert known(own)[3:] == [PLATES[plate].name for plate in stack[3:]]
        assert [IS_SPECIAL[plate] for plate in stack[3:]] == [True, False, False]
        assert known(View.of_state(states, 0, 1))[3:] == ["?*", "?W", "?W"]


def chain_of_returns() -> Scene:
    """Wild plates only. Seat 0 returns b and c; seat 1 then draws three times so that, for seat 0, the
    last three drawn were one of the plates put back with b and c, and two that were put back before."""
    b, c, x, u1, u2, u3, u4, u5 = WILDS[:8]
    more = "0 left: markers=1; factory L: sun - moon B"
    scene = Scene(small_stack([b, c, x, u1, u2, u3, u4, u5], SPECIALS[:3], more=more))
    scene.draw(3, x, [b, c])
    scene.draw(3, u1, [u2, u3])
    scene.until(1)
    scene.draw(4, u4, [u5, b, c])
    scene.until(1)
    scene.draw(3, u2, [u3, u5])
    return scene


def test_a_seat_forgets_nothing_over_a_chain_of_returns() -> None:
    """Of b and c only one can have been among the last three drawn: the last two put back are never both."""
    scene = chain_of_returns()
    b, c = WILDS[:2]
    assert all({b, c} != set(stack[2:]) for _, stack in scene.minds[0].worlds)
    for mind in scene.minds:
        view = scene.game.view(mind.observer)
        assert_uniform(map(world_of, samples(view, 60 * len(mind.worlds))), mind.worlds)
        assert_candidates_are_exact(scene, mind)


def assert_candidates_are_exact(scene: Scene, mind: Mind) -> None:
    """Each place of the stack shows the plates that lie there in some pile that can be, and no other."""
    for place, shown in enumerate(scene.game.view(mind.observer).stack):
        possible = {stack[place] for _, stack in mind.worlds}
        assert {plate.index for plate in shown.candidates} == possible


@given(seed=seeds)
@settings(max_examples=40)
def test_samples_are_piles_that_can_be_however_often_plates_are_mixed(seed: int) -> None:
    """At every decision: samples are possible piles and look the same; and where plates were mixed more than
    once, all possible piles are sampled and the candidates of each place are exact."""
    dice = Random(seed)
    for scene in scene_of_returns(seed):
        for mind in scene.minds:
            check_mind(scene, mind)
            view = scene.game.view(mind.observer)
            tangled = is_tangled(scene, mind.observer)
            found = set()
            all_of_them = tangled and len(mind.worlds) <= 40
            for _ in range(25 * len(mind.worlds) if all_of_them else 4):
                states = view.sample(dice.getrandbits(62))
                found.add(world_of(states))
                if len(found) <= 3:
                    assert View.of_state(states, 0, mind.observer) == view
                    assert_nobody_is_wrong(states)
            assert found <= mind.worlds
            if all_of_them:
                assert len(found) == len(mind.worlds)
            if tangled:
                assert_candidates_are_exact(scene, mind)


@pytest.mark.parametrize("seed", [19, 43, 52, 59, 97, 102, 112, 117])
def test_samples_are_uniform_however_often_plates_are_mixed(seed: int) -> None:
    checked = 0
    for scene in scene_of_returns(seed):
        for mind in scene.minds:
            if is_tangled(scene, mind.observer) and len(mind.worlds) > 1:
                view = scene.game.view(mind.observer)
                assert_uniform(map(world_of, samples(view, 40 * len(mind.worlds))), mind.worlds)
                checked += 1
    assert checked


def test_in_a_sample_that_is_the_truth_the_other_seat_knows_what_it_knows() -> None:
    """What a seat knows goes into the other's samples, as far as the other can know it: if a sample happens to
    be the true pile, the seats' views of it are the true ones."""
    checked = 0
    for seed in range(20):
        for scene in scene_of_returns(seed):
            truth = scene.game.state
            for observer in (0, 1):
                tangled = is_tangled(scene, 1 - observer)
                if not tangled or len(scene.minds[observer].worlds) > 30:
                    continue
                for states in samples(scene.game.view(observer), 20):
                    if states["pile"].tobytes() == truth["pile"].tobytes():
                        assert View.of_state(states, 0, 1 - observer) == scene.game.view(1 - observer)
                        checked += 1
    assert checked > 100


def test_a_plate_that_came_out_leaves_no_way_for_another() -> None:
    """Seat 1 mixes b and c, then draws one of those places for a second mix, and returns what is left of the
    first. When seat 0 draws c from the second mix, b cannot be there, too: it knows both plates left."""
    x, b, c, u1, u2, u3, u4, u5 = WILDS[:8]
    more = "0 left: markers=1; factory L: sun - moon B"
    scene = Scene(small_stack([x, b, c, u1, u2, u3, u4, u5], SPECIALS[:3], more=more))
    scene.draw(3, x, [b, c])
    scene.draw(5, u1, [u2, u3, u4, u5])
    scene.until(1)
    scene.draw(4, u2, [c, b, u3])
    scene.until(1)
    scene.draw(3, u4, [c, u5])
    scene.until(1)
    scene.draw(2, u3, [b])
    for mind in scene.minds:
        assert_uniform(map(world_of, samples(scene.game.view(mind.observer), 60 * len(mind.worlds))), mind.worlds)
        assert_candidates_are_exact(scene, mind)
    scene.until(0)
    scene.draw(1, c, [])
    assert scene.minds[0].worlds == {((), (u5, b))}
    assert known(scene.game.view(0)) == [PLATES[u5].name, PLATES[b].name]


def test_a_plate_of_a_set_does_not_tell_where_it_went_in() -> None:
    """A position says that seat 0 has looked at b and c and knows two places where they lie, but not which is
    where. Seat 1 draws the one, then the other with a plate it returned: for seat 0 either can lie anywhere."""
    b, x, y, c, z = WILDS[:5]
    either, other = f"{PLATES[b]}|{PLATES[c]}", "|".join(PLATES[plate].name for plate in (x, y, z))
    text = small_stack([b, x, y, c, z], SPECIALS[:3], more="turn: 1; 0 left: markers=1; factory L: sun - moon B")
    text += f"0 knows: {either} {other} {other} {either} {other}; 0 looked: {names([b, c])}"
    scene = Scene(text)
    scene.draw(3, x, [b, y])
    scene.until(1)
    scene.draw(3, z, [b, c])
    assert [candidates(scene.game.view(0), place) for place in range(3)] == [plates([b, c, y])] * 3


def test_a_scene_is_only_as_good_as_its_minds() -> None:
    """The brute force itself: everybody starts with all piles, and a mind never loses the truth."""
    start = Scene(small_stack(STACK, SPECIALS[3:6]))
    assert [len(mind.worlds) for mind in start.minds] == [4 * factorial(6)] * 3
    for scene in (start, redrawn_by_seat_1(), chain_of_returns()):
        assert all(world_of(scene.game.state) in mind.worlds for mind in scene.minds)
