"""`classic` plays move for move as `search` of version 0.1.0 did.

`classic_0_1_0.jsonl` was written by that version's own code. Each line is a game from a seed; both seats are the player
named, and a seat's dice follow from `new_game(derive(seed, seat))`. Without `chosen` the player made all moves of the
game; with it, it was asked at some decisions (by ply) of a game that others played.

The dice follow from the view. Today's views say of hidden plates all that follows from what was seen, where those of
0.1.0 drew the plain conclusions only: in about one decision of four hundred the bytes of a view differ, and with them
the dice. What 0.1.0 did not conclude cannot be told from today's view, so there another move is possible.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from sintra import Game
from sintra.game.seeds import derive
from sintra.players import player

LINES: Final[list[dict[str, Any]]] = [
    json.loads(line) for line in Path(__file__).with_name("classic_0_1_0.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("line", LINES, ids=[f"{line['player']}-{line['seed']}" for line in LINES])
def test_it_makes_the_moves_of_0_1_0(line: dict[str, Any]) -> None:
    seats = [player(line["player"].replace("search", "classic")) for _ in range(2)]
    for seat, one in enumerate(seats):
        one.new_game(derive(line["seed"], seat))
    chosen = line.get("chosen") or {str(ply): move for ply, move in enumerate(line["moves"])}
    game = Game.new(seed=line["seed"])
    made = {}
    for ply, move in enumerate(line["moves"]):
        if str(ply) in chosen:
            made[str(ply)] = str(seats[game.turn].choose(game.view(game.turn)))
        game.push(move)
    assert game.is_over
    assert made == chosen


def test_the_games_ask_for_both_budgets() -> None:
    assert {line["player"] for line in LINES} >= {"search:sims=200,trees=2", "search:sims=8000,trees=2"}
