"""Positions whose tilings are as hard as they can be: full domes, lines that chips can complete, all chips unused."""

from __future__ import annotations

from random import Random
from typing import Final

from sintra.components import CHIP_COPIES, CHIPS, CHIPS_PER_ROUND, COLOR_LETTERS, LINES, PLATES, SLOT_NAMES

HARDEST: Final = """
round: 5; stage: tiling; start tile: 0; goals: rows columns diagonals
0 left: markers=0 chips=0; 1 left: markers=0 chips=0
0 lines: T1 R1 B2 T3 K4 R5
0 plates: 11=05r1 12=03r1 13=06r1 21=10r2 22=15r0 23=02r3 31=14r2 32=04r2 33=17r3
0 store: Y- TY TY B- K- R- BR KB RT RT
"""
"""With ten chips there are millions of ways to spend and to place."""
TOO_MANY_CHIPS: Final = HARDEST.replace("0 store: ", "0 store: B- Y- R- K- T- T- YK YK KB BR ")
"""All chips of the box in one store: more than a seat can take."""


def random_tiling(dice: Random, round_no: int = 5) -> str:
    """Somebody who never spent a chip, with a full dome and tiles on every line."""
    plates = dice.sample(PLATES, len(SLOT_NAMES))
    laid = " ".join(f"{slot}={plate.name}r{dice.randrange(4)}" for slot, plate in zip(SLOT_NAMES, plates, strict=True))
    colors = dice.sample(COLOR_LETTERS * 2, LINES)
    lines = [f"{color}{dice.randint(max(1, line - 1), line)}" for line, color in enumerate(colors, start=1)]
    chips = dice.sample([chip.face for chip in CHIPS] * CHIP_COPIES, CHIPS_PER_ROUND * round_no)
    return (
        f"round: {round_no}; stage: tiling; 0 left: markers=0 chips=0; 1 left: markers=0 chips=0; "
        f"0 plates: {laid}; 0 lines: {' '.join(lines)}; 0 store: {' '.join(chips)}"
    )
