"""The project's build backend: hatchling's, with a compiler where a wheel is built.

Hatchling's hooks cannot tell a wheel from an editable installation when they say what they need, and the compiler is
200 MB, which an editable installation has no use for while it is built.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from typing import Any

import hatch_build
import hatchling.build
from hatchling.build import *  # noqa: F403


def get_requires_for_build_wheel(  # type: ignore[no-redef]
    config_settings: dict[str, Any] | None = None,
) -> list[str]:
    """What a wheel needs to be built: for the engine, the package's own dependencies, the compiler and a linker."""
    needed = list(hatchling.build.get_requires_for_build_wheel(config_settings))
    wanted = os.environ.get(hatch_build.WANTED, "")
    if wanted in ("", hatch_build.WASM_ALONE):
        project = tomllib.loads((hatch_build.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
        needed += [*project["dependencies"], *project["optional-dependencies"]["compile"]]
        if not wanted and not any(map(shutil.which, ("cc", "gcc", "clang"))):
            needed.append("ziglang")
    return needed
