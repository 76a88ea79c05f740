"""A learned opinion on choices: a small network over the sparse features of a position and of its choices.

What is there of a position goes through one hidden layer. A choice's logit is the hand-made opinion, as much as its
stage makes of it, and for each of the choice's rows a number of its own and what the hidden layer makes of that row.
Only what is there is added up, and each row once, so that a node of the search costs a few microseconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import numpy as np

from sintra.components import COLORS, GRID, LINES, SEATS
from sintra.features import inputs, rows
from sintra.features.inputs import INPUTS, MAX_INPUTS, VERSION, write_inputs
from sintra.features.layout import by_name
from sintra.features.rows import MAX_ROWS, ROWS, write_rows
from sintra.players.base import PlayerError
from sintra.players.thinking.arrays import read_arrays
from sintra.rules.array_types import Elements
from sintra.rules.compiled import kernel
from sintra.rules.state import Array, Stage, State

HIDDEN: Final = 32
STAGES: Final = len(Stage)
NETWORK: Final = np.dtype(
    [
        # 0: nothing is learned, and the opinion made by hand is all there is
        ("is_there", np.int64),
        # for each input, what it gives to each hidden number
        ("inputs", np.float32, (INPUTS, HIDDEN)),
        ("bias", np.float32, HIDDEN),
        # for each row, what it makes of each hidden number, and its own
        ("rows", np.float32, (ROWS, HIDDEN)),
        ("row_bias", np.float32, ROWS),
        # stage by stage, what a point of opinion counts
        ("opinion", np.float32, STAGES),
    ],
    align=True,
)
"""The numbers of a network."""
NetworkArray: TypeAlias = Annotated[np.ndarray, Elements(NETWORK)]
"""An array with a network."""
THOUGHT: Final = np.dtype(
    [
        ("inputs", np.int16, MAX_INPUTS),
        ("hidden", np.float32, HIDDEN),
        ("rows", np.int16, MAX_ROWS),
        # what is thought of both seats' open spaces, and of what tiles would score on free slots
        ("spaces", np.float64, (SEATS, LINES, COLORS)),
        ("points", np.int64, (GRID, GRID)),
        # what each row is worth in the position that was seen last, if its stamp is that position's
        ("worth", np.float32, ROWS),
        ("stamps", np.int64, ROWS),
        ("stamp", np.int64),
    ],
    align=True,
)
"""What opinions are thought with, those made by hand and those of a network."""
ThoughtArray: TypeAlias = Annotated[np.ndarray, Elements(THOUGHT)]
"""An array with what opinions are thought with."""
ARRAYS: Final = ("inputs", "bias", "rows", "row_bias", "opinion")
"""The arrays of a file with a network."""
_NAMES: Final = {"input_names": inputs.NAMES, "row_names": rows.NAMES}
"""The names of features, by where a file has them: a text with a name on each line. Without it they are as here."""
_NAMED: Final = {"inputs": "input_names", "rows": "row_names", "row_bias": "row_names"}
"""The arrays whose first axis is features, and which names those have."""


def no_network() -> Array:
    """A network that knows nothing."""
    return np.zeros(1, NETWORK)


def new_thought() -> Array:
    """Memory for one search at a time."""
    return np.zeros(1, THOUGHT)


def save_network(network: Array, path: str | Path, **notes: Any) -> None:
    """Writes a network in half precision, with the names of its features and notes on where it comes from."""
    arrays = {name: network[name][0].astype(np.float16) for name in ARRAYS}
    names = {where: "\n".join(known) for where, known in _NAMES.items()}
    with Path(path).open("wb") as file:
        np.savez_compressed(file, version=VERSION, **arrays, **names, **notes)


def load_network(path: Any) -> Array:
    """The network in a file (or anything that opens in binary like one). Features that it does not name weigh nothing,
    and names that are unknown are left out."""
    network = no_network()
    try:
        with path.open("rb") as file:
            version = read_arrays(file, "version")["version"]
            if version.shape != () or version.dtype.kind not in "iu" or version != VERSION:
                raise ValueError(f"it is for version {version} of the features, these are {VERSION}")
            names = read_arrays(file, optional=_NAMES)
            for name, stored in read_arrays(file, *ARRAYS).items():
                if stored.dtype.kind != "f":
                    raise ValueError(f"{name} must be numbers")
                found = stored
                if (where := _NAMED.get(name)) in names:
                    found = by_name(stored, str(names[where]).split("\n"), _NAMES[where])
                if found.shape != network[name][0].shape:
                    raise ValueError(f"{name} must be of shape {network[name][0].shape}")
                with np.errstate(over="ignore"):
                    network[name][0] = found
    except (OSError, ValueError) as error:
        raise PlayerError(f"cannot read a network from {path}: {error}") from None
    if not all(np.isfinite(network[name]).all() for name in ARRAYS):
        raise PlayerError(f"cannot read a network from {path}: it contains NaN or infinity")
    network["is_there"] = 1
    return network


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
