"""The table over HTTP: a table of endpoints, each with what it takes and gives."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final, Literal

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sintra import __version__
from sintra.components import Goal
from sintra.table.games.refusals import RefusalError, closing, no_database, no_game, spectator
from sintra.table.games.room import Room
from sintra.table.games.storage import StorageError
from sintra.table.http.endpoint import Endpoint
from sintra.table.http.metrics import MEDIA, Metrics, Readers
from sintra.table.http.network import Network, is_loopback
from sintra.table.http.openapi import document
from sintra.table.http.pages import Pages
from sintra.table.http.pictures import Pictures
from sintra.table.http.security import (
    HEADERS,
    LOOPBACK_HOSTS,
    STUDY_LIMIT,
    Buckets,
    Hosts,
    Rates,
    check_origin,
    host_name,
)
from sintra.table.opponents import OPPONENTS
from sintra.table.portions import pieces
from sintra.table.service import ROLES, SEATS_OF, Service, Visitor
from sintra.table.shown.faults import tellings_of
from sintra.table.shown.game import invitation_of, opponent_shown
from sintra.table.shown.messages import (
    LONGEST_RECORD,
    About,
    Accepted,
    Answer,
    AskAct,
    AskAdvice,
    AskHint,
    AskLinks,
    AskPicture,
    AskRecordReview,
    AskRematch,
    AskReview,
    AskReviewTry,
    AskStudy,
    AskTry,
    DraftShown,
    Enter,
    Entered,
    GameBrief,
    GameMade,
    GameShown,
    Health,
    Hint,
    Leave,
    Left,
    Links,
    MakeMove,
    NetworkShown,
    NewGame,
    OpenNetwork,
    Picture,
    PlayOn,
    Problem,
    PuzzleList,
    PuzzleShown,
    ReviewAsked,
    ReviewShown,
    ReviewTry,
    RoundCount,
    StudyAdvice,
    StudyShown,
    TableDraft,
    TryShown,
)
from sintra.table.times import time_now

COOKIE: Final = "sintra-"
SEAT_COOKIE: Final = "sintra-seat-"
"""With the name of a game, what tells a study that the browser sits there."""
_STUDY: Final = "/api/study"
TOO_LARGE: Final = 413
GONE: Final = 499
"""What the log says when whoever asked did not stay for the answer; nobody is left to read it."""
_CHECKING: Final = 2.0
"""Seconds after which a database that does not answer is away."""
_COOKIE_AGE: Final = 365 * 24 * 3600
_encode: Final = msgspec.json.Encoder().encode
LogLine = Callable[[dict[str, Any]], None]


class Web:
    """The endpoints of one table."""

    def __init__(
        self,
        table: Service,
        *,
        hosts: Hosts | None = None,
        network: Network | None = None,
        rates: Rates | None = None,
        pages: Pages | None = None,
        log: LogLine | None = None,
        metrics: Metrics | None = None,
        readers: Readers | None = None,
    ) -> None:
        self.table = table
        self.metrics = metrics or Metrics(table)
        self._readers = readers or Readers()
        self.hosts = hosts or Hosts()
        self.network = network or Network()
        self.pages = pages or Pages()
        self.log = log or (lambda line: None)
        self.pictures = Pictures()
        self._document = b""
        limits = rates or Rates()

        def buckets(what: str) -> Buckets:
            return Buckets(what, getattr(limits, what), table.commons)

        self._creating = buckets("creating")
        self._entering = buckets("entering")
        self._posting = buckets("posting")
        self._hinting = buckets("hinting")
        self._looking = buckets("looking")
        self._listening = buckets("listening")
        self._drawing = buckets("drawing")
        self._reviewing = buckets("reviewing")
        self._studying = buckets("studying")
        self._advising = buckets("advising")
        self._puzzling = buckets("puzzling")
        table.on_failure = table.reviews.on_failure = table.hub.on_failure = self.log_failure
        in_game = (404, 410, 429)
        posted = (400, 403, 404, 409, 410, 413, 415, 422, 429)
        studied = (400, 403, 409, 413, 415, 422, 429)
        self.endpoints = (
            Endpoint("GET", "/api/health", self.health, "Whether the service answers", shown=Health, also_at=(503,)),
            Endpoint("GET", "/api/about", self.about, "Version, opponents, goals, network", shown=About),
            Endpoint("GET", "/api/openapi.json", self.openapi, "This document", shown=dict),
            Endpoint(
                "POST", "/api/games", self.create, "A new game", NewGame, GameMade, (400, 403, 413, 415, 422, 429)
            ),
            Endpoint("POST", "/api/games/{game}/enter", self.enter, "Sit down by a link", Enter, Entered, posted),
            Endpoint("POST", "/api/games/{game}/links", self.links, "Links to give away", AskLinks, Links, posted),
            Endpoint("POST", "/api/games/{game}/leave", self.leave, "Forget one's place", Leave, Left, posted),
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
            Endpoint("POST", "/api/games/{game}/moves", self.move, "Make a move", MakeMove, Accepted, posted),
            Endpoint("POST", "/api/games/{game}/undo", self.undo, "Undo within the law", AskAct, Accepted, posted),
            Endpoint("POST", "/api/games/{game}/take-back", self.take_back, "Take back", AskAct, Accepted, posted),
            Endpoint(
                "POST",
                "/api/games/{game}/take-back/answer",
                self.answer,
                "Agree to a take-back, or not",
                Answer,
                Accepted,
                posted,
            ),
            Endpoint("POST", "/api/games/{game}/resign", self.resign, "Give up", AskAct, Accepted, posted),
            Endpoint(
                "POST",
                "/api/games/{game}/claim",
                self.claim,
                "Win because the other has to decide and stays away",
                AskAct,
                Accepted,
                posted,
            ),
            Endpoint(
                "POST",
                "/api/games/{game}/cancel",
                self.cancel,
                "Give up a table that waits for the friend",
                AskAct,
                Accepted,
                posted,
            ),
            Endpoint("POST", "/api/games/{game}/rematch", self.rematch, "The next game", AskRematch, GameMade, posted),
            Endpoint("POST", "/api/games/{game}/hint", self.hint, "Advice", AskHint, Hint, posted),
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
                posted,
            ),
            Endpoint(
                "POST",
                "/api/reviews",
                self.review_record,
                "Ask for the review of a game by its record (sintra/1)",
                AskRecordReview,
                ReviewAsked,
                (400, 403, 409, 413, 415, 422, 429),
                most_bytes=3 * LONGEST_RECORD,
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
            Endpoint(
                "POST",
                "/api/network",
                self.open_network,
                "Open the table to the network, or close it",
                OpenNetwork,
                NetworkShown,
                (400, 403, 409, 413, 415, 429),
            ),
            Endpoint("POST", "/api/qr", self.picture, "A QR code", AskPicture, Picture, (400, 403, 413, 415, 422, 429)),
            Endpoint(
                "POST",
                _STUDY,
                self.study,
                "A line of moves from a position or a record, as the seat to move sees its end",
                AskStudy,
                StudyShown,
                studied,
                most_bytes=STUDY_LIMIT,
            ),
            Endpoint(
                "POST",
                f"{_STUDY}/advice",
                self.study_advice,
                "The best moves at the end of such a line",
                AskAdvice,
                StudyAdvice,
                studied,
                most_bytes=STUDY_LIMIT,
            ),
            Endpoint(
                "POST",
                f"{_STUDY}/count",
                self.study_count,
                "The count of a round at the end of such a line, and its best tilings",
                AskStudy,
                RoundCount,
                studied,
                most_bytes=STUDY_LIMIT,
            ),
            Endpoint(
                "POST",
                f"{_STUDY}/table",
                self.check_table,
                "A table built by hand as a position, or what is wrong with it",
                TableDraft,
                DraftShown,
                (400, 403, 413, 415, 429),
            ),
            Endpoint(
                "POST",
                f"{_STUDY}/play",
                self.play_on,
                "A new game that begins at the end of such a line",
                PlayOn,
                GameMade,
                studied,
                most_bytes=STUDY_LIMIT,
            ),
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

        self._patterns = [(compile_path(one.path)[0], one.method) for one in self.endpoints]

    # --- the application ------------------------------------------------------------------------

    def application(self) -> ASGIApp:
        """The whole service as an ASGI application."""
        routes = [Route(one.path, self._endpoint(one), methods=[one.method]) for one in self.endpoints]
        routes += [self._metrics_route(), Route("/{path:path}", self._page, methods=["GET"])]

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            await _rehearse()
            await self.table.open_doors()
            self.table.start()
            yield
            await self.table.close()

        inner = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _http_problem})
        return Guard(inner, self)

    def metrics_application(self) -> ASGIApp:
        """What only tells the metrics, for a listener of its own."""
        return Starlette(routes=[self._metrics_route()], exception_handlers={HTTPException: _http_problem})

    def _metrics_route(self) -> Route:
        async def answer(request: Request) -> Response:
            request.scope["template"] = "/metrics"
            if not self._readers.may_read(request):
                raise HTTPException(404)
            return Response(self.metrics.text(), headers={"content-type": MEDIA})

        return Route("/metrics", answer, methods=["GET"])

    def _endpoint(self, one: Endpoint) -> Callable[[Request], Awaitable[Response]]:
        """Reads what is asked, answers, and turns every failure into a problem."""
        decoder = None if one.asked is None else msgspec.json.Decoder(one.asked)

        async def answer(request: Request) -> Response:
            request.scope["template"] = one.path
            try:
                if one.plays:
                    await self.table.when_ready(request.path_params.get("game"), one.looks)
                if decoder is None:
                    found = await one.handle(request)
                else:
                    check_origin(request.headers)
                    found = await one.handle(request, await _read(request, decoder, one.most_bytes))
            except RefusalError as refusal:
                return problem(refusal)
            except ClientDisconnect:
                return Response(status_code=GONE)
            except StorageError as error:
                self.log_failure(error)
                return problem(no_database())
            except Exception as error:
                self.log_failure(error)
                return problem(_failed())
            return found if isinstance(found, Response) else answer_with(found)

        return answer

    async def _page(self, request: Request) -> Response:
        request.scope["template"] = "/{page}"
        path: str = request.scope["path"]
        if path.startswith("/api/"):
            allowed = [method for pattern, method in self._patterns if pattern.match(path)]
            raise HTTPException(405, headers={"Allow": ", ".join(allowed)}) if allowed else HTTPException(404)
        found = await self.pages.answer(path, request.headers)
        return found or await _http_problem(request, HTTPException(404))

    def log_failure(self, error: BaseException) -> None:
        """Writes down where something failed, without values that could be secret."""
        self.metrics.note_failure(error)
        if isinstance(error, StorageError):
            self.log({"time": time_now(), "level": "error", "what": "database", "why": str(error)})
            return
        trace = error.__traceback__
        where = []
        while trace is not None:
            code = trace.tb_frame.f_code
            where.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
            trace = trace.tb_next
        self.log({"time": time_now(), "level": "error", "what": type(error).__name__, "where": where[-6:]})

    # --- who asks -------------------------------------------------------------------------------

    async def _visitor(self, request: Request) -> Visitor:
        """The game of the path and what the asker's cookies open there."""
        await self._looking.take(_address(request))
        return await self.table.visitor(request.path_params["game"], _held(request), _asked_seat(request))

    async def _posted(self, request: Request) -> Visitor:
        """The same for a post: only players act."""
        visitor = await self._visitor(request)
        if not visitor.seats:
            raise spectator()
        await self._posting.take(f"{visitor.game}:{visitor.role}")
        return visitor

    async def _act(
        self, request: Request, asked: MakeMove | AskAct | Answer, act: Callable[[Visitor, str], Awaitable[int]]
    ) -> Accepted:
        """An act of a player: `act` does it, given the visitor and what the post is called in the log."""
        visitor = await self._posted(request)
        return Accepted(await act(visitor, _post(request, visitor, asked.id)))

    # --- what can be asked for ------------------------------------------------------------------

    async def health(self, request: Request) -> Response:
        """Whether the service answers, and its database."""
        try:
            await asyncio.wait_for(self.table.storage.check(), _CHECKING)
        except (StorageError, TimeoutError):
            database: Literal["ok", "away"] = "away"
        else:
            database = "ok"
        status: Literal["ok", "preparing"] = "preparing" if self.table.preparing else "ok"
        return answer_with(Health(status, __version__, self.table.progress, database), 200 if database == "ok" else 503)

    async def about(self, request: Request) -> About:
        """What a page needs to know first."""
        opponents = [opponent_shown(one) for one in OPPONENTS.values()]
        return About(__version__, opponents, [str(goal) for goal in Goal], self._network_shown(request))

    async def openapi(self, request: Request) -> Response:
        """The description of the service."""
        if not self._document:
            self._document = await asyncio.to_thread(self._describe)
        return Response(self._document, media_type="application/json")

    def _describe(self) -> bytes:
        return _encode(document(self.endpoints))

    async def create(self, request: Request, asked: NewGame) -> Response:
        """A new game; its maker sits down."""
        await self._creating.take(_address(request))
        return _made(request, *await self.table.create(asked))

    async def enter(self, request: Request, asked: Enter) -> Response:
        """A secret becomes a cookie."""
        await self._entering.take(_address(request))
        game = request.path_params["game"]
        room, role, secret = await self.table.enter(game, asked.secret, asked.name)
        seats = list(SEATS_OF[room.created.mode].get(role, ()))
        if not secret:
            return answer_with(Entered(room.id, seats, needs_name=True, invitation=invitation_of(room)))
        return _with_cookie(request, answer_with(Entered(room.id, seats, secret)), room.id, role, secret)

    async def links(self, request: Request, asked: AskLinks) -> Links:
        """More secrets of the asker's seat, and for others."""
        visitor = await self._posted(request)
        return await self.table.links(visitor)

    async def leave(self, request: Request, asked: Leave) -> Response:
        """The browser's cookies of a game end; the seat stays whose it is."""
        await self._looking.take(_address(request))
        game = request.path_params["game"]
        if not await self.table.is_known(game, _held(request)):
            raise no_game()
        answer = answer_with(Left(game))
        for role in ROLES:
            answer.delete_cookie(COOKIE + role, path=f"/api/games/{game}", httponly=True, samesite="strict")
        answer.delete_cookie(SEAT_COOKIE + game, path=_STUDY, httponly=True, samesite="strict")
        return answer

    async def game(self, request: Request) -> Response:
        """The whole game now."""
        visitor = await self._visitor(request)
        await self.table.prepare(visitor)
        answer = LongResponse(self.table.game(visitor), media_type="application/json")
        secret = request.cookies.get(COOKIE + visitor.role)
        if secret and visitor.seats and visitor.room.now.status == "playing":
            _set_cookie(request, answer, SEAT_COOKIE + visitor.game, secret, _STUDY)
        return answer

    async def brief(self, request: Request) -> GameBrief:
        """A line about the game."""
        visitor = await self._visitor(request)
        return await self.table.brief(visitor)

    async def events(self, request: Request) -> Response:
        """The stream of what happens."""
        await self._listening.take(_address(request))
        visitor = await self._visitor(request)
        after = _last_seen(request)
        if after is not None:
            await self.table.rooms.open_at(visitor.game, after)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        if request.method == "HEAD":
            return Response(media_type="text/event-stream", headers=headers)
        stream = self.table.stream(visitor, after, (request.scope.get("server") or [""])[0])
        return StreamingResponse(stream, media_type="text/event-stream", headers=headers)

    async def move(self, request: Request, asked: MakeMove) -> Accepted:
        """A decision of the rules."""
        return await self._act(
            request, asked, lambda visitor, post: self.table.move(visitor, post, asked.seq, asked.token)
        )

    async def undo(self, request: Request, asked: AskAct) -> Accepted:
        """One move back, within the law."""
        return await self._act(
            request, asked, lambda visitor, post: self.table.undo(visitor, post, asked.seq, asked.seat)
        )

    async def take_back(self, request: Request, asked: AskAct) -> Accepted:
        """Back to one's latest decision, or the question for it."""
        return await self._act(
            request, asked, lambda visitor, post: self.table.take_back(visitor, post, asked.seq, asked.seat)
        )

    async def answer(self, request: Request, asked: Answer) -> Accepted:
        """The other player's answer to that question."""
        return await self._act(
            request, asked, lambda visitor, post: self.table.answer(visitor, post, asked.seq, asked.agree)
        )

    async def resign(self, request: Request, asked: AskAct) -> Accepted:
        """Giving up."""
        return await self._act(
            request, asked, lambda visitor, post: self.table.resign(visitor, post, asked.seq, asked.seat)
        )

    async def claim(self, request: Request, asked: AskAct) -> Accepted:
        """The game for the one who stayed."""
        return await self._act(
            request, asked, lambda visitor, post: self.table.claim(visitor, post, asked.seq, asked.seat)
        )

    async def cancel(self, request: Request, asked: AskAct) -> Accepted:
        """No more waiting for the friend."""
        return await self._act(
            request, asked, lambda visitor, post: self.table.cancel(visitor, post, asked.seq, asked.seat)
        )

    async def rematch(self, request: Request, asked: AskRematch) -> Response:
        """The next game, with the other player to start; who watched this one may watch that."""
        visitor = await self._visitor(request)
        await self._posting.take(f"{visitor.game}:{visitor.role}")
        post = _post(request, visitor, asked.id)
        room, links = await self.table.rematch(visitor, post, asked.seq, asked.opponent)
        secret = links.watch if visitor.role == "watch" else links.own
        assert isinstance(secret, str)
        return _with_cookie(request, answer_with(GameMade(room.id, links)), room.id, visitor.role, secret)

    async def hint(self, request: Request, asked: AskHint) -> Hint:
        """What the computer would do."""
        visitor = await self._posted(request)
        await self._hinting.take(f"{visitor.game}:{visitor.role}")
        return await self.table.hint(visitor, asked.seq)

    async def record(self, request: Request) -> Response:
        """The game record, to keep."""
        visitor = await self._visitor(request)
        record = await self.table.record(visitor)
        text = record.dumps() + "\n"
        name = f"sintra-{visitor.game}.json"
        told = {"cache-control": "no-store", "content-disposition": f'attachment; filename="{name}"'}
        return Response(text, media_type="application/json", headers=told)

    async def replay(self, request: Request) -> GameShown:
        """The game at an earlier move."""
        visitor = await self._visitor(request)
        return self.table.replay(visitor, _ply(request))

    async def review_game(self, request: Request, asked: AskReview) -> ReviewAsked:
        """Has a game of the table reviewed."""
        visitor = await self._visitor(request)
        await self._reviewing.take(_address(request))
        return ReviewAsked(await self.table.review(visitor))

    async def review_record(self, request: Request, asked: AskRecordReview) -> ReviewAsked:
        """Has a record reviewed."""
        await self._reviewing.take(_address(request))
        return ReviewAsked(await self.table.review_record(asked.record))

    async def review(self, request: Request) -> Response:
        """A review, as far as it is."""
        await self._looking.take(_address(request))
        shown = await self.table.reviews.shown(request.path_params["review"])
        return LongResponse(shown, media_type="application/json")

    async def reviewed_record(self, request: Request) -> Response:
        """The record of a review."""
        await self._looking.take(_address(request))
        return Response(await self.table.reviews.record(request.path_params["review"]), media_type="application/json")

    async def reviewed_position(self, request: Request) -> GameShown:
        """The table at a move of a review."""
        await self._looking.take(_address(request))
        return await self.table.reviews.table(request.path_params["review"], _ply(request))

    async def try_reviewed(self, request: Request, asked: AskReviewTry) -> ReviewTry:
        """What becomes of another move."""
        await self._advising.take(_address(request))
        return await self.table.reviews.attempt(request.path_params["review"], asked.ply, asked.token)

    async def open_network(self, request: Request, asked: OpenNetwork) -> NetworkShown:
        """Lets others on the network in, or no longer; only this machine may decide that."""
        await self._creating.take(_address(request))
        if not self._may_change_network(request):
            raise RefusalError(403, "not_here", "Only the machine that runs the table can open or close it.")
        try:
            await self.network.change(asked.open)
        except OSError:
            raise RefusalError(409, "no_network", "The table cannot be reached from this machine's network.") from None
        self.hosts.open_to(self.network.addresses)
        return self._network_shown(request)

    def _may_change_network(self, request: Request) -> bool:
        here = is_loopback(_address(request)) and host_name(request.headers.get("host", "")) in LOOPBACK_HOSTS
        return here and self.network.listen is not None

    def _network_shown(self, request: Request) -> NetworkShown:
        reach = self.network.reach(host_name(request.headers.get("host", "")), _address(request))
        return NetworkShown(self.network.is_open, self.network.links, self._may_change_network(request), reach)

    async def study(self, request: Request, asked: AskStudy) -> Response:
        """A line of moves, for somebody who is not just playing that position."""
        await self._studying.take(_address(request))
        return await self._study(request, lambda running: self.table.studies.study(asked, running))

    async def study_advice(self, request: Request, asked: AskAdvice) -> Response:
        """The best moves there."""
        await self._advising.take(_address(request))
        return await self._study(request, lambda running: self.table.studies.advise(asked, running))

    async def study_count(self, request: Request, asked: AskStudy) -> Response:
        """What a tiling brings."""
        await self._studying.take(_address(request))
        return await self._study(request, lambda running: self.table.studies.count(asked, running))

    async def check_table(self, request: Request, asked: TableDraft) -> DraftShown:
        """Whether a table can have come about."""
        await self._studying.take(_address(request))
        return await self.table.studies.check(asked)

    async def play_on(self, request: Request, asked: PlayOn) -> Response:
        """A game that begins there; its maker sits down."""
        await self._creating.take(_address(request))
        running = await self.table.studies.running(_seats_held(request))
        return _made(request, *await self.table.play_on(asked, running.values()))

    async def _study(self, request: Request, ask: Callable[[Iterable[Room]], Awaitable[Any]]) -> Response:
        """What is asked of a study, with the games at which the browser sits; it forgets those that are over."""
        held = _seats_held(request)
        running = await self.table.studies.running(held)
        answer = answer_with(await ask(running.values()))
        for game in held.keys() - running.keys():
            answer.delete_cookie(SEAT_COOKIE + game, path=_STUDY, httponly=True, samesite="strict")
        return answer

    async def puzzles(self, request: Request) -> PuzzleList:
        """The list, and the puzzle of `?day=`."""
        await self._puzzling.take(_address(request))
        return await self.table.puzzles.shown(request.query_params.get("day"))

    async def puzzle(self, request: Request) -> PuzzleShown:
        """A question."""
        await self._puzzling.take(_address(request))
        return await self.table.puzzles.question(request.path_params["puzzle"])

    async def try_puzzle(self, request: Request, asked: AskTry) -> TryShown:
        """What became of a try."""
        await self._puzzling.take(_address(request))
        return await self.table.puzzles.attempt(request.path_params["puzzle"], asked)

    async def picture(self, request: Request, asked: AskPicture) -> Picture:
        """A link as a QR code."""
        await self._drawing.take(_address(request))
        return await self.pictures.of(asked.text)


class LongResponse(Response):
    """An answer that is sent piece by piece, as fast as it is read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends it."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for piece in pieces(bytes(self.body)):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class Guard:
    """Stands before everything: the host, the headers of every answer, and the log."""

    def __init__(self, app: ASGIApp, web: Web) -> None:
        self._app = app
        self._web = web

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the life of the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 0
        waited: float | None = None

        async def send_guarded(message: Message) -> None:
            nonlocal status, waited
            if message["type"] == "http.response.start":
                status = message["status"]
                waited = time.perf_counter() - started
                given = {name.lower() for name, _ in message["headers"]}
                more = HEADERS if b"cache-control" in given else HEADERS | {"cache-control": "no-store"}
                message["headers"] = [
                    *message["headers"],
                    *((name.encode(), value.encode()) for name, value in more.items()),
                ]
            try:
                await send(message)
            except OSError as error:
                raise ClientDisconnect from error

        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await problem(refusal)(scope, receive, send_guarded)
            else:
                await self._app(scope, receive, send_guarded)
        except ClientDisconnect:
            status = GONE
        except Exception as error:
            self._web.log_failure(error)
            if not status:
                await problem(_failed())(scope, receive, send_guarded)
        finally:
            method, route, lasted = scope["method"], scope.get("template", "-"), time.perf_counter() - started
            self._web.metrics.note_request(route, method, status, lasted if waited is None else waited)
            self._web.log(
                {
                    "time": time_now(),
                    "method": method,
                    "route": route,
                    "status": status,
                    "ms": round(1000 * lasted, 1),
                }
            )

    def _refusal(self, scope: Scope) -> RefusalError | None:
        try:
            self._web.hosts.check(Request(scope).headers)
        except RefusalError as refusal:
            return refusal
        if self._web.table.stopping:
            return closing()
        return None


async def _rehearse() -> None:
    """Begins a stream for nobody: what streams need is loaded before the first of them."""

    async def nothing() -> AsyncIterator[bytes]:
        yield b""

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        pass

    await StreamingResponse(nothing())({"type": "http"}, receive, send)


def _failed() -> RefusalError:
    return RefusalError(500, "failed", "Something went wrong here: look at the game again.")


def json_lines(write: Callable[[str], Any], process: int | None = None) -> LogLine:
    """A log of JSON lines; `process` is the number of the one that writes them, where there are several."""
    whose = {} if process is None else {"process": process}
    return lambda line: write(json.dumps(line | whose) + "\n")


def answer_with(shown: Any, status: int = 200) -> Response:
    """A message as an answer."""
    return Response(_encode(shown), status, media_type="application/json")


def problem(refusal: RefusalError) -> Response:
    """A refusal as an answer."""
    headers = {} if refusal.retry_after is None else {"retry-after": str(refusal.retry_after)}
    if refusal.status == TOO_LARGE:
        headers["connection"] = "close"  # the rest is not waited for
    body = _encode(Problem(refusal.code, refusal.message, refusal.seq, tellings_of(refusal.faults)))
    return Response(body, refusal.status, headers, "application/json")


async def _http_problem(request: Request, error: Exception) -> Response:
    """What the router itself refuses."""
    assert isinstance(error, HTTPException)
    known = {
        404: ("no_page", "There is nothing here."),
        405: ("wrong_method", "This address does not take that method."),
    }
    code, message = known.get(error.status_code, ("failed", "The request cannot be carried out."))
    answer = problem(RefusalError(error.status_code, code, message))
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


async def _read(request: Request, decoder: msgspec.json.Decoder[Any], most: int) -> Any:
    """The message in a request's body, which has at most so many bytes."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusalError(415, "not_json", "Send the message as application/json.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise RefusalError(TOO_LARGE, "too_large", f"A message to this address has at most {most} bytes.")
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RefusalError(400, "malformed", f"The message cannot be read: {error}") from None


def _made(request: Request, room: Room, links: Links) -> Response:
    """A new game, with a cookie for its maker."""
    assert isinstance(links.own, str)
    return _with_cookie(request, answer_with(GameMade(room.id, links)), room.id, "own", links.own)


def _seats_held(request: Request) -> dict[str, str]:
    """The games at which a browser sits, with the secrets of its seats."""
    return {
        name.removeprefix(SEAT_COOKIE): secret
        for name, secret in request.cookies.items()
        if name.startswith(SEAT_COOKIE)
    }


def _with_cookie(request: Request, answer: Response, game: str, role: str, secret: str) -> Response:
    """The secret of a role opens the game; that of a seat also tells studies what is being played."""
    _set_cookie(request, answer, COOKIE + role, secret, f"/api/games/{game}")
    if role != "watch":
        _set_cookie(request, answer, SEAT_COOKIE + game, secret, _STUDY)
    return answer


def _set_cookie(request: Request, answer: Response, name: str, secret: str, path: str) -> None:
    answer.set_cookie(
        name,
        secret,
        max_age=_COOKIE_AGE,
        path=path,
        secure=request.scope["scheme"] == "https",
        httponly=True,
        samesite="strict",
    )


def _address(request: Request) -> str:
    return request.client.host if request.client else "?"


def _held(request: Request) -> list[str]:
    """The secrets in a browser's cookies."""
    return [value for role in ROLES if (value := request.cookies.get(COOKIE + role))]


def _asked_seat(request: Request) -> int | None:
    """The seat whose view is asked for with `?seat=`."""
    text = request.query_params.get("seat")
    if text is None:
        return None
    if text not in ("0", "1"):
        raise RefusalError(400, "malformed", "seat is 0 or 1.")
    return int(text)


def _ply(request: Request) -> int:
    """The number of a ply in the path; -1, which no game has, if it is none."""
    text = request.path_params["ply"]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else -1


def _post(request: Request, visitor: Visitor, name: str) -> str:
    """What a post is called in the log: its poster's name for it, apart for each role and act."""
    return f"{visitor.role}:{request.scope['template'].rpartition('/')[2]}:{name}"


def _last_seen(request: Request) -> int | None:
    """The event that a listener has seen last."""
    text = request.headers.get("last-event-id") or request.query_params.get("after")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 8):
        raise RefusalError(400, "malformed", "after is the number of an event.")
    return int(text)
