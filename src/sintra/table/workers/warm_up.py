"""The warm-up of a table: loads compiled code, or compiles it on the first start.

Compiling takes a while, once on each machine, and is left to worker processes, so that two processors share it and the
service answers meanwhile and can be closed at any time. What shows a game comes first; forecasts and players follow
while the first moves are made.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from sintra.components import Color
from sintra.game.game import Game, View
from sintra.game.preview import effects_of
from sintra.players import player
from sintra.players.search import Searcher
from sintra.players.thinking.prospects import Foresight
from sintra.processes.worker import WorkerPool
from sintra.records.record import Record
from sintra.review.plans import Planner
from sintra.rules import engine
from sintra.rules.compiled import IS_JIT
from sintra.rules.sources import cache_folder, user_cache
from sintra.rules.state import Stage, States, blank_states
from sintra.table.base.opponents import OPPONENTS
from sintra.table.shown.forecasts import load_forecasts, without_forecasts
from sintra.table.shown.foreseen import foreseen_in
from sintra.table.shown.options import options_of
from sintra.table.shown.position import position_of
from sintra.table.shown.turns import turn_written
from sintra.tabletop.moves import EndTiling, MoonTake

_ENGINE_STAMP: Final = (cache_folder(__name__) if IS_JIT else user_cache()) / "engine"
"""Exists once everything that shows a game is compiled from the present sources."""
_BEGINNING_STAMP: Final = _ENGINE_STAMP.with_name("beginning")
"""Exists once what shows a new game is compiled."""
_FORECASTS_STAMP: Final = _ENGINE_STAMP.with_name("forecasts")
"""Exists once the forecasts are compiled."""
_PLAYERS_STAMP: Final = _ENGINE_STAMP.with_name("players")
"""Exists once the players are compiled."""
_MAX_WARM_UP_S: Final = 0.05
"""Opponents that think for longer are not warmed up: they use the code of others."""
_PROGRESS_FILE: Final = _ENGINE_STAMP.with_name("functions")
"""While code is being compiled, a file with a byte for each compiled function, of all processes."""
EXPECTED_FUNCTIONS: Final = 585
"""About how many functions are compiled in all. To renew the number, run `sintra serve` with an empty folder as
NUMBA_CACHE_DIR and take the largest size of `_PROGRESS_FILE`, which is deleted when the players are ready."""


def is_compiled() -> bool:
    """Whether `warm_engine` only has to load compiled code."""
    return not IS_JIT or _ENGINE_STAMP.exists()


def has_beginning() -> bool:
    """Whether `warm_beginning` only has to load compiled code: `make play` has compiled it, for instance."""
    return not IS_JIT or _BEGINNING_STAMP.exists()


def has_forecasts() -> bool:
    """Whether `warm_forecasts` only has to load compiled code."""
    return not IS_JIT or _FORECASTS_STAMP.exists()


def _touch(stamp: Path) -> None:
    """Creates a file for the next start to find, if code is compiled and the folder is writable."""
    if not IS_JIT:
        return
    with suppress(OSError):
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()


def share_compiled() -> float:
    """The share of functions that all processes together have compiled within `count_compiled` since `forget_count`. It
    stays below 1, since the expected number is an estimate: only the service knows when everything is ready."""
    try:
        return min(0.99, _PROGRESS_FILE.stat().st_size / EXPECTED_FUNCTIONS)
    except OSError:
        return 0.0


@contextmanager
def count_compiled() -> Iterator[None]:
    """Counts what is compiled within the context for `share_compiled`, if the folder is writable."""
    with ExitStack() as stack:
        if IS_JIT:
            from sintra.rules.jit import counting_functions

            with suppress(OSError):
                _PROGRESS_FILE.parent.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context(_PROGRESS_FILE.open("ab", buffering=0))
                stack.enter_context(counting_functions(file))
        yield


def forget_count() -> None:
    """Starts the count of `share_compiled` anew."""
    with suppress(OSError):
        _PROGRESS_FILE.unlink(missing_ok=True)


def _over() -> States:
    """A finished game, which takes no time to look at."""
    over = blank_states(1)
    over["stage"] = Stage.OVER
    return over


def warm_choices() -> None:
    """Loads or compiles what lists the choices of a position, and what they do."""
    with without_forecasts():
        turn_written(_over(), foreseen_in(_over()))


def warm_views() -> None:
    """Loads or compiles what makes a game, and what a seat sees of it."""
    game = Game.new(seed=1)
    with without_forecasts():
        position_of(game.view(0))


def warm_beginning() -> None:
    """Loads or compiles what shows a new game."""
    warm_choices()
    warm_views()
    with without_forecasts():
        game = Game.new(seed=1)
        options_of(game.view(game.turn))


def compile_beginning() -> None:
    """Compiles what shows a new game, in two processes: `make play` does this while the page is built. When the first
    of them is done, another process begins with the players, and goes on when the table opens."""
    forget_count()
    with WorkerPool(2) as pool:
        parts = [pool.submit(partial(_counted, part)) for part in (warm_choices, warm_views)]
        wait(parts, return_when=FIRST_COMPLETED)
        start_compiling_players()
        for done in parts:
            done.result()
    _touch(_BEGINNING_STAMP)


def _counted(part: Callable[[], None]) -> None:
    with count_compiled():
        part()


def start_compiling_players() -> subprocess.Popen[bytes]:
    """Starts a process that compiles the players and that nobody has to wait for: it may go on when this one ends."""
    code = f"from {__name__} import compile_players; compile_players()"
    nothing = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True
    )


def compile_players() -> None:
    """Compiles the players, counted for the table that may be open already."""
    _counted(warm_players)


@contextmanager
def _alone(stamp: Path) -> Iterator[None]:
    """Waits as long as another process compiles what the stamp is for, if the folder is writable."""
    with ExitStack() as stack:
        if sys.platform != "win32":
            from fcntl import LOCK_EX, flock

            with suppress(OSError):
                stamp.parent.mkdir(parents=True, exist_ok=True)
                flock(stack.enter_context(stamp.with_suffix(".lock").open("w")), LOCK_EX)
        yield


def warm_moves() -> None:
    """Loads or compiles what lists the moves of a game, makes them, and tells of them, and what reads positions."""
    game = Game.new(seed=1)
    game.push(game.legal_moves[0])
    engine.runs_through(game.states, 0, 0, 0, 0)
    engine.who_won(game.states, 0)
    _ = game.goal_points  # a property that calls compiled code
    for move in (MoonTake(Color.BLUE, None), EndTiling()):
        effects_of(game.states, game.states, move)
    with_a_tile = game.states
    with_a_tile["line_color"][0, 0, 0] = Color.BLUE
    with_a_tile["line_size"][0, 0, 0] = 1
    engine.break_line(with_a_tile, 0, 0, 0)
    record = Record.of(game)
    record.check()
    record.view(0)
    Game.from_position(game.position).view(0).sample(1)


def warm_engine() -> None:
    """Loads or compiles all that the service itself needs for games, but for forecasts."""
    warm_beginning()
    warm_moves()
    _touch(_ENGINE_STAMP)


def warm_forecasts() -> None:
    """Loads or compiles the forecasts."""
    load_forecasts(_over())
    _touch(_FORECASTS_STAMP)


def warm_players() -> None:
    """Loads or compiles the quick opponents, and what reads their views. Two processes that need them compile them
    once: the second waits, and loads them."""
    if not IS_JIT or _PLAYERS_STAMP.exists():
        _load_players()
        return
    with _alone(_PLAYERS_STAMP):
        _load_players()
        _touch(_PLAYERS_STAMP)


def _load_players() -> None:
    """The search is first, since nothing else of this size is needed; another process may compile meanwhile what lists
    moves and reads views."""
    game = Game.new(seed=1)
    Searcher(1, 1).run(game.view(game.turn), seed=1)
    view = View.from_bytes(game.view(game.turn).to_bytes())
    for opponent in OPPONENTS.values():
        if opponent.seconds < _MAX_WARM_UP_S:
            player(opponent.player).choose(view)
    warm_hints()


def warm_reasons() -> None:
    """Loads or compiles what says why a move is better than another."""
    game = Game.new(seed=1)
    Foresight(sims=1, lines=1).of(game.view(game.turn), game.legal_moves[0])
    Planner().plan(game.states, game.turn)


def warm_hints() -> None:
    """Loads or compiles what the service needs to tell of a computer's advice."""
    Game.new(seed=1).view(0).sample(0)
