"""The SVG picture: well-formed, complete, self-contained, and without secrets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

from helpers import some
from random_positions import at_stage, some_games, view_alike, views_of
from sintra import Color, Game, Stage, Tabletop
from sintra.components import SPECTATOR
from sintra.drawing.picture import svg

NAMESPACE = "{http://www.w3.org/2000/svg}"


def shown(picture: str, name: str) -> Iterator[ElementTree.Element]:
    """The elements of a name outside the definitions."""
    root = ElementTree.fromstring(picture)
    for definitions in root.findall(f"{NAMESPACE}defs"):
        root.remove(definitions)
    return root.iter(f"{NAMESPACE}{name}")


def used(picture: str) -> Counter[str]:
    """How often each symbol is used."""
    return Counter(use.attrib["href"].removeprefix("#sintra-") for use in shown(picture, "use"))


def words(picture: str) -> list[str]:
    """The texts of a picture."""
    return [text.text or "" for text in shown(picture, "text")]


def tiles_on(table: Tabletop) -> Counter[str]:
    """The tiles that lie open, by their letters."""
    tiles: Counter[str] = Counter()
    for factory in table.factories:
        tiles.update(color.letter for color in (*factory.sun, *factory.moon))
    for board in table.boards:
        tiles.update(color.letter for color in board.broken)
        tiles.update(space.tile.letter for row in board.dome for space in row if space.tile is not None)
        for line in board.lines:
            if line.color is not None:
                tiles[line.color.letter] += line.tiles
    return tiles


def test_every_open_tile_is_drawn() -> None:
    beside_bag_and_tower = Counter({color.letter: 2 for color in Color})
    for game in some_games():
        pictured = {name[-1]: n for name, n in used(svg(game)).items() if name.startswith("tile-")}
        assert Counter(pictured) == tiles_on(game) + beside_bag_and_tower


def test_start_tile_and_face_down_chips_are_drawn() -> None:
    for game in some_games():
        symbols = used(svg(game))
        assert symbols["start"] == 1
        assert symbols["coin"] == sum(factory.chip_is_down for factory in game.factories)


def test_every_view_reveals_nothing() -> None:
    for game in some_games():
        for view in some(views_of(game)):
            assert svg(view_alike(view, seed=game.ply)) == svg(view)


def test_picture_is_self_contained() -> None:
    for game in some_games()[::4]:
        picture = svg(game)
        ids = [element.attrib["id"] for element in ElementTree.fromstring(picture).iter() if "id" in element.attrib]
        assert len(set(ids)) == len(ids)
        assert set(re.findall(r'(?:href="|url\()#([^")]+)', picture)) <= set(ids)
        assert re.findall(r"https?:[^\"]*", picture) == ["http://www.w3.org/2000/svg"]


def test_drawn_plates_are_shown_to_the_one_who_looks() -> None:
    game = at_stage(Stage.KEEPING)
    mine, watched = used(svg(game.view(game.turn))), used(svg(game.view(SPECTATOR)))

    def spaces(symbols: Counter[str]) -> int:
        return sum(n for name, n in symbols.items() if name.startswith("space-"))

    assert spaces(mine) == spaces(watched) + 4 * len(game.hand)


def test_title_is_text() -> None:
    picture = svg(Game.new(seed=3), title='Ana & <Bob> "\x00\x1b\ud800"')
    assert 'Ana & <Bob> ""' in words(picture)
    assert words(svg(Game.new(seed=3)))[0] == "Sintra"


def test_scores_and_goals_are_written() -> None:
    for game in some_games()[::4]:
        texts = words(svg(game))
        for seat in (0, 1):
            assert f"{game.scores[seat]}" in texts
        for goal in game.goals:
            assert str(goal).capitalize() in texts
