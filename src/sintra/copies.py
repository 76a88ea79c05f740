"""Files that came with the work: where a job is done on another machine, their names lead to copies."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir
from typing import TypeVar

N = TypeVar("N", str, str | None)

_copies: dict[str, str] = {}


def copy_of(name: N) -> N:
    """Where what a name stands for is to be read: the copy of a file that came along, or what was named."""
    return name if name is None else _copies.get(name, name)


def unpack(files: Mapping[str, bytes]) -> None:
    """Keeps files that came along for this process, by the names that they have where they come from."""
    for name, content in files.items():
        if name not in _copies:
            _copies[name] = str(_kept(content))


def _kept(content: bytes) -> Path:
    """A file with this content; a machine has it once."""
    folder = Path(gettempdir()) / f"sintra-{os.getuid() if hasattr(os, 'getuid') else 'copies'}"
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / blake2b(content, digest_size=16).hexdigest()
    if not path.is_file() or path.read_bytes() != content:
        with NamedTemporaryFile(dir=folder, delete=False) as part:
            part.write(content)
        Path(part.name).replace(path)
    return path
