"""The service's own description: an OpenAPI document from the endpoints and the messages' schemas."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from sintra import __version__
from sintra.table.http.endpoint import Endpoint
from sintra.table.shown.messages import Presence, Problem
from sintra.table.shown.schemas import schemas_of

_REFUSALS: Final = {
    400: "The message or a parameter cannot be read",
    403: "Not yours to do, or asked for by a foreign page",
    404: "There is no such game, review or puzzle, or the asker has no seat in the game",
    409: "Not now: the asker has not seen the latest event (`seq` is its number), or it is not their turn",
    410: "The invitation has been used or was withdrawn",
    413: "The message is too large",
    415: "The message is not application/json",
    421: "The table does not answer to this name",
    422: "The rules do not allow it",
    429: "Too many requests; `Retry-After` says when to try again",
    503: "The table is closing, or the computer has no answer right now",
}
_PARAMETERS: Final[dict[str, dict[str, Any]]] = {
    "game": {"in": "path", "required": True, "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{12}$"}},
    "review": {"in": "path", "required": True, "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{24}$"}},
    "ply": {"in": "path", "required": True, "schema": {"type": "integer", "minimum": 0, "maximum": 999_999}},
    "puzzle": {"in": "path", "required": True, "schema": {"type": "string", "pattern": "^[0-9a-f]{12}$"}},
    "day": {"in": "query", "description": "Whose puzzle is wanted", "schema": {"type": "string", "format": "date"}},
    "seat": {
        "in": "query",
        "description": "The seat to look from, for a player of both",
        "schema": {"type": "integer", "enum": [0, 1]},
    },
    "after": {
        "in": "query",
        "description": "The event seen last; the header Last-Event-ID takes precedence",
        "schema": {"type": "integer", "minimum": 0, "maximum": 1_000_000},
    },
}
_ABOUT: Final = (
    "A seat is a secret: `/api/games`, `enter` and `rematch` set it as a cookie of the game. Every act in a game, and "
    "a rematch, carries the number of the event that its sender saw last and an id of its own, so that a repeated one "
    "is harmless: it happens once and gets the same answer; a repeated rematch leads to the same game, with new "
    "secrets. An act is posted to `acts` with its `kind`, or to an address of its own."
)
Schemas = Mapping[Any, dict[str, Any]]
"""The references to the schemas of the messages."""


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The OpenAPI document of these endpoints."""
    given = (one for endpoint in endpoints for one in (endpoint.asked, endpoint.shown))
    types: list[Any] = sorted({Problem, Presence, *(one for one in given if one not in (None, dict))}, key=str)
    references, components = schemas_of(types, "#/components/schemas/{name}")
    schemas = dict(zip(types, references, strict=True))
    schemas |= {one: _without_tag(one, components[one.__name__]) for one in types if _is_tagged(one)}
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sintra, the table", "version": __version__, "description": _ABOUT},
        "paths": paths,
        "components": {"schemas": components},
    }


def _is_tagged(kind: Any) -> bool:
    """Whether a message is one of several that a tag tells apart."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct) and kind.__struct_config__.tag is not None


def _without_tag(kind: type[msgspec.Struct], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a tagged message at an address of its own, where the tag may be left out."""
    return schema | {"required": [name for name in schema["required"] if name != kind.__struct_config__.tag_field]}


def _operation(endpoint: Endpoint, schemas: Schemas) -> dict[str, Any]:
    names = [*re.findall(r"{(\w+)}", endpoint.path), *endpoint.query]
    operation: dict[str, Any] = {
        "operationId": endpoint.name or endpoint.handle.__name__,
        "summary": endpoint.summary,
        "responses": {
            "200": {"description": "Done", "content": {endpoint.media: {"schema": _schema(endpoint, schemas)}}},
            **{str(status): _refusal(status, endpoint, schemas) for status in sorted({*endpoint.refusals, 421, 503})},
        },
    }
    if names:
        operation["parameters"] = [{"name": name, **_PARAMETERS[name]} for name in names]
    if endpoint.asked is not None:
        content = {"application/json": {"schema": schemas[endpoint.asked]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _refusal(status: int, endpoint: Endpoint, schemas: Schemas) -> dict[str, Any]:
    schema = schemas[Problem]
    if status in endpoint.also_at:
        schema = {"anyOf": [_schema(endpoint, schemas), schema]}
    return {"description": _REFUSALS[status], "content": {"application/json": {"schema": schema}}}


def _schema(endpoint: Endpoint, schemas: Schemas) -> dict[str, Any]:
    """The schema of what an endpoint shows."""
    if endpoint.media != "application/json":
        return {"type": "string"}
    return {"type": "object"} if endpoint.shown in (None, dict) else schemas[endpoint.shown]
