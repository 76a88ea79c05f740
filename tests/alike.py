"""Games that look alike to an observer: all of them for a small stack, and random ones of full size.

What an observer may know is measured by its record (R8, `Record.view`): games with equal records of
an observer must have equal views for it, whatever else differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from random import Random

from helpers import IS_SPECIAL
from sintra import PLATES, Game, Move, ReturnPlate, SintraError, Stage
from sintra.components import CHIP_COUNT, DISPLAY
from sintra.records.record import Record
from sintra.rules import engine
from sintra.rules.state import States, copied, states_of
from sintra.tabletop.moves import path_of

MAX_WORLDS = 120


class Alikes:
    """All games, as states, that have looked like one game to an observer since a position of which
    nobody knew more than the kind on top; of very many, a random part."""

    def __init__(self, observer: int, game: Game, dice: Random) -> None:
        self.observer = observer
        self._dice = dice
        self._worlds: set[bytes] = set()
        truth = game.state
        size = int(truth["pile_size"][0])
        for pile in permutations(truth["pile"][0, :size].tolist()):
            world = copied(truth)
            world["pile"][0, :size] = pile
            if _seen(world, observer) == _seen(truth, observer):
                self._worlds.add(world.tobytes())

    def watch(self, before: Game, move: Move, after: Game) -> None:
        """Makes a move in every world, as far as the observer can see which move it is."""
        seen = _seen(after.state, self.observer)
        hidden = before.turn != self.observer
        worlds = {after.state.tobytes()}
        for data in self._worlds:
            for one in _returns(states_of(data), move) if hidden and isinstance(move, ReturnPlate) else [move]:
                world = states_of(data)
                if engine.play(world, 0, path_of(one, world, 0)) == 0 and _seen(world, self.observer) == seen:
                    worlds.add(world.tobytes())
        if len(worlds) > MAX_WORLDS:
            worlds = {*self._dice.sample(sorted(worlds), MAX_WORLDS)}
        self._worlds = worlds

    def __iter__(self) -> Iterator[States]:
        return map(states_of, sorted(self._worlds))

    def __len__(self) -> int:
        return len(self._worlds)


def _seen(states: States, observer: int) -> object:
    """What an observer sees of the plates of a complete state at this moment."""
    s = states[0]
    pile, drawn = s["pile"][: s["pile_size"]].tolist(), int(s["drawn"])
    looking = s["stage"] in (Stage.KEEPING, Stage.RETURNING) and s["turn"] == observer
    hand = pile[:drawn] if looking else sorted(IS_SPECIAL[plate] for plate in pile[:drawn])
    return hand, [IS_SPECIAL[plate] for plate in pile[drawn : drawn + 1]], s["display"].tolist()


def _returns(states: States, move: ReturnPlate) -> list[Move]:
    """The plates in hand that look like the one that is put back."""
    hand = states["pile"][0, : states["drawn"][0]].tolist()
    return [ReturnPlate(PLATES[plate]) for plate in hand if PLATES[plate].kind is move.plate.kind]


def shuffled_alike(record: Record, observer: int, dice: Random, tries: int = 60) -> tuple[Record, int]:
    """Another game with the same record for an observer, and how many changes it has from the first.

    Changes are tried at random: two plates change their places in the deal or their names in the whole
    game, two plates that another seat put back change places, two chips do. One is kept if the game can
    still be played and the observer's record stays as it is.
    """
    wanted = record.view(observer)
    changes = 0
    for _ in range(tries):
        other = _changed(record, dice)
        try:
            alike = other != record and other.view(observer) == wanted
        except SintraError:
            continue
        if alike:
            record = other
            changes += 1
    return record, changes


def _changed(record: Record, dice: Random) -> Record:
    plates, moves, chips = list(record.plates), list(record.moves), list(record.chips)
    returns = [k for k, token in enumerate(moves) if token.startswith("<")]
    what = dice.randrange(4 if len(returns) > 1 else 3)
    if what == 3:
        a, b = sorted(dice.sample(returns, 2)) if dice.random() < 0.3 else _neighbours(returns, dice)
        moves[a], moves[b] = moves[b], moves[a]
    elif what == 2:
        a, b = dice.sample(range(CHIP_COUNT), 2)
        chips[a], chips[b] = chips[b], chips[a]
    else:
        a, b = dice.sample(range(DISPLAY, len(PLATES)), 2)
        names = {plates[a]: plates[b], plates[b]: plates[a]}
        plates[a], plates[b] = plates[b], plates[a]
        if what == 1:
            moves = [f"<{names.get(token[1:], token[1:])}" if token.startswith("<") else token for token in moves]
    return replace(record, plates=tuple(plates), moves=tuple(moves), chips=tuple(chips))


def _neighbours(returns: list[int], dice: Random) -> tuple[int, int]:
    k = dice.randrange(len(returns) - 1)
    return returns[k], returns[k + 1]
