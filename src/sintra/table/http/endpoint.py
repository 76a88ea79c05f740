"""What can be asked for over HTTP, one endpoint at a time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from sintra.table.http.security import BODY_LIMIT


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One thing that can be asked for, and how it is described."""

    method: str
    path: str
    handle: Callable[..., Awaitable[Any]]
    summary: str
    asked: type[Any] | None = None
    shown: type[Any] | None = None
    refusals: tuple[int, ...] = ()
    query: tuple[str, ...] = ()
    media: str = "application/json"
    most_bytes: int = BODY_LIMIT
    also_at: tuple[int, ...] = ()
    """Other statuses that can come with what is shown."""

    @property
    def plays(self) -> bool:
        """Whether the engine has to be ready for it."""
        return self.path.startswith(("/api/games", "/api/reviews", "/api/study", "/api/puzzles"))

    @property
    def looks(self) -> bool:
        """Whether it makes a game, or shows one as it is."""
        return self.path in ("/api/games", "/api/games/{game}", "/api/games/{game}/events")
