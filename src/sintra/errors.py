"""What can go wrong, as types: each error says what was wrong and what would be right."""

from __future__ import annotations

from collections.abc import Iterable

from sintra.faults import Fault


class SintraError(ValueError):
    """Something a caller gave us cannot be used; nothing was changed.

    It is made of a text, or of faults and other errors from the outside in. `faults` says all of it in codes, for those
    who have their own words; there are none where a part of it is only text."""

    faults: tuple[Fault, ...] = ()

    def __init__(self, *said: str | Fault | SintraError) -> None:
        super().__init__(_joined(said))
        self.faults = _faults_of(said)


def _joined(said: Iterable[str | Fault | SintraError]) -> str:
    return ": ".join(filter(None, map(str, said)))


def _faults_of(said: Iterable[str | Fault | SintraError]) -> tuple[Fault, ...]:
    faults: list[Fault] = []
    for one in said:
        more = (one,) if isinstance(one, Fault) else one.faults if isinstance(one, SintraError) else ()
        if not more:
            return ()
        faults += more
    return tuple(faults)


class NotationError(SintraError):
    """A token that is not in the move notation."""


class IllegalMoveError(SintraError):
    """A well-written move that the rules do not allow here; `rule` is the rule's number."""

    def __init__(self, reason: str | SintraError, rule: str) -> None:
        super().__init__(reason)
        self.reason = str(reason)
        self.rule = rule
        self.args = (self.reason, rule)

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})"


class RulesError(SintraError):
    """A rule option or a set of goals that does not exist."""


class PositionError(SintraError):
    """A position text that cannot be read, or describes no possible table."""


class RecordError(SintraError):
    """A damaged game record: `line` of the file and `ply` of the game, where they are known."""

    def __init__(
        self,
        *said: str | Fault | SintraError,
        source: str | None = None,
        line: int | None = None,
        ply: int | None = None,
    ) -> None:
        self.reason = _joined(said)
        self.source = source
        self.line = line
        self.ply = ply
        places: list[Fault] = []
        if line is not None:
            places.append(Fault("at_line", line=line))
        if ply is not None:
            places.append(Fault("at_ply", count=ply) if ply else Fault("at_start"))
        where = ", ".join([*([source] if source else []), *map(str, places)])
        super().__init__(_joined([where, self.reason]))
        self._said = said
        self.faults = (*places, *found) if (found := _faults_of(said)) else ()

    def placed(self, *, source: str | None, line: int | None, ply: int | None = None) -> RecordError:
        """This error with the place of the record in a file."""
        return RecordError(*self._said, source=source, line=line, ply=ply)
