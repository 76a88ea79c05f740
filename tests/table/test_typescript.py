"""What the page knows is what the library knows: types, pieces, pictures and palette are written from it."""

from __future__ import annotations

import json
import os
import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec
import pytest

from helpers import some
from sintra.components import PLATES, Goal
from sintra.drawing.glyphs import NIGHT, TILE_COLOR
from sintra.table.codegen import art, typescript
from sintra.table.codegen.typescript import (
    WEB,
    components_module,
    generated_files,
    messages_module,
)
from sintra.table.shown import messages
from sintra.table.shown.schemas import message_types
from sintra.tabletop.ruleset import Rules


def constant(module: str, name: str) -> Any:
    """The value of a constant that a generated module exports."""
    found = re.search(rf"^export const {name}(?:: [^=]+)? = (.+?)(?: as const)?;$", module, re.MULTILINE)
    assert found is not None, name
    return json.loads(found[1])


def test_files_are_written_when_they_are_missing_or_out_of_date(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(typescript, "WEB", tmp_path)
    for folder in ("lib", "art"):
        (tmp_path / "src" / folder).mkdir(parents=True)
    expected = generated_files()
    typescript.main()
    assert {path: path.read_text("utf-8") for path in tmp_path.rglob("*.*")} == expected
    for path in expected:
        os.utime(path, (0, 0))
    (tmp_path / "src" / "lib" / "components.ts").write_text("old")
    typescript.main()
    assert {path: path.read_text("utf-8") for path in expected} == expected
    assert [path.name for path in expected if path.stat().st_mtime] == ["components.ts"]


def test_a_page_is_stale_when_what_it_takes_from_the_package_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build = page_builder()
    assert {str(path.relative_to(WEB)) for path in generated_files()} == set(build.GENERATED)
    source = "\n".join(path.read_text("utf-8") for path in some((build.PACKAGE / "table" / "codegen").glob("*.py")))
    for name in some(re.findall(r"^from sintra\.(\S+) import (\w+)", source, re.MULTILINE)):
        file = "/".join(name[0].split("."))
        paths = [f"{file}.py", f"{file}/{name[1]}.py", f"{file}/{name[1]}"]
        assert any(path.startswith(one) for path in paths for one in build.GENERATED_FROM), name
    monkeypatch.setattr(build, "PACKAGE", tmp_path)
    before = build.sources_hash()
    (tmp_path / "components.py").write_text("ROUNDS = 6")
    assert build.sources_hash() != before


def page_builder() -> Any:
    """The script that builds the page, as a module."""
    spec = spec_from_file_location("hatch_build", WEB.parent / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_message_is_there_with_its_optional_fields() -> None:
    text = messages_module()
    for one in message_types():
        assert f"export interface {one.__name__} {{" in text
    assert ' status: "cancelled" | "over" | "playing" | "waiting";' in text
    assert " options?: Options;" in text
    assert " start_tile: number | null;" in text
    assert " args?: Record<string, string | number>;" in text


def test_a_new_game_has_the_defaults_of_the_service() -> None:
    asked = constant(messages_module(), "NEW_GAME")
    plain = messages.NewGame(mode="screen", names=["Ann", "Ben"])
    assert msgspec.convert({"mode": "screen", "names": ["Ann", "Ben"], **asked}, messages.NewGame) == plain
    name = "x" * constant(messages_module(), "MAX_NAME_LENGTH")
    for wanted, fits in ((name, True), (name + "x", False)):
        try:
            msgspec.convert({"mode": "screen", "names": [wanted]}, messages.NewGame)
        except msgspec.ValidationError:
            assert not fits
        else:
            assert fits


def test_components_are_those_of_the_rules() -> None:
    text = components_module()
    assert constant(text, "BROKEN_PENALTIES") == [-1, -2, -3, -4]
    assert constant(text, "START_PENALTY") == -2
    assert constant(text, "PLATES") == {plate.name: plate.turned(0) for plate in PLATES}
    for tile in constant(text, "GOAL_TILES"):
        one, other = map(Goal.from_name, tile)
        assert one.other_side is other
    assert [goal for tile in constant(text, "GOAL_TILES") for goal in tile] == constant(text, "GOALS")
    for count in constant(text, "GOAL_COUNTS"):
        Rules(goals=tuple(Goal.from_name(tile[0]) for tile in constant(text, "GOAL_TILES")[:count]))


def test_spaces_lie_where_a_plate_puts_them() -> None:
    """R1.7: nine slots cover the grid; a face reads from the top left to the bottom right."""
    slots = constant(components_module(), "SLOTS")
    assert [slot["name"] for slot in slots] == [f"{row}{column}" for row in "123" for column in "123"]
    spaces = [(space["row"], space["column"]) for slot in slots for space in slot["spaces"]]
    assert sorted(spaces) == [(row, column) for row in range(1, 7) for column in range(1, 7)]
    middle = [(space["row"], space["column"]) for space in slots[5]["spaces"]]
    assert middle == [(3, 5), (3, 6), (4, 5), (4, 6)]


def test_the_palette_is_that_of_the_pictures() -> None:
    palette = art.palette()
    assert f"--night: {NIGHT};" in palette
    assert f"--tile-B: {TILE_COLOR['B']};" in palette
    for page in ("index.html", "public/manifest.webmanifest"):
        assert set(re.findall(r"#[0-9a-f]{6}", (WEB / page).read_text("utf-8"))) == {NIGHT}
