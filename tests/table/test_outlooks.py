"""Outlooks: what is said of a line and its row of the dome is what the tiling does with it (R4.1 to R4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

import soak
from helpers import play_on, some
from sintra import Game, Place, Stage
from sintra.components import BROKEN_PENALTIES, COLORS, LINES, PLATE_ROUNDS, SEATS, Color
from sintra.rules import engine
from sintra.table.shown.messages import LineShown, Outlook
from table.messages_read import options_of, position_of

Where = tuple[int, int, Color]
"""A seat, one of its lines from 1, and a colour."""


def outlooks_in(game: Game) -> dict[Where, tuple[set[int], int]]:
    """The open columns and the last round for a plate, of every line and colour."""
    columns, chances = np.zeros((2, SEATS, LINES, COLORS), np.int64)
    engine.outlooks(game.state, 0, columns, chances)
    return {
        (seat, line + 1, color): (
            {k + 1 for k in range(LINES) if columns[seat, line, color] >> k & 1},
            int(chances[seat, line, color]),
        )
        for seat in range(SEATS)
        for line in range(LINES)
        for color in Color
    }


def lines_of(game: Game, seat: int) -> list[LineShown]:
    return position_of(game.view(seat)).boards[seat].lines


def is_doomed(outlook: Outlook | None) -> bool:
    return outlook is not None and not outlook.columns and not outlook.plate_by


def playouts(taste: str, games: int) -> Iterator[list[Game]]:
    """Random games, each as all of its positions."""
    for seed in range(games):
        yield [game.copy() for game in play_on(Game.new(seed=seed), taste, Random(seed))]


def placed_at(before: Game) -> Iterator[tuple[Where, int]]:
    """The placements that are legal in a position, with their columns."""
    seat = before.turn
    for move in before.legal_moves:
        if isinstance(move, Place):
            color = before.board(seat).lines[move.line - 1].color
            assert color is not None
            yield (seat, move.line, color), move.column


@pytest.mark.soak
@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_open_columns_are_where_tiles_may_be_placed(taste: str) -> None:
    compared = 0
    for positions in playouts(taste, soak.pick(4, 40)):
        for game in positions:
            legal: dict[Where, set[int]] = {}
            for where, column in placed_at(game):
                legal.setdefault(where, set()).add(column)
            found = outlooks_in(game)
            for where, columns in legal.items():
                assert found[where][0] == columns
                compared += 1
    assert compared > 30


@pytest.mark.soak
@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_what_can_never_be_placed_never_is_and_what_waits_for_a_plate_sometimes_is(taste: str) -> None:
    never = came_later = 0
    for positions in playouts(taste, soak.pick(4, 40)):
        placeable: set[Where] = set()
        for game in reversed(positions):
            placeable |= {where for where, _ in placed_at(game)}
            for where, (columns, chance) in outlooks_in(game).items():
                assert chance in (0, PLATE_ROUNDS)
                assert not (columns and chance)
                if columns or chance:
                    came_later += bool(chance) and where in placeable
                else:
                    never += 1
                    assert where not in placeable
                assert not chance or game.round <= PLATE_ROUNDS
    assert never > 100
    assert came_later > 100


@pytest.mark.soak
def test_lines_that_break_were_said_to_and_cost_what_was_said() -> None:
    broken = 0
    for positions in playouts("uniform", soak.pick(6, 60)):
        for game in positions:
            end = options_of(game.view(game.turn)).end
            if end is None:
                continue
            seat = game.turn
            lines = lines_of(game, seat)
            full = [game.board(seat).plates[3 * (k // 2) : 3 * (k // 2) + 3] for k in range(LINES)]
            doomed = [k + 1 for k, line in enumerate(lines) if is_doomed(line.outlook) and all(full[k])]
            assert doomed == end.breaks
            already = len(game.board(seat).broken)
            costs = sum(line.outlook.cost for line in lines if line.outlook)
            if len(doomed) == sum(is_doomed(line.outlook) for line in lines):
                tiles = already + sum(lines[k - 1].tiles for k in doomed)
                assert costs == BROKEN_PENALTIES[min(4, tiles)] - BROKEN_PENALTIES[already]
            broken += len(doomed)
    assert broken > 5


def test_a_take_is_told_the_outlook_that_its_line_then_has() -> None:
    kinds = {"open": 0, "plate": 0, "never": 0}
    for seed in range(3):
        dice = Random(seed)
        for game in play_on(Game.new(seed=seed), "uniform", dice):
            if game.stage is not Stage.TURN:
                continue
            for take in options_of(game.view(game.turn)).takes:
                assert [to.line for to in take.to if to.outlook is None] == [0]
                to = dice.choice(take.to)
                if to.outlook is None:
                    continue
                after = game.copy()
                after.push(to.tokens[0])
                if after.round != game.round or after.stage is Stage.OVER:
                    continue
                assert lines_of(after, game.turn)[to.line - 1].outlook == to.outlook
                kinds["open" if to.outlook.columns else "plate" if to.outlook.plate_by else "never"] += 1
    assert min(kinds.values()) > 10, kinds


def test_only_lines_with_tiles_to_place_have_an_outlook() -> None:
    for positions in some(playouts("uniform", 2)):
        for game in some(positions):
            for seat in range(SEATS):
                for line in some(lines_of(game, seat)):
                    assert (line.outlook is not None) == (line.tiles > 0 and not line.placed)
