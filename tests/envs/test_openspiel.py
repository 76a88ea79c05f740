"""The OpenSpiel game: that project's own tests, exact chance, and players who know what they may know."""

from __future__ import annotations

import gzip
import pickle
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.tests import games_sim_test

import soak
from helpers import some
from sintra import SintraError
from sintra.components import COLORS, IS_SPECIAL, LARGE, NOTHING
from sintra.envs.common import StartOptions
from sintra.envs.history import HistoryNode, name_of
from sintra.envs.nodes import MAX_TILE_DRAWS, TILE_DRAWS, fill_next, odds_of_draws
from sintra.envs.openspiel import MAX_DECISIONS, SintraState, resample
from sintra.features.observation import SIZE, observe
from sintra.game.game import View
from sintra.rules import engine
from sintra.rules.choices import CHOICES, RETURN, kind_of, said
from sintra.rules.state import States, copied

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
PLAYTHROUGHS: Final = sorted((Path(__file__).parent / "playthroughs").glob("*.txt.gz"))


def play_at_random(state: SintraState, random: Random, most: int = 10_000) -> SintraState:
    """Plays on, chance by its odds."""
    for _ in range(most):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, odds)[0])
        else:
            state.apply_action(random.choice(state.legal_actions()))
    return state


def some_states(how_many: int, seed: int) -> list[SintraState]:
    """Decisions from all over a game."""
    random, game = Random(seed), pyspiel.load_game("python_sintra")
    found: list[SintraState] = []
    while len(found) < how_many:
        state = play_at_random(game.new_initial_state(), random, random.randrange(70, 260))
        if state.is_player_node():
            found.append(state)
    return found


# ---------------------------------------------------------------- OpenSpiel's own tests


class TestConformance:
    @pytest.mark.soak
    @pytest.mark.parametrize(
        "name",
        [
            "python_sintra",
            "python_sintra(reward=points,goals=4,draw_at_zero=free)",
        ],
    )
    @pytest.mark.long
    def test_random_games_are_played_copied_and_serialised(self, name: str) -> None:
        pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=soak.pick(1, 20), serialize=True, verbose=False)

    @pytest.mark.parametrize("name", ["python_sintra", "python_sintra(reward=points,goal_names=rows+edge+wilds)"])
    def test_a_game_is_simulated(self, name: str) -> None:
        games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))

    @pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda file: file.name.split(".")[0])
    def test_playthroughs_come_out_the_same(self, file: Path, tmp_path: Path) -> None:
        text = tmp_path / "playthrough.txt"
        text.write_bytes(gzip.decompress(file.read_bytes()))
        flags.FLAGS.mark_as_parsed()
        expected, found = generate_playthrough.replay(str(text))
        assert len(expected) > 100_000
        assert found == expected

    def test_there_are_playthroughs_for_both_rewards(self) -> None:
        assert [file.name for file in PLAYTHROUGHS] == ["points.txt.gz", "win.txt.gz"]

    def test_a_state_survives_pickling(self) -> None:
        for state in some(some_states(3, 1)):
            found = pickle.loads(pickle.dumps(state))
            assert str(found) == str(state)
            assert found.history() == state.history()
            for player in range(2):
                assert found.information_state_string(player) == state.information_state_string(player)


# ---------------------------------------------------------------- chance


def draws(bag: tuple[int, ...], tower: tuple[int, ...], size: int) -> dict[tuple[int, ...], Fraction]:
    """Handfuls and how likely they are, tile by tile from the bag, which is filled from the tower when it is empty."""

    @cache
    def go_on(bag: tuple[int, ...], tower: tuple[int, ...], drawn: tuple[int, ...]) -> dict[tuple[int, ...], Fraction]:
        if sum(bag) == 0:
            bag, tower = tower, (0,) * COLORS
        if sum(drawn) == size or sum(bag) == 0:
            return {drawn: Fraction(1)}
        found: dict[tuple[int, ...], Fraction] = {}
        for color in range(COLORS):
            if bag[color]:
                one = tuple(int(k == color) for k in range(COLORS))
                left = tuple(a - b for a, b in zip(bag, one, strict=True))
                for handful, odds in go_on(left, tower, tuple(a + b for a, b in zip(drawn, one, strict=True))).items():
                    found[handful] = found.get(handful, Fraction(0)) + Fraction(bag[color], sum(bag)) * odds
        return found

    return go_on(bag, tower, (0,) * COLORS)


def is_single(handful: tuple[int, ...]) -> bool:
    return sum(count > 0 for count in handful) == 1


def expected_odds(bag: tuple[int, ...], tower: tuple[int, ...], size: int, *, is_large: bool) -> dict[Any, Fraction]:
    """R2.4 after R7.3: handfuls of one colour go back and are drawn again, until there are two, if there can be."""
    first = draws(bag, tower, size)
    everything = tuple(a + b for a, b in zip(bag, tower, strict=True)) if sum(bag) < size else bag
    if not is_large or is_single(everything):
        return first
    second = draws(everything, (0,) * COLORS, size)
    again = {handful: odds for handful, odds in second.items() if not is_single(handful)}
    redrawn = sum(odds for handful, odds in first.items() if is_single(handful))
    found = {handful: odds for handful, odds in first.items() if not is_single(handful)}
    for handful, odds in again.items():
        found[handful] = found.get(handful, Fraction(0)) + redrawn * odds / sum(again.values())
    return {handful: odds for handful, odds in found.items() if odds}


def waiting(bag: tuple[int, ...], tower: tuple[int, ...], *, is_large: bool) -> States:
    """A table that waits for tiles: for those of the large factory, or of the first small one."""
    node = HistoryNode.first(StartOptions(None, None))
    for outcome in range(10_000):
        node = node.after(node.outcomes[outcome % len(node.outcomes)][0])
        if node.is_set_up:
            break
    states = copied(node.states)
    states["bag"][0], states["tower"][0] = bag, tower
    if not is_large:
        states["sun"][0, LARGE, 0] = 5
    return states


class TestChance:
    @pytest.mark.parametrize("is_large", [True, False])
    @pytest.mark.parametrize(
        ("bag", "tower"),
        [
            ((13, 13, 13, 13, 13), (0, 0, 0, 0, 0)),
            ((1, 0, 2, 6, 1), (3, 0, 0, 2, 1)),
            ((2, 0, 0, 0, 0), (9, 1, 0, 0, 3)),
            ((1, 1, 0, 0, 0), (4, 4, 1, 0, 0)),
            ((0, 0, 0, 0, 0), (0, 6, 0, 1, 0)),
            ((7, 0, 0, 0, 0), (0, 2, 0, 0, 0)),
            ((2, 0, 0, 0, 0), (7, 0, 0, 0, 0)),
            ((1, 0, 0, 1, 0), (0, 0, 1, 0, 0)),
            ((0, 0, 2, 0, 0), (0, 0, 0, 0, 0)),
        ],
    )
    def test_tiles_come_as_likely_as_the_rules_say(
        self, bag: tuple[int, ...], tower: tuple[int, ...], is_large: bool
    ) -> None:
        states = waiting(bag, tower, is_large=is_large)
        odds = np.zeros(MAX_TILE_DRAWS)
        assert odds_of_draws(states, odds) == (LARGE if is_large else 0)
        size = min(5 if is_large else 4, sum(bag) + sum(tower))
        found = {tuple(TILE_DRAWS[size, k].tolist()): float(odds[k]) for k in odds.nonzero()[0]}
        expected = expected_odds(bag, tower, size, is_large=is_large)
        assert found.keys() == expected.keys()
        for handful, chance in expected.items():
            assert found[handful] == pytest.approx(float(chance), rel=1e-12), handful
        assert sum(found.values()) == pytest.approx(1, rel=1e-12)

    def test_a_round_without_tiles_begins_at_once(self) -> None:
        states = waiting((0, 0, 0, 2, 0), (0, 0, 0, 0, 0), is_large=True)
        assert fill_next(states, int(np.flatnonzero(TILE_DRAWS[2, :, 3] == 2)[0])) >= 0

    @pytest.mark.soak
    def test_every_deal_of_a_game_is_one_that_the_engine_allows(self) -> None:
        """R2.4, R7.3, as the engine judges deals from outside."""
        random, deals = Random(5), 0
        for _ in range(soak.pick(4, 200)):
            state = pyspiel.load_game("python_sintra").new_initial_state()
            while not state.is_terminal():
                before = state.node
                play_at_random(state, random, 1)
                if before.is_set_up and before.player == -1 and before.states["sun"][0].sum() == 0:
                    while state.is_chance_node():
                        play_at_random(state, random, 1)
                    assert engine.deal(copied(before.states), 0, state.node.states["sun"][0].copy(), True) == NOTHING
                    deals += 1
        assert deals == 5 * soak.pick(4, 200)

    def test_plates_and_chips_are_all_there(self) -> None:
        state = play_at_random(pyspiel.load_game("python_sintra").new_initial_state(), Random(2), 42)
        s = state.node.states[0]
        assert sorted([*s["display"], *s["pile"]]) == list(range(18))
        assert Counter(s["chip_order"].tolist()) == dict.fromkeys(range(10), 2)

    def test_no_game_is_longer_than_it_says(self) -> None:
        game = pyspiel.load_game("python_sintra")
        assert game.max_game_length() == MAX_DECISIONS
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            else:
                names = {name_of(action): action for action in state.legal_actions()}
                state.apply_action(names.get("D", max(names.values())))
        assert state.move_number() < MAX_DECISIONS


# ---------------------------------------------------------------- what players know


class TestKnowledge:
    def test_an_observation_is_what_a_view_shows(self) -> None:
        for state in some(some_states(5, 3)):
            for player in range(2):
                view = View.of_state(state.node.states, 0, player)
                assert state.observation_tensor(player) == observe(view).astype(float).tolist()
                assert state.observation_string(player) == view.position

    @pytest.mark.soak
    def test_what_a_player_cannot_know_changes_nothing_for_them(self) -> None:
        changed = 0
        for seed, state in enumerate(some_states(soak.pick(12, 300), 4)):
            for player in range(2):
                other = resample(state, player, seed)
                changed += str(other) != str(state)
                assert other.information_state_string(player) == state.information_state_string(player)
                assert other.observation_string(player) == state.observation_string(player)
                assert other.observation_tensor(player) == state.observation_tensor(player)
                if state.current_player() == player:
                    assert other.legal_actions() == state.legal_actions()
                again = pickle.loads(pickle.dumps(other))
                assert str(again) == str(other)
        assert changed > 10

    def test_what_one_returns_the_other_does_not_see(self) -> None:
        """R3.1: of plates that go under the stack the other sees the back only."""
        random, game, seen = Random(8), pyspiel.load_game("python_sintra"), 0
        while seen < 5:
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions() if state.is_player_node() else []
                returned = [action for action in legal if kind_of(action) == RETURN]
                alike = [action for action in returned if IS_SPECIAL[said(action, RETURN)]]
                if len(alike) > 1:
                    mover = state.current_player()
                    one, two = state.child(alike[0]), state.child(alike[1])
                    assert one.information_state_string(1 - mover) == two.information_state_string(1 - mover)
                    assert one.information_state_string(mover) != two.information_state_string(mover)
                    seen += 1
                draw = next((action for action in legal if name_of(action) == "D"), None)
                if draw is not None and random.random() < 0.7:
                    state.apply_action(draw)
                else:
                    play_at_random(state, random, 1)

    def test_an_information_state_remembers_all_that_was_seen(self) -> None:
        """Two ways to one table are told apart by both players."""
        state = play_at_random(pyspiel.load_game("python_sintra").new_initial_state(), Random(1), 67)
        strings = set()
        for _ in range(30):
            play_at_random(state, Random(3), 1)
            strings.add(state.information_state_string(0))
        assert len(strings) == 30

    def test_the_public_part_has_nothing_of_a_player(self) -> None:
        game = pyspiel.load_game("python_sintra")
        nothing = pyspiel.PrivateInfoType.NONE
        kind = pyspiel.IIGObservationType(public_info=True, perfect_recall=False, private_info=nothing)
        public = game.make_py_observer(kind)
        assert public.tensor is None
        for state in some_states(3, 6):
            assert public.string_from(state, 0) == public.string_from(state, 1)
            assert public.string_from(state, 0) == View.of_state(state.node.states, 0, 2).position
            with pytest.raises(SintraError, match="no tensor"):
                public.set_from(state, 0)

    def test_named_pieces_are_parts_of_the_tensor(self) -> None:
        observer = pyspiel.load_game("python_sintra").make_py_observer()
        state = some_states(1, 9)[0]
        observer.set_from(state, 0)
        assert observer.tensor.shape == (SIZE,)
        assert sum(piece.size for piece in observer.dict.values()) == SIZE
        round_no = int(state.node.states["round_no"][0])
        assert observer.dict["round"].tolist() == [float(k + 1 == round_no) for k in range(5)]


# ---------------------------------------------------------------- results, names, bad use


class TestUse:
    @pytest.mark.parametrize("reward", ["win", "points"])
    def test_returns(self, reward: str) -> None:
        state = play_at_random(pyspiel.load_game(f"python_sintra(reward={reward})").new_initial_state(), Random(4), 100)
        assert state.returns() == [0, 0]
        play_at_random(state, Random(4))
        first, second = state.node.states["score"][0].tolist()
        if reward == "points":
            assert state.returns() == [first - second, second - first]
        else:
            assert state.returns()[engine.who_won(state.node.states, 0)] == 1
            assert sum(state.returns()) == 0

    def test_choices_have_names_of_their_own(self) -> None:
        assert len({name_of(choice) for choice in range(CHOICES)}) == CHOICES

    def test_actions_can_be_said_in_words(self) -> None:
        state = pyspiel.load_game("python_sintra").new_initial_state()
        assert state.action_to_string(2) == "goal columns"
        for _ in range(150):
            if state.is_player_node():
                for action in state.legal_actions():
                    assert state.string_to_action(state.action_to_string(action)) == action
            play_at_random(state, Random(1), 1)

    def test_chance_says_what_it_draws(self) -> None:
        state = pyspiel.load_game("python_sintra").new_initial_state()
        said_by_chance: list[str] = []
        while len(said_by_chance) < 47:
            said_by_chance.append(state.action_to_string(state.chance_outcomes()[0][0]))
            state.apply_action(state.chance_outcomes()[0][0])
        kinds = Counter(words.split()[0] for words in said_by_chance)
        assert kinds == {"goal": 3, "first": 1, "plate": 18, "chip": 20, "factory": 5}
        assert said_by_chance[42] == "factory L BBBBY"
        assert state.is_player_node()

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("python_sintra(reward=money)", "reward"),
            ("python_sintra(goals=5)", "3 or 4 goals"),
            ("python_sintra(goal_names=rows+towers+wilds)", "unknown goal 'towers'"),
            ("python_sintra(draw_at_zero=never)", "draw_at_zero"),
        ],
    )
    def test_an_unknown_option_is_named(self, name: str, message: str) -> None:
        with pytest.raises(SintraError, match=message):
            pyspiel.load_game(name)

    def test_what_is_legal_is_the_same_for_python_and_for_openspiel(self) -> None:
        random, state = Random(4), pyspiel.load_game("python_sintra").new_initial_state()
        while not state.is_terminal():
            for player in (0, 1):
                assert state.legal_actions(player) == pyspiel.State.legal_actions(state, player)
            assert state.legal_actions() == pyspiel.State.legal_actions(state)
            assert state.is_chance_node() == pyspiel.State.is_chance_node(state)
            state.legal_actions().clear()
            play_at_random(state, random, 1)
        assert state.legal_actions() == pyspiel.State.legal_actions(state) == []

    def test_what_is_not_legal_is_refused_and_changes_nothing(self) -> None:
        state = some_states(1, 2)[0]
        before, legal = str(state), state.legal_actions()
        wrong = next(choice for choice in range(CHOICES) if choice not in legal)
        with pytest.raises(SintraError, match=f"{wrong} .* is not legal here"):
            state.apply_action(wrong)
        with pytest.raises(SintraError, match="9999 is not legal here"):
            state.apply_action(9999)
        assert str(state) == before
        assert state.legal_actions() == legal
        assert state.legal_actions(1 - state.current_player()) == []

    def test_chance_cannot_draw_what_is_not_there(self) -> None:
        state = pyspiel.load_game("python_sintra").new_initial_state()
        state.apply_action(2)
        with pytest.raises(SintraError, match="3 cannot be drawn here"):
            state.apply_action(3)
        play_at_random(state, Random(1), 41)
        with pytest.raises(SintraError, match="126 cannot be drawn here"):
            state.apply_action(126)

    def test_nothing_follows_the_end(self) -> None:
        state = play_at_random(pyspiel.load_game("python_sintra").new_initial_state(), Random(1))
        with pytest.raises(SintraError, match="the game is over"):
            state.apply_action(0)

    def test_observers_take_no_parameters(self) -> None:
        with pytest.raises(SintraError, match="no parameters, but 'size'"):
            pyspiel.load_game("python_sintra").make_py_observer(None, {"size": 3})

    def test_a_bot_that_knows_what_it_may_know_plays(self) -> None:
        """Information set search, in worlds that its player cannot tell apart."""
        game = pyspiel.load_game("python_sintra")
        bot = ismcts.ISMCTSBot(
            game=game,
            evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)),
            uct_c=1.4,
            max_simulations=4,
            random_state=np.random.RandomState(2),
        )
        random = Random(6)
        bot.set_resampler(lambda state, player: resample(state, player, random.getrandbits(60)))
        state = play_at_random(game.new_initial_state(), Random(3), 200)
        while state.is_chance_node():
            play_at_random(state, Random(3), 1)
        assert bot.step(state) in state.legal_actions()


@pytest.mark.long
def test_the_example_plays_a_game() -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / "openspiel_mcts.py", "--simulations", "2"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    choices, result = done.stdout.splitlines()
    assert len(choices.split()) > 100
    assert "won [" in result
