"""The endpoints of the API, as they are served and described."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from sintra.table.http.security import BODY_LIMIT


@dataclass(slots=True)
class Endpoint:
    """An endpoint, with its description in the API."""

    method: str
    """GET, POST, …"""
    path: str
    """Its path, with parameters in braces."""
    handle: Callable[..., Awaitable[Any]]
    """Answers a request with a response, or with the message to send."""
    summary: str
    """A line on what it does."""
    asked: Any = None
    """The type of the message in a request's body, if it has one; it may be a union of tagged structs."""
    shown: type[Any] | None = None
    """The type of the message that answers."""
    refusals: tuple[int, ...] = ()
    """The statuses of its refusals, besides those that every endpoint has."""
    query: tuple[str, ...] = ()
    """The names of its query parameters."""
    media: str = "application/json"
    """The content type of its answer."""
    max_bytes: int = BODY_LIMIT
    """The most bytes in the body of a request."""
    also_at: tuple[int, ...] = ()
    """Other statuses that come with the same message."""
    name: str = ""
    """Its `operationId`; without one, the name of the function that answers."""
    decoder: msgspec.json.Decoder[Any] | None = field(init=False)
    """Reads the message in a request's body."""
    plays: bool = field(init=False)
    """Whether requests wait until the engine is compiled."""
    looks: bool = field(init=False)
    """Whether it makes or shows a game, for which less has to be compiled."""

    def __post_init__(self) -> None:
        self.decoder = None if self.asked is None else msgspec.json.Decoder(self.asked)
        self.plays = self.path.startswith(("/api/games", "/api/reviews", "/api/study", "/api/puzzles"))
        self.looks = self.path in ("/api/games", "/api/games/{game}", "/api/games/{game}/events")
