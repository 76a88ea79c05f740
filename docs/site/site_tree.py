"""The sources of the site, laid out as in the repository, so that a link between pages leads to the same place here as
there.

The README becomes the front page, `docs/` stays as it is, each example and the licence become a page. Only links to
those few files that have another name as a page are changed.
"""

from __future__ import annotations

import posixpath
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from example_pages import example_pages, index_page

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent.parent
_LINK: Final = re.compile(r"(?<=\]\()(?![a-z]+:)[^)\s#]+")


def lay_out(tree: Path) -> None:
    """Writes the sources of the site into a new folder: its pages, and the files that they link to."""
    examples = example_pages(ROOT / "examples")
    renamed = {"README.md": "index.md", "LICENSE": "LICENSE.md", "examples/README.md": "examples/index.md"}
    renamed |= {f"examples/{page.title}": f"examples/{page.name}.md" for page in examples}

    def write(name: str, text: str) -> None:
        folder = posixpath.dirname(name)
        _place(tree, name).write_text(repointed(text, folder, renamed), "utf-8")
        bring_files(text, folder)

    def bring_files(text: str, folder: str) -> None:
        for file in linked(text, folder):
            if file not in renamed and not file.endswith(".md") and (ROOT / file).is_file():
                shutil.copyfile(ROOT / file, _place(tree, file))

    write("index.md", _read("README.md") + (HERE / "contents.md").read_text("utf-8"))
    write("LICENSE.md", f"# Licence\n\n```text\n{_read('LICENSE')}```\n")
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        write(name, _read(name))
    for path in sorted((ROOT / "docs").rglob("*.md")):
        if HERE not in path.parents:
            name = path.relative_to(ROOT).as_posix()
            write(name, _read(name))
    shutil.copytree(HERE / "reference", tree / "reference")
    write("examples/index.md", index_page(_read("examples/README.md"), examples))
    for page in examples:
        _place(tree, f"examples/{page.name}.md").write_text(page.text, "utf-8")  # it links to the file that it shows
        shutil.copyfile(ROOT / "examples" / page.title, tree / "examples" / page.title)
        bring_files(page.text, "examples")
        for picture, drawn in page.pictures.items():
            (tree / "examples" / picture).write_bytes(drawn)


def linked(text: str, folder: str) -> list[str]:
    """The files that a page in a folder links to or shows, by their paths in the repository."""
    return [posixpath.normpath(posixpath.join(folder, link)) for link in _LINK.findall(text)]


def repointed(text: str, folder: str, renamed: Mapping[str, str]) -> str:
    """The text of a page in a folder, with links to files that are pages of another name on the site."""

    def target(link: re.Match[str]) -> str:
        page = renamed.get(posixpath.normpath(posixpath.join(folder, link[0])))
        return link[0] if page is None else posixpath.relpath(page, folder or ".")

    return _LINK.sub(target, text)


def _read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def _place(tree: Path, name: str) -> Path:
    """A file of the tree whose folder is there."""
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
