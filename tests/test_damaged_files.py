"""Files of arrays and weights that were damaged, or made to do harm: they are read, or refused with their names."""

from __future__ import annotations

import io
import json
import pickle
import struct
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
import pytest

from sintra import Game, SintraError
from sintra.features.inputs import VERSION
from sintra.learn.decision_files import WRITERS, read_decisions
from sintra.learn.decisions import COLUMNS, LISTS, Decisions
from sintra.learn.fitting import SAMPLE
from sintra.learn.notes import Notes
from sintra.players.thinking.arrays import MAX_SMALL_BYTES
from sintra.players.thinking.evaluator import load_evaluator
from sintra.players.thinking.network import ARRAYS, load_network
from sintra.puzzles.puzzle import Puzzle
from sintra.rules.state import Source

ROOT: Final = Path(__file__).parents[1]
FLIPS: Final = 150
CUTS: Final = 40
ROWS: Final = 20


class Kind(NamedTuple):
    """A kind of file: a sound one, and what reads it."""

    content: Callable[[], bytes]
    read: Callable[[Path], Any]


def packaged(name: str) -> bytes:
    return resources.files("sintra.players.thinking").joinpath(name).read_bytes()


def notes() -> Notes:
    """Two decisions of one game."""
    game = Game.new(seed=1)
    views = [game.view(game.turn).state, game.view(game.turn).state]
    return Notes(
        states=np.concatenate(views),
        first=np.array([0, 2, 3]),
        choices=np.array([1, 2, 3], np.int16),
        visits=np.array([5, 6, 7], np.int32),
        game=np.zeros(2, np.int32),
        boards=np.zeros(1, SAMPLE),
        sources=np.zeros((1, 2, len(Source)), np.int16),
        is_deep=np.ones(2, np.bool_),
    )


def written_notes() -> bytes:
    file = io.BytesIO()
    made = notes()
    states = made.states.view(np.uint8).reshape(len(made.states), -1)
    np.savez_compressed(file, format=1, version=VERSION, **made._asdict() | {"states": states})
    return file.getvalue()


def decisions(kind: str) -> bytes:
    """The first rows of the published file."""
    rows, about = read_decisions(ROOT / "examples" / "data" / "decisions.npz")
    end = int(rows.first[ROWS])
    lists = {name: getattr(rows, name)[:end] for name in LISTS}
    columns = {name: getattr(rows, name)[:ROWS] for name in (*COLUMNS, "observation")}
    file = io.BytesIO()
    WRITERS[kind](file, [Decisions(first=rows.first[: ROWS + 1], **lists, **columns)], about)
    return file.getvalue()


KINDS: Final = {
    "network": Kind(lambda: packaged("network.npz"), load_network),
    "weights": Kind(lambda: packaged("value.json"), lambda path: load_evaluator(str(path))),
    "notes": Kind(written_notes, Notes.load),
    "decisions": Kind(partial(decisions, "npz"), read_decisions),
    "parquet": Kind(partial(decisions, "parquet"), read_decisions),
}
ARCHIVES: Final = {"network": ARRAYS, "notes": Notes._fields, "decisions": Decisions._fields}
"""The arrays of the files that are `.npz`."""
OPTIONAL: Final = {"is_deep"}
"""Arrays that such a file may lack."""


def flipped(content: bytes, dice: Random) -> bytes:
    """Some bytes are others."""
    changed = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 8))):
        changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def near_the_directory(content: bytes, dice: Random) -> bytes:
    """A byte near the beginning or the end is another one: what lies there says what the rest is."""
    changed = bytearray(content)
    place = dice.randrange(min(400, len(changed)))
    changed[dice.choice((place, -1 - place))] = dice.randrange(256)
    return bytes(changed)


def damaged(content: bytes, dice: Random) -> Iterator[bytes]:
    for k in range(CUTS):
        yield content[: len(content) * k // CUTS]
        yield content[len(content) * k // CUTS + 1 :]
    for _ in range(FLIPS):
        yield flipped(content, dice)
        yield near_the_directory(content, dice)


def is_refused(kind: Kind, path: Path, content: bytes) -> bool:
    """Whether a file is refused with its name; anything but a refusal or an answer is an error."""
    path.write_bytes(content)
    said = ""
    try:
        kind.read(path)
    except SintraError as error:
        said = str(error)
    assert not said or str(path) in said
    assert len(said) < 1000
    return bool(said)


@pytest.mark.parametrize("name", KINDS)
def test_damaged_files_are_read_or_refused(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    content = kind.content()
    assert not is_refused(kind, tmp_path / "sound", content)
    refused = [is_refused(kind, tmp_path / "damaged", one) for one in damaged(content, Random(name))]
    assert sum(refused) > len(refused) // 4


def arrays_in(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content)) as found:
        return dict(found)


def archive(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", how) as made:
        for name, content in members.items():
            made.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def headed(header: str, data: bytes = b"") -> bytes:
    """An array with a header of any text."""
    padded = header.encode("latin-1").ljust(118) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded + data


def with_header(descr: str = "'<f4'", shape: str = "(3,)", data: bytes = b"") -> bytes:
    return headed(f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}}}", data)


def harmful() -> dict[str, bytes]:
    """Members that no array of ours can be."""
    objects = io.BytesIO()
    np.save(objects, np.array([{}], object), allow_pickle=True)
    return {
        "nothing": b"",
        "no array": b"hello",
        "a pickle": pickle.dumps([1, 2, 3]),
        "objects": objects.getvalue(),
        "a shape that is too large": with_header(shape=f"({10**15},)"),
        "a shape beyond all numbers": with_header(shape=f"({10**30}, {10**30})"),
        "a negative shape": with_header(shape="(-1,)"),
        "two negative numbers": with_header(shape="(-1, -3)", data=b"0" * 12),
        "a shape of words": with_header(shape="('a',)"),
        "no shape": headed("{'descr': '<f4'}"),
        "nothing in each element": with_header(descr="'<V0'"),
        "an unknown type": with_header(descr="'<q99'"),
        "a type of types": with_header(descr="[('a', [('b', '<f4')])]", shape="(1,)", data=b"0000"),
        "a header that is code": headed("__import__('os').getpid()"),
        "a deep header": headed("(" * 100),
        "a long header": b"\x93NUMPY\x02\x00" + struct.pack("<I", 1 << 31),
        "another version": b"\x93NUMPY\x09\x00" + bytes(100),
        "complex numbers": npy(np.zeros(3, np.complex64)),
        "texts": npy(np.array(["a", "b"])),
        "dates": npy(np.zeros(3, "M8[s]")),
        "one number": npy(np.float32(1.0)),
        "nan": npy(np.full(3, np.nan)),
        "numbers that are too large": npy(np.full(3, 1e300)),
        "no numbers": npy(np.zeros((0, 0, 0), np.float32)),
        "more dimensions": npy(np.zeros((1,) * 20, np.float32)),
        "zeros without end": npy(np.zeros(2 * MAX_SMALL_BYTES, np.uint8)),
    }


@pytest.mark.parametrize("name", ARCHIVES)
def test_harmful_arrays_are_refused(name: str, tmp_path: Path) -> None:
    """In the place of each array of a file, one after the other; nothing is unpickled, nor room made for it."""
    kind = KINDS[name]
    members = {one: npy(array) for one, array in arrays_in(kind.content()).items()}
    assert not is_refused(kind, tmp_path / "sound", archive(members))
    dice = Random(name)
    for what, content in harmful().items():
        for one in dice.sample(ARCHIVES[name], 3):
            assert is_refused(kind, tmp_path / "harmful", archive(members | {one: content})), (what, one)
    for one in sorted(set(ARCHIVES[name]) - OPTIONAL):
        fewer = {other: content for other, content in members.items() if other != one}
        assert is_refused(kind, tmp_path / "fewer", archive(fewer)), one


@pytest.mark.parametrize("name", ARCHIVES)
def test_other_files_are_refused(name: str, tmp_path: Path) -> None:
    kind = KINDS[name]
    encrypted = bytearray(archive({"version": npy(VERSION), "about": b"", "states": b""}))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[encrypted.index(mark) + place] |= 1
    contents = {
        "an array alone": npy(np.zeros(3)),
        "an array of objects": harmful()["objects"],
        "a pickle": pickle.dumps({"version": VERSION}),
        "an empty archive": archive({}),
        "an encrypted archive": bytes(encrypted),
        "lzma": archive({"version": b"x"}, zipfile.ZIP_LZMA),
    }
    for what, content in contents.items():
        assert is_refused(kind, tmp_path / "other", content), what


def test_arrays_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    members = {one: npy(array) for one, array in arrays_in(written_notes()).items()}
    states = arrays_in(written_notes())["states"]
    outside = states.copy()
    outside[0] = 127
    for one, array in {
        "first": np.array([0, 3, 2]),
        "choices": np.array([1, 2, 999], np.int16),
        "visits": np.array([1, 2], np.int32),
        "game": np.array([0, 1], np.int32),
        "sources": np.zeros((2, 2, len(Source)), np.int16),
        "states": outside,
    }.items():
        assert is_refused(KINDS["notes"], tmp_path / "notes", archive(members | {one: npy(array)})), one


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"weights": {}, "scales": [1, 2, 3, 4, Infinity]}',
        '{"weights": {}, "scales": [1, 2, 3, 4, 1' + "0" * 400 + "]}",
        '{"weights": {"bias": [1, 2, 3, 4, 1' + "0" * 400 + ']}, "scales": [1, 2, 3, 4, 5]}',
        "null",
        "7",
    ],
    ids=["deep", "infinity", "a large scale", "a large weight", "null", "a number"],
)
def test_weights_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    assert is_refused(KINDS["weights"], tmp_path / "value.json", text.encode())


def test_puzzles_that_are_none_are_refused() -> None:
    sound = resources.files("sintra.puzzles").joinpath("puzzles.jsonl").read_text("utf-8").splitlines()[0]
    assert Puzzle.loads(sound)
    deep = "[" * 100_000
    large = json.dumps(json.loads(sound) | {"best": 10**400})
    for text in (deep, large):
        with pytest.raises(SintraError):
            Puzzle.loads(text)
