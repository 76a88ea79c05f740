"""The facts of a position that sentences about a move rest on, and the names of the places they speak of."""

from __future__ import annotations

from collections.abc import Sequence

from sintra.components import BROKEN_PENALTIES, CHIPS, GRID, Color, PlateKind
from sintra.game.game import View
from sintra.game.preview import Preview, preview_of
from sintra.review.looks import Reply
from sintra.review.plans import Placed, Planner, TilingPlan
from sintra.review.reasons import state_after
from sintra.rules.state import PAYING, States, held
from sintra.tabletop.moves import LayPlate, MoonTake, Move, Pay, Place, SunTake, TakeChip, TakeTiles
from sintra.tabletop.pieces import Board, Factory, Line


class Facts:
    """A move, what else could be made, and the facts of the position."""

    def __init__(
        self,
        planner: Planner,
        view: View,
        move: Move,
        others: Sequence[Move],
        reply: Reply | None,
        their_reply: Reply | None,
        own_next: Reply | None,
    ) -> None:
        self.planner, self.view, self.move, self.others = planner, view, move, others
        self.reply, self.their_reply, self.own_next = reply, their_reply, own_next
        self.seat, self.rival = view.seat, 1 - view.seat
        self._after: States | None = None
        self._plans: dict[int, TilingPlan] = {}
        self._plan_of_other: TilingPlan | None = None

    # --- facts ----------------------------------------------------------------------------------

    @property
    def after(self) -> States:
        """The state after the move."""
        if self._after is None:
            self._after = state_after(self.view, self.move)
        return self._after

    def plan(self, after: bool) -> TilingPlan:
        """How the mover's board would be tiled, after the move or before it."""
        if after not in self._plans:
            self._plans[after] = self.planner.plan(self.after if after else self.view.states, self.seat)
        return self._plans[after]

    @property
    def other(self) -> Move | None:
        """The other move, if there is a single one."""
        return self.others[0] if len(self.others) == 1 else None

    def plan_of(self, other: Move) -> TilingPlan:
        """How the mover's board would be tiled after the other move."""
        if self._plan_of_other is None:
            self._plan_of_other = self.planner.plan(state_after(self.view, other), self.seat)
        return self._plan_of_other

    @property
    def board(self) -> Board:
        """The mover's board before the move."""
        return self.view.board(self.seat)

    def preview(self, move: Move) -> Preview:
        """What a move would do, as far as it is known."""
        return preview_of(self.view.states, move)

    def held(self, line: int) -> Line:
        """A line of the mover after the move."""
        return View.of_state(self.after, 0, self.seat).board(self.seat).lines[line - 1]

    def new_tiles(self) -> list[Placed]:
        """Tiles that the best tiling places after the move and not before, or elsewhere, those that score most
        first."""
        before = self.plan(False).placed
        found = [one for line, one in self.plan(True).placed.items() if before.get(line) != one]
        return sorted(found, key=lambda one: -(one.points + one.special_points))

    def breaking_cost(self, move: Move) -> int:
        """What the tiles cost that a take breaks at once."""
        if not isinstance(move, TakeTiles):
            return 0
        held = len(self.board.broken)
        return _penalty(held + self.preview(move).broken) - _penalty(held)

    @property
    def takes_start_tile(self) -> bool:
        """R3.7: whether the move takes the start tile."""
        return isinstance(self.move, TakeTiles) and self.preview(self.move).takes_start_tile

    def cannot_be_placed(self, move: Move) -> bool:
        """Whether what a take brings to its line breaks whatever happens: its row has no space for the colour, and no
        plate can bring one any more."""
        if not isinstance(move, TakeTiles) or move.line is None:
            return False
        row = self.board.dome[move.line - 1]
        takes = (None, move.color, PlateKind.WILD)
        return not any(space.is_empty and space.shows in takes for space in row)

    def has_room(self, line: Line, color: Color, count: int) -> bool:
        """Whether a line could have taken all these tiles."""
        return line.color in (None, color) and not line.is_placed and line.room >= count

    def begins(self, move: TakeTiles) -> bool:
        """Whether a take begins a line that was empty and does not fill it."""
        return (
            move.line is not None
            and self.board.lines[move.line - 1].color is None
            and not self.preview(move).completes_line
        )

    def open_spaces(self, row: int) -> int:
        """How many empty spaces a row of the dome has."""
        return sum(space.is_empty and space.shows is not None for space in self.board.dome[row - 1])

    def new_colors(self, move: LayPlate) -> list[tuple[int, Color]]:
        """The rows and colours for which a plate brings the first open space."""
        found = []
        for k in (0, 1):
            row = 2 * int(move.slot[0]) - 2 + k
            shown = {space.shows for space in self.board.dome[row] if space.is_empty}
            brought = [Color.from_letter(letter) for letter in move.face[2 * k : 2 * k + 2] if letter not in "*W"]
            if PlateKind.WILD not in shown:
                found += [(row + 1, color) for color in dict.fromkeys(brought) if color not in shown]
        return found

    def has_neighbours(self, move: LayPlate) -> bool:
        """Whether tiles lie beside the slot of a plate."""
        top, left = 2 * (int(move.slot[0]) - 1), 2 * (int(move.slot[1]) - 1)
        around = [(top + k, left + side) for k in (0, 1) for side in (-1, 2)]
        around += [(top + side, left + k) for k in (0, 1) for side in (-1, 2)]
        dome = self.board.dome
        return any(0 <= r < GRID and 0 <= c < GRID and not dome[r][c].is_empty for r, c in around)

    def landing(self) -> list[Placed]:
        """The tiles that the move brings to the dome: that of the line that it completes, or the one placed."""
        if isinstance(self.move, Place):
            return [Placed(self.move.line, self.move.column, 0, 1, None, 0)]
        if isinstance(self.move, TakeTiles | Pay) and self.move.line is not None:
            tile = self.plan(True).placed.get(self.move.line)
            return [tile] if tile else []
        return self.new_tiles()[:1]

    def missing_after(self, move: Pay) -> int:
        """R4.4: how many tiles a line that is paid for still lacks after the move."""
        after = held(self.after)
        paid = after.get("paid") if after.get("stage") == PAYING else None
        return 0 if paid is None else self.board.lines[move.line - 1].room - int(paid)

    def tiles_left(self) -> int:
        """How many tiles lie at the factories before the move."""
        return sum(len(one.sun) + len(one.moon) for one in self.view.factories)

    def leaves_same(self, other: Move) -> bool:
        """Whether the factories and the display are the same after the move as after another."""
        two = View.of_state(state_after(self.view, other), 0, self.seat)
        one = View.of_state(self.after, 0, self.seat)
        return (one.factories, one.display) == (two.factories, two.display)

    def stacks_otherwise(self, other: Move) -> bool:
        """R3.2: whether the move differs from another in nothing but the order of what is left, and so in the tile that
        lies on top."""
        mine = self.move
        if not isinstance(mine, SunTake) or not isinstance(other, SunTake):
            return False
        same = (mine.factory, mine.color, mine.line) == (other.factory, other.color, other.line)
        return same and bool(mine.order) and mine.order[-1:] != other.order[-1:]

    def takes_away(self, theirs: Move) -> bool:
        """Whether the move takes what the opponent would."""
        match self.move, theirs:
            case TakeTiles(color=mine), TakeTiles(color=color):
                return mine == color
            case LayPlate(plate=mine_plate), LayPlate(plate=plate):
                return mine_plate == plate
            case TakeChip(factory=mine_factory), TakeChip(factory=factory):
                return mine_factory == factory
        return False

    # --- places ---------------------------------------------------------------------------------

    def line(self, line: int, seat: int | None = None) -> str:
        """The name of a line, the mover's unless a seat is given."""
        return f"line-{self.seat if seat is None else seat}-{line}"

    def space(self, row: int, column: int) -> str:
        """The name of a space of the mover."""
        return f"space-{self.seat}-{row}-{column}"

    def source(self, move: Move) -> tuple[str, ...]:
        """Where a move takes from."""
        match move:
            case SunTake():
                return (f"sun-{move.factory}",)
            case MoonTake():
                tops = [f"moon-{one.name}" for one in self.view.factories if one.moon and _shows(one, move.color)]
                return tuple(tops)
            case TakeChip():
                return (f"chip-{move.factory}",)
            case LayPlate():
                return (f"slot-{self.seat}-{move.slot}",)
        return ()

    def moved(self) -> tuple[str, ...]:
        """Where the move itself happens."""
        match self.move:
            case TakeTiles(line=int(line)) | Pay(line=line):
                return (self.line(line),)
            case Place(line=line, column=column):
                return (self.space(line, column),)
        return self.source(self.move)

    # --- words ----------------------------------------------------------------------------------

    def color_of(self, line: int) -> str:
        """The letter of the colour of a line of the mover."""
        color = self.board.lines[line - 1].color
        return color.letter if color is not None else ""

    def chip(self, move: TakeChip) -> str:
        """The face of the chip that a move takes."""
        chip = self.view.factory(move.factory).chip or CHIPS[0]
        return chip.face


def _shows(factory: Factory, color: Color) -> bool:
    """Whether the moon side of a factory gives a colour (R3.3)."""
    return color in factory.moon if factory.is_large else factory.moon[-1] == color


def _penalty(broken: int) -> int:
    return BROKEN_PENALTIES[min(broken, len(BROKEN_PENALTIES) - 1)]
