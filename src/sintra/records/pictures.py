"""Pictures of a record: the position at each ply with the move made there, and the course of the game."""

from __future__ import annotations

from collections.abc import Iterator

from sintra.drawing.image import SvgPicture
from sintra.drawing.plot import Course
from sintra.errors import RecordError
from sintra.game.game import Game
from sintra.records.record import Record
from sintra.rules.state import Source
from sintra.tabletop.moves import Move


def replay_pictures(
    record: Record,
    first: int = 0,
    last: int | None = None,
    *,
    observer: int | None = None,
    board: int | None = None,
    theme: str = "dark",
) -> Iterator[SvgPicture]:
    """The positions from one ply to another, each with the move that was made there, and the last one without; as an
    observer may know them (R8), or one board alone. The pictures of an animation."""
    end = len(record.moves) if last is None else last
    if not 0 <= first <= end <= len(record.moves):
        raise RecordError(f"plies {first} to {end} cannot be shown: the record has plies 0 to {len(record.moves)}")
    title = " \N{EN DASH} ".join(record.names)
    for game in record.positions():
        if game.ply == end:
            yield picture_of(record.replay(last), observer=observer, board=board, title=title, theme=theme)
            return
        if game.ply >= first:
            move = record.moves[game.ply]
            yield picture_of(game, move, observer=observer, board=board, title=title, theme=theme)


def picture_of(
    game: Game,
    move: str | None = None,
    *,
    observer: int | None = None,
    board: int | None = None,
    title: str | None = None,
    theme: str = "dark",
) -> SvgPicture:
    """A position and a move that can be made there, as an observer may know them, or of one board alone."""
    table = game if observer is None else game.view(observer)
    shown = None if move is None else Move.parse(move)
    if shown is not None and observer is not None:
        shown = game.legal_moves.require(shown).seen_by(observer, game.turn)
    if board is None:
        return table.svg(title=title, move=shown, theme=theme)
    return table.board_svg(board, title=title, move=shown, theme=theme)


def course_of(record: Record, ply: int | None = None) -> Course:
    """The scores round by round and where the points came from, up to a ply or of the whole game."""
    rounds: list[tuple[int, int]] = []
    end = record.replay(ply)
    begun = 1
    for game in record.positions():
        if game.round > begun:
            rounds.append(game.scores)
            begun = game.round
        if game.ply == end.ply:
            break
    first, second = end.points_by_source
    word = "now"
    if end.result is not None:
        word = end.result.reason or "goals"
        if not end.result.reason:
            rounds.append((end.scores[0] - first[Source.GOALS], end.scores[1] - second[Source.GOALS]))
    return Course(record.names, tuple(rounds), end.scores, word, (first, second))
