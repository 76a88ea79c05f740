"""A position without history as text that can be read, written and edited: what FEN is to chess.

One `key: value` a line (or `;` between them); `#` begins a comment. Reading, every key may be
left out: boards and factories are then empty, tiles not named go to the bag (or to the tower, if
the bag is given), plates not named form the stack, chips not named lie in the rounds to come.

    round: 2
    turn: 0
    factory 1: sun BYRK moon - chip down
    display: 07 12 03
    0 lines: - B2 - K1 - -
    0 plates: 11=07r1 22=04r0
    0 dome: K..... ...... ...... ...... ...... ......
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

import numpy as np

from sintra.components import (
    ALL_PLATES,
    BROKEN_PLACES,
    CHIP_COPIES,
    CHIP_COUNT,
    CHIPS,
    CHIPS_PER_ROUND,
    COLOR_LETTERS,
    DISPLAY,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    LARGE_FILL,
    LINES,
    MARKERS,
    NOTHING,
    OBSERVERS,
    PILE_PLACES,
    PLATE_COUNT,
    PLATE_IS_SPECIAL,
    PLATE_ROUNDS,
    PLATE_SPACE,
    PLATES,
    ROUNDS,
    SEATS,
    SLOTS,
    SLOTS_ACROSS,
    SMALL_FACTORIES,
    SMALL_FILL,
    SPACE_LETTERS,
    SPECIAL,
    SPECIAL_PLATES,
    START_SCORE,
    TILES,
    TILES_PER_COLOR,
    WILD,
    Color,
    chip_index,
    letters_of,
    plate_index,
    plates_in,
    slot_index,
    slot_name,
)
from sintra.errors import PositionError, SintraError
from sintra.rules import engine
from sintra.rules.choices import MOST_CHOICES
from sintra.rules.state import (
    COUNT_BITS,
    DOWN,
    GONE,
    MIXES,
    ON_FACTORY,
    UP,
    Source,
    Stage,
    States,
    copied,
    empty_states,
)
from sintra.ruleset import Rules, parse_goals

_STAGES: Final = (
    Stage.DEALING,
    Stage.OPENING,
    Stage.TURN,
    Stage.DRAWING,
    Stage.KEEPING,
    Stage.RETURNING,
    Stage.TILING,
    Stage.PAYING,
    Stage.OVER,
)
_CHIP_STATES: Final = {"gone": GONE, "down": DOWN, "up": UP}
_OBSERVER_NAMES: Final = ("0", "1", "spectator")
_KIND_LETTERS: Final = "W*"
_WAYS: Final = {"drawn_again": "-", "came_out": ">"}
"""How the ways of plates between mixes are written: `W1-2=3` were drawn again, `W1>2=1` came out."""
_UNKNOWN: Final = {"?": ALL_PLATES, "*": SPECIAL_PLATES, "W": ALL_PLATES & ~SPECIAL_PLATES}


def write_position(states: States) -> str:
    """The position of a state as text, hidden things included."""
    s = states[0]
    rules = Rules.read_from(states, 0)
    rows = [
        ("round", str(s["round_no"])),
        ("stage", Stage(s["stage"]).name.lower()),
        ("turn", str(s["seat"])),
        ("first", str(s["first"])),
        ("start tile", "factory" if s["start_tile"] == ON_FACTORY else str(s["start_tile"])),
        ("goals", " ".join(map(str, rules.goals))),
        ("options", f"draw_at_zero={rules.draw_at_zero} special_is_color={str(rules.special_is_color).lower()}"),
        *[(f"factory {FACTORY_LETTERS[f]}", _factory_text(s, f)) for f in (LARGE, 0, 1, 2, 3)],
        ("bag", _counts_text(s["bag"])),
        ("tower", _counts_text(s["tower"])),
        ("display", _plates_text(s["display"])),
        ("hand", _plates_text(s["pile"][: s["drawn"]])),
        ("stack", _plates_text(s["pile"][s["drawn"] : s["pile_size"]])),
        ("chips", " ".join(CHIPS[face].face for face in s["chip_order"].tolist())),
    ]
    for seat in range(2):
        rows += _seat_rows(s, seat)
    if s["stage"] in (Stage.TILING, Stage.PAYING):
        pay = "-" if s["pay_line"] == NOTHING else f"{s['pay_line'] + 1}"
        rows.append(("tiling", f"next={s['walk'] + 1} pays={pay} paid={s['paid']}"))
    rows += _knowledge_rows(states)
    return "\n".join(f"{key}: {value}" for key, value in rows) + "\n"


def _letters(counts: np.ndarray) -> str:
    return letters_of(counts.tolist()) or "-"


def _counts_text(counts: np.ndarray) -> str:
    pairs = [f"{letter}{count}" for letter, count in zip(COLOR_LETTERS, counts.tolist(), strict=True) if count]
    return " ".join(pairs) or "-"


def _plates_text(plates: np.ndarray) -> str:
    return " ".join("-" if plate == NOTHING else PLATES[plate].name for plate in plates.tolist()) or "-"


def _chips_text(counts: np.ndarray) -> str:
    return " ".join(CHIPS[face].face for face, n in enumerate(counts.tolist()) for _ in range(n)) or "-"


def _factory_text(s: np.void, f: int) -> str:
    sun = _letters(s["sun"][f])
    if f == LARGE:
        return f"sun {sun} moon {_letters(s['moon'])}"
    moon = "".join(COLOR_LETTERS[tile] for tile in s["stack"][f, : s["stack_height"][f]].tolist()) or "-"
    return f"sun {sun} moon {moon} chip {('gone', 'down', 'up')[s['chip_state'][f]]}"


def _seat_rows(s: np.void, seat: int) -> list[tuple[str, str]]:
    lines = []
    for line in range(LINES):
        size, color, placed = (int(s[name][seat, line]) for name in ("line_size", "line_color", "line_placed"))
        lines.append(f"{COLOR_LETTERS[color]}{size}{'!' if placed else ''}" if color != NOTHING else "-")
    plates = [
        f"{slot_name(slot)}={PLATES[s['slot_plate'][seat, slot]].name}r{s['slot_turns'][seat, slot]}"
        for slot in range(SLOTS)
        if s["slot_plate"][seat, slot] != NOTHING
    ]
    dome = [
        "".join("." if tile == NOTHING else SPACE_LETTERS[tile] for tile in row) for row in s["dome"][seat].tolist()
    ]
    points = [f"{source.name.lower()}={s['tally'][seat, source]}" for source in Source if s["tally"][seat, source]]
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


def _knowledge_rows(states: States) -> list[tuple[str, str]]:
    """What observers know of the pile, where that is more than the plain minimum."""
    plain = copied(states)
    _forget(plain)
    size = int(states["pile_size"][0])
    rows = []
    if (states["returned_in"][0, :size] != NOTHING).any():
        rows.append(("returned", " ".join(map(_mix_text, states["returned_in"][0, :size].tolist()))))
    for observer, name in enumerate(_OBSERVER_NAMES):
        masks = states["could_be"][0, observer].tolist()[: states["pile_size"][0]]
        if masks != plain["could_be"][0, observer].tolist()[: states["pile_size"][0]]:
            rows.append((f"{name} knows", " ".join("|".join(_members(mask)) for mask in masks)))
    for seat in range(2):
        if states["looked_at"][0, seat] != plain["looked_at"][0, seat]:
            rows.append((f"{seat} looked", " ".join(_members(int(states["looked_at"][0, seat])))))
        if words := _recall_words(states[0], seat):
            rows.append((f"{seat} recalls", " ".join(words)))
    return rows


def _mix_text(returned_in: int) -> str:
    """Who returned a plate, and which of its eight mixes that was, from 1."""
    return "-" if returned_in == NOTHING else f"{returned_in // MIXES}.{returned_in % MIXES + 1}"


def _recall_words(s: np.void, seat: int) -> list[str]:
    """What a seat remembers of the other's mixes: plates that went in, and ways between mixes."""
    words = [f"{plate.name}>{s['went_in'][seat, plate.index] + 1}" for plate in PLATES]
    words = [word for word in words if not word.endswith(">0")]
    for name, sign in _WAYS.items():
        for kind, letter in enumerate(_KIND_LETTERS):
            for i, counts in enumerate(s[name][seat, kind].tolist()):
                for j in range(i + 1, MIXES):
                    if n := counts >> COUNT_BITS * j & (1 << COUNT_BITS) - 1:
                        words.append(f"{letter}{i + 1}{sign}{j + 1}={n}")
    return words


def _members(mask: int) -> list[str]:
    return [plate.name for plate in plates_in(mask)]


def _forget(states: States) -> None:
    """Gives every observer the least it can know: what lies open, the kinds of the top and of plates
    that were returned, its own hand, and the plates that it returned itself."""
    s = states[0]
    pile = s["pile"][: s["pile_size"]].tolist()
    unseen = sum(1 << plate for plate in pile)
    s["could_be"][:] = 0
    s["looked_at"][:] = 0
    looking = s["stage"] in (Stage.KEEPING, Stage.RETURNING)
    for observer in range(OBSERVERS):
        own = [
            (looking and observer == s["seat"] and place < s["drawn"])
            or (s["returned_in"][place] != NOTHING and s["returned_in"][place] // MIXES == observer)
            for place in range(len(pile))
        ]
        seen = sum(1 << plate for plate, is_own in zip(pile, own, strict=True) if is_own)
        if observer < SEATS:
            s["looked_at"][observer] = seen
        for place, plate in enumerate(pile):
            mask = 1 << plate if own[place] else unseen & ~seen
            if place <= s["drawn"] or s["returned_in"][place] != NOTHING:
                mask &= SPECIAL_PLATES if PLATE_IS_SPECIAL[plate] else ALL_PLATES & ~SPECIAL_PLATES
            s["could_be"][observer, place] = mask


class _Reader:
    """Reads one position text into a state."""

    def __init__(self, text: str) -> None:
        self.values: dict[str, tuple[int, str]] = {}
        for number, line in enumerate(text.splitlines(), start=1):
            for part in line.split("#")[0].split(";"):
                if not part.strip():
                    continue
                key, colon, value = part.partition(":")
                key = " ".join(key.split())
                if not colon:
                    raise PositionError(f"line {number}: {part.strip()!r} lacks a colon: write `key: value`")
                if not _KEY.fullmatch(key):
                    raise PositionError(f"line {number}: unknown key {key!r}")
                if key in self.values:
                    raise PositionError(f"line {number}: {key!r} stands here twice")
                self.values[key] = number, value.strip()
        self.states = empty_states()
        self.s = self.states[0]

    def fault(self, key: str, reason: str) -> PositionError:
        number = self.values[key][0] if key in self.values else None
        return PositionError(f"line {number}, {key}: {reason}" if number else f"{key}: {reason}")

    def get(self, key: str, default: str = "-") -> str:
        return self.values[key][1] if key in self.values else default

    def words(self, key: str, default: str = "-") -> list[str]:
        value = self.get(key, default)
        return [] if value == "-" else value.split()

    def number(self, key: str, text: str, low: int, high: int) -> int:
        if re.fullmatch(r"-?[0-9]{1,6}", text) and low <= int(text) <= high:
            return int(text)
        raise self.fault(key, f"{text!r} must be a number from {low} to {high}")

    def one_of(self, key: str, text: str, allowed: Iterable[str]) -> str:
        choices = list(allowed)
        if text not in choices:
            raise self.fault(key, f"{text!r} must be one of {', '.join(choices)}")
        return text

    def settings(self, key: str, names: tuple[str, ...]) -> dict[str, str]:
        found = {}
        for word in self.words(key):
            name, equals, value = word.partition("=")
            self.one_of(key, name, names)
            if not equals:
                raise self.fault(key, f"{word!r} should read {name}=...")
            found[name] = value
        return found

    def tiles(self, key: str, letters: str) -> list[int]:
        counts = [0] * len(COLOR_LETTERS)
        if len(letters) > TILES:
            raise self.fault(key, f"{len(letters)} tiles: the game has 65 (R1.1)")
        for letter in letters.replace("-", ""):
            counts[COLOR_LETTERS.index(self.one_of(key, letter, COLOR_LETTERS))] += 1
        return counts

    def plates(self, key: str) -> list[int]:
        if len(self.words(key)) > PLATE_COUNT:
            raise self.fault(key, "the game has 18 plates (R1.4)")
        try:
            return [plate_index(word) for word in self.words(key) if word != "-"]
        except ValueError as error:
            raise self.fault(key, str(error)) from None

    def chips(self, key: str) -> list[int]:
        if len(self.words(key)) > CHIP_COUNT:
            raise self.fault(key, "the game has 20 chips (R1.5)")
        try:
            return [chip_index(word) for word in self.words(key)]
        except ValueError as error:
            raise self.fault(key, str(error)) from None

    def read(self) -> States:
        s = self.s
        s["goals"] = s["line_color"] = s["slot_plate"] = s["space"] = s["dome"] = s["stack"] = NOTHING
        s["display"] = s["pile"] = s["held_plate"] = s["held_slot"] = s["held_from"] = NOTHING
        s["returned_in"] = s["went_in"] = NOTHING
        s["stacking"] = s["pay_line"] = s["pay_last"] = NOTHING
        self.read_standing()
        for f in range(SMALL_FACTORIES + 1):
            self.read_factory(f)
        for seat in range(2):
            self.read_seat(seat)
        self.read_tiling()
        self.read_bag()
        self.read_plates()
        self.read_chips()
        self.read_returned()
        _forget(self.states)
        self.read_knowledge()
        for seat in range(SEATS):
            self.read_recall(seat)
        self.check_asked()
        return self.states

    def read_standing(self) -> None:
        s = self.s
        s["round_no"] = self.number("round", self.get("round", "1"), 1, ROUNDS)
        stages = {stage.name.lower(): stage for stage in _STAGES}
        s["stage"] = stages[self.one_of("stage", self.get("stage", "turn"), stages)]
        s["seat"] = self.number("turn", self.get("turn", "0"), 0, 1)
        s["first"] = self.number("first", self.get("first", str(s["seat"])), 0, 1)
        holder = self.one_of("start tile", self.get("start tile", "factory"), ("factory", "0", "1"))
        s["start_tile"] = ON_FACTORY if holder == "factory" else int(holder)
        options = self.settings("options", ("draw_at_zero", "special_is_color"))
        flag = self.one_of("options", options.get("special_is_color", "true"), ("true", "false"))
        try:
            goals = parse_goals(self.get("goals", "first-game"))
            Rules(goals, options.get("draw_at_zero", "forced"), flag == "true").write_to(self.states, 0)  # type: ignore[arg-type]
        except SintraError as error:
            raise PositionError(str(error)) from None

    def read_factory(self, f: int) -> None:
        key = f"factory {FACTORY_LETTERS[f]}"
        words = self.words(key, "sun - moon -" if f == LARGE else "sun - moon - chip gone")
        form = "sun BYRKK moon -" if f == LARGE else "sun BYRK moon - chip down"
        if len(words) != (4 if f == LARGE else 6) or words[0] != "sun" or words[2] != "moon":
            raise self.fault(key, f"should read like `{form}`")
        s = self.s
        s["sun"][f] = self.tiles(key, words[1])
        if s["sun"][f].any() and words[3] != "-":
            raise self.fault(key, "tiles lie on the sun side or on the moon side, not on both (R3.2)")
        if f == LARGE:
            s["moon"] = self.tiles(key, words[3])
            if s["sun"][f].sum() > LARGE_FILL or s["moon"].sum() >= LARGE_FILL:
                raise self.fault(key, "it gets at most 5 tiles, and at most 4 come to its moon side (R2.3, R3.2)")
            s["large_is_single"] = (s["sun"][f] > 0).sum() == 1
            return
        if s["sun"][f].sum() > SMALL_FILL:
            raise self.fault(key, "a small factory gets at most 4 tiles (R2.3)")
        stack = words[3].replace("-", "")
        if len(stack) > 3:
            raise self.fault(key, "a moon stack has at most 3 tiles (R3.2)")
        self.tiles(key, stack)
        has_tiles = bool(stack) or bool(s["sun"][f].any())
        if has_tiles != (words[5] == "down") and s["stage"] != Stage.DEALING and words[5] in _CHIP_STATES:
            raise self.fault(key, "its chip is face down exactly while tiles lie there (R3.8)")
        s["stack"][f, : len(stack)] = [COLOR_LETTERS.index(letter) for letter in stack]
        s["stack_height"][f] = len(stack)
        s["chip_state"][f] = _CHIP_STATES[self.one_of(key, words[5], _CHIP_STATES)]

    def read_seat(self, seat: int) -> None:
        s = self.s
        s["score"][seat] = self.number(f"{seat} score", self.get(f"{seat} score", str(START_SCORE)), 0, 999)
        left = self.settings(f"{seat} left", ("markers", "chips"))
        s["markers_left"][seat] = self.number(f"{seat} left", left.get("markers", str(MARKERS)), 0, MARKERS)
        s["chips_left"][seat] = self.number(f"{seat} left", left.get("chips", str(CHIPS_PER_ROUND)), 0, CHIPS_PER_ROUND)
        self.read_lines(seat)
        s["broken"][seat] = self.tiles(f"{seat} broken", self.get(f"{seat} broken"))
        if s["broken"][seat].sum() > BROKEN_PLACES:
            raise self.fault(f"{seat} broken", "at most 4 tiles lie there (R3.6)")
        self.read_slots(seat)
        self.read_dome(seat)
        for name in ("store", "spent"):
            for face in self.chips(f"{seat} {name}"):
                s[name][seat, face] += 1
        for name, value in self.settings(f"{seat} points", tuple(source.name.lower() for source in Source)).items():
            s["tally"][seat, Source[name.upper()]] = self.number(f"{seat} points", value, -999, 999)

    def read_lines(self, seat: int) -> None:
        key = f"{seat} lines"
        words = self.get(key, " ".join("-" * LINES)).split()
        if len(words) != LINES:
            raise self.fault(key, f"names 6 lines, not {len(words)}")
        for line, word in enumerate(words):
            if word == "-":
                continue
            match = re.fullmatch(rf"([{COLOR_LETTERS}])([0-6])(!?)", word)
            if not match or int(match[2]) > line + 1 or (not match[3] and match[2] == "0"):
                raise self.fault(key, f"{word!r} for line {line + 1} should read like K1, at most {line + 1} tiles")
            self.s["line_color"][seat, line] = COLOR_LETTERS.index(match[1])
            self.s["line_size"][seat, line] = int(match[2])
            self.s["line_placed"][seat, line] = bool(match[3])

    def read_slots(self, seat: int) -> None:
        key = f"{seat} plates"
        for word in self.words(key):
            match = re.fullmatch(r"([1-3][1-3])=([0-9]{2})r([0-3])", word)
            if not match:
                raise self.fault(key, f"{word!r} should read like 11=07r1 (slot, plate, turns)")
            try:
                plate = plate_index(match[2])
            except ValueError as error:
                raise self.fault(key, str(error)) from None
            slot, turns = slot_index(match[1]), int(match[3])
            if self.s["slot_plate"][seat, slot] != NOTHING:
                raise self.fault(key, f"slot {match[1]} holds two plates")
            self.s["slot_plate"][seat, slot] = plate
            self.s["slot_turns"][seat, slot] = turns
            top, left = 2 * (slot // SLOTS_ACROSS), 2 * (slot % SLOTS_ACROSS)
            self.s["space"][seat, top : top + 2, left : left + 2] = PLATE_SPACE[plate, turns]

    def read_dome(self, seat: int) -> None:
        key = f"{seat} dome"
        rows = self.get(key, " ".join(["......"] * GRID)).split()
        if len(rows) != GRID or any(len(row) != GRID for row in rows):
            raise self.fault(key, "names 6 rows of 6 spaces, like `K..... ......` and so on")
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter == ".":
                    continue
                tile = SPACE_LETTERS.index(self.one_of(key, letter, COLOR_LETTERS + "*"))
                shows = int(self.s["space"][seat, r, c])
                if tile != shows and (shows != WILD or tile == SPECIAL):
                    raise self.fault(key, f"{letter} cannot lie on row {r + 1}, column {c + 1} (R4.1)")
                self.s["dome"][seat, r, c] = tile

    def read_tiling(self) -> None:
        found = self.settings("tiling", ("next", "pays", "paid"))
        s = self.s
        if found and s["stage"] not in (Stage.TILING, Stage.PAYING):
            raise self.fault("tiling", "it says how far a tiling is, but the stage is not tiling or paying")
        s["walk"] = self.number("tiling", found.get("next", "1"), 1, LINES + 1) - 1
        if found.get("pays", "-") == "-":
            return
        line = self.number("tiling", found["pays"], 1, LINES) - 1
        size = int(s["line_size"][s["seat"], line])
        missing = line + 1 - size
        if size == 0 or missing == 0 or s["line_placed"][s["seat"], line]:
            raise self.fault("tiling", f"line {line + 1} cannot be completed with chips (R4.4)")
        s["pay_line"] = line
        s["paid"] = self.number("tiling", found.get("paid", "0"), 0, missing)
        if (s["paid"] == missing) != (s["stage"] == Stage.TILING):
            raise self.fault("tiling", "the stage is tiling when all missing tiles are paid, paying before")

    def read_bag(self) -> None:
        s = self.s
        on_table = s["sun"].sum(0) + s["moon"] + s["broken"].sum(0)
        on_table = on_table.astype(int)
        for color in Color:
            on_table[color] += (s["stack"] == color).sum() + (s["dome"] == color).sum()
            on_table[color] += s["line_size"][s["line_color"] == color].sum()
        left = TILES_PER_COLOR - on_table
        if (left < 0).any():
            raise PositionError(f"there are more than 13 {Color(int(np.argmin(left)))} tiles on the table (R1.1)")
        named = {}
        for key in ("bag", "tower"):
            counts = np.zeros(len(COLOR_LETTERS), int)
            for word in self.words(key):
                if not re.fullmatch(rf"[{COLOR_LETTERS}][0-9]{{1,2}}", word):
                    raise self.fault(key, f"{word!r} should read like B5")
                counts[COLOR_LETTERS.index(word[0])] += int(word[1:])
            named[key] = counts
        rest = left - named["bag"] - named["tower"]
        both = "bag" in self.values and "tower" in self.values
        if (rest < 0).any() or (both and rest.any()):
            wrong = Color(int(np.flatnonzero(rest < 0 if (rest < 0).any() else rest)[0]))
            raise PositionError(f"bag and tower must hold {left[wrong]} {wrong} tiles, so that there are 13 (R1.1)")
        s["bag"] = named["bag"] + (rest if "bag" not in self.values else 0)
        s["tower"] = named["tower"] + (rest if "bag" in self.values else 0)

    def read_plates(self) -> None:
        s = self.s
        display, hand, stack = (self.plates(key) for key in ("display", "hand", "stack"))
        if len(hand) > PILE_PLACES:
            raise self.fault("hand", "at most 15 plates can be drawn (R3.1)")
        if len(display) > 3:
            raise self.fault("display", "it shows at most 3 plates (R2.2)")
        laid = [plate for plate in s["slot_plate"].ravel().tolist() if plate != NOTHING]
        named = Counter([*display, *hand, *stack, *laid])
        twice = [plate for plate, n in named.items() if n > 1]
        if twice:
            raise PositionError(f"plate {PLATES[twice[0]]} is in two places (R1.4)")
        rest = [plate for plate in range(PLATE_COUNT) if plate not in named]
        if "stack" in self.values and rest:
            raise self.fault("stack", f"plate {PLATES[rest[0]]} is nowhere: the stack must hold it (R1.4)")
        pile = [*hand, *stack, *rest]
        over = len(pile) - PILE_PLACES
        if over > 0 and "display" in self.values:
            raise self.fault("display", f"it must show {over} more, since the stack has at most 15 plates (R2.2)")
        if over > 0:
            display = pile[len(hand) : len(hand) + over]
            pile = [plate for plate in pile if plate not in display]
        places = [NOTHING] * DISPLAY
        shown = self.words("display")
        if len(shown) == DISPLAY:
            places = [NOTHING if word == "-" else plate_index(word) for word in shown]
        else:
            places[: len(display)] = display
        s["display"] = places
        s["pile"][: len(pile)] = pile
        s["pile_size"] = len(pile)
        s["drawn"] = len(hand)

    def read_chips(self) -> None:
        s = self.s
        order = self.chips("chips")
        taken = Counter(
            {face: int(s["store"][:, face].sum() + s["spent"][:, face].sum()) for face in range(len(CHIPS))}
        )
        if any(n > CHIP_COPIES for n in taken.values()):
            raise PositionError("a chip is in the stores more than twice (R1.5)")
        if not order:
            order = self.plain_chips(taken)
        if sorted(order) != [chip // CHIP_COPIES for chip in range(CHIP_COUNT)]:
            raise self.fault("chips", "must name all 20 chips, two of each face (R1.5)")
        s["chip_order"] = order
        begun = SMALL_FACTORIES * (s["round_no"] - 1)
        gone = Counter(order[:begun])
        gone.update(order[begun + f] for f in range(SMALL_FACTORIES) if s["chip_state"][f] == GONE)
        if not all(taken[face] <= gone[face] for face in taken):
            raise self.fault("chips", "a chip in a store has not been taken from any factory yet (R3.4)")

    def plain_chips(self, taken: Counter[int]) -> list[int]:
        """An order in which the chips in the stores come first, on the places taken so far."""
        s = self.s
        now = [SMALL_FACTORIES * (s["round_no"] - 1) + f for f in range(SMALL_FACTORIES)]
        places = [*range(now[0]), *[place for f, place in enumerate(now) if s["chip_state"][f] == GONE]]
        places += [place for place in range(CHIP_COUNT) if place not in places]
        rest = [face for face in range(len(CHIPS)) for _ in range(CHIP_COPIES - taken[face])]
        order = [0] * CHIP_COUNT
        for place, face in zip(places, [*taken.elements(), *rest], strict=True):
            order[place] = face
        return order

    def mix(self, key: str, seat: int, text: str) -> int:
        """A mix of a seat that is over: they are numbered by the plates it has taken (R3.1)."""
        left = int(self.s["markers_left"][seat]) if self.s["round_no"] <= PLATE_ROUNDS else MARKERS
        taken = MARKERS * int(self.s["round_no"]) - left
        if text.isascii() and text.isdigit() and 1 <= int(text) <= min(taken, MIXES):
            return int(text) - 1
        raise self.fault(key, f"{text!r}: seat {seat} has taken {taken} plates in the rounds so far")

    def read_returned(self) -> None:
        size = int(self.s["pile_size"])
        words = self.get("returned", " ".join("-" * size)).split()
        if len(words) != size:
            raise self.fault("returned", f"names {size} places of hand and stack, not {len(words)}")
        for place, word in enumerate(words):
            if word == "-":
                continue
            match = re.fullmatch(r"([01])\.([1-8])", word)
            if not match:
                raise self.fault("returned", f"{word!r} should read like 0.3 (seat, and which of its plates it kept)")
            seat = int(match[1])
            self.s["returned_in"][place] = MIXES * seat + self.mix("returned", seat, match[2])

    def read_recall(self, seat: int) -> None:
        """What a seat remembers of the other's mixes; it must fit the pile."""
        key, other, s = f"{seat} recalls", 1 - seat, self.s
        places = {int(plate): place for place, plate in enumerate(s["pile"][: s["pile_size"]])}
        told = [word.split("=")[0] if "=" in word else word[:2] for word in self.words(key)]
        if len(set(told)) < len(told):
            raise self.fault(key, "says something twice")
        for word in self.words(key):
            plate = re.fullmatch(r"([0-9]{2})>([1-8])", word)
            way = re.fullmatch(r"([W*])([1-8])([->])([1-8])=([1-9])", word)
            if plate:
                try:
                    index = plate_index(plate[1])
                except ValueError as error:
                    raise self.fault(key, str(error)) from None
                if index not in places or not s["looked_at"][seat] >> index & 1:
                    raise self.fault(key, f"plate {plate[1]} is none that the seat has looked at (R8)")
                s["went_in"][seat, index] = self.mix(key, other, plate[2])
            elif way:
                start, end = self.mix(key, other, way[2]), self.mix(key, other, way[4])
                if start >= end:
                    raise self.fault(key, f"{word!r} goes back")
                name = next(name for name, sign in _WAYS.items() if sign == way[3])
                s[name][seat, _KIND_LETTERS.index(way[1]), start] |= int(way[5]) << COUNT_BITS * end
            else:
                raise self.fault(key, f"{word!r} should read like 03>2, W1-2=3 or W1>2=1")
        if key in self.values and not engine.recall_fits(self.states, 0, seat):
            raise self.fault(key, "the plates cannot have come to where they lie (R8)")

    def read_knowledge(self) -> None:
        size = int(self.s["pile_size"])
        for observer, name in enumerate(_OBSERVER_NAMES):
            key = f"{name} knows"
            if key not in self.values:
                continue
            words = self.words(key)
            if len(words) != size:
                raise self.fault(key, f"names {size} places of hand and stack, not {len(words)}")
            for place, word in enumerate(words):
                try:
                    mask = _UNKNOWN.get(word) or sum(1 << plate_index(plate) for plate in word.split("|"))
                except ValueError as error:
                    raise self.fault(key, str(error)) from None
                if not mask >> int(self.s["pile"][place]) & 1:
                    raise self.fault(key, f"{word!r} leaves out the plate that lies at place {place + 1}")
                self.s["could_be"][observer, place] &= mask
        for seat in range(2):
            if f"{seat} looked" in self.values:
                plates = self.plates(f"{seat} looked")
                if not set(plates) <= set(self.s["pile"][:size].tolist()):
                    raise self.fault(f"{seat} looked", "only plates in hand or stack can be named (R8)")
                self.s["looked_at"][seat] = sum(1 << plate for plate in plates)

    def check_asked(self) -> None:
        """A position that asks for something must allow an answer."""
        s = self.s
        stage = Stage(s["stage"])
        holding = stage in (Stage.DRAWING, Stage.KEEPING, Stage.RETURNING)
        if holding != bool(s["drawn"]):
            raise PositionError("plates are in hand exactly while drawing, keeping or returning (R3.1)")
        if stage is Stage.PAYING and s["pay_line"] == NOTHING:
            raise self.fault("tiling", "the stage is paying, so it must say which line pays")
        left = s["sun"].any() or s["moon"].any() or s["stack_height"].any() or (s["chip_state"] != GONE).any()
        if left and stage in (Stage.TILING, Stage.PAYING, Stage.OVER):
            raise PositionError("phase 1 ends when all tiles and chips are gone from the factories (R3.10)")
        if stage not in (Stage.OVER, Stage.DEALING):
            out = np.empty(MOST_CHOICES, np.int16)
            if engine.legal(self.states, 0, out) == 0:
                raise PositionError(f"seat {s['seat']} has no move at stage {stage.name.lower()}")


_KEY: Final = re.compile(
    r"round|stage|turn|first|start tile|goals|options|factory [1-4L]|bag|tower|display|hand|stack|returned|chips|tiling"
    r"|[01] (?:score|left|lines|broken|plates|dome|store|spent|points|looked|recalls)|(?:[01]|spectator) knows"
)


def read_position(text: str) -> States:
    """The state that a position text describes; it has no generator of its own."""
    if not isinstance(text, str):
        raise PositionError(f"a position is text, not {type(text).__name__}")
    return _Reader(text).read()
