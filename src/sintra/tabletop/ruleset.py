"""The rules a game is played by: its goals and the options of the rule text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sintra.components import FEWEST_GOALS, FIRST_GAME, MOST_GOALS, NOTHING, Goal
from sintra.errors import RulesError
from sintra.rules.rule_options import RuleOptions, rule_options_of
from sintra.rules.state import States


@dataclass(frozen=True, slots=True, init=False)
class Rules(RuleOptions):
    """R2.1 and the options: goals in play, `draw_at_zero` (R3.1), `special_is_color` (R6.1)."""

    goals: tuple[Goal, ...]

    def __init__(
        self,
        goals: str | Iterable[str | Goal],
        draw_at_zero: Literal["forced", "free"] = "forced",
        special_is_color: bool = True,
    ) -> None:
        """Goals are given as `parse_goals` reads them: names in a list or with commas between, or `first-game`."""
        RuleOptions.__init__(self, draw_at_zero=draw_at_zero, special_is_color=special_is_color)
        object.__setattr__(self, "goals", parse_goals(goals))
        if not FEWEST_GOALS <= len(self.goals) <= MOST_GOALS:
            raise RulesError(f"a game has 3 or 4 goals, not {len(self.goals)} (R2.1)")
        tiles: dict[int, Goal] = {}
        for goal in self.goals:
            if goal.tile in tiles:
                raise RulesError(
                    f"goals {tiles[goal.tile]} and {goal} are on one tile: choose one of them (R1.6, R2.1)"
                )
            tiles[goal.tile] = goal

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rules:
        """The rules of a game record: `goals` must be there, other options take their defaults."""
        options = {name: value for name, value in data.items() if name != "goals"}
        chosen = RuleOptions.from_dict(options)
        if not isinstance(data.get("goals"), list | tuple):
            raise RulesError("the rules lack the list of goals")
        return cls(data["goals"], **chosen.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """The `rules` of a game record."""
        return {"goals": [str(goal) for goal in self.goals], **RuleOptions.to_dict(self)}

    def write_to(self, states: States, i: int) -> None:
        """Puts the rules into a state."""
        states["goals"][i] = [*self.goals, *[NOTHING] * (MOST_GOALS - len(self.goals))]
        states["options"][i] = self.numbers

    @classmethod
    def read_from(cls, states: States, i: int) -> Rules:
        """The rules that a state is played by."""
        goals = [Goal(goal) for goal in states["goals"][i].tolist() if goal != NOTHING]
        return cls(goals, **rule_options_of(states["options"][i].tolist()).to_dict())


def parse_goals(names: str | Iterable[str | Goal]) -> tuple[Goal, ...]:
    """Goals from their names, in a list or with commas between; `first-game` is the set of R2.1."""
    if isinstance(names, str):
        if names == "first-game":
            return FIRST_GAME
        names = names.replace(",", " ").split()
    if not isinstance(names, Iterable):
        raise RulesError(f"goals are a list of names, not {names!r} (R2.1)")
    try:
        return tuple(name if isinstance(name, Goal) else Goal.from_name(name) for name in names)
    except ValueError as error:
        raise RulesError(str(error)) from None
