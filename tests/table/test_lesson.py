"""The lesson: its tables can be played at, the right moves do what its texts say, and every other move is answered."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sintra import Game
from sintra.components import SPACE_LETTERS, Color
from sintra.rules.state import Source, Stage
from table.catalogues import texts
from table.lessons import STEPS, Step

NAMES = [step.name for step in STEPS]
SAID: dict[str, dict[str, dict[str, Any]]] = {
    "take": {
        "S1B2:YY": {"taken": 2, "broken": 0, "completes_line": True},
        "S1B1:YY": {"broken": 1},
        "S1B3:YY": {"broken": 0, "completes_line": False},
        "S1Bx:YY": {"broken": 2},
    },
    "place": {"T22": {"points": {Source.PLACEMENT: 1}}},
    "runs": {
        "T32": {"points": {Source.PLACEMENT: 5}},
        "T34": {"points": {Source.PLACEMENT: 2}},
        "T36": {"points": {Source.PLACEMENT: 1}},
    },
    "plate": {},
    "moon": {
        "MR3": {"taken": 3, "broken": 0, "completes_line": True, "takes_start_tile": True},
        "MT2": {"taken": 2},
        "MR2": {"broken": 1},
        "MR1": {"broken": 2},
        "MR4": {"completes_line": False},
        "MRx": {"broken": 3},
    },
    "order": {
        "S1B2:RY": {"completes_line": True, "to_moon": (Color.RED, Color.YELLOW)},
        "S1B2:YR": {"completes_line": True, "to_moon": (Color.YELLOW, Color.RED)},
    },
    "broken": {
        "S1Y4:K": {"taken": 3, "broken": 0},
        "S1Y6:K": {"taken": 3, "broken": 0},
        "S1Y1:K": {"broken": 2},
        "S1Y2:K": {"broken": 1},
        "S1Y3:K": {"broken": 1},
        "S1Y5:K": {"broken": 0},
        "S1Yx:K": {"broken": 3},
    },
    "chips": {},
    "special": {
        "T43": {"points": {Source.PLACEMENT: 2, Source.SPECIALS: 4}, "special": (4, 4)},
        "T45": {"points": {Source.PLACEMENT: 4}, "special": None},
    },
    "goals": {"T61": {"points": {Source.PLACEMENT: 6}}, "T65": {"points": {Source.PLACEMENT: 7}}},
}
"""What the texts say of moves."""

steps = pytest.mark.parametrize("step", STEPS, ids=NAMES)


def tokens(game: Game) -> list[str]:
    return [str(move) for move in game.legal_moves]


def right_ones(game: Game, pattern: str) -> list[str]:
    return [token for token in tokens(game) if re.fullmatch(pattern, token)]


def play(step: Step) -> Game:
    """The table after the right moves."""
    game = step.game()
    for pattern in step.moves:
        game.push(right_ones(game, pattern)[0])
    return game


@steps
def test_a_step_can_be_done_and_every_wrong_move_is_answered(step: Step) -> None:
    game = step.game()
    assert game.turn == 0, "the learner sits at the first board"
    keys = texts("en", "lesson").keys()
    assert {f"{step.name}.{part}" for part in ("title", "say", "do", "done")} <= keys
    for k, pattern in enumerate(step.moves):
        right, others = right_ones(game, pattern), set(tokens(game))
        assert right
        others -= set(right)
        if k == 0:
            for wrong, answer in step.wrong.items():
                assert any(re.fullmatch(wrong, token) for token in others), f"no move is like {wrong}"
                assert f"{step.name}.{answer}" in keys
        for token in others:
            assert f"{step.name}.{step.reply(token)}" in keys, f"{token} has no answer"
        game.push(right[0])


@steps
def test_moves_do_what_the_lesson_says(step: Step) -> None:
    game = step.game()
    for token, said in SAID[step.name].items():
        found = game.preview(token)
        assert {name: getattr(found, name) for name in said} == said, token


def test_every_key_is_of_a_step_or_of_the_lesson() -> None:
    wanted = {f"{step.name}.{answer}" for step in STEPS for answer in step.wrong.values()}
    wanted |= {f"{step.name}.{part}" for step in STEPS for part in ("title", "say", "do", "done", "no")}
    wanted |= {"step", "leave", "back", "skip", "next", "right", "no"}
    wanted |= {f"end.{part}" for part in ("title", "lead", "more", "first", "play")}
    assert texts("en", "lesson").keys() <= wanted
    assert len(set(NAMES)) == len(NAMES)


def named(name: str) -> Step:
    return STEPS[NAMES.index(name)]


def test_the_plate_gives_the_line_a_space() -> None:
    """Before, the line's tile has no space; every right way to lay the plate gives it one, and no wrong one does."""
    game = named("plate").game()
    lay = [token for token in tokens(game) if token.startswith("P")]
    right = set(right_ones(game, named("plate").moves[0]))
    assert {token for token in lay if shows_yellow(after(game, token))} == right
    assert not shows_yellow(game)


def after(game: Game, token: str) -> Game:
    there = game.copy()
    there.push(token)
    return there


def shows_yellow(game: Game) -> bool:
    """Whether row 4 of the learner's dome has a yellow or a wild space."""
    return any(shown in "YW" for shown in shown_in_row(game, 4))


def shown_in_row(game: Game, row: int) -> str:
    """What the spaces in a row of the learner's dome show, as letters."""
    return "".join(SPACE_LETTERS[space] for space in game.state["space"][0, 0, row - 1].tolist() if space >= 0)


def test_a_line_without_a_space_is_told_apart() -> None:
    game = named("broken").game()
    assert {row: "Y" in shown_in_row(game, row) or "W" in shown_in_row(game, row) for row in (4, 5, 6)} == {
        4: True,
        5: False,
        6: True,
    }


def test_chips_complete_the_line_and_its_tile_is_placed() -> None:
    game = play(named("chips"))
    assert game.state["dome"][0, 0, 4, 0] == Color.RED
    assert game.state["score"][0, 0] == named("chips").game().state["score"][0, 0] + 1
    assert game.stage is Stage.TILING


def test_the_goal_pays_for_the_column() -> None:
    """The step's column brings 7 points more than the other space would."""
    brought = {}
    for token in ("T61", "T65"):
        game = named("goals").game()
        game.push(token)
        while not game.is_over:
            game.push("E")
        brought[token] = int(game.state["tally"][0, 0, Source.GOALS])
    assert brought["T61"] - brought["T65"] == 7
