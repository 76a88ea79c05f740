"""What can go wrong, as types: each error says what was wrong and what would be right."""

from __future__ import annotations


class SintraError(ValueError):
    """Something a caller gave us cannot be used; nothing was changed."""


class NotationError(SintraError):
    """A token that is not in the move notation."""


class IllegalMoveError(SintraError):
    """A well-written move that the rules do not allow here; `rule` is the rule's number."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason, rule)
        self.reason = reason
        self.rule = rule

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})"


class RulesError(SintraError):
    """A rule option or a set of goals that does not exist."""


class PositionError(SintraError):
    """A position text that cannot be read, or describes no possible table."""


class RecordError(SintraError):
    """A damaged game record: `line` of the file and `ply` of the game, where they are known."""

    def __init__(
        self, reason: str, *, source: str | None = None, line: int | None = None, ply: int | None = None
    ) -> None:
        self.reason = reason
        self.source = source
        self.line = line
        self.ply = ply
        places = [source] if source else []
        if line is not None:
            places.append(f"line {line}")
        if ply is not None:
            places.append(f"ply {ply}")
        super().__init__(f"{', '.join(places)}: {reason}" if places else reason)
