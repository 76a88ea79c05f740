"""The command line: `sintra --help` teaches it."""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from _thread import interrupt_main
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import StringIO, TextIOWrapper
from threading import Timer
from typing import Final, NoReturn, TextIO

from sintra import __version__
from sintra.cli import (
    arena,
    bench,
    check,
    engine,
    learn,
    legal,
    perft,
    players,
    puzzles,
    review,
    selfplay,
    serve,
    show,
    tables,
    warm,
)
from sintra.errors import SintraError
from sintra.rules.compiled import RUNNING, require_engine
from sintra.rules.library import LibraryError, NoEngineError

_COMMANDS: Final = (
    *(serve, tables, selfplay, check, legal, perft, show, review),
    *(puzzles, arena, engine, learn, players, bench, warm),
)
"""The modules of the commands, in the order in which `--help` lists them."""
_STOPPED: Final = 130
"""The exit code after Ctrl-C, by convention."""
_RETRY_AFTER_S: Final = 0.05
"""How long after a lost Ctrl-C it is raised again."""
_DESCRIPTION = """\
Sintra plays, checks and measures Azul Duel. Without a command it opens the table in your browser.

  sintra                                          play in the browser: computer, one screen, or a friend
  sintra serve --port 8080 --network              serve the table, also to your network
  sintra tables copy old.sqlite postgresql://…    move its games to another database, or check them all
  sintra selfplay --games 10 --out games.jsonl    play games between two players; --format npz: data for training
  sintra check games.jsonl                        replay records and verify every move
  sintra show games.jsonl --game 3 --ply 40       look at a position; --svg, --png, --gif, --plot draw it
  sintra legal games.jsonl --game 3 --ply 40      its legal moves
  sintra review games.jsonl --game 3              what decisions and chance did in a finished game
  sintra puzzles show packaged 0                  a puzzle; make and check are there, too
  sintra perft games.jsonl --ply 2 --depth 2      count move sequences
  sintra arena search greedy --games 100          who is better, and where the points come from
  sintra arena search --engine "./my-engine"      the same against a program of your own, in any language
  sintra engine search:sims=800                   a player as such a program, on standard input and output
  sintra learn FOLDER --minutes 60                let the search learn from its own games
  sintra players                                  list the players
  sintra bench                                    how fast the engine is here
  sintra warm                                     in a checkout, compile everything now: the first game starts at once

A FILE holds game records (sintra/1): one JSON object, or one per line; - reads standard input.
Games in a file count from 0. Ply K is the position after K moves; without --ply, after all.
"""


def run() -> NoReturn:
    """The command line as a program. One that was stopped ends at once: freeing what the compiler had half made can
    crash, so its frames are kept, nothing is collected and Python's own end is left out."""
    code = main()
    if code != _STOPPED:
        sys.exit(code)
    gc.disable()
    atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; a user's mistake is one clear line and exit code 2, a mismatch 1. The frames of one that was
    stopped stay where Python keeps those of its last error."""
    _prepare_channels()
    options = _parser().parse_args(arguments)
    try:
        require_engine()
        with _no_signal_lost():
            code = int(options.run(options))
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _mute()
        return 0
    except OSError as error:
        _mute()
        _report_error(f"sintra: cannot go on: {error.strerror or error}")
        return 2
    except KeyboardInterrupt as interrupt:
        sys.last_value = interrupt
        _report_error("sintra: stopped")
        return _STOPPED
    except (SintraError, NoEngineError, LibraryError) as error:
        _report_error(f"sintra {options.command}: {error}" if options.command else f"sintra: {error}")
        return 2


@contextmanager
def _no_signal_lost() -> Iterator[None]:
    """Raises a Ctrl-C again that Python lost because it came in a callback of a library, such as the compiler's."""

    def notice(lost: sys.UnraisableHookArgs) -> None:
        if issubclass(lost.exc_type, KeyboardInterrupt):
            Timer(_RETRY_AFTER_S, interrupt_main).start()
        else:
            before(lost)

    before, sys.unraisablehook = sys.unraisablehook, notice
    try:
        yield
    finally:
        sys.unraisablehook = before


def _report_error(text: str) -> None:
    """Prints an error, if standard error can be written to."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        _mute(sys.stderr)


def _mute(channel: TextIO | None = None) -> None:
    """Redirects a channel to nowhere, so that Python does not try to flush it again at its end."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), (channel or sys.stdout).fileno())


def _prepare_channels() -> None:
    """Makes closed channels swallow what is written, and replaces letters that a terminal lacks."""
    for name in ("stdout", "stderr"):
        channel = getattr(sys, name)
        if channel is None:
            setattr(sys, name, StringIO())
        elif isinstance(channel, TextIOWrapper):
            channel.reconfigure(errors="backslashreplace" if name == "stderr" else "replace")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sintra", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"sintra {__version__} ({RUNNING})")
    serve.add_play_options(parser)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in _COMMANDS:
        command.add_command(commands)
    return parser
