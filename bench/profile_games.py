"""Where the points of recorded games came from, and the habits of their players:

    python bench/profile_games.py docs/games/champion.jsonl

The same tables as `sintra arena` prints of a match, for any file of finished games.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from sintra.arena.profile import profile_of
from sintra.arena.report import Profiles, print_profiles
from sintra.errors import SintraError
from sintra.records.files import read_records


def profiles_of(path: Path) -> Profiles:
    """How each player played in the games of a file."""
    found: Profiles = {}
    for record in read_records(path):
        game = record.check()
        for seat, name in enumerate(record.players):
            found.setdefault(name, []).append(profile_of(game, seat))
    return found


def main() -> None:
    """Prints the tables."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("file", type=Path, metavar="FILE", help="game records, one a line")
    try:
        profiles = profiles_of(parser.parse_args().file)
    except (SintraError, OSError) as error:
        parser.error(str(error))
    print_profiles(profiles, Console(width=140))


if __name__ == "__main__":
    main()
