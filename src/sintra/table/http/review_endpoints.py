"""The endpoints of reviews."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from sintra.table.http.answers import LongResponse
from sintra.table.http.asking import address_of, asked_ply, asked_review, uncounted_address
from sintra.table.http.endpoint import Endpoint
from sintra.table.http.security import Limits
from sintra.table.service.service import Service
from sintra.table.shown.messages import (
    MAX_RECORD_LENGTH,
    AskRecordReview,
    AskReviewTry,
    GameShown,
    ReviewAsked,
    ReviewShown,
    ReviewTry,
)


class ReviewEndpoints:
    """Everything under `/api/reviews`."""

    def __init__(self, table: Service, limits: Limits) -> None:
        self.table = table
        self._limits = limits
        self.endpoints = (
            Endpoint(
                "POST",
                "/api/reviews",
                self.review_record,
                "Ask for the review of a game by its record (sintra/1)",
                AskRecordReview,
                ReviewAsked,
                (400, 403, 409, 413, 415, 422, 429),
                max_bytes=3 * MAX_RECORD_LENGTH,
            ),
            Endpoint(
                "GET",
                "/api/reviews/{review}",
                self.review,
                "A review, or how far it is",
                shown=ReviewShown,
                refusals=(404, 429),
            ),
            Endpoint(
                "GET",
                "/api/reviews/{review}/record",
                self.reviewed_record,
                "The record of a reviewed game",
                shown=dict,
                refusals=(404, 429),
            ),
            Endpoint(
                "GET",
                "/api/reviews/{review}/positions/{ply}",
                self.reviewed_position,
                "The table of a reviewed game after so many moves, as the seat to move saw it",
                shown=GameShown,
                refusals=(404, 429),
            ),
            Endpoint(
                "POST",
                "/api/reviews/{review}/tries",
                self.try_reviewed,
                "What another move would have cost at a turn of a reviewed game",
                AskReviewTry,
                ReviewTry,
                (400, 403, 404, 413, 415, 422, 429),
            ),
        )

    async def review_record(self, request: Request, asked: AskRecordReview) -> ReviewAsked:
        """Has a record reviewed."""
        self._limits.reviewing.take(uncounted_address(request))
        asker = self._limits.reviewing.asker(address_of(request))
        return ReviewAsked(await self.table.review_record(asked.record, asker))

    async def review(self, request: Request) -> Response:
        """A review, as far as it is."""
        self._limits.looking.take(uncounted_address(request))
        asker = self._limits.reviewing.asker(address_of(request))
        shown = await self.table.reviews.shown(asked_review(request), asker)
        return LongResponse(shown, media_type="application/json")

    async def reviewed_record(self, request: Request) -> Response:
        """The record of a review."""
        self._limits.looking.take(uncounted_address(request))
        return Response(await self.table.reviews.record(asked_review(request)), media_type="application/json")

    async def reviewed_position(self, request: Request) -> GameShown:
        """The table at a move of a review."""
        self._limits.looking.take(uncounted_address(request))
        return await self.table.reviews.table(asked_review(request), asked_ply(request))

    async def try_reviewed(self, request: Request, asked: AskReviewTry) -> ReviewTry:
        """What another move would have cost at a turn."""
        self._limits.advising.take(uncounted_address(request))
        asker = self._limits.advising.asker(address_of(request))
        return await self.table.reviews.attempt(asked_review(request), asked.ply, asked.token, asker)
