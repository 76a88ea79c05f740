"""Whatever position is accepted, what follows from it can be written and read again."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import soak
from helpers import TASTES, played
from sintra import Game, PositionError, Stage
from sintra.components import CHIPS, COLOR_LETTERS, LINES, SLOT_NAMES
from sintra.records.record import Record

GAMES = soak.pick(12, 400)
EDITS = soak.pick(40, 100)
FACES = [chip.face for chip in CHIPS]


def edited(text: str, dice: Random) -> str:
    """A position text in which somebody has changed some values."""
    rows = dict(row.split(": ", 1) for row in text.splitlines())
    for _ in range(dice.randint(1, 4)):
        key, value = one_edit(rows, dice)
        rows[key] = value
    return "\n".join(f"{key}: {value}" for key, value in rows.items() if value)


def one_edit(rows: dict[str, str], dice: Random) -> tuple[str, str]:
    """Another value for one key."""
    seat, line = dice.randrange(2), dice.randrange(LINES)
    what = dice.randrange(13)
    if what == 0:
        return "round", str(dice.randint(1, 5))
    if what == 1:
        return dice.choice(["turn", "first"]), str(seat)
    if what == 2:
        return "start tile", dice.choice(["factory", "0", "1"])
    if what == 3:
        return "stage", dice.choice([stage.name.lower() for stage in Stage])
    if what == 4:
        return f"{seat} left", f"markers={dice.randint(0, 2)} chips={dice.randint(0, 2)}"
    if what == 5:
        return f"{seat} score", str(dice.choice([0, 1, 5, 990, 999]))
    if what == 6:
        return f"{seat} points", f"placement={dice.choice([-999, 0, 995])} broken=-999 draws=-999 goals=999"
    if what in (7, 8):
        lines = rows[f"{seat} lines"].split()
        size = dice.randint(0, line + 1)
        marked = dice.choice([f"{dice.choice(COLOR_LETTERS)}{size}!", "-", f"{dice.choice(COLOR_LETTERS)}{size or 1}"])
        lines[line] = f"{lines[line]}!" if dice.random() < 0.3 and lines[line][-1].isdigit() else marked
        rows.pop("bag", None)
        return f"{seat} lines", " ".join(lines)
    if what == 9:
        rows.pop("chips", None)
        chips = dice.sample(FACES * 2, dice.choice([0, 2, 4, 8, 10, 11, 20]))
        return f"{seat} {dice.choice(['store', 'spent'])}", " ".join(chips) or "-"
    if what == 10:
        pays = dice.choice(["", f" pays={line + 1} paid={dice.randint(0, 2)}"])
        return "tiling", f"next={dice.randint(1, LINES + 1)}{pays}"
    if what == 11:
        rows.pop("bag", None)
        return f"factory {line % 4 + 1}", f"sun - moon - chip {dice.choice(['up', 'gone'])}"
    rows.pop("bag", None)
    return f"{seat} broken", dice.choice(["-", "BYRK", "TT"])


@pytest.mark.soak
def test_what_follows_from_any_position_can_be_read() -> None:
    dice, followed = Random(27), Counter[Stage]()
    for seed in range(GAMES):
        record = Record.of(played(seed, dice.choice(sorted(TASTES))))
        texts = [game.position for game in record.positions() if not game.is_over]
        for _ in range(EDITS):
            try:
                game = Game.from_position(edited(dice.choice(texts), dice), seed=seed)
            except PositionError:
                continue
            for _ in range(12):
                if game.is_over:
                    break
                followed[game.stage] += 1
                game.push(dice.choice(game.legal_moves))
                assert Game.from_position(game.position).position == game.position
    assert set(followed) >= {Stage.TURN, Stage.TILING}
    assert followed.total() > 10 * GAMES


DONE = "round: 2; stage: tiling; turn: 1; first: 0; "
"""Seat 0 has ended its tiling."""


@pytest.mark.parametrize(
    "text",
    [
        f"{DONE}0 lines: - K1! - - - -",
        "round: 2; stage: tiling; turn: 0; first: 0; 1 lines: - K1! - - - -",
        "round: 2; stage: tiling; turn: 0; tiling: next=2; 0 lines: - K1! - - - -",
    ],
    ids=["it has ended", "it has not begun", "it is not there yet"],
)
def test_a_line_is_placed_only_where_the_tiling_has_come(text: str) -> None:
    with pytest.raises(PositionError, match=r"lines: line 2 is not placed.*R4\.2"):
        Game.from_position(text)


def test_a_line_that_was_placed_is_read() -> None:
    game = Game.from_position("round: 2; stage: tiling; turn: 0; tiling: next=3; 0 lines: - K1! - - - -")
    game.push("E")
    assert Game.from_position(game.position).position == game.position


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("round: 5; stage: tiling; 0 store: " + " ".join(FACES * 2), 10),
        ("round: 5; stage: tiling; 1 store: " + " ".join(FACES) + "; 1 spent: B-", 10),
        ("round: 1; stage: tiling; 0 store: B- Y- R-", 2),
        ("round: 2; factory 1: sun B moon - chip down; 0 store: B- Y- R-", 2),
        ("round: 2; factory 1: sun B moon - chip down; 0 left: chips=1; 0 spent: B- Y- R- K-", 3),
    ],
)
def test_a_seat_has_taken_two_chips_a_round_at_most(text: str, most: int) -> None:
    with pytest.raises(PositionError, match=rf"at most {most} chips so far.*R3\.4"):
        Game.from_position(text)


def test_a_seat_can_have_ten_chips() -> None:
    game = Game.from_position("round: 5; stage: tiling; 0 store: " + " ".join(FACES))
    assert len(game.board(0).chips) == 10


def test_a_dome_that_is_too_full_for_the_rounds_to_come_can_be_played_on() -> None:
    """Nobody has to take a plate for which no slot is free."""
    plates = " ".join(f"{slot}={k + 1:02}r0" for k, slot in enumerate(SLOT_NAMES[:8]))
    game = Game.from_position(f"round: 3; stage: tiling; turn: 1; first: 0; 0 plates: {plates}", seed=1)
    game.push("E")
    assert [game.board(seat).markers_left for seat in (0, 1)] == [1, 2]
    assert Game.from_position(game.position).position == game.position


def test_a_chip_that_nobody_can_take_goes_out_of_the_game() -> None:
    """Phase 1 ends, and R3.10 says that no chip is left then."""
    left = "0 left: markers=0 chips=0; 1 left: markers=0 chips=0"
    game = Game.from_position(f"round: 2; {left}; factory 1: sun - moon - chip up; factory 2: sun B moon - chip down")
    game.push("S2B1")
    assert game.stage is Stage.TILING
    assert Game.from_position(game.position).position == game.position
