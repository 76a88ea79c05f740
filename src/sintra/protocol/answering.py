"""Our side of the engine protocol: commands come in, answers go out, and thinking can be stopped meanwhile."""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from sintra.errors import SintraError
from sintra.game.game import View
from sintra.game.seeds import SEED_BITS
from sintra.processes.program import shortened
from sintra.protocol.deciding import Decider
from sintra.protocol.lines import VERSION, Go, ProtocolError, view_in, whole

MAX_BYTES: Final = 1_000_000
"""The most bytes in a line."""
MAX_ERROR_LETTERS: Final = 1000
"""The most letters in an error, which may repeat what was sent; longer ones are cut."""
_WHOLE_SEED: Final = (1 << SEED_BITS) - 1


@dataclass(frozen=True, slots=True)
class _Order:
    """A line that is to be obeyed, and whether the thinking it asks for was stopped."""

    line: str
    stop: threading.Event = field(default_factory=threading.Event)


class EngineSession:
    """A talk with somebody who asks for moves. Every line is answered in its turn; only `stop`, `quit` and `isready`
    are heard while a move is thought about."""

    def __init__(self, player: str, title: str, say: Callable[[str], None]) -> None:
        self._saying = threading.Lock()
        self._channel = say
        self._decider = Decider(player, self._say)
        self._title = title
        self._view: View | None = None
        self._is_warm = False
        self._orders: queue.SimpleQueue[_Order | None] = queue.SimpleQueue()
        self._thinking = threading.Event()
        self._quitting = threading.Event()
        self._commands = {
            "sintra": self._greet,
            "setoption": self._set_option,
            "newgame": self._new_game,
            "isready": self._get_ready,
            "position": self._set_up,
            "legal": self._list_moves,
            "go": self._go,
        }

    def hold(self, lines: Iterable[str]) -> None:
        """Obeys line after line, until `quit` or the end; what was asked for before the end is still answered."""
        threading.Thread(target=self._listen, args=(lines,), daemon=True).start()
        while order := self._orders.get():
            word, *words = order.line.split(maxsplit=1)
            try:
                if word not in self._commands:
                    known = ", ".join((*self._commands, "stop", "quit"))
                    raise ProtocolError(f"unknown command {word[:40]!r}: there are {known}")
                self._commands[word](words[0].strip() if words else "", order)
            except SintraError as error:
                self._say(f"error {shortened(' '.join(str(error).split()), MAX_ERROR_LETTERS)}")

    def _listen(self, lines: Iterable[str]) -> None:
        """Takes orders, and hears at once what must not wait."""
        latest = _Order("")
        for line in lines:
            match line.split(maxsplit=1)[:1]:
                case ["quit"]:
                    self._quitting.set()
                    break
                case ["stop"]:
                    latest.stop.set()
                case ["isready"] if self._thinking.is_set():
                    with contextlib.suppress(OSError):
                        self._say("readyok")
                case [word]:
                    order = _Order(line)
                    latest = order if word == "go" else latest
                    self._orders.put(order)
        self._orders.put(None)

    def _say(self, line: str) -> None:
        with self._saying:
            self._channel(line)

    def _greet(self, rest: str, _: _Order) -> None:
        whole("sintra", rest or str(VERSION), 1, 1_000_000)
        self._say(f"name {self._title} {self._decider.name}")
        for option in self._decider.options():
            self._say(f"option {option}")
        self._say(f"ok {VERSION}")

    def _set_option(self, rest: str, _: _Order) -> None:
        name, _space, value = rest.partition(" ")
        if not name:
            raise ProtocolError("setoption takes a name and a value, like setoption lines 5")
        self._decider.set_option(name, value.strip())

    def _new_game(self, rest: str, _: _Order) -> None:
        match rest.split():
            case []:
                self._decider.new_game(0)
            case ["seed", number]:
                self._decider.new_game(whole("newgame seed", number, 0, _WHOLE_SEED))
            case _:
                raise ProtocolError("newgame takes nothing but a seed, like newgame seed 7")
        self._view = None

    def _get_ready(self, rest: str, _: _Order) -> None:
        if not self._is_warm:
            self._decider.warm_up()
            self._is_warm = True
        self._say("readyok")

    def _set_up(self, rest: str, _: _Order) -> None:
        self._view = None
        if not rest:
            raise ProtocolError("position takes a position as text, with ; between its parts")
        self._view = view_in(rest)

    def _list_moves(self, rest: str, _: _Order) -> None:
        """Told which moves are legal, there is nothing to do; asked, it says so."""
        if not rest:
            self._say(" ".join(["legal", *map(str, self._there().legal_moves)]))

    def _there(self) -> View:
        if self._view is None:
            raise ProtocolError("there is no position yet: send position first")
        return self._view

    def _go(self, rest: str, order: _Order) -> None:
        view, go = self._there(), Go.parse(rest.split())
        self._thinking.set()
        try:
            move = self._decider.decide(view, go, lambda: order.stop.is_set() or self._quitting.is_set())
        finally:
            self._thinking.clear()
        self._say(f"bestmove {move}")


def lines_of(channel: int) -> Iterator[str]:
    """The lines that come through a channel, given by its number; what is too long for one is cut."""
    rest = b""
    with contextlib.suppress(OSError):
        while data := os.read(channel, 65536):
            *whole_lines, rest = (rest + data).split(b"\n")
            for line in whole_lines:
                yield line.decode("utf-8", "replace")
            rest = rest[:MAX_BYTES]
    if rest:
        yield rest.decode("utf-8", "replace")
