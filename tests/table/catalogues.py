"""The page's texts. A language is one file; whoever asks here finds all that are there."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

TEXTS: Final = Path(__file__).parents[2] / "web" / "src" / "texts"
LANGUAGES: Final = tuple(sorted(path.stem for path in TEXTS.glob("*.json")))
LONGEST_LANGUAGE: Final = "de"
"""The language whose texts need most room, which a test measures at the table."""


@cache
def catalogue(language: str) -> dict[str, Any]:
    """All that a language's file says."""
    found: dict[str, Any] = json.loads((TEXTS / f"{language}.json").read_text("utf-8"))
    return found


def texts(language: str, part: str = "page") -> dict[str, Any]:
    """The texts of the page, of the rules or of the lesson."""
    found: dict[str, Any] = catalogue(language)[part]
    return found
