"""Browsers that have the table in a tab of theirs: the page comes from a plain static server, whose network is cut."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, BrowserContext, Page

from table.browser.browsers import Browsers
from table.browser.folder import Folder
from table.browser.reaching import keepers

NOT_IN_TAB: Final = {
    # the server's service worker, a second browser, killed processes, the weight of the ordinary page
    *("test_app", "test_friends", "test_killed_processes", "test_weight"),
    # a second browser at the same game
    *("test_a_position_is_analysed_and_shared", "test_a_clock_is_chosen_remembered_and_told_to_the_friend"),
    *("test_rounds_and_the_game_end_with_a_story", "test_the_table_is_told_in_words_to_those_who_only_watch"),
    *("test_a_player_elsewhere_is_called_at_the_end_of_a_round", "test_a_player_who_missed_something_is_called"),
    # answers that the test makes up on their way over the network
    *("test_a_refusal_can_be_put_away_and_goes_with_its_cause", "test_forecasts_may_come_later"),
    *("test_what_few_plates_a_place_of_the_stack_could_hold_is_shown", "test_full_stores_of_chips_fit_their_boards"),
    "test_skip_ends_what_is_being_shown",
    # a deal that follows from the name of the test
    "test_a_finished_game_is_analysed_from_its_replay",
}
"""Files and tests that need a server, and why."""


class TabBrowsers(Browsers):
    """The browsers of one test, each with a table of its own; nothing can be fetched once that has answered."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        super().__init__(browser, None)
        self._folder = folder

    def _first_page(self, context: BrowserContext) -> Page:
        keeper = context.new_page()
        with Folder(self._folder) as folder:
            keeper.goto(folder.address)
            table_answers(keeper)
        keepers[context] = keeper
        return context.new_page()


def table_answers(page: Page) -> None:
    """Waits until the start page knows its opponents, which it asks the table for."""
    page.locator("#opponent option").first.wait_for(state="attached")
