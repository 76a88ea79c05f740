"""The first moments of a table: the compiled code that it needs is loaded, or made if there is none yet.

Making it takes the best part of a minute, once on each machine, and is left to processes apart, so
that two processors can share it and the service answers meanwhile and can be closed at any time.
"""

from __future__ import annotations

import contextlib
from typing import Final

from sintra.components import Color
from sintra.game.game import Game, View
from sintra.game.preview import effects_of
from sintra.players import player
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.compiled import COMPILED, cache_folder
from sintra.rules.state import Stage, empty_states
from sintra.table.opponents import OPPONENTS
from sintra.table.shown.forecasts import forecasts_by, forecasts_in, foreseen_in, moons_by
from sintra.table.shown.options import options_of
from sintra.table.shown.outlooks import reach_of
from sintra.table.shown.position import position_of
from sintra.tabletop.moves import EndTiling, MoonTake

_MARK: Final = cache_folder(__name__) / "warm"
"""Is there once everything is compiled from the sources as they are now."""
_MOMENT: Final = 0.05
"""Seconds: the opponents that think for longer use the same code as others."""


def is_compiled() -> bool:
    """Whether what `warm_engine` needs only has to be loaded."""
    return not COMPILED or _MARK.exists()


def warm_rules() -> None:
    """Loads or compiles what a game needs."""
    game = Game.new(seed=1)
    engine.cost_of_draw(game.state, 0)
    engine.runs_through(game.state, 0, 0, 0, 0)
    engine.who_won(game.state, 0)
    for move in (MoonTake(Color.BLUE, None), EndTiling()):
        effects_of(game.state, game.state, move)
    with_a_tile = game.state
    with_a_tile["line_color"][0, 0, 0] = Color.BLUE
    with_a_tile["line_size"][0, 0, 0] = 1
    engine.break_line(with_a_tile, 0, 0, 0)
    game.view(game.turn).sample(0)
    game.push(game.legal_moves[0])
    Record.of(game).view(0)


def warm_foresight() -> None:
    """Loads or compiles what a page foresees."""
    over = empty_states(1)
    over["stage"] = Stage.OVER
    foreseen_in(over)
    forecasts_by(over, [])
    moons_by(over, [])
    forecasts_in(over)


def warm_engine() -> None:
    """Loads or compiles all that the service itself needs."""
    warm_rules()
    warm_foresight()
    view = Game.new(seed=1).view(0)
    position_of(view)
    options_of(view)
    reach_of(view)
    with contextlib.suppress(OSError):
        _MARK.parent.mkdir(parents=True, exist_ok=True)
        _MARK.touch()


def warm_players() -> None:
    """Loads or compiles the computers that think for moments only, and what reads their views."""
    game = Game.new(seed=1)
    view = View.from_bytes(game.view(game.turn).to_bytes())
    for opponent in OPPONENTS.values():
        if opponent.seconds < _MOMENT:
            player(opponent.player).choose(view)
