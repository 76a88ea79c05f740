"""The rules a game is played by: its goals and the options of the rule text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sintra.components import FEWEST_GOALS, FIRST_GAME, MAX_GOALS, NOTHING, Goal, UnknownPieceError
from sintra.errors import Fault, RulesError
from sintra.rules.rule_options import RULE_OPTIONS, RuleOption, word_for
from sintra.rules.state import States, held

OPTION_NAMES: Final = tuple(option.name for option in RULE_OPTIONS)
"""The names of the rule options."""
_LIKE_GOALS: Final = '["rows", "columns", "wilds"]'
"""How goals are written in a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleOptions:
    """The rule options that a game is played by."""

    draw_at_zero: Literal["forced", "free"] = "forced"
    """R3.1: whether a player without points may draw beside plates on display."""
    special_is_color: bool = True
    """R6.1: whether special tiles are a colour for the goal `colors`."""

    def __post_init__(self) -> None:
        for option in RULE_OPTIONS:
            _check(option, getattr(self, option.name))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RuleOptions:
        """Reads options from their names and values; what is not named has its default."""
        for name in sorted(set(data) - set(OPTION_NAMES)):
            raise RulesError(Fault("unknown_key.rule", found=name, options=" and ".join(OPTION_NAMES)))
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """The options' names and values."""
        return {name: getattr(self, name) for name in OPTION_NAMES}

    @property
    def words(self) -> dict[str, str]:
        """The options' names and the words that stand for their values in texts."""
        return {name: word_for(getattr(self, name)) for name in OPTION_NAMES}

    @property
    def numbers(self) -> list[int]:
        """The numbers of the options' values, as a state holds them."""
        return [option.values.index(getattr(self, option.name)) for option in RULE_OPTIONS]


def _check(option: RuleOption, value: object) -> None:
    """Refuses what is not a value of an option."""
    if type(value) is type(option.default) and value in option.values:
        return
    able = "true or false" if isinstance(option.default, bool) else " or ".join(map(repr, option.values))
    choices = ", ".join(f"{option.name}={word_for(one)}" for one in option.values)
    found = f"{option.name}={value}"
    raise RulesError(
        Fault(
            "one_of.option", option=option.name, value=value, able=able, rule=option.rule, found=found, choices=choices
        )
    )


@dataclass(frozen=True, slots=True, init=False)
class Rules(RuleOptions):
    """R2.1 and the options: goals in play, `draw_at_zero` (R3.1), `special_is_color` (R6.1)."""

    goals: tuple[Goal, ...]
    """The goals in play."""

    def __init__(
        self,
        goals: str | Iterable[str | Goal],
        draw_at_zero: Literal["forced", "free"] = "forced",
        special_is_color: bool = True,
    ) -> None:
        """Goals are given as `parse_goals` reads them: names in a list or with commas between, or `first-game`."""
        RuleOptions.__init__(self, draw_at_zero=draw_at_zero, special_is_color=special_is_color)
        object.__setattr__(self, "goals", parse_goals(goals))
        if not FEWEST_GOALS <= len(self.goals) <= MAX_GOALS:
            raise RulesError(Fault("goals.count", found=len(self.goals)))
        tiles: dict[int, Goal] = {}
        for goal in self.goals:
            if goal.tile in tiles:
                raise RulesError(Fault("goals.tile", one=tiles[goal.tile], other=goal))
            tiles[goal.tile] = goal

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rules:
        """The rules of a game record: `goals` must be there, other options take their defaults."""
        options = {name: value for name, value in data.items() if name != "goals"}
        chosen = RuleOptions.from_dict(options)
        if not isinstance(data.get("goals"), list | tuple):
            raise RulesError(Fault("like.goals", found="rules.goals", like=_LIKE_GOALS))
        return cls(data["goals"], **chosen.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The `rules` of a game record."""
        return {"goals": [str(goal) for goal in self.goals], **RuleOptions.to_dict(self)}

    def write_to(self, states: States, i: int) -> None:
        """Puts the rules into a state."""
        states["goals"][i] = [*self.goals, *[NOTHING] * (MAX_GOALS - len(self.goals))]
        states["options"][i] = self.numbers

    @classmethod
    def read_from(cls, states: States, i: int) -> Rules:
        """The rules that a state is played by."""
        goals = [Goal(goal) for goal in held(states).get("goals", i) if goal != NOTHING]
        options: dict[str, Any] = {}
        for option, number in zip(RULE_OPTIONS, held(states).get("options", i), strict=True):
            options[option.name] = option.values[number]
        return cls(goals, **options)


def parse_goals(names: str | Iterable[str | Goal]) -> tuple[Goal, ...]:
    """Goals from their names, in a list or with commas between; `first-game` is the set of R2.1."""
    if isinstance(names, str):
        if names == "first-game":
            return FIRST_GAME
        names = names.replace(",", " ").split()
    if not isinstance(names, Iterable):
        raise RulesError(Fault("like.goal_names", found="goals", value=names, like=_LIKE_GOALS))
    try:
        return tuple(name if isinstance(name, Goal) else Goal.from_name(name) for name in names)
    except UnknownPieceError as error:
        raise RulesError(Fault("no_goal", found=error.found, said=error)) from None
