"""`sintra tables`: copies and checks the databases in which tables keep their games."""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING, Any, Final

from sintra.cli.progress import progress_bar

if TYPE_CHECKING:
    from sintra.table.games.moving import Contents

_DATABASE: Final = "a SQLite file, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE"


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "tables",
        help="copy and check the databases of tables",
        description="Copies everything from one database to another, or replays every game of one. A database of an "
        "older Sintra is brought up to today's schema, as by serve: the older one refuses it from then on.",
    )
    acts = command.add_subparsers(dest="act", metavar="ACT", required=True, help="what to do with them")
    copying = acts.add_parser(
        "copy",
        help="copy everything to another database",
        description="Copies all games, the secrets that open them and all reviews, byte for byte, and compares both "
        "databases in the end. Stop what serves them first. A copy that was interrupted goes on with the same command; "
        "if the target has another game of the same name, nothing is copied.",
    )
    copying.add_argument("source", metavar="FROM", help=f"{_DATABASE}; nothing in it is changed")
    copying.add_argument("target", metavar="TO", help="the same; what is there already stays there")
    copying.set_defaults(run=_copy)
    checking = acts.add_parser(
        "check",
        help="replay every game of a database",
        description="Replays every game of a database. Prints those that do not replay, with the reason, and exits "
        "with code 1 if there are any.",
    )
    checking.add_argument("database", metavar="DATABASE", help=_DATABASE)
    checking.set_defaults(run=_check)


def _copy(options: argparse.Namespace) -> int:
    contents, copied = asyncio.run(_copied(options.source, options.target))
    rest = contents.games - copied
    known = f", {rest} were there already" if rest else ""
    print(f"{_many(copied, 'game')} copied{known}; both databases have the same:")
    for name in ("events", "secrets", "reviews"):
        tally = getattr(contents, name)
        print(f"  {name:8} {tally.rows:8}  {tally.digest}")
    return 0


async def _copied(source_address: str, target_address: str) -> tuple[Contents, int]:
    from sintra.table.games.moving import copy_storage
    from sintra.table.games.opening import open_existing, open_storage

    source = await open_existing(source_address)
    try:
        target = await open_storage(target_address)
        try:
            with progress_bar("games") as report:
                return await copy_storage(source, target, report)
        finally:
            await target.close()
    finally:
        await source.close()


def _check(options: argparse.Namespace) -> int:
    contents, wrong = asyncio.run(_checked(options.database))
    for game, reason in wrong:
        print(f"{game}: {reason}", file=sys.stderr)
    held = f"{_many(contents.games, 'game')}, {_many(contents.events.rows, 'event')}"
    held += f", {_many(contents.reviews.rows, 'review')}"
    print(f"{held}; " + (f"{_many(len(wrong), 'game')} did not replay" if wrong else "all games replay"))
    return 1 if wrong else 0


async def _checked(address: str) -> tuple[Contents, list[tuple[str, str]]]:
    from sintra.table.games.moving import check_storage
    from sintra.table.games.opening import open_existing

    storage = await open_existing(address)
    try:
        with progress_bar("games") as report:
            return await check_storage(storage, report)
    finally:
        await storage.close()


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"
