"""R8: a view is a function of what its observer may know: equal records give equal views and keys."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import soak
from alike import Alikes, shuffled_alike
from helpers import ALL_RULES, Scene, played, random_scene, scene_of_returns, small_stack, some
from sintra import PLATES, PlateKind, Rules, Stage, View
from sintra.records.record import Record
from sintra.rules.state import PLATE_TURNS

EVERYBODY = (0, 1, 2)
WILDS = [plate.index for plate in PLATES if plate.kind is PlateKind.WILD]
SPECIALS = [plate.index for plate in PLATES if plate.kind is PlateKind.SPECIAL]
seeds = st.integers(0, 2**62)
rule_sets = st.sampled_from(ALL_RULES)


@given(seed=seeds, often=st.booleans())
@soak.examples(10)
def test_all_games_with_equal_records_have_equal_views(seed: int, often: bool) -> None:
    """At every decision of games with small stacks, for all games that an observer cannot tell apart."""
    dice = Random(seed)
    alikes: list[Alikes] = []
    before = None
    most = 0
    for scene in scene_of_returns(seed) if often else random_scene(seed):
        game = scene.game
        if game.stack_size > 6 and before is None:
            return
        alikes = alikes or [Alikes(observer, game, dice) for observer in EVERYBODY]
        for one in alikes:
            if before is not None:
                one.watch(before, game.moves[-1], game)
            view = game.view(one.observer)
            for states in one:
                assert View.of_state(states, 0, one.observer).to_bytes() == view.to_bytes()
            most = max(most, len(one))
        before = game.copy()
    assert most > 5


@given(seed=seeds, rules=rule_sets)
@soak.examples(6)
def test_whole_games_with_equal_records_have_equal_views(seed: int, rules: Rules) -> None:
    """Games of full size that differ only in what is not in an observer's record, at every ply."""
    dice = Random(seed)
    record = Record.of(played(seed, "drawing", rules, most=20 + dice.randrange(150)))
    for observer in EVERYBODY:
        other, changes = shuffled_alike(record, observer, dice)
        assume(changes)  # late in a game there may be nothing left that is hidden
        for ours, theirs in some(zip(record.positions(), other.positions(), strict=True)):
            one, two = ours.view(observer), theirs.view(observer)
            assert one.to_bytes() == two.to_bytes()
            assert one.key == two.key


def kept_by_seat_1(seat_0_knew_it: bool) -> Scene:
    """Seat 0 returns two special plates; seat 1 draws the first of them together with another, and keeps
    one of the two. Which of them it was that seat 0 knew, a spectator cannot know."""
    kept, other, last = SPECIALS[3:6]
    known, unknown = (kept, other) if seat_0_knew_it else (other, kept)
    stack = [known, last, WILDS[0], unknown]
    scene = Scene(small_stack(stack, SPECIALS[:3], more="factory L: sun BYRK moon -"))
    scene.draw(3, WILDS[0], [known, last])
    scene.draw(2, kept, [other])
    return scene


def test_a_spectator_is_not_told_what_a_seat_knows_of_the_plates_put_back() -> None:
    one, two = kept_by_seat_1(True).game, kept_by_seat_1(False).game
    assert one.view(2).to_bytes() == two.view(2).to_bytes()
    assert one.view(2).key == two.view(2).key
    assert one.view(0) != two.view(0)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_spectator_knows_which_places_a_seat_knows_for_sure(seat: int) -> None:
    """A seat knows what it is looking at and what it returned last: so it does in a spectator's samples."""
    scene = kept_by_seat_1(True)
    scene.until(seat)
    for token in ("D", "H"):
        scene.push(token)
    game = scene.game
    assert game.stage is Stage.KEEPING
    returned = game.state["returned_in"][0, : game.stack_size + game.drawn]
    for k in range(10):
        states = game.view(2).sample_state(k)
        own = View.of_state(states, 0, seat)
        sure = [place < game.drawn or turn // PLATE_TURNS == seat for place, turn in enumerate(returned.tolist())]
        for is_sure, place, plate in zip(sure, [*own.hand, *own.stack], states["pile"][0].tolist(), strict=False):
            assert not is_sure or place.candidates == (PLATES[plate],)
