"""The service is as its document says, whatever it is asked (schemathesis makes up the requests)."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sintra.table.http.openapi import document
from table.local_table import LocalTable, Person, friends

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis
    from schemathesis import GenerationMode, checks

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


def written_document() -> dict[str, Any]:
    with LocalTable() as local:
        return document(local.web.endpoints)


SCHEMA = schemathesis.openapi.from_dict(written_document())
OPERATIONS: list[Any] = [result.ok() for result in SCHEMA.get_all_operations()]  # type: ignore[union-attr]


class Guests:
    """A game that has begun, and the two who play it."""

    def __init__(self, local: LocalTable) -> None:
        self.local = local
        self.game, *people, _ = friends(local)
        self.people: list[Person] = list(people)
        local.play(self.game, dict(enumerate(self.people)), most=20)


@pytest.fixture(scope="module")
def guests() -> Iterator[Guests]:
    with LocalTable() as local:
        yield Guests(local)


def test_document_names_every_endpoint(guests: Guests) -> None:
    web = guests.local.web
    text = document(web.endpoints)
    assert text == guests.people[0].get("/openapi.json")
    assert text["openapi"] == "3.1.0"
    assert sum(len(methods) for methods in text["paths"].values()) == len(web.endpoints)
    operations = [one for methods in text["paths"].values() for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    for name in ("NewGame", "GameShown", "Problem", "Presence", "Options"):
        assert name in text["components"]["schemas"]


def test_every_field_of_a_large_message_is_described() -> None:
    schemas = written_document()["components"]["schemas"].items()
    large = {name: schema["properties"] for name, schema in schemas if len(schema["properties"]) > 5}
    assert len(large) > 20
    lacking = [f"{name}.{key}" for name, fields in large.items() for key in fields if "description" not in fields[key]]
    assert lacking == []


def can_be_asked(operation: Any, mode: GenerationMode) -> bool:
    """A stream has no end and has tests of its own; where nothing is given, nothing can be wrong."""
    if mode is GenerationMode.POSITIVE:
        return not operation.path.endswith("/events")
    return bool(operation.body or operation.path_parameters or operation.query)


QUESTIONS = [(one, mode) for one in OPERATIONS for mode in GenerationMode if can_be_asked(one, mode)]


@pytest.mark.long
@pytest.mark.parametrize(("operation", "mode"), QUESTIONS, ids=[f"{one.label} {mode.value}" for one, mode in QUESTIONS])
def test_whatever_is_asked(guests: Guests, operation: Any, mode: GenerationMode) -> None:
    """No failure, an answer as documented, and what is refused changes nothing."""

    @settings(max_examples=25)
    @given(case=operation.as_strategy(generation_mode=mode), real=st.booleans(), who=st.integers(0, 1))
    def ask(case: Any, real: bool, who: int) -> None:
        room = guests.local.room(guests.game)
        if real and "game" in (case.path_parameters or {}) and not operation.path.endswith("/events"):
            case.path_parameters["game"] = guests.game
            if isinstance(case.body, dict) and "seq" in case.body:
                case.body["seq"] = room.seq
        before = room.now
        wanted = case.as_transport_kwargs(base_url="http://localhost")
        given_headers = {name: value for name, value in wanted.pop("headers", {}).items() if value is not None}
        wanted = {name: value for name, value in wanted.items() if name in ("json", "data", "params") and value}
        if "data" in wanted and not isinstance(wanted["data"], dict):
            wanted["content"] = wanted.pop("data")
        path = case.formatted_path
        answer = guests.people[who].ask(case.method, path, headers=dict(given_headers), **wanted)
        case.validate_response(answer, checks=CHECKS)
        if answer.status_code >= 400:
            assert guests.local.room(guests.game).now is before

    ask()
