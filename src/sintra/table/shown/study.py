"""A study: a line of moves from a position, a record or a new deal, and what is shown at its end.

Nothing of it is kept. The seat to move is shown its view, as at the table; chance follows from the start and the
moves, so that the same line always brings the same pieces.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import nullcontext
from typing import Final

from sintra.errors import Fault, SintraError
from sintra.game.game import Game, View
from sintra.game.seeds import derive
from sintra.position.text import Text
from sintra.records.record import Record
from sintra.rules.state import Stage, States, states_of
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import TILING, goes_on
from sintra.table.shown import messages
from sintra.table.shown.forecasts import without_forecasts
from sintra.table.shown.game import advice_shown, people_shown, rules_shown, without_guesses
from sintra.table.shown.made_move import RoundPast
from sintra.table.shown.options import options_of
from sintra.table.shown.position import position_of, position_text, result_of
from sintra.table.shown.story import story_of
from sintra.tabletop.moves import Move

_HIDDEN: Final = ("stack", "chips")
"""What a position text may leave unknown."""


class StudyLine:
    """Moves from a start, with all states on the way; they are looked at through views only. `start` is the ply
    from which the asker's own moves go on, and `names` are those of the players, if a record tells them."""

    def __init__(self, game: Game, names: tuple[str, str] = ("", "")) -> None:
        self.game = game
        self.names = names
        self.start = 0
        self._states = [game.states.tobytes()]
        self._movers: list[int] = []
        self._rounds, self._tilings, self._turns = [0], [0], [0]

    @property
    def ply(self) -> int:
        """The number of moves made."""
        return len(self._movers)

    @property
    def studied(self) -> list[States]:
        """The states of the asker's own line."""
        return [states_of(state) for state in self._states[self.start :]]

    @property
    def tiled(self) -> list[States]:
        """The states since the latest tiling began."""
        return [states_of(state) for state in self._states[self._tilings[-1] :]]

    def note(self) -> None:
        """Notes the state after one more move of the game."""
        before = states_of(self._states[-1])
        mover = int(before["turn"][0])
        self._states.append(self.game.states.tobytes())
        self._movers.append(mover)
        begins_round = before["round_no"][0] != self.game.round
        stage = Stage(before["stage"][0])
        begins_tiling = self.game.stage in TILING and stage not in TILING
        self._rounds.append(self.ply if begins_round else self._rounds[-1])
        self._tilings.append(self.ply if begins_tiling else self._tilings[-1])
        self._turns.append(self._turns[-1] if goes_on(mover, stage, self.game) else self.ply)

    def event(self, ply: int, observer: int) -> messages.Event:
        """The move that led to a ply, 1 or more, as an observer may know it."""
        mover = self._movers[ply - 1]
        before, after = self._view(ply - 1, observer), self._view(ply, observer)
        move = self.game.moves[ply - 1].seen_by(observer, mover)
        ends_round = after.round != before.round or after.stage is Stage.OVER
        since = (self._rounds[ply - 1], self._tilings[ply - 1])
        past = RoundPast(*(self._view(one, observer) for one in since)) if ends_round else None
        story = story_of(before, after, move, mover, past)
        return messages.Event(
            seq=ply,
            kind="move",
            telling=story.telling,
            at="",
            ply=ply,
            turn=self._turns[ply - 1] + 1,
            round=before.round,
            seat=mover,
            token=str(move),
            steps=story.steps,
            summary=story.summary,
        )

    def _view(self, ply: int, observer: int) -> View:
        return View.of_state(states_of(self._states[ply]), 0, observer)


def following(asked: messages.AskStudy) -> Generator[None, None, StudyLine]:
    """Follows the line that is asked for, move by move; refuses what cannot be read or played."""
    if bool(asked.position) + bool(asked.record) + (asked.seed is not None) != 1:
        raise RefusalError(422, "bad_study", "A study begins with a position, with a record, or with a seed.")
    if asked.record:
        line = yield from _replaying(asked)
    else:
        line = StudyLine(_placed(asked.position) if asked.position else Game.new(seed=asked.seed))
    line.start = line.ply
    game, key = line.game, line.game.position_key
    for number, token in enumerate(asked.moves, start=1):
        try:
            move = Move.parse(token)
            game.reseed(derive("study", key, *asked.moves[: number - 1]))
            game.push(move)
        except SintraError as error:
            wrong = SintraError(Fault("at_move", number=number, move=token), error)
            raise RefusalError(422, "bad_move", str(wrong), faults=wrong.faults) from None
        line.note()
        yield
    if game.awaits_deal:
        game.reseed(derive("study", key, *asked.moves))
    return line


def _replaying(asked: messages.AskStudy) -> Generator[None, None, StudyLine]:
    """Replays the moves of the record so far."""
    try:
        record = Record.loads(asked.record)
        if asked.ply > len(record.moves):
            raise SintraError(Fault("no_ply", ply=asked.ply, most=len(record.moves)))
        line = None
        for game in record.positions():
            if line is None:
                line = StudyLine(game, record.players)
            else:
                line.note()
            if line.ply == asked.ply:
                break
            yield
    except SintraError as error:
        raise RefusalError(422, "bad_record", str(error), faults=error.faults) from None
    assert line is not None, "a record has a beginning"
    return line


def _placed(text: str) -> Game:
    """The game at a position; what the text leaves unknown is dealt as the seat to move thinks possible."""
    try:
        game = Game.from_position(text)
        given = [key in Text(text).values for key in _HIDDEN]
        if not all(given):
            states, dealt = game.states, game.view(game.turn).sample_states(derive("study", game.position_key))
            knows_stack, knows_chips = given
            if knows_chips:
                dealt["chip_order"] = states["chip_order"]
            elif knows_stack:
                states["chip_order"] = dealt["chip_order"]
            game = Game.from_state(states if knows_stack else dealt)
        if game.awaits_deal:
            game.reseed(derive("study", game.position_key))
    except SintraError as error:
        raise RefusalError(422, "bad_position", str(error), faults=error.faults) from None
    return game


def showing(line: StudyLine, log: bool = False, plain: bool = False) -> Generator[None, None, messages.StudyShown]:
    """What the seat to move is shown at the end of a line, with its whole log if that is asked for, and without
    forecasts if those are unwanted: all of it is built from views of that seat."""
    game = line.game
    view = game.view(game.turn)
    with without_forecasts() if plain else nullcontext():
        position = position_of(view)
    yield
    with without_forecasts() if plain else nullcontext():
        options = None if view.is_over else options_of(view)
    yield
    events = []
    for ply in range(1 if log else max(line.ply, 1), line.ply + 1):
        events.append(line.event(ply, view.seat))
        yield
    shown = messages.GameShown(
        game="",
        seq=line.ply,
        ply=line.ply,
        status="over" if view.is_over else "playing",
        mode="screen",
        you=[0, 1],
        players=people_shown(line.names),
        rules=rules_shown(view.rules),
        deal_known=True,
        position=position,
        options=options,
        event=events[-1] if events else None,
        log=events if log else None,
        result=result_of(view) if view.is_over else None,
    )
    yield
    return messages.StudyShown(shown, position_text(view))


def advising(
    view: View, sims: int, exact: bool, found: Sequence[tuple[str, float, float, Sequence[str]]]
) -> Generator[None, None, messages.StudyAdvice]:
    """Advice in the reader's words, with what is expected to follow as far as it can be told from the view."""
    moves = []
    for token, win, lead, follow in found:
        advice = advice_shown(view, token, win, lead)
        yield
        moves.append(messages.StudyMove(advice, (yield from _expecting(view, token, follow))))
    return messages.StudyAdvice(sims, exact, moves)


def _expecting(view: View, token: str, follow: Sequence[str]) -> Generator[None, None, list[messages.LineMove]]:
    table = view.sample(0)
    table.push(token)
    return (yield from line_told(table, view.seat, follow))


def line_told(table: Game, seat: int, tokens: Sequence[str]) -> Generator[None, None, list[messages.LineMove]]:
    """Makes moves at a table that fits what a seat sees, as far as they can be made there, and tells them to it."""
    told: list[messages.LineMove] = []
    for token in tokens:
        mover, before = table.turn, table.view(seat)
        try:
            table.push(token)
        except SintraError:
            break
        move = table.moves[-1]
        story = story_of(before, table.view(seat), move, mover)
        told.append(messages.LineMove(mover, str(move.seen_by(seat, mover)), without_guesses(story.telling)))
        yield
    return told
