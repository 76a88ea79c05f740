"""Runs the table: listeners, signals, and the local network on request."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from sintra.errors import SintraError
from sintra.review import ReviewBudget
from sintra.table.base.log import logging_to
from sintra.table.games.database import Durability
from sintra.table.games.opening import is_shared, open_storage
from sintra.table.http.access_log import AccessLog
from sintra.table.http.connections import (
    MAX_CONNECTIONS_OF_ADDRESS,
    MAX_HEAD_SIZE,
    AcceptErrors,
    Acceptor,
    BoundedProtocol,
    Connections,
    connections_with,
    raise_open_files,
)
from sintra.table.http.forwarding import Peers
from sintra.table.http.h11_protocol import H11Protocol
from sintra.table.http.metrics import Metrics, Readers
from sintra.table.http.network import PORT, Network, host_and_port, own_addresses
from sintra.table.http.security import MAX_STREAMS_OF_ADDRESS, UNLIMITED, Hosts, Rates, Streams
from sintra.table.http.web import Web
from sintra.table.service.live import CLAIM_AFTER_S, Hub
from sintra.table.service.service import Service
from sintra.table.workers.remote_thinkers import RemoteThinkers
from sintra.table.workers.review_worker import ReviewWorker
from sintra.table.workers.thinkers import Thinkers

_SHUTDOWN_GRACE_S: Final = 5
_STOPPING: Final = (signal.SIGINT, signal.SIGTERM)
_BACKLOG: Final = 2048
"""Connections that the operating system keeps until they are accepted."""
_METRICS_CONNECTIONS: Final = 64
_ALL_ADDRESSES: Final = ("0.0.0.0", "::")
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a table is run."""

    host: str = "127.0.0.1"
    """The address to listen on."""
    port: int = PORT
    """The port to listen on."""
    database: str | Path | None = None
    """Where games are kept: an SQLite file or a PostgreSQL address; by default a file of the user."""
    durability: Durability = "full"
    """When SQLite writes a move to the disk."""
    allow_hosts: tuple[str, ...] = ()
    """Names under which the table may be asked, besides this machine's."""
    network: bool = False
    """Whether the table also listens on the local network."""
    thinkers: int | None = None
    """The number of processes that think for computers; by default as many as there are processors to spare."""
    cluster: str | None = None
    """The address of a Ray cluster in which computers think while it can be reached."""
    claim_after_s: float = CLAIM_AFTER_S
    """Seconds for which a friend has to be away before the game can be claimed."""
    review_sims: int = ReviewBudget().sims
    """Simulations for each position of a review."""
    limits: bool = True
    """Whether requests are limited (`Rates`)."""
    logs: bool = True
    """Whether log lines are written."""
    search_port: bool = False
    """Whether the next free port is used if `port` is taken."""
    trusted_proxies: tuple[str, ...] = ()
    """Proxies whose headers about the client's address are believed; by default those on this machine."""
    workers: int = 1
    """The number of processes."""
    process: int | None = None
    """The number of this process among several."""
    metrics_port: int | None = None
    """Where the metrics of the first process can be read; those of the next ones are at the ports after it."""
    metrics_from: tuple[str, ...] = ()
    """Addresses from which metrics can be read, besides this machine's."""
    private_address: str = "127.0.0.1"
    """Where other processes at the same database reach this one, HOST or HOST:PORT."""


class _Server(uvicorn.Server):
    """A server that says when it is ready, ends the streams before it waits for connections to close, and handles
    signals only if it is asked to."""

    def __init__(
        self,
        config: uvicorn.Config,
        before_stop: Callable[[], None],
        errors: Callable[[OSError], None],
        signals: bool = True,
    ) -> None:
        super().__init__(config)
        self._before_stop = before_stop
        self._errors = errors
        self._signals = signals
        self.ready = asyncio.Event()
        self._acceptors: list[Acceptor] = []

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Stops the server on SIGINT and SIGTERM."""
        before = {one: signal.signal(one, self.handle_exit) for one in _STOPPING} if self._signals else {}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Starts to listen. On Windows, whose event loop cannot watch sockets, the loop itself accepts connections."""
        if sys.platform == "win32":
            await super().startup(sockets)
        else:
            await super().startup([])
            self._acceptors = [Acceptor(one, self._protocol, self._errors) for one in sockets or ()]
        self.ready.set()

    def _protocol(self) -> asyncio.BaseProtocol:
        """The protocol of a new connection."""
        config = self.config
        made: asyncio.BaseProtocol = config.http_protocol_class(  # type: ignore[call-arg]
            config=config, server_state=self.server_state, app_state=self.lifespan.state
        )
        return made

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stops accepting, ends the streams, and then closes all connections."""
        for one in self._acceptors:
            one.close()
        self._before_stop()
        await super().shutdown(sockets)


def bind(host: str, port: int, search: bool = False) -> socket.socket:
    """A listening socket; with `search` on the next free port if that one is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    last: OSError | None = None
    for candidate in range(port, port + (50 if search and port else 1)):
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, candidate))
            listener.listen(_BACKLOG)
        except (OSError, OverflowError) as error:
            listener.close()
            last = error if isinstance(error, OSError) else last or OSError("ports go up to 65535")
            continue
        listener.setblocking(False)
        return listener
    raise SintraError(f"cannot listen on {host}, port {port}: {last and (last.strerror or last)}")


def url_of(settings: Settings, port: int) -> str:
    """The URL of a table on this machine."""
    name = f"[{settings.host}]" if ":" in settings.host else settings.host
    return f"http://{'localhost' if settings.host in _ALL_ADDRESSES else name}:{port}"


def addresses_of(settings: Settings) -> list[str]:
    """The addresses by which others reach a table from its start."""
    if settings.host in _ALL_ADDRESSES:
        return own_addresses()
    return [] if settings.host in _LOOPBACK else [settings.host]


def serve(
    settings: Settings,
    on_ready: Callable[[str, list[str]], None] | None = None,
    listener: socket.socket | None = None,
) -> None:
    """Runs a table until it is told to stop; `on_ready` gets its address here and those on the network. It accepts
    from `listener`, or from one of its own."""
    log = logging_to(logging.StreamHandler(), settings.process) if settings.logs else contextlib.nullcontext()
    with log, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(settings, on_ready, listener))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The event loop: uvloop if it is installed, which takes less time for each read and write, else asyncio's own."""
    try:
        import uvloop
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


async def _serve(
    settings: Settings, on_ready: Callable[[str, list[str]], None] | None, listener: socket.socket | None
) -> None:
    readers = Readers(settings.metrics_from)
    with contextlib.ExitStack() as opened_here:
        if listener is None:
            listener = bind(settings.host, settings.port, settings.search_port)
        opened_here.enter_context(contextlib.closing(listener))
        aside: list[socket.socket] = []
        if settings.metrics_port is not None:
            aside.append(bind(readers.listen_at, settings.metrics_port + (settings.process or 0)))
            opened_here.enter_context(contextlib.closing(aside[0]))
        port = listener.getsockname()[1]
        access_log = AccessLog(Metrics(settings.process))
        table = await _open_table(settings, access_log, url_of(settings, port))
        peers = Peers(table.leases) if is_shared(settings.database) else None
        is_local = settings.host in _LOOPBACK
        addresses = addresses_of(settings)
        hosts = Hosts([*settings.allow_hosts, *addresses])
        network = Network(port, None if is_local else addresses)
        connections = _connections(settings)
        web = Web(
            table,
            hosts=hosts,
            network=network,
            rates=Rates() if settings.limits else UNLIMITED,
            access_log=access_log,
            readers=readers,
            streams=Streams(3 * connections.in_all // 4, MAX_STREAMS_OF_ADDRESS if settings.limits else None),
            peers=peers,
        )
        if peers is not None:
            await _join(settings, table, peers, web.unguarded)
        opened_here.pop_all()
    app = web.application()
    errors = AcceptErrors()

    def stop() -> None:
        table.stop()
        if peers is not None:
            peers.stop()

    server = _Server(_config(app, settings.trusted_proxies, connections), stop, errors)
    network_listener = _NetworkListener(app, port, table.hub, settings.trusted_proxies, connections, errors)
    if is_local and settings.process is None:
        network.listen = network_listener.change
    running = asyncio.create_task(server.serve(sockets=[listener]))
    metrics_server = _Server(_metrics_config(web.metrics_application()), lambda: None, errors, signals=False)
    metrics_task = asyncio.create_task(metrics_server.serve(sockets=aside)) if aside else None
    try:
        if await _listens(server, running):
            if settings.network and is_local:
                try:
                    await network.change(True)
                except OSError as error:
                    raise SintraError(f"the table cannot be opened to the network: {error}") from None
                hosts.open_to(network.addresses)
            if on_ready is not None:
                on_ready(url_of(settings, port), network.links)
        await running
    finally:
        server.should_exit = metrics_server.should_exit = True
        await asyncio.wait((running,) if metrics_task is None else (running, metrics_task))
        await network_listener.change(False)
        if peers is not None:
            peers.close()


async def _open_table(settings: Settings, access_log: AccessLog, address: str) -> Service:
    """The table that is served at an address."""
    storage = await open_storage(settings.database, settings.durability, served_at=address)
    review_worker = ReviewWorker(ReviewBudget(sims=settings.review_sims))
    remote = RemoteThinkers(settings.cluster) if settings.cluster else None
    return Service(
        storage,
        Thinkers(settings.thinkers, remote),
        claim_after_s=settings.claim_after_s,
        review_worker=review_worker,
        on_failure=access_log.note_failure,
    )


async def _join(settings: Settings, table: Service, peers: Peers, app: ASGIApp) -> None:
    """Joins the processes that serve the same table, which `app` answers. Each of several on one machine has the port
    after the one before, if one is named. A table that cannot join, for instance because the database is read-only, is
    closed again."""
    host, port = host_and_port(settings.private_address)
    port += (settings.process or 0) if port else 0
    try:
        try:
            address = await peers.listen(app, host, port)
        except OSError as error:
            raise SintraError(
                f"--private-address: cannot listen on {host}, port {port}: {error.strerror or error}"
            ) from None
        await table.register(address, peers.drop)
    except BaseException:
        await table.close()
        peers.close()
        raise


async def _listens(server: _Server, running: asyncio.Task[None]) -> bool:
    """Waits until a server listens; False if it has ended instead."""
    ready = asyncio.create_task(server.ready.wait())
    await asyncio.wait((running, ready), return_when=asyncio.FIRST_COMPLETED)
    ready.cancel()
    return not running.done()


def _connections(settings: Settings) -> Connections:
    """The limits of a process's connections, by the number of files that it may open."""
    in_all = connections_with(raise_open_files())
    trusted = _config(None, settings.trusted_proxies).forwarded_allow_ips
    is_proxy = ProxyHeadersMiddleware(cast("Any", None), trusted).trusted_hosts.__contains__
    return Connections(in_all, MAX_CONNECTIONS_OF_ADDRESS if settings.limits else None, is_proxy)


def _http_protocol() -> type[BoundedProtocol]:
    """The fastest HTTP protocol that is installed."""
    try:
        from sintra.table.http.httptools_protocol import HttptoolsProtocol
    except ImportError:
        return H11Protocol
    return HttptoolsProtocol


def _config(app: object, trusted_proxies: Sequence[str] = (), connections: Connections | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_config=None,
        access_log=False,
        http=partial(_http_protocol(), connections=connections or Connections()),  # type: ignore[arg-type]
        backlog=_BACKLOG,
        h11_max_incomplete_event_size=MAX_HEAD_SIZE,
        server_header=False,
        forwarded_allow_ips=list(trusted_proxies) or None,
        timeout_graceful_shutdown=_SHUTDOWN_GRACE_S,
        timeout_keep_alive=30,
        ws="none",
        lifespan="on",
    )


def _metrics_config(app: object) -> uvicorn.Config:
    """The configuration of the server for metrics, which trusts no proxy headers."""
    config = _config(app, connections=Connections(_METRICS_CONNECTIONS))
    config.lifespan = "off"
    config.proxy_headers = False
    return config


class _NetworkListener:
    """The listener on the local network, while there is one."""

    def __init__(
        self,
        app: object,
        port: int,
        hub: Hub,
        trusted_proxies: Sequence[str] = (),
        connections: Connections | None = None,
        errors: AcceptErrors | None = None,
    ) -> None:
        self._app = app
        self._trusted_proxies = trusted_proxies
        self._connections = connections
        self._errors = errors or AcceptErrors()
        self._port = port
        self._hub = hub
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None

    async def change(self, to_open: bool) -> tuple[list[str], int]:
        """Opens or closes it; returns the addresses and the port."""
        if not to_open:
            if self._server is not None and self._task is not None:
                self._server.should_exit = True
                await asyncio.wait((self._task,), timeout=_SHUTDOWN_GRACE_S + 1)
            self._server = self._task = None
            return [], self._port
        sockets: list[socket.socket] = []
        for address in await asyncio.to_thread(own_addresses):
            with contextlib.suppress(SintraError):
                port = sockets[0].getsockname()[1] if sockets else self._port
                sockets.append(bind(address, port, search=not sockets))
        if not sockets:
            raise OSError("this machine has no address on a network")
        config = _config(self._app, self._trusted_proxies, self._connections)
        config.lifespan = "off"
        addresses, port = [str(one.getsockname()[0]) for one in sockets], int(sockets[0].getsockname()[1])
        server = _Server(config, lambda: self._hub.end_at(addresses), self._errors, signals=False)
        task = asyncio.create_task(server.serve(sockets=sockets))
        if not await _listens(server, task):
            for one in sockets:
                one.close()
            raise OSError("nothing can listen there")
        self._server, self._task = server, task
        return addresses, port
