"""Deals from outside, for games that do not deal themselves."""

from __future__ import annotations

from helpers import ALL_CHIP_LIST, ALL_PLATE_LIST
from sintra import Game, Rules
from sintra.components import FIRST_GAME

RULES = Rules(FIRST_GAME)
TILES = ["BYRKT", "BBBB", "YYYY", "RRRR", "KKKK"]


def new_deal() -> Game:
    """A game with given plates and chips that waits for its first tiles."""
    return Game.from_deal(RULES, 0, ALL_PLATE_LIST, ALL_CHIP_LIST)
