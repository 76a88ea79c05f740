"""Those who play for a test without a page: somebody else may act between their look and their post."""

from __future__ import annotations

from typing import Any

import pytest

from table.browser.browsers import Seat, StaleError, read_answer
from table.local_table import LocalTable, Person


class Crossed:
    """Somebody who asks, and after whose next look the same person moves from another window."""

    def __init__(self, local: LocalTable, person: Person, game: str) -> None:
        self._local = local
        self._person = person
        self._game = game
        self.crosses = True

    def __call__(self, method: str, path: str, body: Any = None) -> Any:
        answer = self._person.ask(method, path, json=body)
        if method == "GET" and self.crosses:
            self.crosses = False
            self._local.play(self._game, dict.fromkeys((0, 1), self._person), most=1)
        return read_answer(answer.status_code, answer.text)


def test_a_post_that_crosses_a_move_is_made_on_the_game_as_it_is_then(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    local.play(game, {0: ann, 1: ann}, most=2)
    ask = Crossed(local, ann, game)
    Seat(ask, game).post("take-back")
    assert not ask.crosses
    assert local.room(game).seq == 4


def test_play_goes_on_where_a_move_crosses_it(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    ask = Crossed(local, ann, game)
    assert Seat(ask, game).play(lambda shown: shown["ply"] == 3)["seq"] == 3
    assert not ask.crosses


def test_a_move_in_a_game_that_has_moved_on_is_stale(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    seat = Seat(Crossed(local, ann, game), game)
    before = seat.shown()
    with pytest.raises(StaleError):
        seat.move(before)
