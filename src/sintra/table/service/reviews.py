"""Reviews at the table: asked for, made one after the other, kept, and shown.

A review has the name of what is reviewed, a hash of the record: whoever has the record has the name, and nobody else
can guess it. What is asked for twice is made once. The record is kept from the first moment on, so that a review that
was under way when the service ended begins again as soon as somebody looks at it.
"""

from __future__ import annotations

import asyncio
import time
from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Final

import msgspec
from msgspec.structs import replace as changed

from sintra.errors import Fault, SintraError
from sintra.records.record import Record
from sintra.review import GameReview
from sintra.review.sketch import Sketch
from sintra.table.base.lru_cache import LruCache
from sintra.table.base.scheduler import Scheduler
from sintra.table.games.leases import Leases, OwnedElsewhereError
from sintra.table.games.refusals import RefusalError, closing, no_review
from sintra.table.games.storage import Storage
from sintra.table.shown.messages import GameShown, ReviewTry
from sintra.table.shown.reviewed import WalkedGame, finding, review_head, table_at, tried, walking
from sintra.table.workers.request_limiter import RequestLimiter, too_many_requests
from sintra.table.workers.review_worker import ReviewLostError, ReviewWorker

MAX_WAITING: Final = 20
"""Reviews that may be under way or wait; more are refused with 503."""
MAX_WAITING_OF_ASKER: Final = 5
"""Reviews of one asker that may be under way or wait."""
ATTEMPTS: Final = 3
"""Workers that may die over one review before it fails."""
_MIN_SHARE: Final = 0.05
"""The share of a review from which on its end can be foreseen."""
_MAX_WALKED: Final = 32
"""How many replayed games are cached."""
_MAX_FOUND: Final = 32
"""How many finished reviews are cached as JSON."""
_MAX_TRIED: Final = 2000
"""How many costs of other moves are cached."""
_MAX_TRYING: Final = 24
"""How many other moves may wait to be judged."""
_MAX_TRYING_OF_ASKER: Final = 8
"""How many of the waiting moves may come from one asker."""
_encode: Final = msgspec.json.Encoder().encode


def bare(record: Record) -> Record:
    """A record without its optional fields, so that the same game has the same review."""
    return replace(record, legal=None, display=None, looked=None, extra={})


def review_id(text: str) -> str:
    """The name of a review: a hash of the record."""
    return urlsafe_b64encode(sha256(text.encode()).digest()[:18]).decode()


class Reviews:
    """All reviews of a table. `ready` is awaited before the first one begins."""

    def __init__(
        self,
        storage: Storage,
        scheduler: Scheduler,
        review_worker: ReviewWorker,
        ready: Callable[[], Awaitable[None]],
        leases: Leases,
        on_failure: Callable[[BaseException], None] = lambda error: None,
    ) -> None:
        self._storage = storage
        self._leases = leases
        self._scheduler = scheduler
        self._review_worker = review_worker
        self._ready = ready
        self._on_failure = on_failure
        self._under_way: dict[str, str] = {}
        self._share = 0.0
        self._sketch = Sketch()
        self._began = 0.0
        self._failed: set[str] = set()
        self._making: asyncio.Task[None] | None = None
        self._walked: LruCache[str, WalkedGame] = LruCache(_MAX_WALKED)
        self._found: LruCache[str, bytes] = LruCache(_MAX_FOUND)
        self._tried: LruCache[tuple[str, int, str], float] = LruCache(_MAX_TRIED)
        self._trying = RequestLimiter(_MAX_TRYING, _MAX_TRYING_OF_ASKER)
        self._asker_of: dict[str, str | None] = {}
        self._closed = False

    # --- asking ---------------------------------------------------------------------------------

    async def ask(self, record: Record, asker: str | None = None) -> str:
        """Asks for the review of a game that is over; returns its name."""
        text = bare(record).dumps()
        key = review_id(text)
        self._failed.discard(key)
        kept = await self._storage.kept_review(key)
        if kept is None:
            await self._storage.keep_review(key, text, None)
        if kept is None or kept[1] is None:
            with suppress(OwnedElsewhereError):
                await self._begin(key, text, asker)
        return key

    @staticmethod
    async def read(text: str) -> Record:
        """Reads and checks a record, in another thread, since that takes a while."""
        try:
            return await asyncio.to_thread(_checked, text)
        except SintraError as error:
            said = f"This record cannot be reviewed: {error}."
            raise RefusalError(422, "unreviewable", said, faults=error.faults) from None

    async def _begin(self, key: str, text: str, asker: str | None) -> None:
        """Queues a review, unless another process makes it (OwnedElsewhereError)."""
        if self._closed:
            raise closing()
        if key not in self._under_way:
            await self._leases.take_review(key)
        if key in self._under_way:
            return
        if asker is not None and list(self._asker_of.values()).count(asker) >= MAX_WAITING_OF_ASKER:
            raise too_many_requests(60)
        if len(self._under_way) >= MAX_WAITING:
            said = "Many games are being reviewed: try again soon."
            raise RefusalError(503, "reviews_full", said, retry_after=60)
        self._under_way[key] = text
        self._asker_of[key] = asker
        if self._making is None or self._making.done():
            self._making = asyncio.create_task(self._make())

    @property
    def waiting(self) -> int:
        """The number of reviews that are under way or wait."""
        return len(self._under_way)

    # --- making ---------------------------------------------------------------------------------

    async def _make(self) -> None:
        """Makes one review after the other, in the order in which they were asked for."""
        await self._ready()
        while self._under_way:
            key, text = next(iter(self._under_way.items()))
            self._share, self._sketch, self._began = 0.0, Sketch(), 0.0
            try:
                await self._storage.keep_review(key, text, await self._whole(key, text))
            except Exception as error:
                self._failed.add(key)
                self._on_failure(error)
            finally:
                del self._under_way[key], self._asker_of[key]

    async def _whole(self, key: str, text: str) -> str:
        """Makes a review step by step; a worker that dies is replaced."""
        lost = 0
        while True:
            try:
                self._share, made, self._sketch = await self._review_worker.advance(key, text)
                if not self._share:
                    self._began = time.monotonic()
            except ReviewLostError:
                lost += 1
                if lost == ATTEMPTS or self._closed:
                    raise
            else:
                if made is not None:
                    return made

    async def close(self) -> None:
        """Stops, and waits until the review that was under way has ended; it begins again when somebody asks."""
        self.stop()
        if self._making is not None:
            await asyncio.gather(self._making, return_exceptions=True)

    def stop(self) -> None:
        """Cancels the review that is under way, and ends the worker."""
        self._closed = True
        if self._making is not None:
            self._making.cancel()
        self._review_worker.close()

    # --- looking --------------------------------------------------------------------------------

    async def shown(self, key: str, asker: str | None = None) -> bytes:
        """A review as JSON, or its progress."""
        if (whole := self._found.get(key)) is not None:
            return whole
        text, made = await self._kept(key)
        if made is not None:
            return await self._whole_shown(key, text, made)
        if key in self._failed:
            self._failed.discard(key)
            raise RefusalError(503, "no_review", "This game could not be reviewed: try again.")
        await self._begin(key, text, asker)
        share, ahead = self._progress(key)
        head = review_head(key, Record.loads(text), share=share, ahead=ahead)
        if not ahead:
            course, turning = self._sketch
            head = changed(head, course=list(course), turning=list(turning), seconds_left=self._seconds_left(share))
        return _encode(head)

    def _seconds_left(self, share: float) -> int | None:
        """About how long the review that is under way will still take, once enough of it is done."""
        if share < _MIN_SHARE or not self._began:
            return None
        return round((time.monotonic() - self._began) * (1 - share) / share)

    def _progress(self, key: str) -> tuple[float, int]:
        """The share of a review that is done, and how many are made before it."""
        waiting = list(self._under_way)
        if key not in waiting:
            return 1.0, 0
        ahead = waiting.index(key)
        return self._share if ahead == 0 else 0.0, ahead

    async def _whole_shown(self, key: str, text: str, made: str) -> bytes:
        walked = await self._walk(key, text)
        review = GameReview.from_dict(msgspec.json.decode(made))
        found = await self._scheduler.run(finding(walked, review))
        head = review_head(key, walked.record, share=1.0)
        whole = self._found[key] = _encode(changed(head, state="done", found=found))
        return whole

    async def table(self, key: str, ply: int) -> GameShown:
        """The table after `ply` moves of a game that is reviewed, or will be."""
        return table_at(key, await self._walked_to(key, ply), ply)

    async def attempt(self, key: str, ply: int, token: str, asker: str | None = None) -> ReviewTry:
        """What another move would have cost at a turn; each move is judged once."""
        view = (await self._walked_to(key, ply)).views[ply]
        try:
            view.legal_moves.require(token)
        except SintraError as error:
            raise RefusalError(422, "bad_move", f"{token} cannot be played there.", faults=error.faults) from None
        asked = (key, ply, token)
        cost = self._tried.get(asked)
        if cost is None:
            with self._trying.slot(asker):
                cost = self._tried[asked] = await self._cost(*asked)
        return tried(view, token, cost)

    async def _cost(self, key: str, ply: int, token: str) -> float:
        try:
            await self._ready()
            return await self._review_worker.cost((await self._kept(key))[0], ply, token)
        except ReviewLostError as error:
            self._on_failure(error)
            raise RefusalError(503, "no_review", "This move could not be judged: try again.") from None

    async def record(self, key: str) -> str:
        """The record of a game that is reviewed, or will be, as text."""
        return (await self._kept(key))[0]

    async def _kept(self, key: str) -> tuple[str, str | None]:
        kept = await self._storage.kept_review(key)
        if kept is None:
            raise no_review()
        return kept

    async def _walked_to(self, key: str, ply: int) -> WalkedGame:
        """The replayed game of a review, which must have that ply."""
        walked = self._walked.get(key)
        if walked is None:
            walked = await self._walk(key, (await self._kept(key))[0])
        if not 0 <= ply <= walked.last:
            raise RefusalError(404, "no_ply", f"The game has plies 0 to {walked.last}.")
        return walked

    async def _walk(self, key: str, text: str) -> WalkedGame:
        walked = self._walked.get(key)
        if walked is None:
            walked = self._walked[key] = await self._scheduler.run(walking(Record.loads(text)))
        return walked


def _checked(text: str) -> Record:
    """Reads the record of a game, which must be complete and over."""
    record = Record.loads(text)
    if record.is_view:
        raise SintraError(Fault("view.review"))
    if record.result is None:
        raise SintraError(Fault("unfinished"))
    if record.check().awaits_deal:
        raise SintraError(Fault("not_dealt"))
    return record
