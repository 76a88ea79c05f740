"""Every endpoint and every refusal: what is refused says why and changes nothing."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sintra.records.record import Record
from sintra.table.http.network import Network
from sintra.table.http.pages import Pages
from sintra.table.http.security import Hosts, Rate, Rates
from sintra.table.shown import messages
from table.sitting import Person, Sitting, friends, shown


def any_token(sitting: Sitting, game: str) -> str:
    return str(sitting.room(game).game.legal_moves[0])


def test_health_and_about(sitting: Sitting) -> None:
    ann = sitting.person()
    assert ann.get("/health")["status"] == "ok"
    about = msgspec.convert(ann.get("/about"), messages.About)
    assert [level.level for level in about.levels] == list(range(1, 12))
    assert all(weaker.elo < stronger.elo for weaker, stronger in pairwise(about.levels))
    assert len(about.goals) == 8
    assert not about.network.open


def test_game_against_the_computer_to_its_end(sitting: Sitting) -> None:
    ann = sitting.person()
    game = ann.create(level=5, goal_count=4)["game"]
    first = shown(ann, game)
    assert first.you == [0]
    assert first.players[1] == messages.PlayerShown("Tiler", "computer", 5, True, True)
    assert len(first.rules.goals) == 4
    sitting.play(game, {0: ann})
    last = shown(ann, game)
    assert last.status == "over"
    assert last.options is None
    assert last.result is not None
    assert last.result.reason == "points"
    assert last.log is not None
    assert [event.seq for event in last.log] == list(range(last.seq + 1))
    assert {event.summary.round for event in last.log if event.summary} == {1, 2, 3, 4, 5}
    assert ann.cannot(game, "moves", token="E") == (409, "over")
    assert ann.cannot(game, "resign") == (409, "over")
    assert ann.cannot(game, "undo") == (409, "over")
    assert ann.cannot(game, "take-back") == (409, "over")


@pytest.mark.parametrize("first", ["me", "other"])
def test_start_player_is_as_asked(sitting: Sitting, first: str) -> None:
    ann = sitting.person()
    for _ in range(4):
        game = ann.create("screen", first=first)["game"]
        assert shown(ann, game).position.first == ["me", "other"].index(first)


def test_both_start_when_it_is_drawn(sitting: Sitting) -> None:
    ann = sitting.person()
    assert {shown(ann, ann.create("screen")["game"]).position.first for _ in range(30)} == {0, 1}


def test_chosen_rules(sitting: Sitting) -> None:
    ann = sitting.person()
    goals = ["rows", "edge", "wilds"]
    game = ann.create("screen", goals=goals, draw_at_zero="free", special_is_color=False)["game"]
    assert shown(ann, game).rules == messages.RulesShown(goals, "free", False)
    body = {"mode": "screen", "names": ["Ann", "Ben"]}
    assert ann.refused("POST", "/games", body | {"goals": ["rows", "colors", "edge"]}) == (422, "bad_rules")
    assert ann.refused("POST", "/games", body | {"goals": ["rows"]}) == (422, "bad_rules")
    assert ann.refused("POST", "/games", body | {"names": ["Ann"]}) == (422, "names_needed")
    assert ann.refused("POST", "/games", body | {"names": ["Ann", "\u202e \u200b"]}) == (422, "bad_name")


def test_friend_by_link(sitting: Sitting) -> None:
    ann, ben = sitting.person(), sitting.person()
    made = ann.create("friend")
    game, links = made["game"], made["links"]
    assert set(links) == {"own", "friend", "watch"}
    assert shown(ann, game).status == "waiting"
    assert shown(ann, game).options is None
    assert ann.cannot(game, "moves", token="D") == (409, "waiting")
    enter = f"/games/{game}/enter"
    assert ben.refused("GET", f"/games/{game}") == (404, "no_game")
    assert ben.refused("POST", enter, {"secret": "x" * 43, "name": "Ben"}) == (404, "no_game")
    assert ben.post(enter, {"secret": links["friend"]}) == {"game": game, "you": [1], "needs_name": True}
    assert shown(ann, game).status == "waiting"
    entered = ben.post(enter, {"secret": links["friend"], "name": "  Ben  "})
    assert entered["you"] == [1]
    assert entered["secret"] not in links.values()
    assert shown(ann, game).players[1].name == "Ben"
    assert shown(ann, game).status == "playing"
    seq = sitting.room(game).seq
    again = ben.post(enter, {"secret": links["friend"], "name": "Somebody else"})
    assert again["secret"] != entered["secret"], "an answer that was lost locks nobody out"
    assert sitting.room(game).seq == seq
    assert shown(ann, game).players[1].name == "Ben"
    assert shown(ben, game).you == [1]
    assert ann.refused("POST", enter, {"secret": links["friend"], "name": "Ann"}) == (410, "link_used")
    elsewhere = sitting.person()
    assert elsewhere.refused("POST", enter, {"secret": links["friend"], "name": "Ben"}) == (410, "link_used")
    assert elsewhere.refused("GET", f"/games/{game}") == (404, "no_game")
    assert elsewhere.post(enter, {"secret": again["secret"]})["you"] == [1]
    assert shown(elsewhere, game).you == [1]


def test_everyone_with_a_seat_gets_links_for_it_and_for_spectators(sitting: Sitting) -> None:
    game, ann, ben, old = friends(sitting)
    enter = f"/games/{game}/enter"
    for person, seat in ((ann, 0), (ben, 1)):
        links = person.post(f"/games/{game}/links", {})
        assert set(links) == {"own", "watch"}, "the friend has come: nobody else can be invited"
        assert not set(links.values()) & set(old.values())
        for secret, seats in ((links["own"], [seat]), (links["watch"], [])):
            elsewhere = sitting.person()
            assert elsewhere.post(enter, {"secret": secret})["you"] == seats
            assert shown(elsewhere, game).you == seats


def test_a_waiting_table_can_be_invited_to_from_any_device_of_its_maker(sitting: Sitting) -> None:
    ann, elsewhere, ben, late = (sitting.person() for _ in range(4))
    made = ann.create("friend")
    enter = f"/games/{made['game']}/enter"
    elsewhere.post(enter, {"secret": made["links"]["own"]})
    links = elsewhere.post(f"/games/{made['game']}/links", {})
    assert ben.post(enter, {"secret": links["friend"], "name": "Ben"})["you"] == [1]
    assert shown(ben, made["game"]).status == "playing"
    assert late.refused("POST", enter, {"secret": made["links"]["friend"], "name": "Eve"}) == (410, "link_used")


def test_two_players_never_have_the_same_name(sitting: Sitting) -> None:
    ann, ben = sitting.person(), sitting.person()
    made = ann.create("friend", names=["Player"])
    ben.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"], "name": "player"})
    assert [player.name for player in shown(ann, made["game"]).players] == ["Player", "player 2"]
    long = "a" * 24
    game = ann.create("screen", names=[long, long])["game"]
    assert [player.name for player in shown(ann, game).players] == [long, "a" * 22 + " 2"]


def test_a_refused_name_can_be_said_again(sitting: Sitting) -> None:
    ann, ben = sitting.person(), sitting.person()
    made = ann.create("friend")
    enter = f"/games/{made['game']}/enter"
    for name in ("<b>", "\u200b", " "):
        assert ben.refused("POST", enter, {"secret": made["links"]["friend"], "name": name}) == (422, "bad_name")
    assert ben.post(enter, {"secret": made["links"]["friend"], "name": "Ben"})["you"] == [1]


def test_a_waiting_table_can_be_given_up(sitting: Sitting) -> None:
    ann, ben, eve = sitting.person(), sitting.person(), sitting.person()
    made = ann.create("friend")
    game, links = made["game"], made["links"]
    enter = f"/games/{game}/enter"
    eve.post(enter, {"secret": links["watch"]})
    assert eve.cannot(game, "cancel") == (403, "spectator")
    ann.act(game, "cancel")
    assert ben.refused("POST", enter, {"secret": links["friend"], "name": "Ben"}) == (410, "cancelled")
    assert shown(ann, game).status == shown(eve, game).status == "cancelled"
    assert shown(ann, game).result is None
    for what in ("cancel", "resign", "claim"):
        assert ann.cannot(game, what) == (409, "cancelled")
    assert ann.cannot(game, "rematch") == (409, "not_over")
    playing, ann, ben, _ = friends(sitting)
    assert ann.cannot(playing, "cancel") == (409, "begun")
    assert ben.cannot(playing, "cancel") == (409, "begun")


def test_leaving_takes_the_secret_from_the_browser_and_not_the_seat(sitting: Sitting) -> None:
    game, ann, ben, links = friends(sitting)
    assert ben.post(f"/games/{game}/leave", {}) == {"game": game}
    assert ben.refused("GET", f"/games/{game}") == (404, "no_game")
    assert shown(ann, game).status == "playing"
    ben.post(f"/games/{game}/enter", {"secret": links["friend"]})
    assert shown(ben, game).you == [1]


def test_entering_again_by_ones_own_link(sitting: Sitting) -> None:
    ann, elsewhere = sitting.person(), sitting.person()
    made = ann.create()
    assert elsewhere.post(f"/games/{made['game']}/enter", {"secret": made["links"]["own"]})["you"] == [0]
    assert shown(elsewhere, made["game"]).you == [0]


def test_unknown_games_and_games_of_others_look_the_same(sitting: Sitting) -> None:
    ann, eve = sitting.person(), sitting.person()
    game = ann.create()["game"]
    for path in ("", "/brief", "/events", "/record", "/replay/0"):
        there = eve.ask("GET", f"/api/games/{game}{path}")
        nowhere = eve.ask("GET", f"/api/games/{'x' * 12}{path}")
        assert (there.status_code, there.content, there.headers) == (404, nowhere.content, nowhere.headers)
    for what, body in POSTS.items():
        there = eve.ask("POST", f"/api/games/{game}/{what}", json=body)
        nowhere = eve.ask("POST", f"/api/games/{'x' * 12}/{what}", json=body)
        assert (there.status_code, there.content) == (404, nowhere.content)


POSTS: dict[str, dict[str, Any]] = {
    "moves": {"id": "post-abcd", "seq": 0, "token": "D"},
    "undo": {"id": "post-abcd", "seq": 0},
    "take-back": {"id": "post-abcd", "seq": 0},
    "take-back/answer": {"id": "post-abcd", "seq": 0, "agree": True},
    "resign": {"id": "post-abcd", "seq": 0},
    "rematch": {"id": "post-abcd", "seq": 0},
    "claim": {"id": "post-abcd", "seq": 0},
    "cancel": {"id": "post-abcd", "seq": 0},
    "hint": {"seq": 0},
    "links": {},
    "leave": {},
    "enter": {"secret": "a-secret-that-is-none", "name": "Eve"},
}


def test_repeated_stale_reordered_and_foreign_posts(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting)
    room = sitting.room(game)
    mover, other = (ann, ben) if room.now.turn == 0 else (ben, ann)
    body = {"id": "one-and-only", "seq": room.seq, "token": any_token(sitting, game)}
    answer = mover.post(f"/games/{game}/moves", body)
    after = room.now
    for _ in range(3):
        assert mover.post(f"/games/{game}/moves", body) == answer
    assert room.now is after
    stale = body | {"id": "another-one"}
    assert mover.refused("POST", f"/games/{game}/moves", stale) == (409, "stale")
    assert mover.ask("POST", f"/api/games/{game}/moves", json=stale).json()["seq"] == room.seq
    assert mover.refused("POST", f"/games/{game}/moves", stale | {"seq": room.seq + 1}) == (409, "stale")
    assert room.now is after
    mover, other = (ann, ben) if room.now.turn == 0 else (ben, ann)
    assert other.cannot(game, "moves", token=any_token(sitting, game)) == (409, "not_your_turn")
    assert other.cannot(game, "resign", seat=room.now.turn) == (403, "not_your_seat")
    assert other.cannot(game, "undo", seat=room.now.turn) == (403, "not_your_seat")


def test_same_post_id_of_two_people_are_two_posts(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting)
    people = {0: ann, 1: ben}
    room = sitting.room(game)
    seats: list[int] = []
    while len(seats) < 2:
        seat = room.now.turn
        extra = {"id": "the-same-id"} if seat not in seats else {}
        people[seat].act(game, "moves", token=any_token(sitting, game), **extra)
        if extra:
            seats.append(seat)
    assert room.now.ply >= 2


@pytest.mark.parametrize("token", ["X", "", "S9Z9", "<*", "E", "K05@11r0", "T11", "a" * 17, "<99"])
def test_illegal_moves(sitting: Sitting, token: str) -> None:
    ann = sitting.person()
    game = ann.create("screen")["game"]
    status, code = ann.cannot(game, "moves", token=token)
    assert (status, code) == ((400, "malformed") if len(token) in (0, 17) else (422, "illegal"))


@pytest.mark.parametrize("what", POSTS)
def test_malformed_posts(sitting: Sitting, what: str) -> None:
    ann = sitting.person()
    game = ann.create()["game"]
    path = f"/api/games/{game}/{what}"
    good = POSTS[what]
    seq = sitting.room(game).seq
    wrong: list[dict[str, Any]] = [{"more": 1}, {"seq": -1}, {"seq": "0"}, {"id": "!"}]
    bad: list[Any] = [[], None, 5, "text", *([{}] if good else []), *(good | one for one in wrong)]
    texts = [msgspec.json.encode(body) for body in bad]
    for content in (*texts, b"", b"{", b"\xff\xfe", b"[" * 5000):
        answer = ann.ask("POST", path, content=content, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed"), content
    huge = b'{"id": "' + b"a" * 9000 + b'"}'
    answer = ann.ask("POST", path, content=huge, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = ann.ask("POST", path, content=msgspec.json.encode(good), headers={"content-type": kind})
        assert (answer.status_code, answer.json()["code"]) == (415, "not_json")
    for headers in (
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://evil.example"},
    ):
        answer = ann.ask("POST", path, json=good, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "foreign_page")
    assert sitting.room(game).seq == seq


def test_the_tables_own_page_may_post(sitting: Sitting) -> None:
    ann = sitting.person()
    for headers in ({"sec-fetch-site": "same-origin"}, {"origin": "http://localhost"}):
        ann.post("/games", {"mode": "computer", "names": ["Ann"]}, headers=headers)


def test_wrong_methods_and_paths(sitting: Sitting) -> None:
    ann = sitting.person()
    answer = ann.ask("GET", "/api/games")
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "wrong_method", "POST")
    assert ann.refused("DELETE", "/games/abc") == (405, "wrong_method")
    assert ann.refused("GET", "/nothing") == (404, "no_page")


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.2", "", "[::2]"])
def test_other_hosts_are_refused(sitting: Sitting, host: str) -> None:
    assert sitting.person().refused("GET", "/health", headers={"host": host}) == (421, "wrong_host")


def test_hosts_that_are_allowed() -> None:
    with Sitting(hosts=Hosts(["table.example", "fe80::1"])) as sitting:
        ann = sitting.person()
        for host in ("localhost:8765", "LOCALHOST", "127.0.0.1:1", "[::1]:80", "table.example:443", "[fe80::1]:80"):
            assert ann.get("/health", headers={"host": host})["status"] == "ok"


def test_cookies_and_headers(sitting: Sitting) -> None:
    ann = sitting.person()
    answer = ann.ask("POST", "/api/games", json={"mode": "computer", "names": ["Ann"]})
    cookie = answer.headers["set-cookie"]
    game = answer.json()["game"]
    assert f"Path=/api/games/{game};" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    assert answer.headers["cache-control"] == "no-store"
    for path in ("/api/health", "/", "/nothing.js", "/api/nothing", "/api/games"):
        headers = ann.ask("GET", path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


def test_secure_cookie_over_https(sitting: Sitting) -> None:
    ann = sitting.person()
    answer = ann.ask("POST", "https://localhost/api/games", json={"mode": "computer", "names": ["Ann"]})
    assert "Secure" in answer.headers["set-cookie"]


def test_rates() -> None:
    few = Rate(60, 2)
    with Sitting(rates=Rates(few, few, Rate(60, 3), few, Rate(600, 100), few)) as sitting:
        ann, ben = sitting.person(), sitting.person(address="192.0.2.9")
        made = ann.create()
        ann.create()
        answer = ann.ask("POST", "/api/games", json={"mode": "computer", "names": ["Ann"]})
        assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (429, "too_many", "1")
        ben.create()
        enter = f"/games/{made['game']}/enter"
        for _ in range(2):
            assert ben.refused("POST", enter, {"secret": "guessed-by-somebody"}) == (404, "no_game")
        assert ben.refused("POST", enter, {"secret": made["links"]["own"]}) == (429, "too_many")
        for _ in range(3):
            ann.cannot(made["game"], "moves", token="X")
        assert ann.cannot(made["game"], "moves", token="X") == (429, "too_many")


def test_spectators(sitting: Sitting) -> None:
    game, ann, ben, links = friends(sitting)
    eve = sitting.person()
    assert eve.post(f"/games/{game}/enter", {"secret": links["watch"]})["you"] == []
    sitting.play(game, {0: ann, 1: ben}, most=30)
    seen = shown(eve, game)
    assert seen.you == []
    assert seen.options is None
    assert (seen.may_undo, seen.may_take_back, seen.curtain) == (False, False, False)
    for what, body in POSTS.items():
        if what not in ("enter", "leave"):
            answer = eve.ask("POST", f"/api/games/{game}/{what}", json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "spectator")
    assert eve.refused("GET", f"/games/{game}?seat=0") == (403, "not_your_seat")
    assert ann.refused("GET", f"/games/{game}?seat=1") == (403, "not_your_seat")
    assert ann.refused("GET", f"/games/{game}?seat=2") == (400, "malformed")


def test_resigning(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting)
    sitting.play(game, {0: ann, 1: ben}, most=12)
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


def test_resigning_on_one_screen(sitting: Sitting) -> None:
    ann = sitting.person()
    game = ann.create("screen")["game"]
    ann.act(game, "resign", seat=1)
    assert sitting.room(game).now.resigned == 1


def test_rematch_has_the_other_starter_and_both_get_the_same(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting, goals=["rows", "edge", "wilds"])
    started = sitting.room(game).game.first
    assert ann.cannot(game, "rematch") == (409, "not_over")
    ann.act(game, "resign")
    seq = sitting.room(game).seq
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


def test_a_rematch_has_spectators_links_and_those_of_the_old_game_can_follow(sitting: Sitting) -> None:
    game, ann, ben, links = friends(sitting)
    eve, dan = sitting.person(), sitting.person()
    eve.post(f"/games/{game}/enter", {"secret": links["watch"]})
    ann.act(game, "resign")
    assert eve.cannot(game, "rematch") == (403, "spectator")
    made = ben.post(f"/games/{game}/rematch", {"id": Person.new_id(), "seq": sitting.room(game).seq})
    seq = sitting.room(game).seq
    followed = eve.post(f"/games/{game}/rematch", {"id": Person.new_id(), "seq": seq})
    assert followed["game"] == made["game"]
    assert set(followed["links"]) == {"watch"}
    assert sitting.room(game).seq == seq
    assert shown(eve, made["game"]).you == []
    assert eve.cannot(made["game"], "resign") == (403, "spectator")
    assert dan.post(f"/games/{made['game']}/enter", {"secret": made["links"]["watch"]})["you"] == []


def test_rematch_against_the_computer(sitting: Sitting) -> None:
    ann = sitting.person()
    game = ann.create(level=2)["game"]
    ann.act(game, "resign")
    made = ann.post(f"/games/{game}/rematch", {"id": Person.new_id(), "seq": sitting.room(game).seq})
    assert shown(ann, made["game"]).players[1].level == 2
    assert sitting.room(made["game"]).game.first != sitting.room(game).game.first


def test_hints(sitting: Sitting) -> None:
    mover = sitting.person()
    game = mover.create("screen")["game"]
    for _ in range(25):
        room = sitting.room(game)
        asked = sitting.thinkers.asked
        hint = msgspec.convert(mover.post(f"/games/{game}/hint", {"seq": room.seq}), messages.Hint)
        assert mover.post(f"/games/{game}/hint", {"seq": room.seq}) == msgspec.to_builtins(hint)
        assert sitting.thinkers.asked == asked + 1
        assert all(one.token in room.game.legal_moves for one in hint.advice)
        assert all(0 <= one.win <= 1 for one in hint.advice)
        assert mover.refused("POST", f"/games/{game}/hint", {"seq": room.seq + 1}) == (409, "stale")
        mover.act(game, "moves", token=hint.advice[0].token)


def test_a_hint_is_for_the_player_to_move_and_never_against_a_friend(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting)
    for person in (ann, ben):
        assert person.refused("POST", f"/games/{game}/hint", {"seq": sitting.room(game).seq}) == (409, "no_hints")
    assert sitting.thinkers.asked == 0
    game = ann.create(first="other")["game"]
    sitting.thinkers.slow = True
    ann.act(game, "moves", token=any_token(sitting, game))
    assert ann.refused("POST", f"/games/{game}/hint", {"seq": sitting.room(game).seq}) == (409, "not_your_turn")
    sitting.thinkers.slow = False


def test_replay_shows_what_was_known_then(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting)
    people = {0: ann, 1: ben}
    seen: list[messages.GameShown] = [shown(ann, game)]
    for _ in range(30):
        sitting.play(game, people, most=1)
        seen.append(shown(ann, game))
    for ply, then in enumerate(seen):
        again = msgspec.convert(ann.get(f"/games/{game}/replay/{ply}"), messages.GameShown)
        assert again.position == then.position
        assert again.ply == ply
        assert again.options is None
        if ply:
            assert again.event == then.event
    for text in ("31", "-1", "x", "9" * 30, "1e1"):
        assert ann.refused("GET", f"/games/{game}/replay/{text}") == (404, "no_ply")


def test_replay_follows_undos(sitting: Sitting) -> None:
    ann = sitting.person()
    game = ann.create("screen")["game"]
    sitting.play(game, {0: ann, 1: ann}, "uniform", most=8)
    ann.act(game, "take-back")
    assert ann.refused("GET", f"/games/{game}/replay/8") == (404, "no_ply")
    ann.act(game, "moves", token=any_token(sitting, game))
    last = shown(ann, game)
    again = msgspec.convert(ann.get(f"/games/{game}/replay/8"), messages.GameShown)
    assert again.position == last.position


def test_records(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting)
    sitting.play(game, {0: ann, 1: ben}, most=40)
    answer = ann.ask("GET", f"/api/games/{game}/record")
    assert answer.headers["content-disposition"] == f'attachment; filename="sintra-{game}.json"'
    assert Record.from_dict(answer.json()).is_view
    sitting.play(game, {0: ann, 1: ben})
    whole = Record.from_dict(ann.get(f"/games/{game}/record"))
    assert not whole.is_view
    assert whole.check() == sitting.room(game).game


def test_brief(sitting: Sitting) -> None:
    game, ann, ben, _ = friends(sitting)
    sitting.play(game, {0: ann, 1: ben}, most=9)
    brief = msgspec.convert(ben.get(f"/games/{game}/brief"), messages.GameBrief)
    now = sitting.room(game).now
    assert (brief.you, brief.seq, brief.seat, brief.at) == ([1], now.seq, now.turn, now.at)


def test_pictures(sitting: Sitting) -> None:
    ann = sitting.person()
    rows = ann.post("/qr", {"text": "http://192.168.1.5:8765/game/abcdefghijkl#secret"})["rows"]
    assert {len(row) for row in rows} == {len(rows)}
    assert rows[0].startswith("1111111")
    assert ann.refused("POST", "/qr", {"text": ""}) == (400, "malformed")
    assert ann.refused("POST", "/qr", {"text": "a" * 301}) == (400, "malformed")


def test_network_is_changed_from_this_machine_only() -> None:
    network = Network(8765)
    calls = []

    async def listen(to_open: bool) -> tuple[list[str], int]:
        calls.append(to_open)
        return (["192.0.2.5"] if to_open else []), 8765

    network.listen = listen
    with Sitting(network=network) as sitting:
        ann, far = sitting.person(), sitting.person(address="192.0.2.9")
        assert far.refused("POST", "/network", {"open": True}) == (403, "not_here")
        assert ann.refused("GET", "/health", headers={"host": "192.0.2.5:8765"}) == (421, "wrong_host")
        assert ann.post("/network", {"open": True}) == {
            "open": True,
            "addresses": ["http://192.0.2.5:8765"],
            "may_change": True,
        }
        assert far.get("/health", headers={"host": "192.0.2.5:8765"})["status"] == "ok"
        assert not far.get("/about", headers={"host": "192.0.2.5:8765"})["network"]["may_change"]
        assert ann.refused("POST", "/network", {"open": False}, headers={"host": "192.0.2.5:8765"}) == (403, "not_here")
        assert not ann.post("/network", {"open": False})["open"]
        assert ann.refused("GET", "/health", headers={"host": "192.0.2.5:8765"}) == (421, "wrong_host")
        assert calls == [True, False]


def test_network_that_cannot_be_changed(sitting: Sitting) -> None:
    assert sitting.person().refused("POST", "/network", {"open": True}) == (403, "not_here")


def test_games_are_loaded_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with Sitting(path) as sitting:
        game, ann, ben, links = friends(sitting)
        sitting.play(game, {0: ann, 1: ben}, most=25)
        ann.act(game, "take-back")
        before = [ann.get(f"/games/{game}"), ben.get(f"/games/{game}")]
    with Sitting(path) as sitting:
        sitting.table.rooms._most = 2
        ann, ben = sitting.person(), sitting.person()
        for person, role in ((ann, "own"), (ben, "friend")):
            person.post(f"/games/{game}/enter", {"secret": links[role]})
        assert [ann.get(f"/games/{game}"), ben.get(f"/games/{game}")] == before
        for _ in range(5):
            ann.create("screen")
        assert len(sitting.table.rooms._open) == 2
        assert ann.get(f"/games/{game}") == before[0]


def test_stopping_table_says_so(sitting: Sitting) -> None:
    ann = sitting.person()
    sitting.table.hub.stopping = True
    assert ann.refused("GET", "/health") == (503, "stopping")


def test_failures_tell_nothing(sitting: Sitting, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = sitting.person()
    made = ann.create()

    def fail(*arguments: Any, **more: Any) -> None:
        raise RuntimeError(f"with a secret: {made['links']['own']}")

    monkeypatch.setattr("sintra.table.service.whole_game", fail)
    answer = ann.ask("GET", f"/api/games/{made['game']}")
    assert (answer.status_code, answer.json()["code"]) == (500, "failed")
    assert "secret" not in answer.text
    errors = [line for line in sitting.lines if line.get("level") == "error"]
    assert errors[0]["what"] == "RuntimeError"
    assert made["links"]["own"] not in str(sitting.lines)


def test_log_has_no_secrets_tokens_or_seeds(sitting: Sitting) -> None:
    game, ann, ben, links = friends(sitting)
    sitting.play(game, {0: ann, 1: ben}, most=40)
    text = str(sitting.lines)
    room = sitting.room(game)
    for secret in (*links.values(), str(room.created.seed), str(room.created.computer_seed), game):
        assert secret not in text
    assert {"time", "method", "route", "status", "ms"} == set(sitting.lines[0])
    assert "/api/games/{game}/moves" in text


def test_secrets_are_stored_as_hashes_only(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with Sitting(path) as sitting:
        *_, links = friends(sitting)
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for secret in links.values():
        assert secret.encode() not in data


def test_page_files(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>" + "page " * 200)
    (tmp_path / "assets" / "app-1a2b.js").write_text("let a = 1;\n" * 200)
    (tmp_path / "assets" / "app-1a2b.js.br").write_bytes(b"brotli")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path.parent / "secret.txt").write_text("secret")
    with Sitting(pages=Pages(tmp_path)) as sitting:
        ann = sitting.person()
        for path in ("/", "/game/abcdefghijkl", "/rules", "/index.html"):
            answer = ann.ask("GET", path)
            assert answer.text.startswith("<!doctype html>page")
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["content-encoding"] == "gzip"
        tag = answer.headers["etag"]
        assert ann.ask("GET", "/", headers={"if-none-match": tag}).status_code == 304
        script = ann.ask("GET", "/assets/app-1a2b.js", headers={"accept-encoding": "gzip"})
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.text.startswith("let a")
        plain = ann.ask("GET", "/assets/app-1a2b.js", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert ann.ask("GET", "/icon.svg").headers["content-type"].startswith("image/svg+xml")
        for path in (
            "/assets/none.js",
            "/none.png",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/app-1a2b.js.br",
            "/a%00b.js",
        ):
            assert ann.ask("GET", path).status_code == 404, path


def test_missing_page_says_how_to_build_it(tmp_path: Path) -> None:
    with Sitting(pages=Pages(tmp_path)) as sitting:
        assert "is not built" in sitting.person().ask("GET", "/").text


def test_moves_say_with_which_ply_the_turn_began(sitting: Sitting) -> None:
    ann = sitting.person()
    game = ann.create("screen")["game"]
    sitting.play(game, {0: ann, 1: ann}, most=150)
    moves = [event for event in ann.get(f"/games/{game}")["log"] if event["kind"] == "move"]
    turns = [[one for one in moves if one["turn"] == ply] for ply in sorted({one["turn"] for one in moves})]
    assert [one for turn in turns for one in turn] == moves
    sorts = set()
    for turn in turns:
        assert turn[0]["ply"] == turn[0]["turn"]
        assert len({one["seat"] for one in turn}) == 1
        keys = [one["telling"]["key"].removeprefix("log.").split("_")[0] for one in turn]
        sorts.add(keys[0])
        if keys[0] == "draw":
            assert set(keys) - {"return"} == {"draw", "look", "keep"}
        elif keys[0] in ("place", "pay", "end"):
            assert set(keys) <= {"place", "pay", "end"}
            assert turn is turns[-1] or keys.index("end") == len(keys) - 1
        else:
            assert len(turn) == 1
    assert {"draw", "place", "plate", "sun", "moon", "chip"} <= sorts
    ann.act(game, "take-back")
    seat = sitting.room(game).now.turn
    sitting.play(game, {0: ann, 1: ann}, most=1)
    again = ann.get(f"/games/{game}")["log"][-1]
    first = next(one for one in moves if one["ply"] == again["ply"])
    assert (again["seat"], again["turn"]) == (seat, first["turn"])
