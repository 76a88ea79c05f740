"""Ctrl-C: whatever the program does and whichever processes it has started, one line, the exit code, no traceback.

A terminal sends SIGINT to every process of the group. The moment is never a matter of time here: the
processes themselves send the signal when they come to it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

import soak
from helpers import VECTORS
from sintra import Game
from sintra.cli import measuring
from sintra.game.seeds import derive
from sintra.players import player
from sintra.players.search import BATCH, SPARE_BITS, Searcher, _pool
from sintra.players.thinking import endgame, tree
from sintra.records.files import read_records
from sintra.rules import engine

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")

CLOSED: Final = "The table is closed; games in progress are kept.\n"
STOPPED: Final = "sintra: stopped\n"
TIMEOUT_S: Final = 300
"""Seconds after which a process is taken to have missed the signal."""

SPY: Final = """
import os, signal, sys

def act():
    try:
        os.close(os.open(os.environ["SPY_MARK"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    if os.environ["SPY_DOES"] == "interrupt":
        os.killpg(0, signal.SIGINT)
    else:
        os.kill(os.getppid(), signal.SIGKILL)

def watch():
    left = int(os.environ["SPY_IMPORTS"])
    def hook(event, arguments):
        nonlocal left
        if event == "import":
            left -= 1
            if left == 0:
                act()
    if left:
        sys.addaudithook(hook)
    else:
        act()

if "SPY_INSIDE" not in os.environ:
    os.environ["SPY_INSIDE"] = "yes"
elif not any("resource_tracker" in word for word in sys.orig_argv):
    watch()
"""
"""Every Python process runs this before anything else. A process started by the first one acts at its
n-th import: it sends SIGINT to all of the group, or kills the one that started it."""


class Ended(NamedTuple):
    """How a program ended, and what was said by it and by all that it had started."""

    code: int
    out: str
    err: str


def run(*command: str, at_import: int | None = None, does: str = "interrupt", **environment: str) -> Ended:
    """Runs a program in a group of its own until all its processes have ended."""
    variables = {**os.environ, **environment, "SPY_DOES": does}
    if at_import is not None:
        folder = Path(environment["FOLDER"])
        (folder / "sitecustomize.py").write_text(SPY, "utf-8")
        variables |= {"SPY_IMPORTS": str(at_import), "SPY_MARK": str(folder / "acted")}
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), variables.get("PYTHONPATH"))))
    process = subprocess.Popen(
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        env=variables,
        start_new_session=True,
        encoding="utf-8",
    )
    try:
        out, err = process.communicate(timeout=TIMEOUT_S)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    return Ended(process.returncode, out, err)


MOMENTS: Final = (0, 1, 5, 20, 80, 200, 400)
"""Imports of a worker: from its first instruction to the middle of the package."""


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize("at_import", soak.pick(MOMENTS[::3], MOMENTS))
def test_the_table_is_closed_at_any_moment_of_its_first_start(at_import: int, tmp_path: Path) -> None:
    folders = {name: str(tmp_path) for name in ("FOLDER", "XDG_DATA_HOME", "NUMBA_CACHE_DIR")}
    ended = run("-m", "sintra", "--no-browser", at_import=at_import, **folders, NUMBA_DISABLE_JIT="0")
    assert (ended.code, ended.err) == (0, CLOSED)
    assert (tmp_path / "acted").exists()


@pytest.mark.soak
@pytest.mark.parametrize("at_import", soak.pick(MOMENTS[3:4], MOMENTS))
def test_a_match_is_stopped_while_its_processes_start(at_import: int, tmp_path: Path) -> None:
    ended = run(*"-m sintra arena random greedy --games 20 --jobs 2".split(), at_import=at_import, FOLDER=str(tmp_path))
    assert ended == Ended(130, "", STOPPED)


@pytest.mark.long
@pytest.mark.soak
@pytest.mark.parametrize("at_import", soak.pick(MOMENTS[3:4], MOMENTS))
def test_processes_of_a_killed_program_end_without_a_word(at_import: int, tmp_path: Path) -> None:
    """Those of a match and those of a table; that they end is seen from the end of what they could say."""
    ended = run(
        *"-m sintra arena random greedy --games 20 --jobs 2".split(),
        at_import=at_import,
        does="kill",
        FOLDER=str(tmp_path),
    )
    assert ended == Ended(-signal.SIGKILL, "", "")


@pytest.mark.long
def test_a_process_whose_starter_dies_at_its_birth_says_nothing() -> None:
    """Before it was told anything."""
    program = """
import os, signal, subprocess
from sintra.processes import worker
class Last(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        os.kill(os.getpid(), signal.SIGKILL)
subprocess.Popen = Last
worker.Worker()
"""
    assert run("-c", program) == Ended(-signal.SIGKILL, "", "")


SIGNALLER: Final = """
import os, signal, sys
from sintra.cli import run
from sintra.players import register
from sintra.players.random_player import RandomPlayer

@register("signaller", "sends a signal in the middle of its third game")
class Signaller(RandomPlayer):
    games = 0
    def new_game(self, seed):
        super().new_game(seed)
        Signaller.games += 1
    def choose(self, view, clock=None):
        if Signaller.games >= 3 and view.round == 3:
            {act}
        return super().choose(view, clock)

if __name__ == "__main__":
    run()
"""
"""A program with a player of its own, as the documentation of the library describes it."""


@pytest.mark.long
def test_a_match_with_a_player_of_ones_own_is_stopped_in_the_middle(tmp_path: Path) -> None:
    out = tmp_path / "match.jsonl"
    act = f"os.path.getsize({str(out)!r}) and os.killpg(0, signal.SIGINT)"
    (tmp_path / "mine.py").write_text(SIGNALLER.format(act=act), "utf-8")
    arguments = ("arena", "signaller", "greedy", "--games", "100", "--jobs", "2", "--out", str(out))
    ended = run(str(tmp_path / "mine.py"), *arguments)
    assert ended == Ended(130, "", STOPPED)
    assert 1 <= len(out.read_text("utf-8").splitlines()) < 100


@pytest.mark.long
def test_a_match_killed_in_the_middle_leaves_no_process_behind(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(SIGNALLER.format(act="os.kill(os.getppid(), signal.SIGKILL)"), "utf-8")
    ended = run(str(tmp_path / "mine.py"), "arena", "signaller", "greedy", "--games", "100", "--jobs", "2")
    assert ended == Ended(-signal.SIGKILL, "", "")


@pytest.mark.long
def test_a_program_without_a_guard_is_told_so(tmp_path: Path) -> None:
    program = SIGNALLER.replace('if __name__ == "__main__":\n    run', "run").format(act="pass")
    (tmp_path / "mine.py").write_text(program, "utf-8")
    ended = run(str(tmp_path / "mine.py"), "arena", "signaller", "greedy", "--games", "2", "--jobs", "2")
    assert ended.code == 2
    assert "Traceback" not in ended.err
    assert 'below `if __name__ == "__main__":`' in ended.err


DEAF: Final = """
import os, signal, sys, threading, time
from sintra.cli import run
from sintra.{module} import {owner} as owner
inner = owner.{name}

def outer(*arguments, **named):
    def interrupt(before=time.process_time()):
        while time.process_time() < before + 1:
            time.sleep(0.01)
        os.write(1, b"begun\\n")
        os.killpg(0, signal.SIGINT)
    if not started:
        started.append(threading.Thread(target=interrupt))
        started[0].start()
    return inner(*arguments, **named)

started = []
owner.{name} = outer
run()
"""
"""A command that gets the signal from a thread beside it, when it has called something and calculated
for a second of the processor's time: then it is deep in compiled code."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("module", "owner", "name", "command"),
    [
        ("rules", "engine", "perft", f"perft {VECTORS / 'greedy.jsonl'} --ply 2 --depth 30"),
        ("players.thinking", "tree", "think", "selfplay --players search:sims=20000,nodes=0 random"),
        ("players.thinking", "tree", "think", "selfplay --players search:sims=40000,trees=2,nodes=0 random"),
        ("players.thinking", "tree", "think", "arena search:sims=20000,nodes=0 random --games 2 --jobs 1"),
        ("cli.measuring", "engine", "play_random", "bench --quick --seconds 3600"),
        ("table.workers", "warm_up", "warm_choices", "warm"),
    ],
    ids=lambda value: value if " " in value else "",
)
def test_a_command_that_calculates_is_stopped(module: str, owner: str, name: str, command: str, tmp_path: Path) -> None:
    program = DEAF.format(module=module, owner=owner, name=name)
    cache = str(tmp_path) if command == "warm" else os.environ.get("NUMBA_CACHE_DIR", "")
    ended = run("-c", program, *command.split(), NUMBA_CACHE_DIR=cache)
    assert ended == Ended(130, "begun\n", STOPPED)


HALF_MADE = """
import atexit, os
from sintra.cli import run
from sintra.rules import engine

class HalfMade:
    def __del__(self, abort=os.abort):
        abort()

def stopped(*arguments, **named):
    engine.half_made = HalfMade()
    in_a_frame = HalfMade()
    in_a_cycle = HalfMade()
    in_a_cycle.itself = in_a_cycle
    del in_a_cycle
    raise KeyboardInterrupt

atexit.register(print, "tidied up")
atexit.register(lambda: [[] for _ in range(10_000)])
engine.perft = stopped
run()
"""


def test_what_was_half_made_is_not_taken_apart() -> None:
    """A compiler that is stopped leaves such things behind. All else that is to be done at the end is done."""
    ended = run("-c", HALF_MADE, "perft", str(VECTORS / "greedy.jsonl"), "--depth", "2")
    assert ended == Ended(130, "tidied up\n", STOPPED)


CALLED_BACK = """
import ctypes, signal, sys, time
from sintra.cli import run
from sintra.rules import engine

def called_back(*arguments, **named):
    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()
    while True:
        time.sleep(0.01)

engine.perft = called_back
run()
"""


def test_a_signal_that_meets_code_called_back_is_not_lost() -> None:
    """The compiler calls back; what is raised there goes no further."""
    assert run("-c", CALLED_BACK, "perft", str(VECTORS / "greedy.jsonl"), "--depth", "2") == Ended(130, "", STOPPED)


class Interrupting:
    """Calls something that is compiled, and sends the signal with the third call."""

    def __init__(self, inner: Callable[..., Any]) -> None:
        self._inner = inner
        self.calls = 0

    def __call__(self, *arguments: Any) -> Any:
        self.calls += 1
        if self.calls == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return self._inner(*arguments)


def test_a_perft_is_counted_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    game = read_records(VECTORS / "greedy.jsonl")[0].replay(2)
    interrupting = Interrupting(engine.count_on)
    monkeypatch.setattr(engine, "count_on", interrupting)
    with pytest.raises(KeyboardInterrupt):
        game.perft(3)
    assert interrupting.calls == 3


def test_the_share_of_a_perft_grows_to_the_whole() -> None:
    record = read_records(VECTORS / "greedy.jsonl")[0]
    shares: list[float] = []
    assert record.perft(2, 2, shares.append) == record.perft(2, 2)
    assert record.perft(40, 4, shares.append) == record.perft(40, 4)
    for share in (shares[:-1], shares[1:]):
        assert all(0 <= one <= 1 for one in share)
    assert shares[-1] == 1


@pytest.mark.parametrize("trees", [1, 2])
def test_a_search_is_stopped_between_portions(trees: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(seed=3)
    searcher = Searcher(50 * BATCH, trees)
    interrupting = Interrupting(tree.think)
    monkeypatch.setattr(tree, "think", interrupting)
    with pytest.raises(KeyboardInterrupt):
        searcher.run(game.view(game.turn), 1)
    list(_pool().map(abs, range(trees)))
    assert interrupting.calls < 50
    assert all(one.head["simulations"][0] < 50 * BATCH / trees for one in searcher.trees)


def test_portions_of_a_search_are_one_search() -> None:
    game = Game.new(seed=3)
    view = game.view(game.turn)
    whole = Searcher(BATCH + 100, 1)
    whole.run(view, 1)
    at_once = tree.Tree.with_room(BATCH + 100)
    tree.think(at_once, view.state, view.seat, derive(1, 0) >> SPARE_BITS, BATCH + 100)
    assert at_once.children(0).keys() == whole.trees[0].children(0).keys()
    for choice, (visits, _, prior, child) in at_once.children(0).items():
        assert whole.trees[0].children(0)[choice][::2] == (visits, prior), choice
        assert whole.trees[0].children(0)[choice][3] == child


def test_an_exact_search_is_stopped_between_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where round 5 begins no search comes to its end."""
    game = Game.new(seed=3)
    quick = player("greedy")
    while game.round < 5:
        game.push(quick.choose(game.view(game.turn)))
    interrupting = Interrupting(endgame.deepen)
    monkeypatch.setattr(endgame, "deepen", interrupting)
    with pytest.raises(KeyboardInterrupt):
        endgame.EndgameSolver(50 * endgame.NODES_PER_CALL).solve(game.view(game.turn).state)
    assert interrupting.calls == 3


def test_measured_work_is_done_in_short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    now, longest = 0.0, 0.0

    def work(times: int) -> None:
        nonlocal now, longest
        now += 0.001 * times
        longest = max(longest, 0.001 * times)

    monkeypatch.setattr(time, "perf_counter", lambda: now)
    assert measuring.per_call(work, 3600) == pytest.approx(0.001 / measuring.POOL * 1e9)
    assert longest <= 2 * measuring.MAX_CALL_S
