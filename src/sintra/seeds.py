"""Seeds from seeds: independent, reproducible streams for games, players and samples."""

from __future__ import annotations

from hashlib import blake2b


def derive(*parts: int | str) -> int:
    """A seed of 63 bits that depends on all the parts, the same on every machine."""
    text = "\0".join(str(part) for part in parts)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
