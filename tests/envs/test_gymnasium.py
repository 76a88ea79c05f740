"""The Gymnasium environments, judged by Gymnasium's own checks, and by what their sheet promises."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env, check_returned_data_not_reused, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import FlattenObservation

from helpers import some
from sintra import Game
from sintra.envs.gymnasium import ID, SintraEnv, SintraVectorEnv
from sintra.errors import SintraError
from sintra.features.observation import observe
from sintra.players.base import PlayerError
from sintra.rules.choices import CHOICES
from sintra.rules.state import Array


def choose(masks: Array, dice: np.random.Generator) -> Array:
    """A legal choice in each game, at random."""
    return np.asarray(np.argmax(dice.random(masks.shape) * masks, axis=-1))


class TestOne:
    @pytest.mark.parametrize("reward", ["win", "points"])
    def test_conformance(self, reward: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(gymnasium.make(ID, opponent="random", reward=reward).unwrapped, skip_render_check=True)

    @pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array", "human"])
    def test_it_shows_itself(self, mode: Any, capsys: pytest.CaptureFixture[str]) -> None:
        made = SintraEnv(opponent="random", render_mode=mode)
        made.reset(seed=1)
        shown = made.render()
        if mode == "human":
            assert shown is None
            assert "Round 1" in capsys.readouterr().out
        elif mode == "rgb_array":
            assert shown.dtype == np.uint8
            assert shown.ndim == 3
            assert shown.shape[2] == 3
        else:
            assert shown.startswith("<svg") if mode == "svg" else "Round 1" in shown

    def test_gymnasium_finds_it_by_its_module(self) -> None:
        name = f"{SintraEnv.__module__}:{ID}"
        code = f"import gymnasium; print(gymnasium.make({name!r}, opponent='random').reset(seed=1)[1])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "{}"

    @pytest.mark.parametrize("opponent", ["greedy", "level:n=1"])
    @pytest.mark.parametrize("seat", [0, 1, None])
    def test_a_whole_game(self, opponent: str, seat: int | None) -> None:
        made = SintraEnv(opponent=opponent, seat=seat, reward="points")
        dice = np.random.default_rng(2)
        shown, _ = made.reset(seed=4)
        total, ended = 0.0, False
        while not ended:
            game = Game.from_state(made._states)
            assert game.turn == made._seat
            assert seat is None or seat == made._seat
            assert np.array_equal(shown["observation"], observe(game.view(made._seat)))
            shown, reward, ended, truncated, info = made.step(choose(shown["action_mask"], dice))
            total += reward
            assert not truncated
        assert total == info["scores"][0] - info["scores"][1]
        assert not shown["action_mask"].any()
        with pytest.raises(ResetNeeded):
            made.step(0)

    def test_the_opponent_gets_views_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        made = SintraEnv(opponent="random", seat=0)
        seen: list[Any] = []
        choose_as_before = made._opponent.choose

        def noted(view: Any) -> Any:
            seen.append(view)
            return choose_as_before(view)

        monkeypatch.setattr(made._opponent, "choose", noted)
        dice = np.random.default_rng(2)
        shown, _ = made.reset(seed=4)
        while not (step := made.step(choose(shown["action_mask"], dice)))[2]:
            shown = step[0]
        assert seen
        assert {type(view).__name__ for view in seen} == {"View"}
        assert {view.seat for view in seen} == {1}

    def test_an_illegal_choice_loses(self) -> None:
        for reward, cost in (("win", -1.0), ("points", -100.0)):
            made = SintraEnv(opponent="random", reward=reward)  # type: ignore[arg-type]
            shown, _ = made.reset(seed=4)
            _, got, ended, _, info = made.step(int(np.flatnonzero(shown["action_mask"] == 0)[0]))
            assert (got, ended, info) == (cost, True, {"illegal": True})

    @pytest.mark.parametrize("action", [-1, CHOICES, 0.5, None, "x"])
    def test_what_is_no_choice_is_refused(self, action: Any) -> None:
        made = SintraEnv(opponent="random")
        made.reset(seed=4)
        with pytest.raises(InvalidAction, match="whole numbers from 0 to 457"):
            made.step(action)

    def test_unknown_options(self) -> None:
        with pytest.raises(PlayerError, match="unknown player 'nobody'"):
            SintraEnv(opponent="nobody")
        with pytest.raises(SintraError, match="seat=2 is not known: it can be None, 0, 1"):
            SintraEnv(seat=2)
        with pytest.raises(TypeError):
            gymnasium.make(ID, colour="red")

    def test_wrappers_fit(self) -> None:
        made = FlattenObservation(gymnasium.make(ID, opponent="random"))
        assert made.observation_space.contains(made.reset(seed=1)[0])


def stepped(envs: SintraVectorEnv, seed: int, steps: int) -> list[Any]:
    """What many steps of random choices return."""
    dice = np.random.default_rng(seed)
    shown, info = envs.reset(seed=seed)
    found: list[Any] = [(shown, info)]
    for _ in range(steps):
        found.append(envs.step(choose(found[-1][0]["action_mask"], dice)))
    return found


class TestMany:
    def test_gymnasium_makes_it(self) -> None:
        envs = gymnasium.make_vec(ID, num_envs=3, opponent="random")
        assert isinstance(envs.unwrapped, SintraVectorEnv)
        shown, _ = envs.reset(seed=1)
        assert envs.observation_space.contains(shown)
        actions = choose(shown["action_mask"], np.random.default_rng(1))
        assert envs.action_space.contains(actions)
        shown, rewards, ended, truncated, _ = envs.step(actions)
        assert envs.observation_space.contains(shown)
        assert rewards.shape == ended.shape == truncated.shape == (3,)
        assert rewards.dtype == np.float64
        assert ended.dtype == truncated.dtype == np.bool_
        envs.close()

    def test_gymnasium_can_also_make_one_of_single_ones(self) -> None:
        envs = gymnasium.make_vec(ID, num_envs=2, vectorization_mode="sync", opponent="random")
        assert isinstance(envs, SyncVectorEnv)
        one = SintraVectorEnv(2)
        assert envs.observation_space == one.observation_space
        assert envs.action_space == one.action_space

    def test_nothing_that_is_returned_is_used_again(self) -> None:
        check_returned_data_not_reused(SintraVectorEnv(1))  # type: ignore[arg-type]

    @pytest.mark.parametrize("opponent", [None, "random", "greedy"])
    def test_threads_and_runs_give_the_same(self, opponent: Any) -> None:
        first = stepped(SintraVectorEnv(200, opponent=opponent, threads=1), 5, 60)
        again = stepped(SintraVectorEnv(200, opponent=opponent, threads=3), 5, 60)
        assert data_equivalence(first, again, exact=True)
        other = stepped(SintraVectorEnv(200, opponent=opponent, threads=3), 6, 1)
        assert not data_equivalence(first[0], other[0])

    @pytest.mark.parametrize("opponent", [None, "random", "greedy"])
    def test_who_decides_sees_the_view_of_that_seat(self, opponent: Any) -> None:
        envs = SintraVectorEnv(6, opponent=opponent)
        dice = np.random.default_rng(1)
        shown, infos = envs.reset(seed=1)
        for _ in range(150):
            for i, seat in some(enumerate(infos["seat"].tolist())):
                game = Game.from_state(envs.states[i : i + 1])
                if game.is_over:
                    assert not shown["action_mask"][i].any()
                else:
                    assert game.turn == seat
                assert np.array_equal(shown["observation"][i], observe(game.view(seat)))
            shown, _, _, _, infos = envs.step(choose(shown["action_mask"], dice))

    def test_games_begin_anew_with_the_next_step(self) -> None:
        envs = SintraVectorEnv(20, reward="points")
        ended_before = np.zeros(20, np.bool_)
        count = 0
        for shown, rewards, ended, _, _ in stepped(envs, 1, 250)[1:]:
            assert not (rewards[ended_before] != 0).any()
            assert not (ended & ended_before).any()
            assert (shown["action_mask"].any(1) == ~ended).all()
            ended_before = ended
            count += int(ended.sum())
        assert count > 20

    def test_games_begin_anew_at_once(self) -> None:
        envs = SintraVectorEnv(20, reward="points", autoreset_mode=AutoresetMode.SAME_STEP)
        sums, count = np.zeros(20), 0
        for shown, rewards, ended, _, infos in stepped(envs, 1, 250)[1:]:
            assert shown["action_mask"].any(1).all()
            sums += rewards
            assert ("final_obs" in infos) == bool(ended.any())
            for i in np.flatnonzero(ended).tolist():
                last, scores = infos["final_obs"][i], infos["final_info"]["scores"][i]
                assert envs.single_observation_space.contains(last)
                assert not last["action_mask"].any()
                assert sums[i] == scores[0] - scores[1]
                sums[i], count = 0.0, count + 1
        assert count > 20

    def test_rewards_of_wins(self) -> None:
        got = np.concatenate([step[1][step[2]] for step in stepped(SintraVectorEnv(50, opponent="greedy"), 1, 200)[1:]])
        assert len(got) > 50
        assert set(got.tolist()) <= {-1.0, 1.0}
        assert got.mean() < -0.9

    def test_both_seats_are_played(self) -> None:
        _, infos = SintraVectorEnv(100).reset(seed=1)
        assert set(infos["seat"].tolist()) == {0, 1}
        _, infos = SintraVectorEnv(100, seat=1).reset(seed=1)
        assert set(infos["seat"].tolist()) == {1}

    def test_without_features(self) -> None:
        envs = SintraVectorEnv(4, features=False)
        shown, _ = envs.reset(seed=1)
        assert list(shown) == ["action_mask"]
        assert envs.observation_space.contains(shown)

    def test_an_illegal_choice_loses_that_game_alone(self) -> None:
        envs = SintraVectorEnv(4, opponent=None)
        shown, _ = envs.reset(seed=1)
        actions = shown["action_mask"].argmax(1)
        actions[2] = int(shown["action_mask"][2].argmin())
        _, rewards, ended, _, infos = envs.step(actions)
        assert rewards.tolist() == [0, 0, -1, 0]
        assert ended.tolist() == infos["illegal"].tolist() == [0, 0, 1, 0]

    @pytest.mark.parametrize("actions", [[0, 1], [0, 1, CHOICES], [0, -1, 2], [0.5, 1.0, 2.0], 3])
    def test_what_are_no_choices_is_refused(self, actions: Any) -> None:
        envs = SintraVectorEnv(3)
        envs.reset(seed=1)
        with pytest.raises(InvalidAction, match="whole numbers"):
            envs.step(np.array(actions))

    def test_misuse(self) -> None:
        with pytest.raises(ResetNeeded):
            SintraVectorEnv(2).step(np.zeros(2, np.int64))
        with pytest.raises(SintraError, match="opponent='search' is not known: it can be None, 'random', 'greedy'"):
            SintraVectorEnv(2, opponent="search")  # type: ignore[arg-type]
        with pytest.raises(SintraError, match="autoreset_mode"):
            SintraVectorEnv(2, autoreset_mode=AutoresetMode.DISABLED)
