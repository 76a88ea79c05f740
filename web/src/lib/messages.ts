// Made from sintra.table.shown.messages and games.acts by `python -m sintra.table.codegen.typescript`: change that instead.

export type Seat = 0 | 1;

export type Mode = "computer" | "friend" | "screen";

export type GoalName = "rows" | "colors" | "columns" | "edge" | "diagonals" | "corners" | "wilds" | "specials";

/**
 * A dome plate: its number and its four spaces `TL TR BL BR` as it lies.
 */
export interface PlateShown {
  plate: string;
  face: string;
}

/**
 * R1.3: `moon` is bottom first; `chip` is a face, `down`, or empty when it is gone.
 */
export interface FactoryShown {
  name: string;
  sun: string;
  moon: string;
  chip: string;
  start_tile: boolean;
}

/**
 * R4.1 to R4.3: where the tile of a line can go on the dome: to the `columns` of its open spaces. Without one,
 * `plate_by` is the last round in which a plate can bring one. If that is 0, none can: the tiles of the line will
 * break, and `cost` is what they lose.
 */
export interface Outlook {
  columns?: number[];
  plate_by?: number;
  cost?: number;
}

/**
 * R1.7: a pattern line; `outlook` where it holds tiles that are not placed.
 */
export interface LineShown {
  color: string;
  tiles: number;
  placed: boolean;
  outlook?: Outlook;
}

/**
 * How far a goal has come on one board (R6.1): `there` of `asked`, of rows and the like in the one that lacks
 * least. `cells` are six rows of six letters: `x` counts and holds a tile, `o` counts and is empty, `.` does not.
 */
export interface GoalProgress {
  there: number;
  asked: number;
  cells: string;
}

/**
 * What one player has before them. `shows` and `tiles` are six rows of six letters, `.` for
 * nothing; `forecast` is what the tiling solver promises for the round's end, penalties included
 * (in round 5 the goals too).
 */
export interface BoardShown {
  score: number;
  lines: LineShown[];
  shows: string[];
  tiles: string[];
  plates: (PlateShown | null)[];
  broken: string;
  start_tile: boolean;
  chips: string[];
  spent: string[];
  markers_left: number;
  chips_left: number;
  goals: number[];
  progress: GoalProgress[];
  forecast: number | null;
}

/**
 * A place of the stack or the hand as the reader knows it: the plate, or its kind (`*` or
 * `W`), or what it could be.
 */
export interface PilePlate {
  kind?: string;
  plate?: PlateShown;
  candidates?: string[];
}

/**
 * The whole table as one observer sees it (R8). `seat` is whose decision it is.
 */
export interface PositionShown {
  round: number;
  phase: number;
  stage: "dealing" | "opening" | "turn" | "drawing" | "keeping" | "returning" | "turning" | "stacking" | "tiling" | "paying" | "over";
  seat: number;
  first: number;
  start_tile: number | null;
  factories: FactoryShown[];
  display: (PlateShown | null)[];
  bag: Record<string, number>;
  tower: Record<string, number>;
  boards: BoardShown[];
  paid_line: number;
  stack: PilePlate[];
  hand: PilePlate[];
}

/**
 * R3.2: an order of a moon stack, bottom first, and how many tiles of each colour the other
 * player could then take from the moon sides.
 */
export interface Order {
  order: string;
  moon: Record<string, number>;
}

/**
 * R3.5: where a take can go (line 0: all broken), and what that does. `tokens` are the moves, one
 * for each of the take's orders; where there is nothing to order, there is one. `forecast` is the
 * board's forecast after it, `outlook` that of the line.
 */
export interface Destination {
  line: number;
  tokens: string[];
  fills: number;
  broken: number;
  forecast: number | null;
  to_tower?: number;
  completes?: boolean;
  outlook?: Outlook;
}

/**
 * R3.2, R3.3: tiles that can be taken: from the sun side of a factory (`sun-1`), or from all
 * moon sides (`moon`; `places` says which ones).
 */
export interface Take {
  source: string;
  color: string;
  count: number;
  places: string[];
  to: Destination[];
  orders?: Order[];
  moon?: Record<string, number>;
  start_tile?: boolean;
  turns_up?: string[];
}

/**
 * R3.4: a chip that can be taken, where it lies (`chip-1`), and the board's forecast after it.
 */
export interface ChipTake {
  token: string;
  place: string;
  forecast: number | null;
}

/**
 * A way to turn a plate on a slot, and the board's forecast after it.
 */
export interface Turning {
  token: string;
  forecast: number | null;
}

/**
 * A plate that can be laid: `place` is `display-0` … or `hand-0` …. `faces` are its faces by
 * quarter turns, and so are the turnings on each slot (`23`) where it can lie.
 */
export interface Laying {
  place: string;
  plate: string;
  faces: string[];
  slots: Record<string, Turning[]>;
}

/**
 * R3.1: drawing a plate, and the points that it costs.
 */
export interface DrawOption {
  token: string;
  cost: number;
}

/**
 * R3.1: looking at the plates drawn, which ends the drawing.
 */
export interface LookOption {
  token: string;
}

/**
 * R3.1: a drawn plate that can go under the stack next, and its printed face.
 */
export interface ReturnOption {
  token: string;
  plate: string;
  face: string;
}

/**
 * R4.2, R5: a tile of a complete line to an open space, and the points: the runs through it,
 * and a special tile that it earns (R4.5).
 */
export interface Placement {
  token: string;
  line: number;
  column: number;
  points: number;
  across: number;
  down: number;
  special_row?: number;
  special_column?: number;
  special_points?: number;
}

/**
 * R4.4: chips spent for one missing tile of a line; `missing` is how many more the line then
 * lacks, `forecast` the board's forecast after it.
 */
export interface Payment {
  token: string;
  line: number;
  chips: string[];
  missing: number;
  forecast: number | null;
}

/**
 * R4.6: ending one's tiling, the penalties it books and the lines that break (R4.3).
 */
export interface EndingShown {
  token: string;
  points: number;
  breaks: number[];
}

/**
 * Everything that the reader may decide now, with what each decision does, and the token that
 * makes it: a page posts what it was given.
 */
export interface Options {
  takes?: Take[];
  chips?: ChipTake[];
  layings?: Laying[];
  draw?: DrawOption;
  look?: LookOption;
  returns?: ReturnOption[];
  placements?: Placement[];
  payments?: Payment[];
  end?: EndingShown;
}

/**
 * A sentence to be said in the reader's language: a key of the catalogue and what fills it.
 */
export interface Telling {
  key: string;
  args?: Record<string, string | number>;
}

/**
 * One thing that is seen to happen. `travel`: pieces go from a place to a place (`piece` is a
 * tile letter, a chip face, `plate`, `start`; `face` of a plate). `setup`: pieces go like that, but
 * not by the mover's hand (R2.6, R7). `points`: a seat books points at a place, for a `reason`
 * (placement, specials, broken, start_tile, draws, goals). `turn`: the chip at a place is turned
 * up. `deal`: a round begins. `break`: a line breaks. `across` and `down` are the runs that a placed tile
 * is counted in (R5), `cells` the places of their spaces.
 */
export interface Step {
  kind: "break" | "deal" | "points" | "setup" | "travel" | "turn";
  start?: string;
  end?: string;
  piece?: string;
  count?: number;
  face?: string;
  seat?: number;
  points?: number;
  reason?: string;
  across?: number;
  down?: number;
  cells?: string[];
}

/**
 * Where a seat's points of one round came from, and its score before and after them.
 */
export interface RoundGain {
  before: number;
  placement: number;
  specials: number;
  broken: number;
  start_tile: number;
  draws: number;
  score: number;
}

/**
 * A board as it stood when the tiling of a round began (R4): the steps of its moves tell the rest. `shows` and
 * `tiles` are six rows of six letters, `.` for nothing.
 */
export interface TiledBoard {
  lines: LineShown[];
  shows: string[];
  tiles: string[];
  broken: string;
  start_tile: boolean;
}

/**
 * Told when a round is over.
 */
export interface RoundSummary {
  round: number;
  gains: RoundGain[];
  boards: TiledBoard[];
}

/**
 * Something that happened in a game, as one observer may know it. `turn` of a move is the ply with
 * which the mover's turn, or tiling, began; `undoes` are the events whose moves it took back, `redoes` those
 * whose moves it made again.
 */
export interface Event {
  seq: number;
  kind: string;
  telling: Telling;
  at: string;
  ply?: number;
  turn?: number;
  round?: number;
  seat?: number;
  token?: string;
  steps?: Step[];
  summary?: RoundSummary;
  undoes?: number[];
  redoes?: number[];
}

/**
 * A final score by source; `goals` in the order of the rules.
 */
export interface Breakdown {
  start: number;
  placement: number;
  specials: number;
  broken: number;
  start_tile: number;
  draws: number;
  goals: number[];
  goals_booked: number;
  total: number;
}

/**
 * A computer that can be played against: the player it is, in English its name and what to expect of it
 * (empty: the catalogues tell), and its strength (Elo, greedy is 1000), if it was measured.
 */
export interface OpponentShown {
  player: string;
  name: string;
  about: string;
  elo: number | null;
}

/**
 * How a game ended; `tie_break` is what decided equal points (R6.3): holding the start tile, or, if
 * nobody took it, having started round 5. `left`: the loser had to decide and stayed away, and the winner
 * claimed the game; `timeout`: the loser's time had run out. `next_opponent` is for who has played against a
 * computer: the next stronger one after a win, the next gentler one after a loss.
 */
export interface ResultShown {
  reason: "left" | "points" | "resigned" | "timeout";
  winner: number;
  scores: number[];
  breakdown: Breakdown[];
  tie_break: "" | "start_tile" | "starter";
  next_opponent?: OpponentShown;
}

/**
 * Who sits at a seat; `opponent` is the player of a computer, `present` says that a browser of theirs
 * listens now.
 */
export interface PlayerShown {
  name: string;
  kind: "computer" | "human";
  opponent: string;
  joined: boolean;
  present: boolean;
}

/**
 * The goals and options in play.
 */
export interface RulesShown {
  goals: string[];
  rule_options: { draw_at_zero?: "forced" | "free"; special_is_color?: boolean; };
}

/**
 * Where a game began that goes on from somewhere: after how many `moves` of a record, or with a position alone.
 * Then it has no record of its own.
 */
export interface BeginningShown {
  moves: number;
  has_record: boolean;
}

/**
 * A clock: the seconds that each seat has for the game, and those that come with every turn.
 */
export interface ClockAsked {
  seconds: number;
  increment?: number;
}

/**
 * What the clock of a game says: its `seconds` and `increment`, the milliseconds that each seat has left, and the
 * seat whose time runs, if one's does.
 */
export interface ClockShown {
  seconds: number;
  increment: number;
  left: number[];
  running: number | null;
}

/**
 * A game as one observer may see it after event `seq`. `you` are the seats that the reader
 * plays (none: a spectator; two: both on one screen). `curtain` says that the player to move has
 * private plates before them, which the shared screen shows on request only. `deal_known`: somebody may know what is
 * hidden, since the game goes on from a deal that is known. `text` is the position as text, as the seat to move knows
 * it, in the replay of a finished game that has no record.
 */
export interface GameShown {
  game: string;
  seq: number;
  ply: number;
  status: "cancelled" | "over" | "playing" | "waiting";
  mode: "computer" | "friend" | "screen";
  you: number[];
  players: PlayerShown[];
  rules: RulesShown;
  deal_known: boolean;
  position: PositionShown;
  options?: Options;
  event?: Event;
  log?: Event[];
  thinking?: boolean;
  curtain?: boolean;
  may_undo?: boolean;
  may_take_back?: boolean;
  may_redo?: boolean;
  take_back_asked_by?: number;
  taken_back?: boolean;
  result?: ResultShown;
  rematch?: string;
  clock?: ClockShown;
  began?: BeginningShown;
  text?: string;
}

/**
 * Who is at the table now; sent when it changes, between events. `gone` are seats that have been
 * away for so long that the other may claim the game when they have to decide and their time does not run.
 */
export interface Presence {
  present: boolean[];
  spectators: number;
  gone?: number[];
  clock?: ClockShown;
}

/**
 * A hint's move, with the chance to win and the expected lead that the computer gives it.
 */
export interface AdviceShown {
  token: string;
  telling: Telling;
  win: number;
  lead: number;
  places: string[];
}

/**
 * Why a move is better than another: the points that it brings more, or less, for what `kind` says; with the goal
 * or the line and its colour that it is about.
 */
export interface ReasonShown {
  kind: string;
  points: number;
  goal?: string;
  line?: number;
  color?: string;
}

/**
 * What the computer would do, best first, and why rather the first than the second.
 */
export interface Hint {
  seq: number;
  exact: boolean;
  advice: AdviceShown[];
  reasons: ReasonShown[];
}

/**
 * A move that was made or could have been, with the chance to win that it left to its player, and the lead.
 */
export interface ReviewedMove {
  token: string;
  telling: Telling;
  places: string[];
  chance: number;
  lead?: number;
}

/**
 * A decision of a game: `chance` and `lead` are seat 0's before it, `best` the best moves for the seat that
 * decided, `cost` what it gave away of a win; `skill`, `luck` (by kind) and `noise` did the rest to seat 0's
 * chance. `mark` is what a costly turn is called. `reasons` say why the best move is better.
 */
export interface ReviewedTurn {
  ply: number;
  round: number;
  seat: number;
  kind: "chips" | "placing" | "plates" | "tiles";
  played: ReviewedMove;
  best: ReviewedMove[];
  chance: number;
  lead: number;
  cost: number;
  skill: number;
  luck: Record<string, number>;
  noise: number;
  mark?: "" | "blunder" | "inaccuracy" | "mistake";
  reasons?: ReasonShown[];
}

/**
 * About where somebody is on the ladder of levels, and where with 95 % probability.
 */
export interface StrengthShown {
  elo: number;
  low: number;
  high: number;
}

/**
 * What a game was made of: seat 0's chance to win at the start plus what the decisions of both, luck, second
 * thoughts of the evaluator and an early ending did to it is its `result`, 1 or 0. `error_rate` is what each seat
 * gave away with a decision, on average, `strength` the place on the ladder of levels that this speaks for, and `lost`
 * the points that better moves would have brought it, by source.
 */
export interface ReviewFound {
  start: number;
  skill: number[];
  luck: Record<string, number>;
  noise: number;
  ending: number;
  result: number;
  error_rate: number[];
  strength: StrengthShown[];
  turns: ReviewedTurn[];
  lost?: (Record<string, number>)[];
}

/**
 * A review under its own address. Until it is `done`, `share` tells how much of it is, and `ahead` how many
 * others are made before it; `plies` is how many moves the game has.
 */
export interface ReviewShown {
  review: string;
  state: "done" | "waiting" | "working";
  players: string[];
  scores: number[];
  winner: number;
  reason: "points" | "resigned" | "timeout";
  plies: number;
  share?: number;
  ahead?: number;
  found?: ReviewFound;
}

/**
 * Another move for a turn of a reviewed game: what it would have given away of a win, and whether that is next
 * to nothing.
 */
export interface ReviewTry {
  telling: Telling;
  places: string[];
  cost: number;
  right: boolean;
}

/**
 * Where the review is that was asked for: `/review/…`.
 */
export interface ReviewAsked {
  review: string;
}

/**
 * The answer to a post: the event that it became.
 */
export interface Accepted {
  seq: number;
}

/**
 * The capabilities of a game: secrets for the fragment of `/game/ID#SECRET`. Only those that
 * the asker may give away are there.
 */
export interface Links {
  own?: string;
  friend?: string;
  watch?: string;
}

/**
 * A new game, and its links.
 */
export interface GameMade {
  game: string;
  links: Links;
}

/**
 * What somebody is invited to: who invites, and the seat that starts (0: the one who invites). `deal_known`:
 * whoever invites may know what is hidden.
 */
export interface InvitationShown {
  name: string;
  first: number;
  rules: RulesShown;
  deal_known: boolean;
  clock?: ClockAsked;
}

/**
 * What a secret has opened: a seat, both, or a place among the spectators, and the secret that
 * opens it from now on: a friend gets one of their own. Who comes by an invitation is told to what, and asked
 * for a name.
 */
export interface Entered {
  game: string;
  you: number[];
  secret?: string;
  needs_name?: boolean;
  invitation?: InvitationShown;
}

/**
 * The asker's browser has no place at this game any more.
 */
export interface Left {
  game: string;
}

/**
 * A line of the list of games.
 */
export interface GameBrief {
  game: string;
  seq: number;
  mode: "computer" | "friend" | "screen";
  status: "cancelled" | "over" | "playing" | "waiting";
  players: PlayerShown[];
  you: number[];
  round: number;
  seat: number;
  scores: number[];
  at: string;
}

/**
 * Whether others on the network can reach the table, at which addresses, and whether the
 * reader may change that (only on this machine). `reach` is how far away a friend may be whom the reader
 * sends a link: at this machine, on the same network, or anywhere.
 */
export interface NetworkShown {
  open: boolean;
  addresses: string[];
  may_change: boolean;
  reach: "anywhere" | "machine" | "network";
}

/**
 * The service answers. While it prepares itself, no game can be shown yet. `progress` tells how much is ready of
 * all that games and computers need, from 0 to 1: until then, moves may have to wait. Without its `database` it can
 * answer nothing else; while that is `read_only`, games can be looked at, and no move is taken.
 */
export interface Health {
  status: "ok" | "preparing";
  version: string;
  progress: number;
  database: "away" | "ok" | "read_only";
}

/**
 * What a page needs to know before the first game.
 */
export interface About {
  version: string;
  opponents: OpponentShown[];
  goals: string[];
  network: NetworkShown;
}

/**
 * A QR code: rows of `0` and `1`.
 */
export interface Picture {
  rows: string[];
}

/**
 * Why a request was refused: a stable `code` for the catalogue, and plain English. `why` says what is wrong with a
 * position, a record or a move that was given: first the places where it is (`wrong.at_…`), then the reason.
 */
export interface Problem {
  code: string;
  message: string;
  seq?: number;
  why?: Telling[];
}

/**
 * A new game. `first`: who starts, seat 0 being the asker, or `draw` for a drawn one.
 * `goals` empty: drawn at random, `goal_count` of them. `clock`: how much time there is, if it is limited.
 */
export interface NewGame {
  mode: "computer" | "friend" | "screen";
  names: string[];
  opponent?: "level:n=1" | "level:n=2" | "level:n=3" | "level:n=4" | "level:n=5" | "level:n=6" | "level:n=7" | "level:n=8" | "level:n=9" | "level:n=10" | "level:n=11";
  first?: "draw" | "me" | "other";
  goals?: ("rows" | "colors" | "columns" | "edge" | "diagonals" | "corners" | "wilds" | "specials")[];
  goal_count?: 3 | 4;
  rule_options?: { draw_at_zero?: "forced" | "free"; special_is_color?: boolean; };
  clock?: ClockAsked;
}

/**
 * Exchanges a secret from a link for a cookie; a friend says their name.
 */
export interface Enter {
  secret: string;
  name?: string;
}

/**
 * Asks for the next game after event `seq`; `opponent` is the computer to play against, if it is to be
 * another one than before.
 */
export interface AskRematch {
  id: string;
  seq: number;
  seat?: 0 | 1;
  opponent?: "level:n=1" | "level:n=2" | "level:n=3" | "level:n=4" | "level:n=5" | "level:n=6" | "level:n=7" | "level:n=8" | "level:n=9" | "level:n=10" | "level:n=11";
}

/**
 * Asks for links to one's seat and for spectators: secrets given before cannot be shown again.
 */
export interface AskLinks {
}

/**
 * This browser forgets its place at a game.
 */
export interface Leave {
}

/**
 * Asks for advice in the position after event `seq`.
 */
export interface AskHint {
  seq: number;
}

/**
 * Asks for the review of a game that is over.
 */
export interface AskReview {
}

/**
 * Asks for the review of a game by its record (`sintra/1`), as text.
 */
export interface AskRecordReview {
  record: string;
}

/**
 * Asks what another move would have cost, at a turn of a reviewed game.
 */
export interface AskReviewTry {
  ply: number;
  token: string;
}

/**
 * Opens the table to the network, or closes it.
 */
export interface OpenNetwork {
  open: boolean;
}

/**
 * A link to a game, to be shown as a QR code.
 */
export interface AskPicture {
  text: string;
}

/**
 * A line of `moves` from a start: a `position` text, which may leave stack and chips unknown, a game `record`
 * (JSON text) after `ply` of its moves, or a new game with a `seed`. `log`: all that happened is to be told.
 * `plain`: without forecasts, which would tell the solver of a puzzle too much.
 */
export interface AskStudy {
  position?: string;
  record?: string;
  ply?: number;
  seed?: number;
  moves?: string[];
  log?: boolean;
  plain?: boolean;
}

/**
 * What the seat to move sees at the end of a line, as at the table, and that position as text: what the seat
 * does not know is filled in there with something that fits. `ply` counts the moves of a record, too.
 */
export interface StudyShown {
  game: GameShown;
  text: string;
}

/**
 * Asks for the best moves at the end of a line, with so many simulations.
 */
export interface AskAdvice {
  position?: string;
  record?: string;
  ply?: number;
  seed?: number;
  moves?: string[];
  log?: boolean;
  plain?: boolean;
  sims?: 500 | 2000 | 8000 | 32000;
}

/**
 * A move that is expected to follow.
 */
export interface LineMove {
  seat: number;
  token: string;
  telling: Telling;
}

/**
 * A move that can be made, with the chance to win and the expected lead of the seat to move, and what is
 * expected to follow.
 */
export interface StudyMove {
  advice: AdviceShown;
  line: LineMove[];
}

/**
 * The best moves of the seat to move, best first; exact if nothing is left to chance.
 */
export interface StudyAdvice {
  sims: number;
  exact: boolean;
  moves: StudyMove[];
}

/**
 * A new game that begins at the end of a line. The asker takes a `seat` of it, that of the player to move unless
 * another is named, and is seat 0 of the new game. `clock`: how much time there is, if it is limited.
 */
export interface PlayOn {
  position?: string;
  record?: string;
  ply?: number;
  seed?: number;
  moves?: string[];
  log?: boolean;
  plain?: boolean;
  mode?: "computer" | "friend" | "screen";
  names: string[];
  opponent?: "level:n=1" | "level:n=2" | "level:n=3" | "level:n=4" | "level:n=5" | "level:n=6" | "level:n=7" | "level:n=8" | "level:n=9" | "level:n=10" | "level:n=11";
  seat?: 0 | 1;
  clock?: ClockAsked;
}

/**
 * A plate that lies on a dome, and by how many quarters it is turned.
 */
export interface DraftPlate {
  plate: string;
  turns?: number;
}

/**
 * A factory: `moon` is bottom first; `chip` is a face, `down`, or empty when it is gone.
 */
export interface DraftFactory {
  sun?: string;
  moon?: string;
  chip?: "" | "down" | "B-" | "Y-" | "R-" | "K-" | "T-" | "TY" | "YK" | "KB" | "BR" | "RT";
}

/**
 * A player's board: the tiles of each line, the plates on the nine slots, six rows of what lies on the dome, broken
 * tiles, chips that can be used and such as were spent.
 */
export interface DraftBoard {
  score?: number;
  lines: string[];
  plates: (DraftPlate | null)[];
  tiles: string[];
  broken?: string;
  chips?: ("B-" | "Y-" | "R-" | "K-" | "T-" | "TY" | "YK" | "KB" | "BR" | "RT")[];
  spent?: ("B-" | "Y-" | "R-" | "K-" | "T-" | "TY" | "YK" | "KB" | "BR" | "RT")[];
}

/**
 * A table that is built by hand: factories 1 to 4 and the large one, what lies in the display, both boards. `top`
 * is the kind of plate on top of the stack, if it is known. Tiles that lie nowhere are in the bag, apart from those
 * in the tower.
 */
export interface TableDraft {
  round?: number;
  turn?: 0 | 1;
  first?: 0 | 1;
  start_tile?: 0 | 1;
  goals?: ("rows" | "colors" | "columns" | "edge" | "diagonals" | "corners" | "wilds" | "specials")[];
  rule_options?: { draw_at_zero?: "forced" | "free"; special_is_color?: boolean; };
  factories: DraftFactory[];
  display: (string | null)[];
  top?: "" | "*" | "W";
  tower?: string;
  boards: DraftBoard[];
}

/**
 * What is wrong with a table, and the place it concerns: as on a table, or `goals`, `turn`, `chips`, `plates-0`,
 * `row-0-3`. Of a fault that is none of the table's own, `why` says more, as in a `Problem`.
 */
export interface DraftFault {
  place: string;
  telling: Telling;
  why?: Telling[];
}

/**
 * What becomes of a table built by hand: its position as `text`, if nothing is wrong with it. `stage` is what is
 * asked then and `turn` of whom. The rest are the pieces that do not lie on the table yet: tiles by colour and special
 * ones, plates, chips by face.
 */
export interface DraftShown {
  stage: "dealing" | "opening" | "turn" | "drawing" | "keeping" | "returning" | "turning" | "stacking" | "tiling" | "paying" | "over";
  turn: number;
  tiles: Record<string, number>;
  plates: string[];
  chips: Record<string, number>;
  text?: string;
  faults?: DraftFault[];
}

/**
 * A move of a tiling, and the points that it books: for the tile, for a special tile, and at the end what broken
 * tiles and the start tile cost.
 */
export interface CountedMove {
  token: string;
  telling: Telling;
  line: number;
  placement: number;
  specials: number;
  penalty: number;
  is_made: boolean;
}

/**
 * A player's tiling: what was placed already and then the best way, move by move, with its points in all. In
 * round 5 `goals` are the points of the goals then.
 */
export interface CountedSeat {
  moves: CountedMove[];
  points: number;
  goals: number;
  score: number;
}

/**
 * The count of a round, for both players.
 */
export interface RoundCount {
  round: number;
  seats: CountedSeat[];
}

/**
 * A puzzle of the list: what is asked, and how hard it is, on the ladder of the levels.
 */
export interface PuzzleBrief {
  id: string;
  kind: "keep" | "tiling" | "win";
  rating: number;
}

/**
 * All puzzles, and the one of the day (`YYYY-MM-DD`) that was asked for.
 */
export interface PuzzleList {
  day: string;
  of_the_day: string;
  puzzles: PuzzleBrief[];
}

/**
 * A question: the position, as its solver sees it, to begin a study with. In a tiling of the last round the
 * points of the goals count, too.
 */
export interface PuzzleShown {
  id: string;
  kind: "keep" | "tiling" | "win";
  rating: number;
  seat: number;
  round: number;
  position: string;
  counts_goals?: boolean;
}

/**
 * What a solver does: the moves so far, all of a tiling or one move. `help` asks for more: what the next move is
 * about (`piece`), the next move (`move`), or the whole solution.
 */
export interface AskTry {
  moves?: string[];
  help?: "" | "move" | "piece" | "solution";
}

/**
 * What the next move is about, in words and places; with a `token`, the move itself.
 */
export interface PuzzleHint {
  telling: Telling;
  places: string[];
  token?: string;
}

/**
 * The solution: the moves that are right (of those that differ in nothing but a stack's order or a plate's turns,
 * one), what follows them, and where the points of a tiling come from; and the natural try that fails, with what
 * refutes it. Values are points of a tiling, a final lead, or a chance to win.
 */
export interface Explained {
  answer: LineMove[];
  best: number;
  line?: LineMove[];
  sources?: Record<string, number>;
  natural?: LineMove[];
  natural_value?: number;
  natural_sources?: Record<string, number>;
  refutation?: LineMove[];
}

/**
 * What became of a try. A tiling is `wrong` as soon as the most points cannot be reached any more: `value` are
 * those so far, `reachable` those that can still be made (equal, once it has ended). Elsewhere `value` is the lead
 * or the chance to win after the move (`tried`, in words); `at_most`: it can be worse; `nearly`: only the order of the
 * stack or the plate's turns are wrong. `best` is told once the try is decided, `line` follows a wrong move.
 */
export interface TryShown {
  outcome: "right" | "unfinished" | "wrong";
  value?: number;
  reachable?: number;
  best?: number;
  at_most?: boolean;
  nearly?: boolean;
  tried?: PuzzleHint;
  line?: LineMove[];
  hint?: PuzzleHint;
  explained?: Explained;
}

/** An act as a player chooses it; an id and the event that they have seen go with it when it is posted. */
export type ChosenAct =
  | { kind: "move"; token: string; }
  | { kind: "undo"; seat?: 0 | 1; }
  | { kind: "take_back"; seat?: 0 | 1; }
  | { kind: "redo"; seat?: 0 | 1; }
  | { kind: "answer"; agree: boolean; }
  | { kind: "resign"; seat?: 0 | 1; }
  | { kind: "claim"; seat?: 0 | 1; }
  | { kind: "cancel"; seat?: 0 | 1; };

/** What a new game is like if nothing else is asked for. */
export const NEW_GAME = {"opponent": "level:n=3", "first": "draw", "goals": [], "goal_count": 3, "rule_options": {}, "clock": null} as const;

/** How many letters a player's name may have. */
export const LONGEST_NAME = 24 as const;
