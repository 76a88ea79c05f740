"""`sintra warm`: compiles everything now, where there is no compiled library."""

from __future__ import annotations

import argparse
from typing import Any

from sintra.cli.progress import tracked


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "warm",
        help="compile everything now",
        description="In a checkout, compiles the engine, the players and the table now, so that nothing is slow at "
        "first. An installed Sintra is compiled already.",
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from sintra.arena.selfplay import play_game
    from sintra.game.game import Game
    from sintra.players import player
    from sintra.rules.compiled import IS_JIT, RUNNING
    from sintra.rules.sources import user_cache
    from sintra.table.workers.warm_up import warm_engine, warm_forecasts, warm_players

    def warm_games() -> None:
        for name in ("greedy", "search:sims=4,nodes=50"):
            play_game(Game.new(seed=1), [player(name), player(name)], 1)

    parts = (warm_engine, warm_forecasts, warm_players, warm_games)
    for part in tracked(parts, len(parts), "compiling"):
        part()
    print(f"compiled into {user_cache()}" if IS_JIT else f"nothing to compile: the engine is {RUNNING}")
    return 0
