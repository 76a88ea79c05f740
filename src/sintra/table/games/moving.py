"""Copies a whole database to another, or checks one."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

import msgspec

from sintra.errors import SintraError
from sintra.table.games.fingerprints import start_of
from sintra.table.games.room import Room
from sintra.table.games.storage import ConflictError, Secret, Storage, StorageError, Stored

Report = Callable[[float, str], None]
"""Reports progress: the share that is done, and what is being done."""
Item = TypeVar("Item")
Found = TypeVar("Found")
_BATCH_SIZE: Final = 8
"""Games that are read or written concurrently."""


@dataclass(slots=True)
class Tally:
    """The number of rows in a table, and a hash of all of them in order."""

    rows: int = 0
    _hash: hashlib._Hash = field(default_factory=hashlib.sha256)

    def add(self, *values: str | int | bytes | None) -> None:
        """Adds a row."""
        self.rows += 1
        self._hash.update(msgspec.msgpack.encode(values))

    @property
    def digest(self) -> str:
        """The first 16 digits of the hash."""
        return self._hash.hexdigest()[:16]


@dataclass(slots=True)
class Contents:
    """What a database holds: the number of games, and a tally of each table."""

    games: int = 0
    events: Tally = field(default_factory=Tally)
    secrets: Tally = field(default_factory=Tally)
    reviews: Tally = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class _Kept:
    """All that is stored of one game."""

    game: str
    events: list[Stored]
    secrets: list[Secret]


async def copy_storage(source: Storage, target: Storage, report: Report) -> tuple[Contents, int]:
    """Copies all that one storage has to another, byte for byte, and then compares the two. What the target has already
    is left as it is, so that an interrupted copy can be resumed; if it differs, nothing is copied. Returns what was
    compared, and how many games were copied now."""
    games, keys = await source.games(), await source.review_keys()
    there = set(await target.games())
    both = [game for game in games if game in there]
    await _compare(source, target, both, keys, _share(report, 0.0, 0.1, "comparing"), is_whole=False)
    new = [game for game in games if game not in there]
    share = _share(report, 0.1, 0.6, "copying")
    done = 0
    async for one in _each(new, lambda game: _read(source, game)):
        try:
            await asyncio.gather(*(target.put(kept.game, kept.events, kept.secrets) for kept in one))
        except ConflictError:
            raise StorageError("somebody else writes to the target: stop what uses it, and copy again") from None
        done += len(one)
        share(done / len(new))
    for key in keys:
        kept = await source.kept_review(key)
        if kept is not None:
            await target.keep_review(key, *kept)
    contents = await _compare(source, target, games, keys, _share(report, 0.6, 1.0, "comparing"), is_whole=True)
    for what, had, has in (("game", games, await source.games()), ("review", keys, await source.review_keys())):
        if came := sorted({*has} - {*had}):
            raise _differs(f"the {what} {came[0]}", is_whole=True)
    return contents, len(new)


async def _compare(
    source: Storage, target: Storage, games: list[str], keys: list[str], share: Callable[[float], None], is_whole: bool
) -> Contents:
    """Compares games and reviews; StorageError for the first that differs. Unless the copy `is_whole`, reviews may be
    missing."""
    ours, theirs = Contents(), Contents()

    async def read(game: str) -> tuple[_Kept, _Kept]:
        return await _read(source, game), await _read(target, game)

    async for pairs in _each(games, read):
        for here, there in pairs:
            if here != there:
                raise _differs(f"the game {here.game}", is_whole)
            for contents, kept in ((ours, here), (theirs, there)):
                _count(contents, kept)
        share(ours.games / max(1, len(games)))
    for key in keys:
        here_kept, there_kept = await source.kept_review(key), await target.kept_review(key)
        if here_kept != there_kept and (is_whole or there_kept is not None):
            raise _differs(f"the review {key}", is_whole)
        for contents, review in ((ours, here_kept), (theirs, there_kept)):
            if review is not None:
                contents.reviews.add(key, *review)
    if is_whole:
        for table in ("events", "secrets", "reviews"):
            here_tally, there_tally = getattr(ours, table), getattr(theirs, table)
            if (here_tally.rows, here_tally.digest) != (there_tally.rows, there_tally.digest):
                raise _differs(f"the table {table}", is_whole)
    return ours


def _differs(what: str, is_whole: bool) -> StorageError:
    if is_whole:
        return StorageError(f"{what} was not copied as it is: stop what uses the databases, and copy to an empty one")
    return StorageError(f"{what} is in the target, and is not the same: nothing was copied; name another target")


async def check_storage(storage: Storage, report: Report) -> tuple[Contents, list[tuple[str, str]]]:
    """Replays every game. Returns what there is, and the games that cannot be replayed, each with the reason."""
    games = await storage.games()
    share = _share(report, 0.0, 1.0, "replaying")
    contents, wrong = Contents(), []
    async for some in _each(games, lambda game: _read(storage, game)):
        for kept in some:
            _count(contents, kept)
            reason = replay_fault(kept.game, kept.events)
            if reason is None and (start := start_of(kept.events)):
                is_found = kept.game in await storage.started_at([start])
                reason = None if is_found else "its start is not kept: records of it could be reviewed while it goes on"
            if reason is not None:
                wrong.append((kept.game, reason))
            share(contents.games / len(games))
    for key in await storage.review_keys():
        contents.reviews.add(key)
    return contents, wrong


def replay_fault(game: str, events: Sequence[Stored]) -> str | None:
    """Why a log cannot be replayed, in one line; None if it can."""
    room: Room | None = None
    for seq, event in enumerate(events):
        if event.seq != seq:
            return f"event {seq} is missing"
        try:
            if room is None:
                room = Room(game, [event])
            else:
                room.add(event)
        except (SintraError, AssertionError, ValueError, IndexError, KeyError, TypeError) as error:
            said = " ".join(str(error).split()) or type(error).__name__
            return f"event {seq}: {said}"
    return None


def _count(contents: Contents, kept: _Kept) -> None:
    contents.games += 1
    for event in kept.events:
        contents.events.add(kept.game, *event)
    for secret in kept.secrets:
        contents.secrets.add(kept.game, *secret)


async def _read(storage: Storage, game: str) -> _Kept:
    return _Kept(game, await storage.events(game), await storage.secrets(game))


async def _each(items: Sequence[Item], do: Callable[[Item], Awaitable[Found]]) -> AsyncIterator[list[Found]]:
    """Calls `do` for each item, several concurrently, and yields the results in order, batch by batch."""
    for first in range(0, len(items), _BATCH_SIZE):
        yield await asyncio.gather(*(do(item) for item in items[first : first + _BATCH_SIZE]))


def _share(report: Report, start: float, end: float, what: str) -> Callable[[float], None]:
    """Reports the progress of a part of the work, which goes from one share of the whole to another."""
    return lambda done: report(start + (end - start) * done, what)
