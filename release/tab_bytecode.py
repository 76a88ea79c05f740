"""Archives of bytecode, made by the Python that is to run it: `tab_packages.mjs` calls this in Pyodide.

Docstrings are left out, which takes a third off; asserts stay.
"""

from __future__ import annotations

import ast
import importlib.util
import marshal
import sys
import zipfile
from collections.abc import Container, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

_UNCHECKED: Final = 1
"""The flag of bytecode that is used without a look at its source."""
_OLD: Final = (1980, 1, 1, 0, 0, 0)
_WITH_DOCSTRINGS: Final = ("sintra/table/shown/messages/", "sintra/table/http/", "pyodide/", "_pyodide/")
"""Modules that show their docstrings, and Pyodide's own."""
_LEFT_OUT: Final = ("anyio/_backends/_trio", "anyio/pytest_plugin", "segno/cli", "starlette/testclient")
"""Modules of packages that nobody imports here."""
_STDLIB_LEFT_OUT: Final = tuple(
    (
        "_pyio _pydatetime _pyrepl asyncio/proactor asyncio/windows bdb cProfile cmd code.py compileall doctest "
        "ensurepip ftplib http/cookiejar http/server idlelib imaplib lib2to3 logging/config logging/handlers "
        "mailbox modulefinder optparse pdb pickletools plistlib poplib profile pstats pyclbr pydoc pyodide/console "
        "smtplib socketserver tabnanny tkinter tomllib trace.py turtle unittest venv wave wsgiref xml/dom "
        "xml/etree xmlrpc zipapp"
    ).split()
)
"""Beginnings of the names of modules that nobody needs here."""
_ENCODINGS: Final = frozenset(
    "__init__ aliases ascii charmap cp437 idna latin_1 punycode raw_unicode_escape unicode_escape utf_8 utf_8_sig "
    "utf_16 utf_16_be utf_16_le utf_32 utf_32_be utf_32_le".split()
)


def pack_folder(folder: str, archive: str) -> None:
    """Packs a folder with packages."""
    root = Path(folder)
    files = [(one.relative_to(root).as_posix(), one.read_bytes()) for one in sorted(root.rglob("*")) if one.is_file()]
    _write(archive, [one for one in files if not one[0].startswith(_LEFT_OUT) and ".dist-info/" not in one[0]])


def pack_stdlib(source: str, archive: str, packages: str, modules: Sequence[str]) -> None:
    """Packs the standard library. What these modules of the packages import is bytecode, which starts soonest; the rest
    stays source, which weighs less."""
    sys.path.insert(0, packages)
    for module in modules:
        import_module(module)
    files = [str(getattr(one, "__file__", None)) for one in sys.modules.values()]
    imported = {file.partition(".zip/")[2] for file in files}
    with zipfile.ZipFile(source) as stdlib:
        names = [name for name in stdlib.namelist() if _is_needed(name)]
        _write(archive, [(name, stdlib.read(name)) for name in names], imported)


def _is_needed(name: str) -> bool:
    first, _, rest = name.partition("/")
    if first == "encodings":
        return rest.removesuffix(".py") in _ENCODINGS
    return not name.startswith(_STDLIB_LEFT_OUT) and not name.endswith("/")


def _write(archive: str, files: Iterable[tuple[str, bytes]], only: Container[str] | None = None) -> None:
    """Writes files to an archive, sources as bytecode, or only these; two archives of the same files are equal."""
    with zipfile.ZipFile(archive, "w") as packed:
        for name, content in files:
            # anyio reads its own sources, and the engine's bindings are checked before they are used
            stays = name.startswith("sintra/native/") or b"install_lazy_importer()" in content
            if name.endswith(".py") and not stays and (only is None or name in only):
                _add(packed, f"{name}c", _bytecode(name, content))
            elif not name.endswith((".pyi", ".c", ".h")):
                _add(packed, name, content)


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    packed.writestr(zipfile.ZipInfo(name, _OLD), content, zipfile.ZIP_DEFLATED, 9)


def _bytecode(name: str, source: bytes) -> bytes:
    tree = ast.parse(source, name)
    if not name.startswith(_WITH_DOCSTRINGS):
        _drop_docstrings(tree)
    code = compile(tree, name, "exec", dont_inherit=True, optimize=0)
    digest = importlib.util.source_hash(source)
    return importlib.util.MAGIC_NUMBER + _UNCHECKED.to_bytes(4, "little") + digest + marshal.dumps(code)


def _drop_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if ast.get_docstring(node, clean=False) is not None:
            node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), node.body[0])]
