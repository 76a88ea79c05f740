"""Games that are carried from one place to another as a file: from a tab to another browser, from a table to a tab, and
back to a table by `sintra tables copy`."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from sintra.tab.cookies import Cookie
from sintra.tab.storage import TabStorage
from sintra.table.games.capabilities import hash_of, new_secret
from sintra.table.games.log import Created, read_event
from sintra.table.games.moving import replay_fault
from sintra.table.games.storage import StorageError, Stored
from sintra.table.http.asking import COOKIE, SEAT_COOKIE, STUDY
from sintra.table.service.visitors import SEATS_OF


class Carried(NamedTuple):
    """A game that a file holds."""

    game: str
    at: int
    """When its latest event happened, in milliseconds since 1970."""


async def add_games(source: TabStorage, target: TabStorage) -> tuple[list[Carried], list[Cookie]]:
    """Adds the games and reviews of a file to those that are there; returns the games, and cookies for their seats. A
    game that is in both gets the longer log, if that is the other one continued; otherwise, and if a game cannot be
    replayed, nothing is added."""
    games = await source.games()
    behind = [game for game in games if await _is_behind(source, target, game)]
    for game in behind:
        known = await target.events(game)
        events = await source.events(game, len(known))
        if known:
            for event in events:
                await target.append(game, event)
        else:
            await target.put(game, events, await source.secrets(game))
    for key in await source.review_keys():
        if (kept := await source.kept_review(key)) is not None:
            await target.keep_review(key, *kept)
    carried, cookies = [], []
    sat_at = {one.path for one in target.cookies()}
    for game in games:
        events = await target.events(game)
        carried.append(Carried(game, int(1000 * datetime.fromisoformat(events[-1].at).timestamp())))
        if _path_of(game) not in sat_at:
            brought = [one for one in source.cookies() if _is_seat(one, game)]
            cookies += brought or await _new_seats(target, game, events[0])
    return carried, cookies


async def _is_behind(source: TabStorage, target: TabStorage, game: str) -> bool:
    """Whether a game goes on in the source where the target's log ends; StorageError if it cannot be added."""
    theirs, ours = await source.events(game), await target.events(game)
    if (fault := replay_fault(game, theirs)) is not None:
        raise StorageError(f"the game {game} cannot be replayed: {fault}")
    if any(one != other for one, other in zip(theirs, ours, strict=False)):
        raise StorageError(f"the game {game} is here already, and went on differently")
    return len(theirs) > len(ours)


def _path_of(game: str) -> str:
    return f"/api/games/{game}"


def _is_seat(cookie: Cookie, game: str) -> bool:
    """Whether a cookie is one of those that a seat at a game has."""
    return cookie.path == _path_of(game) or cookie.name == SEAT_COOKIE + game


async def _new_seats(target: TabStorage, game: str, first: Stored) -> list[Cookie]:
    """New cookies for all seats of a game that people play."""
    created = read_event(first.text)
    assert isinstance(created, Created)
    cookies = []
    for role in SEATS_OF[created.mode]:
        secret = new_secret()
        await target.add_secret(game, role, hash_of(secret))
        cookies += [Cookie(_path_of(game), COOKIE + role, secret), Cookie(STUDY, SEAT_COOKIE + game, secret)]
    return cookies
