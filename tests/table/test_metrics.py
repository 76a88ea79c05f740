"""What the service tells of itself: metrics for Prometheus, its health, and who may read them through which proxy."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from uvicorn.server import ServerState

from sintra import __version__
from sintra.cli import main
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import StorageError
from sintra.table.http import house_endpoints
from sintra.table.http.metrics import BUCKETS, Metrics, Readers
from sintra.table.http.security import Hosts
from sintra.table.http.server import _config, _metrics_config
from sintra.table.shown.game import Watcher
from sintra.table.workers.thinkers import ThinkingJob, compile_part
from table.local_table import LocalTable, friends
from table.served import TIMEOUT_S
from table.storages import Failure, Waiting


def metrics_of(text: str) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    """All samples by name and labels, as Prometheus' own parser reads them."""
    found: dict[str, dict[tuple[tuple[str, str], ...], float]] = {}
    for family in text_string_to_metric_families(text):
        assert family.type != "unknown"
        assert family.documentation
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.items()))] = sample.value
    return found


def read(local: LocalTable) -> dict[str, dict[tuple[tuple[str, str], ...], float]]:
    answer = local.person().ask("GET", "/metrics")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return metrics_of(answer.text)


# --- what is counted ----------------------------------------------------------------------------


def test_what_happens_is_counted(local: LocalTable) -> None:
    game, ann, ben, links = friends(local)
    local.play(game, {0: ann, 1: ben}, most=3)
    ann.refused("POST", f"/games/{game}/moves", {"id": "post-stale", "seq": 0, "token": "T13"})
    ann.ask("BREW", "/api/health")
    stream = local.table.hub.stream(local.room(game), Watcher((0,)), None)
    local.runner.run(asyncio.wait_for(anext(stream), TIMEOUT_S))
    found = read(local)
    assert found["sintra_build_info"] == {(("version", __version__),): 1}
    requests = found["sintra_http_requests_total"]
    moves = {"method": "POST", "route": "/api/games/{game}/moves"}
    assert requests[tuple(sorted({**moves, "status": "200"}.items()))] == 3
    assert requests[tuple(sorted({**moves, "status": "409"}.items()))] == 1
    assert any(dict(labels)["method"] == "other" for labels in requests), "a method is what somebody else says"
    route = ("route", moves["route"])
    assert found["sintra_http_request_duration_seconds_count"][(route,)] == 4
    assert found["sintra_http_request_duration_seconds_sum"][(route,)] > 0
    classes = [
        found["sintra_http_request_duration_seconds_bucket"][("le", le), route] for le in (*map(str, BUCKETS), "+Inf")
    ]
    assert classes == sorted(classes)
    assert classes[-1] == 4
    assert found["sintra_events_appended_total"][()] == len(local.log(game))
    assert found["sintra_games_in_memory"][()] == found["sintra_games_playing"][()] == 1
    assert found["sintra_streams"][()] == 1
    assert found["sintra_thinkers"][()] == 1
    assert found["sintra_thinkers_busy"][()] == found["sintra_jobs_waiting"][()] == 0
    assert found["sintra_reviews_waiting"][()] == 0
    assert found["process_resident_memory_bytes"][()] > 1e6
    assert found["process_cpu_seconds_total"][()] > 0
    assert found["process_start_time_seconds"][()] > 1e9
    local.runner.run(stream.aclose())
    text = ann.ask("GET", "/metrics").text
    assert metrics_of(text)["sintra_streams"][()] == 0
    for secret in (game, "Ann", "Ben", "127.0.0.1", *links.values()):
        assert secret not in text


def test_jobs_are_counted(local: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    (thinker,) = local.thinkers._all
    may_go_on = threading.Event()
    monkeypatch.setattr(thinker, "think", lambda job: may_go_on.wait())
    told: list[tuple[float, ...]] = []
    names = ("sintra_thinkers_busy", "sintra_jobs_waiting", "sintra_job_seconds_count")

    async def think() -> None:
        asked = asyncio.gather(*(local.thinkers._ask(ThinkingJob(compile_part, ("choices",)), 0.0) for _ in range(3)))
        await asyncio.sleep(0)
        for _ in range(2):
            found = metrics_of(local.access_log.metrics.text(local.table))
            told.append(tuple(found[name][()] for name in names))
            may_go_on.set()
            await asked

    local.runner.run(think())
    assert told == [(1, 2, 0), (0, 0, 3)]
    assert read(local)["sintra_job_seconds_sum"][()] > 0


def test_processes_are_told_apart(local: LocalTable) -> None:
    """Labels survive whatever is in them."""
    metrics = Metrics(3)
    metrics.note_request('a "b"\\\n', "GET", 200, 99.0)
    found = metrics_of(metrics.text(local.table))
    assert all(("process", "3") in labels for samples in found.values() for labels in samples)
    ((labels, count),) = found["sintra_http_requests_total"].items()
    assert (dict(labels)["route"], count) == ('a "b"\\\n', 1)


# --- a database that fails ----------------------------------------------------------------------


@pytest.fixture
def storage() -> Waiting:
    return Waiting(SqliteStorage(":memory:"))


async def is_read_only() -> bool:
    return False


def test_health_tells_of_the_database(storage: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    with LocalTable(storage=storage) as local:
        ann = local.person()
        assert ann.get("/health")["database"] == "ok"
        storage.before["check"] = Failure(StorageError("gone"))
        away = ann.ask("GET", "/api/health")
        assert (away.status_code, away.json()["database"], away.json()["status"]) == (503, "away", "ok")
        assert ann.get("/health")["database"] == "ok"
        with monkeypatch.context() as patched:
            patched.setattr(storage.inner, "check", is_read_only)
            assert ann.get("/health")["database"] == "read_only"
        monkeypatch.setattr(house_endpoints, "_CHECK_TIMEOUT_S", 0.01)
        storage.before["check"] = asyncio.Event().wait  # type: ignore[assignment]
        assert ann.ask("GET", "/api/health").status_code == 503


def test_a_write_that_fails_is_refused_and_can_be_repeated(storage: Waiting) -> None:
    with LocalTable(storage=storage) as local:
        game, ann, ben, _ = friends(local)
        people = {0: ann, 1: ben}
        local.play(game, people, most=2)
        room = local.room(game)
        storage.before["append"] = Failure(StorageError("the database cannot be used: no room"))
        seq = room.seq
        body = {"id": "post-again", "seq": seq, "token": str(room.game.legal_moves[0])}
        mover = people[room.now.turn]
        assert mover.refused("POST", f"/games/{game}/moves", body) == (503, "failed")
        told = [line for line in local.lines if "level" in line]
        assert [(line["what"], line["why"]) for line in told] == [("database", "the database cannot be used: no room")]
        assert mover.post(f"/games/{game}/moves", body)["seq"] == seq + 1
        assert read(local)["sintra_database_errors_total"][()] == 1


def test_a_computer_whose_move_cannot_be_written_tries_again_while_somebody_waits(
    storage: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sintra.table.service.service._RETRY_DELAY_S", 0.0)
    with LocalTable(storage=storage) as local:
        ann = local.person()
        local.thinkers.slow = True
        game = ann.create("computer", first="me")["game"]
        stream = local.table.hub.stream(local.room(game), Watcher((0,)), None)
        local.runner.run(asyncio.wait_for(anext(stream), TIMEOUT_S))
        storage.before["append"] = Failure(StorageError("no room"))
        local.thinkers.slow = False
        local.settle()
        assert [one.text.count("move") for one in local.log(game)] == [0, 1]
        assert [line["why"] for line in local.lines if "level" in line] == ["no room"]
        local.runner.run(stream.aclose())


# --- who may read them --------------------------------------------------------------------------

NOBODY: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("networks", "address", "host", "more", "status"),
    [
        (NOBODY, "127.0.0.1", "localhost", {}, 200),
        (NOBODY, "::1", "[::1]:8765", {}, 200),
        (NOBODY, "192.0.2.7", "localhost", {}, 404),
        (NOBODY, "127.0.0.1", "table.example.org", {}, 404),
        (NOBODY, "127.0.0.1", "localhost", {"x-forwarded-for": "127.0.0.1"}, 404),
        (NOBODY, "127.0.0.1", "localhost", {"forwarded": "for=127.0.0.1"}, 404),
        (("192.0.2.0/24",), "192.0.2.7", "table.example.org", {}, 200),
        (("192.0.2.0/24",), "::ffff:192.0.2.7", "table.example.org", {}, 200),
        (("192.0.2.0/24", "2001:db8::1"), "2001:db8::1", "table.example.org", {}, 200),
        (("192.0.2.0/24",), "198.51.100.7", "table.example.org", {}, 404),
        (("192.0.2.0/24",), "nonsense", "table.example.org", {}, 404),
        (("192.0.2.7",), "127.0.0.1", "localhost", {}, 200),
    ],
)
def test_metrics_are_for_this_machine_and_who_is_named(
    networks: tuple[str, ...], address: str, host: str, more: dict[str, str], status: int
) -> None:
    with LocalTable(hosts=Hosts(["table.example.org"]), readers=Readers(networks)) as local:
        answer = local.person(address=address).ask("GET", "/metrics", headers={"host": host, **more})
        assert answer.status_code == status
        if status == 404:
            nothing = local.person(address=address).ask("GET", "/nothing.js", headers={"host": host, **more})
            assert answer.content == nothing.content, "as if there was nothing"


@pytest.mark.parametrize(
    ("option", "value", "right"),
    [
        ("--metrics-from", "prometheus", "must be an address, or a network such as 10.0.0.0/8"),
        ("--trust-proxy", "10.0.0.0/33", "must be an address, or a network such as 10.0.0.0/8"),
        ("--metrics-port", "0", "must be a port from 1 to 65535"),
        ("--workers", "0", "must be a number of processes from 1 to 256"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    option: str, value: str, right: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["serve", option, value])
    assert f"{value!r} {right}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("networks", "at"),
    [
        ((), "127.0.0.1"),
        (("127.0.0.0/8",), "127.0.0.1"),
        (("192.0.2.7",), "0.0.0.0"),
        (("10.0.0.0/8", "fd00::/8"), "::"),
    ],
)
def test_their_own_port_listens_to_those_who_may(networks: tuple[str, ...], at: str) -> None:
    assert Readers(networks).listen_at == at


async def answered(config: Any, request: bytes) -> bytes:
    """What a server with this configuration answers on a real connection."""
    config.load()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: config.http_protocol_class(config, ServerState(), {}), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    writer.write(request)
    answer = await asyncio.wait_for(reader.read(), TIMEOUT_S)
    writer.close()
    server.close()
    return answer


@pytest.mark.parametrize(
    ("proxies", "is_believed"), [((), True), (("192.0.2.1",), False), (("192.0.2.1", "127.0.0.0/8"), True)]
)
def test_proxies_are_believed_that_are_trusted(proxies: tuple[str, ...], is_believed: bool) -> None:
    """Who comes by one is not of this machine, and comes by HTTPS if the proxy says so."""
    body = b'{"mode": "screen", "names": ["Ann", "Ben"]}'
    head = b"host: localhost\r\nconnection: close\r\nx-forwarded-for: 192.0.2.9\r\nx-forwarded-proto: https\r\n"
    post = b"POST /api/games HTTP/1.1\r\n%scontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"
    with LocalTable(readers=Readers(["192.0.2.9"])) as local:
        made = local.runner.run(answered(_config(local.app, proxies), post % (head, len(body), body)))
        assert made.startswith(b"HTTP/1.1 200")
        assert (b"; secure" in made.lower()) == is_believed
        read = local.runner.run(answered(_config(local.app, proxies), b"GET /metrics HTTP/1.1\r\n%s\r\n" % head))
        assert read.split()[1] == (b"200" if is_believed else b"404")
        beside = _metrics_config(local.web.metrics_application())
        refused = local.runner.run(answered(beside, b"GET /metrics HTTP/1.1\r\n%s\r\n" % head))
        assert refused.split()[1] == b"404", "no proxy has a say at the port for metrics"
