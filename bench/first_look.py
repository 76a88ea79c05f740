"""How long a review's first turning points take: the first quick look at whole games, as a review page shows it.

    python bench/first_look.py                10 games of the levels 2 to 6, those of bench/tutor.py

Processor time is what the look takes on a quiet machine; code that is loaded or compiled is not counted.
"""

from __future__ import annotations

import argparse
import time

from sintra.review.sketch import sketching
from tutor import played


def main() -> None:
    """Measures and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10, metavar="N", help="how many games (default 10)")
    options = parser.parse_args()
    next(sketching(played(0)))
    taken = []
    for number in range(1, options.games + 1):
        record = played(number)
        began, began_cpu = time.perf_counter(), time.process_time()
        *_, last = sketching(record)
        taken.append(time.process_time() - began_cpu)
        print(
            f"game {number}: {len(record.moves)} moves, {len(last.turning)} turning points, {taken[-1]:.2f} s of the "
            f"processor, {time.perf_counter() - began:.2f} s in all",
            flush=True,
        )
    taken.sort()
    print(
        f"{len(taken)} games: {taken[len(taken) // 2]:.2f} s of the processor in the middle, {taken[-1]:.2f} s at most"
    )


if __name__ == "__main__":
    main()
