"""The PettingZoo environment, judged by PettingZoo's own tests, and by what its sheet promises."""

from __future__ import annotations

import pickle
import time
import warnings
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from sintra import Game
from sintra.envs import pettingzoo
from sintra.envs.pettingzoo import AGENTS, env, raw_env
from sintra.errors import SintraError
from sintra.features.observation import observe
from sintra.rules.choices import BLOCKS, CHOICES

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of games that PettingZoo's tests look at
    from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
    from pettingzoo.test.performance_benchmark import performance_benchmark


@pytest.fixture
def _as_in_classic_games() -> Any:
    """PettingZoo knows by name which environments of its own show an action mask; of others it says that they do."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        yield


@pytest.mark.usefixtures("_as_in_classic_games")
class TestConformance:
    @pytest.mark.parametrize("make", [env, raw_env])
    @pytest.mark.parametrize("reward", ["win", "points"])
    def test_api(self, make: Any, reward: str) -> None:
        api_test(make(reward=reward), num_cycles=300)

    def test_seeds(self) -> None:
        seed_test(env, num_cycles=200)

    @pytest.mark.long
    def test_pictures(self, capsys: pytest.CaptureFixture[str]) -> None:
        render_test(env, custom_tests={"svg": lambda shown: shown.startswith("<svg")})
        assert "Round 1" in capsys.readouterr().out

    def test_parallel(self) -> None:
        parallel_api_test(turn_based_aec_to_parallel(env()), num_cycles=200)


def test_its_speed_can_be_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    seconds = count(step=2)
    monkeypatch.setattr(time, "time", lambda: next(seconds))
    performance_benchmark(raw_env())
    assert "turns per second" in capsys.readouterr().out


def play(made: Any, seed: int) -> tuple[dict[str, float], list[int]]:
    """A whole game of random choices: what each agent got, and all choices."""
    dice = Random(seed)
    made.reset(seed=seed)
    got = dict.fromkeys(AGENTS, 0.0)
    choices: list[int] = []
    for agent in made.agent_iter():
        shown, reward, termination, truncation, _ = made.last()
        got[agent] += reward
        if termination or truncation:
            made.step(None)
            continue
        choices.append(dice.choice(np.flatnonzero(shown["action_mask"]).tolist()))
        made.step(choices[-1])
    return got, choices


@pytest.mark.parametrize("seed", range(5))
def test_rewards_are_the_result(seed: int) -> None:
    by_win, by_points = raw_env(), raw_env(reward="points")
    won, choices = play(by_win, seed)
    lead, same = play(by_points, seed)
    assert choices == same
    assert sorted(won.values()) == [-1.0, 1.0]
    assert lead["player_0"] == -lead["player_1"]
    scores = by_points._states["score"][0]
    assert lead["player_0"] == int(scores[0]) - int(scores[1])
    if lead["player_0"]:
        assert (lead["player_0"] > 0) == (won["player_0"] > 0)


def test_an_agent_sees_what_the_view_of_its_seat_shows() -> None:
    made = raw_env()
    made.reset(seed=3)
    dice = Random(3)
    for _ in range(120):
        game = Game.from_state(made._states)
        for seat, agent in enumerate(AGENTS):
            shown = made.observe(agent)
            assert np.array_equal(shown["observation"], observe(game.view(seat)))
            assert bool(shown["action_mask"].any()) == (agent == made.agent_selection)
        made.step(dice.choice(np.flatnonzero(made.observe(made.agent_selection)["action_mask"]).tolist()))


def test_what_was_shown_can_be_kept_and_changed() -> None:
    made = raw_env()
    made.reset(seed=3)
    first = made.last()[0]
    assert first is not None
    first["action_mask"][:] = 1
    second = made.last()[0]
    assert second is not None
    assert not second["action_mask"].all()


class TestMisuse:
    def test_an_illegal_choice_loses(self, caplog: pytest.LogCaptureFixture) -> None:
        made = env()
        made.reset(seed=1)
        agent = made.agent_selection
        shown = made.last()[0]
        assert shown is not None
        made.step(int(np.flatnonzero(shown["action_mask"] == 0)[0]))
        assert "Illegal move" in caplog.text
        assert made.rewards[agent] == pettingzoo.ILLEGAL_REWARD
        assert all(made.terminations.values())

    @pytest.mark.parametrize("action", [0.5, -1, CHOICES, None, "x", 457])
    def test_raw_it_is_refused_and_nothing_changes(self, action: Any) -> None:
        made = raw_env()
        made.reset(seed=1)
        before = made._states.tobytes()
        with pytest.raises(SintraError, match="is not legal for player_"):
            made.step(action)
        assert made._states.tobytes() == before

    def test_out_of_bounds(self) -> None:
        made = env()
        made.reset(seed=1)
        with pytest.raises(AssertionError, match="action"):
            made.step(CHOICES)

    def test_a_dead_agent_can_only_go(self) -> None:
        made = raw_env()
        made.reset(seed=1)
        made.terminations = dict.fromkeys(AGENTS, True)
        with pytest.raises(ValueError, match="None"):
            made.step(3)

    def test_nothing_goes_before_reset(self) -> None:
        with pytest.raises(AttributeError, match="reset"):
            _ = env().agent_selection

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ({"reward": "gold"}, "reward='gold' is not known: it can be 'win', 'points'"),
            ({"render_mode": "film"}, "render_mode='film' is not known"),
            ({"goals": 7}, "3 or 4 goals"),
            ({"rules": {"draw": 1}}, "unknown rule 'draw'"),
        ],
    )
    def test_unknown_options(self, options: dict[str, Any], words: str) -> None:
        with pytest.raises(SintraError, match=words):
            env(**options)

    def test_render_without_a_mode_says_so(self) -> None:
        made = raw_env()
        made.reset(seed=1)
        with pytest.warns(UserWarning, match="render mode"):
            assert made.render() is None


def test_it_can_be_pickled() -> None:
    made = pickle.loads(pickle.dumps(raw_env(reward="points", goals="first-game")))
    assert made._by_points
    assert play(made, 1)[1]


def test_goals_and_rules_reach_the_game() -> None:
    made = raw_env(goals="first-game", rules={"draw_at_zero": "free"})
    made.reset(seed=5)
    game = Game.from_state(made._states)
    assert game.rules == Game.new(goals="first-game", rules={"draw_at_zero": "free"}).rules


def test_the_sheet_lists_the_choices() -> None:
    sheet = pettingzoo.__doc__
    assert sheet is not None
    for start, fields in BLOCKS.items():
        how_many = " * ".join(map(str, fields)) or "1"
        assert f"\n{start:<11}{how_many:<11}" in sheet
