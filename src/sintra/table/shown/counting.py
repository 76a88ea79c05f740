"""The count of a round: what a tiling (R4) brings, move by move, and the best way from where it stands."""

from __future__ import annotations

from collections.abc import Generator

from sintra.components import SEATS
from sintra.game.game import Game
from sintra.rules.state import Source, States
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import TILING
from sintra.table.shown.forecasts import NOT_YET, forecasts_by_path
from sintra.table.shown.messages import CountedMove, CountedSeat, RoundCount
from sintra.table.shown.story import story_of
from sintra.table.shown.study import StudyLine
from sintra.tabletop.moves import EndTiling, Move, Pay, path_of


def counting(line: StudyLine) -> Generator[None, None, RoundCount]:
    """Counts the tilings of both players, step by step: the moves that were made, then the best ones that can
    follow."""
    game = line.game.copy()
    if game.stage not in TILING:
        raise RefusalError(422, "not_tiling", "A round is counted when all tiles and chips of the factories are taken.")
    if NOT_YET.is_set():
        raise RefusalError(503, "busy", "The computer has much to look into: try again.", retry_after=5)
    round_no = game.round
    counted: list[list[CountedMove]] = [[], []]
    states = line.tiled
    moves = game.moves[len(game.moves) - len(states) + 1 :]
    tally = states[0].get("tally")
    for move, before, after in zip(moves, states[:-1], states[1:], strict=True):
        counted[int(before.get("turn"))].append(_counted(move, before, after, is_made=True))
        yield
    while game.stage in TILING and game.round == round_no:
        before = game.states
        move = yield from _best(game)
        game.push(move)
        counted[int(before.get("turn"))].append(_counted(move, before, game.states, is_made=False))
        yield
    booked = [
        {source: later[source] - earlier[source] for source in Source}
        for earlier, later in zip(tally, game.states.get("tally"), strict=True)
    ]
    return RoundCount(
        round_no,
        [
            CountedSeat(
                moves=counted[seat],
                points=sum(booked[seat].values()) - booked[seat][Source.GOALS],
                goals=booked[seat][Source.GOALS],
                score=game.scores[seat],
            )
            for seat in range(SEATS)
        ],
    )


def _best(game: Game) -> Generator[None, None, Move]:
    """Finds the move that leads to the most points until the end of the round, of equal ones one that spends no chips.
    Each move is a step of its own, so that its forecast is never left out."""
    view = game.view(game.turn)
    states = view.states
    worth: dict[Move, tuple[int, bool]] = {}
    for move in view.legal_moves:
        [ahead] = forecasts_by_path(states, [path_of(move, states, 0)])
        after = Game.from_state(states)
        after.push(move)
        worth[move] = after.scores[game.turn] + (ahead or 0), not isinstance(move, Pay)
        yield
    return max(worth, key=worth.__getitem__)


def _counted(move: Move, before: States, after: States, *, is_made: bool) -> CountedMove:
    seat = int(before.get("turn"))
    tallies = before.get("tally")[seat], after.get("tally")[seat]
    booked = [later - earlier for earlier, later in zip(*tallies, strict=True)]
    views = [Game.from_state(states).view(seat) for states in (before, after)]
    is_end = isinstance(move, EndTiling)
    return CountedMove(
        token=str(move),
        telling=story_of(views[0], views[1], move, seat).telling,
        line=0 if is_end else getattr(move, "line", 0),
        placement=booked[Source.PLACEMENT],
        specials=booked[Source.SPECIALS],
        broken=booked[Source.BROKEN],
        start_tile=booked[Source.START_TILE],
        is_made=is_made,
    )
