"""Puzzles in files, those that come with the package, and the one of the day."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path
from typing import Final

from sintra.puzzles.puzzle import Puzzle, PuzzleError
from sintra.records.files import replacing

_PACKAGED: Final = "puzzles.jsonl"


def parse_puzzles(text: str, source: str, *, cut_is_fine: bool = False) -> list[Puzzle]:
    """The puzzles of a text, one a line; a last line without an end may be left out if it is cut off."""
    found = []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip() or (cut_is_fine and number == len(lines)):
            continue
        try:
            found.append(Puzzle.loads(line))
        except PuzzleError as error:
            raise PuzzleError(f"{source}, line {number}: {error}") from None
    return found


def read_puzzles(path: str | Path, *, cut_is_fine: bool = False) -> list[Puzzle]:
    """The puzzles of a file, one a line."""
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise PuzzleError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise PuzzleError(f"{path}: these are no puzzles") from None
    return parse_puzzles(text, str(path), cut_is_fine=cut_is_fine)


def write_puzzles(path: str | Path, puzzles: Iterable[Puzzle]) -> None:
    """Writes puzzles, one a line; the file is replaced only when all are written."""
    with replacing(path) as file:
        file.writelines(puzzle.dumps() + "\n" for puzzle in puzzles)


@cache
def load() -> tuple[Puzzle, ...]:
    """The puzzles that come with the package."""
    text = resources.files("sintra.puzzles").joinpath(_PACKAGED).read_text("utf-8")
    return tuple(parse_puzzles(text, _PACKAGED))


def of_the_day(day: date, puzzles: Iterable[Puzzle] | None = None) -> Puzzle:
    """The puzzle of a day, the same for everybody with the same puzzles; each comes once before any comes again."""
    chosen: Sequence[Puzzle] = load() if puzzles is None else tuple(puzzles)
    if not chosen:
        raise PuzzleError("there are no puzzles")
    turn, place = divmod(day.toordinal(), len(chosen))

    def order(puzzle: Puzzle) -> bytes:
        return blake2b(f"{turn} {puzzle.id}".encode(), digest_size=8).digest()

    return sorted(chosen, key=order)[place]
