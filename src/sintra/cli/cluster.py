"""The option that has long work done on a cluster."""

from __future__ import annotations

import argparse


def add_cluster(command: argparse.ArgumentParser) -> None:
    """Adds the option to a command that has `--jobs`."""
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Ray cluster (needs pip install 'sintra[cluster]'): its address, like 10.0.0.5:6379, or auto "
        "for the one that runs on this machine; by default as many games at once as it has processors",
    )


def jobs_of(options: argparse.Namespace, usual: int) -> int | None:
    """How many jobs are done at once: as the options say, or so many; None leaves it to a cluster."""
    if options.jobs is not None:
        return max(1, int(options.jobs))
    return None if options.cluster else usual
