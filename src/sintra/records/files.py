"""Files of game records: one JSON object, or one a line."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from sintra.errors import RecordError
from sintra.records.form import load_json
from sintra.records.record import Record


def parse_records(text: str, source: str | None = None) -> list[Record]:
    """All records of a text: one JSON object, or one a line. Nothing is returned if one is damaged."""
    try:
        whole = load_json(text)
    except RecordError as error:
        if _is_one_object(text):
            raise error.placed(source=source, line=error.line) from None
        whole = None
    if isinstance(whole, dict):
        return [_at_line(text, source, 1, whole)]
    records = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            records.append(_at_line(line, source, number))
    return records


def _is_one_object(text: str) -> bool:
    """Whether a text that is not JSON was meant as one object over many lines: then its first two
    lines are no JSON either."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and not any(map(_is_json, lines[:2]))


def _is_json(text: str) -> bool:
    try:
        load_json(text)
    except RecordError:
        return False
    return True


def _at_line(text: str, source: str | None, number: int, data: Any = None) -> Record:
    try:
        return Record.loads(text) if data is None else Record.from_dict(data)
    except RecordError as error:
        raise error.placed(source=source, line=number, ply=error.ply) from None


def read_records(source: str | Path | BinaryIO) -> list[Record]:
    """All records of a `.json` or `.jsonl` file, given by its path or opened for bytes."""
    name = str(source) if isinstance(source, str | Path) else "standard input"
    try:
        text = (Path(source).read_bytes() if isinstance(source, str | Path) else source.read()).decode("utf-8")
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}", source=name) from None
    except UnicodeDecodeError as error:
        raise RecordError(f"is not UTF-8 text (byte {error.start})", source=name) from None
    return parse_records(text, name)


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """A text file to write; it takes its place only when everything is written. What is no plain file,
    such as a pipe, is written to directly."""
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if Path(path).exists() and not target.is_file():
        with Path(path).open("w", encoding="utf-8") as file:
            yield file
        return
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("x", encoding="utf-8") as file:
            yield file
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Writes records, one a line; the file is replaced only when all are written."""
    with replacing(path) as file:
        file.writelines(record.dumps() + "\n" for record in records)
