"""Moves as values, in the notation of the game records (`S1B3:RYK`, `P07@23r1`, ...): a type for each kind."""

from __future__ import annotations

from sintra.tabletop.moves.move import Move, kinds
from sintra.tabletop.moves.paths import destination_for, move_of, path_of
from sintra.tabletop.moves.plates import DisplayPlate, Draw, HiddenReturn, KeepPlate, LayPlate, Look, ReturnPlate
from sintra.tabletop.moves.takes import MoonTake, SunTake, TakeChip, TakeTiles
from sintra.tabletop.moves.tiling import EndTiling, Pay, Place

__all__ = [
    "DisplayPlate",
    "Draw",
    "EndTiling",
    "HiddenReturn",
    "KeepPlate",
    "LayPlate",
    "Look",
    "MoonTake",
    "Move",
    "Pay",
    "Place",
    "ReturnPlate",
    "SunTake",
    "TakeChip",
    "TakeTiles",
    "destination_for",
    "kinds",
    "move_of",
    "path_of",
]
