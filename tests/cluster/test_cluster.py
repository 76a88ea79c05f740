"""Games on a Ray cluster: the same records as here, every one of them and none twice, whatever happens to its nodes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from importlib import import_module
from operator import mul, truediv
from pathlib import Path
from typing import Any, Final

import pytest

import sintra
import soak
from ports import free_ports
from rays import HERE, Rays
from sintra.arena.match import Match, play_match
from sintra.cli import main
from sintra.cluster import connection
from sintra.cluster.pool import ClusterPool, open_pool
from sintra.cluster.tasks import RuntimeFiles
from sintra.learn.loop import WARM_UP, Plan, Run
from sintra.learn.notes import Notes
from sintra.players import base
from sintra.players.thinking import evaluator
from sintra.players.thinking.evaluator import HAND
from table.served import TIMEOUT_S

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("hears_ctrl_c")]

PAIR: Final = ("search:sims=40,nodes=200", "greedy")
NETWORK: Final = Path(evaluator.__file__).parent / "network.npz"
HOURS_LATER: Final = time.monotonic() + 36_000


@pytest.fixture
def rays(cluster: Rays) -> Rays:
    """A cluster with two nodes."""
    cluster.have(2)
    return cluster


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a command is given: no node of the cluster works there."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def games_in(path: Path) -> list[dict[str, Any]]:
    """The games of a match in the order of the deals, without the time that they took."""
    games = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for game in games:
        assert all(seconds >= 0 for seconds in game["arena"].pop("seconds"))
    return sorted(games, key=lambda game: (game["arena"]["deal"], game["arena"]["swapped"]))


def test_selfplay_has_the_same_records_byte_for_byte(
    rays: Rays, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    played = ["selfplay", "--players", *PAIR, "--games", "5", "--seed", "3", "--legal"]
    assert main([*played, "--out", "here.jsonl"]) == 0
    assert main([*played, "--out", "there.jsonl", "--cluster", rays.address]) == 0
    assert (folder / "there.jsonl").read_bytes() == (folder / "here.jsonl").read_bytes()
    assert capfd.readouterr() == ("", ""), "Ray says nothing here"


def test_players_from_files_make_the_same_decisions(
    rays: Rays, folder: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are known by names that lead nowhere on the nodes; the cluster is found by itself."""
    shutil.copyfile(NETWORK, "mine.npz")
    evaluator.hand_made_evaluator().save("mine.json")
    player = "search:sims=30,nodes=0,policy=mine.npz,value=mine.json"
    played = ["selfplay", "--players", player, "greedy", "--games", "3", "--format", "npz"]
    assert main([*played, "--out", "here.npz"]) == 0
    for name in ("RAY_TMPDIR", "RAY_ADDRESS"):
        monkeypatch.setenv(name, rays.environment[name])
    assert main([*played, "--out", "there.npz", "--cluster", "auto"]) == 0
    assert (folder / "there.npz").read_bytes() == (folder / "here.npz").read_bytes()
    assert capfd.readouterr() == ("", "")


def stopped(rays: Rays, games: int, out: Path) -> None:
    """Begins a match on a cluster as a program of its own, and stops it with Ctrl-C when it has a game."""
    arena = ["arena", *PAIR, "--games", str(games), "--cluster", rays.address, "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "sintra", *arena],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=rays.environment,
        start_new_session=True,
    )
    while not (out.exists() and out.stat().st_size):
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    said, _ = process.communicate(timeout=TIMEOUT_S)
    assert (process.returncode, said.decode()) == (130, "sintra: stopped\n")
    assert 1 <= len(games_in(out)) < games


@pytest.mark.soak
def test_a_match_that_is_stopped_and_loses_a_node_has_every_game_once(rays: Rays, tmp_path: Path) -> None:
    """Ctrl-C leaves the cluster as it is; then the match goes on, a node is killed, and another comes in its place."""
    for turn in range(soak.pick(1, 6)):
        games = soak.pick(16, 100)
        out, here = tmp_path / f"there{turn}.jsonl", tmp_path / f"here{turn}.jsonl"
        stopped(rays, games, out)
        match = Match(PAIR, games, seed=0)
        killed: list[int] = []

        def kill(now: Match, at: int = 4 + turn, killed: list[int] = killed) -> None:
            if len(now.played) >= at and not killed:
                rays.kill_node(-1)
                killed.append(len(now.played))

        play_match(match, jobs=None, cluster=rays.address, out=out, on_game=kill)
        assert [at < games for at in killed] == [True]
        play_match(Match(PAIR, games, seed=0), jobs=2, out=here)
        assert games_in(out) == games_in(here)
        rays.start_node()


def test_a_pool_that_loses_the_cluster_connects_again(rays: Rays) -> None:
    with open_pool(None, rays.address, RuntimeFiles) as working:
        assert isinstance(working, ClusterPool)
        assert working.size == 2
        first = working.submit(mul, 6, 7)
        assert first.result() == 42
        lost = working._connection._popen.pid
        os.kill(lost, signal.SIGSTOP)
        asked = [working.submit(mul, number, number) for number in range(6)]
        os.kill(lost, signal.SIGKILL)
        assert [one.result() for one in asked] == [0, 1, 4, 9, 16, 25]
        failing = working.submit(truediv, 1, 0)
        with pytest.raises(ZeroDivisionError):
            failing.result()


@pytest.mark.soak
def test_learning_plays_and_tries_on_a_cluster(rays: Rays, folder: Path) -> None:
    plan = Plan(games=4, budget=WARM_UP, trial_games=2, trial_sims=4, kind="linear", cluster=rays.address)
    run = Run(Path("learned"), plan, lambda line: None)
    assert run.best == "learned/best.npz"
    assert run.play(1, HOURS_LATER)
    assert sum(len(Notes.load(path).boards) for path in run.notes()) >= 4, "all that were done at once are kept"
    if soak.is_on:
        assert run.improve(1).tried == 2
    else:
        assert run.try_out("0001-network", run._named(run.best, None), run._named(HAND, None))[1] == 2
    assert len(games_in(folder / "learned" / "trials" / "0001-network.jsonl")) == 2


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a command is refused."""
    assert main(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_a_cluster_with_another_version_is_refused(
    rays: Rays, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sintra.cluster.pool, "__version__", "9.9.9")
    line = refused(capsys, "selfplay", "--cluster", rays.address)
    assert f"has Sintra {sintra.__version__}, and this is 9.9.9: install the same" in line


def test_what_is_wrong_with_a_cluster_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nowhere = f"{HERE}:{free_ports()}"
    assert f"no cluster answers at {nowhere}: " in refused(capsys, "selfplay", "--cluster", nowhere)
    for wrong in ("somewhere", "host:", "host:0", "host:99999", "http://host:1", ""):
        assert "is no address of a cluster: it reads like" in refused(capsys, "selfplay", "--cluster", wrong)
    client = refused(capsys, "selfplay", "--cluster", "ray://10.0.0.5:10001")
    assert "'ray://10.0.0.5:10001' is for Ray Client" in client
    assert "with the address that `ray start` takes, like 10.0.0.5:6379, or auto" in client
    for named, told in {
        "ray://10.0.0.5:10001": "RAY_ADDRESS, 'ray://10.0.0.5:10001', is for Ray Client",
        "local": "RAY_ADDRESS, 'local', is no address of a cluster",
        nowhere: f"no cluster answers at {nowhere}: ",
    }.items():
        monkeypatch.setenv("RAY_ADDRESS", named)
        assert told in refused(capsys, "selfplay", "--cluster", "auto")
    learning = ["learn", str(tmp_path / "learned"), "--kind", "linear", "--cluster", nowhere]
    assert main(learning) == 2
    assert capsys.readouterr().err.startswith(f"sintra learn: no cluster answers at {nowhere}: ")
    monkeypatch.setattr(connection, "find_spec", lambda name: None)
    assert "pip install 'sintra[cluster]'" in refused(capsys, "arena", *PAIR, "--cluster", nowhere)


def asked_here(ray_folder: Path) -> tuple[int, str, str]:
    """What comes of a command that looks for a cluster on this machine. Ray also looks for processes of clusters, of
    which other tests may have some: it finds none."""
    (ray_folder / "sitecustomize.py").write_text(
        "from functools import cache\nfrom ray._private import services\nservices.find_gcs_addresses = cache(set)\n",
        "utf-8",
    )
    path = os.pathsep.join([str(ray_folder), *filter(None, sys.path)])
    environment = os.environ | {"PYTHONPATH": path, "RAY_TMPDIR": str(ray_folder)}
    environment.pop("RAY_ADDRESS", None)
    command = [sys.executable, "-m", "sintra", "selfplay", "--cluster", "auto"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_a_machine_on_which_no_cluster_runs(tmp_path: Path) -> None:
    told = "no Ray cluster runs on this machine: start one with `ray start --head`, or give its address"
    assert asked_here(tmp_path) == (2, "", f"sintra selfplay: {told}\n")


def test_players_of_others(
    rays: Rays, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A program does not go to a cluster, nor does a player that only the main program knows; one goes that a module
    registers which the nodes can import."""
    monkeypatch.setattr(base, "_registry", dict(base._registry))
    engine = refused(capsys, "arena", "greedy", "--engine", f"{sys.executable} -m sintra engine", "--cluster", HERE)
    assert "is a program on this machine, which a cluster cannot start" in engine
    source = """
from sintra.players import register
from sintra.players.random_player import RandomPlayer
@register("mine", "plays at random")
class Mine(RandomPlayer):
    pass
"""
    play = ["selfplay", "--players", "mine", "random", "--cluster", rays.address]
    exec(source, {"__name__": "__main__"})
    told = refused(capsys, *play)
    assert "the player mine is registered by the program itself, which a cluster does not have" in told
    (tmp_path / "registers_mine.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("registers_mine")
    assert "of the cluster, cannot import registers_mine, which registers a player" in refused(capsys, *play)
    (rays.shared / "registers_mine.py").write_text(source, "utf-8")
    assert main(play) == 0
    assert json.loads(capsys.readouterr().out)["players"] == ["mine", "random"]


def test_a_cluster_on_this_machine_is_found_by_itself_until_it_is_gone(cluster: Rays) -> None:
    """Ray finds it by what it has written down, which stays when the cluster is killed."""
    cluster.stop()
    cluster.processors = 0
    cluster.start_node()
    folder = Path(cluster.environment["RAY_TMPDIR"])
    told = "the cluster has no processors: let a machine join it without --num-cpus=0"
    assert asked_here(folder) == (2, "", f"sintra selfplay: {told}\n")
    cluster.processors = 1
    cluster.start_node()
    code, record, errors = asked_here(folder)
    assert (code, json.loads(record)["players"], errors) == (0, ["random", "random"], "")
    with open_pool(None, cluster.address, RuntimeFiles) as working:
        assert isinstance(working, ClusterPool)
        assert working.submit(mul, 6, 7).result() == 42
        cluster.stop()
        os.kill(working._connection._popen.pid, signal.SIGKILL)
        lost = working.submit(mul, 6, 8)
        told = f"the cluster was lost, and now no cluster answers at {cluster.address}: Connection refused; the same"
        with pytest.raises(connection.ClusterLostError, match=f"^{told} command goes on"):
            lost.result()
    code, record, errors = asked_here(folder)
    assert (code, record) == (2, "")
    assert errors.startswith("sintra selfplay: the cluster of this machine is gone: no cluster answers at ")
    assert errors.endswith(f":{cluster.port}: Connection refused\n")
