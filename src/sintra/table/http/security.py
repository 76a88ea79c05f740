"""What keeps strangers out: hosts, origins, rates, and headers."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from math import ceil
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers

from sintra.table.games.refusals import RefusalError

LOOPBACK_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
BODY_LIMIT: Final = 8 * 1024
STUDY_LIMIT: Final = 128 * 1024
"""Bytes of a message that brings a record with it."""
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


_HOST: Final = re.compile(r"(\[[^\[\]/?#@\s]+\]|[^\[\]:/?#@\s]+)(?::[0-9]{0,5})?", re.ASCII)


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
    """The names under which the table may be asked: others could be a rebound DNS name."""

    def __init__(self, more: Iterable[str] = ()) -> None:
        self._always = LOOPBACK_HOSTS | {host_name(_bracketed(name)) for name in more}
        self._opened: frozenset[str] = frozenset()

    def open_to(self, addresses: Iterable[str]) -> None:
        """Allows the machine's own addresses too, or no longer when there are none."""
        self._opened = frozenset(host_name(_bracketed(address)) for address in addresses)

    def check(self, headers: Headers) -> None:
        """Refuses a request for another host."""
        name = host_name(headers.get("host", ""))
        if not name or name not in self._always | self._opened:
            raise RefusalError(
                421, "wrong_host", "The table does not answer to this name: start it with --allow-host NAME."
            )


def _bracketed(name: str) -> str:
    return f"[{name}]" if name.count(":") > 1 and not name.startswith("[") else name


def check_origin(headers: Headers) -> None:
    """A post must come from a page of the table itself, or from no page at all."""
    site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    foreign = site is not None and site not in ("same-origin", "none")
    if origin is not None and site is None:
        foreign = host_of(origin) != headers.get("host", "").strip().lower()
    if foreign:
        raise RefusalError(403, "foreign_page", "Only the table's own page may do that.")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests a minute, and so many at once."""

    a_minute: float
    at_once: int


@dataclass(frozen=True, slots=True)
class Rates:
    """How often each thing may be asked for: by an address, or by a seat."""

    creating: Rate = Rate(60, 60)
    entering: Rate = Rate(30, 30)
    posting: Rate = Rate(300, 60)
    hinting: Rate = Rate(20, 8)
    looking: Rate = Rate(1200, 300)
    listening: Rate = Rate(120, 60)
    drawing: Rate = Rate(30, 10)
    reviewing: Rate = Rate(10, 10)
    studying: Rate = Rate(600, 120)
    advising: Rate = Rate(240, 60)
    puzzling: Rate = Rate(300, 90)


UNLIMITED: Final = Rates(*[Rate(1e9, 1_000_000_000) for _ in fields(Rates)])


class Buckets:
    """A token bucket for each who asks; those unused for longest are forgotten."""

    def __init__(self, rate: Rate, most: int = 10_000, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._most = most
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> None:
        """One request of somebody; too many are refused for a while."""
        now = self._clock()
        left, then = self._left.pop(who, (float(self._rate.at_once), now))
        left = min(float(self._rate.at_once), left + (now - then) * self._rate.a_minute / 60)
        enough = left >= 1
        self._left[who] = (left - enough, now)
        if len(self._left) > self._most:
            self._left.popitem(last=False)
        if not enough:
            wait = ceil((1 - left) * 60 / self._rate.a_minute)
            raise RefusalError(429, "too_many", f"Too many requests: try again in {wait} s.", retry_after=wait)
