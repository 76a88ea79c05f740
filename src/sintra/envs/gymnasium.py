"""Sintra as Gymnasium environments: one agent against a named player, and thousands of games at once.

`Sintra-v0`
-----------

    import gymnasium
    import sintra.envs.gymnasium  # makes it known

    env = gymnasium.make("Sintra-v0", opponent="greedy")
    observation, info = env.reset(seed=7)
    ended = False
    while not ended:
        action = env.action_space.sample(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        ended = terminated or truncated

Without the second import, `gymnasium.make("sintra.envs.gymnasium:Sintra-v0")` does the same.
Actions and observations are those of `sintra.envs.pettingzoo`. The opponent moves within `step`.

===============  ==========  ==================================================================================
`opponent`       `"greedy"`  any named player: `"random"`, `"level:n=3"`, `"search:sims=200"`, ...
`seat`           `None`      0 or 1; with None either, drawn for each game
`reward`         `"win"`     `"win"`: 1 or -1 at the end; `"points"`: with every step the change of the lead
`goals`          `None`      names of goals, `"first-game"`, or how many are drawn at random (3)
`rules`          `None`      options of the rules, as `sintra.Game.new` takes them
`render_mode`    `None`      `human` (prints), `ansi`, `rgb_array`, `svg`
===============  ==========  ==================================================================================

A choice that is not legal loses the game: `terminated`, a reward of -1 (-100 where points count), and
`info["illegal"]`. At the end `info["scores"]` has the points of both, one's own first.

Many games at once
------------------

    envs = gymnasium.make_vec("Sintra-v0", num_envs=4096, opponent="random")
    observations, infos = envs.reset(seed=7)

makes a `SintraVectorEnv`, which steps all its games in compiled code, on all processors. Its opponents are `"random"`,
`"greedy"`, or `None`: then the agent decides for both seats, `infos["seat"]` says for which in each game, and a reward
is that of the seat that chose. With `features=False` there is only the mask, for those who make features of their own
from `envs.states`. `autoreset_mode` is Gymnasium's: by default a game that ended begins anew with the next step,
whose action is not looked at; with `AutoresetMode.SAME_STEP` at once, and `infos["final_obs"]` has what was last seen.

Version history
---------------

* v0: observations of version 1
"""

from __future__ import annotations

import itertools
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sintra.components import NOTHING, SEATS
from sintra.envs import common
from sintra.envs.stepping import (
    GREEDY,
    ILLEGAL_COST,
    LEGAL_WORDS,
    NOBODY,
    RANDOM,
    WIN,
    advance,
    begin_and_show,
    show_one,
)
from sintra.features.observation import SIZE, observe_batch
from sintra.features.spaces import REMEMBERED
from sintra.game.game import View
from sintra.players import player
from sintra.rules import engine
from sintra.rules.choices import CHOICES
from sintra.rules.state import Array, Stage, States, chosen_from
from sintra.tabletop.moves import path_of

ID: Final = "Sintra-v0"
SEED_LIMIT: Final = 1 << 63
OPPONENTS: Final = {None: NOBODY, "random": RANDOM, "greedy": GREEDY}
MIN_GAMES_PER_THREAD: Final = 64
"""Fewer games are not worth a thread of their own."""


class SintraEnv(gymnasium.Env[Any, np.int64]):
    """One agent against a named player; see the module for its sheet of facts."""

    metadata: Final = {"render_modes": common.RENDER_MODES, "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        opponent: str = "greedy",
        seat: int | None = None,
        reward: common.Reward = "win",
        goals: common.Goals = None,
        rules: common.RulesGiven = None,
        render_mode: common.RenderMode | None = None,
    ) -> None:
        self.render_mode = self._picture = common.render_option(render_mode)
        self._by_points = common.counts_points(reward)
        self._fixed_seat = common.seat_option(seat)
        self._opponent = player(opponent)
        self._start_options = common.StartOptions(goals, rules)
        self._states = self._start_options.blank()
        self._known = np.zeros(1, REMEMBERED)
        self._seat = 0
        self._is_playing = False
        self.observation_space = common.observation_space()
        self.action_space = common.action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """A new game; the opponent may have begun it."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SEATS))
        self._seat = drawn if self._fixed_seat is None else self._fixed_seat
        self._start_options.begin(self._states, 0, int(self.np_random.integers(SEED_LIMIT)))
        self._opponent.new_game(int(self.np_random.integers(SEED_LIMIT)))
        self._is_playing = self._let_opponent_move()
        if self.render_mode == "human":
            self.render()
        return self._shown(), {}

    def step(self, action: Any) -> tuple[dict[str, Array], float, bool, bool, dict[str, Any]]:
        """Makes a choice; the opponent answers when it is its turn."""
        if not self._is_playing:
            raise ResetNeeded("the game is over, or has not begun: call reset() first")
        if not self.action_space.contains(action):
            raise InvalidAction(f"{action!r} is no choice: they are whole numbers from 0 to {CHOICES - 1}")
        before = common.lead(self._states, self._seat)
        if not engine.apply(self._states, 0, int(action)):
            self._is_playing = False
            return self._shown(), -(ILLEGAL_COST if self._by_points else WIN), True, False, {"illegal": True}
        self._is_playing = self._let_opponent_move()
        reward = common.lead(self._states, self._seat) - before if self._by_points else 0.0
        info: dict[str, Any] = {}
        if not self._is_playing:
            if not self._by_points:
                reward = common.result(self._states, self._seat)
            info["scores"] = [int(self._states["score"][0, seat]) for seat in (self._seat, 1 - self._seat)]
        if self.render_mode == "human":
            self.render()
        return self._shown(), reward, not self._is_playing, False, info

    def _let_opponent_move(self) -> bool:
        """The opponent moves as long as it is its turn; whether the game goes on."""
        while self._states["stage"][0] != Stage.OVER and self._states["turn"][0] != self._seat:
            view = View.of_state(self._states, 0, 1 - self._seat)
            move = self._opponent.choose(view)
            refused = engine.play(self._states, 0, path_of(move, self._states, 0))
            assert not refused, f"{self._opponent.name} played {move}, which is not legal"
        return bool(self._states["stage"][0] != Stage.OVER)

    def _shown(self) -> dict[str, Array]:
        mask, observation = np.empty(CHOICES, np.int8), np.empty(SIZE, np.uint8)
        show_one(self._states, self._seat, mask, self._known, observation)
        return {"observation": observation, "action_mask": mask}

    def render(self) -> Any:
        """The table as the agent sees it."""
        return common.render(self._states, self._seat, self._picture)


class SintraVectorEnv(VectorEnv[dict[str, Array], Array, Array]):
    """Many games, stepped in compiled code; see the module for its sheet of facts."""

    def __init__(
        self,
        num_envs: int = 1,
        opponent: Literal["random", "greedy"] | None = "random",
        seat: int | None = None,
        reward: common.Reward = "win",
        goals: common.Goals = None,
        rules: common.RulesGiven = None,
        features: bool = True,
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
    ) -> None:
        self.num_envs = num_envs
        self._mode = AutoresetMode(autoreset_mode)
        common.option("autoreset_mode", self._mode, (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP))
        common.option("render_mode", render_mode, (None,))
        self.metadata = {"render_modes": [], "autoreset_mode": self._mode}
        self._opponent = OPPONENTS[common.option("opponent", opponent, OPPONENTS)]
        fixed_seat = common.seat_option(seat)
        self._own_seat = NOTHING if fixed_seat is None else fixed_seat
        self._by_points = common.counts_points(reward)
        self._start_options = common.StartOptions(goals, rules)
        self._width = SIZE if features else 0
        single = common.observation_space()
        if not features:
            single = spaces.Dict({"action_mask": single["action_mask"]})
        self.single_observation_space = single
        self.single_action_space = common.action_space()
        self.observation_space = batch_space(single, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._states = self._start_options.blank(num_envs)
        self._known = np.zeros(num_envs, REMEMBERED)
        self._seats = np.zeros(num_envs, np.int64)
        self._legal_bits = np.zeros((num_envs, LEGAL_WORDS), np.uint32)
        self._over = np.ones(num_envs, np.bool_)
        self._is_ready = False
        chunks = min(threads or os.cpu_count() or 1, max(1, num_envs // MIN_GAMES_PER_THREAD))
        edges = np.linspace(0, num_envs, chunks + 1).astype(int).tolist()
        self._slices = [slice(a, b) for a, b in itertools.pairwise(edges)]
        self._pool = ThreadPoolExecutor(chunks) if chunks > 1 else None

    @property
    def states(self) -> States:
        """The games themselves, hidden things included: for `sintra.rules.engine`, not for players."""
        return self._states

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """New games everywhere."""
        super().reset(seed=seed)
        for i, one in enumerate(self.np_random.integers(SEED_LIMIT, size=self.num_envs).tolist()):
            engine.reseed(self._states, i, one)
        self._over[:] = False
        self._is_ready = True
        return self._begin_and_show(np.ones(self.num_envs, np.bool_)), {"seat": self._seats.copy()}

    def step(self, actions: Array) -> tuple[dict[str, Array], Array, Array, Array, dict[str, Any]]:
        """Makes one choice in every game."""
        if not self._is_ready:
            raise ResetNeeded("the games have not begun: call reset() first")
        chosen = self._checked(actions)
        n = self.num_envs
        rewards, ended, illegal = np.empty(n), np.empty(n, np.bool_), np.empty(n, np.bool_)
        waits = self._over

        def one(part: slice) -> None:
            advance(
                self._states[part],
                chosen[part],
                self._legal_bits[part],
                waits[part],
                self._seats[part],
                self._opponent,
                self._by_points,
                rewards[part],
                ended[part],
                illegal[part],
            )

        self._on_all(one)
        infos: dict[str, Any] = {}
        if illegal.any():
            infos |= {"illegal": illegal, "_illegal": illegal.copy()}
        if self._mode is AutoresetMode.SAME_STEP:
            if ended.any():
                infos |= self._final(ended)
            begins = ended
        else:
            begins, self._over = waits, ended
        observations = self._begin_and_show(begins)
        infos["seat"] = self._seats.copy()
        return observations, rewards, ended, np.zeros(n, np.bool_), infos

    def _checked(self, actions: Array) -> Array:
        """The choices as the engine takes them."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or not np.issubdtype(chosen.dtype, np.integer):
            raise InvalidAction(f"the actions must be {self.num_envs} whole numbers, one for each game")
        if len(chosen) and not 0 <= chosen.min() <= chosen.max() < CHOICES:
            raise InvalidAction(f"an action is no choice: they are whole numbers from 0 to {CHOICES - 1}")
        return chosen.astype(np.int64)

    def _final(self, ended: Array) -> dict[str, Any]:
        """The `infos` of games that ended: their last observations and their scores, the agent's first."""
        which = np.flatnonzero(ended)
        last, seats = chosen_from(self._states, which), self._seats[which]
        final = np.full(self.num_envs, None, object)
        seen = np.empty((len(which), self._width), np.uint8)
        if self._width:
            observe_batch(last, seats, seen)
        for k, i in enumerate(which.tolist()):
            shown_last = {"action_mask": np.zeros(CHOICES, np.int8)}
            final[i] = {"observation": seen[k], **shown_last} if self._width else shown_last
        scores = np.zeros((self.num_envs, SEATS), np.int64)
        scores[which, 0] = last["score"][np.arange(len(which)), seats]
        scores[which, 1] = last["score"][np.arange(len(which)), 1 - seats]
        return {
            "final_obs": final,
            "_final_obs": ended.copy(),
            "final_info": {"scores": scores, "_scores": ended.copy()},
            "_final_info": ended.copy(),
        }

    def _begin_and_show(self, begins: Array) -> dict[str, Array]:
        """Begins games, and returns what the deciding seats of all of them are shown."""
        observations = np.empty((self.num_envs, self._width), np.uint8)
        masks = np.empty((self.num_envs, CHOICES), np.int8)

        def one(part: slice) -> None:
            begin_and_show(
                self._states[part],
                begins[part],
                self._start_options.drawn_goals,
                self._own_seat,
                self._seats[part],
                self._opponent,
                self._legal_bits[part],
                masks[part],
                self._known[part],
                observations[part],
            )

        self._on_all(one)
        found = {"action_mask": masks}
        return {"observation": observations, **found} if self._width else found

    def _on_all(self, work: Any) -> None:
        """Calls `work` with each slice of the games, in threads if there are several."""
        if self._pool is None:
            work(self._slices[0])
        else:
            for _ in self._pool.map(work, self._slices):
                pass

    def close_extras(self, **_: Any) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="sintra.envs.gymnasium:SintraEnv",
        vector_entry_point="sintra.envs.gymnasium:SintraVectorEnv",
    )
