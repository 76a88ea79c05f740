"""What somebody gets who installs Sintra, and how long they wait for the first move.

    make installed                                          builds the wheel, installs it in a bare environment
    python bench/installed.py dist/sintra-*.whl             the same with a wheel that is there
    python bench/installed.py --command .venv/bin/sintra    the times of an installation that is there
    python bench/installed.py --clone                       the times of `make play` in a fresh clone

Prints the packages with their sizes, and the times from the start of a process to `import sintra`, to the first
decision of a new game, and to the computer's answer: the first time, and the median of those that follow, when the
files are in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).parent.parent
MB: Final = 1_000_000
_POLL_S: Final = 0.05
_TIMEOUT_S: Final = 300.0
_PACKAGES: Final = """
import json
from importlib.metadata import distributions
found = {}
for one in distributions():
    files = {one.locate_file(file).resolve() for file in one.files or ()}
    found[f"{one.name} {one.version}"] = sum(file.stat().st_size for file in files if file.is_file())
print(json.dumps(found))
"""


class Times(NamedTuple):
    """Seconds since the start of `sintra`, and memory after the computer's move."""

    listening: float
    """Until it says where the table is."""
    decision: float
    """Until a new game asks its first decision."""
    answer: float
    """Until the computer has answered the first move."""
    thinker: float | None
    """Megabytes resident in the largest process that thinks; None where there is no /proc."""
    service: float | None
    """Megabytes resident in the process that serves."""


def build_wheel(folder: Path) -> Path:
    """Builds the wheel of this checkout."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "--quiet", "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return max(folder.glob("sintra-*.whl"), key=lambda one: one.stat().st_mtime)


@contextmanager
def bare_environment(wheel: Path) -> Iterator[Path]:
    """An environment with the wheel, what it needs and nothing else; gives its Python."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        python = Path(folder) / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(python)]
        subprocess.run([*pip, "install", "--no-compile", str(wheel)], check=True)
        subprocess.run([str(python), "-m", "compileall", "-qq", str(Path(folder) / "lib")], check=False)
        yield python


def packages(python: Path) -> dict[str, int]:
    """The installed packages with the bytes of their files, without bytecode."""
    done = subprocess.run([str(python), "-c", _PACKAGES], check=True, capture_output=True, text=True)
    found: dict[str, int] = json.loads(done.stdout)
    return found


def size_of(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def import_seconds(python: Path) -> float:
    """How long a process takes that imports the package and ends."""
    began = time.perf_counter()
    subprocess.run([str(python), "-c", "import sintra"], check=True, cwd=tempfile.gettempdir())
    return time.perf_counter() - began


def first_game(command: Sequence[str]) -> Times:
    """Starts the table as a player does, begins a game, makes the first legal move, and waits for the answer."""
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        with subprocess.Popen(
            command,
            env=os.environ | {"XDG_DATA_HOME": home, "LOCALAPPDATA": home, "PYTHONUNBUFFERED": "1", "BROWSER": "true"},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as service:
            try:
                return _play(service, began)
            finally:
                os.killpg(service.pid, signal.SIGTERM) if hasattr(os, "killpg") else service.terminate()


def _play(service: subprocess.Popen[str], began: float) -> Times:
    assert service.stdout is not None
    line = next((line for line in service.stdout if "http" in line), None)
    if line is None:
        raise SystemExit("the table did not start")
    address = next(word.rstrip("/.,") for word in line.split() if word.startswith("http"))
    listening = time.perf_counter() - began
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(path: str, **posted: Any) -> Any:
        data = json.dumps(posted).encode() if posted else None
        headers = {"content-type": "application/json", "origin": address}
        request = urllib.request.Request(f"{address}/api{path}", data, headers)
        with opener.open(request, timeout=_TIMEOUT_S) as answer:
            return json.load(answer)

    # in the opening the player who does not start lays a plate first
    game = ask("/games", mode="computer", names=["Ana"], first="other")["game"]
    shown = ask(f"/games/{game}")
    decision = time.perf_counter() - began
    ask(f"/games/{game}/moves", id="the-first-move", seq=shown["seq"], token=_first_token(shown["options"]))
    while ask(f"/games/{game}")["ply"] < shown["ply"] + 2:
        if time.perf_counter() - began > _TIMEOUT_S:
            raise SystemExit("the computer does not answer")
        time.sleep(_POLL_S)
    answer = time.perf_counter() - began
    thinkers = [resident for one in _children(service.pid) if (resident := _resident(one)) is not None]
    return Times(listening, decision, answer, max(thinkers, default=None), _resident(service.pid))


def _first_token(options: Any) -> str:
    """The first move that is offered."""
    if isinstance(options, dict):
        if isinstance(options.get("token"), str):
            return str(options["token"])
        options = list(options.values())
    if isinstance(options, list):
        for one in options:
            if found := _first_token(one):
                return found
    return ""


def _children(process: int) -> list[int]:
    """All processes below one; none where there is no /proc."""
    found: list[int] = []
    for file in Path("/proc").glob(f"{process}/task/*/children"):
        for child in map(int, file.read_text().split()):
            found += [child, *_children(child)]
    return found


def _resident(process: int) -> float | None:
    """The resident memory of a process in megabytes."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 / MB for line in lines if line.startswith("VmRSS:")), None)


def _row(what: str, figures: Sequence[float], unit: str) -> None:
    """Prints the first figure, and the median of the others."""
    later = figures[1:] or figures
    print(f"{what:42} {figures[0]:8.2f} {median(later):8.2f} {unit}")


def print_times(command: Sequence[str], turns: int) -> None:
    """Prints the times and the memory of some starts."""
    measured = [first_game(command) for _ in range(turns)]
    _row("`sintra` until the table is open", [one.listening for one in measured], "s")
    _row("`sintra` to the first decision", [one.decision for one in measured], "s")
    _row("`sintra` to the computer's first move", [one.answer for one in measured], "s")
    for what, memory in (
        ("memory of a process that thinks", [one.thinker for one in measured]),
        ("memory of the service", [one.service for one in measured]),
    ):
        if known := [one for one in memory if one is not None]:
            _row(what, known, "MB")


def print_installation(wheel: Path, turns: int) -> None:
    """Installs a wheel and prints everything."""
    print(f"{wheel.name}: {wheel.stat().st_size / MB:.1f} MB")
    with bare_environment(wheel) as python:
        found = packages(python)
        for name, size in sorted(found.items(), key=lambda one: -one[1]):
            print(f"    {name:30} {size / MB:8.2f} MB")
        with_bytecode = size_of(python.parent.parent) / MB
        print(f"{len(found)} packages, {sum(found.values()) / MB:.1f} MB; {with_bytecode:.1f} MB with their bytecode")
        print(f"{'':42} {'first':>8} {'median':>8}")
        _row("python -c 'import sintra'", [import_seconds(python) for _ in range(turns + 2)], "s")
        print_times([str(python), "-m", "sintra", "--no-browser"], turns)


def print_clone(turns: int) -> None:
    """Clones this checkout's last commit and runs `make play` there, each time anew and with nothing compiled."""
    measured = []
    for _ in range(turns):
        with tempfile.TemporaryDirectory() as folder:
            clone, cache = Path(folder) / "sintra", Path(folder) / "cache"
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
            os.environ["XDG_CACHE_HOME"] = str(cache)
            measured.append(first_game(["make", "--silent", "-C", str(clone), "play"]))
    _row("`make play` to the first decision", [one.decision for one in measured], "s")
    _row("`make play` to the computer's first move", [one.answer for one in measured], "s")


def main() -> None:
    """Measures what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", nargs="?", type=Path, help="a wheel; otherwise one is built from this checkout")
    parser.add_argument("--command", metavar="SINTRA", help="measure this installation instead")
    parser.add_argument("--clone", action="store_true", help="measure `make play` in a fresh clone instead")
    parser.add_argument("--turns", type=int, default=5, help="how many starts (default 5)")
    options = parser.parse_args()
    if options.clone:
        print_clone(options.turns)
    elif options.command:
        print(f"{'':42} {'first':>8} {'median':>8}")
        print_times([options.command, "--no-browser"], options.turns)
    else:
        print_installation(options.wheel or build_wheel(ROOT / "build" / "wheel"), options.turns)


if __name__ == "__main__":
    main()
