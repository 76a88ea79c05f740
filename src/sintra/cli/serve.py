"""`sintra serve`, and plain `sintra`: the table in the browser."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any, Final

from sintra.cli.options import whole_from
from sintra.cluster.connection import ClusterError, resolve_address
from sintra.errors import SintraError
from sintra.table.http.network import PORT

if TYPE_CHECKING:
    from sintra.table.http.server import Settings


_MAX_PORT: Final = 65535
_workers: Final = whole_from(1, 256, "a number of processes")


def add_command(commands: Any) -> None:
    """Adds the command that serves the table, for oneself or for others."""
    command = commands.add_parser(
        "serve",
        help="serve the table for browsers",
        description="Serves the table: games against the computer, on one screen, or with a friend by link. "
        "It listens on this machine only, unless told otherwise. A log of JSON lines goes to standard error.",
    )
    command.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="where to listen (default 127.0.0.1)")
    command.add_argument(
        "--port",
        type=whole_from(0, _MAX_PORT, "a port"),
        default=PORT,
        metavar="P",
        help=f"the port, 0 for any (default {PORT})",
    )
    command.add_argument(
        "--database",
        metavar="WHERE",
        help="where games are kept: a file, or postgresql://USER@HOST/NAME (default: a file in your data folder)",
    )
    command.add_argument(
        "--durability",
        choices=("full", "normal"),
        default="full",
        help="what a power cut can cost: nothing that was answered, or with normal, which waits less for the disk, "
        "the last moves (default full)",
    )
    command.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="a name under which browsers reach the table, such as that of a proxy; can be repeated",
    )
    command.add_argument(
        "--trust-proxy",
        action="append",
        type=_network,
        default=[],
        metavar="ADDRESS",
        help="an address, or a network, whose X-Forwarded-For and X-Forwarded-Proto are believed; can be repeated "
        "(default 127.0.0.1)",
    )
    command.add_argument("--network", action="store_true", help="open the table to the local network at once")
    command.add_argument(
        "--workers",
        type=_workers,
        default=1,
        metavar="N",
        help="processes that serve, on one port; more than one need a postgresql:// database (default 1)",
    )
    command.add_argument(
        "--thinkers",
        type=_thinkers,
        metavar="N",
        help="processes that think, for each that serves (default: cores - 1, divided over those that serve); or "
        "ray:ADDRESS, a Ray cluster that several services can share, with these processes for when it is away",
    )
    command.add_argument(
        "--claim-after",
        type=whole_from(0, 1_000_000, "a number of minutes"),
        default=3,
        metavar="MINUTES",
        help="how long a friend must be away before the other player can claim the win (default 3)",
    )
    command.add_argument(
        "--review-sims",
        type=whole_from(2),
        default=700,
        metavar="N",
        help="simulations of each look of a review: how close it looks and how long it takes (default 700)",
    )
    command.add_argument(
        "--metrics-port",
        type=whole_from(1, _MAX_PORT, "a port"),
        metavar="P",
        help="also tell the metrics on a port of their own: P for the first process that serves, then P + 1 and so on",
    )
    command.add_argument(
        "--metrics-from",
        action="append",
        type=_network,
        default=[],
        metavar="ADDRESS",
        help="an address, or a network, from which metrics may be read, besides this machine; can be repeated",
    )
    command.add_argument(
        "--private-address",
        type=_private_address,
        default="127.0.0.1",
        metavar="HOST[:PORT]",
        help="where other processes at the same postgresql:// database reach this one, to have requests answered that "
        "are about its games; with processes on several machines, an address of a network that nobody else can reach "
        "(default: this machine only, any free port)",
    )
    command.add_argument(
        "--no-limits", action="store_true", help="no limits on how often clients may ask: for load tests"
    )
    command.add_argument("--quiet", action="store_true", help="no log")
    command.set_defaults(run=run_serve)


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of plain `sintra`."""
    parser.add_argument("--no-browser", action="store_true", help="without a command: do not open the browser")
    parser.set_defaults(run=run_play, command=None)


def _network(text: str) -> str:
    try:
        ip_network(text, strict=False)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} must be an address, or a network such as 10.0.0.0/8") from None
    return text


def _thinkers(text: str) -> int | str:
    """Reads a number of processes, or the address of a cluster."""
    word, _, address = text.partition(":")
    if word != "ray":
        return _workers(text)
    try:
        resolve_address(address)
    except ClusterError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return address


def _private_address(text: str) -> str:
    """Reads an address with or without a port; one that means every address of this machine leads nobody here."""
    from sintra.table.http.network import host_and_port

    host, port = host_and_port(text)
    if not host or host in ("0.0.0.0", "::") or port > _MAX_PORT:
        raise argparse.ArgumentTypeError(
            f"{text!r} must be the address of this machine in a private network, such as 10.0.0.5 or 10.0.0.5:9500"
        )
    return text


def run_serve(options: argparse.Namespace) -> int:
    """Serves until it is stopped."""
    from sintra.table.http.server import Settings

    settings = Settings(
        host=options.host,
        port=options.port,
        database=options.database,
        durability=options.durability,
        allow_hosts=tuple(options.allow_host),
        network=options.network,
        thinkers=options.thinkers if isinstance(options.thinkers, int) else None,
        cluster=options.thinkers if isinstance(options.thinkers, str) else None,
        claim_after_s=60.0 * options.claim_after,
        review_sims=options.review_sims,
        limits=not options.no_limits,
        logs=not options.quiet,
        trusted_proxies=tuple(options.trust_proxy),
        workers=options.workers,
        metrics_port=options.metrics_port,
        metrics_from=tuple(options.metrics_from),
        private_address=options.private_address,
    )
    return _run(settings, browser=False)


def run_play(options: argparse.Namespace) -> int:
    """Starts the table on this machine, unless it is open already, and opens the browser."""
    from sintra.table.games.lock_file import AlreadyRunningError
    from sintra.table.http.server import Settings

    try:
        return _run(Settings(logs=False, search_port=True), browser=not options.no_browser)
    except AlreadyRunningError as error:
        if not error.address:
            raise
        print(f"The table is open already, at {error.address}.", flush=True)
        if not options.no_browser:
            _show(error.address)
        return 0


def _run(settings: Settings, browser: bool) -> int:
    from sintra.table.base.output import non_blocking_output
    from sintra.table.http.server import serve
    from sintra.table.http.supervisor import serve_many
    from sintra.table.workers.warm_up import is_compiled

    def say(address: str, links: list[str]) -> None:
        others = f", on your network at {' and '.join(links)}" if links else ""
        print(f"The table is at {address}{others}. Ctrl-C closes it.", flush=True)
        if browser:
            _show(address)
        if not is_compiled():
            print("The engine is being compiled for this machine: up to a minute, this first time only.", flush=True)

    with non_blocking_output():
        try:
            (serve if settings.workers == 1 else serve_many)(settings, say)
        except OSError as error:
            raise SintraError(f"the table cannot be served: {error.strerror or error}") from None
        print("The table is closed; games in progress are kept.", file=sys.stderr, flush=True)
    return 0


def _show(address: str) -> None:
    if not _open(address):
        print("No browser could be opened: open this address in yours.", flush=True)


def _open(address: str) -> bool:
    try:
        return webbrowser.open(address)
    except webbrowser.Error:
        return False
