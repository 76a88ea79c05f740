// Loads a library that `wasm_linker` made into memory of its own.
const PAGE = 65536;
const STACK = 1 << 18;

/** How many bytes of memory a library needs for its data: the first number of its section `dylink.0`. */
function sizeOfData(module) {
  const [section] = WebAssembly.Module.customSections(module, "dylink.0");
  const bytes = new Uint8Array(section);
  let at = 2; // the kind and the length of the first part, which is short
  let size = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    size |= (byte & 0x7f) << shift;
    if (byte < 0x80) return size;
  }
}

export async function load(code) {
  const module = await WebAssembly.compile(code);
  const memory = new WebAssembly.Memory({ initial: 16 });
  let top = STACK;
  function malloc(size) {
    const at = top;
    top = (top + size + 15) & ~15;
    const missing = Math.ceil((top - memory.buffer.byteLength) / PAGE);
    if (missing > 0) memory.grow(missing);
    return at;
  }
  const base = malloc(sizeOfData(module));
  const env = {
    memory,
    malloc,
    __memory_base: new WebAssembly.Global({ value: "i32" }, base),
    __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, STACK),
  };
  const { exports } = await WebAssembly.instantiate(module, { env });
  exports.__wasm_apply_data_relocs?.();
  return { exports, memory, malloc };
}
