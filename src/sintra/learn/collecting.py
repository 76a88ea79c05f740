"""Games that are played for their decisions, and the file that these become.

While they are played, the games are kept as records beside the file, one a line, with the visits of their searches:
whoever is stopped goes on with the same command. When all are there the file is written, and takes its place only when
it is complete.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sintra import __version__
from sintra.arena.selfplay import Series
from sintra.learn.decision_files import WRITERS, about_file, need_pyarrow
from sintra.learn.decisions import Decisions, DecisionsError, decisions_of
from sintra.records.files import replacing
from sintra.records.record import Record

MADE: Final = "selfplay"
"""The key of a record that says of which series it is, and which of its games."""


@dataclass(frozen=True, slots=True)
class Collecting:
    """A file of decisions in the making: the games of a series, how many, and what becomes of them."""

    series: Series
    games: int
    out: Path
    kind: str

    def __post_init__(self) -> None:
        if self.kind == "parquet":
            need_pyarrow()
        if self.out.is_dir():
            raise DecisionsError(f"cannot write {self.out}: it is a folder")

    @property
    def part(self) -> Path:
        """Where the games stand while they are played."""
        return self.out.with_name(f"{self.out.name}.part")

    @property
    def about_series(self) -> dict[str, Any]:
        """What decides how the games go."""
        made = self.series
        return {"players": list(made.players), "seed": made.seed, "goals": made.goals, "rules": made.rules}

    def play(
        self, jobs: int | None = 1, on_share: Callable[[float], None] | None = None, cluster: str | None = None
    ) -> None:
        """Plays what is missing, so many games at once, here or on a cluster; `on_share` is told the share that is
        there."""
        done = self._resume()
        try:
            with self.part.open("a", encoding="utf-8") as file:
                records = self.series.records(self.games, skip=done, jobs=jobs, visits=True, cluster=cluster)
                for number, record in enumerate(records, start=done):
                    made = {MADE: self.about_series | {"game": number}}
                    file.write(replace(record, extra={**made, **record.extra}).dumps() + "\n")
                    file.flush()
                    if on_share:
                        on_share((number + 1) / self.games)
        except OSError as error:
            raise DecisionsError(f"cannot write {self.part}: {error.strerror}") from None

    def _resume(self) -> int:
        """How many games are there already; a line that was cut off is dropped."""
        try:
            data = self.part.read_bytes()
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise DecisionsError(f"cannot read {self.part}: {error.strerror}") from None
        whole = data[: data.rfind(b"\n") + 1]
        lines = whole.splitlines()[: self.games]
        for number, line in enumerate(lines):
            try:
                made = json.loads(line)[MADE]
            except (ValueError, KeyError, TypeError, RecursionError):
                made = None
            if made != self.about_series | {"game": number}:
                raise DecisionsError(f"{self.part} has other games, begun before: remove it, or give another --out")
        if whole != data:
            self.part.write_bytes(whole)
        return len(lines)

    def write(self, on_share: Callable[[float], None] | None = None) -> None:
        """Makes the file of all games, and lets the records go; `on_share` is told the share that is written."""

        def rows() -> Iterator[Decisions]:
            with self.part.open(encoding="utf-8") as lines:
                for number, line in enumerate(islice(lines, self.games)):
                    yield decisions_of(Record.loads(line), number)
                    if on_share:
                        on_share((number + 1) / self.games)

        about = about_file(**self.about_series, games=self.games, sintra=__version__)
        try:
            with replacing(self.out) as file:
                WRITERS[self.kind](file.buffer, rows(), about)
            self.part.unlink()
        except OSError as error:
            raise DecisionsError(f"cannot write {self.out}: {error.strerror}") from None
