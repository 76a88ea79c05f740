"""How heavy the page is; `make page` measures how quick it is."""

from __future__ import annotations

import pytest

from table.browser.browsers import Browsers, files_of
from table.catalogues import LANGUAGES

MAX_BYTES = 150_000


@pytest.mark.server("the weight of the page at a server")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_light(browsers: Browsers, language: str) -> None:
    files = files_of(browsers.page(language=language))
    assert 0 < sum(files.values()) < MAX_BYTES, files
