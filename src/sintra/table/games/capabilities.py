"""Seats are capabilities: whoever has the secret of one sits there, and only its hash is kept."""

from __future__ import annotations

import secrets
from hashlib import sha256


def new_secret() -> str:
    """A secret that opens a seat; whoever has it, sits there."""
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> bytes:
    """What is stored of a secret."""
    return sha256(secret.encode()).digest()
