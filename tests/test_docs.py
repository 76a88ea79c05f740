"""The README and the pages of `docs`: their examples run, their links lead somewhere, their facts are the engine's."""

from __future__ import annotations

import dataclasses
import doctest
import re
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

import sintra
from helpers import some
from sintra import CHIPS, PLATES, Game, Goal, Move
from sintra.cli import main
from sintra.players import base
from sintra.players.levels import LEVELS
from sintra.rules import choices
from sintra.tabletop.moves import kinds
from table.catalogues import texts
from table.local_table import LocalTable

ROOT: Final = Path(__file__).parent.parent
PAGES: Final = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGE_IDS: Final = [page.name for page in PAGES]

every_page = pytest.mark.parametrize("page", PAGES, ids=PAGE_IDS)


def links(page: Path) -> list[str]:
    """The targets of a page's links and images, without those that leave the project."""
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
    return [target for target in targets if not re.match(r"[a-z]+:", target)]


def anchors(page: Path) -> set[str]:
    """The names by which a page's headings can be linked."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def rule_numbers(text: str) -> set[str]:
    """The rules that a text cites."""
    return set(re.findall(r"\bR[1-8](?:\.\d+)?\b", text))


@every_page
def test_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_registry", dict(base._registry))
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(page), module_relative=False, optionflags=flags, encoding="utf-8")
    assert result.failed == 0


def test_the_pages_for_builders_have_examples() -> None:
    for page in (ROOT / "README.md", ROOT / "docs" / "library.md", ROOT / "docs" / "records.md"):
        assert ">>> " in page.read_text("utf-8"), page.name


@every_page
def test_links_and_images_lead_somewhere(page: Path) -> None:
    for target in some(links(page)):
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.is_file(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(there), f"{page.name} links to {target}"


def test_index_names_every_page() -> None:
    named = set(links(ROOT / "docs" / "index.md"))
    assert {page.name for page in PAGES[1:] if page.name != "index.md"} <= named


def test_pictures_are_well_formed() -> None:
    pictures = sorted((ROOT / "docs" / "images").glob("*.svg"))
    assert pictures
    for picture in pictures:
        assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_notebooks_show_the_picture() -> None:
    game = Game.new(seed=1)
    assert game._repr_svg_() == game.svg()
    assert game.view(0)._repr_svg_() == game.view(0).svg()
    assert game.svg() != game.view(0).svg()


def test_every_rule_that_the_code_cites_can_be_looked_up() -> None:
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    explained = set(re.findall(r"^(?:## |\*\*)(R[1-8](?:\.\d+)?)\b", text, re.MULTILINE))
    for source in some(sorted((ROOT / "src").rglob("*.py"))):
        missing = rule_numbers(source.read_text("utf-8")) - explained
        assert not missing, f"{source.name} cites {sorted(missing)}"


def test_every_reading_is_in_the_list_of_readings() -> None:
    text, _, listed = (ROOT / "docs" / "rules.md").read_text("utf-8").partition("## All readings")
    rules = re.split(r"^(?=\*\*R[1-8])", text.partition("## R1")[2], flags=re.MULTILINE)
    marked = [rule.partition(" ")[0].strip("*.") for rule in rules if "**[reading]**" in rule]
    assert marked == re.findall(r"^\| (R\S+) \|", listed, re.MULTILINE)


def test_plates_chips_and_goals_of_the_rules_are_those_of_the_game() -> None:
    text = (ROOT / "docs" / "rules.md").read_text("utf-8")
    plates = re.findall(r"\| (\d\d) \| `(\S) (\S) / (\S) (\S)`", text)
    assert {name: "".join(spaces) for name, *spaces in plates} == {plate.name: plate.printed for plate in PLATES}
    chips = text.partition("**R1.5")[2].partition("**R1.6")[0]
    assert re.findall(r"`(\S\S)`", chips) == [chip.face for chip in CHIPS]
    goals = text.partition("**R6.1")[2].partition("**R6.2")[0]
    assert re.findall(r"^\| `(\w+)` \|", goals, re.MULTILINE) == [str(goal) for goal in Goal]


def test_choices_of_the_architecture_are_those_of_the_engine() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    assert f"one number below `CHOICES`, {choices.CHOICES}:" in text
    table = text.partition("| from | how many | meaning |")[2].partition("\n\n")[0]
    cells = re.findall(r"^\| (`[A-Z].*?) \|", table, re.MULTILINE)
    values = [getattr(choices, name) for name in re.findall(r"[A-Z]+", " ".join(cells))]
    assert values == sorted(values)
    assert values[0] == 0
    assert values[-1] == choices.CHOICES - 1


def rows_under(heading: str) -> dict[str, str]:
    """The rows of a table of the architecture, given by its first line."""
    table = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition(heading)[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| (.+?) \| (.+) \|$", table, re.MULTILINE))


def test_the_architecture_names_every_module() -> None:
    layers, rooms = rows_under("| layer | what it is |"), rows_under("| room | what is in it |")
    package = ROOT / "src" / "sintra"
    for path in some(sorted(package.rglob("*.py"))):
        *folders, file = path.relative_to(package).parts
        if not folders:
            assert path.stem in ("__init__", "__main__") or f"`{file}`" in layers, f"{file} is not among the layers"
            continue
        rows = layers
        if folders[0] == "table" and len(folders) > 1:
            rows, folders = rooms, folders[1:]
        row = rows[f"`{folders[0]}/`"]
        for name in (*(f"`{folder}/`" for folder in folders[1:]), f"`{path.stem}`"):
            assert name in row or name == "`__init__`", f"{path.relative_to(package)} is not named among the layers"


def test_the_library_page_describes_all_that_is_public() -> None:
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    table = page.partition("## All that is public")[2]
    named = [name for row in re.findall(r"^\| (`.+) \|$", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == sorted(sintra.__all__)
    assert all(hasattr(sintra, name) for name in named)


def test_the_library_page_names_every_kind_of_move() -> None:
    page = (ROOT / "docs" / "library.md").read_text("utf-8")
    rows = re.findall(
        r"^\| `(\w+)` \| `(.+?)` \| (.*)\|$", page.partition("| kind | token | fields |")[2], re.MULTILINE
    )
    told = {name: (token, re.findall(r"`(\w+)`", text)) for name, token, text in rows}
    assert set(told) == {kind.__name__ for kind in kinds()}
    for kind in kinds():
        token, words = told[kind.__name__]
        assert type(Move.parse(token)) is kind
        assert {one.name for one in dataclasses.fields(kind)} <= set(words)  # type: ignore[arg-type]


def test_levels_of_the_opponents_page_are_those_that_play() -> None:
    text = (ROOT / "docs" / "opponents.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d+) ([A-Z][a-z ]+) \| (.*) \| ([\d,]+).* \| (\d+) \|$", text, re.MULTILINE)
    told = [(int(number), name, int(sims.replace(",", "")), int(elo)) for number, name, _, sims, elo in rows]
    assert told == [(level.number, level.name, level.sims, level.elo) for level in LEVELS]
    shown = [texts("en")[f"opponent.level:n={level.number}.expect"] for level in LEVELS]
    assert [expect for _, _, expect, _, _ in rows] == shown
    assert f"`level:n=1` … `level:n={len(LEVELS)}`" in text


def test_command_line_page_has_every_command_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    commands = re.findall(r"^    ([a-z]+) ", help_of(capsys), re.MULTILINE)
    assert sorted(re.findall(r"^## ([a-z]+)$", text, re.MULTILINE)) == sorted(commands)
    for command in commands:
        section = text.partition(f"\n## {command}\n")[2].partition("\n## ")[0]
        for option in set(re.findall(r"--[a-z-]+", help_of(capsys, command))) - {"--help"}:
            assert f"`{option}" in section, f"{command} {option}"


def help_of(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """What `--help` prints."""
    with pytest.raises(SystemExit):
        main([*command, "--help"])
    return capsys.readouterr().out


_NAMED: Final = re.compile(r"\b(GET|POST)\s+((?:/api|…)/[\w.…/-]*)")
_BY_NAME: Final = re.compile(r"/(games|reviews|puzzles|replay|positions)/[^/]+")


def test_the_service_page_names_every_endpoint_and_no_other() -> None:
    """`…` at the beginning is a game, and what has a name stands for all of its kind."""
    with LocalTable() as local:
        there = {(one.method, re.sub("{\\w+}", "NAME", one.path)) for one in local.web.endpoints}
    page = (ROOT / "docs" / "service.md").read_text("utf-8")
    named = {
        (method, _BY_NAME.sub(r"/\1/NAME", re.sub("^…", "/api/games/NAME", path)))
        for method, path in _NAMED.findall(page)
    }
    assert named == there
