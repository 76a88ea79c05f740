"""The page's texts: every language complete, with the same places to fill in, and one for all that is said.

The plural forms that a language needs are checked by the page's own tests, which know them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from helpers import some
from sintra.components import Goal
from sintra.errors import ENGLISH, Fault
from sintra.rules.state import Stage
from sintra.table.base.opponents import OPPONENTS
from sintra.table.games.log import AnyEvent, Moved
from table.catalogues import LANGUAGES, catalogue, texts

ROOT: Final = Path(__file__).parents[2]
WEB: Final = ROOT / "web" / "src"
SERVICE: Final = ROOT / "src" / "sintra" / "table"
EQUAL_BY_NATURE: Final = re.compile(r"^(\{\w+\}|[\W\d_])*$|^Sintra$")

parts = pytest.mark.parametrize("part", ["page", "rules", "lesson"])
others = pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])


def forms(text: Any) -> dict[str, str]:
    """A text as its plural forms; a plain one has a single form."""
    return text if isinstance(text, dict) else {"other": text}


def plural_forms(language: str) -> set[str]:
    """The forms that a language's texts have, by its first one that has any."""
    return set(next(text for text in texts(language).values() if isinstance(text, dict)))


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def sources() -> str:
    files = [*WEB.rglob("*.svelte"), *WEB.rglob("*.ts")]
    return "\n".join(path.read_text("utf-8") for path in sorted(files))


@parts
@others
def test_languages_have_the_same_keys(part: str, language: str) -> None:
    assert texts(language, part).keys() == texts("en", part).keys()


@parts
@others
def test_texts_have_the_same_places(part: str, language: str) -> None:
    for key, text in some(texts(language, part).items()):
        wanted = set().union(*map(places, forms(texts("en", part)[key]).values()))
        for form, words in forms(text).items():
            may_drop = {"count"} if form == "one" else set()
            assert wanted - may_drop <= places(words) | may_drop, (key, form)
            assert places(words) <= wanted | {"count"}, (key, form)


@parts
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_its_forms_and_words(part: str, language: str) -> None:
    for key, text in some(texts(language, part).items()):
        if isinstance(text, dict):
            assert set(text) == plural_forms(language), key
        assert all(words.strip() for words in forms(text).values()), key


@parts
@others
def test_texts_are_translated(part: str, language: str) -> None:
    english = texts("en", part)
    same = [
        key
        for key, text in texts(language, part).items()
        if text == english[key] and not EQUAL_BY_NATURE.match(str(text))
    ]
    assert set(same) <= set(catalogue(language)["as_in_english"])


@others
def test_only_what_is_as_in_english_is_said_to_be(language: str) -> None:
    parts = ("page", "rules", "lesson")
    both = [texts(language, part) for part in parts], [texts("en", part) for part in parts]
    for key in some(catalogue(language)["as_in_english"]):
        assert any(own.get(key) == english.get(key) is not None for own, english in zip(*both, strict=True)), key


def test_every_text_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"""\bt\(\s*["']([a-z_]+\.[A-Za-z0-9_.*]+)["']""", sources()))
    named |= set(re.findall(r"""key=["']([a-z_]+\.[a-z_.]+)["']""", sources()))
    for first, second in re.findall(r"""\bt\([^()"]*\? "([\w.]+)" : "([\w.]+)\"""", sources()):
        named |= {first, second}
    assert len(named) > 150
    assert named <= texts("en").keys()


def test_every_family_of_texts_is_whole() -> None:
    keys = texts("en").keys()
    wanted = {f"opponent.{player}{more}" for player in OPPONENTS for more in ("", ".expect")}
    wanted |= {f"goal.{goal}{more}" for goal in Goal for more in ("", ".how")}
    wanted |= {f"slot.{row}{column}" for row in "123" for column in "123"}
    wanted |= {f"color.{letter}" for letter in "BYRKT*"} | {f"space.{letter}" for letter in "BYRKT*W"}
    asked = (Stage.OPENING, Stage.TURN, Stage.DRAWING, Stage.KEEPING, Stage.RETURNING, Stage.TILING, Stage.PAYING)
    wanted |= {f"ask.{stage.name.lower()}" for stage in asked}
    cards = re.findall(r'\bname: "(\w+)"', (WEB / "table" / "Tour.svelte").read_text("utf-8"))
    wanted |= {f"tour.{card}{more}" for card in cards for more in ("", ".title")}
    assert len(cards) > 10
    explained = set(re.findall(r'data-explain="(\w+)"', sources()))
    explained |= set(re.findall(r'\["(\w+)", "[^"]*"\],', (WEB / "table" / "Help.svelte").read_text("utf-8")))
    assert len(explained) > 10
    wanted |= {f"explain.{part}" for part in explained | {"wild", "special", "bag", "tower"}}
    assert wanted <= keys


def test_every_rule_that_the_page_names_is_there() -> None:
    keys = texts("en", "rules").keys()
    page = (WEB / "screens" / "RulesScreen.svelte").read_text("utf-8")
    for name, paragraphs in re.findall(r'name: "(\w+)", paragraphs: (\d)', page):
        assert {f"{name}.title", *(f"{name}.{k + 1}" for k in range(int(paragraphs)))} <= keys
    assert {f"figure.{name}" for name in re.findall(r'figure: "(\w+)"', page)} <= keys
    assert {f"goal.{goal}" for goal in Goal} <= keys
    figures = "\n".join(path.read_text("utf-8") for path in (WEB / "rules").glob("*.svelte"))
    assert {f"picture.{name}" for name in re.findall(r'picture="(\w+)"', figures)} <= keys
    named = [re.findall(r'"(\w+)"', parts) for parts in re.findall(r"const parts = \[([^]]*)\]", figures)]
    assert len(named) == 2
    assert {f"part.{part}" for parts in named for part in parts} <= keys
    steps = re.search(r"const steps = \[([^]]*)\]", figures)
    assert steps is not None
    assert {f"way.{k + 1}" for k in range(len(steps[1].split(",")))} <= keys


def test_whatever_the_service_says_has_a_text() -> None:
    service = "\n".join(path.read_text("utf-8") for path in SERVICE.rglob("*.py"))
    keys = texts("en").keys()
    told = set(re.findall(r'"(log\.[a-z_]+)"', service))
    advised = {f"log.{verb}" for verb in re.findall(r'return "log\.([a-z_]+)"', service)} - {"log.return"}
    assert len(advised) > 8
    assert {key.replace("log.", "hint.do.") for key in advised} <= keys
    told |= {f"log.{event.__struct_config__.tag}" for event in get_args(AnyEvent) if event is not Moved}
    refused = set(re.findall(r'(?:RefusalError\(\s*\d+|_not_now\(room),\s*"([a-z_]+)"', service))
    assert len(told) > 10
    assert len(refused) > 20
    assert told <= keys
    assert {f"problem.{code}" for code in refused} <= keys


def test_every_fault_of_a_text_has_words() -> None:
    told = {key for key in texts("en") if key.startswith("wrong.")}
    assert told == {f"wrong.{Fault(code).kind}" for code in ENGLISH} | {"wrong.other"}


@parts
@pytest.mark.parametrize("language", LANGUAGES)
def test_minus_signs_are_no_hyphens(part: str, language: str) -> None:
    for key, text in some(texts(language, part).items()):
        for words in some(forms(text).values()):
            assert not re.search(r"(^|[^\w-])-[\d{]", words), key
