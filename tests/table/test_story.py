"""Stories: what is shown to travel is what has moved, and the points shown are those booked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

import soak
from helpers import VECTORS, fond_of_drawing, play_on, some
from random_positions import view_alike
from sintra import Game, HiddenReturn, Move, ReturnPlate, Source, View
from sintra.components import ROUNDS, SPECTATOR, slot_name
from sintra.records.files import read_records
from sintra.records.steps import run_to_completion
from sintra.rules import engine
from sintra.table.shown.game import hinting
from sintra.table.shown.made_move import RoundPast
from sintra.table.shown.messages import PositionShown, Step
from sintra.table.shown.story import Story, story_of
from sintra.tabletop.moves import path_of
from table.messages_read import position_of

Event = tuple[Game, Game, Move, int]
"""A game before and after a move, the move, and who made it."""

Pieces = Counter[tuple[str, str]]
"""How many pieces of a sort lie at a place."""


def events_of(games: Iterator[Game]) -> Iterator[Event]:
    """The moves of a game."""
    before: Game | None = None
    for game in games:
        now = game.copy()
        if before is not None:
            yield before, now, game.moves[-1], before.turn
        before = now


@cache
def some_events() -> tuple[Event, ...]:
    """All moves of random games of different tastes and of some recorded ones."""
    events: list[Event] = []
    for taste in ("uniform", "drawing", "chips"):
        for seed in range(soak.pick(2, 20)):
            game = Game.new(seed=seed, goals=4 if seed else ["rows", "edge", "specials"])
            events += events_of(play_on(game, taste, Random(seed)))
    for name in ("greedy", "rare", "chips"):
        for record in read_records(VECTORS / f"{name}.jsonl")[: soak.pick(2, 20)]:
            events += events_of(record.positions())
    return tuple(events)


def told(event: Event, observer: int, past: RoundPast | None = None) -> Story:
    before, after, move, mover = event
    seen = move.seen_by(observer, mover)
    return story_of(before.view(observer), after.view(observer), seen, mover, past)


def shown_steps(event: Event, observer: int) -> list[Step]:
    return told(event, observer).steps


@pytest.mark.soak
@pytest.mark.parametrize("observer", [0, 1, SPECTATOR])
def test_points_shown_are_the_points_booked(observer: int) -> None:
    for event in some(some_events()):
        before, after, _, _ = event
        booked = [0, 0]
        for step in shown_steps(event, observer):
            if step.kind == "points":
                assert step.points
                booked[step.seat] += step.points
        changes = [now - then for now, then in zip(after.scores, before.scores, strict=True)]
        assert booked == changes


def pieces_of(position: PositionShown, dealt: bool) -> Pieces:
    """Where everything lies; with a deal, what the deal moves lies at one place."""
    pieces: Pieces = Counter()
    heap = "dealt" if dealt else None
    for factory in position.factories:
        pieces.update((heap or f"sun-{factory.name}", tile) for tile in factory.sun)
        pieces.update((f"moon-{factory.name}", tile) for tile in factory.moon)
        pieces["start", "start"] += factory.start_tile
        if factory.chip and not dealt:
            pieces[f"chip-{factory.name}", factory.chip] += 1
    for place, tiles in (("bag", position.bag), ("tower", position.tower)):
        for tile, count in tiles.items():
            pieces[heap or place, tile] += count
    pieces.update((f"display-{k}", "plate") for k, plate in enumerate(position.display) if plate)
    pieces["stack", "plate"] += len(position.stack)
    pieces["hand", "plate"] += len(position.hand)
    for seat, board in enumerate(position.boards):
        for n, line in enumerate(board.lines, start=1):
            pieces[f"line-{seat}-{n}", line.color] += line.tiles
        for r, row in enumerate(board.tiles, start=1):
            pieces.update((f"space-{seat}-{r}-{c}", tile) for c, tile in enumerate(row, start=1) if tile != ".")
        for slot, plate in enumerate(board.plates):
            pieces[f"slot-{seat}-{slot_name(slot)}", "plate"] += plate is not None
        pieces.update((f"broken-{seat}", tile) for tile in board.broken)
        pieces[f"broken-{seat}", "start"] += board.start_tile
        pieces.update((f"store-{seat}", chip) for chip in board.chips)
    return pieces


def carried_out(pieces: Pieces, steps: list[Step], dealt: bool) -> Pieces:
    """The pieces after the steps; nothing can leave a place where it does not lie."""
    for step in steps:
        if step.kind == "turn":
            pieces[step.start, "down"] -= 1
            pieces[step.start, step.piece] += 1
        elif step.kind in ("travel", "setup"):
            end = "dealt" if dealt and step.end == "tower" else step.end
            spent = step.start.startswith("store")
            if step.start != "supply":
                pieces[step.start, step.piece] -= step.count
                assert pieces[step.start, step.piece] >= 0
            if not spent:
                pieces[end, step.piece] += step.count
            assert step.count > 0
    return +pieces


@pytest.mark.soak
@pytest.mark.parametrize("observer", [0, 1, SPECTATOR])
def test_what_leaves_a_place_arrives(observer: int) -> None:
    for event in some(some_events()):
        before, after, _, _ = event
        steps = shown_steps(event, observer)
        dealt = any(step.kind == "deal" for step in steps)
        assert dealt == (after.round > before.round)
        assert not dealt or steps[-1] == Step("deal")
        then, now = (pieces_of(position_of(game.view(observer)), dealt) for game in (before, after))
        assert carried_out(then, steps, dealt) == +now


def test_what_nobody_decides_is_set_up() -> None:
    kinds = set()
    for event in some_events():
        for step in shown_steps(event, SPECTATOR):
            by_itself = (step.start, step.end[:8]) == ("stack", "display-") or step.end == "start"
            assert (step.kind == "setup") == by_itself
            kinds.add(step.kind)
    assert len(kinds) > 1
    assert "setup" in kinds


def test_broken_lines_are_shown() -> None:
    seen = 0
    for event in some_events():
        before, after, _, mover = event
        shown = [step.start for step in shown_steps(event, SPECTATOR) if step.kind == "break"]
        gone = [
            f"line-{mover}-{line.number}"
            for line, now in zip(before.board(mover).lines, after.board(mover).lines, strict=True)
            if line.tiles and not line.is_placed and not now.tiles and not now.is_placed
        ]
        assert shown == gone
        seen += len(shown)
    assert seen


def test_placements_show_their_runs() -> None:
    steps = [step for event in some_events() for step in shown_steps(event, 0)]
    for step in some(step for step in steps if step.reason == "placement"):
        assert step.points == sum(run for run in (step.across, step.down) if run > 1) or step.points == 1


def test_the_spaces_that_count_hold_tiles_side_by_side() -> None:
    long = 0
    for event in some_events():
        _, after, _, mover = event
        for step in shown_steps(event, 0):
            if step.reason != "placement":
                continue
            cells = [tuple(map(int, cell.split("-")[2:])) for cell in step.cells]
            row, column = map(int, step.end.split("-")[2:])
            dome = position_of(after.view(0)).boards[mover].tiles
            assert (row, column) in cells
            assert all(dome[r - 1][c - 1] != "." for r, c in cells)
            across = sorted(c for r, c in cells if r == row)
            down = sorted(r for r, c in cells if c == column)
            for run, length in ((across, step.across), (down, step.down)):
                assert run == list(range(run[0], run[0] + length))
            assert len(cells) == len(across) + len(down) - 1
            long += step.across > 1 and step.down > 1
    assert long


def test_goals_cut_by_the_floor_are_shown_as_booked() -> None:
    cut = 0
    for seed in range(40):
        game = Game.new(seed=seed, goals=["rows", "edge", "specials"])
        *_, (before, after, move, mover) = events_of(play_on(game, "drawing", Random(seed)))
        steps = shown_steps((before, after, move, mover), SPECTATOR)
        for seat in range(2):
            shown = sum(step.points for step in steps if step.reason == "goals" and step.seat == seat)
            assert shown == after.points_by_source[seat][Source.GOALS]
            cut += shown != sum(after.goal_points[seat])
    assert cut


def test_summaries_add_up() -> None:
    for seed in range(4):
        start = tiled = Game.new(seed=seed)
        summaries = 0
        for event in events_of(play_on(Game.new(seed=seed), "drawing", Random(seed))):
            before, after, _, _ = event
            past = RoundPast(start.view(SPECTATOR), tiled.view(SPECTATOR))
            summary = told(event, SPECTATOR, past).summary
            if before.phase == 1 and after.phase == 2:
                tiled = after
            assert (summary is not None) == (after.round > before.round or after.is_over)
            if summary:
                summaries += 1
                assert summary.round == before.round
                for seat, gain in enumerate(summary.gains):
                    gained = gain.placement + gain.specials + gain.broken + gain.start_tile + gain.draws
                    goals = after.points_by_source[seat][Source.GOALS]
                    assert gain.before == start.scores[seat]
                    assert gain.before + gained == gain.score == after.scores[seat] - goals
                for board, found in zip(summary.boards, position_of(tiled.view(SPECTATOR)).boards, strict=True):
                    lines = [replace(line, outlook=None) for line in found.lines]
                    assert (board.lines, board.shows, board.tiles) == (lines, found.shows, found.tiles)
                    assert (board.broken, board.start_tile) == (found.broken, found.start_tile)
                start = after
        assert summaries == ROUNDS


def visible_alike(move: Move, view: View, states_seed: int, mover: int) -> Move | None:
    """A move that the observer cannot tell from this one, in another state that fits the view."""
    if not isinstance(move, ReturnPlate) or mover == view.seat:
        return move
    game = view.sample(states_seed)
    alike = [one for one in game.legal_moves if isinstance(one, ReturnPlate) and one.plate.kind is move.plate.kind]
    return alike[-1] if alike else None


def test_stories_tell_nothing_hidden() -> None:
    compared = hidden = 0
    game = Game.new(seed=11)
    dice = Random(11)
    while not game.is_over:
        move, mover = fond_of_drawing(game, dice), game.turn
        after = game.copy()
        after.push(move)
        for observer in (0, 1, SPECTATOR):
            view, seen = game.view(observer), after.view(observer)
            assert view_alike(view, game.ply) == view
            other = visible_alike(move, view, game.ply, mover)
            states = view.sample_state(game.ply)
            if other is None or engine.play(states, 0, path_of(other, states, 0)):
                continue
            if View.of_state(states, 0, observer) == seen:
                compared += 1
                hidden += other != move
                real = story_of(view, seen, move, mover)
                alike = story_of(view_alike(view, game.ply), View.of_state(states, 0, observer), other, mover)
                assert msgspec.json.encode(real) == msgspec.json.encode(alike)
        game = after
    assert compared > 200
    assert hidden


@pytest.mark.parametrize("observer", [0, 1, SPECTATOR])
def test_only_the_player_knows_what_was_returned(observer: int) -> None:
    returns = [event for event in some_events() if isinstance(event[2], ReturnPlate)]
    assert returns
    for before, after, move, mover in returns:
        assert isinstance(move, ReturnPlate)
        telling = story_of(before.view(observer), after.view(observer), move, mover).telling
        if observer == mover:
            assert move.seen_by(observer, mover) == move
            assert (telling.key, telling.args) == ("log.return_own", {"plate": move.plate.name})
        else:
            assert move.seen_by(observer, mover) == HiddenReturn(move.plate.kind)
            assert (telling.key, telling.args) == ("log.return", {"kind": move.plate.kind.value})


def test_every_telling_is_told() -> None:
    keys = {told(event, observer).telling.key for event in some_events() for observer in (0, 1)}
    takes = {f"log.{side}{how}" for side in ("sun", "moon") for how in ("", "_some", "_break")}
    plates = {"log.plate", "log.keep", "log.draw", "log.look", "log.return", "log.return_own"}
    tiling = {"log.chip", "log.pay", "log.place", "log.place_special", "log.end", "log.end_free"}
    assert keys == takes | plates | tiling


SCENE = """
round: 2; turn: 0; 0 score: 3
factory 1: sun BBYR moon - chip down
factory 2: sun - moon KB chip down
factory 3: sun - moon B chip down
factory L: sun - moon BBK
0 lines: - B1 - - - -
0 broken: RRK
"""


def moved(start: str, end: str, piece: str, count: int = 1) -> Step:
    return Step("travel", start=start, end=end, piece=piece, count=count)


def of_scene(token: str) -> Story:
    game = Game.from_position(SCENE, seed=1)
    after = game.copy()
    after.push(token)
    return story_of(game.view(1), after.view(1), after.moves[-1], 0)


def test_a_take_from_the_sun_as_it_is_seen() -> None:
    story = of_scene("S1B2:RY")
    assert story.telling.key == "log.sun_some"
    assert story.telling.args == {"count": 2, "color": "B", "factory": "1", "line": 2, "broken": 1}
    assert story.steps == [
        moved("sun-1", "line-0-2", "B"),
        moved("sun-1", "broken-0", "B"),
        moved("sun-1", "moon-1", "R"),
        moved("sun-1", "moon-1", "Y"),
    ]


def test_a_take_from_the_moon_as_it_is_seen() -> None:
    story = of_scene("MBx")
    assert story.telling.key == "log.moon_break"
    *travels, turn = story.steps
    assert story.telling.args == {"count": 4, "color": "B", "start": 1, "turned": turn.piece}
    assert travels == [
        moved("moon-2", "broken-0", "B"),
        moved("moon-3", "tower", "B"),
        moved("moon-L", "tower", "B", 2),
        moved("start", "broken-0", "start"),
    ]
    assert (turn.kind, turn.start) == ("turn", "chip-3")
    assert len(turn.piece) == 2


def test_advice_does_not_guess_the_chip_that_would_be_turned_up() -> None:
    view = Game.from_position(SCENE, seed=1).view(0)
    (advice,) = run_to_completion(hinting(view, 1, False, [("MBx", 0.5, 0.0, ())], 0, ())).advice
    assert advice.telling.args == {"count": 4, "color": "B", "start": 1}
