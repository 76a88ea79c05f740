"""Files of decisions: NumPy's `.npz`, or Parquet, which needs pyarrow. docs/data.md is their specification."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.lib.format import MAGIC_PREFIX

from sintra.features import observation
from sintra.features.layout import by_name
from sintra.features.observation import SIZE
from sintra.learn.arrays import read_arrays, require_column, require_starts
from sintra.learn.decisions import COLUMNS, LISTS, Decisions, DecisionsError
from sintra.players.thinking.arrays import reason_of
from sintra.rules.choices import CHOICES

FORMAT: Final = "sintra-decisions"
VERSION: Final = 1
"""The version of the files; a column that is added, left out or read in another way makes a new one."""
ABOUT: Final = "about"
"""Where a file says what it is, as JSON."""
OBSERVATION_NAMES: Final = "observation_names"
"""Where a file names the numbers of an observation: a text with a name on each line."""
GROUP: Final = 16_384
"""The least number of rows in a row group of Parquet, but for the last."""
_PARQUET_MAGIC: Final = b"PAR1"
_NAMES: Final = "\n".join(observation.NAMES)

About = dict[str, Any]


def about_file(**made: Any) -> About:
    """What a file says of itself: its format, those of observations and choices, and how it was made."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "observation_version": observation.VERSION,
        "observation_size": SIZE,
        "choices": CHOICES,
        **made,
    }


def write_npz(file: BinaryIO, parts: Iterable[Decisions], about: Mapping[str, Any]) -> None:
    """Writes all rows as arrays, which are put together in memory."""
    said: dict[str, Any] = {ABOUT: np.array(json.dumps(about)), OBSERVATION_NAMES: np.array(_NAMES)}
    np.savez_compressed(file, **said | Decisions.together(parts)._asdict())


def write_parquet(file: BinaryIO, parts: Iterable[Decisions], about: Mapping[str, Any]) -> None:
    """Writes all rows as a table, group by group."""
    pa, pq = require_pyarrow()
    schema = _schema(pa).with_metadata({ABOUT: json.dumps(about), OBSERVATION_NAMES: _NAMES})
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        kept: list[Decisions] = []
        for part in parts:
            kept.append(part)
            if sum(len(one.game) for one in kept) >= GROUP:
                writer.write_table(_table(pa, schema, Decisions.together(kept)))
                kept = []
        if kept:
            writer.write_table(_table(pa, schema, Decisions.together(kept)))


WRITERS: Final[dict[str, Callable[[BinaryIO, Iterable[Decisions], Mapping[str, Any]], None]]] = {
    "npz": write_npz,
    "parquet": write_parquet,
}


def require_pyarrow() -> tuple[Any, Any]:
    """The modules `pyarrow` and `pyarrow.parquet`; `DecisionsError` if they are missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise DecisionsError("Parquet needs pyarrow: pip install 'sintra[data]'") from None
    return pyarrow, pyarrow.parquet


def _schema(pa: Any, size: int = SIZE) -> Any:
    """The columns: an observation is one value of so many bytes, lists are lists."""
    columns = [
        ("observation", pa.binary(size)),
        *((name, pa.list_(pa.from_numpy_dtype(kind))) for name, kind in LISTS.items()),
        *((name, pa.from_numpy_dtype(kind)) for name, kind in COLUMNS.items()),
    ]
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns])


def _table(pa: Any, schema: Any, rows: Decisions) -> Any:
    bytes_of = pa.py_buffer(np.ascontiguousarray(rows.observation))
    first = pa.array(rows.first, pa.int32())
    arrays = [
        pa.FixedSizeBinaryArray.from_buffers(pa.binary(SIZE), len(rows.game), [None, bytes_of]),
        *(pa.ListArray.from_arrays(first, pa.array(getattr(rows, name))) for name in LISTS),
        *(pa.array(getattr(rows, name)) for name in COLUMNS),
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def read_decisions(path: str | Path) -> tuple[Decisions, About]:
    """The rows of a file of either kind, and what the file says of itself."""
    try:
        with Path(path).open("rb") as file:
            is_parquet = file.read(len(_PARQUET_MAGIC)) == _PARQUET_MAGIC
            file.seek(0)
            return _read_parquet(file) if is_parquet else _read_npz(file)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise DecisionsError(f"cannot read decisions from {path}: {why}") from None


def _known(text: str | bytes) -> About:
    """What a file says of itself; raises `ValueError` if it cannot be read here."""
    try:
        about = json.loads(text)
    except RecursionError:
        about = None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"it does not say that it is {FORMAT}")
    if about.get("version") != VERSION:
        raise ValueError(f"it has version {about.get('version')} of {FORMAT}, and here version {VERSION} is read")
    return about


def _read_npz(file: BinaryIO) -> tuple[Decisions, About]:
    if file.read(len(MAGIC_PREFIX)) == MAGIC_PREFIX:
        raise ValueError(f"it does not say that it is {FORMAT}")
    file.seek(0)
    about = _known(str(read_arrays(file, ABOUT)[ABOUT]))
    names = read_arrays(file, optional=(OBSERVATION_NAMES,)).get(OBSERVATION_NAMES, _NAMES)
    return _checked(Decisions(**read_arrays(file, *Decisions._fields)), str(names)), about


def _read_parquet(file: BinaryIO) -> tuple[Decisions, About]:
    pa, pq = require_pyarrow()
    try:
        table = pq.read_table(file)
        table.validate(full=True)
    except OSError:
        raise
    except Exception as error:  # pyarrow's errors are of many kinds
        raise ValueError(reason_of(error)) from None
    said = table.schema.metadata or {}
    about = _known(said.get(ABOUT.encode(), b"null"))
    names = said.get(OBSERVATION_NAMES.encode(), _NAMES.encode()).decode()
    if not table.schema.equals(_schema(pa, names.count("\n") + 1)):
        raise ValueError("its columns are of other names or types")
    columns = {name: table[name].combine_chunks() for name in table.column_names}
    seen = columns["observation"]
    found = Decisions(
        observation=np.frombuffer(seen.buffers()[1], np.uint8).reshape(len(seen), seen.type.byte_width),
        first=columns["choices"].offsets.to_numpy().astype(np.int64),
        **{name: columns[name].values.to_numpy() for name in LISTS},
        **{name: columns[name].to_numpy() for name in COLUMNS},
    )
    return _checked(found, names), about


def _checked(found: Decisions, names: str) -> Decisions:
    """Decisions whose observations have these names, with those of today; raises `ValueError` for arrays that do not go
    together."""
    rows, choices = found.first.size - 1, found.choices.size
    require_column("observation", found.observation, np.uint8, rows, names.count("\n") + 1)
    require_starts("first", found.first, rows, choices)
    for name, kind in LISTS.items():
        require_column(name, getattr(found, name), kind, choices)
    for name, kind in COLUMNS.items():
        require_column(name, getattr(found, name), kind, rows)
    if names != _NAMES:
        blank = np.zeros(rows, np.uint8)
        columns = by_name(list(found.observation.T), names.split("\n"), observation.NAMES, blank)
        found = found._replace(observation=np.stack(columns, axis=1))
    return found
