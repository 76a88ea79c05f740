"""Games between players, and their records."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any, Final

from sintra.arena.runtime_files import runtime_files_for
from sintra.cluster.pool import open_pool
from sintra.game.game import Game
from sintra.game.seeds import derive
from sintra.players import Player, player, require_turn
from sintra.players.visits import Watched
from sintra.records.record import Record

VISITS: Final = "visits"
"""The key of a record under which the visits of searches stand, if they were noted."""


def play_game(game: Game, seats: Sequence[Player], seed: int) -> Game:
    """Plays a game to its end; each player sees only the views of its seat."""
    for seat, one in enumerate(seats):
        one.new_game(derive(seed, "player", seat))
    while not game.is_over:
        view = game.view(game.turn)
        require_turn(view)
        game.push(seats[game.turn].choose(view))
    return game


@dataclass(frozen=True, slots=True)
class Series:
    """Games between two players, who change seats from game to game: all that decides how they go."""

    players: tuple[str, str]
    """The two players by name."""
    seed: int
    """The seed from which all games follow."""
    rules: dict[str, Any] | None = None
    """The rule options, as `Game.new` takes them."""
    goals: str | int | None = None
    """The goals, as `Game.new` takes them."""

    def pair(self) -> list[Player]:
        """Makes the two players."""
        return [player(name) for name in self.players]

    def play(self, index: int, pair: Sequence[Player], *, legal: bool = False, visits: bool = False) -> Record:
        """Plays one of the games; with `visits` its record says how often searches tried each choice."""
        seats = list(pair if index % 2 == 0 else pair[::-1])
        notes: list[list[int]] = []
        game = Game.new(seed=derive(self.seed, "game", index), goals=self.goals, rules=self.rules)
        watched = [Watched(one, notes) for one in seats] if visits else seats
        play_game(game, watched, derive(self.seed, "players", index))
        record = Record.of(game, [one.name for one in seats], legal=legal)
        return replace(record, extra={VISITS: notes}) if visits else record

    def records(
        self,
        games: int,
        *,
        skip: int = 0,
        jobs: int | None = 1,
        legal: bool = False,
        visits: bool = False,
        cluster: str | None = None,
    ) -> Iterator[Record]:
        """Plays the games in their order, without the first `skip`, `jobs` of them at once; with `cluster` on the Ray
        cluster of that address (None for `jobs`: as many at once as it has processors)."""
        pair = self.pair()
        if jobs == 1 and cluster is None:
            for index in range(skip, games):
                yield self.play(index, pair, legal=legal, visits=visits)
            return
        with open_pool(jobs, cluster, partial(runtime_files_for, self.players)) as working:
            ahead = (working.submit(_play, self, index, legal, visits) for index in range(skip, games))
            running = deque(islice(ahead, 2 * working.size))
            while running:
                yield running.popleft().result()
                running.extend(islice(ahead, 1))


@lru_cache(maxsize=1)
def _pair_of(players: tuple[str, str]) -> list[Player]:
    return [player(name) for name in players]


def _play(series: Series, index: int, legal: bool, visits: bool) -> Record:
    """Plays one game in a worker process, which keeps its players."""
    return series.play(index, _pair_of(series.players), legal=legal, visits=visits)


def selfplay(
    players: Sequence[str],
    games: int,
    seed: int,
    rules: dict[str, Any] | None = None,
    *,
    goals: str | int | None = None,
    legal: bool = False,
) -> Iterator[Record]:
    """Plays games between two players, who change seats from game to game, and yields their records."""
    first, second = players
    return Series((first, second), seed, rules, goals).records(games, legal=legal)
