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

GAMES_PER_JOB: Final = 2
"""The games of a worker's job."""
GAMES_PER_FILE: Final = 64
"""The games whose notes are in one file."""
HELD_OUT_EVERY: Final = 12
"""One game of so many is held out of training, to measure what was really learned."""
FITTING_SHARE: Final = 0.08
"""The share of the minutes that is kept for fitting and trials."""
WARM_UP: Final = Budget(deep=MIN_VISITS, share=0.5, quick=4)
"""A budget of a game that calls all compiled functions and is over at once."""
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
    """The divergence of hand-made opinions from the search, on held-out games."""
    after: float
    """The divergence of the network from the search, on held-out games."""
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
        """`tell` is called with lines to print, `show` with the progress: what is being done, how much of it is done,
        and how much there is."""
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
        """Appends a line to the log of the run."""
        path = self.folder / "log.jsonl"
        was_cut = path.exists() and not path.read_bytes().endswith(b"\n")
        line = json.dumps({"what": what, "time": round(time.time(), 1), **notes})
        with path.open("a", encoding="utf-8") as file:
            file.write(("\n" if was_cut else "") + line + "\n")

    def entries(self, what: str) -> list[dict[str, Any]]:
        """The entries of one kind in the log, without lines that were cut off."""
        return read_entries(self.folder / "log.jsonl", what)

    def notes(self) -> Iterator[Path]:
        """All files of notes, in the order of their names."""
        return iter(sorted((self.folder / "notes").glob("*.npz")))

    # --- the loop -------------------------------------------------------------------------------

    def go_on(self, minutes: float) -> list[Learned]:
        """Iterates until the time is up; the next run goes on with an iteration that was begun."""
        end = time.monotonic() + 60 * minutes
        done = []
        if self.plan.kind == "deep":
            _require_fit_deep()
        self.tell("compiling what is not compiled yet")
        Noter(load_evaluator(policy=HAND), WARM_UP).play(1)
        while time.monotonic() < end - 60 * FITTING_SHARE * minutes:
            iteration = 1 + len(self.entries("iteration"))
            if not self.play(iteration, end - 60 * FITTING_SHARE * minutes):
                break
            done.append(self.improve(iteration))
        return done

    def play(self, iteration: int, end: float) -> bool:
        """Plays the games of an iteration that are missing; False if the time was up before all were played."""
        prefix = f"{iteration:04}-{os.uname().nodename if hasattr(os, 'uname') else 'here'}"
        have = sum(int(entry["games"]) for entry in self.entries("games") if entry["iteration"] == iteration)
        numbers = count(len(list((self.folder / "notes").glob(f"{prefix}-*.npz"))))
        unsaved: list[Notes] = []
        began, fresh = time.monotonic(), 0

        def save() -> None:
            nonlocal unsaved
            notes = Notes.together(unsaved)
            if len(notes.boards):
                notes.save(self.folder / "notes" / f"{prefix}-{next(numbers):05}.npz")
                self.log("games", iteration=iteration, games=len(notes.boards), decisions=len(notes.states))
            unsaved = []

        playing = f"iteration {iteration}: games"
        self.show(playing, have, self.plan.games)
        for notes in self._games(iteration, have, end):
            unsaved.append(notes)
            have += len(notes.boards)
            fresh += len(notes.boards)
            self.show(playing, have, self.plan.games)
            if sum(len(one.boards) for one in unsaved) >= GAMES_PER_FILE:
                save()
                rate = fresh / (time.monotonic() - began)
                self.tell(f"iteration {iteration}: {have} of {self.plan.games} games, {rate:.1f} a second")
        save()
        return have >= self.plan.games

    def _games(self, iteration: int, have: int, end: float) -> Iterator[Notes]:
        """Plays games of the best policy against itself with all workers; yields the notes of each job as it ends."""
        seeds = count()
        run = derive(self.plan.seed, "learn", iteration, time.time_ns())
        pack = partial(runtime_files_for, (), _paths(self.best, self.value))
        with open_pool(self.plan.jobs, self.plan.cluster, pack) as working:

            def submit() -> Future[Notes]:
                chunk = [derive(run, next(seeds)) >> 2 for _ in range(GAMES_PER_JOB)]
                return working.submit(play_noted, chunk, self.best, self.value, self.plan.budget)

            ahead = {submit() for _ in range(working.size + 2)}
            while have < self.plan.games and time.monotonic() < end:
                done, ahead = wait(ahead, timeout=max(0.0, end - time.monotonic()), return_when=FIRST_COMPLETED)
                for one in done:
                    yield one.result()
                    have += GAMES_PER_JOB
                    ahead.add(submit())

    def improve(self, iteration: int) -> Learned:
        """Learns a network and a value from all notes, tries each against the best one, and keeps the better.

        Whatever the targets are, divergence is measured on the deeply searched decisions of held-out games."""
        notes = Notes.together(map(Notes.load, self.notes()))
        if self.plan.budget.targets == DEEP:
            notes = notes.of(np.flatnonzero(notes.is_deep))
        is_held_out = notes.game % HELD_OUT_EVERY == 0
        training = Examples.of(notes.of(np.flatnonzero(~is_held_out)))
        held_out = Examples.of(notes.of(np.flatnonzero(is_held_out & notes.is_deep)))
        self.tell(f"iteration {iteration}: learning from {len(notes.states)} decisions of {len(notes.boards)} games")
        network, after = self._fit(training, held_out)
        path = self.folder / "networks" / f"{iteration:04}.npz"
        save_network(network, path, iteration=iteration, games=len(notes.boards), decisions=len(notes.states))
        by_hand = divergence(held_out, logits_of(held_out, np.zeros(network.array["row_bias"].shape[1]), _by_hand()))
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

    def _fit(self, examples: Examples, held_out: Examples) -> tuple[Array, float]:
        if self.plan.kind == "linear":
            network = fit_linear(examples)
            learned = network.array
            return network, divergence(held_out, logits_of(held_out, learned["row_bias"][0], learned["opinion"][0]))
        is_onward = self.plan.fit_from == BEST and self.best != HAND
        start = load_network(Path(self.best)) if is_onward else None
        fitted = _require_fit_deep()(examples, held_out, seed=self.plan.seed, tell=self.tell, start=start)
        self.log(
            "fitted",
            start=BEST if is_onward else NOTHING,
            aside=fitted.held_out,
            learned=fitted.training,
            epochs=fitted.epochs,
            seconds=fitted.seconds,
        )
        return fitted.network, fitted.held_out

    def _named(self, policy: str, value: str | None) -> str:
        """The player of trials with this policy and value, by its name."""
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


def _require_fit_deep() -> Callable[..., Any]:
    """`fit_deep`; `LearnError` if PyTorch is missing."""
    try:
        from sintra.learn.deep import fit_deep
    except ImportError:
        raise LearnError(
            "a network with a hidden layer needs PyTorch: pip install 'sintra[learn]', or learn with --kind linear"
        ) from None
    return fit_deep


def _by_hand() -> Array:
    """The weight of a hand-made opinion, by stage."""
    return np.full(STAGES, 1 / TEMPERATURE)


def _paths(policy: str, value: str | None) -> list[str]:
    """The paths among a policy and a value, which may be `hand` and None instead."""
    return [one for one in (policy, value) if one is not None and one != HAND]


@lru_cache(maxsize=1)
def _cached_noter(policy: str, value: str | None, written: tuple[int, ...], budget: Budget) -> Noter:
    return Noter(load_evaluator(value, policy), budget)


def play_noted(seeds: list[int], policy: str, value: str | None, budget: Budget) -> Notes:
    """Plays games with notes, in a worker, which keeps its searchers for the next job."""
    policy, value = local_copy(policy), local_copy(value)
    noter = _cached_noter(policy, value, tuple(Path(file).stat().st_mtime_ns for file in _paths(policy, value)), budget)
    return Notes.together([noter.play(seed) for seed in seeds])
