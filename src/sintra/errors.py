"""What can go wrong, as types: each error says what was wrong and what would be right.

A fault of a text is a code with details, and `ENGLISH` says it in English. The part of a code before the dot is its
kind: the words in other languages depend on the kind and the details alone. Kinds that begin with `at_` say where
something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

ENGLISH: Final[dict[str, str]] = {
    # --- where ---
    "at_line": "line {line}",
    "at_key": "{key}",
    "at_key.unsaid": "",
    "at_line_key": "line {line}, {key}",
    "at_round": "{key} of round {round}",
    "at_start": "ply 0",
    "at_ply": "ply {count}",
    "at_move": "Move {number}, {move}",
    "at_token": "{move} is not legal",
    "at_token.unread": "cannot read the move {move!r}",
    # --- words, numbers and lists ---
    "no_colon": "{found!r} lacks a colon: write `key: value`",
    "unknown_key": "unknown key {found!r}",
    "unknown_key.inside": "unknown key [{found!r}] in {key}",
    "unknown_key.rule": "unknown rule {found!r}: there are goals, {options}",
    "missing": "{found!r} is missing",
    "missing.deal": "deal lacks {key!r}",
    "twice": "{found!r} stands here twice",
    "twice.setting": "{found} stands here twice",
    "twice.object": "{found!r} stands there twice",
    "number": "{found!r} must be a number from {low} to {high}",
    "one_of": "{found!r} must be one of {choices}",
    "one_of.seat": "{key} is {found}: it must be 0 or 1",
    "one_of.reason": "{key} is {found}: it can be 'resigned' or 'timeout'",
    "one_of.option": "{option} is {value!r}: it can be {able} ({rule})",
    "like": "{found!r} should read like {like}",
    "like.setting": "{found!r} should read {like}",
    "like.factory": "should read like `{like}`",
    "like.laid": "{found!r} should read like {like} (slot, plate, turns)",
    "like.dome": "names 6 rows of 6 spaces, like `K..... ......` and so on",
    "like.returned": "{found!r} should read like {like} (seat, and which of its plates it kept)",
    "like.object": "{found} must be an object",
    "like.list": "{found} must be a list",
    "like.texts": "{found} must be a list of texts",
    "like.numbers": "{found} must be a list of numbers",
    "like.pair": "{found} must be two numbers",
    "like.pair_of_lists": "{found} must be two lists of numbers",
    "like.goal_points": "{found} must give the points of {count} goals for each player",
    "like.goals": "the rules lack the list of goals",
    "like.goal_names": "goals are a list of names, not {value!r} (R2.1)",
    "count.lines": "names {wanted} lines, not {count}",
    "count.places": "names {wanted} places of hand and stack, not {count}",
    "count.entries": "{key} must have {wanted} entries, not {count}",
    "count.legal": "legal has {count} entries for {wanted} moves",
    "most.tiles": "{found} tiles: the game has {most} (R1.1)",
    "most.plates": "the game has {most} plates (R1.4)",
    "most.chips": "the game has {most} chips (R1.5)",
    "most.stack": "a moon stack has at most {most} tiles (R3.2)",
    "most.hand": "at most {most} plates can be drawn (R3.1)",
    "most.display": "it shows at most {most} plates (R2.2)",
    "most.small": "a small factory gets at most {most} tiles (R2.3)",
    "most.broken": "at most {most} tiles lie there (R3.6)",
    "most.taken": "a seat can have taken at most {most} chips so far: two a round (R3.4)",
    "most.filled": "{found!r} are more than {most} tiles (R2.3)",
    "most.rounds": "{key} has {found} rounds; a game has {most}",
    # --- the rules of a game ---
    "goals.count": "a game has 3 or 4 goals, not {found} (R2.1)",
    "goals.tile": "goals {one} and {other} are on one tile: choose one of them (R1.6, R2.1)",
    "goals.tiles": "a game has 3 or 4 goals, of different tiles (R1.6, R2.1)",
    "no_goal": "{said}",
    # --- tiles ---
    "no_color": "unknown colour [{found!r}]",
    "line_word": "{found!r} for line {line} should read like K1, at most {line} tiles",
    "placed_too_soon": "a line is marked as placed (!) only during phase 2 (R4.2)",
    "placed_too_soon.elsewhere": "line {line} is not placed (!): this seat does not tile now, or not there (R4.2)",
    "large": "it gets at most 5 tiles, and at most 4 come to its moon side (R2.3, R3.2)",
    "sun_and_moon": "tiles lie on the sun side or on the moon side, not on both (R3.2)",
    "dome_tile": "the tile on row {row}, column {column} cannot lie there (R4.1)",
    "tiles": "there must be 13 {color} tiles (R1.1)",
    "tiles.table": "there are more than 13 {color} tiles on the table (R1.1)",
    "tiles.round": "{count} tiles of colour {color.letter} are more than {most} (R1.1)",
    "bag": "bag and tower must hold {count} {color} tiles, so that there are 13 (R1.1)",
    "dealt": "round {round}: {name} cannot have got {got!r} from this bag and tower (R2.4, R7.3)",
    "start_tile": "it lies on the large factory until tiles were taken there (R3.7)",
    # --- plates ---
    "no_plate": "{said}",
    "no_plate.list": "[{found!r}] is no plate",
    "plate_or_twice": "{found!r} is no plate, or stands there twice",
    "plate_twice": "plate {plate} is in two places (R1.4)",
    "plate_twice.one": "plate {plate} must be in one place (R1.4)",
    "plate_nowhere": "plate {plate} is nowhere: the stack must hold it (R1.4)",
    "plate_kinds": "{count} plates of kind {kind} are more than {most} (R1.4)",
    "slot_twice": "slot {slot} holds two plates",
    "no_slot": "fewer slots are free than plates are to be taken this round (R3.1)",
    "display_more": "it must show {count} more, since the stack has at most 15 plates (R2.2)",
    "display_open": "the three plates of the display are open",
    # --- what is known of the stack ---
    "plate_turn": "{found!r}: seat {seat} has taken {count} plates in the rounds so far",
    "leaves_out": "{found!r} leaves out the plate that lies at place {place}",
    "only_pile": "only plates in hand or stack can be named (R8)",
    "returned": "the plates cannot have been returned so (R8)",
    "known": "an observer must know more, or less, of plate {plate} (R8)",
    "view.position": "this is what one seat may know: read it as a view",
    "view.record": "this is a view of a record: what it hides is needed to replay it",
    "view.review": "it is what one seat saw of a game; what was hidden is needed",
    # --- chips ---
    "no_chip": "{said}",
    "chip_or_thrice": "{found!r} is no chip, or stands there too often",
    "chip_thrice": "a chip is in the stores more than twice (R1.5)",
    "all_chips": "must name all 20 chips, two of each face (R1.5)",
    "chip_side": "its chip is face down exactly while tiles lie there (R3.8)",
    "chip_untaken": "a chip in a store has not been taken from any factory yet (R3.4)",
    # --- what is asked at a position ---
    "tiling": "it says how far a tiling is, but the stage is not tiling or paying",
    "pay_line": "line {line} cannot be completed with chips (R4.4)",
    "paid": "the stage is tiling when all missing tiles are paid, paying before",
    "no_pay_line": "the stage is paying, so it must say which line pays",
    "hand": "plates are in hand exactly while drawing, keeping or returning (R3.1)",
    "not_empty": "phase 1 ends when all tiles and chips are gone from the factories (R3.10)",
    "opening": "the opening plates are laid in round 1 (R2.6)",
    "no_move": "seat {seat} has no move at this stage",
    "odd.half_made": "a move is half made",
    "odd.line": "line {line} cannot hold this (R1.7)",
    "odd.stack": "a moon stack has no gaps (R3.2)",
    "odd.single": "whether it shows one colour can be seen (R3.7)",
    "odd.space": "row {row}, column {column} does not show what its plate shows (R1.4)",
    "odd.pile": "hand and stack are not as large as they should be (R3.1)",
    # --- records ---
    "json_at": "not JSON: {said} at column {column}",
    "json_more": "not JSON: {said} at column {column}",
    "json.constant": "not JSON: {found} is no number",
    "json.other": "not JSON that a record can be: {said}",
    "no_record": "a record is a JSON object",
    "no_record.format": "the format is {found!r}, not {format!r}",
    "no_ply": "there is no ply {ply}: the record has plies 0 to {most}",
    "legal": "there are {count} legal moves, the record says {found}",
    "right": "{key} should be {right}",
    "right.scores": "the scores are {right}, not {found}",
    "right.result": "the result is {right}, the record says {found}",
    "no_result": "the game is over, but the record has no result",
    "unfinished": "only a game that is over can be reviewed, with its result",
    "early_result": "the game is not over, but the record has a result",
    "early_goals": "a game that ended early has no goals in its result",
    "not_early": "the game is over by the rules, but the result says {found!r}",
    # --- the notation of moves ---
    "move_like": "it should read like {said}",
    "begins": "a move begins with one of {choices}",
    "order_large": "the large factory's tiles are not stacked, so no order follows (R3.2)",
    "order_taken": "all {color.letter} tiles are taken, so none is stacked (R3.2)",
    "chip_order": "chips are named in the order {right} (R1.5)",
    # --- moves that are not legal ---
    "not_now.opening": "an opening plate is to be laid ({choices})",
    "not_now.turn": "a turn is to be taken (P, D, S, M or C)",
    "not_now.drawing": "plates are being drawn: only D or H can follow",
    "not_now.keeping": "one of the drawn plates is to be laid ({choices})",
    "not_now.returning": "the other drawn plates are to be returned ({choices})",
    "not_now.tiling": "phase 2 is on: lines are tiled (T, U or E)",
    "not_now.paying": "a payment is begun: the same line must be completed first ({choices})",
    "over": "the game is over",
    "over.early": "the game ended early ({reason})",
    "not_dealt": "the tiles of the round are not dealt yet",
    "hidden": "it hides which plate was returned",
    "no_plates_now": "no plates are taken in round 5",
    "no_plates_now.stage": "no plates are taken in round 5 (R3.1)",
    "no_marker": "both markers are used: two plates were taken this round",
    "no_marker.stage": "whoever draws has a marker left for the plate (R3.1)",
    "slot_taken": "slot {slot} holds a plate already",
    "not_on_display": "plate {plate} is not on the display, which shows {shown}",
    "stack_empty": "the stack is empty",
    "no_point": "a draw costs a point, and there is none left",
    "not_drawn": "plate {plate} is not among the drawn ones",
    "no_sun_tile": "no {color} tile is on the sun side of factory {factory}",
    "no_moon_tile": "no {color} tile lies uncovered on a moon side",
    "stack_order": "its order must name the tiles left, {left}",
    "stack_order.none": "no tile is left to stack",
    "line_full": "line {line} is full",
    "line_holds": "line {line} holds {color}",
    "chips_taken": "two chips were taken this round",
    "chip_down": "the chip of factory {factory} is not turned up yet",
    "chip_gone": "the chip of factory {factory} is gone",
    "pay.no_tile": "line {line} holds no tile",
    "pay.no_need": "line {line} needs no chips",
    "pay.no_space": "line {line} has no open space",
    "pay.other": "line {line} could not be completed so, or the walk has passed it",
    "pay_missing": "not all of these chips are there, unused",
    "pay_cost": "a missing tile costs 2 chips that show {color}, or any 3 of which at most one does",
    "line_first.paid": "line {line} is being paid for and must be completed first",
    "line_first.place": "line {line} is paid for and must be placed first",
    "line_first.complete": "line {line} is complete with an open space and must be placed first",
    "downward": "lines go strictly from top to bottom",
    "downward.ahead": "a complete line ahead has an open space and must be placed first",
    "placed": "line {line} is placed already",
    "no_space": "column {column} of row {row} is no open space for {color}",
    "incomplete": "line {line} is not complete",
}
"""The English words of each fault, by its code."""

_MAX_DETAIL_LETTERS: Final = 60
"""Letters of a detail that are shown; the rest is cut off."""


class Fault:
    """One thing that is wrong, or the place where something is."""

    __slots__ = ("code", "details")

    def __init__(self, code: str, /, **details: object) -> None:
        assert code in ENGLISH, code
        self.code = code
        self.details = details

    def __str__(self) -> str:
        return ENGLISH[self.code].format_map(self.details)

    def __repr__(self) -> str:
        return f"<Fault {self.code}: {self}>"

    @property
    def kind(self) -> str:
        """What it is in every language."""
        return self.code.partition(".")[0]

    @property
    def told(self) -> dict[str, str | int]:
        """The details as short plain values: a colour is its letter."""
        return {name: _plain(value) for name, value in self.details.items()}


def _plain(value: object) -> str | int:
    if type(value) is int:
        return value
    text = str(getattr(value, "letter", value))
    return text if len(text) <= _MAX_DETAIL_LETTERS else f"{text[: _MAX_DETAIL_LETTERS - 1]}…"


class SintraError(ValueError):
    """Something a caller gave us cannot be used; nothing was changed.

    It is made of a text, or of faults and other errors from the outside in. `faults` says all of it in codes, for those
    who have their own words; there are none where a part of it is only text."""

    faults: tuple[Fault, ...] = ()

    def __init__(self, *said: str | Fault | SintraError) -> None:
        super().__init__(_joined(said))
        self.faults = _faults_of(said)


def _joined(said: Iterable[str | Fault | SintraError]) -> str:
    return ": ".join(filter(None, map(str, said)))


def _faults_of(said: Iterable[str | Fault | SintraError]) -> tuple[Fault, ...]:
    faults: list[Fault] = []
    for one in said:
        more = (one,) if isinstance(one, Fault) else one.faults if isinstance(one, SintraError) else ()
        if not more:
            return ()
        faults += more
    return tuple(faults)


class NotationError(SintraError):
    """A token that is not in the move notation."""


class IllegalMoveError(SintraError):
    """A well-written move that the rules do not allow here; `rule` is the rule's number."""

    def __init__(self, reason: str | SintraError, rule: str) -> None:
        super().__init__(reason)
        self.reason = str(reason)
        self.rule = rule
        self.args = (self.reason, rule)

    def __str__(self) -> str:
        return f"{self.reason} ({self.rule})"


class RulesError(SintraError):
    """A rule option or a set of goals that does not exist."""


class PositionError(SintraError):
    """A position text that cannot be read, or describes no possible table."""


class RecordError(SintraError):
    """A damaged game record: `line` of the file and `ply` of the game, where they are known."""

    def __init__(
        self,
        *said: str | Fault | SintraError,
        source: str | None = None,
        line: int | None = None,
        ply: int | None = None,
    ) -> None:
        self.reason = _joined(said)
        self.source = source
        self.line = line
        self.ply = ply
        places: list[Fault] = []
        if line is not None:
            places.append(Fault("at_line", line=line))
        if ply is not None:
            places.append(Fault("at_ply", count=ply) if ply else Fault("at_start"))
        where = ", ".join([*([source] if source else []), *map(str, places)])
        super().__init__(_joined([where, self.reason]))
        self._said = said
        self.faults = (*places, *found) if (found := _faults_of(said)) else ()

    def placed(self, *, source: str | None, line: int | None, ply: int | None = None) -> RecordError:
        """This error with the place of the record in a file."""
        return RecordError(*self._said, source=source, line=line, ply=ply)
