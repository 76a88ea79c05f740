"""The lesson, from its first table to the first game: by mouse, by touch and by keys."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

import soak
from table.browser.browsers import Browsers, keep_picture, words
from table.browser.reaching import link_to, visit
from table.browser.test_languages import ALL_RULES, CHECK, violations
from table.browser.users import KINDS, PROMPT, KeyboardUser, MouseUser, TouchUser
from table.catalogues import LANGUAGES, texts
from table.lessons import STEPS, Step

WAYS: dict[str, tuple[str, ...]] = {
    "take": ("S1B1", "S1B2"),
    "place": ("T22",),
    "runs": ("T36", "T32"),
    "plate": ("P14@22r2", "P14@22r0"),
    "moon": ("MT2", "MR3"),
    "order": ("S1B2:YR", "S1B2:RY"),
    "broken": ("S1Y5", "S1Y4"),
    "chips": ("E", "U5:R-,BR", "T51"),
    "special": ("T45", "T43"),
    "goals": ("T65", "T61"),
}
"""What is tried at each step: something wrong, where there is anything, and then what is right."""
CARD = "aside.lesson"


class Learner:
    """Somebody who takes the lesson, with the hands of a user."""

    def __init__(self, user: MouseUser, language: str = "en") -> None:
        self.user = user
        self.page: Page = user.page
        self.language = language
        self.is_asked = isinstance(user, TouchUser)
        self.card = self.page.locator(CARD)

    def says(self, key: str) -> str:
        found: str = texts(self.language, "lesson")[key]
        return found

    def button(self, key: str) -> Locator:
        return self.page.get_by_role("button", name=self.says(key), exact=True)

    def press(self, css: str) -> None:
        one = self.page.locator(css).first
        one.wait_for()
        self.user.press(one)

    def at(self, step: Step) -> None:
        """The step is shown."""
        expect(self.card.get_by_role("heading")).to_contain_text(self.says(f"{step.name}.title"))

    def make(self, token: str) -> None:
        """Makes the move of a token as far as its parts tell."""
        kind = token[0]
        if kind in "SM":
            side = f"[data-place=sun-{token[1]}]" if kind == "S" else "[data-place^=moon-]"
            found = re.fullmatch(r"(?:S.|M)(.)(.)(?::(.+))?", token)
            assert found is not None
            self.press(f"{side} button[data-piece={found[1]}]")
            self.press(f"[data-drop=line-{found[2]}]")
            if found[3]:
                self.press(f"label:has(input[name=order][value={found[3]}])")
        elif kind == "P":
            place = self.page.locator("[data-place^=display-]").nth(1)
            self.user.press(place.get_by_role("button"))
            self.press(f"[data-drop=slot-{token[4:6]}]")
            for _ in range(int(token[-1])):
                self.press(f"{PROMPT} .turner button:last-child")
        elif kind == "T":
            self.press(f"[data-place=space-0-{token[1]}-{token[2]}] button")
        elif kind == "U":
            self.press(f"{PROMPT} .lines button")
            for _ in token.split(","):
                self.press(f"{KINDS['spend']}:enabled")
        else:
            self.user.press(self.page.locator(PROMPT).get_by_role("button", name=words("act.end", self.language)))

    def confirm(self, token: str) -> None:
        """Confirms where the page waits for it: on phones, and where something could still be changed."""
        if self.is_asked or token[0] == "P" or (token[0] == "S" and ":" in token):
            confirm = words("act.confirm", self.language)
            self.user.press(self.page.locator(f"{PROMPT} .acts .button.main", has_text=confirm))

    def do(self, step: Step) -> None:
        """Tries what is wrong, reads why, and does what is right."""
        self.at(step)
        expect(self.card).to_contain_text(self.says(f"{step.name}.do"))
        for token in WAYS[step.name]:
            self.make(token)
            self.confirm(token)
            if not any(re.fullmatch(move, token) or move.startswith(token) for move in step.moves):
                expect(self.card.locator(".wrong")).to_have_text(step.text(step.reply(token), self.language))
        expect(self.card.locator(".right")).to_contain_text(self.says(f"{step.name}.done"))


def begin(page: Page, language: str = "en") -> None:
    visit(page, "/")
    page.get_by_role("link", name=words("lesson.new", language), exact=True).click()
    page.locator(CARD).wait_for()


def check(learner: Learner, step: Step, moment: str) -> None:
    """All of the card is in sight, and nothing is cut off."""
    page = learner.page
    size = page.viewport_size
    assert size is not None
    keep_picture(page, f"lesson-{step.name}-{moment}-{size['width']}x{size['height']}-{learner.language}")
    room = learner.card.evaluate(
        "(card) => [card.scrollHeight - card.clientHeight, card.getBoundingClientRect().bottom]"
    )
    assert room[0] <= 1, f"the card of {step.name} is longer than its room"
    assert not page.evaluate(CHECK)


@pytest.mark.tab
@pytest.mark.soak
@pytest.mark.parametrize("language", soak.pick(["en"], list(LANGUAGES)))
@pytest.mark.parametrize("hand", soak.rest_long("mouse", "touch"))
def test_the_whole_lesson(browsers: Browsers, hand: str, language: str) -> None:
    if hand == "mouse":
        page = browsers.page(1280, 720, language=language)
        user: MouseUser = MouseUser(page, 1, drags=False)
    else:
        page = browsers.page(390, 844, theme="light", touch=True, language=language)
        user = TouchUser(page, 1)
    begin(page, language)
    learner = Learner(user, language)
    for step in STEPS:
        learner.at(step)
        check(learner, step, "begin")
        learner.do(step)
        check(learner, step, "done")
        user.press(learner.button("next"))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(learner.says("end.lead"))
    assert violations(page, ALL_RULES) == []
    user.press(dialog.get_by_role("button", name=learner.says("end.first")))
    page.wait_for_url("**/game/*")
    tour = page.get_by_role("complementary", name=words("tour.title", language))
    expect(tour.get_by_role("heading")).to_have_text(words("tour.welcome.title", language))
    visit(page, "/")
    expect(page.get_by_role("link", name=words("lesson.new", language), exact=True)).to_have_count(0)
    expect(page.get_by_role("link", name=words("lesson.start", language), exact=True)).to_be_visible()


def test_the_lesson_by_keys(browsers: Browsers) -> None:
    page = browsers.page(1280, 720)
    visit(page, "/lesson")
    learner = Learner(KeyboardUser(page, 1))
    learner.card.wait_for()
    for step in STEPS[:3]:
        learner.do(step)
        expect(learner.button("next")).to_be_focused()
        page.keyboard.press("Enter")
    learner.at(STEPS[3])


def test_one_goes_back_skips_leaves_and_comes_back(browsers: Browsers) -> None:
    page = browsers.page(1280, 720)
    begin(page)
    learner = Learner(MouseUser(page, 1, drags=False))
    expect(learner.button("back")).to_be_disabled()
    for step in STEPS[:4]:
        learner.at(step)
        learner.button("skip").click()
    learner.button("back").click()
    learner.at(STEPS[3])
    page.reload()
    learner.at(STEPS[3])
    assert violations(page, ALL_RULES) == []
    page.get_by_role("link", name=learner.says("leave"), exact=True).click()
    again = page.locator("form").get_by_role("link", name=words("lesson.continue"), exact=True)
    again.click()
    learner.do(STEPS[3])
    page.get_by_role("button", name=words("lesson.again"), exact=True).click()
    expect(learner.card).to_contain_text(learner.says("plate.do"))
    learner.do(STEPS[3])


def test_help_and_rules_lead_to_the_lesson(browsers: Browsers) -> None:
    page = browsers.page()
    visit(page, "/rules")
    page.get_by_role("link", name=words("lesson.start"), exact=True).click()
    page.locator(CARD).wait_for()
    page.keyboard.press("?")
    link = page.get_by_role("dialog").get_by_role("link", name=words("lesson.title"), exact=True)
    expect(link).to_have_attribute("href", link_to(page, "/lesson"))
