"""Tables that are built by hand: everything that is wrong with one, place by place, and its position as text.

A table is held to more than what a position text needs (`rules/soundness.py`): it must be one that players can have
come to. From the plates and chips that lie there follows what has been done this round, so nobody is asked for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from typing import Final

from sintra.components import (
    BROKEN_PLACES,
    CHIP_COPIES,
    CHIPS,
    CHIPS_PER_ROUND,
    COLOR_LETTERS,
    DISPLAY,
    FACTORY_LETTERS,
    FEWEST_GOALS,
    GRID,
    LARGE,
    LARGE_FILL,
    MARKERS,
    MAX_GOALS,
    PLATE_ROUNDS,
    PLATE_SPACES,
    PLATES,
    PLATES_OF_A_KIND,
    SEATS,
    SLOT_NAMES,
    SLOTS_ACROSS,
    SMALL_FACTORIES,
    SMALL_FILL,
    SPACE_LETTERS,
    SPECIAL,
    TILES_PER_COLOR,
    Goal,
    PlateKind,
    plate_index,
)
from sintra.errors import SintraError
from sintra.game.game import Game
from sintra.game.seeds import derive
from sintra.rules.state import Stage
from sintra.table.shown.faults import tellings_of
from sintra.table.shown.messages import DraftBoard, DraftFault, DraftShown, TableDraft, Telling
from sintra.table.shown.position import position_text
from sintra.tabletop.ruleset import RuleOptions, Rules

_CHIP_NAMES: Final = tuple(chip.face for chip in CHIPS)
_DOWN: Final = "down"


def checking(draft: TableDraft) -> Generator[None, None, DraftShown]:
    """Checks a table that was built by hand, step by step; returns its position, or what is wrong with it."""
    table = _Table(draft)
    yield
    faults = []
    for fault in table.faults():
        faults.append(fault)
        yield
    text = ""
    if not faults:
        try:
            text = yield from table.writing()
        except SintraError as error:
            has_no_move = any(fault.kind == "no_move" for fault in error.faults)
            faults = [_fault("turn", "no_move")] if has_no_move else [_other_fault(error)]
    return DraftShown(
        stage=table.stage.name.lower(),
        turn=table.turn,
        tiles={
            **{color: max(0, TILES_PER_COLOR - table.tiles[color]) for color in COLOR_LETTERS},
            "*": max(0, PLATES_OF_A_KIND - table.tiles["*"]),
        },
        plates=[plate.name for plate in PLATES if not table.plates[plate.name]],
        chips={face: max(0, CHIP_COPIES - table.chips[face]) for face in _CHIP_NAMES},
        text=text,
        faults=faults,
    )


class _Table:
    """A draft, and the stage and counts that follow from it."""

    def __init__(self, draft: TableDraft) -> None:
        self.draft = draft
        self.laid = [sum(plate is not None for plate in board.plates) for board in draft.boards]
        self.tiles = Counter[str]()
        self.chips = Counter[str]()
        self.plates = Counter[str](plate for plate in draft.display if plate)
        for factory in draft.factories:
            self.tiles.update(factory.sun + factory.moon)
            self.chips.update([factory.chip] if factory.chip in _CHIP_NAMES else [])
        for board in draft.boards:
            self.tiles.update("".join([*board.lines, board.broken, *board.tiles]))
            self.chips.update([*board.chips, *board.spent])
            self.plates.update(plate.plate for plate in board.plates if plate)
        self.on_table = Counter({color: self.tiles[color] for color in COLOR_LETTERS})
        self.tiles.update(draft.tower)
        small = draft.factories[:SMALL_FACTORIES]
        self.is_full = (
            all(len(one.sun) == SMALL_FILL for one in small) and len(draft.factories[LARGE].sun) == LARGE_FILL
        )
        self.is_bare = not any(one.sun or one.moon or one.chip for one in draft.factories)
        self.stage = self._stage()
        self.turn: int = draft.turn
        if self.stage is Stage.OPENING:
            self.turn = draft.first if self.laid[1 - draft.first] else 1 - draft.first

    def _stage(self) -> Stage:
        """What is asked: the first plates while a player has none, the tiling when nothing is left to take."""
        if self.draft.round == 1 and 0 in self.laid and self.is_full:
            return Stage.OPENING
        taken = self.draft.round > PLATE_ROUNDS or not any(self.left(seat) for seat in range(SEATS))
        return Stage.TILING if self.is_bare and taken else Stage.TURN

    def left(self, seat: int) -> int:
        """R3.1: the markers that a player has left, by the plates that lie there."""
        if self.draft.round > PLATE_ROUNDS or (self.draft.round == 1 and self.laid[seat] == 0):
            return MARKERS
        return 1 + MARKERS * self.draft.round - self.laid[seat]

    # --- faults -------------------------------------------------------------------------------------

    def faults(self) -> Iterator[DraftFault]:
        """Yields everything that is wrong, the market first."""
        yield from self._goals()
        yield from self._factories()
        yield from self._tiles()
        yield from self._plates()
        yield from self._chips()
        yield from self._start_tile()
        for seat, board in enumerate(self.draft.boards):
            yield from self._board(seat, board)

    def _goals(self) -> Iterator[DraftFault]:
        tiles = {Goal.from_name(goal).tile for goal in self.draft.goals}
        if len(tiles) != len(self.draft.goals) or not FEWEST_GOALS <= len(tiles) <= MAX_GOALS:
            yield _fault("goals", "goals")

    def _factories(self) -> Iterator[DraftFault]:
        """R2.3, R3.2, R3.8: faults of the factories."""
        nothing_left = sum(self.tiles.values()) == TILES_PER_COLOR * len(COLOR_LETTERS)
        for f, factory in enumerate(self.draft.factories):
            name, fill = FACTORY_LETTERS[f], LARGE_FILL if f == LARGE else SMALL_FILL
            if factory.sun and factory.moon:
                yield _fault(f"moon-{name}", "sun_and_moon")
            if len(factory.sun) > fill or (0 < len(factory.sun) < fill and not nothing_left):
                yield _fault(f"sun-{name}", "sun", count=fill)
            if len(factory.moon) >= fill:
                yield _fault(f"moon-{name}", "moon", count=fill - 1)
            if f == LARGE:
                continue
            if (factory.sun or factory.moon) and factory.chip != _DOWN:
                yield _fault(f"chip-{name}", "chip_down")
            if not factory.sun and not factory.moon and factory.chip == _DOWN:
                yield _fault(f"chip-{name}", "chip_up")

    def _tiles(self) -> Iterator[DraftFault]:
        """R1.1: colours of which there are too many tiles."""
        for color in COLOR_LETTERS:
            if self.tiles[color] > TILES_PER_COLOR:
                place = "tower" if self.on_table[color] <= TILES_PER_COLOR else "bag"
                yield _fault(place, "tiles", color=color, count=self.tiles[color])

    def _plates(self) -> Iterator[DraftFault]:
        """R1.4, R2.2, R2.6, R3.1: every plate once, and as many on each dome as have been taken."""
        d = self.draft
        for k, plate in enumerate(d.display):
            if plate and self.plates[plate] > 1:
                yield _fault(f"display-{k}", "plate_twice", plate=plate)
        for seat, board in enumerate(d.boards):
            for slot, laid in zip(SLOT_NAMES, board.plates, strict=True):
                if laid and self.plates[laid.plate] > 1:
                    yield _fault(f"slot-{seat}-{slot}", "plate_twice", plate=laid.plate)
        full = 1 + MARKERS * min(d.round, PLATE_ROUNDS)
        for seat in range(SEATS):
            least, most = full - (MARKERS if d.round <= PLATE_ROUNDS else 0), full
            if self.stage is Stage.OPENING:
                least, most = 0, int(seat != d.first)
            if not least <= self.laid[seat] <= most:
                yield _fault(f"plates-{seat}", "plates" if least < most else "plates_exactly", least=least, most=most)
        shown = sum(plate is not None for plate in d.display)
        rest = len(PLATES) - sum(self.laid)
        taken = sum(MARKERS - max(0, self.left(seat)) for seat in range(SEATS))
        if self.stage is Stage.OPENING:
            taken = 0
        if d.round > PLATE_ROUNDS:
            least, most = 0, 0
        else:
            least, most = max(0, min(DISPLAY, rest + taken) - taken), min(DISPLAY, rest)
        if not least <= shown <= most:
            yield _fault("display", "display" if least < most else "display_exactly", least=least, most=most)
        if d.top and not self._pile_of(d.top):
            yield _fault("stack", "top", kind=d.top)

    def _pile_of(self, kind: str) -> list[str]:
        """The plates of a kind that lie in the stack."""
        return [plate.name for plate in PLATES if not self.plates[plate.name] and plate.kind == PlateKind(kind)]

    def _chips(self) -> Iterator[DraftFault]:
        """R1.5, R3.4: two chips of each face. A player takes two in each round; the others are gone from factories."""
        for face in _CHIP_NAMES:
            if self.chips[face] > CHIP_COPIES:
                yield _fault("chips", "chip_twice", chip=face)
        before = CHIPS_PER_ROUND * (self.draft.round - 1)
        held = [len(board.chips) + len(board.spent) for board in self.draft.boards]
        gone = sum(not one.chip for one in self.draft.factories[:SMALL_FACTORIES])
        fits = True
        for seat in range(SEATS):
            if not before <= held[seat] <= before + CHIPS_PER_ROUND:
                fits = False
                yield _fault(f"store-{seat}", "chips", least=before, most=before + CHIPS_PER_ROUND)
        if fits and sum(held) - SEATS * before != gone:
            yield _fault("chips", "chips_gone", count=gone, taken=sum(held) - SEATS * before)

    def _start_tile(self) -> Iterator[DraftFault]:
        """R3.7: whoever is first to take tiles from the large factory's moon side has it."""
        large = self.draft.factories[LARGE]
        if self.draft.start_tile is None and not large.sun and not large.moon:
            yield _fault("start", "start_taken")
        if self.draft.start_tile is not None and (large.sun or len(large.moon) >= LARGE_FILL - 1):
            yield _fault("start", "start_there")

    def _board(self, seat: int, board: DraftBoard) -> Iterator[DraftFault]:
        """R1.7, R3.5, R3.6, R4.1, R4.5: faults of a board."""
        for line, tiles in enumerate(board.lines, start=1):
            if len(set(tiles)) > 1:
                yield _fault(f"line-{seat}-{line}", "line_colors")
            if len(tiles) > line:
                yield _fault(f"line-{seat}-{line}", "line", count=line)
        if len(board.broken) > BROKEN_PLACES:
            yield _fault(f"broken-{seat}", "broken", count=BROKEN_PLACES)
        has_tiled = self.stage is Stage.TILING and seat == self.draft.first and self.draft.turn != seat
        rounds = self.draft.round - 1 + has_tiled
        for row, tiles in enumerate(board.tiles):
            if GRID - tiles.count(".") - tiles.count("*") > rounds:
                yield _fault(f"row-{seat}-{row + 1}", "row", count=rounds)
            for column, tile in enumerate(tiles):
                if tile != "." and not self._fits(board, row, column, tile):
                    yield _fault(f"space-{seat}-{row + 1}-{column + 1}", "space")
        for slot in range(len(SLOT_NAMES)):
            yield from self._special(seat, board, slot)

    @staticmethod
    def _shows(board: DraftBoard, row: int, column: int) -> str:
        """What a space shows; nothing where no plate lies."""
        plate = board.plates[SLOTS_ACROSS * (row // 2) + column // 2]
        if plate is None:
            return ""
        return SPACE_LETTERS[PLATE_SPACES[plate_index(plate.plate)][plate.turns][row % 2][column % 2]]

    def _fits(self, board: DraftBoard, row: int, column: int, tile: str) -> bool:
        shows = self._shows(board, row, column)
        return shows == tile or (shows == "W" and tile != "*")

    def _special(self, seat: int, board: DraftBoard, slot: int) -> Iterator[DraftFault]:
        """R4.5: a special tile lies there exactly when the coloured spaces of its plate are filled."""
        top, left = 2 * (slot // SLOTS_ACROSS), 2 * (slot % SLOTS_ACROSS)
        spaces = [(top + r, left + c) for r in range(2) for c in range(2)]
        tiles = {at: board.tiles[at[0]][at[1]] for at in spaces}
        for row, column in spaces:
            if self._shows(board, row, column) != SPACE_LETTERS[SPECIAL]:
                continue
            others = all(tile != "." for at, tile in tiles.items() if at != (row, column))
            if others != (tiles[row, column] == SPACE_LETTERS[SPECIAL]):
                key = "special_missing" if others else "special"
                yield _fault(f"space-{seat}-{row + 1}-{column + 1}", key)

    # --- the position -------------------------------------------------------------------------------

    def writing(self) -> Generator[None, None, str]:
        """Writes the position as text, step by step; everything hidden is filled in with something possible."""
        d = self.draft
        rules = Rules(d.goals, **RuleOptions.from_dict(d.rule_options).to_dict())
        rows = [
            f"round: {d.round}",
            f"stage: {self.stage.name.lower()}",
            f"turn: {self.turn}",
            f"first: {d.first}",
            f"start tile: {'factory' if d.start_tile is None else d.start_tile}",
            f"goals: {' '.join(d.goals)}",
            "options: " + " ".join(f"{name}={word}" for name, word in rules.words.items()),
            f"display: {' '.join(plate or '-' for plate in d.display)}",
            f"stack: {' '.join(self._stack()) or '-'}",
            f"chips: {' '.join(self._chip_order())}",
            "tower: " + (" ".join(f"{color}{n}" for color, n in Counter(d.tower).items()) or "-"),
        ]
        for f, factory in enumerate(d.factories):
            chip = "" if f == LARGE else f" chip {_chip_word(factory.chip)}"
            rows.append(f"factory {FACTORY_LETTERS[f]}: sun {factory.sun or '-'} moon {factory.moon or '-'}{chip}")
        for seat, board in enumerate(d.boards):
            rows += self._rows(seat, board)
        yield
        game = Game.from_position("\n".join(rows))
        yield
        view = game.view(game.turn)
        yield
        return position_text(view)

    def _stack(self) -> list[str]:
        """Some order of the plates that lie in it, with one of the kind that is seen on top."""
        rest = [plate.name for plate in PLATES if not self.plates[plate.name]]
        kind = self.draft.top or "*W"[derive("top", *rest) % 2]
        tops = self._pile_of(kind)
        return [*tops[:1], *(plate for plate in rest if plate not in tops[:1])]

    def _chip_order(self) -> list[str]:
        """Some order of the chips in which those come first that were taken, and where one lies open it is seen."""
        taken = [face for board in self.draft.boards for face in (*board.chips, *board.spent)]
        rest = list((Counter({face: CHIP_COPIES for face in _CHIP_NAMES}) - self.chips).elements())
        order = [taken.pop() for _ in range(SMALL_FACTORIES * (self.draft.round - 1))]
        for factory in self.draft.factories[:SMALL_FACTORIES]:
            order.append(taken.pop() if not factory.chip else rest.pop() if factory.chip == _DOWN else factory.chip)
        return order + rest

    def _rows(self, seat: int, board: DraftBoard) -> list[str]:
        before = CHIPS_PER_ROUND * (self.draft.round - 1)
        chips = CHIPS_PER_ROUND - (len(board.chips) + len(board.spent) - before)
        plates = [
            f"{slot}={laid.plate}r{laid.turns}" for slot, laid in zip(SLOT_NAMES, board.plates, strict=True) if laid
        ]
        return [
            f"{seat} score: {board.score}",
            f"{seat} left: markers={self.left(seat)} chips={chips}",
            f"{seat} lines: {' '.join(f'{tiles[0]}{len(tiles)}' if tiles else '-' for tiles in board.lines)}",
            f"{seat} broken: {board.broken or '-'}",
            f"{seat} plates: {' '.join(plates) or '-'}",
            f"{seat} dome: {' '.join(board.tiles)}",
            f"{seat} store: {' '.join(board.chips) or '-'}",
            f"{seat} spent: {' '.join(board.spent) or '-'}",
        ]


def _chip_word(chip: str) -> str:
    return "gone" if not chip else "down" if chip == _DOWN else "up"


def _other_fault(error: SintraError) -> DraftFault:
    """The fault of a table that only the reader of positions refuses."""
    return DraftFault("", Telling("fault.other"), tellings_of(error.faults))


def _fault(place: str, key: str, **args: str | int) -> DraftFault:
    return DraftFault(place, Telling(f"fault.{key}", dict(args)))
