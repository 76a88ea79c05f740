"""The learning curve as a picture (SVG), from the log of a run alone:

    python -m sintra.learn.curve run/log.jsonl > curve.svg

The left panel shows the divergence of hand-made and learned opinions from the search against the games played, the
right one the Elo of each iteration, counted from where the run began. The colours suit light and dark backgrounds.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from sintra.arena.stats import wilson
from sintra.drawing.chart import Chart

WIDTH: Final = 860
HEIGHT: Final = 340
TOP: Final = 50
BOTTOM: Final = 290
PANELS: Final = ((70, 400), (510, 840))
"""The left and the right end of each panel."""
TEXT: Final = "#7d7d7d"
GRID: Final = "#7d7d7d55"
BY_HAND: Final = "#d08020"
LEARNED: Final = "#3f86d6"
MAX_TICKS: Final = 7
"""The number of labels at an axis at most, roughly."""
STEPS: Final = (1.0, 2.0, 5.0)
"""The steps between numbers at an axis, times powers of ten."""


def read_entries(path: Path, what: str) -> list[dict[str, Any]]:
    """The entries of a log of one kind, without lines that were cut off."""
    found = []
    for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and entry.get("what") == what:
            found.append(entry)
    return found


def elo_of(won: float, tried: int) -> float:
    """The Elo difference that so many wins of the games tried speak for; half a game is added to either side."""
    return 400 * math.log10((won + 0.5) / (tried - won + 0.5))


def elo_by_iteration(iterations: Iterable[dict[str, Any]]) -> list[tuple[float, float, float, bool]]:
    """For each iteration its Elo, the ends of the 95 % interval of its trial, and whether it was kept: each was tried
    against the last one that was kept, and the run began at 0. A value that was kept raises those that follow."""
    found = []
    base = 0.0
    for one in iterations:
        won, tried = one["won"], one["tried"]
        low, high = (elo_of(share * tried, tried) for share in wilson(won, tried))
        elo = base + elo_of(won, tried)
        found.append((elo, base + low, base + high, bool(one["accepted"])))
        if one["accepted"]:
            base = elo
        if one.get("value_accepted"):
            base += elo_of(one["value_won"], tried)
    return found


def ticks(low: float, high: float) -> list[float]:
    """Round numbers from below the lowest to above the highest."""
    spread = max(high - low, 1e-9)
    size = 10.0 ** math.floor(math.log10(spread / MAX_TICKS))
    step = next((size * k for k in (*STEPS, 10.0) if spread / (size * k) <= MAX_TICKS - 1), 10 * size)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [k * step for k in range(first, max(last, first + 1) + 1)]


def _panel(number: int, title: str, across: str, xs: Sequence[float], ys: Sequence[float]) -> Chart:
    """One of the two charts, with its axes."""
    x_ticks, y_ticks = ticks(min(xs), max(xs)), ticks(min(ys), max(ys))
    x_ends, y_ends = (x_ticks[0], x_ticks[-1]), (y_ticks[0], y_ticks[-1])
    chart = Chart(PANELS[number], (TOP, BOTTOM), x_ends, y_ends, ink=TEXT, grid=GRID, size=12)
    chart.words(chart.left, TOP - 20, title, 15, TEXT)
    for tick in y_ticks:
        chart.row(tick, f"{tick:g}" if abs(tick) >= 1 else f"{tick:.2g}")
    for tick in x_ticks:
        if tick == int(tick):
            chart.below(tick, f"{int(tick):,}")
    chart.below((x_ends[0] + x_ends[1]) / 2, across, 40)
    return chart


def _curve(chart: Chart, xs: Sequence[float], ys: Sequence[float], color: str, name: str) -> None:
    """A line through points, with its name at the end."""
    points = list(zip(xs, ys, strict=True))
    chart.curve(points, color, 2)
    for x, y in points:
        chart.dot(x, y, color, stroke=color)
    chart.words(chart.x(xs[-1]), chart.y(ys[-1]) - 10, name, 12, color, text_anchor="end")


def curve_svg(iterations: Sequence[dict[str, Any]]) -> str:
    """The picture of a run's iterations, as its log tells them; there must be one at least."""
    games = [float(one["games"]) for one in iterations]
    by_hand, after = ([float(one[key]) for one in iterations] for key in ("by_hand", "after"))
    left = _panel(
        0, "Divergence from the search, on held-out games", "games played", [0, *games], [0, *by_hand, *after]
    )
    _curve(left, games, by_hand, BY_HAND, "by hand")
    _curve(left, games, after, LEARNED, "learned")
    numbers = [float(one["iteration"]) for one in iterations]
    elos = elo_by_iteration(iterations)
    ends = [end for _, low, high, _ in elos for end in (low, high)]
    right = _panel(1, "Elo since the beginning (full: kept; bars: 95 %)", "iteration", [0, *numbers], [0, *ends])
    for number, (elo, low, high, is_kept) in zip(numbers, elos, strict=True):
        right.curve([(number, low), (number, high)], LEARNED, 1)
        right.dot(number, elo, LEARNED if is_kept else "none", stroke=LEARNED)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif">'
    return "\n".join([head, *left.parts, *right.parts, "</svg>"]) + "\n"


def main() -> None:
    """Draws the curve of a log."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m sintra.learn.curve LOG > SVG")
    iterations = read_entries(Path(sys.argv[1]), "iteration")
    if not iterations:
        raise SystemExit(f"{sys.argv[1]}: no iteration is logged there")
    print(curve_svg(iterations), end="")


if __name__ == "__main__":
    main()
