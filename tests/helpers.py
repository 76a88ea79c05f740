"""Games of random play with different tastes, games that look alike to somebody, and minds.

A mind knows by brute force who can know what (R8): its worlds are all ways in which hand and stack
could lie for an observer. Each event that the observer sees throws some of them out, and each hidden
act of another seat (the order in which it puts plates back) multiplies them. That is slow and only
for small stacks, but needs no cleverness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, permutations, product
from pathlib import Path
from random import Random
from typing import Final, TypeVar

import numpy as np

from sintra import (
    PLATES,
    Color,
    Draw,
    EndTiling,
    Game,
    Goal,
    KeepPlate,
    Look,
    Move,
    Pay,
    PlateKind,
    PositionError,
    ReturnPlate,
    Rules,
    Stage,
    TakeChip,
    TakeTiles,
)
from sintra.components import CHIP_COUNT, CHIP_FACES, COLORS, DISPLAY, NOTHING, PLATE_COUNT, slot_name
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.choices import MAX_CHOICES, MAX_MOVES
from sintra.rules.state import PLATE_TURNS, ChipState, States

VECTORS: Final = Path(__file__).parent / "vectors"

T = TypeVar("T")

Taste = Callable[[Game, Random], Move]
"""A way to choose a move."""

GOAL_SETS: Final = tuple(
    goals
    for how_many in (3, 4)
    for tiles in combinations(range(4), how_many)
    for goals in product(*[(Goal(2 * tile), Goal(2 * tile + 1)) for tile in tiles])
)
"""Every choice of three or four goal tiles and their sides (R2.1)."""

ALL_RULES: Final = tuple(
    Rules(goals, "free" if free else "forced", special_is_color)
    for goals in GOAL_SETS
    for free in (False, True)
    for special_is_color in (True, False)
)
"""Every set of goals under every rule option."""


def some(items: Iterable[T]) -> Iterator[T]:
    """Yields the items, and fails if there are none: a loop over nothing proves nothing."""
    is_empty = True
    for item in items:
        is_empty = False
        yield item
    assert not is_empty, "there is nothing to look at"


def any_move(game: Game, dice: Random) -> Move:
    """Any legal move, all equally likely."""
    return dice.choice(game.legal_moves)


def fond_of_drawing(game: Game, dice: Random) -> Move:
    """Draws plates whenever that is possible, often several of them."""
    moves = game.legal_moves
    if Draw() in moves and dice.random() < 0.75:
        return Draw()
    return dice.choice(moves)


def fond_of_chips(game: Game, dice: Random) -> Move:
    """Takes chips and spends them whenever that is possible."""
    moves = game.legal_moves
    liked = [move for move in moves if isinstance(move, TakeChip | Pay)]
    return dice.choice(liked or moves)


TASTES: Final[Mapping[str, Taste]] = {"uniform": any_move, "drawing": fond_of_drawing, "chips": fond_of_chips}


def play_on(game: Game, taste: str, dice: Random, most: int = 10_000) -> Iterator[Game]:
    """Plays moves of a taste; yields the same game before each of them and at the end."""
    yield game
    for _ in range(most):
        if not len(game.legal_moves):
            return
        game.push(TASTES[taste](game, dice))
        yield game


def played(seed: int, taste: str = "uniform", rules: Rules | None = None, most: int = 10_000) -> Game:
    """A game of random play, to its end or for `most` moves."""
    game = Game.new(seed=seed, rules=rules)
    for _ in play_on(game, taste, Random(seed), most):
        pass
    return game


def legal_choices(states: States) -> list[int]:
    """The engine's list of legal choices of state 0."""
    out = np.empty(MAX_CHOICES, np.int16)
    return [int(choice) for choice in out[: engine.legal(states, 0, out)]]


def legal_paths(states: States) -> list[int]:
    """The engine's list of legal moves of state 0, as packed paths."""
    out = np.empty(MAX_MOVES, np.int64)
    return [int(path) for path in out[: engine.list_moves(states, 0, out)]]


def tile_counts(states: States) -> list[int]:
    """How many tiles of each colour there are, wherever they lie (R1.1)."""
    s = states[0]
    counts = s["sun"].sum(0) + s["moon"] + s["bag"] + s["tower"] + s["broken"].sum(0)
    for color in range(COLORS):
        counts[color] += (s["stack"] == color).sum() + (s["dome"] == color).sum()
        counts[color] += s["line_size"][s["line_color"] == color].sum()
    return [int(count) for count in counts]


def plate_list(states: States) -> list[int]:
    """All plates, wherever they lie, in the order of their numbers (R1.4)."""
    s = states[0]
    lying = [*s["display"].tolist(), *s["pile"][: s["pile_size"]].tolist(), *s["slot_plate"].ravel().tolist()]
    return sorted(plate for plate in lying if plate != NOTHING)


def chip_list(states: States) -> list[int]:
    """All chips, in the stores, spent, on factories or still to come, in the order of faces (R1.5).

    A chip that nobody took by a round's end lies in no store; there is none, since phase 1 goes
    on until all chips are taken (R3.10).
    """
    s = states[0]
    begun = 4 * (int(s["round_no"]) - 1)
    faces = [face for seat in range(2) for face in range(CHIP_FACES) for _ in range(s["store"][seat, face])]
    faces += [face for seat in range(2) for face in range(CHIP_FACES) for _ in range(s["spent"][seat, face])]
    on_factories = [begun + f for f in range(4) if s["chip_state"][f] != ChipState.GONE]
    faces += s["chip_order"][[*on_factories, *range(begun + 4, 20)]].tolist()
    return sorted(faces)


ALL_PLATE_LIST: Final = list(range(PLATE_COUNT))
ALL_CHIP_LIST: Final = [face for face in range(CHIP_FACES) for _ in range(2)]


def turned_up(game: Game) -> list[int]:
    """R3.8: the places of the chips that everybody has seen."""
    begun = 4 * (game.round - 1)
    now = [begun + f for f, factory in enumerate(game.factories[:4]) if not factory.chip_is_down]
    return [*range(begun), *now]


def cut(record: Record, ply: int) -> Record:
    """The record of the first moves of a game, with the tiles of the rounds begun by then."""
    game = record.replay(ply)
    return replace(
        record,
        moves=record.moves[:ply],
        legal=None if record.legal is None else record.legal[:ply],
        tiles=record.tiles[: game.round - game.awaits_deal],
        result=record.result if ply == len(record.moves) else None,
    )


def record_alike(record: Record, observer: int, dice: Random) -> Record:
    """Another game that differs from this one only in what an observer cannot know (R8).

    Plates that the observer never saw change their names among those with the same back, and any
    of them whose back was never seen change their places; plates with the same back that another
    seat drew together come in another order; and chips never turned up change their places.
    """
    plates = [int(name) - 1 for name in record.plates]
    seen, backs_seen, hands, seats = set(plates[:DISPLAY]), set(plates[:DISPLAY]), list[list[int]](), list[int]()
    returned: set[int] = set()
    for game in record.positions():
        seats.append(game.turn)
        hand = [plate_of(place) for place in game.hand]
        open_now = {plate.index for plate in game.display if plate}
        open_now |= {laid.plate.index for board in game.boards for laid in board.plates if laid}
        looking = game.stage in (Stage.KEEPING, Stage.RETURNING)
        seen |= open_now | ({*hand} if looking and game.turn == observer else set())
        backs_seen |= open_now | {*hand} | {plate_of(place) for place in game.stack[:1]}
        if game.stage is Stage.KEEPING and game.turn != observer:
            hands.append([plate for plate in hand if plate not in returned])
        if game.moves and isinstance(game.moves[-1], ReturnPlate):
            returned.add(game.moves[-1].plate.index)
    for kind in (True, False):
        for hand in hands:
            swap_places(plates, [plate for plate in hand if IS_SPECIAL[plate] == kind], dice)
    swap_places(plates, [plate for plate in plates if plate not in backs_seen], dice)
    names = dict(zip(range(PLATE_COUNT), range(PLATE_COUNT), strict=True))
    for kind in (True, False):
        unseen = [plate for plate in plates if plate not in seen and IS_SPECIAL[plate] == kind]
        names |= dict(zip(unseen, dice.sample(unseen, len(unseen)), strict=True))
    chips = list(record.chips)
    places = [place for place in range(CHIP_COUNT) if place not in turned_up(game)]
    for place, face in zip(places, dice.sample([chips[place] for place in places], len(places)), strict=True):
        chips[place] = face
    moves = []
    for token, seat in zip(record.moves, seats, strict=False):
        hidden = token.startswith("<") and seat != observer
        moves.append(f"<{PLATES[names[int(token[1:]) - 1]]}" if hidden else token)
    return replace(
        record, plates=tuple(PLATES[names[plate]].name for plate in plates), chips=tuple(chips), moves=tuple(moves)
    )


def swap_places(plates: list[int], some: list[int], dice: Random) -> None:
    """Some of the plates change their places at random."""
    places = [plates.index(plate) for plate in some]
    for place, plate in zip(places, dice.sample(some, len(some)), strict=True):
        plates[place] = plate


World = tuple[tuple[int, ...], tuple[int, ...]]
"""Plates in hand (in draw order; sorted once they were looked at and one is laid), and the stack."""

IS_SPECIAL: Final = [plate.kind is PlateKind.SPECIAL for plate in PLATES]


class Mind:
    """All that one observer, a seat or a spectator, can think possible."""

    def __init__(self, observer: int, game: Game) -> None:
        """Begins with a stack of which nobody knows more than the kind on top."""
        self.observer = observer
        unseen = [plate_of(place) for place in game.stack]
        self.worlds: set[World] = {((), pile) for pile in permutations(unseen)}
        self._see_top(game)

    def _see_top(self, game: Game) -> None:
        if game.stack_size:
            kind = IS_SPECIAL[plate_of(game.stack[0])]
            self.worlds = {(hand, stack) for hand, stack in self.worlds if IS_SPECIAL[stack[0]] == kind}

    def watch(self, before: Game, move: Move, after: Game) -> None:
        """Sees a move, as far as this observer can see it."""
        mine = before.turn == self.observer
        match move:
            case Draw():
                self.worlds = {((*hand, stack[0]), stack[1:]) for hand, stack in self.worlds}
                self._see_top(after)
            case Look():
                seen = tuple(plate_of(place) for place in before.hand)
                self.worlds = {world for world in self.worlds if world[0] == seen or not mine}
            case KeepPlate(kept):
                self.worlds = {(without(hand, kept.index), stack) for hand, stack in self.worlds if kept.index in hand}
            case ReturnPlate(plate):
                self.worlds = {
                    (without(hand, returned), (*stack, returned))
                    for hand, stack in self.worlds
                    for returned in hand
                    if (returned == plate.index if mine else IS_SPECIAL[returned] == IS_SPECIAL[plate.index])
                }
            case EndTiling():
                for opened in before.stack[: before.stack_size - after.stack_size]:
                    top = plate_of(opened)
                    self.worlds = {(hand, stack[1:]) for hand, stack in self.worlds if stack[0] == top}
                self._see_top(after)


def letter(shown: Color | PlateKind | None) -> str:
    """What a space shows, or the tile on it, as its letter; a dot for nothing."""
    return "." if shown is None else shown.letter


def without(hand: tuple[int, ...], plate: int) -> tuple[int, ...]:
    """The hand when a plate has left it; where each came from is not told any more."""
    return tuple(sorted(held for held in hand if held != plate))


def plate_of(place: object) -> int:
    """The plate at a place of a game's own pile."""
    plate = getattr(place, "plate", None)
    assert plate is not None
    return int(plate.index)


def world_of(states: States) -> World:
    """Hand and stack of a complete state, in the form of a mind's worlds."""
    s = states[0]
    drawn, size = int(s["drawn"]), int(s["pile_size"])
    hand, stack = tuple(s["pile"][:drawn].tolist()), tuple(s["pile"][drawn:size].tolist())
    return (tuple(sorted(hand)) if s["stage"] == Stage.RETURNING else hand), stack


def small_stack(stack: list[int], display: list[int], *, round_no: int = 2, more: str = "") -> str:
    """A position text with this stack; the other plates are laid, and draws are free at 0 points."""
    laid = [plate.index for plate in PLATES if plate.index not in (*stack, *display)]
    boards = [laid[: len(laid) // 2], laid[len(laid) // 2 :]]
    text = f"round: {round_no}; options: draw_at_zero=free; 0 score: 0; 1 score: 0\n{more}\n"
    text += f"display: {names(display)}\nstack: {names(stack)}\n"
    for seat, plates in enumerate(boards):
        slots = [f"{slot_name(slot)}={PLATES[plate]}r0" for slot, plate in enumerate(plates)]
        text += f"{seat} plates: {' '.join(slots)}\n"
    return text


def names(plates: list[int]) -> str:
    """Plates as they are written."""
    return " ".join(PLATES[plate].name for plate in plates)


class Scene:
    """A game with a small stack, and the minds of both seats and a spectator beside it."""

    def __init__(self, text: str, seed: int = 1) -> None:
        self.game = Game.from_position(text, seed=seed)
        self.mixed_again: set[int] = set()
        """Seats whose opponent drew plates that it had returned itself, and returned them with others: of these the
        seat's sets may include more than can be."""
        self.minds = [Mind(observer, self.game) for observer in range(3)]

    def push(self, move: Move | str) -> None:
        """Makes a move before everybody's eyes."""
        before = self.game.copy()
        self.game.push(move)
        made = self.game.moves[-1]
        returned_in = before.state["returned_in"][0, : before.drawn]
        if isinstance(made, KeepPlate) and (returned_in // PLATE_TURNS == before.turn).any():
            self.mixed_again.add(1 - before.turn)
        for mind in self.minds:
            mind.watch(before, made, self.game)

    def draw(self, how_many: int, keep: int, give_back: list[int]) -> None:
        """A whole turn at the stack: draws, lays one on the first empty slot, returns the others."""
        for _ in range(how_many):
            self.push("D")
        self.push("H")
        slot = self.game.board(self.game.turn).plates.index(None)
        self.push(f"K{PLATES[keep]}@{slot_name(slot)}r0")
        for plate in give_back:
            self.push(f"<{PLATES[plate]}")

    def until(self, seat: int) -> None:
        """Lets tiles be taken and rounds end until it is a seat's turn."""
        game = self.game
        for _ in range(100):
            if game.stage is Stage.TURN and game.turn == seat:
                return
            self.push(
                next(move for move in game.legal_moves if isinstance(move, TakeTiles) or game.stage is Stage.TILING)
            )
        raise AssertionError(f"it is never the turn of seat {seat}")


def random_scene(seed: int) -> Iterator[Scene]:
    """A random small stack and random play that likes to draw; yields the scene after every move."""
    dice = Random(seed)
    plates = dice.sample(range(len(PLATES)), len(PLATES))
    size = dice.choice((4, 5, 5, 6, 6))
    scene = Scene(small_stack(plates[3 : 3 + size], plates[:3], round_no=dice.choice((1, 2, 3))), seed=seed)
    game = scene.game
    yield scene
    while game.round < 5 and game.stack_size + game.drawn > 0:
        moves = game.legal_moves
        draws = "D" in moves and dice.random() < 0.75
        scene.push("D" if draws else dice.choice(moves))
        yield scene


def scene_of_returns(seed: int) -> Iterator[Scene]:
    """A random small stack of which both seats draw again and again, so that plates are mixed more than
    once; plates are taken from the stack only. Yields the scene after every move."""
    dice = Random(seed)
    specials = dice.sample([plate for plate in ALL_PLATE_LIST if IS_SPECIAL[plate]], 6)
    wilds = dice.sample([plate for plate in ALL_PLATE_LIST if not IS_SPECIAL[plate]], 8)
    size, of_them_special = dice.choice((5, 6, 6, 7, 7, 8)), dice.choice((0, 0, 0, 1, 2, 3))
    stack = dice.sample(wilds[: size - of_them_special] + specials[3 : 3 + of_them_special], size)
    more = "factory L: sun - moon BYRK"
    scene = Scene(small_stack(stack, specials[:3], round_no=dice.choice((1, 1, 2)), more=more), seed=seed)
    game = scene.game
    yield scene
    while game.round < 5 and game.stack_size + game.drawn > 0:
        moves = list(game.legal_moves)
        if game.stage is Stage.TURN:
            takes: list[Move] = [move for move in moves if isinstance(move, TakeTiles | TakeChip)]
            draws: list[Move] = [move for move in moves if isinstance(move, Draw)]
            moves = draws if draws and (not takes or dice.random() < 0.5) else takes or moves
        elif game.stage is Stage.DRAWING and len(moves) > 1:
            moves = [move for move in moves if isinstance(move, Draw) == (dice.random() < 0.65)] or moves
        scene.push(dice.choice(moves))
        yield scene


def is_read(game: Game) -> bool:
    """Whether the position of a game can be read back: made-up boards can run out of slots."""
    try:
        return Game.from_position(game.position) == game
    except PositionError:
        return False


def made_up_knowledge() -> Game:
    """A game whose seats know what no play can have told them."""
    stack = [plate.index for plate in PLATES[3:12]]
    known = " ".join(f"{PLATES[plate].name}|{PLATES[stack[0]].name}" for plate in stack)
    text = small_stack(stack, [0, 1, 2], more="factory L: sun - moon B; returned: 0.1 - - 1.2 - - - - -")
    return Game.from_position(f"{text}0 knows: {known}; 1 looked: 05 06; 0 looked: 07")
