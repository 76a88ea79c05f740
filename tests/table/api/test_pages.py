"""The files of the page."""

from __future__ import annotations

from pathlib import Path

from sintra.table.http.pages import Pages
from table.local_table import LocalTable


def test_page_files(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html>" + "page " * 200)
    (tmp_path / "assets" / "app-1a2b.js").write_text("let a = 1;\n" * 200)
    (tmp_path / "assets" / "app-1a2b.js.br").write_bytes(b"brotli")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path.parent / "secret.txt").write_text("secret")
    with LocalTable(pages=Pages(tmp_path)) as local:
        ann = local.person()
        for path in ("/", "/game/abcdefghijkl", "/rules", "/index.html"):
            answer = ann.ask("GET", path)
            assert answer.text.startswith("<!doctype html>page")
            assert answer.headers["cache-control"] == "no-cache"
            assert answer.headers["content-encoding"] == "gzip"
        tag = answer.headers["etag"]
        assert ann.ask("GET", "/", headers={"if-none-match": tag}).status_code == 304
        script = ann.ask("GET", "/assets/app-1a2b.js", headers={"accept-encoding": "gzip"})
        assert "immutable" in script.headers["cache-control"]
        assert script.headers["content-type"].startswith("text/javascript")
        assert script.text.startswith("let a")
        plain = ann.ask("GET", "/assets/app-1a2b.js", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert ann.ask("GET", "/icon.svg").headers["content-type"].startswith("image/svg+xml")
        for path in (
            "/assets/none.js",
            "/none.png",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/app-1a2b.js.br",
            "/a%00b.js",
        ):
            assert ann.ask("GET", path).status_code == 404, path


def test_missing_page_says_how_to_build_it(tmp_path: Path) -> None:
    with LocalTable(pages=Pages(tmp_path)) as local:
        assert "is not built" in local.person().ask("GET", "/").text
