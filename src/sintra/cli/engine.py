"""`sintra engine`: one of our players as a program that others can talk to."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Final

from sintra import __version__

_DESCRIPTION: Final = """\
One of the players as an engine: it reads commands from standard input, a line each, and answers on standard output.
docs/engine-protocol.md has the whole protocol. A talk by hand:

  sintra                          who are you, and what can be set?
  newgame seed 7                  a game begins
  isready                         answered when everything is loaded
  position seat: 0; round: 1; ... what the seat to move knows, as text; `sintra show` can print it
  legal                           the legal moves there
  go sims 800                     or go movetime 500 (milliseconds), or go: think, and answer with bestmove
  stop                            answer now
  quit
"""


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "engine",
        help="one of the players as a program that speaks the engine protocol",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "player",
        nargs="?",
        default="search",
        metavar="PLAYER",
        help="like search:sims=400 or champion (default: search)",
    )
    command.set_defaults(run=_engine)


def _engine(options: argparse.Namespace) -> int:
    from sintra.protocol.answering import EngineSession, lines_of

    def say(line: str) -> None:
        print(line, flush=True)

    session = EngineSession(options.player, f"sintra {__version__}", say)
    channel = sys.stdin.fileno() if sys.stdin else None
    session.hold(() if channel is None else lines_of(channel))
    return 0
