"""Makes recorded calls again (see calls.py) with code that Numba compiles while running, or with the version of the
library that all processors of this kind can run: python replay.py jit|generic < calls"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np

from build.calls import digest, manifest
from sintra.build.signatures import _elements, all_signatures
from sintra.rules.compiled import _LIBRARY, ENTRIES, IS_JIT
from sintra.rules.library import FOLDER


class Replayer:
    """Calls entries with arrays of its own."""

    def __init__(self) -> None:
        self.signatures = {one.symbol: (name, one) for name, one in all_signatures().items()}
        self.functions: dict[str, Any] = {}
        self.slots: dict[int, bytearray] = {}

    def function(self, symbol: str) -> Any:
        """The compiled function of an entry, as its module has it."""
        if symbol not in self.functions:
            name, _ = self.signatures[symbol]
            declared = ENTRIES[name]
            self.functions[symbol] = sys.modules[declared.function.__module__].__dict__[declared.function.__name__]
        return self.functions[symbol]

    def call(self, line: dict[str, Any], contents: dict[int, bytes]) -> None:
        """Makes one call again."""
        for slot, content in contents.items():
            self.slots[slot] = bytearray(content)
        name, _ = self.signatures[line["symbol"]]
        hints = get_type_hints(ENTRIES[name].function, include_extras=True)
        returns = hints.pop("return")
        left = iter(line["given"])
        arguments = [self._argument(hint, left) for hint in hints.values()]
        result = self.function(line["symbol"])(*arguments)
        out = list(left)
        used = dict.fromkeys(one["slot"] for one in line["given"] if isinstance(one, dict))
        if out:
            self.slots[out[0]["slot"]] = bytearray(np.array(result, np.int64).tobytes())
            result = None
        assert returns is not float or isinstance(result, float)
        after = digest([bytes(self.slots[slot]) for slot in used], result)
        assert after == line["after"], f"{line['symbol']} has another result: {result}"

    def _argument(self, hint: Any, left: Any) -> Any:
        if hint in (int, bool, float):
            return hint(next(left))
        if elements := _elements(hint):
            place = next(left)
            memory = self.slots.setdefault(place["slot"], bytearray(place["bytes"]))
            return np.ndarray(place["shape"], np.dtype(elements.kind), memory)
        return hint(*(self._argument(one, left) for one in get_type_hints(hint, include_extras=True).values()))


def take_version_for_all() -> None:
    """Puts the functions that all processors of this kind can run in place of those for x86-64-v3."""
    assert _LIBRARY is not None
    bindings = next(iter(_LIBRARY._entries.values())).__globals__
    bindings["bind"](ctypes.CDLL(str(Path(os.environ[FOLDER], manifest()["library"]["file"]))), "")


def main() -> None:
    """Reads calls until there are no more, and says how many there were."""
    if sys.argv[1] == "generic":
        take_version_for_all()
    else:
        assert IS_JIT
    replayer, calls = Replayer(), 0
    stream = sys.stdin.buffer
    while text := stream.readline():
        line = json.loads(text)
        sent = [one for one in line["given"] if isinstance(one, dict) and one["sent"]]
        replayer.call(line, {one["slot"]: stream.read(one["bytes"]) for one in sent})
        calls += 1
    print(calls)


if __name__ == "__main__":
    main()
