"""The first decisions of a player, made before they count: what is compiled is loaded, or compiled."""

from __future__ import annotations

from sintra.components import ROUNDS
from sintra.game.game import Game
from sintra.players.base import Player, player
from sintra.rules.state import Stage


def warm_up(one: Player) -> None:
    """Lets a player decide once in each phase, so that compiling does not count as thinking."""
    game = Game.new(seed=1)
    quick = player("greedy")
    seen: set[Stage] = set()
    while len(seen) < 3:
        view = game.view(game.turn)
        late = game.round == ROUNDS and game.stage is Stage.TURN and len(game.legal_moves) < 9
        if late or (game.stage not in seen and game.stage in (Stage.OPENING, Stage.TILING)):
            seen.add(game.stage)
            one.choose(view)
        game.push(quick.choose(view))
