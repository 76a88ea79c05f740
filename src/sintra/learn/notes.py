"""What is kept of games for learning: the decisions that were searched, and the boards after each round.

A file of notes (`.npz`) holds, for some games: `states`, the views in which the decisions were made (the bytes of
records of `rules.state.STATE`; files with those of 0.1.0 are read, too); `first`, where the choices of each decision
begin in `choices` and `visits` (and, last, where they end); `choices`, numbers of legal choices, and `visits`, how
often the search tried each; `game`, to which game of the file each decision belongs; `is_deep`, whether it was searched
deeply (files without it hold deeply searched decisions alone, and versions that do not know it read the others as if
they were); and for each game a record of `fitting.SAMPLE` in `boards`, with `sources`, the points that each seat made
by source. `version` is the version of the features that were there when the games were played: notes of any version can
be learned from, since features are made anew from the views.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from sintra.errors import SintraError
from sintra.features.inputs import VERSION
from sintra.learn.arrays import read_arrays, require_column, require_starts
from sintra.learn.fitting import SAMPLE
from sintra.rules.choices import CHOICES
from sintra.rules.limits import field_out_of_limits
from sintra.rules.older_layout import OLDER_SIZE, without_older_parts
from sintra.rules.state import STATE, Array, Source

FORMAT: Final = 1


class NotesError(SintraError):
    """A file of notes that cannot be read."""


class Notes(NamedTuple):
    """The decisions and boards of some games."""

    states: Array
    """The views in which the decisions were made."""
    first: Array
    """Where the choices of each decision begin and, last, where all end."""
    choices: Array
    """The legal choices of all decisions, one after the other."""
    visits: Array
    """How often the search tried each of them."""
    game: Array
    """The game to which each decision belongs."""
    boards: Array
    """The boards of each game after its rounds (`fitting.SAMPLE`)."""
    sources: Array
    """The points that each seat made in each game, by source."""
    is_deep: Array
    """Whether each decision was searched deeply."""

    @classmethod
    def empty(cls) -> Notes:
        """The notes of no games."""
        return cls(
            states=np.zeros(0, STATE),
            first=np.zeros(1, np.int64),
            choices=np.zeros(0, np.int16),
            visits=np.zeros(0, np.int32),
            game=np.zeros(0, np.int32),
            boards=np.zeros(0, SAMPLE),
            sources=np.zeros((0, 2, len(Source)), np.int16),
            is_deep=np.zeros(0, np.bool_),
        )

    @classmethod
    def together(cls, parts: Iterable[Notes]) -> Notes:
        """The notes of all parts, in their order."""
        kept = [one for one in parts if len(one.boards)] or [cls.empty()]
        ends = np.cumsum([0, *(len(one.choices) for one in kept)])
        games = np.cumsum([0, *(len(one.boards) for one in kept)])
        starts = [one.first[:-1] + end for one, end in zip(kept, ends, strict=False)]
        game = np.concatenate([one.game + before for one, before in zip(kept, games, strict=False)]).astype(np.int32)
        joined = cls(*map(np.concatenate, zip(*kept, strict=True)))
        return joined._replace(first=np.concatenate([*starts, ends[-1:]]), game=game)

    def of(self, decisions: Sequence[int] | Array) -> Notes:
        """Some of the decisions, with the boards of all games."""
        chosen = np.asarray(decisions, np.int64)
        sizes = self.first[chosen + 1] - self.first[chosen]
        first = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(self.first[chosen] - first[:-1], sizes) + np.arange(first[-1])
        return self._replace(
            states=self.states[chosen],
            first=first,
            choices=self.choices[places],
            visits=self.visits[places],
            game=self.game[chosen],
            is_deep=self.is_deep[chosen],
        )

    def save(self, path: Path) -> None:
        """Writes the notes; a reader finds all of them or none."""
        arrays = self._asdict() | {"states": self.states.view(np.uint8).reshape(len(self.states), STATE.itemsize)}
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez_compressed(file, format=FORMAT, version=VERSION, **arrays)
        part.replace(path)

    @classmethod
    def load(cls, path: Path) -> Notes:
        """The notes in a file."""
        try:
            with path.open("rb") as file:
                arrays = read_arrays(file, *cls._fields[:-1], optional=("is_deep",))
            arrays.setdefault("is_deep", np.ones(len(arrays["states"]), np.bool_))
            data = arrays["states"]
            if data.dtype == np.uint8 and data.ndim == 2 and data.shape[1] == OLDER_SIZE:
                data = without_older_parts(data)
            if data.dtype != np.uint8 or data.ndim != 2 or data.shape[1] != STATE.itemsize:
                raise ValueError("its views are those of another version of Sintra")
            found = cls(**arrays | {"states": np.ascontiguousarray(data).view(STATE).reshape(-1)})
            found._check()
        except (OSError, ValueError) as error:
            raise NotesError(f"cannot read notes from {path}: {error}") from None
        return found

    def _check(self) -> None:
        """Raises `ValueError` for arrays that do not go together, and for numbers out of range."""
        decisions, choices, games = len(self.states), self.choices.size, self.boards.size
        require_starts("first", self.first, decisions, choices)
        require_column("choices", self.choices, np.int16, choices)
        require_column("visits", self.visits, np.int32, choices)
        require_column("game", self.game, np.int32, decisions)
        require_column("is_deep", self.is_deep, np.bool_, decisions)
        require_column("boards", self.boards, SAMPLE, games)
        require_column("sources", self.sources, np.int16, games, 2, len(Source))
        for name, low, high in (("choices", 0, CHOICES), ("visits", 0, None), ("game", 0, games)):
            values = getattr(self, name)
            if (values < low).any() or (high is not None and (values >= high).any()):
                raise ValueError(f"{name} has numbers that are out of range")
        if field := field_out_of_limits(self.states):
            raise ValueError(f"a view has an impossible {field}")
