"""R8: a view names for every place of hand and stack exactly the plates that can lie there by the observer's sets."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import (
    ALL_PLATE_LIST,
    ALL_RULES,
    IS_SPECIAL,
    Mind,
    Scene,
    names,
    play_on,
    random_scene,
    scene_of_returns,
    small_stack,
    some,
)
from sintra import PLATES, Game, PlateKind, Rules, Stage, View
from sintra.rules import engine
from sintra.rules.state import empty_states

EVERYBODY = (0, 1, 2)
seeds = st.integers(0, 2**62)
rule_sets = st.sampled_from(ALL_RULES)


def shown(view: View) -> list[set[int]]:
    """The candidates of every place of hand and stack."""
    return [{plate.index for plate in place.candidates} for place in (*view.hand, *view.stack)]


def possible(scene: Scene, mind: Mind) -> list[set[int]]:
    """The candidates of every place by brute force. A hand of which a plate was laid has no order for others: a plate
    in it can lie at each of its places that has the plate's kind."""
    drawn, size = scene.game.drawn, scene.game.drawn + scene.game.stack_size
    piles = [(*hand, *stack) for hand, stack in mind.worlds]
    found = [{pile[place] for pile in piles} for place in range(size)]
    if scene.game.stage is Stage.RETURNING:
        in_hand = {plate for pile in piles for plate in pile[:drawn]}
        for place, truth in enumerate(scene.game.hand):
            assert truth.plate is not None
            same_kind = {plate for plate in in_hand if IS_SPECIAL[plate] == IS_SPECIAL[truth.plate.index]}
            found[place] = {truth.plate.index} if mind.observer == scene.game.turn else same_kind
    return found


@given(seed=seeds, often=st.booleans())
@soak.examples(15)
def test_candidates_are_exact_by_brute_force(seed: int, often: bool) -> None:
    """At every decision of games with small stacks, against all piles that fit what was seen. Where plates were mixed
    again there may be more candidates, and never fewer."""
    for scene in some(scene_of_returns(seed) if often else random_scene(seed)):
        for mind in scene.minds:
            found, exact = shown(scene.game.view(mind.observer)), possible(scene, mind)
            assert all(some_of <= all_of for some_of, all_of in zip(exact, found, strict=True))
            assert found == exact or mind.observer in scene.mixed_again


def test_a_kind_that_is_accounted_for_lies_nowhere_else() -> None:
    """Two special plates lie on top of the stack, shown by their backs, and there are no more: what is drawn
    shows where both are, and the rest can only be wild."""
    wilds = [plate.index for plate in PLATES if plate.kind is PlateKind.WILD][:6]
    specials = [plate.index for plate in PLATES if plate.kind is PlateKind.SPECIAL]
    scene = Scene(small_stack([*specials[:2], *wilds[:4]], specials[2:5], more="factory L: sun BYRK moon -"))
    assert {len(found) for found in shown(scene.game.view(2))[1:]} == {6}
    scene.push("D")
    for observer in EVERYBODY:
        assert shown(scene.game.view(observer)) == [{*specials[:2]}] * 2 + [{*wilds[:4]}] * 4


def can_be(view: View, place: int, plate: int) -> bool:
    """Whether there is a pile with this plate at this place, by looking for one."""
    states = view.state
    states["could_be"][0, view.seat, place] = 1 << plate
    return bool(engine.sample(states, 0, view.seat, plate, empty_states(), 0))


@given(seed=seeds, rules=rule_sets)
@soak.examples(5)
def test_every_candidate_lies_there_in_some_pile_of_a_whole_game(seed: int, rules: Rules) -> None:
    """Stacks of full size: for each candidate there is a pile, and no pile has another plate there."""
    dice, places = Random(seed), 0
    for game in play_on(Game.new(seed=seed, rules=rules), dice.choice(("drawing", "uniform")), dice, most=120):
        view = game.view(dice.choice(EVERYBODY))
        sets = shown(view)
        piles = [view.sample_state(k)["pile"][0].tolist() for k in range(4)]
        for place, found in enumerate(sets):
            assert {pile[place] for pile in piles} <= found
        places += len(sets)
        if sets and dice.random() < 0.5:
            place = dice.randrange(len(sets))
            assert all(can_be(view, place, plate) for plate in sets[place])
    assert places


def exact(masks: list[set[int]]) -> list[set[int]]:
    """The plates of each place with which all others find a place: one assignment for every question."""
    return [{plate for plate in mask if all_find_one(masks, place, plate)} for place, mask in enumerate(masks)]


def all_find_one(masks: list[set[int]], taken: int, by: int) -> bool:
    """Whether every other place can have a plate of its own, once a place is taken by a plate."""
    holder: dict[int, int] = {}

    def finds(place: int, tried: set[int]) -> bool:
        for plate in masks[place] - tried - {by}:
            tried.add(plate)
            if plate not in holder or finds(holder[plate], tried):
                holder[plate] = place
                return True
        return False

    return all(finds(place, set()) for place in range(len(masks)) if place != taken)


@given(seed=seeds)
@soak.examples(40)
def test_all_conclusions_are_drawn_from_any_sets(seed: int) -> None:
    """A position may name any sets that hold the truth: also those that overlap in chains and rings."""
    dice = Random(seed)
    plates = dice.sample(ALL_PLATE_LIST, len(PLATES))
    size = dice.randrange(2, 15)
    stack = plates[3 : 3 + size]
    likely = dice.choice((0.08, 0.15, 0.3, 0.6))
    kinds = [{*stack}, *[{plate for plate in stack if dice.random() < likely} for _ in range(3)]]
    masks = [
        {plate, *(dice.choice(kinds) if dice.random() < 0.5 else [p for p in stack if dice.random() < likely])}
        for plate in stack
    ]
    words = ["|".join(PLATES[plate].name for plate in sorted(mask)) for mask in masks]
    for name, observer in (("0", 0), ("spectator", 2)):
        text = f"{small_stack(stack, plates[:3])}{name} knows: {' '.join(words)}; factory L: sun - moon B"
        masks[0] = {plate for plate in masks[0] if IS_SPECIAL[plate] == IS_SPECIAL[stack[0]]}
        assert shown(Game.from_position(text).view(observer)) == exact(masks), names(stack)
