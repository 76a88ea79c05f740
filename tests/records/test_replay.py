"""Records are replayed, whole or cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helpers import cut, some
from records.helpers import EVERYBODY, vector
from sintra import RecordError
from sintra.records.record import Record


@pytest.mark.parametrize(("name", "index"), [("rare", 11), ("chips", 1)])
def test_a_record_cut_after_any_move_is_a_record_of_that_position(name: str, index: int) -> None:
    record = Record.from_dict(vector(name, index))
    for ply, game in some(enumerate(record.positions())):
        part = cut(record, ply)
        here = Record.loads(part.dumps()).check()
        assert here == game
        assert here.ply == ply
        for observer in EVERYBODY:
            assert here.view(observer) == game.view(observer)
        again = Record.of(here, record.players, legal=True)
        assert (again.moves, again.legal, again.plates, again.chips) == (
            part.moves,
            part.legal,
            part.plates,
            part.chips,
        )


@pytest.mark.parametrize("name", ["greedy", "draw", "hoard"])
def test_a_record_cut_at_a_rounds_end_may_lack_the_next_tiles(name: str) -> None:
    record = Record.from_dict(vector(name, 2))
    ends = [ply + 1 for ply, token in enumerate(record.moves) if token == "E"][1:-1:2]
    assert len(ends) == 4
    for round_no, ply in enumerate(ends, start=1):
        with_tiles = cut(record, ply)
        without = replace(with_tiles, tiles=with_tiles.tiles[:-1])
        assert len(without.tiles) == round_no
        assert not with_tiles.check().awaits_deal
        game = without.check()
        assert game.awaits_deal
        assert len(game.legal_moves) == 0
        for observer in EVERYBODY:
            assert without.view(observer).tiles == without.tiles
        game.deal(record.tiles[round_no])
        assert game == with_tiles.check()


def test_replay_stops_at_a_ply() -> None:
    record = Record.from_dict(vector("random", 3))
    assert [str(move) for move in record.replay(17).moves] == list(record.moves[:17])
    assert record.replay().is_over
    for ply in (-1, len(record.moves) + 1):
        with pytest.raises(RecordError, match="no ply"):
            record.replay(ply)


def test_a_game_that_ended_early_replays_with_its_end() -> None:
    record = Record.from_dict(vector("rare", 17))
    assert record.replay().result == record.result
    assert record.replay(3).result is None
    again = Record.of(record.replay(), record.players, legal=True)
    assert (again.moves, again.legal, again.result) == (record.moves, record.legal, record.result)
