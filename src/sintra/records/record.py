"""Game records: every move and chance outcome in the open, as JSON (`sintra/1`).

A record replays without the generator that made it. Its form is checked when it is read;
`Record.replay` and `Record.check` check the game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sintra import components
from sintra.errors import Fault, RecordError, SintraError
from sintra.game.game import Game
from sintra.records.form import FORMAT, load_json, need, need_possible_tiles, read_form
from sintra.records.seen import Seen
from sintra.records.steps import run_to_completion
from sintra.rules.memory import zeros
from sintra.rules.state import Array
from sintra.tabletop.result import Result
from sintra.tabletop.ruleset import Rules


@dataclass(frozen=True, slots=True)
class Record:
    """One game, or a seat's view of one (then some plates, chips and returns are hidden)."""

    rules: Rules
    """The goals and rule options."""
    players: tuple[str, str]
    """The names of the players, by seat."""
    first: int
    """The seat that moved first."""
    plates: tuple[str, ...]
    """The plates in the order in which they were dealt; hidden ones have `?` in their name."""
    chips: tuple[str, ...]
    """The faces of the chips in the order in which they were dealt; hidden ones are `??`."""
    tiles: tuple[tuple[str, ...], ...]
    """The tiles of each round that was dealt, factory by factory, the large one first."""
    moves: tuple[str, ...]
    """The moves in the notation."""
    result: Result | None = None
    """The result, if the game is over."""
    legal: tuple[int, ...] | None = None
    """The number of legal moves before each move, if it was noted."""
    display: tuple[tuple[str, ...], ...] | None = None
    """The plates laid open at each filling of the display; optional in a full record."""
    looked: tuple[tuple[str, ...], ...] | None = None
    """The plates seen at each `H`; optional in a full record."""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Other top-level keys of the JSON object."""

    @classmethod
    def of(cls, game: Game, players: Sequence[str] = ("seat 0", "seat 1"), *, legal: bool = False) -> Record:
        """The record of a game so far, with the numbers of legal moves if asked for."""
        deal = game.deal_so_far
        need(len(players) == components.SEATS and not isinstance(players, str), "a record names two players")
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
        """Whether the record hides something."""
        hidden = any("?" in name for name in (*self.plates, *self.chips))
        return hidden or any(token in ("<*", "<W") for token in self.moves)

    @property
    def names(self) -> tuple[str, str]:
        """The players, told apart even if they have one name."""
        first, second = self.players
        return (first, second) if first != second else (f"{first} (0)", f"{second} (1)")

    def start(self) -> Game:
        """The game at ply 0."""
        if self.is_view:
            raise RecordError(Fault("view.record"))
        plates = [components.plate_index(name) for name in self.plates]
        chips = [components.chip_index(face) for face in self.chips]
        try:
            game = Game.from_deal(self.rules, self.first, plates, chips)
        except SintraError as error:
            raise RecordError(error) from None
        self._deal_if_there(game, 0)
        need_possible_tiles(self.tiles)
        return game

    def _deal_if_there(self, game: Game, ply: int) -> None:
        if game.awaits_deal and game.round <= len(self.tiles):
            try:
                game.deal(self.tiles[game.round - 1])
            except SintraError as error:
                raise RecordError(error, ply=ply) from None

    def positions(self) -> Iterator[Game]:
        """The game at ply 0, 1, 2, ...: one object that moves on."""
        game = self.start()
        yield game
        for ply, token in enumerate(self.moves):
            try:
                game.push(token)
            except SintraError as error:
                raise RecordError(error, ply=ply) from None
            self._deal_if_there(game, ply + 1)
            yield game

    def replay(self, ply: int | None = None) -> Game:
        """Replays the first `ply` moves, or the whole game with its early end, and returns the game."""
        if ply is not None and not 0 <= ply <= len(self.moves):
            raise RecordError(Fault("no_ply", ply=ply, most=len(self.moves)))
        for game in self.positions():
            if game.ply == ply:
                return game
        if ply is None and self.result and self.result.reason and not game.is_over:
            game.end_early(self.result.winner, self.result.reason)
        return game

    def check(self) -> Game:
        """Replays the game and verifies every move, the numbers of legal moves, the plates laid open
        and looked at, and the result, which a game that is over must have. Returns the game at its end."""
        seen = Seen()
        for game in self.positions():
            seen.follow(game)
            ply = game.ply
            if self.legal is not None and ply < len(self.moves):
                legal = len(game.legal_moves)
                if legal != self.legal[ply]:
                    raise RecordError(Fault("legal", count=legal, found=self.legal[ply]), ply=ply)
        if self.result is not None:
            _check_result(game, self.result)
        elif game.is_over:
            raise RecordError(Fault("no_result"), ply=game.ply)
        display = tuple(seen.display)
        if self.display not in (None, display):
            raise _not_right("display", display, game.ply)
        by_whom = [tuple(plates for seat, plates in seen.looked if seat in seats) for seats in ((0, 1), (0,), (1,), ())]
        if self.looked not in (None, *by_whom):
            raise _not_right("looked", by_whom[0], game.ply)
        return game

    def view(self, seat: int) -> Record:
        """R8: the record as a seat (or a spectator, 2) may know it: the same form, with what is hidden left out.

        It is built up from what the observer has seen, not cut down from the record.
        """
        return run_to_completion(self.viewing(seat))

    def viewing(self, seat: int) -> Generator[None, None, Record]:
        """Makes the record of `view` step by step: it yields after each move and returns the record."""
        if seat not in (0, 1, components.SPECTATOR):
            raise RecordError(f"there is no seat {seat!r}: seats are 0 and 1, a spectator is 2")
        if self.is_view:
            raise RecordError("this is a view of a record already")
        seen = Seen()
        for game in self.positions():
            seen.follow(game)
            yield
        known = {place: plate.name for place, plate in seen.known[seat].items()}
        backs = {place: f"?{kind.value}" for place, kind in seen.kinds.items()}
        faces = game.view(seat).states.get("chip_order")
        return Record(
            rules=self.rules,
            players=self.players,
            first=self.first,
            plates=(
                *self.plates[: components.DISPLAY],
                *(known.get(k, backs.get(k, "??")) for k in range(components.DISPLAY, components.PLATE_COUNT)),
            ),
            chips=tuple("??" if face == components.NOTHING else components.CHIPS[face].face for face in faces),
            tiles=self.tiles[: len(game.deal_so_far.tiles)],
            moves=tuple(str(move.seen_by(seat, by)) for move, by in zip(game.moves, seen.seats, strict=True)),
            result=self.result,
            legal=self.legal,
            display=tuple(seen.display),
            looked=tuple(plates for by, plates in seen.looked if by == seat),
        )

    def deals(self) -> Array:
        """The recorded tiles as counts (round, factory, colour), for `engine.perft`."""
        counts = zeros((components.ROUNDS, components.FACTORIES, components.COLORS), "i1")
        for round_no, factories in enumerate(self.tiles):
            for k, letters in enumerate(factories):
                for letter in letters:
                    counts[round_no, components.LARGE if k == 0 else k - 1, components.COLOR_LETTERS.index(letter)] += 1
        return counts

    def perft(self, ply: int | None, depth: int, on_share: Callable[[float], None] | None = None) -> int:
        """Counts the sequences of `depth` moves that follow a ply; recorded tiles are dealt where there are some.
        `on_share` is called now and then with the share that is counted."""
        return self.replay(ply).perft_with(depth, self.deals(), len(self.tiles), on_share)

    @classmethod
    def from_dict(cls, data: Any) -> Record:
        """Reads the record in a JSON object; its form is checked, its game is not."""
        record = cls(**read_form(data))
        if record.is_view:
            need_possible_tiles(record.tiles)
        return record

    def to_dict(self) -> dict[str, Any]:
        """Returns the record as a JSON object."""
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
        """Reads the record in a JSON text."""
        return cls.from_dict(load_json(text))

    def dumps(self) -> str:
        """Returns the record as one line of JSON."""
        return json.dumps(self.to_dict())


def _result_dict(result: Result) -> dict[str, Any]:
    data: dict[str, Any] = {"scores": list(result.scores)}
    if result.goals is not None:
        data["goals"] = [list(points) for points in result.goals]
    data["winner"] = result.winner
    if result.reason:
        data["reason"] = result.reason
    return data


def _check_result(game: Game, result: Result) -> None:
    ply = game.ply
    if result.reason:
        if game.is_over:
            raise RecordError(Fault("not_early", found=result.reason), ply=ply)
        if result.scores != game.scores:
            scores = Fault("right.scores", right=list(game.scores), found=list(result.scores))
            raise RecordError(Fault("at_key.unsaid", key="result.scores"), scores, ply=ply)
        return
    if not game.is_over:
        raise RecordError(Fault("early_result"), ply=ply)
    if game.result != result:
        found, said = (json.dumps(_result_dict(one)) for one in (game.result, result) if one)
        wrong = Fault("right.result", right=found, found=said)
        raise RecordError(Fault("at_key.unsaid", key="result"), wrong, ply=ply)


def _not_right(key: str, lists: Iterable[tuple[str, ...]], ply: int) -> RecordError:
    right = Fault("right", key=key, right=list(map(list, lists)))
    return RecordError(Fault("at_key.unsaid", key=key), right, ply=ply)
