"""The progress bar of commands that take a while."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

T = TypeVar("T")


class Report(Protocol):
    """Moves a progress bar on."""

    def __call__(self, done: float, note: str = "", *, total: float = 1, what: str = "") -> None:
        """Shows that `done` of `total` is done, with a note behind the bar; a new `what` begins a new bar."""


@contextmanager
def progress_bar(what: str) -> Iterator[Report]:
    """Shows a progress bar on standard error if that is a terminal; elsewhere reports are ignored."""
    if not sys.stderr.isatty():
        yield lambda done, note="", *, total=1, what="": None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False),
    )
    console, redirect = Console(stderr=True), sys.stdout.isatty()
    with Progress(*columns, console=console, transient=True, redirect_stdout=redirect) as progress:
        task = progress.add_task(what, total=None, count="", note="")
        shown = what

        def report(done: float, note: str = "", *, total: float = 1, what: str = "") -> None:
            nonlocal shown
            if what and what != shown:
                progress.reset(task, description=what)
                shown = what
            count = f"{done:.0%}" if total == 1 else f"{done:.0f}/{total:.0f}"
            progress.update(task, completed=done, total=total, count=count, note=note)

        yield report


def tracked(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """Yields the items and shows how many of them have been done."""
    with progress_bar(what) as report:
        for done, item in enumerate(items, start=1):
            yield item
            report(done, total=total)
