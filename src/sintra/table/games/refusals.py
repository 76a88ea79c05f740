"""Why a request is not done: a status, a stable code for the page's catalogue, and plain English."""

from __future__ import annotations

from sintra.faults import Fault


class RefusalError(Exception):
    """A request that is refused; nothing was changed. `faults` say what is wrong with a text that was given."""

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
    """One answer for a game that is not there and for one that the asker may not see."""
    return RefusalError(404, "no_game", "There is no such game, or you have no seat in it: open it by its link.")


def link_used() -> RefusalError:
    """An invitation is for one person."""
    return RefusalError(410, "link_used", "This invitation has been used: it is for one person, once.")


def seat_taken() -> RefusalError:
    """Two came by an invitation, and the other one sat down first."""
    return RefusalError(410, "seat_taken", "Somebody else took this seat before you: an invitation is for one person.")


def cancelled(status: int, seq: int | None = None) -> RefusalError:
    """The one who made the game has given it up before it began."""
    return RefusalError(status, "cancelled", "The invitation was withdrawn before the game began.", seq=seq)


def stale(seq: int) -> RefusalError:
    """The asker has not seen the latest event."""
    return RefusalError(409, "stale", f"The game has moved on to event {seq}: look at it again.", seq=seq)


def no_review_yet() -> RefusalError:
    """While a game goes on, nothing of a review is shown to anybody."""
    return RefusalError(409, "no_review_yet", "A game can be reviewed once it is over.")


def no_review() -> RefusalError:
    """There is no review of that name."""
    return RefusalError(404, "no_review_here", "There is no such review: ask for it again.")


def spectator() -> RefusalError:
    """Only players act."""
    return RefusalError(403, "spectator", "Spectators can only watch.")


def no_database() -> RefusalError:
    """The database fails; an act that names itself can be repeated."""
    return RefusalError(503, "failed", "The database cannot be used right now: try again soon.", retry_after=5)


def closing() -> RefusalError:
    """The service is about to end."""
    return RefusalError(503, "stopping", "The table is closing: try again soon.", retry_after=2)
