/** Starts Python with the package from the static folder. */

const PACKAGES = "/lib/packages";
const PYTHON = ["pyodide.asm.wasm", "python_stdlib.zip"];

/** `fetch` that says of the answer how many of its bytes have come. */
async function countingFetch(fetch, url, tell) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  let done = 0;
  const counter = new TransformStream({
    transform(chunk, out) {
      tell((done += chunk.length));
      out.enqueue(chunk);
    },
  });
  const { headers } = response;
  return new Response(response.body.pipeThrough(counter), { headers });
}

/** Runs `load`, whose fetches of the big files are counted. */
async function counted(sizes, report, load) {
  const plain = globalThis.fetch;
  const come = Object.fromEntries(PYTHON.map((name) => [name, 0]));
  const sum = (numbers) => numbers.reduce((one, other) => one + other, 0);
  const total = sum(PYTHON.map((name) => sizes[name]));
  globalThis.fetch = (asked, ...rest) => {
    const url = String(asked.url ?? asked);
    const name = url.split("/").at(-1);
    if (!(name in come)) return plain(asked, ...rest);
    return countingFetch(plain, url, (done) => {
      come[name] = done;
      report("python", sum(Object.values(come)), total);
    });
  };
  try {
    return await load();
  } finally {
    globalThis.fetch = plain;
  }
}

/** Runs `load`, which compiles Python, or is given what another worker has compiled: so memory holds the code once. */
async function compiling(known, load) {
  const plain = WebAssembly.instantiateStreaming;
  let compiled = known;
  WebAssembly.instantiateStreaming = async (answer, imports) => {
    if (compiled) {
      await (await answer).body.cancel();
      return { module: compiled, instance: await WebAssembly.instantiate(compiled, imports) };
    }
    const found = await plain(answer, imports);
    compiled = found.module;
    return found;
  };
  try {
    return { python: await load(), compiled };
  } finally {
    WebAssembly.instantiateStreaming = plain;
  }
}

/** Python, with the package on its path, and as it is compiled; `known` is that of another worker, if one has it.
 * `report` is told how many bytes of which part have come. */
export async function startPython(base, { known, report = () => {} } = {}) {
  const at = (name) => new URL(`py/${name}`, base).href;
  const [{ loadPyodide }, sizes] = await Promise.all([
    import(at("pyodide.mjs")),
    fetch(at("sizes.json")).then((answer) => answer.json()),
  ]);
  const packages = countingFetch(fetch, at("packages.zip"), (done) => report("packages", done, sizes["packages.zip"]));
  const [{ python, compiled }, archive] = await Promise.all([
    compiling(known, () => counted(sizes, report, () => loadPyodide({ indexURL: at("") }))),
    packages.then((answer) => answer.arrayBuffer()),
  ]);
  addPackages(python, new Uint8Array(archive));
  return { python, compiled };
}

/** Unpacks the package and what it needs. */
export function addPackages(python, archive) {
  python.unpackArchive(archive, "zip", { extractDir: PACKAGES });
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
}
