"""What the tests of the table share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.local_table import LocalTable


@pytest.fixture
def local() -> Iterator[LocalTable]:
    with LocalTable() as one:
        yield one
