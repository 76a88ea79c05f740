"""Moves that are not legal: nothing changes, and the reason names its rule."""

from __future__ import annotations

import pytest

from game.deals import new_deal
from helpers import played
from sintra import Game, IllegalMoveError, NotationError, SintraError


@pytest.mark.parametrize(
    ("token", "error", "reason"),
    [
        ("nonsense", NotationError, "nonsense"),
        ("", NotationError, "''"),
        ("P19@11r0", NotationError, "19"),
        ("E", IllegalMoveError, "R2.6"),
        ("D", IllegalMoveError, "R2.6"),
        ("MB1", IllegalMoveError, "R2.6"),
        ("<*", IllegalMoveError, "R8"),
        ("<07", IllegalMoveError, "R2.6"),
        ("K08@11r0", IllegalMoveError, "R2.6"),
    ],
)
def test_a_wrong_move_changes_nothing(token: str, error: type[SintraError], reason: str) -> None:
    game = Game.new(seed=1)
    before = game.state.tobytes()
    with pytest.raises(error, match=reason):
        game.push(token)
    assert (game.state.tobytes(), game.moves) == (before, ())
    assert token not in game.legal_moves


TURN = """
round: 2; turn: 1; display: 07 12 -
factory 1: sun BBYR moon - chip down; factory 2: sun - moon - chip up; factory 3: sun - moon KT chip down
factory L: sun - moon RRK; start tile: factory
0 lines: - B2 - K1 - -; 1 lines: Y1 - K2 - - -; 1 left: markers=1 chips=1; 1 plates: 11=01r0
chips: B- B- Y- Y- R- R- K- K- T- T- TY TY YK YK KB KB BR BR RT RT; 0 store: B-; 1 score: 3
"""


@pytest.mark.parametrize(
    ("token", "rule"),
    [
        ("P07@11r0", "R3.1"),
        ("P03@12r0", "R3.1"),
        ("H", "R3"),
        ("T11", "R3"),
        ("E", "R3"),
        ("S1K1:BBY", "R3.2"),
        ("S1B2", "R3.2"),
        ("S1B2:Y", "R3.2"),
        ("S1B2:YK", "R3.2"),
        ("S1B2:YRR", "R3.2"),
        ("S2B1", "R3.2"),
        ("SLR1", "R3.2"),
        ("MK1", "R3.5"),
        ("MR3", "R3.5"),
        ("MB1", "R3.3"),
        ("C1", "R3.8"),
        ("C4", "R3.4"),
    ],
)
def test_an_illegal_move_names_its_rule(token: str, rule: str) -> None:
    game = Game.from_position(TURN)
    before = game.state.tobytes()
    with pytest.raises(IllegalMoveError) as caught:
        game.push(token)
    assert caught.value.rule == rule
    assert str(caught.value).startswith(f"{token} is not legal: ")
    assert str(caught.value).endswith(f"({rule})")
    assert game.state.tobytes() == before
    with pytest.raises(IllegalMoveError):
        game.describe(token)
    with pytest.raises(IllegalMoveError):
        game.preview(token)


@pytest.mark.parametrize(
    "token", ["S1K1:BBY", "SLR1", "MK1", "P07@11r0", "C1", "D", "H", "K07@11r0", "T11", "U2:B-,B-", "E"]
)
def test_after_the_end_the_reason_is_the_end(token: str) -> None:
    game = played(1)
    assert game.is_over
    with pytest.raises(IllegalMoveError, match="over") as caught:
        game.push(token)
    assert caught.value.rule == "R6"
    assert len(game.legal_moves) == 0


@pytest.mark.parametrize("token", ["S1K1:BBY", "SLR1", "D", "E"])
def test_before_the_deal_the_reason_is_the_deal(token: str) -> None:
    with pytest.raises(IllegalMoveError, match="dealt") as caught:
        new_deal().push(token)
    assert caught.value.rule == "R7.3"


@pytest.mark.parametrize("token", ["S1K1:BBY", "S1K1", "MK1", "D", "C1"])
def test_in_phase_2_the_reason_is_phase_2(token: str) -> None:
    with pytest.raises(IllegalMoveError, match="phase 2"):
        Game.from_position("stage: tiling").push(token)
