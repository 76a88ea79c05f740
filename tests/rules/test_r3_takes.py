"""R3.2, R3.3, R3.5, R3.6: taking tiles from sun and moon sides, and where they go."""

from __future__ import annotations

import pytest

from sintra import Game, PositionError

from .helpers import amounts, at, broken, legal, letters, lines, play, refused

MOON = """
    factory L: sun - moon RKK
    factory 1: sun - moon KY chip down
    factory 2: sun - moon TBY chip down
"""


def sun(game: Game, name: str) -> str:
    return letters(game.factories["1234L".index(name)].sun)


def moon(game: Game, name: str) -> str:
    return letters(game.factories["1234L".index(name)].moon)


def test_r3_2_two_turquoise_are_taken_and_black_is_stacked_under_yellow() -> None:
    """The rulebooks' example, on a small factory."""
    game = play(at("factory 1: sun YKTT moon - chip down"), "S1T2:KY")
    assert lines(game) == "- T2 - - - -"
    assert (sun(game, "1"), moon(game, "1")) == ("-", "KY")
    assert game.factories[0].chip_is_down


def test_r3_2_the_three_tiles_left_on_the_large_factory_go_to_its_moon_side_singly() -> None:
    """The rulebooks' example, continued on the large factory."""
    game = play(at("factory L: sun RKKTT moon -; factory 1: sun YKTT moon - chip down"), "S1T2:KY SLT2")
    assert lines(game, 1) == "- T2 - - - -"
    assert (sun(game, "L"), moon(game, "L")) == ("-", "RKK")
    assert legal(game, "MK") == {f"MK{to}" for to in "13456x"}


def test_r3_2_all_tiles_of_the_colour_on_one_factory_and_only_there() -> None:
    game = play(at("factory 1: sun BBBY moon - chip down; factory 2: sun BBYY moon - chip down"), "S1B4:Y")
    assert lines(game) == "- - - B3 - -"
    assert sun(game, "2") == "BBYY"


@pytest.mark.parametrize("order", ["YRK", "YKR", "RYK", "RKY", "KYR", "KRY"])
def test_r3_2_the_player_chooses_the_order_of_the_stack(order: str) -> None:
    game = at("factory 3: sun BYRK moon - chip down")
    play(game, f"S3B1:{order}")
    assert moon(game, "3") == order


def test_r3_2_there_are_as_many_moves_as_different_orders() -> None:
    game = at("factory 1: sun BYYR moon - chip down; factory 2: sun BKKK moon - chip down")
    assert legal(game, "S1B3") == {"S1B3:YYR", "S1B3:YRY", "S1B3:RYY"}
    assert legal(game, "S2B3") == {"S2B3:KKK"}


def test_r3_2_four_tiles_of_one_colour_leave_nothing_to_stack() -> None:
    game = at("factory 1: sun YYYY moon - chip down")
    assert legal(game, "S1Y4") == {"S1Y4"}
    play(game, "S1Y4")
    assert (lines(game), moon(game, "1")) == ("- - - Y4 - -", "-")


@pytest.mark.parametrize("token", ["S1B3", "S1B3:YR", "S1B3:YRT", "S1B3:YYK"])
def test_r3_2_the_order_names_exactly_the_tiles_left(token: str) -> None:
    assert refused(at("factory 1: sun BYRK moon - chip down"), token) == "R3.2"


def test_r3_2_no_order_follows_when_nothing_is_left() -> None:
    assert refused(at("factory 1: sun BBBB moon - chip down"), "S1B3:Y") == "R3.2"


@pytest.mark.parametrize("token", ["S2B3:YRK", "S1T3:BYR", "SLT3"])
def test_r3_2_a_colour_that_is_not_there_cannot_be_taken(token: str) -> None:
    assert refused(at("factory 1: sun BYR moon - chip down; factory L: sun BY moon -"), token) == "R3.2"


def test_r3_2_the_large_factory_may_have_tiles_on_both_sides_of_the_table() -> None:
    game = play(at("factory L: sun BBYRK moon -; factory 1: sun BYRK moon - chip down"), "SLB2 S1Y2:BRK")
    assert legal(game, "M") == {"MY1", "MY3", "MY4", "MY5", "MY6", "MYx"} | {
        f"M{color}{to}" for color in "RK" for to in "13456x"
    }


@pytest.mark.parametrize("factory", ["4: sun BYRK moon KYR chip down", "1: sun B moon Y chip down", "L: sun BY moon K"])
def test_r3_2_a_position_cannot_have_tiles_on_both_sides_of_a_factory(factory: str) -> None:
    """What is left on a sun side moves to the moon side at once."""
    with pytest.raises(PositionError):
        at(f"factory {factory}")


def test_r3_3_the_choice_of_one_red_two_black_or_two_yellow() -> None:
    """The rulebooks' example: the black tile under a yellow one is covered."""
    game = at(MOON)
    assert {token[1] for token in legal(game, "M")} == {"R", "K", "Y"}
    assert {color: game.preview(f"M{color}6").taken for color in "RKY"} == {"R": 1, "K": 2, "Y": 2}


def test_r3_3_all_uncovered_tiles_of_the_colour_on_all_moon_sides_go_at_once() -> None:
    game = play(at(MOON + "factory 3: sun - moon YK chip down"), "MK6")
    assert lines(game) == "- - - - - K3"
    assert [moon(game, name) for name in "123L"] == ["KY", "TBY", "Y", "R"]


def test_r3_3_only_the_top_tile_of_a_stack_is_taken() -> None:
    game = play(at("factory 1: sun - moon RYY chip down; factory 2: sun - moon YYY chip down"), "MY6")
    assert lines(game) == "- - - - - Y2"
    assert [moon(game, name) for name in "12"] == ["RY", "YY"]


def test_r3_3_a_covered_tile_cannot_be_taken() -> None:
    assert refused(at(MOON), "MB3") == "R3.3"
    assert refused(at(MOON), "MT3") == "R3.3"


def test_r3_3_tiles_on_sun_sides_are_not_taken_with_the_moon() -> None:
    game = play(at("factory L: sun - moon RK; factory 1: sun RRBB moon - chip down"), "MR6")
    assert (lines(game), sun(game, "1")) == ("- - - - - R1", "BBRR")


def test_r3_5_two_blue_tiles_have_four_ways_to_go() -> None:
    """The rulebooks' example: an excess tile breaks, a fitting line, an empty line, or break both."""
    game = at("0 lines: - K1 R2 B1 Y2 -; factory 1: sun BBRY moon - chip down")
    assert legal(game, "S1B") == {f"S1B{to}:{order}" for to in "146x" for order in ("YR", "RY")}
    results = {}
    for to in "146x":
        after = play(game.copy(), f"S1B{to}:RY")
        results[to] = (lines(after), broken(after))
    assert results == {
        "1": ("B1 K1 R2 B1 Y2 -", "B"),
        "4": ("- K1 R2 B3 Y2 -", "-"),
        "6": ("- K1 R2 B1 Y2 B2", "-"),
        "x": ("- K1 R2 B1 Y2 -", "BB"),
    }


def test_r3_5_a_full_line_takes_no_more_tiles() -> None:
    game = at("0 lines: B1 B2 B3 - - -; factory 1: sun BYRK moon - chip down; factory L: sun - moon B")
    for line in "123":
        assert refused(game, f"S1B{line}:YRK") == "R3.5"
        assert refused(game, f"MB{line}") == "R3.5"


def test_r3_5_a_line_holds_one_colour() -> None:
    game = at("0 lines: - - K1 - - -; factory 1: sun BYRK moon - chip down; factory L: sun - moon B")
    assert refused(game, "S1B3:YRK") == "R3.5"
    assert refused(game, "MB3") == "R3.5"
    assert lines(play(game, "S1K3:BYR")) == "- - K2 - - -"


def test_r3_5_several_lines_may_hold_the_same_colour() -> None:
    game = at("0 lines: - B1 - - - B4; factory 1: sun BYRK moon - chip down")
    assert {token[3] for token in legal(game, "S1B")} == {"1", "2", "3", "4", "5", "6", "x"}


def test_r3_5_what_does_not_fit_is_broken() -> None:
    game = play(at("0 lines: - - B2 - - -; factory 1: sun BBBY moon - chip down"), "S1B3:Y")
    assert (lines(game), broken(game)) == ("- - B3 - - -", "BB")


def test_r3_5_a_take_is_not_split_by_choice() -> None:
    game = play(at("0 lines: - B1 - - - -; factory L: sun BBBYY moon -"), "SLB6")
    assert (lines(game), broken(game)) == ("- B1 - - - B3", "-")


def test_r3_5_all_tiles_may_be_broken_although_they_would_fit() -> None:
    game = play(at("factory L: sun - moon BB; factory 1: sun - moon YB chip down"), "MBx")
    assert (lines(game), broken(game)) == ("- - - - - -", "BBB")


def test_r3_5_a_line_may_take_a_colour_that_cannot_be_placed() -> None:
    """Row 1 of this dome is `Y B  * T  B K`: red has no place there."""
    game = at("0 plates: 11=08r0 12=16r0 13=13r0; factory 1: sun RYKT moon - chip down")
    assert lines(play(game, "S1R1:YKT")) == "R1 - - - - -"


def test_r3_5_complete_lines_from_the_last_round_are_full() -> None:
    game = at("round: 2; 0 lines: - - K3 - - -; factory 1: sun KYRB moon - chip down")
    assert refused(game, "S1K3:YRB") == "R3.5"


def test_r3_6_broken_tiles_fill_four_places_and_the_rest_goes_to_the_tower() -> None:
    game = at("0 broken: YR; factory L: sun BBBBY moon -")
    play(game, "SLBx")
    assert broken(game) == "BBYR"
    assert amounts(game.tower) == "B2"


def test_r3_6_with_four_broken_tiles_all_more_go_straight_to_the_tower() -> None:
    game = play(at("0 broken: YYYY; factory L: sun BBBYY moon -"), "SLB1")
    assert (lines(game), broken(game), amounts(game.tower)) == ("B1 - - - - -", "YYYY", "B2")


def test_r3_6_the_preview_of_a_take_tells_where_its_tiles_go() -> None:
    effect = at("0 broken: YYY; factory L: sun BBBBR moon -").preview("SLB1")
    assert (effect.taken, effect.to_line, effect.broken, effect.to_tower) == (4, 1, 1, 2)
    assert effect.completes_line
    assert letters(effect.to_moon) == "R"
