"""One of our players under the engine protocol: it thinks as `go` says, and tells what it thinks."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Final

from sintra.game.game import View
from sintra.players.base import Player, entries, player, require_turn
from sintra.players.champion import MAX_SHARE, MAX_SIMULATIONS
from sintra.players.hints import exact_evaluation, main_line
from sintra.players.levels import LevelPlayer
from sintra.players.search import Searcher, SearchPlayer
from sintra.players.visits import searcher_of
from sintra.players.warm_up import warm_up
from sintra.protocol.lines import Go, ProtocolError, whole
from sintra.tabletop.moves import Move, move_of

LINES: Final = 3
"""The moves that an engine reports by default."""
MAX_LINES: Final = 100
"""The most moves that an engine can be asked to report."""
_BEFORE_THE_LIMIT: Final = 0.8
"""The share of a time limit that an engine thinks for at most; the rest is a reserve."""
_ENDING_NODES: Final = 250_000
"""The nodes that an exact search may visit for each second there is: about half of that second."""
_INFO_INTERVAL_S: Final = 1.0
"""The time between two lines of information about a search."""
_KINDS: Final = {int: "number", float: "number", str: "text"}


class Decider:
    """A player from its name; what is said of its thinking goes to `tell`."""

    def __init__(self, text: str, tell: Callable[[str], None]) -> None:
        kind, _, rest = text.partition(":")
        self._player = player(text)
        self._kind = kind
        self._parameters = dict(part.split("=", 1) for part in rest.split(",") if part)
        self._variant: tuple[str, Player] = (text, self._player)
        self._tell = tell
        self._seed = 0
        self.lines = LINES

    @property
    def name(self) -> str:
        """The player as it is set up now."""
        return self._named(self._parameters)

    def _named(self, parameters: dict[str, str]) -> str:
        said = ",".join(f"{name}={value}" for name, value in parameters.items())
        return f"{self._kind}:{said}" if said else self._kind

    @property
    def _known(self) -> dict[str, type]:
        """The parameters that players of this kind take."""
        return next(entry.parameters for entry in entries() if entry.name == self._kind)

    def options(self) -> list[str]:
        """What can be set: how many moves are told of, and the parameters of the player."""
        own = [f"{name} {_KINDS.get(kind, 'text')}" for name, kind in self._known.items()]
        set_now = [
            f"{one} default {self._parameters[name]}" if name in self._parameters else one
            for name, one in zip(self._known, own, strict=True)
        ]
        return [f"lines number default {LINES} min 0 max {MAX_LINES}", *set_now]

    def set_option(self, name: str, value: str) -> None:
        """Sets one of the options; a value that the player refuses changes nothing."""
        if name == "lines":
            self.lines = whole("lines", value, 0, MAX_LINES)
            return
        if name not in self._known:
            raise ProtocolError(f"there is no option {name!r}: there are {', '.join(('lines', *self._known))}")
        if "," in value or not value:
            raise ProtocolError(f"{name} cannot be {value!r}")
        parameters = self._parameters | {name: value}
        self._player = player(self._named(parameters))
        self._player.new_game(self._seed)
        self._parameters = parameters
        self._variant = (self.name, self._player)

    def new_game(self, seed: int) -> None:
        """Begins a game."""
        self._seed = seed
        self._player.new_game(seed)
        self._variant[1].new_game(seed)

    def warm_up(self) -> None:
        """Loads or compiles everything that the player needs."""
        searcher = searcher_of(self._player)
        if searcher:
            searcher.is_stopped = lambda: True
        warm_up(self._player)
        if searcher:
            searcher.is_stopped = None

    def decide(self, view: View, go: Go, is_stopped: Callable[[], bool]) -> Move:
        """Finds a move within what `go` allows, or until it is told to stop; returns it with its evaluation."""
        require_turn(view)
        began = time.monotonic()
        seconds = min(go.movetime or math.inf, _BEFORE_THE_LIMIT * (go.limit or math.inf)) / 1000
        one = self._player_for(go)
        searcher = searcher_of(one)
        if searcher is None:
            move = one.choose(view)
            self._tell(f"info time {_since(began)}")
            return move
        next_news = began + _INFO_INTERVAL_S

        def is_enough() -> bool:
            nonlocal next_news
            now = time.monotonic()
            if now >= next_news:
                next_news = now + _INFO_INTERVAL_S
                self._tell_of_search(searcher, began)
                if len(searcher.trees) == 1:
                    self._tell_of_moves(view, searcher, 1)
            return is_stopped() or now - began >= seconds

        strong = one.strong if isinstance(one, LevelPlayer) else one if isinstance(one, SearchPlayer) else None
        searcher.forget()
        searcher.is_stopped = is_enough
        nodes = strong.endgame.nodes if strong and strong.endgame else 0
        try:
            if strong and strong.endgame:
                strong.last_ending = None
                strong.endgame.nodes = int(min(nodes, max(1, _ENDING_NODES * seconds)))
            move = one.choose(view)
        finally:
            searcher.is_stopped = None
            if strong and strong.endgame:
                strong.endgame.nodes = nodes
        self._tell_of_search(searcher, began)
        if strong and strong.last_ending:
            best = exact_evaluation(view, strong.last_ending).best
            self._tell(f"info exact 1 chance {best.win:.3f} lead {best.lead:.1f} line {best.move}")
        elif strong and searcher.simulations_done:
            self._tell_of_moves(view, searcher, self.lines)
        return move

    def _player_for(self, go: Go) -> Player:
        """The player with the budget that is asked for, as far as it has one."""
        more: dict[str, str] = {}
        if go.sims is not None:
            if "sims" in self._known:
                more = {"sims": str(go.sims)}
            else:
                self._tell(f"info string {self._kind} does not count simulations: it thinks as usual")
        elif go.movetime is not None and "sims" in self._known:
            more = {"sims": str(MAX_SIMULATIONS)}
        elif go.movetime is not None and "share" in self._known:
            more = {"share": f"{MAX_SHARE:g}"}
        if not more:
            return self._player
        name = self._named(self._parameters | more)
        if self._variant[0] != name:
            self._variant = (name, player(name))
            self._variant[1].new_game(self._seed)
        return self._variant[1]

    def _tell_of_search(self, searcher: Searcher, began: float) -> None:
        self._tell(f"info time {_since(began)} sims {searcher.simulations_done}")

    def _tell_of_moves(self, view: View, searcher: Searcher, most: int) -> None:
        """The moves that were looked at most, the one that would be played first."""
        state = view.states
        best = searcher.best(state)
        found = sorted(searcher.candidates(state), key=lambda one: one.path != best)
        for rank, one in enumerate(found[:most], start=1):
            moves = [
                move_of(one.path, state, 0),
                *(move for _, move, _ in main_line(searcher.trees[0], state, one.path)),
            ]
            line = " ".join(map(str, moves))
            self._tell(f"info rank {rank} chance {one.value:.3f} visits {one.visits} line {line}")


def _since(began: float) -> int:
    """The milliseconds since a time."""
    return int(1000 * (time.monotonic() - began))
