"""Two browsers against each other by link, and a third that watches; the server dies in the middle."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import soak
from sintra import Game
from sintra.records.steps import run_to_completion
from sintra.table.games.beginnings import starting_at
from sintra.table.games.capabilities import hash_of
from sintra.table.games.log import Created, write_event
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import INVITATION, Stored
from sintra.table.http.network import own_addresses
from sintra.tabletop.ruleset import RuleOptions
from table.browser.browsers import Browsers, Table, game_of, seat_of, stage_is, start_game, words
from table.browser.users import KINDS, MouseUser
from table.catalogues import LANGUAGES, LONGEST_LANGUAGE

pytestmark = pytest.mark.server("a second browser at the same game")


def friends(browsers: Browsers, first: str = "me") -> tuple[Page, Page, str]:
    """Ann invites, Ben comes by her link; the third is the watchers' link."""
    ann, ben = browsers.page(), browsers.page(name="")
    start_game(ann, "friend", first=first, name="Ann")
    expect(ann.get_by_role("heading", name=words("wait.title"))).to_be_visible()
    link = ann.locator("#link-friend").input_value()
    watch = ann.locator("#link-watch").input_value()
    ben.goto(link)
    ben.locator("#join-name").fill("Ben")
    ben.get_by_role("button", name=words("join.go")).click()
    for page in (ann, ben):
        page.locator("[data-tour=prompt]").wait_for()
    assert "#" not in ben.url
    return ann, ben, watch


def open_links(page: Page) -> dict[str, str]:
    """The links that a player is offered, by kind; the window stays open."""
    page.get_by_role("button", name=words("share.title"), exact=True).click()
    page.get_by_role("dialog").get_by_text(words("share.here")).click()
    fields = page.get_by_role("dialog").locator("input[id^=link-]")
    expect(fields.first).to_be_visible()
    return {str(one.get_attribute("id")).removeprefix("link-"): one.input_value() for one in fields.all()}


def log_of(page: Page) -> list[str]:
    return page.locator("[data-tour=log] li").all_inner_texts()


def told_to_both(page: Page) -> list[str]:
    """What both players read in the same words: only one of them knows which plate was returned."""
    return [line for line in log_of(page) if " returns " not in line]


def take_turns(hands: dict[int, MouseUser], moves: int) -> None:
    for _ in range(moves):
        shown = seat_of(hands[0].page).shown()
        if not hands[shown["position"]["seat"]].decide():
            return


@pytest.fixture
def own_browsers(browser: Browser, own_table: Table) -> Browsers:
    return Browsers(browser, own_table)


@pytest.mark.long
def test_a_killed_server_comes_back_and_nothing_is_lost_or_doubled(own_browsers: Browsers, own_table: Table) -> None:
    ann, ben, _ = friends(own_browsers)
    hands = {0: MouseUser(ann, 1), 1: MouseUser(ben, 2)}
    take_turns(hands, 8)
    before = seat_of(ann).shown()
    expect(ben.locator("[data-tour=log] li")).to_have_count(len(before["log"]))
    logs = [log_of(page) for page in (ann, ben)]
    record = _record(ann)
    with own_browsers.without_server():
        own_table.kill(signal.SIGKILL)
        for page in (ann, ben):
            expect(page.get_by_text(words("page.reconnecting"))).to_be_visible()
        own_table.start()
        for page in (ann, ben):
            expect(page.get_by_text(words("page.reconnecting"))).to_be_hidden()
    assert [log_of(page) for page in (ann, ben)] == logs
    after = seat_of(ann).shown()
    assert [event | {"at": ""} for event in after["log"]] == [event | {"at": ""} for event in before["log"]]
    assert after["position"] == before["position"]
    assert _record(ann) == record

    # a move that is made while the server is away arrives once, when it is back
    hand = hands[after["position"]["seat"]]
    seen = hand.ready()
    confirm = hand.page.locator("[data-tour=prompt] button:enabled", has_text=words("act.confirm"))
    arrived = hand.page.locator("[data-tour=log] li").nth(len(before["log"]))
    with own_browsers.without_server():
        own_table.kill(signal.SIGKILL)
        expect(hand.page.get_by_text(words("page.reconnecting"))).to_be_visible()
        assert hand.choose(seen)
        if confirm.count():
            confirm.click()
        own_table.start()
        expect(arrived.or_(confirm).first).to_be_attached()
        if not arrived.count():  # the page has stopped trying: it is tried again by hand
            confirm.click()
        for one in (ann, ben):
            expect(one.locator("[data-tour=log] li")).to_have_count(len(before["log"]) + 1)
    assert len(seat_of(ben).shown()["log"]) == len(before["log"]) + 1
    take_turns(hands, 4)
    assert len(log_of(ann)) == len(log_of(ben))
    assert told_to_both(ann) == told_to_both(ben)
    own_browsers.close()
    assert own_browsers.faults == []


def _record(page: Page) -> dict[str, Any]:
    answer = page.context.request.get(f"{page.url.split('/game/')[0]}/api/games/{game_of(page)}/record")
    found: dict[str, Any] = json.loads(answer.text())
    return found


@pytest.mark.long
def test_leaving_taking_back_resigning_and_a_rematch(browsers: Browsers) -> None:
    ann, ben, _ = friends(browsers)
    hands = {0: MouseUser(ann, 3), 1: MouseUser(ben, 4)}
    take_turns(hands, 5)

    # who leaves is away, and can come back
    away = ann.get_by_text(words("player.away"), exact=True)
    expect(away).to_be_hidden()
    address = ben.url
    ben.goto("/rules")
    expect(away).to_be_visible()
    ben.goto(address)
    ben.locator("[data-tour=prompt]").wait_for()
    expect(away).to_be_hidden()

    # a take-back is asked for and granted, or not
    seat = seat_of(ann).shown()["position"]["seat"]
    waiting, moving = hands[1 - seat].page, hands[seat].page
    plies = seat_of(ann).shown()["ply"]
    for answer, left in (("takeback.no", plies), ("takeback.yes", plies - 1)):
        asker, other = (waiting, moving)
        asker.get_by_role("button", name=words("act.take_back")).or_(
            asker.get_by_role("button", name=words("act.undo"))
        ).first.click()
        if seat_of(ann).shown()["ply"] != plies:
            break  # it was the player's own latest move, within the law: undone at once
        other.get_by_role("button", name=words(answer), exact=True).click()
        expect(other.get_by_role("button", name=words(answer), exact=True)).to_be_hidden()
        assert seat_of(ann).shown()["ply"] <= left

    # a resignation ends it
    ann.get_by_role("button", name=words("act.resign")).click()
    ann.get_by_role("dialog").get_by_role("button", name=words("act.resign")).click()
    for page in (ann, ben):
        expect(page.get_by_role("dialog").get_by_text(words("end.resigned", name="Ann"))).to_be_visible()

    # and the next game has the same two, with the other to start
    old = seat_of(ann).shown()
    ben.get_by_role("button", name=words("act.rematch_offer")).click()
    ben.wait_for_url(lambda url: old["game"] not in url)
    expect(ann.get_by_role("dialog")).to_contain_text(words("end.rematch_offered", name="Ben"))
    ann.get_by_role("dialog").get_by_role("button", name=words("act.rematch_join")).click()
    ann.wait_for_url(lambda url: old["game"] not in url)
    ann.locator("[data-tour=prompt]").wait_for()
    assert game_of(ann) == game_of(ben)
    new = seat_of(ann).shown()
    assert {player["name"] for player in new["players"]} == {"Ann", "Ben"}
    hands = {seat_of(page).shown()["you"][0]: MouseUser(page, 5) for page in (ann, ben)}
    take_turns(hands, 3)


def test_every_player_finds_links_and_a_used_invitation_says_so(browsers: Browsers) -> None:
    ann, ben = browsers.page(), browsers.page(name="")
    start_game(ann, "friend", name="Ann")
    invitation = ann.locator("#link-friend").input_value()
    ben.goto(invitation)
    ben.get_by_role("button", name=words("join.go")).click()
    for seat, page in enumerate((ann, ben)):
        page.locator("[data-tour=prompt]").wait_for()
        links = open_links(page)
        assert set(links) == {"watch", "own"}
        for kind, seats in (("own", [seat]), ("watch", [])):
            elsewhere = browsers.page()
            elsewhere.goto(links[kind])
            elsewhere.locator("[data-tour=prompt]").wait_for()
            assert seat_of(elsewhere).shown()["you"] == seats
    stranger = browsers.page()
    with browsers.without_server():  # the browser notes the refusal
        stranger.goto(invitation.partition("#")[0])
        expect(stranger.get_by_text(words("problem.no_game"))).to_be_visible()
        stranger.goto(invitation)
        expect(stranger.get_by_text(words("problem.link_used"))).to_be_visible()
    stranger.goto(links["watch"])  # the same page: the address differs in its fragment only
    stranger.locator("[data-tour=prompt]").wait_for()
    assert "#" not in stranger.url
    assert seat_of(stranger).shown()["you"] == []


@pytest.mark.soak
@pytest.mark.parametrize("language", soak.pick((LONGEST_LANGUAGE,), LANGUAGES))
def test_who_sits_down_too_late_is_told_so(browsers: Browsers, language: str) -> None:
    """Somebody else looks at the table between Ben's coming and his first look."""
    ann, ben = browsers.page(), browsers.page(language=language)
    start_game(ann, "friend")
    invitation = ann.locator("#link-friend").input_value()
    game, rival = game_of(ann), browsers.table.person()

    def overtake(route: Route) -> None:
        body = {"secret": invitation.partition("#")[2], "name": "Eve"}
        if not rival.cookies:
            assert rival.post(f"/api/games/{game}/enter", json=body).status_code == 200
            assert rival.get(f"/api/games/{game}").json()["you"] == [1]
        route.continue_()

    ben.route(f"**/api/games/{game}", overtake)
    ben.goto(invitation)
    with browsers.without_server():  # the browser notes the refusal
        ben.get_by_role("button", name=words("join.go", language)).click()
        expect(ben.get_by_text(words("problem.seat_taken", language))).to_be_visible()
        ben.reload()
        expect(ben.get_by_text(words("problem.seat_taken", language))).to_be_visible()
        ben.goto("/")
        ben.wait_for_function("() => localStorage['sintra.games'] === '[]'")
        ben.goto(invitation)
        expect(ben.get_by_text(words("problem.link_used", language))).to_be_visible()
    assert rival.cookies


def test_a_friend_sits_down_once_however_often_they_press(browsers: Browsers) -> None:
    """A second place for the same browser could take the seat from the first."""
    ann, ben = browsers.page(), browsers.page()
    start_game(ann, "friend")
    ben.goto(ann.locator("#link-friend").input_value())
    posts: list[Route] = []

    def hold(route: Route) -> None:
        posts.append(route)

    form = ben.locator("main form")
    form.wait_for()
    ben.route("**/enter", hold)
    form.evaluate("form => { form.requestSubmit(); form.requestSubmit(); }")
    expect(ben.get_by_role("button", name=words("join.go"))).to_be_disabled()
    form.evaluate("form => form.requestSubmit()")
    assert len(posts) == 1
    posts[0].continue_()
    ben.locator("[data-tour=prompt]").wait_for()


def test_a_rematch_can_be_watched_too(browsers: Browsers) -> None:
    ann, ben, watch = friends(browsers)
    eve, dan = browsers.page(), browsers.page()
    eve.goto(watch)
    eve.locator("[data-tour=prompt]").wait_for()
    seat_of(ann).post("resign")
    expect(eve.get_by_role("dialog")).to_be_visible()
    expect(eve.get_by_role("button", name=words("act.rematch_watch"))).to_have_count(0)
    old = game_of(ann)
    ann.get_by_role("dialog").get_by_role("button", name=words("act.rematch_offer")).click()
    ann.wait_for_url(lambda url: old not in url)
    eve.get_by_role("dialog").get_by_role("button", name=words("act.rematch_watch")).click()
    eve.wait_for_url(lambda url: old not in url)
    ben.get_by_role("dialog").get_by_role("button", name=words("act.rematch_join")).click()
    ben.wait_for_url(lambda url: old not in url)
    for page in (ann, ben, eve):
        page.locator("[data-tour=prompt]").wait_for()
    assert game_of(eve) == game_of(ann)
    assert seat_of(eve).shown()["you"] == []
    dan.goto(open_links(ben)["watch"])
    dan.locator("[data-tour=prompt]").wait_for()
    assert seat_of(dan).shown()["you"] == []


@pytest.mark.long
def test_a_friend_who_stays_away_loses_the_game_to_a_claim(browser: Browser, tmp_path: Path) -> None:
    with Table(tmp_path / "games.sqlite", "--quiet", "--thinkers", "1", "--claim-after", "0") as table:
        browsers = Browsers(browser, table)
        ann, ben, _ = friends(browsers)
        claim = ann.get_by_role("button", name=words("act.claim"))
        expect(claim).to_have_count(0)
        address = ben.url
        ben.goto("/rules")
        expect(ann.get_by_text(words("away.gone", name="Ben"))).to_be_visible()
        ben.goto(address)
        ben.locator("[data-tour=prompt]").wait_for()
        expect(claim).to_have_count(0)
        ben.goto("/rules")
        claim.click()
        ann.get_by_role("dialog").get_by_role("button", name=words("act.claim")).click()
        expect(ann.get_by_role("dialog").get_by_text(words("end.won"))).to_be_visible()
        ben.goto(address)
        ending = ben.get_by_role("dialog")
        expect(ending.get_by_text(words("end.left", name="Ben"))).to_be_visible()
        ben.keyboard.press("Escape")
        expect(ben.locator("[data-tour=log] li").first).to_contain_text(words("log.claimed"))
        browsers.close()
    assert browsers.faults == []


def test_a_waiting_table_first_says_how_a_friend_can_reach_it(own_browsers: Browsers, own_table: Table) -> None:
    page = own_browsers.page()
    start_game(page, "friend")
    field = page.locator("#link-friend")
    expect(page.get_by_text(words("share.network.closed"))).to_be_visible()
    expect(field).to_be_hidden()
    expect(page.locator(".bar").get_by_text(words("bar.round", round=1, rounds=5))).to_have_count(0)
    expect(page.get_by_role("button", name=words("share.title"), exact=True)).to_have_count(0)
    page.get_by_text(words("share.here")).click()
    expect(field).to_be_visible()
    assert field.input_value().startswith(own_table.address)
    with own_browsers.without_server():  # a machine without a network is refused
        page.get_by_role("button", name=words("share.network.do")).click()
        if own_addresses():
            expect(page.get_by_text(words("share.network.closed"))).to_have_count(0)
            expect(field).to_have_value(re.compile(f"^http://{re.escape(own_addresses()[0])}:"))
        else:
            expect(page.get_by_text(words("problem.no_network"))).to_be_visible()
    own_browsers.close()
    assert own_browsers.faults == []


def test_a_waiting_table_can_be_given_up(browsers: Browsers) -> None:
    ann, ben = browsers.page(), browsers.page()
    start_game(ann, "friend")
    link = ann.locator("#link-friend").input_value()
    ann.get_by_role("button", name=words("wait.cancel")).click()
    ann.get_by_role("dialog").get_by_role("button", name=words("wait.cancel")).click()
    expect(ann.get_by_text(words("start.none"))).to_be_visible()
    with browsers.without_server():
        ben.goto(link)
        expect(ben.get_by_text(words("problem.cancelled"))).to_be_visible()


def test_an_invitation_says_who_invites_to_what_and_who_sees_what(browsers: Browsers) -> None:
    ann, ben = browsers.page(), browsers.page(390, 844)
    ann.goto("/")
    expect(ann.get_by_text(words("mode.friend.lead.network"))).to_be_visible()
    reach = ann.get_by_text(words("reach.openable"))
    expect(reach).to_have_count(0)
    ann.locator("input[name=mode][value=friend]").check()
    expect(reach).to_be_visible()
    browsers.picture("reach")
    ann.get_by_text(words("start.more")).click()
    ann.locator("#option-draw_at_zero").select_option("free")
    ann.locator("#first").select_option("other")
    ann.locator("form .button.main").click()
    ann.get_by_text(words("share.here")).click()
    for kind in ("friend", "watch", "own"):
        expect(ann.get_by_text(words(f"share.{kind}.who"))).to_be_visible()
    ben.goto(ann.locator("#link-friend").input_value())
    expect(ben).to_have_title(re.compile(re.escape(words("join.title", name="Ann"))))
    told = ben.locator("form dl")
    for said in (
        f"{words('goal.rows')}: {words('goal.rows.how')}",
        words("join.you"),
        f"{words('option.draw_at_zero')}: {words('option.draw_at_zero.free')}",
        words("join.seen", name="Ann"),
    ):
        expect(told.get_by_text(said, exact=True)).to_be_visible()
    browsers.picture("invitation")
    ben.get_by_role("button", name=words("join.go")).click()
    ben.locator("[data-tour=prompt]").wait_for()


@pytest.mark.parametrize("language", soak.rest_long(*LANGUAGES))
def test_a_deal_that_may_be_known_is_told_before_the_game_and_in_it(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    """In a game from a log that was written before deals were made anew against friends."""
    game, secret, before = "abcdefghijkl", 43 * "s", Game.new(seed=3)
    start = run_to_completion(starting_at(before, 0, against_friend=False))
    goals = [str(goal) for goal in before.rules.goals]
    made = Created(1, 1, "friend", ["Ann", ""], goals, len(goals), RuleOptions(), start=start)

    async def write() -> None:
        storage = SqliteStorage(tmp_path / "games.sqlite")
        log = [Stored(0, None, "2026-01-01T00:00:00.000Z", write_event(made))]
        await storage.create(game, log, [("own", hash_of("o")), (INVITATION, hash_of(secret))])
        await storage.close()

    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, write()).result()
    with Table(tmp_path / "games.sqlite", "--quiet", "--thinkers", "1") as table:
        browsers = Browsers(browser, table)
        ben = browsers.page(name="", language=language)
        ben.goto(f"/game/{game}#{secret}")
        said = words("log.played_on_known", language)
        expect(ben.locator("form dl").get_by_text(said)).to_be_visible()
        ben.locator("#join-name").fill("Ben")
        ben.get_by_role("button", name=words("join.go", language)).click()
        expect(ben.locator("[data-tour=log]").get_by_text(said)).to_have_count(1)
        browsers.close()
    assert browsers.faults == []


def test_a_refused_name_can_be_said_again(browsers: Browsers) -> None:
    ann, ben = browsers.page(name=""), browsers.page(name="")
    start_game(ann, "friend")
    ben.goto(ann.locator("#link-friend").input_value())
    mine = ben.locator("#join-name")
    expect(mine).to_have_value(words("start.second"))
    mine.fill("<b>")
    with browsers.without_server():
        ben.get_by_role("button", name=words("join.go")).click()
        expect(ben.get_by_text(words("problem.bad_name"))).to_be_visible()
    mine.fill(words("start.you"))
    ben.get_by_role("button", name=words("join.go")).click()
    ben.locator("[data-tour=prompt]").wait_for()
    names = [player["name"] for player in seat_of(ben).shown()["players"]]
    assert names == ["Player", "Player 2"]


def test_friends_get_no_hints(browsers: Browsers) -> None:
    ann, ben, _ = friends(browsers)
    mover = (ann, ben)[seat_of(ann).shown()["position"]["seat"]]
    expect(mover.locator(KINDS["plate"]).first).to_be_visible()
    expect(mover.get_by_role("button", name=words("act.hint"))).to_have_count(0)
    mover.keyboard.press("h")
    mover.locator(KINDS["plate"]).first.click()
    expect(mover.get_by_role("button", name=words("act.cancel"))).to_be_visible()
    expect(mover.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("obeys", [True, False])
def test_a_link_is_copied_without_a_clipboard_or_selected_to_be(browsers: Browsers, obeys: bool) -> None:
    page = browsers.page()
    page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined });"
        "document.execCommand = (what) => {"
        f"  window.wanted = `${{what}} ${{getSelection()}}`; return {str(obeys).lower()}; }};"
    )
    start_game(page, "friend")
    page.get_by_text(words("share.here")).click()
    page.get_by_role("button", name=words("share.copy")).first.click()
    said = words("share.copied" if obeys else "share.select")
    expect(page.get_by_text(said, exact=True)).to_be_visible()
    assert page.evaluate("window.wanted") == f"copy {page.locator('#link-friend').input_value()}"


def test_a_spectator_sees_the_game_and_can_do_nothing(browsers: Browsers) -> None:
    ann, ben, link = friends(browsers)
    eve = browsers.page()
    eve.goto(link)
    eve.locator("[data-tour=prompt]").wait_for()
    expect(ann.get_by_text(words("bar.spectators", count=1))).to_be_visible()
    hands = {0: MouseUser(ann, 6), 1: MouseUser(ben, 7)}
    take_turns(hands, 4)
    expect(eve.locator("[data-tour=log] li")).to_have_count(ann.locator("[data-tour=log] li").count())
    # two plates are drawn and looked at: they are the mover's own secret
    seats = [seat_of(ann, 8), seat_of(ben, 9)]
    for _ in range(60):
        shown = seats[0].shown()
        if stage_is("keeping")(shown):
            break
        mover = seats[shown["position"]["seat"]]
        mover.move(mover.shown(), "draw")
    mover = seats[shown["position"]["seat"]]
    private = [one["plate"]["plate"] for one in mover.shown()["position"]["hand"]]
    assert private
    page = (ann, ben)[shown["position"]["seat"]]
    expect(page.locator(KINDS["hand"])).to_have_count(len(private))
    for other in (eve, (ben, ann)[shown["position"]["seat"]]):
        hand = other.locator("[data-place=hand]")
        expect(hand).to_be_visible()
        expect(hand.locator("button")).to_have_count(0)
        assert "sintra-space" not in hand.inner_html()
    for css in (*KINDS.values(), "button[data-drop]", "[data-tour=prompt] button"):
        expect(eve.locator(css)).to_have_count(0)
    expect(eve.get_by_role("button", name=words("act.resign"))).to_have_count(0)
    known = seat_of(eve).shown()
    assert "options" not in known
    assert all("plate" not in one for one in known["position"]["hand"])
