"""The visits of a search: how often it tried each choice on the way to its move."""

from __future__ import annotations

from sintra.game.game import View
from sintra.players.base import Clock, Player
from sintra.players.levels import LevelPlayer
from sintra.players.search import Searcher, SearchPlayer
from sintra.rules.choices import unpack
from sintra.tabletop.moves import Move, path_of


def searcher_of(one: Player) -> Searcher | None:
    """Returns the searcher of a player, or None if it does not search."""
    return one.searcher if isinstance(one, SearchPlayer | LevelPlayer) else None


class Watched:
    """Wraps a player and records the visits of its searches: for each choice of every move that it makes, `notes` gets
    how often the legal choices were tried, in the engine's order, or an empty list if nothing was searched."""

    def __init__(self, inner: Player, notes: list[list[int]]) -> None:
        self.name = inner.name
        self._inner = inner
        self._searcher = searcher_of(inner)
        self._notes = notes

    def new_game(self, seed: int) -> None:
        """Tells the player that a game begins."""
        self._inner.new_game(seed)

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """Lets the player choose, and notes what it looked at."""
        if self._searcher:
            self._searcher.forget()
        move = self._inner.choose(view, clock)
        self._notes += _visits(self._searcher, path_of(move, view.states, 0))
        return move


def _visits(searcher: Searcher | None, path: int) -> list[list[int]]:
    if searcher is None or not searcher.simulations_done:
        return [[] for _ in unpack(path)]
    return [list(tried.values()) for tried in searcher.visits_along(path)]
