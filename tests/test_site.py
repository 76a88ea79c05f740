"""The documentation site: it is built without a warning, its links lead somewhere, and nothing public is missing."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
import zlib
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

import pytest

import sintra
from example_pages import example_pages, index_page
from sintra import Stage, arena, players, protocol, puzzles, review
from site_extension import is_borrowed, mark_code, plain_signature
from site_links import faults
from site_tree import linked, repointed

ROOT: Final = Path(__file__).parent.parent
ENVIRONMENTS: Final = {f"sintra.envs.{name}" for name in ("gymnasium", "openspiel", "pettingzoo")}


@pytest.mark.long
def test_the_site_is_whole(tmp_path: Path) -> None:
    site = tmp_path / "site"
    builder = [sys.executable, str(ROOT / "docs" / "site" / "build_site.py"), str(site)]
    built = subprocess.run(builder, capture_output=True, text=True, check=False, cwd=ROOT)
    assert built.returncode == 0, built.stderr
    assert faults(site) == []
    pages = {path.relative_to(site).with_suffix("").as_posix() for path in site.rglob("*.html")}
    assert {"index", "CONTRIBUTING", "CHANGELOG", "LICENSE"} <= pages
    assert {f"docs/{path.stem}" for path in (ROOT / "docs").glob("*.md")} <= pages
    assert {f"examples/{page.name}" for page in example_pages(ROOT / "examples")} <= pages
    assert public_names() | ENVIRONMENTS <= names_in(site / "objects.inv")


def public_names() -> set[str]:
    """All that `sintra` shows, and the classes and functions that other packages show."""
    further_in = {
        f"{package.__name__}.{name}"
        for package in (arena, players, protocol, puzzles, review)
        for name in package.__all__
        if inspect.isclass(getattr(package, name)) or inspect.isfunction(getattr(package, name))
    }
    return {f"sintra.{name}" for name in sintra.__all__} | further_in - {"sintra.players.player"}


def names_in(inventory: Path) -> set[str]:
    """The names that the reference describes."""
    packed = inventory.read_bytes().split(b"\n", 4)[4]
    lines = zlib.decompress(packed).decode().splitlines()
    return {line.split()[0] for line in lines if line.split()[1].startswith("py:")}


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        ('<a href="other.html">', None),
        ('<a href="other.html#place">', None),
        ('<p id="here"><a href="#here">', None),
        ('<a href="https://example.org/">', None),
        ('<img src="data:image/png;base64,AAAA">', None),
        ('<a href="folder/">', None),
        ('<a href="gone.html">', "page.html leads to gone.html, which is not there"),
        ('<a href="../outside.html">', "page.html leads to ../outside.html, which is not there"),
        ('<img src="gone.png">', "page.html leads to gone.png, which is not there"),
        ('<a href="other.html#gone">', "page.html leads to other.html#gone, and there is no such place on that page"),
        ('<a href="#gone">', "page.html leads to #gone, and there is no such place on that page"),
        ('<script src="https://example.org/x.js">', "page.html fetches https://example.org/x.js"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "page.html fetches //example.org/x.css"),
        ('<style>p { background: url("gone.png") }</style>', "page.html leads to gone.png, which is not there"),
    ],
)
def test_broken_links_are_found(tmp_path: Path, page: str, fault: str | None) -> None:
    site = tmp_path / "site"
    (site / "folder").mkdir(parents=True)
    (tmp_path / "outside.html").write_text("")
    (site / "folder" / "index.html").write_text("")
    (site / "other.html").write_text('<h2 id="place">')
    (site / "page.html").write_text(page)
    assert faults(site) == ([] if fault is None else [fault])


def test_broken_links_of_style_sheets_are_found(tmp_path: Path) -> None:
    (tmp_path / "there.png").write_text("")
    style = '@import "https://example.org/fonts.css"; a { background: url(there.png) } b { background: url(gone.png) }'
    (tmp_path / "look.css").write_text(style)
    assert faults(tmp_path) == [
        "look.css fetches https://example.org/fonts.css",
        "look.css leads to gone.png, which is not there",
    ]


def test_links_lead_to_the_page_that_a_file_becomes() -> None:
    pages = {"README.md": "index.md", "examples/agent.py": "examples/agent.md"}
    text = "[a](../README.md), [b](../examples/agent.py), [c](rules.md#r1), [d](https://example.org/README.md)"
    wanted = "[a](../index.md), [b](../examples/agent.md), [c](rules.md#r1), [d](https://example.org/README.md)"
    assert repointed(text, "docs", pages) == wanted
    assert repointed("[a](README.md#two)", "", pages) == "[a](index.md#two)"


def test_files_that_pages_link_to_are_known() -> None:
    text = "![a](images/a.svg), [b](../examples/data/b.npz), [c](https://example.org/c.svg), [d](#place)"
    assert linked(text, "docs") == ["docs/images/a.svg", "examples/data/b.npz"]


def test_an_example_is_shown_with_its_words_its_source_and_its_output(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text('"""An agent. It plays.\n\ndocs/library.md has more.\n"""\n\nprint("```")\n')
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "agent.txt").write_text("```\n")
    (tmp_path / "helper.py").write_text("print(1)\n")
    (page,) = example_pages(tmp_path)
    words, _, rest = page.text.partition("## Source\n")
    assert words.strip() == "# agent.py\n\nAn agent. It plays.\n\n[docs/library.md](../docs/library.md) has more."
    source, _, output = rest.partition("## Output\n")
    assert '````python\nprint("```")\n````' in source
    assert "````text\n```\n````" in output
    assert index_page("[an agent](agent.py)", [page]).endswith("\nagent\n```\n")
    with pytest.raises(ValueError, match=r"lacks agent\.py"):
        index_page("[another](other.py)", [page])


def test_a_notebook_is_shown_with_its_outputs(tmp_path: Path) -> None:
    def code(source: str, *outputs: dict[str, Any]) -> dict[str, Any]:
        return {"cell_type": "code", "source": [source], "outputs": list(outputs)}

    png = {"image/png": b64encode(b"pixels").decode(), "text/plain": "<Image>"}
    cells = [
        {"cell_type": "markdown", "source": ["# A notebook\n", "\n", "It shows a game. And more."]},
        code("game", {"output_type": "execute_result", "data": {"image/svg+xml": ["<svg/>"], "text/plain": ["game"]}}),
        code("print(1)", {"output_type": "stream", "text": ["1\n"]}),
        code("image", {"output_type": "display_data", "data": png}),
        code("len(game)", {"output_type": "execute_result", "data": {"text/plain": "7"}}),
        code(" "),
    ]
    (tmp_path / "notebook.ipynb").write_text(json.dumps({"cells": cells}))
    (page,) = example_pages(tmp_path)
    assert page.pictures == {"notebook-1.svg": b"<svg/>", "notebook-2.png": b"pixels"}
    shown = [part.strip() for part in page.text.split("\n\n") if part.strip()]
    assert shown == [
        "# A notebook",
        "It shows a game. And more.",
        "```python\ngame\n```",
        "![Output of the cell above](notebook-1.svg)",
        "```python\nprint(1)\n```",
        "```text\n1\n```",
        "```python\nimage\n```",
        "![Output of the cell above](notebook-2.png)",
        "```python\nlen(game)\n```",
        "```text\n7\n```",
        "[The notebook](notebook.ipynb)",
    ]


def test_a_program_and_a_notebook_cannot_have_one_page(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text('"""An agent."""\n')
    (tmp_path / "agent.ipynb").write_text(json.dumps({"cells": []}))
    with pytest.raises(ValueError, match="rename either"):
        example_pages(tmp_path)


def test_indented_blocks_of_docstrings_are_code() -> None:
    lines = "Words.\n\n    x = 1\n\n    y = 2\n\nMore.\n\n    sintra arena greedy\n\n* one\n\n    of a list".split("\n")
    mark_code(lines)
    marked = "Words.\n\n.. code-block:: python\n\n    x = 1\n\n    y = 2\n\nMore.\n\n.. code-block:: text\n\n"
    assert "\n".join(lines) == marked + "    sintra arena greedy\n\n* one\n\n    of a list"


def test_examples_in_docstrings_stay_as_they_are() -> None:
    lines = ["Words.", "", "    >>> 1 + 1", "    2"]
    mark_code(lines)
    assert lines == ["Words.", "", "    >>> 1 + 1", "    2"]


def test_signatures_show_what_can_be_written() -> None:
    given = "(tell=<built-in function print>, show=<function Run.<lambda>>, points=<factory>)"
    assert plain_signature(sintra.Preview, given) == "(tell=print, show=..., points=...)"
    assert plain_signature(Stage, "(value)") == ""
    assert plain_signature(players.Player, "(*args, **kwargs)") == ""


def test_a_docstring_of_another_is_none() -> None:
    assert is_borrowed(inspect.getdoc(int) or "", 2)
    assert is_borrowed("Alias for field number 0", None)
    assert not is_borrowed("How many numbers an observation has.", 2387)
