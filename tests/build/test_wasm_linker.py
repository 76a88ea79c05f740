"""The linker for WebAssembly: a module that runs in Node, and objects that it refuses."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from build.exercise import node
from build.toy import toy_object
from sintra.build import wasm_linker
from sintra.build.targets import WASM
from sintra.build.wasm_linker import WasmLinkError

SCRIPT = """
import { readFileSync } from "node:fs";
import { load } from "./dynamic_library.mjs";
const { exports, memory, malloc } = await load(readFileSync(process.argv[2]));
const at = malloc(4), block = malloc(32);
new Int16Array(memory.buffer, at, 2).set([5, -7]);
function call(name, ...words) {
  new BigInt64Array(memory.buffer, block, words.length).set(words.map(BigInt));
  return exports[name](block);
}
const sums = [call("toy_add", at, 2, 0), call("toy_add", at, 2, 1)];
console.log(Object.keys(exports).join(" "), sums.join(" "), call("toy_is_first", 0), call("toy_is_first", 3));
"""


def test_a_linked_module_runs(tmp_path: Path) -> None:
    file = tmp_path / "toy.wasm"
    file.write_bytes(wasm_linker.link(toy_object(WASM), ["toy_add", "toy_is_first"]))
    (tmp_path / "script.mjs").write_text(SCRIPT, "utf-8")
    shutil.copy(Path(__file__).with_name("dynamic_library.mjs"), tmp_path)
    done = subprocess.run([node(), "script.mjs", str(file)], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "toy_add toy_is_first __wasm_apply_data_relocs 7 -5 1 0\n"


def test_linking_twice_gives_the_same_bytes() -> None:
    made = [wasm_linker.link(toy_object(WASM), ["toy_add"]) for _ in range(2)]
    assert made[0] == made[1]
    assert made[0][:8] == b"\0asm\1\0\0\0"


@pytest.mark.parametrize(
    ("code", "missing"),
    [
        (
            "declare i64 @far(i64)\ndefine i64 @f(i64 %x) {\n %y = call i64 @far(i64 %x)\n ret i64 %y\n}",
            "far",
        ),
        ("@table = external global i64\ndefine i64 @f() {\n %y = load i64, ptr @table\n ret i64 %y\n}", "table"),
    ],
)
def test_what_is_not_defined_is_named(code: str, missing: str) -> None:
    data = WASM.machine().emit_object(llvm.parse_assembly(f'target triple = "{WASM.triple}"\n{code}'))
    with pytest.raises(WasmLinkError, match=missing):
        wasm_linker.link(data, ["f"])
