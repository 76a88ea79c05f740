"""The computers that the table offers: who can be played against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sintra.players.levels import LEVELS

SIMS_PER_SECOND: Final = 50_000.0
"""As measured on one core (docs/opponents.md)."""
MAX_THINKING_S: Final = 1.0
"""Seconds: nobody thinks longer, however many simulations that would be."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A player as the table offers it. `player` is the text it is made from, and its name in messages, logs
    and catalogues; `name` and `about` are its name and what to expect of it where a catalogue has no words
    of its own; `elo` is its strength if it was measured (greedy is 1000); `seconds` is about how long it
    thinks about a move, which decides who goes first when many wait."""

    player: str
    name: str
    about: str
    seconds: float
    elo: int | None = None


_levels: Final = tuple(
    Opponent(f"level:n={one.number}", one.name, "", min(one.sims / SIMS_PER_SECOND, MAX_THINKING_S), one.elo)
    for one in LEVELS
)
OPPONENTS: Final = {one.player: one for one in _levels}
"""All of them, from gentle to strong. One that was offered stays: logs name it."""
USUAL: Final = _levels[2].player
"""Who sits there if nobody is asked for."""


def next_to(player: str, stronger: bool) -> Opponent | None:
    """Who comes after an opponent, among the stronger or the gentler ones; None at the end of the list."""
    offered = list(OPPONENTS.values())
    if player not in OPPONENTS:
        return None
    at = offered.index(OPPONENTS[player]) + (1 if stronger else -1)
    return offered[at] if 0 <= at < len(offered) else None
