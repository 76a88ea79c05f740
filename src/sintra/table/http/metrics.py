"""Metrics for Prometheus: numbers only, nothing about a game or a person."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Final

from starlette.requests import Request

from sintra import __version__
from sintra.table.games.storage import StorageError
from sintra.table.http.network import is_loopback
from sintra.table.http.security import LOOPBACK_HOSTS, host_name
from sintra.table.service.service import Service

MEDIA: Final = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""The upper bounds of the latency buckets, in seconds."""
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""The methods that are counted by name; clients can invent others, which are counted together."""
_FORWARDED: Final = ("x-forwarded-for", "forwarded")
_started: Final = time.time()

Labels = Mapping[str, str]


class Metrics:
    """The counters of a process; `process` is its number if there are several."""

    def __init__(self, process: int | None = None) -> None:
        self._process = {} if process is None else {"process": str(process)}
        self._requests: Counter[tuple[str, str, str]] = Counter()
        self._latencies: dict[str, list[int]] = {}
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._database_errors = 0

    def note_request(self, route: str, method: str, status: int, seconds: float) -> None:
        """Counts a request whose answer began after so many seconds."""
        self._requests[route, method if method in _METHODS else "other", str(status)] += 1
        self._latencies.setdefault(route, [0] * (len(BUCKETS) + 1))[bisect_left(BUCKETS, seconds)] += 1
        self._seconds[route] += seconds

    def note_failure(self, error: BaseException) -> None:
        """Counts a failure, if it is the database's."""
        self._database_errors += isinstance(error, StorageError)

    def text(self, table: Service) -> str:
        """The counters, and gauges of a table as it stands now, in Prometheus' text format."""
        return "".join(self._lines(table))

    def _lines(self, table: Service) -> Iterator[str]:
        thinkers = table.thinkers
        one = self._one
        yield from one("sintra_build_info", "gauge", "The version that runs.", 1, {"version": __version__})
        yield from self._family(
            "sintra_http_requests_total",
            "counter",
            "Requests that were answered.",
            (
                ("", {"route": route, "method": method, "status": status}, count)
                for (route, method, status), count in sorted(self._requests.items())
            ),
        )
        yield from self._family(
            "sintra_http_request_duration_seconds",
            "histogram",
            "Time until the answer to a request began.",
            (sample for route in sorted(self._latencies) for sample in self._histogram(route)),
        )
        yield from one("sintra_streams", "gauge", "Browsers that listen to a game.", table.hub.streams)
        yield from one("sintra_games_in_memory", "gauge", "Games in memory.", table.rooms.in_memory)
        playing = len(table.rooms.playing())
        yield from one("sintra_games_playing", "gauge", "Games in memory that go on.", playing)
        appended = table.rooms.appended
        yield from one("sintra_events_appended_total", "counter", "Events written to logs of games.", appended)
        yield from one("sintra_thinkers", "gauge", "Processes that think.", thinkers.size)
        yield from one("sintra_thinkers_busy", "gauge", "Processes that think right now.", thinkers.busy)
        yield from one("sintra_jobs_waiting", "gauge", "Jobs of thinking that wait for a process.", thinkers.waiting)
        done: list[tuple[str, Labels, float]] = [("_count", {}, thinkers.done), ("_sum", {}, thinkers.seconds)]
        yield from self._family("sintra_job_seconds", "summary", "Jobs of thinking done, and how long they took.", done)
        if (remote := thinkers.remote) is not None:
            connected = int(remote.is_connected)
            yield from one("sintra_cluster_connected", "gauge", "Whether the cluster is connected.", connected)
            yield from one("sintra_cluster_jobs_total", "counter", "Jobs of thinking done in the cluster.", remote.done)
        waiting = table.reviews.waiting
        yield from one("sintra_reviews_waiting", "gauge", "Reviews that are being made or wait.", waiting)
        errors = self._database_errors
        yield from one("sintra_database_errors_total", "counter", "Times that the database failed.", errors)
        yield from one("process_start_time_seconds", "gauge", "When the process started, as Unix time.", _started)
        yield from one("process_cpu_seconds_total", "counter", "Processor time of the process.", time.process_time())
        if (resident := _resident()) is not None:
            yield from one("process_resident_memory_bytes", "gauge", "Memory of the process.", resident)

    def _one(self, name: str, kind: str, what: str, value: float, labels: Labels | None = None) -> Iterator[str]:
        return self._family(name, kind, what, [("", labels or {}, value)])

    def _family(self, name: str, kind: str, what: str, samples: Iterable[tuple[str, Labels, float]]) -> Iterator[str]:
        """One metric: samples with the ends of their names, and their labels."""
        yield f"# HELP {name} {what}\n# TYPE {name} {kind}\n"
        for end, labels, value in samples:
            named = ",".join(f'{key}="{_escaped(text)}"' for key, text in {**labels, **self._process}.items())
            yield f"{name}{end}{{{named}}} {value!r}\n" if named else f"{name}{end} {value!r}\n"

    def _histogram(self, route: str) -> Iterator[tuple[str, Labels, float]]:
        below = 0
        for bound, count in zip((*map(str, BUCKETS), "+Inf"), self._latencies[route], strict=True):
            below += count
            yield "_bucket", {"route": route, "le": bound}, below
        yield "_sum", {"route": route}, self._seconds[route]
        yield "_count", {"route": route}, below


class Readers:
    """Who may read the metrics: clients on this machine that use its own name and no proxy, and the addresses named."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._networks = [ip_network(one, strict=False) for one in networks]

    @property
    def listen_at(self) -> str:
        """The address on which the listener for metrics accepts connections."""
        if all(one.is_loopback for one in self._networks):
            return "127.0.0.1"
        return "::" if any(one.version == 6 for one in self._networks) else "0.0.0.0"

    def may_read(self, request: Request) -> bool:
        """Whether the client of a request may read the metrics."""
        address = request.client.host if request.client else ""
        if any(_is_in(address, one) for one in self._networks):
            return True
        is_asked_here = host_name(request.headers.get("host", "")) in LOOPBACK_HOSTS
        return is_loopback(address) and is_asked_here and not any(name in request.headers for name in _FORWARDED)


def _is_in(address: str, network: IPv4Network | IPv6Network) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found) in network


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def _resident() -> int | None:
    """The bytes of memory that the process has, where the system tells them."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return None
