"""A program that speaks the engine protocol as a player: it is told views, and its moves are checked."""

from __future__ import annotations

import contextlib
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

from sintra.errors import IllegalMoveError, NotationError, SintraError
from sintra.game.game import View
from sintra.players.base import Clock, require_turn
from sintra.processes.program import Program, ProgramError, ProgramLostError, parse_command, shortened
from sintra.protocol.lines import VERSION, Go, in_one_line
from sintra.tabletop.moves import Move

ENGINE: Final = "engine:"
"""How the name of a player begins that is a program; its command follows."""
_GREETING: Final = ("name", "author", "option")
"""What a program may say of itself before it says `ok`."""
MAX_ANSWER_LINES: Final = 100_000
MAX_ANSWER_CHARACTERS: Final = 10_000_000
"""A program that says more than this before the answer it owes, or between two answers, is ended."""
MAX_INFO_LINES: Final = 1000
"""The number of `info` lines of a move that are kept, the latest ones."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """The seconds that a program has for a move, and for its start and to be ready for a game."""

    move: float = 10.0
    start: float = 60.0


class EngineFaultError(SintraError):
    """A program did not answer as the protocol says: it ended, said nothing in time (`is_timeout`), or something that
    cannot be meant, or its move is not legal. It is not running any more; its next game starts it again."""

    def __init__(self, reason: str, program: EngineProgram, *, is_timeout: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.program = program
        self.is_timeout = is_timeout


class _NothingSaidError(Exception):
    """A program has said no line in time."""


class EngineProgram:
    """A player made from a command. It is started when it is first needed; `close` ends it."""

    def __init__(
        self,
        command: str | Sequence[str],
        limits: TimeLimits | None = None,
        options: Mapping[str, str | int] | None = None,
    ) -> None:
        """`options` are set at every start; a program that does not have one of them is refused."""
        parse_command(command)
        self._command = command
        self.limits = limits or TimeLimits()
        self.options = dict(options or {})
        self.name = ENGINE + (command if isinstance(command, str) else shlex.join(command))
        self.title = ""
        """What the program calls itself, once it was started."""
        self.info: list[str] = []
        """What it said of its last move: the rest of each `info` line, of the last 1000 at most."""
        self._program: Program | None = None
        self._said = (0, 0)
        """Lines and characters since something was asked."""

    def start(self) -> None:
        """Starts the program and greets it, if it is not running."""
        if self._program:
            return
        try:
            self._program = Program(self._command)
        except ProgramError as error:
            raise self._fault(str(error)) from None
        until = time.monotonic() + self.limits.start
        offered: set[str] = set()
        self._ask(f"sintra {VERSION}")
        while True:
            word, rest = self._next(until, self.limits.start, ("ok", *_GREETING))
            if word == "name":
                self.title = rest
            elif word == "option":
                offered.add(rest.partition(" ")[0])
            elif word == "ok":
                break
        if rest != str(VERSION):
            raise self._fault(f"speaks version {shortened(rest)!r} of the protocol, not {VERSION}")
        for name, value in self.options.items():
            if name not in offered:
                raise self._fault(f"has no option {name!r}: it has {', '.join(sorted(offered)) or 'none'}")
            self._program.send(f"setoption {name} {value}")
        self._make_sure(until)

    def new_game(self, seed: int) -> None:
        """A game begins; whatever is random in the program should follow from the seed."""
        self.start()
        assert self._program is not None
        self._program.send(f"newgame seed {seed}")
        self._make_sure(time.monotonic() + self.limits.start)

    def _make_sure(self, until: float) -> None:
        """Waits until the program has done what it was told."""
        self._ask("isready")
        self._next(until, self.limits.start, ("readyok",))

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """The program's move: a legal one, or an `EngineFaultError`."""
        require_turn(view)
        self.start()
        assert self._program is not None
        seconds = self.limits.move if clock is None else min(self.limits.move, max(clock.left, 0.0))
        self._expect_silence()
        self.info = []
        self._program.send(f"position {in_one_line(view)}")
        legal = view.legal_moves
        self._program.send(f"legal {' '.join(map(str, legal))}")
        self._ask(str(Go(limit=max(1, int(1000 * seconds)))))
        _, token = self._next(time.monotonic() + seconds, seconds, ("bestmove",))
        try:
            return legal.require(Move.parse(token))
        except NotationError:
            raise self._fault(f"answered {shortened(token)!r}, which is no move") from None
        except IllegalMoveError as error:
            raise self._fault(f"made an illegal move: {error}") from None

    def _ask(self, line: str) -> None:
        """Tells the program a line that it owes an answer to."""
        assert self._program is not None
        self._said = (0, 0)
        self._program.send(line)

    def _expect_silence(self) -> None:
        """Nothing but information may have come unasked."""
        assert self._program is not None
        self._said = (0, 0)
        until = time.monotonic()
        with contextlib.suppress(_NothingSaidError):
            while True:
                word, line = self._read(until)
                if word not in ("", "info"):
                    raise self._fault(f"said {shortened(line)!r} unasked")

    def _next(self, until: float, seconds: float, wanted: tuple[str, ...]) -> tuple[str, str]:
        """The next line that begins with one of the words wanted, as word and rest; what it says of its thoughts on
        the way is kept."""
        while True:
            try:
                word, line = self._read(until)
            except _NothingSaidError:
                raise self._fault(f"gave no answer within {seconds:g} s", is_timeout=True) from None
            rest = line.removeprefix(word).strip()
            if word == "info":
                self.info.append(rest)
                del self.info[:-MAX_INFO_LINES]
            elif word in wanted:
                return word, rest
            elif word == "error":
                raise self._fault(f"said: {shortened(line)}")
            elif word:
                raise self._fault(f"said {shortened(line)!r} instead of {wanted[0]!r}")

    def _read(self, until: float) -> tuple[str, str]:
        """The next line that the program says before a time, and its first word."""
        assert self._program is not None
        try:
            line = self._program.read_line(until)
        except ProgramLostError as lost:
            if lost.is_timeout:
                raise _NothingSaidError from None
            raise self._fault(str(lost)) from None
        lines, characters = self._said
        self._said = (lines + 1, characters + len(line))
        if lines >= MAX_ANSWER_LINES or self._said[1] > MAX_ANSWER_CHARACTERS:
            raise self._fault(
                f"said more than {MAX_ANSWER_LINES:,} lines or {MAX_ANSWER_CHARACTERS:,} characters without an answer"
            )
        return line.partition(" ")[0], line

    def _fault(self, reason: str, *, is_timeout: bool = False) -> EngineFaultError:
        """The error for what a program did, which is ended."""
        self.close()
        return EngineFaultError(reason, self, is_timeout=is_timeout)

    def close(self) -> None:
        """Ends the program, if it is running."""
        program, self._program = self._program, None
        if program:
            program.send("quit")
            program.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_engine(name: str) -> bool:
    """Whether the name of a player stands for a program."""
    return name.startswith(ENGINE)


def engine_named(name: str, limits: TimeLimits | None = None) -> EngineProgram:
    """The program for a player's name, `engine:` and its command."""
    return EngineProgram(name.removeprefix(ENGINE), limits)
