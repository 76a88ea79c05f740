"""The service itself: how it is, who can reach it, and why it refused a request."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from sintra.table.shown.messages.base import Asked, Shown
from sintra.table.shown.messages.game import OpponentShown
from sintra.table.shown.messages.story import Telling

_LINK: Final = r"^https?://[A-Za-z0-9._:\[\]-]+/game/[A-Za-z0-9_-]{12}#[A-Za-z0-9_-]+$"


class Health(Shown, frozen=True, gc=False):
    """The state of the service."""

    status: Literal["ok", "preparing", "failed"]
    """`preparing`: no game can be shown yet. `failed`: the engine cannot be loaded."""
    version: str
    """The version of Sintra."""
    progress: float
    """The share of the compiled code that is ready, from 0 to 1; until it is 1, moves may have to wait."""
    database: Literal["ok", "read_only", "away"]
    """`read_only`: games can be looked at, but no move is accepted. `away`: nothing else can be answered."""


class About(Shown, frozen=True, gc=False):
    """What a page needs to know before the first game."""

    version: str
    opponents: list[OpponentShown]
    goals: list[str]
    network: NetworkShown


class NetworkShown(Shown, frozen=True, gc=False):
    """Whether the table can be reached from the local network."""

    open: bool
    """Whether it can."""
    addresses: list[str]
    """The addresses at which others reach it."""
    may_change: bool
    """Whether the reader may open and close it: only on the machine of the table."""
    reach: Literal["machine", "network", "anywhere"]
    """Where a friend can be who gets a link from the reader."""


class OpenNetwork(Asked, frozen=True, gc=False):
    """Opens the table to the network, or closes it."""

    open: bool


class AskPicture(Asked, frozen=True, gc=False):
    """A link to a game, to be shown as a QR code."""

    text: Annotated[str, Meta(max_length=300, pattern=_LINK)]


class Picture(Shown, frozen=True, gc=False):
    """A QR code."""

    rows: list[str]
    """Its rows, each a text of `0` and `1`."""


class Problem(Shown, frozen=True, gc=False):
    """Why a request was refused."""

    code: str
    """A code that does not change between versions."""
    message: str
    """The reason in English."""
    seq: int | None = None
    """The number of the latest event, if the sender has not seen it."""
    why: list[Telling] = []
    """What is wrong with a position, a record or a move: first the places (`wrong.at_…`), then the reason."""
