/** The worker in which the table runs: passes the page's requests to Python, and its answers back. */
import { openPages } from "./py/pages.js";
import { startPython } from "./py/python.js";

const FILE = "/table.sqlite";

/** What came before the table was open. */
const waiting = [];
let table = null;

function report(part, done, total) {
  postMessage({ kind: "loading", part, done, total });
}

/** A Python of its own for a job at a time: see `thinker.js`. `known` is Python as it is compiled. */
function openWorker(base, known) {
  const worker = new Worker(new URL("py/thinker.js", import.meta.url), { type: "module" });
  const running = [];
  let failure = null;
  function fail(what) {
    failure = what;
    running.splice(0).forEach(({ reject }) => reject(new Error(what)));
  }
  worker.onmessage = ({ data }) => (data.failed ? fail(data.failed) : running.shift().resolve(data.reply));
  worker.onerror = (event) => fail(event.message);
  worker.postMessage({ base, known });
  return {
    run(job) {
      if (failure) return Promise.reject(new Error(failure));
      worker.postMessage({ job: job.toJs() });
      return new Promise((resolve, reject) => running.push({ resolve, reject }));
    },
    end() {
      worker.terminate();
      fail("it was ended");
    },
  };
}

/** What Python asks of the browser (`sintra.tab.browser`). */
function browserFor(base, compiled, pages) {
  return {
    head: (id, status, headers) => postMessage({ kind: "head", id, status, headers: JSON.parse(headers) }),
    chunk(id, data) {
      const bytes = data.toJs();
      postMessage({ kind: "chunk", id, data: bytes }, [bytes.buffer]);
    },
    end: (id) => postMessage({ kind: "end", id }),
    keep: () => pages.keep(),
    processors: navigator.hardwareConcurrency ?? 1,
    open_worker: () => openWorker(base, compiled),
  };
}

async function start({ base }) {
  let step = "storage";
  try {
    const pages = await openPages(base);
    step = "loading";
    const { python, compiled } = await startPython(base, { report });
    step = "python";
    report("table", 0, 1);
    pages.follow(python.FS, FILE);
    table = await python.pyimport("sintra.tab.inside").open_table(browserFor(base, compiled, pages), FILE);
    report("table", 1, 1);
  } catch (error) {
    postMessage({ kind: "failed", code: step, detail: String(error) });
    return;
  }
  postMessage({ kind: "ready" });
  waiting.splice(0).forEach(receive);
}

function bytesOf(body) {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return new Uint8Array(body ?? 0);
}

async function receive(message) {
  if (message.kind === "start") await start(message);
  else if (table === null) waiting.push(message);
  else if (message.kind === "cancel") table.cancel(message.id);
  else if (message.kind === "request") {
    const { id, method, path, headers, body } = message;
    table.start(id, method, path, JSON.stringify(headers ?? {}), bytesOf(body));
  }
}

onmessage = ({ data }) => void receive(data);
