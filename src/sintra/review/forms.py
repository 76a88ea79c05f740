"""The forms of the sentences that reasons are told in, and what fills them in.

A sentence is a form (`FORMS` has its English; the page has all forms in all its languages), the words that fill it in,
and the places of the table that it speaks of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from sintra.components import Color
from sintra.review.reasons import ReasonKind, SumKind

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
    "pays_part": "It pays for one tile of line {line}, which then still lacks {tiles} ({points}).",
    "opens": "It gives the {tiles} in line {line} a space ({points}).",
    "opens_now": "It gives the {tiles} in line {line} a space already this round ({points}).",
    "better_space": "It gives the {color} tile of line {line} a better space ({points}).",
    "chip_completes": "The chip {chip} helps to complete line {line} this round ({points}).",
    "chip_soon": "The chip {chip} helps to fill a line this round ({points}).",
    "more_now": "It leaves more to be placed this round ({points}).",
    "special_now": "It fills the plate around the special space in row {row}, column {column}: the special tile scores "
    "{points}.",
    "special_soon": "It makes it more likely that a special tile comes this round ({points}).",
    "goals_space": "In row {line}, column {column} the {color} tile scores for the goal “{goal}” ({points}).",
    "goals_now": "It scores for the goal “{goal}” ({points}).",
    "goals_more": "It scores more for the goals ({points}).",
    "stacked": "Only the stacking differs: {color} then lies on top at factory {factory} ({points}).",
    # what it saves
    "fits": "All {tiles} fit in line {line}: nothing breaks ({points}).",
    "other_breaks": "The other move breaks {tiles} ({points}).",
    "other_breaks_room": "The other move breaks {tiles} that line {room} could have taken ({points}).",
    "other_no_space": "The other move puts {tiles} on line {line}, but row {line} has no space left for this colour: "
    "its tiles break ({points}).",
    "left_with": "Otherwise {tiles} have to be taken next, and some of them break ({points}).",
    "breaks_less": "By the end of the round, fewer tiles are broken ({points}).",
    "saves_line": "The {tiles} in line {line} need not break ({points}).",
    "avoids_start": "It leaves the start tile and its penalty to the opponent ({points}).",
    "start_likely": "The opponent is then more likely to have to take the start tile with its penalty ({points}).",
    "saves_draws": "It draws no plate from the stack ({points}).",
    "stops": "It draws no further plate from the stack ({points}).",
    "fewer_draws": "Plates from the stack then probably cost fewer points this round ({points}).",
    # what it does for later rounds
    "prepares": "Line {line} then holds {have} of {line} {color} for the next rounds ({points}).",
    "keeps_free": "Line {line} stays free for another colour ({points}).",
    "completes_later": "It completes line {line} ({color}): the tile helps in later rounds too ({points}).",
    "ready": "It leaves lines and spaces in better shape for the next rounds ({points}).",
    "unbound": "It ties no line to a colour: they stay free for later rounds ({points}).",
    "keeps_wild": "The wild space in row {line}, column {column} stays free for any colour ({points}).",
    "keeps_space": "The {color} space in row {line}, column {column} stays free for later ({points}).",
    "keeps_line": "Line {line} keeps its {tiles} for a later round ({points}).",
    "frees_line": "Line {line} is then free again for the next round ({points}).",
    "draw": "Drawing may bring a plate with better spaces than those in sight ({points}).",
    "draw_more": "Another plate from the stack gives more to choose from ({points}).",
    "draw_spaces": "It brings a plate from the stack, and with it new spaces ({points}).",
    "plate_slot": "In this place plate {plate} fits better what is still to be filled ({points} in later rounds).",
    "plate_turned": "Turned so, plate {plate} fits better what is still to be filled ({points} in later rounds).",
    "plate_fits": "Plate {plate} fits what is still to be filled there ({points} in later rounds).",
    "first_spaces": "It gives rows {row} and {next} their first spaces ({points}).",
    "spaces": "It adds spaces where there are few: in rows {row} and {next} ({points}).",
    "shorter_lines": "Rows {row} and {next} have shorter lines: their spaces are filled sooner "
    "({points} in later rounds).",
    "new_space": "It gives row {row} its first open space for {color} ({points} in later rounds).",
    "neighbours": "Its spaces lie beside tiles that are there already ({points} in later rounds).",
    "column": "Column {column} then has {have} of 6 tiles ({points}).",
    "columns": "It fills the fuller columns ({points}).",
    "special_plate": "Plate {plate} has a special space, worth +{worth} once the spaces around it are filled.",
    "special_near": "The plate around the special space in row {row}, column {column} then has {have} of 3 tiles "
    "({points}).",
    "special_later": "It brings special tiles of later rounds closer ({points}).",
    "goal": "It helps with the goal “{goal}” ({points}).",
    "goal_place": "The tile in row {line}, column {column} helps with the goal “{goal}” ({points}).",
    "goal_plate": "The plate helps with the goal “{goal}” ({points}).",
    "chip": "The chip {chip} can later stand in for missing tiles ({points}).",
    "keeps_chips": "It keeps bonus chips for later ({points}).",
    "fewer_chips": "It spends fewer bonus chips ({points}).",
    "better_chips": "It keeps the bonus chips that can be of more use later ({points}).",
    "saves_chips": "Line {line} then needs fewer bonus chips ({points}).",
    "chips_left": "After this round, more or better bonus chips are probably left ({points}).",
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
    "same_left": "The opponent finds the same on the table, but probably comes off worse with it ({points}).",
    "last_tiles": "The opponent is left with the last tiles and probably has to break some ({points}).",
    "their_breaks": "By the end of the round, the opponent has more broken tiles ({points}).",
    # what speaks against a move
    "breaks": "It breaks {tiles} ({points}).",
    "breaks_room": "It breaks {tiles} that line {room} could have taken ({points}).",
    "no_space": "It puts {tiles} on line {line}, but row {line} has no space left for this colour: its tiles break "
    "({points}).",
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
VAGUE_FORMS: Final = frozenset({"ready", "denies", "denies_later", "their_breaks", "more_now", "special_later"})
"""Forms for reasons of which nothing on the table can be named; they are told only where nothing else is."""
WEAK_FORMS: Final = frozenset({"same_left"})
"""Forms that only say that the numbers differ, and not why; they give way to every other."""
NOTHING_FORMS: Final = ("nothing", "small")
"""Forms that say that there is no reason."""
_SUM_FORMS: Final[dict[SumKind, str]] = {
    "this_round": "sum_now",
    "later_rounds": "sum_later",
    "opponent": "sum_opponent",
}


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
    told = [Sentence(_SUM_FORMS[kind], {"points": whole(points)}, (), kind) for kind, points in sums.items()]
    return tuple(told[:MAX_SENTENCES])


def whole(points: float) -> int:
    """Points as a whole number, never 0."""
    whole = int(abs(points) + 0.5) or 1
    return whole if points > 0 else -whole
