"""The messages of the service, as types: the OpenAPI document and the page's types are made from them.

A colour is a letter (`B Y R K T`, `*` for a special tile), a plate its two-digit number, a chip its face (`TY`); lines,
rows and columns count from 1, seats from 0. Places have names by which a page finds them:
`sun-1 moon-1 chip-1 sun-L moon-L start display-0 stack hand bag tower`, and for a seat
`line-0-3 space-0-3-5 (row, column) slot-0-12 (slot row and column) broken-0 store-0 score-0 goal-0-2`.

After a change, `python -m sintra.table.codegen.typescript` writes the page's types.
"""

from __future__ import annotations

from sintra.table.shown.messages.advice import *
from sintra.table.shown.messages.base import *
from sintra.table.shown.messages.drafts import *
from sintra.table.shown.messages.game import *
from sintra.table.shown.messages.house import *
from sintra.table.shown.messages.lobby import *
from sintra.table.shown.messages.options import *
from sintra.table.shown.messages.position import *
from sintra.table.shown.messages.puzzle import *
from sintra.table.shown.messages.review import *
from sintra.table.shown.messages.story import *
from sintra.table.shown.messages.study import *
