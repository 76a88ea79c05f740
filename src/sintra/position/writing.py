"""Writes a state as position text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from sintra.components import (
    CHIPS,
    COLOR_LETTERS,
    FACTORY_LETTERS,
    LARGE,
    LINES,
    NOTHING,
    PLATES,
    SLOTS,
    SPACE_LETTERS,
    SPECTATOR,
    letters_of,
    slot_name,
)
from sintra.position.plates_known import HIDDEN, hidden_word, knowledge_rows
from sintra.rules.state import ON_FACTORY, ChipState, Source, Stage, States, held
from sintra.tabletop.ruleset import Rules


def write_position(states: States) -> str:
    """The position of a state as text, hidden things included."""
    return joined_rows([*table_rows(states), *knowledge_rows(states)])


def joined_rows(rows: Sequence[tuple[str, str]]) -> str:
    """Keys and values as text, one a line."""
    return "\n".join(f"{key}: {value}" for key, value in rows) + "\n"


def table_rows(states: States, observer: int = SPECTATOR) -> list[tuple[str, str]]:
    """The keys and values for all that lies on the table; a plate that a view hides is written by what its observer
    knows of it."""
    s = held(states).lists()
    rules = Rules.read_from(states, 0)
    rows = [
        ("round", str(s["round_no"])),
        ("stage", Stage(s["stage"]).name.lower()),
        ("turn", str(s["turn"])),
        ("first", str(s["first"])),
        ("start tile", "factory" if s["start_tile"] == ON_FACTORY else str(s["start_tile"])),
        ("goals", " ".join(map(str, rules.goals))),
        ("options", " ".join(f"{name}={word}" for name, word in rules.words.items())),
        *[(f"factory {FACTORY_LETTERS[f]}", _factory_text(s, f)) for f in (LARGE, 0, 1, 2, 3)],
        ("bag", _counts_text(s["bag"])),
        ("tower", _counts_text(s["tower"])),
        ("display", _plates_text(s["display"])),
        ("hand", _pile_text(s, observer, 0, s["drawn"])),
        ("stack", _pile_text(s, observer, s["drawn"], s["pile_size"])),
        ("chips", " ".join(HIDDEN if face == NOTHING else CHIPS[face].face for face in s["chip_order"])),
    ]
    for seat in range(2):
        rows += _seat_rows(s, seat)
    if s["stage"] in (Stage.TILING, Stage.PAYING):
        pay = "-" if s["pay_line"] == NOTHING else f"{s['pay_line'] + 1}"
        rows.append(("tiling", f"next={s['walk'] + 1} pays={pay} paid={s['paid']}"))
    return rows


Fields: TypeAlias = dict[str, Any]
"""The fields of a state as numbers and lists."""


def _letters(counts: Sequence[int]) -> str:
    return letters_of(counts) or "-"


def _counts_text(counts: Sequence[int]) -> str:
    pairs = [f"{letter}{count}" for letter, count in zip(COLOR_LETTERS, counts, strict=True) if count]
    return " ".join(pairs) or "-"


def _plates_text(plates: Sequence[int]) -> str:
    return " ".join("-" if plate == NOTHING else PLATES[plate].name for plate in plates) or "-"


def _pile_text(s: Fields, observer: int, start: int, end: int) -> str:
    """The plates at some places of the pile; where a view does not know one, its kind or that it is hidden."""
    masks = s["could_be"][observer]
    plates = s["pile"]
    words = [hidden_word(masks[k]) if plates[k] == NOTHING else PLATES[plates[k]].name for k in range(start, end)]
    return " ".join(words) or "-"


def _chips_text(counts: Sequence[int]) -> str:
    return " ".join(CHIPS[face].face for face, n in enumerate(counts) for _ in range(n)) or "-"


def _factory_text(s: Fields, f: int) -> str:
    sun = _letters(s["sun"][f])
    if f == LARGE:
        return f"sun {sun} moon {_letters(s['moon'])}"
    moon = "".join(COLOR_LETTERS[tile] for tile in s["stack"][f][: s["stack_height"][f]]) or "-"
    return f"sun {sun} moon {moon} chip {ChipState(s['chip_state'][f]).name.lower()}"


def _seat_rows(s: Fields, seat: int) -> list[tuple[str, str]]:
    lines = []
    for line in range(LINES):
        size, color, placed = (s[name][seat][line] for name in ("line_size", "line_color", "line_placed"))
        lines.append(f"{COLOR_LETTERS[color]}{size}{'!' if placed else ''}" if color != NOTHING else "-")
    plates = [
        f"{slot_name(slot)}={PLATES[s['slot_plate'][seat][slot]].name}r{s['slot_turns'][seat][slot]}"
        for slot in range(SLOTS)
        if s["slot_plate"][seat][slot] != NOTHING
    ]
    dome = ["".join("." if tile == NOTHING else SPACE_LETTERS[tile] for tile in row) for row in s["dome"][seat]]
    points = [f"{source.name.lower()}={s['tally'][seat][source]}" for source in Source if s["tally"][seat][source]]
    return [
        (f"{seat} score", str(s["score"][seat])),
        (f"{seat} left", f"markers={s['markers_left'][seat]} chips={s['chips_left'][seat]}"),
        (f"{seat} lines", " ".join(lines)),
        (f"{seat} broken", _letters(s["broken"][seat])),
        (f"{seat} plates", " ".join(plates) or "-"),
        (f"{seat} dome", " ".join(dome)),
        (f"{seat} store", _chips_text(s["store"][seat])),
        (f"{seat} spent", _chips_text(s["spent"][seat])),
        (f"{seat} points", " ".join(points) or "-"),
    ]
