"""The decisions of games as rows of numbers, for training outside: what the seat that decided may know, the legal
choices, how often a search tried each, which one was played, and what came of it. docs/data.md has every column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from sintra.arena.selfplay import VISITS
from sintra.errors import SintraError
from sintra.features.observation import SIZE, observe_batch
from sintra.game.game import Game
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.choices import MAX_CHOICES, unpack
from sintra.rules.state import Array, States
from sintra.tabletop.moves import Move, path_of

WIN: Final = 1
"""The outcome of a decision in a game that its seat won."""
LOSS: Final = -1
"""The outcome in one that it lost."""


class DecisionsError(SintraError):
    """Decisions that cannot be made, written or read."""


COLUMNS: Final[dict[str, Any]] = {
    "game": np.int32,
    "ply": np.int16,
    "step": np.int8,
    "seat": np.int8,
    "player": np.int8,
    "choice": np.int16,
    "outcome": np.int8,
    "lead": np.int16,
}
"""The columns with one number in each row, and their types."""
LISTS: Final[dict[str, Any]] = {"choices": np.int16, "visits": np.int32}
"""The columns with a number for each legal choice, and their types."""


class Decisions(NamedTuple):
    """One row for each choice that was made."""

    observation: Array
    """All that the seat may know when it chooses."""
    first: Array
    """Where the choices of each row begin and, last, where all end."""
    choices: Array
    """The legal choices of all rows, one after the other."""
    visits: Array
    """How often the search tried each of them; 0 where nothing was searched."""
    game: Array
    """The number of the game."""
    ply: Array
    """The number of moves made before."""
    step: Array
    """The number of the choice within its move, from 0."""
    seat: Array
    """The seat that chooses."""
    player: Array
    """Which of the two named players that is."""
    choice: Array
    """The choice that was made."""
    outcome: Array
    """1 if the seat won, -1 if it lost."""
    lead: Array
    """The points by which the seat was ahead at the end."""

    @classmethod
    def none(cls) -> Decisions:
        """Decisions without rows."""
        lists = {name: np.zeros(0, kind) for name, kind in (LISTS | COLUMNS).items()}
        return cls(np.zeros((0, SIZE), np.uint8), np.zeros(1, np.int64), **lists)

    @classmethod
    def together(cls, parts: Iterable[Decisions]) -> Decisions:
        """The rows of all parts, in their order."""
        kept = [cls.none(), *parts]
        ends = np.cumsum([0, *(len(one.choices) for one in kept)])
        starts = [one.first[:-1] + end for one, end in zip(kept, ends[:-1], strict=True)]
        columns = {
            name: np.concatenate([getattr(one, name) for one in kept]) for name in cls._fields if name != "first"
        }
        return cls(first=np.concatenate([*starts, ends[-1:]]), **columns)


def decisions_of(record: Record, number: int = 0) -> Decisions:
    """The decisions of a finished game, which is replayed; `number` is its number. Visits are those that the record
    has, and 0 where nothing was searched."""
    if record.result is None:
        raise DecisionsError("the game is not finished: nobody knows what its decisions led to")
    states: list[States] = []
    rows: list[tuple[int, ...]] = []
    choices: list[int] = []
    visits: list[int] = []
    first = [0]
    scores = record.result.scores
    noted = iter(record.extra.get(VISITS) or ())
    for game, move in _moves(record):
        seat = game.turn
        player = seat if number % 2 == 0 else 1 - seat
        outcome = WIN if record.result.winner == seat else LOSS
        lead = scores[seat] - scores[1 - seat]
        for step, (now, choice) in enumerate(_choices(game, move)):
            legal = _legal(now)
            tried = next(noted, ()) or [0] * len(legal)
            if len(tried) != len(legal):
                raise DecisionsError(f"ply {game.ply} has {len(legal)} legal choices, but visits of {len(tried)}")
            states.append(now)
            choices += legal
            visits += tried
            first.append(len(choices))
            rows.append((number, game.ply, step, seat, player, choice, outcome, lead))
    table = np.array(rows, list(COLUMNS.items()))
    observation = np.empty((len(rows), SIZE), np.uint8)
    if rows:
        observe_batch(np.concatenate(states), table["seat"].astype(np.int64), observation)
    return Decisions(
        observation=observation,
        first=np.array(first, np.int64),
        choices=np.array(choices, LISTS["choices"]),
        visits=np.array(visits, LISTS["visits"]),
        **{name: np.ascontiguousarray(table[name]) for name in COLUMNS},
    )


def _moves(record: Record) -> Iterator[tuple[Game, Move]]:
    """The game before each of its moves, and the move."""
    for game in record.positions():
        if game.ply < len(record.moves):
            yield game, Move.parse(record.moves[game.ply])


def _choices(game: Game, move: Move) -> Iterator[tuple[States, int]]:
    """The choices that make a move, each with the state in which it is made."""
    now = game.state
    for choice in unpack(path_of(move, now, 0)):
        yield now.copy(), choice
        if not engine.apply(now, 0, choice):
            raise DecisionsError(f"ply {game.ply}: {move} is not legal")


def _legal(now: States) -> list[int]:
    """The legal choices of a state."""
    out = np.empty(MAX_CHOICES, np.int16)
    found: list[int] = out[: engine.legal(now, 0, out)].tolist()
    return found
