"""Sintra as a PettingZoo environment: two agents that take turns (AEC).

    from sintra.envs import pettingzoo

    env = pettingzoo.env()
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        ended = termination or truncation
        env.step(None if ended else env.action_space(agent).sample(observation["action_mask"]))
    env.close()

====================  =====================================================================
Import                `from sintra.envs import pettingzoo`
Name                  `sintra_v0`
Actions               discrete
Parallel API          through `turn_based_aec_to_parallel`
Manual control        no
Agents                `player_0`, `player_1` (the seats 0 and 1)
Action space          `Discrete(458)`
Observation space     `Dict(observation: Box(0, 255, (2387,), uint8), action_mask: Box(0, 1, (458,), int8))`
Render modes          `human` (prints), `ansi` (text), `rgb_array`, `svg` (text)
====================  =====================================================================

Arguments
---------

===============  ==========  ==================================================================================
`render_mode`    `None`      one of the modes above
`reward`         `"win"`     `"win"`: 1 and -1 when the game ends; `"points"`: with every step the change of the
                             agent's lead in points, so that the sum is the lead at the end
`goals`          `None`      names of goals, `"first-game"`, or how many are drawn at random (3)
`rules`          `None`      options of the rules, as `sintra.Game.new` takes them
===============  ==========  ==================================================================================

Actions
-------

The game asks small questions, so that a move of the notation is one to four actions of the same agent: *take blue from
the sun side of factory 1 to line 3*, then *red goes on the stack first*. Which agent acts is in `agent_selection`;
neither turns nor numbers of actions alternate strictly.

=========  =========  ==============================================================================
from       how many   meaning
=========  =========  ==============================================================================
0          18 * 9     lay a plate (of the display, or of those drawn) on a slot
162        4          the plate just chosen is turned that many quarters clockwise
166        1          draw a plate from the stack
167        1          stop drawing and look
168        18         put a drawn plate under the stack next
186        5 * 5 * 7  take a colour from the sun side of a factory to a line, or break it (6)
361        5 * 7      take a colour from the moon sides to a line, or break it (6)
396        5          a tile of this colour goes on the moon stack next
401        4          take the chip of a factory
405        6          begin to complete a line with chips
411        10         spend a chip with this face
421        6 * 6      place the tile of a line on a column
457        1          end the tiling
=========  =========  ==============================================================================

Observations
------------

All that the agent's seat may know, as 2387 small numbers (`sintra.features.observation`: `NAMES` names each of them,
`planes` gives them block by block). Nothing of the stack's order, face-down chips or the bag's order is in it.
`action_mask` is empty for an agent that is not to act.

A choice that is not legal ends the game for both with a reward of -1 in `env()`, and is refused by `raw_env()`.

Version history
---------------

* v0: observations of version 1
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle, seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from sintra.components import SEATS
from sintra.envs import common
from sintra.envs.stepping import WIN, show_one, step_one
from sintra.errors import SintraError
from sintra.features.observation import SIZE
from sintra.features.spaces import REMEMBERED
from sintra.rules.choices import CHOICES
from sintra.rules.state import Array

AGENTS: Final = tuple(f"player_{seat}" for seat in range(SEATS))
_SEAT: Final = {agent: seat for seat, agent in enumerate(AGENTS)}
ILLEGAL_REWARD: Final = -WIN


def env(**options: Any) -> AECEnv[str, Any, Any]:
    """The environment with the usual wrappers: an illegal choice loses, misuse is answered in words."""
    wrapped: AECEnv[str, Any, Any] = raw_env(**options)
    wrapped = wrappers.TerminateIllegalWrapper(wrapped, illegal_reward=ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Any, Any], EzPickle):
    """The environment itself; see the module for its sheet of facts."""

    metadata: Final = {
        "name": "sintra_v0",
        "render_modes": common.RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        render_mode: common.RenderMode | None = None,
        reward: common.Reward = "win",
        goals: common.Goals = None,
        rules: common.RulesGiven = None,
    ) -> None:
        EzPickle.__init__(self, render_mode, reward, goals, rules)
        super().__init__()
        self.render_mode = common.render_option(render_mode)
        self._by_points = common.counts_points(reward)
        self._start_options = common.StartOptions(goals, rules)
        self._states = self._start_options.blank()
        self._seat = 0
        self._mask = np.zeros(CHOICES, np.int8)
        self._observation = np.zeros(SIZE, np.uint8)
        self._known = np.zeros(1, REMEMBERED)
        self._random: np.random.Generator | None = None
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._observation_spaces = {agent: common.observation_space() for agent in AGENTS}
        self._action_spaces = {agent: common.action_space() for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent is shown; the same for both."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """All choices; the same for both."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game: with a seed a certain one, else the next of a row that the last seed began."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._start_options.begin(self._states, 0, int(self._random.integers(1 << 63)))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._seat = int(self._states["turn"][0])
        self.agent_selection = AGENTS[self._seat]
        show_one(self._states, self._seat, self._mask, self._known, self._observation)
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Makes a choice for the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            is_legal = action >= 0 and self._mask[action]
        except (TypeError, IndexError):
            is_legal = False
        if not is_legal:
            raise SintraError(f"{action!r} is not legal for {agent}: the action mask says what is")
        seat = self._seat
        before = common.lead(self._states, seat) if self._by_points else 0.0
        following = step_one(self._states, int(action), self._mask, self._known, self._observation)
        self._cumulative_rewards[agent] = 0.0
        if self._by_points or following == SEATS:
            gain = common.lead(self._states, seat) - before if self._by_points else common.result(self._states, seat)
            self.rewards = {agent: gain, AGENTS[1 - seat]: -gain}
            self._accumulate_rewards()
        if following == SEATS:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos = {agent: {"scores": self._states["score"][0].tolist()} for agent in AGENTS}
            following = int(self._states["turn"][0])
        self._seat = following
        self.agent_selection = AGENTS[following]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Array]:
        """What an agent's seat may know, and what it may choose."""
        seat = _SEAT[agent]
        if seat == self._seat:
            return {"observation": self._observation.copy(), "action_mask": self._mask.copy()}
        mask, observation = np.empty(CHOICES, np.int8), np.empty(SIZE, np.uint8)
        show_one(self._states, seat, mask, self._known, observation)
        return {"observation": observation, "action_mask": mask}

    def render(self) -> Any:
        """The table as the agent to act sees it."""
        return common.render(self._states, self._seat, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""
