"""The form of a game record, `sintra/1`: JSON is read into the fields of a `Record`, and refused where it is no record.

Only the form is checked here; whether the game can have happened is for `Record.check`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from sintra.components import (
    CHIP_COPIES,
    CHIP_COUNT,
    CHIPS,
    COLOR_LETTERS,
    DISPLAY,
    FACTORIES,
    LARGE_FILL,
    PLATE_COUNT,
    PLATES,
    ROUNDS,
    SEATS,
    SMALL_FILL,
    TILES_PER_COLOR,
    PlateKind,
    plate_index,
)
from sintra.errors import RecordError, SintraError
from sintra.tabletop.moves import Move
from sintra.tabletop.result import Result
from sintra.tabletop.ruleset import Rules

FORMAT: Final = "sintra/1"
_HIDDEN_PLATES: Final = ("??", "?*", "?W")
_KEYS: Final = ("format", "rules", "players", "first", "deal", "moves", "result", "legal", "display", "looked")


def load_json(text: str) -> Any:
    """What a JSON text holds; anything that cannot be JSON of ours is a damaged record."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        raise RecordError(f"not JSON: {error.msg} at column {error.colno}", line=error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise RecordError(f"not JSON that a record can be: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise RecordError(f"{next(name for name in names if names.count(name) > 1)!r} stands there twice")
    return found


def _no_constant(name: str) -> Any:
    raise RecordError(f"not JSON: {name} is no number")


def need(holds: bool, reason: str) -> None:
    """Refuses a record in which something does not hold."""
    if not holds:
        raise RecordError(reason)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _strings(value: object, what: str, length: int | None = None) -> tuple[str, ...]:
    need(isinstance(value, list) and all(isinstance(item, str) for item in value), f"{what} must be a list of texts")
    assert isinstance(value, list)
    need(length is None or len(value) == length, f"{what} must have {length} entries, not {len(value)}")
    return tuple(value)


def read_form(data: Any) -> dict[str, Any]:
    """The fields of the record in a JSON object, each checked for its form."""
    need(isinstance(data, dict), "a record is a JSON object")
    need(data.get("format") == FORMAT, f"the format is {data.get('format')!r}, not {FORMAT!r}")
    for key in ("rules", "players", "first", "deal", "moves"):
        need(key in data, f"{key!r} is missing")
    need(isinstance(data["rules"], dict), "rules must be an object")
    try:
        rules = Rules.from_dict(data["rules"])
    except SintraError as error:
        raise RecordError(str(error)) from None
    first = data["first"]
    need(_is_int(first) and first in (0, 1), f"first is {first!r}: it must be 0 or 1")
    players = _strings(data["players"], "players", SEATS)
    plates, chips, tiles = _read_deal(data["deal"])
    legal = data.get("legal")
    moves = _read_moves(data["moves"])
    if legal is not None:
        need(isinstance(legal, list) and all(map(_is_int, legal)), "legal must be a list of numbers")
        need(len(legal) == len(moves), f"legal has {len(legal)} entries for {len(moves)} moves")
    return {
        "rules": rules,
        "players": (players[0], players[1]),
        "first": first,
        "plates": plates,
        "chips": chips,
        "tiles": tiles,
        "moves": moves,
        "result": None if data.get("result") is None else _read_result(data["result"], rules),
        "legal": None if legal is None else tuple(legal),
        "display": _plate_lists(data.get("display"), "display"),
        "looked": _plate_lists(data.get("looked"), "looked"),
        "extra": {key: value for key, value in data.items() if key not in _KEYS},
    }


def _read_deal(deal: Any) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]:
    need(isinstance(deal, dict), "deal must be an object")
    unknown = sorted(set(deal) - {"plates", "chips", "tiles"})
    need(not unknown, f"unknown key {unknown[:1]} in deal")
    for key in ("plates", "chips", "tiles"):
        need(key in deal, f"deal lacks {key!r}")
    plates = _strings(deal["plates"], "deal.plates", PLATE_COUNT)
    chips = _strings(deal["chips"], "deal.chips", CHIP_COUNT)
    known = {plate.name for plate in PLATES}
    for k, name in enumerate(plates):
        hidden = name in _HIDDEN_PLATES
        need(name in known or hidden, f"deal.plates: {name!r} is no plate, or stands there twice")
        if not hidden:
            known.remove(name)
        need(k >= DISPLAY or not hidden, "deal.plates: the three plates of the display are open")
    for kind in PlateKind:
        count = sum(name == f"?{kind.value}" or _is_of(kind, name) for name in plates)
        most = sum(plate.kind is kind for plate in PLATES)
        need(count <= most, f"deal.plates: {count} plates of kind {kind.value} are more than {most} (R1.4)")
    left = {chip.face: CHIP_COPIES for chip in CHIPS}
    for face in chips:
        need(face == "??" or left.get(face, 0) > 0, f"deal.chips: {face!r} is no chip, or stands there too often")
        if face != "??":
            left[face] -= 1
    need(isinstance(deal["tiles"], list), "deal.tiles must be a list")
    need(len(deal["tiles"]) <= ROUNDS, f"deal.tiles has {len(deal['tiles'])} rounds; a game has 5")
    tiles = []
    for k, factories in enumerate(deal["tiles"], start=1):
        row = _strings(factories, f"deal.tiles of round {k}", FACTORIES)
        for f, letters in enumerate(row):
            room = SMALL_FILL if f else LARGE_FILL
            need(len(letters) <= room, f"deal.tiles of round {k}: {letters!r} are more than {room} tiles (R2.3)")
            wrong = [letter for letter in letters if letter not in COLOR_LETTERS]
            need(not wrong, f"deal.tiles of round {k}: unknown colour {wrong[:1]}")
        tiles.append(row)
    return plates, chips, tuple(tiles)


def _is_of(kind: PlateKind, name: str) -> bool:
    return name not in _HIDDEN_PLATES and PLATES[plate_index(name)].kind is kind


def need_possible_tiles(tiles: Sequence[Sequence[str]]) -> None:
    """R1.1: no round, begun or not, has more tiles of a colour than there are."""
    for k, factories in enumerate(tiles, start=1):
        for letter, count in Counter("".join(factories)).items():
            need(
                count <= TILES_PER_COLOR,
                f"deal.tiles of round {k}: {count} tiles of colour {letter} are more than {TILES_PER_COLOR} (R1.1)",
            )


def _read_moves(moves: Any) -> tuple[str, ...]:
    tokens = _strings(moves, "moves")
    for ply, token in enumerate(tokens):
        try:
            Move.parse(token)
        except SintraError as error:
            raise RecordError(str(error), ply=ply) from None
    return tokens


def _plate_lists(value: Any, what: str) -> tuple[tuple[str, ...], ...] | None:
    if value is None:
        return None
    need(isinstance(value, list), f"{what} must be a list")
    names = {plate.name for plate in PLATES}
    lists = tuple(_strings(item, what) for item in value)
    for plates in lists:
        need(set(plates) <= names, f"{what}: {sorted(set(plates) - names)[:1]} is no plate")
    return lists


def _pair_of_ints(value: Any, what: str) -> tuple[int, int]:
    need(isinstance(value, list) and len(value) == 2 and all(map(_is_int, value)), f"{what} must be two numbers")
    return value[0], value[1]


def _read_result(result: Any, rules: Rules) -> Result:
    need(isinstance(result, dict), "result must be an object")
    unknown = sorted(set(result) - {"scores", "goals", "winner", "reason"})
    need(not unknown, f"unknown key {unknown[:1]} in result")
    scores = _pair_of_ints(result.get("scores"), "result.scores")
    winner = result.get("winner")
    need(_is_int(winner) and winner in (0, 1), f"result.winner is {winner!r}: it must be 0 or 1")
    if "reason" in result:
        reason = result["reason"]
        need(reason in ("resigned", "timeout"), f"result.reason is {reason!r}: it can be 'resigned' or 'timeout'")
        need("goals" not in result, "a game that ended early has no goals in its result")
        return Result(scores, winner, reason=reason)
    goals = result.get("goals")
    fits = isinstance(goals, list) and len(goals) == 2 and all(isinstance(points, list) for points in goals)
    need(fits, "result.goals must be two lists of numbers")
    for points in goals:
        fits = len(points) == len(rules.goals) and all(map(_is_int, points))
        need(fits, f"result.goals must give the points of {len(rules.goals)} goals for each player")
    return Result(scores, winner, (tuple(goals[0]), tuple(goals[1])))
