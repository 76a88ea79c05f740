"""What has happened in a game: events, what was seen of each, and the sentences that tell it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from sintra.table.shown.messages.position import LineShown


class Telling(Struct, frozen=True, gc=False, omit_defaults=True):
    """A sentence that is said in the reader's language."""

    key: str
    """Its key in the catalogue of texts."""
    args: dict[str, str | int] = {}
    """The values of its placeholders."""


class Step(Struct, frozen=True, gc=False, omit_defaults=True):
    """One visible part of what happened."""

    kind: Literal["travel", "setup", "points", "turn", "deal", "break"]
    """`travel`: the mover takes pieces from one place to another. `setup`: pieces move without the mover (R2.6, R7).
    `points`: a seat books points. `turn`: a chip is turned up. `deal`: a round begins. `break`: a line breaks."""
    start: str = ""
    """The place where the pieces come from."""
    end: str = ""
    """The place where they go, or where it happens."""
    piece: str = ""
    """The letter of a tile, the face of a chip, `plate`, or `start` for the start tile."""
    count: int = 1
    """The number of pieces."""
    face: str = ""
    """The face of a plate."""
    seat: int = 0
    """The seat that books points."""
    points: int = 0
    """The points."""
    reason: str = ""
    """What they are for: `placement`, `specials`, `broken`, `start_tile`, `draws` or `goals`."""
    across: int = 0
    """The run in the row of a placed tile (R5)."""
    down: int = 0
    """The run in its column."""
    cells: list[str] = []
    """The places of the spaces in these runs."""


class RoundGain(Struct, frozen=True, gc=False):
    """The points of a seat in one round, by source."""

    before: int
    """The score before the round."""
    placement: int
    """The points for tiles placed (R5)."""
    specials: int
    """The points for special tiles (R4.5)."""
    broken: int
    """The penalty for broken tiles (R4.6)."""
    start_tile: int
    """The penalty for the start tile (R4.6)."""
    draws: int
    """The price of the plates that were drawn (R3.1)."""
    score: int
    """The score after the round."""


class TiledBoard(Struct, frozen=True, gc=False):
    """A board at the beginning of a round's tiling (R4); the steps of the moves tell what followed."""

    lines: list[LineShown]
    """The six pattern lines."""
    shows: list[str]
    """What the spaces of the dome show: six rows of six letters, `.` where no plate lies."""
    tiles: list[str]
    """The tiles on the dome: six rows of six letters, `.` for none."""
    broken: str
    """The broken tiles."""
    start_tile: bool
    """Whether the player holds the start tile."""


class RoundSummary(Struct, frozen=True, gc=False):
    """The summary of a round that is over."""

    round: int
    """The round."""
    gains: list[RoundGain]
    """The points of both seats."""
    boards: list[TiledBoard]
    """Their boards before the tiling."""


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened in a game, as one observer may know it."""

    seq: int
    """The number of the event, counted from 0."""
    kind: str
    """The kind of the event: `move`, `resign`, …."""
    telling: Telling
    """The event in words."""
    at: str
    """The time, in UTC."""
    ply: int = 0
    """The number of moves made by then; a move counts itself."""
    turn: int = 0
    """The ply of the first move of the mover's turn, or tiling."""
    round: int = 0
    """The round."""
    seat: int | None = None
    """The seat that acted."""
    token: str = ""
    """The move in the notation."""
    steps: list[Step] = []
    """What was seen to happen, in order."""
    summary: RoundSummary | None = None
    """The summary of the round, if this event ended one."""
    undoes: list[int] = []
    """The events whose moves were taken back."""
    redoes: list[int] = []
    """The events whose moves were made again."""
