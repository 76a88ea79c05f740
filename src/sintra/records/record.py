"""Game records: every move and chance outcome in the open, as JSON (`sintra/1`).

A record replays without the generator that made it. `Record` checks the form when it is read;
`Record.replay` and `check_record` check the game.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Final, TextIO

import numpy as np

from sintra.components import (
    CHIP_COPIES,
    CHIP_COUNT,
    CHIPS,
    COLOR_LETTERS,
    COLORS,
    DISPLAY,
    FACTORIES,
    LARGE,
    LARGE_FILL,
    PLATE_COUNT,
    PLATES,
    ROUNDS,
    SEATS,
    SMALL_FILL,
    TILES_PER_COLOR,
    PlateKind,
    chip_index,
    plate_index,
)
from sintra.errors import RecordError, SintraError
from sintra.game.game import Game
from sintra.tabletop.moves import Move
from sintra.tabletop.result import Result
from sintra.tabletop.ruleset import Rules

FORMAT: Final = "sintra/1"
_HIDDEN_PLATES: Final = ("??", "?*", "?W")
_KEYS: Final = ("format", "rules", "players", "first", "deal", "moves", "result", "legal", "display", "looked")


@dataclass(frozen=True, slots=True)
class Record:
    """One game, or a seat's view of one (then some plates, chips and returns are hidden).

    `display` lists the plates laid open at each filling of the display, `looked` the plates seen
    at each `H`; both are optional in a full record. `extra` holds other top-level keys.
    """

    rules: Rules
    players: tuple[str, str]
    first: int
    plates: tuple[str, ...]
    chips: tuple[str, ...]
    tiles: tuple[tuple[str, ...], ...]
    moves: tuple[str, ...]
    result: Result | None = None
    legal: tuple[int, ...] | None = None
    display: tuple[tuple[str, ...], ...] | None = None
    looked: tuple[tuple[str, ...], ...] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def of(cls, game: Game, players: Sequence[str] = ("seat 0", "seat 1"), *, legal: bool = False) -> Record:
        """The record of a game so far, with the numbers of legal moves if asked for."""
        deal = game.deal_so_far
        _need(len(players) == SEATS and not isinstance(players, str), "a record names two players")
        return cls(
            rules=game.rules,
            players=(players[0], players[1]),
            first=deal.first,
            plates=tuple(plate.name for plate in deal.plates),
            chips=deal.chips,
            tiles=deal.tiles,
            moves=tuple(map(str, game.moves)),
            result=game.result,
            legal=tuple(game.legal_counts()) if legal else None,
        )

    @property
    def is_view(self) -> bool:
        """Whether something is hidden in it."""
        hidden = any("?" in name for name in (*self.plates, *self.chips))
        return hidden or any(token in ("<*", "<W") for token in self.moves)

    def start(self) -> Game:
        """The game at ply 0."""
        if self.is_view:
            raise RecordError("this is a view of a record: what it hides is needed to replay it")
        plates = [plate_index(name) for name in self.plates]
        chips = [chip_index(face) for face in self.chips]
        try:
            game = Game.from_deal(self.rules, self.first, plates, chips)
        except SintraError as error:
            raise RecordError(str(error)) from None
        self._deal_if_there(game, 0)
        _need_possible_tiles(self.tiles)
        return game

    def _deal_if_there(self, game: Game, ply: int) -> None:
        if game.awaits_deal and game.round <= len(self.tiles):
            try:
                game.deal(self.tiles[game.round - 1])
            except SintraError as error:
                raise RecordError(str(error), ply=ply) from None

    def positions(self) -> Iterator[Game]:
        """The game at ply 0, 1, 2, ...: one object that moves on."""
        game = self.start()
        yield game
        for ply, token in enumerate(self.moves):
            try:
                game.push(token)
            except SintraError as error:
                raise RecordError(str(error), ply=ply) from None
            self._deal_if_there(game, ply + 1)
            yield game

    def replay(self, ply: int | None = None) -> Game:
        """The game after `ply` moves, all if not given; then also with its early end."""
        if ply is not None and not 0 <= ply <= len(self.moves):
            raise RecordError(f"there is no ply {ply}: the record has plies 0 to {len(self.moves)}")
        for game in self.positions():
            if game.ply == ply:
                return game
        if ply is None and self.result and self.result.reason and not game.is_over:
            game.end_early(self.result.winner, self.result.reason)
        return game

    def deals(self) -> np.ndarray:
        """The recorded tiles as counts (round, factory, colour), for `engine.perft`."""
        counts = np.zeros((ROUNDS, FACTORIES, COLORS), np.int8)
        for round_no, factories in enumerate(self.tiles):
            for k, letters in enumerate(factories):
                for letter in letters:
                    counts[round_no, LARGE if k == 0 else k - 1, COLOR_LETTERS.index(letter)] += 1
        return counts

    def perft(self, ply: int | None, depth: int, on_share: Callable[[float], None] | None = None) -> int:
        """How many sequences of `depth` moves follow a ply; recorded tiles are dealt where they are.
        `on_share` is told now and then the share that is counted."""
        return self.replay(ply).perft_with(depth, self.deals(), len(self.tiles), on_share)

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """The record in a JSON object; its form is checked, its game is not."""
        return _read(data)

    def to_dict(self) -> dict[str, Any]:
        """The record as a JSON object."""
        data: dict[str, Any] = {
            "format": FORMAT,
            **self.extra,
            "rules": self.rules.to_dict(),
            "players": list(self.players),
            "first": self.first,
            "deal": {
                "plates": list(self.plates),
                "chips": list(self.chips),
                "tiles": [list(factories) for factories in self.tiles],
            },
            "moves": list(self.moves),
        }
        if self.display is not None:
            data["display"] = [list(plates) for plates in self.display]
        if self.looked is not None:
            data["looked"] = [list(plates) for plates in self.looked]
        if self.legal is not None:
            data["legal"] = list(self.legal)
        if self.result is not None:
            data["result"] = _result_dict(self.result)
        return data

    @classmethod
    def loads(cls, text: str) -> Record:
        """The record in one JSON text."""
        return cls.from_dict(_load_json(text))

    def dumps(self) -> str:
        """The record as one line of JSON."""
        return json.dumps(self.to_dict())


def _load_json(text: str) -> Any:
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


def _result_dict(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = {"scores": list(result.scores)}
    if result.goals is not None:
        data["goals"] = [list(points) for points in result.goals]
    data["winner"] = result.winner
    if result.reason:
        data["reason"] = result.reason
    return data


def _need(holds: bool, reason: str) -> None:
    if not holds:
        raise RecordError(reason)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _strings(value: object, what: str, length: int | None = None) -> tuple[str, ...]:
    _need(isinstance(value, list) and all(isinstance(item, str) for item in value), f"{what} must be a list of texts")
    assert isinstance(value, list)
    _need(length is None or len(value) == length, f"{what} must have {length} entries, not {len(value)}")
    return tuple(value)


def _read(data: Any) -> Record:
    _need(isinstance(data, dict), "a record is a JSON object")
    _need(data.get("format") == FORMAT, f"the format is {data.get('format')!r}, not {FORMAT!r}")
    for key in ("rules", "players", "first", "deal", "moves"):
        _need(key in data, f"{key!r} is missing")
    _need(isinstance(data["rules"], dict), "rules must be an object")
    try:
        rules = Rules.from_dict(data["rules"])
    except SintraError as error:
        raise RecordError(str(error)) from None
    first = data["first"]
    _need(_is_int(first) and first in (0, 1), f"first is {first!r}: it must be 0 or 1")
    players = _strings(data["players"], "players", SEATS)
    plates, chips, tiles = _read_deal(data["deal"])
    legal = data.get("legal")
    moves = _read_moves(data["moves"])
    if legal is not None:
        _need(isinstance(legal, list) and all(map(_is_int, legal)), "legal must be a list of numbers")
        _need(len(legal) == len(moves), f"legal has {len(legal)} entries for {len(moves)} moves")
    record = Record(
        rules=rules,
        players=(players[0], players[1]),
        first=first,
        plates=plates,
        chips=chips,
        tiles=tiles,
        moves=moves,
        result=None if data.get("result") is None else _read_result(data["result"], rules),
        legal=None if legal is None else tuple(legal),
        display=_plate_lists(data.get("display"), "display"),
        looked=_plate_lists(data.get("looked"), "looked"),
        extra={key: value for key, value in data.items() if key not in _KEYS},
    )
    if record.is_view:
        _need_possible_tiles(tiles)
    return record


def _read_deal(deal: Any) -> tuple[tuple[str, ...], tuple[str, ...], tuple[tuple[str, ...], ...]]:
    _need(isinstance(deal, dict), "deal must be an object")
    unknown = sorted(set(deal) - {"plates", "chips", "tiles"})
    _need(not unknown, f"unknown key {unknown[:1]} in deal")
    for key in ("plates", "chips", "tiles"):
        _need(key in deal, f"deal lacks {key!r}")
    plates = _strings(deal["plates"], "deal.plates", PLATE_COUNT)
    chips = _strings(deal["chips"], "deal.chips", CHIP_COUNT)
    known = {plate.name for plate in PLATES}
    for k, name in enumerate(plates):
        hidden = name in _HIDDEN_PLATES
        _need(name in known or hidden, f"deal.plates: {name!r} is no plate, or stands there twice")
        if not hidden:
            known.remove(name)
        _need(k >= DISPLAY or not hidden, "deal.plates: the three plates of the display are open")
    for kind in PlateKind:
        count = sum(name == f"?{kind.value}" or _is_of(kind, name) for name in plates)
        most = sum(plate.kind is kind for plate in PLATES)
        _need(count <= most, f"deal.plates: {count} plates of kind {kind.value} are more than {most} (R1.4)")
    left = {chip.face: CHIP_COPIES for chip in CHIPS}
    for face in chips:
        _need(face == "??" or left.get(face, 0) > 0, f"deal.chips: {face!r} is no chip, or stands there too often")
        if face != "??":
            left[face] -= 1
    _need(isinstance(deal["tiles"], list), "deal.tiles must be a list")
    _need(len(deal["tiles"]) <= ROUNDS, f"deal.tiles has {len(deal['tiles'])} rounds; a game has 5")
    tiles = []
    for k, factories in enumerate(deal["tiles"], start=1):
        row = _strings(factories, f"deal.tiles of round {k}", FACTORIES)
        for f, letters in enumerate(row):
            room = SMALL_FILL if f else LARGE_FILL
            _need(len(letters) <= room, f"deal.tiles of round {k}: {letters!r} are more than {room} tiles (R2.3)")
            wrong = [letter for letter in letters if letter not in COLOR_LETTERS]
            _need(not wrong, f"deal.tiles of round {k}: unknown colour {wrong[:1]}")
        tiles.append(row)
    return plates, chips, tuple(tiles)


def _is_of(kind: PlateKind, name: str) -> bool:
    return name not in _HIDDEN_PLATES and PLATES[plate_index(name)].kind is kind


def _need_possible_tiles(tiles: Sequence[Sequence[str]]) -> None:
    """R1.1: no round, begun or not, has more tiles of a colour than there are."""
    for k, factories in enumerate(tiles, start=1):
        for letter, count in Counter("".join(factories)).items():
            _need(
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
    _need(isinstance(value, list), f"{what} must be a list")
    names = {plate.name for plate in PLATES}
    lists = tuple(_strings(item, what) for item in value)
    for plates in lists:
        _need(set(plates) <= names, f"{what}: {sorted(set(plates) - names)[:1]} is no plate")
    return lists


def _pair_of_ints(value: Any, what: str) -> tuple[int, int]:
    _need(isinstance(value, list) and len(value) == 2 and all(map(_is_int, value)), f"{what} must be two numbers")
    return value[0], value[1]


def _read_result(result: Any, rules: Rules) -> Result:
    _need(isinstance(result, dict), "result must be an object")
    unknown = sorted(set(result) - {"scores", "goals", "winner", "reason"})
    _need(not unknown, f"unknown key {unknown[:1]} in result")
    scores = _pair_of_ints(result.get("scores"), "result.scores")
    winner = result.get("winner")
    _need(_is_int(winner) and winner in (0, 1), f"result.winner is {winner!r}: it must be 0 or 1")
    if "reason" in result:
        reason = result["reason"]
        _need(reason in ("resigned", "timeout"), f"result.reason is {reason!r}: it can be 'resigned' or 'timeout'")
        _need("goals" not in result, "a game that ended early has no goals in its result")
        return Result(scores, winner, reason=reason)
    goals = result.get("goals")
    fits = isinstance(goals, list) and len(goals) == 2 and all(isinstance(points, list) for points in goals)
    _need(fits, "result.goals must be two lists of numbers")
    for points in goals:
        fits = len(points) == len(rules.goals) and all(map(_is_int, points))
        _need(fits, f"result.goals must give the points of {len(rules.goals)} goals for each player")
    return Result(scores, winner, (tuple(goals[0]), tuple(goals[1])))


def check_record(record: Record) -> Game:
    """Replays a record and verifies every move, the numbers of legal moves, the plates laid open
    and looked at, and the result, which a game that is over must have. Returns the game at its end."""
    from sintra.records.seen import openings

    for game in record.positions():
        ply = game.ply
        if record.legal is not None and ply < len(record.moves):
            legal = len(game.legal_moves)
            if legal != record.legal[ply]:
                raise RecordError(f"there are {legal} legal moves, the record says {record.legal[ply]}", ply=ply)
    ply = len(record.moves)
    if record.result is not None:
        _check_result(game, record.result, ply)
    elif game.is_over:
        raise RecordError("the game is over, but the record has no result", ply=ply)
    if record.display is not None or record.looked is not None:
        display, looked = openings(record)
        if record.display is not None and record.display != display:
            raise RecordError(f"display should be {[list(plates) for plates in display]}", ply=ply)
        by_whom = [tuple(plates for seat, plates in looked if seat in seats) for seats in ((0, 1), (0,), (1,), ())]
        if record.looked is not None and record.looked not in by_whom:
            raise RecordError(f"looked should be {[list(plates) for plates in by_whom[0]]}", ply=ply)
    return game


def _check_result(game: Game, result: Result, ply: int) -> None:
    if result.reason:
        if game.is_over:
            raise RecordError(f"the game is over by the rules, but the result says {result.reason!r}", ply=ply)
        if result.scores != game.scores:
            raise RecordError(f"the scores are {list(game.scores)}, not {list(result.scores)}", ply=ply)
        return
    if not game.is_over:
        raise RecordError("the game is not over, but the record has a result", ply=ply)
    if game.result != result:
        found, said = (json.dumps(_result_dict(one)) for one in (game.result, result) if one)
        raise RecordError(f"the result is {found}, the record says {said}", ply=ply)


def parse_records(text: str, source: str | None = None) -> list[Record]:
    """All records of a text: one JSON object, or one a line. Nothing is returned if one is damaged."""
    try:
        whole = _load_json(text)
    except RecordError as error:
        if _is_one_object(text):
            raise RecordError(error.reason, source=source, line=error.line) from None
        whole = None
    if isinstance(whole, dict):
        return [_at_line(text, source, 1, whole)]
    records = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            records.append(_at_line(line, source, number))
    return records


def _is_one_object(text: str) -> bool:
    """Whether a text that is not JSON was meant as one object over many lines: then its first two
    lines are no JSON either."""
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) > 1 and not any(map(_is_json, lines[:2]))


def _is_json(text: str) -> bool:
    try:
        _load_json(text)
    except RecordError:
        return False
    return True


def _at_line(text: str, source: str | None, number: int, data: Any = None) -> Record:
    try:
        return Record.loads(text) if data is None else Record.from_dict(data)
    except RecordError as error:
        raise RecordError(error.reason, source=source, line=number, ply=error.ply) from None


def read_records(source: str | Path | BinaryIO) -> list[Record]:
    """All records of a `.json` or `.jsonl` file, given by its path or opened for bytes."""
    name = str(source) if isinstance(source, str | Path) else "standard input"
    try:
        text = (Path(source).read_bytes() if isinstance(source, str | Path) else source.read()).decode("utf-8")
    except OSError as error:
        raise RecordError(f"cannot be read: {error.strerror}", source=name) from None
    except UnicodeDecodeError as error:
        raise RecordError(f"is not UTF-8 text (byte {error.start})", source=name) from None
    return parse_records(text, name)


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """A text file to write; it takes its place only when everything is written. What is no plain file,
    such as a pipe, is written to directly."""
    target = Path(path).resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if Path(path).exists() and not target.is_file():
        with Path(path).open("w", encoding="utf-8") as file:
            yield file
        return
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("x", encoding="utf-8") as file:
            yield file
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def write_records(path: str | Path, records: Iterable[Record]) -> None:
    """Writes records, one a line; the file is replaced only when all are written."""
    with replacing(path) as file:
        file.writelines(record.dumps() + "\n" for record in records)
