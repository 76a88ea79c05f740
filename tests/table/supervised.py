"""Several processes that serve, each with games in its own memory: how they are started, kept and ended is the same.

As a program, it starts so many; further words are `field=value` of their settings. Pauses are short, and engine and
computers are not loaded ahead.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any

from sintra.table.base.output import non_blocking_output
from sintra.table.http import supervisor
from sintra.table.http.server import Settings, bind
from sintra.table.service.preparation import Preparation

if __name__ == "__mp_main__":
    Preparation.start = lambda self: None  # type: ignore[method-assign]

if __name__ == "__main__":
    vars(supervisor)["_RESTART_DELAYS_S"] = (0.1, 0.2, 0.4, 0.8)
    count, *words = sys.argv[1:]
    given: dict[str, Any] = dict(word.split("=", 1) for word in words)
    if "metrics_port" in given:
        given["metrics_port"] = int(given["metrics_port"])
    settings = replace(Settings(database=":memory:", thinkers=1, limits=False), **given)
    with non_blocking_output():
        supervisor.supervise(
            [replace(settings, process=k) for k in range(int(count))],
            bind("127.0.0.1", 0),
            lambda address, links: print(f"The table is at {address}.", flush=True),
        )
