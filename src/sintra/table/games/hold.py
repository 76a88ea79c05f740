"""An SQLite file belongs to one service: a second one would not hear what happens at the first."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final

from sintra.table.games.storage import StorageError

_ENDING: Final = "-service"
"""Beside the database: a file that the service keeps locked, with its address in it."""
_LONGEST: Final = 1000

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        """Behind what is written: who is refused can still read that."""
        os.lseek(file, 2 * _LONGEST, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(file: int) -> None:
        """For this process alone, not for those that it starts."""
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class ServedAlreadyError(StorageError):
    """A file that another service has; `address` is where its table is, if it has said so yet."""

    def __init__(self, database: str, address: str) -> None:
        who = f"the table at {address}" if address else "another service"
        super().__init__(
            f"cannot use the database {database}: {who} uses it already, and an SQLite file belongs to one service; "
            f"stop that one, or choose another file (--database)"
        )
        self.address = address


class Hold:
    """What a service has on its file. It ends with its process, however that ends."""

    def __init__(self, database: str, address: str) -> None:
        self._database = database
        self._address = address
        self._path = f"{os.path.realpath(database)}{_ENDING}"
        self._file: int | None = None

    def take(self) -> None:
        """Raises ServedAlreadyError if another service has it. Where nothing can be locked, nobody is refused."""
        while self._file is None:
            try:
                file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                return
            try:
                _lock(file)
            except (BlockingIOError, PermissionError):
                address = os.read(file, _LONGEST).decode(errors="replace")
                os.close(file)
                raise ServedAlreadyError(self._database, address) from None
            except OSError:
                os.close(file)
                return
            if self._is_there(file):
                self._file = file
            else:
                os.close(file)
        os.ftruncate(self._file, 0)
        os.write(self._file, self._address.encode())

    def _is_there(self, file: int) -> bool:
        """Whether a file is still the one that others will find; who had it before may just have removed it."""
        try:
            return os.path.samestat(os.fstat(file), os.stat(self._path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Lets the next one have it, and leaves nothing behind. While somebody has a file open, Windows keeps it."""
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            os.unlink(self._path)
        os.close(self._file)
        self._file = None
