"""What hints say, measured on positions of games between levels 3 and 9:

    python bench/reasons.py hints.jsonl                       200 positions; the same ones every time
    python bench/reasons.py hints.jsonl --positions 60        fewer; the same command goes on where it stopped
    python bench/reasons.py hints.jsonl --positions 0 --show  only the figures of what was asked so far, and every hint
                                                              in English

- how many hints have two first figures that differ as shown, in whole per cent, or say that they are about equal;
- how many have a reason, how many say that nothing speaks for either, and how often each form comes first;
- how many sources that a reason names still point the same way by looks with ten times the budget, at other worlds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import as_completed
from functools import cache
from pathlib import Path
from typing import Any, Final

from sintra.game.game import Game, View
from sintra.players import player
from sintra.players.thinking.prospects import Foresight
from sintra.processes.worker import WorkerPool
from sintra.review.coaching import DEEP_FACTOR, LOOK_SIMS, Coach, Coaching
from sintra.review.forms import NOTHING_FORMS, in_english
from sintra.review.reasons import Compared

LEVELS: Final = range(3, 10)
EACH: Final = 10
"""How many positions are taken of a game."""
AGAIN: Final = 10
"""How many times the budget reasons are judged with."""
Summary = dict[str, Any]


def positions(number: int) -> Iterator[View]:
    """Decisions of a game between two levels, with more than one move."""
    dice = random.Random(number)
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
    yield from sorted(dice.sample(seen, EACH), key=lambda one: one.round)


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
    total |= {kind: sum(gains) for kind, gains in compared.sum_gains().items()}
    total["special_plates"] = total["specials"] = total.get("specials", 0.0) + total.get("special_plates", 0.0)
    return [(kind, total.get(kind, 0.0) > 0) for kind in kinds]


def summary_of(view: View, coach: Coach, deep: Foresight | None) -> Summary:
    """What a hint says of a position, and whether its sources still point the same way."""
    began = time.perf_counter()
    found = coach.advise(view)
    return {
        "round": view.round,
        "stage": view.stage.name.lower(),
        "seconds": round(time.perf_counter() - began, 3),
        "about_equal": found.about_equal,
        "shown": [round(100 * one.win) for one in found.moves],
        "first": next((one.form for one in found.moves[0].why), ""),
        "moves": [[str(one.move), " ".join(map(in_english, one.why))] for one in found.moves],
        "signs": signs(view, found, deep) if deep else [],
    }


@cache
def _thinkers() -> tuple[Coach, Foresight]:
    return Coach(), Foresight(AGAIN * DEEP_FACTOR * LOOK_SIMS, 2 * 64)


def asked(number: int, places: Sequence[int], judging: bool) -> list[Summary]:
    """The hints for some positions of a game."""
    coach, deep = _thinkers()
    views = list(positions(number))
    return [
        {"game": number, "place": place, **summary_of(views[place], coach, deep if judging else None)}
        for place in places
    ]


def ask(out: Path, count: int, judging: bool, jobs: int) -> None:
    """Asks for the hints that are missing of so many, and writes those of each game down at once."""
    done = {(one["game"], one["place"]) for one in read_summaries(out)}
    missing = {
        number: [place for place in range(min(EACH, count - EACH * number)) if (number, place) not in done]
        for number in range(-(-count // EACH))
    }
    with WorkerPool(jobs) as pool, out.open("a", encoding="utf-8") as file:
        running = [pool.submit(asked, number, places, judging) for number, places in missing.items() if places]
        for one in as_completed(running):
            file.writelines(json.dumps(summary) + "\n" for summary in one.result())
            file.flush()


def read_summaries(path: Path) -> list[Summary]:
    """What was asked so far."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def report(found: Sequence[Summary]) -> Iterator[str]:
    """The figures, in lines."""
    hints = len(found)
    seconds = sorted(one["seconds"] for one in found)
    slowest = seconds[min(hints - 1, hints * 19 // 20)]
    yield f"{hints} hints, {seconds[hints // 2]:.2f} s each, {slowest:.2f} s where it takes longest but for 5 %"
    figures = sum(len(set(one["shown"][:2])) == len(one["shown"][:2]) or one["about_equal"] > 1 for one in found)
    yield f"two first figures differ as shown, or about equal: {100 * figures / hints:.1f} %"
    reasons = sum(bool(one["first"]) for one in found)
    nothing = sum(one["first"] in NOTHING_FORMS for one in found)
    yield f"with a first reason: {100 * reasons / hints:.1f} %, with nothing that speaks: {100 * nothing / hints:.1f} %"
    forms = Counter(one["first"] for one in found)
    yield "first forms: " + ", ".join(f"{form} {100 * n / hints:.1f} %" for form, n in forms.most_common())
    judged = [(kind, right) for one in found for kind, right in one["signs"]]
    if judged:
        right = Counter(kind for kind, one in judged if one)
        every = Counter(kind for kind, _ in judged)
        yield f"sources that still point the same way: {100 * right.total() / len(judged):.1f} % of {len(judged)}"
        yield "by source: " + ", ".join(f"{kind} {right[kind]} of {n}" for kind, n in every.most_common())


def hints_of(found: Sequence[Summary]) -> Iterator[str]:
    """Every hint in English, in lines."""
    for one in found:
        yield f"game {one['game']}, round {one['round']}, {one['stage']}, about equal: {one['about_equal']}"
        for (move, why), win in zip(one["moves"], one["shown"], strict=True):
            yield f"  {move:12} {win:3} % {why}"


def main() -> None:
    """Asks and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, metavar="OUT", help="where hints are written down, a line for each")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--show", action="store_true", help="every hint in English")
    parser.add_argument("--no-judging", action="store_true", help="without looks at ten times the budget")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="games at once")
    options = parser.parse_args()
    ask(options.out, options.positions, not options.no_judging, options.jobs)
    found = read_summaries(options.out)
    if options.show:
        print(*hints_of(found), sep="\n")
    print(*report(found) if found else ["nothing asked yet"], sep="\n")


if __name__ == "__main__":
    main()
