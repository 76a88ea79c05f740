"""Memory shared with compiled code: it is read and written as NumPy reads and writes the same bytes."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from sintra import Game
from sintra.rules.memory import LAZY_BYTES, Numbers, RecordLayout, StoredRecords, layout_of, numbers, zeros
from sintra.rules.state import STATE, blank_states, copied, held, states_of

SHAPES = [(7,), (3, 4), (2, 3, 4)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["i1", "i2", "i4", "i8", "u1", "u4", "f4", "f8", "b1"])
def test_numbers_are_those_of_an_array(kind: str, shape: tuple[int, ...]) -> None:
    ours = zeros(shape, kind)
    array = np.arange(np.prod(shape)).reshape(shape).astype(kind)
    ours[:] = array.tolist()
    assert ours.tolist() == array.tolist()
    assert ours.tobytes() == array.tobytes()
    assert (ours.array == array).all()
    assert np.asarray(ours).dtype == array.dtype
    assert ours.flattened() == array.ravel().tolist()
    assert len(ours) == len(array)
    assert [one if len(shape) == 1 else one.tolist() for one in ours] == array.tolist()
    assert ours[-1] == array[-1] if len(shape) == 1 else ours[-1].tolist() == array[-1].tolist()
    assert ours[1:3].tolist() == array[1:3].tolist()
    last = tuple(size - 1 for size in shape)
    assert ours[last] == array[last]
    row: Any = (*last[:-1], slice(1, None))
    assert ours[row].tolist() == array[row].tolist()


def test_parts_change_the_whole() -> None:
    ours = zeros((2, 3), "i2")
    ours[1][2] = 5
    ours[0, 1] = 7
    ours[1, :2] = [1, 2]
    assert ours.tolist() == [[0, 7, 0], [1, 2, 5]]
    twin = ours.copy()
    twin[0] = 9
    assert ours != twin == numbers([[9, 9, 9], [1, 2, 5]], "i2")
    twin.fill(-3)
    assert twin.flattened() == [-3] * 6
    twin.clear()
    assert not any(twin.flattened())


@pytest.mark.parametrize("where", [3, -4, (0, 3), (2, 0)])
def test_other_places_are_refused(where: Any) -> None:
    ours = zeros(3, "i8") if isinstance(where, int) else zeros((2, 3), "i8")
    with pytest.raises(IndexError):
        ours[where]


@pytest.mark.parametrize("wrong", [[1, 2], [1, 2, 3, 4], [1, 2, 300]])
def test_numbers_that_do_not_fit_are_refused(wrong: list[int]) -> None:
    with pytest.raises(ValueError, match=r"do not fill|invalid value"):
        zeros(3, "i1")[:] = wrong


def test_large_memory_is_blank_too() -> None:
    ours: Numbers = zeros(LAZY_BYTES, "i8")
    ours[LAZY_BYTES - 1] = 1
    assert sum(ours) == 1
    ours.clear()
    assert ours[LAZY_BYTES - 1] == 0


def test_records_lie_as_numpy_lays_them_out() -> None:
    layout = RecordLayout([("a", "i1"), ("b", "i8"), ("c", "i2", (2, 3)), ("d", "f8"), ("e", "i1", 3)])
    assert layout.itemsize == layout.dtype.itemsize
    for name, field in layout.fields.items():
        kind, offset, *_ = layout.dtype.fields[name]
        assert (field.offset, field.size, field.shape) == (offset, kind.itemsize, kind.shape)


def test_the_layout_of_states_is_that_of_0_1_0() -> None:
    layout = layout_of(STATE)
    assert layout.itemsize == 644
    assert [layout.fields[name].offset for name in ("rng", "could_be", "score", "goals", "spare")] == [
        0,
        16,
        204,
        232,
        640,
    ]


def random_states(n: int) -> StoredRecords:
    data = Random(1).randbytes(n * layout_of(STATE).itemsize)
    return held(states_of(data))


def test_fields_are_those_of_a_record() -> None:
    ours = random_states(3)
    array = np.frombuffer(ours.tobytes(), ours.array.dtype)
    for i in range(3):
        assert ours.lists(i) == {name: array[name][i].tolist() for name in array.dtype.names}
        assert ours[i].lists() == ours.lists(i)
        for name in array.dtype.names:
            assert ours.get(name, i) == array[name][i].tolist()
            shown = ours[name][i]
            assert (shown.tolist() if isinstance(shown, Numbers) else shown) == array[name][i].tolist()
    assert ours["score"][1, 0] == array["score"][1, 0]
    assert ours["pile"][2, 3:5].tolist() == array["pile"][2, 3:5].tolist()
    assert ours["stage"].tolist() == array["stage"].tolist()


def test_fields_are_written_as_those_of_a_record() -> None:
    ours, array = random_states(2), random_states(2).array.copy()
    for states in (ours, array):
        states["stage"] = 3
        states["goals"][1] = [1, 2, 3, 4]
        states["sun"][0, 2] = 1
        states["dome"][1, 0, 3, 2:4] = [5, 4]
        states[0]["could_be"] = 6
        states[1]["score"][1] = 77
    assert ours.tobytes() == array.tobytes()
    ours[0] = ours[1]
    array[0] = array[1]
    assert ours[:1].tobytes() == ours[1:].tobytes() == array[:1].tobytes()
    with pytest.raises(KeyError):
        ours["hair"]


def test_a_row_is_a_part_of_its_field() -> None:
    ours = random_states(2)
    for i in range(2):
        assert [ours.row("sun", k, i) for k in range(5)] == ours.get("sun", i)


def test_copies_are_apart() -> None:
    game = Game.new(seed=1)
    states = game.states
    twin = copied(states)
    twin["turn"] = 1 - twin.get("turn")
    assert states.tobytes() == game.states.tobytes() != twin.tobytes()
    assert blank_states().tobytes() == bytes(644)
