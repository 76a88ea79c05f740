"""What messages have in common: what is shown, what is asked, and the names that both speak of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from sintra.components import Goal
from sintra.rules.state import Stage
from sintra.table.base.opponents import OPPONENTS
from sintra.tabletop.ruleset import RuleOptions


def one_of(names: Iterable[str]) -> Meta:
    """The constraint that a text is one of these names."""
    allowed = list(names)
    return Meta(pattern=f"^({'|'.join(map(re.escape, allowed))})$", extra_json_schema={"enum": allowed})


def _schema_of_options() -> dict[str, Any]:
    """The schema of the rule options that `RuleOptions.from_dict` accepts."""
    schema = msgspec.json.schema(RuleOptions)["$defs"][RuleOptions.__name__]
    return {"properties": schema["properties"], "additionalProperties": False}


MAX_NAME_LENGTH: Final = 24
"""Letters of a player's name."""
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
GoalName = Annotated[str, one_of(map(str, Goal))]
StageName = Annotated[str, one_of(stage.name.lower() for stage in Stage)]
OpponentName = Annotated[str, one_of(OPPONENTS)]
Chosen = Annotated[dict[str, str | bool], Meta(extra_json_schema=_schema_of_options())]
"""Rule options by their names."""
Mode = Literal["computer", "friend", "screen"]
"""Who plays: somebody against a computer, two friends, or two people at one screen."""


class Shown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A message to a browser; fields that have their default are left out."""


class Asked(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A message from a browser; unknown fields are refused."""
