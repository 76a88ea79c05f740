import { beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "../src/lib/api";
import type { DraftShown } from "../src/lib/messages";
import { Draft, emptyTable } from "../src/lib/study/draft.svelte";

const CHECKED = { tiles: { B: 13, K: 13 }, plates: ["01"], chips: {}, faults: [], text: "" };

describe("a table that is built by hand", () => {
  beforeEach(() => {
    vi.spyOn(api, "checkTable").mockResolvedValue(CHECKED as unknown as DraftShown);
  });

  it("takes back one change after the other, and a whole new table", async () => {
    const draft = new Draft();
    await draft.begin(emptyTable());
    expect(draft.canUndo).toBe(false);
    draft.place = "line-0-3";
    draft.put("K");
    draft.put("K");
    expect(draft.table.boards[0]!.lines[2]).toBe("KK");
    await draft.begin(emptyTable());
    expect(draft.table.boards[0]!.lines[2]).toBe("");
    const seen = [];
    while (draft.canUndo) {
      await draft.undo();
      seen.push(draft.table.boards[0]!.lines[2]);
    }
    expect(seen).toEqual(["KK", "K", ""]);
  });

  it("counts what is checked again without a change for nothing", async () => {
    const draft = new Draft();
    await draft.begin(emptyTable());
    await draft.check();
    expect(draft.canUndo).toBe(false);
  });

  it("leaves a space whose plate is taken back with the plate", async () => {
    const draft = new Draft();
    await draft.begin(emptyTable());
    draft.place = "slot-0-22";
    draft.putPlate("01");
    draft.place = "space-0-3-3";
    await draft.undo();
    expect(draft.place).toBe("");
  });
});
