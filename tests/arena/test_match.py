"""Matches: paired deals, resumed and parallel ones, the profile of a game, and the command."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from helpers import some
from sintra.arena import Match, MatchError, play_match
from sintra.arena.match import Job, play_job, read_played
from sintra.cli import main
from sintra.records.files import parse_records
from sintra.records.record import Record

SOURCES = ("placement", "specials", "broken", "start_tile", "draws", "goals")
PAIR = ("random", "greedy")


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def gist(games: list[dict[str, Any]]) -> set[str]:
    """What games were about, without the time they took and their order."""
    for game in games:
        game["arena"].pop("seconds", None)
    return {json.dumps(game, sort_keys=True) for game in games}


def gist_of(path: Path) -> set[str]:
    return gist(lines_of(path))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An uninterrupted match of 8 games."""
    path = tmp_path_factory.mktemp("arena") / "whole.jsonl"
    play_match(Match(PAIR, 8, 5), out=path)
    return path


class TestPairs:
    def test_each_deal_is_played_twice_with_swapped_seats(self, whole: Path) -> None:
        games = lines_of(whole)
        assert len(games) == 8
        for deal in range(4):
            both = [game for game in games if game["arena"]["deal"] == deal]
            assert [game["players"] for game in both] == [["random", "greedy"], ["greedy", "random"]]
            assert [game["arena"]["swapped"] for game in both] == [False, True]
            first, second = (game["deal"] for game in both)
            for name in ("plates", "chips"):
                assert first[name] == second[name]
            assert first["tiles"][0] == second["tiles"][0]
            assert both[0]["first"] == both[1]["first"]
            assert both[0]["rules"] == both[1]["rules"]
        assert len({json.dumps(game["deal"]["plates"]) for game in games}) == 4

    def test_the_records_are_sound_games(self, whole: Path) -> None:
        for game in some(lines_of(whole)):
            game.pop("arena")
            assert Record.from_dict(game).check().is_over

    def test_results_are_seen_from_the_first_named_player(self, whole: Path) -> None:
        for line in some(whole.read_text("utf-8").splitlines()):
            data = json.loads(line)
            played = read_played(data)
            assert played.names == PAIR
            seat = data["players"].index("random")
            assert played.won == (data["result"]["winner"] == seat)
            assert played.scores == (data["result"]["scores"][seat], data["result"]["scores"][1 - seat])
            assert tuple(profile["score"] for profile in played.profiles) == played.scores

    def test_a_round_robin_meets_every_pair(self) -> None:
        match = Match(("random", "greedy", "random:seed=1"), 4, 0)
        jobs = list(match.jobs())
        assert len(jobs) == 3 * 4 == len({json.dumps(job.key) for job in jobs})
        assert len(list(match.jobs([PAIR]))) == 4

    def test_the_same_job_is_the_same_game(self) -> None:
        job = Job(PAIR, 2, True, 9)
        assert gist([json.loads(play_job(job))]) == gist([json.loads(play_job(job))])
        other = Job(PAIR, 2, True, 10)
        assert json.loads(play_job(job))["moves"] != json.loads(play_job(other))["moves"]

    def test_goals_can_be_given(self) -> None:
        assert json.loads(play_job(Job(PAIR, 0, False, 1, "first-game")))["rules"]["goals"] == ["rows", "edge", "wilds"]
        assert len(json.loads(play_job(Job(PAIR, 0, False, 1, 4)))["rules"]["goals"]) == 4

    def test_wins_and_pairs_are_counted(self) -> None:
        match = play_match(Match(PAIR, 8, 5))
        wins = match.wins()
        assert sum(wins.values()) == 8
        assert wins["greedy", "random"] >= 7
        scores = match.pair_scores(PAIR)
        assert len(scores) == 4
        assert sum(scores) * 2 == wins.get(("random", "greedy"), 0)


class Stopped(Exception):
    """The match is interrupted."""


def stop_after(n: int) -> Callable[[Match], None]:
    def stop(match: Match) -> None:
        if len(match.played) == n:
            raise Stopped

    return stop


class TestResume:
    @pytest.mark.parametrize("games", [1, 4, 7])
    def test_a_stopped_match_goes_on_as_if_nothing_had_happened(self, games: int, whole: Path, tmp_path: Path) -> None:
        path = tmp_path / "match.jsonl"
        with pytest.raises(Stopped):
            play_match(Match(PAIR, 8, 5), out=path, on_game=stop_after(games))
        assert len(lines_of(path)) == games
        match = play_match(Match(PAIR, 8, 5), out=path)
        assert len(match.played) == 8
        assert gist_of(path) == gist_of(whole)

    def test_a_finished_match_is_only_read(self, whole: Path) -> None:
        before = whole.read_bytes()
        match = play_match(Match(PAIR, 8, 5), out=whole)
        assert whole.read_bytes() == before
        assert len(match.played) == 8

    def test_a_match_can_be_made_longer(self, whole: Path, tmp_path: Path) -> None:
        path = tmp_path / "match.jsonl"
        play_match(Match(PAIR, 4, 5), out=path)
        play_match(Match(PAIR, 8, 5), out=path)
        assert gist_of(path) == gist_of(whole)

    @pytest.mark.parametrize("cut", [1, 40, 500])
    def test_a_line_cut_off_is_dropped_and_played_again(self, cut: int, whole: Path, tmp_path: Path) -> None:
        path = tmp_path / "match.jsonl"
        path.write_text(whole.read_text("utf-8")[:-cut], "utf-8")
        match = play_match(Match(PAIR, 8, 5), out=path)
        assert len(match.played) == 8
        assert gist_of(path) == gist_of(whole)

    def test_another_seed_is_refused(self, whole: Path) -> None:
        with pytest.raises(MatchError, match=r"line 1: it was played with --seed 5; give another --out"):
            play_match(Match(PAIR, 8, 6), out=whole)

    def test_other_goals_are_refused(self, whole: Path) -> None:
        """Games under other rules must not be counted in."""
        before = whole.read_bytes()
        with pytest.raises(MatchError):
            play_match(Match(PAIR, 8, 5, goals=4), out=whole)
        assert whole.read_bytes() == before

    @pytest.mark.parametrize("text", ["not json\n", "{}\n", "[1, 2]\n", '{"arena": {"swapped": true}}\n'])
    def test_a_foreign_file_is_refused_and_left_alone(self, text: str, tmp_path: Path) -> None:
        path = tmp_path / "foreign.jsonl"
        path.write_text(text, "utf-8")
        with pytest.raises(MatchError, match=r"line 1: this is no game of an arena; give another --out"):
            play_match(Match(PAIR, 2, 0), out=path)
        assert path.read_text("utf-8") == text

    def test_games_of_other_players_stay_in_the_file_but_do_not_count(self, whole: Path, tmp_path: Path) -> None:
        path = tmp_path / "match.jsonl"
        path.write_bytes(whole.read_bytes())
        match = play_match(Match(("random", "random:seed=1"), 2, 5), out=path)
        assert {one.names for one in match.played} == {("random", "random:seed=1")}
        assert len(lines_of(path)) == 10

    def test_two_processes_play_the_same_games(self, whole: Path, tmp_path: Path) -> None:
        path = tmp_path / "match.jsonl"
        match = play_match(Match(PAIR, 8, 5), out=path, jobs=2)
        assert len(match.played) == 8
        assert gist_of(path) == gist_of(whole)


class TestTheEnd:
    def test_the_sequential_test_stops_early(self) -> None:
        match = play_match(Match(("greedy", "random"), 400, 3), sprt=(0, 200))
        assert 4 <= len(match.played) < 100

    def test_without_it_all_games_are_played(self) -> None:
        told: list[int] = []
        match = play_match(Match(PAIR, 4, 3), on_game=lambda now: told.append(len(now.played)))
        assert told == [1, 2, 3, 4]
        assert len(match.played) == 4


class TestProfile:
    def test_the_sources_add_up_to_the_score(self, whole: Path) -> None:
        """Everyone starts with 5, and what the floor of 0 swallows is in no source."""
        for game in some(lines_of(whole)):
            for seat, profile in enumerate(game["arena"]["profiles"]):
                assert 5 + sum(profile[source] for source in SOURCES) == profile["score"]
                assert profile["score"] == game["result"]["scores"][seat]
                assert profile["score_by_round"][4] + profile["goals"] == profile["score"]

    def test_habits_are_those_of_the_moves(self, whole: Path) -> None:
        for data in some(lines_of(whole)):
            notes = data.pop("arena")
            record = Record.from_dict(data)
            by_seat: list[list[str]] = [[], []]
            for game, token in zip(record.positions(), record.moves, strict=False):
                by_seat[game.turn].append(token)
            for seat, profile in enumerate(notes["profiles"]):
                tokens = by_seat[seat]
                takes = [token for token in tokens if token[0] in "SM"]
                to_line = [sum(token.split(":")[0][-1] == name for token in takes) for name in "123456x"]
                assert profile["takes"] == to_line
                assert profile["draws_made"] == tokens.count("D")
                placed = [token for token in tokens if token[0] == "T"]
                assert profile["placed_by_row"] == [sum(token[1] == name for token in placed) for name in "123456"]
                assert profile["tiles"] == len(placed) + profile["special_tiles"]
                assert notes["decisions"][seat] == len(tokens)
                assert (profile["first_special_round"] > 0) == (profile["special_tiles"] > 0)


class TestRefusals:
    @pytest.mark.parametrize(
        ("players", "games", "says"),
        [
            (("greedy",), 2, "at least two players"),
            (("greedy", "greedy"), 2, "same name"),
            (PAIR, 3, "even number"),
            (PAIR, 0, "even number"),
        ],
    )
    def test_a_match_that_cannot_be(self, players: tuple[str, ...], games: int, says: str) -> None:
        with pytest.raises(MatchError, match=says):
            Match(players, games, 0)


class TestCommand:
    def test_it_reports_keeps_records_and_draws(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        out, plot = tmp_path / "games.jsonl", tmp_path / "ladder.svg"
        arguments = ["arena", "random", "greedy", "random:seed=2", "--games", "2", "--jobs", "1", "--seed", "4"]
        assert main([*arguments, "--out", str(out), "--plot", str(plot)]) == 0
        printed = capsys.readouterr().out
        for words in ("Results", "Ladder (greedy = 1000)", "Where the points came from", "Habits", "random : greedy"):
            assert words in printed
        assert len(lines_of(out)) == 6
        root = ElementTree.fromstring(plot.read_text("utf-8"))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        assert {"random", "greedy", "random:seed=2"} <= texts
        assert main([*arguments, "--out", str(out)]) == 0
        assert len(lines_of(out)) == 6
        assert main(["check", str(out)]) == 0

    def test_neighbours_and_the_sequential_test(self, capsys: pytest.CaptureFixture[str]) -> None:
        names = ["random", "greedy", "random:seed=2"]
        assert main(["arena", *names, "--games", "2", "--jobs", "1", "--neighbours"]) == 0
        printed = capsys.readouterr().out
        assert "random : greedy" in printed
        assert "greedy : random:seed=2" in printed
        assert "random : random:seed=2" not in printed
        assert main(["arena", "greedy", "random", "--games", "40", "--jobs", "1", "--sprt", "0", "200"]) == 0
        assert "stronger" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["random", "greedy", "--games", "3"], "even number"),
            (["greedy", "--games", "2"], "at least two players"),
            (["greedy", "greedy", "--games", "2"], "same name"),
            (["greedy", "gready", "--games", "2"], "unknown player 'gready'"),
            (["greedy", "search:sims=x", "--games", "2"], "must be of type int"),
            (["greedy", "random", "random:seed=1", "--sprt", "0", "10"], "--sprt compares two players"),
            (["greedy", "random", "--games", "2", "--jobs", "1", "--goals", "rows,columns"], "3 or 4 goals"),
        ],
    )
    def test_mistakes_are_one_clear_line(
        self, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["arena", *arguments]) == 2
        error = capsys.readouterr().err
        assert says in error
        assert error.count("\n") == 1

    @pytest.mark.parametrize("option", ["--out", "--plot"])
    def test_a_file_that_cannot_be_written_is_a_mistake_too(
        self, option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        target = tmp_path / "no folder" / "file"
        assert main(["arena", *PAIR, "--games", "2", "--jobs", "1", option, str(target)]) == 2
        assert "cannot write" in capsys.readouterr().err


def test_records_of_the_arena_can_be_read_by_others(whole: Path) -> None:
    assert len(parse_records(whole.read_text("utf-8"))) == 8
