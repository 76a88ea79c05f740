"""An engine that does one thing wrong, or nothing: `python odd_engine.py WHAT [FILE]`. It needs nothing but Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn


def hang() -> NoReturn:
    """Does nothing for ever."""
    while True:
        time.sleep(60)


def start_child() -> int:
    """Starts another process."""
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid


def start_daemon() -> int:
    """Starts another process in a session of its own, whose parent has ended."""
    read, write = os.pipe()
    first = os.fork()
    if first == 0:
        os.setsid()
        if pid := os.fork():
            os.write(write, str(pid).encode())
            os._exit(0)
        hang()
    os.waitpid(first, 0)
    return int(os.read(read, 20))


def leave_traces(path: Path, other: int) -> None:
    """Writes down which processes there are."""
    path.with_suffix(".part").write_text(f"{os.getpid()} {other}", "utf-8")
    path.with_suffix(".part").rename(path)


def say(text: str) -> None:
    """Says a line."""
    print(text, flush=True)


def hang_with_others(what: str, path: Path) -> NoReturn:
    """Starts another process and hangs; some send a signal to the process that keeps them before."""
    reaper = os.getppid()
    leave_traces(path, start_child() if what == "hang with a child" else start_daemon())
    if what == "kill the reaper":
        os.kill(reaper, signal.SIGKILL)
    elif what == "stop the reaper":
        os.kill(reaper, signal.SIGSTOP)
    hang()


def go(what: str, moves: list[str], path: Path | None) -> None:
    """Answers with the first legal move, unless it does something else."""
    if path and what in ("hang with a child", "hang with a daemon", "kill the reaper", "stop the reaper"):
        hang_with_others(what, path)
    if path and what == "crash once" and not path.exists():
        path.touch()
        raise RuntimeError("my mistake")
    match what:
        case "crash":
            raise RuntimeError("my mistake")
        case "exit":
            sys.exit(0)
        case "kill":
            os.abort()
        case "hang":
            hang()
        case "close":
            sys.stdout.flush()
            os.close(1)
            hang()
        case "nonsense":
            say("I would rather not")
        case "error":
            say("error no idea")
        case "no move":
            say("bestmove")
        case "no token":
            say("bestmove Q9")
        case "illegal":
            say("bestmove MB1")
        case "bytes":
            sys.stdout.buffer.write(b"\xff\xfe\x00\n")
            sys.stdout.flush()
        case "endless line":
            while True:
                sys.stdout.write("x" * 100_000)
        case "endless info":
            while True:
                say("info string still thinking")
        case "flood":
            while True:
                sys.stdout.write(1000 * "info string still thinking\n")
        case "unasked info":
            say(f"bestmove {moves[0]}\ninfo string I am happy with that")
        case "unasked":
            say(f"bestmove {moves[0]}\nbestmove {moves[0]}")
        case "loud":
            sys.stderr.write(10_000 * ("noise " * 50 + "\n"))
            sys.stderr.flush()
            say("info string that was loud\n")
            say(f"bestmove {moves[0]}\r")
        case _:
            say(f"bestmove {moves[0]}")


def main() -> None:
    """Talks as an engine should, up to a point."""
    what = sys.argv[1]
    path = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    moves: list[str] = []
    if what == "crash at the start":
        sys.exit("no licence")
    if what == "silent at the start":
        hang()
    if what == "endless options":
        while True:
            say("option depth number")
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        match command:
            case "sintra":
                say("name odd\nauthor nobody\noption depth number default 3")
                say("ok 9" if what == "from the future" else "ok 1")
            case "isready" if what != "never ready":
                say("readyok")
            case "setoption" if path:
                path.write_text(line.strip(), "utf-8")
            case "legal":
                moves = rest.split()
            case "go":
                go(what, moves, path)
            case "quit":
                return


if __name__ == "__main__":
    main()
