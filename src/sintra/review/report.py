"""A review for people: as text for a terminal, and as a page with the graph of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Final, Literal, NamedTuple

from sintra.components import Color
from sintra.drawing.chart import Chart
from sintra.drawing.glyphs import clean, tag
from sintra.records.record import Record
from sintra.review.forms import in_english
from sintra.review.reasons import Reason, ReasonKind
from sintra.review.reviewing import INACCURACY_COST, LUCK_SOURCES, GameReview, TurnReview


class Mark(NamedTuple):
    """What a turn is called that gives something away, and the symbol for it."""

    word: Literal["inaccuracy", "mistake", "blunder"]
    symbol: str


MARKS: Final = {0.15: Mark("blunder", "??"), 0.10: Mark("mistake", "?"), INACCURACY_COST: Mark("inaccuracy", "?!")}
"""The marks by the share of a win that is given away at least, the largest first."""
REASONS: Final[dict[ReasonKind, str]] = {
    "placement": "tiles placed this round",
    "specials": "special tiles this round",
    "goals": "goals",
    "broken": "broken tiles",
    "start_tile": "penalty of the start tile",
    "draws": "cost of drawing plates",
    "lines": "lines and tiles for later rounds",
    "opens": "a space for the {color} tiles of line {line}",
    "columns": "columns for later rounds",
    "special_plates": "special tiles in later rounds",
    "goal": "the goal {goal}",
    "chips": "bonus chips kept",
    "starts": "starting the next round",
    "their_points": "taken from the opponent this round",
    "their_penalties": "penalties for the opponent",
    "their_chips": "bonus chips that the opponent does not get",
    "their_later": "taken from the opponent's later rounds",
}
"""What points are for, by the kind of a reason."""
LOSSES: Final[dict[ReasonKind, str]] = {
    "their_points": "left to the opponent this round",
    "their_penalties": "penalties spared the opponent",
    "their_chips": "bonus chips that the opponent gets",
    "their_later": "left to the opponent for later rounds",
}
"""What points are lost for, where that is worded differently."""
SOURCES: Final[dict[ReasonKind, str]] = REASONS | {
    "goal": "goals in later rounds",
    "opens": "spaces for lines that wait",
}
"""What points are for over a whole game."""
COMPLETES: Final = " ({color} completes line {line})"
"""Words for a move that itself completes the line whose tile is placed."""
MINUS: Final = "\N{MINUS SIGN}"
APOSTROPHE: Final = "\N{RIGHT SINGLE QUOTATION MARK}"
_WIDTH, _HEIGHT = 840, 260
_INK: Final = "#12304f"
_SAND: Final = "#d9c9a8"
_STYLE: Final = f"""
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: {_INK}; background: #f7efdf; }}
table {{ border-collapse: collapse; margin: 1rem 0; }}
th, td {{ text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid {_SAND}; }}
td.num, th.num {{ text-align: right; font-variant-numeric: tabular-nums; }}
svg {{ width: 100%; height: auto; }}
"""


def mark_of(turn: TurnReview) -> Mark | None:
    """The mark of a turn that costs much; None for one that needs no mark."""
    return next((mark for least, mark in MARKS.items() if turn.cost >= least), None)


def marked(review: GameReview) -> list[tuple[TurnReview, Mark]]:
    """The turns that cost something, in the order of the game."""
    return [(turn, mark) for turn in review.turns if (mark := mark_of(turn))]


def told(turn: TurnReview) -> str:
    """Why the best move of a turn is better, in sentences."""
    return " ".join(map(in_english, turn.why))


def in_words(reasons: Sequence[Reason]) -> str:
    """Reasons as one line: points that the better move brings more, seen by its player, and what for."""
    return "; ".join(f"{_points(reason.points)} {_for_what(reason)}" for reason in reasons)


def _for_what(reason: Reason) -> str:
    color = str(Color.from_letter(reason.color)) if reason.color else ""
    words = (REASONS | LOSSES if reason.points < 0 else REASONS)[reason.kind]
    if reason.kind == "placement" and reason.line:
        words += COMPLETES
    return words.format(goal=reason.goal, color=color, line=reason.line)


def as_text(review: GameReview, record: Record) -> str:
    """The whole review, in lines."""
    return "\n".join(_lines(review, record))


def _lines(review: GameReview, record: Record) -> Iterator[str]:
    names = record.names
    yield f"{_headline(record)}"
    yield ""
    yield f"{names[0]}'s chance to win:"
    for words, value in _account(review, names):
        yield f"  {words:34}{value:>8}"
    yield ""
    yield "Accuracy, from 0 to 100: " + ", ".join(
        f"{name} {review.accuracy(seat):.0f}" for seat, name in enumerate(names)
    )
    yield "Given away with each decision: " + ", ".join(
        f"{name} {_percent(review.error_rate(seat), 2)}" for seat, name in enumerate(names)
    )
    found = [review.strength(seat) for seat in range(2)]
    yield "Plays, by this game, like (95 %): " + ", ".join(
        f"{name} {one.elo:.0f} ({one.low:.0f} to {one.high:.0f})" for name, one in zip(names, found, strict=True)
    )
    for seat, name in enumerate(names):
        rounds = review.lost_by_round(seat)
        if sum(rounds) >= INACCURACY_COST:
            by_round = ", ".join(_percent(lost) for lost in rounds)
            yield f"Of a win {name} gave away, round by round: {by_round}"
        sources = [
            f"{_points(points)} {SOURCES[kind]}" for kind, points in review.lost_by_source(seat).items() if points >= 1
        ]
        if sources:
            yield f"Better moves would have brought {name}, in points: {'; '.join(sources)}"
    blamed = marked(review)
    if not blamed:
        yield f"No turn gave away as much as {_percent(INACCURACY_COST)} of a win."
        return
    yield ""
    yield "Turns that gave something away (chance to win of who moved):"
    for turn, mark in blamed:
        before = turn.best[0].chance
        yield (
            f"  ply {turn.ply:3}, round {turn.round}, {names[turn.seat]}: {turn.move:10} {mark.word:10} "
            f"{_percent(before)} {MINUS} {_percent(turn.cost)}   better: {turn.best[0].move}"
        )
        if turn.why:
            yield f"           {told(turn)}"
        if turn.reasons:
            yield f"           {in_words(turn.reasons)}"


def as_html(review: GameReview, record: Record) -> str:
    """A page of its own, with nothing to load."""
    account = "".join(
        f'<tr><td>{escape(words)}</td><td class="num">{value}</td></tr>'
        for words, value in _account(review, record.names)
    )
    names = [escape(name) for name in record.names]
    turns = "".join(
        f"<tr><td>{turn.round}</td><td>{turn.ply}</td><td>{names[turn.seat]}</td><td>{escape(turn.move)}</td>"
        f"<td>{mark.word}</td><td class='num'>{_percent(turn.cost)}</td>"
        f"<td>{escape(turn.best[0].move)}</td><td>{escape(told(turn))} {escape(in_words(turn.reasons))}</td></tr>"
        for turn, mark in marked(review)
    )
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{escape(_headline(record))}</title><style>{_STYLE}</style>"
        f"<h1>{escape(_headline(record))}</h1>{graph(review, record)}"
        f"<h2>{names[0]}{APOSTROPHE}s chance to win</h2><table>{account}</table>"
        f"<h2>Turns that gave something away</h2><table><tr><th>round<th>ply<th>player<th>move<th>verdict"
        f"<th class='num'>cost<th>better<th>why, and what it brings more in points</tr>{turns}</table></html>\n"
    )


def graph(review: GameReview, record: Record) -> str:
    """The chance of seat 0 to win over the game as a picture (SVG); symbols stand where a turn was bad."""
    steps = max(len(review.turns), 1)
    chart = Chart((46, _WIDTH - 10), (18, _HEIGHT - 30), (0, steps), (0, 1), ink=_INK, grid=_SAND, size=12)
    for chance in (0.0, 0.5, 1.0):
        chart.row(chance, _percent(chance))
    for last, turn in pairwise(review.turns):
        if turn.round != last.round:
            chart.column(turn.ply, stroke_dasharray="3 4")
            chart.words(chart.x(turn.ply) + 4, _HEIGHT - 10, f"round {turn.round}", 12, _INK)
    points = [*((turn.ply, turn.chance) for turn in review.turns), (steps, review.result)]
    chart.curve(points, "#1d6fb8", 2, stroke_linejoin="round")
    for turn, mark in marked(review):
        tip = tag("title", clean(f"{record.names[turn.seat]}: {turn.move}, {mark.word}"))
        x, y = chart.x(turn.ply), chart.y(turn.chance) - 6
        style: dict[str, str] = {"text_anchor": "middle", "font_weight": "bold", "fill": "#b3261e"}
        chart.parts.append(tag("text", mark.symbol, tip, x=x, y=y, font_size=12, **style))
    return tag(
        "svg",
        tag("title", clean(f"{record.names[0]}{APOSTROPHE}s chance to win, ply by ply")),
        *chart.parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
        role="img",
        font_family="sans-serif",
    )


def _account(review: GameReview, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The parts that add up to the result, in words."""
    yield "at the start", _percent(review.start)
    for name, skill in zip(names, review.skill, strict=True):
        yield f"decisions of {name}", _signed(skill)
    for kind in LUCK_SOURCES:
        yield f"luck with {kind}", _signed(review.luck[kind])
    yield "what a closer look changed", _signed(review.noise)
    if review.ending:
        yield "given up, or out of time", _signed(review.ending)
    yield "at the end", _percent(review.result)


def _headline(record: Record) -> str:
    names = record.names
    scores = record.result.scores if record.result else record.replay().scores
    return f"{names[0]} {scores[0]} : {scores[1]} {names[1]}"


def _percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"


def _signed(share: float) -> str:
    """A part of a sum, in percentage points."""
    return _points(100 * share)


def _points(number: float) -> str:
    """A difference with its sign."""
    rounded = round(number, 1)
    return f"{MINUS if rounded < 0 else '+'}{abs(rounded):.1f}"
