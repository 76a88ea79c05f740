"""Tables built by hand."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sintra.components import CHIPS
from sintra.table.games.acts import Seat
from sintra.table.shown.messages.base import Asked, Chosen, GoalName, Shown, StageName, one_of
from sintra.table.shown.messages.story import Telling

Letters = Annotated[str, Meta(max_length=65, pattern="^[BYRKT]*$")]
Row = Annotated[str, Meta(pattern="^[BYRKT*.]{6}$")]
PlateName = Annotated[str, Meta(pattern="^(0[1-9]|1[0-8])$")]
ChipFace = Annotated[str, one_of(chip.face for chip in CHIPS)]


class DraftPlate(Asked, frozen=True, gc=False):
    """A plate that lies on a dome, and by how many quarters it is turned."""

    plate: PlateName
    turns: Annotated[int, Meta(ge=0, le=3)] = 0


class DraftFactory(Asked, frozen=True, gc=False):
    """A factory of a table built by hand."""

    sun: Letters = ""
    """The tiles on its sun side."""
    moon: Letters = ""
    """The tiles on its moon side, from the bottom up."""
    chip: Annotated[str, one_of(["", "down", *(chip.face for chip in CHIPS)])] = ""
    """The face of its chip, `down` while it lies face down, or empty once it is gone."""


class DraftBoard(Asked, frozen=True, gc=False, kw_only=True):
    """A player's board of a table built by hand."""

    score: Annotated[int, Meta(ge=0, le=999)] = 5
    """The points."""
    lines: Annotated[list[Letters], Meta(min_length=6, max_length=6)]
    """The tiles on each line."""
    plates: Annotated[list[DraftPlate | None], Meta(min_length=9, max_length=9)]
    """The plates on the nine slots, row by row."""
    tiles: Annotated[list[Row], Meta(min_length=6, max_length=6)]
    """The tiles on the dome: six rows of six letters, `.` for none."""
    broken: Letters = ""
    """The broken tiles."""
    chips: Annotated[list[ChipFace], Meta(max_length=20)] = []
    """The chips that can be spent."""
    spent: Annotated[list[ChipFace], Meta(max_length=20)] = []
    """The chips that were spent."""


class TableDraft(Asked, frozen=True, gc=False, kw_only=True):
    """A table that is built by hand. Tiles that lie nowhere, and are not in the tower, are in the bag."""

    round: Annotated[int, Meta(ge=1, le=5)] = 1
    """The round."""
    turn: Seat = 0
    """The seat to move."""
    first: Seat = 0
    """The seat that starts the round."""
    start_tile: Seat | None = None
    """The seat that holds the start tile; null if it lies on the large factory."""
    goals: Annotated[list[GoalName], Meta(max_length=8)] = []
    """The goals."""
    rule_options: Chosen = {}
    """The rule options that differ from the usual ones."""
    factories: Annotated[list[DraftFactory], Meta(min_length=5, max_length=5)]
    """Factories 1 to 4, then the large one."""
    display: Annotated[list[PlateName | None], Meta(min_length=3, max_length=3)]
    """The plates in the display."""
    top: Literal["", "*", "W"] = ""
    """The kind of the plate on top of the stack, if it is known."""
    tower: Letters = ""
    """The tiles in the tower."""
    boards: Annotated[list[DraftBoard], Meta(min_length=2, max_length=2)]
    """The boards of both players."""


class DraftFault(Struct, frozen=True, gc=False):
    """Something that is wrong with a table built by hand."""

    place: str
    """The place that it concerns: one of the table, or `goals`, `turn`, `chips`, `plates-0`, `row-0-3`."""
    telling: Telling
    """What is wrong."""
    why: list[Telling] = []
    """More about it, as in a `Problem`, if the position as a whole is refused."""


class DraftShown(Shown, frozen=True, gc=False):
    """A table built by hand, as far as it can be used."""

    stage: StageName
    """What is then to be decided."""
    turn: int
    """The seat that decides."""
    tiles: dict[str, int]
    """The tiles and special tiles that do not lie on the table yet, by letter."""
    plates: list[str]
    """The plates that do not lie on the table yet."""
    chips: dict[str, int]
    """The chips that do not lie on the table yet, by face."""
    text: str = ""
    """The position as text, if nothing is wrong with it."""
    faults: list[DraftFault] = []
    """What is wrong with it."""
