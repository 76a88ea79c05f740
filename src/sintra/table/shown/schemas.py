"""The JSON schemas of messages, with what their sources say of each field."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct

from sintra.table.games import acts
from sintra.table.shown import messages


def message_types() -> list[type[Struct]]:
    """Every message."""
    found = [one for one in vars(messages).values() if isinstance(one, type) and issubclass(one, Struct)]
    return [one for one in found if one not in (Struct, messages.Shown, messages.Asked)]


def schemas_of(types: Sequence[Any], ref_template: str) -> tuple[tuple[dict[str, Any], ...], dict[str, dict[str, Any]]]:
    """The schemas that refer to these messages, and those of all messages that they need, by their names."""
    references, schemas = msgspec.json.schema_components(types, ref_template=ref_template)
    for name, schema in schemas.items():
        said = _field_docs().get(name, {})
        for field in schema.get("properties", {}).keys() & said.keys():
            schema["properties"][field]["description"] = said[field]
    return references, schemas


@cache
def _field_docs() -> dict[str, dict[str, str]]:
    """The docstring of each field by message and field: Python itself does not keep them."""
    found: dict[str, dict[str, str]] = {}
    for module in dict.fromkeys(one.__module__ for one in (*acts.ACTS, *message_types())):
        for one in ast.parse(inspect.getsource(sys.modules[module])).body:
            if isinstance(one, ast.ClassDef):
                docs = found[one.name] = {}
                for base in one.bases:
                    docs |= found.get(ast.unparse(base), {})
                for field, said in pairwise(one.body):
                    if isinstance(field, ast.AnnAssign) and isinstance(said, ast.Expr):
                        docs[ast.unparse(field.target)] = " ".join(str(ast.literal_eval(said.value)).split())
    return found
