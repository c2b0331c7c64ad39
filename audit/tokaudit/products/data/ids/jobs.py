"""Jobs of a worker that reads files of ids."""

from __future__ import annotations

from tokaudit.runtimes.jobs import Job

OPEN_SHARD = Job("open_shard", "tokaudit.products.data.ids.inside", "opening")
MEASURE_PIECE = Job("measure_piece", "tokaudit.products.data.ids.inside", "tally")
