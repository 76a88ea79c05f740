"""The steps of the page's lesson, and what its texts answer."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from sintra import Game
from table.catalogues import texts

_FILE: Final = Path(__file__).parents[2] / "web" / "src" / "lesson" / "steps.json"


@dataclass(frozen=True)
class Step:
    """A prepared table, the moves that are right there, and wrong ones that have an answer of their own."""

    name: str
    position: str
    moves: tuple[str, ...]
    wrong: dict[str, str]
    """Answers by patterns of tokens."""

    @staticmethod
    def of(said: dict[str, Any]) -> Step:
        wrong = {one["move"]: one["answer"] for one in said["wrong"]}
        assert len(wrong) == len(said["wrong"]), "a pattern has one answer"
        return Step(said["name"], "\n".join(said["position"]), tuple(said["moves"]), wrong)

    def game(self) -> Game:
        return Game.from_position(self.position)

    def reply(self, token: str) -> str:
        """The last part of the key of what a wrong move is answered with."""
        return next((answer for move, answer in self.wrong.items() if re.fullmatch(move, token)), "no")

    def text(self, part: str, language: str) -> str:
        """A text of this step, or what is said of wrong moves at any."""
        found = texts(language, "lesson")
        said: str = found.get(f"{self.name}.{part}") or found["no"]
        return said


STEPS: Final = tuple(map(Step.of, json.loads(_FILE.read_text("utf-8"))))
