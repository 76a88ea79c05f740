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
        self._plain: dict[tuple[str, str], AnswerTo] = {}
        self._with_names: dict[tuple[str, int], list[tuple[tuple[str, ...], AnswerTo]]] = {}
        for method, path, answer in answers:
            parts = tuple(path.split("/"))
            if "{" in path:
                self._with_names.setdefault((method, len(parts)), []).append((parts, answer))
            else:
                self._plain[method, path] = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the life of the application."""
        answer = self._find(scope) if scope["type"] == "http" else None
        if answer is None:
            await self._otherwise(scope, receive, send)
            return
        response = await answer(Request(scope, receive, send))
        await response(scope, receive, send)

    def _find(self, scope: Scope) -> AnswerTo | None:
        """The function that answers a request; the parts of its path that have names are in `path_params` then."""
        method, path = scope["method"], scope["path"]
        if answer := self._plain.get((method, path)):
            scope["path_params"] = {}
            return answer
        asked = path.split("/")
        for parts, answer in self._with_names.get((method, len(asked)), ()):
            named = {}
            for part, word in zip(parts, asked, strict=True):
                if part.startswith("{") and word:
                    named[part[1:-1]] = word
                elif part != word:
                    break
            else:
                scope["path_params"] = named
                return answer
        return None
