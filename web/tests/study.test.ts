import { describe, expect, it, vi } from "vitest";
import { codeOf, movesOf, startOf } from "../src/lib/study/link";
import { linkOf, MAX_BYTES, MAX_LETTERS } from "../src/lib/study/opening";
import { StudyTree } from "../src/lib/study/tree";

/** A code of any text. */
async function packed(text: string): Promise<string> {
  const small = new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")));
  const bytes = new Uint8Array(await small.arrayBuffer());
  return Buffer.from(bytes).toString("base64url");
}

/** Tokens of a list with how deep they stand. */
function listed(tree: StudyTree): string {
  return tree.rows.map(({ node, depth }) => `${depth}${node.token}`).join(" ");
}

describe("a tree of variations", () => {
  it("branches where another move is made", () => {
    const tree = new StudyTree();
    const a = tree.add(tree.root, "a");
    tree.add(a, "b");
    expect(tree.add(tree.root, "a")).toBe(a);
    const x = tree.add(tree.root, "x");
    tree.add(x, "y");
    tree.add(a, "c");
    expect(listed(tree)).toBe("0a 1x 1y 0b 1c");
    expect(tree.text).toBe("a ( x y ) b ( c )");
  });

  it("is written and read again, with the places in it", () => {
    const text = "a ( x ( p ) y ( z ) ) ( q ) b c ( d e ( f ) )";
    const tree = StudyTree.read(text);
    expect(StudyTree.read(tree.text).text).toBe(tree.text);
    for (const { node } of tree.rows) expect(tree.nodeAt(tree.placeOf(node))).toBe(node);
    expect(tree.nodeAt([9, 9])).toBe(tree.root);
  });

  it("promotes and removes lines", () => {
    const tree = StudyTree.read("a ( x y ) b");
    const y = tree.nodeAt([1, 0]);
    expect(tree.branch(tree.nodeAt([0, 0]))).toBeNull();
    tree.promote(y);
    expect(listed(tree)).toBe("0x 1a 1b 0y");
    expect(tree.remove(y.parent!)).toBe(tree.root);
    expect(listed(tree)).toBe("0a 0b");
    expect(tree.remove(tree.root)).toBe(tree.root);
  });

  it("asks for a record's own moves by their ply, and for others from where they leave it", () => {
    const tree = StudyTree.read("a b ( x y ) c", ["a", "b", "c", "d"]);
    expect(tree.address(tree.nodeAt([0, 0, 0]))).toEqual({ ply: 3, moves: [] });
    expect(tree.address(tree.nodeAt([0, 1, 0]))).toEqual({ ply: 1, moves: ["x", "y"] });
    expect(tree.address(StudyTree.read("a b").nodeAt([0, 0]))).toEqual({ ply: 0, moves: ["a", "b"] });
    expect(StudyTree.ofRecord(["a", "b"]).ends.map((one) => one.token)).toEqual(["b"]);
  });
});

describe("a link", () => {
  it("leads back to what it was made of, in letters of an address", async () => {
    const start = { position: "round: 2; factory 1: sun BYRK – ü" };
    const code = await codeOf(start, [0, 1], "a ( b ) c");
    expect(code).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(await linkOf(code)).toEqual({ start, at: [0, 1], moves: "a ( b ) c" });
    expect(await linkOf(await codeOf({ seed: 7 }, 3))).toEqual({ start: { seed: 7 }, at: 3 });
  });

  it("that would unpack to more than any study is not unpacked to its end", async () => {
    const long = "a".repeat(1_000_000);
    let unpacked = 0;
    const watched = class extends DecompressionStream {
      constructor(format: CompressionFormat) {
        super(format);
        const count = new TransformStream({
          transform(piece: Uint8Array, to) {
            unpacked += piece.length;
            to.enqueue(piece);
          },
        });
        Object.defineProperty(this, "readable", { value: super.readable.pipeThrough(count) });
      }
    };
    const code = await packed(JSON.stringify({ start: { position: long.repeat(20) }, at: 0 }));
    expect(code.length).toBeLessThan(MAX_LETTERS);
    vi.stubGlobal("DecompressionStream", watched);
    expect(await linkOf(code)).toBeNull();
    vi.unstubAllGlobals();
    expect(unpacked).toBeGreaterThan(MAX_BYTES);
    expect(unpacked).toBeLessThan(5 * MAX_BYTES);
    expect(await linkOf("A".repeat(MAX_LETTERS + 1))).toBeNull();
  });

  it("with as long a study as the service takes leads back to it", async () => {
    const start = {
      record: Array.from({ length: 20_000 }, (_, k) => String(k))
        .join(" ")
        .slice(0, 100_000),
    };
    expect(await linkOf(await codeOf(start, 3))).toEqual({ start, at: 3 });
  });

  it("that is damaged leads nowhere", async () => {
    const code = await codeOf({ seed: 7 }, 3);
    for (const one of ["", "x", code.slice(0, -4), await codeOf({} as { seed: number }, 1)])
      expect(await linkOf(one)).toBeNull();
  });

  it("begins with a record or with a position", () => {
    expect(startOf(' {"moves": []}')).toHaveProperty("record");
    expect(startOf("round: 1")).toHaveProperty("position");
    expect(movesOf({ record: '{"moves": ["E", "E"]}' })).toEqual(["E", "E"]);
    expect(movesOf({ record: "{" })).toEqual([]);
    expect(movesOf({ seed: 1 })).toEqual([]);
  });
});
