"""How games end before their time, and the next one."""

from __future__ import annotations

from sintra.records.record import Record
from sintra.table.base.opponents import OPPONENTS, next_to
from table.local_table import LocalTable, Person, friends, shown


def test_resigning(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=12)
    ben.act(game, "resign")
    seen = shown(ann, game)
    assert seen.status == "over"
    assert seen.result is not None
    assert (seen.result.reason, seen.result.winner, seen.result.scores) == (
        "resigned",
        0,
        [board.score for board in seen.position.boards],
    )
    record = Record.from_dict(ann.get(f"/games/{game}/record"))
    assert record.players == ("Ann", "Ben")
    record.check()


def test_a_resignation_that_crosses_the_others_move_is_not_stale(local: LocalTable) -> None:
    """Giving up does not depend on the position."""
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=6)
    room = local.room(game)
    seen = room.seq
    body = {"id": Person.new_id(), "seq": seen}
    while room.now.turn == 0:
        local.play(game, {0: ann, 1: ben}, most=1)
    local.play(game, {0: ann, 1: ben}, most=1)
    assert room.seq > seen
    answer = ann.post(f"/games/{game}/resign", body)
    assert answer == {"seq": room.seq}
    assert (room.now.resigned, room.now.status) == (0, "over")
    assert ann.post(f"/games/{game}/resign", body) == answer, "it is repeated"
    assert room.seq == answer["seq"]
    assert ben.cannot(game, "resign", seq=seen) == (409, "over")


def test_an_event_that_has_not_happened_is_stale_for_every_act(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=6)
    room = local.room(game)
    for what in ("resign", "claim", "cancel", "undo"):
        assert ann.cannot(game, what, seq=room.seq + 1) == (409, "stale")


def test_on_one_screen_a_late_resignation_names_its_seat(local: LocalTable) -> None:
    """Without one it is for the seat to move, which depends on the position."""
    ann = local.person()
    game = ann.create("screen")["game"]
    room = local.room(game)
    local.play(game, {0: ann, 1: ann}, most=4)
    assert ann.cannot(game, "resign", seq=1) == (409, "stale")
    ann.act(game, "resign", seat=1, seq=1)
    assert room.now.resigned == 1


def test_an_invitation_that_is_withdrawn_too_late_is_told_why(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    made = ann.create("friend")
    game = made["game"]
    seen = local.room(game).seq
    ben.post(f"/games/{game}/enter", {"secret": made["links"]["friend"], "name": "Ben"})
    assert local.room(game).seq > seen
    assert ann.cannot(game, "cancel", seq=seen) == (409, "begun")


def test_resigning_on_one_screen(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    ann.act(game, "resign", seat=1)
    assert local.room(game).now.resigned == 1


def test_rematch_has_the_other_starter_and_both_get_the_same(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local, goals=["rows", "edge", "wilds"])
    started = local.room(game).game.first
    assert ann.cannot(game, "rematch") == (409, "not_over")
    ann.act(game, "resign")
    seq = local.room(game).seq
    body = {"id": Person.new_id(), "seq": seq}
    first = ben.post(f"/games/{game}/rematch", body)
    second = ann.post(f"/games/{game}/rematch", body | {"id": Person.new_id()})
    third = ann.post(f"/games/{game}/rematch", body)
    assert first["game"] == second["game"] == third["game"]
    assert len({first["links"]["own"], second["links"]["own"], third["links"]["own"]}) == 3
    assert "friend" not in first["links"]
    following = first["game"]
    assert shown(ben, following).you == [1]
    assert shown(ann, following).you == [0]
    seen = shown(ann, following)
    assert seen.status == "playing"
    assert [player.name for player in seen.players] == ["Ann", "Ben"]
    assert seen.position.first == 1 - started
    assert seen.rules.goals == ["rows", "edge", "wilds"]
    assert shown(ann, game).rematch == following


def test_a_rematch_has_spectators_links_and_those_of_the_old_game_can_follow(local: LocalTable) -> None:
    game, ann, ben, links = friends(local)
    eve, dan = local.person(), local.person()
    eve.post(f"/games/{game}/enter", {"secret": links["watch"]})
    ann.act(game, "resign")
    assert eve.cannot(game, "rematch") == (403, "spectator")
    made = ben.post(f"/games/{game}/rematch", {"id": Person.new_id(), "seq": local.room(game).seq})
    seq = local.room(game).seq
    followed = eve.post(f"/games/{game}/rematch", {"id": Person.new_id(), "seq": seq})
    assert followed["game"] == made["game"]
    assert set(followed["links"]) == {"watch"}
    assert local.room(game).seq == seq
    assert shown(eve, made["game"]).you == []
    assert eve.cannot(made["game"], "resign") == (403, "spectator")
    assert dan.post(f"/games/{made['game']}/enter", {"secret": made["links"]["watch"]})["you"] == []


def test_rematch_against_the_computer(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create(opponent="level:n=2")["game"]
    ann.act(game, "resign")
    made = ann.post(f"/games/{game}/rematch", {"id": Person.new_id(), "seq": local.room(game).seq})
    assert shown(ann, made["game"]).players[1].opponent == "level:n=2"
    assert local.room(made["game"]).game.first != local.room(game).game.first


def test_after_a_game_against_the_computer_the_next_one_is_offered(local: LocalTable) -> None:
    ann, eve = local.person(), local.person()
    for number, offered in ((2, "level:n=1"), (1, None)):
        made = ann.create(opponent=f"level:n={number}", goals=["rows", "edge", "wilds"])
        ann.act(made["game"], "resign")
        result = shown(ann, made["game"]).result
        assert result is not None
        assert (result.next_opponent and result.next_opponent.player) == offered
        eve.post(f"/games/{made['game']}/enter", {"secret": made["links"]["watch"]})
        seen = shown(eve, made["game"]).result
        assert seen is not None
        assert seen.next_opponent is None
    assert next_to("level:n=2", stronger=True) == OPPONENTS["level:n=3"]
    assert next_to(list(OPPONENTS)[-1], stronger=True) is None


def test_a_rematch_may_be_with_another_computer(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create(opponent="level:n=2", goals=["rows", "edge", "wilds"])["game"]
    ann.act(game, "resign")

    def follow(**more: str) -> str:
        body = {"id": Person.new_id(), "seq": local.room(game).seq} | more
        following: str = ann.post(f"/games/{game}/rematch", body)["game"]
        return following

    gentler = follow(opponent="level:n=1")
    seen = shown(ann, gentler)
    assert seen.players[1].opponent == "level:n=1"
    assert seen.players[1].name == OPPONENTS["level:n=1"].name
    assert seen.rules.goals == ["rows", "edge", "wilds"]
    assert local.room(gentler).game.first != local.room(game).game.first
    assert follow(opponent="level:n=1") == gentler, "it is asked for again"
    same = follow()
    assert shown(ann, same).players[1].opponent == "level:n=2"
    assert follow() == same
