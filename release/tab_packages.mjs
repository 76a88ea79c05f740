// Packs what Python imports in a tab: node tab_packages.mjs PY FOLDER
// compiles FOLDER with the Python in PY, whose bytecode no other version has, and writes PY/packages.zip.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [py, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(py, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: `${py}/` });

function copy(from, to) {
  python.FS.mkdirTree(to);
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), `${to}/${name}`];
    if (statSync(source).isDirectory()) copy(source, target);
    else python.FS.writeFile(target, new Uint8Array(readFileSync(source)));
  }
}

copy(folder, "/work/packages");
await python.runPythonAsync(`
import pathlib, py_compile, zipfile
root = pathlib.Path("/work/packages")
unneeded = ("anyio/_backends/_trio", "anyio/pytest_plugin", "segno/cli", "starlette/testclient")
with zipfile.ZipFile("/work/packages.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for file in sorted(root.rglob("*")):
        name = file.relative_to(root).as_posix()
        if not file.is_file() or file.suffix in (".pyi", ".c", ".h") or name.startswith(unneeded) or ".dist-info" in name:
            continue
        # anyio reads its own sources, and the engine's bindings are checked before they are used
        stays = name.startswith("sintra/native/") or b"install_lazy_importer()" in file.read_bytes()
        if file.suffix == ".py" and not stays:
            compiled = file.with_suffix(".pyc")
            py_compile.compile(str(file), str(compiled), name, doraise=True,
                               invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
            file, name = compiled, name + "c"
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, file.read_bytes(), compresslevel=9)
`);
writeFileSync(join(py, "packages.zip"), python.FS.readFile("/work/packages.zip"));
