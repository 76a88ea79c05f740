"""Decisions as the page asks for them: what is staged, what confirms it, and what it shows beforehand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from helpers import some
from table.browser.browsers import Browsers, Seat, Table, seat_of, stage_is, start_game, words
from table.browser.reaching import visit
from table.browser.screens import Shelf
from table.browser.test_layout import may_pay_before_placing, payable
from table.browser.users import KINDS, LOG, MouseUser

CONFIRM = "[data-tour=prompt] button:has-text('Confirm')"
LINES = "button[data-drop^='line-']"
SLOTS = "button[data-drop^='slot-']"
STAGED = "[data-tour=prompt] .staged"
SIZES = ((390, 844), (1280, 800))


@pytest.fixture(scope="module")
def shelf(table: Table | None) -> Shelf:
    return Shelf(table, first_name="Ann")


def sit(page: Page, shelf: Shelf, fits: Callable[[dict[str, Any]], bool], wish: str = "") -> Seat:
    """A page at a game that has come to a certain decision; not every game comes to every one."""
    for _ in range(40):
        made, seat = shelf.make(page)
        shown = seat.play(lambda shown: shown["status"] == "over" or fits(shown["options"]), wish)
        if shown["status"] != "over":
            visit(page, f"/game/{made['game']}#{made['links']['own']}")
            page.locator("[data-tour=prompt]").wait_for()
            return seat
    raise AssertionError("it never came to that")


def box(one: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    found = one.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def at_turn(page: Page) -> Seat:
    """Two on one screen, with all factories as they were dealt."""
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(stage_is("turn"))
    page.locator(KINDS["sun"]).first.wait_for()
    return seat


# --- confirming ---------------------------------------------------------------------------------


def test_enter_confirms_what_is_chosen_and_picks_what_is_not(browsers: Browsers) -> None:
    page = browsers.page(confirm="on")
    start_game(page, "screen", name="Ann", other="Ben")
    told = page.locator(LOG)
    expect(told).to_have_count(1)
    page.locator(KINDS["plate"]).first.focus()
    page.keyboard.press("Enter")
    page.locator(SLOTS).nth(4).focus()
    page.keyboard.press("Enter")
    expect(page.locator(CONFIRM)).to_be_visible()
    page.keyboard.press("r")
    page.keyboard.press("Enter")
    expect(told).to_have_count(2)
    assert seat_of(page).shown()["log"][-1]["token"].endswith("@22r1")

    seat_of(page).play(stage_is("turn"))
    tile = page.locator(KINDS["sun"]).first
    tile.focus()
    page.keyboard.press("Enter")
    expect(tile).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("3")
    other = page.locator("[data-place=sun-2] button").first
    other.focus()
    page.keyboard.press("Enter")
    expect(other).to_have_attribute("aria-pressed", "true")
    expect(tile).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("3")
    expect(page.locator(CONFIRM)).to_be_visible()
    expect(told).to_have_count(3)
    page.keyboard.press("Enter")
    expect(told).to_have_count(4)
    assert seat_of(page).shown()["log"][-1]["token"].startswith("S2")


def test_every_act_waits_for_a_confirmation_if_it_is_wanted(browsers: Browsers) -> None:
    page = browsers.page(confirm="on")
    seat = at_turn(page)
    told = page.locator(LOG)
    for act in (KINDS["draw"], words("act.draw_more", cost="\N{MINUS SIGN}1"), words("act.look", count=2)):
        before = told.count()
        button = page.locator(act) if act == KINDS["draw"] else page.get_by_role("button", name=act)
        button.click()
        expect(page.locator(CONFIRM)).to_be_visible()
        assert len(seat.shown()["log"]) == before
        page.locator(CONFIRM).click()
        expect(told).to_have_count(before + 1)


def test_no_act_waits_for_a_confirmation_if_none_is_wanted(browsers: Browsers) -> None:
    page = browsers.page(confirm="off")
    at_turn(page)
    told = page.locator(LOG)
    before = told.count()
    page.locator(KINDS["draw"]).click()
    expect(told).to_have_count(before + 1)
    page.get_by_role("button", name=words("act.draw_more", cost="\N{MINUS SIGN}1")).click()
    expect(told).to_have_count(before + 2)
    page.get_by_role("button", name=words("act.look", count=2)).click()
    expect(told).to_have_count(before + 3)


@pytest.mark.long
def test_advice_is_looked_at_on_a_phone_before_it_is_played(browsers: Browsers) -> None:
    page = browsers.page(390, 844, touch=True)
    start_game(page, first="other", level=1)
    MouseUser(page, 5).ready()
    before = seat_of(page).shown()["seq"]
    page.get_by_role("button", name=words("act.hint")).tap()
    page.get_by_role("dialog").get_by_role("button", name=words("act.hint")).tap()
    advice = page.get_by_role("region", name=words("hint.title"))
    advice.locator("li button").first.tap()
    expect(page.locator(f"{SLOTS}[aria-pressed=true]")).to_have_count(1)
    expect(advice).to_be_hidden()
    assert seat_of(page).shown()["seq"] == before
    page.get_by_role("button", name=words("act.cancel")).tap()
    expect(advice).to_be_visible()


@pytest.mark.server("answers made up on their way over the network")
def test_a_refusal_can_be_put_away_and_goes_with_its_cause(browsers: Browsers) -> None:
    page = browsers.page(confirm="on")
    at_turn(page)
    refused = json.dumps({"code": "illegal", "message": "no"})
    page.route("**/acts", lambda route: route.fulfill(status=422, content_type="application/json", body=refused))
    alert = page.get_by_role("alert")
    with browsers.without_server():
        page.locator(KINDS["draw"]).click()
        page.locator(CONFIRM).click()
        expect(alert).to_contain_text(words("problem.illegal"))
        alert.get_by_role("button").click()
        expect(alert).to_have_count(0)
        page.locator(CONFIRM).click()
        expect(alert).to_contain_text(words("problem.illegal"))
    page.locator(KINDS["sun"]).first.click()
    expect(alert).to_have_count(0)


# --- chips --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_line_is_completed_with_chips_before_ones_eyes(
    browsers: Browsers, shelf: Shelf, width: int, height: int
) -> None:
    page = browsers.page(width, height, confirm="on")
    seat = sit(page, shelf, lambda options: bool(options.get("payments") and options.get("end")), wish="chips")
    shown = seat.shown()
    payment = shown["options"]["payments"][0]
    ways = [one for one in shown["options"]["payments"] if one["line"] == payment["line"]]
    worth = max(one["forecast"] for one in ways) - shown["options"]["end"]["points"]
    opener = page.get_by_role("button", name=words("act.pay.line", line=payment["line"], count=payment["missing"] + 1))
    signed = f"+{worth}" if worth > 0 else f"\N{MINUS SIGN}{-worth}" if worth < 0 else "0"
    expect(opener).to_contain_text(f"({signed})")
    opener.click()
    expect(opener).to_have_attribute("aria-expanded", "true")
    expect(opener).to_have_class(re.compile(r"\bmain\b"))
    chips = page.locator("[data-tour=pay] button[aria-pressed]")
    board = shown["position"]["boards"][shown["position"]["seat"]]
    expect(chips).to_have_count(len(board["chips"]))
    color = board["lines"][payment["line"] - 1]["color"]
    own = [color in face for face in board["chips"]]
    first = chips.first.get_attribute("aria-label") or ""
    assert (words(f"color.{color}") in first) == any(own)

    line = page.locator(f"[data-place=line-{shown['position']['seat']}-{payment['line']}]")
    assert box(line)[3] <= box(page.locator("[data-tour=prompt]"))[1]
    spent = chips.locator("xpath=self::*[@aria-pressed='false' and not(@disabled)]")
    while spent.count():
        spent.first.click()
    expect(page.locator(CONFIRM)).to_be_visible()
    expect(page.locator(STAGED)).to_contain_text(words("board.forecast"))
    page.keyboard.press("Escape")
    expect(page.locator(CONFIRM)).to_have_count(0)
    assert seat.shown()["seq"] == shown["seq"]


def test_taking_a_chip_has_a_forecast(browsers: Browsers, shelf: Shelf) -> None:
    page = browsers.page(confirm="on")
    seat = sit(page, shelf, lambda options: bool(options.get("chips")))
    page.locator(KINDS["chip"]).first.click()
    expect(page.locator(STAGED)).to_contain_text(words("effect.forecast", points="").strip())
    shown = seat.shown()["position"]
    left = shown["boards"][shown["seat"]]["chips_left"]
    near = page.locator(".near")
    expect(near.locator("[data-explain=chips_left]")).to_contain_text(words("board.chips_left", count=left))
    expect(near.locator("[data-explain=chips_left] i.used")).to_have_count(2 - left)
    expect(page.locator(".far-small .forecast")).to_contain_text(words("board.forecast"))


@pytest.mark.server("answers made up on their way over the network")
def test_forecasts_may_come_later(browsers: Browsers) -> None:
    """While they are compiled for the first time; what is picked meanwhile stays picked."""
    page = browsers.page(confirm="on")
    seat = at_turn(page)
    shown = seat.shown()

    def hold(route: Route) -> None:
        answer = route.fetch().json()
        answer["position"] = without_forecasts(answer["position"])
        answer["options"] = without_forecasts(answer["options"])
        route.fulfill(json=answer)

    page.route(f"**/api/games/{seat.game}", hold)
    page.reload()
    near = page.locator(".near [data-explain=forecast]")
    expect(near).to_contain_text("…")
    page.locator(KINDS["sun"]).first.click()
    page.locator(LINES).first.click()
    staged = page.locator(STAGED)
    told = words("effect.forecast", points="").strip()
    expect(staged).not_to_contain_text(told)
    before = staged.inner_text()
    with page.expect_response(f"**/api/games/{seat.game}"):
        pass
    expect(near).to_contain_text("…")
    page.unroute(f"**/api/games/{seat.game}")
    expect(near).not_to_contain_text("…")
    expect(staged).to_contain_text(told)
    assert staged.inner_text().startswith(before.split("\n")[0])
    page.locator(CONFIRM).click()
    expect(page.locator(LOG)).to_have_count(2 + shown["ply"])


def without_forecasts(message: Any) -> Any:
    """The message as it is before there are forecasts."""
    if isinstance(message, dict):
        return {key: None if key == "forecast" else without_forecasts(value) for key, value in message.items()}
    return [without_forecasts(one) for one in message] if isinstance(message, list) else message


# --- what a move would do -----------------------------------------------------------------------


def test_what_a_take_leaves_is_seen_on_the_moon_side(browsers: Browsers) -> None:
    page = browsers.page(confirm="on")
    seat = at_turn(page)
    options = seat.shown()["options"]
    take = next(one for one in options["takes"] if len(one.get("orders", [])) > 1)
    factory = take["source"].removeprefix("sun-")
    ghosts = page.locator(f"[data-place=moon-{factory}] [data-ghost]")
    name = words("take.sun", count=take["count"], color=words(f"color.{take['color']}"))
    tile = page.locator(f"[data-place=sun-{factory}]").get_by_role("button", name=name.split("{from}")[0]).first
    tile.hover()
    expect(ghosts).to_have_count(len(take["orders"][0]["order"]))
    tile.click()
    page.mouse.move(0, 0)
    page.keyboard.press(str(take["to"][-1]["line"]))
    for order in some(take["orders"]):
        page.locator(f"input[value={order['order']}]").check(force=True)
        assert ghosts.evaluate_all("all => all.map((one) => one.dataset.ghost).join('')") == order["order"]
    page.keyboard.press("Escape")
    tile.blur()
    expect(ghosts).to_have_count(0)


def test_a_placement_tells_its_runs(browsers: Browsers, shelf: Shelf) -> None:
    def joins(options: dict[str, Any]) -> bool:
        return any(one["across"] > 1 for one in options.get("placements", []))

    page = browsers.page(confirm="on")
    seat = sit(page, shelf, joins)
    shown = seat.shown()
    one = next(one for one in shown["options"]["placements"] if one["across"] > 1)
    space = page.locator(f"[data-place=space-{shown['position']['seat']}-{one['line']}-{one['column']}] button")
    space.hover()
    expect(page.locator(STAGED)).to_contain_text(words("effect.across", count=one["across"]))
    assert words("effect.across", count=one["across"]) in (space.get_attribute("aria-label") or "")


def test_lines_that_would_break_are_told(browsers: Browsers, shelf: Shelf) -> None:
    page = browsers.page()
    seat = sit(page, shelf, lambda options: bool((options.get("end") or {}).get("breaks")))
    shown = seat.shown()
    lines = shown["options"]["end"]["breaks"]
    text = words("effect.breaks", count=len(lines), lines=lines[0])
    expect(page.locator("[data-tour=prompt]")).to_contain_text(text.split(str(lines[0]))[0])
    for line in lines:
        place = page.locator(f"[data-place=line-{shown['position']['seat']}-{line}]")
        expect(place).to_contain_text(words("effect.breaks", count=1, lines=line))
    expect(page.locator(".near [data-explain=markers], .near [data-explain=chips_left]")).to_have_count(0)


@pytest.mark.server("answers made up on their way over the network")
def test_what_few_plates_a_place_of_the_stack_could_hold_is_shown(page: Page) -> None:
    at_turn(page)

    def with_a_set(route: Route) -> None:
        shown = route.fetch().json()
        shown["position"]["stack"][3] = {"kind": "*", "candidates": ["01", "05"]}
        route.fulfill(json=shown)

    page.route("**/api/games/*", with_a_set)
    page.reload()
    page.get_by_text(words("place.stack_known")).click()
    places = page.locator(".known li")
    expect(places.nth(3)).to_contain_text(words("place.stack_one_of", plates="01, 05"))
    assert places.nth(3).locator("use").evaluate_all("all => all.map((one) => one.getAttribute('href').at(-1))") == [
        *"YKT*",
        *"K*TR",
    ]


# --- in words -----------------------------------------------------------------------------------


def test_the_table_is_told_in_words_to_those_who_only_watch(browsers: Browsers) -> None:
    page = browsers.page()
    seat = at_turn(page)
    page.get_by_role("button", name=words("act.replay")).click()
    page.get_by_role("slider").wait_for()
    shown = seat.shown()["position"]
    for factory in shown["factories"]:
        colors = ", ".join(words(f"color.{tile}") for tile in factory["sun"])
        expect(page.locator(f"[data-place=sun-{factory['name']}]")).to_contain_text(colors)
    for k, plate in enumerate(shown["display"]):
        spaces = ", ".join(words(f"space.{space}") for space in plate["face"])
        expect(page.locator(f"[data-place=display-{k}]")).to_contain_text(spaces)
    page.keyboard.press("Escape")
    asked = page.locator("[data-tour=prompt] [role=status]")
    expect(asked).to_have_text(words("ask.turn", what="tiles or a plate"))
    page.locator(KINDS["draw"]).click()
    expect(asked).to_have_text(f"{words('turn.yours')}: {words('ask.drawing')}")


def test_the_question_names_what_can_be_taken(page: Page) -> None:
    """And the bar says when the table is still being set up."""
    start_game(page, "screen", name="Ann", other="Ben")
    expect(page.locator("header.bar")).to_contain_text(words("bar.setup"))
    seat = seat_of(page)
    asked = page.locator("[data-tour=prompt] .asked")
    kinds = {"takes": "tiles", "layings": "a plate", "chips": "a bonus chip"}
    for wanted in ({"takes", "layings"}, {"takes", "layings", "chips"}, {"takes", "chips"}):

        def fits(shown: dict[str, Any], wanted: set[str] = wanted) -> bool:
            options = shown["options"]
            there = {kind for kind in kinds if options.get(kind)} | ({"layings"} if options.get("draw") else set())
            return stage_is("turn")(shown) and there == wanted

        seat.play(fits)
        *most, last = [word for kind, word in kinds.items() if kind in wanted]
        expect(asked).to_have_text(words("ask.turn", what=f"{', '.join(most)} or {last}"))
    expect(page.locator("header.bar")).to_contain_text(words("bar.round", round=1, rounds=5))


def test_who_could_pay_for_an_earlier_line_is_told_that_it_is_now_or_never(page: Page, shelf: Shelf) -> None:
    prepared = shelf.game(page, "placing-or-pay", may_pay_before_placing, wish="chips")
    visit(page, prepared.path)
    shown = prepared.seat.shown()
    line = shown["options"]["placements"][0]["line"]
    earlier = sorted(one for one in payable(shown) if one < line)
    told = words("ask.placing_or_pay", line=line, lines=" and ".join(map(str, earlier)), count=len(earlier))
    expect(page.locator("[data-tour=prompt] .asked")).to_have_text(told)
    page.locator(KINDS["space"]).first.click()
    page.wait_for_function(f"() => document.querySelectorAll({LOG!r}).length > {len(shown['log'])}")
    assert not payable(prepared.seat.shown()) & set(earlier)


def test_the_log_tells_of_the_start_tile_and_of_chips(page: Page) -> None:
    seat = at_turn(page)
    told: dict[str, int] = {}

    def both(shown: dict[str, Any]) -> bool:
        for event in shown["log"]:
            told.update(
                (name, event["ply"]) for name in ("start", "turned") if name in event["telling"].get("args", {})
            )
        return len(told) == 2

    seat.play(both)
    for name, ply in told.items():
        line = page.locator(LOG).filter(has=page.locator("button")).nth(-ply)
        expect(line).to_contain_text(words(f"aside.{name}", turned="").strip())
    face = next(e for e in seat.shown()["log"] if e.get("ply") == told["turned"])["telling"]["args"]["turned"]
    used = page.locator(LOG).filter(has=page.locator("button")).nth(-told["turned"]).locator("use").last
    expect(used).to_have_attribute("href", f"#sintra-chip-{face.split(',')[-1]}")


@pytest.mark.long
def test_parts_of_the_table_explain_themselves(browsers: Browsers) -> None:
    page = browsers.page()
    at_turn(page)
    tip = page.get_by_role("tooltip")
    page.locator("[data-explain=bag]").hover()
    expect(tip).to_have_text(words("explain.bag"))
    page.mouse.move(0, 0)
    expect(tip).to_have_count(0)
    page.locator(KINDS["draw"]).hover()
    expect(tip).to_have_text(words("explain.stack"))
    page.keyboard.press("?")
    expect(tip).to_have_count(0)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Special space")
    expect(dialog).to_contain_text("C or Enter")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)

    phone = browsers.page(390, 844, touch=True)
    at_turn(phone)
    phone.locator(".near .broken").tap(position={"x": 5, "y": 5})
    expect(phone.get_by_role("tooltip")).to_have_text(words("explain.broken"))
    phone.locator(KINDS["sun"]).first.tap()
    expect(phone.get_by_role("tooltip")).to_have_count(0)


def test_the_tour_starts_anew_when_it_is_switched_on(browsers: Browsers) -> None:
    page = browsers.page(tour=True)
    start_game(page, "screen", name="Ann", other="Ben")
    tour = page.get_by_role("complementary", name=words("tour.title"))
    expect(tour).to_contain_text(words("tour.welcome.title"))
    tour.get_by_role("button", name=words("tour.next")).click()
    expect(tour).to_contain_text(words("tour.opening.title"))
    tour.get_by_role("button", name=words("tour.stop")).click()
    expect(tour).to_have_count(0)
    page.get_by_role("button", name=words("page.settings")).click()
    page.get_by_role("checkbox", name=words("settings.tour")).check()
    page.get_by_role("button", name=words("page.done")).click()
    expect(tour).to_contain_text(words("tour.welcome.title"))


# --- how it lies --------------------------------------------------------------------------------


def test_parts_do_not_cover_each_other(browsers: Browsers, shelf: Shelf) -> None:
    for width, height in SIZES:
        page = browsers.page(width, height)
        prepared = shelf.game(page, "keeping", wish="draw")
        visit(page, prepared.path)
        page.locator("[data-tour=prompt] .button.main").first.click()
        page.locator(KINDS["hand"]).first.click()
        label = page.locator("[data-place=hand] .label")
        picked = page.locator("[data-place=hand] button[aria-pressed=true]")
        ring = 5
        assert box(label)[3] <= box(picked)[1] - ring + 1
        if width > 700:
            mover = prepared.seat.shown()["position"]["seat"]
            for line in range(1, 7):
                _, top, _, bottom = box(page.locator(f".near [data-place=line-{mover}-{line}]"))
                _, above, _, below = box(page.locator(f".near [data-place=line-{mover}-{line}] .number"))
                assert abs((top + bottom) / 2 - (above + below) / 2) < 1


def test_the_end_fits_a_phone(browsers: Browsers, shelf: Shelf) -> None:
    page = browsers.page(390, 844, touch=True)
    visit(page, shelf.game(page, "over", lambda shown: shown["status"] == "over").path)
    dialog = page.get_by_role("dialog")
    rows = """(one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getClientRects().length;
    }"""
    assert dialog.get_by_role("columnheader", name="Ann").evaluate(rows) == 1
    assert box(dialog.get_by_role("button", name=words("act.rematch")))[3] <= 844
