"""The work over ids, with a piece that waits for a kill."""

from __future__ import annotations

from waiting_pieces import waiting

from tokaudit.products.data.shards import carrying_out

WORK = waiting(carrying_out.WORK, __name__)
