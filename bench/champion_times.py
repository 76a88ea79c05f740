"""How long the champion thinks about a move on this machine, and what its work costs:

    python bench/champion_times.py --minutes 5             whole games of the champion against itself
    python bench/champion_times.py --every 4 --minutes 5   every fourth decision of games of a quicker search

Times of moves that are searched: what the clock on the wall says, and the processor time of a core, which on a machine
with other work is nearer to what the champion needs alone. Then how this compares with what the champion counts
(`sintra.players.champion.work_of`), and the constants that would count best; a constant that the times do not support
comes out near 0. The reference, 1,000 simulations at the opening in one tree, tells how fast the machine was meanwhile.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from sintra import Game
from sintra.game.game import View
from sintra.players import player
from sintra.players.champion import TREES, ChampionPlayer, work_of
from sintra.players.search import Searcher

QUICK: Final = "search:sims=200"
"""The player between the decisions of the champion that are timed."""
REFERENCE: Final = 1000
COUNTED: Final = ("SIMULATION", "NODE", "CHOICE", "STEP")


@dataclass(frozen=True, slots=True)
class SearchTiming:
    """How long the search of one move took."""

    wall: float
    """Seconds on the wall."""
    core: float
    """Seconds of a core."""
    counted: float
    """The time that the counted work should take, in µs."""
    kinds: tuple[float, ...]
    """The counted work by kind (`COUNTED`)."""
    round: int
    """The round of the move."""


def reference(searcher: Searcher) -> float:
    """Milliseconds of processor time for the simulations of the reference."""
    game = Game.new(seed=1)
    began = time.thread_time()
    searcher.run(game.view(game.turn), 1)
    return 1000 * (time.thread_time() - began)


def positions(every: int, seed: int, champion: ChampionPlayer) -> Iterator[tuple[View, SearchTiming | None]]:
    """Plays games without end; yields the views in which the champion decided, with the timing of its search, if
    any."""
    while True:
        seed += 1
        game = Game.new(seed=seed)
        champion.new_game(seed)
        quick = player(QUICK)
        ply = 0
        while not game.is_over:
            view = game.view(game.turn)
            ply += 1
            if ply % every:
                game.push(quick.choose(view))
                continue
            for one in champion.searcher.trees:
                one.clear()
            wall, core = time.perf_counter(), time.process_time()
            move = champion.choose(view)
            wall, core = time.perf_counter() - wall, time.process_time() - core
            yield view, _timing_of(champion, wall, core / TREES, view.round)
            game.push(move if every == 1 else quick.choose(view))


def _timing_of(champion: ChampionPlayer, wall: float, core: float, round_no: int) -> SearchTiming | None:
    trees = champion.searcher.trees
    if not trees[0].head["simulations"][0]:
        return None
    kinds = [
        (*(float(one.head[0][name]) for name in ("simulations", "nodes", "edges")), float(one.work["steps"][0]))
        for one in trees
    ]
    counted = sum(map(work_of, trees)) / len(trees)
    means = tuple(sum(kind) / len(trees) for kind in zip(*kinds, strict=True))
    return SearchTiming(wall, core, counted, means, round_no)


def _row(name: str, values: Sequence[float], form: str = "{:8.3f}") -> str:
    parts = [form.format(value) for value in np.percentile(values, [50, 90, 99, 100])]
    return f"{name:<34}" + "".join(parts)


def report(timings: Sequence[SearchTiming], asked: int, references: Sequence[float]) -> str:
    """Prints all tables."""
    lines = [
        f"{asked} decisions, {len(timings)} searched; reference {np.median(references):.1f} ms of processor time "
        f"({min(references):.1f} to {max(references):.1f})",
        f"{'':<34}{'median':>8}{'90 %':>8}{'99 %':>8}{'longest':>8}",
    ]
    walls, cores = [one.wall for one in timings], [one.core for one in timings]
    lines.append(_row("seconds on the wall", walls))
    lines.append(_row("seconds of a core", cores))
    for number in range(1, 6):
        if of_round := [one.core for one in timings if one.round == number]:
            lines.append(_row(f"  in round {number} ({len(of_round)} moves)", of_round))
    lines.append(_row("simulations of a tree", [one.kinds[0] for one in timings], "{:8.0f}"))
    for what, times in (("on the wall", walls), ("of a core", cores)):
        above = sum(one > 0.5 for one in times) / len(times)
        lines.append(f"above 0.5 s {what}: {100 * above:.0f} % of the searched moves")
    ratios = [one.core * 1e6 / one.counted for one in timings if one.counted]
    lines.append(_row("measured, as a share of counted", ratios, "{:8.2f}"))
    kinds, measured = np.array([one.kinds for one in timings]), np.array(cores) * 1e6
    best, *_ = np.linalg.lstsq(kinds / measured[:, None], np.ones(len(measured)), rcond=None)
    lines.append(_row("  with the best constants", measured / np.maximum(kinds @ best, 1e-9), "{:8.2f}"))
    lines.append("the best constants: " + ", ".join(f"{n} {v:.2f}" for n, v in zip(COUNTED, best, strict=True)))
    return "\n".join(lines)


def main() -> None:
    """Plays until the time is up, and reports."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--minutes", type=float, default=3.0, metavar="M", help="how long (default 3)")
    parser.add_argument("--share", type=float, default=1.0, metavar="S", help="of the champion's budget (default 1)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask at every N-th decision only (default 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the games")
    options = parser.parse_args()
    champion = player(f"champion:share={options.share}")
    assert isinstance(champion, ChampionPlayer)
    searcher = Searcher(REFERENCE, 1)
    references = [reference(searcher), reference(searcher)][1:]
    end = time.monotonic() + 60 * options.minutes
    timings: list[SearchTiming] = []
    asked = 0
    for _, timing in positions(max(1, options.every), 1000 * options.seed, champion):
        asked += 1
        if timing:
            timings.append(timing)
            if len(timings) % 20 == 0:
                references.append(reference(searcher))
        if time.monotonic() > end:
            break
    print(report(timings, asked, references))


if __name__ == "__main__":
    main()
