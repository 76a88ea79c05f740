"""Whoever asks for something that is not there gets an error of ours."""

from __future__ import annotations

import copy
import pickle
from types import SimpleNamespace
from typing import Any

import pytest

from game.deals import new_deal
from helpers import played
from sintra import Game, IllegalMoveError, Rules, SintraError, View
from sintra.records.record import Record
from sintra.rules.state import STATE


def test_how_a_game_shows_itself() -> None:
    game = played(3, most=12)
    assert repr(game) == f"<Game: round 1, seat {game.turn} {game.stage.name.lower()}, scores {game.scores}, 12 moves>"
    over = played(3)
    assert over.result is not None
    assert f"won by seat {over.result.winner}" in repr(over)


def test_errors_travel_between_processes() -> None:
    game = Game.new(seed=7)
    with pytest.raises(IllegalMoveError) as caught:
        game.push("D")
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (str(twin), twin.rule) == (str(caught.value), caught.value.rule)
    assert str(copy.copy(caught.value)) == str(caught.value)


ANY: Any = SimpleNamespace(Game=Game, Record=Record, Rules=Rules, View=View, deal=Game.deal)
"""The library, for those who do not look at types."""


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.describe(None),
        lambda game: game.preview(5),
        lambda game: game.push(None),
        lambda game: game.board(2),
        lambda game: game.resign(5),
        lambda game: game.perft(1.5),
        lambda game: game.perft(-1),
        lambda game: game.view(0).sample(1 << 64),
        lambda game: game.view(0).sample(-5),
        lambda game: ANY.deal(new_deal(), [1, 2, 3, 4, 5]),
        lambda game: ANY.deal(new_deal(), "BYRKT"),
        lambda game: ANY.Record.of(game, ("Ana",)),
        lambda game: ANY.Record.of(game).perft(0, -1),
        lambda game: ANY.Game.new(goals=3.0),
        lambda game: ANY.Game.new(rules="first-game"),
        lambda game: ANY.Game.new(goals=4, rules={"goals": ["rows", "edge", "wilds"]}),
        lambda game: ANY.Rules(("Rows", "edge", "wilds")),
        lambda game: ANY.View.from_bytes("text"),
        lambda game: ANY.View.from_bytes(b"\x07" * (1 + STATE.itemsize)),
        lambda game: ANY.View.from_bytes(b"\x00" + b"\x7f" * STATE.itemsize),
    ],
)
def test_whatever_cannot_be_used_is_a_sintra_error(ask: Any) -> None:
    with pytest.raises(SintraError):
        ask(Game.new(seed=7))
