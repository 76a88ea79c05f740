"""The drawing for the terminal: it shows the whole position, fits, and tells nothing hidden."""

from __future__ import annotations

import re
import sys

import pytest

from helpers import letter, some
from random_positions import at_stage, some_games, view_alike, views_of
from sintra import Board, Game, Space, Stage, Tabletop
from sintra.drawing.terminal import LEGEND, draw

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
BOARD_ROW = re.compile(r"(\d) +((?:[_BYRKT] +)+)[|>]((?: +[byrktwoBYRKT*·])+)")


def space_on_paper(space: Space) -> str:
    """A space of the dome: its tile, or in small what it shows."""
    shows = letter(space.shows)
    return shows.translate({ord("*"): "o", ord("."): "·"}).lower() if space.tile is None else letter(space.tile)


def rows_on_paper(board: Board) -> list[tuple[str, str]]:
    """The six lines and rows of the dome in the letters of the drawing."""
    return [
        (
            "_" * line.room + (line.color.letter * line.tiles if line.color is not None else ""),
            "".join(space_on_paper(space) for space in row),
        )
        for line, row in zip(board.lines, board.dome, strict=True)
    ]


def rows_of_drawing(text: str) -> list[list[tuple[str, str]]]:
    """The lines and dome rows read back from a drawing: for each seat its six rows."""
    rows = [(line.replace(" ", ""), dome.replace(" ", "")) for _, line, dome in BOARD_ROW.findall(text)]
    return [rows[seat::2] for seat in (0, 1)]


def test_both_boards_can_be_read_back() -> None:
    for game in some_games():
        assert rows_of_drawing(draw(game, color=False)) == [rows_on_paper(board) for board in game.boards]


def test_factories_can_be_read_back() -> None:
    for game in some_games():
        rows = {row.split()[0]: row for row in draw(game, color=False).splitlines() if row.strip()}
        for side in ("sun", "moon"):
            tiles = [color.letter for factory in game.factories for color in getattr(factory, side)]
            assert re.findall(r"\b[BYRKT]\b", rows[side]) == tiles
        assert rows["chip"].count("face down") == sum(factory.chip_is_down for factory in game.factories)


def test_every_view_fits_and_reveals_nothing() -> None:
    for game in some_games():
        for view in some(views_of(game)):
            text = draw(view, color=False)
            assert max(map(len, text.splitlines())) <= 100
            assert text.endswith(f"\n{LEGEND}")
            assert text.isascii() or set(text) - set(map(chr, range(128))) == {"·"}
            assert draw(view_alike(view, seed=game.ply), color=False) == text


def test_colour_only_adds_colour() -> None:
    for game in some_games()[::3]:
        colored = draw(game, color=True)
        assert "\x1b[" in colored
        plain = "\n".join(row.rstrip() for row in ESCAPE.sub("", colored).splitlines())
        assert plain == draw(game, color=False)


@pytest.mark.parametrize(
    ("is_terminal", "no_color", "colored"), [(True, None, True), (True, "1", False), (False, None, False)]
)
def test_colour_by_default_only_on_a_terminal_that_wants_it(
    monkeypatch: pytest.MonkeyPatch, is_terminal: bool, no_color: str | None, colored: bool
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
    game = Game.new(seed=4)
    assert draw(game) == str(game) == draw(game, color=colored)


def test_hand_is_shown_to_the_one_who_looks() -> None:
    game = at_stage(Stage.KEEPING)
    hand = [place.plate for place in game.hand]
    mine, other = (draw(game.view(seat), color=False) for seat in (game.turn, 1 - game.turn))
    (row,) = [row for row in mine.splitlines() if row.startswith("hand")]
    assert row.split()[1:] == [str(plate) for plate in hand]
    (row,) = [row for row in other.splitlines() if row.startswith("hand")]
    assert row.split()[1:] != [str(plate) for plate in hand]


def test_end_names_the_winner() -> None:
    game = at_stage(Stage.OVER)
    assert game.result is not None
    assert f"Seat {game.result.winner} wins" in draw(game, color=False).splitlines()[0]
    resigned = Game.new(seed=1)
    resigned.resign(0)
    assert "Seat 1 wins (resigned)" in draw(resigned, color=False)


def test_a_bare_table_tells_only_the_height_of_the_stack() -> None:
    game = Game.new(seed=9)
    text = draw(Tabletop(game.state), color=False)
    assert "15 plates\n" in text
    assert "on top" not in text
