"""Seats are capabilities: whoever has the secret of one sits there, and only its hash is kept."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

_MAX_PLACES: Final = 20_000


def new_secret() -> str:
    """A secret that opens a seat; whoever has it, sits there."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> bytes:
    """What is stored of a secret."""
    return sha256(secret.encode()).digest()


class Places:
    """Roles that secrets have turned out to give. A place at a game is never taken away, so whoever has one is known
    from then on without another look into the database."""

    def __init__(self) -> None:
        self._roles: OrderedDict[tuple[str, bytes], frozenset[str]] = OrderedDict()

    def known(self, game: str, hashes: Sequence[bytes]) -> frozenset[str]:
        """The roles that secrets with these hashes give at a game, if they were all kept together."""
        return self._roles.get((game, b"".join(hashes)), frozenset())

    def keep(self, game: str, hashes: Sequence[bytes], roles: frozenset[str]) -> None:
        """Remembers them; those that were kept first are forgotten first."""
        self._roles[game, b"".join(hashes)] = roles
        if len(self._roles) > _MAX_PLACES:
            self._roles.popitem(last=False)
