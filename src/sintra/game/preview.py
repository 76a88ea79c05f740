"""What a move would do, before it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sintra.components import FACTORY_LETTERS, GRID, LINES, NOTHING, SMALL_FACTORIES, SPECIAL, Color
from sintra.rules import engine
from sintra.rules.effects import EFFECTS, Effects
from sintra.rules.memory import zeros
from sintra.rules.state import OVER, PAYING, TILING, Source, States, copied, held
from sintra.tabletop.moves import Move, Pay, Place, SunTake, TakeTiles, destination_for, path_of


@dataclass(frozen=True, slots=True)
class Preview:
    """The effects of a move that do not depend on chance or on anybody's later decision.

    Lines, rows and columns count from 1, factories have their names.
    """

    move: Move
    """The move."""
    taken: int = 0
    """How many tiles it takes."""
    to_line: int = 0
    """How many of them go to the line."""
    broken: int = 0
    """How many of them are broken and have a place on the board (R3.6)."""
    to_tower: int = 0
    """How many of them are broken and go to the tower."""
    to_moon: tuple[Color, ...] = ()
    """The tiles left on the sun side, which go to the moon side; a stack bottom first (R3.2)."""
    completes_line: bool = False
    """Whether the line is complete then."""
    takes_start_tile: bool = False
    """Whether the start tile goes along (R3.7)."""
    turns_up: tuple[str, ...] = ()
    """The factories whose chips are turned up (R3.8)."""
    lines_broken: tuple[int, ...] = ()
    """The lines that break in the tiling (R4.3)."""
    special: tuple[int, int] | None = None
    """Row and column of the special space that is filled (R4.5)."""
    points: dict[Source, int] = field(default_factory=dict, hash=False)
    """What is booked at once for the player who moves; not what a take may bring at the round's end."""
    ends_phase: bool = False
    """Whether a phase, a round or the game ends with it."""

    @property
    def points_now(self) -> int:
        """All points booked at once."""
        return sum(self.points.values())


def preview_of(states: States, move: Move) -> Preview:
    """The effects of a legal move in a state (or a view), which is left as it is."""
    before = _read(states)
    seat = before["turn"]
    tried = copied(states)
    tried["deals_itself"] = 0
    engine.play(tried, 0, path_of(move, tried, 0))
    after = _read(tried)
    gained = _grown(before["tally"][seat], after["tally"][seat])
    points = {source: value for source, value in zip(Source, gained, strict=True) if value}
    ends = _phase(before) != _phase(after)
    effects = effects_of(states, tried, move)
    if isinstance(move, TakeTiles):
        return _preview_take(move, effects, _grown(before["moon"], after["moon"]), points, ends)
    return Preview(
        move,
        lines_broken=lines_in(effects.lines_broken),
        special=special_filled(before, after, seat),
        points=points,
        ends_phase=ends,
    )


def _read(states: States) -> Fields:
    """The fields of a state that a preview compares."""
    get = held(states).get
    return {name: get(name) for name in ("turn", "round_no", "stage", "moon", "tally", "dome")}


def effects_of(before: States, after: States, move: Move) -> Effects:
    """What a move did between two states, or between two views of them."""
    found = zeros(1, EFFECTS)
    if isinstance(move, TakeTiles):
        engine.effects_of_take(before, after, int(move.color), destination_for(move.line), found)
    else:
        tiled = move.line - 1 if isinstance(move, Pay | Place) else NOTHING
        engine.effects_of_tiling(before, after, tiled, found)
    return Effects(*found.tolist()[0])


def lines_in(bits: int) -> tuple[int, ...]:
    """The lines of a set, counted from 1."""
    return tuple(line + 1 for line in range(LINES) if bits >> line & 1)


Fields = Any
"""The fields of a state by name: a record, or plain lists."""


def special_filled(before: Fields, after: Fields, seat: int) -> tuple[int, int] | None:
    """R4.5: the row and column of the special space that was filled, if any."""
    then, now = before["dome"][seat], after["dome"][seat]
    filled = ((r + 1, c + 1) for r in range(GRID) for c in range(GRID) if now[r][c] == SPECIAL != then[r][c])
    return next(filled, None)


def _grown(then: list[int], now: list[int]) -> list[int]:
    """By how much each of some numbers has grown."""
    return [later - earlier for earlier, later in zip(then, now, strict=True)]


def _phase(s: Fields) -> tuple[int, bool, bool]:
    """The round, whether it is being tiled, and whether the game is over."""
    return s["round_no"], s["stage"] in (TILING, PAYING, OVER), s["stage"] == OVER


def _preview_take(
    move: TakeTiles, effects: Effects, to_large_moon: list[int], points: dict[Source, int], ends: bool
) -> Preview:
    """The effects of a take; `to_large_moon` are the tiles that came to the large moon side, by colour."""
    to_moon: tuple[Color, ...] = ()
    if isinstance(move, SunTake):
        to_moon = move.order or tuple(tile for tile in Color for _ in range(to_large_moon[tile]))
    return Preview(
        move,
        taken=effects.to_line + effects.broken + effects.to_tower,
        to_line=effects.to_line,
        broken=effects.broken,
        to_tower=effects.to_tower,
        to_moon=to_moon,
        completes_line=bool(effects.completes),
        takes_start_tile=bool(effects.start_tile),
        turns_up=tuple(FACTORY_LETTERS[f] for f in range(SMALL_FACTORIES) if effects.turned_up >> f & 1),
        points=points,
        ends_phase=ends,
    )
