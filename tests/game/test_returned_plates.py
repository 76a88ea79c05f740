"""R8: what is known of plates that were drawn, returned and drawn again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import factorial
from random import Random

import pytest
from hypothesis import given

import soak
from game.knowing import EVERYBODY, SPECIALS, WILDS, assert_nobody_is_wrong, assert_uniform, check_mind, samples, seeds
from helpers import IS_SPECIAL, Mind, Scene, World, names, scene_of_returns, small_stack, some, world_of
from sintra import PLATES, Plate, Stage, View


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
    for states in some(samples(view, 30)):
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


def fitting(view: View) -> set[World]:
    """All piles in which every plate lies at a place that has it among its candidates."""
    sets = [[plate.index for plate in place.candidates] for place in (*view.hand, *view.stack)]
    piles = [pile for pile in product(*sets) if len(set(pile)) == len(sets)]
    return {(pile[: view.drawn], pile[view.drawn :]) for pile in piles}


def test_a_view_does_not_conclude_that_only_one_of_two_plates_can_have_come_to_a_place() -> None:
    """Of b and c only one can have been among the last three drawn, so the last two put back are never both. Sets of
    plates cannot say this: seat 0 thinks all piles possible that fit its sets, those that can be among them."""
    scene = chain_of_returns()
    b, c = WILDS[:2]
    can_be, view = scene.minds[0].worlds, scene.game.view(0)
    assert all({b, c} != set(stack[2:]) for _, stack in can_be)
    assert any({b, c} == set(stack[2:]) for _, stack in fitting(view))
    assert can_be < fitting(view)
    assert_uniform(map(world_of, samples(view, 60 * len(fitting(view)))), fitting(view))
    for mind in scene.minds[1:]:
        view = scene.game.view(mind.observer)
        assert_uniform(map(world_of, samples(view, 60 * len(mind.worlds))), mind.worlds)
        assert_candidates_are_exact(scene, mind)


def assert_candidates_are_exact(scene: Scene, mind: Mind) -> None:
    """Each place of the stack shows the plates that lie there in some pile that can be, and no other."""
    for place, shown in enumerate(scene.game.view(mind.observer).stack):
        possible = {stack[place] for _, stack in mind.worlds}
        assert {plate.index for plate in shown.candidates} == possible


@given(seed=seeds)
@soak.examples(10)
def test_views_exclude_nothing_that_can_be_however_often_plates_are_mixed(seed: int) -> None:
    """At every decision: samples look the same to the observer, and candidates include all that can be; samples are
    piles that can be, unless plates were mixed again."""
    dice = Random(seed)
    for scene in some(scene_of_returns(seed)):
        for mind in some(scene.minds):
            check_mind(scene, mind)
            view = scene.game.view(mind.observer)
            for _ in range(4):
                states = view.sample_state(dice.getrandbits(62))
                assert View.of_state(states, 0, mind.observer) == view
                assert_nobody_is_wrong(states)
                assert world_of(states) in mind.worlds or mind.observer in scene.mixed_again


@pytest.mark.parametrize("seed", [19, 43, 52, 59, 97, 102, 112, 117])
def test_samples_are_uniform_however_often_plates_are_mixed(seed: int) -> None:
    """Over all piles that fit the sets of the observer, to which those that can be belong."""
    checked = 0
    for scene in scene_of_returns(seed):
        for mind in scene.minds:
            if mind.observer not in scene.mixed_again or scene.game.stage is Stage.RETURNING:
                continue
            view = scene.game.view(mind.observer)
            piles = fitting(view)
            assert mind.worlds <= piles
            if 1 < len(piles) <= 100:
                assert_uniform(map(world_of, samples(view, 40 * len(piles))), piles)
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
                if 1 - observer not in scene.mixed_again or len(scene.minds[observer].worlds) > 30:
                    continue
                for states in samples(scene.game.view(observer), 20):
                    if states["pile"].tobytes() == truth["pile"].tobytes():
                        assert View.of_state(states, 0, 1 - observer) == scene.game.view(1 - observer)
                        checked += 1
    assert checked > 100


def test_a_view_does_not_conclude_that_a_plate_which_came_out_leaves_no_way_for_another() -> None:
    """Seat 1 mixes b and c, then draws one of those places for a second mix, and returns what is left of the
    first. When seat 0 draws c from the second mix, b cannot be there, too: it could know both plates left. Its view
    says only which two they are."""
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
    scene.until(0)
    scene.draw(1, c, [])
    assert scene.minds[0].worlds == {((), (u5, b))}
    assert fitting(scene.game.view(0)) == {((), (u5, b)), ((), (b, u5))}


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
