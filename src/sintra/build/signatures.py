"""What entries take and return: read from their annotations, for Numba, for the exports and for the bindings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pkgutil import resolve_name
from typing import Any, Final, NamedTuple, get_type_hints

import numba
import numpy as np

from sintra.rules.array_types import Elements
from sintra.rules.compiled import ENTRIES
from sintra.rules.sources import PACKAGE

types: Final = numba.types
_ENTRY: Final = re.compile(r"^@(rare_)?entry$", re.MULTILINE)
_SCALARS: Final[dict[Any, Any]] = {int: types.int64, bool: types.boolean, float: types.float64}


class Leaf(NamedTuple):
    """A number or an array that is handed over: an argument, or a field of an argument that is a named tuple."""

    path: str
    """How Python gets at it: `t.head`."""
    kind: str
    """`int`, `bool`, `float` or `array`."""
    letter: str = ""
    """NumPy's letter for the elements of an array (`V` for records)."""
    size: int = 0
    """The bytes of an array's element."""
    ndim: int = 0
    """The number of an array's axes."""


class Signature(NamedTuple):
    """What an entry takes."""

    symbol: str
    """Its name in the library."""
    arguments: tuple[str, ...]
    leaves: tuple[Leaf, ...]
    numba_types: tuple[Any, ...]


def entry_modules() -> list[str]:
    """The modules of the package that declare entries."""
    return sorted(
        ".".join(("sintra", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in PACKAGE.rglob("*.py")
        if _ENTRY.search(path.read_text("utf-8"))
    )


def all_signatures() -> dict[str, Signature]:
    """The signatures of all entries of the package, by their names."""
    for module in entry_modules():
        resolve_name(module)
    return {name: _signature(name) for name in sorted(ENTRIES)}


def _signature(name: str) -> Signature:
    hints = get_type_hints(ENTRIES[name].function, include_extras=True)
    hints.pop("return")
    try:
        numba_types = tuple(_numba_type(hint) for hint in hints.values())
    except TypeError as error:
        raise TypeError(f"the entry {name} does not say exactly what it takes: {error}") from None
    leaves = tuple(leaf for path, hint in hints.items() for leaf in _leaves(path, hint))
    return Signature(name.replace(".", "_"), tuple(hints), leaves, numba_types)


def _elements(hint: Any) -> Elements | None:
    """What an array of this type holds; None for other types."""
    found = [one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Elements)]
    return found[0] if found else None


def _numba_type(hint: Any) -> Any:
    if hint in _SCALARS:
        return _SCALARS[hint]
    if elements := _elements(hint):
        return numba.typeof(np.zeros((1,) * elements.ndim, elements.kind))
    if hasattr(hint, "_fields"):
        fields = get_type_hints(hint, include_extras=True).values()
        return types.BaseTuple.from_types([_numba_type(one) for one in fields], hint)
    raise TypeError(f"{hint} is neither a number nor one of the types of `array_types`, nor a named tuple of those")


def _leaves(path: str, hint: Any) -> Iterator[Leaf]:
    if hint in _SCALARS:
        yield Leaf(path, hint.__name__)
    elif elements := _elements(hint):
        dtype = np.dtype(elements.kind)
        yield Leaf(path, "array", dtype.kind, dtype.itemsize, elements.ndim)
    else:
        for field, inner in get_type_hints(hint, include_extras=True).items():
            yield from _leaves(f"{path}.{field}", inner)


def returned(kind: Any) -> str:
    """What a compiled function returns, in words of the manifest: `none`, `int`, `bool`, `float`, or `ints:N` for N
    whole numbers at once."""
    if isinstance(kind, types.NoneType):
        return "none"
    if isinstance(kind, types.Boolean):
        return "bool"
    if isinstance(kind, types.Float):
        return "float"
    if isinstance(kind, types.Integer):
        return "int"
    if isinstance(kind, types.UniTuple) and isinstance(kind.dtype, types.Integer):
        return f"ints:{kind.count}"
    raise TypeError(f"an entry cannot return {kind}")
