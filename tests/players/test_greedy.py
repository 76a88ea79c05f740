"""The yardstick: its table of values row by row, and moves of its reference games."""

from __future__ import annotations

import pytest

from helpers import VECTORS, legal_paths, some
from random_positions import view_alike
from sintra import Game, Stage
from sintra.players import player
from sintra.players.greedy import NOISE, choose_greedily
from sintra.records.files import read_records
from sintra.records.record import Record
from sintra.tabletop.moves import path_of

from .helpers import value_of, values_of

GAMES = read_records(VECTORS / "greedy.jsonl")
WAITING = "round: 1; display: 02 04 08; 0 lines: B1 T1 - - - -; factory 1: sun BYRK moon - chip down; "
MARKET = "round: 2; display: 14 10 03; factory 1: sun BBYK moon - chip down; "
MARKET += "factory 2: sun - moon YR chip down; factory L: sun - moon RRK; "
ROW_TWO_FULL = "0 plates: 21=01r0 22=07r0 23=05r0; "
"""Row 3: Y K, * K, K *; row 4: T *, R B, T R."""


def at(text: str) -> Game:
    return Game.from_position(text)


class TestPlates:
    """`P` and `K`: 2, and 1 + n for each space that helps a line that waits with n tiles."""

    def test_spaces_that_show_the_lines_colour_or_are_wild_count(self) -> None:
        game = at(WAITING)  # plate 02 shows W B / T K
        assert value_of(game, "P02@11r0") == 2 + 2 + 2 + 2
        assert value_of(game, "P02@11r2") == 2 + 2  # K T / B W: only W for line 2
        assert value_of(game, "P02@21r0") == 2

    def test_the_tiles_of_the_line_count(self) -> None:
        game = at("display: 02 04 08; 0 lines: - - - - T4 K6; factory 1: sun BYRK moon - chip down")
        assert value_of(game, "P02@31r0") == 2 + (1 + 4) + (1 + 6)  # W helps line 5, K line 6
        assert value_of(game, "P04@32r3") == 2 + (1 + 4) + (1 + 6)  # Y W / K R
        assert value_of(game, "P08@33r0") == 2 + (1 + 6)

    def test_a_line_that_has_an_open_space_does_not_count(self) -> None:
        game = at(WAITING + "0 plates: 12=17r0")  # R W / B K: line 1 is served by W, line 2 is not
        assert value_of(game, "P02@11r0") == 2 + 2
        assert value_of(game, "P02@13r0") == 2 + 2

    def test_a_covered_space_serves_nobody(self) -> None:
        game = at(WAITING + "0 plates: 12=17r0; 0 dome: ...B.. ...... ...... ...... ...... ......")
        assert value_of(game, "P02@11r0") == 2 + 2 + 2 + 2

    def test_a_special_space_helps_nobody(self) -> None:
        game = at(WAITING)  # plate 08 shows Y B / K *
        assert value_of(game, "P08@11r0") == 2 + 2
        assert value_of(game, "P08@11r2") == 2  # * K / B Y

    def test_the_lines_of_the_mover_count(self) -> None:
        game = at(WAITING + "turn: 1; 1 lines: - - - - - T3")
        assert value_of(game, "P02@11r0") == 2
        assert value_of(game, "P02@31r0") == 2 + 4

    def test_a_drawn_plate_counts_the_same(self) -> None:
        game = at("stage: keeping; hand: 02 08; 0 lines: B1 T1 - - - -; factory 1: sun BYRK moon - chip down")
        assert value_of(game, "K02@11r0") == 8
        assert value_of(game, "K02@33r1") == 2
        assert value_of(game, "K08@11r0") == 4

    def test_the_opening_plate_counts_2(self) -> None:
        game = Game.new(seed=4)
        assert game.stage is Stage.OPENING
        assert set(values_of(game.state, legal_paths(game.state))) == {2.0}


class TestTakes:
    """`S` and `M`: tiles that fit, tiles that break, a line completed, room left, a place to go."""

    @pytest.mark.parametrize(
        ("token", "value"),
        [
            ("S1Bx:YK", -4.0),
            ("S1Yx:BBK", -2.0),
            ("MRx", -6.0),  # two on the large factory, one on top of stack 2
            ("MKx", -2.0),
            ("S1B1:YK", 1.5 - 1.5 + 3 - 3),
            ("S1B2:YK", 3.0 + 3 - 3),
            ("S1B3:YK", 3.0 - 0.3 - 3),
            ("S1B6:YK", 3.0 - 1.2 - 3),
            ("MR1", 1.5 - 3.0 + 3 - 3),
            ("MR3", 4.5 + 3 - 3),
            ("MR5", 4.5 - 0.6 - 3),
        ],
    )
    def test_on_an_empty_dome(self, token: str, value: float) -> None:
        assert value_of(at(MARKET), token) == pytest.approx(value)

    @pytest.mark.parametrize(
        ("token", "value"),
        [
            ("S1K3:BBY", 1.5 - 0.6),  # an open K in row 3
            ("S1B4:YK", 3.0 - 0.6),  # B in row 4
            ("S1B3:YK", 3.0 - 0.3 - 8),  # no B, and no plate can come
            ("MR3", 4.5 + 3 - 8),
            ("S1B2:YK", 3.0 + 3 - 3),  # another dome row: a plate can come
            ("S1B5:YK", 3.0 - 0.9 - 3),
        ],
    )
    def test_beside_a_full_dome_row(self, token: str, value: float) -> None:
        assert value_of(at(MARKET + ROW_TWO_FULL), token) == pytest.approx(value)

    def test_a_covered_space_is_no_place(self) -> None:
        dome = "0 dome: ...... ...... .K.KK. ...... ...... ......"
        assert value_of(at(MARKET + ROW_TWO_FULL + dome), "S1K3:BBY") == pytest.approx(1.5 - 0.6 - 8)

    def test_a_wild_space_takes_every_colour(self) -> None:
        game = at(MARKET + "0 plates: 23=12r0")  # T K / R W: row 4 has a wild space
        assert value_of(game, "S1B4:YK") == pytest.approx(3.0 - 0.6)
        assert value_of(game, "S1B3:YK") == pytest.approx(3.0 - 0.3 - 3)

    def test_only_two_plates_cost_three(self) -> None:
        game = at(MARKET + "0 plates: 21=01r0 22=07r0")
        assert value_of(game, "S1B3:YK") == pytest.approx(3.0 - 0.3 - 3)

    def test_a_line_begun_has_less_room(self) -> None:
        game = at(MARKET + ROW_TWO_FULL + "0 lines: - - K2 B1 B4 R4")
        assert value_of(game, "S1K3:BBY") == pytest.approx(1.5 + 3)
        assert value_of(game, "S1B4:YK") == pytest.approx(3.0 - 0.3)
        assert value_of(game, "S1B5:YK") == pytest.approx(1.5 - 1.5 + 3 - 3)
        assert value_of(game, "MR6") == pytest.approx(3.0 - 1.5 + 3 - 3)


class TestTheRest:
    """Placements, chips, draws and ends."""

    def test_a_placement_counts_ten_and_its_points(self) -> None:
        text = "stage: tiling; 0 lines: K1 - - - - -; 0 plates: 11=02r2 12=12r0; "  # K T, T K / B W, R W
        assert value_of(at(text), "T11") == 11
        dome = "0 dome: .T.... B..... ...... ...... ...... ......"
        assert value_of(at(text + dome), "T11") == 10 + 2 + 2
        assert value_of(at(text + dome), "T14") == 11

    def test_a_special_tile_counts_too(self) -> None:
        text = "stage: tiling; 0 lines: - - - - K5 -; 0 plates: 31=01r0; "  # Y K / T *
        dome = "0 dome: ...... ...... ...... ...... Y..... T....."
        assert value_of(at(text + dome), "T52") == 10 + 2 + 6
        dome = "0 dome: ...... ...... ...... ...... ...... T....."
        assert value_of(at(text + dome), "T52") == 11

    def test_the_value_leaves_the_position_alone(self) -> None:
        game = at("stage: tiling; 0 lines: K1 - - - - -; 0 plates: 11=02r2")
        states = game.state
        before = states.tobytes()
        values_of(states, legal_paths(states))
        assert states.tobytes() == before

    def test_payments_count_seven_less_their_chips(self) -> None:
        game = at("round: 3; stage: tiling; 0 lines: - B1 - - - -; 0 plates: 11=02r3; 0 store: B- BR K- T-")
        assert value_of(game, "U2:B-,BR") == 5
        assert value_of(game, "U2:B-,K-,T-") == 4
        assert value_of(game, "E") == 0

    def test_a_payment_begun_counts_the_same(self) -> None:
        text = "round: 4; stage: tiling; 0 lines: - - B1 - - -; 0 plates: 21=08r0; 0 store: B- BR KB K- T-"
        game = at(text)
        game.push("U3:B-,BR")
        assert game.stage is Stage.PAYING
        assert value_of(game, "U3:K-,T-,KB") == 4

    def test_chips_draws_and_ends(self) -> None:
        game = at("display: 02 04 08; factory 2: sun - moon - chip up; factory 1: sun BYRK moon - chip down")
        assert value_of(game, "C2") == 2.5
        assert value_of(game, "D") == 1
        game.push("D")
        assert value_of(game, "H") == 2
        assert value_of(game, "D") == 1
        game.push("D")
        game.push("H")
        game.push(next(move for move in game.legal_moves))
        assert game.stage is Stage.RETURNING
        assert set(values_of(game.state, legal_paths(game.state))) == {0.0}


class TestTheChoice:
    """One ply deep, with noise below a half."""

    @pytest.mark.parametrize("record", GAMES, ids=[f"game{k}" for k in range(len(GAMES))])
    def test_every_move_of_the_reference_games_is_within_the_noise(self, record: Record) -> None:
        for game, token in some(zip(record.positions(), record.moves, strict=False)):
            states = game.state
            values = dict(zip(legal_paths(states), values_of(states, legal_paths(states)), strict=True))
            made = path_of(game.legal_moves.require(token), states, 0)
            assert values[made] > max(values.values()) - NOISE, (game.position, token)

    def test_over_many_seeds_exactly_the_moves_within_the_noise_are_made(self) -> None:
        for text in (MARKET + "0 plates: 23=12r0", WAITING, MARKET + ROW_TWO_FULL + "0 lines: - - K2 - B4 -"):
            states = at(text).state
            paths = legal_paths(states)
            values = dict(zip(paths, values_of(states, paths), strict=True))
            near = {path for path in paths if values[path] > max(values.values()) - NOISE}
            chosen = {int(choose_greedily(states, 0, seed)) for seed in range(2000)}
            assert chosen <= near
            best = {path for path in near if values[path] == max(values.values())}
            assert chosen >= best

    def test_the_same_seed_game_and_view_give_the_same_move(self) -> None:
        game = Game.new(seed=11)
        one, other = player("greedy:seed=5"), player("greedy:seed=5")
        for _ in range(60):
            view = game.view(game.turn)
            move = one.choose(view)
            assert one.choose(view) == move
            assert other.choose(view_alike(view, 3)) == move
            game.push(move)

    def test_other_games_and_seeds_have_other_noise(self) -> None:
        view = Game.new(seed=2).view(Game.new(seed=2).turn)
        one = player("greedy")
        by_game = set()
        for seed in range(30):
            one.new_game(seed)
            by_game.add(one.choose(view))
        assert len(by_game) > 10
        assert len({player(f"greedy:seed={seed}").choose(view) for seed in range(30)}) > 10
