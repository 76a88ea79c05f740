"""R7: the next round is prepared; with it the rare cases of R2.4 and R3.8."""

from __future__ import annotations

from collections import Counter

import pytest

from sintra import Game, SintraError, Stage

from .helpers import (
    SPECIAL_PLATES,
    WILD_PLATES,
    amounts,
    at,
    colored,
    covered,
    display,
    faces,
    first_letters,
    legal,
    letters,
    names,
    play,
)

SEEDS = range(60)
WILD_SPACES = [(1, 1), (2, 4), (2, 6), (4, 1), (4, 3), (4, 6), (5, 6), (6, 2), (6, 3)]


def round_ends(more: str = "", seed: int | None = None) -> Game:
    """The last `E` of a round is made; with a seed the next round is dealt."""
    standing = "" if "round:" in more else "round: 2; "
    return play(at(f"stage: tiling; turn: 1; first: 0; {standing}{more}", seed), "E")


def large(game: Game) -> str:
    return letters(game.factories[4].sun)


def fill(game: Game) -> list[str]:
    """The tiles of the large factory, then of 1 to 4."""
    return [letters(game.factories[f].sun) for f in (4, 0, 1, 2, 3)]


def scarce(wilds: str, line_6: str = "-", seed: int = 1) -> Game:
    """Round 5 begins with all plates laid and all their coloured spaces covered.

    Eleven tiles are left, BB YYY RR KK TT: those in `wilds` lie on wild spaces, `line_6` on a line
    that waits, the others are in the bag.
    """
    filled = colored(WILD_PLATES, without=WILD_SPACES[len(wilds) :])
    first = f"0 plates: {WILD_PLATES}; 0 dome: {covered(WILD_PLATES, filled, wilds or 'B')}"
    second = f"1 plates: {SPECIAL_PLATES}; 1 dome: {covered(SPECIAL_PLATES, colored(SPECIAL_PLATES))}"
    return round_ends(f"round: 4; {first}; {second}; 0 lines: - - - - - {line_6}", seed)


def test_r7_1_both_take_their_markers_back() -> None:
    game = round_ends("0 left: markers=0 chips=0; 1 left: markers=0 chips=0", seed=1)
    assert game.round == 3
    assert [board.markers_left for board in game.boards] == [2, 2]


def test_r7_1_both_may_take_two_chips_again() -> None:
    """R3.4."""
    game = round_ends("0 left: markers=0 chips=0; 1 left: markers=0 chips=0", seed=1)
    assert [board.chips_left for board in game.boards] == [2, 2]


def test_r7_2_the_display_is_refilled_to_three_plates_from_the_top_of_the_stack() -> None:
    domes = "0 plates: 11=01r0 12=03r0 13=06r0; 1 plates: 11=07r0 12=08r0"
    game = round_ends(f"display: - 02 -; stack: 05 04 09 10 11 12 13 14 15 16 17 18; {domes}", seed=1)
    assert (display(game), names(game.stack)) == ("05 02 04", "09 10 11 12 13 14 15 16 17 18")


def test_r7_2_plates_returned_under_the_stack_come_last() -> None:
    plates = f"stack: 11 16 13 01 18; 0 plates: 11=05r0 12=07r0 13=08r0 21=09r0; 1 plates: {WILD_PLATES}"
    game = at(f"round: 3; 0 left: markers=1; 1 left: markers=0; display: - - -; {plates}", seed=1)
    play(game, "D D H K16@22r0 <11 E E")
    assert (display(game), names(game.stack)) == ("13 01 18", "11")


def test_r7_2_without_a_stack_the_display_stays_as_it_is() -> None:
    game = scarce("BBRRKKTT")
    assert (display(game), game.stack_size) == ("- - -", 0)


def test_r7_3_all_factories_are_filled_and_get_a_chip_face_down() -> None:
    game = round_ends(seed=1)
    assert game.stage is Stage.TURN
    assert [len(factory.sun) for factory in game.factories] == [4, 4, 4, 4, 5]
    assert [factory.chip_is_down for factory in game.factories] == [True, True, True, True, False]


def test_r7_3_the_chips_of_a_round_are_the_next_four() -> None:
    """Round 3 lays the ninth to twelfth chip; they are turned up where four tiles are taken."""
    chips = "chips: B- B- Y- Y- R- R- K- K- T- RT YK BR T- TY TY YK KB KB BR RT"
    game = round_ends(chips)
    game.deal(("BYRKT", "BBBB", "YYYY", "RRRR", "KKKK"))
    play(game, "S1B4 S2Y4 S3R5 S4K5 C1 C2 C3 C4")
    assert (faces(game.board(0).chips), faces(game.board(1).chips)) == ("T- YK", "BR RT")


def test_r7_3_without_a_generator_the_tiles_are_awaited() -> None:
    game = round_ends()
    assert game.awaits_deal
    assert first_letters(game) == set()
    game.deal(("BYRKT", "BBYK", "RRTT", "YKBT", "BRYK"))
    assert fill(game) == ["BYRKT", "BBYK", "RRTT", "BYKT", "BYRK"]


def test_r7_3_a_bag_of_exactly_five_is_drawn_without_pouring_the_tower() -> None:
    for seed in SEEDS:
        game = round_ends("bag: B3 K2", seed)
        assert large(game) == "BBBKK"
        assert sum(game.bag.values()) == 60 - 16
        assert amounts(game.tower) == "-"


def test_r7_3_a_bag_of_exactly_21_leaves_the_tower_alone() -> None:
    game = round_ends("bag: B5 Y5 R5 K3 T3", seed=1)
    assert amounts(game.bag) == "-"
    assert amounts(game.tower) == "B8 Y8 R8 K10 T10"


def test_r7_3_the_tower_is_poured_when_a_tile_is_needed_and_the_bag_is_empty() -> None:
    """The three tiles of the bag come first, then the tower's."""
    for seed in SEEDS:
        game = round_ends("bag: B2 K1", seed)
        assert large(game).count("B") >= 2
        assert large(game).count("K") >= 1
        assert amounts(game.tower) == "-"
        assert sum(game.bag.values()) == 65 - 21


def test_r7_3_the_tower_is_poured_in_the_middle_of_a_small_factory() -> None:
    game = round_ends("bag: B3 K4; tower: B10 Y13 R13 K9 T13")
    game.deal(("BBKKK", "BKYY", "RRTT", "RRTT", "YYYY"))
    assert fill(game)[1] == "BYYK"
    assert amounts(game.tower) == "-"


def test_r7_3_the_broken_tiles_of_the_round_can_come_back_at_once() -> None:
    """R4.6: they are in the tower before the factories are filled."""
    game = round_ends("bag: -; 1 broken: BYRK", seed=1)
    assert amounts(game.tower) == "-"
    assert sum(game.bag.values()) == 65 - 21


@pytest.mark.parametrize("tiles", ["BBBKT", "BBKKY", "BBBKKK"])
def test_r7_3_a_deal_that_skips_tiles_of_the_bag_is_refused(tiles: str) -> None:
    game = round_ends("bag: B3 K2")
    with pytest.raises(SintraError, match=r"large factory.*R7\.3"):
        game.deal((tiles, "YYYY", "RRRR", "TTTT", "YRTK"))
    game.deal(("BBBKK", "YYYY", "RRRR", "TTTT", "YRTK"))
    assert game.stage is Stage.TURN


def test_r7_3_with_too_few_tiles_factories_stay_short_or_empty() -> None:
    game = scarce("")
    assert [len(factory.sun) for factory in game.factories] == [4, 2, 0, 0, 5]
    assert Counter("".join(fill(game)).replace("-", "")) == Counter("BBYYYRRKKTT")


def test_r7_3_the_chip_of_an_empty_factory_is_turned_up_at_once() -> None:
    """R3.8."""
    game = scarce("")
    assert [factory.chip_is_down for factory in game.factories[:4]] == [True, True, False, False]
    assert [factory.chip is not None for factory in game.factories[:4]] == [False, False, True, True]
    assert legal(game, "C") == {"C3", "C4"}


@pytest.mark.parametrize(("tiles", "holder"), [("TT", 0), ("KT", None)])
def test_r7_3_a_short_large_factory_of_one_colour_brings_the_start_tile(tiles: str, holder: int | None) -> None:
    """R3.7: its reading for a short fill; two colours do as always."""
    game = scarce({"TT": "BBYYYRRKK", "KT": "BBYYYRRKT"}[tiles])
    assert fill(game) == [tiles, "-", "-", "-", "-"]
    play(game, "SLTx")
    assert game.start_tile == holder


def test_r7_3_with_no_tile_at_all_the_round_is_played_with_chips_only() -> None:
    """R3.7, R6.3: nobody takes the start tile, so the starter of round 5 pays nothing and would win a tie."""
    game = scarce("BBRRKKTT", "Y3")
    assert fill(game) == ["-"] * 5
    assert legal(game) == {"C1", "C2", "C3", "C4"}
    play(game, "C1 C2 C3 C4")
    assert (game.stage, game.start_tile, game.first) == (Stage.TILING, None, 0)
    scores = game.scores
    play(game, "E E")
    assert game.is_over
    assert game.scores == tuple(scores[seat] + sum(game.goal_points[seat]) for seat in (0, 1))


def test_r7_3_redraw_until_the_large_factory_has_two_colours() -> None:
    """R2.4: drawn without it, five red tiles would come in one of six cases."""
    for seed in SEEDS:
        assert large(round_ends("bag: R5 B1", seed)) == "BRRRR"


def test_r7_3_redraw_after_the_tower_was_poured() -> None:
    """R2.4: the bag's four red tiles and a fifth from the tower go back, and all 65 are in the bag."""
    for seed in SEEDS:
        game = round_ends("bag: R4", seed)
        assert len(set(large(game))) > 1
        assert amounts(game.tower) == "-"


def test_r7_3_redrawn_tiles_may_stay_in_the_bag() -> None:
    """R2.4: after a redraw the red tiles that came first need not be drawn again."""
    game = round_ends("bag: R4")
    game.deal(("BYKTB", "YYYY", "KKKK", "TTTT", "BBBB"))
    assert amounts(game.bag).split()[2] == "R13"


def test_r7_3_tiles_of_two_colours_are_not_redrawn() -> None:
    """R2.4: the bag's `RRB` must be among the five."""
    game = round_ends("bag: R2 B1")
    with pytest.raises(SintraError, match=r"R2\.4"):
        game.deal(("RYKTB", "YYYY", "KKKK", "TTTT", "BBBB"))


def test_r7_3_one_colour_stays_when_the_bag_holds_no_other() -> None:
    """R2.4: a tower that need not be poured yet is not poured for it; R3.7: its taker gets the start tile."""
    for seed in SEEDS:
        game = round_ends("bag: R5", seed)
        assert large(game) == "RRRRR"
    play(game, "SLR5")
    assert game.start_tile == game.first


def test_r7_3_one_colour_stays_with_more_of_it_in_the_bag() -> None:
    """R2.4: two red tiles are left for factory 1, where the tower is poured."""
    for seed in SEEDS:
        game = round_ends("bag: R7", seed)
        assert large(game) == "RRRRR"
        assert fill(game)[1].count("R") >= 2


def test_r7_3_a_deal_of_one_colour_is_accepted_only_where_it_is_forced() -> None:
    """R2.4."""
    rest = ("YYYY", "KKKK", "TTTT", "BBBB")
    forced = round_ends("bag: R5")
    with pytest.raises(SintraError, match=r"R2\.4"):
        forced.deal(("RRRRB", *rest))
    forced.deal(("RRRRR", *rest))
    assert large(forced) == "RRRRR"
    free = round_ends("bag: R5 B1")
    with pytest.raises(SintraError, match=r"R2\.4"):
        free.deal(("RRRRR", "BYYY", "KKKK", "TTTT", "BBBB"))


@pytest.mark.parametrize("holder", [0, 1])
def test_r7_4_the_holder_of_the_start_tile_starts_and_puts_it_back(holder: int) -> None:
    game = round_ends(f"start tile: {holder}", seed=1)
    assert (game.first, game.turn) == (holder, holder)
    assert game.start_tile is None
    assert game.factories[4].has_start_tile


@pytest.mark.parametrize("first", [0, 1])
def test_r7_4_without_a_holder_the_same_player_starts_again(first: int) -> None:
    """R3.7."""
    game = play(at(f"stage: tiling; turn: {first}; first: {first}; round: 2", 1), "E E")
    assert (game.round, game.first, game.turn) == (3, first, first)


def test_r7_4_the_start_tile_can_be_taken_again_in_the_new_round() -> None:
    game = round_ends("start tile: 1")
    game.deal(("BYRKT", "BBYK", "RRTT", "YKBT", "BRYK"))
    play(game, "SLB1 MK6")
    assert game.start_tile == 0


def test_r7_4_there_is_no_opening_plate_after_round_1() -> None:
    assert first_letters(round_ends(seed=1)) == {"P", "D", "S"}


def test_r7_4_a_game_has_five_rounds() -> None:
    game = round_ends("round: 4", seed=1)
    assert (game.round, game.stage) == (5, Stage.TURN)
    over = round_ends("round: 5", seed=1)
    assert over.stage is Stage.OVER
