/** What a review opens with: who was ahead when, what turned the game, and the turns that did. */
import type { ReviewedTurn, ReviewFound } from "./messages";
import { chanceFor, LUCK, markedTurns } from "./reviewed";

/** A sentence of the opening: its text, and what fills it in. */
export interface Opening {
  key: string;
  seat?: number;
  round?: number;
  count?: number;
  /** A share of a win. */
  share?: number;
}

/** Chances that near to the middle are even. */
const EVEN = 0.12;
/** Who is that far behind has to come back. */
const BEHIND = 0.3;
/** Who is ahead in so many of the turns was ahead almost all the time. */
const ALMOST_ALL = 0.85;
/** What changes chances by less does not turn a game. */
const LEAST = 0.1;
const TURNING_POINTS = 3;

/** Who was ahead when. */
export function courseOf(found: ReviewFound): Opening {
  const winner = found.result > 0.5 ? 0 : 1;
  const chances = found.turns.map((turn) => ({ round: turn.round, chance: chanceFor(winner, turn.chance) }));
  const ahead = chances.filter(({ chance }) => chance > 0.5).length;
  if (ahead >= ALMOST_ALL * chances.length) return { key: "all", seat: winner };
  const lowest = chances.reduce((low, one) => (one.chance < low.chance ? one : low), chances[0]!);
  if (lowest.chance < BEHIND) return { key: "back", seat: winner, round: lowest.round };
  const sides = chances.map(({ chance }) => (Math.abs(chance - 0.5) < EVEN ? 0 : Math.sign(chance - 0.5)));
  const decided = sides.filter(Boolean);
  const changes = decided.filter((side, k) => k > 0 && side !== decided[k - 1]).length;
  if (changes > 1) return { key: "swayed", count: changes };
  const lastEven = chances.filter(({ chance }) => chance < 0.5 + EVEN).at(-1);
  return { key: "ahead", seat: winner, round: lastEven?.round ?? 1 };
}

/** What turned the game most: a move, luck, or nothing by itself. */
export function turnedBy(found: ReviewFound): Opening {
  const worst = turningPoints(found)[0];
  let luck = { share: 0, round: 1 };
  for (const turn of found.turns) {
    const share = LUCK.reduce((sum, kind) => sum + (turn.luck[kind] ?? 0), 0);
    if (Math.abs(share) > Math.abs(luck.share)) luck = { share, round: turn.round };
  }
  const size = Math.abs(luck.share);
  if (size > Math.max(LEAST, worst?.cost ?? 0)) {
    return { key: "luck", seat: luck.share > 0 ? 0 : 1, round: luck.round, share: size };
  }
  if (!worst || worst.cost < LEAST) return { key: "none" };
  return { key: "move", seat: worst.seat, round: worst.round, share: worst.cost };
}

/** The turns that gave most away, the worst first. */
export function turningPoints(found: ReviewFound): ReviewedTurn[] {
  return markedTurns(found)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, TURNING_POINTS);
}
