"""Ports for those who cannot be asked which one they have found."""

from __future__ import annotations

import itertools
import os
import socket
from typing import Final

_FIRST: Final = 20_000
_COUNT: Final = 10_000
"""None of those that a system gives to whoever asks for any, or for a connection to somewhere."""
_EACH: Final = 64
"""As many has each process of tests for itself, before it comes to those of another."""
_places: Final = itertools.count(os.getpid() * _EACH)


def free_ports(count: int = 1) -> int:
    """The first of some ports in a row on which nobody listens, nor will anybody but who is given them."""
    while True:
        ports = [_FIRST + next(_places) % _COUNT for _ in range(count)]
        if ports[-1] - ports[0] == count - 1 and all(map(_is_free, ports)):
            return ports[0]


def _is_free(port: int) -> bool:
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True
