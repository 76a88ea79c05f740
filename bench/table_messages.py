"""What the messages of a move cost the table, part by part, in processor time.

    make messages
    python bench/table_messages.py --games 200

Whole games of random play against a friend and against the computer go on side by side, move by move, as in a
service with so many games: what is kept for the latest few of them is of no use to the others. Each move is checked,
written down, folded into its room, and told to both seats (to the one, against the computer) and to a spectator.
Printed are the microseconds of an event; then the same games are played again, with a stopwatch in every part.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from random import Random
from typing import Any, Final
from unittest import mock

import msgspec

from sintra.table.base.opponents import USUAL
from sintra.table.base.times import time_now
from sintra.table.games import room
from sintra.table.games.acts import MoveAct
from sintra.table.games.log import Created, Joined, write_event
from sintra.table.games.room import Room
from sintra.table.games.storage import Stored
from sintra.table.service import live
from sintra.table.service.live import Hub, event_message
from sintra.table.shown import game, options, position, turns
from sintra.table.shown.game import Announcement, Watcher, whole_game
from sintra.tabletop.ruleset import RuleOptions

SPECTATOR: Final = Watcher()
WATCHERS: Final = {"friend": (Watcher((0,)), Watcher((1,)), SPECTATOR), "computer": (Watcher((0,)), SPECTATOR)}
PARTS: Final[dict[str, list[tuple[Any, str]]]] = {
    "view": [(room, "_view")],
    "position": [(game, "open_position"), (game, "with_pile")],
    "forecasts of boards": [(position, "forecasts_in")],
    "options": [(game, "options_of")],
    "options foreseen": [(options, "foreseen_in")],
    "forecasts of options": [(turns, "note_forecasts")],
    "event": [(game, "_event")],
    "story": [(game, "story_of")],
    "encode": [(live, "_encode"), (game, "written")],
}
"""The functions of each part; what one of another part takes inside it is not counted."""


class Stopwatches:
    """The processor time of each part: while a part runs within another, the other one's watch stands still."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = {}
        self._running: list[str] = []
        self._since = 0.0

    @contextmanager
    def runs(self, part: str) -> Iterator[None]:
        """Runs the watch of a part within the context."""
        self._begin(part)
        try:
            yield
        finally:
            self._end()

    def _begin(self, part: str) -> None:
        self._note()
        self._running.append(part)

    def _end(self) -> None:
        self._note()
        self._running.pop()

    def _note(self) -> None:
        now = time.process_time()
        if self._running:
            self.taken[self._running[-1]] = self.taken.get(self._running[-1], 0.0) + now - self._since
        self._since = now

    def around(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, with the watch of its part around it."""

        @wraps(function)
        def watched(*arguments: Any, **named: Any) -> Any:
            self._begin(part)
            try:
                return function(*arguments, **named)
            finally:
                self._end()

        return watched


def new_room(seed: int, mode: str) -> Room:
    """A game before its first move, to which all observers listen."""
    made = Created(seed, seed + 1, mode, ["Ann", "Ben"], [], 3, RuleOptions(), USUAL)
    begun = Room(f"{seed:012}", [Stored(0, None, time_now(), write_event(made))])
    if mode == "friend":
        begun.add(Stored(1, None, time_now(), write_event(Joined(1, "Ben"))))
    for watcher in WATCHERS[mode]:
        whole_game(begun, watcher, [True, True])
    return begun


def play(games: int, mode: str, watches: Stopwatches) -> tuple[int, int]:
    """Plays so many games to their ends, side by side; returns the number of events and the bytes of their messages."""
    rooms, dice, nobody = [new_room(seed, mode) for seed in range(games)], Random(1), Hub()
    events = size = 0
    while rooms := [one for one in rooms if one.now.status == "playing"]:
        for one in rooms:
            moves = one.game.legal_moves
            token = str(moves[dice.randrange(len(moves))])
            with watches.runs("check"):
                event = MoveAct("", one.seq, token).event(one, (0, 1), nobody)
            with watches.runs("write"):
                timed = one.timed(event)
                stored = Stored(one.seq + 1, None, time_now(), write_event(timed))
            with watches.runs("room"):
                one.add(stored, timed)
            with watches.runs("messages"):
                announcement = Announcement(one, [True, True], one.seq)
                told = [event_message(announcement, watcher) for watcher in WATCHERS[mode]]
            events += 1
            size += sum(map(len, told))
    return events, size


def tell(mode: str, games: int, events: int, size: int, taken: dict[str, float]) -> None:
    """Prints what was measured."""
    print(f"{mode}: {games} games, {events} events, {size / events:.0f} bytes each")
    for part, seconds in taken.items():
        print(f"  {part:24} {1e6 * seconds / events:8.1f} µs")
    print(f"  {'all':24} {1e6 * sum(taken.values()) / events:8.1f} µs")


def main() -> None:
    """Measures both modes, as a whole and by part, and prints tables or JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40, help="games that go on side by side")
    parser.add_argument("--json", action="store_true", help="print JSON: microseconds of an event")
    asked = parser.parse_args()
    play(1, "friend", Stopwatches())
    found = {}
    for mode in WATCHERS:
        whole, parts = Stopwatches(), Stopwatches()
        events, size = play(asked.games, mode, whole)
        with ExitStack() as patched:
            for part, functions in PARTS.items():
                for owner, name in functions:
                    patched.enter_context(mock.patch.object(owner, name, parts.around(part, getattr(owner, name))))
            play(asked.games, mode, parts)
        found[mode] = {
            kind: {part: round(1e6 * seconds / events, 1) for part, seconds in watches.taken.items()}
            for kind, watches in (("whole", whole), ("parts", parts))
        }
        if not asked.json:
            tell(mode, asked.games, events, size, whole.taken)
            tell(f"{mode}, by part", asked.games, events, size, parts.taken)
    if asked.json:
        print(msgspec.json.encode(found).decode())


if __name__ == "__main__":
    main()
