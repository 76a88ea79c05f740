"""The position of a puzzle: a text that says what its solver sees, and nothing of what was hidden in the game."""

from __future__ import annotations

from typing import Final

from sintra.errors import PositionError
from sintra.game.game import Game, View
from sintra.game.seeds import derive

UNSEEN: Final = ("0 points", "1 points", "spectator knows")
"""Keys that tell a solver nothing."""
ROUNDS_AHEAD: Final = (
    *("stack", "returned", "0 knows", "1 knows", "0 looked", "1 looked"),
    *("chips", "0 spent", "1 spent"),
)
"""Keys that matter to the rounds to come only, once the draft of a round is over."""


def view_of(position: str, seat: int) -> View:
    """What a seat sees of a position."""
    return Game.from_position(position).view(seat)


def text_of(view: View, *, with_rounds_ahead: bool) -> str:
    """A position as short as it can be. What the view hides is filled in at random or left to the reader of the text,
    so that it says no more than the view; where the rounds ahead do not matter, nothing is said of them."""
    rows = view.sample(derive(view.key, "puzzle")).position.splitlines()
    dropped = UNSEEN if with_rounds_ahead else UNSEEN + ROUNDS_AHEAD
    rows = [row for row in rows if row.partition(":")[0] not in dropped]
    wanted = view_of("\n".join(rows), view.seat)
    for row in list(rows):
        shorter = [one for one in rows if one != row]
        try:
            if view_of("\n".join(shorter), view.seat) == wanted:
                rows = shorter
        except PositionError:
            continue
    return "; ".join(rows)
