"""Sound: it can be switched off at the table."""

from __future__ import annotations

from playwright.sync_api import expect

from table.browser.browsers import Browsers, resize, start_game, words


def test_the_sound_is_switched_off_and_on_at_the_table(browsers: Browsers) -> None:
    page = browsers.page(sound=True)
    start_game(page, "screen", name="Ann", other="Ben")
    mute = page.get_by_role("button", name=words("act.mute"))
    expect(mute).to_have_attribute("aria-pressed", "false")
    mute.click()
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(mute).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("m")
    expect(mute).to_have_attribute("aria-pressed", "false")
    resize(page, 844, 390)
    expect(mute).to_have_count(0)
    page.get_by_role("button", name=words("page.menu")).click()
    mute.click()
    resize(page, 360, 640)
    expect(mute).to_have_attribute("aria-pressed", "true")
