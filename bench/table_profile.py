"""Where the processor time of the table goes: a sampling profiler in a real service, with clients in another process.

    python bench/table_profile.py                                   60 games of two players, SQLite
    python bench/table_profile.py --at postgres:1:60 --seconds 30 --think 0.2

The service runs as `sintra serve` runs it, in one process. A timer of the processor time that it has used (`SIGPROF`)
looks at the stack of the event loop's thread some hundred times in a second of that time, so idle time is not counted.
Counting begins when all clients sit. Told are the shares of the parts, with the milliseconds of a move that they are,
and the functions with the largest shares, on their own and with all that they call.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import linecache
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

from sintra.table.http.server import Settings, serve
from table_load import Load, Setting, database_of, warm

_INTERVAL_S: Final = 0.002
_TOP: Final = 30
_SHOWN: Final = {
    "position": "messages: position",
    "options": "messages: options",
    "forecasts": "messages: options",
    "foreseen": "messages: options",
    "turns": "messages: options",
    "boards": "messages: position",
    "story": "messages: story",
    "made_move": "messages: story",
}
"""The parts of the service to which modules in `shown` belong; other modules there are `the rest`."""
_STORAGE: Final = ("sqlite", "database", "postgres", "postgres_pool", "postgres_leases")
_WRITES: Final = ("transport.write(", "transport.writelines(", "sock.send(", "sock.sendmsg(")

Stack = tuple[tuple[CodeType, int], ...]


class Sampler:
    """Counts the stacks of the main thread, innermost function first, one sample for each interval of processor
    time."""

    def __init__(self) -> None:
        self.stacks: Counter[Stack] = Counter()
        self.elsewhere = 0
        """Samples at which other threads have used the time."""
        self._used = 0.0
        self._whole = 0.0
        self._counts = False

    def start(self, *_: object) -> None:
        """Begins to count."""
        self.stacks.clear()
        self.elsewhere = 0
        self._used, self._whole = time.thread_time(), time.process_time()
        self._counts = True
        signal.signal(signal.SIGPROF, self._sample)
        signal.setitimer(signal.ITIMER_PROF, _INTERVAL_S, _INTERVAL_S)

    def stop(self) -> None:
        """Stops counting, and ignores a signal that is on its way."""
        self._counts = False
        signal.setitimer(signal.ITIMER_PROF, 0)

    def _sample(self, _: int, frame: FrameType | None) -> None:
        if not self._counts:
            return
        used, whole = time.thread_time(), time.process_time()
        here, all_threads = used - self._used, whole - self._whole
        self._used, self._whole = used, whole
        if here < all_threads / 2:
            self.elsewhere += 1
            return
        stack = []
        while frame is not None:
            stack.append((frame.f_code, frame.f_lineno or 0))
            frame = frame.f_back
        self.stacks[tuple(stack)] += 1


def part_of(stack: Stack) -> str:
    """The part of the service to which a stack belongs: the innermost function that tells decides."""
    code, line = stack[0]
    if any(one in linecache.getline(code.co_filename, line) for one in _WRITES):
        return "HTTP: socket writes"
    found = ""
    for code, _ in stack:
        path = Path(code.co_filename)
        names = path.parts
        if "sintra" in names:
            inside = names[len(names) - names[::-1].index("sintra") :]
            if inside[:2] == ("table", "shown"):
                if path.stem in _SHOWN:
                    return _SHOWN[path.stem]
                found = "messages: rest"
                continue
            if found:
                return found
            if inside == ("table", "http", "server.py"):
                break
            if inside[:2] == ("table", "http"):
                return "HTTP: own code"
            if inside[:2] == ("table", "games") and path.stem in _STORAGE:
                return "storage"
            if inside[:3] == ("table", "service", "live.py"):
                return "streams and JSON"
            if inside[0] == "table":
                return "rooms and rules"
        elif found:
            continue
        elif {"uvicorn", "h11", "httptools"} & set(names):
            return "HTTP: uvicorn and parser"
        elif {"starlette", "anyio"} & set(names):
            return "HTTP: Starlette"
        elif "psycopg" in names or "psycopg_binary" in names:
            return "storage"
    return found or "event loop"


def function_name(code: CodeType) -> str:
    """A function with the end of its file's path."""
    return f"{'/'.join(Path(code.co_filename).parts[-2:])}:{code.co_qualname}"


def profile_of(sampler: Sampler) -> dict[str, dict[str, int]]:
    """Samples by part, and by function: on their own, and with all that they call."""
    parts: Counter[str] = Counter({"other threads": sampler.elsewhere})
    own: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for stack, count in sampler.stacks.items():
        parts[part_of(stack)] += count
        own[function_name(stack[0][0])] += count
        for name in {function_name(code) for code, _ in stack}:
            whole[name] += count
    return {"parts": dict(parts), "own": dict(own.most_common(_TOP)), "whole": dict(whole.most_common(_TOP))}


def serve_profiled(database: str, out: Path) -> None:
    """Runs a service: SIGUSR1 begins to count, SIGUSR2 writes down what was counted."""
    sampler = Sampler()

    def write(*_: object) -> None:
        sampler.stop()
        threading.Thread(target=write_profile).start()

    def write_profile() -> None:
        out.with_suffix(".part").write_text(json.dumps(profile_of(sampler)))
        out.with_suffix(".part").rename(out)

    signal.signal(signal.SIGUSR1, sampler.start)
    signal.signal(signal.SIGUSR2, write)
    settings = Settings(port=0, database=database, limits=False, logs=False)
    serve(settings, lambda address, _: print(address, flush=True))


def show(found: dict[str, dict[str, int]], each: float) -> None:
    """Prints what was found; a move took `each` milliseconds."""
    samples = sum(found["parts"].values())
    print(f"{samples} samples, {each:.2f} ms of service a move")
    for part, count in sorted(found["parts"].items(), key=lambda one: -one[1]):
        print(f"  {100 * count / samples:5.1f} %  {each * count / samples:6.3f} ms  {part}")
    for kind, what in (("own", "on their own"), ("whole", "with all that they call")):
        print(f"functions {what}:")
        for name, count in found[kind].items():
            print(f"  {100 * count / samples:5.1f} %  {name}")


async def measure(port: int, server: int, postmaster: int | None, options: argparse.Namespace) -> float:
    """Loads the service while it samples; returns the milliseconds of processor time of a move."""
    await warm(port)
    load = Load(port, server, postmaster, options.at, options)
    await load.add(options.at.games)
    gc.disable()
    os.kill(server, signal.SIGUSR1)
    tally = await load.measure()
    os.kill(server, signal.SIGUSR2)
    load.end()
    print(f"moves: {len(tally.answers)} ({len(tally.answers) / tally.seconds:.0f}/s), p99 {1000 * tally.p99:.1f} ms")
    return 1000 * tally.used[3] / len(tally.answers)


def main() -> None:
    """Measures, and prints what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Setting("sqlite", 1, 60)
    parser.add_argument("--at", type=Setting.parse, default=default, metavar="DATABASE:1:GAMES")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--think", type=float, default=0.5, help="seconds that a client thinks, on average")
    parser.add_argument("--json", type=Path, help="write the samples there, too")
    parser.add_argument("--serve", nargs=2, metavar=("DATABASE", "OUT"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.thinking = 0
    if options.serve:
        serve_profiled(options.serve[0], Path(options.serve[1]))
        return
    with database_of(options.at) as (database, postmaster), tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "profile.json"
        command = [sys.executable, __file__, "--serve", database, str(out)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline().decode().rpartition(":")[2])
            each = asyncio.run(measure(port, server.pid, postmaster, options))
            until = time.monotonic() + 60
            while not out.exists():
                if time.monotonic() > until:
                    raise SystemExit("the service wrote down nothing")
                time.sleep(0.05)
            found = json.loads(out.read_text())
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    show(found, each)
    if options.json:
        options.json.write_text(json.dumps(found | {"ms": each}))


if __name__ == "__main__":
    main()
