"""Options: exactly the legal moves, and what is promised for each is what it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, permutations
from random import Random

import pytest

from helpers import VECTORS, play_on, some
from random_positions import some_games, view_alike, views_of
from sintra import Game, PlateKind, Source, View
from sintra.components import FACTORY_LETTERS, PLATES, ROUNDS
from sintra.players.thinking.evaluator import Evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.records.files import read_records
from sintra.rules import engine
from sintra.table.shown.messages import Options, Take
from sintra.tabletop.moves import Move, SunTake, TakeTiles, path_of
from table.messages_read import options_of

BLANK = Evaluator.blank()


def positions(seeds: range, taste: str) -> Iterator[Game]:
    """Every position of some random games."""
    for seed in seeds:
        yield from play_on(Game.new(seed=seed), taste, Random(seed))


def vector_games(name: str, every: int) -> Iterator[Game]:
    """Some positions of the recorded games."""
    for record in read_records(VECTORS / f"{name}.jsonl")[:4]:
        for ply in range(0, len(record.moves), every):
            yield record.replay(ply)


def tokens_of(options: Options) -> list[str]:
    """All moves that the options name."""
    tokens = [one.token for one in options.chips]
    for take in options.takes:
        for to in take.to:
            assert len(to.tokens) == (len(take.orders) or 1)
            tokens += to.tokens
    for laying in options.layings:
        for turnings in laying.slots.values():
            assert len(turnings) == len(laying.faces) == 4
            tokens += [one.token for one in turnings]
    tokens += [one.token for one in (options.draw, options.look, options.end) if one]
    tokens += [one.token for one in options.returns]
    return tokens + [one.token for one in options.placements] + [one.token for one in options.payments]


@pytest.mark.parametrize("taste", ["uniform", "drawing", "chips"])
def test_options_are_the_legal_moves(taste: str) -> None:
    for game in some(positions(range(3), taste)):
        for view in views_of(game):
            tokens = tokens_of(options_of(view))
            assert sorted(tokens) == sorted(map(str, view.legal_moves))


@pytest.mark.parametrize("name", ["greedy", "rare", "chips"])
def test_options_are_the_legal_moves_of_recorded_games(name: str) -> None:
    for game in some(vector_games(name, 3)):
        tokens = tokens_of(options_of(game.view(game.turn)))
        assert sorted(tokens) == sorted(map(str, game.legal_moves))


def moon_of(game: Game) -> dict[str, int]:
    """R3.3: what lies uncovered on the moon sides, counted piece by piece."""
    shown = [tile for factory in game.factories for tile in (factory.moon if factory.is_large else factory.moon[-1:])]
    return {color.letter: shown.count(color) for color in sorted(set(shown))}


def check_take(game: Game, view: View, take: Take) -> None:
    """What a take promises is what happens."""
    for k, order in enumerate(take.orders or [None]):
        moon = order.moon if order else take.moon
        for to in take.to:
            effect = view.preview(to.tokens[k])
            stacked = effect.move.order if isinstance(effect.move, SunTake) else ()
            assert (order.order if order else "") == "".join(tile.letter for tile in stacked)
            assert take.count == effect.taken
            assert (to.fills, to.broken, to.to_tower) == (effect.to_line, effect.broken, effect.to_tower)
            assert to.completes == effect.completes_line
            assert isinstance(effect.move, TakeTiles)
            assert to.line == (effect.move.line or 0)
            assert take.start_tile == effect.takes_start_tile
            assert take.turns_up == [f"chip-{f}" for f in effect.turns_up]
        after = game.copy()
        after.push(take.to[-1].tokens[k])
        assert moon_of(after) == moon


def places_of(game: Game, take: Take) -> list[str]:
    """Where the tiles of a take lie."""
    if take.source != "moon":
        return [take.source]
    places = [factory for factory in game.factories if factory.moon]
    return [
        f"moon-{factory.name}"
        for factory in places
        if take.color in "".join(tile.letter for tile in (factory.moon if factory.is_large else factory.moon[-1:]))
    ]


@pytest.mark.parametrize("name", ["greedy", "rare", "chips"])
def test_takes_do_what_they_promise(name: str) -> None:
    seen = 0
    for game in vector_games(name, 9):
        view = game.view(game.turn)
        for take in options_of(view).takes:
            check_take(game, view, take)
            assert take.places == places_of(game, take)
            seen += 1
    assert seen > 100


def test_a_stack_has_each_order_once() -> None:
    """R3.2, in the order of the colours."""
    sizes = set()
    for game in vector_games("greedy", 9):
        for take in options_of(game.view(game.turn)).takes:
            factory = game.factories[FACTORY_LETTERS.find(take.source[-1])]
            left = [tile for tile in factory.sun if tile.letter != take.color]
            is_stacked = take.source != "moon" and not factory.is_large
            orders = sorted(set(permutations(left))) if is_stacked and left else []
            assert [one.order for one in take.orders] == ["".join(tile.letter for tile in order) for order in orders]
            sizes.add(len(orders))
    assert sizes == {0, 1, 2, 3, 6}


def solved(view: View, token: str) -> int:
    """The forecast after a move, by playing it and asking the tiler."""
    states, seat = view.state, view.turn
    assert engine.play(states, 0, path_of(Move.parse(token), states, 0)) == 0
    return int(Tiler(BLANK).value(states, seat)) - int(states["score"][0, seat])


@pytest.mark.parametrize("name", ["greedy", "rare", "chips"])
def test_forecasts_after_moves(name: str) -> None:
    looked = 0
    for game in vector_games(name, 11):
        view = game.view(game.turn)
        options = options_of(view)
        for take in options.takes:
            for to in take.to:
                assert to.forecast == solved(view, to.tokens[-1])
        for laying in options.layings:
            for turning in (one for turnings in laying.slots.values() for one in turnings):
                assert turning.forecast == solved(view, turning.token)
        for chip in options.chips:
            assert chip.forecast == solved(view, chip.token)
        for payment in options.payments:
            assert payment.forecast == solved(view, payment.token)
        looked += len([*options.takes, *options.layings, *options.chips, *options.payments])
    assert looked


@pytest.mark.parametrize("taste", ["uniform", "chips"])
def test_tiling_books_what_is_shown(taste: str) -> None:
    specials = ends = paid = scored_goals = 0
    for game in positions(range(6), taste):
        seat, options = game.turn, options_of(game.view(game.turn))
        board = game.board(seat)
        for placement in options.placements:
            after = game.copy()
            after.push(placement.token)
            now, then = after.points_by_source[seat], game.points_by_source[seat]
            assert placement.points == now[Source.PLACEMENT] - then[Source.PLACEMENT]
            assert placement.special_points == now[Source.SPECIALS] - then[Source.SPECIALS]
            goals = sum(after.goal_points[seat]) - sum(game.goal_points[seat])
            assert placement.goal_points == (goals if game.round == ROUNDS else 0)
            scored_goals += placement.goal_points > 0
            runs = [run for run in (placement.across, placement.down) if run > 1]
            assert placement.points == (sum(runs) or 1)
            if placement.special_row:
                specials += 1
                space = after.board(seat).space(placement.special_row, placement.special_column)
                assert space.tile is PlateKind.SPECIAL
        for payment in options.payments:
            after = game.copy()
            after.push(payment.token)
            assert after.paid_line == payment.line
            assert payment.missing == board.lines[payment.line - 1].room - int(after.state["paid"][0])
            paid += 1
        if options.end:
            ends += 1
            after = game.copy()
            after.push("E")
            now, then = after.points_by_source[seat], game.points_by_source[seat]
            assert options.end.points == sum(now[s] - then[s] for s in (Source.BROKEN, Source.START_TILE))
            broke = [
                line.number
                for line, left in zip(board.lines, after.board(seat).lines, strict=True)
                if line.tiles and not line.is_placed and not left.tiles
            ]
            assert options.end.breaks == broke
    assert scored_goals
    assert ends >= 60
    assert specials or paid


def test_draws_cost_what_the_player_has() -> None:
    costs = set()
    for game in positions(range(4), "drawing"):
        options = options_of(game.view(game.turn))
        if options.draw:
            after = game.copy()
            after.push(options.draw.token)
            assert options.draw.cost == game.scores[game.turn] - after.scores[game.turn]
            costs.add(options.draw.cost)
    assert len(costs) > 1


def test_layings_name_the_place_of_the_plate() -> None:
    places = set()
    for game in positions(range(3), "drawing"):
        view = game.view(game.turn)
        for laying in options_of(view).layings:
            where, index = laying.place.split("-")
            plate = view.display[int(index)] if where == "display" else view.hand[int(index)].plate
            assert plate is not None
            assert plate.name == laying.plate
            assert laying.faces == tuple(plate.turned(turns) for turns in range(4))
            for slot, turnings in laying.slots.items():
                for turns, turning in enumerate(turnings):
                    assert turning.token == f"{'P' if where == 'display' else 'K'}{plate.name}@{slot}r{turns}"
                    places.add(where)
    assert places == {"display", "hand"}


def test_chips_and_returns_name_their_pieces() -> None:
    chips = returns = 0
    for game in chain(positions(range(2), "drawing"), positions(range(2), "chips")):
        options = options_of(game.view(game.turn))
        for chip in options.chips:
            chips += 1
            assert chip.token == f"C{chip.place.removeprefix('chip-')}"
        for one in options.returns:
            returns += 1
            assert one.token == f"<{one.plate}"
            assert one.face == PLATES[int(one.plate) - 1].printed
    assert chips > 0
    assert returns > 0


def test_options_tell_nothing_hidden() -> None:
    for game in (*some_games(), *positions(range(1), "drawing")):
        if game.stage.name in ("TURNING", "STACKING"):
            continue
        for view in some(views_of(game)):
            other = view_alike(view, game.ply)
            assert other == view
            assert options_of(other) == options_of(view)
