"""A player who is asked from a view in which there is nothing to decide refuses, whoever it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from helpers import legal_choices, played, some
from sintra import Game, Move, SintraError, Stage, View
from sintra.arena.selfplay import play_game
from sintra.players import Clock, NotToMoveError, Player, base, entries, player, register
from sintra.players.greedy import GreedyPlayer
from sintra.players.hints import Adviser
from sintra.players.random_player import RandomPlayer
from sintra.players.search import SearchPlayer
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.state import States
from sintra.table.base.opponents import OPPONENTS, USUAL
from sintra.table.workers.thinkers import Thinkers, advise, choose_move

EVERYBODY = (0, 1, 2)
HALF_MADE = (Stage.TURNING, Stage.STACKING)
"""Stages in the middle of a move of the notation: nobody can be asked for a move there."""


@cache
def one_state_of_each_stage() -> dict[Stage, States]:
    """From games that are played choice by choice, so that the stages inside a move come too."""
    found: dict[Stage, States] = {}
    for seed in range(40):
        states = Game.new(seed=seed).state
        dice = Random(seed)
        while True:
            found.setdefault(Stage(states["stage"][0]), states.copy())
            legal = legal_choices(states)
            if not legal or len(found) == len(Stage) - 1:
                break
            engine.apply(states, 0, dice.choice(legal))
    game = Record.of(played(1)).replay(0)
    waiting = Game.from_deal(game.rules, 0, range(18), [chip // 2 for chip in range(20)])
    found[Stage.DEALING] = waiting.state
    return found


def views() -> Iterator[View]:
    """Everybody's view of every stage, and of a game that ended early."""
    for states in one_state_of_each_stage().values():
        for observer in EVERYBODY:
            yield View.of_state(states, 0, observer)
    resigned = Game.new(seed=1)
    resigned.resign(0)
    for observer in EVERYBODY:
        yield resigned.view(observer)


def can_decide(view: View) -> bool:
    """Whether the rules ask this observer for a move."""
    return len(view.legal_moves) > 0


class Careless:
    """A player as a program would write it, which never looks whose turn it is."""

    def __init__(self) -> None:
        self.name = "careless"

    def new_game(self, seed: int) -> None: ...

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        return next(iter(view.legal_moves), Move.parse("E"))


class MoreCareless(RandomPlayer):
    """One that changes a player of the package."""

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        return next(iter(view.legal_moves), Move.parse("E"))


class Unnamed:
    """Made by a function; only that is registered."""

    __slots__ = ("name",)

    def new_game(self, seed: int) -> None: ...

    def choose(self, view: View) -> Move:
        return next(iter(view.legal_moves), Move.parse("E"))


def make_unnamed() -> Any:
    return Unnamed()


def make_alone() -> Any:
    return SimpleNamespace(new_game=lambda seed: None, choose=Careless().choose)


@pytest.fixture
def everyone(monkeypatch: pytest.MonkeyPatch) -> dict[str, Player]:
    """All players of the registry, some of a program's own among them, by their names."""
    monkeypatch.setattr(base, "_registry", dict(base._registry))
    register("careless", "a class")(type("Registered", (Careless,), {}))
    register("more-careless", "a subclass")(MoreCareless)
    register("unnamed", "a function")(make_unnamed)
    register("alone", "no class at all")(make_alone)
    made = {entry.name: player(entry.name) for entry in entries()}
    return made | {f"level:n={n}": player(f"level:n={n}") for n in (1, 8)}


def test_every_stage_is_looked_at() -> None:
    assert set(one_state_of_each_stage()) == set(Stage)
    deciding = {view.stage for view in views() if can_decide(view)}
    assert deciding == set(Stage) - {Stage.DEALING, Stage.OVER, *HALF_MADE}


def test_who_is_not_to_move_is_refused_by_every_player(everyone: dict[str, Player]) -> None:
    asked: dict[str, Callable[[View], Any]] = {name: one.choose for name, one in everyone.items()}
    asked["search"] = SearchPlayer(sims=8).choose
    asked["greedy itself"] = GreedyPlayer().choose
    asked["with a clock"] = lambda view: everyone["careless"].choose(view, clock=Clock(1.0))
    asked["by name"] = lambda view: everyone["more-careless"].choose(view=view)
    asked["adviser"] = lambda view: Adviser(sims=8).evaluate(view).best.move
    for view in some(views()):
        for name, ask in asked.items():
            if can_decide(view):
                assert ask(view) in view.legal_moves, (name, view)
            else:
                with pytest.raises(NotToMoveError, match="is not to move: "):
                    ask(view)


def test_the_error_says_whose_turn_it_is() -> None:
    game = Game.new(seed=1)
    one = player("random")
    assert issubclass(NotToMoveError, SintraError)
    with pytest.raises(NotToMoveError, match=f"seat {1 - game.turn} is not to move: seat {game.turn} is"):
        one.choose(game.view(1 - game.turn))
    with pytest.raises(NotToMoveError, match=f"a spectator is not to move: seat {game.turn} is"):
        one.choose(game.view(2))
    game.resign(game.turn)
    with pytest.raises(NotToMoveError, match="the game is over"):
        one.choose(game.view(game.turn))


def test_a_thinking_process_refuses_too() -> None:
    for view in views():
        if not can_decide(view) and not view.ended_early:
            for name in ("level:n=1", "level:n=8"):
                with refused_by_a_process(view):
                    choose_move(name, 0, view.to_bytes())
            with refused_by_a_process(view):
                advise(8, view.to_bytes(), with_reasons=False)


def refused_by_a_process(view: View) -> AbstractContextManager[object]:
    """Views are handed on between two moves only: in the middle of one their bytes are refused at once."""
    if view.stage in HALF_MADE:
        return pytest.raises(SintraError, match="between two moves")
    return pytest.raises(NotToMoveError)


def test_a_game_that_ended_early_is_not_thought_about() -> None:
    game = Game.new(seed=1)
    game.resign(0)

    async def ask() -> None:
        thinkers = Thinkers(1)
        try:
            for job in (
                thinkers.choose(OPPONENTS[USUAL], 0, game.view(game.turn)),
                thinkers.advise(game.view(game.turn)),
            ):
                with pytest.raises(NotToMoveError, match="the game is over"):
                    await job
        finally:
            thinkers.close()

    asyncio.run(ask())


def test_a_game_that_waits_for_tiles_is_not_played_on() -> None:
    """Not even by players that nobody registered."""
    record = Record.of(played(1))
    game = Game.from_deal(record.rules, 0, range(18), [chip // 2 for chip in range(20)])
    with pytest.raises(NotToMoveError, match="tiles of the next round are to be dealt first"):
        play_game(game, [Careless(), Careless()], 1)
    assert game.ply == 0
