// The table in a tab, in Node: node inside.mjs PY < lines
// Each line of standard input is a request to the table, a job for a worker, or a wait for an event of a game; each line
// of standard output is what came of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const FILE = "/table.sqlite";
const py = process.argv[2];
const module = name => import(pathToFileURL(join(py, name)).href);
const { loadPyodide } = await module("pyodide.mjs");
const { addPackages } = await module("python.js");
const python = await loadPyodide({ indexURL: `${py}/` });
addPackages(python, new Uint8Array(readFileSync(join(py, "packages.zip"))));
const run = python.pyimport("sintra.tab.jobs").run;

const answers = new Map();
const browser = {
  head: (id, status) => (answers.get(id).status = status),
  chunk: (id, data) => answers.get(id).parts.push(Buffer.from(data.toJs())),
  end: id => answers.get(id).done(),
  keep: async () => {},
  processors: 2,
  open_worker: () => ({ run: async job => run(job.toJs()).toJs(), end() {} }),
};
const table = await python.pyimport("sintra.tab.inside").open_table(browser, FILE);

let last = 0;
function ask({ method, path, body, file }) {
  const id = String(++last);
  const data = file ? new Uint8Array(readFileSync(file)) : new TextEncoder().encode(body ?? "");
  return new Promise(done => {
    const answer = { parts: [] };
    answer.done = () => done({ status: answer.status, body: Buffer.concat(answer.parts).toString() });
    answers.set(id, answer);
    table.start(id, method, path, '{"content-type": "application/json"}', data);
  });
}

async function until({ path, seq }) {
  for (;;) {
    const { body } = await ask({ method: "GET", path });
    if (JSON.parse(body).seq >= seq) return { body };
    await new Promise(go => setTimeout(go));
  }
}

function think({ job }) {
  return { reply: Buffer.from(run(new Uint8Array(Buffer.from(job, "base64"))).toJs()).toString("base64") };
}

const kinds = { ask, until, think };
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  console.log(JSON.stringify(await kinds[asked.kind](asked)));
}
process.exit(0);
