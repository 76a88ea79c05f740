"""A real server in a process of its own, that can be killed and started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Self

import httpx
import msgspec

import soak
from sintra.table.shown.messages import Options
from table import deals
from tokens import a_token

TIMEOUT_S: Final = 240
"""A server that has not answered, moved or ended until then never does: a busy machine takes its time."""


class Served:
    """`sintra serve` on a database, a file or one at an address; after a restart it has the same port, and `errors` are
    what it said since."""

    def __init__(self, database: Path, *options: str, address: str | None = None, **environment: str) -> None:
        self._database = database
        self._kept_at = address or str(database)
        self._options = options
        self._environment = os.environ | environment
        self._port = 0
        self._starts = 0
        self._dice = Random(5)
        self._posts = 0
        self._people: list[httpx.Client] = []
        self._deals = database.with_suffix(".deals")
        self._deals.write_text("first")
        self.last_post: tuple[httpx.Client, str, dict[str, Any]] | None = None
        self.code: int | None = None
        self.errors = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for person in self._people:
            person.close()
        if self.code is None:
            self.kill(signal.SIGKILL)

    def start(self) -> None:
        sintra = ["-m", "sintra"] if soak.is_on else [deals.__file__, str(self._deals)]
        command = [
            sys.executable,
            *sintra,
            "serve",
            "--port",
            str(self._port),
            "--database",
            self._kept_at,
        ]
        self._starts += 1
        self._said = self._database.with_suffix(f".{self._starts}.log")
        self._log = self._said.open("ab")
        self._process = subprocess.Popen(
            [*command, "--no-limits", *self._options],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=self._environment,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, line
        self._port = int(found[1])
        self.code = None

    @property
    def address(self) -> str:
        """Where the table is."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def pid(self) -> int:
        """The process that serves."""
        return self._process.pid

    @contextmanager
    def dealt_by(self, name: str) -> Iterator[None]:
        """Games made in here have the deals that follow from the name."""
        before = self._deals.read_text()
        self._deals.write_text(name)
        yield
        self._deals.write_text(before)

    def kill(self, how: signal.Signals) -> None:
        self._process.send_signal(how)
        self.code = self._process.wait(TIMEOUT_S)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._log.close()
        self.errors = self._said.read_text()

    def person(self) -> httpx.Client:
        one = httpx.Client(base_url=self.address, timeout=TIMEOUT_S)
        self._people.append(one)
        return one

    def friends(self) -> tuple[str, httpx.Client, httpx.Client]:
        ann, ben = self.person(), self.person()
        made = ann.post("/api/games", json={"mode": "friend", "names": ["Ann"]}).json()
        path = f"/api/games/{made['game']}/enter"
        assert ben.post(path, json={"secret": made["links"]["friend"], "name": "Ben"}).status_code == 200
        return made["game"], ann, ben

    def play_one(self, game: str, *people: httpx.Client) -> int:
        """Somebody's move, any; the number of the event. Looks again when somebody else acts meanwhile."""
        for person in people:
            shown = person.get(f"/api/games/{game}").json()
            if "options" in shown:
                self._posts += 1
                body = {"id": f"post-{self._posts:05}", "seq": shown["seq"], "token": any_token(shown, self._dice)}
                self.last_post = (person, f"/api/games/{game}/moves", body)
                answer = person.post(self.last_post[1], json=body)
                if answer.status_code == 409 and answer.json()["code"] == "stale":
                    return self.play_one(game, *people)
                return self._seq_in(answer)
        raise AssertionError("nobody is to move")

    @staticmethod
    def repeat(post: tuple[httpx.Client, str, dict[str, Any]] | None) -> int:
        """Makes a post once more; the number of the event that it had become."""
        assert post is not None
        return Served._seq_in(post[0].post(post[1], json=post[2]))

    @staticmethod
    def _seq_in(answer: httpx.Response) -> int:
        assert answer.status_code == 200, answer.text
        seq: int = answer.json()["seq"]
        return seq

    @staticmethod
    def wait_for(person: httpx.Client, game: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The game as soon as it fits."""
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            shown: dict[str, Any] = person.get(f"/api/games/{game}").json()
            if fits(shown):
                return shown
            time.sleep(0.1)
        raise AssertionError(f"it did not happen within {TIMEOUT_S} s")


def any_token(shown: dict[str, Any], dice: Random) -> str:
    """Any move in a game that is shown."""
    return a_token(msgspec.convert(shown["options"], Options), dice)
