"""The options of the rule text: readings of a rule that a game can be played by.

`RuleOptions` is their one list. Each has two values; a state has the number of the chosen one in
`options`, at the option's place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args, get_type_hints

from sintra.errors import RulesError

VALUES: Final = 2
"""An option is a choice between so many values."""


def _by(rule: str, default: str | bool) -> Any:
    """An option of a rule, and what is played if nobody says otherwise."""
    return dataclasses.field(default=default, metadata={"rule": rule})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOptions:
    """What a game is played by: whether drawing with 0 points is possible beside plates on display, and
    whether special tiles are a colour for the goal `colors`."""

    draw_at_zero: Literal["forced", "free"] = _by("R3.1", "forced")
    special_is_color: bool = _by("R6.1", True)

    def __post_init__(self) -> None:
        for option in RULE_OPTIONS:
            option.check(getattr(self, option.name))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RuleOptions:
        """From their names and values; what is not named has its default."""
        for name in sorted(set(data) - set(OPTION_NAMES)):
            raise RulesError(f"unknown rule {name!r}: there are goals, {' and '.join(OPTION_NAMES)}")
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """Their names and values."""
        return {name: getattr(self, name) for name in OPTION_NAMES}

    @property
    def words(self) -> dict[str, str]:
        """Their names and the words that stand for their values in texts."""
        return {name: _word(getattr(self, name)) for name in OPTION_NAMES}

    @property
    def numbers(self) -> list[int]:
        """What a state holds of them."""
        return [option.values.index(getattr(self, option.name)) for option in RULE_OPTIONS]


class RuleOption(NamedTuple):
    """One of the options: the rule whose reading it is, its values and the usual one."""

    name: str
    rule: str
    values: tuple[str | bool, ...]
    default: str | bool

    @property
    def words(self) -> dict[str, str | bool]:
        """The values by the words that stand for them in texts."""
        return {_word(value): value for value in self.values}

    def check(self, value: object) -> None:
        """Raises an error for what is not a value of this option."""
        if type(value) is type(self.default) and value in self.values:
            return
        able = "true or false" if isinstance(self.default, bool) else " or ".join(map(repr, self.values))
        raise RulesError(f"{self.name} is {value!r}: it can be {able} ({self.rule})")


def _word(value: str | bool) -> str:
    return str(value).lower()


def _option(field: dataclasses.Field[Any], kind: Any) -> RuleOption:
    values = (False, True) if kind is bool else get_args(kind)
    assert len(values) == VALUES
    return RuleOption(field.name, field.metadata["rule"], values, field.default)


def rule_options_of(numbers: Iterable[int]) -> RuleOptions:
    """The options that a state holds these numbers of."""
    values = {option.name: option.values[number] for option, number in zip(RULE_OPTIONS, numbers, strict=True)}
    return RuleOptions.from_dict(values)


RULE_OPTIONS: Final = tuple(
    _option(field, get_type_hints(RuleOptions)[field.name]) for field in dataclasses.fields(RuleOptions)
)
OPTION_NAMES: Final = tuple(option.name for option in RULE_OPTIONS)

DRAW_AT_ZERO: Final = OPTION_NAMES.index("draw_at_zero")
SPECIAL_IS_COLOR: Final = OPTION_NAMES.index("special_is_color")
FREE: Final = RULE_OPTIONS[DRAW_AT_ZERO].values.index("free")
"""`draw_at_zero`: a player without points draws for nothing, whatever is on display."""
