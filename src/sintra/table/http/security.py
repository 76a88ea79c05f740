"""Checks of hosts and origins, rate limits, and security headers."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from math import ceil
from typing import Final
from urllib.parse import urlsplit

from starlette.types import Scope

from sintra.table.base.lru_cache import LruCache
from sintra.table.games.refusals import RefusalError

LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
BODY_LIMIT: Final = 8 * 1024
STUDY_LIMIT: Final = 128 * 1024
"""The most bytes in a message with a game record."""
MAX_ASKERS: Final = 10_000
"""Clients that are remembered for each rate; the least recent ones are forgotten."""
MAX_STREAMS: Final = 7500
MAX_STREAMS_OF_ADDRESS: Final = 128
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


_ENDLESS: Final = 1_000_000_000
_HOST: Final = re.compile(r"(\[[^\[\]/?#@\s]+\]|[^\[\]:/?#@\s]+)(?::[0-9]{0,5})?", re.ASCII)


def header_of(scope: Scope, name: bytes) -> str | None:
    """The value of a request's first header with a name; Starlette's `Headers` takes several times as long."""
    for one, value in scope["headers"]:
        if one == name:
            return str(value, "latin-1")
    return None


@lru_cache(maxsize=256)
def host_name(host: str) -> str:
    """The name in a Host header, without its port; empty if it is none."""
    found = _HOST.fullmatch(host.strip())
    return found[1].lower() if found else ""


def host_of(address: str) -> str | None:
    """Host and port of the address of a page, as a Host header tells them; None if it is no such address."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not host_name(parts.netloc):
        return None
    return parts.netloc.lower()


class Hosts:
    """The host names that requests may use: others could come from DNS rebinding."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._always = LOOPBACK_HOSTS | {host_name(_bracketed(name)) for name in more}
        self._allowed = self._always

    def open_to(self, addresses: Iterable[str]) -> None:
        """Allows the machine's own addresses too, or no longer when there are none."""
        self._allowed = self._always | {host_name(_bracketed(address)) for address in addresses}

    def check(self, scope: Scope) -> None:
        """Refuses a request for any other host."""
        name = host_name(header_of(scope, b"host") or "")
        if not name or name not in self._allowed:
            raise RefusalError(
                421, "wrong_host", "The table does not answer to this name: start it with --allow-host NAME."
            )


def _bracketed(name: str) -> str:
    return f"[{name}]" if name.count(":") > 1 and not name.startswith("[") else name


def check_origin(scope: Scope) -> None:
    """A post must come from a page of the table itself, or from no page at all."""
    site, origin = header_of(scope, b"sec-fetch-site"), header_of(scope, b"origin")
    foreign = site is not None and site not in ("same-origin", "none")
    if origin is not None and site is None:
        foreign = host_of(origin) != (header_of(scope, b"host") or "").strip().lower()
    if foreign:
        raise RefusalError(403, "foreign_page", "Only the table's own page may do that.")


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: requests a minute, and how many at once."""

    a_minute: float
    at_once: int

    @property
    def is_limit(self) -> bool:
        """Whether the rate is limited at all."""
        return self.at_once < _ENDLESS


@dataclass(frozen=True, slots=True)
class Rates:
    """The rate limits, of an address or of a seat."""

    creating: Rate = Rate(60, 60)
    """Make a game."""
    entering: Rate = Rate(30, 30)
    """Join a game by its link."""
    posting: Rate = Rate(300, 60)
    """Act in a game: moves, undo and the like."""
    hinting: Rate = Rate(20, 8)
    """Ask for a hint."""
    tutoring: Rate = Rate(40, 40)
    """Ask whether a move costs a lot."""
    looking: Rate = Rate(1200, 300)
    """Look at a game, or at what the table offers."""
    listening: Rate = Rate(120, 60)
    """Open a stream of a game's events."""
    drawing: Rate = Rate(30, 10)
    """Have a picture of a game drawn."""
    reviewing: Rate = Rate(10, 10)
    """Have a game reviewed."""
    studying: Rate = Rate(600, 120)
    """Look at a position of a study."""
    advising: Rate = Rate(240, 60)
    """Ask what a position in a study is worth."""
    puzzling: Rate = Rate(300, 90)
    """Ask for puzzles and try them."""


UNLIMITED: Final = Rates(*[Rate(_ENDLESS, _ENDLESS) for _ in fields(Rates)])


class Buckets:
    """How many requests of a kind everybody has left here (a token bucket for each of them). Those who have not asked
    for longest are forgotten. Of several processes each allows its `share` of an address's requests."""

    def __init__(
        self,
        rate: Rate,
        share: Callable[[], float] = lambda: 1.0,
        max_askers: int = MAX_ASKERS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate = rate
        self._is_limit = rate.is_limit
        self._share = share
        self._clock = clock
        self._left: LruCache[str, tuple[float, float]] = LruCache(max_askers)

    def asker(self, address: str | None) -> str | None:
        """An address as one whose share of places is bounded; `None` where there are no limits."""
        return address if self._is_limit else None

    def take(self, who: str | None) -> None:
        """Counts a request, and refuses it if there are too many. `None` was counted elsewhere."""
        if who is None or not self._is_limit:
            return
        share, now = self._share(), self._clock()
        a_second, at_once = self._rate.a_minute * share / 60, max(1.0, self._rate.at_once * share)
        left, then = self._left.get(who, (at_once, now))
        left = min(at_once, left + (now - then) * a_second)
        is_enough = left >= 1
        self._left[who] = (left - is_enough, now)
        if not is_enough:
            seconds = ceil((1 - left) / a_second)
            raise RefusalError(429, "too_many", f"Too many requests: try again in {seconds} s.", retry_after=seconds)


class Limits:
    """The buckets of each rate. The process that owns a game counts posts and hints of its seats, no other does."""

    def __init__(self, rates: Rates, share: Callable[[], float] = lambda: 1.0) -> None:
        self.creating = Buckets(rates.creating, share)
        self.entering = Buckets(rates.entering, share)
        self.posting = Buckets(rates.posting)
        self.hinting = Buckets(rates.hinting)
        self.tutoring = Buckets(rates.tutoring)
        self.looking = Buckets(rates.looking, share)
        self.listening = Buckets(rates.listening, share)
        self.drawing = Buckets(rates.drawing, share)
        self.reviewing = Buckets(rates.reviewing, share)
        self.studying = Buckets(rates.studying, share)
        self.advising = Buckets(rates.advising, share)
        self.puzzling = Buckets(rates.puzzling, share)


class Streams:
    """How many streams are open, in all and from each address. A stream stays open for as long as a page does, so rates
    alone would not bound them."""

    def __init__(self, in_all: int = MAX_STREAMS, of_address: int | None = MAX_STREAMS_OF_ADDRESS) -> None:
        self._in_all = in_all
        self._of_address = of_address
        self._open = 0
        self._of: Counter[str] = Counter()

    def take(self, address: str) -> None:
        """Counts a stream that opens, until `leave`; refuses it if there are too many."""
        if self._of_address is not None and self._of[address] >= self._of_address:
            raise RefusalError(
                429,
                "too_many",
                f"Too many streams are open from one address: at most {self._of_address}.",
                retry_after=30,
            )
        if self._open >= self._in_all:
            raise RefusalError(503, "busy", "Too many streams are open: try again.", retry_after=30)
        self._open += 1
        self._of[address] += 1

    def leave(self, address: str) -> None:
        """Counts a stream that closes."""
        self._open -= 1
        self._of[address] -= 1
        if not self._of[address]:
            del self._of[address]
