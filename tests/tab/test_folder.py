"""The folder of the table in a tab: made anew each time, and nothing else is touched."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tab_folder
from tab_folder import SIZES, is_tab, put_in_place

ROOT = Path(tab_folder.__file__).parents[1]


def made(folder: Path) -> None:
    (folder / "py").mkdir(parents=True)
    for name in ("sw.js", f"py/{SIZES}"):
        (folder / name).write_text("{}", "utf-8")


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_an_earlier_build_left_goes(tmp_path: Path) -> None:
    folder = tmp_path / "site" / "tab"
    put_in_place(folder, made)
    (folder / "py" / "packages.zip.br").touch()
    assert is_tab(folder)
    put_in_place(folder, made)
    assert names(folder) == {"sw.js", f"py/{SIZES}"}
    assert names(tmp_path) == {f"site/tab/{name}" for name in names(folder)}


def test_a_build_that_fails_leaves_what_there_was(tmp_path: Path) -> None:
    folder = tmp_path / "tab"
    put_in_place(folder, made)

    def fail(new: Path) -> None:
        made(new)
        raise OSError("no room")

    (folder / "kept").touch()
    with pytest.raises(OSError, match="no room"):
        put_in_place(folder, fail)
    assert names(tmp_path) == {"tab/sw.js", f"tab/py/{SIZES}", "tab/kept"}


def test_a_folder_of_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine", "utf-8")
    command = [sys.executable, tab_folder.__file__, str(tmp_path)]
    told = subprocess.run(command, check=False, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert told.returncode == 2
    assert "holds other files: name a new folder" in told.stderr
    assert names(tmp_path) == {"letter.txt"}


def test_the_command_of_make_imports_all_it_needs() -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    (command,) = [line.strip() for line in lines if "release/tab_folder.py" in line]
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    told = subprocess.run(
        f"{command.replace('$(PY)', sys.executable)} --help",
        shell=True,
        check=False,
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert "static folder" in told.stdout
