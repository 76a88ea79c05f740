"""Times as the table writes them."""

from __future__ import annotations

from datetime import UTC, datetime


def time_now() -> str:
    """The time in UTC, as it is written in logs."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
