"""The one-look player: it fills lines, serves waiting lines, breaks nothing it need not, and tiles for points."""

from __future__ import annotations

from random import Random

import pytest

from helpers import play_on
from random_positions import view_alike
from sintra import Game
from sintra.players import player
from sintra.tabletop.moves import TakeTiles

from .helpers import wins_of

PLATES = "0 plates: 11=17r0 12=12r0 21=02r0; "
"""Rows 1 and 2: R W, T K / B K, R W; rows 3 and 4: W B / T K."""


def chosen(text: str, seeds: int = 20) -> set[str]:
    """What it does in a position, with several seeds; the order of a stack is left out."""
    game = Game.from_position(text)
    view = game.view(game.turn)
    return {str(player(f"simple:seed={seed}").choose(view)).partition(":")[0] for seed in range(seeds)}


@pytest.mark.parametrize(
    ("lines", "move"),
    [
        ("- R1 - - - -", "S1R2"),  # one red is missing
        ("K1 - B2 - - -", "S1B3"),
        ("K1 B2 K1 - - -", "S1K3"),  # nothing fills a line: the one that was begun
    ],
)
def test_it_fills_a_line(lines: str, move: str) -> None:
    assert chosen(f"round: 4; {PLATES}0 lines: {lines}; factory 1: sun BYRK moon - chip down") == {move}


def test_it_lays_a_plate_where_a_line_waits() -> None:
    text = "round: 1; display: 02 04 08; 0 lines: K1 - - - T4 -; 0 plates: 12=12r0; "
    text += "factory 1: sun BYRK moon - chip down"
    assert {move[:6] for move in chosen(text)} <= {"P02@31", "P02@32", "P02@33", "P04@31", "P04@32", "P04@33"}


def test_it_tiles_for_the_points_at_once() -> None:
    text = "stage: tiling; 0 lines: K1 - - - - -; 0 plates: 11=02r2 12=12r0; "
    text += "0 dome: .T.... B..... ...... ...... ...... ......"
    assert chosen(text) == {"T11"}


def test_it_breaks_tiles_only_when_all_takes_do() -> None:
    one = player("simple")
    takes = 0
    for now in play_on(Game.new(seed=4), "uniform", Random(4)):
        if now.is_over:
            break
        view = now.view(now.turn)
        move = one.choose(view)
        assert move in now.legal_moves
        if isinstance(move, TakeTiles):
            takes += 1
            fitting = [other for other in now.legal_moves if isinstance(other, TakeTiles) and other.line]
            assert move.line is not None or all(view.preview(other).broken for other in fitting)
    assert takes > 20


def test_the_same_seed_and_view_give_the_same_move() -> None:
    game = Game.new(seed=11)
    one, other = player("simple:seed=5"), player("simple:seed=5")
    for _ in range(60):
        view = game.view(game.turn)
        move = one.choose(view)
        assert other.choose(view_alike(view, 3)) == move
        game.push(move)


def test_it_beats_chance() -> None:
    assert wins_of("simple", "random", seed=7) == 6
