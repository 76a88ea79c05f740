"""`sintra show` as it draws into files: pictures, animations, plots, and how it refuses."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

from helpers import VECTORS
from sintra import Move, Record, SunTake, read_records, write_records
from sintra.cli import main
from sintra.drawing.plot import plot
from sintra.records.pictures import course_of
from sintra.review import GameReview, TurnReview

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `sintra show` in this process: its exit code, and what it printed."""

    def run_it(*arguments: object) -> tuple[int, str, str]:
        try:
            code = main(["show", *map(str, arguments)])
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        return code, *capsys.readouterr()

    return run_it


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with one game."""
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    write_records(path, read_records(VECTORS / "kinds.jsonl")[:1])
    return path


@pytest.fixture(scope="module")
def record(games: Path) -> Record:
    return read_records(games)[0]


def test_svg_is_printed_or_written(run: Run, games: Path, record: Record, tmp_path: Path) -> None:
    wanted = f"{record.replay(30).svg()}\n"
    out = tmp_path / "table.svg"
    assert run(games, "--ply", 30, "--svg") == (0, wanted, "")
    assert run("--ply", 30, "--svg", games) == (0, wanted, "")
    assert run(games, "--ply", 30, "--svg", out) == (0, "", "")
    assert out.read_text("utf-8") == wanted


def test_a_move_of_the_record_or_another(run: Run, games: Path, record: Record) -> None:
    def drawn(ply: int, move: str) -> tuple[int, str, str]:
        return 0, f"{record.replay(ply).svg(move=move)}\n", ""

    ply = next(ply for ply, token in enumerate(record.moves) if isinstance(Move.parse(token), SunTake))
    assert run(games, "--ply", ply, "--svg", "--move", "next") == drawn(ply, record.moves[ply])
    assert run(games, "--ply", ply + 1, "--svg", "--move", "last") == drawn(ply, record.moves[ply])
    end = len(record.moves)
    assert run(games, "--svg", "--move", "last") == drawn(end - 1, record.moves[-1])
    other = str(record.replay(ply).legal_moves[-1])
    assert run(games, "--ply", ply, "--svg", "--move", other) == drawn(ply, other)


def test_a_seat_sees_the_move_as_it_was_seen(run: Run, games: Path, record: Record) -> None:
    ply = next(ply for ply, token in enumerate(record.moves) if token.startswith("<"))
    _, out, _ = run(games, "--ply", ply, "--svg", "--move", "next", "--seat", "spectator")
    assert f"plays &lt;{record.moves[ply][1:]}" not in out
    assert "plays &lt;" in out


def test_png_of_a_board(run: Run, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.png"
    assert run(games, "--board", 1, "--png", out, "--width", 200, "--theme", "light") == (0, "", "")
    assert Image.open(BytesIO(out.read_bytes())).size == (200, 129)


def test_gif_has_a_picture_for_each_move_and_the_end(run: Run, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "game.gif"
    arguments = (games, "--from", 3, "--ply", 7, "--gif", out, "--width", 160, "--delay", 0.2)
    assert run(*arguments) == (0, "", "")
    film = GifImageFile(BytesIO(out.read_bytes()))
    assert (film.n_frames, film.size) == (4 + 1, (160, 100))


def test_plots(run: Run, games: Path, record: Record, tmp_path: Path) -> None:
    out = tmp_path / "game.png"
    assert run(games, "--plot", "-") == (0, f"{plot(course_of(record))}\n", "")
    assert run(games, "--plot", out, "--width", 300, "--ply", 50) == (0, "", "")
    assert Image.open(BytesIO(out.read_bytes())).width == 300


def test_a_review_adds_the_chances(run: Run, games: Path, record: Record, tmp_path: Path) -> None:
    turns = tuple(
        TurnReview(game.ply, game.round, game.turn, move, 0.5, 0.0, (), 0.2 * (game.ply == 9), 0.0, {}, 0.0, 2)
        for move, game in zip(record.moves, record.positions(), strict=False)
    )
    kept = tmp_path / "review.json"
    kept.write_text(json.dumps(GameReview(record.players, 0.5, 1.0, 0.0, turns).to_dict()))
    code, out, _ = run(games, "--plot", "-", "--review", kept)
    assert code == 0
    assert ElementTree.fromstring(out).tag.endswith("svg")
    assert "Chance to win" in out
    assert "??" in out
    assert "Chance to win" in run(games, "--plot", "-", "--review", kept, "--ply", 40)[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("GAMES --ply 999 --png x.png", "there is no ply 999"),
        ("GAMES --ply 999 --svg --move last", "there is no ply 999"),
        ("GAMES --ply 999 --gif x.gif", "plies 0 to 999 cannot be shown"),
        ("GAMES --ply 0 --svg --move last", "there is no last move at ply 0"),
        ("GAMES --svg --move next", "there is no next move at ply"),
        ("GAMES --ply 0 --svg --move MB3", "MB3 is not legal: an opening plate is to be laid"),
        ("GAMES --ply 0 --svg --move what", "cannot read the move 'what'"),
        ("GAMES --ply 2 --svg --move D9", "cannot read the move 'D9'"),
        ("GAMES --png /nowhere/x.png --width 20", "cannot write /nowhere/x.png: No such file or directory"),
        ("GAMES --gif /nowhere/x.gif --from 1 --ply 2 --width 20", "cannot write /nowhere/x.gif"),
        ("GAMES --plot /nowhere/x.svg", "cannot write /nowhere/x.svg"),
        ("GAMES --plot x.pdf", "a plot is an .svg or a .png file, not x.pdf"),
        ("GAMES --png x.png --width 9999", "a picture is 1 to 8192 pixels wide, not 9999"),
        ("GAMES --gif x.gif --from 5 --ply 3", "plies 5 to 3 cannot be shown"),
        ("GAMES --gif x.gif --ply 1 --width 20 --delay 0.001", "shown for 0.02 to 600 seconds"),
        ("GAMES --board 1", "--board goes with --svg or --png or --gif"),
        ("GAMES --text --theme light", "--theme goes with --svg or --png or --gif or --plot"),
        ("GAMES --gif x.gif --move last", "--move goes with --svg or --png"),
        ("GAMES --svg --delay 1", "--delay goes with --gif"),
        ("GAMES --svg --from 1", "--from goes with --gif"),
        ("GAMES --svg --review x.json", "--review goes with --plot"),
        ("GAMES --plot x.svg --seat 0", "leave --seat out"),
        ("GAMES --plot x.svg --review nowhere.json", "nowhere.json: cannot be read"),
        ("GAMES --plot x.svg --review GAMES", "this is no review"),
        ("--text", "which game? name a FILE of records"),
    ],
)
def test_mistakes_are_one_clear_line(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*(str(games) if word == "GAMES" else word for word in arguments.split()))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert list(tmp_path.iterdir()) == []


def test_pixels_without_the_extra(run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    code, _, err = run(games, "--png", tmp_path / "x.png")
    assert (code, err) == (
        2,
        "sintra show: PNG, GIF and arrays of pixels need more: pip install 'sintra[pictures]'\n",
    )
