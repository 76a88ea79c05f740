"""Sintra: the two-player board game Azul Duel as software.

The public interface in one place: `Game`, `Move`, `View`, `Rules`, `Record`, the values they speak
of, and `player`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sintra.components import CHIPS, PLATES, Chip, Color, Goal, Plate, PlateKind
from sintra.errors import IllegalMoveError, NotationError, PositionError, RecordError, RulesError, SintraError
from sintra.game.game import Deal, Game
from sintra.game.preview import Preview
from sintra.game.view import View
from sintra.records.record import Record, check_record, read_records, write_records
from sintra.records.seen import view_of_record
from sintra.rules.state import Source, Stage
from sintra.tabletop.moves import Move, MoveKind
from sintra.tabletop.pieces import Board, Factory, LaidPlate, Line, PilePlace, Space
from sintra.tabletop.result import Result
from sintra.tabletop.ruleset import Rules
from sintra.tabletop.tabletop import Tabletop

__version__ = "0.1.0"

__all__ = [
    "CHIPS",
    "PLATES",
    "Board",
    "Chip",
    "Color",
    "Deal",
    "Factory",
    "Game",
    "Goal",
    "IllegalMoveError",
    "PlateKind",
    "LaidPlate",
    "Line",
    "Move",
    "MoveKind",
    "NotationError",
    "PilePlace",
    "Plate",
    "PositionError",
    "Preview",
    "Record",
    "RecordError",
    "Result",
    "Rules",
    "RulesError",
    "SintraError",
    "Source",
    "Space",
    "Stage",
    "Tabletop",
    "View",
    "__version__",
    "check_record",
    "player",
    "read_records",
    "view_of_record",
    "write_records",
]


def __getattr__(name: str) -> Any:
    """`sintra.player` comes from the players' own room, which is opened only when it is asked for."""
    if name == "player":
        return import_module("sintra.players").player
    raise AttributeError(f"module 'sintra' has no attribute {name!r}")
