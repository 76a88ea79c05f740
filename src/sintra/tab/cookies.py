"""The cookies of the one browser there is: pages get no `Set-Cookie` from a worker, so they are kept beside the
table."""

from __future__ import annotations

from collections.abc import Iterable
from http.cookies import SimpleCookie
from typing import NamedTuple


class Cookie(NamedTuple):
    """A cookie for the paths below one."""

    path: str
    name: str
    value: str


class CookieJar:
    """Cookies by their paths and names."""

    def __init__(self, cookies: Iterable[Cookie] = ()) -> None:
        self._values = {(one.path, one.name): one.value for one in cookies}

    @property
    def cookies(self) -> list[Cookie]:
        """All of them."""
        return [Cookie(path, name, value) for (path, name), value in self._values.items()]

    def header_for(self, path: str) -> str:
        """The header `Cookie` of a request; empty without any."""
        fitting = [(name, value) for (below, name), value in self._values.items() if _is_below(path, below)]
        return "; ".join(f"{name}={value}" for name, value in fitting)

    def add(self, cookies: Iterable[Cookie]) -> None:
        """Keeps more cookies."""
        self._values.update({(one.path, one.name): one.value for one in cookies})

    def take(self, header: str) -> None:
        """Keeps what a header `Set-Cookie` says, or forgets a cookie that it deletes."""
        for name, morsel in SimpleCookie(header).items():
            path = morsel["path"] or "/"
            if morsel["max-age"] == "0":
                self._values.pop((path, name), None)
            else:
                self._values[path, name] = morsel.value


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/")
