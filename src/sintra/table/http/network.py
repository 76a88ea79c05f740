"""Opening the table to the local network: the machine's own addresses and who may change it."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from typing import Final, Literal

PORT: Final = 8765
"""The default port."""
Reach = Literal["machine", "network", "anywhere"]
_HOME: Final = (".local", ".lan", ".home", ".internal", ".home.arpa", ".test")
"""Endings of names that only a local network resolves; so are names without a dot."""


def own_addresses() -> list[str]:
    """The IPv4 addresses under which others on the network can reach this machine, the likeliest first."""
    found: list[str] = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not ip_address(one).is_loopback and one != "0.0.0.0"]


def is_loopback(address: str) -> bool:
    """Whether an address is a loopback address."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False


def reach_of(host: str) -> Reach:
    """Where a link with this name or address can be followed, as far as the name tells."""
    name = host.strip("[]").rstrip(".")
    try:
        address = ip_address(name.partition("%")[0])
    except ValueError:
        if name == "localhost" or name.endswith(".localhost"):
            return "machine"
        return "network" if "." not in name or name.endswith(_HOME) else "anywhere"
    if address.is_loopback:
        return "machine"
    return "anywhere" if address.is_global else "network"


def host_and_port(text: str) -> tuple[str, int]:
    """The host and the port in `HOST` or `HOST:PORT`, an IPv6 address with a port in brackets; 0 if there is none."""
    host, _, port = text.rpartition(":")
    if not port.isdigit() or not host or (":" in host and not host.startswith("[")):
        return text.strip("[]"), 0
    return host.strip("[]"), int(port)


class Network:
    """Whether others can reach the table. `listen` opens or closes the listener; without one this
    cannot be changed while the table runs."""

    def __init__(self, port: int = 0, addresses: list[str] | None = None) -> None:
        """`addresses` are those under which it is open from the start."""
        self.port = port
        self.addresses = list(addresses or [])
        self.listen: Callable[[bool], Awaitable[tuple[list[str], int]]] | None = None
        self._changing = asyncio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether the table can be reached from the local network now."""
        return bool(self.addresses)

    @property
    def links(self) -> list[str]:
        """The addresses at which others reach the table."""
        return [f"http://{address}:{self.port}" for address in self.addresses]

    def reach(self, host: str, address: str) -> Reach:
        """How far away somebody may be who is sent a link by a reader at `address`, whose page is at `host`.
        A page of this machine gives away links of the network while the table is open to it. Who asks from
        elsewhere for this machine has come through a proxy that keeps its own name to itself."""
        found = reach_of(host)
        if found != "machine":
            return found
        if not is_loopback(address):
            return "anywhere"
        return reach_of(self.addresses[0]) if self.is_open else "machine"

    async def change(self, to_open: bool) -> None:
        """Opens or closes the table to the local network."""
        async with self._changing:
            if self.listen is not None and to_open != self.is_open:
                self.addresses, self.port = await self.listen(to_open)
