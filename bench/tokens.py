"""Moves as a page builds them: from the options that it was sent, and from nothing else."""

from __future__ import annotations

from random import Random

from sintra.table.shown.messages import Options


def a_token(options: Options, dice: Random) -> str:
    """Any move that the options allow; tiles are placed rather than not."""
    tokens = [f"C{factory}" for factory in options.chips]
    for take in options.takes:
        order = f":{dice.choice(take.orders).order}" if take.orders else ""
        tokens += [to.token + order for to in take.to]
    for laying in options.layings:
        tokens += [f"{laying.token}{slot}r{dice.randrange(4)}" for slot in laying.slots]
    tokens += ["D"] if options.draw else []
    tokens += ["H"] if options.look else []
    tokens += [f"<{plate.plate}" for plate in options.returns]
    tokens += [one.token for one in options.placements]
    tokens += [one.token for one in options.payments]
    tokens += [options.end.token] if options.end and not options.placements else []
    return dice.choice(tokens)
