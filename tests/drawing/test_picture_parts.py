"""Pictures of one board and of one plate, and the themes."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from drawing.parts import arrows, pieces
from helpers import VECTORS
from random_positions import at_stage, some_games
from sintra import PLATES, Game, SintraError, Stage, read_records
from sintra.drawing.image import SvgPicture
from sintra.drawing.picture import plate_svg


def test_a_board_shows_its_pieces_alone() -> None:
    for game in some_games():
        for seat in (0, 1):
            board = game.board(seat)
            tiles = Counter(color.letter for color in board.broken)
            tiles.update(space.tile.letter for row in board.dome for space in row if space.tile is not None)
            for line in board.lines:
                if line.color is not None:
                    tiles[line.color.letter] += line.tiles
            found = pieces(game.board_svg(seat))
            assert Counter(part.name[-1] for part in found if part.name.startswith("tile-")) == +tiles
            assert sum(part.name == "start" for part in found) == board.has_start_tile
            assert sum(part.name.startswith("chip-") for part in found) == len(board.chips) + len(board.chips_spent)


def test_a_board_has_the_arrows_that_lie_on_it() -> None:
    record = read_records(VECTORS / "kinds.jsonl")[0]
    ply = next(ply for ply, token in enumerate(record.moves) if token.startswith("T"))
    game, place = record.replay(ply), record.moves[ply]
    (on_board,) = arrows(game.board_svg(game.turn, move=place))
    (on_table,) = arrows(game.svg(move=place))
    assert on_board == on_table
    assert arrows(game.board_svg(1 - game.turn, move=place)) == []
    turn = at_stage(Stage.TURN)
    take = next(move for move in turn.legal_moves if str(move).startswith("S"))
    picture = turn.board_svg(turn.turn, move=take)
    assert arrows(picture) == []
    assert 'opacity="0.75"' in picture


@pytest.mark.parametrize("turns", range(4))
def test_a_plate_is_turned(turns: int) -> None:
    for plate in PLATES:
        spaces = sorted(pieces(plate_svg(plate, turns)), key=lambda part: (part.y, part.x))
        assert "".join(part.name.removeprefix("space-") for part in spaces) == plate.turned(turns)


def test_pictures_of_parts_are_self_contained() -> None:
    for picture in (plate_svg(PLATES[3]), Game.new(seed=2).board_svg(1, title="<&>")):
        ids = [element.attrib["id"] for element in ElementTree.fromstring(picture).iter() if "id" in element.attrib]
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="|url\()#([^")]+)', picture)) <= set(ids)


def test_a_theme_changes_colours_alone() -> None:
    game = at_stage(Stage.TURN)
    move = game.legal_moves[0]
    for dark, light in (
        (game.svg(move=move), game.svg(move=move, theme="light")),
        (game.board_svg(0), game.board_svg(0, theme="light")),
    ):
        assert dark != light
        assert pieces(dark) == pieces(light)
        assert re.sub(r'"#[0-9a-f]{6}"|opacity="[\d.]+"', "", dark) == re.sub(
            r'"#[0-9a-f]{6}"|opacity="[\d.]+"', "", light
        )
    with pytest.raises(SintraError, match="there is no theme 'blue': the themes are dark and light"):
        game.svg(theme="blue")


def test_seats_of_boards_are_checked() -> None:
    with pytest.raises(SintraError, match="there is no seat 2"):
        Game.new(seed=1).board_svg(2)


def test_notebooks_show_every_picture() -> None:
    game = Game.new(seed=1)
    for picture in (game.svg(), game.board_svg(0), plate_svg(PLATES[0], 1)):
        assert isinstance(picture, SvgPicture)
        assert picture._repr_svg_() == picture
