"""The messages as TypeScript types: `python -m sintra.table.codegen.typescript` writes them for the browser."""

from __future__ import annotations

import json
from inspect import cleandoc
from pathlib import Path
from typing import Any, Final

import msgspec

from sintra.table.shown import messages

TARGET: Final = Path(__file__).parents[3] / "web" / "src" / "lib" / "messages.ts"
_HEAD: Final = (
    "// Made from sintra.table.messages by `python -m sintra.table.codegen.typescript`: change that instead.\n"
)
_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def message_types() -> list[type[msgspec.Struct]]:
    """Every message, in the order in which the module tells of them."""
    bases = (messages.Shown, messages.Asked)
    found = [one for one in vars(messages).values() if isinstance(one, type) and issubclass(one, msgspec.Struct)]
    return [one for one in found if one.__module__ == messages.__name__ and one not in bases]


def typescript() -> str:
    """The whole file. A field with a default is left out by whoever has nothing to say, so it is optional."""
    types = message_types()
    _, schemas = msgspec.json.schema_components(types, ref_template="{name}")
    parts = [_HEAD, _named("Seat", messages.Seat), _named("Mode", messages.Mode), _named("GoalName", messages.GoalName)]
    for one in types:
        parts.append(_interface(one.__name__, schemas[one.__name__]))
    return "\n".join(parts)


def _named(name: str, kind: Any) -> str:
    return f"export type {name} = {_type(msgspec.json.schema(kind))};\n"


def _interface(name: str, schema: dict[str, Any]) -> str:
    said = "\n".join(f" * {line}".rstrip() for line in cleandoc(schema.get("description", "")).splitlines())
    fields = []
    for field, kind in schema["properties"].items():
        if field in schema["required"]:
            fields.append(f"  {field}: {_type(kind)};")
        else:
            fields.append(f"  {field}?: {_type(_without_null(kind))};")
    return "\n".join([f"/**\n{said}\n */\nexport interface {name} {{", *fields, "}\n"])


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """An optional field is left out rather than null."""
    if "anyOf" not in schema:
        return schema
    return {"anyOf": [one for one in schema["anyOf"] if one.get("type") != "null"]}


def _type(schema: dict[str, Any]) -> str:
    """The TypeScript type of a JSON schema, as far as msgspec writes them."""
    if "$ref" in schema:
        return str(schema["$ref"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(_type(one) for one in schema["anyOf"])
    kind = schema["type"]
    if kind == "array":
        item = _type(schema["items"])
        return f"({item})[]" if " " in item else f"{item}[]"
    if kind == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return _PLAIN[kind]


def main() -> None:
    """Writes the file."""
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(typescript(), "utf-8")
    print(f"written: {TARGET}")


if __name__ == "__main__":
    main()
