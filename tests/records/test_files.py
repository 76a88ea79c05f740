"""Files of records."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from records.helpers import RANDOM
from sintra import RecordError
from sintra.records.files import parse_records, read_records, write_records
from sintra.records.record import Record


def test_a_file_that_cannot_be_read_is_a_damaged_record(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot be read"):
        read_records(tmp_path / "missing.jsonl")
    with pytest.raises(RecordError, match="cannot be read"):
        read_records(tmp_path)
    (tmp_path / "latin.jsonl").write_bytes(b'{"format": "\xe9"}')
    with pytest.raises(RecordError, match="UTF-8"):
        read_records(tmp_path / "latin.jsonl")
    (tmp_path / "empty.jsonl").write_text("\n \n")
    assert read_records(tmp_path / "empty.jsonl") == []


def test_a_file_is_replaced_only_when_all_is_written(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = Record.from_dict(RANDOM)
    write_records(path, [record])

    def broken() -> Iterator[Record]:
        yield replace(record, first=1)
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        write_records(path, broken())
    assert read_records(path) == [record]
    assert [file.name for file in tmp_path.iterdir()] == ["games.jsonl"]


@pytest.mark.parametrize("name", ["Ana\u2028Bob", "line\x85end", "a\nb", "\x1e", "Åsa 🎲", '"'])
def test_any_player_name_survives(name: str, tmp_path: Path) -> None:
    """Also names with characters at which Python would split lines."""
    record = replace(Record.from_dict(RANDOM), players=(name, "Bob"))
    write_records(tmp_path / "games.jsonl", [record, record])
    assert read_records(tmp_path / "games.jsonl") == [record, record]


def test_half_a_character_in_a_name_does_no_harm(tmp_path: Path) -> None:
    """JSON can write half of a surrogate pair, UTF-8 cannot: such a name survives or is refused."""
    text = json.dumps(RANDOM | {"players": ["\ud800", "Bob"]})
    try:
        records = parse_records(text)
        write_records(tmp_path / "games.jsonl", records)
    except RecordError:
        return
    assert read_records(tmp_path / "games.jsonl") == records


def test_what_is_no_plain_file_is_written_to(tmp_path: Path) -> None:
    record = Record.from_dict(RANDOM)
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_records(link, [record])
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert read_records(real) == [record]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as hands:
        text = hands.submit(pipe.read_text)
        write_records(pipe, [record])
    assert parse_records(text.result()) == [record]
    assert pipe.is_fifo()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link.jsonl", "pipe", "real.jsonl"]
