"""Runs a notebook without Jupyter: `python tests/notebook.py examples/notebook.ipynb` stores what its cells show."""

from __future__ import annotations

import ast
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

Cell = dict[str, Any]
Output = dict[str, Any]


def code_cells(notebook: dict[str, Any]) -> list[Cell]:
    """The cells that can be run."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def lines_of(text: str) -> list[str]:
    """A text as notebooks keep it."""
    return text.splitlines(keepends=True)


def shown(value: Any) -> dict[str, list[str]]:
    """What a notebook shows of a value: as text, and as a picture if it has one."""
    picture = getattr(value, "_repr_svg_", None)
    text = f"<{type(value).__name__}>" if picture else repr(value)
    return {**({"image/svg+xml": lines_of(picture())} if picture else {}), "text/plain": lines_of(text)}


def run_cell(source: str, names: dict[str, Any], number: int) -> list[Output]:
    """Runs one cell; what it prints and the value of its last line are its outputs."""
    body = ast.parse(source)
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    outputs: list[Output] = []
    with redirect_stdout(printed):
        exec(compile(body, f"cell {number}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines_of(printed.getvalue())})
    if value is not None:
        outputs.append(
            {"data": shown(value), "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        )
    return outputs


@contextmanager
def at_home(path: Path) -> Iterator[None]:
    """Notebooks run in their own folder."""
    before = Path.cwd()
    os.chdir(path.parent)
    try:
        yield
    finally:
        os.chdir(before)


def run(path: Path) -> list[list[Output]]:
    """Runs all cells in their order; what each of them shows."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = code_cells(json.loads(path.read_text("utf-8")))
    with at_home(path):
        return [run_cell("".join(cell["source"]), names, number) for number, cell in enumerate(cells, start=1)]


def store(path: Path) -> None:
    """Puts what the cells show into the notebook."""
    notebook = json.loads(path.read_text("utf-8"))
    for number, (cell, outputs) in enumerate(zip(code_cells(notebook), run(path), strict=True), start=1):
        cell |= {"execution_count": number, "outputs": outputs}
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        store(Path(name).resolve())
