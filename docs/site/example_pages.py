"""Examples as pages: what they say of themselves, their source, and what they print."""

from __future__ import annotations

import ast
import base64
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

OUTPUTS: Final = "output"
"""The folder beside the examples with what each of them prints, as `NAME.txt`."""


@dataclass(frozen=True, slots=True)
class ExamplePage:
    """An example as a page in Markdown, with the pictures on it."""

    name: str
    """Of the page's file, without a suffix."""
    title: str
    text: str
    pictures: dict[str, bytes] = field(default_factory=dict)


def example_pages(folder: Path) -> list[ExamplePage]:
    """The pages of a folder of examples: notebooks, and programs that say at their top what they show."""
    programs = (program_page(path) for path in sorted(folder.glob("*.py")))
    notebooks = (notebook_page(path) for path in sorted(folder.glob("*.ipynb")))
    pages = [page for page in (*programs, *notebooks) if page is not None]
    if len({page.name for page in pages}) < len(pages):
        raise ValueError(f"a program and a notebook in {folder} have one name, and so one page: rename either")
    return pages


def index_page(words: str, pages: Sequence[ExamplePage]) -> str:
    """The page that lists them, in the words of the folder's own list; a page that it lacks is a fault."""
    for page in pages:
        if f"({page.title})" not in words:
            raise ValueError(f"the list of examples lacks {page.title}")
    return "\n".join([words, "```{toctree}", ":hidden:", "", *(page.name for page in pages), "```", ""])


def program_page(path: Path) -> ExamplePage | None:
    """A program as a page, if it says at its top what it shows."""
    source = path.read_text("utf-8")
    module = ast.parse(source, path.name)
    said = ast.get_docstring(module)
    if said is None:
        return None
    code = "\n".join(source.splitlines()[module.body[0].end_lineno :])
    parts = [
        f"# {path.name}\n",
        f"{_linked(said)}\n",
        "## Source\n",
        fenced(code, "python"),
        f"[The file]({path.name})\n",
    ]
    printed = path.parent / OUTPUTS / f"{path.stem}.txt"
    if printed.exists():
        parts += ["## Output\n", fenced(printed.read_text("utf-8"), "text")]
    return ExamplePage(path.stem, path.name, "\n".join(parts))


def notebook_page(path: Path) -> ExamplePage:
    """A notebook as a page, with the outputs that are kept in it."""
    pictures: dict[str, bytes] = {}
    parts: list[str] = []
    for cell in json.loads(path.read_text("utf-8"))["cells"]:
        source = _joined(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(f"{source}\n")
        elif cell["cell_type"] == "code" and source.strip():
            parts.append(fenced(source, "python"))
            parts += [_output(output, path.stem, pictures) for output in cell["outputs"]]
    if not (parts and parts[0].startswith("# ")):
        parts.insert(0, f"# {path.name}\n")
    parts.append(f"[The notebook]({path.name})\n")
    return ExamplePage(path.stem, path.name, "\n".join(parts), pictures)


def _output(output: dict[str, Any], name: str, pictures: dict[str, bytes]) -> str:
    """One output of a cell: a picture, or text."""
    data = output.get("data", {})
    for kind, suffix in (("image/svg+xml", "svg"), ("image/png", "png")):
        if kind in data:
            drawn = _joined(data[kind])
            picture = f"{name}-{len(pictures) + 1}.{suffix}"
            pictures[picture] = drawn.encode() if suffix == "svg" else base64.b64decode(drawn)
            return f"![Output of the cell above]({picture})\n"
    text = _joined(output.get("text") or data.get("text/plain") or output.get("traceback") or "")
    return fenced(text, "text") if text.strip() else ""


def fenced(text: str, language: str) -> str:
    """Text as a block of code, whatever is in it."""
    fence = "`" * max(3, *(len(ticks) + 1 for ticks in re.findall("`+", text) or [""]))
    return f"{fence}{language}\n{text.strip(chr(10))}\n{fence}\n"


def _linked(text: str) -> str:
    """Words in which the names of pages lead to them."""
    return re.sub(r"(?<![`\w/.])docs/([\w-]+\.md)(?!`)", r"[docs/\1](../docs/\1)", text)


def _joined(text: str | Iterable[str]) -> str:
    """Text of a notebook, which can be one string or many."""
    return text if isinstance(text, str) else "".join(text)
