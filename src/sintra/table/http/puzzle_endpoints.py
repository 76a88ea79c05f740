"""The endpoints of puzzles."""

from __future__ import annotations

from starlette.requests import Request

from sintra.table.http.asking import address_of
from sintra.table.http.endpoint import Endpoint
from sintra.table.http.security import Limits
from sintra.table.service.service import Service
from sintra.table.shown.messages import AskTry, PuzzleList, PuzzleShown, TryShown


class PuzzleEndpoints:
    """Everything under `/api/puzzles`."""

    def __init__(self, table: Service, limits: Limits) -> None:
        self.table = table
        self._limits = limits
        self.endpoints = (
            Endpoint(
                "GET",
                "/api/puzzles",
                self.puzzles,
                "All puzzles, and the one of a day",
                shown=PuzzleList,
                refusals=(400, 429),
                query=("day",),
            ),
            Endpoint(
                "GET",
                "/api/puzzles/{puzzle}",
                self.puzzle,
                "A question: a position to begin a study with",
                shown=PuzzleShown,
                refusals=(404, 429),
            ),
            Endpoint(
                "POST",
                "/api/puzzles/{puzzle}/try",
                self.try_puzzle,
                "Whether moves are right; hints, and the solution with its explanation, for those who ask",
                AskTry,
                TryShown,
                (400, 403, 404, 413, 415, 422, 429),
            ),
        )

    async def puzzles(self, request: Request) -> PuzzleList:
        """The list, and the puzzle of `?day=`."""
        self._limits.puzzling.take(address_of(request))
        return await self.table.puzzles.shown(request.query_params.get("day"))

    async def puzzle(self, request: Request) -> PuzzleShown:
        """A puzzle without its solution."""
        self._limits.puzzling.take(address_of(request))
        return await self.table.puzzles.question(request.path_params["puzzle"])

    async def try_puzzle(self, request: Request, asked: AskTry) -> TryShown:
        """The outcome of a try."""
        self._limits.puzzling.take(address_of(request))
        asker = self._limits.puzzling.asker(address_of(request))
        return await self.table.puzzles.attempt(request.path_params["puzzle"], asked, asker)
