"""The undo law, taking back, one screen with a curtain, and what goes on while a computer thinks."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from helpers import TASTES, play_on
from sintra import Game, Place, ReturnPlate, Stage
from sintra.components import SPECTATOR
from sintra.game.game import View
from sintra.players.base import Clock
from sintra.table.base.opponents import Opponent
from sintra.table.games.room import Room, parsed, reveals
from sintra.table.service.visitors import Visitor
from sintra.table.shown import messages
from sintra.table.shown.game import Watcher
from table.local_table import LocalTable, Person, friends, shown
from table.messages_read import position_of


@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_what_can_be_undone_has_shown_nothing_to_anybody(taste: str) -> None:
    """Whatever is hidden, a move that may be undone looks the same afterwards to all three."""
    bare = 0
    for seed in range(6):
        dice = Random(seed)
        game = Game.new(seed=seed)
        before = game.copy()
        for now in play_on(game, taste, dice):
            if now.ply and not reveals(before.state.tobytes(), now.state.tobytes(), now.moves[-1]):
                for observer in (0, 1, SPECTATOR):
                    if isinstance(now.moves[-1], ReturnPlate) and observer != before.turn:
                        continue
                    other = before.view(observer).sample(seed)
                    other.push(now.moves[-1])
                    assert other.view(observer) == now.view(observer), now.moves[-1]
                bare += 1
            before = now.copy()
    assert bare > 100


def test_undo_is_for_ones_own_move_before_the_other_acts(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    dice = Random(3)
    undone = refused = 0
    for _ in range(400):
        room = local.room(game)
        if room.now.status == "over":
            break
        seat, before = room.now.turn, room.now
        people[seat].act(game, "moves", token=str(TASTES["drawing"](room.game, dice)))
        for one in (0, 1):
            assert shown(people[one], game).may_undo == room.may_undo(one)
        assert people[1 - seat].cannot(game, "undo")[0] == 409
        if not room.may_undo(seat):
            assert people[seat].cannot(game, "undo") in ((409, "no_undo"), (409, "undone_before"), (409, "over"))
            refused += 1
        elif dice.random() < 0.5:
            people[seat].act(game, "undo")
            assert (room.now.state, room.now.ply, room.now.turn) == (before.state, before.ply, before.turn)
            assert not room.now.taken_back
            undone += 1
    assert undone > 20
    assert refused > 10


def test_undo_goes_back_move_by_move(local: LocalTable) -> None:
    """In one's tiling, all moves since the other's last can be undone."""
    ann = local.person()
    game = ann.create("screen")["game"]
    room = local.room(game)
    local.play(game, {0: ann, 1: ann}, most=10)
    while not (room.now.stage is Stage.TILING and len(room.game.legal_moves) > 1):
        local.play(game, {0: ann, 1: ann}, most=1)
    states = [room.now.state]
    seat = room.now.turn
    while room.now.turn == seat and len(states) < 4 and room.now.stage is Stage.TILING:
        token = next((str(move) for move in room.game.legal_moves if isinstance(move, Place)), None)
        if token is None:
            break
        ann.act(game, "moves", token=token)
        states.append(room.now.state)
    assert len(states) > 1
    for state in reversed(states[:-1]):
        ann.act(game, "undo")
        assert room.now.state == state


def test_take_back_against_the_computer_goes_to_ones_latest_decision(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create(first="other")["game"]
    room = local.room(game)
    assert ann.cannot(game, "take-back") == (409, "nothing_to_take_back")
    dice = Random(1)
    for _ in range(60):
        if room.now.status == "over":
            break
        mine = room.now.state
        ann.act(game, "moves", token=str(TASTES["drawing"](room.game, dice)))
        if room.now.status == "playing" and dice.random() < 0.3:
            assert shown(ann, game).may_take_back
            again = room.game.moves
            ann.act(game, "take-back")
            assert room.now.state == mine, "the generator too: the deal stays"
            ann.act(game, "moves", token=str(again[room.now.ply]))
            assert room.game.moves[: len(again)] == again
    assert shown(ann, game).taken_back


def test_the_log_says_which_moves_stand(local: LocalTable) -> None:
    """Those that no later event takes back are the moves of the game, in order."""
    ann = local.person()
    game = ann.create("screen")["game"]
    room = local.room(game)
    dice = Random(9)
    for _ in range(60):
        local.play(game, {0: ann, 1: ann}, "drawing", most=1)
        if dice.random() < 0.4:
            ann.act(game, "undo" if room.may_undo(room.movers[-1]) else "take-back")
            if dice.random() < 0.4:
                ann.act(game, "redo")
        log = shown(ann, game).log or []
        undone: set[int] = set()
        for event in log:
            undone = (undone | set(event.undoes)) - set(event.redoes)
        standing = [event for event in log if event.kind == "move" and event.seq not in undone]
        assert [event.ply for event in standing] == list(range(1, room.now.ply + 1))
        assert [event.seq for event in standing] == room.standing[1:]
    assert undone


def test_take_back_that_the_law_allows_does_not_mark_the_game(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    room = local.room(game)
    while not room.movers or not room.may_undo(room.movers[-1]):
        local.play(game, {0: ann, 1: ann}, "uniform", most=1)
    ann.act(game, "take-back")
    assert not shown(ann, game).taken_back
    while not room.movers or room.may_undo(room.movers[-1]):
        local.play(game, {0: ann, 1: ann}, "drawing", most=1)
    ann.act(game, "take-back")
    assert room.now.taken_back
    assert shown(ann, game).taken_back


@pytest.mark.parametrize("mode", ["computer", "screen"])
def test_what_was_taken_back_can_be_redone(local: LocalTable, mode: str) -> None:
    """With all that had followed it, and the game is as it was; but the mark of a take-back stays."""
    ann = local.person()
    game = ann.create(mode)["game"]
    room = local.room(game)
    dice = Random(5)
    redone = answered = 0
    assert ann.cannot(game, "redo") == (409, "nothing_to_redo")
    for _ in range(80):
        if room.now.status == "over":
            break
        ann.act(game, "moves", token=str(TASTES["drawing"](room.game, dice)))
        assert not shown(ann, game).may_redo
        if room.now.status == "over" or room.movers.count(0) < 3 or dice.random() < 0.5:
            continue
        before, standing, moves = room.now, list(room.standing), room.game.moves
        steps = dice.randrange(1, 4)
        for _ in range(steps):
            ann.act(game, "undo" if any(map(room.may_undo, (0, 1))) and mode == "screen" else "take-back")
        answered += before.ply - room.now.ply > steps
        marked = room.now.taken_back
        for k in range(steps):
            assert shown(ann, game).may_redo
            ann.act(game, "redo")
            assert shown(ann, game).may_redo == (k < steps - 1)
        now = room.now
        assert (now.state, now.ply, now.stage, now.turn) == (before.state, before.ply, before.stage, before.turn)
        assert (now.round_seq, now.tiling_seq, now.turn_ply) == (before.round_seq, before.tiling_seq, before.turn_ply)
        assert (room.standing, room.game.moves, now.taken_back) == (standing, moves, marked)
        assert ann.cannot(game, "redo") == (409, "nothing_to_redo")
        redone += 1
    assert redone > 10
    assert (answered > 0) == (mode == "computer"), "the computer's answers come back, too"
    again = Room(game, local.log(game))
    assert again.frames == room.frames


def test_who_plays_something_else_cannot_redo(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    room = local.room(game)
    local.play(game, {0: ann, 1: ann}, most=8)
    ann.act(game, "take-back")
    ann.act(game, "take-back")
    local.play(game, {0: ann, 1: ann}, "uniform", most=1)
    assert not shown(ann, game).may_redo
    assert ann.cannot(game, "redo") == (409, "nothing_to_redo")
    ann.act(game, "take-back")
    ann.act(game, "redo")
    ann.act(game, "resign")
    assert not shown(ann, game).may_redo
    assert ann.cannot(game, "redo") == (409, "over")
    assert room.now.status == "over"


def test_the_computer_answers_a_move_that_was_undone_and_redone(local: LocalTable) -> None:
    ann = local.person()
    room = left_to_a_slow_computer(local, ann)
    game, ply = room.id, room.now.ply
    ann.act(game, "undo")
    ann.act(game, "redo")
    assert (room.now.ply, room.computer_to_move, room.now.taken_back) == (ply, True, False)
    local.thinkers.slow = False
    local.settle()
    assert room.now.ply > ply
    assert room.now.turn == 0


def test_against_a_friend_nothing_is_redone(local: LocalTable) -> None:
    """The other has agreed to the take-back, and may have thought on."""
    game, room, ann, ben = friend_game_with_moves(local)
    ann.act(game, "take-back")
    ben.act(game, "take-back/answer", agree=True)
    for one in (ann, ben):
        assert not shown(one, game).may_redo
        assert one.cannot(game, "redo") == (409, "nothing_to_redo")
    people = {shown(one, game).you[0]: one for one in (ann, ben)}
    while not room.movers or not room.may_undo(room.movers[-1]):
        local.play(game, people, most=1)
    mover = people[room.movers[-1]]
    mover.act(game, "undo")
    assert not shown(mover, game).may_redo
    assert mover.cannot(game, "redo") == (409, "nothing_to_redo")


def test_a_log_cannot_be_made_to_grow_for_ever(local: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sintra.table.games.room.MAX_EVENTS", 20)
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    room = local.room(game)
    while room.seq < 20:
        mover = people[room.movers[-1]] if room.movers else ann
        if room.movers and room.may_undo(room.movers[-1]):
            mover.act(game, "undo")
        else:
            local.play(game, people, "drawing", most=1)
    assert not any(room.may_undo(seat) or room.may_take_back(seat) for seat in (0, 1))
    for person in (ann, ben):
        assert person.cannot(game, "undo") == (409, "too_long")
        assert person.cannot(game, "take-back") == (409, "too_long")
        assert person.cannot(game, "redo") == (409, "too_long")
    local.play(game, people)
    assert room.now.status == "over"


def left_to_a_slow_computer(local: LocalTable, person: Person) -> Room:
    """A game in which a person has made a move that can be undone, and the computer takes its time."""
    game = person.create(first="other")["game"]
    room = local.room(game)
    while not room.movers or room.movers[-1] != 0 or not room.may_undo(0):
        local.thinkers.slow = False
        local.settle()
        local.thinkers.slow = True
        person.act(game, "moves", token=str(room.game.legal_moves[-1]))
    return room


def test_computer_moves_however_closely_an_undo_and_another_move_follow(local: LocalTable) -> None:
    """A move that comes just when the computer has given up an older position still gets an answer."""
    ann = local.person()
    room = left_to_a_slow_computer(local, ann)
    game = room.id
    token = str(room.game.moves[-1])
    ann.act(game, "undo")

    async def move_at_once() -> None:
        """In the turn of the loop in which the older thinking ends."""
        older = local.table._thinking[room.id]
        local.thinkers.slow = False
        while not older.done():
            await asyncio.sleep(0)
        await local.table.rooms.append(room, room.try_move(parsed(token)))

    ply = room.now.ply
    local.runner.run(move_at_once())
    local.settle()
    assert room.now.ply > ply + 1


def test_hint_is_about_the_position_that_was_asked_for(local: LocalTable) -> None:
    """Also when a move follows so closely that the other seat is to move before the advice is made."""
    game = local.person().create("screen")["game"]
    dice = Random(4)
    room = local.room(game)
    for _ in range(12):
        seat, seq, legal = room.now.turn, room.seq, room.game.legal_moves
        token = str(TASTES["drawing"](room.game, dice))
        watcher = Watcher((seat,))

        async def ask_and_move(watcher: Watcher = watcher, seq: int = seq, token: str = token) -> messages.Hint:
            asked = asyncio.ensure_future(
                local.table.help.hint(Visitor(room, game, "own", watcher.seats, watcher), seq)
            )
            await asyncio.sleep(0)
            await local.table.rooms.append(room, room.try_move(parsed(token)))
            return await asked

        hint = local.runner.run(ask_and_move())
        assert room.seq == seq + 1
        assert hint.seq == seq
        assert all(one.token in legal for one in hint.advice)


def test_computers_illegal_move_is_not_written_down(local: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = local.person()

    async def choose(opponent: Opponent, seed: int, view: View, clock: Clock | None) -> str:
        return "E"

    with monkeypatch.context() as patch:
        patch.setattr(local.thinkers, "choose", choose)
        game = ann.create(first="me")["game"]
        assert shown(ann, game).seq == 0
        assert any(line.get("what") == "ThinkingError" for line in local.lines)
    shown(ann, game)
    assert shown(ann, game).seq > 0


def test_computers_move_for_a_position_that_was_left_is_not_made(local: LocalTable) -> None:
    ann = local.person()
    room = left_to_a_slow_computer(local, ann)
    game = room.id
    assert room.computer_to_move
    assert shown(ann, game).thinking
    ply = room.now.ply
    ann.act(game, "undo")
    local.thinkers.slow = False
    local.settle()
    assert room.now.ply == ply - 1
    assert room.now.turn == 0


def friend_game_with_moves(local: LocalTable) -> tuple[str, Room, Person, Person]:
    """Both have moved; the person whose latest decision is older comes first."""
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=12)
    room = local.room(game)
    return game, room, *((ann, ben) if room.movers[-1] == 1 else (ben, ann))


def test_take_back_by_consent(local: LocalTable) -> None:
    game, room, ann, ben = friend_game_with_moves(local)
    asker = shown(ann, game).you[0]
    ply = room.last_decision(asker)
    ann.act(game, "take-back")
    assert shown(ben, game).take_back_asked_by == asker
    assert ann.cannot(game, "take-back/answer", agree=True) == (409, "not_asked")
    assert ben.cannot(game, "take-back") == (409, "asked_already")
    assert not shown(ben, game).may_take_back
    ben.act(game, "take-back/answer", agree=True)
    assert room.now.ply == ply
    assert room.now.turn == asker
    assert room.now.asked_by is None
    assert shown(ann, game).taken_back
    assert ben.cannot(game, "take-back/answer", agree=True) == (409, "not_asked")


def test_take_back_declined(local: LocalTable) -> None:
    game, room, ann, ben = friend_game_with_moves(local)
    before = room.now
    ann.act(game, "take-back")
    ben.act(game, "take-back/answer", agree=False)
    assert (room.now.state, room.now.asked_by, room.now.taken_back) == (before.state, None, False)
    ann.act(game, "take-back")


def test_a_move_withdraws_the_question(local: LocalTable) -> None:
    game, room, ann, ben = friend_game_with_moves(local)
    ann.act(game, "take-back")
    people = {shown(one, game).you[0]: one for one in (ann, ben)}
    local.play(game, people, most=1)
    assert room.now.asked_by is None
    assert ben.cannot(game, "take-back/answer", agree=True) == (409, "not_asked")


def test_one_screen_has_a_curtain_before_private_plates(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    room = local.room(game)
    curtains = 0
    while room.now.status == "playing":
        seen = shown(ann, game)
        seat = room.now.turn
        assert seen.you == [0, 1]
        assert seen.position == position_of(room.now.view(SPECTATOR))
        private = room.now.stage in (Stage.KEEPING, Stage.RETURNING)
        assert seen.curtain == private
        assert (seen.options is None) == private
        if private:
            curtains += 1
            own = shown(ann, game, f"?seat={seat}")
            assert not own.curtain
            assert own.options is not None
            assert own.options.layings or own.options.returns
            assert any(place.plate for place in own.position.hand)
            other = shown(ann, game, f"?seat={1 - seat}")
            assert other.options is None
        local.play(game, {0: ann, 1: ann}, most=1)
    assert curtains > 3


def test_holder_of_both_seats_of_a_friends_game_sees_what_is_public(local: LocalTable) -> None:
    ann = local.person()
    made = ann.create("friend")
    game = made["game"]
    ann.post(f"/games/{game}/enter", {"secret": made["links"]["friend"], "name": "Ann too"})
    seen = shown(ann, game)
    assert seen.you == [0, 1]
    assert shown(ann, game, "?seat=1").you == [0, 1]
