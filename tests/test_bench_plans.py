"""Long plans: what is changed in the packaged weights, and that a search plays with the files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from plans import main, planner
from sintra import Game
from sintra.components import ROUNDS
from sintra.features import board, rows
from sintra.players import player
from sintra.players.thinking.evaluator import load_evaluator, standard_evaluator


def test_only_plans_seem_worth_more() -> None:
    made, packaged = planner(specials=4.0, goals=2.0, lines=3.0, takes=1.0), standard_evaluator()
    for k, name in enumerate(board.NAMES):
        for round_no in range(ROUNDS - 1):
            usual = packaged.weights[round_no, k]
            expected = {
                "their rows, 2 of 3": usual + 2.0,
                "their rows, 1 of 3": usual + 1.0,
                "line ready 6": usual + 3.0,
                "line waits for a plate 5": usual + 3.0,
            }.get(name, 2.0 * usual if name.startswith("goal") else usual)
            if name not in ("line ready 5", "line waits for a plate 6"):
                assert made.weights[round_no, k] == pytest.approx(expected), name
    bias, usual_bias = made.network.part("row_bias"), packaged.network.part("row_bias")
    changed = {name for k, name in enumerate(rows.NAMES) if bias[k] != usual_bias[k]}
    assert changed == {f"take to {line} {color}" for line in "56" for color in "BYRKT"}


def test_without_plans_nothing_changes() -> None:
    made, packaged = planner(specials=0.0, goals=1.0, lines=0.0, takes=0.0), standard_evaluator()
    assert made.weights == packaged.weights
    assert made.network.part("row_bias") == packaged.network.part("row_bias")


def test_a_search_plays_with_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["plans.py", str(tmp_path / "plans"), "--lines", "7"])
    main()
    value, policy = tmp_path / "plans.json", tmp_path / "plans.npz"
    place = board.NAMES.index("line ready 6")
    read = load_evaluator(str(value), str(policy))
    assert read.parameters.get("special_tiles") == 4.0
    assert read.weights[0, place] == pytest.approx(standard_evaluator().weights[0, place] + 7.0, abs=1e-3)
    game = Game.new(seed=5)
    move = player(f"search:sims=2,nodes=0,value={value},policy={policy}").choose(game.view(game.turn))
    assert move in game.legal_moves
