"""The endpoints of the service itself: health, network, pictures of links."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

from starlette.requests import Request
from starlette.responses import Response

from sintra import __version__
from sintra.components import Goal
from sintra.table.base.opponents import OPPONENTS
from sintra.table.games.refusals import RefusalError
from sintra.table.games.storage import StorageError
from sintra.table.http.answers import answer_with
from sintra.table.http.asking import address_of
from sintra.table.http.endpoint import Endpoint
from sintra.table.http.network import Network, is_loopback
from sintra.table.http.pictures import Pictures
from sintra.table.http.security import LOOPBACK_HOSTS, Hosts, Limits, host_name
from sintra.table.service.service import Service
from sintra.table.shown.game import opponent_shown
from sintra.table.shown.messages import About, AskPicture, Health, NetworkShown, OpenNetwork, Picture

_CHECK_TIMEOUT_S: Final = 2.0
"""Seconds within which the database has to answer to count as reachable."""


class HouseEndpoints:
    """The endpoints that belong to no game."""

    def __init__(self, table: Service, limits: Limits, hosts: Hosts, network: Network) -> None:
        self.table = table
        self._limits = limits
        self._hosts = hosts
        self._network = network
        self._pictures = Pictures()
        self.endpoints = (
            Endpoint("GET", "/api/health", self.health, "Whether the service answers", shown=Health, also_at=(503,)),
            Endpoint("GET", "/api/about", self.about, "Version, opponents, goals, network", shown=About),
            Endpoint(
                "POST",
                "/api/network",
                self.open_network,
                "Open the table to the network, or close it",
                OpenNetwork,
                NetworkShown,
                (400, 403, 409, 413, 415, 429),
            ),
            Endpoint("POST", "/api/qr", self.picture, "A QR code", AskPicture, Picture, (400, 403, 413, 415, 422, 429)),
        )

    def _may_change_network(self, request: Request) -> bool:
        here = is_loopback(address_of(request)) and host_name(request.headers.get("host", "")) in LOOPBACK_HOSTS
        return here and self._network.listen is not None

    def _network_shown(self, request: Request) -> NetworkShown:
        reach = self._network.reach(host_name(request.headers.get("host", "")), address_of(request))
        return NetworkShown(self._network.is_open, self._network.links, self._may_change_network(request), reach)

    async def health(self, request: Request) -> Response:
        """Whether the service answers, and its database. One that is read-only is no reason to come no more: games can
        be looked at, and no other process could do better."""
        database: Literal["ok", "read_only", "away"]
        try:
            database = "ok" if await asyncio.wait_for(self.table.storage.check(), _CHECK_TIMEOUT_S) else "read_only"
        except (StorageError, TimeoutError):
            database = "away"
        status = self.table.preparation.status
        health = Health(status, __version__, self.table.preparation.progress, database)
        return answer_with(health, 503 if database == "away" or status == "failed" else 200)

    async def about(self, request: Request) -> About:
        """What a page needs to know before the first game."""
        opponents = [opponent_shown(one) for one in OPPONENTS.values()]
        return About(__version__, opponents, [str(goal) for goal in Goal], self._network_shown(request))

    async def open_network(self, request: Request, asked: OpenNetwork) -> NetworkShown:
        """Opens or closes the table to the local network; only a client on this machine may."""
        self._limits.creating.take(address_of(request))
        if not self._may_change_network(request):
            raise RefusalError(403, "not_here", "Only the machine that runs the table can open or close it.")
        try:
            await self._network.change(asked.open)
        except OSError:
            raise RefusalError(409, "no_network", "The table cannot be reached from this machine's network.") from None
        self._hosts.open_to(self._network.addresses)
        return self._network_shown(request)

    async def picture(self, request: Request, asked: AskPicture) -> Picture:
        """A link as a QR code."""
        self._limits.drawing.take(address_of(request))
        return await self._pictures.of(asked.text)
