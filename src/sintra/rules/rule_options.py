"""The options of the rule text: readings of a rule that a game can be played by.

This is their one list. A state has the number of the chosen value in `options`, at the option's place.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class RuleOption(NamedTuple):
    """A choice between two readings of a rule."""

    name: str
    """What the option is called in records, positions and commands."""
    rule: str
    """The rule whose readings these are."""
    values: tuple[str, str] | tuple[bool, bool]
    """The two readings; a state holds the number of one."""
    default: str | bool
    """The usual reading."""

    @property
    def words(self) -> dict[str, str | bool]:
        """The values by the words that stand for them in texts."""
        return {word_for(value): value for value in self.values}


def word_for(value: str | bool) -> str:
    """How a value is written in texts."""
    return str(value).lower()


RULE_OPTIONS: Final = (
    RuleOption("draw_at_zero", "R3.1", ("forced", "free"), "forced"),
    RuleOption("special_is_color", "R6.1", (False, True), True),
)
"""All options, in the order of a state's `options`."""
DRAW_AT_ZERO, SPECIAL_IS_COLOR = range(len(RULE_OPTIONS))
"""The places of the options in a state's `options`."""
FREE: Final = RULE_OPTIONS[DRAW_AT_ZERO].values.index("free")
"""`draw_at_zero`: a player without points draws for nothing, whatever is on display."""
