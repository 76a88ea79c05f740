"""What can be posted to a game."""

from __future__ import annotations

from typing import Any, Final

from table.local_table import LocalTable


def any_token(local: LocalTable, game: str) -> str:
    """A legal move."""
    return str(local.room(game).game.legal_moves[0])


POSTS: Final[dict[str, dict[str, Any]]] = {
    "acts": {"kind": "resign", "id": "post-abcd", "seq": 0},
    "moves": {"id": "post-abcd", "seq": 0, "token": "D"},
    "undo": {"id": "post-abcd", "seq": 0},
    "take-back": {"id": "post-abcd", "seq": 0},
    "redo": {"id": "post-abcd", "seq": 0},
    "take-back/answer": {"id": "post-abcd", "seq": 0, "agree": True},
    "resign": {"id": "post-abcd", "seq": 0},
    "rematch": {"id": "post-abcd", "seq": 0},
    "claim": {"id": "post-abcd", "seq": 0},
    "cancel": {"id": "post-abcd", "seq": 0},
    "hint": {"seq": 0},
    "tutor": {"seq": 0, "token": "D"},
    "links": {},
    "leave": {},
    "enter": {"secret": "a-secret-that-is-none", "name": "Eve"},
}
"""Every post, with a body of the right form."""
