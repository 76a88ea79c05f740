"""The library as it is met by those who build on it."""

from __future__ import annotations

import copy
import inspect
import pickle
import subprocess
import sys
from random import Random
from typing import Any, get_type_hints

import pytest

import sintra
from helpers import play_on
from sintra import PLATES, SPECTATOR, Game, Move, PlateKind, SintraError, View
from sintra.players import Player
from sintra.rules.state import empty_states


class Annotated(Game):
    """A game of somebody else's, with things of its own."""

    def __init__(self, states: Any, title: str = "untitled") -> None:
        super().__init__(states)
        self.title = title
        self.notes: list[str] = []


class Slotted(Game):
    """A game of a subclass that has slots."""

    __slots__ = ("title",)
    title: str


@pytest.mark.parametrize(
    "twin_of", [Game.copy, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))]
)
@pytest.mark.parametrize("kind", [Annotated, Slotted])
def test_a_copy_keeps_what_a_subclass_adds(kind: Any, twin_of: Any) -> None:
    game = kind.new(seed=7)
    game.title = "a study"
    game.push(game.legal_moves[0])
    twin = twin_of(game)
    assert type(twin) is kind
    assert (twin.title, twin, twin.moves) == ("a study", game, game.moves)
    twin.pop()
    twin.title = "another"
    assert (game.title, game.ply, twin.ply) == ("a study", 1, 0)


@pytest.mark.parametrize("seat", [0, 1, SPECTATOR])
def test_a_sample_is_a_game_that_fits_the_view_and_deals_itself(seat: int) -> None:
    for game in play_on(Game.new(seed=3), "drawing", Random(3), 30):
        view = game.view(seat)
        assert view.seat == seat
        world = view.sample(game.ply)
        assert world.view(seat) == view
        assert world == Game.from_state(view.sample_state(game.ply))
    *_, end = play_on(world, "uniform", Random(4))
    assert end.is_over


def test_a_game_is_made_from_a_state_which_stays_as_it_is() -> None:
    states = Game.new(seed=7).state
    before = states.tobytes()
    game = Game.from_state(states)
    game.push(game.legal_moves[0])
    assert states.tobytes() == before
    wrong: Any
    for wrong in (None, states[0], empty_states(2), states["score"]):
        with pytest.raises(SintraError, match="array of one"):
            Game.from_state(wrong)


def test_things_are_found_by_the_names_that_players_use() -> None:
    game = Game.new(seed=7)
    game.push("P10@23r1")
    board = game.board(1 - game.turn)
    laid = board.plate("23")
    assert laid is not None
    assert (laid.plate, laid.slot, laid.turns, str(laid)) == (PLATES[9], "23", 1, "23=10r1")
    shown = [board.space(row, column).shows for row in (3, 4) for column in (5, 6)]
    assert "".join(space.letter for space in shown if space is not None) == laid.face
    assert PlateKind.WILD in shown
    assert board.space(1, 1).shows is None
    assert [board.line(number).number for number in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert [game.factory(name) for name in "1234L"] == list(game.factories)
    calls: list[Any] = [
        lambda: board.line(0),
        lambda: board.line(7),
        lambda: board.space(0, 1),
        lambda: board.space(1, 7),
        lambda: board.plate("34"),
        lambda: board.plate("1"),
        lambda: game.factory("5"),
        lambda: game.factory("12"),
    ]
    for call in calls:
        with pytest.raises(SintraError, match="there is no"):
            call()


def first_choice(view: View) -> Move:
    """What the simplest player does: a type checker knows what `sintra.player` gives."""
    return sintra.player("random:seed=1").choose(view)


def test_a_player_is_made_by_a_function_with_a_signature() -> None:
    game = Game.new(seed=7)
    assert first_choice(game.view(game.turn)) in game.legal_moves
    assert list(inspect.signature(sintra.player).parameters) == ["text"]
    assert get_type_hints(sintra.player, localns={"Player": Player}) == {"text": str, "return": Player}


def test_the_door_opens_no_more_than_is_asked_for() -> None:
    code = "import sintra, sys; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert not {"rich", "msgspec", "sintra.drawing", "sintra.players"} & set(found.stdout.split())


def test_all_that_is_public_is_there() -> None:
    assert sorted(set(sintra.__all__)) == sorted(sintra.__all__)
    for name in sintra.__all__:
        assert hasattr(sintra, name), name
