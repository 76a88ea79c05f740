"""Sintra: the two-player board game Azul Duel as software.

The public interface in one place: `Game`, `Move`, `View`, `Rules`, `Record`, the values they speak
of, and `player`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sintra.components import CHIPS, PLATES, SPECTATOR, Chip, Color, Goal, Plate, PlateKind
from sintra.errors import IllegalMoveError, NotationError, PositionError, RecordError, RulesError, SintraError
from sintra.game.game import Deal, Game, View
from sintra.game.preview import Preview
from sintra.records.files import read_records, write_records
from sintra.records.record import Record
from sintra.rules.state import Source, Stage
from sintra.tabletop.moves import (
    DisplayPlate,
    Draw,
    EndTiling,
    HiddenReturn,
    KeepPlate,
    LayPlate,
    Look,
    MoonTake,
    Move,
    Pay,
    Place,
    ReturnPlate,
    SunTake,
    TakeChip,
    TakeTiles,
)
from sintra.tabletop.pieces import Board, Factory, LaidPlate, Line, PilePlace, Space
from sintra.tabletop.result import Result
from sintra.tabletop.ruleset import Rules
from sintra.tabletop.tabletop import Tabletop

if TYPE_CHECKING:
    from sintra.players.base import Player

__version__ = "0.2.0"

__all__ = [
    "CHIPS",
    "PLATES",
    "SPECTATOR",
    "Board",
    "Chip",
    "Color",
    "Deal",
    "DisplayPlate",
    "Draw",
    "EndTiling",
    "Factory",
    "Game",
    "Goal",
    "HiddenReturn",
    "IllegalMoveError",
    "KeepPlate",
    "LaidPlate",
    "LayPlate",
    "Line",
    "Look",
    "MoonTake",
    "Move",
    "NotationError",
    "Pay",
    "PilePlace",
    "Place",
    "Plate",
    "PlateKind",
    "PositionError",
    "Preview",
    "Record",
    "RecordError",
    "Result",
    "ReturnPlate",
    "Rules",
    "RulesError",
    "SintraError",
    "Source",
    "Space",
    "Stage",
    "SunTake",
    "Tabletop",
    "TakeChip",
    "TakeTiles",
    "View",
    "__version__",
    "player",
    "read_records",
    "write_records",
]


def player(text: str) -> Player:
    """A player from its name and parameters, like `random` or `search:sims=800,seed=7`."""
    from sintra.players import player as made  # compiled searches, which a game alone does not need

    return made(text)
