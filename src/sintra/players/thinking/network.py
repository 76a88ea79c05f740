"""A learned opinion on choices: a small network over the sparse features of a position and of its choices.

What is there of a position goes through one hidden layer. A choice's logit is the hand-made opinion, as much as its
stage makes of it, and for each of the choice's rows a number of its own and what the hidden layer makes of that row.
Only what is there is added up, and each row once, so that a node of the search costs a few microseconds.
"""

from __future__ import annotations

from array import array
from itertools import chain
from math import inf, isfinite
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from sintra.components import COLORS, GRID, LINES, SEATS
from sintra.features import inputs, rows
from sintra.features.inputs import INPUTS, MAX_INPUTS, VERSION, write_inputs
from sintra.features.layout import by_name
from sintra.features.rows import MAX_ROWS, ROWS, write_rows
from sintra.players.base import PlayerError
from sintra.players.thinking.arrays import StoredArray, read_arrays
from sintra.rules.array_types import Elements
from sintra.rules.compiled import kernel, layout, np
from sintra.rules.memory import Numbers, zeros
from sintra.rules.state import Array, Stage, State

HIDDEN: Final = 32
MAX_SINGLE: Final = 3.4028234663852886e38
"""The largest number of 32 bits."""
STAGES: Final = len(Stage)
NETWORK: Final = layout(
    [
        # 0: nothing is learned, and the opinion made by hand is all there is
        ("is_there", "i8"),
        # for each input, what it gives to each hidden number
        ("inputs", "f4", (INPUTS, HIDDEN)),
        ("bias", "f4", HIDDEN),
        # for each row, what it makes of each hidden number, and its own
        ("rows", "f4", (ROWS, HIDDEN)),
        ("row_bias", "f4", ROWS),
        # stage by stage, what a point of opinion counts
        ("opinion", "f4", STAGES),
    ]
)
"""The numbers of a network."""
NetworkArray: TypeAlias = Annotated[Any, Elements(NETWORK)]
"""An array with a network."""
THOUGHT: Final = layout(
    [
        ("inputs", "i2", MAX_INPUTS),
        ("hidden", "f4", HIDDEN),
        ("rows", "i2", MAX_ROWS),
        # what is thought of both seats' open spaces, and of what tiles would score on free slots
        ("spaces", "f8", (SEATS, LINES, COLORS)),
        ("points", "i8", (GRID, GRID)),
        # what each row is worth in the position that was seen last, if its stamp is that position's
        ("worth", "f4", ROWS),
        ("stamps", "i8", ROWS),
        ("stamp", "i8"),
    ]
)
"""What opinions are thought with, those made by hand and those of a network."""
ThoughtArray: TypeAlias = Annotated[Any, Elements(THOUGHT)]
"""An array with what opinions are thought with."""
ARRAYS: Final = ("inputs", "bias", "rows", "row_bias", "opinion")
"""The arrays of a file with a network."""
_NAMES: Final = {"input_names": inputs.NAMES, "row_names": rows.NAMES}
"""The names of features, by where a file has them: a text with a name on each line. Without it they are as here."""
_NAMED: Final = {"inputs": "input_names", "rows": "row_names", "row_bias": "row_names"}
"""The arrays whose first axis is features, and which names those have."""


def no_network() -> NetworkArray:
    """A network that knows nothing."""
    return zeros(1, NETWORK)


def new_thought() -> ThoughtArray:
    """Memory for one search at a time."""
    return zeros(1, THOUGHT)


def save_network(network: NetworkArray, path: str | Path, **notes: Any) -> None:
    """Writes a network in half precision, with the names of its features and notes on where it comes from; that takes
    NumPy."""
    import numpy as np

    arrays = {name: network.part(name).array.astype(np.float16) for name in ARRAYS}
    names = {where: "\n".join(known) for where, known in _NAMES.items()}
    with Path(path).open("wb") as file:
        np.savez_compressed(file, version=VERSION, **arrays, **names, **notes)


def load_network(path: Any) -> NetworkArray:
    """The network in a file (or anything that opens in binary like one). Features that it does not name weigh nothing,
    and names that are unknown are left out."""
    network = no_network()
    try:
        with path.open("rb") as file:
            version = read_arrays(file, "version")["version"]
            if version.shape != () or version.kind[0] not in "iu":
                raise ValueError("it does not say for which version of the features it is")
            if version.numbers() != [VERSION]:
                raise ValueError(f"it is for version {version.numbers()[0]} of the features, these are {VERSION}")
            names = {name: one.text() for name, one in read_arrays(file, optional=_NAMES).items()}
            for name, stored in read_arrays(file, *ARRAYS).items():
                _fill(network.part(name), name, stored, names.get(_NAMED.get(name, "")))
    except (OSError, ValueError) as error:
        raise PlayerError(f"cannot read a network from {path}: {error}") from None
    if not all(map(isfinite, chain.from_iterable(network.part(name).flattened() for name in ARRAYS))):
        raise PlayerError(f"cannot read a network from {path}: it contains NaN or infinity")
    network["is_there"] = 1
    return network


def _fill(part: Numbers, name: str, stored: StoredArray, names: str | None) -> None:
    """Puts an array of a file into its place in a network: by the names of its features, if it has some."""
    if stored.kind[0] != "f":
        raise ValueError(f"{name} must be numbers")
    if stored.shape[1:] != part.shape[1:] or (names is None and stored.shape != part.shape):
        raise ValueError(f"{name} must be of shape {part.shape}")
    numbers = array("f", map(_as_single, stored.numbers())).tobytes()
    if names is not None:
        size = len(part.data) // len(part)
        rows = [numbers[start : start + size] for start in range(0, len(numbers), size)]
        numbers = b"".join(by_name(rows, names.split("\n"), _NAMES[_NAMED[name]], bytes(size)))
    part.data[:] = numbers


def _as_single(number: float) -> float:
    """A number that fits into 32 bits, or infinity."""
    return number if abs(number) <= MAX_SINGLE or number != number else inf


@kernel
def see(network: State, thought: State, s: State) -> None:
    """What the hidden layer makes of a position, for the player to move."""
    n = write_inputs(s, s.turn, thought.spaces, thought.inputs)
    for h in range(0, HIDDEN, 8):
        add_up(network.inputs, network.bias, thought.inputs, n, h, thought.hidden)
    thought.stamp += 1


@kernel
def add_up(inputs: Array, bias: Array, there: Array, n: int, h: int, hidden: Array) -> None:
    """Eight hidden numbers, which stay in registers while what is there is added to them."""
    a, b, c, d = bias[h], bias[h + 1], bias[h + 2], bias[h + 3]
    e, f, g, i = bias[h + 4], bias[h + 5], bias[h + 6], bias[h + 7]
    for k in range(n):
        row = inputs[there[k]]
        a += row[h]
        b += row[h + 1]
        c += row[h + 2]
        d += row[h + 3]
        e += row[h + 4]
        f += row[h + 5]
        g += row[h + 6]
        i += row[h + 7]
    hidden[h] = max(a, np.float32(0.0))
    hidden[h + 1] = max(b, np.float32(0.0))
    hidden[h + 2] = max(c, np.float32(0.0))
    hidden[h + 3] = max(d, np.float32(0.0))
    hidden[h + 4] = max(e, np.float32(0.0))
    hidden[h + 5] = max(f, np.float32(0.0))
    hidden[h + 6] = max(g, np.float32(0.0))
    hidden[h + 7] = max(i, np.float32(0.0))


@kernel
def worth_of_row(network: State, thought: State, row: int) -> float:
    """What a row is worth in the position seen last: four sums, added in one order on every machine."""
    if thought.stamps[row] != thought.stamp:
        weights = network.rows[row]
        hidden = thought.hidden
        a = b = c = d = np.float32(0.0)
        for h in range(0, HIDDEN, 4):
            a += hidden[h] * weights[h]
            b += hidden[h + 1] * weights[h + 1]
            c += hidden[h + 2] * weights[h + 2]
            d += hidden[h + 3] * weights[h + 3]
        thought.worth[row] = network.row_bias[row] + ((a + b) + (c + d))
        thought.stamps[row] = thought.stamp
    return thought.worth[row]


@kernel
def learned_opinions(network: State, thought: State, s: State, legal: Array, n: int, out: Array) -> None:
    """Makes hand-made opinions on the legal choices logits."""
    see(network, thought, s)
    share = network.opinion[s.stage]
    for k in range(n):
        logit = share * out[k]
        for j in range(write_rows(s, int(legal[k]), thought.spaces, thought.rows)):
            logit += worth_of_row(network, thought, int(thought.rows[j]))
        out[k] = logit
