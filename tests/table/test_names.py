"""Names: everything that people are called in any script, nothing that cannot be seen, no two that look the same."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import soak
from sintra.table.games.refusals import RefusalError
from sintra.table.service.names import clean_name, other_name
from sintra.table.shown.messages import MAX_NAME_LENGTH
from table.local_table import LocalTable, shown

IGNORED = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180b\u180e\u200b\u200c\u200d\u200e\u2060\u2064\u3164\ufe0f\ufeff\uffa0"
IGNORED += "\U0001bca0\U0001d173\U000e0041\U000e0100"
BLANK = "\u2800\U0001d159\U00016fe4\u00a0\u3000\u2003\u1680\t"
MARKS = "\u0301\u20dd\u0903\u05b8"
FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
NAMES = {
    "Latin": "Zoë O\u2019Brien-Łuć",
    "Latin, written apart": unicodedata.normalize("NFD", "Zoë Émile"),
    "Devanagari": "क्षत्रिय श्री",
    "Bengali, with a joiner": "র‍্যাব",
    "Sinhala, with a joiner": "ශ්‍රී",
    "Persian, with a non-joiner": "علی‌رضا",
    "Hebrew, with points": "שָׂרָה",
    "Thai": "น้ำฝน",
    "Hangul": "김민준",
    "Hangul, letter by letter": unicodedata.normalize("NFD", "김민준"),
    "Han, with a variant": "葛\U000e0100城",
    "emoji": "❤️‍🔥 " + FAMILY,
    "emoji with a tone": "👩🏽‍🚀",
    "keycap": "1️⃣",
    "flag": "🇵🇹🇧🇷",
    "a sign": "?!",
}
everything = st.text(st.characters(codec="utf-8") | st.sampled_from(IGNORED + BLANK + MARKS), max_size=MAX_NAME_LENGTH)


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES.keys())
def test_names_of_any_script_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == name
    assert other_name(name, "Ana") == name


@pytest.mark.parametrize("kind", [IGNORED, BLANK, MARKS], ids=["ignored", "blank", "marks"])
def test_what_cannot_be_seen_is_no_name(kind: str) -> None:
    for letter in kind:
        for name in (letter, letter * 3, f" {letter} ", f"\u200d{letter}\ufe0f"):
            with pytest.raises(RefusalError, match="can be seen"):
                clean_name(name)
    with pytest.raises(RefusalError, match="can be seen"):
        clean_name(kind)


@pytest.mark.soak
def test_no_letter_alone_is_an_invisible_name() -> None:
    """All of Unicode (in the short form its first plane and that of the tags), by what its own names say of letters
    that are not drawn; gap fillers are."""
    hidden = re.compile(r"(?<!GAP )(?<!LINE )FILLER|SELECTOR|ZERO WIDTH|INVISIBLE|JOINER|NULL NOTE|PATTERN BLANK|^TAG ")
    seen = 0
    letters = soak.pick((*range(0x10000), *range(0xE0000, 0xE1000)), range(sys.maxunicode + 1))
    for letter in map(chr, letters):
        try:
            cleaned = clean_name(letter)
        except RefusalError:
            continue
        assert cleaned == letter
        assert unicodedata.category(letter)[0] in "LNPS"
        assert not hidden.search(unicodedata.name(letter, "")), hex(ord(letter))
        seen += 1
    assert seen > soak.pick(50_000, 100_000)


@pytest.mark.parametrize(
    ("given_name", "expected"),
    [
        ("  Ana \u3000 Sofia\u00a0", "Ana Sofia"),
        ("Ana\tSofia", "Ana Sofia"),
        ("\u202eAna\u202c", "Ana"),
        ("\u0301Ana \u0301\u200dB", "Ana B"),
        ("A\u200d\u200dna\u200d B\u200d", "A\u200dna B"),
        ("\ufe0fA\ufe0f\ufe0fna", "A\ufe0fna"),
        ("A\u2800na\u115f", "A na"),
    ],
)
def test_names_are_cleaned(given_name: str, expected: str) -> None:
    assert clean_name(given_name) == expected


@pytest.mark.parametrize("letter", IGNORED + "\u0020\u2800")
def test_what_is_not_seen_makes_no_other_name(letter: str) -> None:
    for second in (f"Ana{letter}", f"A{letter}na", f"{letter}ANA"):
        named = clean_name(second) if letter not in " \u2800" else clean_name(f"Ana{letter}")
        assert other_name(named, "Ana") == f"{named} 2"


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("ana", "ANA"),
        ("\uff21\uff4e\uff41", "Ana"),
        (unicodedata.normalize("NFD", "Zoë"), "Zoë"),
        ("STRASSE", "Straße"),
        ("ﬁn", "Fin"),
        ("ΑΝΝΑΣ", "αννας"),
        ("❤️", "❤"),
        ("علی‌رضا", "علیرضا"),
    ],
)
def test_names_that_look_the_same_are_the_same(name: str, taken: str) -> None:
    assert other_name(name, taken) == f"{name} 2"
    assert other_name(taken, name) == f"{taken} 2"


def test_names_that_look_different_stay_apart() -> None:
    for name, taken in (("Ana", "Aná"), ("Ana B", "AnaB"), ("שרה", "שָׂרָה"), ("👩🏽", "👩🏿"), (FAMILY, "👩👩")):
        assert other_name(name, taken) == name


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("a" * 24, "a" * 22),
        ("a" * 20 + "e\u0301\u0302b", "a" * 20),
        ("a" * 21 + "👩🏽b", "a" * 21),
        ("a" * 19 + FAMILY, "a" * 19),
        ("a" * 21 + "🇵🇹b", "a" * 21),
        ("🇵🇹" * 12, "🇵🇹" * 11),
        ("a" * 21 + "क्ष", "a" * 21),
        ("a" * 20 + unicodedata.normalize("NFD", "김b"), "a" * 20),
        ("a" * 21 + " bc", "a" * 21),
        ("a" + "\u0301" * 23, "a" + "\u0301" * 21),
    ],
)
def test_a_longer_name_is_cut_between_letters(name: str, kept: str) -> None:
    assert len(name) <= MAX_NAME_LENGTH
    assert other_name(name, name) == f"{kept} 2"


def test_a_name_that_ends_in_a_number_is_told_apart_too() -> None:
    taken = "a" * 22 + " 2"
    assert other_name(taken, taken) == "a" * 22 + " 3"
    assert other_name("Ana 2", "Ana 2") == "Ana 2 2"


@given(everything, everything)
def test_any_two_names(first: str, second: str) -> None:
    """A cleaned name is clean, and the other is another and no longer than may be."""
    names = []
    for name in (first, second):
        try:
            names.append(clean_name(name))
        except RefusalError:
            return
    assert [clean_name(name) for name in names] == names
    other = other_name(names[1], names[0])
    assert clean_name(other) == other
    assert len(other) <= MAX_NAME_LENGTH
    assert other_name(other, names[0]) == other


def test_names_at_the_table(local: LocalTable) -> None:
    ann, ben = local.person(), local.person()
    for name in ("\u3164", "\u2800", "\u115f\u1160", "\uffa0", "\u0301"):
        assert ann.refused("POST", "/games", {"mode": "friend", "names": [name]}) == (422, "bad_name")
        body = {"mode": "screen", "names": ["Ana", name]}
        assert ann.refused("POST", "/games", body) == (422, "bad_name")
    made = ann.create("friend", names=["Ana"])
    enter = f"/games/{made['game']}/enter"
    assert ben.refused("POST", enter, {"secret": made["links"]["friend"], "name": "\u3164"}) == (422, "bad_name")
    ben.post(enter, {"secret": made["links"]["friend"], "name": "Ana\ufe00"})
    assert shown(ben, made["game"]).players[1].name == "Ana\ufe00 2"
