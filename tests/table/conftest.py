"""What the tests of the table share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import soak
from table.deals import Deals
from table.local_table import LocalTable
from table.postgres_server import PostgresServer


@pytest.fixture(autouse=True)
def deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of this process have the deals that follow from the test's name."""
    if not soak.is_on:
        monkeypatch.setattr("sintra.game.seeds.randbits", Deals(lambda: request.node.name))


@pytest.fixture
def local() -> Iterator[LocalTable]:
    with LocalTable() as one:
        yield one


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests of a worker; a test that stops it starts it again."""
    server = PostgresServer()
    yield server
    server.close()
