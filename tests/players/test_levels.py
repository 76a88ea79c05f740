"""The levels: legal, bounded in what they let slip, and in order of strength."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import soak
from helpers import play_on
from sintra import Game, Stage
from sintra.arena.selfplay import play_game
from sintra.players import PlayerError, player
from sintra.players.champion import ChampionPlayer
from sintra.players.levels import LEVELS, Level, LevelPlayer, level_named
from sintra.tabletop.moves import TakeTiles, path_of

from .helpers import wins_of

WEAK = [level for level in LEVELS if level.slack > 0]


def test_levels_are_numbered_and_named() -> None:
    assert [level.number for level in LEVELS] == list(range(1, len(LEVELS) + 1))
    assert len({level.name for level in LEVELS}) == len(LEVELS)
    for level in LEVELS:
        assert level.name.strip()
        assert level_named(str(level.number)) is level_named(level.name.lower()) is level


def test_stronger_levels_see_more_and_err_less() -> None:
    """The weakest levels look at more moves than the next, to be mistaken about more of them."""
    for weaker, stronger in pairwise(LEVELS):
        assert weaker.sims < stronger.sims or weaker.slack > stronger.slack
        assert weaker.slack >= stronger.slack
        assert weaker.misjudges >= stronger.misjudges
        assert weaker.greed >= stronger.greed
        assert weaker.attention <= stronger.attention
        assert weaker.foresight <= stronger.foresight
        assert 100 <= stronger.elo - weaker.elo <= 230


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(PlayerError, match=f"there are 1 to {len(LEVELS)}"):
        level_named("nobody")


@pytest.mark.soak
@pytest.mark.parametrize("number", [level.number for level in LEVELS if level.sims < 1000])
def test_every_level_plays_legal_moves_in_every_stage(number: int) -> None:
    level = player(f"level:n={number}")
    stages: set[Stage] = set()
    for taste in ("drawing", "chips"):
        game = Game.new(seed=number, goals=3 + number % 2)
        for now in play_on(game, taste, Random(number)):
            often = now.ply % soak.pick(6, 1) == 0
            if not now.is_over and (often or now.stage not in stages):
                stages.add(now.stage)
                assert level.choose(now.view(now.turn)) in now.legal_moves
    assert stages >= {Stage.OPENING, Stage.TURN, Stage.DRAWING, Stage.KEEPING, Stage.TILING}


def test_the_strongest_level_plays_a_legal_move() -> None:
    game = Game.new(seed=6)
    assert player(f"level:n={len(LEVELS)}").choose(game.view(game.turn)) in game.legal_moves


@pytest.mark.soak
@pytest.mark.parametrize("level", WEAK, ids=[level.name for level in WEAK])
def test_what_a_level_likes_is_bounded(level: Level) -> None:
    """It stays within the slack and breaks no more tiles than the best move; and it is often not the best."""
    one = LevelPlayer(str(level.number))
    searcher = one._searcher
    assert searcher is not None
    others = 0
    for seed in range(soak.pick(1, 20)):
        for now in play_on(Game.new(seed=seed), "uniform", Random(seed)):
            if now.is_over or now.stage not in (Stage.OPENING, Stage.TURN) or len(now.legal_moves) == 1:
                continue
            view = now.view(now.turn)
            state = view.state
            searcher.run(view, now.ply)
            candidates = {candidate.path: candidate.value for candidate in searcher.candidates(state)}
            best_path = searcher.best(state)
            of_best = candidates.get(best_path, 0.0)
            best = next(move for move in view.legal_moves if path_of(move, state, 0) == best_path)
            for game in range(3):
                one.new_game(game)
                move = one._liked(view)
                assert move in now.legal_moves
                if move == best:
                    continue
                others += 1
                assert candidates[path_of(move, state, 0)] >= of_best - one.level.slack
                if isinstance(move, TakeTiles):
                    before = view.preview(best)
                    allowed = before.broken + before.to_tower if isinstance(best, TakeTiles) else 0
                    assert view.preview(move).broken + view.preview(move).to_tower <= allowed
    assert others > 10


def test_a_plan_is_misjudged_alike_all_round() -> None:
    """Whatever lies on the table meanwhile, and from whichever factory the tiles come."""
    one = LevelPlayer("1")
    one.new_game(4)
    seen: dict[tuple[int, str], set[float]] = {}
    for now in play_on(Game.new(seed=3), "uniform", Random(3)):
        for move in now.legal_moves if not now.is_over and now.stage is Stage.TURN else ():
            if isinstance(move, TakeTiles):
                wrong = one._misjudgement(now.view(now.turn), move)
                seen.setdefault((now.round, f"{move.color} {move.line}"), set()).add(wrong)
    assert len(seen) > 50
    assert all(len(values) == 1 for values in seen.values())
    assert len({value for values in seen.values() for value in values}) > 50
    before = seen[1, "B 1"] if (1, "B 1") in seen else seen[next(iter(seen))]
    one.new_game(5)
    game = Game.new(seed=3)
    game.push(game.legal_moves[0])
    game.push(game.legal_moves[0])
    view = game.view(game.turn)
    takes = [move for move in game.legal_moves if isinstance(move, TakeTiles)]
    assert before.isdisjoint({one._misjudgement(view, move) for move in takes}), "another game, other tastes"


def test_the_strongest_level_is_the_champion() -> None:
    strongest = LevelPlayer(str(len(LEVELS)), seed=3)
    assert isinstance(strongest._strong, ChampionPlayer)
    assert strongest._strong.work == ChampionPlayer().work


def test_a_level_is_deterministic() -> None:
    def moves() -> list[str]:
        game = Game.new(seed=8)
        play_game(game, [player("level:n=1,seed=3"), player("level:n=2,seed=3")], 5)
        return [str(move) for move in game.moves]

    assert moves() == moves()


def test_level_4_beats_level_1() -> None:
    assert wins_of("level:n=4", "level:n=1", seed=100) >= 4


def test_one_look_beats_the_lowest_level() -> None:
    assert wins_of("simple", "level:n=1", seed=100) >= 3
