"""Worker job in which the user's own engine renders conversations."""

from __future__ import annotations

from tokaudit.runtimes.jobs import Job

RENDER_BY_OWN = Job("render_by_own", "tokaudit.products.engines.inside", "rendered")
