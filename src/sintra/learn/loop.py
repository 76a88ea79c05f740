"""Learning as one loop: play, learn, try, and again.

Everything is in one folder, so that a run can be stopped, killed and resumed, and the notes of several machines can be
put together by copying their files: `notes/` holds the notes of games, `networks/` a network for each iteration,
`trials/` the games that tried it, `best.npz` the one that plays, `log.jsonl` a line for everything that was done,
`curve.svg` a picture of it.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import asdict, dataclass, field
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np

from sintra.arena.match import Match, play_match
from sintra.arena.runtime_files import runtime_files_for
from sintra.arena.stats import wilson
from sintra.cluster.pool import open_pool
from sintra.errors import SintraError
from sintra.game.seeds import derive
from sintra.learn.curve import curve_svg, read_entries
from sintra.learn.examples import Examples
from sintra.learn.fitting import fit
from sintra.learn.linear import divergence, fit_linear, logits_of
from sintra.learn.notes import Notes
from sintra.learn.playing import DEEP, MIN_VISITS, Budget, Noter
from sintra.players.thinking.evaluator import HAND, TEMPERATURE, hand_made_evaluator, load_evaluator, standard_evaluator
from sintra.players.thinking.network import STAGES, load_network, save_network
from sintra.processes.sent_files import local_copy
from sintra.rules.state import Array

CHUNK: Final = 2
"""How many games a worker plays before it hands in its notes."""
FILE_GAMES: Final = 64
"""How many games have their notes in one file."""
ASIDE: Final = 12
"""One game of so many is set aside, to see what was really learned."""
PART: Final = 0.08
"""How much of the minutes is kept for learning and trying."""


TINY: Final = Budget(deep=MIN_VISITS, share=0.5, quick=4)
"""A budget that calls everything and takes no time."""


PACKAGED: Final = "packaged"
"""The network that comes with the package, as a start."""
NOTHING: Final = "nothing"
"""Each fit begins with random numbers."""
BEST: Final = "best"
"""Each fit begins with the network that plays."""


class LearnError(SintraError):
    """A run of learning that cannot go on as asked."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run does."""

    games: int = 2000
    """The games of an iteration."""
    budget: Budget = field(default_factory=Budget)
    """How these games are played."""
    trial_games: int = 200
    """The games that try a network against the one before."""
    trial_sims: int = 300
    """The simulations of a move in those games."""
    kind: str = "deep"
    """The kind of network: `deep` has a hidden layer and needs PyTorch, `linear` has none."""
    seed: int = 0
    """The seed of trials and of learning."""
    jobs: int | None = None
    """How many games are played at once; None for one on each processor."""
    start: str = PACKAGED
    """Who plays the first games: `packaged`, `hand` (opinions made by hand: a run from nothing), or the file of a
    network."""
    cluster: str | None = None
    """The address of the Ray cluster that plays; None for this machine."""
    fit_from: str = NOTHING
    """What each fit of a deep network begins with: `nothing`, or `best`, the network that plays."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What an iteration came to."""

    iteration: int
    """The number of the iteration, from 1."""
    games: int
    """The games played so far."""
    decisions: int
    """The decisions noted so far."""
    by_hand: float
    """The divergence of hand-made opinions from the search, on games set aside."""
    after: float
    """The divergence of the network from the search, on games set aside."""
    won: float
    """The games that the network won against the one before."""
    tried: int
    """The games of each trial."""
    accepted: bool
    """Whether the network was kept."""
    value_won: float
    """The games that the value won against the one before."""
    value_accepted: bool
    """Whether the value was kept."""


class Run:
    """A folder in which something is being learned."""

    def __init__(
        self,
        folder: Path,
        plan: Plan,
        tell: Callable[[str], None] = print,
        show: Callable[[str, int, int], None] = lambda what, done, of: None,
    ) -> None:
        """`tell` is called with lines to print, `show` with what is being done, how much of it, and of how much."""
        if plan.kind == "linear" and plan.fit_from != NOTHING:
            raise LearnError(
                "a linear network is always fitted from nothing: leave out --fit-from, or learn with --kind deep"
            )
        self.folder, self.plan, self.tell, self.show = folder, plan, tell, show
        try:
            for name in ("notes", "networks", "values", "trials"):
                (folder / name).mkdir(parents=True, exist_ok=True)
            if not (folder / "log.jsonl").exists():
                self._begin()
        except OSError as error:
            raise LearnError(f"cannot learn in {folder}: {error.strerror}") from None

    def _begin(self) -> None:
        """Copies the initial network into a new run folder."""
        start = self.plan.start
        if self.best == HAND and start != HAND:
            network = standard_evaluator().network if start == PACKAGED else load_network(Path(start))
            if network["is_there"][0]:
                save_network(network, self.folder / "best.npz")
        if self.value is None and start == HAND:
            hand_made_evaluator().save(self.folder / "best.json")
        self.log("start", start=start)

    # --- what has been done ---------------------------------------------------------------------

    @property
    def best(self) -> str:
        """The policy that plays: a file, or `hand` where nothing has been learned."""
        path = self.folder / "best.npz"
        return str(path) if path.exists() else HAND

    @property
    def value(self) -> str | None:
        """The file of the value that plays; None is the one of the package."""
        path = self.folder / "best.json"
        return str(path) if path.exists() else None

    def log(self, what: str, **notes: Any) -> None:
        """Writes down that something was done."""
        path = self.folder / "log.jsonl"
        was_cut = path.exists() and not path.read_bytes().endswith(b"\n")
        line = json.dumps({"what": what, "time": round(time.time(), 1), **notes})
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if was_cut else "") + line + "\n")

    def entries(self, what: str) -> list[dict[str, Any]]:
        """What the log says of one kind; a line that was cut off is nothing."""
        return read_entries(self.folder / "log.jsonl", what)

    def notes(self) -> Iterator[Path]:
        """All files of notes, in the order of their names."""
        return iter(sorted((self.folder / "notes").glob("*.npz")))

    # --- the loop -------------------------------------------------------------------------------

    def go_on(self, minutes: float) -> list[Learned]:
        """Iterates until the time is up; what was begun is finished by the next run."""
        end = time.monotonic() + 60 * minutes
        done = []
        if self.plan.kind == "deep":
            _deep_learner()
        self.tell("compiling what is not compiled yet")
        Noter(load_evaluator(policy=HAND), TINY).play(1)
        while time.monotonic() < end - 60 * PART * minutes:
            iteration = 1 + len(self.entries("iteration"))
            if not self.play(iteration, end - 60 * PART * minutes):
                break
            done.append(self.improve(iteration))
        return done

    def play(self, iteration: int, end: float) -> bool:
        """Plays the games of an iteration; False if the time was up before all were there."""
        mine = f"{iteration:04}-{os.uname().nodename if hasattr(os, 'uname') else 'here'}"
        have = sum(int(entry["games"]) for entry in self.entries("games") if entry["iteration"] == iteration)
        numbers = count(len(list((self.folder / "notes").glob(f"{mine}-*.npz"))))
        kept: list[Notes] = []
        began, fresh = time.monotonic(), 0

        def keep() -> None:
            nonlocal kept
            notes = Notes.together(kept)
            if len(notes.boards):
                notes.save(self.folder / "notes" / f"{mine}-{next(numbers):05}.npz")
                self.log("games", iteration=iteration, games=len(notes.boards), decisions=len(notes.states))
            kept = []

        playing = f"iteration {iteration}: games"
        self.show(playing, have, self.plan.games)
        for notes in self._games(iteration, have, end):
            kept.append(notes)
            have += len(notes.boards)
            fresh += len(notes.boards)
            self.show(playing, have, self.plan.games)
            if sum(len(one.boards) for one in kept) >= FILE_GAMES:
                keep()
                rate = fresh / (time.monotonic() - began)
                self.tell(f"iteration {iteration}: {have} of {self.plan.games} games, {rate:.1f} a second")
        keep()
        return have >= self.plan.games

    def _games(self, iteration: int, have: int, end: float) -> Iterator[Notes]:
        """Games of the best policy against itself, by all workers, as they come."""
        seeds = count()
        run = derive(self.plan.seed, "learn", iteration, time.time_ns())
        pack = partial(runtime_files_for, (), _files(self.best, self.value))
        with open_pool(self.plan.jobs, self.plan.cluster, pack) as working:

            def ask() -> Future[Notes]:
                chunk = [derive(run, next(seeds)) >> 2 for _ in range(CHUNK)]
                return working.submit(play_noted, chunk, self.best, self.value, self.plan.budget)

            ahead = {ask() for _ in range(working.size + 2)}
            while have < self.plan.games and time.monotonic() < end:
                done, ahead = wait(ahead, timeout=max(0.0, end - time.monotonic()), return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
                    have += CHUNK
                    ahead.add(ask())

    def improve(self, iteration: int) -> Learned:
        """Learns a network and a value from all notes, tries each against the best one, and keeps the better.

        Whatever the targets are, divergence is measured on the deeply searched decisions of the games set aside."""
        notes = Notes.together(map(Notes.load, self.notes()))
        if self.plan.budget.targets == DEEP:
            notes = notes.of(np.flatnonzero(notes.is_deep))
        is_aside = notes.game % ASIDE == 0
        learned_from = Examples.of(notes.of(np.flatnonzero(~is_aside)))
        aside = Examples.of(notes.of(np.flatnonzero(is_aside & notes.is_deep)))
        self.tell(f"iteration {iteration}: learning from {len(notes.states)} decisions of {len(notes.boards)} games")
        network, after = self._fit(learned_from, aside)
        path = self.folder / "networks" / f"{iteration:04}.npz"
        save_network(network, path, iteration=iteration, games=len(notes.boards), decisions=len(notes.states))
        by_hand = divergence(aside, logits_of(aside, np.zeros(network["row_bias"].shape[1]), _by_hand()))
        self.tell(f"iteration {iteration}: divergence {by_hand:.4f} by hand, {after:.4f} learned")
        won, accepted = self._better(f"{iteration:04}-network", path, "best.npz", self._named(str(path), self.value))
        path = self.folder / "values" / f"{iteration:04}.json"
        value = fit(notes.boards, tell=self.tell)
        if self.plan.kind == "deep":
            from sintra.learn.deep_value import fit_hidden

            value = fit_hidden(notes.boards, value, seed=self.plan.seed, tell=self.tell)
        value.save(path)
        value_won, value_accepted = self._better(
            f"{iteration:04}-value", path, "best.json", self._named(self.best, str(path))
        )
        found = Learned(
            iteration=iteration,
            games=len(notes.boards),
            decisions=len(notes.states),
            by_hand=by_hand,
            after=after,
            won=won,
            tried=self.plan.trial_games,
            accepted=accepted,
            value_won=value_won,
            value_accepted=value_accepted,
        )
        self.log("iteration", **asdict(found))
        (self.folder / "curve.svg").write_text(curve_svg(self.entries("iteration")), "utf-8")
        return found

    def _fit(self, examples: Examples, aside: Examples) -> tuple[Array, float]:
        if self.plan.kind == "linear":
            network = fit_linear(examples)
            return network, divergence(aside, logits_of(aside, network["row_bias"][0], network["opinion"][0]))
        is_onward = self.plan.fit_from == BEST and self.best != HAND
        start = load_network(Path(self.best)) if is_onward else None
        fitted = _deep_learner()(examples, aside, seed=self.plan.seed, tell=self.tell, start=start)
        self.log(
            "fitted",
            start=BEST if is_onward else NOTHING,
            aside=fitted.aside,
            learned=fitted.learned,
            epochs=fitted.epochs,
            seconds=fitted.seconds,
        )
        return fitted.network, fitted.aside

    def _named(self, policy: str, value: str | None) -> str:
        """A player for trials."""
        told = f",value={value}" if value else ""
        return f"search:sims={self.plan.trial_sims},nodes=0,policy={policy}{told}"

    def _better(self, trial: str, path: Path, best: str, name: str) -> tuple[float, bool]:
        """Tries what was learned against the best, which it replaces if it wins more games than it loses."""
        won, tried = self.try_out(trial, name, self._named(self.best, self.value))
        accepted = won > tried / 2
        if accepted:
            part = self.folder / "best.part"
            shutil.copyfile(path, part)
            part.replace(self.folder / best)
        low, high = wilson(won, tried)
        verdict = "plays from now on" if accepted else "is not kept"
        self.tell(f"{trial}: won {won:.0f} of {tried} ({100 * low:.0f} to {100 * high:.0f} %): {verdict}")
        return won, accepted

    def try_out(self, trial: str, name: str, best: str) -> tuple[float, int]:
        """How many games a player wins against the best one, and of how many."""
        match = Match((name, best), self.plan.trial_games, derive(self.plan.seed, "trial", trial) >> 32)
        play_match(
            match,
            jobs=self.plan.jobs or (None if self.plan.cluster else os.cpu_count() or 1),
            cluster=self.plan.cluster,
            out=self.folder / "trials" / f"{trial}.jsonl",
            on_game=lambda now: self.show(f"{trial}: trial", len(now.played), self.plan.trial_games),
        )
        return float(sum(one.won for one in match.played)), len(match.played)


def _deep_learner() -> Callable[..., Any]:
    """What learns a network with a hidden layer, if it can be had here."""
    try:
        from sintra.learn.deep import fit_deep
    except ImportError:
        raise LearnError(
            "a network with a hidden layer needs PyTorch: pip install 'sintra[learn]', or learn with --kind linear"
        ) from None
    return fit_deep


def _by_hand() -> Array:
    """What a point of opinion counts where it is made by hand."""
    return np.full(STAGES, 1 / TEMPERATURE)


def _files(policy: str, value: str | None) -> list[str]:
    """Those of the two that are files."""
    return [one for one in (policy, value) if one is not None and one != HAND]


@lru_cache(maxsize=1)
def _noter(policy: str, value: str | None, written: tuple[int, ...], budget: Budget) -> Noter:
    return Noter(load_evaluator(value, policy), budget)


def play_noted(seeds: list[int], policy: str, value: str | None, budget: Budget) -> Notes:
    """Some games with notes, in a worker, which keeps what it plays with."""
    policy, value = local_copy(policy), local_copy(value)
    noter = _noter(policy, value, tuple(Path(file).stat().st_mtime_ns for file in _files(policy, value)), budget)
    return Notes.together([noter.play(seed) for seed in seeds])
