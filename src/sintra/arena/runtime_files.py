"""Players that are to play on a cluster: what they need there, and who cannot go."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from sintra.cluster.connection import ClusterError
from sintra.cluster.tasks import RuntimeFiles
from sintra.players import entries
from sintra.players.search import NO_FILES
from sintra.protocol.asking import is_engine


def runtime_files_for(players: Iterable[str], files: Iterable[str] = ()) -> RuntimeFiles:
    """What the players of these names need on another machine, and some files besides. Programs stay here, and so do
    players that only the main program of this process knows."""
    known = {entry.name: entry for entry in entries()}
    packed, modules = list(files), dict[str, None]()
    for name in players:
        if is_engine(name):
            raise ClusterError(
                f"{name} is a program on this machine, which a cluster cannot start: leave out --cluster"
            )
        kind, _, parameters = name.partition(":")
        entry = known[kind]
        module = entry.make.__module__
        if module.startswith("__"):
            raise ClusterError(
                f"the player {entry.name} is registered by the program itself, which a cluster does not have: "
                "register it in a module that its machines can import, or leave out --cluster"
            )
        if module.split(".")[0] != "sintra":
            modules[module] = None
        else:
            told = (part.partition("=") for part in parameters.split(","))
            packed += [value for key, _, value in told if key in NO_FILES and value != NO_FILES[key]]
    try:
        contents = {name: Path(name).read_bytes() for name in packed}
    except OSError as error:
        raise ClusterError(f"cannot read {error.filename}: {error.strerror}") from None
    return RuntimeFiles(contents, tuple(modules))
