"""Names of players: what can be seen of a name, and whether two look the same.

Python knows the category of a letter, but not whether it is ignored when text is drawn: that property
(Default_Ignorable_Code_Point) stands here. Unicode keeps these code points apart, so the list is short
and lasts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Final
from unicodedata import category, combining, normalize

from sintra.table.games.refusals import RefusalError
from sintra.table.shown.messages import MAX_NAME_LENGTH

_SELECTORS: Final = (range(0x180B, 0x180E), range(0x180F, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""Variation selectors: they choose a form of the letter before them."""
_IGNORED: Final = (
    range(0xAD, 0xAE),
    range(0x34F, 0x350),
    range(0x61C, 0x61D),
    range(0x115F, 0x1161),
    range(0x17B4, 0x17B6),
    range(0x180B, 0x1810),
    range(0x200B, 0x2010),
    range(0x202A, 0x202F),
    range(0x2060, 0x2070),
    range(0x3164, 0x3165),
    range(0xFE00, 0xFE10),
    range(0xFEFF, 0xFF00),
    range(0xFFA0, 0xFFA1),
    range(0xFFF0, 0xFFF9),
    range(0x1BCA0, 0x1BCA4),
    range(0x1D173, 0x1D17B),
    range(0xE0000, 0xE1000),
)
_JOINERS: Final = "\u200c\u200d"
"""They part letters or join them: Persian, the scripts of India and many emoji are written with them."""
_BLANKS: Final = "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
"""Letters, marks and symbols that are not ignored, but drawn as nothing."""
_TONES: Final = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)
_JAMO: Final = range(0x1160, 0x1200)
"""Vowels and endings of Hangul syllables that are written letter by letter."""
_VIRAMA: Final = 9
"""The combining class of signs that join two consonants."""


def _is_in(letter: str, ranges: tuple[range, ...]) -> bool:
    return any(ord(letter) in one for one in ranges)


def clean_name(name: str) -> str:
    """A name without what cannot be seen and needless space. A mark, a joiner or a selector stays where it
    has a letter to stand on."""
    kept: list[str] = []
    for letter in name:
        last = kept[-1] if kept else " "
        if letter.isspace() or letter in _BLANKS:
            kept.append(" ")
        elif letter in _JOINERS:
            kept += [letter] if last != " " and last not in _JOINERS else []
        elif _is_in(letter, _SELECTORS):
            kept += [letter] if last != " " and last not in _JOINERS and not _is_in(last, _SELECTORS) else []
        elif category(letter)[0] == "M" and not _is_in(letter, _IGNORED):
            kept += [letter] if last != " " else []
        elif category(letter)[0] not in "CZM" and not _is_in(letter, _IGNORED):
            kept.append(letter)
    words = (word.strip(_JOINERS) for word in "".join(kept).split())
    cleaned = " ".join(word for word in words if word)
    if not cleaned or "<" in cleaned or ">" in cleaned:
        raise RefusalError(
            422, "bad_name", "A name needs at least one letter that can be seen, and must not contain < or >."
        )
    return cleaned


def other_name(name: str, taken: str) -> str:
    """The name, or one like it if the other player's looks the same."""
    other, number = name, 1
    while _look(other) == _look(taken):
        number += 1
        other = _shortened(name, MAX_NAME_LENGTH - len(f" {number}")) + f" {number}"
    return other


def _look(name: str) -> str:
    """What a name has in common with all that look like it: case, width and form of the letters do not
    count, nor does what is not seen."""
    seen = "".join(" " if letter in _BLANKS else letter for letter in name if not _is_in(letter, _IGNORED))
    folded = normalize("NFKC", normalize("NFD", seen).casefold())
    return " ".join(normalize("NFKC", folded.casefold()).split())


def _shortened(name: str, most: int) -> str:
    """The beginning of a name, cut between what readers take for letters."""
    ends = list(takewhile(lambda end: end <= most, _ends(name)))
    return name[: ends[-1] if ends else most].rstrip()


def _ends(name: str) -> Iterator[int]:
    """Where the letters of a name end, as readers see them: with their marks, in a joined emoji, a flag
    of two letters, a syllable."""
    flags = 0
    for k, letter in enumerate(name):
        if k and not _goes_on(name[k - 1], letter, flags):
            yield k
        flags = flags + 1 if ord(letter) in _FLAG_LETTERS else 0
    yield len(name)


def _goes_on(last: str, letter: str, flags: int) -> bool:
    if category(letter)[0] == "M" or letter in _JOINERS or last == _JOINERS[1]:
        return True
    if ord(letter) in _FLAG_LETTERS:
        return flags % 2 == 1
    if ord(letter) in _TONES or ord(letter) in _JAMO:
        return True
    return combining(last) == _VIRAMA and category(letter)[0] == "L"
