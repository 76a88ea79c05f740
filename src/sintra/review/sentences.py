"""Reasons in sentences, tied to the table: the numbers say which reasons there are, the position gives the words.

A sentence is a form (`FORMS` has its English; the page has all forms in all its languages), the words that fill it in,
and the places of the table that it speaks of. Each reason is told by the most telling form whose facts hold: what the
best tiling does with the move and without it, what the opponent needs, what the search expects them to do otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from sintra.components import BROKEN_PENALTIES, CHIPS, GRID, ROUNDS, Color, Goal, PlateKind
from sintra.game.game import View
from sintra.game.preview import Preview, preview_of
from sintra.review.plans import Placed, Planner, TilingPlan
from sintra.review.reasons import Reason, ReasonKind, SumKind, line_opened, state_after
from sintra.rules.state import States
from sintra.tabletop.moves import Draw, EndTiling, LayPlate, MoonTake, Move, Pay, Place, SunTake, TakeChip, TakeTiles
from sintra.tabletop.pieces import Board, Line

Args = dict[str, str | int]
"""The words of a sentence, by their names in its form."""
MAX_SENTENCES: Final = 2
"""How many sentences a move gets."""
FORMS: Final = {
    # what the move brings
    "completes": "It completes line {line} ({color}): {points} this round.",
    "completes_run": "It completes line {line}: the {color} tile makes a run of {length} ({points}).",
    "fills": "It brings line {line} to {have} of {line} {color}; the line can still be filled this round ({points}).",
    "waits": "Line {line} is then full and waits for a plate with a {color} space ({points}).",
    "places": "In row {line}, column {column} the {color} tile scores more ({points}).",
    "places_run": "In column {column} the {color} tile of row {line} makes a run of {length} ({points}).",
    "pays": "It pays for line {line}, so that its {color} tile can be placed ({points}).",
    "opens": "It gives the {tiles} in line {line} a space ({points}).",
    "opens_now": "It gives the {tiles} in line {line} a space already this round ({points}).",
    "better_space": "It gives the {color} tile of line {line} a better space ({points}).",
    "chip_completes": "The chip {chip} helps to complete line {line} this round ({points}).",
    "chip_soon": "The chip {chip} helps to fill a line this round ({points}).",
    "more_now": "It leaves more to be placed this round ({points}).",
    "special_now": "It fills the plate around the special space in row {row}: the special tile scores {points}.",
    "special_soon": "It brings a special tile closer this round ({points}).",
    "goals_space": "In row {line}, column {column} the {color} tile scores for the goal “{goal}” ({points}).",
    "goals_now": "It scores for the goal “{goal}” ({points}).",
    "goals_more": "It scores more for the goals ({points}).",
    # what it saves
    "fits": "All {tiles} fit in line {line}: nothing breaks ({points}).",
    "other_breaks": "The other move breaks {tiles} ({points}).",
    "other_breaks_room": "The other move breaks {tiles} that line {room} could have taken ({points}).",
    "other_no_space": "Row {line} has no space left for {color}: what goes to line {line} breaks ({points}).",
    "left_with": "Otherwise {tiles} have to be taken next, and some of them break ({points}).",
    "breaks_less": "By the end of the round, fewer tiles are broken ({points}).",
    "saves_line": "The {tiles} in line {line} need not break ({points}).",
    "avoids_start": "It leaves the start tile and its penalty to the opponent ({points}).",
    "saves_draws": "It draws no plate from the stack ({points}).",
    # what it does for later rounds
    "prepares": "Line {line} then holds {have} of {line} {color} for the next rounds ({points}).",
    "keeps_free": "Line {line} stays free for another colour ({points}).",
    "completes_later": "It completes line {line} ({color}): the tile helps in later rounds too ({points}).",
    "ready": "It leaves lines and spaces in better shape for the next rounds ({points}).",
    "unbound": "It ties no line to a colour: they stay free for later rounds ({points}).",
    "draw": "Drawing may bring a plate with better spaces than those in sight ({points}).",
    "plate_slot": "In this place plate {plate} fits better what is still to be filled ({points} in later rounds).",
    "plate_turned": "Turned so, plate {plate} fits better what is still to be filled ({points} in later rounds).",
    "plate_fits": "Plate {plate} fits what is still to be filled there ({points} in later rounds).",
    "first_spaces": "It gives rows {row} and {next} their first spaces ({points}).",
    "spaces": "It adds spaces where there are few: in rows {row} and {next} ({points}).",
    "neighbours": "Its spaces lie beside tiles that are there already ({points} in later rounds).",
    "column": "Column {column} then has {have} of 6 tiles ({points}).",
    "columns": "It fills the fuller columns ({points}).",
    "special_plate": "Plate {plate} has a special space, worth +{worth} once the spaces around it are filled.",
    "special_near": "The plate around the special space in row {row} then has {have} of 3 tiles ({points}).",
    "special_later": "It brings special tiles of later rounds closer ({points}).",
    "goal": "It helps with the goal “{goal}” ({points}).",
    "goal_place": "The tile in row {line}, column {column} helps with the goal “{goal}” ({points}).",
    "goal_plate": "The plate helps with the goal “{goal}” ({points}).",
    "chip": "The chip {chip} can later stand in for missing tiles ({points}).",
    "keeps_chips": "It keeps bonus chips for later ({points}).",
    "starts": "It takes the start tile, and with it the start of the next round ({points}).",
    "starts_later": "It makes starting the next round more likely ({points}).",
    # what it does to the opponent
    "denies_line": "The opponent needs {color} for line {line}: {missing} missing ({points}).",
    "denies_exactly": "The opponent needs exactly these {tiles} for line {line} ({points}).",
    "denies_take": "Otherwise the opponent takes {tiles} to line {line} ({points}).",
    "denies_plate": "Otherwise the opponent takes plate {plate} ({points}).",
    "denies_chip": "Otherwise the opponent takes the chip {chip} ({points}).",
    "averts_take": "The opponent is then less likely to take {tiles} to line {line} ({points}).",
    "averts_plate": "The opponent is then less likely to take plate {plate} ({points}).",
    "averts_chip": "The opponent is then less likely to take the chip {chip} ({points}).",
    "denies": "It leaves the opponent less for this round ({points}).",
    "denies_later": "It leaves the opponent less for the rounds to come ({points}).",
    "last_tiles": "The opponent is left with the last tiles and probably has to break some ({points}).",
    "their_breaks": "By the end of the round, the opponent has more broken tiles ({points}).",
    # what speaks against a move
    "breaks": "It breaks {tiles} ({points}).",
    "breaks_room": "It breaks {tiles} that line {room} could have taken ({points}).",
    "risks": "Some tiles may have to be broken afterwards ({points}).",
    "takes_start": "It takes the start tile with its penalty ({points}).",
    "draws": "Drawing costs points ({points}).",
    "leaves_take": "It leaves the opponent {tiles} for line {line} ({points}).",
    "leaves_plate": "It leaves the opponent plate {plate} ({points}).",
    "leaves_chip": "It leaves the opponent the chip {chip} ({points}).",
    "leaves": "It leaves the opponent more ({points}).",
    "less_now": "It brings less this round ({points}).",
    "less_later": "It brings less for later rounds ({points}).",
    "loses_start": "The opponent is then more likely to start the next round ({points}).",
    # where no source carries a reason: several together, or nothing
    "sum_now": "Several small things together bring more this round ({points}).",
    "sum_later": "Several small things together help in the rounds to come ({points}).",
    "sum_opponent": "All in all, it leaves the opponent less ({points}).",
    "exact": "This was calculated to the end of the game.",
    "tiled": "No other tiling of the dome brings more.",
    "only": "There is no other move.",
    "small": "Many small things add up; none of them stands out.",
    "nothing": "About equal: nothing speaks clearly for either.",
}
"""The forms of sentences, in English. `points` have a sign, a `tiles` is a count with a colour."""
_SUM_FORMS: Final[dict[SumKind, str]] = {
    "this_round": "sum_now",
    "later_rounds": "sum_later",
    "opponent": "sum_opponent",
}
VAGUE_FORMS: Final = frozenset({"ready", "denies", "denies_later", "their_breaks", "more_now", "special_later"})
"""Forms for reasons of which nothing on the table can be named; they are told only where nothing else is."""
NOTHING_FORMS: Final = ("nothing", "small")
"""Forms that say that there is no reason."""
_MIN_RUN: Final = 2
"""A longer run is told of."""
_FEW_SPACES: Final = 2
"""So many open spaces in a row are few."""
_LAST_TILES: Final = 8
"""So many tiles at the factories are the last ones: some three takes."""
_ALL_IN_ALL: Final[dict[ReasonKind, str]] = {
    "their_penalties": "their_breaks",
    "their_later": "denies_later",
    "their_chips": "denies_later",
}
"""What is said of the opponent where nothing on the table can be named; "denies" otherwise."""


class Sentence(Struct, frozen=True, omit_defaults=True):
    """A reason in words."""

    form: str
    """One of `FORMS`."""
    args: Args = field(default_factory=dict)
    """The words that fill it in."""
    places: tuple[str, ...] = ()
    """The places of the table that it speaks of, by the names they have on the page."""
    kind: ReasonKind | SumKind | None = None
    """The reason that it tells, or the sum, if it tells one."""


ONLY: Final = Sentence("only")
NOTHING: Final = Sentence("nothing")
SMALL: Final = Sentence("small")


def in_english(sentence: Sentence) -> str:
    """A sentence in English."""
    return re.sub(r"\{(\w+)\}", lambda found: _english(found[1], sentence.args), FORMS[sentence.form])


def _english(name: str, args: Args) -> str:
    if name == "tiles":
        return f"{args['count']} {Color.from_letter(str(args['color']))}"
    value = args[name]
    if name == "color":
        return str(Color.from_letter(str(value)))
    if name == "points":
        return f"+{value}" if int(value) > 0 else f"\N{MINUS SIGN}{-int(value)}"
    return str(value)


def sentences_of_sums(sums: Mapping[SumKind, float]) -> tuple[Sentence, ...]:
    """At most `MAX_SENTENCES` for sources that count together only."""
    told = [Sentence(_SUM_FORMS[kind], {"points": _whole(points)}, (), kind) for kind, points in sums.items()]
    return tuple(told[:MAX_SENTENCES])


class Reply(Struct, frozen=True):
    """What the search expects somebody to do next."""

    move: Move
    """Their move."""
    tiles: int
    """How many tiles it takes."""
    broken: int = 0
    """How many of them break at once."""


class Teller:
    """Puts reasons into sentences; keeps what it works with for the next ones."""

    def __init__(self) -> None:
        self._planner = Planner()

    def sentences(
        self,
        view: View,
        move: Move,
        others: Sequence[Move],
        reasons: Sequence[Reason],
        reply: Reply | None = None,
        their_reply: Reply | None = None,
        own_next: Reply | None = None,
        against: bool = True,
    ) -> tuple[Sentence, ...]:
        """At most `MAX_SENTENCES` for a move rather than others, the strongest reason first, a second one only if it
        names something; if nothing speaks for it and `against` is wanted, one that speaks against it. `reply` is what
        the opponent is expected to do after the move, `their_reply` after the best of the others, and `own_next` what
        the mover is expected to do then."""
        case = _Case(self._planner, view, move, others, reply, their_reply, own_next)
        found: list[Sentence] = []
        for reason in sorted(reasons, key=lambda one: -one.points):
            if reason.points > 0 and len(found) < MAX_SENTENCES:
                told = case.told(reason)
                if told.form not in [one.form for one in found] and not (found and told.form in VAGUE_FORMS):
                    found.append(told)
        if not found and against:
            cons = sorted((one for one in reasons if one.points < 0), key=lambda one: one.points)
            found = [case.told_against(one) for one in cons[:1]]
        return tuple(found)


class _Case:
    """A move, what else could be made, and the facts of the position."""

    def __init__(
        self,
        planner: Planner,
        view: View,
        move: Move,
        others: Sequence[Move],
        reply: Reply | None,
        their_reply: Reply | None,
        own_next: Reply | None,
    ) -> None:
        self.planner, self.view, self.move, self.others = planner, view, move, others
        self.reply, self.their_reply, self.own_next = reply, their_reply, own_next
        self.seat, self.rival = view.seat, 1 - view.seat
        self._after: States | None = None
        self._plans: dict[int, TilingPlan] = {}

    # --- facts ----------------------------------------------------------------------------------

    @property
    def after(self) -> States:
        """The state after the move."""
        if self._after is None:
            self._after = state_after(self.view, self.move)
        return self._after

    def plan(self, after: bool) -> TilingPlan:
        """How the mover's board would be tiled, after the move or before it."""
        if after not in self._plans:
            self._plans[after] = self.planner.plan(self.after if after else self.view.states, self.seat)
        return self._plans[after]

    @property
    def board(self) -> Board:
        return self.view.board(self.seat)

    def preview(self, move: Move) -> Preview:
        return preview_of(self.view.states, move)

    def held(self, line: int) -> Line:
        """A line of the mover after the move."""
        return View.of_state(self.after, 0, self.seat).board(self.seat).lines[line - 1]

    def new_tiles(self) -> list[Placed]:
        """Tiles that the best tiling places after the move and not before, or elsewhere, those that score most
        first."""
        before = self.plan(False).placed
        found = [one for line, one in self.plan(True).placed.items() if before.get(line) != one]
        return sorted(found, key=lambda one: -(one.points + one.special_points))

    # --- places ---------------------------------------------------------------------------------

    def line(self, line: int, seat: int | None = None) -> str:
        return f"line-{self.seat if seat is None else seat}-{line}"

    def space(self, row: int, column: int) -> str:
        return f"space-{self.seat}-{row}-{column}"

    def source(self, move: Move) -> tuple[str, ...]:
        """Where a move takes from."""
        match move:
            case SunTake():
                return (f"sun-{move.factory}",)
            case MoonTake():
                tops = [f"moon-{one.name}" for one in self.view.factories if one.moon and _shows(one, move.color)]
                return tuple(tops)
            case TakeChip():
                return (f"chip-{move.factory}",)
            case LayPlate():
                return (f"slot-{self.seat}-{move.slot}",)
        return ()

    # --- for the move ---------------------------------------------------------------------------

    def told(self, reason: Reason) -> Sentence:
        """The most telling sentence for a reason that speaks for the move."""
        found = next(self._telling(reason))
        return Sentence(found.form, found.args, tuple(dict.fromkeys(found.places)), reason.kind)

    def _telling(self, reason: Reason) -> Iterator[Sentence]:
        points: Args = {"points": _whole(reason.points)}
        match reason.kind:
            case "placement":
                yield from self._placement(points)
            case "specials":
                yield from self._specials(points)
            case "goals":
                yield from self._goals(points)
            case "broken":
                yield from self._broken(points)
            case "start_tile":
                yield Sentence("avoids_start", points, ("start",))
            case "draws":
                yield Sentence("saves_draws", points, ("stack",))
            case "lines":
                yield from self._later(points)
            case "opens":
                yield from self._opens(reason, points)
            case "columns":
                yield from self._columns(points)
            case "special_plates":
                yield from self._special_plates(points)
            case "goal":
                yield from self._goal(reason.goal, points)
            case "chips":
                yield from self._chips(points)
            case "starts":
                takes = isinstance(self.move, TakeTiles) and self.preview(self.move).takes_start_tile
                yield Sentence("starts" if takes else "starts_later", points, ("start",))
            case _:
                yield from self._theirs(reason.kind, points)

    def _placement(self, points: Args) -> Iterator[Sentence]:
        move = self.move
        new = self.new_tiles()
        if isinstance(move, TakeTiles) and move.line is not None:
            tile = self.plan(True).placed.get(move.line)
            places = (self.line(move.line), *((self.space(tile.line, tile.column),) if tile else ()))
            args = {"line": move.line, "color": move.color.letter, **points}
            if self.preview(move).completes_line and tile in new:
                if tile is not None and tile.run > _MIN_RUN:
                    yield Sentence("completes_run", {**args, "length": tile.run}, places)
                yield Sentence("completes", args, places)
            held = self.held(move.line)
            if held.room and self.preview(move).to_line:
                yield Sentence("fills", {**args, "have": held.tiles}, places)
            yield from self._waits(points)
        if isinstance(move, Place):
            tile = self.plan(False).placed.get(move.line)
            args = {"line": move.line, "column": move.column, "color": self.color_of(move.line), **points}
            places = (self.line(move.line), self.space(move.line, move.column))
            if tile is not None and tile.column == move.column and tile.run > _MIN_RUN:
                yield Sentence("places_run", {**args, "length": tile.run}, places)
            yield Sentence("places", args, places)
        if isinstance(move, Pay):
            yield Sentence(
                "pays", {"line": move.line, "color": self.color_of(move.line), **points}, (self.line(move.line),)
            )
        if isinstance(move, TakeChip):
            chip = {"chip": self.chip(move), **points}
            if new:
                line = new[0].line
                yield Sentence("chip_completes", {**chip, "line": line}, (*self.source(move), self.line(line)))
            yield Sentence("chip_soon", chip, self.source(move))
        if isinstance(move, LayPlate) and new:
            tile = new[0]
            args = {"line": tile.line, "color": self.color_of(tile.line), **points}
            places = (self.line(tile.line), self.space(tile.line, tile.column), *self.source(move))
            if tile.line in self.plan(False).placed:
                yield Sentence("better_space", args, places)
            held = self.board.lines[tile.line - 1]
            yield Sentence("opens_now", {**args, "count": held.tiles}, places)
        yield Sentence("more_now", points, tuple(self.space(one.line, one.column) for one in new[:2]))

    def _specials(self, points: Args) -> Iterator[Sentence]:
        plan = self.plan(not isinstance(self.move, Place | Pay | EndTiling))
        for one in sorted(plan.placed.values(), key=lambda tile: -tile.special_points):
            if one.special:
                row, column = one.special
                places = (self.space(row, column), self.space(one.line, one.column))
                yield Sentence("special_now", {"row": row, **points}, places)
        yield Sentence("special_soon", points, self._moved())

    def _goals(self, points: Args) -> Iterator[Sentence]:
        goals = self.view.goals
        seat = self.seat
        if len(self.others) == 1:
            yield from self._goal_spaces(self.others[0], points)
        after = View.of_state(self.after, 0, seat).goal_points[seat]
        gained = [now - then for now, then in zip(after, self.view.goal_points[seat], strict=True)]
        most = max(range(len(goals)), key=lambda k: gained[k])
        if gained[most] > 0:
            yield Sentence("goals_now", {"goal": str(goals[most]), **points}, (f"goal-{seat}-{most}", *self._moved()))
        yield Sentence("goals_more", points, tuple(f"goal-{seat}-{k}" for k in range(len(goals))))

    def _goal_spaces(self, other: Move, points: Args) -> Iterator[Sentence]:
        """R6.1: the tiles that go elsewhere after the other move, if at all, and without which a goal scores less."""
        mine, theirs = self.plan(True), self.planner.plan(state_after(self.view, other), self.seat)
        have = mine.goal_points
        gained = [one - two for one, two in zip(have, theirs.goal_points, strict=True)]
        most = max(range(len(gained)), key=lambda k: gained[k])
        if gained[most] <= 0:
            return
        goal = {"goal": str(self.view.goals[most]), **points}
        there = theirs.tiles
        for (row, column), color in mine.tiles.items():
            if (row, column) not in there and mine.goal_points_without(row, column)[most] < have[most]:
                args = {"line": row, "column": column, "color": color.letter, **goal}
                yield Sentence("goals_space", args, (f"goal-{self.seat}-{most}", self.space(row, column)))

    def _broken(self, points: Args) -> Iterator[Sentence]:
        move = self.move
        other = self.others[0] if len(self.others) == 1 else None
        if isinstance(other, TakeTiles) and self._cannot_be_placed(other) and not self._cannot_be_placed(move):
            args = {"color": other.color.letter, "line": other.line or 0, **points}
            yield Sentence("other_no_space", args, (self.line(other.line or 0),))
        told = self._breaking(other) if other is not None else None
        if other is not None and told and self._breaking_cost(other) > self._breaking_cost(move):
            yield Sentence(f"other_{told.form}", told.args, told.places)
        opened = line_opened(self.view, move)
        if opened:
            line, color = opened
            count = self.board.lines[line - 1].tiles
            args = {"count": count, "color": color.letter, "line": line, **points}
            yield Sentence("saves_line", args, (self.line(line), *self.source(move)))
        if isinstance(move, TakeTiles) and move.line is not None:
            seen = self.preview(move)
            if not seen.broken and not seen.to_tower and all(self._breaking(other) for other in self.others):
                args = {"count": seen.to_line, "color": move.color.letter, "line": move.line, **points}
                yield Sentence("fits", args, (self.line(move.line),))
        following = self.own_next
        if following is not None and following.broken and isinstance(following.move, TakeTiles):
            args = {"count": following.tiles, "color": following.move.color.letter, **points}
            yield Sentence("left_with", args, (f"broken-{self.seat}",))
        yield Sentence("breaks_less", points, (f"broken-{self.seat}",))

    def _breaking(self, move: Move) -> Sentence | None:
        """The sentence for a take that breaks tiles at once."""
        if not isinstance(move, TakeTiles):
            return None
        cost = self._breaking_cost(move)
        if not cost:
            return None
        seen = self.preview(move)
        args: Args = {"count": seen.broken + seen.to_tower, "color": move.color.letter, "points": -cost}
        places = (f"broken-{self.seat}", *self.source(move))
        room = next((line for line in self.board.lines if self._has_room(line, move.color, seen.taken)), None)
        if room is None or room.number == move.line:
            return Sentence("breaks", args, places)
        return Sentence("breaks_room", {**args, "room": room.number}, (self.line(room.number), *places))

    def _breaking_cost(self, move: Move) -> int:
        """What the tiles cost that a take breaks at once."""
        if not isinstance(move, TakeTiles):
            return 0
        held = len(self.board.broken)
        return _penalty(held + self.preview(move).broken) - _penalty(held)

    def _cannot_be_placed(self, move: Move) -> bool:
        """Whether what a take brings to its line breaks whatever happens: its row has no space for the colour, and no
        plate can bring one any more."""
        if not isinstance(move, TakeTiles) or move.line is None:
            return False
        row = self.board.dome[move.line - 1]
        takes = (None, move.color, PlateKind.WILD)
        return not any(space.is_empty and space.shows in takes for space in row)

    def _has_room(self, line: Line, color: Color, count: int) -> bool:
        """Whether a line could have taken all these tiles."""
        return line.color in (None, color) and not line.is_placed and line.room >= count

    def _later(self, points: Args) -> Iterator[Sentence]:
        move = self.move
        if isinstance(move, TakeTiles) and move.line is not None:
            held = self.held(move.line)
            if held.room and self.preview(move).to_line:
                args = {"line": move.line, "color": move.color.letter, "have": held.tiles, **points}
                yield Sentence("prepares", args, (self.line(move.line),))
        if isinstance(move, LayPlate):
            yield from self._plate_later(move, points)
        if isinstance(move, Draw):
            yield Sentence("draw", points, ("stack",))
        begun = {other.line for other in self.others if isinstance(other, TakeTiles) and self._begins(other)}
        mine = move.line if isinstance(move, TakeTiles) else None
        if len(begun) == 1 and len(self.others) == 1 and (line := next(iter(begun))) and line != mine:
            yield Sentence("keeps_free", {"line": line, **points}, (self.line(line),))
        if isinstance(move, TakeTiles) and move.line is not None and self.preview(move).completes_line:
            tile = self.plan(True).placed.get(move.line)
            if tile is not None:
                args = {"line": move.line, "color": move.color.letter, **points}
                yield Sentence("completes_later", args, (self.line(move.line), self.space(tile.line, tile.column)))
        yield from self._waits(points)
        if isinstance(move, TakeChip) or (isinstance(move, TakeTiles) and move.line is None):
            empty = tuple(self.line(line.number) for line in self.board.lines if line.color is None)
            if empty:
                yield Sentence("unbound", points, empty)
        yield Sentence("ready", points, self._moved())

    def _plate_later(self, move: LayPlate, points: Args) -> Iterator[Sentence]:
        """What a plate does for later rounds, and does not do as well in the place that the other moves give one."""
        laid = [other for other in self.others if isinstance(other, LayPlate)]
        row = 2 * int(move.slot[0]) - 1
        few = max(self._open_spaces(one) for one in (row, row + 1))
        if few <= _FEW_SPACES and all(other.slot[0] != move.slot[0] for other in laid):
            args = {"row": row, "next": row + 1, **points}
            yield Sentence("spaces" if few else "first_spaces", args, self.source(move))
        if self._has_neighbours(move) and not any(self._has_neighbours(other) for other in laid):
            yield Sentence("neighbours", points, self.source(move))
        form = "plate_fits"
        if laid and all(isinstance(other, LayPlate) and other.plate == move.plate for other in self.others):
            form = "plate_turned" if all(other.slot == move.slot for other in laid) else "plate_slot"
        yield Sentence(form, {"plate": move.plate.name, "face": move.face, **points}, self.source(move))

    def _waits(self, points: Args) -> Iterator[Sentence]:
        """R4.3: a take fills a line whose tile has no space yet, but may get one."""
        move = self.move
        if not isinstance(move, TakeTiles) or move.line is None or self.view.round == ROUNDS:
            return
        may_get_one = any(space.shows is None for space in self.board.dome[move.line - 1])
        if may_get_one and self.preview(move).completes_line and move.line not in self.plan(True).placed:
            args = {"line": move.line, "color": move.color.letter, **points}
            yield Sentence("waits", args, (self.line(move.line),))

    def _begins(self, move: TakeTiles) -> bool:
        """Whether a take begins a line that was empty and does not fill it."""
        return (
            move.line is not None
            and self.board.lines[move.line - 1].color is None
            and not self.preview(move).completes_line
        )

    def _open_spaces(self, row: int) -> int:
        """How many empty spaces a row of the dome has."""
        return sum(space.is_empty and space.shows is not None for space in self.board.dome[row - 1])

    def _has_neighbours(self, move: LayPlate) -> bool:
        """Whether tiles lie beside the slot of a plate."""
        top, left = 2 * (int(move.slot[0]) - 1), 2 * (int(move.slot[1]) - 1)
        around = [(top + k, left + side) for k in (0, 1) for side in (-1, 2)]
        around += [(top + side, left + k) for k in (0, 1) for side in (-1, 2)]
        dome = self.board.dome
        return any(0 <= r < GRID and 0 <= c < GRID and not dome[r][c].is_empty for r, c in around)

    def _opens(self, reason: Reason, points: Args) -> Iterator[Sentence]:
        held = self.board.lines[reason.line - 1]
        tile = self.plan(True).placed.get(reason.line)
        args = {"count": held.tiles, "color": reason.color, "line": reason.line, **points}
        places = (self.line(reason.line), *self.source(self.move))
        if tile is not None:
            yield Sentence("opens_now", args, (*places, self.space(tile.line, tile.column)))
        yield Sentence("opens", args, places)

    def _columns(self, points: Args) -> Iterator[Sentence]:
        for one in self._landing():
            dome = View.of_state(self.after, 0, self.seat).board(self.seat).dome
            have = sum(not dome[row][one.column - 1].is_empty for row in range(GRID))
            landed = 0 if isinstance(self.move, Place) else 1
            args = {"column": one.column, "have": min(GRID, have + landed), **points}
            yield Sentence("column", args, tuple(self.space(row + 1, one.column) for row in range(GRID)))
        yield Sentence("columns", points, self._moved())

    def _landing(self) -> list[Placed]:
        """The tiles that the move brings to the dome: that of the line that it completes, or the one placed."""
        if isinstance(self.move, Place | Pay):
            tile = self.plan(False).placed.get(self.move.line)
            return [tile] if tile else []
        if isinstance(self.move, TakeTiles) and self.move.line is not None:
            tile = self.plan(True).placed.get(self.move.line)
            return [tile] if tile else []
        return self.new_tiles()[:1]

    def _special_plates(self, points: Args) -> Iterator[Sentence]:
        move = self.move
        if isinstance(move, LayPlate) and move.plate.kind is PlateKind.SPECIAL:
            worth = 2 * int(move.slot[0]) - 1 + move.face.index("*") // 2
            plate: Args = {"plate": move.plate.name, "face": move.face, "worth": worth}
            yield Sentence("special_plate", plate, self._moved())
        dome = View.of_state(self.after, 0, self.seat).board(self.seat).dome
        for one in self._landing():
            top, left = one.line - 1 - (one.line - 1) % 2, one.column - 1 - (one.column - 1) % 2
            cells = [(r, c) for r in (top, top + 1) for c in (left, left + 1)]
            special = next((cell for cell in cells if dome[cell[0]][cell[1]].shows is PlateKind.SPECIAL), None)
            if special:
                have = sum(not dome[r][c].is_empty for r, c in cells if (r, c) != special)
                have = min(3, have + (0 if isinstance(move, Place) else 1))
                places = tuple(self.space(r + 1, c + 1) for r, c in cells)
                yield Sentence("special_near", {"row": special[0] + 1, "have": have, **points}, places)
        yield Sentence("special_later", points, self._moved())

    def _goal(self, goal: str, points: Args) -> Iterator[Sentence]:
        k = self.view.goals.index(Goal.from_name(goal))
        args = {"goal": goal, **points}
        place = f"goal-{self.seat}-{k}"
        for one in self._landing():
            if not isinstance(self.move, LayPlate):
                told = {"line": one.line, "column": one.column, **args}
                yield Sentence("goal_place", told, (place, self.space(one.line, one.column)))
        if isinstance(self.move, LayPlate):
            yield Sentence("goal_plate", args, (place, *self.source(self.move)))
        yield Sentence("goal", args, (place, *self._moved()))

    def _chips(self, points: Args) -> Iterator[Sentence]:
        if isinstance(self.move, TakeChip):
            yield Sentence("chip", {"chip": self.chip(self.move), **points}, self.source(self.move))
        yield Sentence("keeps_chips", points, (f"store-{self.seat}",))

    def _theirs(self, kind: ReasonKind, points: Args) -> Iterator[Sentence]:
        if kind == "their_penalties" and self._tiles_left() <= _LAST_TILES:
            yield Sentence("last_tiles", points, (f"broken-{self.rival}",))
        denied = self.their_reply
        if denied is not None and self._takes_away(denied.move):
            yield from self._reply("denies", denied, points)
        move = self.move
        if isinstance(move, TakeTiles) and kind in ("their_points", "their_later"):
            count = self.preview(move).taken
            for line in reversed(self.view.board(self.rival).lines):
                if line.color == move.color and line.room:
                    args = {"color": move.color.letter, "line": line.number, **points}
                    places = (self.line(line.number, self.rival), *self.source(move))
                    if line.room == count:
                        yield Sentence("denies_exactly", {**args, "count": count}, places)
                    yield Sentence("denies_line", {**args, "missing": line.room}, places)
        if denied is not None and self.reply is not None and _wanted(self.reply.move) != _wanted(denied.move):
            yield from self._reply("averts", denied, points)
        yield Sentence(_ALL_IN_ALL.get(kind, "denies"), points, self._moved())

    def _tiles_left(self) -> int:
        """How many tiles lie at the factories before the move."""
        return sum(len(one.sun) + len(one.moon) for one in self.view.factories)

    def _takes_away(self, theirs: Move) -> bool:
        """Whether the move takes what the opponent would."""
        match self.move, theirs:
            case TakeTiles(color=mine), TakeTiles(color=color):
                return mine == color
            case LayPlate(plate=mine_plate), LayPlate(plate=plate):
                return mine_plate == plate
            case TakeChip(factory=mine_factory), TakeChip(factory=factory):
                return mine_factory == factory
        return False

    def _reply(self, stem: str, reply: Reply, points: Args) -> Iterator[Sentence]:
        match reply.move:
            case TakeTiles(color=color, line=int(line)):
                args = {"count": reply.tiles, "color": color.letter, "line": line, **points}
                yield Sentence(f"{stem}_take", args, (self.line(line, self.rival), *self.source(reply.move)))
            case LayPlate(plate=plate):
                args = {"plate": plate.name, "face": plate.turned(0), **points}
                yield Sentence(f"{stem}_plate", args, ())
            case TakeChip():
                yield Sentence(f"{stem}_chip", {"chip": self.chip(reply.move), **points}, self.source(reply.move))

    # --- against the move -----------------------------------------------------------------------

    def told_against(self, reason: Reason) -> Sentence:
        """The most telling sentence for a reason that speaks against the move."""
        found = next(self._against(reason))
        return Sentence(found.form, found.args, tuple(dict.fromkeys(found.places)), reason.kind)

    def _against(self, reason: Reason) -> Iterator[Sentence]:
        points: Args = {"points": _whole(reason.points)}
        match reason.kind:
            case "broken":
                if told := self._breaking(self.move):
                    yield told
                yield Sentence("risks", points, (f"broken-{self.seat}",))
            case "start_tile":
                yield Sentence("takes_start", points, ("start",))
            case "draws":
                form = "draws" if isinstance(self.move, Draw) else "less_now"
                yield Sentence(form, points, ("stack",))
            case "starts":
                yield Sentence("loses_start", points, ("start",))
            case "their_points" | "their_later" | "their_chips" | "their_penalties":
                if self.reply is not None:
                    yield from self._reply("leaves", self.reply, points)
                yield Sentence("leaves", points)
            case "placement" | "specials" | "goals":
                yield Sentence("less_now", points, self._moved())
            case _:
                yield Sentence("less_later", points, self._moved())

    # --- words ----------------------------------------------------------------------------------

    def _moved(self) -> tuple[str, ...]:
        """Where the move itself happens."""
        match self.move:
            case TakeTiles(line=int(line)) | Pay(line=line):
                return (self.line(line),)
            case Place(line=line, column=column):
                return (self.space(line, column),)
        return self.source(self.move)

    def color_of(self, line: int) -> str:
        """The letter of the colour of a line of the mover."""
        color = self.board.lines[line - 1].color
        return color.letter if color is not None else ""

    def chip(self, move: TakeChip) -> str:
        """The face of the chip that a move takes."""
        chip = self.view.factory(move.factory).chip or CHIPS[0]
        return chip.face


def _shows(factory: object, color: Color) -> bool:
    """Whether the moon side of a factory gives a colour (R3.3)."""
    moon: tuple[Color, ...] = factory.moon  # type: ignore[attr-defined]
    is_large: bool = factory.is_large  # type: ignore[attr-defined]
    return color in moon if is_large else moon[-1] == color


def _wanted(move: Move) -> object:
    """What a move of the draft is after, wherever it comes from."""
    match move:
        case TakeTiles(color=color, line=line):
            return color, line
        case LayPlate(plate=plate):
            return plate
        case TakeChip(factory=factory):
            return factory
    return None


def _penalty(broken: int) -> int:
    return BROKEN_PENALTIES[min(broken, len(BROKEN_PENALTIES) - 1)]


def _whole(points: float) -> int:
    """Points as a whole number, never 0."""
    whole = int(abs(points) + 0.5) or 1
    return whole if points > 0 else -whole
