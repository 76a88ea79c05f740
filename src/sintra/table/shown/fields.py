"""A view as plain numbers and lists."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from sintra.game.game import View
from sintra.rules.state import STATE

Fields = dict[str, Any]
"""The fields of a state as plain numbers and lists."""


@lru_cache(maxsize=256)
def fields_of(view: View) -> Fields:
    """Everything in a view at once, to be read only: reading single fields of a NumPy record is slow."""
    values: tuple[Any, ...] = view.state.tolist()[0]
    plain = (value.tolist() if isinstance(value, np.ndarray) else value for value in values)
    return dict(zip(STATE.names or (), plain, strict=True))
