"""The form of a position text: `key: value`, one a line, and what a value can be."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from sintra.components import CHIP_COUNT, COLOR_LETTERS, PLATE_COUNT, TILES, UnknownPieceError, chip_index, plate_index
from sintra.errors import Fault, PositionError, SintraError

_KEY: Final = re.compile(
    r"seat|round|stage|turn|first|start tile|goals|options|factory [1-4L]|bag|tower|display|hand|stack|returned|chips"
    r"|tiling|[01] (?:score|left|lines|broken|plates|dome|store|spent|points|looked|recalls|thinks)"
    r"|(?:[01]|spectator) knows"
)
"""The keys of a position. `recalls`, which positions had until 0.2, is read and says nothing."""


class Text:
    """The keys and values of one position text, with readings that refuse what cannot be meant."""

    def __init__(self, text: str) -> None:
        self.values: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            for part in line.split("#")[0].split(";"):
                if not part.strip():
                    continue
                key, colon, value = part.partition(":")
                key = " ".join(key.split())
                if not colon:
                    raise PositionError(Fault("at_line", line=number), Fault("no_colon", found=part.strip()))
                if not _KEY.fullmatch(key):
                    raise PositionError(Fault("at_line", line=number), Fault("unknown_key", found=key))
                if key in self.values:
                    raise PositionError(Fault("at_line", line=number), Fault("twice", found=key))
                self.values[key] = number, value.strip()

    def fault(self, key: str, reason: str | Fault | SintraError) -> PositionError:
        """The error for a key, with its line."""
        if key in self.values:
            return PositionError(Fault("at_line_key", line=self.values[key][0], key=key), reason)
        return PositionError(Fault("at_key", key=key), reason)

    def unknown(self, key: str, error: UnknownPieceError) -> PositionError:
        """The error for a key that names a piece which is not in the box."""
        return self.fault(key, Fault(f"no_{error.piece}", found=error.found, said=error))

    def get(self, key: str, default: str = "-") -> str:
        """The value of a key."""
        return self.values[key][1] if key in self.values else default

    def words(self, key: str, default: str = "-") -> list[str]:
        """The words of a value, none for `-`."""
        value = self.get(key, default)
        return [] if value == "-" else value.split()

    def number(self, key: str, text: str, low: int, high: int) -> int:
        """A number within bounds."""
        if re.fullmatch(r"-?[0-9]{1,6}", text) and low <= int(text) <= high:
            return int(text)
        raise self.fault(key, Fault("number", found=text, low=low, high=high))

    def one_of(self, key: str, text: str, allowed: Iterable[str]) -> str:
        """One of the words allowed."""
        choices = list(allowed)
        if text not in choices:
            raise self.fault(key, Fault("one_of", found=text, choices=", ".join(choices)))
        return text

    def settings(self, key: str, names: tuple[str, ...]) -> dict[str, str]:
        """Words like `name=value`."""
        found = {}
        for word in self.words(key):
            name, equals, value = word.partition("=")
            self.one_of(key, name, names)
            if not equals:
                raise self.fault(key, Fault("like.setting", found=word, like=f"{name}=..."))
            if name in found:
                raise self.fault(key, Fault("twice.setting", found=name))
            found[name] = value
        return found

    def tiles(self, key: str, letters: str) -> list[int]:
        """Letters as counts per colour."""
        counts = [0] * len(COLOR_LETTERS)
        if len(letters) > TILES:
            raise self.fault(key, Fault("most.tiles", found=len(letters), most=TILES))
        for letter in letters.replace("-", ""):
            counts[COLOR_LETTERS.index(self.one_of(key, letter, COLOR_LETTERS))] += 1
        return counts

    def plates(self, key: str) -> list[int]:
        """The plates that a value names."""
        if len(self.words(key)) > PLATE_COUNT:
            raise self.fault(key, Fault("most.plates", most=PLATE_COUNT))
        try:
            return [plate_index(word) for word in self.words(key) if word != "-"]
        except UnknownPieceError as error:
            raise self.unknown(key, error) from None

    def chips(self, key: str) -> list[int]:
        """The chips that a value names."""
        if len(self.words(key)) > CHIP_COUNT:
            raise self.fault(key, Fault("most.chips", most=CHIP_COUNT))
        try:
            return [chip_index(word) for word in self.words(key)]
        except UnknownPieceError as error:
            raise self.unknown(key, error) from None
