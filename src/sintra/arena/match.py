"""Matches: every deal is played twice with swapped seats, on several cores, and can be resumed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from typing import Any, Final

from sintra.arena.profile import profile_of
from sintra.arena.runtime_files import runtime_files_for
from sintra.arena.selfplay import play_game
from sintra.arena.stats import sequential_test
from sintra.cluster.pool import ClusterPool, open_pool
from sintra.errors import SintraError
from sintra.game.game import Game, View
from sintra.game.seeds import derive
from sintra.players import Player, player
from sintra.players.base import Clock
from sintra.players.warm_up import warm_up
from sintra.processes.worker import WorkerPool
from sintra.protocol import EngineFaultError, EngineProgram, TimeLimits
from sintra.protocol.asking import engine_named, is_engine
from sintra.records.form import FORMAT
from sintra.records.record import Record
from sintra.tabletop.moves import Move

MAX_GAMES: Final = 1_000_000
"""How many games a pair of players can play in a match."""
_BEGINNING: Final = f'{{"format": "{FORMAT}"'
"""The beginning of every line in a file of a match."""


class MatchError(SintraError):
    """A match that cannot be played or resumed as asked."""


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play."""

    names: tuple[str, str]
    """The two players."""
    deal: int
    """The number of the deal."""
    swapped: bool
    """Whether the first-named player sits at seat 1."""
    seed: int
    """The seed of the match, from which the deal follows."""
    goals: str | int | None = None
    """The goals, as `Game.new` takes them."""
    limits: TimeLimits = field(default_factory=TimeLimits)
    """The time that engines have."""

    @property
    def key(self) -> dict[str, Any]:
        """What identifies the game, as its record holds it."""
        return {
            "players": list(self.names),
            "deal": self.deal,
            "swapped": self.swapped,
            "seed": self.seed,
            "goals": self.goals,
        }


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played, seen from its first-named player."""

    names: tuple[str, str]
    """The two players."""
    deal: int
    """The number of the deal."""
    swapped: bool
    """Whether the first-named player sat at seat 1."""
    won: bool
    """Whether the first-named player won."""
    scores: tuple[int, int]
    """The scores, in the order of the names."""
    profiles: tuple[dict[str, Any], dict[str, Any]]
    """How each played (`profile_of`), in the order of the names."""
    fault: str | None = None
    """What an engine did wrong, if it lost by that."""

    @property
    def loser(self) -> str:
        """The name of the player who lost."""
        return self.names[1 if self.won else 0]


@dataclass(slots=True)
class Match:
    """A round robin over some players, and what has been played of it so far."""

    players: tuple[str, ...]
    """The players by name; `engine:` and a command names a program that speaks the engine protocol."""
    games: int
    """How many games each pair plays."""
    seed: int
    """The seed from which all deals follow."""
    goals: str | int | None = None
    """The goals, as `Game.new` takes them."""
    played: list[Played] = field(default_factory=list)
    """The games that were played, in the order in which they finished."""
    limits: TimeLimits = field(default_factory=TimeLimits)
    """The time that engines have."""

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise MatchError("an arena needs at least two players")
        if len(set(self.players)) < len(self.players):
            raise MatchError("two players of an arena have the same name: give one another seed or budget")
        if self.games < 2 or self.games % 2:
            raise MatchError(f"{self.games} games: each deal is played twice, so give an even number")
        if self.games > MAX_GAMES:
            raise MatchError(f"{self.games} games: a match has {MAX_GAMES} at most")
        for name in self.players:
            _called(name, self.limits)
        Game.new(seed=0, goals=self.goals)

    def jobs(self, pairs: Sequence[tuple[str, str]] | None = None) -> Iterator[Job]:
        """All games, deal by deal; for every pair of players if none is named."""
        for deal in range(self.games // 2):
            for names in pairs or list(combinations(self.players, 2)):
                for swapped in (False, True):
                    yield Job(names, deal, swapped, self.seed, self.goals, self.limits)

    def wins(self) -> dict[tuple[str, str], int]:
        """How many games each player won against each other."""
        found: dict[tuple[str, str], int] = {}
        for one in self.played:
            winner, loser = one.names if one.won else one.names[::-1]
            found[winner, loser] = found.get((winner, loser), 0) + 1
        return found

    def pair_scores(self, names: tuple[str, str]) -> list[float]:
        """For each deal played twice, the share the first player won, in the order of the deals."""
        found: dict[int, list[bool]] = {}
        for one in self.played:
            if one.names == names:
                found.setdefault(one.deal, []).append(one.won)
        return [sum(both) / 2 for _, both in sorted(found.items()) if len(both) == 2]


def _called(name: str, limits: TimeLimits) -> Player:
    """Makes the player of a name."""
    return engine_named(name, limits) if is_engine(name) else player(name)


class _Timed:
    """A player whose thinking time is measured."""

    def __init__(self, inner: Player) -> None:
        self.name = inner.name
        self.inner = inner
        self.seconds = 0.0
        self.moves = 0

    def new_game(self, seed: int) -> None:
        self.inner.new_game(seed)

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        began = time.perf_counter()
        move = self.inner.choose(view, clock)
        self.seconds += time.perf_counter() - began
        self.moves += 1
        return move


_players: dict[str, Player] = {}


def play_job(job: Job) -> str:
    """Plays one game and returns its record, with the match's notes in `arena`."""
    for name in job.names:
        if name not in _players:
            _players[name] = _called(name, job.limits)
            if not is_engine(name):
                warm_up(_players[name])
    order = job.names[::-1] if job.swapped else job.names
    seats = [_Timed(_players[name]) for name in order]
    deal_seed = derive(job.seed, "deal", job.deal)
    game = Game.new(seed=deal_seed, goals=job.goals)
    fault: dict[str, str] = {}
    try:
        play_game(game, seats, deal_seed)
    except EngineFaultError as error:
        loser = next(seat for seat, one in enumerate(seats) if one.inner is error.program)
        game.end_early(1 - loser, "timeout" if error.is_timeout else "resigned")
        fault = {"fault": error.reason}
    record = Record.of(game, order).to_dict()
    notes = job.key | {
        "profiles": [profile_of(game, seat) for seat in range(2)],
        "seconds": [round(one.seconds, 4) for one in seats],
        "decisions": [one.moves for one in seats],
    }
    return json.dumps(record | {"arena": notes | fault})


def dismiss_engines() -> None:
    """Ends the programs that play in this process."""
    for name in [name for name in _players if is_engine(name)]:
        one = _players.pop(name)
        assert isinstance(one, EngineProgram)
        one.close()


def _try_engines(match: Match) -> None:
    """Starts every program once: one that cannot play at all is a mistake of whoever named it, and loses no game."""
    for name in filter(is_engine, match.players):
        with engine_named(name, match.limits) as one:
            try:
                one.start()
            except EngineFaultError as fault:
                raise MatchError(f"the program of {name} cannot be used: it {fault.reason}") from None


def read_played(data: dict[str, Any]) -> Played:
    """A game of the match from its record."""
    notes = data["arena"]
    order = (1, 0) if notes["swapped"] else (0, 1)
    scores = data["result"]["scores"]
    profiles = [
        profile | {"seconds": notes["seconds"][seat], "decisions": notes["decisions"][seat]}
        for seat, profile in enumerate(notes["profiles"])
    ]
    return Played(
        names=(notes["players"][0], notes["players"][1]),
        deal=notes["deal"],
        swapped=notes["swapped"],
        won=data["result"]["winner"] == order[0],
        scores=(scores[order[0]], scores[order[1]]),
        profiles=(profiles[order[0]], profiles[order[1]]),
        fault=notes.get("fault"),
    )


def _resume(match: Match, path: Path) -> set[tuple[Any, ...]]:
    """Takes over the games that stand in a file; a line cut off at the end is dropped."""
    done: set[tuple[Any, ...]] = set()
    if not path.exists():
        return done
    try:
        lines = path.read_bytes().decode("utf-8").splitlines(keepends=True)
    except OSError as error:
        raise MatchError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise MatchError(f"{path}: these are no games of an arena; give another --out") from None
    cut = lines.pop() if lines and not lines[-1].endswith("\n") else ""
    if not lines and not _BEGINNING.startswith(cut[: len(_BEGINNING)]):
        raise MatchError(f"{path}: these are no games of an arena; give another --out")
    wanted = {(job.names, job.deal, job.swapped) for job in match.jobs()}
    for number, line in enumerate(lines, start=1):
        try:
            data = json.loads(line)
            played = read_played(data)
            seed, goals = data["arena"]["seed"], data["arena"]["goals"]
            key = (played.names, played.deal, played.swapped)
            hash(key)
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            raise MatchError(f"{path}, line {number}: this is no game of an arena; give another --out") from None
        if seed != match.seed:
            raise MatchError(f"{path}, line {number}: it was played with --seed {seed}; give another --out")
        if goals != match.goals:
            raise MatchError(f"{path}, line {number}: it was played with --goals {goals}; give another --out")
        if key in wanted and key not in done:
            done.add(key)
            match.played.append(played)
    if cut:
        path.write_text("".join(lines), "utf-8")
    return done


def play_match(
    match: Match,
    *,
    jobs: int | None = 1,
    cluster: str | None = None,
    out: str | Path | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    sprt: tuple[float, float] | None = None,
    on_game: Callable[[Match], None] | None = None,
) -> Match:
    """Plays what is missing of a match. Each finished game is written to `out` at once, so that the
    match can be stopped and resumed. With `sprt` it ends when the test has decided. With `cluster` the games
    are played on the Ray cluster of that address (None for `jobs`: as many at once as it has processors)."""
    path = Path(out) if out else None
    done = _resume(match, path) if path else set()
    ahead = [job for job in match.jobs(pairs) if (job.names, job.deal, job.swapped) not in done]
    if ahead:
        _try_engines(match)
    try:
        file = path.open("a", encoding="utf-8") if path else None
    except OSError as error:
        raise MatchError(f"cannot write {path}: {error.strerror}") from None
    try:
        is_alone = not ahead or (jobs == 1 and cluster is None)
        working = None if is_alone else partial(open_pool, jobs, cluster, partial(runtime_files_for, match.players))
        with closing(_results(iter(ahead), working, lambda: _decided(match, sprt))) as lines:
            for line in lines:
                if file:
                    file.write(line + "\n")
                    file.flush()
                match.played.append(read_played(json.loads(line)))
                if on_game:
                    on_game(match)
    finally:
        dismiss_engines()
        if file:
            file.close()
    return match


def _decided(match: Match, sprt: tuple[float, float] | None) -> bool:
    if sprt is None:
        return False
    names = (match.players[0], match.players[1])
    return sequential_test(match.pair_scores(names), *sprt).decision != "open"


def _results(
    ahead: Iterator[Job], begin: Callable[[], WorkerPool | ClusterPool] | None, decided: Callable[[], bool]
) -> Generator[str, None, None]:
    """Plays the games, here or by a pool, in the order in which they finish; stops when a test has decided."""
    if begin is None:
        for job in ahead:
            if decided():
                return
            yield play_job(job)
        return
    with begin() as working:
        running = {working.submit(play_job, job) for job in islice(ahead, 2 * working.size)}
        while running:
            finished = next(as_completed(running))
            running.remove(finished)
            yield finished.result()
            if decided():
                return
            running |= {working.submit(play_job, job) for job in islice(ahead, 1)}
