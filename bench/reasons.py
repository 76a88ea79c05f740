"""What hints say, measured on positions of games between levels 3 and 9:

    python bench/reasons.py                       200 positions; the same ones every time
    python bench/reasons.py --positions 60        fewer
    python bench/reasons.py --show                and every hint in English

- how many hints have two first figures that differ as shown, in whole per cent, or say that they are about equal;
- how many have a reason, how many say that nothing speaks for either, and how often each form comes first;
- how many sources that a reason names still point the same way by looks with ten times the budget, at other worlds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Final

from sintra.game.game import Game, View
from sintra.players import player
from sintra.players.thinking.prospects import Foresight
from sintra.review.coaching import DEEP_FACTOR, LOOK_SIMS, Coach, Coaching
from sintra.review.reasons import Compared
from sintra.review.sentences import NOTHING_FORMS, in_english

LEVELS: Final = range(3, 10)
EACH: Final = 10
"""How many positions are taken of a game."""
AGAIN: Final = 10
"""How many times the budget reasons are judged with."""


def positions(count: int) -> Iterator[View]:
    """Decisions of games between two levels, with more than one move."""
    number = 0
    dice = random.Random(1)
    while True:
        game = Game.new(7000 + number)
        seats = [player(f"level:n={dice.choice(LEVELS)}") for _ in range(2)]
        for one in seats:
            one.new_game(number)
        seen: list[View] = []
        while not game.is_over:
            view = game.view(game.turn)
            if len(view.legal_moves) > 1:
                seen.append(view)
            game.push(seats[game.turn].choose(view))
        for view in sorted(dice.sample(seen, EACH), key=lambda one: one.round):
            yield view
            count -= 1
            if not count:
                return
        number += 1


def signs(view: View, found: Coaching, deep: Foresight) -> list[tuple[str, bool]]:
    """For each source that the first move's sentences name, whether a deep look still says the same."""
    first = found.moves[0]
    kinds = [one.kind for one in first.why if one.kind]
    if not kinds or not first.against:
        return []
    compared = Compared(view.seat, deep.of(view, first.move), [deep.of(view, other) for other in first.against])
    total: dict[str, float] = {}
    for reason, _ in compared.totals():
        total[reason.kind] = total.get(reason.kind, 0.0) + reason.points
    total["opens"] = total.get("lines", 0.0) + total.get("placement", 0.0)
    total["special_plates"] = total["specials"] = total.get("specials", 0.0) + total.get("special_plates", 0.0)
    return [(kind, total.get(kind, 0.0) > 0) for kind in kinds]


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--show", action="store_true", help="every hint in English")
    parser.add_argument("--no-judging", action="store_true", help="without looks at ten times the budget")
    options = parser.parse_args()
    coach = Coach()
    deep = Foresight(AGAIN * DEEP_FACTOR * LOOK_SIMS, 2 * 64)
    figures = reasons = nothing = hints = 0
    forms: Counter[str] = Counter()
    judged: list[tuple[str, bool]] = []
    seconds = []
    for view in positions(options.positions):
        began = time.perf_counter()
        found = coach.advise(view)
        seconds.append(time.perf_counter() - began)
        hints += 1
        shown = [round(100 * one.win) for one in found.moves[:2]]
        figures += len(shown) < 2 or shown[0] != shown[1] or found.about_equal > 1
        first = found.moves[0].why
        reasons += bool(first)
        nothing += bool(first) and first[0].form in NOTHING_FORMS
        forms[first[0].form if first else "-"] += 1
        if not options.no_judging:
            judged += signs(view, found, deep)
        if options.show:
            print(f"round {view.round}, {view.stage.name.lower()}, about equal: {found.about_equal}")
            for one in found.moves:
                print(
                    f"  {one.move!s:12} {100 * one.win:5.1f} % {' '.join(in_english(why) for why in one.why)}",
                    flush=True,
                )
    seconds.sort()
    slowest = seconds[min(len(seconds) - 1, len(seconds) * 19 // 20)]
    print(f"{hints} hints, {seconds[len(seconds) // 2]:.2f} s each, {slowest:.2f} s where it takes longest but for 5 %")
    print(f"two first figures differ as shown, or about equal: {100 * figures / hints:.1f} %")
    print(
        f"with a first reason: {100 * reasons / hints:.1f} %, nothing speaks for either: {100 * nothing / hints:.1f} %"
    )
    print("first forms:", ", ".join(f"{form} {100 * n / hints:.1f} %" for form, n in forms.most_common()))
    if judged:
        right = sum(one for _, one in judged)
        print(f"sources that still point the same way: {100 * right / len(judged):.1f} % of {len(judged)}")
        wrong = Counter(kind for kind, one in judged if not one)
        every = Counter(kind for kind, _ in judged)
        print("by source:", ", ".join(f"{kind} {n - wrong[kind]} of {n}" for kind, n in every.most_common()))


if __name__ == "__main__":
    main()
