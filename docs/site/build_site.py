"""Builds the documentation site: `python docs/site/build_site.py build/site`. `make docs` does so."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from site_tree import HERE, lay_out


def build(site: Path) -> int:
    """Writes the site into a folder, which is emptied first; a warning is a fault, and all of them are told."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # the reference shows functions as they are written
    from sphinx.cmd.build import main as sphinx

    with tempfile.TemporaryDirectory(prefix="sintra-site-") as folder:
        tree, work = Path(folder) / "tree", Path(folder) / "work"
        lay_out(tree)
        if site.exists():
            shutil.rmtree(site)
        options = ["-b", "html", "-c", str(HERE), "-d", str(work), "--quiet", "--fail-on-warning", "--keep-going"]
        return sphinx([*options, str(tree), str(site)])


def main() -> int:
    """Builds the site in the folder that is named."""
    if len(sys.argv) != 2:
        print("usage: python docs/site/build_site.py FOLDER", file=sys.stderr)
        return 2
    site = Path(sys.argv[1])
    failed = build(site)
    if not failed:
        print(f"The site is in {site}: open {site / 'index.html'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
