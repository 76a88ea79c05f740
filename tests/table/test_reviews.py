"""Reviews at the table: made apart, once for all who ask, kept, and of nothing that goes on."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace as changed

from sintra.errors import SintraError
from sintra.game.game import Game
from sintra.records.record import Record
from sintra.records.steps import run_to_completion
from sintra.review import GameReview, ReviewBudget, TurnReview, review
from sintra.review.reviewing import BestMove
from sintra.table.http.security import Rate, Rates
from sintra.table.service.reviews import _MAX_TRYING_OF_ASKER, MAX_WAITING, MAX_WAITING_OF_ASKER
from sintra.table.shown.game import opponents_named, people_shown
from sintra.table.shown.messages import MAX_RECORD_LENGTH, GameShown, ReviewShown, ReviewTry
from sintra.table.shown.reviewed import AS_GOOD, finding, turn_shown, walking
from sintra.table.workers import review_worker as review_desk
from sintra.table.workers.review_worker import Advanced, ReviewLostError, ReviewWorker
from table.local_table import LocalTable, Person, QuickReviewWorker, friends

HASTY = ReviewBudget(sims=2, deep_factor=1, deals=1, worlds=1)


def resigned(local: LocalTable, moves: int = 6) -> tuple[str, Person]:
    """A short game on one screen, which seat 1 gave up."""
    ann = local.person()
    game = ann.create("screen")["game"]
    local.play(game, {0: ann, 1: ann}, most=moves)
    ann.act(game, "resign", seat=1)
    return game, ann


def a_record(seed: int = 1, moves: int = 4) -> Record:
    """A short game that was given up."""
    game = Game.new(seed=seed)
    for _ in range(moves):
        game.push(game.legal_moves[0])
    game.resign(0)
    return Record.of(game, ("Ann", "Ben"))


def until_done(local: LocalTable, person: Person, review: str) -> dict[str, Any]:
    """The review when it is there."""
    for _ in range(10_000):
        shown: dict[str, Any] = person.get(f"/reviews/{review}")
        if shown["state"] == "done":
            return shown
        local.runner.run(asyncio.sleep(0.002))
    raise AssertionError("the review does not come to an end")


def test_a_finished_game_is_reviewed(local: LocalTable) -> None:
    game, ann = resigned(local)
    local.review_worker.slow = True
    review = ann.post(f"/games/{game}/review", {})["review"]
    waiting = ann.get(f"/reviews/{review}")
    assert waiting["state"] == "working"
    assert waiting["plies"] == 6
    assert "found" not in waiting
    local.review_worker.slow = False
    shown = msgspec.convert(until_done(local, ann, review), ReviewShown)
    assert (shown.players, shown.winner, shown.reason) == (["Ann", "Ben"], 0, "resigned")
    found = shown.found
    assert found is not None
    assert found.start + sum(found.skill) + sum(found.luck.values()) + found.noise + found.ending == pytest.approx(
        found.result
    )
    room = local.room(game)
    assert [turn.played.token for turn in found.turns] == [str(move) for move in room.game.moves]
    assert all(turn.played.telling.key.startswith("log.") and turn.played.places for turn in found.turns)
    assert all(abs(turn.best[0].chance - turn.cost - turn.played.chance) < 1e-3 for turn in found.turns)


def test_computers_are_known_in_reviews() -> None:
    """By their names, which are all that a record has of them, for the page to name them in the reader's language."""
    names = ("Ann", "Novice")
    assert opponents_named(names) == ["", "level:n=1"]
    assert [(one.name, one.kind, one.opponent) for one in people_shown(names)] == [
        ("Ann", "human", ""),
        ("Novice", "computer", "level:n=1"),
    ]


def test_figures_of_a_decision_fit_each_other() -> None:
    """A move costs no more than there was to lose; others, which had no deeper look, have no figures beside it."""
    game = Game.new(seed=1)
    first, second, third = (str(move) for move in game.legal_moves[:3])
    best = (BestMove(first, 0.7, 5.0), BestMove(second, 0.6, 4.0), BestMove(third, 0.5, 2.0))
    turn = TurnReview(0, 1, game.turn, second, 0.7, 5.0, best, 0.4, -0.4, {}, 0.0)
    shown = turn_shown(game.view(game.turn), turn)
    assert [one.token for one in shown.best] == [first]
    assert shown.played.chance == pytest.approx(0.3)
    fine = turn_shown(game.view(game.turn), changed(turn, cost=0.01))
    assert [one.token for one in fine.best] == [first, third]
    lost = turn_shown(game.view(game.turn), changed(turn, cost=0.9))
    assert (lost.cost, lost.played.chance, lost.mark) == (0.7, 0.0, "blunder")


def test_the_table_at_every_move(local: LocalTable) -> None:
    """As the seat saw it that had to decide."""
    game, ann = resigned(local)
    review = ann.post(f"/games/{game}/review", {})["review"]
    for ply in range(7):
        shown = msgspec.convert(ann.get(f"/reviews/{review}/positions/{ply}"), GameShown)
        assert (shown.ply, shown.you, shown.options) == (ply, [], None)
        assert shown.status == ("over" if ply == 6 else "playing")
        replayed = ann.get(f"/games/{game}/replay/{ply}")["position"]
        assert msgspec.to_builtins(shown.position)["factories"] == replayed["factories"]
    for none in ("7", "-1", "x"):
        assert ann.refused("GET", f"/reviews/{review}/positions/{none}") == (404, "no_ply")


def test_another_move_is_tried(local: LocalTable) -> None:
    """It costs what the review would say of it, and is right if that is next to nothing."""
    game, ann = resigned(local)
    review = ann.post(f"/games/{game}/review", {})["review"]
    turns = until_done(local, ann, review)["found"]["turns"]
    for turn in turns:
        asked = {"ply": turn["ply"], "token": turn["played"]["token"]}
        found = msgspec.convert(ann.post(f"/reviews/{review}/tries", asked), ReviewTry)
        assert found.cost == pytest.approx(turn["cost"], abs=1e-4)
        assert found.right == (turn["cost"] < AS_GOOD)
        assert msgspec.to_builtins(found.telling) == turn["played"]["telling"]
        assert found.places == turn["played"]["places"]
    best = ann.post(f"/reviews/{review}/tries", {"ply": 0, "token": turns[0]["best"][0]["token"]})
    assert best["right"]
    assert best["cost"] == 0.0
    for token in ("E", "nonsense"):
        assert ann.refused("POST", f"/reviews/{review}/tries", {"ply": 0, "token": token}) == (422, "bad_move")
    assert ann.refused("POST", f"/reviews/{review}/tries", {"ply": 7, "token": "E"}) == (404, "no_ply")
    nowhere = "/reviews/abcdefghijklmnopqrstuvwx/tries"
    assert ann.refused("POST", nowhere, {"ply": 0, "token": "E"}) == (404, "no_review_here")


def test_a_review_is_told_as_the_library_has_it(local: LocalTable) -> None:
    """A review that was kept before it said how many moves were legal, too."""
    record = a_record()
    made = review(record, HASTY)
    kept = made.to_dict()
    for turn in kept["turns"]:
        del turn["choices"]
    for one in (made, GameReview.from_dict(kept)):
        found = run_to_completion(finding(run_to_completion(walking(record)), one))
        assert found.lost == [made.lost_by_source(seat) for seat in range(2)]
        assert found.error_rate == [made.error_rate(seat) for seat in range(2)]


def test_nothing_is_reviewed_while_a_game_goes_on(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=4)
    for person in (ann, ben):
        assert person.refused("POST", f"/games/{game}/review", {}) == (409, "no_review_yet")
        part = person.get(f"/games/{game}/record")
        seen = msgspec.json.encode(part).decode()
        assert person.refused("POST", "/reviews", {"record": seen}) == (422, "unreviewable")
    assert local.person().refused("POST", f"/games/{game}/review", {}) == (404, "no_game")
    whole = Record.of(local.room(game).game, ("Ann", "Ben"))
    assert ann.refused("POST", "/reviews", {"record": whole.dumps()}) == (422, "unreviewable"), "it has no result"
    why = ann.ask("POST", "/api/reviews", json={"record": whole.dumps()}).json()["why"]
    assert why == [{"key": "wrong.unfinished"}]
    made_up = whole.replay()
    made_up.resign(0)
    text = Record.of(made_up, ("Eve", "Dan")).dumps()
    assert ann.refused("POST", "/reviews", {"record": text}) == (409, "no_review_yet"), "an end that is made up"
    assert local.review_worker.steps == 0
    ann.act(game, "resign")
    assert ann.post("/reviews", {"record": text})["review"]


def test_what_is_asked_for_twice_is_made_once(local: LocalTable) -> None:
    """Also for somebody else, by the record, and with more in it than is needed."""
    game, ann = resigned(local)
    record = Record.of(local.room(game).game, ("Ann", "Ben"), legal=True)
    reviews = {
        ann.post(f"/games/{game}/review", {})["review"],
        ann.post(f"/games/{game}/review", {})["review"],
        local.person().post("/reviews", {"record": record.dumps()})["review"],
    }
    assert len(reviews) == 1
    (review,) = reviews
    until_done(local, ann, review)
    steps = local.review_worker.steps
    assert steps == 2 * (len(record.moves) + 1), "each position is looked at quickly first"
    assert ann.post(f"/games/{game}/review", {})["review"] == review
    assert ann.get(f"/reviews/{review}")["state"] == "done"
    assert local.review_worker.steps == steps


def test_reviews_wait_for_each_other(local: LocalTable) -> None:
    ann = local.person()
    local.review_worker.slow = True
    names = [ann.post("/reviews", {"record": a_record(seed).dumps()})["review"] for seed in range(MAX_WAITING)]
    assert [ann.get(f"/reviews/{one}").get("ahead", 0) for one in names[:3]] == [0, 1, 2]
    assert ann.get(f"/reviews/{names[2]}")["state"] == "waiting"
    assert ann.refused("POST", "/reviews", {"record": a_record(99).dumps()}) == (503, "reviews_full")
    assert ann.post("/reviews", {"record": a_record(1).dumps()})["review"] == names[1], "it waits already"
    local.review_worker.slow = False
    for one in reversed(names):
        assert until_done(local, ann, one)["share"] == 1.0


def test_a_review_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as local:
        game, ann = resigned(local)
        review = ann.post(f"/games/{game}/review", {})["review"]
        first = until_done(local, ann, review)
    with LocalTable(path) as local:
        ann = local.person()
        assert ann.get(f"/reviews/{review}") == first
        assert ann.get(f"/reviews/{review}/positions/0")["ply"] == 0
        assert local.review_worker.steps == 0


def test_a_review_that_was_under_way_begins_again(tmp_path: Path) -> None:
    """When somebody looks at it after a restart."""
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as local:
        ann = local.person()
        local.review_worker.slow = True
        review = ann.post("/reviews", {"record": a_record().dumps()})["review"]
        assert ann.get(f"/reviews/{review}")["state"] == "working"
    with LocalTable(path) as local:
        ann = local.person()
        local.runner.run(asyncio.sleep(0))
        assert local.review_worker.steps == 0, "nobody has asked yet"
        assert ann.get(f"/reviews/{review}")["state"] == "working"
        until_done(local, ann, review)


def test_a_game_without_a_move(local: LocalTable) -> None:
    game, ann = resigned(local, moves=0)
    review = ann.post(f"/games/{game}/review", {})["review"]
    shown = until_done(local, ann, review)
    assert shown["found"]["turns"] == []
    assert shown["found"]["start"] + shown["found"]["ending"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    "text",
    ["no JSON", "[]", "{}", '{"format": "sintra/1"}', a_record().view(0).dumps()],
    ids=["words", "a list", "nothing", "a beginning", "a view"],
)
def test_what_cannot_be_reviewed(local: LocalTable, text: str) -> None:
    ann = local.person()
    assert ann.refused("POST", "/reviews", {"record": text}) == (422, "unreviewable")
    assert ann.ask("POST", "/api/reviews", json={"record": text}).json()["why"]
    assert local.review_worker.steps == 0


def test_a_record_that_cannot_have_happened(local: LocalTable) -> None:
    text = a_record().dumps().replace('"winner": 1', '"winner": 2')
    assert local.person().refused("POST", "/reviews", {"record": text}) == (422, "unreviewable")


def test_a_game_given_up_before_a_deal_that_is_not_recorded(local: LocalTable) -> None:
    """Nobody was to move there, so there is nothing to judge the last move by."""
    game = Game.new(seed=1)
    while game.round == 1:
        game.push(game.legal_moves[0])
    game = replace(Record.of(game), tiles=Record.of(game).tiles[:1]).replay()
    assert game.awaits_deal
    game.resign(0)
    record = Record.of(game)
    assert local.person().refused("POST", "/reviews", {"record": record.dumps()}) == (422, "unreviewable")
    with pytest.raises(SintraError, match="not dealt yet"):
        review(record)


def test_limits(local: LocalTable) -> None:
    ann = local.person()
    assert ann.refused("POST", "/reviews", {"record": " " * (MAX_RECORD_LENGTH + 1)}) == (400, "malformed")
    assert ann.refused("POST", "/reviews", {"record": " " * 4 * MAX_RECORD_LENGTH}) == (413, "too_large")
    assert ann.refused("POST", "/games", {"mode": "computer", "names": ["A" * 9000]}) == (413, "too_large")
    assert ann.refused("GET", "/reviews/abcdefghijklmnopqrstuvwx") == (404, "no_review_here")
    assert ann.refused("GET", "/reviews/abcdefghijklmnopqrstuvwx/positions/0") == (404, "no_review_here")
    with LocalTable(rates=Rates(reviewing=Rate(0.01, 2))) as few:
        ann = few.person()
        for _ in range(2):
            ann.post("/reviews", {"record": a_record().dumps()})
        assert ann.refused("POST", "/reviews", {"record": a_record().dumps()}) == (429, "too_many")
        few.person(address="192.0.2.9").post("/reviews", {"record": a_record().dumps()})


def test_one_address_has_some_of_the_places_for_reviews() -> None:
    with LocalTable(rates=Rates()) as local:
        ann, ben = local.person(address="192.0.2.1"), local.person(address="192.0.2.2")
        local.review_worker.slow = True
        records = [{"record": a_record(seed).dumps()} for seed in range(MAX_WAITING_OF_ASKER + 1)]
        names = [ann.post("/reviews", one)["review"] for one in records[:-1]]
        assert ann.refused("POST", "/reviews", records[-1]) == (429, "too_many")
        assert ann.post("/reviews", records[0])["review"] == names[0], "it waits already"
        names.append(ben.post("/reviews", records[-1])["review"])
        local.review_worker.slow = False
        for one in names:
            until_done(local, ann, one)
        local.review_worker.slow = True
        ann.post("/reviews", {"record": a_record(99).dumps()})


def test_one_address_has_some_of_the_places_for_tries() -> None:
    """What is tried is judged by the same process, one move after the other."""
    gate = asyncio.Event()

    class Slow(QuickReviewWorker):
        async def cost(self, text: str, ply: int, token: str) -> float:
            await gate.wait()
            return await super().cost(text, ply, token)

    with LocalTable(rates=Rates(), review_worker=Slow()) as local:
        ann, ben = local.person(address="192.0.2.1"), local.person(address="192.0.2.2")
        review = ann.post("/reviews", {"record": a_record().dumps()})["review"]
        until_done(local, ann, review)
        moves = [str(move) for move in Game.new(seed=1).legal_moves][: _MAX_TRYING_OF_ASKER + 2]
        assert len(moves) == _MAX_TRYING_OF_ASKER + 2

        async def ask(person: Person, token: str) -> int:
            answer = await person.http.post(f"/api/reviews/{review}/tries", json={"ply": 0, "token": token})
            return answer.status_code

        async def whole() -> None:
            asked = [asyncio.create_task(ask(ann, token)) for token in moves[:-1]]
            (refused,), _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            assert refused.result() == 429
            other = asyncio.create_task(ask(ben, moves[-1]))
            gate.set()
            assert await other == 200
            assert sorted(await asyncio.gather(*asked)) == [200] * _MAX_TRYING_OF_ASKER + [429]

        local.runner.run(asyncio.wait_for(whole(), 120))


class Lost(QuickReviewWorker):
    """A worker that loses its process so many times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def advance(self, key: str, text: str) -> Advanced:
        if self.times:
            self.times -= 1
            raise ReviewLostError("lost")
        return await super().advance(key, text)


def test_a_lost_process_gets_a_successor() -> None:
    with LocalTable(review_worker=Lost(2)) as local:
        ann = local.person()
        until_done(local, ann, ann.post("/reviews", {"record": a_record().dumps()})["review"])


def test_a_review_that_fails_can_be_asked_for_again() -> None:
    with LocalTable(review_worker=Lost(3)) as local:
        ann = local.person()
        review = ann.post("/reviews", {"record": a_record().dumps()})["review"]
        while local.table.reviews.waiting:
            local.settle()
        assert ann.refused("GET", f"/reviews/{review}") == (503, "no_review")
        assert [line["what"] for line in local.lines if "what" in line] == ["ReviewLostError"]
        until_done(local, ann, review)


def test_a_process_of_its_own() -> None:
    """It lets others go first, goes on where it was, and begins anew when it is killed."""
    text = a_record(moves=3).dumps()

    async def whole() -> None:
        worker = ReviewWorker(HASTY)
        shares = []
        try:
            share, made, _ = await worker.advance("a", text)
            shares.append(share)
            assert worker._worker._process is not None
            worker._worker._process.kill()
            worker._worker._process.join()
            while made is None:
                share, made, _ = await worker.advance("a", text)
                shares.append(share)
            assert msgspec.json.decode(made)["format"] == "sintra-review/1"
            cost = json.loads(made)["turns"][1]["cost"]
            assert await worker.cost(text, 1, Record.loads(text).moves[1]) == pytest.approx(cost)
            with pytest.raises(ReviewLostError):
                await worker.advance("b", "no record")
        finally:
            worker.close()
        with pytest.raises(ReviewLostError):
            await worker.advance("a", text)

    asyncio.run(whole())


def test_the_process_stays_as_long_as_something_is_asked_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves when there is nothing to do, not when the first of several things is done."""
    monkeypatch.setattr(review_desk, "IDLE_TIMEOUT_S", 0.0)

    async def several() -> None:
        worker = ReviewWorker(HASTY)
        try:
            await asyncio.gather(*(worker._do(time.sleep, seconds) for seconds in (0.0, 0.5, 0.0)))
            while worker._worker._process is not None:
                await asyncio.sleep(0.01)
            assert await worker._do(abs, -1) == 1
        finally:
            worker.close()

    asyncio.run(several())
