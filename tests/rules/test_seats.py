"""A table with the seats exchanged: it is another state of the same game, and plays on alike."""

from __future__ import annotations

from random import Random

import pytest

from helpers import play_on
from sintra import Game
from sintra.components import SPECTATOR
from sintra.rules import engine
from sintra.rules.seats import with_seats_exchanged


@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_a_game_with_the_seats_exchanged_is_the_same_for_the_other_seat(taste: str) -> None:
    """Every move can be made there, too, and shows both seats what it shows the other one here."""
    for seed in (1, 2):
        game = Game.new(seed=seed)
        twin = Game.from_state(with_seats_exchanged(game.state))
        for now in play_on(game, taste, Random(seed)):
            if now.ply:
                twin.push(now.moves[-1])
            if now.ply % 5 and not now.is_over:
                continue
            assert twin.state.tobytes() == with_seats_exchanged(now.state).tobytes()
            assert with_seats_exchanged(twin.state).tobytes() == now.state.tobytes()
            assert engine.fault(twin.state, 0) == 0
            for observer, other in ((0, 1), (1, 0), (SPECTATOR, SPECTATOR)):
                exchanged = with_seats_exchanged(now.view(other).state)
                assert twin.view(observer).state.tobytes() == exchanged.tobytes()
        assert twin.result is not None
        assert game.result is not None
        assert twin.result.winner == 1 - game.result.winner
        assert twin.scores == game.scores[::-1]
