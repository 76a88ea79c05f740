"""The browser's page: files built into `page/` next to this module, with caching and compression."""

from __future__ import annotations

import asyncio
import gzip
import mimetypes
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import Response

FOLDER: Final = Path(__file__).parents[1] / "page"
_MISSING: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sintra</title>
<h1>The table's page is not built</h1>
<p>The service runs, but the page for the browser is missing. In a checkout of Sintra, run <code>make play</code>
(or <code>pip install .</code>, which builds it too) and reload.</p>
<p>The service itself can be used: see <a href="/api/openapi.json">its description</a>.</p>
</html>
"""
_MAX_PATH_LENGTH: Final = 200
"""Letters of the longest path that is looked up among the files."""
_MAX_DEPTH: Final = 4
"""The folders of the deepest path that is looked up among the files."""
_COMPRESSIBLE: Final = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
_TYPES: Final = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
    ".html": "text/html",
    ".json": "application/json",
}


@dataclass(frozen=True, slots=True)
class _File:
    """A file, with its compressed forms."""

    changed: float
    kind: str
    tag: str
    bodies: dict[str, bytes]


class Pages:
    """Serves the page's files; every path that is no file is the page itself, which finds its own way."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder.resolve()
        self._files: dict[Path, _File] = {}
        self._reading = asyncio.Lock()

    async def answer(self, path: str, headers: Headers) -> Response | None:
        """The file of a path, or the page; None for a file that is not there."""
        name = path.lstrip("/")
        file = await self._read(name) if name else None
        if file is not None and name != "index.html":
            lasting = name.startswith("assets/")
            return _response(file, headers, "public, max-age=31536000, immutable" if lasting else "no-cache")
        if name.startswith("assets/") or ("." in name.rpartition("/")[2] and name != "index.html"):
            return None
        index = await self._read("index.html")
        if index is None:
            return Response(_MISSING, media_type="text/html", headers={"cache-control": "no-cache"})
        return _response(index, headers, "no-cache")

    async def _read(self, name: str) -> _File | None:
        """A file as it is on disk now; a new or changed one is read and compressed in another thread."""
        if "\0" in name or "\\" in name or len(name) > _MAX_PATH_LENGTH or name.count("/") > _MAX_DEPTH:
            return None
        path = (self._folder / name).resolve()
        if not path.is_relative_to(self._folder) or path.suffix in (".gz", ".br"):
            return None
        try:
            if not path.is_file():
                return None
            changed = path.stat().st_mtime
            async with self._reading:
                known = self._files.get(path)
                if known is None or known.changed != changed:
                    known = self._files[path] = await asyncio.to_thread(_load, path, changed)
        except OSError:
            return None
        return known


def _load(path: Path, changed: float) -> _File:
    body = path.read_bytes()
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    bodies = {"": body}
    for way, suffix in (("br", ".br"), ("gzip", ".gz")):
        beside = path.with_name(path.name + suffix)
        if beside.is_file():
            bodies[way] = beside.read_bytes()
    if "gzip" not in bodies and kind.startswith(_COMPRESSIBLE) and len(body) > 500:
        bodies["gzip"] = gzip.compress(body, 9, mtime=0)
    return _File(changed, kind, sha256(body).hexdigest()[:20], bodies)


def _response(file: _File, headers: Headers, caching: str) -> Response:
    accepted = {part.partition(";")[0].strip() for part in headers.get("accept-encoding", "").split(",")}
    way = next((way for way in ("br", "gzip") if way in accepted and way in file.bodies), "")
    tag = f'"{file.tag}{"-" + way if way else ""}"'
    told = {"cache-control": caching, "etag": tag, "vary": "accept-encoding"}
    if headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=told)
    if way:
        told["content-encoding"] = way
    return Response(file.bodies[way], media_type=file.kind, headers=told)
