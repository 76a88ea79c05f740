"""What can be asked for over HTTP, one endpoint at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from sintra.table.http.security import BODY_LIMIT


@dataclass(slots=True)
class Endpoint:
    """One thing that can be asked for, and how the API describes it."""

    method: str
    """GET, POST, …"""
    path: str
    """Its address, with names in braces for what varies."""
    handle: Callable[..., Awaitable[Any]]
    """Answers a request: with a response, or with the message that is shown."""
    summary: str
    """What it does, in a line."""
    asked: Any = None
    """The type of the message in a request's body, if it has one; it may be a union of tagged structs."""
    shown: type[Any] | None = None
    """The type of the message that answers."""
    refusals: tuple[int, ...] = ()
    """The statuses with which it refuses, besides those of every endpoint."""
    query: tuple[str, ...] = ()
    """The names of its query parameters."""
    media: str = "application/json"
    """The content type of its answer."""
    max_bytes: int = BODY_LIMIT
    """Bytes that the body of a request may have."""
    also_at: tuple[int, ...] = ()
    """Other statuses that can come with what is shown."""
    name: str = ""
    """Its `operationId`; without one, the name of the function that answers."""
    decoder: msgspec.json.Decoder[Any] | None = field(init=False)
    """Reads the message in a request's body."""
    plays: bool = field(init=False)
    """Whether the engine has to be ready for it."""
    looks: bool = field(init=False)
    """Whether it makes a game, or shows one as it is."""

    def __post_init__(self) -> None:
        self.decoder = None if self.asked is None else msgspec.json.Decoder(self.asked)
        self.plays = self.path.startswith(("/api/games", "/api/reviews", "/api/study", "/api/puzzles"))
        self.looks = self.path in ("/api/games", "/api/games/{game}", "/api/games/{game}/events")
