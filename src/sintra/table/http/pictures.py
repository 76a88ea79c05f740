"""QR codes of links, for phones: drawn in another thread, one at a time, and cached."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Final

import segno

from sintra.table.games.refusals import RefusalError
from sintra.table.shown.messages import Picture

MAX_LETTERS: Final = 200
"""Letters of the longest link; QR codes of longer ones are slow to draw and hard to read for a phone."""


class Pictures:
    """Draws QR codes; drawing one takes as long as many answers."""

    def __init__(self) -> None:
        self._drawing = asyncio.Lock()

    async def of(self, text: str) -> Picture:
        """The QR code of a text."""
        if len(text.encode()) > MAX_LETTERS:
            raise RefusalError(422, "no_picture", "This text is too long for a QR code.")
        async with self._drawing:
            return await asyncio.to_thread(qr_code_of, text)


@lru_cache(maxsize=64)
def qr_code_of(text: str) -> Picture:
    """The QR code of a text, row by row."""
    code = segno.make_qr(text, error="m", boost_error=False)
    return Picture(["".join("1" if dark else "0" for dark in row) for row in code.matrix])
