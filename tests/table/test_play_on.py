"""Playing on: games that begin at a position or at a ply of a record, and what is told and kept of them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from helpers import TASTES
from sintra import Game, Record
from sintra.game.seeds import secret_seed
from sintra.records.steps import run_to_completion
from sintra.rules.state import Stage
from sintra.table.games.beginnings import start_of_game, starting_at
from sintra.table.games.log import Created, Start, read_event, write_event
from sintra.table.shown.game import Watcher, recording
from sintra.tabletop.ruleset import RuleOptions
from table.local_table import LocalTable, Person, shown
from table.test_studies import BARE, positions


@pytest.fixture(scope="module")
def record() -> Record:
    *_, game = positions(5)
    return Record.of(game, ("Cid", "Dee"))


def play(person: Person, **asked: Any) -> str:
    """Plays on; the new game's name."""
    game: str = person.post("/study/play", {"names": ["Ann"]} | asked)["game"]
    return game


def ply_of(record: Record, turn: int, stage: Stage, least: int = 0) -> int:
    """The first ply, not before another, at which a seat is asked for this."""
    for ply, game in enumerate(record.positions()):
        if ply >= least and (game.turn, game.stage) == (turn, stage):
            return ply
    raise AssertionError("there is no such ply")


@pytest.mark.parametrize("turn", [0, 1])
def test_the_player_to_move_plays_on_from_a_record(local: LocalTable, record: Record, turn: int) -> None:
    """The asker is seat 0 of the new game, whoever was to move; its record is the old one as far as it went."""
    ply = ply_of(record, turn, Stage.TURN, 40)
    then = record.replay(ply)
    ann = local.person()
    game = play(ann, record=record.dumps(), ply=ply, opponent="level:n=1")
    begun = shown(ann, game)
    assert (begun.ply, begun.position.seat, begun.you, begun.may_undo, begun.may_take_back) == (0, 0, [0], False, False)
    assert (begun.position.round, begun.rules.goals) == (then.round, [str(goal) for goal in then.rules.goals])
    assert [board.score for board in begun.position.boards] == [then.scores[turn], then.scores[1 - turn]]
    assert begun.players[0].name == "Ann"
    assert begun.players[1].opponent == "level:n=1"
    assert begun.began is not None
    assert (begun.began.moves, begun.began.has_record) == (ply, True)
    assert begun.log is not None
    assert [event.telling.key for event in begun.log] == ["log.played_on_known"]

    local.play(game, {0: ann}, most=3)
    going_on = Record.from_dict(ann.get(f"/games/{game}/record"))
    assert going_on.is_view
    local.play(game, {0: ann})
    whole = Record.from_dict(ann.get(f"/games/{game}/record"))
    whole.check()
    assert whole.moves[:ply] == record.moves[:ply]
    assert (whole.plates, whole.chips) == (record.plates, record.chips)
    assert whole.first == (record.first if turn == 0 else 1 - record.first)
    room = local.room(game)
    assert whole.moves[ply:] == tuple(map(str, room.game.moves))
    assert whole.result is not None
    assert whole.result.scores == room.game.scores


def test_every_stage_of_a_game_can_be_a_start(record: Record) -> None:
    """What the log keeps leads to the same position, for both seats, with the history that belongs to it."""
    seen = set()
    for then in record.positions():
        if then.is_over or (then.stage in seen and then.ply % 11):
            continue
        seen.add(then.stage)
        for seat in (0, 1):
            made = _made(run_to_completion(starting_at(then, seat, against_friend=False)))
            game = start_of_game(read_made(write_event(made)))
            twin = start_of_game(made)
            assert game.state.tobytes() == twin.state.tobytes()
            assert game.turn == (then.turn if seat == 0 else 1 - then.turn)
            assert [str(move) for move in game.legal_moves] == [str(move) for move in then.legal_moves]
    assert {Stage.OPENING, Stage.TURN, Stage.DRAWING, Stage.KEEPING, Stage.RETURNING, Stage.TILING} <= seen


def _made(start: Start | None) -> Created:
    return Created(
        seed=secret_seed(),
        computer_seed=1,
        mode="screen",
        names=["Ann", "Ben"],
        goals=[],
        goal_count=3,
        options=RuleOptions(),
        start=start,
    )


def read_made(text: str) -> Created:
    act = read_event(text)
    assert isinstance(act, Created)
    return act


def test_another_seat_can_be_taken(local: LocalTable, record: Record) -> None:
    """Then the computer moves first."""
    ply = ply_of(record, 1, Stage.TURN)
    ann = local.person()
    game = play(ann, record=record.dumps(), ply=ply, seat=0)
    after = shown(ann, game)
    assert after.log is not None
    assert [event.seat for event in after.log[1:]] == [1] * (len(after.log) - 1)
    assert len(after.log) > 1


def test_what_a_position_hides_is_dealt_in_secret(local: LocalTable) -> None:
    """Neither the stack nor the chips follow from what the asker sent, even if that named them."""
    ann = local.person()
    whole = Game.from_position(BARE)
    orders = set()
    for text in (BARE, whole.position, BARE, whole.position):
        state = local.room(play(ann, position=text)).game.state
        orders.add((state["pile"].tobytes(), state["chip_order"].tobytes(), state["rng"].tobytes()))
        assert state["display"].tobytes() == whole.state["display"].tobytes()
    assert len(orders) == 4
    assert whole.state["pile"].tobytes() not in [pile for pile, _, _ in orders]


def test_a_game_from_a_position_has_no_record_but_can_be_studied_when_it_is_over(local: LocalTable) -> None:
    ann = local.person()
    game = play(ann, position=BARE)
    local.play(game, {0: ann}, most=4)
    assert ann.refused("GET", f"/games/{game}/record") == (409, "no_record")
    assert "text" not in ann.get(f"/games/{game}/replay/1"), "what is hidden is filled in when it cannot help any more"
    ann.act(game, "resign")
    assert ann.refused("GET", f"/games/{game}/record") == (409, "no_record")
    room = local.room(game)
    for ply in (0, room.game.ply):
        replayed = ann.get(f"/games/{game}/replay/{ply}")
        assert replayed["began"] == {"moves": 0, "has_record": False}
        studied = ann.post("/study", {"position": replayed["text"]})
        assert studied["game"]["position"]["boards"] == replayed["position"]["boards"]
    assert "text" not in ann.get(f"/games/{game}")


def test_points_add_up_to_the_result(local: LocalTable) -> None:
    """A text need not say where the points came from: what the player came with is told as such."""
    ann = local.person()
    game = play(ann, position=BARE.replace("round: 2", "0 score: 17; round: 2"))
    local.play(game, {0: ann})
    result = shown(ann, game).result
    assert result is not None
    assert result.breakdown[0].start == 17
    for one in result.breakdown:
        parts = (one.start, one.placement, one.specials, one.broken, one.start_tile, one.draws, one.goals_booked)
        assert sum(parts) == one.total


def test_the_game_goes_on_after_a_restart(tmp_path: Path, record: Record) -> None:
    """Also across a deal: chance follows from the log."""
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as local:
        ann = local.person()
        games = [
            play(ann, record=record.dumps(), ply=ply_of(record, 0, Stage.TURN, 30)),
            play(ann, position=BARE, mode="screen", names=["Ann", "Ben"]),
        ]
        for game in games:
            local.play(game, {0: ann, 1: ann}, most=60)
            assert local.room(game).game.round > shown(ann, game).log[0].round  # type: ignore[index]
        before = {game: ann.get(f"/games/{game}") for game in games}
        rooms = {game: local.room(game).game for game in games}
        cookies = ann.http.cookies
    with LocalTable(path) as local:
        ann = local.person()
        ann.http.cookies = cookies
        for game in games:
            assert local.room(game).game == rooms[game]
            assert ann.get(f"/games/{game}") == before[game]
            local.play(game, {0: ann, 1: ann})
            assert local.room(game).now.status == "over"


def test_moves_are_taken_back_to_the_start_and_not_further(local: LocalTable, record: Record) -> None:
    ann = local.person()
    game = play(ann, record=record.dumps(), ply=ply_of(record, 1, Stage.TURN), mode="screen", names=["Ann", "Ben"])
    start = local.room(game).now.state
    assert ann.cannot(game, "undo") == (409, "no_undo")
    assert ann.cannot(game, "take-back") == (409, "nothing_to_take_back")
    dice = Random(1)
    for _ in range(2):
        ann.act(game, "moves", token=str(TASTES["uniform"](local.room(game).game, dice)))
    ann.act(game, "take-back", seat=local.room(game).movers[0])
    while local.room(game).movers:
        ann.act(game, "take-back")
    assert local.room(game).now.state == start
    assert shown(ann, game).ply == 0


def test_a_rematch_begins_with_a_deal(local: LocalTable) -> None:
    ann = local.person()
    game = play(ann, position=BARE.replace("round: 2", "goals: rows edge wilds; round: 2"))
    ann.act(game, "resign")
    following = ann.post(f"/games/{game}/rematch", {"id": ann.new_id(), "seq": local.room(game).seq})["game"]
    again = shown(ann, following)
    assert (again.began, again.position.round, again.rules.goals) == (None, 1, ["rows", "edge", "wilds"])


def test_a_friend_can_be_invited_to_it(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    made = ann.post("/study/play", {"position": BARE, "mode": "friend", "names": ["Ann"]})
    ben.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"], "name": "Ben"})
    assert shown(ben, made["game"]).position.round == 2


def test_mistakes_are_named(local: LocalTable, record: Record) -> None:
    ann = local.person()
    over = {"record": record.dumps(), "ply": len(record.moves), "names": ["Ann"]}
    assert ann.refused("POST", "/study/play", over) == (422, "is_over")
    assert ann.refused("POST", "/study/play", {"names": ["Ann"]}) == (422, "bad_study")
    assert ann.refused("POST", "/study/play", {"position": BARE}) == (400, "malformed")
    screen = {"position": BARE, "mode": "screen", "names": ["Ann"]}
    assert ann.refused("POST", "/study/play", screen) == (422, "names_needed")


def test_who_plays_a_game_does_not_play_on_from_its_position(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    game = ann.create("screen")["game"]
    local.play(game, {0: ann, 1: ann}, most=8)
    room = local.room(game)
    now = room.now.view(room.now.turn).sample(1).position
    asked = {"position": now, "names": ["Ann"]}
    assert ann.refused("POST", "/study/play", asked) == (409, "running_game")
    assert ben.post("/study/play", asked)
    ann.act(game, "resign")
    assert ann.post("/study/play", asked)


def test_the_start_of_a_game_can_be_studied_until_a_move_is_made(local: LocalTable) -> None:
    """The asker knew it before; what comes then is a running game like any other."""
    ann = local.person()
    game = play(ann, position=BARE, mode="screen", names=["Ann", "Ben"])
    assert ann.post("/study", {"position": BARE})
    local.play(game, {0: ann, 1: ann}, most=1)
    room = local.room(game)
    now = {"position": room.now.view(room.now.turn).sample(1).position}
    assert ann.refused("POST", "/study", now) == (409, "running_game")


def test_logs_without_a_start_are_read_as_before() -> None:
    made = _made(None)
    assert b"start" not in msgspec.json.encode(made)
    assert read_made(write_event(made)) == made


def test_a_long_record_is_written_in_steps(local: LocalTable, record: Record) -> None:
    """However long, a record is asked for while others are answered."""
    ann = local.person()
    game = play(ann, record=record.dumps(), ply=len(record.moves) - 1, mode="screen", names=["Ann", "Ben"])
    room = local.room(game)
    assert room.created.start is not None
    assert room.created.start.moves == len(record.moves) - 1
    local.play(game, {0: ann, 1: ann})
    assert sum(1 for _ in recording(room, Watcher((0, 1)))) >= len(record.moves) - 1


def test_reviews_and_games_that_go_on(local: LocalTable) -> None:
    """The record that a game goes on from can be reviewed, one with an end made up for that game cannot."""
    ann = local.person()
    game = Game.new(seed=4)
    for _ in range(6):
        game.push(game.legal_moves[0])
    half = game.copy()
    game.resign(0)
    record = Record.of(game, ("Cid", "Dee")).dumps()
    review = ann.post("/reviews", {"record": record})["review"]
    old = ann.ask("GET", f"/api/reviews/{review}/record").text
    assert Record.loads(old).moves == Record.loads(record).moves
    bare = play(ann, position=BARE, mode="screen", names=["Ann", "Ben"])
    on = play(ann, record=old, ply=6, mode="screen", names=["Ann", "Ben"])
    assert ann.post("/reviews", {"record": record})["review"] == review

    local.play(on, {0: ann, 1: ann}, most=1)
    half.push(local.room(on).game.moves[0])
    half.resign(1)
    made_up = Record.of(half, ("Eve", "Dan")).dumps()
    assert ann.refused("POST", "/reviews", {"record": made_up}) == (409, "no_review_yet")
    assert ann.post("/reviews", {"record": record})["review"] == review
    for one in (bare, on):
        ann.act(one, "resign", seat=1)
    assert ann.post("/reviews", {"record": made_up})
    assert ann.get(f"/reviews/{ann.post(f'/games/{on}/review', {})['review']}")["plies"] == 7
    assert ann.refused("POST", f"/games/{bare}/review", {}) == (409, "no_record")
    assert ann.refused("GET", "/reviews/nothing/record") == (404, "no_review_here")


def test_a_game_that_is_played_on_may_have_a_clock(local: LocalTable) -> None:
    ann = local.person()
    game = play(ann, position=BARE, opponent="level:n=1", clock={"seconds": 300, "increment": 10})
    clock = shown(ann, game).clock
    assert clock is not None
    assert (clock.seconds, clock.increment) == (300, 10)
    assert shown(ann, play(ann, position=BARE, opponent="level:n=1")).clock is None
