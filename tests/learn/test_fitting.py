"""Fitting the value: what `python -m sintra.learn.fitting` writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from sintra.features.board import NAMES
from sintra.learn.fitting import main
from sintra.players.thinking.evaluator import load_evaluator


def test_a_few_quick_games_give_weights(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert main(["--quick", "20", "--blank", "--out", str(first), "--notes", str(tmp_path / "notes.npy")]) == 0
    assert "20 games, mean score" in capsys.readouterr().out
    assert (tmp_path / "notes.npy").is_file()
    value = load_evaluator(str(first))
    assert value.weights[0, NAMES.index("bias")] != 0
    assert (value.scales > 0).all()
    assert main(["--quick", "20", "--start", str(first), "--out", str(second)]) == 0
    assert load_evaluator(str(second)).dumps() != value.dumps()


def test_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    for name in ("one", "two"):
        main(["--quick", "4", "--seed", "3", "--out", str(tmp_path / name)])
    assert (tmp_path / "one").read_text("utf-8") == (tmp_path / "two").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "give --quick N or --search N"),
        ("--quick 0", "give --quick N or --search N"),
        ("--quick 4 --start nowhere.json", "cannot read weights from nowhere.json"),
    ],
)
def test_what_cannot_be_done_is_one_clear_line(
    arguments: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([*arguments.split(), "--out", str(tmp_path / "value.json")])
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "value.json").exists()
