"""The endpoints of studies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sintra.table.games.room import Room
from sintra.table.http.answers import answer_with
from sintra.table.http.asking import SEAT_COOKIE, STUDY, address_of, made, seats_held
from sintra.table.http.endpoint import Endpoint
from sintra.table.http.security import STUDY_LIMIT, Limits
from sintra.table.service.service import Service
from sintra.table.shown.messages import (
    AskAdvice,
    AskStudy,
    DraftShown,
    GameMade,
    PlayOn,
    RoundCount,
    StudyAdvice,
    StudyShown,
    TableDraft,
)


class StudyEndpoints:
    """Everything under `/api/study`."""

    def __init__(self, table: Service, limits: Limits) -> None:
        self.table = table
        self._limits = limits
        studied = (400, 403, 409, 413, 415, 422, 429)
        self.endpoints = (
            Endpoint(
                "POST",
                STUDY,
                self.study,
                "A line of moves from a position or a record, as the seat to move sees its end",
                AskStudy,
                StudyShown,
                studied,
                max_bytes=STUDY_LIMIT,
            ),
            Endpoint(
                "POST",
                f"{STUDY}/advice",
                self.study_advice,
                "The best moves at the end of such a line",
                AskAdvice,
                StudyAdvice,
                studied,
                max_bytes=STUDY_LIMIT,
            ),
            Endpoint(
                "POST",
                f"{STUDY}/count",
                self.study_count,
                "The count of a round at the end of such a line, and its best tilings",
                AskStudy,
                RoundCount,
                studied,
                max_bytes=STUDY_LIMIT,
            ),
            Endpoint(
                "POST",
                f"{STUDY}/table",
                self.check_table,
                "A table built by hand as a position, or what is wrong with it",
                TableDraft,
                DraftShown,
                (400, 403, 413, 415, 429),
            ),
            Endpoint(
                "POST",
                f"{STUDY}/play",
                self.play_on,
                "A new game that begins at the end of such a line",
                PlayOn,
                GameMade,
                studied,
                max_bytes=STUDY_LIMIT,
            ),
        )

    async def _study(self, request: Request, ask: Callable[[Iterable[Room]], Awaitable[Any]]) -> Response:
        """Answers with what `ask` returns for the games at which the browser sits; deletes its cookies of games that
        are over."""
        held = seats_held(request)
        running = await self.table.studies.running(held)
        answer = answer_with(await ask(running.values()))
        for game in held.keys() - running.keys():
            answer.delete_cookie(SEAT_COOKIE + game, path=STUDY, httponly=True, samesite="strict")
        return answer

    async def study(self, request: Request, asked: AskStudy) -> Response:
        """The end of a line of moves, unless the client is playing that position."""
        self._limits.studying.take(address_of(request))
        return await self._study(request, lambda running: self.table.studies.study(asked, running))

    async def study_advice(self, request: Request, asked: AskAdvice) -> Response:
        """The best moves at the end of a line."""
        self._limits.advising.take(address_of(request))
        asker = self._limits.advising.asker(address_of(request))
        return await self._study(request, lambda running: self.table.studies.advise(asked, running, asker))

    async def study_count(self, request: Request, asked: AskStudy) -> Response:
        """The count of a round at the end of a line."""
        self._limits.studying.take(address_of(request))
        return await self._study(request, lambda running: self.table.studies.count(asked, running))

    async def check_table(self, request: Request, asked: TableDraft) -> DraftShown:
        """The faults of a table that was built by hand."""
        self._limits.studying.take(address_of(request))
        return await self.table.studies.check(asked)

    async def play_on(self, request: Request, asked: PlayOn) -> Response:
        """Makes a game that begins at the end of a line, in which the client has seat 0."""
        self._limits.creating.take(address_of(request))
        running = await self.table.studies.running(seats_held(request))
        return made(request, *await self.table.play_on(asked, running.values()))
