"""Lets the tests run what the sources say, compiled while running, also where the package has a library: they compile
functions of their own around the engine's."""

from __future__ import annotations

import os

os.environ["SINTRA_LIBRARY"] = "none"
