"""The champion: as much work for every move, whatever a simulation costs there, and never by the clock."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from helpers import play_on
from sintra import Game, Stage, View
from sintra.game.seeds import derive
from sintra.players import Clock, PlayerError, player
from sintra.players.champion import MAX_SIMULATIONS, TREES, ChampionPlayer, work_of
from sintra.players.search import SMALL_BATCH, SPARE_BITS
from sintra.players.thinking.evaluator import hand_made_evaluator, standard_evaluator
from sintra.players.thinking.tree import think

SHARE = 0.02
HOARD = "round: 4; display: 05 04 08; 0 store: B- BR KB K- T- Y-; 1 store: R- RT TY Y-; 0 lines: B1 - Y1 - K2 -; "
HOARD += "0 plates: 11=02r0 12=12r0 21=17r0; 1 plates: 11=01r0 22=07r0; 1 lines: - T1 R2 - - -; "
HOARD += "factory 1: sun BYRK moon - chip down; factory 2: sun TTKR moon - chip down; factory L: sun BYYRT moon -"
"""Many chips on both sides, so that tilings have many ways."""


def some_views() -> list[View]:
    """Decisions of a random game that have to be searched, late ones and early ones."""
    views = []
    for game in play_on(Game.new(seed=5), "drawing", Random(5)):
        if not game.is_over and game.ply % 9 == 0:
            view = game.view(game.turn)
            if view.stage is Stage.TURN and view.round < 5 and len(view.legal_moves) > 1:
                views.append(view)
    return views


def made(share: float = SHARE) -> ChampionPlayer:
    one = player(f"champion:share={share}")
    assert isinstance(one, ChampionPlayer)
    return one


def simulations(one: ChampionPlayer) -> list[int]:
    return [int(tree.head["simulations"][0]) for tree in one.searcher.trees]


def test_the_same_view_gives_the_same_move_whatever_was_thought_before() -> None:
    views = some_views()
    assert len(views) > 5
    one = made()
    moves = [one.choose(view) for view in views]
    assert [one.choose(view) for view in reversed(views)] == moves[::-1]
    assert [made().choose(view) for view in views[:3]] == moves[:3]


def test_every_tree_stops_with_the_portion_that_uses_up_the_budget() -> None:
    one = made()
    most = int(MAX_SIMULATIONS * SHARE) // TREES
    found = set()
    for view in some_views():
        one.choose(view)
        for k, (tree, done) in enumerate(zip(one.searcher.trees, simulations(one), strict=True)):
            found.add(done)
            assert done == most or (done % SMALL_BATCH == 0 and work_of(tree) >= one.work)
            tree.clear()
            think(tree, view.state, view.seat, derive(one.seed_for(view), k) >> SPARE_BITS, done - SMALL_BATCH)
            assert work_of(tree) < one.work
    assert len(found) > 2


def test_where_tilings_are_long_there_are_fewer_simulations() -> None:
    one = made(0.05)
    game = Game.from_position(HOARD)
    one.choose(game.view(game.turn))
    with_chips = simulations(one)
    text = "; ".join(part for part in HOARD.split("; ") if "store" not in part)
    game = Game.from_position(text)
    one.choose(game.view(game.turn))
    assert max(with_chips) < min(simulations(one))


def test_a_share_is_a_share_of_the_work() -> None:
    view = some_views()[0]
    small, large = made(0.02), made(0.2)
    small.choose(view)
    large.choose(view)
    assert 4 * sum(simulations(small)) < sum(simulations(large))


def test_a_clock_that_runs_out_makes_it_hurry() -> None:
    view = some_views()[0]
    one = made(0.2)
    one.choose(view)
    usual = simulations(one)
    one.choose(view, Clock(1.0))
    assert max(simulations(one)) < min(usual) / 2


def test_its_nodes_in_round_5_are_bounded() -> None:
    one = made(0.5)
    assert one.endgame is not None
    assert one.endgame.nodes == 50_000


def test_it_thinks_with_the_value_and_the_policy_that_are_named(tmp_path: Path) -> None:
    one = player(f"champion:share={SHARE},value=classic,policy=hand")
    assert isinstance(one, ChampionPlayer)
    by_hand = hand_made_evaluator()
    assert one.searcher.evaluator.parameters.tobytes() == by_hand.parameters.tobytes()
    assert one.searcher.evaluator.network.tobytes() == by_hand.network.tobytes()
    by_hand.save(tmp_path / "value.json")
    other = player(f"champion:share={SHARE},value={tmp_path / 'value.json'}")
    assert isinstance(other, ChampionPlayer)
    assert np.allclose(other.searcher.evaluator.weights, by_hand.weights, atol=1e-4)
    assert other.searcher.evaluator.network.tobytes() == standard_evaluator().network.tobytes()
    with pytest.raises(PlayerError, match="cannot read weights from nowhere"):
        player("champion:value=nowhere.json")


@pytest.mark.parametrize("share", ["0", "-1", "5", "nan"])
def test_a_share_that_cannot_be_is_refused(share: str) -> None:
    with pytest.raises(PlayerError, match="above 0 and at most 4"):
        player(f"champion:share={share}")
