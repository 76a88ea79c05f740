"""What the page knows of the game and of the service, written into its sources.

`python -m sintra.table.codegen.typescript` writes all of it: the messages as types, the pieces in the box as
constants, the pictures and the palette. Building the page does so first; none of it is committed.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec

from sintra import components
from sintra.rules.rule_options import RULE_OPTIONS
from sintra.table.codegen import art
from sintra.table.games import acts
from sintra.table.shown import messages
from sintra.table.shown.schemas import message_types, schemas_of

WEB: Final = Path(__file__).parents[4] / "web"
_COMMAND: Final = "python -m sintra.table.codegen.typescript"
_PLAIN: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def generated_files() -> dict[Path, str]:
    """Every file of the page that is written from here, with its text."""
    texts = {"src/lib/messages.ts": messages_module(), "src/lib/components.ts": components_module()} | art.files()
    return {WEB / name: text for name, text in texts.items()}


# --- messages -----------------------------------------------------------------------------------


def messages_module() -> str:
    """The messages as types. A field with a default is left out by whoever has nothing to say, so it is
    optional."""
    types = message_types()
    _, schemas = schemas_of(types, "{name}")
    parts = [_head("sintra.table.shown.messages and games.acts")]
    parts += [_named("Seat", acts.Seat), _named("Mode", messages.Mode), _named("GoalName", messages.GoalName)]
    for one in types:
        parts.append(_interface(one.__name__, schemas[one.__name__]))
    parts.append(_chosen_act())
    new_game = schemas[messages.NewGame.__name__]["properties"]
    asked = {field: kind["default"] for field, kind in new_game.items() if "default" in kind}
    parts.append(_constant("What a new game is like if nothing else is asked for.", "NEW_GAME", asked))
    max_length = msgspec.json.schema(messages.Name)["maxLength"]
    parts.append(_constant("How many letters a player's name may have.", "MAX_NAME_LENGTH", max_length))
    return "\n".join(parts)


def _head(source: str) -> str:
    return f"// Made from {source} by `{_COMMAND}`: change that instead.\n"


def _constant(said: str, name: str, value: Any, kind: str = "") -> str:
    """A constant; without a kind, its type is its value."""
    end = "" if kind else " as const"
    return f"/** {said} */\nexport const {name}{kind and f': {kind}'} = {json.dumps(value, ensure_ascii=False)}{end};\n"


def _named(name: str, kind: Any) -> str:
    return f"export type {name} = {_type(msgspec.json.schema(kind))};\n"


def _chosen_act() -> str:
    """The acts of a player as a union that their kinds tell apart."""
    _, schemas = msgspec.json.schema_components(acts.ACTS, ref_template="{name}")
    lines = []
    for one in acts.ACTS:
        schema = schemas[one.__name__]
        fields = [_field(schema, name) for name in schema["properties"] if name not in ("id", "seq")]
        lines.append(f"  | {{ {' '.join(fields)} }}")
    said = "An act as a player chooses it; an id and the event that they have seen go with it when it is posted."
    return "\n".join([f"/** {said} */\nexport type ChosenAct =", *lines]) + ";\n"


def _interface(name: str, schema: dict[str, Any]) -> str:
    said = " ".join(schema.get("description", "").split())
    fields = [f"  {_about(schema, field)}{_field(schema, field)}" for field in schema["properties"]]
    return "\n".join([f"/** {said} */\nexport interface {name} {{", *fields, "}\n"])


def _about(schema: dict[str, Any], name: str) -> str:
    """What is said of a field, as a comment before it."""
    said = schema["properties"][name].get("description")
    return f"/** {said} */ " if said else ""


def _field(schema: dict[str, Any], name: str) -> str:
    """A field of a message, which is left out rather than null if it is optional."""
    kind = schema["properties"][name]
    return f"{name}: {_type(kind)};" if name in schema["required"] else f"{name}?: {_type(_without_null(kind))};"


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
    if "properties" in schema:
        return "{ " + " ".join(f"{name}?: {_type(one)};" for name, one in schema["properties"].items()) + " }"
    if kind == "object":
        return f"Record<string, {_type(schema['additionalProperties'])}>"
    return _PLAIN[kind]


# --- components ---------------------------------------------------------------------------------


def components_module() -> str:
    """The pieces in the box, as far as the page draws or offers them."""
    tiles: list[list[str]] = [
        [str(goal) for goal in components.Goal if goal.tile == tile] for tile in range(components.GOAL_TILES)
    ]
    _, schemas = msgspec.json.schema_components([messages.NewGame], ref_template="{name}")
    goal_counts = schemas[messages.NewGame.__name__]["properties"]["goal_count"]["enum"]
    penalties = [before - after for before, after in pairwise(components.BROKEN_PENALTIES)]
    faces = {plate.name: plate.printed for plate in components.PLATES}
    parts = [
        _head("sintra.components"),
        'import type { GoalName } from "./messages";\n',
        _constant("R1.1: the letters of the tile colours.", "COLORS", list(components.COLOR_LETTERS)),
        _constant(
            "R1.4: the letter of a special space, of its tile and of its kind of plate.",
            "SPECIAL",
            components.PlateKind.SPECIAL.value,
        ),
        _constant(
            "R1.4: the letter of a wild space, and of its kind of plate.", "WILD", components.PlateKind.WILD.value
        ),
        _constant("R1.3: the large factory.", "LARGE", components.FACTORY_LETTERS[components.LARGE]),
        _constant(
            "R1.3, R2.3: the factories, each with how many tiles come to its sun side.",
            "FACTORIES",
            [
                {"name": name, "fill": components.LARGE_FILL if k == components.LARGE else components.SMALL_FILL}
                for k, name in enumerate(components.FACTORY_LETTERS)
            ],
        ),
        _constant("R2.2: how many plates lie in the display.", "DISPLAY", components.DISPLAY),
        _constant(
            "R1.4: the faces of the plates by their numbers, as printed.", "PLATES", faces, "Record<string, string>"
        ),
        _constant("R1.7: rows and columns of the dome.", "GRID", components.GRID),
        _constant(
            "R1.7: the plate slots of the dome, each with the rows and columns of its four spaces.",
            "SLOTS",
            [{"name": components.slot_name(slot), "spaces": _spaces(slot)} for slot in range(components.SLOTS)],
        ),
        _constant("R1.7: what each broken tile costs.", "BROKEN_PENALTIES", penalties),
        _constant("R4.6: what the start tile costs.", "START_PENALTY", -components.START_PENALTY),
        _constant("R1.8: the points that both players start with.", "START_SCORE", components.START_SCORE),
        _constant("How many rounds there are.", "ROUNDS", components.ROUNDS),
        _constant("R3.1: how many of them bring plates.", "PLATE_ROUNDS", components.PLATE_ROUNDS),
        _constant("R3.1: how many plates a player takes in each of those.", "MARKERS", components.MARKERS),
        _constant("R3.4: how many chips a player may take in a round.", "CHIPS_PER_ROUND", components.CHIPS_PER_ROUND),
        _constant("R1.6: the goals.", "GOALS", list(map(str, components.Goal)), "readonly GoalName[]"),
        _constant(
            "R1.6: the goal tiles, each with the goals of its two sides.", "GOAL_TILES", tiles, "readonly GoalName[][]"
        ),
        _constant("R2.1: how many goals a game may have.", "GOAL_COUNTS", goal_counts),
        _constant(
            "The rule options, each with its values and the usual one.",
            "RULE_OPTIONS",
            [{"name": one.name, "values": one.values, "usual": one.default} for one in RULE_OPTIONS],
        ),
        _constant(
            "R2.1: the goals for a first game.",
            "FIRST_GAME",
            list(map(str, components.FIRST_GAME)),
            "readonly GoalName[]",
        ),
    ]
    return "\n".join(parts)


def _spaces(slot: int) -> list[dict[str, int]]:
    """R1.7: the rows and columns of a slot's spaces, counted from 1, in the order of a plate's face."""
    side = components.GRID // components.SLOTS_ACROSS
    top, left = slot // components.SLOTS_ACROSS * side + 1, slot % components.SLOTS_ACROSS * side + 1
    return [{"row": top + k // side, "column": left + k % side} for k in range(side * side)]


def main() -> None:
    """Writes the files that are missing or out of date, and leaves the others as they are."""
    for path, text in generated_files().items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
