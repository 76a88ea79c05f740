"""R8: who knows what."""

from __future__ import annotations

import pytest

from sintra import Game

from .helpers import WILD_PLATES, amounts, at, faces, names, play

STACK = "display: 01 02 03; stack: 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18"
"""From the top the kinds are W * W * * * W * W * W W * W *."""
EVERYBODY = (0, 1, 2)
FEW_LEFT = f"round: 3; 0 score: 20; 1 score: 20; display: 18 - -; 0 plates: {WILD_PLATES}; 0 left: markers=0"


def test_r8_what_lies_open_is_public() -> None:
    game = at(
        f"{STACK}; round: 2; bag: B3; start tile: 1; factory L: sun - moon RK; factory 2: sun - moon YT chip down; "
        "0 store: TY; 1 spent: B- B-; 0 lines: - B2 - - - -; 1 broken: K; 0 score: 17"
    )
    for observer in EVERYBODY:
        view = game.view(observer)
        assert view.boards == game.boards
        assert view.factories == game.factories
        assert (view.scores, view.display, view.start_tile) == (game.scores, game.display, 1)
        assert (amounts(view.bag), amounts(view.tower)) == (amounts(game.bag), amounts(game.tower))
        assert view.stack_size == 15
        assert (faces(view.board(0).chips), faces(view.board(1).chips_spent)) == ("TY", "B- B-")


def test_r8_only_the_kind_of_the_top_plate_is_known() -> None:
    for observer in EVERYBODY:
        assert names(at(STACK).view(observer).stack) == "?W " + " ".join(["??"] * 14)


@pytest.mark.parametrize("observer", EVERYBODY)
def test_r8_the_fronts_and_the_order_of_the_stack_are_hidden(observer: int) -> None:
    other = "display: 01 02 03; stack: 17 18 16 15 14 13 12 11 10 09 08 07 06 05 04"
    assert at(STACK).view(observer) == at(other).view(observer)


@pytest.mark.parametrize("observer", EVERYBODY)
def test_r8_a_top_plate_of_the_other_kind_is_seen(observer: int) -> None:
    other = "display: 01 02 03; stack: 05 04 06 07 08 09 10 11 12 13 14 15 16 17 18"
    assert at(STACK).view(observer) != at(other).view(observer)
    assert names(at(other).view(observer).stack[:2]) == "?* ??"


@pytest.mark.parametrize("observer", EVERYBODY)
def test_r8_chips_face_down_are_hidden_and_chips_turned_up_are_not(observer: int) -> None:
    table = "factory 1: sun - moon - chip up; factory 2: sun BYRK moon - chip down"
    rest = "K- K- Y- R- T- TY YK KB BR RT B- Y- R- T- TY YK KB RT"
    one = at(f"{table}; chips: B- BR {rest}").view(observer)
    two = at(f"{table}; chips: B- Y- {rest.replace('Y- R-', 'BR R-', 1)}").view(observer)
    assert one == two
    assert str(one.factories[0].chip) == "B-"
    assert one.factories[1].chip is None


@pytest.mark.parametrize("observer", EVERYBODY)
def test_r8_the_order_of_the_bag_is_hidden(observer: int) -> None:
    """Two games that will be dealt different tiles look the same."""
    position = "stage: tiling; turn: 1; first: 0; round: 2"
    one, two = at(position, seed=1), at(position, seed=2)
    assert one.view(observer) == two.view(observer)
    assert play(one, "E").factories != play(two, "E").factories


def test_r8_drawing_shows_the_kinds_to_everybody_and_the_fronts_to_nobody() -> None:
    game = play(at(STACK), "D D")
    for observer in EVERYBODY:
        assert names(game.view(observer).hand) == "?W ?*"
        assert names(game.view(observer).stack[:2]) == "?W ??"


def test_r8_looking_shows_the_fronts_to_the_drawer_alone() -> None:
    game = play(at(STACK), "D D H")
    assert names(game.view(0).hand) == "04 05"
    assert names(game.view(1).hand) == "?W ?*"
    assert names(game.view(2).hand) == "?W ?*"


def returned() -> Game:
    """Seat 0 drew 04 05 06 07, laid 04 and put 07, 06, 05 under the stack in this order."""
    return play(at(STACK), "D D D D H K04@11r0 <07 <06 <05")


def test_r8_the_drawer_knows_the_returned_plates_and_their_order() -> None:
    assert names(returned().view(0).stack[-3:]) == "07 06 05"


@pytest.mark.parametrize("observer", [1, 2])
def test_r8_the_others_know_the_kinds_of_the_returned_plates_in_order(observer: int) -> None:
    game = returned()
    assert names(game.view(observer).stack[-3:]) == "?* ?W ?*"
    swapped = play(at(STACK), "D D D D H K04@11r0 <05 <06 <07")
    assert game.view(observer) == swapped.view(observer)
    assert game.view(0) != swapped.view(0)


@pytest.mark.parametrize("observer", [1, 2])
def test_r8_the_kinds_of_returned_plates_tell_them_apart(observer: int) -> None:
    otherwise = play(at(STACK), "D D D D H K04@11r0 <06 <07 <05")
    assert names(otherwise.view(observer).stack[-3:]) == "?W ?* ?*"


def test_r8_a_plate_that_was_laid_is_thought_to_lie_nowhere_else() -> None:
    view = returned().view(1)
    assert all("04" not in {plate.name for plate in place.candidates} for place in view.stack)


def test_r8_a_seat_forgets_nothing_when_the_other_draws_plates_it_knows() -> None:
    """Seat 0 knows the stack 01 05 07 08; seat 1 draws three, lays 05 and puts the others back."""
    knows = "stack: 01 05 07 08; 0 knows: 01 05 07 08; 1 plates: 11=09r0 12=11r0 13=13r0 21=16r0"
    game = play(at(f"turn: 1; {FEW_LEFT}; {knows}"), "D D D H K05@22r0 <07 <01")
    view = game.view(0)
    assert view.stack[0].plate is not None
    assert view.stack[0].plate.name == "08"
    for place in view.stack[1:]:
        assert {plate.name for plate in place.candidates} == {"01", "07"}
    assert names(game.view(1).stack) == "08 07 01"


def test_r8_after_two_of_two_known_plates_the_one_put_back_is_known() -> None:
    knows = "stack: 01 05 07 08; 0 knows: 01 05 07|08 07|08; 1 plates: 11=09r0 12=11r0 13=13r0 21=16r0"
    game = play(at(f"turn: 1; {FEW_LEFT}; {knows}"), "D D H K05@22r0 <01")
    assert names(game.view(0).stack) == "?* ?* 01"
    assert [len(place.candidates) for place in game.view(0).stack] == [2, 2, 1]


def test_r8_different_kinds_put_back_are_told_apart() -> None:
    """Seat 0 knows 01 and 02 among the three drawn; they come back as a special and a wild plate."""
    plates = "0 plates: 11=03r0 12=04r0; 1 plates: 11=06r0 12=10r0 13=12r0"
    stack = "05 01 02 07 08 09 11 13 14 15 16 17 18"
    knows = "0 knows: * 01 02 " + " ".join("?" * 10)
    game = at(f"turn: 1; display: - - -; stack: {stack}; {plates}; {knows}")
    play(game, "D D D H K05@21r0 <02 <01")
    assert names(game.view(0).stack[-2:]) == "02 01"


def test_r8_a_known_plate_that_comes_to_the_display_is_known_to_all() -> None:
    knows = "stack: 01 05 07 08; 0 knows: 01 05 07 08; 1 plates: 11=09r0 12=11r0 13=13r0 21=16r0"
    game = at(f"stage: tiling; turn: 1; first: 0; {FEW_LEFT}; {knows}", seed=1)
    play(game, "E")
    for observer in EVERYBODY:
        assert [plate and plate.name for plate in game.view(observer).display] == ["18", "01", "05"]
    assert names(game.view(0).stack) == "07 08"
    assert {plate.name for plate in game.view(1).stack[0].candidates} == {"07", "08"}


@pytest.mark.parametrize("observer", EVERYBODY)
def test_r8_a_sample_of_a_view_looks_the_same_from_there(observer: int) -> None:
    view = returned().view(observer)
    for seed in range(20):
        assert view.sample(seed).view(observer) == view


@pytest.mark.parametrize("observer", EVERYBODY)
def test_r8_in_a_sample_of_a_view_both_seats_know_the_kind_of_the_top_plate(observer: int) -> None:
    for seed in range(20):
        sample = at(STACK).view(observer).sample(seed)
        assert [names(sample.view(seat).stack[:1]) for seat in (0, 1)] == ["?W", "?W"]
