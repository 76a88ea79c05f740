"""Puzzles on the page: tries are answered in words, help leads to the solution, and what was solved is kept."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from sintra.puzzles import Puzzle, judge, load
from sintra.tabletop.moves import EndTiling, MoonTake, Move, Place, TakeChip
from table.browser.browsers import Browsers, keep_picture, words
from table.browser.reaching import link_to, visit


def find(kind: str, *types: type[Move]) -> Puzzle:
    """The first puzzle of a kind whose answer, and of a tiling the natural try, is made of moves of these types."""
    for puzzle in load():
        natural = puzzle.explanation.natural if kind == "tiling" else ()
        moves = [Move.parse(token) for token in (*puzzle.answer, *natural)]
        if puzzle.kind == kind and all(isinstance(move, types) for move in moves):
            return puzzle
    raise AssertionError(f"no {kind} of {types}")


def place(page: Page, puzzle: Puzzle, token: str) -> None:
    """Places a tile, and waits until it lies there."""
    move = Move.parse(token)
    assert isinstance(move, Place)
    space = page.locator(f"[data-place='space-{puzzle.seat}-{move.line}-{move.column}']")
    space.locator("button").click()
    expect(space.locator("button")).to_have_count(0)


def said(page: Page) -> Locator:
    return page.locator(".said")


def press(page: Page, key: str) -> None:
    page.get_by_role("button", name=words(key), exact=True).click()


@pytest.mark.tab
def test_a_tiling_is_solved_with_help(browsers: Browsers) -> None:
    puzzle = find("tiling", Place, EndTiling)
    page = browsers.page(width=1280, height=720)
    visit(page, "/")
    page.get_by_role("link", name=words("puzzle.open")).click()
    page.get_by_role("link", name=words("puzzle.day.go")).wait_for()
    keep_picture(page, "puzzles-1280x720")
    visit(page, f"/puzzles/{puzzle.id}?kind=tiling")
    expect(page.locator(".question")).to_have_text(
        words("puzzle.ask.goals" if puzzle.counts_goals else "puzzle.ask.tiling")
    )
    expect(page.locator(".forecast:visible")).to_have_count(0)
    keep_picture(page, "puzzle-1280x720")

    # the natural try falls short: what can be made now, and what could have been
    made = 0
    while judge(puzzle, puzzle.explanation.natural[: made + 1]).reachable == puzzle.best:
        place(page, puzzle, puzzle.explanation.natural[made])
        made += 1
    place(page, puzzle, puzzle.explanation.natural[made])
    reachable = judge(puzzle, puzzle.explanation.natural[: made + 1]).reachable
    expect(said(page).locator("b")).to_have_text(words("puzzle.short", count=reachable, best=int(puzzle.best)))
    keep_picture(page, "puzzle-1280x720-wrong")
    press(page, "act.take_back")

    # first which line, then which space
    press(page, "act.hint")
    expect(said(page)).to_contain_text(re.compile(r"line \d"))
    press(page, "puzzle.hint.more")
    expect(said(page)).to_contain_text("column")
    *tokens, end = judge(puzzle, puzzle.explanation.natural[:made]).ahead
    assert end == "E"
    for token in tokens:
        place(page, puzzle, token)
    page.get_by_role("button", name=words("act.end")).click()
    expect(said(page).locator("b")).to_have_text(words("puzzle.right.tiling", count=int(puzzle.best)))
    press(page, "puzzle.why")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("ol").first.locator("li")).to_have_count(len(puzzle.answer) - 1)
    expect(dialog.locator("tbody tr")).not_to_have_count(0)
    keep_picture(page, "puzzle-1280x720-explained")
    dialog.get_by_role("button", name=words("puzzle.next")).click()
    expect(page).not_to_have_url(re.compile(puzzle.id))
    expect(page).to_have_url(re.compile(r"kind=tiling"))
    expect(page.locator(".question")).to_be_visible()

    # kept, but not as right at the first try
    visit(page, "/puzzles")
    row = page.locator(".record li")
    expect(row).to_contain_text(words("puzzle.mark.solved"))
    expect(row.get_by_role("link")).to_have_attribute("href", link_to(page, f"/puzzles/{puzzle.id}?kind=tiling"))


@pytest.mark.tab
def test_a_winning_move_is_found_by_touch(browsers: Browsers) -> None:
    puzzle = find("win", TakeChip)
    (answer,) = puzzle.answer
    page = browsers.page(width=390, height=844, touch=True)
    visit(page, f"/puzzles/{puzzle.id}?kind=win")
    expect(page.locator(".question")).to_have_text(words("puzzle.ask.win"))
    keep_picture(page, "puzzle-390x844")

    page.locator("[data-place^='moon-'] button:not([data-place^='chip-'] *)").first.tap()
    page.locator("button[data-drop^='line-'], button[data-drop^='broken-']").first.tap()
    press(page, "act.confirm")
    lost = said(page).locator("b")
    expect(lost).to_contain_text("your opponent wins by")
    keep_picture(page, "puzzle-390x844-wrong")
    press(page, "puzzle.again")

    page.locator(f"[data-place='chip-{answer[1:]}'] button").tap()
    press(page, "act.confirm")
    expect(said(page).locator("b")).to_have_text(words("puzzle.right.win", count=int(puzzle.best)))
    press(page, "puzzle.why")
    expect(page.get_by_role("dialog")).to_contain_text(words("puzzle.solution"))
    keep_picture(page, "puzzle-390x844-explained")
    page.get_by_role("dialog").get_by_role("button", name=words("puzzle.next")).tap()
    expect(page).not_to_have_url(re.compile(puzzle.id))


IN_THEIR_CARDS = """(goals) => goals.every((goal) => {
    const around = goal.getBoundingClientRect();
    return [...goal.querySelectorAll(".figure, .of")].map((one) => one.getBoundingClientRect()).every((one) =>
        one.top >= around.top && one.bottom <= around.bottom && one.left >= around.left && one.right <= around.right);
})"""


def test_all_of_a_puzzle_is_in_its_place_on_a_short_phone(browsers: Browsers) -> None:
    """The prompt below the board, and the goals in their cards."""
    page = browsers.page(width=360, height=640, touch=True)
    visit(page, f"/puzzles/{find('win', MoonTake).id}")
    page.locator("[data-place^='moon-'] button:not([data-place^='chip-'] *)").first.tap()
    cancel = page.get_by_role("button", name=words("act.cancel"))
    expect(cancel).to_be_in_viewport(ratio=1)
    board, prompt = (page.locator(css).bounding_box() for css in (".table .near .board", "[data-tour=prompt]"))
    assert board
    assert prompt
    assert board["y"] + board["height"] <= prompt["y"]
    assert prompt["height"] > cancel.bounding_box()["height"]  # type: ignore[index]
    assert page.locator(".goal").evaluate_all(IN_THEIR_CARDS)


def test_a_solution_is_shown_by_keys(browsers: Browsers) -> None:
    """Who asks for it has not solved the puzzle, and nothing is left to try."""
    puzzle = find("keep", MoonTake)
    page = browsers.page(width=1280, height=720)
    visit(page, f"/puzzles/{puzzle.id}")
    page.get_by_role("button", name=words("puzzle.solution")).focus()
    page.keyboard.press("Enter")
    expect(said(page)).to_contain_text(words("puzzle.shown"))
    expect(page.locator(".marked").first).to_be_visible()
    expect(page.get_by_role("button", name=words("act.hint"), exact=True)).to_have_count(0)
    keep_picture(page, "puzzle-1280x720-shown")
    visit(page, "/puzzles")
    expect(page.locator(".record li")).to_contain_text(words("puzzle.mark.open"))
