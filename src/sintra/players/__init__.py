"""Who decides: players that see the view of their seat and nothing else."""

from __future__ import annotations

from sintra.players import random_player, simple  # the first in every list

# isort: split
from sintra.players import champion, greedy, levels, search
from sintra.players.base import (
    Clock,
    Entry,
    NotToMoveError,
    Player,
    PlayerError,
    Seeded,
    entries,
    player,
    register,
    require_turn,
)

__all__ = [
    "Clock",
    "Entry",
    "NotToMoveError",
    "Player",
    "PlayerError",
    "Seeded",
    "champion",
    "entries",
    "greedy",
    "levels",
    "player",
    "random_player",
    "register",
    "require_turn",
    "search",
    "simple",
]
