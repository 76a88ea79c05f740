"""Who decides: players that see the view of their seat and nothing else."""

from __future__ import annotations

from sintra.players import chance, greedy, levels, search
from sintra.players.base import (
    Clock,
    Entry,
    NotToMoveError,
    Player,
    PlayerError,
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
    "chance",
    "entries",
    "greedy",
    "levels",
    "player",
    "register",
    "require_turn",
    "search",
]
