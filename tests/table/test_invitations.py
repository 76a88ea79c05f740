"""Invitations: one opens one seat for one person, and nobody looks over their shoulder."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sintra.rules.state import Stage
from sintra.table.games.storage import ARRIVED, FRIEND, INVITATION, LAPSED, LATE
from table.local_table import LocalTable, Person, shown

LOOKS = ("", "/brief", "/record", "/replay/0")


class Invited:
    """A table that Ann has set for a friend."""

    def __init__(self, local: LocalTable, **more: Any) -> None:
        self.local = local
        self.ann = local.person()
        made = self.ann.create("friend", **more)
        self.game: str = made["game"]
        self.links: dict[str, str] = made["links"]

    def come(self, name: str, link: str = "", person: Person | None = None) -> Person:
        """Somebody comes by an invitation and does not look at the table yet."""
        person = person or self.local.person()
        body = {"secret": link or self.links["friend"], "name": name}
        assert person.post(f"/games/{self.game}/enter", body)["you"] == [1]
        return person

    def refused(self, person: Person, link: str = "") -> tuple[int, str]:
        body = {"secret": link or self.links["friend"], "name": "Late"}
        return person.refused("POST", f"/games/{self.game}/enter", body)

    def names(self) -> list[str]:
        return [player.name for player in shown(self.ann, self.game).players]

    def roles(self) -> list[str]:
        storage = self.local.table.storage
        rows = storage._db.execute("SELECT role FROM secrets WHERE game = ?", (self.game,))  # type: ignore[attr-defined]
        return sorted(row[0] for row in rows if row[0] not in ("own", "watch"))


def test_whoever_sent_the_invitation_cannot_look_over_the_friends_shoulder(local: LocalTable) -> None:
    """The sender comes first and waits; what the friend has in hand is the friend's alone."""
    table = Invited(local)
    spy = table.come("Spy")
    ben = table.come("Ben")
    late_spy = table.come("Spy again")
    assert shown(ben, table.game).you == [1]
    while (local.room(table.game).now.stage, local.room(table.game).now.turn) != (Stage.KEEPING, 1):
        local.play(table.game, {0: table.ann, 1: ben}, most=1)
    assert shown(ben, table.game).position.hand
    for look in LOOKS:
        for one in (spy, late_spy):
            assert one.refused("GET", f"/games/{table.game}{look}") == (410, "seat_taken")
    assert spy.cannot(table.game, "resign") == (410, "seat_taken")
    assert spy.refused("POST", f"/games/{table.game}/links", {}) == (410, "seat_taken")
    assert spy.refused("GET", f"/games/{table.game}/events") == (410, "seat_taken")
    assert table.refused(spy) == table.refused(local.person()) == (410, "link_used")
    assert table.roles() == [FRIEND, LAPSED, LATE, LATE]


@pytest.mark.parametrize("look", LOOKS)
def test_a_friend_who_comes_too_late_is_told_so(local: LocalTable, look: str) -> None:
    """Whatever the first one looks at, it is their seat then."""
    table = Invited(local)
    ben = table.come("Ben")
    eve = table.come("Eve")
    eve.get(f"/games/{table.game}{look}")
    assert ben.refused("GET", f"/games/{table.game}") == (410, "seat_taken")
    assert table.refused(ben) == (410, "link_used")
    assert shown(eve, table.game).you == [1]
    assert table.names() == ["Ann", "Eve"]


def test_an_act_is_a_first_look_too(local: LocalTable) -> None:
    table = Invited(local)
    spy, ben = table.come("Spy"), table.come("Ben")
    ben.post(f"/games/{table.game}/links", {})
    assert spy.refused("GET", f"/games/{table.game}") == (410, "seat_taken")


def test_the_secret_of_a_place_that_was_closed_is_no_link_either(local: LocalTable) -> None:
    table = Invited(local)
    enter = f"/games/{table.game}/enter"
    first = local.person().post(enter, {"secret": table.links["friend"], "name": "Spy"})["secret"]
    shown(table.come("Ben"), table.game)
    assert local.person().refused("POST", enter, {"secret": first}) == (410, "seat_taken")


def test_every_invitation_closes_whichever_was_used(local: LocalTable) -> None:
    table = Invited(local)
    other = table.ann.post(f"/games/{table.game}/links", {})["friend"]
    spy = table.come("Spy", other)
    shown(table.come("Ben"), table.game)
    assert spy.refused("GET", f"/games/{table.game}") == (410, "seat_taken")
    assert table.refused(local.person(), other) == table.refused(local.person()) == (410, "link_used")
    assert set(table.ann.post(f"/games/{table.game}/links", {})) == {"own", "watch"}


def test_an_answer_that_is_lost_locks_nobody_out(local: LocalTable) -> None:
    """A browser comes again, before or after a restart: the cookie that it holds is the last."""
    table = Invited(local)
    ben = table.come("Ben")
    table.come("Ben", person=ben)
    table.come("Ben", person=ben)
    seq = local.room(table.game).seq
    assert shown(ben, table.game).you == [1]
    assert local.room(table.game).seq == seq, "the name is the same: there is nothing to tell"
    assert shown(ben, table.game).you == [1]
    assert table.roles() == [FRIEND, LAPSED, LATE, LATE]


def test_all_devices_of_the_friend_work(local: LocalTable) -> None:
    table = Invited(local)
    table.come("Spy")
    ben = table.come("Ben")
    for _ in range(2):
        own = ben.post(f"/games/{table.game}/links", {})["own"]
        ben = local.person()
        assert ben.post(f"/games/{table.game}/enter", {"secret": own})["you"] == [1]
        assert shown(ben, table.game).you == [1]
    assert table.roles().count(FRIEND) == 3


def test_the_one_who_sits_has_the_name_they_said(local: LocalTable) -> None:
    """The log tells of both who came; the last is the one who sits there."""
    table = Invited(local)
    table.come("Nobody")
    assert table.names() == ["Ann", "Nobody"]
    body = {"secret": table.links["friend"]}
    ben = local.person()
    answer = ben.post(f"/games/{table.game}/enter", body)
    assert answer["needs_name"], "nobody sits there yet"
    table.come("ann", person=ben)
    assert table.names() == ["Ann", "Nobody"]
    log = shown(ben, table.game).log
    assert isinstance(log, list)
    told = [event.telling.args for event in log if event.kind == "joined"]
    assert told == [{"name": "Nobody"}, {"name": "ann 2"}]
    assert table.names() == ["Ann", "ann 2"]
    assert ben.get(f"/games/{table.game}/record")["players"] == ["Ann", "ann 2"]


def test_who_leaves_without_a_look_has_not_sat_down(local: LocalTable) -> None:
    table = Invited(local)
    eve = table.come("Eve")
    eve.post(f"/games/{table.game}/leave", {})
    assert eve.refused("GET", f"/games/{table.game}") == (404, "no_game")
    ben = table.come("Ben")
    spy = table.come("Spy")
    assert shown(ben, table.game).you == [1]
    spy.post(f"/games/{table.game}/leave", {})
    assert spy.refused("GET", f"/games/{table.game}") == (404, "no_game")
    assert spy.refused("POST", f"/games/{table.game}/leave", {}) == (404, "no_game")


def test_a_closed_place_takes_no_other_from_its_holder(local: LocalTable) -> None:
    """Ann tried her own link and never looked: her own seat is hers, the friend's is the friend's."""
    table = Invited(local)
    ben = table.come("Ben")
    shown(ben, table.game)
    eve = local.person()
    eve.post(f"/games/{table.game}/enter", {"secret": table.links["watch"]})
    eve.http.cookies.set("sintra-friend", "x" * 43, path=f"/api/games/{table.game}")
    assert shown(eve, table.game).you == []
    later = Invited(local)
    spy = later.come("Spy")
    shown(later.come("Ben"), later.game)
    spy.post(f"/games/{later.game}/enter", {"secret": later.links["watch"]})
    assert shown(spy, later.game).you == []


def test_a_restart_between_changes_nothing(tmp_path: Path) -> None:
    """Who came is in the storage; the room in memory knows nothing of it."""
    path = tmp_path / "table.sqlite"
    cookies: list[tuple[str, Any]] = []
    with LocalTable(path) as before:
        table = Invited(before)
        for name in ("Spy", "Ben"):
            cookies.append((name, dict(table.come(name).http.cookies)))
        game, links = table.game, table.links

    def again(local: LocalTable, k: int) -> Person:
        person = local.person()
        for name, value in cookies[k][1].items():
            person.http.cookies.set(name, value, path=f"/api/games/{game}")
        return person

    with LocalTable(path) as after:
        spy, ben = again(after, 0), again(after, 1)
        assert shown(ben, game).players[1].name == "Ben"
        assert spy.refused("GET", f"/games/{game}") == (410, "seat_taken")
    with LocalTable(path) as last:
        assert again(last, 0).refused("GET", f"/games/{game}") == (410, "seat_taken")
        body = {"secret": links["friend"], "name": "Spy"}
        assert last.person().refused("POST", f"/games/{game}/enter", body) == (410, "link_used")
        assert shown(again(last, 1), game).you == [1]


def test_two_services_on_one_file_seat_one_person(tmp_path: Path) -> None:
    """What a room in memory believes is not asked: the storage decides, for both."""
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as here, LocalTable(path) as there:
        table = Invited(here)
        elsewhere = Invited.__new__(Invited)
        elsewhere.local, elsewhere.game, elsewhere.links = there, table.game, table.links
        elsewhere.ann = there.person()
        elsewhere.ann.post(f"/games/{table.game}/enter", {"secret": table.links["own"]})
        assert shown(elsewhere.ann, table.game).status == "waiting"
        ben = table.come("Ben")
        spy = elsewhere.come("Spy")
        assert spy.http.cookies.get("sintra-friend")
        assert shown(ben, table.game).you == [1]
        assert spy.refused("GET", f"/games/{table.game}") == (410, "seat_taken")
        assert elsewhere.refused(there.person()) == (410, "link_used")
        assert here.log(table.game) == there.log(table.game)


def test_a_service_that_has_missed_the_friend_makes_no_invitation(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as here, LocalTable(path) as there:
        table = Invited(here)
        maker = there.person()
        maker.post(f"/games/{table.game}/enter", {"secret": table.links["own"]})
        assert set(maker.post(f"/games/{table.game}/links", {})) == {"own", "watch", "friend"}
        shown(table.come("Ben"), table.game)
        assert there.room(table.game).now.status == "waiting"
        assert set(maker.post(f"/games/{table.game}/links", {})) == {"own", "watch"}


def test_a_seat_is_taken_whole_or_not_at_all(local: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure in the middle of sitting down leaves everybody where they were."""
    table = Invited(local)
    table.come("Spy")
    ben = table.come("Ben")
    before = table.roles()
    storage: Any = local.table.storage

    def fail(*_: Any) -> None:
        raise sqlite3.OperationalError("disk full")

    monkeypatch.setattr(storage, "_insert", fail)
    assert ben.refused("GET", f"/games/{table.game}") == (503, "failed")
    assert table.roles() == before == [ARRIVED, ARRIVED, INVITATION]
    monkeypatch.undo()
    assert shown(ben, table.game).players[1].name == "Ben"
    assert table.roles() == [FRIEND, LAPSED, LATE]


def test_sitting_down_waits_for_a_log_that_has_gone_on(tmp_path: Path) -> None:
    """Another process has written an event meanwhile: the name goes behind it."""
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as here, LocalTable(path) as there:
        table = Invited(here, first="me")
        table.come("Spy")
        ben = table.come("Ben")
        maker = there.person()
        maker.post(f"/games/{table.game}/enter", {"secret": table.links["own"]})
        maker.act(table.game, "resign")
        assert shown(ben, table.game).players[1].name == "Ben"
        assert [frame.event.__struct_config__.tag for frame in here.room(table.game).frames] == [
            "created",
            "joined",
            "resigned",
            "joined",
        ]
