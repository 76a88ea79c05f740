"""A look at one move: what is expected of it, and what the opponent is expected to do then."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from msgspec import Struct

from sintra.game.game import View
from sintra.game.preview import preview_of
from sintra.players.hints import Advice, Evaluation, lead_at, main_line
from sintra.players.thinking.prospects import Foresight, Prospect
from sintra.review.reasons import state_after
from sintra.rules import engine
from sintra.rules.state import Stage, States
from sintra.tabletop.moves import Move, TakeTiles
from sintra.tabletop.moves.paths import path_of


class Reply(Struct, frozen=True):
    """What the search expects somebody to do next."""

    move: Move
    """Their move."""
    tiles: int
    """How many tiles it takes."""
    broken: int = 0
    """How many of them break at once."""


class LookedAt(NamedTuple):
    """A move that was looked at on its own."""

    move: Move
    """The move."""
    prospect: Prospect
    """What is expected of it."""
    reply: Reply | None = None
    """What the opponent is expected to do, if the search knows it and the turn is theirs."""
    own_next: Reply | None = None
    """What the mover is expected to do after that."""


def look_at_move(view: View, move: Move, foresight: Foresight) -> LookedAt:
    """Looks at a legal move of the seat to move."""
    prospect = foresight.of(view, move)
    if view.stage in (Stage.TILING, Stage.PAYING):
        return LookedAt(move, prospect)
    expected = main_line(foresight.tree, view.states, path_of(move, view.states, 0), plies=2)
    told: list[Reply] = []
    now = state_after(view, move)
    for (_, one, _), seat in zip(expected, (1 - view.seat, view.seat), strict=False):
        if now.get("turn") != seat or now.get("stage") != Stage.TURN:
            break
        told.append(_told(now, one))
        engine.play(now, 0, path_of(one, now, 0))
    return LookedAt(move, prospect, *told)


def held_together(view: View, found: Evaluation, foresight: Foresight) -> tuple[Advice, ...]:
    """The moves of an evaluation with figures that can be held against each other. What a search looked at less can
    seem better than its first choice: then these moves get a look each with the same budget, and the best comes
    first."""
    first = found.best
    if all(one.win < first.win for one in found.advice[1:]):
        return found.advice
    close = {one.move for one in found.advice if one.win >= first.win}
    looked = []
    for one in found.advice:
        looked.append(_looked_at(view, one, foresight) if one.move in close else one)
    return tuple(sorted(looked, key=lambda one: -one.win))


def _looked_at(view: View, one: Advice, foresight: Foresight) -> Advice:
    """A move of an evaluation with the figures, and what is expected to follow, of a look of its own."""
    win = foresight.win(view, one.move)
    expected = main_line(foresight.tree, view.states, path_of(one.move, view.states, 0))
    words = (one.line[0], *(f"seat {seat}: {said}" for seat, _, said in expected))
    follow = tuple(move for _, move, _ in expected)
    return replace(one, win=win, lead=lead_at(view.round, win), line=words, follow=follow)


def _told(states: States, move: Move) -> Reply:
    if not isinstance(move, TakeTiles):
        return Reply(move, 0)
    seen = preview_of(states, move)
    return Reply(move, seen.taken, seen.broken)
