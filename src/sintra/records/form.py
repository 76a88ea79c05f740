"""The form of a game record, `sintra/1`: JSON is read into the fields of a `Record`, and refused where it is no record.

Only the form is checked here; whether the game can have happened is for `Record.check`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from sintra import components
from sintra.errors import Fault, RecordError, SintraError
from sintra.tabletop.moves import Move
from sintra.tabletop.result import Result
from sintra.tabletop.ruleset import Rules

FORMAT: Final = "sintra/1"
"""What the JSON of a record says of itself."""
_HIDDEN_PLATES: Final = ("??", "?*", "?W")
"""The names of plates of which nothing, or the back alone, is known."""
_PLATES: Final = Fault("at_key", key="deal.plates")
_CHIPS: Final = Fault("at_key", key="deal.chips")
_KEYS: Final = ("format", "rules", "players", "first", "deal", "moves", "result", "legal", "display", "looked")
"""The keys that a record has a meaning for."""


def load_json(text: str) -> Any:
    """Parses a JSON text; a text that cannot be a record's raises `RecordError`."""
    try:
        _need_unicode(text)
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant)
    except RecordError:
        raise
    except json.JSONDecodeError as error:
        code = "json_more" if error.msg == "Extra data" else "json_at"
        raise RecordError(Fault(code, said=error.msg, column=error.colno), line=error.lineno) from None
    except (RecursionError, ValueError) as error:
        raise RecordError(Fault("json.other", said=error)) from None


def _need_unicode(text: str) -> None:
    """Refuses halves of surrogate pairs, which JSON can name, but which are no letters and cannot be written again."""
    if "\\ud" in text.lower():
        json.dumps(json.loads(text), ensure_ascii=False).encode()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise RecordError(Fault("twice.object", found=next(name for name in names if names.count(name) > 1)))
    return found


def _no_constant(name: str) -> Any:
    raise RecordError(Fault("json.constant", found=name))


def need(holds: bool, *said: str | Fault) -> None:
    """Refuses a record in which something does not hold."""
    if not holds:
        raise RecordError(*said)


def _within(key: str) -> Fault:
    """Returns the place of a fault whose own text names that place."""
    return Fault("at_key.unsaid", key=key)


def _need_object(value: object, what: str) -> None:
    need(isinstance(value, dict), Fault("like.object", found=what, like="{…}"))


def _need_list(value: object, what: str) -> None:
    need(isinstance(value, list), Fault("like.list", found=what, like="[…]"))


def _need_known(value: dict[str, Any], keys: tuple[str, ...], what: str) -> None:
    for name in sorted(set(value) - set(keys)):
        raise RecordError(_within(what), Fault("unknown_key.inside", found=name, key=what))


def _need_seat(value: object, what: str) -> None:
    wrong = Fault("one_of.seat", key=what, found=repr(value), choices="0, 1")
    need(_is_int(value) and value in (0, 1), _within(what), wrong)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _strings(value: object, what: str, length: int | None = None) -> tuple[str, ...]:
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    need(texts, Fault("like.texts", found=what, like='["…", "…"]'))
    assert isinstance(value, list)
    count = Fault("count.entries", key=what, wanted=length or 0, count=len(value))
    need(length is None or len(value) == length, _within(what), count)
    return tuple(value)


def read_form(data: Any) -> dict[str, Any]:
    """The fields of the record in a JSON object, each checked for its form."""
    need(isinstance(data, dict), Fault("no_record", format=FORMAT))
    need(data.get("format") == FORMAT, Fault("no_record.format", found=data.get("format"), format=FORMAT))
    for key in ("rules", "players", "first", "deal", "moves"):
        need(key in data, Fault("missing", found=key))
    _need_object(data["rules"], "rules")
    try:
        rules = Rules.from_dict(data["rules"])
    except SintraError as error:
        raise RecordError(error) from None
    first = data["first"]
    _need_seat(first, "first")
    players = _strings(data["players"], "players", components.SEATS)
    plates, chips, tiles = _read_deal(data["deal"])
    legal = data.get("legal")
    moves = _read_moves(data["moves"])
    if legal is not None:
        numbers = isinstance(legal, list) and all(map(_is_int, legal))
        need(numbers, Fault("like.numbers", found="legal", like="[4, 12]"))
        count = Fault("count.legal", wanted=len(moves), count=len(legal))
        need(len(legal) == len(moves), _within("legal"), count)
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
    _need_object(deal, "deal")
    _need_known(deal, ("plates", "chips", "tiles"), "deal")
    for key in ("plates", "chips", "tiles"):
        need(key in deal, Fault("missing.deal", found=f"deal.{key}", key=key))
    plates = _strings(deal["plates"], "deal.plates", components.PLATE_COUNT)
    chips = _strings(deal["chips"], "deal.chips", components.CHIP_COUNT)
    known = {plate.name for plate in components.PLATES}
    for k, name in enumerate(plates):
        hidden = name in _HIDDEN_PLATES
        need(name in known or hidden, _PLATES, Fault("plate_or_twice", found=name))
        if not hidden:
            known.remove(name)
        need(k >= components.DISPLAY or not hidden, _PLATES, Fault("display_open"))
    for kind in components.PlateKind:
        count = sum(name == f"?{kind.value}" or _is_of(kind, name) for name in plates)
        most = sum(plate.kind is kind for plate in components.PLATES)
        need(count <= most, _PLATES, Fault("plate_kinds", count=count, kind=kind.value, most=most))
    left = {chip.face: components.CHIP_COPIES for chip in components.CHIPS}
    for face in chips:
        need(face == "??" or left.get(face, 0) > 0, _CHIPS, Fault("chip_or_thrice", found=face))
        if face != "??":
            left[face] -= 1
    _need_list(deal["tiles"], "deal.tiles")
    rounds = len(deal["tiles"])
    need(
        rounds <= components.ROUNDS,
        _within("deal.tiles"),
        Fault("most.rounds", key="deal.tiles", found=rounds, most=components.ROUNDS),
    )
    tiles = []
    for k, factories in enumerate(deal["tiles"], start=1):
        where = _at_round(k)
        row = _strings(factories, str(where), components.FACTORIES)
        for f, letters in enumerate(row):
            room = components.SMALL_FILL if f else components.LARGE_FILL
            need(len(letters) <= room, where, Fault("most.filled", found=letters, most=room))
            wrong = [letter for letter in letters if letter not in components.COLOR_LETTERS]
            need(not wrong, where, Fault("no_color", found="".join(wrong[:1])))
        tiles.append(row)
    return plates, chips, tuple(tiles)


def _is_of(kind: components.PlateKind, name: str) -> bool:
    return name not in _HIDDEN_PLATES and components.PLATES[components.plate_index(name)].kind is kind


def need_possible_tiles(tiles: Sequence[Sequence[str]]) -> None:
    """R1.1: no round, begun or not, has more tiles of a colour than there are."""
    for k, factories in enumerate(tiles, start=1):
        for letter, count in Counter("".join(factories)).items():
            too_many = Fault(
                "tiles.round", count=count, color=components.Color.from_letter(letter), most=components.TILES_PER_COLOR
            )
            need(count <= components.TILES_PER_COLOR, _at_round(k), too_many)


def _at_round(round_no: int) -> Fault:
    return Fault("at_round", key="deal.tiles", round=round_no)


def _read_moves(moves: Any) -> tuple[str, ...]:
    tokens = _strings(moves, "moves")
    for ply, token in enumerate(tokens):
        try:
            Move.parse(token)
        except SintraError as error:
            raise RecordError(error, ply=ply) from None
    return tokens


def _plate_lists(value: Any, what: str) -> tuple[tuple[str, ...], ...] | None:
    if value is None:
        return None
    _need_list(value, what)
    names = {plate.name for plate in components.PLATES}
    lists = tuple(_strings(item, what) for item in value)
    for plates in lists:
        wrong = sorted(set(plates) - names)
        need(not wrong, Fault("at_key", key=what), Fault("no_plate.list", found="".join(wrong[:1])))
    return lists


def _pair_of_ints(value: Any, what: str) -> tuple[int, int]:
    fits = isinstance(value, list) and len(value) == 2 and all(map(_is_int, value))
    need(fits, Fault("like.pair", found=what, like="[31, 28]"))
    return value[0], value[1]


def _read_result(result: Any, rules: Rules) -> Result:
    _need_object(result, "result")
    _need_known(result, ("scores", "goals", "winner", "reason"), "result")
    scores = _pair_of_ints(result.get("scores"), "result.scores")
    winner = result.get("winner")
    _need_seat(winner, "result.winner")
    if "reason" in result:
        reason = result["reason"]
        wrong = Fault("one_of.reason", key="result.reason", found=repr(reason), choices="resigned, timeout")
        need(reason in ("resigned", "timeout"), _within("result.reason"), wrong)
        need("goals" not in result, Fault("early_goals"))
        return Result(scores, winner, reason=reason)
    goals = result.get("goals")
    fits = isinstance(goals, list) and len(goals) == 2 and all(isinstance(points, list) for points in goals)
    example = str([[0] * len(rules.goals)] * 2)
    need(fits, Fault("like.pair_of_lists", found="result.goals", like=example))
    for points in goals:
        fits = len(points) == len(rules.goals) and all(map(_is_int, points))
        need(fits, Fault("like.goal_points", found="result.goals", count=len(rules.goals), like=example))
    return Result(scores, winner, (tuple(goals[0]), tuple(goals[1])))
