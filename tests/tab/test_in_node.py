"""The table in the Python of a browser, here in Node: it says and plays what the table of this machine does."""

from __future__ import annotations

import base64
import itertools
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, Self

import pytest

import soak
from build.exercise import node
from helpers import TASTES, played
from sintra.players.champion import TREES
from sintra.processes.worker import job_result, pickle_job
from sintra.tab.halves import CHAMPION, chosen, explore
from sintra.table.base.opponents import OPPONENTS
from sintra.table.workers.thinkers import choose_move
from tab.small_browser import SmallPage

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]
HERE: Final = Path(__file__).parent
SEEDS: Final = (11, 5)
"""Of the positions, and of the players."""


class Inside:
    """The table in Node."""

    def __init__(self, py: Path) -> None:
        command = [node(), str(HERE / "inside.mjs"), str(py)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.kill()
        self._process.communicate()

    def do(self, kind: str, **asked: Any) -> dict[str, Any]:
        """Has something done, and returns what came of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"kind": kind} | asked) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def job(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a job as a worker of the page does."""
        job = pickle_job(function, *arguments)
        return job_result(base64.b64decode(self.do("think", job=base64.b64encode(job).decode())["reply"]))


@pytest.fixture(scope="module")
def inside(tab_folder: Path) -> Iterator[Inside]:
    with Inside(tab_folder / "py") as one:
        yield one


def without_times(shown: Any) -> Any:
    """A message without what says when something happened."""
    if isinstance(shown, dict):
        return {key: without_times(one) for key, one in shown.items() if key not in ("at", "time")}
    return [without_times(one) for one in shown] if isinstance(shown, list) else shown


def test_a_whole_game_has_the_same_messages(inside: Inside, tmp_path: Path) -> None:
    """A game against a computer, which both tables begin with the same log: after each move all that is shown is the
    same, the computer's moves too."""
    with SmallPage(tmp_path) as page:
        asked = {"mode": "computer", "names": ["Ann"], "opponent": "level:n=1", "first": "me"}
        game = page.post("/api/games", asked)["game"]
        path = f"/api/games/{game}"
        begun = tmp_path / "begun.sqlite"
        begun.write_bytes(page.ask("GET", "/tab/games").body)
        assert inside.do("ask", method="POST", path="/tab/games", file=str(begun))["status"] == 200
        dice, compared = Random(1), 0
        while True:
            room = page.runner.run(page.settled(game))
            there = json.loads(inside.do("until", path=path, seq=room.seq)["body"])
            assert without_times(there) == without_times(page.get(path)), f"after {room.seq} events"
            compared += 1
            if room.now.status != "playing":
                break
            token = str(TASTES["uniform"](room.game, dice))
            body = {"id": f"post-{room.seq:06}", "seq": room.seq, "token": token}
            assert page.ask("POST", f"{path}/moves", body).status == 200
            answer = inside.do("ask", method="POST", path=f"{path}/moves", body=json.dumps(body))
            assert answer["status"] == 200, answer["body"]
    assert compared > 20


def views(count: int) -> Iterator[bytes]:
    """Views in positions of random games, from the first moves to the last."""
    games = (played(seed, "uniform", most=5 + 7 * seed % 90) for seed in itertools.count(SEEDS[0]))
    found = (game.view(game.turn).to_bytes() for game in games if len(game.legal_moves))
    return itertools.islice(found, count)


@pytest.mark.soak
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_a_level_makes_the_same_moves(inside: Inside, opponent: str) -> None:
    """For the same seed; the strongest is the champion's search."""
    for n, view in enumerate(views(soak.pick(3, 100))):
        move = choose_move(opponent, SEEDS[1], view)
        assert inside.job(choose_move, opponent, SEEDS[1], view) == move, f"position {n}"


def test_the_champion_makes_the_same_moves_in_two_workers(inside: Inside) -> None:
    """Where a browser has two processors, each tree of its search is in a worker of its own."""
    for n, view in enumerate(views(3)):
        found = [inside.job(explore, k, SEEDS[1], view, None) for k in range(TREES)]
        assert chosen(view, found) == choose_move(CHAMPION, SEEDS[1], view), f"position {n}"
