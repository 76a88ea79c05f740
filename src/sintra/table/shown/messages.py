"""What goes over the wire: every message of the service as a type.

The browser's types are generated from these (`python -m sintra.table.codegen.typescript`). A colour is a
letter (`B Y R K T`, `*` a special tile), a plate its two-digit number, a chip its face (`TY`), a
line, row or column counts from 1. Places on the table have names that a page uses to find them:
`sun-1 moon-1 chip-1 sun-L moon-L start display-0 stack hand bag tower`, and for a seat
`line-0-3 space-0-3-5 (row, column) slot-0-12 (slot row and column) broken-0 store-0 score-0 goal-0-2`.
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
    """A text that is one of these names."""
    allowed = list(names)
    return Meta(pattern=f"^({'|'.join(map(re.escape, allowed))})$", extra_json_schema={"enum": allowed})


def _schema_of_options() -> dict[str, Any]:
    """What `RuleOptions.from_dict` takes."""
    schema = msgspec.json.schema(RuleOptions)["$defs"][RuleOptions.__name__]
    return {"properties": schema["properties"], "additionalProperties": False}


LONGEST_NAME: Final = 24
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
_LINK: Final = r"^https?://[A-Za-z0-9._:\[\]-]+/game/[A-Za-z0-9_-]{12}#[A-Za-z0-9_-]+$"
Secret = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]
GoalName = Annotated[str, _one_of(map(str, Goal))]
StageName = Annotated[str, _one_of(stage.name.lower() for stage in Stage)]
OpponentName = Annotated[str, _one_of(OPPONENTS)]
Chosen = Annotated[dict[str, str | bool], Meta(extra_json_schema=_schema_of_options())]
"""Rule options by their names."""
LONGEST_RECORD: Final = 48 * 1024
Mode = Literal["computer", "friend", "screen"]


class Shown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A message to a browser; what has its default is left out."""


class Asked(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A message from a browser; unknown fields are refused."""


# --- what lies on the table ---------------------------------------------------------------------


class PlateShown(Struct, frozen=True, gc=False):
    """A dome plate: its number and its four spaces `TL TR BL BR` as it lies."""

    plate: str
    face: str


class FactoryShown(Struct, frozen=True, gc=False):
    """R1.3: `moon` is bottom first; `chip` is a face, `down`, or empty when it is gone."""

    name: str
    sun: str
    moon: str
    chip: str
    start_tile: bool


class Outlook(Struct, frozen=True, gc=False, omit_defaults=True):
    """R4.1 to R4.3: where the tile of a line can go on the dome: to the `columns` of its open spaces. Without one,
    `plate_by` is the last round in which a plate can bring one. If that is 0, none can: the tiles of the line will
    break, and `cost` is what they lose."""

    columns: list[int] = []
    plate_by: int = 0
    cost: int = 0


class LineShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """R1.7: a pattern line; `outlook` where it holds tiles that are not placed."""

    color: str
    tiles: int
    placed: bool
    outlook: Outlook | None = None


class GoalProgress(Struct, frozen=True, gc=False):
    """How far a goal has come on one board (R6.1): `there` of `asked`, of rows and the like in the one that lacks
    least. `cells` are six rows of six letters: `x` counts and holds a tile, `o` counts and is empty, `.` does not."""

    there: int
    asked: int
    cells: str


class BoardShown(Struct, frozen=True, gc=False):
    """What one player has before them. `shows` and `tiles` are six rows of six letters, `.` for
    nothing; `forecast` is what the tiling solver promises for the round's end, penalties included
    (in round 5 the goals too)."""

    score: int
    lines: list[LineShown]
    shows: list[str]
    tiles: list[str]
    plates: list[PlateShown | None]
    broken: str
    start_tile: bool
    chips: list[str]
    spent: list[str]
    markers_left: int
    chips_left: int
    goals: list[int]
    progress: list[GoalProgress]
    forecast: int | None


class PilePlate(Struct, frozen=True, gc=False, omit_defaults=True):
    """A place of the stack or the hand as the reader knows it: the plate, or its kind (`*` or
    `W`), or what it could be."""

    kind: str = ""
    plate: PlateShown | None = None
    candidates: list[str] = []


class PositionShown(Struct, frozen=True, gc=False):
    """The whole table as one observer sees it (R8). `seat` is whose decision it is."""

    round: int
    phase: int
    stage: StageName
    seat: int
    first: int
    start_tile: int | None
    factories: list[FactoryShown]
    display: list[PlateShown | None]
    bag: dict[str, int]
    tower: dict[str, int]
    boards: list[BoardShown]
    paid_line: int
    stack: list[PilePlate]
    hand: list[PilePlate]


# --- what can be decided ------------------------------------------------------------------------


class Order(Struct, frozen=True, gc=False):
    """R3.2: an order of a moon stack, bottom first, and how many tiles of each colour the other
    player could then take from the moon sides."""

    order: str
    moon: dict[str, int]


class Destination(Struct, frozen=True, gc=False, omit_defaults=True):
    """R3.5: where a take can go (line 0: all broken), and what that does. `tokens` are the moves, one
    for each of the take's orders; where there is nothing to order, there is one. `forecast` is the
    board's forecast after it, `outlook` that of the line."""

    line: int
    tokens: tuple[str, ...]
    fills: int
    broken: int
    forecast: int | None
    to_tower: int = 0
    completes: bool = False
    outlook: Outlook | None = None


class Take(Struct, frozen=True, gc=False, omit_defaults=True):
    """R3.2, R3.3: tiles that can be taken: from the sun side of a factory (`sun-1`), or from all
    moon sides (`moon`; `places` says which ones)."""

    source: str
    color: str
    count: int
    places: list[str]
    to: list[Destination]
    orders: list[Order] = []
    moon: dict[str, int] = {}
    start_tile: bool = False
    turns_up: list[str] = []


class ChipTake(Struct, frozen=True, gc=False):
    """R3.4: a chip that can be taken, where it lies (`chip-1`), and the board's forecast after it."""

    token: str
    place: str
    forecast: int | None


class Turning(Struct, frozen=True, gc=False):
    """A way to turn a plate on a slot, and the board's forecast after it."""

    token: str
    forecast: int | None


class Laying(Struct, frozen=True, gc=False):
    """A plate that can be laid: `place` is `display-0` … or `hand-0` …. `faces` are its faces by
    quarter turns, and so are the turnings on each slot (`23`) where it can lie."""

    place: str
    plate: str
    faces: tuple[str, ...]
    slots: dict[str, list[Turning]]


class DrawOption(Struct, frozen=True, gc=False):
    """R3.1: drawing a plate, and the points that it costs."""

    token: str
    cost: int


class LookOption(Struct, frozen=True, gc=False):
    """R3.1: looking at the plates drawn, which ends the drawing."""

    token: str


class ReturnOption(Struct, frozen=True, gc=False):
    """R3.1: a drawn plate that can go under the stack next, and its printed face."""

    token: str
    plate: str
    face: str


class Placement(Struct, frozen=True, gc=False, omit_defaults=True):
    """R4.2, R5: a tile of a complete line to an open space, and the points: the runs through it,
    and a special tile that it earns (R4.5)."""

    token: str
    line: int
    column: int
    points: int
    across: int
    down: int
    special_row: int = 0
    special_column: int = 0
    special_points: int = 0


class Payment(Struct, frozen=True, gc=False):
    """R4.4: chips spent for one missing tile of a line; `missing` is how many more the line then
    lacks, `forecast` the board's forecast after it."""

    token: str
    line: int
    chips: list[str]
    missing: int
    forecast: int | None


class EndingShown(Struct, frozen=True, gc=False):
    """R4.6: ending one's tiling, the penalties it books and the lines that break (R4.3)."""

    token: str
    points: int
    breaks: list[int]


class Options(Struct, frozen=True, gc=False, omit_defaults=True):
    """Everything that the reader may decide now, with what each decision does, and the token that
    makes it: a page posts what it was given."""

    takes: list[Take] = []
    chips: list[ChipTake] = []
    layings: list[Laying] = []
    draw: DrawOption | None = None
    look: LookOption | None = None
    returns: list[ReturnOption] = []
    placements: list[Placement] = []
    payments: list[Payment] = []
    end: EndingShown | None = None


# --- what has happened --------------------------------------------------------------------------


class Telling(Struct, frozen=True, gc=False, omit_defaults=True):
    """A sentence to be said in the reader's language: a key of the catalogue and what fills it."""

    key: str
    args: dict[str, str | int] = {}


class Step(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing that is seen to happen. `travel`: pieces go from a place to a place (`piece` is a
    tile letter, a chip face, `plate`, `start`; `face` of a plate). `setup`: pieces go like that, but
    not by the mover's hand (R2.6, R7). `points`: a seat books points at a place, for a `reason`
    (placement, specials, broken, start_tile, draws, goals). `turn`: the chip at a place is turned
    up. `deal`: a round begins. `break`: a line breaks. `across` and `down` are the runs that a placed tile
    is counted in (R5), `cells` the places of their spaces."""

    kind: Literal["travel", "setup", "points", "turn", "deal", "break"]
    start: str = ""
    end: str = ""
    piece: str = ""
    count: int = 1
    face: str = ""
    seat: int = 0
    points: int = 0
    reason: str = ""
    across: int = 0
    down: int = 0
    cells: list[str] = []


class RoundGain(Struct, frozen=True, gc=False):
    """Where a seat's points of one round came from, and its score before and after them."""

    before: int
    placement: int
    specials: int
    broken: int
    start_tile: int
    draws: int
    score: int


class TiledBoard(Struct, frozen=True, gc=False):
    """A board as it stood when the tiling of a round began (R4): the steps of its moves tell the rest. `shows` and
    `tiles` are six rows of six letters, `.` for nothing."""

    lines: list[LineShown]
    shows: list[str]
    tiles: list[str]
    broken: str
    start_tile: bool


class RoundSummary(Struct, frozen=True, gc=False):
    """Told when a round is over."""

    round: int
    gains: list[RoundGain]
    boards: list[TiledBoard]


class Event(Struct, frozen=True, gc=False, omit_defaults=True):
    """Something that happened in a game, as one observer may know it. `turn` of a move is the ply with
    which the mover's turn, or tiling, began; `undoes` are the events whose moves it took back, `redoes` those
    whose moves it made again."""

    seq: int
    kind: str
    telling: Telling
    at: str
    ply: int = 0
    turn: int = 0
    round: int = 0
    seat: int | None = None
    token: str = ""
    steps: list[Step] = []
    summary: RoundSummary | None = None
    undoes: list[int] = []
    redoes: list[int] = []


class Breakdown(Struct, frozen=True, gc=False):
    """A final score by source; `goals` in the order of the rules."""

    start: int
    placement: int
    specials: int
    broken: int
    start_tile: int
    draws: int
    goals: list[int]
    goals_booked: int
    total: int


class OpponentShown(Struct, frozen=True, gc=False):
    """A computer that can be played against: the player it is, in English its name and what to expect of it
    (empty: the catalogues tell), and its strength (Elo, greedy is 1000), if it was measured."""

    player: str
    name: str
    about: str
    elo: int | None


class ResultShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """How a game ended; `tie_break` is what decided equal points (R6.3): holding the start tile, or, if
    nobody took it, having started round 5. `left`: the loser had to decide and stayed away, and the winner
    claimed the game; `timeout`: the loser's time had run out. `next_opponent` is for who has played against a
    computer: the next stronger one after a win, the next gentler one after a loss."""

    reason: Literal["points", "resigned", "left", "timeout"]
    winner: int
    scores: list[int]
    breakdown: list[Breakdown]
    tie_break: Literal["", "start_tile", "starter"]
    next_opponent: OpponentShown | None = None


# --- a game as it is shown ----------------------------------------------------------------------


class PlayerShown(Struct, frozen=True, gc=False):
    """Who sits at a seat; `opponent` is the player of a computer, `present` says that a browser of theirs
    listens now."""

    name: str
    kind: Literal["human", "computer"]
    opponent: str
    joined: bool
    present: bool


class RulesShown(Struct, frozen=True, gc=False):
    """The goals and options in play."""

    goals: list[str]
    rule_options: Chosen


class BeginningShown(Struct, frozen=True, gc=False):
    """Where a game began that goes on from somewhere: after how many `moves` of a record, or with a position alone.
    Then it has no record of its own."""

    moves: int
    has_record: bool


class ClockAsked(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A clock: the seconds that each seat has for the game, and those that come with every turn."""

    seconds: Annotated[int, Meta(ge=1, le=14_400)]
    increment: Annotated[int, Meta(ge=0, le=600)] = 0


class ClockShown(Struct, frozen=True, gc=False):
    """What the clock of a game says: its `seconds` and `increment`, the milliseconds that each seat has left, and the
    seat whose time runs, if one's does."""

    seconds: int
    increment: int
    left: list[int]
    running: int | None


class GameShown(Shown, frozen=True, gc=False):
    """A game as one observer may see it after event `seq`. `you` are the seats that the reader
    plays (none: a spectator; two: both on one screen). `curtain` says that the player to move has
    private plates before them, which the shared screen shows on request only. `deal_known`: somebody may know what is
    hidden, since the game goes on from a deal that is known. `text` is the position as text, as the seat to move knows
    it, in the replay of a finished game that has no record."""

    game: str
    seq: int
    ply: int
    status: Literal["waiting", "cancelled", "playing", "over"]
    mode: Mode
    you: list[int]
    players: list[PlayerShown]
    rules: RulesShown
    deal_known: bool
    position: PositionShown
    options: Options | None = None
    event: Event | None = None
    log: list[Event] | None = None
    thinking: bool = False
    curtain: bool = False
    may_undo: bool = False
    may_take_back: bool = False
    may_redo: bool = False
    take_back_asked_by: int | None = None
    taken_back: bool = False
    result: ResultShown | None = None
    rematch: str = ""
    clock: ClockShown | None = None
    began: BeginningShown | None = None
    text: str = ""


class Presence(Shown, frozen=True, gc=False):
    """Who is at the table now; sent when it changes, between events. `gone` are seats that have been
    away for so long that the other may claim the game when they have to decide and their time does not run."""

    present: list[bool]
    spectators: int
    gone: list[int] = []
    clock: ClockShown | None = None


class AdviceShown(Struct, frozen=True, gc=False):
    """A hint's move, with the chance to win and the expected lead that the computer gives it."""

    token: str
    telling: Telling
    win: float
    lead: float
    places: list[str]


class ReasonShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """Why a move is better than another: the points that it brings more, or less, for what `kind` says; with the goal
    or the line and its colour that it is about."""

    kind: str
    points: float
    goal: str = ""
    line: int = 0
    color: str = ""


class Hint(Shown, frozen=True, gc=False):
    """What the computer would do, best first, and why rather the first than the second."""

    seq: int
    exact: bool
    advice: list[AdviceShown]
    reasons: list[ReasonShown]


# --- reviews --------------------------------------------------------------------------------------


class ReviewedMove(Struct, frozen=True, gc=False, omit_defaults=True):
    """A move that was made or could have been, with the chance to win that it left to its player, and the lead."""

    token: str
    telling: Telling
    places: list[str]
    chance: float
    lead: float | None = None


class ReviewedTurn(Struct, frozen=True, gc=False, omit_defaults=True):
    """A decision of a game: `chance` and `lead` are seat 0's before it, `best` the best moves for the seat that
    decided, `cost` what it gave away of a win; `skill`, `luck` (by kind) and `noise` did the rest to seat 0's
    chance. `mark` is what a costly turn is called. `reasons` say why the best move is better."""

    ply: int
    round: int
    seat: int
    kind: Literal["tiles", "plates", "chips", "placing"]
    played: ReviewedMove
    best: list[ReviewedMove]
    chance: float
    lead: float
    cost: float
    skill: float
    luck: dict[str, float]
    noise: float
    mark: Literal["", "inaccuracy", "mistake", "blunder"] = ""
    reasons: list[ReasonShown] = []


class StrengthShown(Struct, frozen=True, gc=False):
    """About where somebody is on the ladder of levels, and where with 95 % probability."""

    elo: int
    low: int
    high: int


class ReviewFound(Struct, frozen=True, gc=False):
    """What a game was made of: seat 0's chance to win at the start plus what the decisions of both, luck, second
    thoughts of the evaluator and an early ending did to it is its `result`, 1 or 0. `error_rate` is what each seat
    gave away with a decision, on average, `strength` the place on the ladder of levels that this speaks for, and `lost`
    the points that better moves would have brought it, by source."""

    start: float
    skill: list[float]
    luck: dict[str, float]
    noise: float
    ending: float
    result: float
    error_rate: list[float]
    strength: list[StrengthShown]
    turns: list[ReviewedTurn]
    lost: list[dict[str, float]] = []


class ReviewShown(Shown, frozen=True, gc=False):
    """A review under its own address. Until it is `done`, `share` tells how much of it is, and `ahead` how many
    others are made before it; `plies` is how many moves the game has."""

    review: str
    state: Literal["waiting", "working", "done"]
    players: list[str]
    scores: list[int]
    winner: int
    reason: Literal["points", "resigned", "timeout"]
    plies: int
    share: float = 0.0
    ahead: int = 0
    found: ReviewFound | None = None


class ReviewTry(Shown, frozen=True, gc=False):
    """Another move for a turn of a reviewed game: what it would have given away of a win, and whether that is next
    to nothing."""

    telling: Telling
    places: list[str]
    cost: float
    right: bool


class ReviewAsked(Shown, frozen=True, gc=False):
    """Where the review is that was asked for: `/review/…`."""

    review: str


class Accepted(Shown, frozen=True, gc=False):
    """The answer to a post: the event that it became."""

    seq: int


class Links(Shown, frozen=True, gc=False):
    """The capabilities of a game: secrets for the fragment of `/game/ID#SECRET`. Only those that
    the asker may give away are there."""

    own: str | UnsetType = UNSET
    friend: str | UnsetType = UNSET
    watch: str | UnsetType = UNSET


class GameMade(Shown, frozen=True, gc=False):
    """A new game, and its links."""

    game: str
    links: Links


class InvitationShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """What somebody is invited to: who invites, and the seat that starts (0: the one who invites). `deal_known`:
    whoever invites may know what is hidden."""

    name: str
    first: int
    rules: RulesShown
    deal_known: bool
    clock: ClockAsked | None = None


class Entered(Shown, frozen=True, gc=False):
    """What a secret has opened: a seat, both, or a place among the spectators, and the secret that
    opens it from now on: a friend gets one of their own. Who comes by an invitation is told to what, and asked
    for a name."""

    game: str
    you: list[int]
    secret: str = ""
    needs_name: bool = False
    invitation: InvitationShown | None = None


class Left(Shown, frozen=True, gc=False):
    """The asker's browser has no place at this game any more."""

    game: str


class GameBrief(Shown, frozen=True, gc=False):
    """A line of the list of games."""

    game: str
    seq: int
    mode: Mode
    status: Literal["waiting", "cancelled", "playing", "over"]
    players: list[PlayerShown]
    you: list[int]
    round: int
    seat: int
    scores: list[int]
    at: str


class NetworkShown(Shown, frozen=True, gc=False):
    """Whether others on the network can reach the table, at which addresses, and whether the
    reader may change that (only on this machine). `reach` is how far away a friend may be whom the reader
    sends a link: at this machine, on the same network, or anywhere."""

    open: bool
    addresses: list[str]
    may_change: bool
    reach: Literal["machine", "network", "anywhere"]


class Health(Shown, frozen=True, gc=False):
    """The service answers. While it prepares itself, no game can be shown yet. `progress` tells how much is ready of
    all that games and computers need, from 0 to 1: until then, moves may have to wait. Without its `database` it can
    answer nothing else; while that is `read_only`, games can be looked at, and no move is taken."""

    status: Literal["ok", "preparing"]
    version: str
    progress: float
    database: Literal["ok", "read_only", "away"]


class About(Shown, frozen=True, gc=False):
    """What a page needs to know before the first game."""

    version: str
    opponents: list[OpponentShown]
    goals: list[str]
    network: NetworkShown


class Picture(Shown, frozen=True, gc=False):
    """A QR code: rows of `0` and `1`."""

    rows: list[str]


class Problem(Shown, frozen=True, gc=False):
    """Why a request was refused: a stable `code` for the catalogue, and plain English. `why` says what is wrong with a
    position, a record or a move that was given: first the places where it is (`wrong.at_…`), then the reason."""

    code: str
    message: str
    seq: int | None = None
    why: list[Telling] = []


# --- what a browser asks ------------------------------------------------------------------------


class NewGame(Asked, frozen=True, gc=False):
    """A new game. `first`: who starts, seat 0 being the asker, or `draw` for a drawn one.
    `goals` empty: drawn at random, `goal_count` of them. `clock`: how much time there is, if it is limited."""

    mode: Mode
    names: Annotated[list[Name], Meta(min_length=1, max_length=2)]
    opponent: OpponentName = USUAL
    first: Literal["me", "other", "draw"] = "draw"
    goals: Annotated[list[GoalName], Meta(max_length=4)] = []
    goal_count: Literal[3, 4] = 3
    rule_options: Chosen = {}
    clock: ClockAsked | None = None


class Enter(Asked, frozen=True, gc=False):
    """Exchanges a secret from a link for a cookie; a friend says their name."""

    secret: Secret
    name: Name | None = None


class AskRematch(Asked, frozen=True, gc=False):
    """Asks for the next game after event `seq`; `opponent` is the computer to play against, if it is to be
    another one than before."""

    id: PostId
    seq: Seq
    seat: Seat | None = None
    opponent: OpponentName | None = None


class AskLinks(Asked, frozen=True, gc=False):
    """Asks for links to one's seat and for spectators: secrets given before cannot be shown again."""


class Leave(Asked, frozen=True, gc=False):
    """This browser forgets its place at a game."""


class AskHint(Asked, frozen=True, gc=False):
    """Asks for advice in the position after event `seq`."""

    seq: Seq


class AskReview(Asked, frozen=True, gc=False):
    """Asks for the review of a game that is over."""


class AskRecordReview(Asked, frozen=True, gc=False):
    """Asks for the review of a game by its record (`sintra/1`), as text."""

    record: Annotated[str, Meta(min_length=2, max_length=LONGEST_RECORD)]


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
    """A line of `moves` from a start: a `position` text, which may leave stack and chips unknown, a game `record`
    (JSON text) after `ply` of its moves, or a new game with a `seed`. `log`: all that happened is to be told.
    `plain`: without forecasts, which would tell the solver of a puzzle too much."""

    position: Annotated[str, Meta(max_length=16_000)] = ""
    record: Annotated[str, Meta(max_length=100_000)] = ""
    ply: Annotated[int, Meta(ge=0, le=10_000)] = 0
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None
    moves: Annotated[list[Token], Meta(max_length=600)] = []
    log: bool = False
    plain: bool = False


class StudyShown(Shown, frozen=True, gc=False):
    """What the seat to move sees at the end of a line, as at the table, and that position as text: what the seat
    does not know is filled in there with something that fits. `ply` counts the moves of a record, too."""

    game: GameShown
    text: str


class AskAdvice(AskStudy, frozen=True, gc=False):
    """Asks for the best moves at the end of a line, with so many simulations."""

    sims: Literal[500, 2000, 8000, 32000] = 500


class LineMove(Struct, frozen=True, gc=False):
    """A move that is expected to follow."""

    seat: int
    token: str
    telling: Telling


class StudyMove(Struct, frozen=True, gc=False):
    """A move that can be made, with the chance to win and the expected lead of the seat to move, and what is
    expected to follow."""

    advice: AdviceShown
    line: list[LineMove]


class StudyAdvice(Shown, frozen=True, gc=False):
    """The best moves of the seat to move, best first; exact if nothing is left to chance."""

    sims: int
    exact: bool
    moves: list[StudyMove]


class PlayOn(AskStudy, frozen=True, gc=False, kw_only=True):
    """A new game that begins at the end of a line. The asker takes a `seat` of it, that of the player to move unless
    another is named, and is seat 0 of the new game. `clock`: how much time there is, if it is limited."""

    mode: Mode = "computer"
    names: Annotated[list[Name], Meta(min_length=1, max_length=2)]
    opponent: OpponentName = USUAL
    seat: Seat | None = None
    clock: ClockAsked | None = None


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
    """A factory: `moon` is bottom first; `chip` is a face, `down`, or empty when it is gone."""

    sun: Letters = ""
    moon: Letters = ""
    chip: Annotated[str, _one_of(["", "down", *(chip.face for chip in CHIPS)])] = ""


class DraftBoard(Asked, frozen=True, gc=False, kw_only=True):
    """A player's board: the tiles of each line, the plates on the nine slots, six rows of what lies on the dome, broken
    tiles, chips that can be used and such as were spent."""

    score: Annotated[int, Meta(ge=0, le=999)] = 5
    lines: Annotated[list[Letters], Meta(min_length=6, max_length=6)]
    plates: Annotated[list[DraftPlate | None], Meta(min_length=9, max_length=9)]
    tiles: Annotated[list[Row], Meta(min_length=6, max_length=6)]
    broken: Letters = ""
    chips: Annotated[list[ChipFace], Meta(max_length=20)] = []
    spent: Annotated[list[ChipFace], Meta(max_length=20)] = []


class TableDraft(Asked, frozen=True, gc=False, kw_only=True):
    """A table that is built by hand: factories 1 to 4 and the large one, what lies in the display, both boards. `top`
    is the kind of plate on top of the stack, if it is known. Tiles that lie nowhere are in the bag, apart from those
    in the tower."""

    round: Annotated[int, Meta(ge=1, le=5)] = 1
    turn: Seat = 0
    first: Seat = 0
    start_tile: Seat | None = None
    goals: Annotated[list[GoalName], Meta(max_length=8)] = []
    rule_options: Chosen = {}
    factories: Annotated[list[DraftFactory], Meta(min_length=5, max_length=5)]
    display: Annotated[list[PlateName | None], Meta(min_length=3, max_length=3)]
    top: Literal["", "*", "W"] = ""
    tower: Letters = ""
    boards: Annotated[list[DraftBoard], Meta(min_length=2, max_length=2)]


class DraftFault(Struct, frozen=True, gc=False):
    """What is wrong with a table, and the place it concerns: as on a table, or `goals`, `turn`, `chips`, `plates-0`,
    `row-0-3`. Of a fault that is none of the table's own, `why` says more, as in a `Problem`."""

    place: str
    telling: Telling
    why: list[Telling] = []


class DraftShown(Shown, frozen=True, gc=False):
    """What becomes of a table built by hand: its position as `text`, if nothing is wrong with it. `stage` is what is
    asked then and `turn` of whom. The rest are the pieces that do not lie on the table yet: tiles by colour and special
    ones, plates, chips by face."""

    stage: StageName
    turn: int
    tiles: dict[str, int]
    plates: list[str]
    chips: dict[str, int]
    text: str = ""
    faults: list[DraftFault] = []


# --- the count of a round -----------------------------------------------------------------------


class CountedMove(Struct, frozen=True, gc=False):
    """A move of a tiling, and the points that it books: for the tile, for a special tile, and at the end what broken
    tiles and the start tile cost."""

    token: str
    telling: Telling
    line: int
    placement: int
    specials: int
    penalty: int
    is_made: bool


class CountedSeat(Struct, frozen=True, gc=False):
    """A player's tiling: what was placed already and then the best way, move by move, with its points in all. In
    round 5 `goals` are the points of the goals then."""

    moves: list[CountedMove]
    points: int
    goals: int
    score: int


class RoundCount(Shown, frozen=True, gc=False):
    """The count of a round, for both players."""

    round: int
    seats: list[CountedSeat]


# --- puzzles ------------------------------------------------------------------------------------


PuzzleKind = Literal["tiling", "win", "keep"]


class PuzzleBrief(Struct, frozen=True, gc=False):
    """A puzzle of the list: what is asked, and how hard it is, on the ladder of the levels."""

    id: str
    kind: PuzzleKind
    rating: int


class PuzzleList(Shown, frozen=True, gc=False):
    """All puzzles, and the one of the day (`YYYY-MM-DD`) that was asked for."""

    day: str
    of_the_day: str
    puzzles: list[PuzzleBrief]


class PuzzleShown(Shown, frozen=True, gc=False):
    """A question: the position, as its solver sees it, to begin a study with. In a tiling of the last round the
    points of the goals count, too."""

    id: str
    kind: PuzzleKind
    rating: int
    seat: int
    round: int
    position: str
    counts_goals: bool = False


class AskTry(Asked, frozen=True, gc=False):
    """What a solver does: the moves so far, all of a tiling or one move. `help` asks for more: what the next move is
    about (`piece`), the next move (`move`), or the whole solution."""

    moves: Annotated[list[Token], Meta(max_length=60)] = []
    help: Literal["", "piece", "move", "solution"] = ""


class PuzzleHint(Struct, frozen=True, gc=False, omit_defaults=True):
    """What the next move is about, in words and places; with a `token`, the move itself."""

    telling: Telling
    places: list[str]
    token: str = ""


class Explained(Struct, frozen=True, gc=False, omit_defaults=True):
    """The solution: the moves that are right (of those that differ in nothing but a stack's order or a plate's turns,
    one), what follows them, and where the points of a tiling come from; and the natural try that fails, with what
    refutes it. Values are points of a tiling, a final lead, or a chance to win."""

    answer: list[LineMove]
    best: float
    line: list[LineMove] = []
    sources: dict[str, int] = {}
    natural: list[LineMove] = []
    natural_value: float | None = None
    natural_sources: dict[str, int] = {}
    refutation: list[LineMove] = []


class TryShown(Shown, frozen=True, gc=False):
    """What became of a try. A tiling is `wrong` as soon as the most points cannot be reached any more: `value` are
    those so far, `reachable` those that can still be made (equal, once it has ended). Elsewhere `value` is the lead
    or the chance to win after the move (`tried`, in words); `at_most`: it can be worse; `nearly`: only the order of the
    stack or the plate's turns are wrong. `best` is told once the try is decided, `line` follows a wrong move."""

    outcome: Literal["right", "wrong", "unfinished"]
    value: float | None = None
    reachable: float | None = None
    best: float | None = None
    at_most: bool = False
    nearly: bool = False
    tried: PuzzleHint | None = None
    line: list[LineMove] = []
    hint: PuzzleHint | None = None
    explained: Explained | None = None
