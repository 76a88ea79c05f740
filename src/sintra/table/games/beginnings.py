"""How a game begins: with a deal of its own, or where somebody wanted to play on."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from sintra.components import CHIPS, PLATES, SPECTATOR
from sintra.game.game import Game
from sintra.game.seeds import secret_seed
from sintra.records.record import Record
from sintra.rules.seats import with_seats_exchanged
from sintra.table.games.log import Created, Start
from sintra.table.games.refusals import RefusalError


def start_of_game(made: Created) -> Game:
    """The game that an event created, at its beginning."""
    if made.start is not None:
        return Game.from_position(made.start.position, made.seed)
    return Game.new(seed=made.seed, goals=made.goals or made.goal_count, rules=made.options.to_dict())


def starting_at(game: Game, seat: int, against_friend: bool) -> Generator[None, None, Start]:
    """A start at the position of a game, for somebody who takes that seat and so becomes seat 0. A game that is
    known from its deal keeps it, and of another one what its seat to move does not know is dealt anew, in secret.
    Against a friend, all that is not public is dealt anew, of any game."""
    if game.is_over:
        raise RefusalError(422, "is_over", "The game is over: there is nothing to decide.")
    record = Record.of(game) if game.has_history else None
    state = game.states
    if record is None:
        state = game.view(SPECTATOR if against_friend else game.turn).sample_states(secret_seed())
    elif against_friend:
        record = dealt_anew(record, game)
        for whole in record.positions():
            state = whole.states
            yield
    if seat == 1:
        state = with_seats_exchanged(state)
        record = replace(record, first=1 - record.first) if record else None
    text = Game.from_state(state).position
    return Start(text, record.dumps() if record else "", game.ply if record else 0, against_friend)


def dealt_anew(record: Record, game: Game) -> Record:
    """The record of a game in which hidden plates and chips are exchanged: spectators see the same at every move."""
    now, other = game.states[0], game.view(SPECTATOR).sample_states(secret_seed())[0]
    piles = (s["pile"][: now["pile_size"]].tolist() for s in (now, other))
    names = {PLATES[old].name: PLATES[new].name for old, new in zip(*piles, strict=True)}
    return replace(
        record,
        plates=tuple(names.get(name, name) for name in record.plates),
        chips=tuple(CHIPS[face].face for face in other["chip_order"].tolist()),
        moves=tuple(f"<{names.get(move[1:], move[1:])}" if move[0] == "<" else move for move in record.moves),
    )


def is_deal_known(made: Created, game: Game) -> bool:
    """Whether somebody may know what is hidden in a game at its beginning: from the record that it goes on from, or
    because its seat to move had looked at plates."""
    if made.start is None or made.start.dealt_anew:
        return False
    return bool(made.start.record) or bool(game.states.get("looked_at")[game.turn])


def with_history(made: Created, game: Game) -> Generator[None, None, Game]:
    """A game together with the moves that were played before it, if it goes on from a record."""
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
