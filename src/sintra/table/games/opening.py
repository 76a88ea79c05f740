"""Opens the storage at an address: the one module that knows all kinds of storage."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sintra.table.games.database import Durability, default_database
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import Storage, StorageError

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
"""Matches addresses and no paths: a single letter before the colon is a drive."""
_POSTGRES: Final = ("postgresql", "postgres")


def is_shared(address: str | Path | None) -> bool:
    """Whether several processes can share the storage at an address."""
    found = _SCHEME.match(str(address))
    return found is not None and found[1].lower() in _POSTGRES


async def open_storage(
    address: str | Path | None = None,
    durability: Durability = "full",
    may_be_empty: bool = True,
    served_at: str | None = None,
) -> Storage:
    """Opens the storage at an address, or the SQLite file in the user's data folder if none is given. A service gives
    the address at which it is `served_at`, and does not share a file with another one. An address that cannot be used
    is not quoted in the error: it could contain a password."""
    if found := _SCHEME.match(str(address)):
        if found[1].lower() not in _POSTGRES:
            raise StorageError(
                f"cannot use a database at {found[1]}://: games are kept in a SQLite file, or in PostgreSQL; "
                f"name one (--database FILE or postgresql://...)"
            )
        return await _open_postgres(str(address), may_be_empty)
    return SqliteStorage(address or default_database(), durability, served_at)


async def open_existing(address: str) -> Storage:
    """Opens the storage at an address if there is one: no file and no tables are made."""
    if not _SCHEME.match(address) and not Path(address).exists():
        raise StorageError(f"there is no database {address}: name a file, or postgresql://...")
    return await open_storage(address, may_be_empty=False)


async def _open_postgres(address: str, may_be_empty: bool) -> Storage:
    try:
        from sintra.table.games.postgres import PostgresStorage
    except ImportError:
        raise StorageError("PostgreSQL needs the extra postgres: pip install 'sintra[postgres]'") from None
    return await PostgresStorage.open(address, may_be_empty)
