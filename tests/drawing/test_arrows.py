"""Moves as arrows: they begin at the pieces that a move takes, end where these will lie, and tell nothing hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from drawing.parts import Part, arrows, pieces
from helpers import VECTORS, some
from random_positions import at_stage, view_alike
from sintra import (
    DisplayPlate,
    Draw,
    EndTiling,
    Game,
    IllegalMoveError,
    KeepPlate,
    LayPlate,
    Look,
    Move,
    NotationError,
    Pay,
    Place,
    ReturnPlate,
    SintraError,
    Stage,
    SunTake,
    TakeChip,
    TakeTiles,
    read_records,
)
from sintra.components import SPECTATOR
from sintra.drawing.picture import svg


def moves_of(*names: str) -> Iterator[tuple[Game, Move]]:
    """Every position of the first game of some files, and the move that was made there."""
    for name in names:
        record = read_records(VECTORS / f"{name}.jsonl")[0]
        for game in record.positions():
            if game.ply < len(record.moves):
                yield game, Move.parse(record.moves[game.ply])


def covering(parts: list[Part], spot: tuple[float, float], beginning: str) -> list[Part]:
    """The pieces of a kind that lie at a spot."""
    return [part for part in parts if part.name.startswith(beginning) and part.covers(*spot)]


def tile_of(game: Game, line: int) -> str:
    """The symbol of a tile on a line of the seat to move."""
    color = game.board(game.turn).line(line).color
    assert color is not None
    return f"tile-{color.letter}"


def test_arrows_begin_and_end_at_the_pieces_of_the_move() -> None:
    kinds: Counter[str] = Counter()
    for game, move in moves_of("kinds", "chips"):
        if kinds[type(move).__name__] == 5:
            continue
        picture = game.svg(move=move)
        before, drawn = pieces(picture), arrows(picture)
        after = game.copy()
        after.reseed(1)
        after.push(move)
        then = pieces(after.svg())
        if isinstance(move, Look | EndTiling):
            assert drawn == []
            continue
        (arrow,) = drawn
        kinds[type(move).__name__] += 1
        start = arrow.starts[0]
        match move:
            case TakeTiles(color=color):
                assert all(covering(before, spot, f"tile-{color.letter}") for spot in arrow.starts)
                is_sun = [y < 70 + 132 for _, y in arrow.starts]
                assert set(is_sun) == {isinstance(move, SunTake)}
                if after.phase == 1:
                    wanted = f"tile-{color.letter}" if move.line else "tile-"
                    assert covering(then, arrow.tip, wanted)
            case TakeChip(factory=name):
                chip = game.factory(name).chip
                assert covering(before, start, f"chip-{chip}")
                if after.phase == 1:
                    assert covering(then, arrow.tip, "chip-")
            case Pay(line=line, chips=chips):
                assert len(arrow.starts) == len(chips)
                for spot, chip in zip(arrow.starts, chips, strict=True):
                    assert covering(before, spot, f"chip-{chip}")
                assert not covering(before, arrow.tip, "tile-")
                if game.paid_line is None:
                    assert covering(before, (arrow.tip[0] + 44, arrow.tip[1]), tile_of(game, line))
            case Place(line=line):
                assert covering(before, start, tile_of(game, line))
                assert covering(then, arrow.tip, tile_of(game, line))
            case LayPlate():
                near = [part for part in then if part.name.startswith("space-") and part.covers(*arrow.tip, 26)]
                x0, y0 = min(part.x for part in near), min(part.y for part in near)
                laid = [part for part in then if x0 <= part.x <= x0 + 46 and y0 <= part.y <= y0 + 46]
                assert "".join(part.name[-1] for part in sorted(laid, key=lambda part: (part.y, part.x))) == move.face
                if isinstance(move, DisplayPlate):
                    place = game.display.index(move.plate)
                    assert (abs(start[0] - (838 + 12 + 49 + 106 * place)) < 1, start[1] < 70 + 130) == (True, True)
                else:
                    assert 70 + 150 < start[1] < 70 + 194
            case Draw():
                assert covering(before, start, "back-")
                assert 70 + 150 < arrow.tip[1] < 70 + 194
            case ReturnPlate():
                assert 70 + 150 < start[1] < 70 + 194
                assert arrow.tip[0] > 838 + 330
    plates, others = {"DisplayPlate", "Draw", "KeepPlate", "ReturnPlate"}, {"TakeChip", "Pay", "Place"}
    assert set(kinds) == {"SunTake", "MoonTake"} | plates | others


def test_the_table_below_an_arrow_is_that_without_it() -> None:
    for game, move in some(moves_of("kinds")):
        if game.ply % 19 == 0:
            assert pieces(game.svg(move=move)) == pieces(game.svg())


def test_what_does_not_fit_and_the_start_tile_have_arrows_of_their_own() -> None:
    found = Counter[tuple[bool, bool]]()
    for game, move in moves_of("kinds"):
        if not isinstance(move, TakeTiles):
            continue
        effect = game.preview(move)
        aside = [lost for lost in (effect.broken, effect.to_tower) if lost]
        expected = len(aside) - (not effect.to_line) + effect.takes_start_tile
        assert len(arrows(game.svg(move=move), "aside")) == expected
        found[bool(aside), effect.takes_start_tile] += 1
    assert found[True, False]
    assert found[False, True]


def test_every_observer_sees_a_move_and_nothing_hidden() -> None:
    hidden = 0
    for game, move in moves_of("draw"):
        if game.ply % 20 and not isinstance(move, Draw | Look | KeepPlate | ReturnPlate):
            continue
        for observer in (0, 1, SPECTATOR):
            view, seen = game.view(observer), move.seen_by(observer, game.turn)
            picture = view.svg(move=seen)
            assert ElementTree.fromstring(picture).tag.endswith("svg")
            if isinstance(move, Draw | Look | KeepPlate | ReturnPlate):
                assert picture == view_alike(view, seed=game.ply).svg(move=seen)
                hidden += seen != move
    assert hidden


def test_a_return_is_pointed_at_from_any_plate_that_could_be_the_one() -> None:
    game = at_stage(Stage.RETURNING)
    watcher = game.view(SPECTATOR)
    back = game.hand[0].kind
    assert back is not None
    assert len(arrows(watcher.svg(move=f"<{back.value}"))) == 1
    with pytest.raises(IllegalMoveError, match="no drawn plate can be the one"):
        at_stage(Stage.TURN).view(SPECTATOR).svg(move="<*")


def test_moves_that_cannot_be_made_are_refused() -> None:
    game = Game.new(seed=7)
    with pytest.raises(IllegalMoveError, match="opening plate"):
        game.svg(move="MB3")
    with pytest.raises(NotationError):
        game.board_svg(0, move="what")
    over = at_stage(Stage.OVER)
    with pytest.raises(IllegalMoveError, match="over"):
        over.svg(move="E")
    with pytest.raises(SintraError, match="cannot be shown"):
        svg(game, move=Move.parse("C2"))
