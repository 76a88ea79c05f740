"""The history of a game as a chain of nodes: an OpenSpiel state stands at one of them.

A node is immutable: what follows is a new node, which links to the one before. So copies of a state share their nodes,
and what a player saw in the past is looked up where it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

import numpy as np

from sintra import components
from sintra.envs.common import StartOptions
from sintra.envs.nodes import CHANCE, MAX_TILE_DRAWS, REFUSED, TERMINAL, choose, fill_next, odds_of_draws
from sintra.errors import SintraError
from sintra.position.writing import write_position
from sintra.rules import choices, engine
from sintra.rules.choices import BREAK, CHOICES, MAX_CHOICES
from sintra.rules.older_layout import older_bytes
from sintra.rules.state import States, copied, empty_states, states_of

__all__ = ["CHANCE", "TERMINAL", "HistoryNode", "name_of"]

Outcomes = list[tuple[int, float]]
"""What chance may draw, and how likely that is."""

_UNSEEN: Final = "<?"
"""The name of a plate that the other seat put under the stack, unseen."""


def _name(choice: int) -> str:
    fields = choices.fields(choice)
    match choices.kind_of(choice):
        case choices.LAY:
            return f"{components.PLATES[fields[0]].name}@{components.SLOT_NAMES[fields[1]]}"
        case choices.TURNED:
            return f"r{fields[0]}"
        case choices.DRAW:
            return "D"
        case choices.LOOK:
            return "H"
        case choices.RETURN:
            return f"<{components.PLATES[fields[0]].name}"
        case choices.SUN:
            return f"S{components.FACTORY_LETTERS[fields[0]]}{components.COLOR_LETTERS[fields[1]]}{_line(fields[2])}"
        case choices.MOON:
            return f"M{components.COLOR_LETTERS[fields[0]]}{_line(fields[1])}"
        case choices.STACK:
            return f":{components.COLOR_LETTERS[fields[0]]}"
        case choices.CHIP:
            return f"C{components.FACTORY_LETTERS[fields[0]]}"
        case choices.PAY:
            return f"U{fields[0] + 1}"
        case choices.SPEND:
            return f",{components.CHIPS[fields[0]]}"
        case choices.PLACE:
            return f"T{fields[0] + 1}{fields[1] + 1}"
        case _:
            return "E"


def _line(destination: int) -> str:
    return "x" if destination == BREAK else str(destination + 1)


_NAMES: Final = tuple(map(_name, range(CHOICES)))


def name_of(choice: int) -> str:
    """A choice in the letters of the notation: `S3R2`, then `:K` for each tile that is stacked; `07@12`, then `r1`."""
    return _NAMES[choice]


class SetUp:
    """R2: what chance draws before the first tile: goals, who is first, plates and chips, one after the other."""

    def __init__(self, start_options: StartOptions) -> None:
        self._blank = start_options.blank()
        self._blank["deals_itself"] = 0
        self._goals = start_options.drawn_goals
        self._plates_from = self._goals + 1
        self._chips_from = self._plates_from + components.PLATE_COUNT
        self.size = self._chips_from + components.CHIP_COUNT

    def node(self) -> HistoryNode:
        """Returns the node before anything is drawn."""
        return HistoryNode(self._blank, CHANCE, set_up=self)

    def outcomes(self, drawn: tuple[int, ...]) -> Outcomes:
        """What may be drawn next."""
        n = len(drawn)
        if n < self._goals:
            tiles = {components.Goal(goal).tile for goal in drawn}
            possible = [int(goal) for goal in components.Goal if goal.tile not in tiles]
        elif n < self._plates_from:
            possible = list(range(components.SEATS))
        elif n < self._chips_from:
            laid = drawn[self._plates_from :]
            possible = [plate for plate in range(components.PLATE_COUNT) if plate not in laid]
        else:
            chips = drawn[self._chips_from :]
            odds = 1 / (components.CHIP_COUNT - len(chips))
            left = [components.CHIP_COPIES - chips.count(face) for face in range(components.CHIP_FACES)]
            return [(face, copies * odds) for face, copies in enumerate(left) if copies]
        odds = 1 / len(possible)
        return [(outcome, odds) for outcome in possible]

    def name(self, n: int, outcome: int) -> str:
        """What the nth outcome is called."""
        if n < self._goals:
            return f"goal {components.Goal(outcome)}"
        if n < self._plates_from:
            return f"first {outcome}"
        if n < self._chips_from:
            return f"plate {components.PLATES[outcome].name}"
        return f"chip {components.CHIPS[outcome]}"

    def table(self, drawn: tuple[int, ...]) -> States:
        """The table that waits for its first tile."""
        states = copied(self._blank)
        if self._goals:
            states["goals"][0, : self._goals] = drawn[: self._goals]
            states["goals"][0, self._goals :] = components.NOTHING
        plates = np.array(drawn[self._plates_from : self._chips_from], np.int8)
        engine.set_up(states, 0, drawn[self._goals], plates, np.array(drawn[self._chips_from :], np.int8))
        return states


def _node_at(set_up: SetUp, path: list[int | bytes]) -> HistoryNode:
    """Returns the node at the end of a path: of actions, and of states that were sampled in place of those found."""
    node = set_up.node()
    for step in path:
        node = node.after(step) if isinstance(step, int) else node._with(states_of(step).array)
    return node


@dataclass(slots=True, eq=False, repr=False)
class HistoryNode:
    """A position of a game, and the nodes that led there."""

    states: States
    """The game as it is; blank before it is set up."""
    player: int
    """Who acts: a seat, CHANCE or TERMINAL."""
    previous: HistoryNode | None = None
    """The node before; None for the first."""
    action: int | None = None
    """What was done at the previous node."""
    set_up: SetUp | None = None
    """What chance draws before the first tile; None once that is done."""
    drawn: tuple[int, ...] = ()
    """What chance has drawn of it."""
    is_resampled: bool = False
    """Whether the states were sampled in place of those found (`resampled`)."""
    _outcomes: Outcomes | None = None
    _legal: list[int] | None = None
    _fingerprints: dict[int, bytes] = field(default_factory=dict)

    @classmethod
    def first(cls, start_options: StartOptions) -> HistoryNode:
        """Returns the node before anything is drawn."""
        return SetUp(start_options).node()

    def __deepcopy__(self, memo: object) -> HistoryNode:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the path from the first node; loading follows it again."""
        path: list[int | bytes] = []
        node = self
        while node.previous and node.action is not None:
            if node.is_resampled:
                path.append(node.states.tobytes())
            path.append(node.action)
            node = node.previous
        return _node_at, (node.set_up, path[::-1])

    @property
    def is_set_up(self) -> bool:
        """Whether there is a table."""
        return self.set_up is None

    @property
    def legal(self) -> list[int]:
        """The choices of the seat that acts, in rising order."""
        if self._legal is None:
            room = np.empty(MAX_CHOICES, np.int16)
            self._legal = sorted(room[: engine.legal(self.states, 0, room)].tolist())
        return self._legal

    @property
    def outcomes(self) -> Outcomes:
        """What chance may draw."""
        if self._outcomes is None:
            if self.set_up:
                self._outcomes = self.set_up.outcomes(self.drawn)
            else:
                odds = np.zeros(MAX_TILE_DRAWS)
                odds_of_draws(self.states, odds)
                possible = odds.nonzero()[0]
                self._outcomes = list(zip(possible.tolist(), odds[possible].tolist(), strict=True))
        return self._outcomes

    def name_of_outcome(self, outcome: int) -> str:
        """What chance does, in words."""
        if self.set_up:
            return self.set_up.name(len(self.drawn), outcome)
        filled = self.after(outcome).states["sun"][0] - self.states["sun"][0]
        factory = int(np.flatnonzero(filled.any(axis=1))[0])
        return f"factory {components.FACTORY_LETTERS[factory]} {components.letters_of(filled[factory].tolist())}"

    def after(self, action: int) -> HistoryNode:
        """What follows when whoever acts does this."""
        if self.player == CHANCE:
            return self._after_chance(action)
        if self.player == TERMINAL:
            raise SintraError("the game is over: nothing follows")
        states = copied(self.states)
        player = choose(states, action)
        if player == REFUSED:
            raise SintraError(f"{self._called(action)} is not legal here: legal_actions() says what is")
        return HistoryNode(states, player, self, action)

    def _called(self, action: int) -> str:
        return f"{action} ({name_of(action)})" if 0 <= action < CHOICES else f"{action}"

    def _after_chance(self, outcome: int) -> HistoryNode:
        if outcome not in dict(self.outcomes):
            raise SintraError(f"{outcome} cannot be drawn here: chance_outcomes() says what can")
        if not self.set_up:
            states = copied(self.states)
            return HistoryNode(states, fill_next(states, outcome), self, outcome)
        drawn = (*self.drawn, outcome)
        if len(drawn) < self.set_up.size:
            return HistoryNode(self.states, CHANCE, self, outcome, set_up=self.set_up, drawn=drawn)
        return HistoryNode(self.set_up.table(drawn), CHANCE, self, outcome)

    def fingerprint(self, player: int) -> bytes:
        """A hash of all that a player was shown so far: it differs for any two pasts that they can tell apart."""
        ahead: list[HistoryNode] = []
        node: HistoryNode | None = self
        while node and player not in node._fingerprints:
            ahead.append(node)
            node = node.previous
        last = node._fingerprints[player] if node else None
        for node in reversed(ahead):
            shown = blake2b(last or b"", digest_size=16)
            if node.is_set_up:
                shown.update(older_bytes(node._view(player).tobytes()))
            last = node._fingerprints[player] = shown.digest()
        assert last is not None
        return last

    def _view(self, player: int) -> States:
        view = empty_states()
        engine.view(self.states, 0, player, view, 0)
        return view

    def seen_choices(self, player: int) -> list[str]:
        """The choices of both seats so far as a player saw them."""
        found: list[str] = []
        node = self
        while node.previous and node.action is not None:
            mover = node.previous.player
            if mover != CHANCE:
                is_hidden = mover != player and choices.kind_of(node.action) == choices.RETURN
                found.append(_UNSEEN if is_hidden else name_of(node.action))
            node = node.previous
        return found[::-1]

    def resampled(self, player: int, seed: int) -> HistoryNode:
        """Returns a node that a player cannot tell from this one, with what they do not know drawn anew."""
        if not self.is_set_up:
            return self
        states = empty_states()
        if not engine.sample(self._view(player), 0, player, seed, states, 0):
            raise SintraError("no state was found that fits what this player knows")
        states["deals_itself"] = 0
        return self._with(states)

    def _with(self, states: States) -> HistoryNode:
        return HistoryNode(states, self.player, self.previous, self.action, is_resampled=True)

    def __str__(self) -> str:
        if self.set_up:
            drawn = ", ".join(self.set_up.name(n, outcome) for n, outcome in enumerate(self.drawn))
            return f"being set up: {drawn or 'nothing drawn yet'}"
        return write_position(self.states)
