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
from sintra.learn.decision_files import WRITERS, about_file, require_pyarrow
from sintra.learn.decisions import Decisions, DecisionsError, decisions_of
from sintra.records.files import replacing
from sintra.records.record import Record

MADE: Final = "selfplay"
"""The key in a record for its series and its number there."""


@dataclass(frozen=True, slots=True)
class Collecting:
    """A file of decisions in the making."""

    series: Series
    """The series whose games are played."""
    games: int
    """How many games."""
    out: Path
    """The file."""
    kind: str
    """Its format: `npz` or `parquet`."""

    def __post_init__(self) -> None:
        if self.kind == "parquet":
            require_pyarrow()
        if self.out.is_dir():
            raise DecisionsError(f"cannot write {self.out}: it is a folder")

    @property
    def part(self) -> Path:
        """The file of records that grows while the games are played."""
        return self.out.with_name(f"{self.out.name}.part")

    @property
    def about_series(self) -> dict[str, Any]:
        """What the games of the series depend on."""
        made = self.series
        return {"players": list(made.players), "seed": made.seed, "goals": made.goals, "rules": made.rules}

    def play(
        self, jobs: int | None = 1, on_share: Callable[[float], None] | None = None, cluster: str | None = None
    ) -> None:
        """Plays the missing games, `jobs` at once, here or on a cluster; `on_share` is called with the share that is
        done."""
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
        """The number of games that were played before; a line that was cut off is dropped."""
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
        """Writes the file of all games and removes the records; `on_share` is called with the share that is written."""

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
