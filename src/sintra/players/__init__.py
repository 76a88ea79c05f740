"""Who decides: players that see the view of their seat and nothing else."""

from __future__ import annotations

from sintra.players import chance, greedy, levels, search
from sintra.players.base import Clock, Entry, Player, PlayerError, entries, player, register

__all__ = [
    "Clock",
    "Entry",
    "Player",
    "PlayerError",
    "chance",
    "entries",
    "greedy",
    "levels",
    "player",
    "register",
    "search",
]
