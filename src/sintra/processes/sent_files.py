"""In a cluster task: maps the paths that a job names to local copies of the files sent with it.

Everywhere else `local_copy` returns the path unchanged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from typing import TypeVar

N = TypeVar("N", str, str | None)

_copies: dict[str, str] = {}


def local_copy(name: N) -> N:
    """The path of the local copy of a file that was sent along, or the name itself."""
    return name if name is None else _copies.get(name, name)


def unpack_files(files: Mapping[str, bytes]) -> None:
    """Writes sent files to local copies, and remembers them by their original names for this process."""
    for name, content in files.items():
        if name not in _copies:
            _copies[name] = str(_stored(content))


def _stored(content: bytes) -> Path:
    """A file with this content, stored once on a machine."""
    folder = Path(gettempdir()) / f"sintra-{os.getuid() if hasattr(os, 'getuid') else 'copies'}"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / blake2b(content, digest_size=16).hexdigest()
    if not path.is_file() or path.read_bytes() != content:
        with NamedTemporaryFile(dir=folder, delete=False) as part:
            part.write(content)
        Path(part.name).replace(path)
    return path
