"""The review of a game: its result as a sum of what decisions did and what chance did.

For every move, with V for seat 0's chance to win as seen by whoever is to move:

- *skill* is V after the move that was made less V after the best one, each the mean over worlds that fit the mover's
  view: over what chance could then show, and over what the other seat alone may have seen (R8). The same view and move
  have the same skill, whatever is hidden;
- *luck* is V after what chance did show less that mean;
- *noise* is what is left of the change of V: nothing came to light, but the second look saw something that the first
  had not seen, or the other seat, whose look it is, has seen more.

V after one move is V before the next, so these add up to the result less the chance at the start.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, Literal, Self

import msgspec
from msgspec import Struct

from sintra.components import ROUNDS
from sintra.errors import Fault, SintraError
from sintra.game.game import Game
from sintra.players.thinking.prospects import Foresight
from sintra.records.record import Record
from sintra.records.steps import run_to_completion
from sintra.review.accuracy import accuracy_of
from sintra.review.forms import SMALL, Sentence
from sintra.review.judging import Judge, ReviewBudget
from sintra.review.looks import look_at_move
from sintra.review.reasons import Reason, ReasonKind, weightiest
from sintra.review.sentences import Teller
from sintra.review.strength import Strength, strength_of
from sintra.review.worlds import mean_chance, redealt, revealed_anything, sample_outcomes
from sintra.tabletop.moves import Move, TakeTiles

FORMAT: Final = "sintra-review/1"
"""What the JSON of a review says of itself."""
LuckSource = Literal["tiles", "chips", "plates"]
"""What chance decides: the tiles of a round, the chips that are turned up, the plates that come to light."""
LUCK_SOURCES: Final[tuple[LuckSource, ...]] = ("tiles", "chips", "plates")
"""All sources of luck, in the order in which they are told."""
DEEPER_LOOK_COST: Final = 0.03
"""A move that seems to cost so much of a win is looked at more deeply."""
INACCURACY_COST: Final = 0.05
"""A move that does cost so much of a win is blamed, with reasons."""

REASON_SIMS: Final = 600
"""The simulations of the look that says why, unless even the deeper looks have fewer."""


class BestMove(Struct, frozen=True):
    """One of the best moves of a position."""

    move: str
    """The move in the notation."""
    chance: float
    """The mover's chance to win after it."""
    lead: float
    """The points by which the mover is expected to be ahead in the end."""


class TurnReview(Struct, frozen=True):
    """One decision, and what it and chance then did to seat 0's chance to win."""

    ply: int
    """How many moves were made before."""
    round: int
    """The round, from 1."""
    seat: int
    """The seat that moved."""
    move: str
    """The move in the notation."""
    chance: float
    """Seat 0's chance to win before the move."""
    lead: float
    """The points by which seat 0 was expected to be ahead in the end."""
    best: tuple[BestMove, ...]
    """The best moves of the position, the very best first."""
    cost: float
    """The share of a win that the mover gave away, never below 0."""
    skill: float
    """What the decision did to seat 0's chance."""
    luck: dict[LuckSource, float]
    """What chance did to it, by kind."""
    noise: float
    """What is left of the change: the evaluator changed its mind."""
    choices: int = 0
    """How many moves were legal; 0 in reviews that do not say it."""
    reasons: tuple[Reason, ...] = ()
    """Why the best move is better, if this one is blamed: in points."""
    why: tuple[Sentence, ...] = ()
    """The reasons in sentences."""


class GameReview(Struct, frozen=True):
    """The review of a whole game. `to_dict` and `from_dict` are its JSON."""

    players: tuple[str, ...]
    """The names of the players, by seat."""
    start: float
    """Seat 0's chance to win before the first move."""
    result: float
    """1 if seat 0 won, else 0."""
    ending: float
    """What an early end (resigned, or out of time) did to seat 0's chance."""
    turns: tuple[TurnReview, ...]
    """The decisions in the order of the game."""

    @property
    def skill(self) -> tuple[float, float]:
        """What each seat's decisions did to seat 0's chance."""
        first, second = (sum(turn.skill for turn in self.turns if turn.seat == seat) for seat in range(2))
        return first, second

    @property
    def luck(self) -> dict[LuckSource, float]:
        """What chance did to seat 0's chance, by kind."""
        return {kind: sum(turn.luck.get(kind, 0.0) for turn in self.turns) for kind in LUCK_SOURCES}

    @property
    def noise(self) -> float:
        """What the evaluator's changes of mind did to seat 0's chance."""
        return sum(turn.noise for turn in self.turns)

    def costs(self, seat: int) -> list[float]:
        """What a seat's real decisions cost, one by one."""
        return [turn.cost for turn in self.turns if turn.seat == seat and turn.choices != 1]

    def error_rate(self, seat: int) -> float:
        """The mean cost of a seat's real decisions: how much of a win it gives away with each."""
        costs = self.costs(seat)
        return sum(costs) / len(costs) if costs else 0.0

    def accuracy(self, seat: int) -> float:
        """How close a seat's real decisions came to the best ones, from 0 to 100 (`review/accuracy.py`)."""
        return accuracy_of(
            [turn.chance for turn in self.turns] + [self.result],
            [(turn.ply, turn.cost) for turn in self.turns if turn.seat == seat and turn.choices != 1],
        )

    def strength(self, seat: int) -> Strength:
        """Where such an error rate is on the ladder of levels, if the budget was the usual one."""
        return strength_of(self.error_rate(seat), len(self.costs(seat)))

    def lost_by_round(self, seat: int) -> list[float]:
        """How much of a win a seat gave away in each round."""
        return [
            sum(turn.cost for turn in self.turns if (turn.seat, turn.round) == (seat, k + 1)) for k in range(ROUNDS)
        ]

    def lost_by_source(self, seat: int) -> dict[ReasonKind, float]:
        """What better moves would have brought, in points, over all turns of a seat that are blamed; what weighs most
        comes first."""
        found: dict[ReasonKind, float] = {}
        for turn in self.turns:
            for reason in turn.reasons if turn.seat == seat else ():
                found[reason.kind] = found.get(reason.kind, 0.0) + reason.points
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def to_dict(self) -> dict[str, Any]:
        """Returns the review as a JSON object."""
        return {
            "format": FORMAT,
            "players": list(self.players),
            "start": self.start,
            "result": self.result,
            "skill": list(self.skill),
            "luck": self.luck,
            "noise": self.noise,
            "ending": self.ending,
            "accuracy": [self.accuracy(seat) for seat in range(2)],
            "error_rate": [self.error_rate(seat) for seat in range(2)],
            "strength": [self.strength(seat).to_dict() for seat in range(2)],
            "lost": [{"rounds": self.lost_by_round(seat), "sources": self.lost_by_source(seat)} for seat in range(2)],
            "turns": msgspec.to_builtins(self.turns),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The review that `to_dict` made a JSON object of; raises `SintraError` for anything else."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise SintraError(f"this is no review: it should be what `sintra review --format json` writes ({FORMAT})")
        try:
            return msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise SintraError(f"the review is damaged: {error}") from None


def review(
    record: Record, budget: ReviewBudget | None = None, on_share: Callable[[float], None] | None = None
) -> GameReview:
    """Reviews a finished game; `on_share` is called now and then with the share that is done."""
    return run_to_completion(review_steps(record, budget, on_share))


def review_steps(
    record: Record, budget: ReviewBudget | None = None, on_share: Callable[[float], None] | None = None
) -> Generator[None, None, GameReview]:
    """Like `review`, but as a generator: yields after each move and returns the review."""
    if record.is_view:
        raise SintraError("a view of a game cannot be reviewed: what was hidden is missing")
    end = record.replay()
    if end.result is None:
        raise SintraError("only a finished game can be reviewed: this one goes on")
    if end.awaits_deal:
        raise SintraError(Fault("not_dealt"))
    reviewer = Reviewer(budget or ReviewBudget())
    turns: list[TurnReview] = []
    games = record.positions()
    before = next(games).copy()
    start = value = reviewer.judge.chance(before)
    for ply, game in enumerate(games):
        real = game.copy()
        turn = reviewer.turn(ply, before, Move.parse(record.moves[ply]), real)
        turns.append(turn)
        value = reviewer.judge.chance(real)
        before = real
        if on_share:
            on_share((ply + 1) / len(record.moves))
        yield
    result = float(end.result.winner == 0)
    return GameReview(record.players, start, result, result - value, tuple(turns))


class Reviewer:
    """Judges moves, with two looks: a plain one at everything and a deeper one at what seems bad."""

    def __init__(self, budget: ReviewBudget) -> None:
        self._budget = budget
        self.judge = Judge(budget.sims)
        self._deep = Judge(budget.deep_factor * budget.sims)
        self._foresight = Foresight(min(REASON_SIMS, budget.deep_factor * budget.sims))
        self._teller = Teller()

    def turn(self, ply: int, before: Game, move: Move, real: Game) -> TurnReview:
        """What a move did between two positions of a game."""
        sign = 1.0 if before.turn == 0 else -1.0
        best = self.judge.best(before)
        change = self.judge.chance(real) - self.judge.chance(before)
        luck, expected = self._luck(before, move, real)
        skill = self._skill(before, move, expected, sign)
        cost = max(0.0, -sign * skill)
        reasons, why = self._reasons(before, best[0].move, move) if cost >= INACCURACY_COST else ((), ())
        return TurnReview(
            ply=ply,
            round=before.round,
            seat=before.turn,
            move=str(move),
            chance=self.judge.chance(before),
            lead=self.judge.lead(before),
            best=tuple(BestMove(str(one.move), one.win, one.lead) for one in best),
            cost=cost,
            skill=skill,
            luck=luck,
            noise=change - skill - sum(luck.values()),
            choices=len(before.legal_moves),
            reasons=reasons,
            why=why,
        )

    def cost(self, before: Game, move: Move) -> float:
        """The share of a win that a move gives away, whatever came of it. All moves are judged over `budget.worlds`
        worlds, whereas the first look of `turn` at a move that ends a round is over `budget.deals`: the two costs of
        such a move can differ a little."""
        sign = 1.0 if before.turn == 0 else -1.0
        return max(0.0, -sign * self._skill(before, move, self._expected(self.judge, before, move), sign))

    def _reasons(self, before: Game, better: Move, played: Move) -> tuple[tuple[Reason, ...], tuple[Sentence, ...]]:
        """Why another move would have been better, as far as its player could know: in points, and in sentences."""
        view = before.view(before.turn)
        one, two = (look_at_move(view, move, self._foresight) for move in (better, played))
        explained = self._teller.explain(view, one, [two])
        return weightiest(explained.compared, explained.reasons), explained.told or (SMALL,)

    def _luck(self, before: Game, move: Move, real: Game) -> tuple[dict[LuckSource, float], float]:
        """What chance did after a move, by kind, and the mean chance to win over what it could have done."""
        value = self.judge.chance(real)
        is_deal = real.round != before.round
        found = sample_outcomes(before, move, self._budget.deals if is_deal else self._budget.worlds)
        expected = mean_chance(self.judge, found)
        if not revealed_anything(before, real, found):
            return {}, expected
        if not is_deal:
            kind: LuckSource = "chips" if isinstance(move, TakeTiles) else "plates"
            return {kind: value - expected}, expected
        same_plates = mean_chance(self.judge, redealt(before, move, self._budget.deals))
        return {"tiles": value - same_plates, "plates": same_plates - expected}, expected

    def _skill(self, before: Game, move: Move, expected: float, sign: float) -> float:
        """What a move did: 0 unless another is the first choice and better on a second look, too, and, where that
        seems to matter, on a deeper one."""
        best = self.judge.best(before)[0].move
        if best == move or len(before.legal_moves) == 1:
            return 0.0
        better = self._expected(self.judge, before, best)
        if sign * (better - expected) < DEEPER_LOOK_COST:
            return sign * min(0.0, sign * (expected - better))
        played, better = (self._expected(self._deep, before, one) for one in (move, best))
        return sign * min(0.0, sign * (played - better))

    def _expected(self, judge: Judge, before: Game, move: Move) -> float:
        """Seat 0's chance to win after a move, over all that its player cannot know."""
        return mean_chance(judge, sample_outcomes(before, move, self._budget.worlds))
