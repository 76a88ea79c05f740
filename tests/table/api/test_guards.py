"""What stands before every request: hosts, cookies, headers, rates, the network; and what never leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from helpers import some
from sintra.table.http.network import Network
from sintra.table.http.security import Hosts, Rate, Rates
from table.local_table import LocalTable, friends


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.2", "", "[::2]"])
def test_other_hosts_are_refused(local: LocalTable, host: str) -> None:
    assert local.person().refused("GET", "/health", headers={"host": host}) == (421, "wrong_host")


def test_hosts_that_are_allowed() -> None:
    with LocalTable(hosts=Hosts(["table.example", "fe80::1"])) as local:
        ann = local.person()
        for host in ("localhost:8765", "LOCALHOST", "127.0.0.1:1", "[::1]:80", "table.example:443", "[fe80::1]:80"):
            assert ann.get("/health", headers={"host": host})["status"] == "ok"


def test_cookies_and_headers(local: LocalTable) -> None:
    ann = local.person()
    answer = ann.ask("POST", "/api/games", json={"mode": "computer", "names": ["Ann"]})
    cookie = answer.headers["set-cookie"]
    game = answer.json()["game"]
    assert f"Path=/api/games/{game};" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Secure" not in cookie
    assert answer.headers["cache-control"] == "no-store"
    for path in ("/api/health", "/", "/nothing.js", "/api/nothing", "/api/games"):
        headers = ann.ask("GET", path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers


def test_secure_cookie_over_https(local: LocalTable) -> None:
    ann = local.person()
    answer = ann.ask("POST", "https://localhost/api/games", json={"mode": "computer", "names": ["Ann"]})
    assert "Secure" in answer.headers["set-cookie"]


def test_rates() -> None:
    few = Rate(0.01, 2)
    with LocalTable(rates=Rates(few, few, Rate(0.01, 3), few, Rate(600, 100), few)) as local:
        ann, ben = local.person(), local.person(address="192.0.2.9")
        made = ann.create()
        ann.create()
        answer = ann.ask("POST", "/api/games", json={"mode": "computer", "names": ["Ann"]})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many")
        assert 5000 < int(answer.headers["retry-after"]) <= 6000
        ben.create()
        enter = f"/games/{made['game']}/enter"
        for _ in range(2):
            assert ben.refused("POST", enter, {"secret": "guessed-by-somebody"}) == (404, "no_game")
        assert ben.refused("POST", enter, {"secret": made["links"]["own"]}) == (429, "too_many")
        for _ in range(3):
            ann.cannot(made["game"], "moves", token="X")
        assert ann.cannot(made["game"], "moves", token="X") == (429, "too_many")


def test_network_is_changed_from_this_machine_only() -> None:
    network = Network(8765)
    calls = []

    async def listen(to_open: bool) -> tuple[list[str], int]:
        calls.append(to_open)
        return (["192.0.2.5"] if to_open else []), 8765

    network.listen = listen
    with LocalTable(network=network) as local:
        ann, far = local.person(), local.person(address="192.0.2.9")
        assert far.refused("POST", "/network", {"open": True}) == (403, "not_here")
        assert ann.refused("GET", "/health", headers={"host": "192.0.2.5:8765"}) == (421, "wrong_host")
        assert ann.post("/network", {"open": True}) == {
            "open": True,
            "addresses": ["http://192.0.2.5:8765"],
            "may_change": True,
            "reach": "network",
        }
        assert far.get("/health", headers={"host": "192.0.2.5:8765"})["status"] == "ok"
        assert not far.get("/about", headers={"host": "192.0.2.5:8765"})["network"]["may_change"]
        assert ann.refused("POST", "/network", {"open": False}, headers={"host": "192.0.2.5:8765"}) == (403, "not_here")
        assert not ann.post("/network", {"open": False})["open"]
        assert ann.refused("GET", "/health", headers={"host": "192.0.2.5:8765"}) == (421, "wrong_host")
        assert calls == [True, False]


@pytest.mark.parametrize(
    ("host", "reach"),
    [
        ("localhost:8765", "machine"),
        ("127.0.0.1", "machine"),
        ("[::1]:80", "machine"),
        ("192.168.1.7:8765", "network"),
        ("[fd00::7]", "network"),
        ("living-room", "network"),
        ("tiles.local:8765", "network"),
        ("9.9.9.9", "anywhere"),
        ("table.example.org", "anywhere"),
    ],
)
def test_who_asks_is_told_how_far_a_friend_may_be_away(host: str, reach: str) -> None:
    """By the name in the reader's address, which is the one in the links."""
    names = ["192.168.1.7", "fd00::7", "living-room", "tiles.local", "9.9.9.9", "table.example.org"]
    with LocalTable(hosts=Hosts(names)) as local:
        assert local.person().get("/about", headers={"host": host})["network"]["reach"] == reach


def test_a_page_of_this_machine_gives_links_of_the_network_away_once_it_is_open() -> None:
    with LocalTable(network=Network(8765, ["192.168.1.7"])) as local:
        ann, proxied = local.person(), local.person(address="9.9.9.9")
        assert ann.get("/about")["network"]["reach"] == "network"
        assert proxied.get("/about")["network"]["reach"] == "anywhere"


def test_network_that_cannot_be_changed(local: LocalTable) -> None:
    assert local.person().refused("POST", "/network", {"open": True}) == (403, "not_here")


def test_stopping_table_says_so(local: LocalTable) -> None:
    ann = local.person()
    local.table.hub.stopping = True
    assert ann.refused("GET", "/health") == (503, "stopping")


def test_failures_tell_nothing(local: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = local.person()
    made = ann.create()

    def fail(*arguments: Any, **more: Any) -> None:
        raise RuntimeError(f"with a secret: {made['links']['own']}")

    monkeypatch.setattr("sintra.table.service.service.whole_game", fail)
    answer = ann.ask("GET", f"/api/games/{made['game']}")
    assert (answer.status_code, answer.json()["code"]) == (500, "failed")
    assert "secret" not in answer.text
    errors = [line for line in local.lines if line.get("level") == "error"]
    assert errors[0]["what"] == "RuntimeError"
    assert made["links"]["own"] not in str(local.lines)


def test_log_has_no_secrets_tokens_or_seeds(local: LocalTable) -> None:
    game, ann, ben, links = friends(local)
    local.play(game, {0: ann, 1: ben}, most=40)
    text = str(local.lines)
    room = local.room(game)
    for secret in (*links.values(), str(room.created.seed), str(room.created.computer_seed), game):
        assert secret not in text
    assert {"time", "method", "route", "status", "ms"} == set(local.lines[0])
    assert "/api/games/{game}/moves" in text


def test_secrets_are_stored_as_hashes_only(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as local:
        *_, links = friends(local)
    data = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    for secret in some(links.values()):
        assert secret.encode() not in data
