"""Your progress: a result counts when the page sees it, and what is kept can be saved, forgotten and brought back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from table.browser.browsers import game_of, seat_of, start_game, words
from table.browser.reaching import visit


def row(page: Page, level: int) -> Locator:
    """What the progress says of a level."""
    return page.get_by_role("row", name=f"{level} · {words(f'opponent.level:n={level}')}")


def counted(page: Page, level: int) -> list[str]:
    """Games won and lost against a level."""
    return row(page, level).get_by_role("cell").all_inner_texts()[:2]


@pytest.mark.server("an answer that is waited for on its way over the network")
def test_a_result_is_counted_saved_forgotten_and_brought_back(page: Page, tmp_path: Path) -> None:
    start_game(page, "computer", level=2)
    game = game_of(page)
    seat_of(page).post("resign")
    expect(
        page.get_by_role("dialog").get_by_role("heading", name=words("end.winner", name="Apprentice"))
    ).to_be_visible()
    visit(page, "/")
    expect(page.get_by_text(words("progress.rating.about").partition("{")[0])).to_be_visible()
    page.get_by_role("link", name=words("progress.open")).click()
    page.wait_for_url("**/progress")
    expect(row(page, 2)).to_be_visible()
    assert counted(page, 2) == ["0", "1"]
    about = page.get_by_text(words("progress.rating.about").partition("{")[0])
    expect(about).to_be_visible()

    with page.expect_download() as saving:
        page.get_by_role("button", name=words("progress.save")).click()
    file = tmp_path / "progress.json"
    saving.value.save_as(file)
    saved = json.loads(file.read_text("utf-8"))
    assert saved["format"] == "sintra-progress/1"
    assert [one["game"] for one in saved["games"]] == [game]
    assert saved["games"][0]["reason"] == "resigned"

    forget, ask = page.get_by_role("button", name=words("progress.forget")), page.get_by_role("dialog")
    forget.click()
    ask.get_by_role("button", name=words("act.cancel")).click()
    expect(row(page, 2)).to_be_visible()
    forget.click()
    ask.get_by_role("button", name=words("study.delete"), exact=True).click()
    expect(page.get_by_text(words("progress.forgotten"))).to_be_visible()
    expect(row(page, 2)).to_have_count(0)
    with page.expect_response("**/api/games/*/brief"):
        page.reload()
    visit(page, f"/game/{game}")
    expect(page.get_by_role("dialog").get_by_role("heading")).to_be_visible()
    visit(page, "/progress")
    expect(page.get_by_text(words("progress.none"))).to_be_visible()
    expect(page.get_by_role("table")).to_have_count(0)

    upload = page.locator("input[type=file]")
    saved["games"][0]["scores"] = ["many", 3]
    damaged = json.dumps(saved).encode()
    upload.set_input_files({"name": "damaged.json", "mimeType": "application/json", "buffer": damaged})
    expect(page.get_by_text(words("progress.problem.damaged", place="games[0].scores"))).to_be_visible()
    upload.set_input_files(file)
    expect(page.get_by_text(words("progress.added", count=1))).to_be_visible()
    upload.set_input_files(file)
    expect(page.get_by_text(words("progress.added", count=0))).to_be_visible()
    assert counted(page, 2) == ["0", "1"]


def test_the_next_opponent_is_the_same_everywhere(page: Page) -> None:
    start_game(page, "computer", level=3)
    seat_of(page).post("resign")
    offer = page.get_by_role("dialog").get_by_role("button", name=words("act.gentler"))
    expect(offer).to_contain_text(words("act.suggested", name=words("opponent.level:n=2")))
    visit(page, "/progress")
    expect(page.get_by_text(words("progress.next", name=words("opponent.level:n=2")))).to_be_visible()
    visit(page, "/")
    expect(page.locator("#opponent")).to_have_value("level:n=2")
    expect(page.get_by_text(words("start.suggested"))).to_be_visible()
    page.locator("#opponent").select_option("level:n=7")
    expect(page.get_by_text(words("start.suggested"))).to_have_count(0)


def test_a_game_with_hints_counts_but_is_not_rated(page: Page) -> None:
    start_game(page, "computer", level=1)
    page.get_by_role("button", name=words("act.hint"), exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name=words("act.hint")).click()
    page.get_by_role("region", name=words("hint.title")).wait_for()
    seat_of(page).post("resign")
    page.get_by_role("dialog").wait_for()
    visit(page, "/progress")
    expect(row(page, 1)).to_contain_text(words("progress.helped", count=1))
    assert counted(page, 1) == ["0", "1"]
    expect(page.get_by_text(words("progress.rating.none"))).to_be_visible()


def test_games_on_one_screen_count_between_the_two(page: Page) -> None:
    for _ in range(2):
        start_game(page, "screen", name="Ann", other="Ben")
        seat_of(page).post("resign", seat=1)
        page.get_by_role("dialog").wait_for()
    # this one is over before the page has seen it
    start_game(page, "screen", name="Ben", other="Ann")
    seat = seat_of(page)
    page.goto("about:blank")
    seat.post("resign", seat=1)
    visit(page, "/progress")
    expect(page.get_by_role("row", name="Ann \N{EN DASH} Ben")).to_contain_text("2 : 1")
    expect(page.get_by_text(words("progress.rating.none"))).to_be_visible()


def test_damaged_storage_is_survived(page: Page) -> None:
    kept = json.dumps({"format": "sintra-progress/1", "games": [7]})
    page.add_init_script(f"localStorage.setItem('sintra.progress', '{kept}')")
    visit(page, "/progress")
    expect(page.get_by_text(words("progress.unread", count=1))).to_be_visible()
    expect(page.get_by_text(words("progress.none"))).to_be_visible()
