"""How long each endpoint of the table keeps the service's one thread busy without a pause.

    make handlers

Everything is asked for in this process, without a network: of a game just begun, of one with as long a log as there
can be, and of that one when it is over; of studies also for a tiling that is as hard as any. Printed is the processor
time of the longest single step of the event loop, as a multiple of all that an answer of `/api/health` takes: for the
first request ever, for one that finds nothing in memory, and for one that finds all that is kept there.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import itertools
import json
import time
from asyncio import events
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, Final

from sintra.game.game import Game, View
from sintra.puzzles import KINDS, load
from sintra.records.record import Record
from sintra.rules.state import Stage
from sintra.table.games.acts import TakeBackAct
from sintra.table.games.room import MAX_EVENTS, Room, _view, reveals
from sintra.table.http.pictures import qr_code_of
from sintra.table.service.reviews import review_id
from sintra.table.workers.review_worker import Advanced, advance_review, cost_of
from sintra.table.workers.thinkers import Advised, Analysis
from sintra.tabletop.moves import Move
from table.hard_tilings import HARDEST
from table.local_table import LocalTable, Person, QuickReviewWorker, QuickThinkers

PLAIN: Final = ("GET", "/api/health")
OUTSIDE: Final = ("GET", "/{page}")
"""The files of the page, which are no endpoint."""
_LONG_PATH: Final = "/" + 4000 * "a/"
_LINK: Final = "http://192.168.100.100:65535/game/abcdefghijkl#" + 43 * "x"
Ask = tuple[str, dict[str, Any] | None]


def _whole_record() -> str:
    """The record of a random game."""
    game, dice = Game.new(seed=1), Random(1)
    while not game.is_over:
        game.push(game.legal_moves[dice.randrange(len(game.legal_moves))])
    return Record.of(game, ("Ann", "Ben")).dumps()


REVIEWED: Final = _whole_record()
PUZZLES: Final = [next(one.id for one in load() if one.kind == kind) for kind in KINDS]
"""One of each kind."""
_KEY: Final = review_id(REVIEWED)
_PLAYED: Final = Record.loads(REVIEWED).moves[20]
_TILED: Final = next(game.ply for game in Record.loads(REVIEWED).positions() if game.stage is Stage.TILING)
"""The ply at which its first round is tiled."""
_BUILT: Final[dict[str, Any]] = {
    "goals": ["rows", "edge", "wilds"],
    "factories": [*(4 * [{"sun": "BYRK", "chip": "down"}]), {"sun": "BYRKT"}],
    "display": ["01", "02", "03"],
    "boards": 2 * [{"lines": 6 * [""], "plates": 9 * [None], "tiles": 6 * ["......"]}],
}
"""A table that was built by hand, at the beginning of a game."""


class Advisers(QuickThinkers):
    """Stands in for the thinking processes, whose time is not measured: advice that costs nothing."""

    async def advise(self, view: View, sims: int = 8) -> Advised:
        return Advised(False, [(str(move), 0.5, 0.0, ()) for move in list(view.legal_moves)[:5]], 0, ())

    async def analyse(self, view: View, sims: int) -> Analysis:
        return Analysis(False, [(str(move), 0.5, 0.0, []) for move in list(view.legal_moves)[:5]])


class ReviewsElsewhere(QuickReviewWorker):
    """Stands in for the review worker, whose time is not measured: makes reviews in another thread."""

    async def advance(self, key: str, record_text: str) -> Advanced:
        return await asyncio.to_thread(advance_review, key, record_text, self.budget, 1e9)

    async def cost(self, record_text: str, ply: int, token: str) -> float:
        return await asyncio.to_thread(cost_of, record_text, ply, token, self.budget)


@contextlib.contextmanager
def steps_noted() -> Iterator[list[float]]:
    """Records the processor time of each step of this thread's event loop within the context."""
    noted: list[float] = []
    run = events.Handle._run

    def run_noted(self: asyncio.Handle) -> None:
        begun = time.thread_time()
        run(self)
        noted.append(time.thread_time() - begun)

    events.Handle._run = run_noted  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        events.Handle._run = run  # type: ignore[method-assign]


@dataclass
class Asker:
    """A client that calls the application directly, with the links and cookies of a game."""

    local: LocalTable
    """The table."""
    person: Person
    """The browser's cookies and requests."""
    game: str
    """The game that is asked about."""
    links: dict[str, str]
    """The secrets of that game."""
    posts: Iterator[int] = field(default_factory=itertools.count)
    """Numbers for the ids of posts."""
    statuses: set[int] = field(default_factory=set)
    """The statuses of all answers."""

    def ask(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, list[float]]:
        """Sends a request; returns the status of the answer and the steps that it took."""
        with steps_noted() as noted:
            status = self.local.runner.run(self._ask(method, path, body))
        return status, noted

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> int:
        plain, _, query = path.partition("?")
        cookie = "; ".join(f"{one.name}={one.value}" for one in self.person.http.cookies.jar if one.path in path)
        told = {"host": "localhost", "cookie": cookie, "content-type": "application/json", "accept-encoding": "gzip"}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "scheme": "http",
            "method": method,
            "path": plain,
            "raw_path": plain.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in told.items()],
            "client": ("127.0.0.1", 5000),
            "server": ("localhost", 80),
        }
        coming = [{"type": "http.request", "body": json.dumps(body).encode() if body is not None else b""}]
        enough = asyncio.Event()
        statuses: list[int] = []

        async def receive() -> Any:
            if coming:
                return coming.pop()
            await enough.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                statuses.append(message["status"])
            elif not message.get("more_body") or b"event: presence" in message["body"][:20]:
                enough.set()

        await self.local.app(scope, receive, send)
        for _ in range(5):
            await asyncio.sleep(0)
        return statuses[0]

    def longest_step(self, method: str, asks: Callable[[], list[Ask]], *, forgotten: bool) -> float:
        """The longest step over all requests to an endpoint."""
        longest = 0.0
        for k in range(len(asks())):
            path, body = asks()[k]
            if forgotten:
                forget(self.local)
            status, noted = self.ask(method, path, body)
            self.statuses.add(status)
            longest = max(longest, *noted)
        return longest

    # --- what is asked --------------------------------------------------------------------------

    @property
    def room(self) -> Room:
        return self.local.room(self.game)

    def act(self, **more: Any) -> dict[str, Any]:
        """The body of an act on the latest event."""
        return {"id": f"measured-{next(self.posts):06}", "seq": self.room.seq} | more

    def a_study(self) -> dict[str, Any]:
        """A record of what was played, some way before its end: the present position is not studied."""
        record = Record.of(self.room.game)
        return {"record": record.dumps(), "ply": max(0, len(record.moves) - 20)}

    def requests(self) -> dict[tuple[str, str], Callable[[], list[Ask]]]:
        """The requests to every endpoint."""
        here = f"/api/games/{self.game}"

        def posts(what: str, *bodies: Callable[[], dict[str, Any]]) -> Callable[[], list[Ask]]:
            return lambda: [(f"{here}/{what}", body()) for body in bodies]

        def gets(*paths: str) -> Callable[[], list[Ask]]:
            return lambda: [(path, None) for path in paths]

        def a_move() -> dict[str, Any]:
            return self.act(token=str(_undoable_move(self.room.game) or "E"))

        return {
            PLAIN: gets("/api/health"),
            ("GET", "/api/about"): gets("/api/about"),
            ("GET", "/api/openapi.json"): gets("/api/openapi.json"),
            OUTSIDE: gets("/", "/icon.svg", "/assets/none.js", _LONG_PATH, "/assets" + _LONG_PATH, "/api" + _LONG_PATH),
            ("POST", "/api/games"): lambda: [("/api/games", {"mode": "screen", "names": ["Ann", "Ben"]})],
            ("POST", "/api/games/{game}/enter"): posts("enter", lambda: {"secret": self.links["own"]}),
            ("POST", "/api/games/{game}/links"): posts("links", dict),
            ("POST", "/api/games/{game}/leave"): posts("leave", dict),
            ("GET", "/api/games/{game}"): gets(here, f"{here}?seat=0"),
            ("GET", "/api/games/{game}/brief"): gets(f"{here}/brief"),
            ("GET", "/api/games/{game}/events"): lambda: [
                (f"{here}/events", None),
                (f"{here}/events?after={max(0, self.room.seq - 30)}", None),
            ],
            ("GET", "/api/games/{game}/record"): gets(f"{here}/record"),
            ("GET", "/api/games/{game}/replay/{ply}"): lambda: [
                (f"{here}/replay/{ply}", None) for ply in (0, len(self.room.standing) - 1)
            ],
            ("POST", "/api/games/{game}/hint"): posts("hint", lambda: {"seq": self.room.seq}),
            ("POST", "/api/games/{game}/tutor"): posts("tutor", lambda: {"seq": self.room.seq, "token": "S1B3:RYK"}),
            ("POST", "/api/games/{game}/acts"): posts("acts", lambda: a_move() | {"kind": "move"}),
            ("POST", "/api/games/{game}/moves"): posts("moves", lambda: self.act(token="S1B3:RYK"), a_move),
            ("POST", "/api/games/{game}/undo"): posts("undo", self.act),
            ("POST", "/api/games/{game}/redo"): posts("redo", self.act),
            ("POST", "/api/games/{game}/take-back"): posts("take-back", self.act),
            ("POST", "/api/games/{game}/take-back/answer"): posts("take-back/answer", lambda: self.act(agree=True)),
            ("POST", "/api/games/{game}/claim"): posts("claim", self.act),
            ("POST", "/api/games/{game}/cancel"): posts("cancel", self.act),
            ("POST", "/api/games/{game}/review"): posts("review", dict),
            ("POST", "/api/reviews"): lambda: [("/api/reviews", {"record": REVIEWED})],
            ("GET", "/api/reviews/{review}"): gets(f"/api/reviews/{_KEY}"),
            ("GET", "/api/reviews/{review}/record"): gets(f"/api/reviews/{_KEY}/record"),
            ("GET", "/api/reviews/{review}/positions/{ply}"): gets(f"/api/reviews/{_KEY}/positions/20"),
            ("POST", "/api/reviews/{review}/tries"): lambda: [
                (f"/api/reviews/{_KEY}/tries", {"ply": 20, "token": token}) for token in (_PLAYED, "E")
            ],
            ("POST", "/api/network"): lambda: [("/api/network", {"open": True})],
            ("POST", "/api/qr"): lambda: [
                ("/api/qr", {"text": _LINK}),
                ("/api/qr", {"text": 300 * "\N{GRINNING FACE}"}),
            ],
            ("POST", "/api/study"): lambda: [("/api/study", self.a_study()), ("/api/study", {"position": HARDEST})],
            ("POST", "/api/study/advice"): lambda: [("/api/study/advice", self.a_study())],
            ("GET", "/api/puzzles"): gets("/api/puzzles?day=2027-01-01"),
            ("GET", "/api/puzzles/{puzzle}"): gets(*(f"/api/puzzles/{one}" for one in PUZZLES)),
            ("POST", "/api/puzzles/{puzzle}/try"): lambda: [
                (f"/api/puzzles/{one}/try", body) for one in PUZZLES for body in ({}, {"help": "solution"})
            ],
            ("POST", "/api/study/count"): lambda: [
                ("/api/study/count", study) for study in ({"record": REVIEWED, "ply": _TILED}, {"position": HARDEST})
            ],
            ("POST", "/api/study/table"): lambda: [("/api/study/table", _BUILT)],
            ("POST", "/api/study/play"): lambda: [
                ("/api/study/play", study | {"mode": "screen", "names": ["Ann", "Ben"]})
                for study in (self.a_study(), {"position": HARDEST})
            ],
            ("POST", "/api/games/{game}/resign"): posts("resign", self.act),
            ("POST", "/api/games/{game}/rematch"): posts("rematch", self.act),
        }


def _undoable_move(game: Game) -> Move | None:
    """A legal move that can be undone, since it reveals nothing, or any other; None when the game is over."""
    moves = game.legal_moves
    for move in moves:
        after = game.copy()
        after.push(move)
        if not reveals(game.state.tobytes(), after.state.tobytes(), move):
            return move
    return moves[0] if moves else None


async def begin(local: LocalTable) -> None:
    """Starts the application as a server does, and waits until it is ready."""
    started = asyncio.Event()

    async def receive() -> Any:
        if started.is_set():
            await asyncio.Event().wait()
        return {"type": "lifespan.startup"}

    async def send(message: Any) -> None:
        started.set()

    local.lifespan = asyncio.ensure_future(local.app({"type": "lifespan"}, receive, send))
    await started.wait()
    await local.table.when_ready(None, looks=False)


def lengthen(local: LocalTable, game: str, upto: int) -> None:
    """Plays on into the fourth round, and then undoes and redoes until the log has so many events."""
    dice = Random(7)

    async def play() -> None:
        rooms = local.table.rooms
        room = await rooms.open(game)
        while room.seq < upto:
            moves = room.game.legal_moves
            await rooms.append(room, room.try_move(moves[dice.randrange(len(moves))]))
            if room.game.round > 4 or room.now.status == "over":
                raise AssertionError("the game went on too far")
            if room.game.round == 4 and room.seq < upto:
                take_back = TakeBackAct("", room.seq)
                await rooms.append(room, take_back.event(room, (0, 1), local.table.hub))

    local.runner.run(play())
    local.settle()


def forget(local: LocalTable) -> None:
    """Empties all caches, as after a restart."""
    local.table.rooms._open.clear()
    local.table.reviews._found.clear()
    local.table.reviews._walked.clear()
    local.web._document = b""
    local.web.pages._files.clear()
    for kept in (_view, qr_code_of):
        kept.cache_clear()


@dataclass(frozen=True)
class Measured:
    """The longest step of one endpoint for one game, as a multiple of a plain answer."""

    game: str
    """The game."""
    method: str
    """The method."""
    path: str
    """The path of the endpoint."""
    ever: float
    """The longest step of the very first request."""
    first: float
    """The longest step of a request that finds empty caches."""
    later: float
    """The longest step of a later request."""
    statuses: list[int]
    """The statuses of the answers."""


def measure(tries: int, events: int) -> tuple[float, list[Measured]]:
    """Measures the processor time of a plain answer, and the longest step of every endpoint when the long game has so
    many events."""
    found: list[Measured] = []
    with LocalTable(thinkers=Advisers(), review_worker=ReviewsElsewhere()) as local:
        local.runner.run(begin(local))
        gc.disable()
        person = local.person()
        person.post("/reviews", {"record": REVIEWED})
        while person.get(f"/reviews/{_KEY}")["state"] != "done":
            local.runner.run(asyncio.sleep(0.05))
        askers = []
        for _ in range(2):
            made = person.create("screen")
            askers.append(Asker(local, person, made["game"], made["links"]))
        fresh, long = askers
        lengthen(local, long.game, events - 20)
        plain = min(sum(fresh.ask(*PLAIN, None)[1]) for _ in range(50))
        for name, asker in (("begun", fresh), ("long", long), ("over", long)):
            for (method, path), asks in asker.requests().items():
                firsts = [asker.longest_step(method, asks, forgotten=True) for _ in range(tries)]
                laters = [asker.longest_step(method, asks, forgotten=False) for _ in range(tries)]
                ever, first, later = (cost / plain for cost in (firsts[0], min(firsts), min(laters)))
                found.append(Measured(name, method, path, ever, first, later, sorted(asker.statuses)))
                asker.statuses.clear()
    return plain, found


def main() -> None:
    """Measures, and prints a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tries", type=int, default=3, help="the best of so many counts")
    parser.add_argument("--events", type=int, default=MAX_EVENTS, help="of the long game; the most there can be")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    plain, found = measure(options.tries, options.events)
    if options.json:
        print(json.dumps({"plain": plain, "found": [asdict(one) for one in found]}))
        return
    print(f"a plain answer: {1000 * plain:.3f} ms; longest step as a multiple of it: ever, at first, later")
    for one in found:
        where = f"{one.method:4} {one.path}"
        print(f"{one.game:6} {where:42} {one.ever:8.1f} {one.first:8.1f} {one.later:8.1f}   {one.statuses}")


if __name__ == "__main__":
    main()
