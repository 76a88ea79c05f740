"""A match as tables for the terminal and a picture (SVG) of the ladder."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from sintra.arena.match import Match
from sintra.arena.stats import ladder, sequential_test, wilson
from sintra.drawing.chart import Chart
from sintra.drawing.glyphs import tag

Profiles = dict[str, list[dict[str, Any]]]
"""How each player played, game by game (`profile_of`)."""
_MAX_FAULTS = 12
"""How many kinds of faults are listed."""
_INK = "#12304f"
_SOURCES = ("placement", "specials", "broken", "start_tile", "draws", "goals")


def print_report(match: Match, sprt: tuple[float, float] | None = None, console: Console | None = None) -> None:
    """Who won how often, who is how strong, and where the points came from."""
    console = console or Console(markup=False)
    if not console.is_terminal:
        console = Console(file=console.file, width=140, markup=False)
    console.print(_results_table(match))
    if sprt:
        names = (match.players[0], match.players[1])
        verdict = sequential_test(match.pair_scores(names), *sprt)
        console.print(
            f"sequential test, Elo {sprt[0]:g} against {sprt[1]:g}: ratio {verdict.ratio:.2f} "
            f"in [{verdict.low:.2f}, {verdict.high:.2f}] → {verdict.decision}"
        )
    if any(one.fault for one in match.played):
        console.print(_faults_table(match))
    console.print(_ladder_table(match))
    print_profiles(profiles_by_player(match), console)


def print_profiles(profiles: Profiles, console: Console) -> None:
    """Where each player's points came from, and how it plays."""
    console.print(_points_table(profiles))
    console.print(_habits_table(profiles))


def _results_table(match: Match) -> Grid:
    grid = Grid(title="Results (each deal twice, seats swapped)")
    for column in ("players", "games", "won", "95 %", "mean scores"):
        grid.add_column(column, justify="left" if column == "players" else "right")
    for names in combinations(match.players, 2):
        games = [one for one in match.played if one.names == names]
        if not games:
            continue
        won = sum(one.won for one in games)
        low, high = wilson(won, len(games))
        ended = [one.scores for one in games if not one.fault]
        means = [fmean(scores) for scores in zip(*ended, strict=True)] if ended else None
        grid.add_row(
            f"{names[0]} : {names[1]}",
            str(len(games)),
            f"{won} ({100 * won / len(games):.1f} %)",
            f"{100 * low:.1f} to {100 * high:.1f} %",
            "-" if means is None else f"{means[0]:.1f} : {means[1]:.1f}",
        )
    return grid


def _faults_table(match: Match) -> Grid:
    """What engines did wrong; such games are lost, and their scores count nowhere."""
    found = Counter((one.loser, one.fault) for one in match.played if one.fault)
    lost = sum(found.values())
    grid = Grid(title=f"Lost by a fault of an engine: {lost} game{'s' if lost != 1 else ''} (scores do not count)")
    grid.add_column("player")
    grid.add_column("games", justify="right")
    grid.add_column("what it did", overflow="fold")
    for (name, fault), games in found.most_common(_MAX_FAULTS):
        grid.add_row(name, str(games), fault)
    if len(found) > _MAX_FAULTS:
        grid.add_row("", "", f"and {len(found) - _MAX_FAULTS} other things; the records tell")
    return grid


def _ladder_table(match: Match) -> Grid:
    grid = Grid(title="Ladder (greedy = 1000)" if "greedy" in match.players else "Ladder (first player = 1000)")
    for column in ("player", "Elo", "± 95 %", "ms a move"):
        grid.add_column(column, justify="left" if column == "player" else "right")
    profiles = profiles_by_player(match)
    for standing in ladder(match.wins(), match.players):
        seconds = sum(profile["seconds"] for profile in profiles[standing.name])
        decisions = sum(profile["decisions"] for profile in profiles[standing.name])
        grid.add_row(
            standing.name,
            f"{standing.elo:.0f}",
            f"{standing.margin:.0f}",
            f"{1000 * seconds / max(decisions, 1):.1f}",
        )
    return grid


def profiles_by_player(match: Match) -> Profiles:
    """All profiles of each player, but for games that ended by a fault of an engine."""
    found: Profiles = {name: [] for name in match.players}
    for one in match.played:
        if one.fault:
            continue
        for name, profile in zip(one.names, one.profiles, strict=True):
            found[name].append(profile)
    return found


def _points_table(by_player: Profiles) -> Grid:
    grid = Grid(title="Where the points came from (mean of a game; everyone starts with 5)")
    for column in ("player", "score", *(source.replace("_", " ") for source in _SOURCES), "after round 1 to 5"):
        grid.add_column(column, justify="left" if column == "player" else "right")
    for name, profiles in by_player.items():
        if profiles:
            means = [fmean([profile[key] for profile in profiles]) for key in ("score", *_SOURCES)]
            rounds = map(fmean, zip(*(profile["score_by_round"] for profile in profiles), strict=True))
            grid.add_row(name, *(f"{mean:.1f}" for mean in means), " ".join(f"{score:.0f}" for score in rounds))
    return grid


def _habits_table(by_player: Profiles) -> Grid:
    grid = Grid(title="Habits (mean of a game)")
    columns = ("tiles", "special tiles", "special by round 2", "full columns", "full rows", "takes to lines 5, 6")
    for column in ("player", *columns, "takes broken", "plates drawn"):
        grid.add_column(column, justify="left" if column == "player" else "right")
    for name, profiles in by_player.items():
        if not profiles:
            continue
        takes = [sum(line) for line in zip(*(profile["takes"] for profile in profiles), strict=True)]
        all_takes = max(1, sum(takes))
        early = fmean([1 <= profile["first_special_round"] <= 2 for profile in profiles])
        means = {
            key: fmean([profile[key] for profile in profiles])
            for key in ("tiles", "special_tiles", "full_columns", "full_rows", "draws_made")
        }
        grid.add_row(
            name,
            f"{means['tiles']:.1f}",
            f"{means['special_tiles']:.2f}",
            f"{100 * early:.0f} %",
            f"{means['full_columns']:.2f}",
            f"{means['full_rows']:.2f}",
            f"{100 * sum(takes[4:6]) / all_takes:.0f} %",
            f"{100 * takes[6] / all_takes:.0f} %",
            f"{means['draws_made']:.1f}",
        )
    return grid


def ladder_svg(match: Match) -> str:
    """The ladder as a picture: Elo with its interval, and the mean score of each player."""
    standings = ladder(match.wins(), match.players)
    profiles = profiles_by_player(match)
    low = min(standing.elo - standing.margin for standing in standings)
    high = max(standing.elo + standing.margin for standing in standings)
    low, high = 100 * math.floor(low / 100), 100 * math.ceil(high / 100 + 1e-9)
    rows, width, top, bottom = len(standings), 820, 56, 56 + 34 * len(standings)
    chart = Chart((240, 700), (top, bottom), (low, max(high, low + 1)), (rows, 0), ink=_INK, grid="#d8cbb0", size=13)
    chart.words(24, 30, f"Elo, {len(match.played)} games, bars show 95 %", 17, _INK)
    for tick in range(low, high + 1, 100 if high - low <= 1200 else 200):
        chart.column(tick)
        chart.below(tick, f"{tick:.0f}")
    for k, standing in enumerate(standings):
        y = k + 0.5
        score = fmean([profile["score"] for profile in profiles[standing.name]] or [0])
        chart.words(chart.left - 14, chart.y(y) + 4, standing.name, 13, _INK, text_anchor="end")
        ends = ((standing.elo - standing.margin, y), (standing.elo + standing.margin, y))
        chart.curve(ends, "#2456b0", 4, stroke_linecap="round")
        chart.dot(standing.elo, y, "#f2b632", 7, stroke=_INK, stroke_width="2")
        chart.words(chart.right + 14, chart.y(y) + 4, f"{standing.elo:.0f}, {score:.0f} points", 13, _INK)
    paper = tag("rect", width=width, height=bottom + 40, fill="#f7efdf")
    box, font = f"0 0 {width} {bottom + 40}", "sans-serif"
    return tag("svg", paper, *chart.parts, xmlns="http://www.w3.org/2000/svg", viewBox=box, font_family=font) + "\n"
