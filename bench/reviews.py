"""How good reviews are, measured on recorded games: what decisions give away player by player, whether luck is fair,
how often the evaluator changes its mind, and whether blame stands:

    python bench/reviews.py games.jsonl reviews.jsonl --minutes 30          the same command goes on where it stopped
    python bench/reviews.py games.jsonl cheap.jsonl --cheap --games 1000    at the budget for many games
    python bench/reviews.py games.jsonl reviews.jsonl --blame --minutes 30  and turns marked as mistakes once more, with
                                                                            ten times the budget
    python bench/reviews.py games.jsonl reviews.jsonl --minutes 0           only the tables of what was reviewed

Levels are held against their Elo on the ladder (`players/levels.py`); the square roots are those of
`review/strength.py`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from sintra.arena.stats import wilson
from sintra.errors import SintraError
from sintra.players.levels import LEVELS
from sintra.processes.worker import WorkerPool
from sintra.records.files import read_records
from sintra.records.record import Record
from sintra.review.judging import CHEAP, ReviewBudget
from sintra.review.report import marked
from sintra.review.reviewing import Reviewer, review
from sintra.tabletop.moves import Move

AGAIN: Final = 10
"""The factor on the budget with which blame is checked."""
MISTAKE: Final = 0.10
"""The cost from which on a turn is called a mistake, or worse."""
Summary = dict[str, Any]


def summary_of(text: str, number: int, budget: ReviewBudget, blame: bool) -> Summary:
    """What is kept of the review of a game: costs of all real decisions, the account, and the marked turns, each with
    what it costs by a look with ten times the budget, if that is asked for."""
    record = Record.loads(text)
    found = review(record, budget)
    deep = Reviewer(replace(budget, sims=AGAIN * budget.sims))
    mistakes = [turn for turn, _ in marked(found) if turn.cost >= MISTAKE]
    return {
        "game": number,
        "players": list(record.players),
        "start": found.start,
        "result": found.result,
        "skill": list(found.skill),
        "luck": found.luck,
        "noise": found.noise,
        "ending": found.ending,
        "costs": [[round(cost, 4) for cost in found.costs(seat)] for seat in range(2)],
        "mistakes": [
            [turn.ply, turn.cost, deep.cost(record.replay(turn.ply), Move.parse(turn.move)) if blame else None]
            for turn in mistakes
        ],
    }


def review_games(records: Sequence[Record], out: Path, budget: ReviewBudget, options: argparse.Namespace) -> None:
    """Reviews the missing games until the time is up; writes each to the file at once."""
    done = {one["game"] for one in read_summaries(out)}
    missing = [number for number in range(len(records)) if number not in done]
    end = time.monotonic() + 60 * options.minutes
    with WorkerPool(options.jobs) as pool, out.open("a", encoding="utf-8") as file:
        waiting: set[Future[Summary]] = set()
        while (missing and time.monotonic() < end) or waiting:
            while missing and len(waiting) < options.jobs and time.monotonic() < end:
                number = missing.pop(0)
                waiting.add(pool.submit(summary_of, records[number].dumps(), number, budget, options.blame))
            ready, waiting = wait(waiting, max(0.0, end - time.monotonic()), FIRST_COMPLETED)
            if not ready:
                print("time is up; the same command goes on")
                return
            for one in ready:
                file.write(json.dumps(one.result()) + "\n")
                file.flush()
            print(f"{len(records) - len(missing) - len(waiting)} of {len(records)} games", flush=True)


def read_summaries(path: Path) -> list[Summary]:
    """The summaries in a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def mean_of(numbers: Iterable[float]) -> tuple[float, float]:
    """A mean and the half of its 95 % interval."""
    found = np.array(list(numbers), float)
    return float(found.mean()), 1.96 * float(found.std(ddof=1)) / math.sqrt(len(found)) if len(found) > 1 else 0.0


def report(found: Sequence[Summary]) -> str:
    """Prints the tables."""
    rates: dict[str, list[float]] = {}
    roots: dict[str, list[float]] = {}
    for one in found:
        for name, costs in zip(one["players"], one["costs"], strict=True):
            rates.setdefault(name, []).extend(costs)
            roots.setdefault(name, []).append(math.sqrt(float(np.mean(costs))))
    lines = [
        f"{len(found)} games",
        "",
        "| player | decisions | given away with each, 95 % | square root of it by game: mean and standard deviation |",
        "|---|---|---|---|",
    ]
    for name in sorted(rates, key=lambda name: -mean_of(rates[name])[0]):
        mean, margin = mean_of(rates[name])
        sd = float(np.std(roots[name], ddof=1)) if len(roots[name]) > 1 else 0.0
        lines.append(
            f"| `{name}` | {len(rates[name])} | {100 * mean:.2f} ± {100 * margin:.2f} %"
            f" | {float(np.mean(roots[name])):.3f}, {sd:.3f} |"
        )
    lines += ["", "| of a game | mean, 95 % | mean size |", "|---|---|---|"]
    parts = {
        "luck": [sum(one["luck"].values()) for one in found],
        "noise": [one["noise"] for one in found],
        "skill of both": [sum(one["skill"]) for one in found],
        "skill of a seat": [sign * skill for one in found for sign, skill in zip((1, -1), one["skill"], strict=True)],
    }
    for name, numbers in parts.items():
        mean, margin = mean_of(numbers)
        size = float(np.mean(np.abs(numbers)))
        lines.append(f"| {name} | {100 * mean:+.1f} ± {100 * margin:.1f} % | {100 * size:.1f} % |")
    return "\n".join([*lines, *_against_the_ladder(rates), *_blame(found)])


def _against_the_ladder(rates: dict[str, list[float]]) -> list[str]:
    """How the error rates of levels depend on their Elo."""
    elo = {f"level:n={level.number}": level.elo for level in LEVELS}
    levels = [name for name in elo if name in rates]
    if len(levels) < 3:
        return []
    strength = np.array([elo[name] for name in levels], float)
    errors = np.array([math.log(max(mean_of(rates[name])[0], 1e-6)) for name in levels])
    ranks = np.corrcoef(strength.argsort().argsort(), errors.argsort().argsort())[0, 1]
    slope, at_zero = np.polyfit(errors, strength, 1)
    return [
        "",
        f"Levels: correlation of Elo and the logarithm of the error rate {np.corrcoef(strength, errors)[0, 1]:.3f}, of"
        f" their ranks {ranks:.3f}; Elo = {at_zero:.0f} {slope:+.0f} · ln(error rate)",
    ]


def _blame(found: Sequence[Summary]) -> list[str]:
    """The share of mistakes that remain mistakes with ten times the budget."""
    again = [deep for one in found for _, _, deep in one["mistakes"] if deep is not None]
    if not again:
        return []
    worse = sum(deep > 0 for deep in again)
    low, high = wilson(worse, len(again))
    return [
        "",
        f"Mistakes looked at again with {AGAIN} times the budget: {len(again)}, of which {worse} are worse there, too"
        f" ({100 * low:.1f} to {100 * high:.1f} %)",
    ]


def main() -> None:
    """Reviews and reports."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("file", type=Path, metavar="FILE", help="records of finished games, one a line")
    parser.add_argument("out", type=Path, metavar="OUT", help="where what is found is written, a line for each game")
    parser.add_argument("--games", type=int, metavar="N", help="the first N games only")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="only every K-th game of the file")
    parser.add_argument("--cheap", action="store_true", help="at the budget for many games")
    parser.add_argument("--sims", type=int, metavar="S", help="simulations of a look (default: those of the budget)")
    parser.add_argument("--blame", action="store_true", help="look at mistakes again with ten times the budget")
    parser.add_argument("--minutes", type=float, default=9.0, metavar="M", help="stop after so long (default 9)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="games at once")
    options = parser.parse_args()
    try:
        records = list(read_records(options.file))[:: options.every][: options.games]
        budget = CHEAP if options.cheap else ReviewBudget()
        if options.minutes > 0:
            review_games(records, options.out, replace(budget, sims=options.sims or budget.sims), options)
        found = read_summaries(options.out)
    except (SintraError, OSError, ValueError) as error:
        parser.error(str(error))
    print(report(found) if found else "nothing reviewed yet")


if __name__ == "__main__":
    main()
