"""What can be looked at: hints, earlier moves, records, a line about a game, pictures."""

from __future__ import annotations

from pathlib import Path

import msgspec

from sintra.records.record import Record
from sintra.table.service.help import WARNING_COST
from sintra.table.shown import messages
from table.api.posts import any_token
from table.local_table import LocalTable, friends, shown


def test_hints(local: LocalTable) -> None:
    mover = local.person()
    game = mover.create("screen")["game"]
    for _ in range(25):
        room = local.room(game)
        asked = local.thinkers.asked
        hint = msgspec.convert(mover.post(f"/games/{game}/hint", {"seq": room.seq}), messages.Hint)
        assert mover.post(f"/games/{game}/hint", {"seq": room.seq}) == msgspec.to_builtins(hint)
        assert local.thinkers.asked == asked + 1
        assert all(one.token in room.game.legal_moves for one in hint.advice)
        assert all(0 <= one.win <= 1 for one in hint.advice)
        assert mover.refused("POST", f"/games/{game}/hint", {"seq": room.seq + 1}) == (409, "stale")
        mover.act(game, "moves", token=hint.advice[0].token)


def test_a_hint_is_for_the_player_to_move_and_never_against_a_friend(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    for person in (ann, ben):
        assert person.refused("POST", f"/games/{game}/hint", {"seq": local.room(game).seq}) == (409, "no_hints")
    assert local.thinkers.asked == 0
    game = ann.create(first="other")["game"]
    local.thinkers.slow = True
    ann.act(game, "moves", token=any_token(local, game))
    assert ann.refused("POST", f"/games/{game}/hint", {"seq": local.room(game).seq}) == (409, "not_your_turn")
    local.thinkers.slow = False


def test_the_tutor_warns_of_what_costs_a_lot_and_names_no_better_move(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create(first="other")["game"]
    room = local.room(game)
    cheap, dear = (str(move) for move in room.game.legal_moves[:2])
    local.thinkers.costs = {cheap: WARNING_COST - 0.01, dear: 0.2}
    said = {token: ann.post(f"/games/{game}/tutor", {"seq": room.seq, "token": token}) for token in (cheap, dear)}
    assert said[cheap] == {"seq": room.seq, "token": cheap, "warns": False, "share": 0.0}
    assert said[dear] == {"seq": room.seq, "token": dear, "warns": True, "share": 0.4}
    asked = f"/games/{game}/tutor"
    assert ann.refused("POST", asked, {"seq": room.seq + 1, "token": dear}) == (409, "stale")
    assert ann.refused("POST", asked, {"seq": room.seq, "token": "E"}) == (422, "illegal")
    assert ann.refused("POST", asked, {"seq": room.seq, "token": "?"}) == (422, "illegal")


def test_the_tutor_is_for_the_player_to_move_and_never_against_people(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    asked = {"seq": local.room(game).seq, "token": any_token(local, game)}
    for person in (ann, ben):
        assert person.refused("POST", f"/games/{game}/tutor", asked) == (409, "no_tutor")
    game = ann.create("screen")["game"]
    asked = {"seq": local.room(game).seq, "token": any_token(local, game)}
    assert ann.refused("POST", f"/games/{game}/tutor", asked) == (409, "no_tutor")
    game = ann.create(first="other")["game"]
    local.thinkers.slow = True
    ann.act(game, "moves", token=any_token(local, game))
    asked = {"seq": local.room(game).seq, "token": any_token(local, game)}
    assert ann.refused("POST", f"/games/{game}/tutor", asked) == (409, "not_your_turn")
    assert ben.refused("POST", f"/games/{game}/tutor", asked) == (404, "no_game")
    local.thinkers.slow = False


def test_replay_shows_what_was_known_then(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    seen: list[messages.GameShown] = [shown(ann, game)]
    for _ in range(30):
        local.play(game, people, most=1)
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


def test_replay_follows_undos(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    local.play(game, {0: ann, 1: ann}, "uniform", most=8)
    ann.act(game, "take-back")
    assert ann.refused("GET", f"/games/{game}/replay/8") == (404, "no_ply")
    ann.act(game, "moves", token=any_token(local, game))
    last = shown(ann, game)
    again = msgspec.convert(ann.get(f"/games/{game}/replay/8"), messages.GameShown)
    assert again.position == last.position


def test_records(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=40)
    answer = ann.ask("GET", f"/api/games/{game}/record")
    assert answer.headers["content-disposition"] == f'attachment; filename="sintra-{game}.json"'
    assert Record.from_dict(answer.json()).is_view
    local.play(game, {0: ann, 1: ben})
    whole = Record.from_dict(ann.get(f"/games/{game}/record"))
    assert not whole.is_view
    assert whole.check() == local.room(game).game


def test_brief(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=9)
    brief = msgspec.convert(ben.get(f"/games/{game}/brief"), messages.GameBrief)
    now = local.room(game).now
    assert (brief.you, brief.seq, brief.seat, brief.at) == ([1], now.seq, now.turn, now.at)


def test_pictures(local: LocalTable) -> None:
    ann = local.person()
    rows = ann.post("/qr", {"text": "http://192.168.1.5:8765/game/abcdefghijkl#secret"})["rows"]
    assert {len(row) for row in rows} == {len(rows)}
    assert rows[0].startswith("1111111")
    assert ann.refused("POST", "/qr", {"text": ""}) == (400, "malformed")
    assert ann.refused("POST", "/qr", {"text": "a" * 301}) == (400, "malformed")


def test_games_are_loaded_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as local:
        game, ann, ben, links = friends(local)
        local.play(game, {0: ann, 1: ben}, most=25)
        ann.act(game, "take-back")
        before = [ann.get(f"/games/{game}"), ben.get(f"/games/{game}")]
    with LocalTable(path) as local:
        local.table.rooms._max_games = 2
        ann, ben = local.person(), local.person()
        for person, role in ((ann, "own"), (ben, "friend")):
            person.post(f"/games/{game}/enter", {"secret": links[role]})
        assert [ann.get(f"/games/{game}"), ben.get(f"/games/{game}")] == before
        for _ in range(5):
            ann.create("screen")
        assert len(local.table.rooms._open) == 2
        assert ann.get(f"/games/{game}") == before[0]


def test_moves_say_with_which_ply_the_turn_began(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    local.play(game, {0: ann, 1: ann}, most=150)
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
    seat = local.room(game).now.turn
    local.play(game, {0: ann, 1: ann}, most=1)
    again = ann.get(f"/games/{game}")["log"][-1]
    first = next(one for one in moves if one["ply"] == again["ply"])
    assert (again["seat"], again["turn"]) == (seat, first["turn"])
