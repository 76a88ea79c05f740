// Writes compressed forms beside the files of a folder, for servers that send those, and prints what is transferred:
// node tab_compress.mjs FOLDER
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
const parts = { Python: 0, "standard library": 0, packages: 0, page: 0 };

function partOf(path) {
  if (path.endsWith("python_stdlib.zip")) return "standard library";
  if (path.endsWith("packages.zip")) return "packages";
  return path.startsWith("py/") ? "Python" : "page";
}

for (const path of readdirSync(folder, { recursive: true }).sort()) {
  if (/\.(br|gz)$/.test(path) || !/\.\w+$/.test(path)) continue;
  const content = readFileSync(join(folder, path));
  const packed = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } });
  const isSmaller = packed.length < 0.95 * content.length;
  if (isSmaller) {
    writeFileSync(join(folder, `${path}.br`), packed);
    writeFileSync(join(folder, `${path}.gz`), gzipSync(content, { level: 9 }));
  }
  parts[partOf(path)] += isSmaller ? packed.length : content.length;
}
const all = Object.values(parts).reduce((sum, one) => sum + one, 0);
for (const [part, bytes] of Object.entries({ ...parts, "all of it": all })) {
  console.error(`${part.padEnd(17)}${(bytes / 1e6).toFixed(2).padStart(6)} MB compressed`);
}
