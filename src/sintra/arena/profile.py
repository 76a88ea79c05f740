"""How a seat played a game: where its points came from, and the habits that tell players apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from sintra.components import GRID, LINES, NOTHING, ROUNDS, SPECIAL
from sintra.game.game import Game
from sintra.rules.state import Source
from sintra.tabletop.moves import Draw, EndTiling, Place, TakeTiles


def profile_of(game: Game, seat: int) -> dict[str, Any]:
    """The profile of a finished game; everything in it can be averaged."""
    state = game.state[0]
    dome = state["dome"][seat]
    profile: dict[str, Any] = {source.name.lower(): int(state["tally"][seat, source]) for source in Source}
    profile["score"] = int(state["score"][seat])
    profile["tiles"] = int((dome != NOTHING).sum())
    profile["special_tiles"] = int((dome == SPECIAL).sum())
    profile["full_columns"] = int((dome != NOTHING).all(0).sum())
    profile["full_rows"] = int((dome != NOTHING).all(1).sum())
    takes = np.zeros(LINES + 1, int)
    plates_drawn = 0
    by_round = [0] * ROUNDS
    first_special = 0
    tiles_by_row = np.zeros(GRID, int)
    replay = game.copy()
    while replay.moves:
        move = replay.pop()
        if replay.turn != seat:
            continue
        if isinstance(move, TakeTiles):
            takes[LINES if move.line is None else move.line - 1] += 1
        plates_drawn += isinstance(move, Draw)
        if isinstance(move, Place):
            tiles_by_row[move.line - 1] += 1
        if isinstance(move, EndTiling):
            after = replay.preview(move)
            by_round[replay.round - 1] = replay.scores[seat] + after.points_now - after.points.get(Source.GOALS, 0)
            if (replay.state["dome"][0, seat] == SPECIAL).any():
                first_special = replay.round
    profile["takes"] = takes.tolist()
    profile["draws_made"] = plates_drawn
    profile["score_by_round"] = by_round
    profile["placed_by_row"] = tiles_by_row.tolist()
    profile["first_special_round"] = first_special
    return profile
