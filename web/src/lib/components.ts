// Made from sintra.components by `python -m sintra.table.codegen.typescript`: change that instead.

import type { GoalName } from "./messages";

/** R1.1: the letters of the tile colours. */
export const COLORS = ["B", "Y", "R", "K", "T"] as const;

/** R1.4: the letter of a special space, of its tile and of its kind of plate. */
export const SPECIAL = "*" as const;

/** R1.4: the letter of a wild space, and of its kind of plate. */
export const WILD = "W" as const;

/** R1.3: the large factory. */
export const LARGE = "L" as const;

/** R1.3, R2.3: the factories, each with how many tiles come to its sun side. */
export const FACTORIES = [{"name": "1", "fill": 4}, {"name": "2", "fill": 4}, {"name": "3", "fill": 4}, {"name": "4", "fill": 4}, {"name": "L", "fill": 5}] as const;

/** R2.2: how many plates lie in the display. */
export const DISPLAY = 3 as const;

/** R1.4: the faces of the plates by their numbers, as printed. */
export const PLATES: Record<string, string> = {"01": "YKT*", "02": "WBTK", "03": "TRBW", "04": "KYRW", "05": "K*TR", "06": "TYWK", "07": "*KRB", "08": "YBK*", "09": "TRB*", "10": "YRWB", "11": "Y*KR", "12": "TKRW", "13": "BK*T", "14": "RTYW", "15": "TBWY", "16": "*TYB", "17": "RWBK", "18": "*YBR"};

/** R1.7: rows and columns of the dome. */
export const GRID = 6 as const;

/** R1.7: the plate slots of the dome, each with the rows and columns of its four spaces. */
export const SLOTS = [{"name": "11", "spaces": [{"row": 1, "column": 1}, {"row": 1, "column": 2}, {"row": 2, "column": 1}, {"row": 2, "column": 2}]}, {"name": "12", "spaces": [{"row": 1, "column": 3}, {"row": 1, "column": 4}, {"row": 2, "column": 3}, {"row": 2, "column": 4}]}, {"name": "13", "spaces": [{"row": 1, "column": 5}, {"row": 1, "column": 6}, {"row": 2, "column": 5}, {"row": 2, "column": 6}]}, {"name": "21", "spaces": [{"row": 3, "column": 1}, {"row": 3, "column": 2}, {"row": 4, "column": 1}, {"row": 4, "column": 2}]}, {"name": "22", "spaces": [{"row": 3, "column": 3}, {"row": 3, "column": 4}, {"row": 4, "column": 3}, {"row": 4, "column": 4}]}, {"name": "23", "spaces": [{"row": 3, "column": 5}, {"row": 3, "column": 6}, {"row": 4, "column": 5}, {"row": 4, "column": 6}]}, {"name": "31", "spaces": [{"row": 5, "column": 1}, {"row": 5, "column": 2}, {"row": 6, "column": 1}, {"row": 6, "column": 2}]}, {"name": "32", "spaces": [{"row": 5, "column": 3}, {"row": 5, "column": 4}, {"row": 6, "column": 3}, {"row": 6, "column": 4}]}, {"name": "33", "spaces": [{"row": 5, "column": 5}, {"row": 5, "column": 6}, {"row": 6, "column": 5}, {"row": 6, "column": 6}]}] as const;

/** R1.7: what each broken tile costs. */
export const BROKEN_PENALTIES = [-1, -2, -3, -4] as const;

/** R4.6: what the start tile costs. */
export const START_PENALTY = -2 as const;

/** R1.8: the points that both players start with. */
export const START_SCORE = 5 as const;

/** How many rounds there are. */
export const ROUNDS = 5 as const;

/** R3.1: how many of them bring plates. */
export const PLATE_ROUNDS = 4 as const;

/** R3.1: how many plates a player takes in each of those. */
export const MARKERS = 2 as const;

/** R3.4: how many chips a player may take in a round. */
export const CHIPS_PER_ROUND = 2 as const;

/** R1.6: the goals. */
export const GOALS: readonly GoalName[] = ["rows", "colors", "columns", "edge", "diagonals", "corners", "wilds", "specials"];

/** R1.6: the goal tiles, each with the goals of its two sides. */
export const GOAL_TILES: readonly GoalName[][] = [["rows", "colors"], ["columns", "edge"], ["diagonals", "corners"], ["wilds", "specials"]];

/** R2.1: how many goals a game may have. */
export const GOAL_COUNTS = [3, 4] as const;

/** The rule options, each with its values and the usual one. */
export const RULE_OPTIONS = [{"name": "draw_at_zero", "values": ["forced", "free"], "usual": "forced"}, {"name": "special_is_color", "values": [false, true], "usual": true}] as const;

/** R2.1: the goals for a first game. */
export const FIRST_GAME: readonly GoalName[] = ["rows", "edge", "wilds"];
