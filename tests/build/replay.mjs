// Makes recorded calls again in WebAssembly (see calls.py): node replay.mjs FOLDER < calls
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { load } from "./dynamic_library.mjs";

const folder = process.argv[2];
const manifest = JSON.parse(readFileSync(`${folder}/manifest.json`, "utf8"));
const entries = Object.fromEntries(Object.values(manifest.entries).map(one => [one.symbol, one]));
const { exports, memory, malloc } = await load(readFileSync(`${folder}/${manifest.wasm.file}`));
const slots = new Map();
let calls = 0;

function address(place) {
  let found = slots.get(place.slot);
  if (found === undefined) slots.set(place.slot, (found = malloc(Math.max(place.bytes, 1))));
  return found;
}

function call(line, contents) {
  const told = entries[line.symbol];
  const words = [], seen = new Map();
  line.given.forEach((one, k) => {
    const kind = told.arguments[k]?.kind ?? "array";
    if (kind === "int") words.push(BigInt(one));
    else if (kind === "bool") words.push(one ? 1n : 0n);
    else if (kind === "float") words.push(new BigInt64Array(new Float64Array([one]).buffer)[0]);
    else {
      words.push(BigInt(address(one)), ...one.shape.map(BigInt));
      if (!seen.has(one.slot)) seen.set(one.slot, one);
    }
  });
  const block = address({ slot: "block", bytes: 8 * 256 });
  new BigInt64Array(memory.buffer, block, words.length).set(words);
  for (const [place, content] of contents) new Uint8Array(memory.buffer, address(place), place.bytes).set(content);
  const result = exports[line.symbol](block);
  const hash = createHash("sha1");
  for (const place of seen.values()) hash.update(new Uint8Array(memory.buffer, address(place), place.bytes));
  const last = Buffer.alloc(8);
  if (told.returns === "float") last.writeDoubleLE(result);
  else last.writeBigInt64LE(BigInt(result ?? 0));
  if (hash.update(last).digest("hex") !== line.after) {
    console.log(`call ${calls}, ${line.symbol}: another result (${result})`);
    process.exit(1);
  }
  calls += 1;
}

let rest = Buffer.alloc(0);
const parts = process.stdin[Symbol.asyncIterator]();
async function more() {
  const { value, done } = await parts.next();
  if (done) return false;
  rest = rest.length ? Buffer.concat([rest, value]) : value;
  return true;
}
async function take(n) {
  const chunks = [rest];
  let length = rest.length;
  while (length < n) {
    const { value, done } = await parts.next();
    if (done) throw new Error("the calls end too early");
    chunks.push(value);
    length += value.length;
  }
  const all = chunks.length > 1 ? Buffer.concat(chunks) : rest;
  rest = all.subarray(n);
  return all.subarray(0, n);
}
while (true) {
  let end;
  while ((end = rest.indexOf(10)) < 0 && (await more()));
  if (end < 0) break;
  const line = JSON.parse(rest.subarray(0, end).toString());
  rest = rest.subarray(end + 1);
  const contents = [];
  for (const place of line.given) {
    if (place !== null && typeof place === "object" && place.sent) contents.push([place, await take(place.bytes)]);
  }
  call(line, contents);
}
console.log(calls);
