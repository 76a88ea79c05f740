"""The one evaluator: what is thought of choices, of boards, and of leads.

`Evaluator` holds the parameters; the kernels below it take them and answer for whoever thinks: `priors_of` and
`quick_opinions_of` for choices, once `look_at_boards` has seen where tiles can go, `value_of_tiled` for a board after
its tiling, `value_of_lead` for two such boards. (What an unfinished draft is worth, `value_of_leaf`, needs tilings and
is in `leaf`.) Opinions made by hand (`policy`) and a network that learned more of them (`network.npz`) make the priors;
weights for the features of a board (`value.json`) make its value, with a hidden layer or
without. `classic_value.json` holds the weights of 0.1.0.

A board's value is the points its owner is expected still to gain, so that score plus value is an
expected final score. The difference of two expected scores gives a chance to win; how sure it is
depends on the round.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from sintra.components import ROUNDS, SEATS
from sintra.features.board import FEATURES, NAMES, Board, board_features
from sintra.features.spaces import write_spaces
from sintra.players.base import PlayerError
from sintra.players.thinking.elementary import exponential
from sintra.players.thinking.network import NetworkArray, learned_opinions, load_network, no_network
from sintra.players.thinking.policy import opinions
from sintra.rules.array_types import Elements
from sintra.rules.compiled import kernel, layout, np, shared
from sintra.rules.memory import LETTERS, Numbers, layout_of, zeros
from sintra.rules.scoring import winner_with
from sintra.rules.state import Array, State

_VALUE: Final = "value.json"
_CLASSIC_VALUE: Final = "classic_value.json"
_NETWORK: Final = "network.npz"
MAX_FILE_LETTERS: Final = 1_000_000
"""How much of a file with weights is read; ours have a few thousand letters."""
HAND: Final = "hand"
"""The name of the policy that is made by hand."""
CLASSIC: Final = "classic"
"""The name of the value of version 0.1.0."""
TEMPERATURE: Final = 1.6
"""How many points of opinion make a prior e times as large."""
PLAYOUTS: Final = 1
"""How often the draft is played on from a leaf."""
MIN_PRIOR: Final = 0.003
"""What every choice keeps, against 1 for the best, however bad it looks."""
WINNING: Final = 0.9
"""How much of a value at the end of round 5 is the win itself."""
BY_HOW_MUCH: Final = 0.1
"""How much of a value at the end of round 5 is the lead, so that a lost game is lost by as little as possible."""
LEAD_SCALE: Final = 12.0
"""The scale of the lead in a value at the end of round 5, in points."""
BLANK_SCALES: Final = (14.0, 12.0, 10.0, 8.0, 4.0)
"""How sure a lead of points is when nothing else is known, round by round."""


_WRONG_HIDDEN: Final = "its hidden layer must be of numbers"
HIDDEN: Final = 64
"""The size of the hidden layer behind the features of a board."""
INPUT_NAMES: Final = [*NAMES, "score"]
"""What the hidden layer sees of a board."""
SCORE: Final = FEATURES
"""The number of its last input, the score."""

PARAMETERS: Final = layout(
    [
        # for the features of a board at each round's end (the last round needs none)
        ("weights", "f8", (ROUNDS, FEATURES)),
        # a hidden layer, which adds what features mean together: from each input to each hidden number, where these
        # begin in each round, what each of them is worth, and what is added in each round
        ("has_hidden", "i8"),
        ("to_hidden", "f4", (len(INPUT_NAMES), HIDDEN)),
        ("hidden_bias", "f4", (ROUNDS, HIDDEN)),
        ("from_hidden", "f4", HIDDEN),
        ("bias", "f8", ROUNDS),
        # in points, how sure a lead is by then
        ("scales", "f8", ROUNDS),
        ("temperature", "f8"),
        ("playouts", "i8"),
    ]
)
"""What the functions below answer from: one record, which compiled code takes as it takes a state."""
Parameters: TypeAlias = Any
"""Such a record inside compiled code."""
ParametersArray: TypeAlias = Annotated[Any, Elements(PARAMETERS)]
"""An array with such a record, as Python holds it."""


class HiddenLayer(NamedTuple):
    """A hidden layer behind the features of a board: `PARAMETERS` says what its numbers are."""

    to_hidden: Array
    hidden_bias: Array
    from_hidden: Array
    bias: Array

    @classmethod
    def blank(cls) -> HiddenLayer:
        """One that adds nothing."""
        fields = layout_of(PARAMETERS).fields
        return cls(*(zeros(fields[name].shape, fields[name].kind) for name in cls._fields))


class Evaluator:
    """The parameters of all that is thought, as Python makes, reads and writes them."""

    def __init__(self, weights: Any, scales: Any, temperature: float = TEMPERATURE, playouts: int = PLAYOUTS) -> None:
        self.parameters = zeros(1, PARAMETERS)
        self.parameters.put("weights", weights)
        self.parameters.put("scales", scales)
        self.parameters.put("temperature", temperature)
        self.parameters.put("playouts", playouts)
        self.network = no_network()

    @property
    def weights(self) -> Numbers:
        """The weights of the features, round by round."""
        return self.parameters.part("weights")

    @property
    def scales(self) -> Numbers:
        """How sure a lead is, round by round."""
        return self.parameters.part("scales")

    @classmethod
    def blank(cls) -> Evaluator:
        """One that sees nothing in a board but the score."""
        return cls(0.0, BLANK_SCALES)

    @classmethod
    def loads(cls, text: str) -> Evaluator:
        """The one written by `dumps`; features it does not name weigh nothing."""
        data = json.loads(text)
        weights = zeros((ROUNDS, FEATURES), "f8")
        if not isinstance(data["weights"], dict):
            raise ValueError("its weights must be named")
        for name, row in data["weights"].items():
            if name in NAMES:
                for round_no, weight in enumerate(_numbers(row, ROUNDS)):
                    weights[round_no, NAMES.index(name)] = weight
        scales = _numbers(data["scales"], ROUNDS)
        if min(scales) <= 0 or not all(map(isfinite, [*scales, *weights.flattened()])):
            raise ValueError("it needs five scales above 0 and weights that are numbers")
        found = cls(weights, scales)
        if "hidden" in data:
            found._read_hidden(data["hidden"])
        return found

    def _read_hidden(self, data: Any) -> None:
        """Reads the hidden layer; inputs it does not name count for nothing."""
        made = HiddenLayer.blank()
        for name, row in data["inputs"].items():
            if name in INPUT_NAMES:
                made.to_hidden[INPUT_NAMES.index(name)] = _numbers(row, HIDDEN)
        hidden_bias = data["hidden_bias"]
        if not isinstance(hidden_bias, list) or len(hidden_bias) != ROUNDS:
            raise ValueError(_WRONG_HIDDEN)
        made.hidden_bias.fill([_numbers(row, HIDDEN) for row in hidden_bias])
        made.from_hidden.fill(_numbers(data["from_hidden"], HIDDEN))
        made.bias.fill(_numbers(data["bias"], ROUNDS))
        if not all(isfinite(one) for part in made for one in part.flattened()):
            raise ValueError(_WRONG_HIDDEN)
        self.set_hidden(made)

    def set_hidden(self, layer: HiddenLayer) -> None:
        """Adds a hidden layer to the weights."""
        for name, numbers in layer._asdict().items():
            self.parameters.put(name, numbers)
        self.parameters.put("has_hidden", 1)

    @property
    def hidden(self) -> HiddenLayer | None:
        """The hidden layer, if there is one."""
        if not self.parameters.get("has_hidden"):
            return None
        return HiddenLayer(*(self.parameters.part(name) for name in HiddenLayer._fields))

    def dumps(self) -> str:
        """The weights, and what the hidden layer has, by the features' names, one a line."""

        def rows(names: list[str], table: Sequence[Any]) -> str:
            return ",\n".join(f"  {json.dumps(name)}: {_rounded(row)}" for name, row in zip(names, table, strict=True))

        columns = list(zip(*self.weights.tolist(), strict=True))
        parts = [f'"scales": {_rounded(self.scales.tolist(), 3)}', f'"weights": {{\n{rows(NAMES, columns)}\n }}']
        if layer := self.hidden:
            inside = [f'"{name}": {_rounded(getattr(layer, name).tolist())}' for name in layer._fields[1:]]
            inputs = f'"inputs": {{\n{rows(INPUT_NAMES, layer.to_hidden.tolist())}\n }}'
            parts.append(f'"hidden": {{{", ".join(inside)},\n {inputs}}}')
        return "{" + ",\n ".join(parts) + "}\n"

    def save(self, path: str | Path) -> None:
        """Writes the weights to a file."""
        Path(path).write_text(self.dumps(), "utf-8")

    def with_network(self, network: NetworkArray) -> Evaluator:
        """A copy of this evaluator with another network."""
        other = Evaluator(0.0, BLANK_SCALES)
        other.parameters = self.parameters.copy()
        other.network = network
        return other

    def with_foresight(self, foresight: float) -> Evaluator:
        """A copy that values what a board promises only this much: 0 sees the score alone, 1 is this one."""
        other = self.with_network(self.network)
        for name in ("weights", "from_hidden", "bias"):
            _scale(other.parameters.part(name), foresight)
        return other

    def with_policy_strength(self, share: float) -> Evaluator:
        """A copy whose network tells choices apart only this much: 0 expects the same of all, 1 is this one."""
        other = self.with_network(self.network.copy())
        for name in ("rows", "row_bias", "opinion"):
            _scale(other.network.part(name), share)
        return other


def _scale(numbers: Numbers, share: float) -> None:
    """Makes numbers so many times as large, each rounded as their kind is."""
    (share,) = array(LETTERS[numbers.kind], [share])
    numbers.data[:] = array(LETTERS[numbers.kind], [share * one for one in numbers.flattened()]).tobytes()


def _numbers(found: Any, size: int) -> list[float]:
    """So many numbers that a file holds."""
    if not isinstance(found, list) or len(found) != size:
        raise ValueError(f"{size} numbers are wanted")
    return [float(one) for one in found]


@cache
def hand_made_evaluator() -> Evaluator:
    """The evaluator of version 0.1.0: opinions made by hand, and the value that was fitted then."""
    return Evaluator.loads(_packaged(_CLASSIC_VALUE).read_text("utf-8"))


@cache
def standard_evaluator() -> Evaluator:
    """The evaluator that comes with the package: all that was learned."""
    evaluator = Evaluator.loads(_packaged(_VALUE).read_text("utf-8"))
    return evaluator.with_network(load_network(_packaged(_NETWORK)))


def _rounded(numbers: Sequence[Any], digits: int = 4) -> str:
    """Numbers as JSON, also in rows."""
    return json.dumps([_round(one, digits) for one in numbers])


def _round(number: Any, digits: int) -> Any:
    return [_round(one, digits) for one in number] if isinstance(number, list) else round(number, digits)


def _packaged(name: str) -> Any:
    return resources.files("sintra.players.thinking").joinpath(name)


def load_evaluator(value: str | None = None, policy: str | None = None) -> Evaluator:
    """The evaluator that comes with the package, with the weights and the network of these files; the value
    `classic` is that of 0.1.0, the policy `hand` has no network."""
    evaluator = hand_made_evaluator() if value == CLASSIC else standard_evaluator()
    if value is not None and value != CLASSIC:
        try:
            with Path(value).open(encoding="utf-8") as file:
                evaluator = Evaluator.loads(file.read(MAX_FILE_LETTERS))
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise PlayerError(f"cannot read weights from {value}: {error}") from None
    if policy == HAND:
        return evaluator.with_network(no_network())
    return evaluator.with_network(standard_evaluator().network if policy is None else load_network(Path(policy)))


@kernel
def look_at_board(thought: State, s: State, seat: int) -> None:
    """What opinions have to know of a seat's board: in a draft it changes with the plates that the seat lays."""
    write_spaces(s, seat, thought.spaces)


@kernel
def look_at_boards(thought: State, s: State) -> None:
    """What opinions have to know of both boards."""
    for seat in range(SEATS):
        look_at_board(thought, s, seat)


@kernel
def priors_of(
    evaluator: Parameters, network: State, thought: State, s: State, legal: Array, n: int, out: Array
) -> None:
    """Writes how promising each legal choice looks, as weights above 0; both boards are looked at already."""
    opinions(s, legal, n, False, thought.spaces, thought.points, out)
    temperature = evaluator.temperature
    if network.is_there:
        learned_opinions(network, thought, s, legal, n, out)
        temperature = 1.0
    most = out[0]
    for k in range(1, n):
        most = max(most, out[k])
    for k in range(n):
        out[k] = exponential((out[k] - most) / temperature) + MIN_PRIOR


@kernel
def quick_opinions_of(evaluator: Parameters, thought: State, s: State, legal: Array, n: int, out: Array) -> None:
    """Writes a rough opinion on each legal choice, in points or so: for playouts, and for the order in
    which an exact search tries them. The board of the seat to move is looked at already."""
    opinions(s, legal, n, True, thought.spaces, thought.points, out)


@kernel
def value_of_tiled(evaluator: Parameters, s: State, seat: int, score: int, board: Board, features: Array) -> float:
    """The expected final score of a seat whose board is tiled, before round 5 is over; what the value
    weighs is left in `features`."""
    board_features(s, seat, board, features)
    value = float(score)
    for k in range(FEATURES):
        value += evaluator.weights[s.round_no - 1, k] * features[k]
    return value


@kernel
def value_of_hidden(evaluator: Parameters, s: State, score: int, features: Array, hidden: Array) -> float:
    """What the hidden layer adds to the value of a tiled board with these features, before round 5 is over; `hidden` is
    written on."""
    if not evaluator.has_hidden:
        return 0.0
    now = s.round_no - 1
    x = np.float32(score)
    for h in range(HIDDEN):
        hidden[h] = evaluator.hidden_bias[now, h] + x * evaluator.to_hidden[SCORE, h]
    for k in range(FEATURES):
        if features[k] != 0.0:
            x = np.float32(features[k])
            for h in range(HIDDEN):
                hidden[h] += x * evaluator.to_hidden[k, h]
    value = evaluator.bias[now]
    for h in range(HIDDEN):
        if hidden[h] > 0.0:
            value += hidden[h] * evaluator.from_hidden[h]
    return float(value)


@kernel
def value_of_lead(evaluator: Parameters, s: State, mine: float, theirs: float) -> float:
    """Seat 0's chance to win at the end of a round, from what both boards are worth once tiled; in
    round 5 that is known (R6.3 breaks a tie)."""
    if s.round_no == ROUNDS:
        ahead = 1.0 if winner_with(s, mine, theirs) == 0 else 0.0
        return WINNING * ahead + BY_HOW_MUCH * chance_to_win(mine - theirs, LEAD_SCALE)
    return chance_to_win(mine - theirs, evaluator.scales[s.round_no - 1])


@shared
def chance_to_win(lead: float, scale: float) -> float:
    """How likely a lead of so many expected points wins."""
    return 1.0 / (1.0 + exponential(-lead / scale))
