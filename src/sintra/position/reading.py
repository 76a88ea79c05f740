"""Reads a position text into a state."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

from sintra.components import (
    CHIP_COPIES,
    CHIP_COUNT,
    CHIPS,
    CHIPS_PER_ROUND,
    COLOR_LETTERS,
    DISPLAY,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    LINES,
    MARKERS,
    NOTHING,
    PILE_PLACES,
    PLATE_COUNT,
    PLATE_SPACES,
    PLATES,
    SLOTS_ACROSS,
    SMALL_FACTORIES,
    SPACE_LETTERS,
    START_SCORE,
    TILES_PER_COLOR,
    Color,
    UnknownPieceError,
    plate_index,
    slot_index,
)
from sintra.errors import Fault, PositionError, SintraError
from sintra.position.plates_known import read_knowledge
from sintra.position.text import Text
from sintra.rules import engine
from sintra.rules.limits import LIMITS
from sintra.rules.rule_options import RULE_OPTIONS
from sintra.rules.soundness import FAULT_STEP, WRONG_TILING, fault_found
from sintra.rules.state import DOWN, GONE, ON_FACTORY, ChipState, Source, Stage, States, blank_states
from sintra.tabletop.ruleset import OPTION_NAMES, RuleOptions, Rules

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
"""The stages between two moves."""
_CHIP_STATES: Final = {state.name.lower(): state for state in ChipState}
"""What lies on a factory's chip place, by the word for it."""


_EMPTY: Final = (
    "goals",
    "line_color",
    "slot_plate",
    "space",
    "dome",
    "stack",
    "display",
    "pile",
    "held_plate",
    "held_slot",
    "held_from",
    "returned_in",
    "stacking",
    "pay_line",
    "pay_last",
)
"""The fields that hold `NOTHING` as long as nothing is said of them."""


class Reader(Text):
    """Reads one position text into a state."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.states = blank_states()
        self.s = self.states[0]

    def read(self) -> States:
        """Reads the whole state."""
        if "seat" in self.values:
            raise self.fault("seat", Fault("view.position"))
        self.read_table()
        read_knowledge(self, self.states)
        if found := engine.fault(self.states, 0):
            raise self.unsound(found)
        return self.states

    def unsound(self, found: int) -> PositionError:
        """The error for a fault of the state."""
        key, code, details = fault_found(found)
        return self.fault(key, Fault(code, **details))

    def read_table(self) -> None:
        """Reads all that lies on the table."""
        s = self.s
        for name in _EMPTY:
            s[name] = NOTHING
        self.read_standing()
        for f in range(SMALL_FACTORIES + 1):
            self.read_factory(f)
        for seat in range(2):
            self.read_seat(seat)
        self.read_tiling()
        self.read_bag()
        self.read_plates()
        self.read_chips()

    def read_standing(self) -> None:
        """Reads round, stage, turn and rules."""
        s = self.s
        s["round_no"] = self.number("round", self.get("round", "1"), *LIMITS["round_no"])
        stages = {stage.name.lower(): stage for stage in _STAGES}
        s["stage"] = stages[self.one_of("stage", self.get("stage", "turn"), stages)]
        s["turn"] = self.number("turn", self.get("turn", "0"), 0, 1)
        s["first"] = self.number("first", self.get("first", str(s["turn"])), 0, 1)
        holder = self.one_of("start tile", self.get("start tile", "factory"), ("factory", "0", "1"))
        s["start_tile"] = ON_FACTORY if holder == "factory" else int(holder)
        options = self.read_options()
        try:
            Rules(self.get("goals", "first-game"), **options).write_to(self.states, 0)
        except SintraError as error:
            raise PositionError(error) from None

    def read_options(self) -> dict[str, Any]:
        """Reads the rule options."""
        said = self.settings("options", OPTION_NAMES)
        words = {option.name: option.words for option in RULE_OPTIONS}
        try:
            return RuleOptions.from_dict({name: words[name].get(word, word) for name, word in said.items()}).to_dict()
        except SintraError as error:
            raise self.fault("options", error) from None

    def read_factory(self, f: int) -> None:
        """Reads tiles and chip of a factory. Before a deal a chip that is said to be gone lies face down (R7.2)."""
        key = f"factory {FACTORY_LETTERS[f]}"
        s = self.s
        chip = "down" if s["stage"] == Stage.DEALING else "gone"
        words = self.words(key, "sun - moon -" if f == LARGE else f"sun - moon - chip {chip}")
        form = "sun BYRKK moon -" if f == LARGE else "sun BYRK moon - chip down"
        if len(words) != (4 if f == LARGE else 6) or words[0] != "sun" or words[2] != "moon":
            raise self.fault(key, Fault("like.factory", found=self.get(key), like=form))
        s["sun"][f] = self.tiles(key, words[1])
        if f == LARGE:
            s["moon"] = self.tiles(key, words[3])
            s["large_is_single"] = sum(count > 0 for count in s["sun"][f]) == 1
            return
        stack = words[3].replace("-", "")
        if len(stack) > (most := LIMITS["stack_height"][1]):
            raise self.fault(key, Fault("most.stack", most=most))
        self.tiles(key, stack)
        s["stack"][f, : len(stack)] = [COLOR_LETTERS.index(letter) for letter in stack]
        s["stack_height"][f] = len(stack)
        state = _CHIP_STATES[self.one_of(key, words[5], _CHIP_STATES)]
        s["chip_state"][f] = DOWN if state == GONE and s["stage"] == Stage.DEALING else state

    def read_seat(self, seat: int) -> None:
        """Reads all that belongs to a seat."""
        s = self.s
        s["score"][seat] = self.number(f"{seat} score", self.get(f"{seat} score", str(START_SCORE)), *LIMITS["score"])
        left = self.settings(f"{seat} left", ("markers", "chips"))
        for name, usual in (("markers", MARKERS), ("chips", CHIPS_PER_ROUND)):
            limits = LIMITS[f"{name}_left"]
            s[f"{name}_left"][seat] = self.number(f"{seat} left", left.get(name, str(usual)), *limits)
        self.read_lines(seat)
        s["broken"][seat] = self.tiles(f"{seat} broken", self.get(f"{seat} broken"))
        self.read_slots(seat)
        self.read_dome(seat)
        for name in ("store", "spent"):
            for face in self.chips(f"{seat} {name}"):
                s[name][seat, face] += 1
        for name, value in self.settings(f"{seat} points", tuple(source.name.lower() for source in Source)).items():
            s["tally"][seat, Source[name.upper()]] = self.number(f"{seat} points", value, *LIMITS["tally"])

    def read_lines(self, seat: int) -> None:
        """Reads a board's lines."""
        key = f"{seat} lines"
        words = self.get(key, " ".join("-" * LINES)).split()
        if len(words) != LINES:
            raise self.fault(key, Fault("count.lines", wanted=LINES, count=len(words)))
        for line, word in enumerate(words):
            if word == "-":
                continue
            match = re.fullmatch(rf"([{COLOR_LETTERS}])([0-6])(!?)", word)
            if not match or int(match[2]) > line + 1 or (not match[3] and match[2] == "0"):
                raise self.fault(key, Fault("line_word", found=word, line=line + 1))
            self.s["line_color"][seat, line] = COLOR_LETTERS.index(match[1])
            self.s["line_size"][seat, line] = int(match[2])
            self.s["line_placed"][seat, line] = bool(match[3])

    def read_slots(self, seat: int) -> None:
        """Reads a dome's plates, and so its spaces."""
        key = f"{seat} plates"
        for word in self.words(key):
            match = re.fullmatch(r"([1-3][1-3])=([0-9]{2})r([0-3])", word)
            if not match:
                raise self.fault(key, Fault("like.laid", found=word, like="11=07r1"))
            try:
                plate = plate_index(match[2])
            except UnknownPieceError as error:
                raise self.unknown(key, error) from None
            slot, turns = slot_index(match[1]), int(match[3])
            if self.s["slot_plate"][seat, slot] != NOTHING:
                raise self.fault(key, Fault("slot_twice", slot=match[1]))
            self.s["slot_plate"][seat, slot] = plate
            self.s["slot_turns"][seat, slot] = turns
            top, left = 2 * (slot // SLOTS_ACROSS), 2 * (slot % SLOTS_ACROSS)
            for r, row in enumerate(PLATE_SPACES[plate][turns]):
                self.s["space"][seat, top + r, left : left + 2] = row

    def read_dome(self, seat: int) -> None:
        """Reads a dome's tiles."""
        key = f"{seat} dome"
        rows = self.get(key, " ".join(["......"] * GRID)).split()
        if len(rows) != GRID or any(len(row) != GRID for row in rows):
            raise self.fault(
                key, Fault("like.dome", found=" ".join(rows), like=" ".join(["K.....", *["......"] * (GRID - 1)]))
            )
        for r, row in enumerate(rows):
            for c, letter in enumerate(row):
                if letter != ".":
                    tile = self.one_of(key, letter, COLOR_LETTERS + "*")
                    self.s["dome"][seat, r, c] = SPACE_LETTERS.index(tile)

    def read_tiling(self) -> None:
        """Reads how far the tiling of a board is."""
        found = self.settings("tiling", ("next", "pays", "paid"))
        s = self.s
        if found and s["stage"] not in (Stage.TILING, Stage.PAYING):
            raise self.unsound(FAULT_STEP * WRONG_TILING)
        s["walk"] = self.number("tiling", found.get("next", "1"), 1, LINES + 1) - 1
        if found.get("pays", "-") == "-":
            return
        s["pay_line"] = self.number("tiling", found["pays"], 1, LINES) - 1
        s["paid"] = self.number("tiling", found.get("paid", "0"), *LIMITS["paid"])

    def read_bag(self) -> None:
        """Reads bag and tower, and puts there what is nowhere else."""
        s = self.s
        left = [TILES_PER_COLOR - self._on_table(color) for color in Color]
        if min(left) < 0:
            raise PositionError(Fault("tiles.table", color=Color(left.index(min(left)))))
        named = {}
        for key in ("bag", "tower"):
            counts = [0] * len(COLOR_LETTERS)
            for word in self.words(key):
                if not re.fullmatch(rf"[{COLOR_LETTERS}][0-9]{{1,2}}", word):
                    raise self.fault(key, Fault("like", found=word, like="B5"))
                counts[COLOR_LETTERS.index(word[0])] += int(word[1:])
            named[key] = counts
        rest = [left[color] - named["bag"][color] - named["tower"][color] for color in Color]
        both = "bag" in self.values and "tower" in self.values
        if wrong := [color for color in Color if rest[color] < 0] or [color for color in Color if both and rest[color]]:
            raise PositionError(Fault("bag", count=left[wrong[0]], color=wrong[0]))
        into = "tower" if "bag" in self.values else "bag"
        named[into] = [count + more for count, more in zip(named[into], rest, strict=True)]
        s["bag"], s["tower"] = named["bag"], named["tower"]

    def _on_table(self, color: Color) -> int:
        """How many tiles of a colour lie on factories and boards."""
        s = self.s
        tiles = s["moon"][color] + s["stack"].flattened().count(color) + s["dome"].flattened().count(color)
        tiles += sum(row[color] for row in (*s["sun"].tolist(), *s["broken"].tolist()))
        lines = zip(s["line_color"].flattened(), s["line_size"].flattened(), strict=True)
        return int(tiles + sum(size for line, size in lines if line == color))

    def read_plates(self) -> None:
        """Reads display, hand and stack, and puts there what is nowhere else."""
        s = self.s
        display, hand, stack = (self.plates(key) for key in ("display", "hand", "stack"))
        if len(hand) > PILE_PLACES:
            raise self.fault("hand", Fault("most.hand", most=PILE_PLACES))
        if len(display) > DISPLAY:
            raise self.fault("display", Fault("most.display", most=DISPLAY))
        laid = [plate for plate in s["slot_plate"].flattened() if plate != NOTHING]
        named = Counter([*display, *hand, *stack, *laid])
        twice = [plate for plate, n in named.items() if n > 1]
        if twice:
            raise PositionError(Fault("plate_twice", plate=PLATES[twice[0]]))
        rest = [plate for plate in range(PLATE_COUNT) if plate not in named]
        if "stack" in self.values and rest:
            raise self.fault("stack", Fault("plate_nowhere", plate=PLATES[rest[0]]))
        pile = [*hand, *stack, *rest]
        over = len(pile) - PILE_PLACES
        if over > 0 and "display" in self.values:
            raise self.fault("display", Fault("display_more", count=over))
        if over > 0:
            display = pile[len(hand) : len(hand) + over]
            pile = [plate for plate in pile if plate not in display]
        self.lay_out(display, pile, len(hand))

    def lay_out(self, display: list[int], pile: list[int], drawn: int) -> None:
        """Puts plates on the display, where a gap may be named too, and into hand and stack."""
        s = self.s
        places = [NOTHING] * DISPLAY
        shown = self.words("display")
        if len(shown) == DISPLAY:
            places = [NOTHING if word == "-" else plate_index(word) for word in shown]
        else:
            places[: len(display)] = display
        s["display"] = places
        s["pile"][: len(pile)] = pile
        s["pile_size"] = len(pile)
        s["drawn"] = drawn

    def read_chips(self) -> None:
        """Reads the order of the chips."""
        s = self.s
        order = self.chips("chips")
        taken = Counter(
            {face: sum(row[face] for row in (*s["store"].tolist(), *s["spent"].tolist())) for face in range(len(CHIPS))}
        )
        if any(n > CHIP_COPIES for n in taken.values()):
            raise PositionError(Fault("chip_thrice"))
        if not order:
            order = self.plain_chips(taken)
        if sorted(order) != [chip // CHIP_COPIES for chip in range(CHIP_COUNT)]:
            raise self.fault("chips", Fault("all_chips"))
        s["chip_order"] = order

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


def read_position(text: str) -> States:
    """The state that a position text describes; it has no generator of its own."""
    if not isinstance(text, str):
        raise PositionError(f"a position is text, not {type(text).__name__}")
    return Reader(text).read()
