"""Studies: lines of moves from positions and records, what is shown and advised there, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from helpers import TASTES
from sintra import Game, Record, View
from sintra.records.steps import run_to_completion
from sintra.rules.state import Stage
from sintra.table.games.fingerprints import fingerprint
from sintra.table.games.refusals import RefusalError
from sintra.table.http.security import STUDY_LIMIT, Rates
from sintra.table.service.studies import _MAX_WAITING_OF_ASKER
from sintra.table.shown.messages import AskStudy, GameShown, StudyAdvice, StudyShown
from sintra.table.shown.study import advising, following, showing
from sintra.table.workers.thinkers import Analysis, Thinkers, analyse
from table.local_table import LocalTable, Person, QuickThinkers, friends, shown
from table.messages_read import read

BARE = """
round: 2; turn: 0; start tile: factory
factory 1: sun BYRK moon - chip down
factory 2: sun - moon YK chip down
factory 3: sun - moon - chip up
factory L: sun - moon BBT
display: 07 12 03
0 lines: B1 - - K3 - -
0 plates: 11=04r1 12=16r0 22=02r0
1 plates: 11=05r0 21=17r2 33=01r0
"""
"""A position that leaves stack and chips unknown."""


def study(log: bool = False, **asked: Any) -> StudyShown:
    return read(run_to_completion(showing(run_to_completion(following(AskStudy(**asked))), log)), StudyShown)


def positions(seed: int, taste: str = "drawing") -> Iterator[Game]:
    """A game of random play, after every move."""
    dice, game = Random(seed), Game.new(seed=seed)
    while not game.is_over:
        yield game
        game.push(TASTES[taste](game, dice))
    yield game


@pytest.fixture(scope="module")
def record() -> Record:
    *_, game = positions(5)
    return Record.of(game, ("Ann", "Ben"))


# --- what is shown ------------------------------------------------------------------------------


def test_the_answer_is_the_same_in_every_world_that_fits_the_view() -> None:
    """All that is hidden from the seat to move is replaced: no byte of the answer changes."""
    stages = set()
    for game in list(_copies(positions(3)))[::4]:
        view = game.view(game.turn)
        other = view.sample(game.ply + 1)
        assert other.view(game.turn) == view
        assert msgspec.json.encode(study(position=game.position)) == msgspec.json.encode(study(position=other.position))
        stages.add(game.stage)
    assert {Stage.TURN, Stage.KEEPING, Stage.TILING} <= stages


def _copies(games: Iterator[Game]) -> Iterator[Game]:
    return (game.copy() for game in games)


def test_a_move_is_told_as_the_seat_to_move_may_know_it() -> None:
    """Another plate of its kind is returned unseen: the next player is told the same."""
    for game in positions(4):
        if game.stage is not Stage.RETURNING:
            continue
        tokens = [str(move) for move in game.legal_moves]
        if len(tokens) != 1:
            continue
        told = study(position=game.position, moves=tokens).game
        if told.position.seat != game.turn:
            assert told.event is not None
            assert told.event.token in ("<*", "<W")
            assert "plate" not in told.event.telling.args
            return
    raise AssertionError("no plate was returned")


def test_a_line_shows_what_a_game_shows(record: Record) -> None:
    """Every ply of a record, as the table would show it to the seat to move."""
    for ply, game in enumerate(record.positions()):
        if ply % 7:
            continue
        answer = study(record=record.dumps(), ply=ply)
        again = study(position=game.position)
        assert (answer.game.ply, answer.game.status) == (ply, "over" if game.is_over else "playing")
        assert answer.text == again.text
        assert answer.game.position == again.game.position
        assert answer.game.options == again.game.options
        assert (answer.game.event is None) == (ply == 0)
        assert [player.name for player in answer.game.players] == ["Ann", "Ben"]
    over = study(record=record.dumps(), ply=len(record.moves)).game
    assert record.result is not None
    assert over.result is not None
    assert (over.result.winner, over.result.scores) == (record.result.winner, list(record.result.scores))
    assert over.options is None
    assert over.event is not None
    assert over.event.summary is not None


def test_the_log_tells_the_whole_line(record: Record) -> None:
    told = study(record=record.dumps(), ply=40, log=True).game
    assert told.log is not None
    assert [event.ply for event in told.log] == list(range(1, 41))
    assert told.log[-1] == told.event
    seen = record.view(told.position.seat)
    assert [event.token for event in told.log] == list(seen.moves[:40])


def test_a_new_deal_can_be_studied() -> None:
    assert study(seed=7).game.position.stage == "opening"
    assert study(seed=7) == study(seed=7)
    assert study(seed=7) != study(seed=8)


def test_every_option_can_be_played_and_the_text_leads_back() -> None:
    start = study(position=BARE)
    assert start.game.options is not None
    for take in start.game.options.takes:
        token = take.to[0].tokens[0]
        after = study(position=BARE, moves=[token])
        assert after.game.event is not None
        assert after.game.event.token == token
        there = study(position=after.text)
        assert (there.text, there.game.position) == (after.text, after.game.position)


def test_the_same_line_brings_the_same_pieces_and_another_line_others() -> None:
    """What the text leaves unknown is dealt, and rounds go on to the end of the game."""
    lines = []
    for seed in (1, 2):
        dice, moves, rounds = Random(seed), list[str](), set()
        line = run_to_completion(following(AskStudy(position=BARE)))
        while not line.game.is_over:
            rounds.add(line.game.round)
            moves.append(str(TASTES["uniform"](line.game, dice)))
            line = run_to_completion(following(AskStudy(position=BARE, moves=moves)))
        assert rounds == {2, 3, 4, 5}
        assert study(position=BARE, moves=moves) == study(position=BARE, moves=moves)
        lines.append(line.game.state["chip_order"].tobytes())
    assert lines[0] == lines[1], "what lies hidden at the start is the start's"
    assert Game.from_position(BARE).state["chip_order"].tobytes() != lines[0]


def test_a_text_that_names_stack_or_chips_is_taken_at_its_word() -> None:
    whole = Game.from_position(BARE).position
    rows = [row for row in whole.splitlines() if not row.startswith("chips:")]
    plain, no_chips = (run_to_completion(following(AskStudy(position=text))).game for text in (whole, "\n".join(rows)))
    assert plain.position == whole
    assert no_chips.state["pile"].tobytes() == plain.state["pile"].tobytes()
    assert no_chips.state["chip_order"].tobytes() != plain.state["chip_order"].tobytes()


@pytest.mark.parametrize(
    ("asked", "code", "words"),
    [
        ({}, "bad_study", "begins with a position, with a record, or with a seed"),
        ({"position": BARE, "record": "{}"}, "bad_study", "begins with a position, with a record, or with a seed"),
        ({"position": "factory 9: sun B"}, "bad_position", "line 1: unknown key 'factory 9'"),
        ({"position": "round: 9"}, "bad_position", "line 1, round"),
        ({"record": "{"}, "bad_record", ""),
        ({"record": "[]"}, "bad_record", ""),
        ({"position": BARE, "moves": ["nonsense"]}, "bad_move", "Move 1, nonsense: "),
        ({"position": BARE, "moves": ["S1B2:RYK", "S1B2:RYK"]}, "bad_move", "Move 2, S1B2:RYK: "),
        ({"position": BARE, "moves": ["S1B4:RYK"]}, "bad_move", "R3"),
        ({"position": BARE, "moves": ["<*"]}, "bad_move", "Move 1, <*: "),
    ],
)
def test_mistakes_are_named(asked: dict[str, Any], code: str, words: str) -> None:
    with pytest.raises(RefusalError) as caught:
        study(**asked)
    assert (caught.value.status, caught.value.code) == (422, code)
    assert words in caught.value.message
    assert bool(caught.value.faults) == (code != "bad_study")


def test_plies_and_views_of_records_are_refused(record: Record) -> None:
    with pytest.raises(RefusalError, match="the record has plies 0 to") as no_ply:
        study(record=record.dumps(), ply=len(record.moves) + 1)
    with pytest.raises(RefusalError, match="what it hides is needed") as view:
        study(record=record.view(0).dumps())
    assert [fault.code for caught in (no_ply, view) for fault in caught.value.faults] == ["no_ply", "view.record"]


# --- advice -------------------------------------------------------------------------------------


def test_advice_follows_from_the_view_and_can_be_played() -> None:
    view = run_to_completion(following(AskStudy(position=BARE))).game.view(0)
    exact, found = analyse(600, view.to_bytes())
    advice = run_to_completion(advising(view, 500, exact, found))
    assert not advice.exact
    assert 1 < len(advice.moves) <= 5
    wins = [move.advice.win for move in advice.moves]
    assert wins == sorted(wins, reverse=True)
    best = advice.moves[0]
    assert best.line, "a search of 600 looks further than one move"
    moves = [best.advice.token]
    for one in best.line:
        assert study(position=BARE, moves=moves).game.position.seat == one.seat
        moves.append(one.token)
    assert study(position=BARE, moves=moves).game.ply == 1 + len(best.line)


def test_analyses_leave_the_workers_of_the_games_alone() -> None:
    """A long analysis is under way, others wait for it: who plays is answered meanwhile. Both processes run before, so
    that neither is still starting while the other one works."""

    async def ask() -> None:
        thinkers = Thinkers(1)
        try:
            view = Game.from_position(BARE).view(0)
            assert await thinkers.analyse(view, 16) == analyse(16, view.to_bytes())
            await thinkers.advise(view, 8)
            analyses = [asyncio.create_task(thinkers.analyse(view, sims)) for sims in (50_000, 50_001)]
            await asyncio.sleep(0)
            await thinkers.advise(view, 8)
            assert not analyses[1].done()
        finally:
            thinkers.close()
        await asyncio.gather(*analyses, return_exceptions=True)

    asyncio.run(ask())


def test_one_address_has_some_of_the_places_for_analyses() -> None:
    gate = asyncio.Event()

    class Slow(QuickThinkers):
        async def analyse(self, view: View, sims: int) -> Analysis:
            await gate.wait()
            return await super().analyse(view, sims)

    with LocalTable(rates=Rates(), thinkers=Slow()) as local:
        ann, ben = local.person(address="192.0.2.1"), local.person(address="192.0.2.2")

        async def ask(person: Person, seed: int) -> int:
            answer = await person.http.post("/api/study/advice", json={"seed": seed, "sims": 500})
            return answer.status_code

        async def whole() -> None:
            asked = [asyncio.create_task(ask(ann, seed)) for seed in range(_MAX_WAITING_OF_ASKER + 1)]
            (refused,), _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            assert refused.result() == 429
            other = asyncio.create_task(ask(ben, 99))
            gate.set()
            assert await other == 200
            assert sorted(await asyncio.gather(*asked)) == [200] * _MAX_WAITING_OF_ASKER + [429]
            assert await ask(ann, 100) == 200

        local.runner.run(asyncio.wait_for(whole(), 120))


# --- over HTTP ----------------------------------------------------------------------------------


def test_anybody_may_study(local: LocalTable) -> None:
    ann = local.person()
    answer = msgspec.convert(ann.post("/study", {"position": BARE}), StudyShown)
    assert answer == study(position=BARE)
    asked = {"position": BARE, "sims": 500}
    advice = msgspec.convert(ann.post("/study/advice", asked), StudyAdvice)
    assert advice.sims == 500
    thought = local.thinkers.asked
    assert msgspec.convert(ann.post("/study/advice", asked), StudyAdvice) == advice
    assert local.thinkers.asked == thought, "one position is thought about once"
    assert ann.refused("POST", "/study/advice", asked | {"sims": 1_000_000}) == (400, "malformed")
    assert ann.refused("POST", "/study", {"position": "x"}) == (422, "bad_position")
    wrong = ann.ask("POST", "/api/study", json={"position": "bag: B2\nround: nine"}).json()
    assert wrong["why"] == [
        {"key": "wrong.at_line_key", "args": {"line": 2, "key": "round"}},
        {"key": "wrong.number", "args": {"found": "nine", "low": 1, "high": 5}},
    ]
    assert ann.refused("POST", "/study", {"record": STUDY_LIMIT * "x"}) == (413, "too_large")
    assert ann.refused("POST", "/study", {"position": BARE, "moves": 601 * ["E"]}) == (400, "malformed")


def test_a_game_that_is_over_has_no_best_move(local: LocalTable, record: Record) -> None:
    asked = {"record": record.dumps(), "ply": len(record.moves)}
    assert local.person().refused("POST", "/study/advice", asked) == (422, "is_over")


def present(local: LocalTable, game: str) -> str:
    """The position of a running game, with other pieces where they are hidden from the player to move."""
    room = local.room(game)
    return room.now.view(room.now.turn).sample(1).position


def both_refuse(person: Person, **asked: Any) -> None:
    assert person.refused("POST", "/study", asked) == (409, "running_game")
    assert person.refused("POST", "/study/advice", asked) == (409, "running_game")


def test_who_plays_a_game_does_not_study_its_position(local: LocalTable) -> None:
    game, ann, ben, links = friends(local)
    early = present(local, game)
    local.play(game, {0: ann, 1: ben}, most=9)
    before = present(local, game)
    local.play(game, {0: ann, 1: ben}, most=1)
    latest = str(local.room(game).game.moves[-1])
    now = present(local, game)
    next_move = str(local.room(game).game.legal_moves[0])
    for player in (ann, ben):
        both_refuse(player, position=now)
        both_refuse(player, position=before, moves=[latest])
        both_refuse(player, position=now, moves=[next_move])
        both_refuse(player, position=now.replace("0 score: ", "0 score: 1"))
        assert player.post("/study", {"position": early})
        assert player.post("/study", {"position": BARE})
    stranger, watcher = local.person(), local.person()
    watcher.post(f"/games/{game}/enter", {"secret": links["watch"]})
    assert stranger.post("/study", {"position": now})
    assert watcher.post("/study", {"position": now})
    ann.act(game, "resign")
    for player in (ann, ben):
        assert [cookie.name for cookie in player.http.cookies.jar if cookie.path == "/api/study"]
        assert player.post("/study", {"position": now})
        assert not [cookie.name for cookie in player.http.cookies.jar if cookie.path == "/api/study"]


def test_against_the_computer_and_on_one_screen_it_is_the_same(local: LocalTable) -> None:
    for mode in ("computer", "screen"):
        ann = local.person()
        game = ann.create(mode)["game"]
        both_refuse(ann, position=present(local, game))
        ann.post(f"/games/{game}/leave", {})
        assert ann.post("/study", {"position": present(local, game)})


def test_looking_at_a_game_is_enough(local: LocalTable) -> None:
    """A browser that has only the game's own cookie gets the other one with the game."""
    ann = local.person()
    game = ann.create("screen")["game"]
    ann.http.cookies.delete(f"sintra-seat-{game}")
    assert ann.post("/study", {"position": present(local, game)})
    assert isinstance(shown(ann, game), GameShown)
    both_refuse(ann, position=present(local, game))


def test_a_cookie_that_opens_nothing_tells_nothing(local: LocalTable) -> None:
    ann, eve = local.person(), local.person()
    game = ann.create("screen")["game"]
    eve.http.cookies.set(f"sintra-seat-{game}", 43 * "x", path="/api/study")
    assert eve.post("/study", {"position": present(local, game)})


def test_a_fingerprint_does_not_change_with_what_is_hidden() -> None:
    seen = set()
    for game in list(_copies(positions(8)))[::5]:
        for observer in (0, 1, 2):
            assert fingerprint(game.view(observer).sample(1).state) == fingerprint(game.state)
        seen.add(fingerprint(game.state))
    assert len(seen) > 15
