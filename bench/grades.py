"""Proves every puzzle of a file again and lets the levels grade it anew: what has to be done when the players' network,
their value or a level's settings have changed. Puzzles that no longer hold are left out, and named:

    python bench/grades.py src/sintra/puzzles/puzzles.jsonl src/sintra/puzzles/puzzles.jsonl
    python bench/grades.py old.jsonl new.jsonl --ratings     levels are not asked: only ratings from what they found
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sintra.cli.progress import progress_bar
from sintra.errors import SintraError
from sintra.processes.worker import WorkerPool
from sintra.puzzles import prove
from sintra.puzzles.collection import read_puzzles, write_puzzles
from sintra.puzzles.grading import grade_by_levels, level_of, rating_of
from sintra.puzzles.making import DULL_LEVEL
from sintra.puzzles.puzzle import Puzzle, PuzzleError
from sintra.puzzles.tilings import level_at


def graded_again(line: str) -> tuple[str, str]:
    """A puzzle with its new grade, and nothing; or nothing, and why it is left out."""
    puzzle = Puzzle.loads(line)
    try:
        prove(puzzle)
    except PuzzleError as error:
        return "", str(error)
    if puzzle.kind == "tiling":
        return rated_again(puzzle).dumps(), ""
    grade = grade_by_levels(puzzle)
    if grade is None:
        return "", "the strongest level does not find the answer"
    if grade.level <= DULL_LEVEL and puzzle.explanation.natural[0] in puzzle.answer:
        return "", "it has become dull"
    return puzzle.graded(grade).dumps(), ""


def rated_again(puzzle: Puzzle) -> Puzzle:
    """The puzzle with the rating and the level that follow from what the levels once found; a tiling, whose rating is
    an estimate, with the level of that strength."""
    grade = puzzle.grade
    if puzzle.kind == "tiling":
        return puzzle.graded(replace(grade, level=level_at(grade.rating)))
    return puzzle.graded(replace(grade, rating=rating_of(grade.found), level=level_of(grade.found)))


def report(before: Sequence[Puzzle], after: Sequence[Puzzle]) -> str:
    """How the ratings have moved, kind by kind."""
    lines = ["| kind | puzzles | left | mean rating | before | moved by more than 200 |", "|---|---|---|---|---|---|"]
    ratings = {one.id: one.grade.rating for one in after}
    for kind, count in Counter(one.kind for one in before).items():
        both = [(one.grade.rating, ratings[one.id]) for one in before if one.kind == kind and one.id in ratings]
        old, new = (sum(one[k] for one in both) / max(len(both), 1) for k in range(2))
        moved = sum(abs(one[1] - one[0]) > 200 for one in both)
        lines.append(f"| {kind} | {count} | {len(both)} | {new:.0f} | {old:.0f} | {moved} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Grades and reports."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("file", type=Path, metavar="FILE", help="puzzles, one a line")
    parser.add_argument("out", type=Path, metavar="OUT", help="where they are written to; can be the same file")
    parser.add_argument("--ratings", action="store_true", help="do not ask the levels again")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="puzzles at once")
    options = parser.parse_args(arguments)
    try:
        puzzles = read_puzzles(options.file)
        if options.ratings:
            after = [rated_again(one) for one in puzzles]
        else:
            after = []
            with WorkerPool(options.jobs) as pool, progress_bar("puzzles") as report_progress:
                asked = [pool.submit(graded_again, one.dumps()) for one in puzzles]
                for number, (puzzle, one) in enumerate(zip(puzzles, asked, strict=True), start=1):
                    line, fault = one.result()
                    if fault:
                        print(f"{puzzle.id} ({puzzle.kind}): {fault}", flush=True)
                    else:
                        after.append(Puzzle.loads(line))
                    report_progress(number, total=len(puzzles))
        write_puzzles(options.out, after)
    except (SintraError, OSError) as error:
        parser.error(str(error))
    print(report(puzzles, after))


if __name__ == "__main__":
    main()
