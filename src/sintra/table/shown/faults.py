"""Faults of texts as messages, which the page says in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable

from sintra.errors import Fault
from sintra.table.shown.messages import Telling


def tellings_of(faults: Iterable[Fault]) -> list[Telling]:
    """Each fault as a sentence of the catalogue."""
    return [Telling(f"wrong.{fault.kind}", fault.told) for fault in faults]
