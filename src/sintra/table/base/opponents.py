"""The computers that the table offers: who can be played against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sintra.players.levels import LEVELS

SIMS_PER_SECOND: Final = 50_000.0
"""The speed of one core, as measured (docs/opponents.md)."""
MAX_THINKING_S: Final = 1.0
"""Seconds that an opponent thinks at most, however many simulations it has."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A player as the table offers it."""

    player: str
    """The text that the player is made from, and its name in messages, logs and catalogues."""
    name: str
    """Its name in English, for catalogues that have none."""
    about: str
    """What to expect of it in English, for catalogues that do not say it."""
    seconds: float
    """About how long it thinks about a move, which decides who goes first when many wait."""
    elo: int | None = None
    """Its strength (greedy is 1000), if it was measured."""


_levels: Final = tuple(
    Opponent(f"level:n={one.number}", one.name, "", min(one.sims / SIMS_PER_SECOND, MAX_THINKING_S), one.elo)
    for one in LEVELS
)
OPPONENTS: Final = {one.player: one for one in _levels}
"""All of them, from gentle to strong. One that was offered stays: logs name it."""
USUAL: Final = _levels[2].player
"""The opponent if none is named."""


def next_to(player: str, stronger: bool) -> Opponent | None:
    """Who comes after an opponent, among the stronger or the gentler ones; None at the end of the list."""
    offered = list(OPPONENTS.values())
    if player not in OPPONENTS:
        return None
    at = offered.index(OPPONENTS[player]) + (1 if stronger else -1)
    return offered[at] if 0 <= at < len(offered) else None
