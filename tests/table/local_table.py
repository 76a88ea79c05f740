"""A table without a network: people who ask it over HTTP in this process, and computers who think at once."""

from __future__ import annotations

import asyncio
import itertools
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

import httpx
import msgspec

from helpers import TASTES
from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.players.base import Clock
from sintra.review import ReviewBudget
from sintra.table.base.opponents import Opponent
from sintra.table.base.times import Ticks
from sintra.table.games.room import Room
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import Storage, Stored
from sintra.table.http.access_log import AccessLog
from sintra.table.http.metrics import Metrics
from sintra.table.http.security import UNLIMITED, Rates
from sintra.table.http.web import Web
from sintra.table.service.service import Service
from sintra.table.shown import messages
from sintra.table.workers.review_worker import Advanced, ReviewWorker, advance_review, cost_of
from sintra.table.workers.thinkers import Advised, Analysis, MoveCost, Thinkers, advise, analyse
from table.log_lines import logged


class QuickThinkers(Thinkers):
    """Computers who take a move that the view alone decides on, without thinking."""

    def __init__(self) -> None:
        super().__init__(1)
        self.slow = False
        self.asked = 0
        self.clocks: list[Clock | None] = []
        self.costs: dict[str, float] = {}

    async def choose(self, opponent: Opponent, seed: int, view: View, clock: Clock | None = None) -> str:
        self.asked += 1
        self.clocks.append(clock)
        while self.slow:
            await asyncio.sleep(0.001)
        return str(view.legal_moves[derive(seed, view.key) % len(view.legal_moves)])

    async def advise(self, view: View, sims: int = 8) -> Advised:
        self.asked += 1
        return advise(8, view.to_bytes(), with_reasons=False)

    async def judge(self, view: View, token: str) -> MoveCost:
        self.asked += 1
        return MoveCost(self.costs.get(token, 0.0), 0.5)

    async def analyse(self, view: View, sims: int) -> Analysis:
        self.asked += 1
        return analyse(8, view.to_bytes())

    async def warm(self) -> None:
        pass


class QuickReviewWorker(ReviewWorker):
    """Reviews that hardly look, made in this process, a step at a time."""

    def __init__(self) -> None:
        super().__init__(ReviewBudget(sims=2, deep_factor=1, deals=1, worlds=1))
        self.slow = False
        self.steps = 0

    async def advance(self, key: str, record_text: str) -> Advanced:
        self.steps += 1
        while self.slow:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0)
        return advance_review(key, record_text, self.budget, 0.0)

    async def cost(self, record_text: str, ply: int, token: str) -> float:
        await asyncio.sleep(0)
        return cost_of(record_text, ply, token, self.budget)


class LocalTable:
    """A table and its event loop; it runs only while somebody asks."""

    def __init__(
        self,
        path: str | Path = ":memory:",
        rates: Rates = UNLIMITED,
        thinkers: QuickThinkers | None = None,
        storage: Storage | None = None,
        review_worker: QuickReviewWorker | None = None,
        ticks: Ticks | None = None,
        **more: Any,
    ) -> None:
        self.thinkers = thinkers or QuickThinkers()
        self._closing = ExitStack()
        self._log = self._closing.enter_context(logged())
        self.review_worker = review_worker or QuickReviewWorker()
        self.access_log = AccessLog(Metrics())
        self.table = Service(
            storage or SqliteStorage(path),
            self.thinkers,
            review_worker=self.review_worker,
            ticks=ticks,
            on_failure=self.access_log.note_failure,
        )
        self.web = Web(self.table, rates=rates, access_log=self.access_log, **more)
        self.app = self.web.application()
        self.runner = asyncio.Runner()
        self.people: list[Person] = []
        self.lifespan: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for person in self.people:
            self.runner.run(person.http.aclose())
        self.runner.run(self.table.close())
        self.runner.close()
        self._closing.close()

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines of the log so far."""
        return self._log.lines

    def person(self, **more: Any) -> Person:
        one = Person(self, **more)
        self.people.append(one)
        return one

    def room(self, game: str) -> Room:
        """A game as it is in memory, or is read now."""
        return self.table.rooms._open.get(game) or self.runner.run(self.table.rooms.open(game))

    def log(self, game: str) -> list[Stored]:
        """A game as it is in the storage."""
        return self.runner.run(self.table.storage.events(game))

    def settle(self) -> None:
        """Lets everything happen that happens by itself."""

        async def wait() -> None:
            for _ in range(5):
                await asyncio.sleep(0)
            while self.table._thinking:
                await asyncio.sleep(0)

        self.runner.run(wait())

    def play(self, game: str, people: dict[int, Person], taste: str = "drawing", most: int = 10_000) -> None:
        """Lets people play moves of a taste."""
        dice = Random(7)
        for _ in range(most):
            room = self.room(game)
            if room.now.status != "playing":
                return
            token = str(TASTES[taste](room.game, dice))
            people[room.now.turn].act(game, "moves", token=token)


class Person:
    """A browser with its cookies."""

    _ids = itertools.count()

    def __init__(self, local: LocalTable, host: str = "localhost", address: str = "127.0.0.1") -> None:
        self._table = local
        transport = httpx.ASGITransport(local.app, client=(address, 5000))
        self.http = httpx.AsyncClient(transport=transport, base_url=f"http://{host}")

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        """One request, whatever the answer."""
        answer = self._table.runner.run(self.http.request(method, path, **more))
        if not self._table.thinkers.slow:
            self._table.settle()
        return answer

    def get(self, path: str, **more: Any) -> Any:
        answer = self.ask("GET", f"/api{path}", **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, **more: Any) -> Any:
        answer = self.ask("POST", f"/api{path}", json=body, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def refused(self, method: str, path: str, body: Any = None, **more: Any) -> tuple[int, str]:
        """The status and code of a request that must not be done."""
        if body is not None:
            more["json"] = body
        answer = self.ask(method, f"/api{path}", **more)
        assert answer.status_code >= 400, answer.text
        assert answer.headers["content-type"] == "application/json"
        problem = answer.json()
        assert problem["message"]
        return answer.status_code, problem["code"]

    def create(self, mode: str = "computer", **more: Any) -> dict[str, Any]:
        """A new game, as it was answered."""
        names = ["Ann", "Ben"] if mode == "screen" else ["Ann"]
        made: dict[str, Any] = self.post("/games", {"mode": mode, "names": names} | more)
        return made

    def act(self, game: str, what: str, **body: Any) -> int:
        """Posts something on the latest event, or on the one that is named; the number of the event that it became.
        Looks again when somebody else acts meanwhile."""
        while True:
            whole = {"id": self.new_id(), "seq": self._table.room(game).seq} | body
            answer = self.ask("POST", f"/api/games/{game}/{what}", json=whole)
            if "seq" in body or answer.status_code != 409 or answer.json()["code"] != "stale":
                assert answer.status_code == 200, answer.text
                seq: int = answer.json()["seq"]
                return seq

    def cannot(self, game: str, what: str, **body: Any) -> tuple[int, str]:
        """Posts something that must be refused and change nothing; returns the status and the code."""
        room = self._table.room(game)
        before = (room.seq, room.now)
        answer = self.refused("POST", f"/games/{game}/{what}", {"id": self.new_id(), "seq": room.seq} | body)
        assert (self._table.room(game).seq, self._table.room(game).now) == before
        return answer

    @classmethod
    def new_id(cls) -> str:
        return f"post-{next(cls._ids):06}"


def shown(person: Person, game: str, query: str = "") -> messages.GameShown:
    """What a person is shown of a game."""
    return msgspec.convert(person.get(f"/games/{game}{query}"), messages.GameShown)


def friends(local: LocalTable, **more: Any) -> tuple[str, Person, Person, dict[str, str]]:
    """A game with a friend who has come, and the links by which both can come again."""
    ann, ben = local.person(), local.person()
    made = ann.create("friend", **more)
    entered = ben.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"], "name": "Ben"})
    return made["game"], ann, ben, made["links"] | {"friend": entered["secret"]}
