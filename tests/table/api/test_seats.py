"""Who may sit where: links, names, leaving, and games of others."""

from __future__ import annotations

from table.api.posts import POSTS
from table.local_table import LocalTable, friends, shown


def test_friend_by_link(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    options = {"draw_at_zero": "free", "special_is_color": True}
    made = ann.create("friend", first="other", goals=["rows", "edge", "wilds"], rule_options=options)
    game, links = made["game"], made["links"]
    assert set(links) == {"own", "friend", "watch"}
    assert shown(ann, game).status == "waiting"
    assert shown(ann, game).options is None
    assert ann.cannot(game, "moves", token="D") == (409, "waiting")
    enter = f"/games/{game}/enter"
    assert ben.refused("GET", f"/games/{game}") == (404, "no_game")
    assert ben.refused("POST", enter, {"secret": "x" * 43, "name": "Ben"}) == (404, "no_game")
    rules = {"goals": ["rows", "edge", "wilds"], "rule_options": options}
    invitation = {"name": "Ann", "first": 1, "rules": rules, "deal_known": False}
    asked = {"game": game, "you": [1], "needs_name": True, "invitation": invitation}
    assert ben.post(enter, {"secret": links["friend"]}) == asked
    assert shown(ann, game).status == "waiting"
    entered = ben.post(enter, {"secret": links["friend"], "name": "  Ben  "})
    assert (entered["you"], "invitation" in entered) == ([1], False)
    assert entered["secret"] not in links.values()
    assert shown(ann, game).players[1].name == "Ben"
    assert shown(ann, game).status == "playing"
    seq = local.room(game).seq
    again = ben.post(enter, {"secret": links["friend"], "name": "Somebody else"})
    assert again["secret"] != entered["secret"], "an answer that was lost locks nobody out"
    assert local.room(game).seq == seq
    assert shown(ann, game).players[1].name == "Ben"
    assert shown(ben, game).you == [1]
    assert ann.refused("POST", enter, {"secret": links["friend"], "name": "Ann"}) == (410, "link_used")
    elsewhere = local.person()
    assert elsewhere.refused("POST", enter, {"secret": links["friend"], "name": "Ben"}) == (410, "link_used")
    assert elsewhere.refused("GET", f"/games/{game}") == (404, "no_game")
    assert elsewhere.post(enter, {"secret": again["secret"]})["you"] == [1]
    assert shown(elsewhere, game).you == [1]


def test_everyone_with_a_seat_gets_links_for_it_and_for_spectators(local: LocalTable) -> None:
    game, ann, ben, old = friends(local)
    enter = f"/games/{game}/enter"
    for person, seat in ((ann, 0), (ben, 1)):
        links = person.post(f"/games/{game}/links", {})
        assert set(links) == {"own", "watch"}, "the friend has come: nobody else can be invited"
        assert not set(links.values()) & set(old.values())
        for secret, seats in ((links["own"], [seat]), (links["watch"], [])):
            elsewhere = local.person()
            assert elsewhere.post(enter, {"secret": secret})["you"] == seats
            assert shown(elsewhere, game).you == seats


def test_a_waiting_table_can_be_invited_to_from_any_device_of_its_maker(local: LocalTable) -> None:
    ann, elsewhere, ben, late = (local.person() for _ in range(4))
    made = ann.create("friend")
    enter = f"/games/{made['game']}/enter"
    elsewhere.post(enter, {"secret": made["links"]["own"]})
    links = elsewhere.post(f"/games/{made['game']}/links", {})
    assert ben.post(enter, {"secret": links["friend"], "name": "Ben"})["you"] == [1]
    assert shown(ben, made["game"]).status == "playing"
    assert late.refused("POST", enter, {"secret": made["links"]["friend"], "name": "Eve"}) == (410, "link_used")


def test_two_players_never_have_the_same_name(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    made = ann.create("friend", names=["Player"])
    ben.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"], "name": "player"})
    assert [player.name for player in shown(ann, made["game"]).players] == ["Player", "player 2"]
    long = "a" * 24
    game = ann.create("screen", names=[long, long])["game"]
    assert [player.name for player in shown(ann, game).players] == [long, "a" * 22 + " 2"]


def test_a_refused_name_can_be_said_again(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    made = ann.create("friend")
    enter = f"/games/{made['game']}/enter"
    for name in ("<b>", "\u200b", " "):
        assert ben.refused("POST", enter, {"secret": made["links"]["friend"], "name": name}) == (422, "bad_name")
    assert ben.post(enter, {"secret": made["links"]["friend"], "name": "Ben"})["you"] == [1]


def test_a_waiting_table_can_be_given_up(local: LocalTable) -> None:
    ann, ben, eve = local.person(), local.person(), local.person()
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
    playing, ann, ben, _ = friends(local)
    assert ann.cannot(playing, "cancel") == (409, "begun")
    assert ben.cannot(playing, "cancel") == (409, "begun")


def test_leaving_takes_the_secret_from_the_browser_and_not_the_seat(local: LocalTable) -> None:
    game, ann, ben, links = friends(local)
    assert ben.post(f"/games/{game}/leave", {}) == {"game": game}
    assert ben.refused("GET", f"/games/{game}") == (404, "no_game")
    assert shown(ann, game).status == "playing"
    ben.post(f"/games/{game}/enter", {"secret": links["friend"]})
    assert shown(ben, game).you == [1]


def test_entering_again_by_ones_own_link(local: LocalTable) -> None:
    ann, elsewhere = local.person(), local.person()
    made = ann.create()
    assert elsewhere.post(f"/games/{made['game']}/enter", {"secret": made["links"]["own"]})["you"] == [0]
    assert shown(elsewhere, made["game"]).you == [0]


def test_unknown_games_and_games_of_others_look_the_same(local: LocalTable) -> None:
    ann, eve = local.person(), local.person()
    game = ann.create()["game"]
    for path in ("", "/brief", "/events", "/record", "/replay/0"):
        there = eve.ask("GET", f"/api/games/{game}{path}")
        nowhere = eve.ask("GET", f"/api/games/{'x' * 12}{path}")
        assert (there.status_code, there.content, there.headers) == (404, nowhere.content, nowhere.headers)
    for what, body in POSTS.items():
        there = eve.ask("POST", f"/api/games/{game}/{what}", json=body)
        nowhere = eve.ask("POST", f"/api/games/{'x' * 12}/{what}", json=body)
        assert (there.status_code, there.content) == (404, nowhere.content)


def test_spectators(local: LocalTable) -> None:
    game, ann, ben, links = friends(local)
    eve = local.person()
    assert eve.post(f"/games/{game}/enter", {"secret": links["watch"]})["you"] == []
    local.play(game, {0: ann, 1: ben}, most=30)
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
