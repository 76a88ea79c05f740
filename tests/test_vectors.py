"""The conformance vectors: games and counts of an independent referee."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from helpers import VECTORS
from sintra import Game
from sintra.records.files import parse_records, read_records, write_records
from sintra.records.record import Record

GAMES: Final = [
    pytest.param(path.name, index, id=f"{path.stem}-{index}")
    for path in sorted(VECTORS.glob("*.jsonl"))
    for index, _ in enumerate(path.read_text("utf-8").splitlines())
]
PERFT: Final[list[dict[str, Any]]] = json.loads((VECTORS / "perft.json").read_text("utf-8"))


def load(name: str, index: int) -> tuple[dict[str, Any], Record]:
    """A game of the vectors, as plain JSON and as a record."""
    line = (VECTORS / name).read_text("utf-8").splitlines()[index]
    data = json.loads(line)
    assert isinstance(data, dict)
    return data, Record.loads(line)


def test_all_vectors_are_here() -> None:
    assert len(GAMES) == 140
    assert len(PERFT) == 12


@pytest.mark.parametrize(("name", "index"), GAMES)
def test_game_replays_with_its_legal_counts_and_result(name: str, index: int) -> None:
    data, record = load(name, index)
    assert record.legal == tuple(data["legal"])
    game = record.check()
    assert [str(move) for move in game.moves] == data["moves"]
    if "result" not in data:
        assert game.result is None
        assert game.awaits_deal
        return
    if "reason" not in data["result"]:
        assert game.is_over
        assert game.result is not None
        assert list(game.scores) == data["result"]["scores"]
        assert [list(points) for points in game.result.goals or ()] == data["result"]["goals"]
        assert game.result.winner == data["result"]["winner"]


@pytest.mark.parametrize(("name", "index"), GAMES)
def test_own_record_of_the_game_is_the_same(name: str, index: int) -> None:
    data, record = load(name, index)
    again = Record.of(record.replay(), data["players"], legal=True).to_dict()
    for key in ("format", "rules", "players", "first", "moves", "legal"):
        assert again[key] == data[key], key
    assert again.get("result") == data.get("result")
    assert again["deal"]["plates"] == data["deal"]["plates"]
    assert again["deal"]["chips"] == data["deal"]["chips"]
    sorted_tiles = [[sorted(letters) for letters in factories] for factories in data["deal"]["tiles"]]
    assert [[sorted(letters) for letters in factories] for factories in again["deal"]["tiles"]] == sorted_tiles


@pytest.mark.parametrize("name", sorted({path.name for path in VECTORS.glob("*.jsonl")}))
def test_records_survive_writing_and_reading(name: str, tmp_path: Path) -> None:
    text = (VECTORS / name).read_text("utf-8")
    records = read_records(VECTORS / name)
    assert [record.to_dict() for record in records] == [json.loads(line) for line in text.splitlines()]
    write_records(tmp_path / name, records)
    assert read_records(tmp_path / name) == records
    assert parse_records("".join(record.dumps() + "\n" for record in records)) == records


@pytest.mark.parametrize("case", PERFT, ids=[case["note"] for case in PERFT])
def test_perft(case: dict[str, Any]) -> None:
    _, record = load(case["record"], case["game"])
    assert record.perft(case["ply"], case["depth"]) == case["leaves"]


def test_perft_of_a_game_stops_where_tiles_are_to_be_dealt() -> None:
    _, record = load("kinds.jsonl", 0)
    plies = [ply for ply, token in enumerate(record.moves) if token == "E"]
    game = record.replay(plies[1])
    assert game.perft(1) == len(game.legal_moves)
    ends = [move for move in game.legal_moves if str(move) == "E"]
    assert ends
    assert game.perft(2) == sum(max(1, moves_after(game, str(move))) for move in game.legal_moves)


def moves_after(game: Game, token: str) -> int:
    """How many moves follow a token."""
    after = game.copy()
    after.push(token)
    return len(after.legal_moves)
