"""Moves as a page finds them: in the options that it was sent, and nowhere else."""

from __future__ import annotations

from random import Random

from sintra.table.shown.messages import Options


def a_token(options: Options, dice: Random) -> str:
    """Any move that the options allow; tiles are placed rather than not."""
    tokens = [one.token for one in options.chips]
    for take in options.takes:
        order = dice.randrange(len(take.orders) or 1)
        tokens += [to.tokens[order] for to in take.to]
    for laying in options.layings:
        tokens += [dice.choice(turnings).token for turnings in laying.slots.values()]
    tokens += [one.token for one in (options.draw, options.look) if one]
    tokens += [one.token for one in options.returns]
    tokens += [one.token for one in options.placements]
    tokens += [one.token for one in options.payments]
    tokens += [options.end.token] if options.end and not options.placements else []
    return dice.choice(tokens)
