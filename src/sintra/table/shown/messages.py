"""The messages of the service, as types: the OpenAPI document and the page's types are made from them.

A colour is a letter (`B Y R K T`, `*` for a special tile), a plate its two-digit number, a chip its face (`TY`); lines,
rows and columns count from 1, seats from 0. Places have names by which a page finds them:
`sun-1 moon-1 chip-1 sun-L moon-L start display-0 stack hand bag tower`, and for a seat
`line-0-3 space-0-3-5 (row, column) slot-0-12 (slot row and column) broken-0 store-0 score-0 goal-0-2`.

After a change, `python -m sintra.table.codegen.typescript` writes the page's types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from sintra.components import CHIPS, Goal
from sintra.rules.state import Stage
from sintra.table.base.opponents import OPPONENTS, USUAL
from sintra.table.games.acts import PostId, Seat, Seq, Token
from sintra.tabletop.ruleset import RuleOptions


def _one_of(names: Iterable[str]) -> Meta:
    """The constraint that a text is one of these names."""
    allowed = list(names)
    return Meta(pattern=f"^({'|'.join(map(re.escape, allowed))})$", extra_json_schema={"enum": allowed})


def _schema_of_options() -> dict[str, Any]:
    """The schema of the rule options that `RuleOptions.from_dict` accepts."""
    schema = msgspec.json.schema(RuleOptions)["$defs"][RuleOptions.__name__]
    return {"properties": schema["properties"], "additionalProperties": False}


MAX_NAME_LENGTH: Final = 24
"""Letters of a player's name."""
MAX_RECORD_LENGTH: Final = 48 * 1024
"""Letters of a game record that is to be reviewed."""
Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
_LINK: Final = r"^https?://[A-Za-z0-9._:\[\]-]+/game/[A-Za-z0-9_-]{12}#[A-Za-z0-9_-]+$"
Secret = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
GoalName = Annotated[str, _one_of(map(str, Goal))]
StageName = Annotated[str, _one_of(stage.name.lower() for stage in Stage)]
OpponentName = Annotated[str, _one_of(OPPONENTS)]
Chosen = Annotated[dict[str, str | bool], Meta(extra_json_schema=_schema_of_options())]
"""Rule options by their names."""
Mode = Literal["computer", "friend", "screen"]
"""Who plays: somebody against a computer, two friends, or two people at one screen."""


class Shown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A message to a browser; fields that have their default are left out."""


class Asked(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A message from a browser; unknown fields are refused."""


# --- what lies on the table ---------------------------------------------------------------------


class PlateShown(Struct, frozen=True, gc=False):
    """A dome plate (R1.4)."""

    plate: str
    """Its number, two digits."""
    face: str
    """Its four spaces as it lies: top left, top right, bottom left, bottom right."""


class FactoryShown(Struct, frozen=True, gc=False):
    """A factory (R1.3)."""

    name: str
    """`1` to `4`, or `L` for the large one."""
    sun: str
    """The tiles on its sun side."""
    moon: str
    """The tiles on its moon side, from the bottom up."""
    chip: str
    """The face of its chip, `down` while it lies face down, or empty once it is gone."""
    start_tile: bool
    """Whether the start tile lies on it."""


class Outlook(Struct, frozen=True, gc=False, omit_defaults=True):
    """Whether the tile of a line can be placed on the dome (R4.1 to R4.3)."""

    columns: list[int] = []
    """The columns of the open spaces for it."""
    plate_by: int = 0
    """If there is none, the last round in which a plate can bring one; 0 if none can, so that the line will break."""
    cost: int = 0
    """The points that the tiles then lose when they break."""


class LineShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A pattern line (R1.7)."""

    color: str
    """The colour of its tiles; empty if there is none."""
    tiles: int
    """The number of tiles on it."""
    placed: bool
    """Whether its tile was placed on the dome in this tiling."""
    outlook: Outlook | None = None
    """Whether its tile can be placed, if it holds tiles and is not placed."""


class GoalProgress(Struct, frozen=True, gc=False):
    """The progress of a goal on one board (R6.1), in the row, column, … that lacks the fewest tiles."""

    there: int
    """How many of the tiles are there."""
    asked: int
    """How many tiles the goal asks for."""
    cells: str
    """Six rows of six letters: `x` counts and holds a tile, `o` counts and is empty, `.` does not count."""


class BoardShown(Struct, frozen=True, gc=False):
    """The board of one player."""

    score: int
    """The points so far."""
    lines: list[LineShown]
    """The six pattern lines, from the top."""
    shows: list[str]
    """What the spaces of the dome show: six rows of six letters, `.` where no plate lies."""
    tiles: list[str]
    """The tiles on the dome: six rows of six letters, `.` for none."""
    plates: list[PlateShown | None]
    """The plates on the nine slots, row by row."""
    broken: str
    """The broken tiles, by colour."""
    start_tile: bool
    """Whether the player holds the start tile."""
    chips: list[str]
    """The faces of the chips that can be spent."""
    spent: list[str]
    """The faces of the chips that were spent."""
    markers_left: int
    """How many plates the player still takes in this round (R3.1)."""
    chips_left: int
    """How many chips the player may still take in this round (R3.4)."""
    goals: list[int]
    """The points of each goal if the game ended now, in the order of the rules."""
    progress: list[GoalProgress]
    """The progress of each goal, in the order of the rules."""
    forecast: int | None
    """The points of the best tiling of this round, with penalties and, in round 5, goals; null if not calculated."""


class PilePlate(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place of the stack or the hand, as far as the reader knows it (R8)."""

    kind: str = ""
    """The kind of the plate, `*` or `W`, if it is known."""
    plate: PlateShown | None = None
    """The plate, if it is known."""
    candidates: list[str] = []
    """The numbers of the plates that it can be, if it is not known."""


class PositionShown(Struct, frozen=True, gc=False):
    """Everything on the table, as one observer may see it (R8)."""

    round: int
    """The round, from 1 to 5."""
    phase: int
    """The phase of the round: 1 while tiles are taken, 2 during the tiling."""
    stage: StageName
    """What is to be decided."""
    seat: int
    """The seat that decides."""
    first: int
    """The seat that starts the round."""
    start_tile: int | None
    """The seat that holds the start tile; null if it lies on the large factory."""
    factories: list[FactoryShown]
    """Factories 1 to 4, then the large one."""
    display: list[PlateShown | None]
    """The plates in the display."""
    bag: dict[str, int]
    """The tiles in the bag, by colour."""
    tower: dict[str, int]
    """The tiles in the tower, by colour."""
    boards: list[BoardShown]
    """The boards of both players."""
    paid_line: int
    """The line that is being completed with chips (R4.4); 0 if none is."""
    stack: list[PilePlate]
    """The stack of plates, from the top."""
    hand: list[PilePlate]
    """The plates in the hand of the player who draws."""


# --- what can be decided ------------------------------------------------------------------------


class Order(Struct, frozen=True, gc=False):
    """An order in which the tiles left over go on the moon stack (R3.2)."""

    order: str
    """The tiles from the bottom up."""
    moon: dict[str, int]
    """How many tiles of each colour the other player can then take from the moon sides."""


class Destination(Struct, frozen=True, gc=False, omit_defaults=True):
    """A destination of the tiles of a take, and what the take does there (R3.5)."""

    line: int
    """The line, or 0 if all tiles are to break."""
    tokens: tuple[str, ...]
    """The moves: one for each of the take's orders, or one if there is nothing to order."""
    fills: int
    """How many tiles come on the line."""
    broken: int
    """How many tiles break."""
    forecast: int | None
    """The board's forecast after the move."""
    to_tower: int = 0
    """How many tiles find no place among the broken ones and go to the tower."""
    completes: bool = False
    """Whether the line is then complete."""
    outlook: Outlook | None = None
    """Whether the line's tile can then be placed."""


class Take(Struct, frozen=True, gc=False, omit_defaults=True):
    """Tiles of one colour that can be taken (R3.2, R3.3)."""

    source: str
    """The place: the sun side of a factory (`sun-1`), or `moon` for all moon sides."""
    color: str
    """The colour."""
    count: int
    """The number of tiles."""
    places: list[str]
    """The places where these tiles lie."""
    to: list[Destination]
    """Where they can go."""
    orders: list[Order] = []
    """The orders in which the tiles left over can be stacked."""
    moon: dict[str, int] = {}
    """How many tiles of each colour the other player can then take from the moon sides, if nothing is stacked."""
    start_tile: bool = False
    """Whether the start tile comes with them (R3.7)."""
    turns_up: list[str] = []
    """The places of the chips that are then turned up (R3.8)."""


class ChipTake(Struct, frozen=True, gc=False):
    """A chip that can be taken (R3.4): the move, where it lies (`chip-1`), and the board's forecast after it."""

    token: str
    place: str
    forecast: int | None


class Turning(Struct, frozen=True, gc=False):
    """A way to lay a plate on a slot: the move, and the board's forecast after it."""

    token: str
    forecast: int | None


class Laying(Struct, frozen=True, gc=False):
    """A plate that can be laid (R3.1)."""

    place: str
    """Where it lies: `display-0` … or `hand-0` …."""
    plate: str
    """Its number."""
    faces: tuple[str, ...]
    """Its faces after 0, 1, 2 and 3 quarter turns."""
    slots: dict[str, list[Turning]]
    """The slots where it can lie (`23`: second row, third column), each with its moves by quarter turns."""


class DrawOption(Struct, frozen=True, gc=False):
    """Drawing a plate (R3.1): the move, and the points that it costs."""

    token: str
    cost: int


class LookOption(Struct, frozen=True, gc=False):
    """Looking at the plates drawn, which ends the drawing (R3.1)."""

    token: str


class ReturnOption(Struct, frozen=True, gc=False):
    """A drawn plate that can go under the stack next (R3.1): the move, its number and its printed face."""

    token: str
    plate: str
    face: str


class Placement(Struct, frozen=True, gc=False, omit_defaults=True):
    """A tile of a complete line that can be placed on an open space, and its points (R4.2, R5)."""

    token: str
    """The move."""
    line: int
    """The line, which is the row on the dome."""
    column: int
    """The column on the dome."""
    points: int
    """The points of the tile."""
    across: int
    """The length of the run through it in its row."""
    down: int
    """The length of the run through it in its column."""
    special_row: int = 0
    """The row of a special tile that it earns (R4.5); 0 for none."""
    special_column: int = 0
    """The column of that special tile."""
    special_points: int = 0
    """The points of that special tile."""


class Payment(Struct, frozen=True, gc=False):
    """Chips that can be spent for one missing tile of a line (R4.4)."""

    token: str
    """The move."""
    line: int
    """The line."""
    chips: list[str]
    """The faces of the chips."""
    missing: int
    """How many tiles the line then still lacks."""
    forecast: int | None
    """The board's forecast after the move."""


class EndingShown(Struct, frozen=True, gc=False):
    """The end of one's tiling (R4.6)."""

    token: str
    """The move."""
    points: int
    """The penalties that it books."""
    breaks: list[int]
    """The lines that then break (R4.3)."""


class Options(Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything that the reader may decide now, with the effects of each decision and the token that makes it."""

    takes: list[Take] = []
    """The tiles that can be taken."""
    chips: list[ChipTake] = []
    """The chips that can be taken."""
    layings: list[Laying] = []
    """The plates that can be laid."""
    draw: DrawOption | None = None
    """Drawing a plate from the stack."""
    look: LookOption | None = None
    """Looking at the plates that were drawn."""
    returns: list[ReturnOption] = []
    """The drawn plates that can go under the stack next."""
    placements: list[Placement] = []
    """The tiles that can be placed on the dome."""
    payments: list[Payment] = []
    """The lines that can be completed with chips."""
    end: EndingShown | None = None
    """The end of the tiling."""


# --- what has happened --------------------------------------------------------------------------


class Telling(Struct, frozen=True, gc=False, omit_defaults=True):
    """A sentence that is said in the reader's language."""

    key: str
    """Its key in the catalogue of texts."""
    args: dict[str, str | int] = {}
    """The values of its placeholders."""


class Step(Struct, frozen=True, gc=False, omit_defaults=True):
    """One visible part of what happened."""

    kind: Literal["travel", "setup", "points", "turn", "deal", "break"]
    """`travel`: the mover takes pieces from one place to another. `setup`: pieces move without the mover (R2.6, R7).
    `points`: a seat books points. `turn`: a chip is turned up. `deal`: a round begins. `break`: a line breaks."""
    start: str = ""
    """The place where the pieces come from."""
    end: str = ""
    """The place where they go, or where it happens."""
    piece: str = ""
    """The letter of a tile, the face of a chip, `plate`, or `start` for the start tile."""
    count: int = 1
    """The number of pieces."""
    face: str = ""
    """The face of a plate."""
    seat: int = 0
    """The seat that books points."""
    points: int = 0
    """The points."""
    reason: str = ""
    """What they are for: `placement`, `specials`, `broken`, `start_tile`, `draws` or `goals`."""
    across: int = 0
    """The run in the row of a placed tile (R5)."""
    down: int = 0
    """The run in its column."""
    cells: list[str] = []
    """The places of the spaces in these runs."""


class RoundGain(Struct, frozen=True, gc=False):
    """The points of a seat in one round, by source."""

    before: int
    """The score before the round."""
    placement: int
    """The points for tiles placed (R5)."""
    specials: int
    """The points for special tiles (R4.5)."""
    broken: int
    """The penalty for broken tiles (R4.6)."""
    start_tile: int
    """The penalty for the start tile (R4.6)."""
    draws: int
    """The price of the plates that were drawn (R3.1)."""
    score: int
    """The score after the round."""


class TiledBoard(Struct, frozen=True, gc=False):
    """A board at the beginning of a round's tiling (R4); the steps of the moves tell what followed."""

    lines: list[LineShown]
    """The six pattern lines."""
    shows: list[str]
    """What the spaces of the dome show: six rows of six letters, `.` where no plate lies."""
    tiles: list[str]
    """The tiles on the dome: six rows of six letters, `.` for none."""
    broken: str
    """The broken tiles."""
    start_tile: bool
    """Whether the player holds the start tile."""


class RoundSummary(Struct, frozen=True, gc=False):
    """The summary of a round that is over."""

    round: int
    """The round."""
    gains: list[RoundGain]
    """The points of both seats."""
    boards: list[TiledBoard]
    """Their boards before the tiling."""


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened in a game, as one observer may know it."""

    seq: int
    """The number of the event, counted from 0."""
    kind: str
    """The kind of the event: `move`, `resign`, …."""
    telling: Telling
    """The event in words."""
    at: str
    """The time, in UTC."""
    ply: int = 0
    """The number of moves made by then; a move counts itself."""
    turn: int = 0
    """The ply of the first move of the mover's turn, or tiling."""
    round: int = 0
    """The round."""
    seat: int | None = None
    """The seat that acted."""
    token: str = ""
    """The move in the notation."""
    steps: list[Step] = []
    """What was seen to happen, in order."""
    summary: RoundSummary | None = None
    """The summary of the round, if this event ended one."""
    undoes: list[int] = []
    """The events whose moves were taken back."""
    redoes: list[int] = []
    """The events whose moves were made again."""


class Breakdown(Struct, frozen=True, gc=False):
    """A final score by source."""

    start: int
    """The points at the start."""
    placement: int
    """The points for tiles placed (R5)."""
    specials: int
    """The points for special tiles (R4.5)."""
    broken: int
    """The penalty for broken tiles (R4.6)."""
    start_tile: int
    """The penalty for the start tile (R4.6)."""
    draws: int
    """The price of the plates that were drawn (R3.1)."""
    goals: list[int]
    """The points of each goal, in the order of the rules."""
    goals_booked: int
    """The points of goals in the total: none in a game that ended early."""
    total: int
    """The final score."""


class OpponentShown(Struct, frozen=True, gc=False):
    """A computer that can be played against."""

    player: str
    """The player, as `opponent` of a new game names it."""
    name: str
    """Its name in English; empty if the catalogues of texts have one."""
    about: str
    """What to expect of it, in English; empty if the catalogues of texts say it."""
    elo: int | None
    """Its strength (Elo; the greedy player has 1000), if it was measured."""


class ResultShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """The end of a game."""

    reason: Literal["points", "resigned", "left", "timeout"]
    """Why it ended. `left`: the loser was away when they had to decide, and the winner claimed the game. `timeout`: the
    loser's time had run out."""
    winner: int
    """The seat that won."""
    scores: list[int]
    """The scores of both seats."""
    breakdown: list[Breakdown]
    """The scores by source."""
    tie_break: Literal["", "start_tile", "starter"]
    """What decided equal points (R6.3): holding the start tile or, if nobody took it, having started round 5."""
    next_opponent: OpponentShown | None = None
    """After a game against a computer: the next stronger one after a win, the next gentler one after a loss."""


# --- a game as it is shown ----------------------------------------------------------------------


class PlayerShown(Struct, frozen=True, gc=False):
    """The player of a seat."""

    name: str
    """The name."""
    kind: Literal["human", "computer"]
    """Whether a computer plays."""
    opponent: str
    """The player that the computer is; empty for people."""
    joined: bool
    """Whether the seat is taken."""
    present: bool
    """Whether a browser of theirs listens now."""


class RulesShown(Struct, frozen=True, gc=False):
    """The goals and options in play."""

    goals: list[str]
    rule_options: Chosen


class BeginningShown(Struct, frozen=True, gc=False):
    """Where a game began that was played on from somewhere."""

    moves: int
    """After how many moves of a record it began."""
    has_record: bool
    """Whether there is such a record. A game that began with a position alone has no record of its own."""


class ClockAsked(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The time control of a game."""

    seconds: Annotated[int, Meta(ge=1, le=14_400)]
    """The seconds of each seat for the game."""
    increment: Annotated[int, Meta(ge=0, le=600)] = 0
    """The seconds that are added with each turn."""


class ClockShown(Struct, frozen=True, gc=False):
    """The clock of a game."""

    seconds: int
    """The seconds of each seat for the game."""
    increment: int
    """The seconds that are added with each turn."""
    left: list[int]
    """The milliseconds that each seat has left."""
    running: int | None
    """The seat whose time runs, if any."""


class GameShown(Shown, frozen=True, gc=False):
    """A game as one observer may see it."""

    game: str
    """The id of the game."""
    seq: int
    """The number of the latest event."""
    ply: int
    """The number of moves made."""
    status: Literal["waiting", "cancelled", "playing", "over"]
    """`waiting`: an invited friend has not joined yet."""
    mode: Mode
    """Who plays: somebody against a computer, two friends, or two people at one screen."""
    you: list[int]
    """The seats that the reader plays: none for a spectator, both at a shared screen."""
    players: list[PlayerShown]
    """The players by seat."""
    rules: RulesShown
    """The rules of the game."""
    deal_known: bool
    """Whether somebody may know what is hidden, since the game goes on from a deal that is known."""
    position: PositionShown
    """Everything on the table."""
    options: Options | None = None
    """What the reader may decide now, if it is their turn."""
    event: Event | None = None
    """The latest event."""
    log: list[Event] | None = None
    """All events so far, if asked for."""
    thinking: bool = False
    """Whether a computer is thinking."""
    curtain: bool = False
    """Whether the player to move has private plates, which a shared screen shows on request only."""
    may_undo: bool = False
    """Whether the reader may undo their last move."""
    may_take_back: bool = False
    """Whether the reader may ask the other player to take a move back."""
    may_redo: bool = False
    """Whether the reader may make the moves again that were taken back."""
    take_back_asked_by: int | None = None
    """The seat that asks to take a move back, until it is answered."""
    taken_back: bool = False
    """Whether moves were taken back in this game."""
    result: ResultShown | None = None
    """The result, if the game is over."""
    rematch: str = ""
    """The id of the next game, if there is one."""
    clock: ClockShown | None = None
    """The clock, if the time is limited."""
    began: BeginningShown | None = None
    """Where the game began, if it was played on from somewhere."""
    text: str = ""
    """The position as text, as the seat to move knows it: only in the replay of a finished game without a record."""


class Presence(Shown, frozen=True, gc=False):
    """Who is at the table now; sent between events when it changes."""

    present: list[bool]
    """Whether each seat is there."""
    spectators: int
    """The number of spectators."""
    gone: list[int] = []
    """Seats that have been away for so long that the other may claim the game on their turn if no clock runs."""
    clock: ClockShown | None = None
    """The clock, if the time is limited."""


class SentenceShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A reason for or against a move, in words."""

    form: str
    """The form of the sentence: the name of a text that begins with `because.`."""
    args: dict[str, str | int] = {}
    """The words that fill it in, as in a `Telling`."""
    places: list[str] = []
    """The places of the table that it speaks of."""


class AdviceShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A move that the computer advises."""

    token: str
    """The move."""
    telling: Telling
    """The move in words."""
    win: float
    """The chance to win after it, from 0 to 1."""
    lead: float
    """The points by which the player is expected to be ahead in the end."""
    places: list[str]
    """The places that it concerns."""
    why: list[SentenceShown] = []
    """What speaks for it, or against it: one or two sentences in a hint, the strongest first."""


class ReasonShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A reason why one move is better than another."""

    kind: str
    """What the points come from."""
    points: float
    """The points that the better move brings more, or less if below 0."""
    goal: str = ""
    """The goal that it is about."""
    line: int = 0
    """The line that it is about."""
    color: str = ""
    """The colour of that line."""


class Hint(Shown, frozen=True, gc=False):
    """The computer's advice."""

    seq: int
    """The event after which it was asked for."""
    exact: bool
    """Whether the chances were calculated to the end of the game."""
    advice: list[AdviceShown]
    """The best moves, the very best first."""
    reasons: list[ReasonShown]
    """Why the first is better than the second, in points."""
    about_equal: int
    """How many leading moves are about equal; 0 if the first is better than the second."""


# --- reviews --------------------------------------------------------------------------------------


class ReviewedMove(Struct, frozen=True, gc=False, omit_defaults=True):
    """A move that was made, or could have been."""

    token: str
    """The move."""
    telling: Telling
    """The move in words."""
    places: list[str]
    """The places that it concerns."""
    chance: float
    """The mover's chance to win after it."""
    lead: float | None = None
    """The points by which the mover was then expected to be ahead in the end."""


class ReviewedTurn(Struct, frozen=True, gc=False, omit_defaults=True):
    """A decision of a reviewed game."""

    ply: int
    """The number of moves before it."""
    round: int
    """The round."""
    seat: int
    """The seat that decided."""
    kind: Literal["tiles", "plates", "chips", "placing"]
    """What the move was about."""
    played: ReviewedMove
    """The move that was made."""
    best: list[ReviewedMove]
    """The best moves, the very best first."""
    chance: float
    """Seat 0's chance to win before the move."""
    lead: float
    """The points by which seat 0 was expected to be ahead in the end."""
    cost: float
    """The share of a win that the decision gave away."""
    skill: float
    """The effect of the decision on seat 0's chance."""
    luck: dict[str, float]
    """The effect of chance on it, by what came to light."""
    noise: float
    """The rest of the change: the evaluator changed its mind."""
    mark: Literal["", "inaccuracy", "mistake", "blunder"] = ""
    """The name of a costly decision."""
    reasons: list[ReasonShown] = []
    """Why the best move is better, in points."""
    why: list[SentenceShown] = []
    """Why the best move is better, in sentences; a move with a mark has at least one."""


class StrengthShown(Struct, frozen=True, gc=False):
    """An estimate of a player's strength (Elo)."""

    elo: int
    """The estimate."""
    low: int
    """The lower end of its 95 % interval."""
    high: int
    """The upper end of its 95 % interval."""


class ReviewFound(Struct, frozen=True, gc=False):
    """What a game was made of: `start` plus `skill`, `luck`, `noise` and `ending` is `result`."""

    start: float
    """Seat 0's chance to win before the first move."""
    skill: list[float]
    """The effect of each seat's decisions on that chance."""
    luck: dict[str, float]
    """The effect of chance on it, by what came to light."""
    noise: float
    """The effect of the evaluator's changes of mind on it."""
    ending: float
    """The effect of an early end on it."""
    result: float
    """1 if seat 0 won, else 0."""
    error_rate: list[float]
    """The share of a win that each seat gave away with a decision, on average."""
    strength: list[StrengthShown]
    """The strength that such error rates speak for."""
    turns: list[ReviewedTurn]
    """All decisions, in the order of the game."""
    lost: list[dict[str, float]] = []
    """The points that better moves would have brought each seat, by source."""
    accuracy: list[float] = []
    """How close each seat's decisions came to the best ones, from 0 to 100."""


class ReviewShown(Shown, frozen=True, gc=False):
    """A review."""

    review: str
    """The id of the review."""
    state: Literal["waiting", "working", "done"]
    """Whether it is made yet."""
    players: list[str]
    """The names of the players, by seat."""
    scores: list[int]
    """The final scores."""
    winner: int
    """The seat that won."""
    reason: Literal["points", "resigned", "timeout"]
    """Why the game ended."""
    plies: int
    """The number of moves of the game."""
    share: float = 0.0
    """The share of the review that is made, from 0 to 1."""
    ahead: int = 0
    """The number of reviews that are made before this one."""
    seconds_left: int | None = None
    """About how many seconds it will still take, once that can be said."""
    course: list[float] = []
    """Seat 0's chance to win, ply by ply, by a first quick look; as far as that has come."""
    turning: list[int] = []
    """The plies of the moves that seem to have turned the game, by that look; the one that turned it most first."""
    found: ReviewFound | None = None
    """The review itself, once it is done."""


class ReviewTry(Shown, frozen=True, gc=False):
    """Another move for a turn of a reviewed game."""

    telling: Telling
    """The move in words."""
    places: list[str]
    """The places that it concerns."""
    cost: float
    """The share of a win that it would have given away."""
    right: bool
    """Whether that is next to nothing."""


class ReviewAsked(Shown, frozen=True, gc=False):
    """The id of a review that was asked for; its page is `/review/ID`."""

    review: str


class Accepted(Shown, frozen=True, gc=False):
    """The number of the event that an act has become."""

    seq: int


class Links(Shown, frozen=True, gc=False):
    """The secrets of a game that the reader may pass on, for links of the form `/game/ID#SECRET`."""

    own: str | UnsetType = UNSET
    """The reader's own seat, to play on in another browser."""
    friend: str | UnsetType = UNSET
    """The other seat, for the friend who is invited."""
    watch: str | UnsetType = UNSET
    """For spectators."""


class GameMade(Shown, frozen=True, gc=False):
    """A new game: its id, and links to it."""

    game: str
    links: Links


class InvitationShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """An invitation, before it is accepted."""

    name: str
    """The name of the player who invites."""
    first: int
    """The seat that starts; seat 0 is the player who invites."""
    rules: RulesShown
    """The rules of the game."""
    deal_known: bool
    """Whether the player who invites may know what is hidden."""
    clock: ClockAsked | None = None
    """The time control, if the time is limited."""


class Entered(Shown, frozen=True, gc=False):
    """What a secret has opened: a seat, both seats, or a place among the spectators."""

    game: str
    """The id of the game."""
    you: list[int]
    """The seats that the reader plays from now on."""
    secret: str = ""
    """The secret that opens it from now on: an invited friend gets one of their own."""
    needs_name: bool = False
    """Whether the reader has to send a name to take the seat."""
    invitation: InvitationShown | None = None
    """What an invited player sees before joining."""


class Left(Shown, frozen=True, gc=False):
    """The game at which this browser has no seat any more."""

    game: str


class GameBrief(Shown, frozen=True, gc=False):
    """An entry of the list of games."""

    game: str
    """The id of the game."""
    seq: int
    """The number of the latest event."""
    mode: Mode
    """Who plays: somebody against a computer, two friends, or two people at one screen."""
    status: Literal["waiting", "cancelled", "playing", "over"]
    """`waiting`: an invited friend has not joined yet."""
    players: list[PlayerShown]
    """The players by seat."""
    you: list[int]
    """The seats that the reader plays."""
    round: int
    """The round."""
    seat: int
    """The seat to move."""
    scores: list[int]
    """The scores of both seats."""
    at: str
    """The time of the latest event, in UTC."""


class NetworkShown(Shown, frozen=True, gc=False):
    """Whether the table can be reached from the local network."""

    open: bool
    """Whether it can."""
    addresses: list[str]
    """The addresses at which others reach it."""
    may_change: bool
    """Whether the reader may open and close it: only on the machine of the table."""
    reach: Literal["machine", "network", "anywhere"]
    """Where a friend can be who gets a link from the reader."""


class Health(Shown, frozen=True, gc=False):
    """The state of the service."""

    status: Literal["ok", "preparing"]
    """`preparing`: no game can be shown yet."""
    version: str
    """The version of Sintra."""
    progress: float
    """The share of the compiled code that is ready, from 0 to 1; until it is 1, moves may have to wait."""
    database: Literal["ok", "read_only", "away"]
    """`read_only`: games can be looked at, but no move is accepted. `away`: nothing else can be answered."""


class About(Shown, frozen=True, gc=False):
    """What a page needs to know before the first game."""

    version: str
    opponents: list[OpponentShown]
    goals: list[str]
    network: NetworkShown


class Picture(Shown, frozen=True, gc=False):
    """A QR code."""

    rows: list[str]
    """Its rows, each a text of `0` and `1`."""


class Problem(Shown, frozen=True, gc=False):
    """Why a request was refused."""

    code: str
    """A code that does not change between versions."""
    message: str
    """The reason in English."""
    seq: int | None = None
    """The number of the latest event, if the sender has not seen it."""
    why: list[Telling] = []
    """What is wrong with a position, a record or a move: first the places (`wrong.at_…`), then the reason."""


# --- what a browser asks ------------------------------------------------------------------------


class NewGame(Asked, frozen=True, gc=False):
    """A new game; the asker has seat 0."""

    mode: Mode
    """Who plays: the asker against a computer or a friend, or two people at one screen."""
    names: Annotated[list[Name], Meta(min_length=1, max_length=2)]
    """The name of the asker, and at one screen also that of the other player."""
    opponent: OpponentName = USUAL
    """The computer to play against."""
    first: Literal["me", "other", "draw"] = "draw"
    """Who starts; `draw` draws lots."""
    goals: Annotated[list[GoalName], Meta(max_length=4)] = []
    """The goals; if empty, `goal_count` of them are drawn."""
    goal_count: Literal[3, 4] = 3
    """How many goals are drawn."""
    rule_options: Chosen = {}
    """The rule options that differ from the usual ones."""
    clock: ClockAsked | None = None
    """The time control, if the time is to be limited."""


class Enter(Asked, frozen=True, gc=False):
    """Exchanges the secret of a link for a cookie."""

    secret: Secret
    """The secret."""
    name: Name | None = None
    """The name of an invited friend."""


class AskRematch(Asked, frozen=True, gc=False):
    """Asks for another game against the same player."""

    id: PostId
    """An id that the sender chooses: a repeated request has no further effect."""
    seq: Seq
    """The number of the event that the sender saw last."""
    seat: Seat | None = None
    """The seat that asks, at a shared screen."""
    opponent: OpponentName | None = None
    """The computer to play against, if it is to be another one."""


class AskLinks(Asked, frozen=True, gc=False):
    """Asks for new links to one's own seat and for spectators; earlier ones cannot be shown again."""


class Leave(Asked, frozen=True, gc=False):
    """Gives up this browser's access to a game."""


class AskHint(Asked, frozen=True, gc=False):
    """Asks for advice in the position after event `seq`."""

    seq: Seq


class AskReview(Asked, frozen=True, gc=False):
    """Asks for the review of a game that is over."""


class AskRecordReview(Asked, frozen=True, gc=False):
    """Asks for the review of a game by its record (`sintra/1`), as text."""

    record: Annotated[str, Meta(min_length=2, max_length=MAX_RECORD_LENGTH)]


class AskReviewTry(Asked, frozen=True, gc=False):
    """Asks what another move would have cost, at a turn of a reviewed game."""

    ply: Annotated[int, Meta(ge=0, le=10_000)]
    token: Token


class OpenNetwork(Asked, frozen=True, gc=False):
    """Opens the table to the network, or closes it."""

    open: bool


class AskPicture(Asked, frozen=True, gc=False):
    """A link to a game, to be shown as a QR code."""

    text: Annotated[str, Meta(max_length=300, pattern=_LINK)]


# --- studies ------------------------------------------------------------------------------------


class AskStudy(Asked, frozen=True, gc=False):
    """A line of moves from a start: a position, a record, or a new game with a seed."""

    position: Annotated[str, Meta(max_length=16_000)] = ""
    """A position as text, in which stack and chips may be unknown."""
    record: Annotated[str, Meta(max_length=100_000)] = ""
    """The record of a game, as JSON text."""
    ply: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """After how many moves of the record the line begins."""
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None
    """The seed of a new game."""
    moves: Annotated[list[Token], Meta(max_length=600)] = []
    """The moves of the line."""
    log: bool = False
    """Whether the answer lists all events."""
    plain: bool = False
    """Whether to leave out forecasts, which would tell the solver of a puzzle too much."""


class StudyShown(Shown, frozen=True, gc=False):
    """The end of a line."""

    game: GameShown
    """The game as the seat to move sees it; its `ply` counts the moves of a record too."""
    text: str
    """The position as text. What the seat to move does not know is filled in with something possible."""


class AskAdvice(AskStudy, frozen=True, gc=False):
    """Asks for the best moves at the end of a line."""

    sims: Literal[500, 2000, 8000, 32000] = 500
    """The number of simulations."""


class LineMove(Struct, frozen=True, gc=False):
    """A move that is expected to follow."""

    seat: int
    token: str
    telling: Telling


class StudyMove(Struct, frozen=True, gc=False):
    """One of the best moves of a position."""

    advice: AdviceShown
    """The move, with the chance to win and the expected lead of the seat to move."""
    line: list[LineMove]
    """The moves that are expected to follow."""


class StudyAdvice(Shown, frozen=True, gc=False):
    """The best moves of a position."""

    sims: int
    """The number of simulations."""
    exact: bool
    """Whether the chances were calculated to the end of the game."""
    moves: list[StudyMove]
    """The moves, the very best first."""


class PlayOn(AskStudy, frozen=True, gc=False, kw_only=True):
    """A new game that begins at the end of a line; the asker is its seat 0."""

    mode: Mode = "computer"
    """Who plays: the asker against a computer or a friend, or two people at one screen."""
    names: Annotated[list[Name], Meta(min_length=1, max_length=2)]
    """The name of the asker, and at one screen also that of the other player."""
    opponent: OpponentName = USUAL
    """The computer to play against."""
    seat: Seat | None = None
    """The seat of the line that the asker takes; by default the one to move."""
    clock: ClockAsked | None = None
    """The time control, if the time is to be limited."""


# --- tables built by hand -----------------------------------------------------------------------


Letters = Annotated[str, Meta(max_length=65, pattern="^[BYRKT]*$")]
Row = Annotated[str, Meta(pattern="^[BYRKT*.]{6}$")]
PlateName = Annotated[str, Meta(pattern="^(0[1-9]|1[0-8])$")]
ChipFace = Annotated[str, _one_of(chip.face for chip in CHIPS)]


class DraftPlate(Asked, frozen=True, gc=False):
    """A plate that lies on a dome, and by how many quarters it is turned."""

    plate: PlateName
    turns: Annotated[int, Meta(ge=0, le=3)] = 0


class DraftFactory(Asked, frozen=True, gc=False):
    """A factory of a table built by hand."""

    sun: Letters = ""
    """The tiles on its sun side."""
    moon: Letters = ""
    """The tiles on its moon side, from the bottom up."""
    chip: Annotated[str, _one_of(["", "down", *(chip.face for chip in CHIPS)])] = ""
    """The face of its chip, `down` while it lies face down, or empty once it is gone."""


class DraftBoard(Asked, frozen=True, gc=False, kw_only=True):
    """A player's board of a table built by hand."""

    score: Annotated[int, Meta(ge=0, le=999)] = 5
    """The points."""
    lines: Annotated[list[Letters], Meta(min_length=6, max_length=6)]
    """The tiles on each line."""
    plates: Annotated[list[DraftPlate | None], Meta(min_length=9, max_length=9)]
    """The plates on the nine slots, row by row."""
    tiles: Annotated[list[Row], Meta(min_length=6, max_length=6)]
    """The tiles on the dome: six rows of six letters, `.` for none."""
    broken: Letters = ""
    """The broken tiles."""
    chips: Annotated[list[ChipFace], Meta(max_length=20)] = []
    """The chips that can be spent."""
    spent: Annotated[list[ChipFace], Meta(max_length=20)] = []
    """The chips that were spent."""


class TableDraft(Asked, frozen=True, gc=False, kw_only=True):
    """A table that is built by hand. Tiles that lie nowhere, and are not in the tower, are in the bag."""

    round: Annotated[int, Meta(ge=1, le=5)] = 1
    """The round."""
    turn: Seat = 0
    """The seat to move."""
    first: Seat = 0
    """The seat that starts the round."""
    start_tile: Seat | None = None
    """The seat that holds the start tile; null if it lies on the large factory."""
    goals: Annotated[list[GoalName], Meta(max_length=8)] = []
    """The goals."""
    rule_options: Chosen = {}
    """The rule options that differ from the usual ones."""
    factories: Annotated[list[DraftFactory], Meta(min_length=5, max_length=5)]
    """Factories 1 to 4, then the large one."""
    display: Annotated[list[PlateName | None], Meta(min_length=3, max_length=3)]
    """The plates in the display."""
    top: Literal["", "*", "W"] = ""
    """The kind of the plate on top of the stack, if it is known."""
    tower: Letters = ""
    """The tiles in the tower."""
    boards: Annotated[list[DraftBoard], Meta(min_length=2, max_length=2)]
    """The boards of both players."""


class DraftFault(Struct, frozen=True, gc=False):
    """Something that is wrong with a table built by hand."""

    place: str
    """The place that it concerns: one of the table, or `goals`, `turn`, `chips`, `plates-0`, `row-0-3`."""
    telling: Telling
    """What is wrong."""
    why: list[Telling] = []
    """More about it, as in a `Problem`, if the position as a whole is refused."""


class DraftShown(Shown, frozen=True, gc=False):
    """A table built by hand, as far as it can be used."""

    stage: StageName
    """What is then to be decided."""
    turn: int
    """The seat that decides."""
    tiles: dict[str, int]
    """The tiles and special tiles that do not lie on the table yet, by letter."""
    plates: list[str]
    """The plates that do not lie on the table yet."""
    chips: dict[str, int]
    """The chips that do not lie on the table yet, by face."""
    text: str = ""
    """The position as text, if nothing is wrong with it."""
    faults: list[DraftFault] = []
    """What is wrong with it."""


# --- the count of a round -----------------------------------------------------------------------


class CountedMove(Struct, frozen=True, gc=False):
    """A move of a tiling, and the points that it books."""

    token: str
    """The move."""
    telling: Telling
    """The move in words."""
    line: int
    """The line; 0 for the end of the tiling."""
    placement: int
    """The points of the tile (R5)."""
    specials: int
    """The points of a special tile (R4.5)."""
    penalty: int
    """The penalty for broken tiles and the start tile (R4.6), at the end."""
    is_made: bool
    """Whether the move was made already."""


class CountedSeat(Struct, frozen=True, gc=False):
    """A player's tiling of a round: the moves that were made, and then the best ones."""

    moves: list[CountedMove]
    """The moves."""
    points: int
    """Their points in all."""
    goals: int
    """The points of the goals, in round 5."""
    score: int
    """The score in the end."""


class RoundCount(Shown, frozen=True, gc=False):
    """The count of a round, for both players."""

    round: int
    seats: list[CountedSeat]


# --- puzzles ------------------------------------------------------------------------------------


PuzzleKind = Literal["tiling", "win", "keep"]


class PuzzleBrief(Struct, frozen=True, gc=False):
    """A puzzle of the list."""

    id: str
    """The id of the puzzle."""
    kind: PuzzleKind
    """What is asked: the best tiling, a win, or the only move that keeps the game."""
    rating: int
    """Its difficulty, on the scale of the levels (Elo)."""


class PuzzleList(Shown, frozen=True, gc=False):
    """The list of puzzles."""

    day: str
    """The day that was asked for (`YYYY-MM-DD`)."""
    of_the_day: str
    """The id of the puzzle of that day."""
    puzzles: list[PuzzleBrief]
    """All puzzles."""


class PuzzleShown(Shown, frozen=True, gc=False):
    """A puzzle."""

    id: str
    """The id of the puzzle."""
    kind: PuzzleKind
    """What is asked: the best tiling, a win, or the only move that keeps the game."""
    rating: int
    """Its difficulty, on the scale of the levels (Elo)."""
    seat: int
    """The seat of the solver."""
    round: int
    """The round."""
    position: str
    """The position as text, as the solver sees it, to begin a study with."""
    counts_goals: bool = False
    """Whether the points of the goals count too: in a tiling of the last round."""


class AskTry(Asked, frozen=True, gc=False):
    """A solver's try."""

    moves: Annotated[list[Token], Meta(max_length=60)] = []
    """The moves so far: all of a tiling, or one move."""
    help: Literal["", "piece", "move", "solution"] = ""
    """The help that is asked for: what the next move is about, the next move, or the whole solution."""


class PuzzleHint(Struct, frozen=True, gc=False, omit_defaults=True):
    """A hint at the next move."""

    telling: Telling
    """The hint in words."""
    places: list[str]
    """The places that it concerns."""
    token: str = ""
    """The move itself, if that was asked for."""


class Explained(Struct, frozen=True, gc=False, omit_defaults=True):
    """The solution of a puzzle. Values are the points of a tiling, a final lead, or a chance to win."""

    answer: list[LineMove]
    """The moves that are right; one stands for those that differ only in a stack's order or a plate's turns."""
    best: float
    """The value of the solution."""
    line: list[LineMove] = []
    """The moves that follow it."""
    sources: dict[str, int] = {}
    """The points of a tiling by source."""
    natural: list[LineMove] = []
    """The natural try that fails."""
    natural_value: float | None = None
    """The value of that try."""
    natural_sources: dict[str, int] = {}
    """Its points by source."""
    refutation: list[LineMove] = []
    """The moves that refute it."""
    why: list[SentenceShown] = []
    """Why the solution is better, in sentences."""


class TryShown(Shown, frozen=True, gc=False):
    """The outcome of a try."""

    outcome: Literal["right", "wrong", "unfinished"]
    """A tiling is `wrong` as soon as the most points can no longer be reached."""
    value: float | None = None
    """The points of a tiling so far; elsewhere the lead or the chance to win after the move."""
    reachable: float | None = None
    """The points that the tiling can still make; those made, once it has ended."""
    best: float | None = None
    """The value of the solution, once the try is decided."""
    at_most: bool = False
    """Whether `value` is an upper bound."""
    nearly: bool = False
    """Whether only the order of the stack or the turns of the plate are wrong."""
    tried: PuzzleHint | None = None
    """The move that was tried, in words."""
    line: list[LineMove] = []
    """The moves that follow a wrong one."""
    hint: PuzzleHint | None = None
    """The hint that was asked for."""
    explained: Explained | None = None
    """The solution, once it may be shown."""
