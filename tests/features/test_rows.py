"""The rows of choices: named, few, and what they say of a choice."""

from __future__ import annotations

from random import Random

import numpy as np

from helpers import legal_choices, play_on
from sintra import Game
from sintra.features.rows import MAX_ROWS, NAMES, ROWS, rows_of
from sintra.rules import choices, engine
from sintra.rules.state import Stage, States


def rows(states: States, chosen: list[int]) -> list[set[str]]:
    """The names of each choice's rows."""
    out = np.full((len(chosen), MAX_ROWS), -1, np.int16)
    sizes = np.zeros(len(chosen), np.int64)
    rows_of(states, 0, np.array(chosen, np.int16), out, sizes)
    for row, size in zip(out, sizes, strict=True):
        assert (row[size:] == -1).all()
        assert size < MAX_ROWS
    return [{NAMES[k] for k in row[:size]} for row, size in zip(out, sizes, strict=True)]


def test_every_row_has_a_name_of_its_own() -> None:
    assert len(NAMES) == ROWS == len(set(NAMES))


def test_every_choice_of_a_draft_has_rows_and_no_other() -> None:
    """Also inside moves: plates that are turned, stacks."""
    stages = set()
    for game in play_on(Game.new(seed=8), "drawing", Random(2)):
        states = game.state
        while True:
            chosen = legal_choices(states)
            stage = Stage(states["stage"][0])
            drafts = stage not in (Stage.TILING, Stage.PAYING)
            assert [bool(one) for one in rows(states, chosen)] == [drafts] * len(chosen)
            stages.add(stage)
            if not chosen or stage not in (Stage.TURN, Stage.OPENING, Stage.KEEPING, Stage.STACKING):
                break
            before = states.copy()
            choose_on(states, Random(len(stages)).choice(chosen))
            if Stage(states["stage"][0]) not in (Stage.TURNING, Stage.STACKING):
                break
            assert before.tobytes() != states.tobytes()
    assert {Stage.OPENING, Stage.TURN, Stage.TURNING, Stage.STACKING, Stage.KEEPING, Stage.RETURNING} <= stages


def choose_on(states: States, choice: int) -> None:
    """Makes a choice in place."""
    assert engine.apply(states, 0, choice)


def test_a_take_says_what_it_does_to_its_line() -> None:
    board = "0 plates: 11=02r3; 0 lines: - T1 - - - -; 0 broken: B"
    game = Game.from_position(f"round: 2; stage: turn; turn: 0; {board}; factory 1: sun TTR moon - chip down")
    to_line, broken = rows(game.state, [choices.sun(0, 4, 1), choices.sun(0, 4, choices.BREAK)])
    assert {"take to 2 T", "taken to 2 2", "line lacks 2 0", "line was begun 2", "from small"} <= to_line
    assert {"over and broken 1 1", "full line's space 2 2", "leaves R 1", "turns over 1"} <= to_line
    assert {"take to broken T", "over and broken 2 1"} <= broken
    assert not any(name.startswith("line") for name in broken)
