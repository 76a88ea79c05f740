"""How games end before their time, and the next one."""

from __future__ import annotations

from sintra.records.record import Record
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
