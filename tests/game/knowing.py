"""What the tests of views and samples share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from random import Random

from hypothesis import strategies as st

from chi_squared import chi_squared
from helpers import ALL_RULES, Mind, Scene, legal_choices, world_of
from sintra import PLATES, Game, PlateKind, Rules, Stage, View
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


def assert_nobody_is_wrong(states: States) -> None:
    """Every observer thinks the plate possible that lies at a place, and no plate that lies open."""
    s = states[0]
    pile = s["pile"][: s["pile_size"]].tolist()
    unseen = sum(1 << plate for plate in pile)
    for observer in EVERYBODY:
        for plate, mask in zip(pile, s["could_be"][observer].tolist(), strict=False):
            assert mask >> plate & 1
            assert mask & ~unseen == 0


def check_mind(scene: Scene, mind: Mind) -> None:
    """Compares what a view tells of the stack with all that can be: it excludes nothing of that, and knows a plate
    that must lie at a place (unless plates were mixed again)."""
    game, is_exact = scene.game, mind.observer not in scene.mixed_again
    assert world_of(game.state) in mind.worlds
    view = game.view(mind.observer)
    for j, place in enumerate(view.stack):
        possible = {stack[j] for _, stack in mind.worlds}
        shown = {plate.index for plate in place.candidates}
        assert possible <= shown
        if len(possible) == 1 and is_exact:
            assert place.plate is not None, "what can be concluded is known"
    if game.stage is not Stage.RETURNING:
        for j, place in enumerate(view.hand):
            possible = {hand[j] for hand, _ in mind.worlds}
            assert possible <= {plate.index for plate in place.candidates}
            if len(possible) == 1 and is_exact:
                assert place.plate is not None


def assert_uniform(drawn: Iterable[Hashable], possible: AbstractSet[Hashable]) -> None:
    """Chi-squared: every possible outcome is equally likely, and nothing else comes out."""
    counts = Counter(drawn)
    assert set(counts) <= possible
    if len(possible) > 1:
        assert counts.total() >= 20 * len(possible)
        observed = [counts[outcome] for outcome in sorted(possible, key=repr)]
        assert chi_squared(observed) > 1e-4


def samples(view: View, how_many: int) -> Iterator[States]:
    """Many samples of one view."""
    for k in range(how_many):
        yield view.sample_state(k)
