// Packs what Python imports in a tab, as bytecode of the Python in PY, which no other version reads:
//     node tab_packages.mjs PY FOLDER STDLIB MODULE...
// writes PY/packages.zip of FOLDER, whose modules are imported, and PY/python_stdlib.zip of STDLIB.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [py, folder, stdlib, ...modules] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(py, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${py}/`, stdLibURL: stdlib });

function copy(from, to) {
  python.FS.mkdirTree(to);
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), `${to}/${name}`];
    if (statSync(source).isDirectory()) copy(source, target);
    else python.FS.writeFile(target, new Uint8Array(readFileSync(source)));
  }
}

copy(folder, "/packing/packages");
python.FS.writeFile("/packing/stdlib.zip", new Uint8Array(readFileSync(stdlib)));
python.FS.writeFile("/packing/tab_bytecode.py", readFileSync(new URL("tab_bytecode.py", import.meta.url), "utf8"));
python.runPython(`
import sys
sys.path.insert(0, "/packing")
import tab_bytecode
tab_bytecode.pack_folder("/packing/packages", "/packing/packages.zip")
tab_bytecode.pack_stdlib("/packing/stdlib.zip", "/packing/python_stdlib.zip", "/packing/packages", ${JSON.stringify(modules)})
`);
for (const name of ["packages.zip", "python_stdlib.zip"]) {
  writeFileSync(join(py, name), python.FS.readFile(`/packing/${name}`));
}
