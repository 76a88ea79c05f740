"""Sintra: the two-player board game Azul Duel as software.

The public interface in one place: `Game`, `Move`, `View`, `Rules`, and the values they speak of.
"""

from __future__ import annotations

from sintra.board import Board, Factory, LaidPlate, Line, PilePlace, Space, Table
from sintra.components import CHIPS, PLATES, Chip, Color, Goal, Kind, Plate
from sintra.errors import IllegalMoveError, NotationError, PositionError, RecordError, RulesError, SintraError
from sintra.game import Deal, Game, Result
from sintra.moves import Move, MoveKind
from sintra.preview import Preview
from sintra.rules.state import Source, Stage
from sintra.ruleset import Rules
from sintra.view import View

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
    "Kind",
    "LaidPlate",
    "Line",
    "Move",
    "MoveKind",
    "NotationError",
    "PilePlace",
    "Plate",
    "PositionError",
    "Preview",
    "RecordError",
    "Result",
    "Rules",
    "RulesError",
    "SintraError",
    "Source",
    "Space",
    "Stage",
    "Table",
    "View",
    "__version__",
]
