"""What friends can rely on: nobody is helped by the table while they play, however the question is disguised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace as changed

from helpers import TASTES
from sintra.components import CHIPS, COLOR_LETTERS, PLATES, SMALL_FACTORIES, SPECTATOR
from sintra.game.game import Game
from sintra.records.record import Record
from sintra.records.steps import run_to_completion
from sintra.rules.seats import with_seats_exchanged
from sintra.rules.state import Stage
from sintra.table.games.beginnings import dealt_anew, starting_at
from sintra.table.games.capabilities import hash_of
from sintra.table.games.fingerprints import fingerprint
from sintra.table.games.log import write_event
from sintra.table.games.room import Room
from sintra.table.games.storage import INVITATION, Stored
from sintra.table.service import service
from sintra.tabletop.moves import Place
from sintra.tabletop.ruleset import Rules
from table.local_table import LocalTable, Person, friends, shown
from table.test_clock import FIVE_AND_TEN, TimedTable, left
from table.test_undo import left_to_a_slow_computer

Disguise = Callable[[Record], Record]
EXCHANGED = str.maketrans("12", "21")


def ended(game: Game, players: tuple[str, str] = ("Eve", "Dan")) -> Record:
    """The record of a game, with an end that is made up."""
    other = Record.of(game).replay()
    other.resign(other.turn)
    return Record.of(other, players)


def taking(game: Game) -> str:
    """A move that takes tiles, or lays an opening plate."""
    return next(
        str(move) for move in game.legal_moves if str(move)[0] in ("P" if game.stage is Stage.OPENING else "SM")
    )


def as_it_is(record: Record) -> Record:
    return record


def letters_in_another_order(record: Record) -> Record:
    """Of one factory."""
    large, first, *others = record.tiles[0]
    assert first != first[::-1]
    return replace(record, tiles=((large, first[::-1], *others), *record.tiles[1:]))


def factories_exchanged(record: Record) -> Record:
    """The first two small ones, with their chips."""
    tiles = tuple((large, two, one, *others) for large, one, two, *others in record.tiles)
    faces = [record.chips[k : k + SMALL_FACTORIES] for k in range(0, len(record.chips), SMALL_FACTORIES)]
    chips = tuple(face for one, two, *others in faces for face in (two, one, *others))
    moves = tuple(
        move[0] + move[1].translate(EXCHANGED) + move[2:] if move[0] in "SC" else move for move in record.moves
    )
    return replace(record, tiles=tiles, chips=chips, moves=moves)


def seats_exchanged(record: Record) -> Record:
    assert record.result is not None
    result = replace(record.result, winner=1 - record.result.winner, scores=record.result.scores[::-1])
    return replace(record, first=1 - record.first, result=result)


def played_on(record: Record) -> Record:
    """With more moves after the present position."""
    game = replace(record, result=None).replay()
    for _ in range(3):
        game.push(game.legal_moves[-1])
    return ended(game)


def with_other_goals(record: Record) -> Record:
    rules = next(
        one for one in map(Rules, ("first-game", "colors, columns, corners")) if one.goals != record.rules.goals
    )
    return ended(replace(record, rules=rules, result=None).replay())


DISGUISES: list[Disguise] = [
    as_it_is,
    letters_in_another_order,
    factories_exchanged,
    seats_exchanged,
    played_on,
    with_other_goals,
]


def refuses(person: Person, record: Record) -> bool:
    """Whether a sound record is refused since its game goes on."""
    record.check()
    answer = person.ask("POST", "/api/reviews", json={"record": record.dumps()})
    assert answer.status_code == 200 or answer.json()["code"] == "no_review_yet", answer.text
    return answer.status_code == 409


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_running_game_is_not_reviewed_in_disguise(local: LocalTable, disguise: Disguise) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=9)
    record = disguise(ended(local.room(game).game))
    for person in (ann, ben, local.person()):
        assert refuses(person, record)
    assert local.review_worker.steps == 0
    ann.act(game, "resign")
    assert not refuses(ann, record)


def test_a_game_that_waits_for_the_friend_is_not_reviewed(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create("friend")["game"]
    record = ended(local.room(game).game)
    assert refuses(ann, record)
    ann.act(game, "cancel")
    assert not refuses(ann, record)


@pytest.mark.parametrize("disguise", DISGUISES)
def test_it_is_known_after_a_restart_though_nobody_has_looked_at_it(tmp_path: Path, disguise: Disguise) -> None:
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as local:
        game, ann, ben, _ = friends(local)
        local.play(game, {0: ann, 1: ben}, most=9)
        record = disguise(ended(local.room(game).game))
    with LocalTable(path) as local:
        assert not local.table.rooms.in_memory
        assert refuses(local.person(), record)


def test_a_game_that_goes_on_from_a_position_is_not_reviewed_either(local: LocalTable) -> None:
    """A record that comes to its present position, or to one that an undo leads back to; what led to its start can
    be."""
    ann, ben = local.person(), local.person()
    before = Game.new(seed=5)
    for _ in range(7):
        before.push(taking(before))
    asked = {"position": before.position, "mode": "friend", "names": ["Ann"]}
    made = ann.post("/study/play", asked)
    game = made["game"]
    ben.post(f"/games/{game}/enter", {"secret": made["links"]["friend"], "name": "Ben"})
    ann.act(game, "moves", token=taking(before))
    assert not refuses(ann, ended(before))
    whole = before.copy()
    whole.push(taking(before))
    present = ended(whole)
    assert refuses(ann, present)
    whole.push(taking(whole))
    assert refuses(ann, factories_exchanged(ended(whole)))
    ann.act(game, "resign")
    assert not refuses(ann, present)


def test_many_games_from_one_position_hide_none(local: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = local.person()
    start = Game.new(seed=5)
    for _ in range(7):
        start.push(taking(start))
    for _ in range(2):
        game = ann.post("/study/play", {"position": start.position, "mode": "screen", "names": ["Ann", "Ben"]})["game"]
        ann.act(game, "resign", seat=0)
    assert not refuses(ann, ended(start))
    monkeypatch.setattr(service, "_MAX_PLAYED_ON", 1)
    assert refuses(ann, ended(start))


def test_what_a_table_means_does_not_depend_on_how_it_is_written() -> None:
    """Fingerprints tell tables apart, but not disguises of one."""
    game = Game.new(seed=8)
    seen = set()
    for _ in range(60):
        seen.add(fingerprint(game.state))
        assert fingerprint(with_seats_exchanged(game.state)) == fingerprint(game.state)
        assert fingerprint(factories_exchanged(ended(game)).replay().state) == fingerprint(game.state)
        game.push(game.legal_moves[game.ply % len(game.legal_moves)])
    assert len(seen) > 40


def test_no_renaming_of_colours_leaves_the_same_game() -> None:
    """So a record in other colours is another game: no other names for the colours give the same plates and chips."""

    def pieces(colors: str) -> tuple[list[str], list[str]]:
        names = str.maketrans(COLOR_LETTERS, colors)
        faces = [[plate.turned(turns).translate(names) for turns in range(4)] for plate in PLATES]
        return sorted(map(min, faces)), sorted("".join(sorted(chip.face.translate(names))) for chip in CHIPS)

    same = [colors for colors in map("".join, permutations(COLOR_LETTERS)) if pieces(colors) == pieces(COLOR_LETTERS)]
    assert same == [COLOR_LETTERS]


# --- studies ------------------------------------------------------------------------------------


def test_a_position_with_its_factories_exchanged_is_the_same_position(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=5)
    room = local.room(game)
    now = room.now.view(room.now.turn).sample(1).position
    other = (
        now.replace("factory 1:", "factory x:").replace("factory 2:", "factory 1:").replace("factory x:", "factory 2:")
    )
    assert Game.from_position(other).state.tobytes() != Game.from_position(now).state.tobytes()
    for path in ("/study", "/study/advice"):
        assert ann.refused("POST", path, {"position": other}) == (409, "running_game")
    assert local.person().post("/study", {"position": other})


def test_nobody_studies_a_decision_that_they_can_still_undo(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    people, room = {0: ann, 1: ben}, local.room(game)
    seat = in_turn(local, game, people)
    before = {"position": room.frames[room.standing[-2]].view(seat).sample(1).position}
    assert people[seat].refused("POST", "/study/advice", before) == (409, "running_game")
    local.play(game, people, most=1)
    assert people[seat].post("/study/advice", before)


def test_who_plays_a_game_does_not_play_on_from_where_it_was(local: LocalTable) -> None:
    """With the moves that were made since, another game would come to the present position, and has hints."""
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=8)
    room = local.room(game)
    for ply in (0, 3, 8):
        position = room.frames[room.standing[ply]].view(0).sample(1).position
        asked = {"position": position, "names": ["Eve"]}
        assert ann.refused("POST", "/study/play", asked) == (409, "running_game")
        assert local.person().post("/study/play", asked)


# --- undoing against a friend -------------------------------------------------------------------


def in_turn(local: LocalTable, game: str, people: dict[int, Person]) -> int:
    """Lets people take tiles until a move can be undone; the seat that made it."""
    room = local.room(game)
    while not room.movers or not room.may_undo(room.movers[-1]):
        token = next(str(move) for move in room.game.legal_moves if str(move)[0] in "PSME")
        people[room.now.turn].act(game, "moves", token=token)
    return room.movers[-1]


def test_a_turn_is_taken_from_a_friend_once(local: LocalTable) -> None:
    """A mistake is undone; the move that is made again stands."""
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    room = local.room(game)
    for _ in range(3):
        seat = in_turn(local, game, people)
        again = str(room.game.moves[-1])
        assert room.now.turn != seat
        people[seat].act(game, "undo")
        people[seat].act(game, "moves", token=again)
        assert not shown(people[seat], game).may_undo
        assert people[seat].cannot(game, "undo") == (409, "undone_before")
        people[1 - seat].act(game, "moves", token=taking(room.game))
    assert Room(game, local.log(game)).frames == room.frames


def test_in_ones_own_turn_everything_can_be_undone_again(local: LocalTable) -> None:
    """A tiling can be tried as often as wanted: nobody waits to decide."""
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    room = local.room(game)
    while not any(isinstance(move, Place) for move in room.game.legal_moves):
        local.play(game, people, "uniform", most=1)
    seat = room.now.turn
    token = next(str(move) for move in room.game.legal_moves if isinstance(move, Place))
    for _ in range(3):
        people[seat].act(game, "moves", token=token)
        assert room.now.turn == seat
        people[seat].act(game, "undo")


def test_where_no_friend_waits_a_turn_can_be_undone_again(local: LocalTable) -> None:
    ann = local.person()
    screen = local.room(ann.create("screen")["game"])
    in_turn(local, screen.id, {0: ann, 1: ann})
    for room in (screen, left_to_a_slow_computer(local, ann)):
        token = str(room.game.moves[-1])
        for _ in range(3):
            ann.act(room.id, "undo")
            ann.act(room.id, "moves", token=token)


@pytest.mark.parametrize("how", ["undo", "take-back"])
def test_time_spent_on_a_position_that_is_taken_away_is_given_back(how: str) -> None:
    with TimedTable() as timed:
        game, ann, ben, _ = friends(timed, clock=FIVE_AND_TEN)
        people, room = {0: ann, 1: ben}, timed.room(game)
        timed.play(game, people, "uniform", most=4)
        seat = in_turn(timed, game, people)
        before = left(room)
        timed.pass_time(60)
        assert left(room)[1 - seat] == before[1 - seat] - 60
        people[seat].act(game, how)
        if how == "take-back":
            timed.pass_time(20)
            people[1 - seat].act(game, "take-back/answer", agree=True)
        assert room.now.turn == seat
        assert left(room) == before, "and who takes back gets nothing"
        timed.pass_time(7)
        before[seat] -= 7
        assert left(room) == before
        assert Room(game, timed.log(game)).frames == room.frames


# --- what the maker of a game knows -------------------------------------------------------------


def half_played(seed: int, plies: int, taste: str = "drawing") -> Game:
    game, dice = Game.new(seed=seed), Random(seed)
    for _ in range(plies):
        game.push(TASTES[taste](game, dice))
    return game


@pytest.mark.parametrize("seed", range(4))
def test_a_record_dealt_anew_looks_the_same_and_hides_other_things(seed: int) -> None:
    """To spectators, at every move."""
    others = 0
    for plies in range(0, 90, 9):
        game = half_played(seed, plies)
        old = Record.of(game)
        new = dealt_anew(old, game)
        for then, now in zip(old.positions(), new.positions(), strict=True):
            assert then.view(SPECTATOR) == now.view(SPECTATOR)
        assert now.turn == game.turn
        others += (new.plates, new.chips) != (old.plates, old.chips)
    assert others > 5


@pytest.mark.parametrize("start", ["record", "seed", "position"])
def test_nobody_knows_the_deal_of_a_game_against_a_friend(local: LocalTable, start: str) -> None:
    ann, ben = local.person(), local.person()
    before = half_played(6, 40)
    starts: dict[str, dict[str, Any]] = {
        "record": {"record": Record.of(before).dumps(), "ply": before.ply},
        "seed": {"seed": 6, "moves": [str(move) for move in before.moves[:6]]},
        "position": {"position": before.position},
    }
    asked = starts[start]
    piles = set()
    for _ in range(3):
        made = ann.post("/study/play", {"mode": "friend", "names": ["Ann"], **asked})
        game, secret = made["game"], made["links"]["friend"]
        invitation = ben.post(f"/games/{game}/enter", {"secret": secret})["invitation"]
        assert invitation["deal_known"] is False
        ben.post(f"/games/{game}/enter", {"secret": secret, "name": "Ben"})
        assert all(person.get(f"/games/{game}")["deal_known"] is False for person in (ann, ben))
        state = local.room(game).game.state[0]
        piles.add((state["pile"].tobytes(), state["chip_order"].tobytes()))
    known = before.state[0]
    piles.discard((known["pile"].tobytes(), known["chip_order"].tobytes()))
    assert len(piles) == 3
    if start != "position":
        local.play(game, {0: ann, 1: ben}, most=5)
        ann.act(game, "resign")
        Record.from_dict(ann.get(f"/games/{game}/record")).check()


def test_a_deal_that_may_be_known_is_told(local: LocalTable) -> None:
    """Alone, one goes on with the deal of a record; so did friends in logs that were written before."""
    ann, ben = local.person(), local.person()
    record = Record.of(half_played(6, 20))
    for mode in ("computer", "screen"):
        assert ann.get(f"/games/{ann.create(mode)['game']}")["deal_known"] is False
        asked = {"record": record.dumps(), "ply": 20, "mode": mode, "names": ["Ann", "Ben"][: 1 + (mode == "screen")]}
        game = ann.post("/study/play", asked)["game"]
        assert ann.get(f"/games/{game}")["deal_known"] is True
    made = ann.create("friend")
    old = local.room(made["game"])
    start = run_to_completion(starting_at(record.replay(), 0, against_friend=False))
    log = [Stored(0, None, old.now.at, write_event(changed(old.created, start=start)))]
    secrets = [(INVITATION, hash_of("i" * 43)), ("own", hash_of("o" * 43))]
    local.runner.run(local.table.storage.create("older", log, secrets))
    invitation = ben.post("/games/older/enter", {"secret": "i" * 43})["invitation"]
    assert invitation["deal_known"] is True
    ben.post("/games/older/enter", {"secret": "i" * 43, "name": "Ben"})
    told = ben.get("/games/older")
    assert told["deal_known"] is True
    assert told["log"][0]["telling"]["key"] == "log.played_on_known"
