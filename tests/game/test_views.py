"""R8: views tell all that an observer can know, and nothing else."""

from __future__ import annotations

import gc
import pickle
from random import Random

import numpy as np
import pytest
from hypothesis import given

import soak
from game.knowing import EVERYBODY, choices_fond_of_drawing, rule_sets, seeds
from helpers import legal_choices, play_on, played, record_alike, some, turned_up
from sintra import Game, Rules, Stage, View
from sintra.components import CHIP_COUNT, NOTHING
from sintra.records.record import Record
from sintra.rules import engine


@pytest.mark.parametrize("observer", EVERYBODY)
@given(seed=seeds, rules=rule_sets)
@soak.examples(8)
def test_states_that_look_the_same_give_the_same_view(observer: int, seed: int, rules: Rules) -> None:
    """At every choice: all that is hidden is dealt anew, and the view stays the same byte for byte."""
    dice = Random(seed)
    for states in some(choices_fond_of_drawing(seed, rules)):
        view = View.of_state(states, 0, observer)
        other = view.sample_state(dice.getrandbits(62))
        assert View.of_state(other, 0, observer).to_bytes() == view.to_bytes()


def test_games_of_those_fond_of_drawing_come_to_every_stage() -> None:
    """Else the test above would mean little."""
    rules = Game.new(seed=0).rules
    stages = {Stage(states["stage"][0]) for seed in range(6) for states in choices_fond_of_drawing(seed, rules)}
    assert stages == set(Stage) - {Stage.DEALING}


@given(seed=seeds, rules=rule_sets)
@soak.examples(6)
def test_games_that_look_the_same_give_the_same_views(seed: int, rules: Rules) -> None:
    """Two whole games that differ only in what an observer cannot know look the same at every ply."""
    dice = Random(seed)
    record = Record.of(played(seed, "drawing", rules, most=dice.randrange(150)))
    for observer in EVERYBODY:
        other = record_alike(record, observer, dice)
        for ours, theirs in some(zip(record.positions(), other.positions(), strict=True)):
            assert ours.view(observer).to_bytes() == theirs.view(observer).to_bytes()


def test_games_that_look_the_same_are_not_the_same() -> None:
    record = Record.of(played(1, "drawing", most=60))
    for observer in EVERYBODY:
        others = {record_alike(record, observer, Random(k)).plates for k in range(5)}
        assert len(others) == 5
        assert record_alike(record, observer, Random(1)).chips != record.chips


@given(seed=seeds, rules=rule_sets)
@soak.examples(4)
def test_samples_are_really_dealt_anew(seed: int, rules: Rules) -> None:
    """The test above would mean little if samples copied the hidden truth."""
    game = played(seed, "uniform", rules, most=5)
    for observer in EVERYBODY:
        samples = [game.view(observer).sample_state(k) for k in range(30)]
        assert len({states["pile"].tobytes() for states in samples}) > 10
        assert len({states["chip_order"].tobytes() for states in samples}) == 30
        assert len({states["rng"].tobytes() for states in samples}) == 30


@given(seed=seeds, rules=rule_sets)
@soak.examples(5)
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
        sampled = view.sample_state(1)
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


@given(seed=seeds, rules=rule_sets)
@soak.examples(8)
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
@soak.examples(3)
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
