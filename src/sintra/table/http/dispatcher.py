"""Finds the endpoint of a request at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

AnswerTo = Callable[[Request], Awaitable[Response]]


class Dispatcher:
    """Looks endpoints up by method and path. Starlette's router tries one pattern after the other, and takes a fifth of
    a millisecond for a move; it is left what is not found here: pages, other methods, and faults."""

    def __init__(self, answers: Iterable[tuple[str, str, AnswerTo]], otherwise: ASGIApp) -> None:
        """`answers` has the method, the path and the function of each endpoint."""
        self._otherwise = otherwise
        self._answers: dict[tuple[str, ...], tuple[AnswerTo, tuple[str, ...]]] = {}
        self._named: dict[tuple[str, int], set[tuple[int, ...]]] = {}
        """For each number of path segments, the positions that can hold parameters."""
        for method, path, answer in answers:
            parts = path.split("/")
            named = tuple(k for k, part in enumerate(parts) if part.startswith("{"))
            names = tuple(parts[k][1:-1] for k in named)
            self._named.setdefault((method, len(parts)), set()).add(named)
            self._answers[method, *_with_gaps(parts, named)] = answer, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or hands the lifespan of the application on."""
        answer = self._find(scope) if scope["type"] == "http" else None
        if answer is None:
            await self._otherwise(scope, receive, send)
            return
        response = await answer(Request(scope, receive, send))
        await response(scope, receive, send)

    def _find(self, scope: Scope) -> AnswerTo | None:
        """The function that answers a request; the parameters of its path are in `path_params` then."""
        method, asked = scope["method"], scope["path"].split("/")
        for named in self._named.get((method, len(asked)), ()):
            answer, names = self._answers.get((method, *_with_gaps(asked, named)), (None, ()))
            values = [asked[k] for k in named]
            if answer is not None and all(values):
                scope["path_params"] = dict(zip(names, values, strict=True))
                return answer
        return None


def _with_gaps(parts: list[str], named: tuple[int, ...]) -> list[str]:
    """The segments of a path without its parameters."""
    found = parts.copy()
    for k in named:
        found[k] = ""
    return found
