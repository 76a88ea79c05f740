"""A learned opinion on choices: a small network over the sparse features of a position and of its choices.

What is there of a position goes through one hidden layer. A choice's logit is the hand-made opinion, as much as its
stage makes of it, and for each of the choice's rows a number of its own and what the hidden layer makes of that row.
Only what is there is added up, and each row once, so that a node of the search costs a few microseconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from sintra.components import COLORS, LINES
from sintra.features.inputs import INPUTS, MOST_INPUTS, VERSION, write_inputs
from sintra.features.rows import MOST_ROWS, ROWS, write_rows
from sintra.features.spaces import NOT_ASKED
from sintra.players.base import PlayerError
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
THOUGHT: Final = np.dtype(
    [
        ("inputs", np.int16, MOST_INPUTS),
        ("hidden", np.float32, HIDDEN),
        ("rows", np.int16, MOST_ROWS),
        ("spaces", np.float64, (LINES, COLORS)),
        # what each row is worth in the position that was seen last, if its stamp is that position's
        ("worth", np.float32, ROWS),
        ("stamps", np.int64, ROWS),
        ("stamp", np.int64),
    ],
    align=True,
)
"""What a network thinks with."""
ARRAYS: Final = ("inputs", "bias", "rows", "row_bias", "opinion")


def no_network() -> Array:
    """A network that knows nothing."""
    return np.zeros(1, NETWORK)


def new_thought() -> Array:
    """Memory for one search at a time."""
    return np.zeros(1, THOUGHT)


def save_network(network: Array, path: str | Path, **notes: Any) -> None:
    """Writes a network, with notes on where it comes from, in half precision."""
    arrays = {name: network[name][0].astype(np.float16) for name in ARRAYS}
    with Path(path).open("wb") as file:
        np.savez_compressed(file, version=VERSION, **arrays, **notes)


def load_network(path: Any) -> Array:
    """The network in a file (or anything that opens in binary like one)."""
    network = no_network()
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            if int(found["version"]) != VERSION:
                raise ValueError(f"it is for version {int(found['version'])} of the features, these are {VERSION}")
            for name in ARRAYS:
                network[name][0] = found[name]
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise PlayerError(f"cannot read a network from {path}: {error}") from None
    if not all(np.isfinite(network[name]).all() for name in ARRAYS):
        raise PlayerError(f"cannot read a network from {path}: some of its numbers are none")
    network["is_there"] = 1
    return network


@kernel
def see(network: State, thought: State, s: State) -> None:
    """What the hidden layer makes of a position, for the player to move."""
    hidden = thought.hidden
    for h in range(HIDDEN):
        hidden[h] = network.bias[h]
    for k in range(write_inputs(s, s.turn, thought.inputs)):
        row = network.inputs[thought.inputs[k]]
        for h in range(HIDDEN):
            hidden[h] += row[h]
    for h in range(HIDDEN):
        hidden[h] = max(hidden[h], np.float32(0.0))
    for line in range(LINES):
        for color in range(COLORS):
            thought.spaces[line, color] = NOT_ASKED
    thought.stamp += 1


@kernel
def worth_of_row(network: State, thought: State, row: int) -> float:
    """What a row is worth in the position seen last."""
    if thought.stamps[row] != thought.stamp:
        worth = network.row_bias[row]
        weights = network.rows[row]
        for h in range(HIDDEN):
            worth += thought.hidden[h] * weights[h]
        thought.worth[row] = worth
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
