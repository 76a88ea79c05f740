"""`simple`: looks once at what lies there and fills lines where it can, as a newcomer might."""

from __future__ import annotations

import random
from typing import Final

from sintra.components import FACTORY_LETTERS, LINES, NOTHING, PLATE_SPACES, WILD
from sintra.game.game import View
from sintra.players.base import Clock, Seeded, register
from sintra.rules.choices import first_of, plate_and_slot
from sintra.rules.state import States
from sintra.tabletop.moves import Draw, LayPlate, Look, Move, Pay, Place, SunTake, TakeChip, TakeTiles, path_of

FULL_LINE: Final = 6.0
"""What a take is liked for if it fills a line, besides 1 for each place of the line."""
BEGUN_LINE: Final = 1.0
"""What a take is liked for if it goes on with a line."""
SHARE: Final = 3.0
"""What a take is liked for by the share of the line that it fills."""
BREAKS: Final = 3.0
"""What a take is disliked for by each tile that breaks."""
NO_SPACE: Final = 3.0
"""What a take is disliked for if the line's row has no space for the colour."""
PLATE: Final = 1.5
"""What laying a plate is liked for."""
WANTED: Final = 3.0
"""What a plate is liked for by each of its spaces that shows what a begun line of its row is waiting for."""
CHIP: Final = 2.0
"""What taking a chip is liked for."""
LOOK: Final = 1.0
"""What looking at drawn plates is liked for."""
DRAW: Final = 0.5
"""What drawing a plate is liked for."""
PLACEMENT: Final = 10.0
"""What placing a tile is liked for, besides the points that it scores at once."""
PAYMENT: Final = 5.0
"""What completing a line with chips is liked for; placing a tile comes first."""


class _Glance:
    """What is seen of a view at one look: the mover's lines, and where their rows have spaces."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.states: States = view.states
        s, seat = self.states[0], view.seat
        self.colors: list[int] = s["line_color"][seat].tolist()
        self.sizes: list[int] = s["line_size"][seat].tolist()
        self.open: list[set[int]] = [
            {shown for shown, tile in zip(shows, tiles, strict=True) if shown != NOTHING and tile == NOTHING}
            for shows, tiles in zip(s["space"][seat].tolist(), s["dome"][seat].tolist(), strict=True)
        ]
        self.sun: list[list[int]] = s["sun"].tolist()
        self.moon: list[int] = s["moon"].tolist()
        for stack, height in zip(s["stack"].tolist(), s["stack_height"].tolist(), strict=True):
            if height:
                self.moon[stack[height - 1]] += 1

    def has_space(self, row: int, color: int) -> bool:
        """Whether a row has an empty space for a colour."""
        return color in self.open[row] or WILD in self.open[row]

    def liking(self, move: Move) -> float:
        """How much a move is liked."""
        if isinstance(move, TakeTiles):
            return self._take(move)
        if isinstance(move, LayPlate):
            return self._plate(move)
        if isinstance(move, Place):
            return PLACEMENT + self.view.preview(move).points_now
        if isinstance(move, Pay):
            return PAYMENT - len(move.chips) / LINES
        return {TakeChip: CHIP, Look: LOOK, Draw: DRAW}.get(type(move), 0.0)

    def _take(self, move: TakeTiles) -> float:
        color = int(move.color)
        n = self.sun[FACTORY_LETTERS.index(move.factory)][color] if isinstance(move, SunTake) else self.moon[color]
        if move.line is None:
            return -BREAKS * n
        line = move.line - 1
        room = move.line - self.sizes[line]
        value = SHARE * min(n, room) / move.line - BREAKS * max(n - room, 0)
        if n >= room:
            value += FULL_LINE + move.line
        if self.sizes[line]:
            value += BEGUN_LINE
        return value if self.has_space(line, color) else value - NO_SPACE

    def _plate(self, move: LayPlate) -> float:
        plate, slot = plate_and_slot(first_of(path_of(move, self.states, 0)))
        value = PLATE
        for r, shows in enumerate(PLATE_SPACES[plate][move.turns]):
            row = 2 * (slot // 3) + r
            if self.sizes[row] and not self.has_space(row, self.colors[row]):
                value += WANTED * sum(shown in (WILD, self.colors[row]) for shown in shows)
        return value


@register("simple", "one look: fills lines where it can, lays plates where a line waits, breaks no tiles", seed=int)
class SimplePlayer(Seeded):
    """A newcomer: likes what fills a line now, and does not look ahead. Among equals chance decides."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__("simple", seed)

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """One of the moves that are liked most."""
        glance = _Glance(view)
        liked = [(glance.liking(move), move) for move in view.legal_moves]
        most = max(value for value, _ in liked)
        return random.Random(self.seed_for(view)).choice([move for value, move in liked if value == most])
