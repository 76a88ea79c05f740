"""Plays, searches, reviews and shows with the compiled library, and prints what comes of it: python without_numpy.py

It prints the same with NumPy and without.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from sintra import Game, View, player
from sintra.players.hints import Adviser
from sintra.players.levels import LEVELS
from sintra.puzzles import collection
from sintra.puzzles.making import prove
from sintra.records.record import Record
from sintra.review.judging import ReviewBudget
from sintra.review.reviewing import review
from sintra.table.shown.options import options_of
from sintra.table.shown.position import position_of, position_text

SEED = 7


def played() -> Iterator[Game]:
    """A game, before each of its moves and at its end."""
    players = player("greedy:seed=1"), player("simple:seed=2")
    game = Game.new(seed=SEED)
    while not game.is_over:
        yield game
        game.push(players[game.turn].choose(game.view(game.turn)))
    yield game


def results() -> Iterator[Any]:
    """What comes of it, part by part."""
    views: list[View] = []
    for game in played():
        view = game.view(game.turn)
        yield [len(game.legal_moves), game.position_key, view.key, game.scores]
        if game.ply % 9 == 0 and not game.is_over:
            views.append(view)
            yield [position_of(view), options_of(view), position_text(view), view.position]
            yield [Game.from_position(game.position).position, View.from_position(view.position) == view]
            yield [str(view), view.preview(view.legal_moves[0]).points_now, view.describe(view.legal_moves[0])]
    record = Record.of(game)
    record.check()
    yield record.dumps()
    yield [record.view(0).dumps(), record.perft(20, 2), str(game.svg())]
    for text in (
        "random:seed=3",
        "search:sims=200",
        "search:sims=60,trees=2",
        "classic:sims=60",
        "champion:share=0.05",
    ):
        yield [text, [str(player(text).choose(view)) for view in views]]
    for level in LEVELS:
        yield [level.number, str(player(f"level:n={level.number}").choose(views[1]))]
    adviser = Adviser(100)
    yield [[str(one.move) for one in adviser.evaluate(view).advice] for view in views]
    yield review(record, ReviewBudget(sims=20))
    for puzzle in {one.kind: one for one in collection.load()}.values():
        prove(puzzle)
        yield puzzle.position


def main() -> None:
    """Prints the results, one a line."""
    for result in results():
        print(msgspec.json.encode(result).decode())


if __name__ == "__main__":
    main()
