"""The clock: what is left, whose time runs, and who loses by it; time passes only when a test lets it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sintra.players.base import Clock
from sintra.records.record import Record
from sintra.rules.state import Stage
from sintra.table.games.log import TimedOut, read_event
from sintra.table.games.room import Room
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.shown.game import Watcher
from table.handmade_time import HandmadeTime
from table.local_table import LocalTable, Person, friends
from table.storages import Failure, Gate, Waiting

FIVE_AND_TEN = {"seconds": 300, "increment": 10}
People = dict[int, Person]


class TimedTable(LocalTable):
    """A table whose time is made by hand."""

    def __init__(self, path: str | Path = ":memory:", **more: Any) -> None:
        self.time = HandmadeTime()
        super().__init__(path, ticks=self.time, **more)

    def pass_time(self, seconds: float) -> None:
        """Lets time pass, and happen what happens then."""
        self.time.seconds += seconds
        self._do(self.time.due())

    def pass_time_asleep(self, seconds: float) -> None:
        """Lets time pass while the service is too busy to look at it."""
        self.time.seconds += seconds

    def _do(self, due: list[Any]) -> None:
        async def do() -> None:
            for timer in due:
                timer.do()
            while self.table._tasks:
                await asyncio.sleep(0)

        self.runner.run(do())

    def screen(self, clock: dict[str, int] | None = None) -> tuple[Room, People]:
        """A game on one screen in which both have made their first decision."""
        ann = self.person()
        room = self.room(ann.create("screen", clock=clock or FIVE_AND_TEN)["game"])
        people = {0: ann, 1: ann}
        self.play(room.id, people, most=2)
        return room, people


@pytest.fixture
def timed() -> Iterator[TimedTable]:
    with TimedTable() as one:
        yield one


def left(room: Room) -> list[float]:
    assert room.time_left is not None
    return [one / 1000 for one in room.time_left]


def play_until(local: LocalTable, room: Room, people: People, fits: Callable[[], bool]) -> None:
    """Lets people play until the room fits."""
    for _ in range(400):
        if fits():
            return
        local.play(room.id, people, most=1)
    raise AssertionError("it did not come to that")


# --- what is left -------------------------------------------------------------------------------


def test_the_first_decision_of_each_seat_is_free(timed: TimedTable) -> None:
    ann = timed.person()
    room = timed.room(ann.create("screen", clock=FIVE_AND_TEN)["game"])
    for _ in range(2):
        assert room.on_clock is None
        timed.pass_time(10_000)
        assert left(room) == [300, 300]
        timed.play(room.id, {0: ann, 1: ann}, most=1)
    assert left(room) == [300, 300], "and brings nothing either"
    assert room.on_clock == room.now.turn


def test_the_time_of_the_seat_to_move_runs_and_a_turn_brings_some_back(timed: TimedTable) -> None:
    room, people = timed.screen()
    expected = [300.0, 300.0]
    for used in (7, 0.5, 20, 3):
        seat = room.now.turn
        timed.pass_time(used)
        expected[seat] -= used
        assert left(room) == expected
        turn = room.now.turn_ply
        timed.play(room.id, people, most=1)
        expected[seat] += 10 * (room.now.turn_ply != turn)
        assert left(room) == expected


@pytest.mark.parametrize("stages", [(Stage.DRAWING, Stage.KEEPING, Stage.RETURNING), (Stage.TILING, Stage.PAYING)])
def test_a_turn_of_several_decisions_brings_time_once(timed: TimedTable, stages: tuple[Stage, ...]) -> None:
    room, people = timed.screen()
    in_turn = lambda: room.now.stage in stages and room.now.ply > room.now.turn_ply  # noqa: E731
    play_until(timed, room, people, in_turn)
    before, seat, turn = left(room), room.now.turn, room.now.turn_ply
    while room.now.turn_ply == turn:
        assert left(room) == before
        timed.play(room.id, people, most=1)
    assert left(room)[seat] == before[seat] + 10


def test_time_is_not_given_back_and_a_turn_done_again_brings_nothing(timed: TimedTable) -> None:
    room, people = timed.screen()
    seat = room.now.turn
    play_until(timed, room, people, lambda: room.now.turn == seat and room.now.ply == room.now.turn_ply)
    timed.pass_time(30)
    play_until(timed, room, people, lambda: room.now.turn != seat)
    after = left(room)
    people[0].act(room.id, "take-back", seat=seat)
    timed.pass_time(5)
    play_until(timed, room, people, lambda: room.now.turn != seat)
    after[seat] -= 5
    assert left(room) == after
    furthest = room.now.furthest
    other = room.now.turn
    play_until(timed, room, people, lambda: room.now.turn != other and room.now.ply > furthest)
    assert left(room)[other] > after[other], "from there on turns count again"


def test_a_clock_is_told_as_it_stands_and_as_it_stood(timed: TimedTable) -> None:
    room, people = timed.screen()
    seat = room.now.turn
    timed.pass_time(30)
    told = people[0].get(f"/games/{room.id}")["clock"]
    expected = [300_000, 300_000]
    expected[seat] -= 30_000
    assert told == {"seconds": 300, "increment": 10, "left": expected, "running": seat}
    timed.play(room.id, people, most=6)
    timed.pass_time(9)
    people[0].act(room.id, "resign", seat=0)
    then = people[0].get(f"/games/{room.id}/replay/2")["clock"]
    assert then["left"] == [300_000, 300_000]
    assert then["running"] is None
    over = people[0].get(f"/games/{room.id}")["clock"]
    timed.pass_time(500)
    assert people[0].get(f"/games/{room.id}")["clock"] == over
    assert over["running"] is None
    assert sum(over["left"]) < 600_000 + 6 * 10_000 - 9_000


def test_without_a_clock_nothing_is_told_or_written_of_it(timed: TimedTable) -> None:
    ann = timed.person()
    game = ann.create("screen")["game"]
    timed.play(game, {0: ann, 1: ann}, most=5)
    timed.pass_time(1_000_000)
    shown = ann.get(f"/games/{game}")
    assert "clock" not in shown
    assert shown["status"] == "playing"
    assert not any("clock" in one.text or "time_left" in one.text for one in timed.log(game))


@pytest.mark.parametrize(
    "clock", [{"seconds": 0}, {"seconds": 10**6}, {"increment": 5}, {"seconds": 60, "increment": -1}, {"minutes": 5}]
)
def test_a_clock_that_makes_no_sense_is_refused(timed: TimedTable, clock: dict[str, int]) -> None:
    body = {"mode": "screen", "names": ["Ann", "Ben"], "clock": clock}
    assert timed.person().refused("POST", "/games", body) == (400, "malformed")


def test_an_invitation_says_it_and_a_rematch_keeps_it(timed: TimedTable) -> None:
    ann, ben = timed.person(), timed.person()
    made = ann.create("friend", clock=FIVE_AND_TEN)
    asked = ben.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"]})
    assert asked["invitation"]["clock"] == FIVE_AND_TEN
    ben.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"], "name": "Ben"})
    ann.act(made["game"], "resign")
    room = timed.room(made["game"])
    following = ann.post(f"/games/{made['game']}/rematch", {"id": Person.new_id(), "seq": room.seq})["game"]
    assert ann.get(f"/games/{following}")["clock"]["left"] == [300_000, 300_000]


# --- running out --------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["screen", "friend"])
def test_who_runs_out_of_time_loses_without_anybody_doing_anything(timed: TimedTable, mode: str) -> None:
    if mode == "friend":
        game, ann, ben, _ = friends(timed, clock=FIVE_AND_TEN)
        room, people = timed.room(game), {0: ann, 1: ben}
        timed.play(game, people, most=2)
    else:
        room, people = timed.screen()
    seat = room.now.turn
    timed.pass_time(299.5)
    assert room.now.status == "playing"
    timed.pass_time(0.5)
    assert isinstance(read_event(timed.log(room.id)[-1].text), TimedOut)
    shown = people[seat].get(f"/games/{room.id}")
    assert (shown["status"], shown["result"]["reason"], shown["result"]["winner"]) == ("over", "timeout", 1 - seat)
    assert shown["log"][-1]["telling"] == {"key": "log.timeout"}
    assert shown["clock"]["left"][seat] == 0
    record = Record.from_dict(people[0].get(f"/games/{room.id}/record"))
    record.check()
    assert record.result is not None
    assert (record.result.reason, record.result.winner) == ("timeout", 1 - seat)
    assert people[seat].cannot(room.id, "moves", token="E") == (409, "over")


def test_a_move_that_comes_too_late_is_not_made(timed: TimedTable) -> None:
    """Even when nobody has looked at the clock yet: the post itself does."""
    room, people = timed.screen()
    seat, seq = room.now.turn, room.seq
    token = str(room.game.legal_moves[0])
    timed.pass_time_asleep(300)
    body = {"id": Person.new_id(), "seq": seq, "token": token}
    assert people[seat].refused("POST", f"/games/{room.id}/moves", body) == (409, "stale")
    assert room.now.timed_out == seat
    timed.pass_time(0)
    assert room.seq == seq + 1, "a game ends once"


@pytest.mark.parametrize("what", ["take-back", "resign", "undo"])
def test_nothing_else_comes_in_time_either(timed: TimedTable, what: str) -> None:
    room, people = timed.screen()
    seq = room.seq
    timed.pass_time_asleep(301)
    assert people[0].refused("POST", f"/games/{room.id}/{what}", {"id": Person.new_id(), "seq": seq}) == (409, "stale")
    assert room.now.timed_out == room.now.turn


@pytest.mark.parametrize("written", [False, True], ids=["before it is written", "after it is written"])
def test_a_move_that_is_being_written_while_the_time_runs_out_counts(written: bool) -> None:
    storage: Any = Waiting(SqliteStorage(":memory:"))
    with TimedTable(storage=storage) as timed:
        room, people = timed.screen()
        seat, seq = room.now.turn, room.seq
        body = {"id": Person.new_id(), "seq": seq, "token": str(room.game.legal_moves[0])}

        async def race() -> int:
            gate = Gate()
            (storage.after if written else storage.before)["append"] = gate
            posted = asyncio.create_task(people[seat].http.post(f"/api/games/{room.id}/moves", json=body))
            await gate.reached.wait()
            timed.time.seconds += 300
            for timer in timed.time.due():
                timer.do()
            for _ in range(20):
                await asyncio.sleep(0)
            gate.opened.set()
            answer = await posted
            while timed.table._tasks:
                await asyncio.sleep(0)
            return answer.status_code

        assert timed.runner.run(race()) == 200
        assert room.now.status == "playing"
        assert room.seq == seq + 1
        assert Room(room.id, timed.log(room.id)).frames == room.frames
        timed.pass_time(299)
        assert room.now.status == "playing"
        timed.pass_time(1)
        assert room.now.timed_out == 1 - seat


def test_a_move_of_another_process_comes_before_the_end(tmp_path: Path) -> None:
    """Two services with one log: the one that did not see the move does not end the game."""
    path = tmp_path / "games.sqlite"
    with TimedTable(path) as one, TimedTable(path) as two:
        room, people = one.screen()
        seq = room.seq
        elsewhere = two.room(room.id)
        two.runner.run(_run(two, elsewhere))
        one.play(room.id, people, most=1)
        two.pass_time(300)
        assert elsewhere.now.status == "playing"
        assert elsewhere.seq == room.seq == seq + 1
        assert elsewhere.now.time_left == room.now.time_left
        two.pass_time(310)
        assert elsewhere.now.timed_out == room.now.turn


async def _run(local: LocalTable, room: Room) -> None:
    local.table.clocks.run(room)


def test_a_storage_that_fails_at_that_moment_is_asked_again() -> None:
    storage: Any = Waiting(SqliteStorage(":memory:"))
    with TimedTable(storage=storage) as timed:
        room, _ = timed.screen()
        storage.before["append"] = Failure(sqlite3.OperationalError("the disk is full"))
        timed.pass_time(300)
        assert timed.runner.run(timed.table.rooms.open(room.id)).now.status == "playing"
        assert any(line.get("what") == "OperationalError" for line in timed.lines)
        timed.pass_time(5)
        assert timed.runner.run(timed.table.rooms.open(room.id)).now.timed_out is not None


# --- a table that was closed --------------------------------------------------------------------


def test_a_closed_table_costs_nobody_time(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TimedTable(path) as timed:
        game, ann, ben, links = friends(timed, clock=FIVE_AND_TEN)
        room = timed.room(game)
        timed.play(game, {0: ann, 1: ben}, most=8)
        timed.pass_time(50)
        people = {0: ann, 1: ben}
        play_until(timed, room, people, lambda: room.now.ply > 8)
        written, turn = left(room), room.now.turn
        timed.pass_time(100)
    with TimedTable(path) as timed:
        timed.pass_time(100_000)
        back = {seat: timed.person() for seat in (0, 1)}
        for seat, role in enumerate(("own", "friend")):
            back[seat].post(f"/games/{game}/enter", {"secret": links[role]})
        room = timed.room(game)
        timed.pass_time(100_000)
        assert left(room) == written, "it stands until the player to move is at the table"
        other = timed.table.hub.stream(room, Watcher((1 - turn,)), room.seq)
        timed.runner.run(anext(other))
        timed.pass_time(100_000)
        assert left(room) == written
        mine = timed.table.hub.stream(room, Watcher((turn,)), room.seq)
        told: bytes = timed.runner.run(anext(mine))
        assert f'"running":{turn}'.encode() in told, "who comes back is told that time runs again"
        timed.pass_time(20)
        written[turn] -= 20
        assert left(room) == written
        timed.pass_time(written[turn])
        assert room.now.timed_out == turn
        timed.runner.run(mine.aclose())
        timed.runner.run(other.aclose())


def test_an_act_sets_the_clock_running_again_too(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TimedTable(path) as timed:
        made = timed.person().create("screen", clock=FIVE_AND_TEN)
    with TimedTable(path) as timed:
        ann = timed.person()
        ann.post(f"/games/{made['game']}/enter", {"secret": made["links"]["own"]})
        timed.play(made["game"], {0: ann, 1: ann}, most=2)
        room = timed.room(made["game"])
        timed.pass_time(300)
        assert room.now.timed_out == room.now.turn


def test_a_game_whose_clock_runs_is_not_forgotten(timed: TimedTable) -> None:
    room, people = timed.screen()
    timed.table.rooms._max_games = 1
    for _ in range(3):
        people[0].create("screen")
    assert timed.table.rooms._open[room.id] is room
    timed.pass_time(300)
    assert room.now.status == "over"
    people[0].create("screen")
    assert room.id not in timed.table.rooms._open


# --- friends who are away -----------------------------------------------------------------------


def test_the_clock_decides_about_a_friend_who_is_away_while_it_runs(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TimedTable(path) as timed:
        timed.table.hub.claim_after_s = 0
        game, ann, ben, links = friends(timed, clock=FIVE_AND_TEN)
        people = {0: ann, 1: ben}
        timed.play(game, people, most=2)
        away = timed.room(game).now.turn
        stays = timed.table.hub.stream(timed.room(game), Watcher((1 - away,)), 0)
        timed.runner.run(anext(stays))
        timed.settle()
        assert people[1 - away].cannot(game, "claim") == (409, "clock_runs")
        timed.runner.run(stays.aclose())
    with TimedTable(path) as timed:
        timed.table.hub.claim_after_s = 0
        one = timed.person()
        one.post(f"/games/{game}/enter", {"secret": links[("friend", "own")[away]]})
        stays = timed.table.hub.stream(timed.room(game), Watcher((1 - away,)), 0)
        timed.runner.run(anext(stays))
        timed.settle()
        one.act(game, "claim")
        assert timed.room(game).now.left == away, "a clock that stands does not keep anybody waiting for ever"
        timed.runner.run(stays.aclose())


# --- computers ----------------------------------------------------------------------------------


def test_a_computer_is_told_what_it_has_left_and_can_run_out_of_it(timed: TimedTable) -> None:
    ann = timed.person()
    room = timed.room(ann.create("computer", first="me", clock={"seconds": 60, "increment": 0})["game"])
    people = {0: ann}
    play_until(timed, room, people, lambda: room.now.ply >= 8 and room.now.turn == 0)
    assert timed.thinkers.clocks[-1] == Clock(60.0, 0)
    timed.thinkers.slow = True
    play_until(timed, room, people, lambda: room.now.turn == 1)
    timed.time.seconds += 25
    timed.thinkers.slow = False
    timed.settle()
    play_until(timed, room, people, lambda: room.now.turn == 1 or timed.thinkers.clocks[-1] == Clock(35.0, 0))
    assert left(room)[1] == 35
    timed.thinkers.slow = True
    play_until(timed, room, people, lambda: room.now.turn == 1)
    timed.time.seconds += 35
    timed.thinkers.slow = False
    timed.settle()
    assert room.now.timed_out == 1
    shown = ann.get(f"/games/{room.id}")
    assert (shown["result"]["reason"], shown["result"]["winner"]) == ("timeout", 0)


def test_a_computer_goes_on_after_a_restart_with_what_it_had(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with TimedTable(path) as timed:
        ann = timed.person()
        made = ann.create("computer", first="me", clock={"seconds": 60, "increment": 0})
        room = timed.room(made["game"])
        play_until(timed, room, {0: ann}, lambda: room.now.ply >= 6 and room.now.turn == 0)
        timed.thinkers.slow = True
        play_until(timed, room, {0: ann}, lambda: room.now.turn == 1)
        timed.time.seconds += 25
    with TimedTable(path) as timed:
        ann = timed.person()
        ann.post(f"/games/{made['game']}/enter", {"secret": made["links"]["own"]})
        assert timed.room(made["game"]).now.turn == 0
        assert timed.thinkers.clocks[0] == Clock(60.0, 0)
