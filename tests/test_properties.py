"""What holds in every game: pieces are conserved, moves can be undone, and all ways to ask agree."""

from __future__ import annotations

import copy
import pickle
from hashlib import blake2b
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import (
    ALL_CHIP_LIST,
    ALL_PLATE_LIST,
    ALL_RULES,
    TASTES,
    chip_list,
    legal_choices,
    legal_paths,
    plate_list,
    play_on,
    played,
    some,
    tile_counts,
)
from sintra import (
    EndTiling,
    Game,
    KeepPlate,
    Move,
    Pay,
    Place,
    ReturnPlate,
    Rules,
    Source,
    Stage,
    SunTake,
    TakeChip,
    TakeTiles,
    View,
)
from sintra.game.preview import Preview
from sintra.records.files import parse_records
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.choices import CHOICES, PAY, SPEND, pack, unpack
from sintra.rules.state import STATE, States, copied, empty_states
from sintra.tabletop.moves import path_of

seeds = st.integers(0, 2**62)
tastes = st.sampled_from(sorted(TASTES))
rule_sets = st.sampled_from(ALL_RULES)
any_game = given(seed=seeds, taste=tastes, rules=rule_sets)


@any_game
@soak.examples(20)
def test_pieces_are_conserved_and_scores_are_never_negative(seed: int, taste: str, rules: Rules) -> None:
    for game in play_on(Game.new(seed=seed, rules=rules), taste, Random(seed)):
        states = game.state
        assert tile_counts(states) == [13] * 5
        assert plate_list(states) == ALL_PLATE_LIST
        assert chip_list(states) == ALL_CHIP_LIST
        assert min(game.scores) >= 0
        for seat, sources in enumerate(game.points_by_source):
            assert 5 + sum(sources.values()) == game.scores[seat]
    assert game.is_over


@any_game
@soak.examples(13)
def test_pop_restores_every_position_exactly(seed: int, taste: str, rules: Rules) -> None:
    game = Game.new(seed=seed, rules=rules)
    stations = [snapshot(game) for game in play_on(game, taste, Random(seed))]
    for station in some(reversed(stations[:-1])):
        last = game.moves[-1]
        assert game.pop() == last
        assert snapshot(game) == station


def snapshot(game: Game) -> tuple[object, ...]:
    """Everything that taking back a move must restore."""
    return game.state.tobytes(), game.moves, game.deal_so_far, game.position_key, game.result


@any_game
@soak.examples(13)
def test_a_copy_is_independent(seed: int, taste: str, rules: Rules) -> None:
    game = played(seed, taste, rules, most=seed % 150)
    before = snapshot(game)
    for twin in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert snapshot(twin) == before
        assert twin == game
        for _ in play_on(twin, taste, Random(seed + 1), most=20):
            pass
        while twin.ply:
            twin.pop()
        assert snapshot(game) == before
    for _ in play_on(game, taste, Random(seed), most=5):
        pass
    assert Record.of(game).moves == tuple(map(str, game.moves))


def test_a_shallow_copy_is_independent_too() -> None:
    game = played(5, most=10)
    before = snapshot(game)
    twin = copy.copy(game)
    twin.push(twin.legal_moves[0])
    assert snapshot(game) == before


@any_game
@soak.examples(15)
def test_all_lists_of_legal_choices_agree(seed: int, taste: str, rules: Rules) -> None:
    rows = []
    for states in choice_by_choice(seed, taste, rules):
        listed = legal_choices(states)
        assert len(set(listed)) == len(listed)
        mask = np.ones(CHOICES, np.bool_)
        assert engine.legal_mask(states, 0, mask) == len(listed)
        assert np.flatnonzero(mask).tolist() == sorted(listed)
        rows.append(states)
    batch = np.concatenate(rows)
    masks = np.ones((len(batch), CHOICES), np.bool_)
    engine.legal_batch(batch, masks)
    for states, row in some(zip(rows, masks, strict=True)):
        assert np.flatnonzero(row).tolist() == sorted(legal_choices(states))


def choice_by_choice(seed: int, taste: str, rules: Rules) -> list[States]:
    """The states of a game after every single choice, so also in the middle of its moves."""
    states = Game.new(seed=seed, rules=rules).state
    passed = [copied(states)]
    for move in played(seed, taste, rules).moves:
        for choice in unpack(path_of(move, states, 0)):
            assert engine.apply(states, 0, choice)
            passed.append(copied(states))
    return passed


@any_game
@soak.examples(6)
def test_moves_are_exactly_the_paths_of_choices(seed: int, taste: str, rules: Rules) -> None:
    games = play_on(Game.new(seed=seed, rules=rules), taste, Random(seed))
    for game in some(game for game in games if game.ply % 4 == seed % 4):
        paths = legal_paths(game.state)
        assert len(set(paths)) == len(paths)
        assert set(paths) == brute_force_paths(game.state)


def brute_force_paths(start: States) -> set[int]:
    """All ways to go on by single choices until the next move begins."""
    found = set()
    open_ends: list[tuple[list[int], States]] = [([], start)]
    while open_ends:
        path, states = open_ends.pop()
        for choice in legal_choices(states):
            after = copied(states)
            assert engine.apply(after, 0, choice)
            if is_half_made(after, choice):
                open_ends.append(([*path, choice], after))
            else:
                found.add(pack([*path, choice]))
    return found


def is_half_made(after: States, choice: int) -> bool:
    """Whether a choice leaves the move unfinished."""
    if PAY <= choice < SPEND:
        return True
    return Stage(after["stage"][0]) in (Stage.TURNING, Stage.STACKING) or bool(after["pay_chips"][0])


@any_game
@soak.examples(8)
def test_moves_and_tokens_mean_each_other(seed: int, taste: str, rules: Rules) -> None:
    for game in play_on(Game.new(seed=seed, rules=rules), taste, Random(seed)):
        if game.ply % 5 != seed % 5:
            continue
        legal = game.legal_moves
        tokens = [str(move) for move in legal]
        assert len(set(tokens)) == len(tokens) == len(legal)
        for move, token in zip(legal, tokens, strict=True):
            assert Move.parse(token) == move
        for token in tokens[:: 1 + len(tokens) // 12]:
            assert token in legal
            assert Move.parse(token) in legal
            after = game.copy()
            after.push(token)
            assert str(after.moves[-1]) == token


@any_game
@soak.examples(6)
def test_a_move_is_either_in_the_list_or_refused(seed: int, taste: str, rules: Rules) -> None:
    """Tokens of other positions are pushed here: they work exactly when they are listed."""
    dice = Random(seed)
    tokens = [str(move) for move in played(seed + 1, "drawing", rules).moves]
    tokens += [str(move) for move in played(seed + 2, "chips", rules).moves]
    for game in play_on(Game.new(seed=seed, rules=rules), taste, dice):
        if game.ply % 3 != seed % 3:
            continue
        legal = {str(move) for move in game.legal_moves}
        for token in dice.sample(tokens, 8):
            before = snapshot(game)
            if token in legal:
                game.push(token)
                game.pop()
            else:
                assert token not in game.legal_moves
                with pytest.raises(ValueError, match=r"\(R\d") as refused:
                    game.push(token)
                assert type(refused.value).__name__ == "IllegalMoveError"
            assert snapshot(game) == before


@any_game
@soak.examples(5)
def test_a_seed_gives_the_same_game_twice(seed: int, taste: str, rules: Rules) -> None:
    assert snapshot(played(seed, taste, rules)) == snapshot(played(seed, taste, rules))


GOLDEN = [
    (0, 40, "576584ddcd2a333b", 12628758282541477493),
    (7, 90, "9d19586b14969e23", 6217939506685915302),
    (2**63 - 1, 500, "d9515e079455d193", 17732387868607676259),
]
"""Seed, most moves, digest of the tokens made, key of the position reached."""


def walk(seed: int, most: int) -> Game:
    """The game that takes the k-th of the legal moves, k going up by one."""
    game = Game.new(seed=seed)
    for k in range(most):
        legal = game.legal_moves
        if not legal:
            break
        game.push(legal[k % len(legal)])
    return game


@pytest.mark.parametrize(("seed", "most", "tokens", "key"), GOLDEN)
def test_a_seed_gives_the_same_moves_on_every_machine(seed: int, most: int, tokens: str, key: int) -> None:
    made = " ".join(map(str, walk(seed, most).moves))
    assert blake2b(made.encode(), digest_size=8).hexdigest() == tokens


@pytest.mark.parametrize(("seed", "most", "tokens", "key"), GOLDEN)
def test_a_seed_gives_the_same_key_on_every_machine(seed: int, most: int, tokens: str, key: int) -> None:
    """Unlike the tokens, the key also depends on how a state is laid out."""
    assert walk(seed, most).position_key == key


def test_bytes_do_not_depend_on_what_lay_in_memory_before() -> None:
    game = played(4, most=30)
    view, key = game.view(0), game.position_key
    for filler in range(1, 200):
        junk = [np.full(STATE.itemsize, filler, np.uint8) for _ in range(4)]
        del junk
        assert game.position_key == key
        assert View.from_bytes(view.to_bytes()) == view
        assert game.copy() == game
        assert game.state.tobytes() == game.state.tobytes()


@any_game
@soak.examples(8)
def test_position_keys_tell_positions_apart(seed: int, taste: str, rules: Rules) -> None:
    game = Game.new(seed=seed, rules=rules)
    keys = {game.position_key for game in play_on(game, taste, Random(seed))}
    assert len(keys) == game.ply + 1


@any_game
@soak.examples(8)
def test_a_batch_of_choices_is_many_single_choices(seed: int, taste: str, rules: Rules) -> None:
    dice = Random(seed)
    batch = np.concatenate(dice.sample(choice_by_choice(seed, taste, rules), 12))
    chosen = np.zeros(len(batch), np.int64)
    single = copied(batch)
    for i in range(len(batch)):
        legal = legal_choices(batch[i : i + 1])
        if legal:
            chosen[i] = dice.choice(legal)
            assert engine.apply(single, i, int(chosen[i]))
    made = copied(batch)
    assert engine.apply_batch(made, chosen) == -1
    assert made.tobytes() == single.tobytes()
    wrong = dice.choice([i for i in range(len(batch)) if legal_choices(batch[i : i + 1])])
    chosen[wrong] = next(choice for choice in range(CHOICES) if choice not in legal_choices(batch[wrong : wrong + 1]))
    half = copied(batch)
    assert engine.apply_batch(half, chosen) == wrong
    assert half[:wrong].tobytes() == single[:wrong].tobytes()
    assert half[wrong:].tobytes() == batch[wrong:].tobytes()


@any_game
@soak.examples(8)
def test_an_illegal_choice_changes_nothing(seed: int, taste: str, rules: Rules) -> None:
    for states in Random(seed).sample(choice_by_choice(seed, taste, rules), 10):
        legal = set(legal_choices(states))
        before = states.tobytes()
        for choice in (*range(CHOICES), -1, CHOICES, 10**6):
            if choice not in legal:
                assert not engine.apply(states, 0, choice)
        assert states.tobytes() == before


@given(seed=seeds, rules=rule_sets)
@soak.examples(150)
def test_random_play_ends_every_game(seed: int, rules: Rules) -> None:
    states = Game.new(seed=seed, rules=rules).state
    counts = np.zeros(1, np.int64)
    made = engine.play_random(states, 0, 100_000, counts)
    assert Stage(states["stage"][0]) is Stage.OVER
    assert 0 < counts[0] <= made < 100_000
    assert tile_counts(states) == [13] * 5
    assert plate_list(states) == ALL_PLATE_LIST
    assert legal_choices(states) == []


@any_game
@soak.examples(3)
def test_a_position_survives_as_text(seed: int, taste: str, rules: Rules) -> None:
    for game in play_on(Game.new(seed=seed, rules=rules), taste, Random(seed)):
        again = Game.from_position(game.position)
        assert again == game
        assert again.position_key == game.position_key
        assert again.position == game.position
        for observer in range(3):
            assert again.view(observer) == game.view(observer)


@any_game
@soak.examples(13)
def test_records_of_own_games_replay(seed: int, taste: str, rules: Rules) -> None:
    game = played(seed, taste, rules)
    record = Record.of(game, ("Ana", "Bob"), legal=True)
    [again] = parse_records(record.dumps())
    assert again == record
    replayed = again.check()
    assert replayed == game
    assert replayed.result == game.result
    cut = played(seed, taste, rules, most=seed % 120)
    assert Record.of(cut, legal=True).check() == cut


@any_game
@soak.examples(6)
def test_a_preview_tells_what_the_move_then_does(seed: int, taste: str, rules: Rules) -> None:
    dice = Random(seed)
    for game in play_on(Game.new(seed=seed, rules=rules), taste, dice):
        legal = game.legal_moves
        for move in dice.sample(legal, min(3, len(legal))):
            seat, before = game.turn, game.state[0]
            preview = game.preview(move)
            assert game.view(seat).preview(move) == preview
            after = game.copy()
            after.push(move)
            assert preview.points_now == after.scores[seat] - game.scores[seat]
            booked = after.points_by_source[seat]
            for source, points in game.points_by_source[seat].items():
                assert preview.points.get(source, 0) == booked[source] - points
            check_effects(preview, seat, before, after.state[0])


def check_effects(preview: Preview, seat: int, before: np.void, after: np.void) -> None:
    """Compares a preview with two states of which one follows from the other."""
    move = preview.move
    new_specials = np.argwhere((after["dome"][seat] == 5) & (before["dome"][seat] != 5)).tolist()
    assert preview.special == (tuple(place + 1 for place in new_specials[0]) if new_specials else None)
    if not isinstance(move, TakeTiles):
        assert (preview.taken, preview.to_line, preview.broken, preview.to_tower) == (0, 0, 0, 0)
        if preview.lines_broken:
            assert isinstance(move, Place | Pay | EndTiling)
        return
    sizes = after["line_size"][seat].astype(int) - before["line_size"][seat]
    assert preview.to_line == sizes.sum()
    assert preview.broken == after["broken"][seat].astype(int).sum() - before["broken"][seat].sum()
    assert preview.to_tower == after["tower"].astype(int).sum() - before["tower"].sum()
    assert preview.taken == preview.to_line + preview.broken + preview.to_tower > 0
    assert preview.takes_start_tile == (after["start_tile"] != before["start_tile"])
    turned = [f for f in range(4) if after["chip_state"][f] == 2 != before["chip_state"][f]]
    assert preview.turns_up == tuple(f"{f + 1}" for f in turned)
    assert preview.completes_line == (move.line is not None and after["line_size"][seat, move.line - 1] == move.line)
    if isinstance(move, SunTake):
        moved = before["sun"]["1234L".index(move.factory)].astype(int).sum() - preview.taken
        assert len(preview.to_moon) == moved
        assert move.color not in preview.to_moon


def test_a_preview_tells_whether_the_move_ends_a_phase() -> None:
    """Every move that ends phase 1 or 2, whatever its kind."""
    enders = set()
    for seed in range(25):
        for game in play_on(Game.new(seed=seed), ("uniform", "drawing", "chips")[seed % 3], Random(seed)):
            for move in game.legal_moves[:3]:
                after = game.copy()
                after.push(move)
                ends = (game.round, game.phase, game.is_over) != (after.round, after.phase, after.is_over)
                enders |= {type(move)} if ends else set()
                assert game.preview(move).ends_phase == ends, f"{move} in {game!r}"
    assert enders >= {TakeChip, KeepPlate, ReturnPlate, EndTiling}


def test_lines_broken_in_a_preview_are_those_that_break() -> None:
    """Looks for lines that break in phase 2 (R4.3) in many games, and finds some."""
    found = 0
    for seed in range(30):
        for game in play_on(Game.new(seed=seed), "uniform", Random(seed)):
            if game.stage is not Stage.TILING:
                continue
            for move in game.legal_moves:
                preview = game.preview(move)
                after = game.copy()
                after.push(move)
                lines = zip(game.board(game.turn).lines, after.board(game.turn).lines, strict=True)
                gone = tuple(
                    old.number
                    for old, new in lines
                    if old.tiles and not old.is_placed and not new.tiles and not new.is_placed
                    if not (isinstance(move, Place | Pay) and old.number == move.line)
                )
                assert preview.lines_broken == gone
                found += len(gone)
    assert found > 20


@any_game
@soak.examples(5)
def test_every_move_is_described(seed: int, taste: str, rules: Rules) -> None:
    for game in play_on(Game.new(seed=seed, rules=rules), taste, Random(seed)):
        legal = game.legal_moves
        for move in legal[:: 1 + len(legal) // 5]:
            text = game.describe(move)
            assert text.strip() == text != ""
            assert text == game.describe(str(move)) == game.view(game.turn).describe(move)


@any_game
@soak.examples(5)
def test_values_are_equal_hashed_and_pickled_by_content(seed: int, taste: str, rules: Rules) -> None:
    game = played(seed, taste, rules, most=seed % 150)
    twin = played(seed, taste, rules, most=seed % 150)
    assert game == twin
    assert game != "game"
    with pytest.raises(TypeError):
        hash(game)
    for observer in range(3):
        view, other = game.view(observer), twin.view(observer)
        assert view == other
        assert hash(view) == hash(other)
        for again in (pickle.loads(pickle.dumps(view)), copy.deepcopy(view), View.from_bytes(view.to_bytes())):
            assert again == view
            assert again.seat == observer
            assert again.to_bytes() == view.to_bytes()
    assert len({game.view(observer) for observer in range(3)}) == 3
    for move in game.legal_moves:
        assert pickle.loads(pickle.dumps(move)) == copy.deepcopy(move) == move
        assert hash(Move.parse(str(move))) == hash(move)
    if game.legal_moves:
        twin.push(twin.legal_moves[0])
        assert game != twin


def test_a_resigned_game_is_not_equal_to_one_that_goes_on() -> None:
    game, twin = played(3, most=10), played(3, most=10)
    twin.resign(0)
    assert game != twin
    assert pickle.loads(pickle.dumps(twin)) == twin == twin.copy() == copy.deepcopy(twin)


def test_points_by_source_names_every_source() -> None:
    for sources in some(played(11).points_by_source):
        assert set(sources) == set(Source)


@any_game
@soak.examples(10)
def test_a_used_state_begins_anew_like_a_blank_one(seed: int, taste: str, rules: Rules) -> None:
    """`engine.new` and `engine.set_up` leave nothing of the game before."""
    plates, chips = np.array(ALL_PLATE_LIST, np.int8), np.array(ALL_CHIP_LIST, np.int8)
    used = [played(seed, taste, rules, most=seed % 150).state for _ in range(2)]
    blank = [empty_states() for _ in range(2)]
    for states in blank:
        rules.write_to(states, 0)
        states["deals_itself"] = 1
    for new, set_up in (used, blank):
        engine.new(new, 0, seed, 0)
        engine.reseed(set_up, 0, seed)
        engine.set_up(set_up, 0, 1, plates, chips)
    for one, other in zip(used, blank, strict=True):
        for name in STATE.names or ():
            assert one[name].tobytes() == other[name].tobytes(), name


def test_a_blank_state_asks_for_nothing() -> None:
    assert legal_choices(empty_states()) == []
    assert legal_paths(empty_states()) == []
