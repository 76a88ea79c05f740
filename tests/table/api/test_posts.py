"""What is posted: once, in order, well formed and legal, or refused with a reason and without effect."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sintra.table.games.acts import ACTS, AnyAct
from table.api.posts import POSTS, any_token
from table.local_table import LocalTable, friends


def test_repeated_stale_reordered_and_foreign_posts(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    room = local.room(game)
    mover, other = (ann, ben) if room.now.turn == 0 else (ben, ann)
    body = {"id": "one-and-only", "seq": room.seq, "token": any_token(local, game)}
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
    assert other.cannot(game, "moves", token=any_token(local, game)) == (409, "not_your_turn")
    assert other.cannot(game, "resign", seat=room.now.turn) == (403, "not_your_seat")
    assert other.cannot(game, "undo", seat=room.now.turn) == (403, "not_your_seat")


def test_an_act_is_the_same_at_its_own_address_and_with_its_kind(local: LocalTable) -> None:
    """Whichever address it is posted to: it happens once, and a repeated one gets the same answer."""
    ann = local.person()
    game = ann.create("screen")["game"]
    room = local.room(game)
    move = {"id": "one-and-only", "seq": room.seq, "token": any_token(local, game)}
    answer = ann.post(f"/games/{game}/moves", move)
    assert ann.post(f"/games/{game}/acts", move | {"kind": "move"}) == answer
    assert ann.post(f"/games/{game}/moves", move | {"kind": "move"}) == answer
    take_back = {"kind": "take_back", "id": "back-again", "seq": room.seq}
    answer = ann.post(f"/games/{game}/acts", take_back)
    assert ann.post(f"/games/{game}/take-back", {"id": "back-again", "seq": take_back["seq"]}) == answer
    assert [one.post for one in local.log(game)] == [None, "own:moves:one-and-only", "own:take-back:back-again"]
    assert room.now.ply == 0


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.address)
def test_every_act_says_of_what_kind_it_is(local: LocalTable, act: type[AnyAct]) -> None:
    """Without a kind, with one that there is not and with that of another act, nothing is done."""
    ann = local.person()
    game = ann.create("screen")["game"]
    kind, body = act.__struct_config__.tag, POSTS[act.address]
    assert ann.refused("POST", f"/games/{game}/acts", body) == (400, "malformed")
    assert ann.refused("POST", f"/games/{game}/acts", body | {"kind": "nap"}) == (400, "malformed")
    other = next(one for one in ACTS if one is not act)
    assert ann.refused("POST", f"/games/{game}/{other.address}", body | {"kind": kind}) == (400, "malformed")
    own, common = (
        ann.ask("POST", f"/api/games/{game}/{path}", json=body | {"kind": kind}) for path in (act.address, "acts")
    )
    assert own.status_code != 400
    assert (common.status_code, common.json()) == (own.status_code, own.json())


def test_same_post_id_of_two_people_are_two_posts(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    room = local.room(game)
    seats: list[int] = []
    while len(seats) < 2:
        seat = room.now.turn
        extra = {"id": "the-same-id"} if seat not in seats else {}
        people[seat].act(game, "moves", token=any_token(local, game), **extra)
        if extra:
            seats.append(seat)
    assert room.now.ply >= 2


@pytest.mark.parametrize("token", ["X", "", "S9Z9", "<*", "E", "K05@11r0", "T11", "a" * 17, "<99"])
def test_illegal_moves(local: LocalTable, token: str) -> None:
    ann = local.person()
    game = ann.create("screen")["game"]
    status, code = ann.cannot(game, "moves", token=token)
    assert (status, code) == ((400, "malformed") if len(token) in (0, 17) else (422, "illegal"))


@pytest.mark.parametrize("what", POSTS)
def test_malformed_posts(local: LocalTable, what: str) -> None:
    ann = local.person()
    game = ann.create()["game"]
    path = f"/api/games/{game}/{what}"
    good = POSTS[what]
    seq = local.room(game).seq
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
    assert local.room(game).seq == seq


def test_the_tables_own_page_may_post(local: LocalTable) -> None:
    ann = local.person()
    for headers in ({"sec-fetch-site": "same-origin"}, {"origin": "http://localhost"}):
        ann.post("/games", {"mode": "computer", "names": ["Ann"]}, headers=headers)


def test_wrong_methods_and_paths(local: LocalTable) -> None:
    ann = local.person()
    answer = ann.ask("GET", "/api/games")
    assert (answer.status_code, answer.json()["code"], answer.headers["allow"]) == (405, "wrong_method", "POST")
    assert ann.refused("DELETE", "/games/abc") == (405, "wrong_method")
    assert ann.refused("GET", "/nothing") == (404, "no_page")
