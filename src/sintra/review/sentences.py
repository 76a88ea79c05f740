"""Reasons in sentences, tied to the table: the numbers say which reasons there are, the position gives the words.

Each reason is told by the most telling form (`review/forms.py`) whose facts hold: what the best tiling does with the
move and without it, what the opponent needs, what the search expects them to do otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sintra.components import GRID, ROUNDS, Goal, PlateKind
from sintra.game.game import View
from sintra.review.facts import Facts
from sintra.review.forms import MAX_SENTENCES, VAGUE_FORMS, Args, Sentence, sentences_of_sums, whole
from sintra.review.looks import LookedAt, Reply
from sintra.review.plans import Planner
from sintra.review.reasons import Compared, Reason, ReasonKind, line_opened, state_after, with_lines
from sintra.tabletop.moves import Draw, EndTiling, LayPlate, Move, Pay, Place, TakeChip, TakeTiles

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


class Comparison(NamedTuple):
    """Why a move is better than others, or not."""

    compared: Compared
    """What it brings rather than the others."""
    reasons: list[Reason]
    """All reasons that this carries, for and against."""
    sentences: tuple[Sentence, ...]
    """The strongest of them in words."""

    @property
    def told(self) -> tuple[Sentence, ...]:
        """The sentences; where no source carries one, those of several together."""
        return self.sentences or sentences_of_sums(self.compared.sums())


class Teller:
    """Puts reasons into sentences; keeps what it works with for the next ones."""

    def __init__(self) -> None:
        self._planner = Planner()

    def explain(self, view: View, one: LookedAt, rivals: Sequence[LookedAt], against: bool = False) -> Comparison:
        """Why a move is better than others that were looked at alike, the best of these first; with `against`, if
        nothing speaks for it, what speaks against it."""
        compared = Compared(view.seat, one.prospect, [rival.prospect for rival in rivals])
        moves = [rival.move for rival in rivals]
        reasons = with_lines(compared.reasons(), view, one.move, moves)
        best = rivals[0]
        told = self.sentences(view, one.move, moves, reasons, one.reply, best.reply, best.own_next, against)
        return Comparison(compared, reasons, told)

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


class _Case(Facts):
    """The sentences for a move, from its facts."""

    # --- for the move ---------------------------------------------------------------------------

    def told(self, reason: Reason) -> Sentence:
        """The most telling sentence for a reason that speaks for the move."""
        found = next(self._telling(reason))
        return Sentence(found.form, found.args, tuple(dict.fromkeys(found.places)), reason.kind)

    def _telling(self, reason: Reason) -> Iterator[Sentence]:
        points: Args = {"points": whole(reason.points)}
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
        yield Sentence("special_soon", points, self.moved())

    def _goals(self, points: Args) -> Iterator[Sentence]:
        goals = self.view.goals
        seat = self.seat
        if len(self.others) == 1:
            yield from self._goal_spaces(self.others[0], points)
        after = View.of_state(self.after, 0, seat).goal_points[seat]
        gained = [now - then for now, then in zip(after, self.view.goal_points[seat], strict=True)]
        most = max(range(len(goals)), key=lambda k: gained[k])
        if gained[most] > 0:
            yield Sentence("goals_now", {"goal": str(goals[most]), **points}, (f"goal-{seat}-{most}", *self.moved()))
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
        if isinstance(other, TakeTiles) and self.cannot_be_placed(other) and not self.cannot_be_placed(move):
            args = {"color": other.color.letter, "line": other.line or 0, **points}
            yield Sentence("other_no_space", args, (self.line(other.line or 0),))
        told = self._breaking(other) if other is not None else None
        if other is not None and told and self.breaking_cost(other) > self.breaking_cost(move):
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
        cost = self.breaking_cost(move)
        if not cost:
            return None
        seen = self.preview(move)
        args: Args = {"count": seen.broken + seen.to_tower, "color": move.color.letter, "points": -cost}
        places = (f"broken-{self.seat}", *self.source(move))
        room = next((line for line in self.board.lines if self.has_room(line, move.color, seen.taken)), None)
        if room is None or room.number == move.line:
            return Sentence("breaks", args, places)
        return Sentence("breaks_room", {**args, "room": room.number}, (self.line(room.number), *places))

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
        begun = {other.line for other in self.others if isinstance(other, TakeTiles) and self.begins(other)}
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
        yield Sentence("ready", points, self.moved())

    def _plate_later(self, move: LayPlate, points: Args) -> Iterator[Sentence]:
        """What a plate does for later rounds, and does not do as well in the place that the other moves give one."""
        laid = [other for other in self.others if isinstance(other, LayPlate)]
        row = 2 * int(move.slot[0]) - 1
        few = max(self.open_spaces(one) for one in (row, row + 1))
        if few <= _FEW_SPACES and all(other.slot[0] != move.slot[0] for other in laid):
            args = {"row": row, "next": row + 1, **points}
            yield Sentence("spaces" if few else "first_spaces", args, self.source(move))
        if self.has_neighbours(move) and not any(self.has_neighbours(other) for other in laid):
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

    def _opens(self, reason: Reason, points: Args) -> Iterator[Sentence]:
        held = self.board.lines[reason.line - 1]
        tile = self.plan(True).placed.get(reason.line)
        args = {"count": held.tiles, "color": reason.color, "line": reason.line, **points}
        places = (self.line(reason.line), *self.source(self.move))
        if tile is not None:
            yield Sentence("opens_now", args, (*places, self.space(tile.line, tile.column)))
        yield Sentence("opens", args, places)

    def _columns(self, points: Args) -> Iterator[Sentence]:
        for one in self.landing():
            dome = View.of_state(self.after, 0, self.seat).board(self.seat).dome
            have = sum(not dome[row][one.column - 1].is_empty for row in range(GRID))
            landed = 0 if isinstance(self.move, Place) else 1
            args = {"column": one.column, "have": min(GRID, have + landed), **points}
            yield Sentence("column", args, tuple(self.space(row + 1, one.column) for row in range(GRID)))
        yield Sentence("columns", points, self.moved())

    def _special_plates(self, points: Args) -> Iterator[Sentence]:
        move = self.move
        if isinstance(move, LayPlate) and move.plate.kind is PlateKind.SPECIAL:
            worth = 2 * int(move.slot[0]) - 1 + move.face.index("*") // 2
            plate: Args = {"plate": move.plate.name, "face": move.face, "worth": worth}
            yield Sentence("special_plate", plate, self.moved())
        dome = View.of_state(self.after, 0, self.seat).board(self.seat).dome
        for one in self.landing():
            top, left = one.line - 1 - (one.line - 1) % 2, one.column - 1 - (one.column - 1) % 2
            cells = [(r, c) for r in (top, top + 1) for c in (left, left + 1)]
            special = next((cell for cell in cells if dome[cell[0]][cell[1]].shows is PlateKind.SPECIAL), None)
            if special:
                have = sum(not dome[r][c].is_empty for r, c in cells if (r, c) != special)
                have = min(3, have + (0 if isinstance(move, Place) else 1))
                places = tuple(self.space(r + 1, c + 1) for r, c in cells)
                yield Sentence("special_near", {"row": special[0] + 1, "have": have, **points}, places)
        yield Sentence("special_later", points, self.moved())

    def _goal(self, goal: str, points: Args) -> Iterator[Sentence]:
        k = self.view.goals.index(Goal.from_name(goal))
        args = {"goal": goal, **points}
        place = f"goal-{self.seat}-{k}"
        for one in self.landing():
            if not isinstance(self.move, LayPlate):
                told = {"line": one.line, "column": one.column, **args}
                yield Sentence("goal_place", told, (place, self.space(one.line, one.column)))
        if isinstance(self.move, LayPlate):
            yield Sentence("goal_plate", args, (place, *self.source(self.move)))
        yield Sentence("goal", args, (place, *self.moved()))

    def _chips(self, points: Args) -> Iterator[Sentence]:
        if isinstance(self.move, TakeChip):
            yield Sentence("chip", {"chip": self.chip(self.move), **points}, self.source(self.move))
        yield Sentence("keeps_chips", points, (f"store-{self.seat}",))

    def _theirs(self, kind: ReasonKind, points: Args) -> Iterator[Sentence]:
        if kind == "their_penalties" and self.tiles_left() <= _LAST_TILES:
            yield Sentence("last_tiles", points, (f"broken-{self.rival}",))
        denied = self.their_reply
        if denied is not None and self.takes_away(denied.move):
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
        yield Sentence(_ALL_IN_ALL.get(kind, "denies"), points, self.moved())

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
        points: Args = {"points": whole(reason.points)}
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
                yield Sentence("less_now", points, self.moved())
            case _:
                yield Sentence("less_later", points, self.moved())


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
