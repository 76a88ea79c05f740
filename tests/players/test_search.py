"""The tree search: repeatable, legal everywhere, honest, and strong."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

import soak
from helpers import play_on
from random_positions import view_alike
from sintra import Game, Goal, Move, Rules, Stage, View
from sintra.arena.selfplay import play_game
from sintra.players import Clock, Player, player
from sintra.rules.state import States

from .helpers import wins_of

ALL_GOALS = (Goal.COLORS, Goal.EDGE, Goal.CORNERS, Goal.SPECIALS)
RULES = (
    Rules(ALL_GOALS, "free", False),
    Rules((Goal.ROWS, Goal.COLUMNS, Goal.WILDS)),
    Rules((Goal.ROWS, Goal.COLUMNS, Goal.DIAGONALS, Goal.WILDS), "free"),
    Rules((Goal.COLORS, Goal.DIAGONALS, Goal.SPECIALS), "forced", False),
)


def moves_at_some_positions(name: str) -> list[str]:
    """What a player would do at some positions of a random game."""
    one = player(name)
    one.new_game(3)
    found = []
    for game in play_on(Game.new(seed=5), "drawing", Random(5)):
        if not game.is_over and game.ply % 8 == 0:
            found.append(str(one.choose(game.view(game.turn))))
    return found


class TestRepeatable:
    @pytest.mark.parametrize("name", ["search:sims=60,seed=2", "search:sims=60,trees=2,seed=2"])
    def test_the_same_seed_and_budget_give_the_same_moves(self, name: str) -> None:
        moves = moves_at_some_positions(name)
        assert len(moves) > 10
        assert moves_at_some_positions(name) == moves

    def test_another_process_finds_the_same_moves(self) -> None:
        program = "import sys; from players.test_search import moves_at_some_positions as moves; "
        program += "print(*(move for name in sys.argv[1:] for move in moves(name)))"
        names = ["search:sims=60,seed=2", "search:sims=60,trees=2,seed=2"]
        paths = [path for path in sys.path if path]
        program = f"import sys; sys.path[:0] = {paths!r}; " + program
        done = subprocess.run([sys.executable, "-c", program, *names], capture_output=True, text=True, check=True)
        assert done.stdout.split() == [move for name in names for move in moves_at_some_positions(name)]

    def test_what_was_thought_before_leaves_no_trace(self) -> None:
        game = Game.new(seed=9)
        view = game.view(game.turn)
        one = player("search:sims=50")
        fresh = one.choose(view)
        moves_elsewhere = moves_at_some_positions("search:sims=50")
        for seed in range(3):
            other = Game.new(seed=seed)
            one.choose(other.view(other.turn))
        assert one.choose(view) == fresh
        assert len(set(moves_elsewhere)) > 5

    def test_the_seed_matters(self) -> None:
        assert len({tuple(moves_at_some_positions(f"search:sims=4,seed={seed}")) for seed in range(3)}) == 3


class TestLegal:
    @pytest.mark.parametrize("k", range(len(RULES)))
    def test_whole_games_with_tiny_budgets(self, k: int) -> None:
        game = Game.new(seed=k, rules=RULES[k])
        seats = [player("search:sims=6,nodes=300"), player("search:sims=9,trees=3,nodes=0")]
        play_game(game, seats, k)
        assert game.is_over

    def test_every_stage_is_answered(self) -> None:
        stages: set[Stage] = set()
        one = player("search:sims=5,nodes=200")
        for k, rules in enumerate(RULES):
            for taste in ("drawing", "chips"):
                for game in play_on(Game.new(seed=k, rules=rules), taste, Random(k)):
                    if not game.is_over:
                        stages.add(game.stage)
                        assert one.choose(game.view(game.turn)) in game.legal_moves
        whole = {Stage.OPENING, Stage.TURN, Stage.DRAWING, Stage.KEEPING, Stage.RETURNING, Stage.TILING, Stage.PAYING}
        assert stages == whole


class TestHonest:
    """A player sees what its seat may know, and cannot tell one hidden truth from another (R8)."""

    @pytest.mark.soak
    @pytest.mark.parametrize(
        "name",
        ["random", "greedy", "search:sims=12,nodes=400", "level:n=1", "level:n=2", "level:n=3", "level:n=4"],
    )
    def test_another_hidden_truth_gives_the_same_move(self, name: str) -> None:
        for seed, taste in soak.pick([(1, "drawing")], [(1, "drawing"), (2, "chips"), (3, "drawing")]):
            one, twin = player(name), player(name)
            one.new_game(seed)
            twin.new_game(seed)
            differ = 0
            for game in play_on(Game.new(seed=seed), taste, Random(seed)):
                if game.is_over:
                    break
                view = game.view(game.turn)
                other = view.sample_state(game.ply)
                differ += hidden(other) != hidden(game.state)
                assert one.choose(view) == twin.choose(View.of_state(other, 0, game.turn))
            assert differ > 50

    def test_a_player_gets_nothing_but_the_view_of_its_seat(self) -> None:
        class Witness:
            name = "witness"

            def __init__(self, seat: int) -> None:
                self.seat = seat
                self.asked = 0

            def new_game(self, seed: int) -> None:
                assert isinstance(seed, int)

            def choose(self, view: View, clock: Clock | None = None) -> Move:
                self.asked += 1
                assert type(view) is View
                assert view.seat == self.seat == view.turn
                assert view == view_alike(view, self.asked)
                return view.legal_moves[self.asked % len(view.legal_moves)]

        seats = [Witness(0), Witness(1)]
        assert all(isinstance(one, Player) for one in seats)
        play_game(Game.new(seed=4), seats, 1)
        assert min(one.asked for one in seats) > 30


def hidden(states: States) -> bytes:
    """What no seat sees: the order of the pile and of the chips to come."""
    return bytes(states["pile"].tobytes() + states["chip_order"].tobytes())


def test_search_beats_the_yardstick() -> None:
    assert wins_of("search:sims=150", "greedy", seed=50) >= 5
