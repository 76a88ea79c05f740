"""How long the champion thinks about a move on this machine, and what its work costs:

    python bench/champion_times.py --minutes 5             whole games of the champion against itself
    python bench/champion_times.py --every 4 --minutes 5   every fourth decision of games of a quicker search
    python bench/champion_times.py --every 8 --shares      what share of these searches each of their parts takes

Times of moves that are searched: what the clock on the wall says, and the processor time of a core, which on a machine
with other work is nearer to what the champion needs alone. Then how this compares with what the champion counts
(`sintra.players.champion.work_of`), and the constants that would count best; a constant that the times do not support
comes out near 0. The reference, 1,000 simulations at the opening in one tree, tells how fast the machine was meanwhile.

Shares come from searching again from the same view: with all tilings remembered, with three playouts for one, and walks
alone. They are ratios within one process, so that other work on the machine matters little. They are those of the
library that was compiled ahead, if there is one (`SINTRA_LIBRARY`).
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
from sintra.players.champion import EDGES_PER_NODE, TREES, ChampionPlayer, work_of
from sintra.players.search import Searcher
from sintra.players.thinking.batches import Leaves, gather
from sintra.players.thinking.tree import Tree, think
from sintra.rules.compiled import RUNNING

QUICK: Final = "search:sims=200"
"""The player between the decisions of the champion that are timed."""
REFERENCE: Final = 1000
COUNTED: Final = ("SIMULATION", "NODE", "CHOICE", "STEP")
PARTS: Final = ("tilings", "playouts", "walks down, each in a world of its own", "new positions and their priors")
"""What a search consists of."""
PLAYOUTS: Final = 3
"""How many playouts from a leaf show what one takes."""
WALKS: Final = 10
"""How often `LEAVES` walks are timed."""
LEAVES: Final = 100


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


class Parts:
    """What the parts of the champion's searches take."""

    def __init__(self, champion: ChampionPlayer) -> None:
        evaluator = champion.searcher.evaluator
        more = evaluator.with_network(evaluator.network)
        more.parameters["playouts"] = PLAYOUTS
        self._tree = champion.searcher.trees[0]
        room = champion.searcher.simulations // TREES
        self._more = Tree.with_room(room, more, EDGES_PER_NODE)
        self._leaves = Leaves.with_room(LEAVES)
        self.simulations = 0
        self.seconds = np.zeros(len(PARTS))

    def add(self, view: View, simulations: int) -> None:
        """Measures a search of one tree; a step of a tiling costs what is saved by those that are remembered."""
        for one in (self._tree, self._more):
            one.tilings.keys.clear()
        whole, steps = _search(self._tree, view, simulations)
        again, left = _search(self._tree, view, simulations)
        if left == steps:
            return
        step = (whole - again) / (steps - left)
        _search(self._more, view, simulations)
        more, more_left = _search(self._more, view, simulations)
        playouts = (more - again - step * (more_left - left)) / (PLAYOUTS - 1)
        _search(self._tree, view, simulations // 2)
        began = time.thread_time()
        for seed in range(WALKS):
            gather(self._tree, self._leaves, view.states, view.seat, seed)
        walks = (time.thread_time() - began) / (WALKS * LEAVES) * simulations
        self.simulations += simulations
        self.seconds += (step * steps, playouts, walks, whole - step * steps - playouts - walks)

    def report(self) -> str:
        """The table of shares."""
        whole = self.seconds.sum()
        lines = [f"{self.simulations:,} simulations, {RUNNING}{'':<12}{'share':>8}{'µs each':>9}"]
        for name, seconds in zip((*PARTS, "all"), (*self.seconds, whole), strict=True):
            lines.append(f"{name:<46}{100 * seconds / whole:>6.0f} %{1e6 * seconds / self.simulations:>9.2f}")
        return "\n".join(lines)


def _search(one: Tree, view: View, simulations: int) -> tuple[float, int]:
    """Seconds of a core for a search, and the steps of its tilings. It keeps what is remembered of tilings."""
    known = one.tilings.keys.tobytes()
    one.clear()
    one.tilings.keys.data[:] = known
    began = time.thread_time()
    think(one, view.states, view.seat, 1, simulations)
    return time.thread_time() - began, int(one.work.get("steps"))


def main() -> None:
    """Plays until the time is up, and reports."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--minutes", type=float, default=3.0, metavar="M", help="how long (default 3)")
    parser.add_argument("--share", type=float, default=1.0, metavar="S", help="of the champion's budget (default 1)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="ask at every N-th decision only (default 1)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the games")
    parser.add_argument("--shares", action="store_true", help="the shares of the parts of a search instead")
    options = parser.parse_args()
    champion = player(f"champion:share={options.share}")
    assert isinstance(champion, ChampionPlayer)
    searcher = Searcher(REFERENCE, 1)
    references = [reference(searcher), reference(searcher)][1:]
    end = time.monotonic() + 60 * options.minutes
    timings: list[SearchTiming] = []
    parts = Parts(champion) if options.shares else None
    asked = 0
    for view, timing in positions(max(1, options.every), 1000 * options.seed, champion):
        asked += 1
        if timing and parts:
            parts.add(view, int(timing.kinds[0]))
        elif timing:
            timings.append(timing)
            if len(timings) % 20 == 0:
                references.append(reference(searcher))
        if time.monotonic() > end:
            break
    print(parts.report() if parts else report(timings, asked, references))


if __name__ == "__main__":
    main()
