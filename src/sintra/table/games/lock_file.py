"""The lock file beside an SQLite database, which belongs to one service: a second one would not learn what happens at
the first."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final

from sintra.table.games.storage import StorageError

_SUFFIX: Final = "-service"
"""What follows the name of the database in that of its lock file."""
_MAX_ADDRESS: Final = 1000
"""Bytes of the address that are read from a lock file."""

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        """Locks a byte behind the address, which others can still read."""
        os.lseek(file, 2 * _MAX_ADDRESS, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(file: int) -> None:
        """Locks the file for this process alone, not for those that it starts."""
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class AlreadyRunningError(StorageError):
    """Another service uses the database; `address` is where its table is, if it has written that yet."""

    def __init__(self, database: str, address: str) -> None:
        who = f"the table at {address}" if address else "another service"
        super().__init__(
            f"cannot use the database {database}: {who} uses it already, and an SQLite file belongs to one service; "
            f"stop that one, or choose another file (--database)"
        )
        self.address = address


class LockFile:
    """The lock of a service on its database, with the service's address in it. It ends with the process, however that
    ends."""

    def __init__(self, database: str, address: str) -> None:
        self._database = database
        self._address = address
        self._path = f"{os.path.realpath(database)}{_SUFFIX}"
        self._file: int | None = None

    def take(self) -> None:
        """Takes the lock; AlreadyRunningError if another service has it. Where files cannot be locked, nobody is
        refused."""
        while self._file is None:
            try:
                file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                return
            try:
                _lock(file)
            except (BlockingIOError, PermissionError):
                address = os.read(file, _MAX_ADDRESS).decode(errors="replace")
                os.close(file)
                raise AlreadyRunningError(self._database, address) from None
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
        """Whether an open file is still the one at its path, and was not removed just before it was locked."""
        try:
            return os.path.samestat(os.fstat(file), os.stat(self._path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Gives the lock up and removes the file; Windows keeps a file that somebody else has open."""
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            os.unlink(self._path)
        os.close(self._file)
        self._file = None
