"""What the environments share in Python: spaces, options, how games begin, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, get_args

import numpy as np
from gymnasium import logger, spaces

from sintra.components import SEATS, Goal
from sintra.envs.stepping import WIN
from sintra.errors import SintraError
from sintra.features.observation import MAX_VALUE, SIZE
from sintra.game.game import View, goals_and_rules
from sintra.rules import engine
from sintra.rules.choices import CHOICES
from sintra.rules.state import States, empty_states
from sintra.tabletop.ruleset import Rules

Reward = Literal["win", "points"]
"""`win`: 1 or -1 at the end. `points`: with every step, by how much the seat's lead has grown."""
RenderMode = Literal["human", "ansi", "rgb_array", "svg"]
"""How an environment renders its game."""
RENDER_MODES: Final = list(get_args(RenderMode))
"""All render modes, as the metadata of an environment lists them."""

Goals = str | Iterable[str | Goal] | int | None
"""The goals of new games, as `Game.new` takes them."""
RulesGiven = Rules | Mapping[str, Any] | None
"""The rule options of new games, as `Game.new` takes them."""


def option(name: str, value: Any, allowed: Iterable[Any]) -> Any:
    """Returns the value of an option if it is allowed; else raises `SintraError`."""
    known = list(allowed)
    if value not in known:
        raise SintraError(f"{name}={value!r} is not known: it can be {', '.join(map(repr, known))}")
    return value


def render_option(mode: Any) -> RenderMode | None:
    """Checks the render mode of an environment."""
    chosen: RenderMode | None = option("render_mode", mode, [None, *RENDER_MODES])
    return chosen


def counts_points(reward: Any) -> bool:
    """Whether rewards are points, and not the result alone."""
    return bool(option("reward", reward, get_args(Reward)) == "points")


def seat_option(seat: Any) -> int | None:
    """Checks the seat that an agent has in every game; None if it changes."""
    chosen: int | None = option("seat", seat, (None, *range(SEATS)))
    return chosen


def observation_space() -> spaces.Dict:
    """What an agent is shown: an observation of its seat, and the choices it has."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, MAX_VALUE, (SIZE,), np.uint8),
            "action_mask": spaces.Box(0, 1, (CHOICES,), np.int8),
        }
    )


def action_space() -> spaces.Discrete[np.int64]:
    """All choices, of which the mask shows the legal ones."""
    return spaces.Discrete(CHOICES)


class StartOptions:
    """How the games of an environment begin: the rules, and how many goals are drawn."""

    def __init__(self, goals: Goals, rules: RulesGiven) -> None:
        """Takes goals and rules as `Game.new` does."""
        self.drawn_goals, chosen = goals_and_rules(goals, rules)
        self._blank = empty_states()
        chosen.write_to(self._blank, 0)
        self._blank["deals_itself"] = 1

    def blank(self, how_many: int = 1) -> States:
        """Returns states that games can begin in."""
        return np.repeat(self._blank, how_many)

    def begin(self, states: States, i: int, seed: int) -> None:
        """R2: begins a new game in one of the states."""
        engine.new(states, i, seed, self.drawn_goals)


def lead(states: States, seat: int) -> float:
    """Returns by how many points a seat is ahead."""
    own, other = int(states["score"][0, seat]), int(states["score"][0, 1 - seat])
    return float(own - other)


def result(states: States, seat: int) -> float:
    """Returns the reward of a finished game for a seat: 1 or -1."""
    return WIN if engine.who_won(states, 0) == seat else -WIN


def render(states: States, seat: int, mode: RenderMode | None) -> Any:
    """Renders a game as a seat sees it. `human` prints it; without a mode there is a warning and no picture."""
    if mode is None:
        logger.warn("render() shows nothing without a render mode: give render_mode=... when the environment is made")
        return None
    view = View.of_state(states, 0, seat)
    if mode == "svg":
        return view.svg()
    if mode == "rgb_array":
        from sintra.drawing.raster import rgb_array

        return rgb_array(view)
    if mode == "ansi":
        return f"{view}\n"
    print(view)
    return None
