"""A position without history as text that can be read, written and edited: what FEN is to chess.

One `key: value` a line (or `;` between them); `#` begins a comment. Reading, every key may be
left out: boards and factories are then empty, tiles not named go to the bag (or to the tower, if
the bag is given), plates not named form the stack, chips not named lie in the rounds to come.

    round: 2
    turn: 0
    factory 1: sun BYRK moon - chip down
    display: 07 12 03
    0 lines: - B2 - K1 - -
    0 plates: 11=07r1 22=04r0
    0 dome: K..... ...... ...... ...... ...... ......

A view as text says whose it is (`seat`) and has `??` for what is hidden: see `seen`.
"""

from __future__ import annotations

from sintra.position.reading import read_position
from sintra.position.seen import read_view_text, write_view_text
from sintra.position.writing import write_position

__all__ = ["read_position", "read_view_text", "write_position", "write_view_text"]
