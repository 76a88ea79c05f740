"""Moves are made and taken back."""

from __future__ import annotations

from random import Random

import pytest

from game.deals import TILES, new_deal
from helpers import play_on, played, some
from sintra import Game, SintraError


def test_push_takes_values_and_notation() -> None:
    game, twin = Game.new(seed=2), Game.new(seed=2)
    for move in some(played(2, most=40).moves):
        game.push(move)
        twin.push(str(move))
        assert game == twin
        assert game.moves[-1] == twin.moves[-1] == move


def test_there_is_nothing_to_take_back_at_the_beginning() -> None:
    game = Game.new(seed=1)
    with pytest.raises(SintraError, match="no move"):
        game.pop()
    game.push(game.legal_moves[5])
    assert game.pop() == game.legal_moves[5]
    with pytest.raises(SintraError, match="no move"):
        game.pop()


def test_pop_goes_back_over_a_deal() -> None:
    """The tiles of a round that is not begun any more are forgotten, and can be dealt differently."""
    game = new_deal()
    game.deal(TILES)
    while len(game.legal_moves):
        game.push(game.legal_moves[-1])
    game.deal(TILES)
    dealt = [game.deal_so_far.tiles]
    assert str(game.pop()) == "E"
    dealt.append(game.deal_so_far.tiles)
    game.push("E")
    other = ["BYTTT", "BBYY", "YYRR", "RRKK", "KKTT"]
    game.deal(other)
    dealt.append(game.deal_so_far.tiles)
    assert dealt == [(tuple(TILES), tuple(TILES)), (tuple(TILES),), (tuple(TILES), tuple(other))]
    while game.ply:
        game.pop()
    assert game.deal_so_far.tiles == (tuple(TILES),)


def test_legal_counts_are_those_before_each_move() -> None:
    game = Game.new(seed=5)
    counts = [len(game.legal_moves) for game in play_on(game, "uniform", Random(5), most=60)]
    assert game.legal_counts() == counts[:-1]
