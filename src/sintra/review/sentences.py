"""Reasons in sentences, tied to the table: the numbers say which reasons there are, the position gives the words.

Each reason is told by the most telling form (`review/forms.py`) whose facts hold: what the best tiling does with the
move and without it, what the opponent needs, what the search expects them to do otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from sintra.components import GRID, ROUNDS, Color, Goal, PlateKind
from sintra.game.game import View
from sintra.review.facts import Facts
from sintra.review.forms import MAX_SENTENCES, VAGUE_FORMS, WEAK_FORMS, Args, Sentence, sentences_of_sums, whole
from sintra.review.looks import LookedAt, Reply
from sintra.review.plans import Planner
from sintra.review.reasons import Compared, Reason, ReasonKind, line_opened, with_lines
from sintra.rules.state import Stage
from sintra.tabletop.moves import Draw, EndTiling, LayPlate, Move, Pay, Place, SunTake, TakeChip, TakeTiles

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
_THEIRS: Final[tuple[ReasonKind, ...]] = ("their_points", "their_later", "their_chips", "their_penalties")
"""The reasons that are about the opponent."""
_TOLD_OF_OUTCOMES: Final = frozenset({"last_tiles"})
"""Forms that tell what is expected after the move rather than what it does; they may hold for other moves, too."""
_SAME_BY: Final[dict[str, tuple[str, ...]]] = {
    "first_spaces": (),
    "spaces": (),
    "special_plate": ("worth",),
}
"""The words by which two sentences of a form say the same of two moves, where not by all but the points."""


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
        pros = sorted((one for one in reasons if one.points > 0), key=lambda one: -one.points)
        wrong = case.wrong_with_the_other(pros)
        found: list[Sentence] = []
        weak: list[Sentence] = []
        for reason in pros:
            told = wrong if wrong and wrong.kind == reason.kind else case.told(reason)
            if told.form in WEAK_FORMS:
                weak.append(told)
            elif told.form not in [one.form for one in found] and not (found and told.form in VAGUE_FORMS):
                found.append(told)
            if len(found) == MAX_SENTENCES:
                break
        if wrong and wrong not in found:
            found[MAX_SENTENCES - 1 :] = [wrong]
        found = found or weak[:1]
        if not found and against:
            cons = sorted((one for one in reasons if one.points < 0), key=lambda one: one.points)
            found = [case.told_against(one) for one in cons[:1]]
        return tuple(found)


class _Case(Facts):
    """The sentences for a move, from its facts."""

    _is_order_told = False

    @cached_property
    def _facts_of_others(self) -> dict[Reason, list[set[tuple[object, ...]]]]:
        """For each reason what could be said of the other moves, one by one, as far as it was asked for."""
        return {}

    @cached_property
    def _mirrors(self) -> dict[int, _Case]:
        """The cases for other moves rather than this one, as far as they were asked for."""
        return {}

    # --- for the move ---------------------------------------------------------------------------

    def told(self, reason: Reason) -> Sentence:
        """The most telling sentence for a reason that speaks for the move."""
        if (told := self._stacked(whole(reason.points))) and not self._is_order_told:
            self._is_order_told = True
            return _of_reason(told, reason)
        if reason.kind in _THEIRS and self.others and all(self.leaves_same(other) for other in self.others):
            return _of_reason(Sentence("same_left", {"points": whole(reason.points)}, self.moved()), reason)
        candidates = self._telling(reason)
        found = next(candidates)
        while self._holds_for_others(found, reason) and (another := next(candidates, None)):
            found = another
        return _of_reason(found, reason)

    def _holds_for_others(self, sentence: Sentence, reason: Reason) -> bool:
        """Whether a sentence would be as true of the best of the other moves, or of most of them: then it is no
        difference. The last form for a reason only compares, and is told in any case."""
        if not self.others or sentence.form in _TOLD_OF_OUTCOMES:
            return False
        if reason not in self._facts_of_others:
            self._facts_of_others[reason] = [
                {_fact(one) for one in self._mirrored(k)._telling(reason)} for k in range(len(self.others))
            ]
        alike = [_fact(sentence) in facts for facts in self._facts_of_others[reason]]
        return alike[0] or 2 * sum(alike) > len(alike)

    def _mirrored(self, k: int) -> _Case:
        """The case for another move rather than this one. What the opponent does after the best of the others stays
        the same: that is what a move takes from them, or does not."""
        if k not in self._mirrors:
            reply = self.their_reply if k == 0 else None
            mirror = _Case(self.planner, self.view, self.others[k], [self.move], reply, self.their_reply, None)
            self._mirrors[k] = mirror
        return self._mirrors[k]

    def wrong_with_the_other(self, pros: Sequence[Reason]) -> Sentence | None:
        """R4.3, R3.5: what the other move does wrong with its tiles and this one does not, if a reason carries it:
        puts them on a line where they can only break, or breaks them at once."""
        other = self.other
        if other is None:
            return None
        for kind in ("broken", "placement"):
            reason = next((one for one in pros if one.kind == kind), None)
            if reason is None:
                continue
            points: Args = {"points": whole(reason.points)}
            if (told := self._no_space(other, points)) and not self.cannot_be_placed(self.move):
                return _of_reason(_of_other(told), reason)
            if kind == "broken" and self.breaking_cost(other) > self.breaking_cost(self.move):
                told = self._breaking(other)
                return _of_reason(_of_other(told), reason) if told else None
        return None

    def _stacked(self, points: int) -> Sentence | None:
        """R3.2: the sentence for a take that differs from the other in nothing but the order of what is left: whatever
        the reason, that is its cause."""
        move, other = self.move, self.other
        if not isinstance(move, SunTake) or other is None or not self.stacks_otherwise(other):
            return None
        args: Args = {"color": move.order[-1].letter, "factory": move.factory, "points": points}
        return Sentence("stacked", args, (f"moon-{move.factory}",))

    def _no_space(self, move: Move, points: Args) -> Sentence | None:
        """The sentence for a take to a line where its tiles can only break."""
        if not isinstance(move, TakeTiles) or move.line is None or not self.cannot_be_placed(move):
            return None
        args = {"count": self.preview(move).to_line, "color": move.color.letter, "line": move.line, **points}
        return Sentence("no_space", args, (self.line(move.line), *self.source(move)))

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
                if not self.takes_start_tile:
                    yield Sentence("avoids_start", points, ("start",))
                yield Sentence("start_likely", points, ("start",))
            case "draws":
                if not isinstance(self.move, Draw):
                    is_drawing = self.view.stage == Stage.DRAWING
                    yield Sentence("stops" if is_drawing else "saves_draws", points, ("stack",))
                yield Sentence("fewer_draws", points, ("stack",))
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
                if self.takes_start_tile:
                    yield Sentence("starts", points, ("start",))
                yield Sentence("starts_later", points, ("start",))
            case "their_points" | "their_later" | "their_chips" | "their_penalties":
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
            args = {"line": move.line, "color": self.color_of(move.line), **points}
            missing = self.missing_after(move)
            form = {"pays_part": {**args, "count": missing}} if missing else {"pays": args}
            yield from (Sentence(name, words, (self.line(move.line),)) for name, words in form.items())
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
        move = self.move
        filled = [(self.preview(move).special, move.line, move.column)] if isinstance(move, Place) else []
        if not isinstance(move, EndTiling):
            planned = sorted(self.plan(True).placed.values(), key=lambda tile: -tile.special_points)
            filled += [(one.special, one.line, one.column) for one in planned]
        for special, line, place in filled:
            if special:
                row, column = special
                places = (self.space(row, column), self.space(line, place))
                yield Sentence("special_now", {"row": row, "column": column, **points}, places)
        yield Sentence("special_soon", points, self.moved())

    def _goals(self, points: Args) -> Iterator[Sentence]:
        goals = self.view.goals
        seat = self.seat
        if self.other is not None:
            yield from self._goal_spaces(self.other, points)
        after = View.of_state(self.after, 0, seat).goal_points[seat]
        gained = [now - then for now, then in zip(after, self.view.goal_points[seat], strict=True)]
        most = max(range(len(goals)), key=lambda k: gained[k])
        if gained[most] > 0:
            yield Sentence("goals_now", {"goal": str(goals[most]), **points}, (f"goal-{seat}-{most}", *self.moved()))
        yield Sentence("goals_more", points, tuple(f"goal-{seat}-{k}" for k in range(len(goals))))

    def _goal_spaces(self, other: Move, points: Args) -> Iterator[Sentence]:
        """R6.1: the tiles that go elsewhere after the other move, if at all, and without which a goal scores less."""
        mine, theirs = self.plan(True), self.plan_of(other)
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
            return
        if isinstance(move, Draw):
            is_choice = not self.others or any(isinstance(other, LayPlate) for other in self.others)
            form = "draw" if is_choice and any(self.view.display) else "draw_spaces"
            yield Sentence("draw_more" if self.view.stage == Stage.DRAWING else form, points, ("stack",))
        if isinstance(move, Place):
            yield from self._kept_space(move, points)
        yield from self._paid_line(points)
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

    def _paid_line(self, points: Args) -> Iterator[Sentence]:
        """R4.4: the line that only one of two moves pays for: paid, it is empty afterwards; else it keeps its tiles,
        unless it can still be paid for."""
        move, other = self.move, self.other
        mine = move.line if isinstance(move, Pay) else None
        theirs = other.line if isinstance(other, Pay) else None
        if other is None or mine == theirs:
            return
        if theirs is not None and (isinstance(move, EndTiling) or theirs not in self.plan(True).placed):
            held = self.board.lines[theirs - 1]
            args: Args = {"line": theirs, "count": held.tiles, "color": self.color_of(theirs), **points}
            yield Sentence("keeps_line", args, (self.line(theirs),))
        if mine is not None and (isinstance(other, EndTiling) or mine not in self.plan_of(other).placed):
            yield Sentence("frees_line", {"line": mine, **points}, (self.line(mine),))

    def _kept_space(self, move: Place, points: Args) -> Iterator[Sentence]:
        """The space that the best of the others fills with the tile of the same line."""
        same = [other for other in self.others if isinstance(other, Place) and other.line == move.line]
        if same and len(same) == len(self.others):
            other = same[0]
            shows = self.board.dome[other.line - 1][other.column - 1].shows
            args: Args = {"line": other.line, "column": other.column, **points}
            places = (self.space(other.line, other.column),)
            if shows is PlateKind.WILD:
                yield Sentence("keeps_wild", args, places)
            elif isinstance(shows, Color):
                yield Sentence("keeps_space", {**args, "color": shows.letter}, places)

    def _plate_later(self, move: LayPlate, points: Args) -> Iterator[Sentence]:
        """What a plate does for later rounds, and does not do as well in the place that the other moves give one."""
        laid = [other for other in self.others if isinstance(other, LayPlate)]
        row = 2 * int(move.slot[0]) - 1
        few = max(self.open_spaces(one) for one in (row, row + 1))
        rows: Args = {"row": row, "next": row + 1, **points}
        if few <= _FEW_SPACES:
            yield Sentence("spaces" if few else "first_spaces", rows, self.source(move))
        if self.has_neighbours(move) and not any(self.has_neighbours(other) for other in laid):
            yield Sentence("neighbours", points, self.source(move))
        new = self.new_colors(move)
        if new and all(len(new) > len(self.new_colors(other)) for other in laid):
            for number, color in reversed(new):
                args = {"row": number, "color": color.letter, **points}
                yield Sentence("new_space", args, self.source(move))
        if isinstance(other := self.other, LayPlate) and other.plate == move.plate and move.slot[0] < other.slot[0]:
            yield Sentence("shorter_lines", rows, self.source(move))
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
                args = {"row": special[0] + 1, "column": special[1] + 1, "have": have, **points}
                yield Sentence("special_near", args, places)
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
        move, other = self.move, self.other
        store = (f"store-{self.seat}",)
        if isinstance(move, Pay) and isinstance(other, Pay) and move.line == other.line:
            yield Sentence("fewer_chips" if len(move.chips) < len(other.chips) else "better_chips", points, store)
            return
        if other is not None and self.view.stage == Stage.TURN:
            mine, theirs = self.plan(True).chips_spent, self.plan_of(other).chips_spent
            for line, spent in theirs.items():
                if mine.get(line, 0) < spent and line in self.plan(True).placed:
                    yield Sentence("saves_chips", {"line": line, **points}, (self.line(line), *store))
        yield Sentence(
            "keeps_chips" if self.view.stage in (Stage.TILING, Stage.PAYING) else "chips_left", points, store
        )

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
                if told := self._no_space(self.move, points):
                    yield told
                breaks_more = all(self.breaking_cost(self.move) > self.breaking_cost(one) for one in self.others)
                if breaks_more and (told := self._breaking(self.move)):
                    yield told
                yield Sentence("risks", points, (f"broken-{self.seat}",))
            case "start_tile":
                form = "takes_start" if self.takes_start_tile else "less_now"
                yield Sentence(form, points, ("start",))
            case "draws":
                form = "draws" if isinstance(self.move, Draw) else "less_now"
                yield Sentence(form, points, ("stack",))
            case "starts":
                yield Sentence("loses_start", points, ("start",))
            case "their_points" | "their_later" | "their_chips" | "their_penalties":
                theirs = self.their_reply
                if self.reply is not None and (theirs is None or _wanted(theirs.move) != _wanted(self.reply.move)):
                    yield from self._reply("leaves", self.reply, points)
                yield Sentence("leaves", points)
            case "placement" | "specials" | "goals":
                yield Sentence("less_now", points, self.moved())
            case _:
                yield Sentence("less_later", points, self.moved())


def _of_reason(sentence: Sentence, reason: Reason) -> Sentence:
    """A sentence that tells a reason, with each place once."""
    return Sentence(sentence.form, sentence.args, tuple(dict.fromkeys(sentence.places)), reason.kind)


def _of_other(sentence: Sentence) -> Sentence:
    """A sentence about the move as one about the other move."""
    return Sentence(f"other_{sentence.form}", sentence.args, sentence.places)


def _fact(sentence: Sentence) -> tuple[object, ...]:
    """What a sentence says of a move, whatever it weighs."""
    words = _SAME_BY.get(sentence.form, tuple(name for name in sorted(sentence.args) if name != "points"))
    return (sentence.form, *(sentence.args[name] for name in words))


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
