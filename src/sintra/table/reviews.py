"""Reviews at the table: asked for, made one after the other, kept, and shown.

A review has the name of what is reviewed, a hash of the record: whoever has the record has the name, and nobody else
can guess it. What is asked for twice is made once. The record is kept from the first moment on, so that a review that
was under way when the service ended begins again as soon as somebody looks at it.
"""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec.structs import replace as changed

from sintra.errors import SintraError
from sintra.faults import Fault
from sintra.records.record import Record
from sintra.table.games.commons import Commons
from sintra.table.games.refusals import RefusalError, closing, no_review
from sintra.table.games.storage import Storage, StorageError
from sintra.table.portions import Portions
from sintra.table.queueing import WaitingPlaces, too_many_asked
from sintra.table.review_desk import ReviewDesk, ReviewLostError
from sintra.table.shown.messages import GameShown, ReviewTry
from sintra.table.shown.reviewed import WalkedGame, finding, review_head, table_at, tried, walking

MOST_WAITING: Final = 20
"""So many reviews are under way or wait; who asks for more is asked to come again."""
MAX_WAITING_OF_ASKER: Final = 5
"""So many of them have been asked for by one asker, with all processes together."""
ATTEMPTS: Final = 3
_MOST_WALKED: Final = 32
_MOST_FOUND: Final = 32
_MOST_TRIED: Final = 2000
_MAX_TRYING: Final = 24
"""Costs of other moves that are kept, and those that may wait to be found,"""
_MAX_TRYING_OF_ASKER: Final = 8
"""those of one asker too."""
_encode: Final = msgspec.json.Encoder().encode


def bare(record: Record) -> Record:
    """A record without what can be left out of it: the same game is the same review."""
    return replace(record, legal=None, display=None, looked=None, extra={})


def key_of(text: str) -> str:
    """The name of a review."""
    return urlsafe_b64encode(sha256(text.encode()).digest()[:18]).decode()


class Reviews:
    """All reviews of a table. `ready` is waited for before one begins."""

    def __init__(
        self,
        storage: Storage,
        portions: Portions,
        desk: ReviewDesk,
        ready: Callable[[], Awaitable[None]],
        commons: Commons,
    ) -> None:
        self._storage = storage
        self._commons = commons
        self._portions = portions
        self._desk = desk
        self._ready = ready
        self.on_failure: Callable[[BaseException], None] = lambda error: None
        self._under_way: OrderedDict[str, str] = OrderedDict()
        self._share = 0.0
        self._failed: set[str] = set()
        self._making: asyncio.Task[None] | None = None
        self._walked: OrderedDict[str, WalkedGame] = OrderedDict()
        self._found: OrderedDict[str, bytes] = OrderedDict()
        self._tried: OrderedDict[tuple[str, int, str], float] = OrderedDict()
        self._trying = WaitingPlaces(_MAX_TRYING, _MAX_TRYING_OF_ASKER)
        self._taken: set[str] = set()
        self._place_of: dict[str, str] = {}
        self._closed = False

    # --- asking ---------------------------------------------------------------------------------

    async def ask(self, record: Record, asker: str | None = None) -> str:
        """Asks for the review of a game that is over; its name."""
        text = bare(record).dumps()
        key = key_of(text)
        self._failed.discard(key)
        progress = await self._progress(key)
        kept = await self._storage.kept_review(key)
        if progress is None and (kept is None or kept[1] is None):
            await self._begin(key, text, asker)
        if kept is None:
            await self._storage.keep_review(key, text, None)
        return key

    @staticmethod
    async def read(text: str) -> Record:
        """A record as text, which is checked; that takes a while and is done in another thread."""
        try:
            return await asyncio.to_thread(_checked, text)
        except SintraError as error:
            said = f"This record cannot be reviewed: {error}."
            raise RefusalError(422, "unreviewable", said, faults=error.faults) from None

    async def _begin(self, key: str, text: str, asker: str | None) -> None:
        """Puts a review behind those that are under way. How many there are elsewhere is known before and not after:
        two processes may go over the bound by a few."""
        if self._closed:
            raise closing()
        if key in self._under_way:
            return
        place = None if asker is None else await self._take_place(asker)
        try:
            elsewhere = await self._commons.noted_reviews()
            if key in self._under_way:
                return
            if len(self._under_way) + elsewhere >= MOST_WAITING:
                said = "Many games are being reviewed: try again soon."
                raise RefusalError(503, "reviews_full", said, retry_after=60)
            ahead = len(self._under_way)
            self._under_way[key] = text
            if place is not None:
                self._place_of[key] = place
                place = None
        finally:
            if place is not None:
                await self._leave_place(place)
        if self._making is None or self._making.done():
            self._making = asyncio.create_task(self._make())
        await self._commons.note_review(key, 0.0, ahead)

    async def _take_place(self, asker: str) -> str:
        """One of the places of an asker, which no other review has, with whatever process."""
        for number in range(MAX_WAITING_OF_ASKER):
            place = f"review {number} of {asker}"
            if place in self._taken:
                continue
            self._taken.add(place)
            is_free = False
            try:
                is_free = await self._commons.take(place)
            finally:
                if not is_free:
                    self._taken.discard(place)
            if is_free:
                return place
        raise too_many_asked(60)

    async def _leave_place(self, place: str) -> None:
        self._taken.discard(place)
        with suppress(StorageError):
            await self._commons.leave(place)

    @property
    def waiting(self) -> int:
        """How many are being made or wait."""
        return len(self._under_way)

    # --- making ---------------------------------------------------------------------------------

    async def _make(self) -> None:
        """Makes one review after the other, in the order in which they were asked for."""
        await self._ready()
        while self._under_way:
            key, text = next(iter(self._under_way.items()))
            self._share = 0.0
            try:
                await self._storage.keep_review(key, text, await self._whole(key, text))
            except Exception as error:
                self._failed.add(key)
                self.on_failure(error)
            finally:
                del self._under_way[key]
            await self._tell_others(key)
            if (place := self._place_of.pop(key, None)) is not None:
                await self._leave_place(place)

    async def _tell_others(self, done: str) -> None:
        """A review is none of this process's any more, and all others have moved up."""
        with suppress(StorageError):
            await self._commons.note_review(done, None)
            for ahead, key in enumerate(list(self._under_way)):
                await self._commons.note_review(key, 0.0, ahead)

    async def _whole(self, key: str, text: str) -> str:
        """A review, moment by moment; a process that is lost gets successors."""
        lost = 0
        while True:
            try:
                self._share, made = await self._desk.go_on(key, text)
            except ReviewLostError:
                lost += 1
                if lost == ATTEMPTS or self._closed:
                    raise
            else:
                if made is not None:
                    return made
                with suppress(StorageError):
                    await self._commons.note_review(key, self._share)

    async def close(self) -> None:
        """Ends what is under way; it begins again when somebody asks."""
        self.stop()
        if self._making is not None:
            await asyncio.gather(self._making, return_exceptions=True)

    def stop(self) -> None:
        """The same without waiting for it."""
        self._closed = True
        if self._making is not None:
            self._making.cancel()
        self._desk.close()

    # --- looking --------------------------------------------------------------------------------

    async def shown(self, key: str, asker: str | None = None) -> bytes:
        """A review, or how far it is, as JSON."""
        if (whole := self._found.get(key)) is not None:
            self._found.move_to_end(key)
            return whole
        progress = await self._progress(key)
        text, made = await self._kept(key)
        if made is not None:
            return await self._whole_shown(key, text, made)
        if key in self._failed:
            self._failed.discard(key)
            raise RefusalError(503, "no_review", "This game could not be reviewed: try again.")
        if progress is None:
            await self._begin(key, text, asker)
            progress = self._progress_here(key)
        share, ahead = progress
        return _encode(review_head(key, Record.loads(text), share=share, ahead=ahead))

    async def _progress(self, key: str) -> tuple[float, int] | None:
        """How far a review is, and how many are made before it, if somebody makes it. Only what is read after that
        tells whether it is to be begun: who has made it meanwhile has kept it."""
        return self._progress_here(key) if key in self._under_way else await self._commons.noted_review(key)

    def _progress_here(self, key: str) -> tuple[float, int]:
        waiting = list(self._under_way)
        if key not in waiting:
            return 1.0, 0
        ahead = waiting.index(key)
        return self._share if ahead == 0 else 0.0, ahead

    async def _whole_shown(self, key: str, text: str, made: str) -> bytes:
        walked = await self._walk(key, text)
        told: dict[str, Any] = json.loads(made)
        found = await self._portions.do(finding(walked, told))
        head = review_head(key, walked.record, share=1.0)
        whole = self._found[key] = _encode(changed(head, state="done", found=found))
        if len(self._found) > _MOST_FOUND:
            self._found.popitem(last=False)
        return whole

    async def table(self, key: str, ply: int) -> GameShown:
        """The table after so many moves of a game that is reviewed or is to be."""
        return table_at(key, await self._walked_to(key, ply), ply)

    async def attempt(self, key: str, ply: int, token: str, asker: str | None = None) -> ReviewTry:
        """What becomes of another move at a turn; one move is judged once."""
        view = (await self._walked_to(key, ply)).views[ply]
        try:
            view.legal_moves.require(token)
        except SintraError as error:
            raise RefusalError(422, "bad_move", f"{token} cannot be played there.", faults=error.faults) from None
        asked = (key, ply, token)
        if asked not in self._tried:
            with self._trying.taken_by(asker):
                self._tried[asked] = await self._cost(*asked)
            if len(self._tried) > _MOST_TRIED:
                self._tried.popitem(last=False)
        return tried(view, token, self._tried[asked])

    async def _cost(self, key: str, ply: int, token: str) -> float:
        try:
            await self._ready()
            return await self._desk.cost((await self._kept(key))[0], ply, token)
        except ReviewLostError as error:
            self.on_failure(error)
            raise RefusalError(503, "no_review", "This move could not be judged: try again.") from None

    async def record(self, key: str) -> str:
        """The record of a game that is reviewed or is to be, as text."""
        return (await self._kept(key))[0]

    async def _kept(self, key: str) -> tuple[str, str | None]:
        kept = await self._storage.kept_review(key)
        if kept is None:
            raise no_review()
        return kept

    async def _walked_to(self, key: str, ply: int) -> WalkedGame:
        """A game that has a ply."""
        walked = self._walked.get(key)
        if walked is None:
            walked = await self._walk(key, (await self._kept(key))[0])
        if not 0 <= ply <= walked.last:
            raise RefusalError(404, "no_ply", f"The game has plies 0 to {walked.last}.")
        return walked

    async def _walk(self, key: str, text: str) -> WalkedGame:
        walked = self._walked.get(key)
        if walked is None:
            walked = self._walked[key] = await self._portions.do(walking(Record.loads(text)))
            if len(self._walked) > _MOST_WALKED:
                self._walked.popitem(last=False)
        self._walked.move_to_end(key)
        return walked


def _checked(text: str) -> Record:
    """A record of a whole game that is over."""
    record = Record.loads(text)
    if record.is_view:
        raise SintraError(Fault("view.review"))
    if record.result is None:
        raise SintraError(Fault("unfinished"))
    if record.check().awaits_deal:
        raise SintraError(Fault("not_dealt"))
    return record
