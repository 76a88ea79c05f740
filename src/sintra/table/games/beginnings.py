"""How a game begins: with a deal of its own, or where somebody wanted to play on."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from sintra.game.game import Game
from sintra.game.seeds import secret_seed
from sintra.records.record import Record
from sintra.rules.seats import with_seats_exchanged
from sintra.table.games.log import Created, Start
from sintra.table.games.refusals import RefusalError


def new_game(made: Created) -> Game:
    """The game that was made, at its beginning."""
    if made.start is not None:
        return Game.from_position(made.start.position, made.seed)
    return Game.new(seed=made.seed, goals=made.goals or made.goal_count, rules=made.options.to_dict())


def start_at(game: Game, seat: int) -> Start:
    """A start at the position of a game, for somebody who takes that seat and so becomes seat 0. A game that is
    known from its deal keeps it. Of another one, what its seat to move does not know is dealt anew, in secret."""
    if game.is_over:
        raise RefusalError(422, "is_over", "The game is over: there is nothing to decide.")
    record = Record.of(game) if game.has_history else None
    state = game.state if record else game.view(game.turn).sample_state(secret_seed())
    if seat == 1:
        state = with_seats_exchanged(state)
        record = replace(record, first=1 - record.first) if record else None
    text = Game.from_state(state).position
    return Start(text, record.dumps() if record else "", game.ply if record else 0)


def with_history(made: Created, game: Game) -> Generator[None, None, Game]:
    """A game at the table with all that is known from the deal on, move by move: what was played before it, too."""
    if made.start is None:
        return game
    if not made.start.record:
        raise RefusalError(
            409, "no_record", "This game began with a position: a record begins with the deal, which nobody knows."
        )
    positions = Record.loads(made.start.record).positions()
    whole = next(positions)
    for _ in positions:  # one game that moves on
        yield
    whole.reseed(made.seed)
    for move in game.moves:
        whole.push(move)
        yield
    result = game.result
    if result is not None and result.reason and not whole.is_over:
        whole.end_early(result.winner, result.reason)
    return whole
