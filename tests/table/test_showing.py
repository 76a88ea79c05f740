"""Positions and results: what is shown is what lies there, and nothing that is hidden."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from helpers import VECTORS, legal_paths, letter, play_on, some
from random_positions import some_games, view_alike, views_of
from sintra import Game, Source, Stage
from sintra.components import ROUNDS, SPECTATOR
from sintra.players.thinking.evaluator import Evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.records.files import read_records
from sintra.rules import engine
from sintra.rules.state import ON_FACTORY, states_of
from sintra.table.shown import messages
from sintra.table.shown.position import open_position, result_of, with_pile
from table.messages_read import position_of, read

BLANK = Evaluator.blank()


def test_position_shows_the_table() -> None:
    for game in play_on(Game.new(seed=5), "drawing", Random(5)):
        shown = position_of(game.view(SPECTATOR))
        assert (shown.round, shown.phase, shown.seat) == (game.round, game.phase, game.turn)
        assert shown.stage == game.stage.name.lower()
        assert shown.first == game.first
        assert shown.start_tile == game.start_tile
        assert shown.paid_line == (game.paid_line or 0)
        assert list(shown.bag.values()) == list(game.bag.values())
        assert list(shown.tower.values()) == list(game.tower.values())
        assert [plate and plate.plate for plate in shown.display] == [plate and plate.name for plate in game.display]
        assert (len(shown.stack), len(shown.hand)) == (game.stack_size, game.drawn)
        for factory, there in zip(shown.factories, game.factories, strict=True):
            assert factory.name == there.name
            assert factory.sun == "".join(tile.letter for tile in there.sun)
            assert factory.moon == "".join(tile.letter for tile in there.moon)
            assert factory.chip == ("down" if there.chip_is_down else there.chip.face if there.chip else "")
            assert factory.start_tile == there.has_start_tile
        for seat, board in enumerate(shown.boards):
            check_board(game, seat, board)


def check_board(game: Game, seat: int, shown: messages.BoardShown) -> None:
    there = game.board(seat)
    assert shown.score == there.score
    assert [(line.color, line.tiles, line.placed) for line in shown.lines] == [
        (line.color.letter if line.color is not None else "", line.tiles, line.is_placed) for line in there.lines
    ]
    assert shown.shows == ["".join(letter(space.shows) for space in row) for row in there.dome]
    assert shown.tiles == ["".join(letter(space.tile) for space in row) for row in there.dome]
    assert [plate and (plate.plate, plate.face) for plate in shown.plates] == [
        laid and (laid.plate.name, laid.face) for laid in there.plates
    ]
    assert shown.broken == "".join(tile.letter for tile in there.broken)
    assert shown.start_tile == there.has_start_tile
    assert shown.chips == [chip.face for chip in there.chips]
    assert shown.spent == [chip.face for chip in there.chips_spent]
    assert (shown.markers_left, shown.chips_left) == (there.markers_left, there.chips_left)
    assert tuple(shown.goals) == game.goal_points[seat]


def test_the_pile_as_each_observer_knows_it() -> None:
    known = 0
    for game in play_on(Game.new(seed=8), "drawing", Random(8)):
        for view in views_of(game):
            shown = position_of(view)
            for place, there in zip((*shown.hand, *shown.stack), (*view.hand, *view.stack), strict=True):
                assert place.kind == (there.kind.value if there.kind else "")
                assert (place.plate and place.plate.plate) == (there.plate and there.plate.name)
                assert place.candidates == ([] if there.plate else [plate.name for plate in there.candidates])
                known += place.plate is not None
    assert known


def test_a_seat_sees_what_a_spectator_sees_and_its_own_part_of_the_pile() -> None:
    """A message takes all but the pile from the spectator's position: that it is the same for a seat is shown here."""
    for seed, taste in enumerate(("uniform", "drawing", "chips")):
        for game in play_on(Game.new(seed=seed), taste, Random(seed)):
            common = open_position(game.view(SPECTATOR))
            for view in views_of(game):
                assert read(with_pile(common, view), messages.PositionShown) == position_of(view)


def has_ended(game: Game, seat: int) -> bool:
    """Whether a seat is through with this round's tiling."""
    return game.phase != 1 and (game.is_over or (game.first == seat != game.turn))


def test_forecasts_are_the_tilers() -> None:
    for name in ("greedy", "rare", "chips"):
        for record in some(read_records(VECTORS / f"{name}.jsonl")[:3]):
            for game in record.positions():
                boards = position_of(game.view(SPECTATOR)).boards
                for seat, board in enumerate(boards):
                    if not has_ended(game, seat):
                        states = game.state
                        assert board.forecast == int(Tiler(BLANK).value(states, seat)) - board.score
                    elif game.round < ROUNDS or game.is_over:
                        assert board.forecast == 0
                    else:
                        assert board.forecast == max(0, board.score + sum(board.goals)) - board.score


@cache
def best_end(state: bytes, seat: int) -> int:
    """The best score of a seat at the end of its tiling, by trying everything."""
    states = states_of(state)
    if states["turn"][0] != seat:
        game = Game(states)
        goals = sum(game.goal_points[seat]) if game.round == ROUNDS else 0
        return max(0, game.scores[seat] + goals)
    best = 0
    for path in legal_paths(states):
        after = states.copy()
        engine.play(after, 0, path)
        best = max(best, best_end(after.tobytes(), seat))
    return best


def test_forecasts_by_trying_everything() -> None:
    changed = 0
    for seed in range(5):
        for game in play_on(Game.new(seed=seed), "chips", Random(seed)):
            if game.stage is not Stage.TURN or Random(game.ply).random() < 0.8:
                continue
            boards = position_of(game.view(SPECTATOR)).boards
            for seat, board in enumerate(boards):
                if len(board.chips) > 4:
                    continue
                states = game.state
                states["stage"], states["turn"], states["first"], states["walk"] = Stage.TILING, seat, seat, 0
                assert board.forecast == best_end(states.tobytes(), seat) - board.score
                changed += board.forecast != 0
    assert changed > 20


def test_a_finished_seat_awaits_its_goals_only() -> None:
    for seed in range(6):
        games = play_on(Game.new(seed=seed), "uniform", Random(seed))
        for game in some(one for one in games if one.phase == 2 and not one.is_over and one.turn != one.first):
            board = position_of(game.view(SPECTATOR)).boards[game.first]
            score, goals = board.score, sum(board.goals)
            assert board.forecast == (max(0, score + goals) - score if game.round == ROUNDS else 0)


@pytest.mark.parametrize("seed", range(8))
def test_result_adds_up(seed: int) -> None:
    game = Game.new(seed=seed, goals=4)
    for _ in play_on(game, "uniform", Random(seed)):
        pass
    shown = result_of(game)
    assert game.result is not None
    assert (shown.reason, shown.winner, shown.scores) == ("points", game.result.winner, list(game.scores))
    for seat, part in enumerate(shown.breakdown):
        sources = part.placement + part.specials + part.broken + part.start_tile + part.draws + part.goals_booked
        assert part.start + sources == part.total == game.scores[seat]
        assert part.goals == list(game.goal_points[seat])
        before_goals = part.total - part.goals_booked
        assert part.goals_booked == max(-before_goals, sum(part.goals))
        assert part.goals_booked == game.points_by_source[seat][Source.GOALS]


def test_a_tie_goes_to_the_start_tile() -> None:
    states = Game.new(seed=1).state
    states["stage"], states["round_no"], states["score"], states["start_tile"] = Stage.OVER, 5, 7, 1
    shown = result_of(Game(states))
    assert (shown.tie_break, shown.winner) == ("start_tile", 1)
    states["start_tile"], states["first"] = ON_FACTORY, 0
    shown = result_of(Game(states))
    assert (shown.tie_break, shown.winner) == ("starter", 0)


def test_a_resigned_game() -> None:
    game = Game.new(seed=2)
    shown = result_of(game, "resigned", 1)
    assert (shown.reason, shown.winner, shown.scores, shown.tie_break) == ("resigned", 1, [5, 5], "")
    assert [part.goals for part in shown.breakdown] == [[], []]


def test_positions_tell_nothing_hidden() -> None:
    games = [*some_games(), *[game.copy() for game in play_on(Game.new(seed=4), "drawing", Random(4))]]
    for game in some(games):
        for view in views_of(game):
            other = view_alike(view, game.ply)
            assert other == view
            assert position_of(other) == position_of(view)
