"""The counting of words, with a piece that waits for a kill."""

from __future__ import annotations

from waiting_pieces import waiting

from tokaudit.products.train.words import work

WORK = waiting(work.WORK, __name__)
