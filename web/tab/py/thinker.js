/** A worker that thinks: runs jobs of `sintra.processes.worker` in a Python of its own, one after the other. */
import { startPython } from "./python.js";

let begun = null;

onmessage = async ({ data }) => {
  if (data.base) {
    begun = startPython(data.base, data).then(({ python }) => python.pyimport("sintra.tab.jobs").run);
    begun.catch((error) => postMessage({ failed: String(error) }));
    return;
  }
  const run = await begun;
  const reply = run(data.job);
  const bytes = reply.toJs();
  reply.destroy();
  postMessage({ reply: bytes }, [bytes.buffer]);
};
