"""Progress bars of commands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def bar(what: str) -> Iterator[Callable[[float, str], None]]:
    """A progress bar on a terminal's error channel, told the share that is done and a word; elsewhere nothing."""
    if not sys.stderr.isatty():
        yield lambda share, now: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(what),
        BarColumn(),
        TaskProgressColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[now]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=1.0, now="")
        yield lambda share, now: progress.update(task, completed=share, now=now)
