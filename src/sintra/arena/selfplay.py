"""Games between players, and their records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sintra.game.game import Game
from sintra.game.seeds import derive
from sintra.players import Player, player, require_turn
from sintra.records.record import Record


def play_game(game: Game, seats: Sequence[Player], seed: int) -> Game:
    """Plays a game to its end; each player sees only the views of its seat."""
    for seat, one in enumerate(seats):
        one.new_game(derive(seed, "player", seat))
    while not game.is_over:
        view = game.view(game.turn)
        require_turn(view)
        game.push(seats[game.turn].choose(view))
    return game


def selfplay(
    players: Sequence[str],
    games: int,
    seed: int,
    rules: dict[str, Any] | None = None,
    *,
    goals: str | int | None = None,
    legal: bool = False,
) -> Iterator[Record]:
    """Records of games between two players, who change seats from game to game."""
    pair = [player(name) for name in players]
    for index in range(games):
        seats = pair if index % 2 == 0 else pair[::-1]
        game = Game.new(seed=derive(seed, "game", index), goals=goals, rules=rules)
        play_game(game, seats, derive(seed, "players", index))
        yield Record.of(game, [one.name for one in seats], legal=legal)
