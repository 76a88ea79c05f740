"""The endpoints of games."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from sintra.table.games.acts import ACTS, AnyAct
from sintra.table.games.refusals import no_game, spectator
from sintra.table.http.answers import EventStream, LongResponse, answer_with
from sintra.table.http.asking import (
    COOKIE,
    SEAT_COOKIE,
    STUDY,
    address_of,
    asked_game,
    asked_ply,
    asked_seat,
    last_seen,
    made,
    secrets_held,
    set_cookie,
    uncounted_address,
    with_cookie,
)
from sintra.table.http.endpoint import Endpoint
from sintra.table.http.security import Limits, Streams
from sintra.table.service.live import Outlet
from sintra.table.service.service import Service
from sintra.table.service.visitors import ROLES, SEATS_OF, Visitor
from sintra.table.shown.game import invitation_of
from sintra.table.shown.messages import (
    Accepted,
    AskHint,
    AskLinks,
    AskRematch,
    AskReview,
    AskTutor,
    Enter,
    Entered,
    GameBrief,
    GameMade,
    GameShown,
    Hint,
    Leave,
    Left,
    Links,
    NewGame,
    ReviewAsked,
    TutorShown,
)

_POSTED: Final = (400, 403, 404, 409, 410, 413, 415, 422, 429)
"""The statuses of refused posts to a game."""


class GameEndpoints:
    """Everything under `/api/games`."""

    def __init__(self, table: Service, limits: Limits, streams: Streams) -> None:
        self.table = table
        self._limits = limits
        self._streams = streams
        in_game = (404, 410, 429)
        self.endpoints = (
            Endpoint(
                "POST", "/api/games", self.create, "A new game", NewGame, GameMade, (400, 403, 413, 415, 422, 429)
            ),
            Endpoint("POST", "/api/games/{game}/enter", self.enter, "Sit down by a link", Enter, Entered, _POSTED),
            Endpoint("POST", "/api/games/{game}/links", self.links, "Links to give away", AskLinks, Links, _POSTED),
            Endpoint("POST", "/api/games/{game}/leave", self.leave, "Forget one's place", Leave, Left, _POSTED),
            Endpoint(
                "GET",
                "/api/games/{game}",
                self.game,
                "The game as the asker may see it, with its log",
                shown=GameShown,
                refusals=(400, 403, *in_game),
                query=("seat",),
            ),
            Endpoint(
                "GET", "/api/games/{game}/brief", self.brief, "A line about it", shown=GameBrief, refusals=in_game
            ),
            Endpoint(
                "GET",
                "/api/games/{game}/events",
                self.events,
                "Server-sent events: `game` (GameShown, with an id to resume by) and `presence` (Presence)",
                refusals=(400, 403, *in_game),
                query=("seat", "after"),
                media="text/event-stream",
            ),
            Endpoint("POST", "/api/games/{game}/acts", self.act, "Any act of a player", AnyAct, Accepted, _POSTED),
            *map(self._act_endpoint, ACTS),
            Endpoint("POST", "/api/games/{game}/rematch", self.rematch, "The next game", AskRematch, GameMade, _POSTED),
            Endpoint("POST", "/api/games/{game}/hint", self.hint, "Advice", AskHint, Hint, _POSTED),
            Endpoint(
                "POST", "/api/games/{game}/tutor", self.tutor, "Does a move cost a lot", AskTutor, TutorShown, _POSTED
            ),
            Endpoint(
                "GET",
                "/api/games/{game}/record",
                self.record,
                "The game record (sintra/1): all of a finished game, else what the asker may know",
                shown=dict,
                refusals=(*in_game, 409),
            ),
            Endpoint(
                "GET",
                "/api/games/{game}/replay/{ply}",
                self.replay,
                "The game after so many moves, as the asker could know it then",
                shown=GameShown,
                refusals=(400, 403, *in_game),
                query=("seat",),
            ),
            Endpoint(
                "POST",
                "/api/games/{game}/review",
                self.review_game,
                "Ask for the review of a game that is over",
                AskReview,
                ReviewAsked,
                _POSTED,
            ),
        )

    async def _visitor(self, request: Request) -> Visitor:
        """The visitor: the game of the path and the roles that the client's cookies give there."""
        self._limits.looking.take(uncounted_address(request))
        return await self.table.visitor(asked_game(request), secrets_held(request), asked_seat(request))

    async def _posted(self, request: Request) -> Visitor:
        """The visitor who posts to the game of the path, who must be a player."""
        visitor = await self._visitor(request)
        if not visitor.seats:
            raise spectator()
        self._limits.posting.take(f"{visitor.game}:{visitor.role}")
        return visitor

    def _act_endpoint(self, act: type[AnyAct]) -> Endpoint:
        """The endpoint at an act's own address."""
        path, name = f"/api/games/{{game}}/{act.address}", str(act.__struct_config__.tag)
        return Endpoint("POST", path, self.act, act.summary, act, Accepted, _POSTED, name=name)

    async def act(self, request: Request, act: AnyAct) -> Accepted:
        """Performs an act of a player."""
        visitor = await self._posted(request)
        return Accepted(await self.table.act(visitor, act))

    async def create(self, request: Request, asked: NewGame) -> Response:
        """Makes a game, in which the client has seat 0."""
        self._limits.creating.take(uncounted_address(request))
        return made(request, *await self.table.create(asked))

    async def enter(self, request: Request, asked: Enter) -> Response:
        """Exchanges the secret of a link for a cookie."""
        self._limits.entering.take(uncounted_address(request))
        game = asked_game(request)
        room, role, secret = await self.table.enter(game, asked.secret, asked.name)
        seats = list(SEATS_OF[room.created.mode].get(role, ()))
        if not secret:
            return answer_with(Entered(room.id, seats, needs_name=True, invitation=invitation_of(room)))
        return with_cookie(request, answer_with(Entered(room.id, seats, secret)), room.id, role, secret)

    async def links(self, request: Request, asked: AskLinks) -> Links:
        """Makes further links to the client's seat, for spectators and for an invited friend."""
        visitor = await self._posted(request)
        return await self.table.links(visitor)

    async def leave(self, request: Request, asked: Leave) -> Response:
        """Deletes the browser's cookies of a game; the seat stays taken."""
        self._limits.looking.take(uncounted_address(request))
        game = asked_game(request)
        if not await self.table.is_known(game, secrets_held(request)):
            raise no_game()
        answer = answer_with(Left(game))
        for role in ROLES:
            answer.delete_cookie(COOKIE + role, path=f"/api/games/{game}", httponly=True, samesite="strict")
        answer.delete_cookie(SEAT_COOKIE + game, path=STUDY, httponly=True, samesite="strict")
        return answer

    async def game(self, request: Request) -> Response:
        """The game as the visitor sees it, with its log."""
        visitor = await self._visitor(request)
        await self.table.prepare(visitor)
        answer = LongResponse(self.table.game(visitor), media_type="application/json")
        secret = request.cookies.get(COOKIE + visitor.role)
        if secret and visitor.seats and visitor.room.now.status == "playing":
            set_cookie(request, answer, SEAT_COOKIE + visitor.game, secret, STUDY)
        return answer

    async def brief(self, request: Request) -> GameBrief:
        """The game as an entry of the list of games."""
        visitor = await self._visitor(request)
        return self.table.brief(visitor)

    async def events(self, request: Request) -> Response:
        """Streams the events of a game."""
        self._limits.listening.take(uncounted_address(request))
        visitor = await self._visitor(request)
        after = last_seen(request)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        if request.method == "HEAD":
            return Response(media_type="text/event-stream", headers=headers)
        outlet = Outlet()
        stream = self.table.stream(visitor, after, (request.scope.get("server") or [""])[0], outlet)
        return EventStream(stream, outlet, headers, self._streams, address_of(request))

    async def rematch(self, request: Request, asked: AskRematch) -> Response:
        """Makes the rematch, in which the other player starts; spectators of this game may watch it too."""
        visitor = await self._visitor(request)
        self._limits.posting.take(f"{visitor.game}:{visitor.role}")
        room, links = await self.table.rematch(visitor, asked)
        secret = links.watch if visitor.role == "watch" else links.own
        assert isinstance(secret, str)
        return with_cookie(request, answer_with(GameMade(room.id, links)), room.id, visitor.role, secret)

    async def hint(self, request: Request, asked: AskHint) -> Hint:
        """The computer's advice."""
        visitor = await self._posted(request)
        self._limits.hinting.take(f"{visitor.game}:{visitor.role}")
        return await self.table.help.hint(visitor, asked.seq)

    async def tutor(self, request: Request, asked: AskTutor) -> TutorShown:
        """Whether a move would cost a lot."""
        visitor = await self._posted(request)
        self._limits.tutoring.take(f"{visitor.game}:{visitor.role}")
        return await self.table.help.tutor(visitor, asked)

    async def record(self, request: Request) -> Response:
        """The game record as a file."""
        visitor = await self._visitor(request)
        record = await self.table.record(visitor)
        text = record.dumps() + "\n"
        name = f"sintra-{visitor.game}.json"
        told = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/json", headers=told)

    async def replay(self, request: Request) -> GameShown:
        """The game after an earlier move."""
        visitor = await self._visitor(request)
        return self.table.replay(visitor, asked_ply(request))

    async def review_game(self, request: Request, asked: AskReview) -> ReviewAsked:
        """Has a game of the table reviewed."""
        visitor = await self._visitor(request)
        self._limits.reviewing.take(uncounted_address(request))
        return ReviewAsked(await self.table.review(visitor, self._limits.reviewing.asker(address_of(request))))
