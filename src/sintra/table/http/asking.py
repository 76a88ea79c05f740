"""Reading requests: the client, its cookies and secrets, path and query parameters, and the message in the body."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from sintra.table.games.refusals import RefusalError, no_game, no_review
from sintra.table.games.room import Room
from sintra.table.http.answers import TOO_LARGE, answer_with
from sintra.table.http.security import header_of
from sintra.table.service.visitors import ROLES
from sintra.table.shown.messages import GameMade, Links

COOKIE: Final = "sintra-"
_ROLE_COOKIES: Final = tuple(COOKIE + role for role in ROLES)
SEAT_COOKIE: Final = "sintra-seat-"
"""The prefix of the cookie, followed by the id of a game, by which studies know that the browser sits there."""
STUDY: Final = "/api/study"
FORWARDED: Final = "sintra.forwarded"
"""The key in an ASGI scope that marks a request forwarded by another process."""
COUNTED: Final = "sintra.counted"
"""The key in an ASGI scope that marks a request already counted against the rates."""
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The form of the ids of games and reviews; nothing else is looked up in the database."""
_COOKIE_AGE: Final = 365 * 24 * 3600


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Reads the body of a request, which must be JSON of at most so many bytes."""
    kind = (header_of(request.scope, b"content-type") or "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusalError(415, "not_json", "Send the message as application/json.")
    body, is_whole = b"", False
    while not is_whole:
        piece = await request.receive()
        if piece["type"] == "http.disconnect":
            raise ClientDisconnect
        body += piece.get("body", b"")
        is_whole = not piece.get("more_body", False)
        if len(body) > max_bytes:
            raise RefusalError(TOO_LARGE, "too_large", f"A message to this address has at most {max_bytes} bytes.")
    return body


def message_in(body: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    """The message in the body of a request."""
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RefusalError(400, "malformed", f"The message cannot be read: {error}") from None


def asked_game(request: Request) -> str:
    """The id of a game in the path; one of another form is refused without a look into the database."""
    game: str = request.scope["path_params"]["game"]
    if not _NAME.fullmatch(game):
        raise no_game()
    return game


def asked_review(request: Request) -> str:
    """The id of a review in the path."""
    review: str = request.path_params["review"]
    if not _NAME.fullmatch(review):
        raise no_review()
    return review


def address_of(request: Request) -> str:
    """The address of the client."""
    client = request.scope.get("client")
    return client[0] if client else "?"


def uncounted_address(request: Request) -> str | None:
    """The address against which a request is counted; None if it was counted already."""
    return None if COUNTED in request.scope else address_of(request)


def asked_seat(request: Request) -> int | None:
    """The seat whose view is asked for with `?seat=`."""
    text = request.query_params.get("seat") if request.scope["query_string"] else None
    if text is None:
        return None
    if text not in ("0", "1"):
        raise RefusalError(400, "malformed", "seat is 0 or 1.")
    return int(text)


def asked_ply(request: Request) -> int:
    """The ply in the path, or -1 for anything but a number."""
    text = request.path_params["ply"]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1


def last_seen(request: Request) -> int | None:
    """The number of the event that a listener has seen last."""
    text = request.headers.get("last-event-id") or request.query_params.get("after")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise RefusalError(400, "malformed", "after is the number of an event.")
    return int(text)


def secrets_held(request: Request) -> list[str]:
    """The secrets in a browser's cookies; Starlette, which reads all cookies, takes several times as long."""
    held: dict[str, str] = {}
    for header, cookies in request.scope["headers"]:
        if header == b"cookie":
            for cookie in str(cookies, "latin-1").split(";"):
                name, _, value = cookie.partition("=")
                held[name.strip()] = value.strip().strip('"')
    return [held[name] for name in _ROLE_COOKIES if held.get(name)]


def seats_held(request: Request) -> dict[str, str]:
    """The games at which the browser sits, each with the secret of its seat."""
    held = {
        name.removeprefix(SEAT_COOKIE): secret
        for name, secret in request.cookies.items()
        if name.startswith(SEAT_COOKIE)
    }
    return {game: secret for game, secret in held.items() if _NAME.fullmatch(game)}


def made(request: Request, room: Room, links: Links) -> Response:
    """The response to whoever made a game, with the cookie of their seat."""
    assert isinstance(links.own, str)
    return with_cookie(request, answer_with(GameMade(room.id, links)), room.id, "own", links.own)


def with_cookie(request: Request, answer: Response, game: str, role: str, secret: str) -> Response:
    """Sets the cookie with the secret of a role, and for a seat also the one for studies."""
    set_cookie(request, answer, COOKIE + role, secret, f"/api/games/{game}")
    if role != "watch":
        set_cookie(request, answer, SEAT_COOKIE + game, secret, STUDY)
    return answer


def set_cookie(request: Request, answer: Response, name: str, secret: str, path: str) -> None:
    """Sets a cookie for some paths of the table."""
    answer.set_cookie(
        name,
        secret,
        max_age=_COOKIE_AGE,
        path=path,
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite="strict",
    )
