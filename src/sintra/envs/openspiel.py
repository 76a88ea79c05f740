"""Sintra for OpenSpiel: the game `python_sintra`, with explicit chance.

Importing this module registers it, so that any of OpenSpiel's algorithms can load it::

    import pyspiel
    import sintra.envs.openspiel

    game = pyspiel.load_game("python_sintra(reward=points,goals=4)")

===============  ===================================================================================
dynamics         sequential
chance           explicit: see below
information      imperfect
utility          zero sum, at the end
players          2
actions          choices, see `sintra.rules.choices`; a move is a short path of them
observations     string (a seat's view as text) and tensor (`sintra.features.observation`, in its named
                 pieces); as strings also the public part (a spectator's view) and the private one
infostates       string: the choices as the player saw them, and a fingerprint of all views so far
serialisation    OpenSpiel's own, by the history
===============  ===================================================================================

====================  ===========  =================================================================
parameter             default      meaning
====================  ===========  =================================================================
``reward``            ``win``      ``win``: 1 or -1; ``points``: the difference of points
``goals``             ``3``        how many goals chance draws: ``3`` or ``4``
``goal_names``                     the goals, with ``+`` between them, if chance does not draw them
``draw_at_zero``      ``forced``   see R3.1
``special_is_color``  ``True``     see R6.1
====================  ===========  =================================================================

Chance acts first: it draws the goals, who is first, and the order of plates and chips, which stay hidden until the
rules show them. Then it fills one factory after the other at the start of each round. All odds are exact. Plates and
chips come first although nobody sees them yet, because a state is then always complete; factories are filled one by
one, because the deals of a round are far too many to be listed, while there are 126 draws of five tiles. A game has
67 steps of chance beside some 200 choices.

Information states have no tensor: what matters of a game's past is in the observation (what a seat knows of the stack,
the tiles and chips that are left).

`resample` gives a state that differs in what a player cannot know, as information set searches need it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

import numpy as np
import pyspiel

from sintra.components import (
    CHIP_COUNT,
    CHIPS_PER_ROUND,
    LARGE_FILL,
    LINES,
    MARKERS,
    PILE_PLACES,
    PLATE_ROUNDS,
    ROUNDS,
    SEATS,
    SMALL_FACTORIES,
    SMALL_FILL,
    SPECTATOR,
)
from sintra.envs.common import Reward, StartOptions, counts_points, lead, result
from sintra.envs.history import CHANCE, TERMINAL, HistoryNode, name_of
from sintra.envs.nodes import MAX_TILE_DRAWS
from sintra.errors import SintraError
from sintra.features.observation import SIZE, observe_batch, planes
from sintra.game.game import View
from sintra.rules.choices import CHOICES
from sintra.tabletop.ruleset import RuleOptions

NAME: Final = "python_sintra"
"""The name by which OpenSpiel loads the game."""
MAX_POINTS: Final = 1000.0
"""More points than any game is won by."""
_PLATE: Final = PILE_PLACES + 1 + 2 + PILE_PLACES
"""Choices that laying a plate takes at most: draws, a look, the plate and its turns, and what goes back."""
_DRAFT: Final = LARGE_FILL + SMALL_FACTORIES * (2 * SMALL_FILL - 1) + SEATS * CHIPS_PER_ROUND
"""Choices of a round's draft at most, plates apart: takes of one tile each, the order of what is left, chips."""
_TILING: Final = SEATS * (2 * LINES + CHIP_COUNT + 1)
"""Choices of a round's tiling at most: lines that are paid for, chips, places, and the end."""
MAX_DECISIONS: Final = ROUNDS * (_DRAFT + _TILING) + PLATE_ROUNDS * SEATS * MARKERS * _PLATE + 2 * SEATS
"""More decisions than any game has."""

GAME_TYPE: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Sintra",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=SEATS,
    min_num_players=SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=True,
    parameter_specification={
        "reward": get_args(Reward)[0],
        "goals": 3,
        "goal_names": "",
        **RuleOptions().to_dict(),
    },
)


class SintraGame(pyspiel.Game):
    """The game; its parameters are in the module's table."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.by_points = counts_points(given.pop("reward"))
        names, how_many = given.pop("goal_names"), given.pop("goals")
        self.beginning = HistoryNode.first(StartOptions(names.replace("+", " ") or how_many, given))
        max_utility = MAX_POINTS if self.by_points else 1.0
        info = pyspiel.GameInfo(
            num_distinct_actions=CHOICES,
            max_chance_outcomes=MAX_TILE_DRAWS,
            num_players=SEATS,
            min_utility=-max_utility,
            max_utility=max_utility,
            utility_sum=0.0,
            max_game_length=MAX_DECISIONS,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> SintraState:
        """A game in which nothing has been drawn yet."""
        return SintraState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> SintraObserver | None:
        """What shows states to players, or to a spectator; None where there is no such thing."""
        if params:
            raise SintraError(f"observers have no parameters, but {', '.join(map(repr, params))} came")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        words = _WORDS.get((kind.public_info, kind.private_info, kind.perfect_recall))
        return SintraObserver(words, has_tensor=words is _seen) if words else None


class SintraState(pyspiel.State):
    """A state: the node of the history that it is at."""

    def __init__(self, game: SintraGame) -> None:
        super().__init__(game)
        self.node = game.beginning
        self._player = self.node.player
        self._by_points = game.by_points

    def current_player(self) -> int:
        """Who acts: a seat, chance, or nobody any more."""
        return self._player

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._player == TERMINAL

    def is_chance_node(self) -> bool:
        """Whether chance acts."""
        return self._player == CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """What a player can do, the one who acts if none is named. OpenSpiel's own way to `_legal_actions` and back
        takes longer than finding them."""
        if self._player >= 0 and player in (None, self._player):
            return list(self.node.legal)
        found: list[int] = super().legal_actions() if player is None else super().legal_actions(player)
        return found

    def _legal_actions(self, player: int) -> list[int]:
        return self.node.legal if player == self._player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may draw, with the odds."""
        return self.node.outcomes

    def _apply_action(self, action: int) -> None:
        self.node = self.node.after(action)
        self._player = self.node.player

    def _action_to_string(self, player: int, action: int) -> str:
        return self.node.name_of_outcome(action) if player == CHANCE else name_of(action)

    def returns(self) -> list[float]:
        """What the game brought each player; nothing before its end."""
        if self.node.player != TERMINAL:
            return [0.0] * SEATS
        gain = lead(self.node.states, 0) if self._by_points else result(self.node.states, 0)
        return [gain, 0.0 - gain]

    def __str__(self) -> str:
        return str(self.node)


class SintraObserver:
    """Shows states as strings, and as tensors where all that counts is in the present."""

    def __init__(self, words: Callable[[HistoryNode, int], str], *, has_tensor: bool) -> None:
        self._words = words
        self._seen = np.zeros((1, SIZE), np.uint8)
        self.tensor = np.zeros(SIZE, np.float32) if has_tensor else None
        self.dict = {} if self.tensor is None else planes(self.tensor)

    def set_from(self, state: SintraState, player: int) -> None:
        """Writes what a player is shown into the tensor; nothing while the game is set up."""
        if self.tensor is None:
            raise SintraError("this observer has no tensor, only a string")
        if state.node.is_set_up:
            observe_batch(state.node.states, np.array([player]), self._seen)
            self.tensor[:] = self._seen[0]
        else:
            self.tensor[:] = 0

    def string_from(self, state: SintraState, player: int) -> str:
        """What a player is shown, in words."""
        return self._words(state.node, player)


def _seen(node: HistoryNode, observer: int) -> str:
    return View.of_state(node.states, 0, observer).position if node.is_set_up else "being set up"


def _public(node: HistoryNode, player: int) -> str:
    return _seen(node, SPECTATOR)


def _private(node: HistoryNode, player: int) -> str:
    """The lines of a player's view that a spectator's lacks."""
    public = set(_seen(node, SPECTATOR).splitlines())
    return "\n".join(line for line in _seen(node, player).splitlines() if line not in public)


def _past_and_present(node: HistoryNode, player: int) -> str:
    return f"{player} {' '.join(node.seen_choices(player))} {node.fingerprint(player).hex()}"


_WORDS: Final[dict[tuple[bool, pyspiel.PrivateInfoType, bool], Callable[[HistoryNode, int], str]]] = {
    (True, pyspiel.PrivateInfoType.SINGLE_PLAYER, False): _seen,
    (True, pyspiel.PrivateInfoType.SINGLE_PLAYER, True): _past_and_present,
    (True, pyspiel.PrivateInfoType.NONE, False): _public,
    (False, pyspiel.PrivateInfoType.SINGLE_PLAYER, False): _private,
}
"""What is shown, by OpenSpiel's kinds of observation: public, private, with the past."""


def resample(state: SintraState, player: int, seed: int) -> SintraState:
    """A state that a player cannot tell from this one: what they do not know is drawn anew."""
    found: SintraState = state.clone()
    found.node = state.node.resampled(player, seed)
    return found


pyspiel.register_game(GAME_TYPE, SintraGame)
