"""A plain static server, as anybody has one: it knows nothing of the page, and serves a folder below a path."""

from __future__ import annotations

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final, Self

BELOW: Final = "/some/folder"


class _Answers(SimpleHTTPRequestHandler):
    """Answers with the files of a folder that lies below a path."""

    protocol_version = "HTTP/1.1"

    def translate_path(self, path: str) -> str:
        """Where the file of a path is; nowhere, if it is not below the path."""
        return super().translate_path(path.removeprefix(BELOW) if path.startswith(f"{BELOW}/") else "/nothing/is/there")

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


class Folder:
    """A folder that is served until its network is cut."""

    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Answers, directory=str(folder)))
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}{BELOW}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.cut()

    def cut(self) -> None:
        """Nothing can be fetched any more."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()
