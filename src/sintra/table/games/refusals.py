"""Refusals of requests: each has a status, a stable code, for which the page has texts, and a message in English."""

from __future__ import annotations

from sintra.errors import Fault


class RefusalError(Exception):
    """A request is refused, and nothing was changed. `faults` say what is wrong with a text in it."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        seq: int | None = None,
        retry_after: int | None = None,
        faults: tuple[Fault, ...] = (),
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.seq = seq
        self.retry_after = retry_after
        self.faults = faults


def no_game() -> RefusalError:
    """Refuses a game that is not there, or that the asker may not see: nobody can tell which."""
    return RefusalError(404, "no_game", "There is no such game, or you have no seat in it: open it by its link.")


def link_used() -> RefusalError:
    """Refuses an invitation that somebody else has used."""
    return RefusalError(410, "link_used", "This invitation has been used: it is for one person, once.")


def seat_taken() -> RefusalError:
    """Refuses a guest after another one who came by the same invitation sat down."""
    return RefusalError(410, "seat_taken", "Somebody else took this seat before you: an invitation is for one person.")


def cancelled(status: int, seq: int | None = None) -> RefusalError:
    """Refuses a game whose maker has withdrawn the invitation."""
    return RefusalError(status, "cancelled", "The invitation was withdrawn before the game began.", seq=seq)


def stale(seq: int) -> RefusalError:
    """Refuses an act whose sender has not seen the latest event."""
    return RefusalError(409, "stale", f"The game has moved on to event {seq}: look at it again.", seq=seq)


def no_review_yet() -> RefusalError:
    """Refuses the review of a game that goes on, to everybody."""
    return RefusalError(409, "no_review_yet", "A game can be reviewed once it is over.")


def no_review() -> RefusalError:
    """Refuses a review that is not there."""
    return RefusalError(404, "no_review_here", "There is no such review: ask for it again.")


def spectator() -> RefusalError:
    """Refuses an act of a spectator."""
    return RefusalError(403, "spectator", "Spectators can only watch.")


def no_database() -> RefusalError:
    """Refuses a request because the database fails; an act has an id and can be repeated."""
    return RefusalError(503, "failed", "The database cannot be used right now: try again soon.", retry_after=5)


def closing() -> RefusalError:
    """Refuses a request because the service is shutting down."""
    return RefusalError(503, "stopping", "The table is closing: try again soon.", retry_after=2)
