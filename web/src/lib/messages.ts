// Made from sintra.table.shown.messages and games.acts by `python -m sintra.table.codegen.typescript`: change that instead.

export type Seat = 0 | 1;

export type Mode = "computer" | "friend" | "screen";

export type GoalName = "rows" | "colors" | "columns" | "edge" | "diagonals" | "corners" | "wilds" | "specials";

/** A dome plate (R1.4). */
export interface PlateShown {
  /** Its number, two digits. */ plate: string;
  /** Its four spaces as it lies: top left, top right, bottom left, bottom right. */ face: string;
}

/** A factory (R1.3). */
export interface FactoryShown {
  /** `1` to `4`, or `L` for the large one. */ name: string;
  /** The tiles on its sun side. */ sun: string;
  /** The tiles on its moon side, from the bottom up. */ moon: string;
  /** The face of its chip, `down` while it lies face down, or empty once it is gone. */ chip: string;
  /** Whether the start tile lies on it. */ start_tile: boolean;
}

/** Whether the tile of a line can be placed on the dome (R4.1 to R4.3). */
export interface Outlook {
  /** The columns of the open spaces for it. */ columns?: number[];
  /** If there is none, the last round in which a plate can bring one; 0 if none can, so that the line will break. */ plate_by?: number;
  /** The points that the tiles then lose when they break. */ cost?: number;
}

/** A pattern line (R1.7). */
export interface LineShown {
  /** The colour of its tiles; empty if there is none. */ color: string;
  /** The number of tiles on it. */ tiles: number;
  /** Whether its tile was placed on the dome in this tiling. */ placed: boolean;
  /** Whether its tile can be placed, if it holds tiles and is not placed. */ outlook?: Outlook;
}

/** The progress of a goal on one board (R6.1), in the row, column, … that lacks the fewest tiles. */
export interface GoalProgress {
  /** How many of the tiles are there. */ there: number;
  /** How many tiles the goal asks for. */ asked: number;
  /** Six rows of six letters: `x` counts and holds a tile, `o` counts and is empty, `.` does not count. */ cells: string;
}

/** The board of one player. */
export interface BoardShown {
  /** The points so far. */ score: number;
  /** The six pattern lines, from the top. */ lines: LineShown[];
  /** What the spaces of the dome show: six rows of six letters, `.` where no plate lies. */ shows: string[];
  /** The tiles on the dome: six rows of six letters, `.` for none. */ tiles: string[];
  /** The plates on the nine slots, row by row. */ plates: (PlateShown | null)[];
  /** The broken tiles, by colour. */ broken: string;
  /** Whether the player holds the start tile. */ start_tile: boolean;
  /** The faces of the chips that can be spent. */ chips: string[];
  /** The faces of the chips that were spent. */ spent: string[];
  /** How many plates the player still takes in this round (R3.1). */ markers_left: number;
  /** How many chips the player may still take in this round (R3.4). */ chips_left: number;
  /** The points of each goal if the game ended now, in the order of the rules. */ goals: number[];
  /** The progress of each goal, in the order of the rules. */ progress: GoalProgress[];
  /** The points of the best tiling of this round, with penalties and, in round 5, goals; null if not calculated. */ forecast: number | null;
}

/** A place of the stack or the hand, as far as the reader knows it (R8). */
export interface PilePlate {
  /** The kind of the plate, `*` or `W`, if it is known. */ kind?: string;
  /** The plate, if it is known. */ plate?: PlateShown;
  /** The numbers of the plates that it can be, if it is not known. */ candidates?: string[];
}

/** Everything on the table, as one observer may see it (R8). */
export interface PositionShown {
  /** The round, from 1 to 5. */ round: number;
  /** The phase of the round: 1 while tiles are taken, 2 during the tiling. */ phase: number;
  /** What is to be decided. */ stage: "dealing" | "opening" | "turn" | "drawing" | "keeping" | "returning" | "turning" | "stacking" | "tiling" | "paying" | "over";
  /** The seat that decides. */ seat: number;
  /** The seat that starts the round. */ first: number;
  /** The seat that holds the start tile; null if it lies on the large factory. */ start_tile: number | null;
  /** Factories 1 to 4, then the large one. */ factories: FactoryShown[];
  /** The plates in the display. */ display: (PlateShown | null)[];
  /** The tiles in the bag, by colour. */ bag: Record<string, number>;
  /** The tiles in the tower, by colour. */ tower: Record<string, number>;
  /** The boards of both players. */ boards: BoardShown[];
  /** The line that is being completed with chips (R4.4); 0 if none is. */ paid_line: number;
  /** The stack of plates, from the top. */ stack: PilePlate[];
  /** The plates in the hand of the player who draws. */ hand: PilePlate[];
}

/** An order in which the tiles left over go on the moon stack (R3.2). */
export interface Order {
  /** The tiles from the bottom up. */ order: string;
  /** How many tiles of each colour the other player can then take from the moon sides. */ moon: Record<string, number>;
}

/** A destination of the tiles of a take, and what the take does there (R3.5). */
export interface Destination {
  /** The line, or 0 if all tiles are to break. */ line: number;
  /** The moves: one for each of the take's orders, or one if there is nothing to order. */ tokens: string[];
  /** How many tiles come on the line. */ fills: number;
  /** How many tiles break. */ broken: number;
  /** The board's forecast after the move. */ forecast: number | null;
  /** How many tiles find no place among the broken ones and go to the tower. */ to_tower?: number;
  /** Whether the line is then complete. */ completes?: boolean;
  /** Whether the line's tile can then be placed. */ outlook?: Outlook;
}

/** Tiles of one colour that can be taken (R3.2, R3.3). */
export interface Take {
  /** The place: the sun side of a factory (`sun-1`), or `moon` for all moon sides. */ source: string;
  /** The colour. */ color: string;
  /** The number of tiles. */ count: number;
  /** The places where these tiles lie. */ places: string[];
  /** Where they can go. */ to: Destination[];
  /** The orders in which the tiles left over can be stacked. */ orders?: Order[];
  /** How many tiles of each colour the other player can then take from the moon sides, if nothing is stacked. */ moon?: Record<string, number>;
  /** Whether the start tile comes with them (R3.7). */ start_tile?: boolean;
  /** The places of the chips that are then turned up (R3.8). */ turns_up?: string[];
}

/** A chip that can be taken (R3.4): the move, where it lies (`chip-1`), and the board's forecast after it. */
export interface ChipTake {
  token: string;
  place: string;
  forecast: number | null;
}

/** A way to lay a plate on a slot: the move, and the board's forecast after it. */
export interface Turning {
  token: string;
  forecast: number | null;
}

/** A plate that can be laid (R3.1). */
export interface Laying {
  /** Where it lies: `display-0` … or `hand-0` …. */ place: string;
  /** Its number. */ plate: string;
  /** Its faces after 0, 1, 2 and 3 quarter turns. */ faces: string[];
  /** The slots where it can lie (`23`: second row, third column), each with its moves by quarter turns. */ slots: Record<string, Turning[]>;
}

/** Drawing a plate (R3.1): the move, and the points that it costs. */
export interface DrawOption {
  token: string;
  cost: number;
}

/** Looking at the plates drawn, which ends the drawing (R3.1). */
export interface LookOption {
  token: string;
}

/** A drawn plate that can go under the stack next (R3.1): the move, its number and its printed face. */
export interface ReturnOption {
  token: string;
  plate: string;
  face: string;
}

/** A tile of a complete line that can be placed on an open space, and its points (R4.2, R5). */
export interface Placement {
  /** The move. */ token: string;
  /** The line, which is the row on the dome. */ line: number;
  /** The column on the dome. */ column: number;
  /** The points of the tile. */ points: number;
  /** The length of the run through it in its row. */ across: number;
  /** The length of the run through it in its column. */ down: number;
  /** The row of a special tile that it earns (R4.5); 0 for none. */ special_row?: number;
  /** The column of that special tile. */ special_column?: number;
  /** The points of that special tile. */ special_points?: number;
}

/** Chips that can be spent for one missing tile of a line (R4.4). */
export interface Payment {
  /** The move. */ token: string;
  /** The line. */ line: number;
  /** The faces of the chips. */ chips: string[];
  /** How many tiles the line then still lacks. */ missing: number;
  /** The board's forecast after the move. */ forecast: number | null;
}

/** The end of one's tiling (R4.6). */
export interface EndingShown {
  /** The move. */ token: string;
  /** The penalties that it books. */ points: number;
  /** The lines that then break (R4.3). */ breaks: number[];
}

/** Everything that the reader may decide now, with the effects of each decision and the token that makes it. */
export interface Options {
  /** The tiles that can be taken. */ takes?: Take[];
  /** The chips that can be taken. */ chips?: ChipTake[];
  /** The plates that can be laid. */ layings?: Laying[];
  /** Drawing a plate from the stack. */ draw?: DrawOption;
  /** Looking at the plates that were drawn. */ look?: LookOption;
  /** The drawn plates that can go under the stack next. */ returns?: ReturnOption[];
  /** The tiles that can be placed on the dome. */ placements?: Placement[];
  /** The lines that can be completed with chips. */ payments?: Payment[];
  /** The end of the tiling. */ end?: EndingShown;
}

/** A sentence that is said in the reader's language. */
export interface Telling {
  /** Its key in the catalogue of texts. */ key: string;
  /** The values of its placeholders. */ args?: Record<string, string | number>;
}

/** One visible part of what happened. */
export interface Step {
  /** `travel`: the mover takes pieces from one place to another. `setup`: pieces move without the mover (R2.6, R7). `points`: a seat books points. `turn`: a chip is turned up. `deal`: a round begins. `break`: a line breaks. */ kind: "break" | "deal" | "points" | "setup" | "travel" | "turn";
  /** The place where the pieces come from. */ start?: string;
  /** The place where they go, or where it happens. */ end?: string;
  /** The letter of a tile, the face of a chip, `plate`, or `start` for the start tile. */ piece?: string;
  /** The number of pieces. */ count?: number;
  /** The face of a plate. */ face?: string;
  /** The seat that books points. */ seat?: number;
  /** The points. */ points?: number;
  /** What they are for: `placement`, `specials`, `broken`, `start_tile`, `draws` or `goals`. */ reason?: string;
  /** The run in the row of a placed tile (R5). */ across?: number;
  /** The run in its column. */ down?: number;
  /** The places of the spaces in these runs. */ cells?: string[];
}

/** The points of a seat in one round, by source. */
export interface RoundGain {
  /** The score before the round. */ before: number;
  /** The points for tiles placed (R5). */ placement: number;
  /** The points for special tiles (R4.5). */ specials: number;
  /** The penalty for broken tiles (R4.6). */ broken: number;
  /** The penalty for the start tile (R4.6). */ start_tile: number;
  /** The price of the plates that were drawn (R3.1). */ draws: number;
  /** The score after the round. */ score: number;
}

/** A board at the beginning of a round's tiling (R4); the steps of the moves tell what followed. */
export interface TiledBoard {
  /** The six pattern lines. */ lines: LineShown[];
  /** What the spaces of the dome show: six rows of six letters, `.` where no plate lies. */ shows: string[];
  /** The tiles on the dome: six rows of six letters, `.` for none. */ tiles: string[];
  /** The broken tiles. */ broken: string;
  /** Whether the player holds the start tile. */ start_tile: boolean;
}

/** The summary of a round that is over. */
export interface RoundSummary {
  /** The round. */ round: number;
  /** The points of both seats. */ gains: RoundGain[];
  /** Their boards before the tiling. */ boards: TiledBoard[];
}

/** Something that happened in a game, as one observer may know it. */
export interface Event {
  /** The number of the event, counted from 0. */ seq: number;
  /** The kind of the event: `move`, `resign`, …. */ kind: string;
  /** The event in words. */ telling: Telling;
  /** The time, in UTC. */ at: string;
  /** The number of moves made by then; a move counts itself. */ ply?: number;
  /** The ply of the first move of the mover's turn, or tiling. */ turn?: number;
  /** The round. */ round?: number;
  /** The seat that acted. */ seat?: number;
  /** The move in the notation. */ token?: string;
  /** What was seen to happen, in order. */ steps?: Step[];
  /** The summary of the round, if this event ended one. */ summary?: RoundSummary;
  /** The events whose moves were taken back. */ undoes?: number[];
  /** The events whose moves were made again. */ redoes?: number[];
}

/** A final score by source. */
export interface Breakdown {
  /** The points at the start. */ start: number;
  /** The points for tiles placed (R5). */ placement: number;
  /** The points for special tiles (R4.5). */ specials: number;
  /** The penalty for broken tiles (R4.6). */ broken: number;
  /** The penalty for the start tile (R4.6). */ start_tile: number;
  /** The price of the plates that were drawn (R3.1). */ draws: number;
  /** The points of each goal, in the order of the rules. */ goals: number[];
  /** The points of goals in the total: none in a game that ended early. */ goals_booked: number;
  /** The final score. */ total: number;
}

/** A computer that can be played against. */
export interface OpponentShown {
  /** The player, as `opponent` of a new game names it. */ player: string;
  /** Its name in English; empty if the catalogues of texts have one. */ name: string;
  /** What to expect of it, in English; empty if the catalogues of texts say it. */ about: string;
  /** Its strength (Elo; the greedy player has 1000), if it was measured. */ elo: number | null;
}

/** The end of a game. */
export interface ResultShown {
  /** Why it ended. `left`: the loser was away when they had to decide, and the winner claimed the game. `timeout`: the loser's time had run out. */ reason: "left" | "points" | "resigned" | "timeout";
  /** The seat that won. */ winner: number;
  /** The scores of both seats. */ scores: number[];
  /** The scores by source. */ breakdown: Breakdown[];
  /** What decided equal points (R6.3): holding the start tile or, if nobody took it, having started round 5. */ tie_break: "" | "start_tile" | "starter";
  /** After a game against a computer: the next stronger one after a win, the next gentler one after a loss. */ next_opponent?: OpponentShown;
}

/** The player of a seat. */
export interface PlayerShown {
  /** The name. */ name: string;
  /** Whether a computer plays. */ kind: "computer" | "human";
  /** The player that the computer is; empty for people. */ opponent: string;
  /** Whether the seat is taken. */ joined: boolean;
  /** Whether a browser of theirs listens now. */ present: boolean;
}

/** The goals and options in play. */
export interface RulesShown {
  goals: string[];
  rule_options: { draw_at_zero?: "forced" | "free"; special_is_color?: boolean; };
}

/** Where a game began that was played on from somewhere. */
export interface BeginningShown {
  /** After how many moves of a record it began. */ moves: number;
  /** Whether there is such a record. A game that began with a position alone has no record of its own. */ has_record: boolean;
}

/** The time control of a game. */
export interface ClockAsked {
  /** The seconds of each seat for the game. */ seconds: number;
  /** The seconds that are added with each turn. */ increment?: number;
}

/** The clock of a game. */
export interface ClockShown {
  /** The seconds of each seat for the game. */ seconds: number;
  /** The seconds that are added with each turn. */ increment: number;
  /** The milliseconds that each seat has left. */ left: number[];
  /** The seat whose time runs, if any. */ running: number | null;
}

/** A game as one observer may see it. */
export interface GameShown {
  /** The id of the game. */ game: string;
  /** The number of the latest event. */ seq: number;
  /** The number of moves made. */ ply: number;
  /** `waiting`: an invited friend has not joined yet. */ status: "cancelled" | "over" | "playing" | "waiting";
  /** Who plays: somebody against a computer, two friends, or two people at one screen. */ mode: "computer" | "friend" | "screen";
  /** The seats that the reader plays: none for a spectator, both at a shared screen. */ you: number[];
  /** The players by seat. */ players: PlayerShown[];
  /** The rules of the game. */ rules: RulesShown;
  /** Whether somebody may know what is hidden, since the game goes on from a deal that is known. */ deal_known: boolean;
  /** Everything on the table. */ position: PositionShown;
  /** What the reader may decide now, if it is their turn. */ options?: Options;
  /** The latest event. */ event?: Event;
  /** All events so far, if asked for. */ log?: Event[];
  /** Whether a computer is thinking. */ thinking?: boolean;
  /** Whether the player to move has private plates, which a shared screen shows on request only. */ curtain?: boolean;
  /** Whether the reader may undo their last move. */ may_undo?: boolean;
  /** Whether the reader may ask the other player to take a move back. */ may_take_back?: boolean;
  /** Whether the reader may make the moves again that were taken back. */ may_redo?: boolean;
  /** The seat that asks to take a move back, until it is answered. */ take_back_asked_by?: number;
  /** Whether moves were taken back in this game. */ taken_back?: boolean;
  /** The result, if the game is over. */ result?: ResultShown;
  /** The id of the next game, if there is one. */ rematch?: string;
  /** The clock, if the time is limited. */ clock?: ClockShown;
  /** Where the game began, if it was played on from somewhere. */ began?: BeginningShown;
  /** The position as text, as the seat to move knows it: only in the replay of a finished game without a record. */ text?: string;
}

/** Who is at the table now; sent between events when it changes. */
export interface Presence {
  /** Whether each seat is there. */ present: boolean[];
  /** The number of spectators. */ spectators: number;
  /** Seats that have been away for so long that the other may claim the game on their turn if no clock runs. */ gone?: number[];
  /** The clock, if the time is limited. */ clock?: ClockShown;
}

/** A reason for or against a move, in words. */
export interface SentenceShown {
  /** The form of the sentence: the name of a text that begins with `because.`. */ form: string;
  /** The words that fill it in, as in a `Telling`. */ args?: Record<string, string | number>;
  /** The places of the table that it speaks of. */ places?: string[];
}

/** A move that the computer advises. */
export interface AdviceShown {
  /** The move. */ token: string;
  /** The move in words. */ telling: Telling;
  /** The chance to win after it, from 0 to 1. */ win: number;
  /** The points by which the player is expected to be ahead in the end. */ lead: number;
  /** The places that it concerns. */ places: string[];
  /** What speaks for it, or against it: one or two sentences in a hint, the strongest first. */ why?: SentenceShown[];
}

/** A reason why one move is better than another. */
export interface ReasonShown {
  /** What the points come from. */ kind: string;
  /** The points that the better move brings more, or less if below 0. */ points: number;
  /** The goal that it is about. */ goal?: string;
  /** The line that it is about. */ line?: number;
  /** The colour of that line. */ color?: string;
}

/** The computer's advice. */
export interface Hint {
  /** The event after which it was asked for. */ seq: number;
  /** Whether the chances were calculated to the end of the game. */ exact: boolean;
  /** The best moves, the very best first. */ advice: AdviceShown[];
  /** Why the first is better than the second, in points. */ reasons: ReasonShown[];
  /** How many leading moves are about equal; 0 if the first is better than the second. */ about_equal: number;
}

/** A move that was made, or could have been. */
export interface ReviewedMove {
  /** The move. */ token: string;
  /** The move in words. */ telling: Telling;
  /** The places that it concerns. */ places: string[];
  /** The mover's chance to win after it. */ chance: number;
  /** The points by which the mover was then expected to be ahead in the end. */ lead?: number;
}

/** A decision of a reviewed game. */
export interface ReviewedTurn {
  /** The number of moves before it. */ ply: number;
  /** The round. */ round: number;
  /** The seat that decided. */ seat: number;
  /** What the move was about. */ kind: "chips" | "placing" | "plates" | "tiles";
  /** The move that was made. */ played: ReviewedMove;
  /** The best moves, the very best first. */ best: ReviewedMove[];
  /** Seat 0's chance to win before the move. */ chance: number;
  /** The points by which seat 0 was expected to be ahead in the end. */ lead: number;
  /** The share of a win that the decision gave away. */ cost: number;
  /** The effect of the decision on seat 0's chance. */ skill: number;
  /** The effect of chance on it, by what came to light. */ luck: Record<string, number>;
  /** The rest of the change: the evaluator changed its mind. */ noise: number;
  /** The name of a costly decision. */ mark?: "" | "blunder" | "inaccuracy" | "mistake";
  /** Why the best move is better, in points. */ reasons?: ReasonShown[];
  /** Why the best move is better, in sentences; a move with a mark has at least one. */ why?: SentenceShown[];
}

/** An estimate of a player's strength (Elo). */
export interface StrengthShown {
  /** The estimate. */ elo: number;
  /** The lower end of its 95 % interval. */ low: number;
  /** The upper end of its 95 % interval. */ high: number;
}

/** What a game was made of: `start` plus `skill`, `luck`, `noise` and `ending` is `result`. */
export interface ReviewFound {
  /** Seat 0's chance to win before the first move. */ start: number;
  /** The effect of each seat's decisions on that chance. */ skill: number[];
  /** The effect of chance on it, by what came to light. */ luck: Record<string, number>;
  /** The effect of the evaluator's changes of mind on it. */ noise: number;
  /** The effect of an early end on it. */ ending: number;
  /** 1 if seat 0 won, else 0. */ result: number;
  /** The share of a win that each seat gave away with a decision, on average. */ error_rate: number[];
  /** The strength that such error rates speak for. */ strength: StrengthShown[];
  /** All decisions, in the order of the game. */ turns: ReviewedTurn[];
  /** The points that better moves would have brought each seat, by source. */ lost?: (Record<string, number>)[];
  /** How close each seat's decisions came to the best ones, from 0 to 100. */ accuracy?: number[];
}

/** A review. */
export interface ReviewShown {
  /** The id of the review. */ review: string;
  /** Whether it is made yet. */ state: "done" | "waiting" | "working";
  /** The names of the players, by seat. */ players: string[];
  /** The final scores. */ scores: number[];
  /** The seat that won. */ winner: number;
  /** Why the game ended. */ reason: "points" | "resigned" | "timeout";
  /** The number of moves of the game. */ plies: number;
  /** The share of the review that is made, from 0 to 1. */ share?: number;
  /** The number of reviews that are made before this one. */ ahead?: number;
  /** About how many seconds it will still take, once that can be said. */ seconds_left?: number;
  /** Seat 0's chance to win, ply by ply, by a first quick look; as far as that has come. */ course?: number[];
  /** The plies of the moves that seem to have turned the game, by that look; the one that turned it most first. */ turning?: number[];
  /** The review itself, once it is done. */ found?: ReviewFound;
}

/** Another move for a turn of a reviewed game. */
export interface ReviewTry {
  /** The move in words. */ telling: Telling;
  /** The places that it concerns. */ places: string[];
  /** The share of a win that it would have given away. */ cost: number;
  /** Whether that is next to nothing. */ right: boolean;
}

/** The id of a review that was asked for; its page is `/review/ID`. */
export interface ReviewAsked {
  review: string;
}

/** The number of the event that an act has become. */
export interface Accepted {
  seq: number;
}

/** The secrets of a game that the reader may pass on, for links of the form `/game/ID#SECRET`. */
export interface Links {
  /** The reader's own seat, to play on in another browser. */ own?: string;
  /** The other seat, for the friend who is invited. */ friend?: string;
  /** For spectators. */ watch?: string;
}

/** A new game: its id, and links to it. */
export interface GameMade {
  game: string;
  links: Links;
}

/** An invitation, before it is accepted. */
export interface InvitationShown {
  /** The name of the player who invites. */ name: string;
  /** The seat that starts; seat 0 is the player who invites. */ first: number;
  /** The rules of the game. */ rules: RulesShown;
  /** Whether the player who invites may know what is hidden. */ deal_known: boolean;
  /** The time control, if the time is limited. */ clock?: ClockAsked;
}

/** What a secret has opened: a seat, both seats, or a place among the spectators. */
export interface Entered {
  /** The id of the game. */ game: string;
  /** The seats that the reader plays from now on. */ you: number[];
  /** The secret that opens it from now on: an invited friend gets one of their own. */ secret?: string;
  /** Whether the reader has to send a name to take the seat. */ needs_name?: boolean;
  /** What an invited player sees before joining. */ invitation?: InvitationShown;
}

/** The game at which this browser has no seat any more. */
export interface Left {
  game: string;
}

/** An entry of the list of games. */
export interface GameBrief {
  /** The id of the game. */ game: string;
  /** The number of the latest event. */ seq: number;
  /** Who plays: somebody against a computer, two friends, or two people at one screen. */ mode: "computer" | "friend" | "screen";
  /** `waiting`: an invited friend has not joined yet. */ status: "cancelled" | "over" | "playing" | "waiting";
  /** The players by seat. */ players: PlayerShown[];
  /** The seats that the reader plays. */ you: number[];
  /** The round. */ round: number;
  /** The seat to move. */ seat: number;
  /** The scores of both seats. */ scores: number[];
  /** The time of the latest event, in UTC. */ at: string;
}

/** Whether the table can be reached from the local network. */
export interface NetworkShown {
  /** Whether it can. */ open: boolean;
  /** The addresses at which others reach it. */ addresses: string[];
  /** Whether the reader may open and close it: only on the machine of the table. */ may_change: boolean;
  /** Where a friend can be who gets a link from the reader. */ reach: "anywhere" | "machine" | "network";
}

/** The state of the service. */
export interface Health {
  /** `preparing`: no game can be shown yet. */ status: "ok" | "preparing";
  /** The version of Sintra. */ version: string;
  /** The share of the compiled code that is ready, from 0 to 1; until it is 1, moves may have to wait. */ progress: number;
  /** `read_only`: games can be looked at, but no move is accepted. `away`: nothing else can be answered. */ database: "away" | "ok" | "read_only";
}

/** What a page needs to know before the first game. */
export interface About {
  version: string;
  opponents: OpponentShown[];
  goals: string[];
  network: NetworkShown;
}

/** A QR code. */
export interface Picture {
  /** Its rows, each a text of `0` and `1`. */ rows: string[];
}

/** Why a request was refused. */
export interface Problem {
  /** A code that does not change between versions. */ code: string;
  /** The reason in English. */ message: string;
  /** The number of the latest event, if the sender has not seen it. */ seq?: number;
  /** What is wrong with a position, a record or a move: first the places (`wrong.at_…`), then the reason. */ why?: Telling[];
}

/** A new game; the asker has seat 0. */
export interface NewGame {
  /** Who plays: the asker against a computer or a friend, or two people at one screen. */ mode: "computer" | "friend" | "screen";
  /** The name of the asker, and at one screen also that of the other player. */ names: string[];
  /** The computer to play against. */ opponent?: "level:n=1" | "level:n=2" | "level:n=3" | "level:n=4" | "level:n=5" | "level:n=6" | "level:n=7" | "level:n=8" | "level:n=9" | "level:n=10" | "level:n=11";
  /** Who starts; `draw` draws lots. */ first?: "draw" | "me" | "other";
  /** The goals; if empty, `goal_count` of them are drawn. */ goals?: ("rows" | "colors" | "columns" | "edge" | "diagonals" | "corners" | "wilds" | "specials")[];
  /** How many goals are drawn. */ goal_count?: 3 | 4;
  /** The rule options that differ from the usual ones. */ rule_options?: { draw_at_zero?: "forced" | "free"; special_is_color?: boolean; };
  /** The time control, if the time is to be limited. */ clock?: ClockAsked;
}

/** Exchanges the secret of a link for a cookie. */
export interface Enter {
  /** The secret. */ secret: string;
  /** The name of an invited friend. */ name?: string;
}

/** Asks for another game against the same player. */
export interface AskRematch {
  /** An id that the sender chooses: a repeated request has no further effect. */ id: string;
  /** The number of the event that the sender saw last. */ seq: number;
  /** The seat that asks, at a shared screen. */ seat?: 0 | 1;
  /** The computer to play against, if it is to be another one. */ opponent?: "level:n=1" | "level:n=2" | "level:n=3" | "level:n=4" | "level:n=5" | "level:n=6" | "level:n=7" | "level:n=8" | "level:n=9" | "level:n=10" | "level:n=11";
}

/** Asks for new links to one's own seat and for spectators; earlier ones cannot be shown again. */
export interface AskLinks {
}

/** Gives up this browser's access to a game. */
export interface Leave {
}

/** Asks for advice in the position after event `seq`. */
export interface AskHint {
  seq: number;
}

/** Asks for the review of a game that is over. */
export interface AskReview {
}

/** Asks for the review of a game by its record (`sintra/1`), as text. */
export interface AskRecordReview {
  record: string;
}

/** Asks what another move would have cost, at a turn of a reviewed game. */
export interface AskReviewTry {
  ply: number;
  token: string;
}

/** Opens the table to the network, or closes it. */
export interface OpenNetwork {
  open: boolean;
}

/** A link to a game, to be shown as a QR code. */
export interface AskPicture {
  text: string;
}

/** A line of moves from a start: a position, a record, or a new game with a seed. */
export interface AskStudy {
  /** A position as text, in which stack and chips may be unknown. */ position?: string;
  /** The record of a game, as JSON text. */ record?: string;
  /** After how many moves of the record the line begins. */ ply?: number;
  /** The seed of a new game. */ seed?: number;
  /** The moves of the line. */ moves?: string[];
  /** Whether the answer lists all events. */ log?: boolean;
  /** Whether to leave out forecasts, which would tell the solver of a puzzle too much. */ plain?: boolean;
}

/** The end of a line. */
export interface StudyShown {
  /** The game as the seat to move sees it; its `ply` counts the moves of a record too. */ game: GameShown;
  /** The position as text. What the seat to move does not know is filled in with something possible. */ text: string;
}

/** Asks for the best moves at the end of a line. */
export interface AskAdvice {
  /** A position as text, in which stack and chips may be unknown. */ position?: string;
  /** The record of a game, as JSON text. */ record?: string;
  /** After how many moves of the record the line begins. */ ply?: number;
  /** The seed of a new game. */ seed?: number;
  /** The moves of the line. */ moves?: string[];
  /** Whether the answer lists all events. */ log?: boolean;
  /** Whether to leave out forecasts, which would tell the solver of a puzzle too much. */ plain?: boolean;
  /** The number of simulations. */ sims?: 500 | 2000 | 8000 | 32000;
}

/** A move that is expected to follow. */
export interface LineMove {
  seat: number;
  token: string;
  telling: Telling;
}

/** One of the best moves of a position. */
export interface StudyMove {
  /** The move, with the chance to win and the expected lead of the seat to move. */ advice: AdviceShown;
  /** The moves that are expected to follow. */ line: LineMove[];
}

/** The best moves of a position. */
export interface StudyAdvice {
  /** The number of simulations. */ sims: number;
  /** Whether the chances were calculated to the end of the game. */ exact: boolean;
  /** The moves, the very best first. */ moves: StudyMove[];
}

/** A new game that begins at the end of a line; the asker is its seat 0. */
export interface PlayOn {
  /** A position as text, in which stack and chips may be unknown. */ position?: string;
  /** The record of a game, as JSON text. */ record?: string;
  /** After how many moves of the record the line begins. */ ply?: number;
  /** The seed of a new game. */ seed?: number;
  /** The moves of the line. */ moves?: string[];
  /** Whether the answer lists all events. */ log?: boolean;
  /** Whether to leave out forecasts, which would tell the solver of a puzzle too much. */ plain?: boolean;
  /** Who plays: the asker against a computer or a friend, or two people at one screen. */ mode?: "computer" | "friend" | "screen";
  /** The name of the asker, and at one screen also that of the other player. */ names: string[];
  /** The computer to play against. */ opponent?: "level:n=1" | "level:n=2" | "level:n=3" | "level:n=4" | "level:n=5" | "level:n=6" | "level:n=7" | "level:n=8" | "level:n=9" | "level:n=10" | "level:n=11";
  /** The seat of the line that the asker takes; by default the one to move. */ seat?: 0 | 1;
  /** The time control, if the time is to be limited. */ clock?: ClockAsked;
}

/** A plate that lies on a dome, and by how many quarters it is turned. */
export interface DraftPlate {
  plate: string;
  turns?: number;
}

/** A factory of a table built by hand. */
export interface DraftFactory {
  /** The tiles on its sun side. */ sun?: string;
  /** The tiles on its moon side, from the bottom up. */ moon?: string;
  /** The face of its chip, `down` while it lies face down, or empty once it is gone. */ chip?: "" | "down" | "B-" | "Y-" | "R-" | "K-" | "T-" | "TY" | "YK" | "KB" | "BR" | "RT";
}

/** A player's board of a table built by hand. */
export interface DraftBoard {
  /** The points. */ score?: number;
  /** The tiles on each line. */ lines: string[];
  /** The plates on the nine slots, row by row. */ plates: (DraftPlate | null)[];
  /** The tiles on the dome: six rows of six letters, `.` for none. */ tiles: string[];
  /** The broken tiles. */ broken?: string;
  /** The chips that can be spent. */ chips?: ("B-" | "Y-" | "R-" | "K-" | "T-" | "TY" | "YK" | "KB" | "BR" | "RT")[];
  /** The chips that were spent. */ spent?: ("B-" | "Y-" | "R-" | "K-" | "T-" | "TY" | "YK" | "KB" | "BR" | "RT")[];
}

/** A table that is built by hand. Tiles that lie nowhere, and are not in the tower, are in the bag. */
export interface TableDraft {
  /** The round. */ round?: number;
  /** The seat to move. */ turn?: 0 | 1;
  /** The seat that starts the round. */ first?: 0 | 1;
  /** The seat that holds the start tile; null if it lies on the large factory. */ start_tile?: 0 | 1;
  /** The goals. */ goals?: ("rows" | "colors" | "columns" | "edge" | "diagonals" | "corners" | "wilds" | "specials")[];
  /** The rule options that differ from the usual ones. */ rule_options?: { draw_at_zero?: "forced" | "free"; special_is_color?: boolean; };
  /** Factories 1 to 4, then the large one. */ factories: DraftFactory[];
  /** The plates in the display. */ display: (string | null)[];
  /** The kind of the plate on top of the stack, if it is known. */ top?: "" | "*" | "W";
  /** The tiles in the tower. */ tower?: string;
  /** The boards of both players. */ boards: DraftBoard[];
}

/** Something that is wrong with a table built by hand. */
export interface DraftFault {
  /** The place that it concerns: one of the table, or `goals`, `turn`, `chips`, `plates-0`, `row-0-3`. */ place: string;
  /** What is wrong. */ telling: Telling;
  /** More about it, as in a `Problem`, if the position as a whole is refused. */ why?: Telling[];
}

/** A table built by hand, as far as it can be used. */
export interface DraftShown {
  /** What is then to be decided. */ stage: "dealing" | "opening" | "turn" | "drawing" | "keeping" | "returning" | "turning" | "stacking" | "tiling" | "paying" | "over";
  /** The seat that decides. */ turn: number;
  /** The tiles and special tiles that do not lie on the table yet, by letter. */ tiles: Record<string, number>;
  /** The plates that do not lie on the table yet. */ plates: string[];
  /** The chips that do not lie on the table yet, by face. */ chips: Record<string, number>;
  /** The position as text, if nothing is wrong with it. */ text?: string;
  /** What is wrong with it. */ faults?: DraftFault[];
}

/** A move of a tiling, and the points that it books. */
export interface CountedMove {
  /** The move. */ token: string;
  /** The move in words. */ telling: Telling;
  /** The line; 0 for the end of the tiling. */ line: number;
  /** The points of the tile (R5). */ placement: number;
  /** The points of a special tile (R4.5). */ specials: number;
  /** The penalty for broken tiles and the start tile (R4.6), at the end. */ penalty: number;
  /** Whether the move was made already. */ is_made: boolean;
}

/** A player's tiling of a round: the moves that were made, and then the best ones. */
export interface CountedSeat {
  /** The moves. */ moves: CountedMove[];
  /** Their points in all. */ points: number;
  /** The points of the goals, in round 5. */ goals: number;
  /** The score in the end. */ score: number;
}

/** The count of a round, for both players. */
export interface RoundCount {
  round: number;
  seats: CountedSeat[];
}

/** A puzzle of the list. */
export interface PuzzleBrief {
  /** The id of the puzzle. */ id: string;
  /** What is asked: the best tiling, a win, or the only move that keeps the game. */ kind: "keep" | "tiling" | "win";
  /** Its difficulty, on the scale of the levels (Elo). */ rating: number;
}

/** The list of puzzles. */
export interface PuzzleList {
  /** The day that was asked for (`YYYY-MM-DD`). */ day: string;
  /** The id of the puzzle of that day. */ of_the_day: string;
  /** All puzzles. */ puzzles: PuzzleBrief[];
}

/** A puzzle. */
export interface PuzzleShown {
  /** The id of the puzzle. */ id: string;
  /** What is asked: the best tiling, a win, or the only move that keeps the game. */ kind: "keep" | "tiling" | "win";
  /** Its difficulty, on the scale of the levels (Elo). */ rating: number;
  /** The seat of the solver. */ seat: number;
  /** The round. */ round: number;
  /** The position as text, as the solver sees it, to begin a study with. */ position: string;
  /** Whether the points of the goals count too: in a tiling of the last round. */ counts_goals?: boolean;
}

/** A solver's try. */
export interface AskTry {
  /** The moves so far: all of a tiling, or one move. */ moves?: string[];
  /** The help that is asked for: what the next move is about, the next move, or the whole solution. */ help?: "" | "move" | "piece" | "solution";
}

/** A hint at the next move. */
export interface PuzzleHint {
  /** The hint in words. */ telling: Telling;
  /** The places that it concerns. */ places: string[];
  /** The move itself, if that was asked for. */ token?: string;
}

/** The solution of a puzzle. Values are the points of a tiling, a final lead, or a chance to win. */
export interface Explained {
  /** The moves that are right; one stands for those that differ only in a stack's order or a plate's turns. */ answer: LineMove[];
  /** The value of the solution. */ best: number;
  /** The moves that follow it. */ line?: LineMove[];
  /** The points of a tiling by source. */ sources?: Record<string, number>;
  /** The natural try that fails. */ natural?: LineMove[];
  /** The value of that try. */ natural_value?: number;
  /** Its points by source. */ natural_sources?: Record<string, number>;
  /** The moves that refute it. */ refutation?: LineMove[];
  /** Why the solution is better, in sentences. */ why?: SentenceShown[];
}

/** The outcome of a try. */
export interface TryShown {
  /** A tiling is `wrong` as soon as the most points can no longer be reached. */ outcome: "right" | "unfinished" | "wrong";
  /** The points of a tiling so far; elsewhere the lead or the chance to win after the move. */ value?: number;
  /** The points that the tiling can still make; those made, once it has ended. */ reachable?: number;
  /** The value of the solution, once the try is decided. */ best?: number;
  /** Whether `value` is an upper bound. */ at_most?: boolean;
  /** Whether only the order of the stack or the turns of the plate are wrong. */ nearly?: boolean;
  /** The move that was tried, in words. */ tried?: PuzzleHint;
  /** The moves that follow a wrong one. */ line?: LineMove[];
  /** The hint that was asked for. */ hint?: PuzzleHint;
  /** The solution, once it may be shown. */ explained?: Explained;
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
