"""Writes the module with which Python calls the library: a function for each entry, by ctypes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from sintra.build.signatures import Leaf, Signature

_TOP: Final = '''"""Calls the functions of the compiled library. Written by `python -m sintra.build`.

Each takes a block of words (see `sintra.build.exports`), which is put together as a `bytes`.
"""

from ctypes import addressof, c_double, c_int32, c_int64
from struct import Struct

from sintra.rules.library import words_of
'''
_RESULT_TYPES: Final = {"none": "None", "int": "c_int64", "bool": "c_int32", "float": "c_double"}
_LETTERS: Final = {"int": "q", "bool": "q", "float": "d"}
"""How `struct` calls the word of a number."""
_BIND: Final = '''

def bind(library, version):
    """The functions by the names of the entries, with those of a library behind them whose names end so."""
    for symbol, result in SYMBOLS:
        function = library[symbol + version]
        function.restype = result
        globals()[f"_{symbol}"] = function
    return ENTRIES
'''


def bindings_of(signatures: Mapping[str, Signature], results: Mapping[str, str]) -> str:
    """The text of the module, for entries and what each of them returns."""
    functions = "\n\n".join(_function(one, results[name]) for name, one in signatures.items())
    entries = [f'    "{name}": {one.symbol},' for name, one in signatures.items()]
    symbols = [f'    ("{one.symbol}", {_RESULT_TYPES.get(results[name], "None")}),' for name, one in signatures.items()]
    packers = [f'_{form} = Struct("{form}").pack' for form in sorted(set(_PACKER.findall(functions)))]
    tables = ["ENTRIES = {", *entries, "}", "SYMBOLS = (", *symbols, ")"]
    return "\n\n".join((_TOP + "\n" + "\n".join(packers), functions, "\n".join(tables))) + _BIND


_PACKER: Final = re.compile(r"\b_([qd]+)\(")


def _function(signature: Signature, result: str) -> str:
    head = f"def {signature.symbol}({', '.join(signature.arguments)}):\n"
    if result.startswith("ints:"):
        block = _block([*signature.leaves, Leaf("addressof(results)", "int")])
        count = result.partition(":")[2]
        made = f"    results = (c_int64 * {count})()\n    _{signature.symbol}({block})\n"
        return f"{head}{made}    return tuple(results)\n"
    call = f"_{signature.symbol}({_block(signature.leaves)})"
    if result == "none":
        return f"{head}    {call}\n"
    return f"{head}    return {call}{' != 0' if result == 'bool' else ''}\n"


def _block(leaves: Sequence[Leaf]) -> str:
    """The expression for the words of what is handed over: of numbers that follow each other at once."""
    parts = []
    for is_array, group in groupby(leaves, lambda leaf: leaf.kind == "array"):
        if is_array:
            parts += [f"words_of({one.path}, {f'{one.letter}{one.size}.{one.ndim}'!r})" for one in group]
        else:
            numbers = list(group)
            form = "".join(_LETTERS[one.kind] for one in numbers)
            given = (f"bool({one.path})" if one.kind == "bool" else one.path for one in numbers)
            parts.append(f"_{form}({', '.join(given)})")
    return " + ".join(parts) if len(parts) < 4 else f'b"".join(({", ".join(parts)}))'


def manifest_entries(signatures: Mapping[str, Signature], results: Mapping[str, str]) -> dict[str, Any]:
    """What the manifest says of each entry: its symbol, what is handed over, and what it returns."""
    return {
        name: {
            "symbol": one.symbol,
            "arguments": [leaf._asdict() for leaf in one.leaves],
            "returns": results[name],
        }
        for name, one in signatures.items()
    }
