"""Weights for a search with long plans, made from the packaged ones: special tiles, goals, and lines 5 and 6 seem worth
more to it than what games have shown.

    python bench/plans.py build/plans                               build/plans.json, a value, and build/plans.npz
    python bench/ladder.py plans.jsonl --also --games 400 --minutes 60 --players \\
        search:sims=600,value=build/plans.json,policy=build/plans.npz search:sims=600

In the value, special tiles count for more than they score, and so do plates that lack one or two tiles for theirs; the
goals in play weigh more, and so do tiles on lines 5 and 6. The network tries takes to these lines first. The last round
is played for what it really scores.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from sintra.components import ROUNDS
from sintra.features import board, rows
from sintra.players.thinking.evaluator import Evaluator, standard_evaluator
from sintra.players.thinking.network import save_network

LONG_LINES: Final = ("5", "6")
NEAR_SHARE: Final = 0.5
"""What a special plate with two of its three tiles counts, as a share of one with its special tile."""
BEGUN_SHARE: Final = 0.25
"""What one with one tile counts."""


def planner(specials: float, goals: float, lines: float, takes: float) -> Evaluator:
    """The packaged evaluator with other weights: special tiles count so many times their points more; goals weigh so
    many times as much; a full line 5 or 6 counts so many points more; and the weight of a take to these lines among the
    priors is e to the power of `takes` as large."""
    packaged = standard_evaluator()
    other = packaged.with_network(packaged.network.copy())
    other.parameters.put("special_tiles", specials)
    added = {"their rows, 2 of 3": NEAR_SHARE * specials, "their rows, 1 of 3": BEGUN_SHARE * specials}
    added |= {f"{block} {line}": lines for block in ("line ready", "line waits for a plate") for line in LONG_LINES}
    for k, name in enumerate(board.NAMES):
        for round_no in range(ROUNDS - 1):
            if name.startswith("goal "):
                other.weights[round_no, k] *= goals
            other.weights[round_no, k] += added.get(name, 0.0)
    row_bias = other.network.part("row_bias")
    for k, name in enumerate(rows.NAMES):
        if name.startswith(tuple(f"take to {line} " for line in LONG_LINES)):
            row_bias[k] += takes
    return other


def main() -> None:
    """Writes the two files."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("out", type=Path, metavar="PATH", help="the two files, without .json and .npz")
    parser.add_argument("--specials", type=float, default=4.0, metavar="TIMES", help="as much more (4)")
    parser.add_argument("--goals", type=float, default=2.0, metavar="TIMES", help="as much (2)")
    parser.add_argument("--lines", type=float, default=3.0, metavar="POINTS", help="more for a full line 5 or 6 (3)")
    parser.add_argument("--takes", type=float, default=1.0, metavar="LOGITS", help="more for takes to these lines (1)")
    options = parser.parse_args()
    made = planner(options.specials, options.goals, options.lines, options.takes)
    made.save(options.out.with_suffix(".json"))
    save_network(made.network, options.out.with_suffix(".npz"))


if __name__ == "__main__":
    main()
