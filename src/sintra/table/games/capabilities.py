"""Seats are capabilities: whoever has the secret of one sits there, and only its hash is kept."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from sintra.table.base.lru_cache import LruCache

_MAX_PLACES: Final = 20_000
"""How many places at games are cached."""


def new_secret() -> str:
    """Makes a secret that opens a seat: whoever has it sits there."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> bytes:
    """The hash of a secret, which is all that is stored of it."""
    return sha256(secret.encode()).digest()


class Places:
    """A cache of the roles that secrets give. A place at a game is never taken away, so whoever has one is known from
    then on without another look into the database."""

    def __init__(self) -> None:
        self._roles: LruCache[tuple[str, bytes], frozenset[str]] = LruCache(_MAX_PLACES)

    def known(self, game: str, hashes: Sequence[bytes]) -> frozenset[str]:
        """The cached roles that secrets with these hashes give together at a game."""
        return self._roles.get((game, b"".join(hashes)), frozenset())

    def keep(self, game: str, hashes: Sequence[bytes], roles: frozenset[str]) -> None:
        """Caches the roles that secrets with these hashes give at a game."""
        self._roles[game, b"".join(hashes)] = roles
