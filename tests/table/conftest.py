"""What the tests of the table share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from table.sitting import Sitting


@pytest.fixture
def sitting() -> Iterator[Sitting]:
    with Sitting() as one:
        yield one
