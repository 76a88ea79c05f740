"""Views as damaged bytes, and everything that is done with a view: what is read must survive that.

Run as a program it damages many views and prints how many were read. It is run apart, because what it
looks for is a process that crashes or never ends.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from random import Random

import numpy as np

from helpers import ALL_RULES, TASTES, play_on
from sintra import Game, SintraError, View
from sintra.drawing.picture import svg
from sintra.drawing.terminal import draw
from sintra.players import player
from sintra.players.hints import Adviser
from sintra.rules import engine
from sintra.rules.limits import LIMITS
from sintra.rules.state import STATE, States, states_of


def real_views(seed: int) -> list[bytes]:
    """Views of all observers at every ply of a game."""
    dice = Random(seed)
    game = Game.new(seed=seed, rules=ALL_RULES[seed % len(ALL_RULES)])
    taste = list(TASTES)[seed % len(TASTES)]
    return [game.view(observer).to_bytes() for game in play_on(game, taste, dice) for observer in range(3)]


def some_element(states: States, dice: Random) -> tuple[np.ndarray, int, str]:
    """A field of a state as a flat array, and a place in it."""
    name = dice.choice([name for name in STATE.names or () if name != "spare"])
    field = states[name].reshape(-1)
    return field, dice.randrange(field.size), name


def damaged(views: list[bytes], dice: Random) -> bytes:
    """A real view with one kind of damage: some bits, some numbers within or without their limits, a field
    of another view, another observer."""
    data = dice.choice(views)
    observer, states = data[0], states_of(data[1:]).array
    what = dice.randrange(10)
    if what == 0:
        observer = dice.randrange(4)
    elif what <= 2:
        raw = states.view(np.uint8)
        for _ in range(dice.choice((1, 1, 2, 5))):
            raw[dice.randrange(raw.size)] ^= 1 << dice.randrange(8)
    elif what <= 4:
        other = states_of(dice.choice(views)[1:]).array
        for name in dice.sample(list(STATE.names or ()), dice.choice((1, 1, 2, 4))):
            states[name] = other[name]
    else:
        for _ in range(dice.choice((1, 1, 1, 2, 3))):
            field, place, name = some_element(states, dice)
            low, high = LIMITS[name]
            if what == 5:
                kind = np.iinfo(field.dtype)
                low, high = int(kind.min), int(kind.max)
            if name in ("could_be", "looked_at"):
                field[place] ^= 1 << dice.randrange(18)
            else:
                field[place] = dice.randint(low, high)
    return bytes([observer]) + bytes(states.tobytes())


def survive(view: View, thinkers: list[str], adviser: Adviser | None) -> None:
    """Does all that can be done with a view; a refusal is as good as an answer."""
    moves = list(view.legal_moves)
    for move in (moves[0], moves[-1]) if moves else ():
        view.describe(move)
        view.preview(move)
    draw(view)
    svg(view)
    assert View.from_bytes(view.to_bytes()) == view
    for seed in range(3):
        with suppress(SintraError):
            states = view.sample_state(seed)
            for observer in range(3):
                View.of_state(states, 0, observer).sample(seed)
            engine.play_random(states, 0, 500, np.zeros(1, np.int64))
    for text in thinkers:
        try:
            assert player(text).choose(view) in moves
        except SintraError:
            assert not view.to_move
    if adviser and view.to_move:
        assert adviser.evaluate(view).best.move in moves


def main(first: int, games: int, each: int, *thinkers: str) -> None:
    """Damages views of some games, each so many times."""
    adviser = Adviser(50) if any(text.startswith("search") for text in thinkers) else None
    counts: Counter[str] = Counter()
    for seed in range(first, first + games):
        views = real_views(seed)
        dice = Random(seed)
        for _ in range(each):
            data = damaged(views, dice)
            try:
                view = View.from_bytes(data)
            except SintraError as error:
                counts["refused"] += 1
                counts[str(error)] += 1
                continue
            counts["read"] += data not in views
            survive(view, list(thinkers), adviser)
    print(counts.pop("read"), counts.pop("refused"))
    for reason, n in counts.most_common():
        print(n, reason, file=sys.stderr)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:])
