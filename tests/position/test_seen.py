"""Views as text: what is written is all that an observer knows, and is read back as the same view."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import ALL_RULES, TASTES, is_read, made_up_knowledge, play_on, random_scene, scene_of_returns
from sintra import SPECTATOR, Game, PositionError, Rules, View

EVERYBODY = (0, 1, SPECTATOR)
seeds = st.integers(0, 2**62)


@given(seed=seeds, rules=st.sampled_from(ALL_RULES), taste=st.sampled_from(sorted(TASTES)))
@soak.examples(3)
def test_every_view_of_a_game_is_read_back(seed: int, rules: Rules, taste: str) -> None:
    for game in play_on(Game.new(seed=seed, rules=rules), taste, Random(seed)):
        for observer in EVERYBODY:
            view = game.view(observer)
            assert View.from_position(view.position) == view


@given(seed=seeds, often=st.booleans())
@soak.examples(3)
def test_plates_drawn_again_and_again_are_read_back(seed: int, often: bool) -> None:
    read = 0
    for scene in scene_of_returns(seed) if often else random_scene(seed):
        if not is_read(scene.game):
            continue
        for observer in EVERYBODY:
            view = scene.game.view(observer)
            assert View.from_position(view.position) == view
            read += 1
    assert read > 10


@pytest.mark.parametrize("observer", EVERYBODY)
def test_knowledge_that_was_made_up_is_read_back(observer: int) -> None:
    view = made_up_knowledge().view(observer)
    assert View.from_position(view.position) == view


def looked() -> Game:
    """Seat 0 has looked at three plates and put two of them back."""
    game = Game.new(seed=7, goals="first-game")
    for token in ["P06@22r0", "P13@11r0", "D", "D", "D", "H", "K15@12r0", "<02", "<04"]:
        game.push(token)
    return game


def row(view: View, key: str) -> str:
    (found,) = [line for line in view.position.splitlines() if line.startswith(f"{key}:")]
    return found


def test_who_has_looked_reads_what_others_do_not() -> None:
    mine, theirs, public = (looked().view(observer) for observer in EVERYBODY)
    assert row(mine, "stack").split()[-2:] == ["02", "04"]
    assert row(theirs, "stack").split()[-2:] == ["?W", "?W"]
    assert row(theirs, "0 thinks").split()[-2:] == [f"@{mine.stack_size - 1}", f"@{mine.stack_size}"]
    assert [row(view, "seat") for view in (mine, theirs, public)] == ["seat: 0", "seat: 1", "seat: spectator"]
    assert row(mine, "chips").split()[1:] == ["??"] * 20


def test_one_line_will_do_and_a_key_may_be_left_out() -> None:
    view = Game.new(seed=3).view(0)
    assert View.from_position("; ".join(view.position.splitlines())) == view
    short = [line for line in view.position.splitlines() if not line.startswith(("0 points", "1 lines", "bag"))]
    assert View.from_position("\n".join(short)) == view


def test_sets_that_follow_need_not_be_written() -> None:
    """An equal view comes out, all conclusions drawn."""
    view = Game.new(seed=3).view(0)
    hidden = " ".join("?" for _ in view.stack)
    assert View.from_position(f"{view.position}0 knows: {hidden}") == view


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("seat: 0", "seat: 2", r"line 1, seat: '2' must be one of 0, 1, spectator"),
        ("seat: 0", "", r"seat: a view says whose it is"),
        ("stack: ?? ", "stack: 99 ", r"stack: .*99.*for one that is hidden"),
        ("stack: ", "stack: ?? ", r"stack: a view names each place"),
        ("stack: ?? ", "stack: ", r"stack: there are 17 plates"),
        ("chips: ?? ", "chips: ", r"chips: a view names all 20"),
        ("chips: ?? ", "chips: XX ", r"chips: .*XX"),
        ("chips: ?? ", "chips: B- ", r"chips: it names one that lies face down"),
        ("chips: ?? ?? ?? ", "chips: B- B- B- ", r"no order of plates and chips fits"),
        ("round: 1", "round: 1\n1 thinks: @1", r"1 thinks: names 15 places"),
        ("round: 1", "round: 1\n1 thinks: " + "Q " * 15, r"1 thinks: 'Q' should be a place like @2"),
        ("round: 1", "round: 1\n1 thinks: " + "@16 " * 15, r"1 thinks: '@16' should be a place"),
        ("round: 1", "round: 1\n0 knows: ? ?", r"0 knows: names 15 places"),
        ("round: 1", "round: 1\n0 knows: " + "17 " * 15, r"no order of plates and chips fits"),
        ("round: 1", "round: 7", r"round: '7' must be"),
    ],
)
def test_what_is_no_view_is_refused(old: str, new: str, reason: str) -> None:
    text = Game.new(seed=3).view(0).position.replace("?W", "??").replace("?*", "??")
    assert old in text
    with pytest.raises(PositionError, match=reason):
        View.from_position(text.replace(old, new, 1))


def test_a_view_is_no_whole_position_and_the_other_way_round() -> None:
    game = Game.new(seed=3)
    with pytest.raises(PositionError, match=r"seat: this is what one seat may know"):
        Game.from_position(game.view(0).position)
    with pytest.raises(PositionError, match=r"seat: a view says whose it is"):
        View.from_position(game.position)
    with pytest.raises(PositionError, match="a position is text"):
        View.from_position(b"seat: 0")  # type: ignore[arg-type]
