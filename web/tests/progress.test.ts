import { beforeEach, describe, expect, it } from "vitest";
import { keepGame, keptGame } from "../src/lib/games";
import type { GameShown, OpponentShown } from "../src/lib/messages";
import {
  FileProblem,
  FORMAT,
  merged,
  MAX_GAMES,
  NOTHING,
  readFile,
  recovered,
  progressText,
  type PlayedGame,
} from "../src/lib/progress/entries";
import {
  addProgress,
  forgetProgress,
  KEY,
  keepResult,
  keptProgress,
  noteErrorRate,
  notePuzzle,
} from "../src/lib/progress/store";
import { entryOf, noteHint } from "../src/lib/progress/results";
import {
  expected,
  FADING,
  PRIOR,
  ratedGames,
  playerRating,
  ratingsAfter,
  suggestion,
} from "../src/lib/progress/rating";
import { errorRates, friendRecords, leads, meanSources, resultsByLevel } from "../src/lib/progress/sums";

const ELOS = [730, 920, 1070, 1200, 1335, 1475, 1615, 1775, 1920, 2090, 2290];
const opponents: OpponentShown[] = ELOS.map((elo, k) => ({ player: `level:n=${k + 1}`, name: "", about: "", elo }));
const SOURCES = { placement: 40, specials: 2, broken: -6, start_tile: -4, draws: -1, goals: 9 };

let count = 0;
beforeEach(() => {
  count = 0;
  localStorage.clear();
});

/** A game against a level, won or lost, each a minute after the one before. */
function game(level: number, won: boolean, more: Partial<PlayedGame> = {}): PlayedGame {
  const k = count++;
  return {
    game: `game-${String(k).padStart(5, "0")}`,
    at: new Date(Date.UTC(2026, 0, 1, 0, k)).toISOString(),
    mode: "computer",
    names: ["Ann", ""],
    seat: 0,
    opponent: `level:n=${level}`,
    winner: won ? 0 : 1,
    reason: "points",
    scores: won ? [60, 40] : [40, 60],
    sources: SOURCES,
    ...more,
  };
}
const progress = (...games: PlayedGame[]) => ({ ...NOTHING, games });
const results = (text: string, elo: number) => [...text].map((one) => ({ elo, won: one === "w" }));

describe("the rating", () => {
  it("knows the chances of the ladder", () => {
    expect(expected(1000, 1000)).toBe(0.5);
    expect(expected(1190, 1000)).toBeCloseTo(0.749, 3);
    expect(expected(1000, 1400)).toBeCloseTo(1 / 11, 6);
  });

  it("stays where it was thought to be when results are as they should be", () => {
    // the later of two games counts a little more
    const [a, b] = ["wl", "lw"].map((both) => ratingsAfter(results(both, PRIOR.mean), 1)[0]!);
    expect((a!.value + b!.value) / 2).toBeCloseTo(PRIOR.mean, 1);
    expect((a!.low + b!.high) / 2).toBeCloseTo(PRIOR.mean, 1);
    expect(a!.value).toBeLessThan(b!.value);
    expect(a!.high - a!.low).toBeLessThan(2 * 1.96 * PRIOR.spread);
  });

  it("is what the integral over all strengths says", () => {
    // one game won at even strength: by symmetry the density is prior · 2 / (1 + 10^(−d/400)), summed here in steps of 1
    let [weights, sum] = [0, 0];
    for (let d = -1300; d <= 2200; d++) {
      const weight = Math.exp(-((d / PRIOR.spread) ** 2) / 2) / (1 + 10 ** (-d / 400));
      weights += weight;
      sum += weight * d;
    }
    expect(ratingsAfter(results("w", PRIOR.mean))[0]!.value).toBeCloseTo(PRIOR.mean + sum / weights, 0);
  });

  it("comes near the strength of one who wins three of four, and its interval to what so many games allow", () => {
    const { value, low, high } = ratingsAfter(results("wwwl".repeat(100), 1475)).at(-1)!;
    // as the latest results fade, the last loss counts a little more
    expect(Math.abs(value - (1475 + 190))).toBeLessThan(25);
    const effective = 1 / (1 - FADING);
    const error = 400 / Math.LN10 / Math.sqrt(effective * 0.75 * 0.25);
    expect((high - low) / (2 * 1.96 * error)).toBeGreaterThan(0.85);
    expect((high - low) / (2 * 1.96 * error)).toBeLessThan(1.1);
  });

  it("rises with wins, falls with losses, and has room to be wrong after one game", () => {
    const [first, second] = ratingsAfter(results("wl", 1070));
    expect(first!.value).toBeGreaterThan(1150);
    expect(second!.value).toBeLessThan(first!.value);
    expect(first!.high - first!.low).toBeGreaterThan(1000);
    const wins = ratingsAfter(results("w".repeat(60), 2290)).at(-1)!;
    expect(wins.low).toBeGreaterThan(2290);
    expect(wins.high).toBeGreaterThan(wins.value);
    const losses = ratingsAfter(results("l".repeat(60), 730)).at(-1)!;
    expect(losses.high).toBeLessThan(730);
  });

  it("follows one who has learned", () => {
    const games = [...results("l".repeat(50), 1200), ...results("w".repeat(50), 1200)];
    expect(ratingsAfter(games).at(-1)!.value).toBeGreaterThan(1250);
  });

  it("counts games against levels whose strength is known, without help, at one's own seat", () => {
    const games = [
      game(3, true),
      game(3, false, { reason: "resigned" }),
      game(3, true, { hinted: true }),
      game(3, true, { taken_back: true }),
      game(12, true),
      game(3, true, { mode: "friend", opponent: "" }),
      game(4, true, { seat: 1, winner: 1 }),
    ];
    expect(ratedGames(games, opponents)).toEqual([
      { elo: 1070, won: true },
      { elo: 1070, won: false },
      { elo: 1200, won: true },
    ]);
    expect(playerRating([games[2]!], opponents)).toBeNull();
  });
});

describe("the next opponent", () => {
  const next = (...games: PlayedGame[]) => suggestion(games, opponents)?.player;

  it("is unknown before the first game that counts", () => {
    expect(next()).toBeUndefined();
    expect(suggestion([game(3, true)], [])).toBeNull();
  });

  it("follows the result of the latest game with help, too", () => {
    expect(next(game(3, true, { hinted: true }))).toBe("level:n=4");
    expect(next(game(3, false, { hinted: true }))).toBe("level:n=2");
    expect(next(game(3, false, { hinted: true }), game(5, true))).toBe(next(game(5, true)));
  });

  it("is one step away at most", () => {
    expect(next(game(3, true))).toBe("level:n=4");
    expect(next(game(3, false))).toBe("level:n=2");
    expect(next(...Array.from({ length: 20 }, () => game(1, true)))).toBe("level:n=2");
    expect(next(...Array.from({ length: 20 }, () => game(11, false)))).toBe("level:n=10");
  });

  it("stays at the ends of the ladder", () => {
    expect(next(game(1, false), game(1, false))).toBe("level:n=1");
    expect(next(...Array.from({ length: 30 }, () => game(11, true)))).toBe("level:n=11");
  });

  it("is the same once more for one who wins every other game", () => {
    expect(next(...Array.from({ length: 20 }, (_, k) => game(5, k % 2 === 0)))).toBe("level:n=5");
  });

  it("is the same once more after an upset", () => {
    const games = Array.from({ length: 20 }, (_, k) => game(6, k % 2 === 0));
    expect(next(...games, game(3, false))).toBe("level:n=3");
    expect(next(...games, game(9, true))).toBe("level:n=9");
    expect(suggestion(games, opponents, { opponent: "level:n=5", won: true })?.player).toBe("level:n=6");
    expect(suggestion(games, opponents, { opponent: "level:n=5", won: false })?.player).toBe("level:n=5");
  });

  it("goes by the strength where the latest opponent is not offered any more", () => {
    const games = Array.from({ length: 20 }, (_, k) => game(5, k % 2 === 0));
    expect(next(...games, game(99, true))).toBe("level:n=5");
  });
});

describe("sums", () => {
  it("are kept by level, with means of the games that were counted to the end", () => {
    const games = [game(4, true), game(2, false), game(2, true, { reason: "resigned", scores: [5, 9], hinted: true })];
    expect(resultsByLevel([...games, game(12, false)], opponents)).toEqual([
      { player: "level:n=2", won: 1, lost: 1, helped: 1, own: 40, other: 60 },
      { player: "level:n=4", won: 1, lost: 0, helped: 0, own: 60, other: 40 },
      { player: "level:n=12", won: 0, lost: 1, helped: 0, own: 40, other: 60 },
    ]);
    const resigned = [game(1, false, { reason: "resigned" })];
    expect(resultsByLevel(resigned, opponents)[0]).toMatchObject({ lost: 1, own: null, other: null });
  });

  it("tell the points by source", () => {
    const games = [game(1, true), game(1, false, { sources: { ...SOURCES, goals: 4 } })];
    const found = meanSources([...games, game(1, true, { reason: "left" }), game(1, true, { seat: null })])!;
    expect(found).toEqual({ count: 2, total: 50, sources: { ...SOURCES, goals: 6.5 } });
    expect(meanSources([])).toBeNull();
  });

  it("tell the lead and the error rate of each game", () => {
    const games = [game(1, true, { error_rate: 0.02 }), game(1, false, { seat: 1, hinted: true })];
    expect(leads(games)).toEqual([
      { lead: 20, isHelped: false },
      { lead: 20, isHelped: true },
    ]);
    expect(errorRates(games)).toEqual([0.02]);
  });

  it("keep the record between two people, by link or on one screen, whoever sits where", () => {
    const link = { mode: "friend", opponent: "", names: ["Ann", "Ben"] } as const;
    const screen = { ...link, mode: "screen", seat: null } as const;
    const games = [
      game(0, true, { ...link }),
      game(0, true, { ...screen, names: ["ben ", "ANN"] }),
      game(0, false, { ...screen }),
      game(0, true, { ...screen, names: ["Eve", "Ann"] }),
      game(3, true),
      game(0, false, { ...link, seat: 1, names: ["Ben", "Ann"], winner: 1 }),
    ];
    expect(friendRecords(games)).toEqual([
      { names: ["Ann", "Ben"], won: [2, 2] },
      { names: ["Eve", "Ann"], won: [1, 0] },
    ]);
  });

  it("take one's own side where both have the same name", () => {
    const link = { mode: "friend", opponent: "", names: ["Player", "Player"] } as const;
    const games = [game(0, true, { ...link }), game(0, true, { ...link, seat: 1, winner: 1 })];
    expect(friendRecords(games)).toEqual([{ names: ["Player", "Player"], won: [2, 0] }]);
  });
});

describe("a file", () => {
  const whole = merged(progress(game(1, true, { hinted: true, error_rate: 0.1 }), game(2, false)), {
    ...NOTHING,
    puzzles: [{ puzzle: "p1", at: "2026-01-01T00:00:00Z", solved: true }],
  });
  const changed = (field: string, value: unknown): string =>
    JSON.stringify({ format: FORMAT, games: [game(1, true), { ...game(1, true), [field]: value }] });
  const problem = (text: string): unknown => {
    try {
      return readFile(text);
    } catch (fault) {
      const { code, args } = fault as FileProblem;
      return [code, ...Object.values(args)];
    }
  };

  it("comes back as it was", () => {
    expect(readFile(progressText(whole, true))).toEqual(whole);
    expect(progressText({ ...whole, forgotten: "2026-01-01" }, true)).not.toContain("forgotten");
    expect(readFile(JSON.stringify({ format: FORMAT }))).toEqual(NOTHING);
  });

  it.each<[string, unknown[]]>([
    ["{", ["not_json"]],
    ["[]", ["other_file"]],
    ['{"format": "sintra-review/1"}', ["other_file"]],
    ['{"format": "sintra-progress/2"}', ["newer", "sintra-progress/2"]],
    [`{"format": "${FORMAT}", "games": 3}`, ["damaged", "games"]],
    [`{"format": "${FORMAT}", "games": [3]}`, ["damaged", "games[0].{}"]],
    [`{"format": "${FORMAT}", "puzzles": [{"puzzle": "p"}]}`, ["damaged", "puzzles[0].at"]],
    [" ".repeat(4_000_001), ["too_large", 4]],
  ])("of another kind is refused (%#)", (text, told) => {
    expect(problem(text)).toEqual(told);
  });

  it.each([
    ["game", "../x"],
    ["at", "yesterday"],
    ["mode", "solo"],
    ["names", ["Ann"]],
    ["names", ["Ann", "x".repeat(81)]],
    ["seat", 2],
    ["opponent", 3],
    ["winner", null],
    ["reason", ""],
    ["scores", [1, 2.5]],
    ["scores", [1, 1e9]],
    ["sources", { placement: 1 }],
    ["hinted", "yes"],
    ["error_rate", -0.1],
  ])("with a damaged %s is refused, and told where", (field, value) => {
    expect(problem(changed(field, value))).toEqual(["damaged", `games[1].${field}`]);
  });

  it("brings nothing along that is not known", () => {
    const { games } = readFile(changed("secret", "x"));
    expect(games).toHaveLength(2);
    expect(JSON.stringify(games)).not.toContain("secret");
  });
});

describe("two collections", () => {
  it("become one by game, in the order of time, and nothing is lost", () => {
    const [a, b, c] = [game(1, true), game(2, true), game(3, true)];
    const both = merged(progress(c, { ...b, error_rate: 0.1 }), progress(a, { ...b, hinted: true }));
    expect(both.games).toEqual([a, { ...b, error_rate: 0.1, hinted: true }, c]);
    expect(merged(both, both)).toEqual(both);
    const helped = merged(progress({ ...b, hinted: false }), progress({ ...b, hinted: true }));
    expect(helped.games[0]!.hinted).toBe(true);
  });

  it("know a puzzle as solved once it was", () => {
    const tried = (solved: boolean, day: number) => ({ puzzle: "p", at: `2026-01-0${day}`, solved });
    const of = (...puzzles: ReturnType<typeof tried>[]) => ({ ...NOTHING, puzzles });
    expect(merged(of(tried(false, 3)), of(tried(true, 2))).puzzles).toEqual([tried(true, 2)]);
    expect(merged(of(tried(true, 3)), of(tried(true, 2))).puzzles).toEqual([tried(true, 2)]);
  });

  it("are bounded: the oldest go", () => {
    const many = Array.from({ length: MAX_GAMES + 5 }, () => game(1, true));
    const { games } = merged(NOTHING, progress(...many));
    expect(games).toHaveLength(MAX_GAMES);
    expect(games[0]!.game).toBe(many[5]!.game);
    expect(progressText({ ...NOTHING, games }).length).toBeLessThan(800_000);
  });
});

describe("this browser", () => {
  it("keeps a game once, with what becomes known of it later", () => {
    const one = game(3, true);
    keepResult(one);
    noteErrorRate(one.game, 0.03);
    noteErrorRate("another", 0.5);
    keepResult(one);
    expect(keptProgress().progress.games).toEqual([{ ...one, error_rate: 0.03 }]);
    keepResult({ ...one, winner: 1 });
    expect(keptProgress().progress.games).toEqual([{ ...one, winner: 1, error_rate: 0.03 }]);
  });

  it("keeps puzzles", () => {
    notePuzzle("p1", false);
    notePuzzle("p1", true);
    expect(keptProgress().progress.puzzles).toMatchObject([{ puzzle: "p1", solved: true }]);
  });

  it("forgets everything, and does not take it up again; a file brings it back", () => {
    const [a, b] = [game(3, true), game(3, false)];
    keepResult(a);
    const file = progressText(keptProgress().progress, true);
    forgetProgress();
    keepResult(a);
    expect(keptProgress().progress.games).toEqual([]);
    expect(addProgress(readFile(file))).toBe(true);
    keepResult(b);
    expect(keptProgress().progress.games).toEqual([a, b]);
  });

  it("goes on after a file from the future was forgotten", () => {
    addProgress(progress(game(3, true, { at: "2999-01-01T00:00:00Z" })));
    forgetProgress();
    keepResult(game(3, true, { at: new Date(Date.now() + 1000).toISOString() }));
    expect(keptProgress().progress.games).toHaveLength(1);
  });

  it.each([
    ["", 1],
    ["null", 1],
    ["{", 1],
    ['{"games": [1]}', 1],
    [`{"format": "${FORMAT}", "games": "x", "puzzles": 3, "forgotten": 7}`, 0],
    [`{"format": "${FORMAT}", "games": [null, {"game": "abc"}], "puzzles": [[]]}`, 3],
  ])("reads what it can of damaged storage: %s", (text, lost) => {
    localStorage.setItem(KEY, text);
    expect(keptProgress()).toEqual({ progress: NOTHING, lost, isNewer: false });
    const one = game(1, true);
    keepResult(one);
    expect(keptProgress()).toMatchObject({ progress: { games: [one] }, lost: 0 });
  });

  it("keeps the sound entries beside a damaged one", () => {
    const one = game(1, true);
    localStorage.setItem(KEY, JSON.stringify({ format: FORMAT, games: [one, { ...one, game: 3 }] }));
    expect(keptProgress()).toMatchObject({ progress: { games: [one] }, lost: 1 });
  });

  it("leaves alone what a newer version has kept", () => {
    const text = '{"format": "sintra-progress/9"}';
    localStorage.setItem(KEY, text);
    expect(keptProgress().isNewer).toBe(true);
    keepResult(game(1, true));
    expect(addProgress(progress(game(1, true)))).toBe(false);
    expect(localStorage.getItem(KEY)).toBe(text);
  });

  it("reads nothing where there is nothing", () => {
    expect(recovered(null)).toEqual({ progress: NOTHING, lost: 0, isNewer: false });
  });
});

describe("an entry of a game", () => {
  const breakdown = { ...SOURCES, start: 5, goals: [9, 3], goals_booked: 9, total: 45 };
  const shown = {
    game: "abcdefghijkl",
    status: "over",
    mode: "computer",
    you: [0],
    players: [
      { name: "Ann", kind: "human", opponent: "", joined: true, present: true },
      { name: "Helper", kind: "computer", opponent: "level:n=3", joined: true, present: true },
    ],
    result: { reason: "points", winner: 1, scores: [45, 50], breakdown: [breakdown, breakdown], tie_break: "" },
  } as unknown as GameShown;
  const log = [
    { kind: "move", at: "2026-01-02T00:00:00Z" },
    { kind: "rematch", at: "2026-01-03T00:00:00Z" },
  ] as never[];

  it("is what the service says of its end", () => {
    expect(entryOf(shown, log)).toEqual({
      game: "abcdefghijkl",
      at: "2026-01-02T00:00:00Z",
      mode: "computer",
      names: ["Ann", "Helper"],
      seat: 0,
      opponent: "level:n=3",
      winner: 1,
      reason: "points",
      scores: [45, 50],
      sources: SOURCES,
    });
    expect(entryOf({ ...shown, taken_back: true }, log)).toMatchObject({ taken_back: true });
  });

  it("is for those who played it, when it is over", () => {
    expect(entryOf({ ...shown, you: [] }, log)).toBeNull();
    expect(entryOf({ ...shown, status: "playing" }, log)).toBeNull();
    expect(entryOf({ ...shown, began: { moves: 3, has_record: true } }, log)).toBeNull();
    const both = entryOf({ ...shown, mode: "screen", you: [0, 1] }, log)!;
    expect(both.seat).toBeNull();
    expect(both).not.toHaveProperty("sources");
  });

  it("says that hints were asked for", () => {
    keepGame({ game: shown.game, at: 7, own: "secret" });
    noteHint(shown.game);
    expect(keptGame(shown.game)).toEqual({ game: shown.game, at: 7, own: "secret", hinted: true });
    expect(entryOf(shown, log)).toMatchObject({ hinted: true });
  });
});
