"""`greedy`: the yardstick, one ply deep. Its values are fixed, so that everyone's 1000 is the same."""

from __future__ import annotations

from typing import Final

from sintra.components import NOTHING, WILD
from sintra.game.game import View
from sintra.players.base import Clock, Seeded, register
from sintra.rules.chance import fraction, seed_generator
from sintra.rules.choices import (
    BREAK,
    CHIP,
    DRAW,
    LAY,
    LOOK,
    MAX_MOVES,
    MAX_STEPS,
    MOON,
    PAY,
    PLACE,
    SPEND,
    STACK,
    SUN,
    TURNED,
    color_of,
    destination_of,
    factory_of,
    first_of,
    kind_of,
    line_and_column,
    plate_and_slot,
    rest_of,
)
from sintra.rules.compiled import at, entry, keep, kernel, np
from sintra.rules.drafting import row_slots_are_full, tiles_on_moon
from sintra.rules.engine import list_moves_of
from sintra.rules.piece_tables import PLATE_SPACE
from sintra.rules.scoring import placement_points, special_points, special_to_fill
from sintra.rules.state import STATE, Array, State, States
from sintra.rules.tiling import has_open_space, has_space_for
from sintra.tabletop.moves import Move, move_of

NOISE: Final = 0.5


@kernel
def plate_value(s: State, plate: int, slot: int, turns: int) -> float:
    """2, and for each space that helps a waiting line 1 more than its tiles."""
    value = 2.0
    for r in range(2):
        for c in range(2):
            row = 2 * (slot // 3) + r
            n = s.line_size[s.turn, row]
            if n > 0 and not has_open_space(s, s.turn, row):
                space = PLATE_SPACE[plate, turns, r, c]
                if space == WILD or space == s.line_color[s.turn, row]:
                    value += 1 + n
    return value


@kernel
def take_value(s: State, color: int, n: int, destination: int) -> float:
    """What n tiles are worth on a line, or broken."""
    if destination == BREAK:
        return -2.0 * n
    room = destination + 1 - s.line_size[s.turn, destination]
    fit = min(n, room)
    value = 1.5 * fit - 1.5 * (n - fit) + (3.0 if n >= room else 0.0) - 0.3 * (room - fit)
    if not has_space_for(s, s.turn, destination, color):
        value -= 8.0 if row_slots_are_full(s, s.turn, destination) else 3.0
    return float(value)


@kernel
def place_value(s: State, line: int, col: int) -> float:
    """10, and the points the placement books at once."""
    seat = s.turn
    s.dome[seat, line, col] = s.line_color[seat, line]
    value = 10.0 + placement_points(s.dome[seat], line, col)
    value += special_points(special_to_fill(s.space[seat], s.dome[seat], line, col))
    s.dome[seat, line, col] = NOTHING
    return value


@kernel
def move_value(s: State, path: int) -> float:
    """The yardstick's value of a legal move, without noise."""
    choice = first_of(path)
    kind = kind_of(choice)
    if kind == LAY:
        plate, slot = plate_and_slot(choice)
        return plate_value(s, plate, slot, first_of(rest_of(path)) - TURNED)
    if kind == DRAW:
        return 1.0
    if kind == LOOK:
        return 2.0
    if kind == SUN:
        color = color_of(choice)
        return take_value(s, color, s.sun[factory_of(choice), color], destination_of(choice))
    if kind == MOON:
        color = color_of(choice)
        return take_value(s, color, tiles_on_moon(s, color), destination_of(choice))
    if kind == STACK or kind == CHIP:
        return 2.5
    if kind == PAY or kind == SPEND:
        chips = 0
        while path:
            chips += 1 if kind_of(first_of(path)) == SPEND else 0
            path = rest_of(path)
        return 7.0 - chips
    if kind == PLACE:
        line, col = line_and_column(choice)
        return place_value(s, line, col)
    return 0.0


@kernel
def greedy_move(scratch: States, moves: Array, dice: State) -> int:
    """The packed path of the move with the largest value, noise added; scratch[0] is the position."""
    n = list_moves_of(scratch, moves)
    best = 0
    most = -1e9
    for k in range(n):
        noise = NOISE * fraction(dice)
        value = move_value(at(scratch, 0), moves[k]) + noise
        if value > most:
            most = value
            best = moves[k]
    return best


@entry
def choose_greedily(states: States, i: int, seed: int) -> int:
    """The yardstick's move, as a packed path."""
    scratch = np.empty(MAX_STEPS + 1, STATE)
    scratch[0] = states[i]
    dice = at(scratch, MAX_STEPS)
    seed_generator(dice, seed)
    path = greedy_move(scratch, np.empty(MAX_MOVES, np.int64), dice)
    keep(scratch)
    return path


@register("greedy", "one ply deep with fixed values: the yardstick, 1000 on the ladder", seed=int)
class GreedyPlayer(Seeded):
    """The yardstick, with a little noise."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__("greedy", seed)

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """The move that looks best at once."""
        return move_of(int(choose_greedily(view.states, 0, self.seed_for(view))), view.states, 0)
