"""An agent of your own in 20 lines: a class that chooses a move from what its seat may know.

    python examples/agent.py                                   # four games each against random and greedy
    python examples/agent.py arena thrifty greedy --games 100  # the whole command line, which knows it now

It looks one move ahead: it fills lines whose row has a space for the colour, lays plates, and breaks nothing if it can.
"""

import sys
from random import Random

from sintra import DisplayPlate, Place, PlateKind, TakeChip, TakeTiles
from sintra.arena.selfplay import selfplay
from sintra.cli import run
from sintra.players import register


@register("thrifty", "fills lines and breaks nothing", seed=int)
class Thrifty:
    """Plays the move that does most for it now."""

    def __init__(self, seed=0):
        self.name, self._seed, self._dice = "thrifty", seed, Random(seed)

    def new_game(self, seed):
        """All that is random in a game follows from its seed."""
        self._dice = Random(f"{self._seed} {seed}")

    def choose(self, view, clock=None):
        """A legal move of the view."""
        dome = view.board(view.seat).dome
        room = [{space.shows for space in row if space.tile is None} for row in dome]
        return max(view.legal_moves, key=lambda move: (self._worth(view, move, room), self._dice.random()))

    def _worth(self, view, move, room):
        match move:
            case TakeTiles():
                effect = view.preview(move)
                fits = move.line and {move.color, PlateKind.WILD} & room[move.line - 1]
                return (effect.to_line + 4 * effect.completes_line if fits else 0) - 3 * effect.broken
            case Place():
                return 9 + view.preview(move).points_now
        return 3 * isinstance(move, DisplayPlate) + isinstance(move, TakeChip)


def play():
    """Four games against each of two players, two from either seat."""
    for other in ("random", "greedy"):
        won, mine, theirs = 0, 0, 0
        for record in selfplay(["thrifty", other], games=4, seed=1):
            seat = record.players.index("thrifty")
            won += record.result.winner == seat
            mine += record.result.scores[seat]
            theirs += record.result.scores[1 - seat]
        print(f"thrifty won {won} of 4 games against {other}, {mine / 4:.1f} : {theirs / 4:.1f} points")


if __name__ == "__main__":
    if sys.argv[1:]:
        run()
    play()
