"""The champion's search in two workers of the page, a tree in each: there are no threads in a browser's Python."""

from __future__ import annotations

from functools import cache
from typing import Final

from sintra.game.game import View
from sintra.players.base import Clock
from sintra.players.champion import TREES, ChampionPlayer, move_of_trees
from sintra.players.levels import LEVELS
from sintra.players.search import Statistics
from sintra.tabletop.moves import Move

CHAMPION: Final = f"level:n={len(LEVELS)}"
"""The opponent that thinks in so many trees."""


@cache
def _player(k: int) -> ChampionPlayer:
    return ChampionPlayer(alone=k)


def explore(k: int, seed: int, view_bytes: bytes, clock: Clock | None) -> Move | Statistics:
    """What the champion finds in one of its trees, in a worker."""
    player = _player(k)
    player.new_game(seed)
    return player.explore(View.from_bytes(view_bytes), clock)


def chosen(view_bytes: bytes, found: list[Move | Statistics]) -> str:
    """The champion's move, as a token, by what all its trees have found."""
    assert len(found) == TREES
    known = next((one for one in found if not isinstance(one, Statistics)), None)
    statistics = [one for one in found if isinstance(one, Statistics)]
    return str(known or move_of_trees(View.from_bytes(view_bytes), statistics))
