"""How a seat played a game: where its points came from, and the habits that tell players apart."""

from __future__ import annotations

from typing import Any

from sintra.components import GRID, LINES, NOTHING, ROUNDS, SPECIAL
from sintra.game.game import Game
from sintra.rules.state import Source
from sintra.tabletop.moves import Draw, EndTiling, Place, TakeTiles


def profile_of(game: Game, seat: int) -> dict[str, Any]:
    """The profile of a finished game; everything in it can be averaged."""
    state = game.states
    dome = state.get("dome")[seat]
    profile: dict[str, Any] = {source.name.lower(): state.get("tally")[seat][source] for source in Source}
    profile["score"] = state.get("score")[seat]
    profile["tiles"] = sum(tile != NOTHING for row in dome for tile in row)
    profile["special_tiles"] = _specials(game, seat)
    profile["full_columns"] = sum(NOTHING not in column for column in zip(*dome, strict=True))
    profile["full_rows"] = sum(NOTHING not in row for row in dome)
    takes = [0] * (LINES + 1)
    plates_drawn = 0
    by_round = [0] * ROUNDS
    first_special = 0
    tiles_by_row = [0] * GRID
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
            if _specials(replay, seat):
                first_special = replay.round
    profile["takes"] = takes
    profile["draws_made"] = plates_drawn
    profile["score_by_round"] = by_round
    profile["placed_by_row"] = tiles_by_row
    profile["first_special_round"] = first_special
    return profile


def _specials(game: Game, seat: int) -> int:
    """How many special tiles lie on a seat's dome."""
    return sum(row.count(SPECIAL) for row in game.states.get("dome")[seat])
