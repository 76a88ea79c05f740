"""Puzzles at the table: questions without answers, tries of every kind, help for those who ask, and the day."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from typing import Any

import msgspec
import pytest

from helpers import some
from sintra.game.game import View
from sintra.game.legal import LegalMoves
from sintra.puzzles import KINDS, Kind, Puzzle, load, of_the_day
from sintra.puzzles.plans import plan_of
from sintra.puzzles.tilings import all_tilings, tiled_so_far
from sintra.records.steps import run_to_completion
from sintra.rules import engine
from sintra.table.http.security import Rate, Rates
from sintra.table.shown.messages import AskStudy
from sintra.table.shown.puzzle import about, explaining
from sintra.table.shown.study import following, showing
from sintra.tabletop.moves import path_of
from table.local_table import LocalTable, Person

BY_KIND = {kind: [one for one in load() if one.kind == kind] for kind in KINDS}


def first(kind: Kind) -> Puzzle:
    return BY_KIND[kind][0]


def tried(person: Person, puzzle: Puzzle, *moves: str, wants: str = "") -> dict[str, Any]:
    found: dict[str, Any] = person.post(f"/puzzles/{puzzle.id}/try", {"moves": list(moves), "help": wants})
    return found


def wrong_move(puzzle: Puzzle, *, named: bool) -> str:
    """A legal move of another plan than the answer's, among the named others or not."""
    right = {plan_of(move) for move in puzzle.view.legal_moves if str(move) in puzzle.answer}
    others = {plan for plan, _ in puzzle.others}
    fitting = [move for move in puzzle.view.legal_moves if plan_of(move) not in right]
    return str(next(move for move in fitting if (plan_of(move) in others) == named))


# --- the list and the questions -----------------------------------------------------------------


def test_everybody_gets_the_same_puzzle_of_a_day(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    listed = ann.get("/puzzles?day=2027-01-01")
    assert listed == ben.get("/puzzles?day=2027-01-01")
    assert listed["day"] == "2027-01-01"
    assert listed["of_the_day"] == of_the_day(date(2027, 1, 1)).id
    assert ann.get("/puzzles?day=2027-01-02")["of_the_day"] == of_the_day(date(2027, 1, 2)).id
    before = datetime.now(UTC).date().isoformat()
    assert before <= ann.get("/puzzles")["day"] <= datetime.now(UTC).date().isoformat()
    assert {one["id"]: (one["kind"], one["rating"], one["themes"]) for one in listed["puzzles"]} == {
        one.id: (one.kind, one.grade.rating, list(one.themes)) for one in load()
    }
    for day in ("tomorrow", "2027-02-30", ""):
        assert ann.refused("GET", f"/puzzles?day={day}") == (400, "malformed")


def test_a_question_has_nothing_of_its_answer(local: LocalTable) -> None:
    """Every field is one of these, all of which follow from the position and the grade. Themes say something of the
    answer, and are in the list alone, for who looks for them."""
    ann = local.person()
    assert {key for one in ann.get("/puzzles")["puzzles"] for key in one} == {"id", "kind", "rating", "themes"}
    for puzzle in (first(kind) for kind in KINDS):
        question = ann.get(f"/puzzles/{puzzle.id}")
        assert question.pop("counts_goals", False) == puzzle.counts_goals
        assert question == {
            "id": puzzle.id,
            "kind": puzzle.kind,
            "rating": puzzle.grade.rating,
            "seat": puzzle.seat,
            "round": puzzle.view.round,
            "position": puzzle.position,
        }
        begun = tried(ann, puzzle)
        assert begun.keys() <= {"outcome", "value", "reachable"}
        assert begun["outcome"] == "unfinished"


def test_the_study_of_a_tiling_promises_nothing() -> None:
    """Forecasts are exact: they would tell which chips to spend."""
    for puzzle in some(BY_KIND["tiling"][:5]):
        plain, usual = (json.loads(_shown(puzzle.position, plain)) for plain in (True, False))
        assert {one for one in _forecasts(plain)} == {None}
        assert None not in _forecasts(usual)
        assert plain["position"]["seat"] == puzzle.seat


def _shown(position: str, plain: bool) -> bytes:
    line = run_to_completion(following(AskStudy(position=position, plain=plain)))
    return msgspec.json.encode(run_to_completion(showing(line, plain=plain)).game)


def _forecasts(shown: Any) -> list[Any]:
    if isinstance(shown, list):
        return [one for part in shown for one in _forecasts(part)]
    if not isinstance(shown, dict):
        return []
    own = [shown["forecast"]] if "forecast" in shown else []
    return own + [one for part in shown.values() for one in _forecasts(part)]


def test_what_is_no_puzzle_is_refused(local: LocalTable) -> None:
    ann, puzzle = local.person(), first("win")
    assert ann.refused("GET", "/puzzles/000000000000") == (404, "no_puzzle")
    assert ann.refused("POST", "/puzzles/nonsense/try", {"moves": []}) == (404, "no_puzzle")
    path = f"/puzzles/{puzzle.id}/try"
    assert ann.refused("POST", path, {"moves": ["nonsense"]}) == (422, "bad_move")
    assert ann.refused("POST", path, {"moves": ["E"]}) == (422, "bad_move")
    assert ann.refused("POST", path, {"moves": [*puzzle.answer[:1], "E"]}) == (422, "bad_move")
    assert ann.refused("POST", path, {"moves": 61 * ["E"]}) == (400, "malformed")
    assert ann.refused("POST", path, {"help": "everything"}) == (400, "malformed")


def test_nobody_tries_without_end() -> None:
    with LocalTable(rates=Rates(puzzling=Rate(0.01, 2))) as local:
        ann = local.person()
        ann.get("/puzzles")
        ann.get("/puzzles")
        assert ann.refused("GET", "/puzzles") == (429, "too_many")


# --- tries --------------------------------------------------------------------------------------


def test_a_tiling_is_judged_at_its_end_and_as_soon_as_it_falls_short(local: LocalTable) -> None:
    ann, puzzle = local.person(), first("tiling")
    *moves, end = puzzle.answer
    for count in range(len(moves) + 1):
        found = tried(ann, puzzle, *moves[:count])
        assert (found["outcome"], found["reachable"]) == ("unfinished", puzzle.best)
        assert "best" not in found
        assert "explained" not in found
    right = tried(ann, puzzle, *moves, end)
    assert (right["outcome"], right["value"], right["best"]) == ("right", puzzle.best, puzzle.best)
    assert [one["token"] for one in right["explained"]["answer"]] == moves

    natural = puzzle.explanation.natural
    wrong = tried(ann, puzzle, *natural)
    assert wrong["outcome"] == "wrong"
    assert wrong["value"] == wrong["reachable"] == puzzle.explanation.natural_value < wrong["best"] == puzzle.best
    assert "explained" not in wrong
    short = next(
        found for k in range(len(natural)) if (found := tried(ann, puzzle, *natural[:k]))["outcome"] == "wrong"
    )
    assert short["reachable"] < short["best"] == puzzle.best
    assert "line" not in short
    assert ann.refused("POST", f"/puzzles/{puzzle.id}/try", {"moves": [*puzzle.answer, "E"]}) == (422, "bad_move")


def test_what_can_still_be_reached_is_what_trying_all_ways_finds() -> None:
    """The solver that judges tries under way is other code than the one that found the puzzles."""
    for puzzle in some(BY_KIND["tiling"][:6]):
        states, made = puzzle.view.state, list[str]()
        for token in puzzle.explanation.natural[:3]:
            engine.play(states, 0, path_of(LegalMoves(states).require(token), states, 0))
            made.append(token)
        booked = int(states["score"][0, puzzle.seat] - puzzle.view.state["score"][0, puzzle.seat])
        assert tiled_so_far(puzzle.view, made).reachable == booked + all_tilings(View(states, puzzle.seat))[0].points


@pytest.mark.parametrize("kind", ["win", "keep"])
def test_one_move_is_right_and_others_are_refuted(local: LocalTable, kind: Kind) -> None:
    ann, puzzle = local.person(), next(one for one in BY_KIND[kind] if one.explanation.refutation)
    right = tried(ann, puzzle, puzzle.answer[0])
    assert (right["outcome"], right["value"], right["best"]) == ("right", puzzle.best, puzzle.best)
    assert [one["token"] for one in right["explained"]["answer"]] == [puzzle.answer[0]]
    assert "line" not in right

    named = tried(ann, puzzle, wrong_move(puzzle, named=True))
    assert named["outcome"] == "wrong"
    assert named["value"] < named["best"] == puzzle.best
    assert not {"at_most", "nearly"} & named.keys()
    assert named["tried"]["telling"]["key"].startswith("log.")
    assert named["line"], "the computer says what it would play"
    assert "explained" not in named

    (natural,) = puzzle.explanation.natural
    thought = local.thinkers.asked
    refuted = tried(ann, puzzle, natural)
    assert [one["token"] for one in refuted["line"]] == list(puzzle.explanation.refutation)[: len(refuted["line"])]
    assert refuted["line"][0]["seat"] == 1 - puzzle.seat
    assert local.thinkers.asked == thought, "what the puzzle knows is not thought about again"


def test_a_wrong_move_that_nobody_looked_at_is_worth_no_more_than_the_next_best(local: LocalTable) -> None:
    ann = local.person()
    puzzle = next(one for one in BY_KIND["keep"] if one.choices > len(one.others) + 1)
    found = tried(ann, puzzle, wrong_move(puzzle, named=False))
    assert (found["outcome"], found["value"], found["at_most"]) == ("wrong", puzzle.second, True)
    orders = next(
        (one, str(move))
        for one in BY_KIND["win"]
        for move in one.view.legal_moves
        if str(move) not in one.answer and plan_of(move) in {right.partition(":")[0] for right in one.answer}
    )
    found = tried(ann, *orders)
    assert (found["outcome"], found["value"], found["at_most"], found["nearly"]) == ("wrong", -1, True, True)


# --- help ---------------------------------------------------------------------------------------


def test_hints_lead_through_a_tiling_until_it_falls_short(local: LocalTable) -> None:
    ann, puzzle = local.person(), BY_KIND["tiling"][1]
    made: list[str] = []
    while True:
        piece = tried(ann, puzzle, *made, wants="piece")["hint"]
        assert "token" not in piece
        move = tried(ann, puzzle, *made, wants="move")["hint"]
        assert piece["telling"]["key"].startswith("puzzle.hint.")
        made.append(move["token"])
        found = tried(ann, puzzle, *made)
        if found["outcome"] == "right":
            break
        assert found["outcome"] == "unfinished"
    assert made[-1] == "E"
    natural = puzzle.explanation.natural
    assert "hint" not in tried(ann, puzzle, *natural[:-1], wants="move")


@pytest.mark.parametrize("kind", ["win", "keep"])
def test_the_first_hint_is_a_piece_and_the_second_the_move(local: LocalTable, kind: Kind) -> None:
    ann, puzzle = local.person(), first(kind)
    piece = tried(ann, puzzle, wants="piece")
    assert piece["outcome"] == "unfinished"
    assert puzzle.answer[0] not in json.dumps(piece)
    assert not [place for place in piece["hint"]["places"] if place.startswith(("line", "slot", "broken"))]
    assert tried(ann, puzzle, wants="move")["hint"]["token"] == puzzle.answer[0]


def test_every_puzzle_has_a_hint_and_an_explanation_in_words() -> None:
    keys = set()
    for puzzle in load():
        hint = about(puzzle.view, puzzle.answer[0]).telling
        keys.add(hint.key)
        assert hint.args.get("color", "B") in tuple("BYRKT")
        told = run_to_completion(explaining(puzzle))
        assert len(told.answer) == (len(puzzle.answer) - 1 if puzzle.kind == "tiling" else 1)
        assert all(one.seat == puzzle.seat for one in told.answer)
        assert sum(told.sources.values()) == (puzzle.best if puzzle.kind == "tiling" else 0)
        assert (told.natural_value is None) == (not told.natural)
        assert told.natural_value is None or told.natural_value < told.best
    assert {"puzzle.hint.sun", "puzzle.hint.moon", "puzzle.hint.chip", "puzzle.hint.line"} <= keys


def test_the_solution_is_there_for_those_who_ask(local: LocalTable) -> None:
    ann = local.person()
    for puzzle in some(first(kind) for kind in KINDS):
        shown = tried(ann, puzzle, wants="solution")
        assert shown["outcome"] == "unfinished"
        assert shown["explained"]["best"] == puzzle.best
        assert shown["explained"]["answer"][0]["token"] == puzzle.answer[0]
