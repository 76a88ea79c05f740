"""Pictures of records: one for each ply, as somebody saw it, and the course of the game in numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from drawing.parts import arrows
from helpers import VECTORS
from sintra import Game, Record, RecordError, Source, read_records
from sintra.components import SPECTATOR
from sintra.records.pictures import course_of, picture_of, replay_pictures


@pytest.fixture(scope="module")
def record() -> Record:
    """A whole game."""
    return read_records(VECTORS / "kinds.jsonl")[0]


def test_a_replay_shows_every_move_and_then_the_end(record: Record) -> None:
    pictures = list(replay_pictures(record, 10, 14))
    assert len(pictures) == 5
    for ply, picture in enumerate(pictures[:-1], start=10):
        assert f"plays {record.moves[ply].replace('<', '&lt;')}" in picture
    assert pictures[-1] == record.replay(14).svg(title=" \N{EN DASH} ".join(record.names))


def test_a_replay_of_all_ends_with_the_result(record: Record) -> None:
    end = len(record.moves)
    *_, last = replay_pictures(record, end - 1)
    result = record.replay().result
    assert result is not None
    assert f"Seat {result.winner} wins" in last
    game = Game.new(seed=1)
    game.push(game.legal_moves[0])
    game.resign(0)
    *_, last = replay_pictures(Record.of(game))
    assert "Seat 1 wins (resigned)" in last


def test_a_replay_shows_what_an_observer_saw(record: Record) -> None:
    returned = next(ply for ply, token in enumerate(record.moves) if token.startswith("<"))
    game = record.replay(returned)
    mine, watched = (next(replay_pictures(record, returned, observer=who)) for who in (game.turn, SPECTATOR))
    assert f"plays &lt;{record.moves[returned][1:]}" in mine
    assert f"plays &lt;{game.hand[0].kind.value if game.hand[0].kind else ''}" in watched
    assert picture_of(game, record.moves[returned], observer=SPECTATOR, title="x") != mine


def test_a_replay_of_one_board(record: Record) -> None:
    placed = next(ply for ply, token in enumerate(record.moves) if token.startswith("T"))
    seat = record.replay(placed).turn
    pictures = list(replay_pictures(record, placed, placed + 1, board=seat, theme="light"))
    assert [len(arrows(picture)) for picture in pictures] == [1, 0]


@pytest.mark.parametrize(("first", "last"), [(3, 2), (0, 999), (-1, 2)])
def test_plies_that_do_not_exist_are_refused(record: Record, first: int, last: int) -> None:
    with pytest.raises(RecordError, match=f"plies {first} to {last} cannot be shown"):
        next(replay_pictures(record, first, last))


def test_the_course_of_a_game_adds_up(record: Record) -> None:
    course = course_of(record)
    end = record.replay()
    assert (course.scores, course.end, len(course.rounds)) == (end.scores, "goals", 5)
    for seat in (0, 1):
        assert course.rounds[-1][seat] + course.sources[seat][Source.GOALS] == end.scores[seat]
        assert 5 + sum(course.sources[seat].values()) == end.scores[seat]
    begins: dict[int, tuple[int, int]] = {}
    for game in record.positions():
        begins.setdefault(game.round, game.scores)
    assert course.rounds[:4] == tuple(begins[k] for k in range(2, 6))


def test_the_course_of_a_game_that_was_not_finished(record: Record) -> None:
    part = course_of(record, 40)
    assert (part.end, part.scores) == ("now", record.replay(40).scores)
    assert len(part.rounds) == record.replay(40).round - 1
    game = Game.new(seed=1)
    game.resign(1)
    assert course_of(Record.of(game)).end == "resigned"
    assert course_of(replace(Record.of(game), players=("Ana", "Ana"))).players == ("Ana (0)", "Ana (1)")
