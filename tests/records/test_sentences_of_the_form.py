"""The form of records, sentence by sentence of what `sintra/1` says: all it allows is taken, and nothing else."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from helpers import ALL_RULES, TASTES, VECTORS, played, some
from sintra import Game, RecordError
from sintra.arena import Match, play_match
from sintra.arena.selfplay import selfplay
from sintra.cli import main
from sintra.records.files import parse_records, read_records
from sintra.records.record import Record
from sintra.records.seen import Seen

Change = Callable[[dict[str, Any]], None]
WHOLE: Final[dict[str, Any]] = json.loads((VECTORS / "random.jsonl").read_text("utf-8").splitlines()[0])
"""A finished game, with its numbers of legal moves."""


def changed(change: Change, data: dict[str, Any] = WHOLE) -> dict[str, Any]:
    """A record in which something was changed."""
    twin = copy.deepcopy(data)
    change(twin)
    return twin


def cut(ply: int, *, rounds: int = 5) -> dict[str, Any]:
    """A record cut after some moves, its result taken away; all tiles stay, or those of the first rounds."""

    def change(data: dict[str, Any]) -> None:
        del data["moves"][ply:], data["legal"][ply:], data["result"]
        del data["deal"]["tiles"][rounds:]

    return changed(change)


def checked(data: dict[str, Any]) -> Game:
    """The game of a record that is read from its text and checked."""
    [record] = parse_records(json.dumps(data))
    return record.check()


def round_ends() -> list[int]:
    """The plies after the last `E` of each round."""
    return [ply + 1 for ply, token in enumerate(WHOLE["moves"]) if token == "E"][1::2]


def blue(*counts: int) -> list[str]:
    """Tiles of a round: so many blue ones on the large factory and on 1 to 4."""
    return ["B" * count for count in counts]


# ---------------------------------------------------------------- what must be there


@pytest.mark.parametrize("key", ["format", "rules", "players", "first", "deal", "moves"])
def test_a_record_has_these_keys(key: str) -> None:
    def change(data: dict[str, Any]) -> None:
        del data[key]

    with pytest.raises(RecordError, match=key):
        checked(changed(change))


@pytest.mark.parametrize("players", [None, [], ["Ana"], ["Ana", "Bob", "Cy"], "Ana", ["Ana", None], {"0": "Ana"}])
def test_players_are_two_names(players: Any) -> None:
    with pytest.raises(RecordError, match="players"):
        checked(WHOLE | {"players": players})
    assert checked(WHOLE | {"players": ["", "Ana"]}).is_over


def test_a_game_that_is_over_has_a_result() -> None:
    for name in ("random", "greedy"):
        [data, *_] = (VECTORS / f"{name}.jsonl").read_text("utf-8").splitlines()
        without = {key: value for key, value in json.loads(data).items() if key != "result"}
        with pytest.raises(RecordError, match="over, but the record has no result") as caught:
            checked(without)
        assert caught.value.ply == len(without["moves"])
        assert Record.from_dict(without).replay().is_over, "it can still be looked at"


def test_a_game_that_goes_on_has_no_result() -> None:
    for ply in (0, 1, 60, len(WHOLE["moves"]) - 1):
        assert not checked(cut(ply)).is_over
        with pytest.raises(RecordError, match="not over, but the record has a result"):
            checked(cut(ply) | {"result": WHOLE["result"]})


@pytest.mark.parametrize("content", ["", "\n", " \n\n\t\n"])
def test_a_file_of_records_holds_at_least_one(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(content, "utf-8")
    assert main(["check", str(path), str(VECTORS / "random.jsonl"), "--quiet"]) == 1
    assert capsys.readouterr() == ("", f"{path}: holds no game\n")


# ---------------------------------------------------------------- the result


@pytest.mark.parametrize("reason", ["resigned", "timeout"])
def test_a_game_may_end_early(reason: str) -> None:
    for ply in (0, 50, round_ends()[0]):
        game = checked(cut(ply))
        for winner in (0, 1):
            result = {"scores": list(game.scores), "winner": winner, "reason": reason}
            checked(cut(ply) | {"result": result})
            with pytest.raises(RecordError, match="no goals"):
                checked(cut(ply) | {"result": result | {"goals": WHOLE["result"]["goals"]}})
            with pytest.raises(RecordError, match="no goals"):
                checked(cut(ply) | {"result": result | {"goals": None}})
            with pytest.raises(RecordError, match="scores"):
                checked(cut(ply) | {"result": result | {"scores": [99, 99]}})


def test_a_reason_is_one_of_two() -> None:
    for reason in (None, "", "bored", 1, ["resigned"]):
        with pytest.raises(RecordError, match=r"result\.reason"):
            checked(WHOLE | {"result": WHOLE["result"] | {"reason": reason}})


# ---------------------------------------------------------------- tiles


def test_letters_of_a_factory_stand_in_any_order() -> None:
    def change(data: dict[str, Any]) -> None:
        data["deal"]["tiles"] = [[letters[::-1] for letters in factories] for factories in data["deal"]["tiles"]]

    assert changed(change)["deal"] != WHOLE["deal"]
    assert checked(changed(change)) == checked(WHOLE)


def test_a_record_cut_after_any_move_may_keep_the_tiles_of_later_rounds() -> None:
    for ply in some(range(0, len(WHOLE["moves"]), 7)):
        begun = sum(end <= ply for end in round_ends()) + 1
        games = [checked(cut(ply, rounds=rounds)) for rounds in range(begun, 6)]
        assert all(game == games[0] for game in games)


def test_a_record_cut_after_a_rounds_last_end_may_lack_the_next_tiles() -> None:
    for begun, ply in some(enumerate(round_ends()[:-1], start=1)):
        assert checked(cut(ply, rounds=begun)).awaits_deal
        assert not checked(cut(ply, rounds=begun + 1)).awaits_deal
        with pytest.raises(RecordError, match="is not legal"):
            checked(cut(ply + 1, rounds=begun) | {"legal": None})
        with pytest.raises(RecordError, match="is not legal"):
            checked(cut(ply, rounds=begun - 1) | {"legal": None})


LATER_TILES: Final[dict[str, tuple[list[str], str | None]]] = {
    "nothing at all": (["", "", "", "", ""], None),
    "13 of a colour": (blue(1, 4, 4, 4, 0), None),
    "13 of every colour that fit": (["KRYTB", "BBBB", "BBBB", "KKKK", "KKKK"], None),
    "14 of a colour": (blue(2, 4, 4, 4, 0), "14 tiles of colour B"),
    "21 of a colour": (blue(5, 4, 4, 4, 4), "21 tiles of colour B"),
    "6 on the large factory": (["BYRKTB", "", "", "", ""], "more than 5"),
    "5 on a small factory": (["", "", "BYRKT", "", ""], "more than 4"),
    "a colour that is none": (["BYRKG", "", "", "", ""], "unknown colour"),
    "four factories": (["", "", "", ""], "5 entries"),
}


@pytest.mark.parametrize("name", LATER_TILES)
def test_tiles_of_later_rounds_could_be_dealt_at_all(name: str) -> None:
    tiles, refused = LATER_TILES[name]
    for later in range(1, 5):
        data = cut(10)
        data["deal"]["tiles"][later] = tiles
        if refused is None:
            assert checked(data) == checked(cut(10))
            assert Record.from_dict(data).perft(10, 1) == WHOLE["legal"][10]
            continue
        uses: tuple[Callable[[Record], object], ...] = (
            Record.check,
            lambda record: record.perft(10, 1),
            lambda record: record.replay(3),
            lambda record: record.view(0),
        )
        for use in uses:
            with pytest.raises(RecordError, match=refused) as caught:
                use(Record.from_dict(data))
            assert f"round {later + 1}" in caught.value.reason


def test_no_game_has_six_rounds() -> None:
    data = cut(10)
    data["deal"]["tiles"].append(data["deal"]["tiles"][0])
    with pytest.raises(RecordError, match="6 rounds"):
        checked(data)


# ---------------------------------------------------------------- keys


def test_unknown_keys_are_ignored_at_the_top_and_refused_further_in() -> None:
    assert checked(WHOLE | {"place": "Sintra", "goals": 3, "tiles": None}).is_over
    for place in ("rules", "deal", "result"):
        with pytest.raises(RecordError, match="note"):
            checked(WHOLE | {place: WHOLE[place] | {"note": "a game"}})


def test_missing_rules_take_their_defaults_but_goals_must_be_there() -> None:
    assert WHOLE["rules"] == {"goals": WHOLE["rules"]["goals"], "draw_at_zero": "forced", "special_is_color": True}
    for kept in (["goals"], ["goals", "draw_at_zero"], ["goals", "special_is_color"]):
        assert checked(WHOLE | {"rules": {key: WHOLE["rules"][key] for key in kept}}) == checked(WHOLE)
    for kept in ([], ["draw_at_zero", "special_is_color"]):
        with pytest.raises(RecordError, match="goals"):
            checked(WHOLE | {"rules": {key: WHOLE["rules"][key] for key in kept}})


def test_the_other_player_makes_the_first_move() -> None:
    for first in (0, 1):
        assert checked(cut(0) | {"first": first}).turn == 1 - first


def test_legal_is_optional_and_has_a_number_for_each_move() -> None:
    assert checked({key: value for key, value in WHOLE.items() if key != "legal"}).is_over
    for wrong in (WHOLE["legal"][:-1], [*WHOLE["legal"], 0], [], [1.0] * len(WHOLE["moves"])):
        with pytest.raises(RecordError, match="legal"):
            checked(WHOLE | {"legal": wrong})


# ---------------------------------------------------------------- views


def a_view() -> dict[str, Any]:
    """A view that hides something."""
    record = Record.from_dict(cut(40))
    view = record.view(0)
    assert view.is_view
    return view.to_dict()


def test_a_view_is_read_and_is_not_replayed() -> None:
    view = Record.from_dict(a_view())
    assert view.display is not None
    assert view.looked is not None
    assert len(view.plates) == 18
    assert len(view.chips) == 20
    with pytest.raises(RecordError, match="view"):
        view.check()


def test_a_full_record_may_have_the_lists_of_a_view() -> None:
    record = Record.from_dict(WHOLE)
    seen = Seen()
    for position in record.positions():
        seen.follow(position)
    display, looked = seen.display, seen.looked
    assert looked
    lists = {"display": [list(plates) for plates in display], "looked": [list(plates) for _, plates in looked]}
    assert checked(WHOLE | lists).is_over
    for key in lists:
        with pytest.raises(RecordError, match=key):
            checked(WHOLE | {key: lists[key][:-1]})


@pytest.mark.parametrize(
    ("key", "value", "refused"),
    [
        ("plates", ["?*", *(["??"] * 17)], "display"),
        ("plates", ["01", "02", "03", *(["?*"] * 15)], "kind"),
        ("plates", ["01", "02", "03", *(["?W"] * 15)], "kind"),
        ("plates", ["01", "02", "03", "?", *(["??"] * 14)], "no plate"),
        ("plates", ["01", "02", "03", "03", *(["??"] * 14)], "twice"),
        ("plates", ["01", "02", "03", *(["??"] * 14)], "18"),
        ("chips", ["B-", "B-", "B-", *(["??"] * 17)], "too often"),
        ("chips", ["?-", *(["??"] * 19)], "no chip"),
        ("chips", ["??"] * 19, "20"),
        ("tiles", [blue(5, 4, 4, 4, 4)], "21 tiles of colour B"),
        ("tiles", [blue(2, 4, 4, 4, 0)], "14 tiles of colour B"),
    ],
)
def test_what_no_view_can_show_is_refused(key: str, value: Any, refused: str) -> None:
    view = a_view()
    view["deal"][key] = value
    with pytest.raises(RecordError, match=refused):
        parse_records(json.dumps(view))


# ---------------------------------------------------------------- all that is made here


@pytest.mark.parametrize("path", sorted(VECTORS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_the_vectors_are_records(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path)]) == 0
    assert f"{len(path.read_text('utf-8').splitlines())} games, all as the rules say" in capsys.readouterr().out


@pytest.mark.parametrize("taste", sorted(TASTES))
def test_what_the_library_writes_is_a_record(taste: str) -> None:
    for seed, rules in enumerate(ALL_RULES[:4]):
        for most in (0, 1, 40, 10_000):
            record = Record.of(played(seed, taste, rules, most), legal=True)
            assert Record.loads(record.dumps()).check().ply == len(record.moves)
            for observer in (0, 1, 2):
                view = record.view(observer)
                assert Record.loads(view.dumps()) == view


def test_what_plays_writes_records(tmp_path: Path) -> None:
    for record in selfplay(["greedy", "random"], 2, 1):
        assert Record.loads(record.dumps()).check().is_over
    play_match(Match(("greedy", "random"), 2, 1), out=tmp_path / "match.jsonl")
    assert all(record.check().is_over for record in read_records(tmp_path / "match.jsonl"))
