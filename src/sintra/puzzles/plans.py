"""Which moves are one try: they differ in nothing but the order of a stack, or how a plate is turned."""

from __future__ import annotations

from collections.abc import Iterable

from sintra.tabletop.moves import LayPlate, Move, SunTake


def plan_of(move: Move) -> str:
    """What a move does, whatever the order of the stack or the turns of the plate."""
    if isinstance(move, SunTake):
        return str(move).partition(":")[0]
    if isinstance(move, LayPlate):
        return str(move).partition("r")[0]
    return str(move)


def plans_of(moves: Iterable[Move]) -> dict[str, list[Move]]:
    """The moves of each plan."""
    found: dict[str, list[Move]] = {}
    for move in moves:
        found.setdefault(plan_of(move), []).append(move)
    return found
