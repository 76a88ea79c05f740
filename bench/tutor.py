"""Whether the tutor asks about the right moves, over games of levels that err: how many of the moves that a review then
marks as blunders it asks about, and how many of its questions are about moves that the review does not mark:

    python bench/tutor.py tutor.jsonl --games 100 --minutes 30        the same command goes on where it stopped
    python bench/tutor.py tutor.jsonl --minutes 0                     only the figures of what was played so far

The tutor judges each move as the table does before it is made: from the view of the seat to move. An evaluation depends
on the view alone, so the review and the tutor share those that both ask for.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from sintra.arena.stats import wilson
from sintra.errors import SintraError
from sintra.game.game import Game
from sintra.players import player
from sintra.processes.worker import WorkerPool
from sintra.records.record import Record
from sintra.review.judging import ReviewBudget
from sintra.review.report import mark_of
from sintra.review.reviewing import Reviewer
from sintra.table.service.help import WARNING_COST
from sintra.tabletop.moves import Move

PAIRS: Final = ((2, 3), (3, 4), (4, 5), (5, 6), (6, 2))
"""Which levels play each other, in turns."""
Summary = dict[str, Any]


def played(number: int) -> Record:
    """A game of two levels."""
    names = [f"level:n={level},seed={number}" for level in PAIRS[number % len(PAIRS)]]
    players = [player(name) for name in names]
    game = Game.new(seed=number)
    while not game.is_over:
        game.push(players[game.turn].choose(game.view(game.turn)))
    return Record.of(game, (names[0], names[1]))


def judged(number: int) -> Summary:
    """Every real decision of a game: what the review says it cost, its mark, and what the tutor would have said."""
    record = played(number)
    reviewer = Reviewer(ReviewBudget())
    turns = []
    positions = [game.copy() for game in record.positions()]
    for ply, (before, real) in enumerate(pairwise(positions)):
        if len(before.legal_moves) == 1:
            continue
        move = Move.parse(record.moves[ply])
        turn = reviewer.turn(ply, before, move, real)
        mark = mark_of(turn)
        cost = reviewer.cost(before.view(before.turn).sample(0), move)
        turns.append([ply, round(turn.cost, 4), mark.symbol if mark else "", round(cost, 4)])
    return {"game": number, "players": list(record.players), "turns": turns}


def play_games(out: Path, options: argparse.Namespace) -> None:
    """Plays and judges what is missing until the time is up, and writes each game down at once."""
    done = {one["game"] for one in read_summaries(out)}
    missing = [number for number in range(options.games) if number not in done]
    end = time.monotonic() + 60 * options.minutes
    with WorkerPool(options.jobs) as pool, out.open("a", encoding="utf-8") as file:
        waiting: set[Future[Summary]] = set()
        while (missing and time.monotonic() < end) or waiting:
            while missing and len(waiting) < options.jobs and time.monotonic() < end:
                waiting.add(pool.submit(judged, missing.pop(0)))
            ready, waiting = wait(waiting, max(0.0, end - time.monotonic()), FIRST_COMPLETED)
            if not ready:
                print("time is up; the same command goes on")
                return
            for one in ready:
                file.write(json.dumps(one.result()) + "\n")
                file.flush()


def read_summaries(path: Path) -> list[Summary]:
    """What was judged so far."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def report(found: Sequence[Summary], least: float = WARNING_COST) -> str:
    """The two figures, with their 95 % intervals."""
    turns = [turn for one in found for turn in one["turns"]]
    blunders = [turn for turn in turns if turn[2] == "??"]
    asked = [turn for turn in turns if turn[3] >= least]
    caught = sum(turn[3] >= least for turn in blunders)
    idle = sum(not turn[2] for turn in asked)
    return "\n".join(
        [
            f"{len(found)} games, {len(turns)} decisions, a question at a cost of {least}",
            f"blunders (??) that are asked about: {_part(caught, len(blunders))}",
            f"questions about moves without a mark: {_part(idle, len(asked))}",
        ]
    )


def _part(some: int, of: int) -> str:
    if not of:
        return "none"
    low, high = wilson(some, of)
    return f"{some} of {of}, {100 * some / of:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"


def main() -> None:
    """Plays, judges and reports."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("out", type=Path, metavar="OUT", help="where what is found is written, a line for each game")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="how many games (default 100)")
    parser.add_argument("--minutes", type=float, default=9.0, metavar="M", help="stop after so long (default 9)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="games at once")
    options = parser.parse_args()
    try:
        if options.minutes > 0:
            play_games(options.out, options)
        found = read_summaries(options.out)
    except (SintraError, OSError, ValueError) as error:
        parser.error(str(error))
    print(report(found) if found else "nothing judged yet")


if __name__ == "__main__":
    main()
