"""Writes the module with which Python calls the library: a function for each entry, by ctypes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from sintra.build.exports import parts_of
from sintra.build.signatures import Leaf, Signature

_TOP: Final = '''"""Calls the functions of the compiled library. Written by `python -m sintra.build`."""

from ctypes import c_double, c_int32, c_int64, c_ssize_t, c_void_p
from operator import index

from sintra.rules.library import items
'''
_PART_TYPES: Final = {
    "pointer": "c_void_p",
    "size": "c_ssize_t",
    "int": "c_int64",
    "bool": "c_int32",
    "float": "c_double",
}
_RESULT_TYPES: Final = {"none": "None", "int": "c_int64", "bool": "c_int32", "float": "c_double"}
_BIND: Final = '''

def bind(library):
    """The functions by the names of the entries, with those of a library behind them."""
    for symbol, result, arguments in SYMBOLS:
        function = library[symbol]
        function.restype = result
        function.argtypes = arguments
        globals()[f"_{symbol}"] = function
    return ENTRIES
'''


def bindings_of(signatures: Mapping[str, Signature], results: Mapping[str, str]) -> str:
    """The text of the module, for entries and what each of them returns."""
    functions = [_function(one, results[name]) for name, one in signatures.items()]
    entries = [f'    "{name}": {one.symbol},' for name, one in signatures.items()]
    symbols = [_symbol(one, results[name]) for name, one in signatures.items()]
    tables = ["ENTRIES = {", *entries, "}", "SYMBOLS = (", *symbols, ")"]
    return "\n\n".join((_TOP, "\n\n".join(functions), "\n".join(tables))) + _BIND


def _function(signature: Signature, result: str) -> str:
    given = [_given(leaf) for leaf in signature.leaves]
    call = f"_{signature.symbol}({', '.join(given)})"
    head = f"def {signature.symbol}({', '.join(signature.arguments)}):\n"
    if result.startswith("ints:"):
        call = f"_{signature.symbol}({', '.join([*given, '_results'])})"
        count = result.partition(":")[2]
        return f"{head}    _results = (c_int64 * {count})()\n    {call}\n    return tuple(_results)\n"
    if result == "none":
        return f"{head}    {call}\n"
    return f"{head}    return {call}{' != 0' if result == 'bool' else ''}\n"


def _given(leaf: Leaf) -> str:
    match leaf.kind:
        case "array":
            return f"*items({leaf.path}, {f'{leaf.letter}{leaf.size}.{leaf.ndim}'!r})"
        case "int":
            return f"index({leaf.path})"
        case "bool":
            return f"bool({leaf.path})"
        case _:
            return leaf.path


def _symbol(signature: Signature, result: str) -> str:
    arguments = [_PART_TYPES[part] for leaf in signature.leaves for part in parts_of(leaf)]
    if result.startswith("ints:"):
        arguments.append("c_void_p")
    returns = _RESULT_TYPES.get(result, "None")
    return f'    ("{signature.symbol}", {returns}, ({", ".join(arguments)},)),'


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
