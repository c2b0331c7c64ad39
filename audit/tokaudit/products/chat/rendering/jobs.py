"""Jobs of a worker that renders chat templates, by Jinja and by other engines."""

from __future__ import annotations

from tokaudit.products.chat.engines.engine import programs, reads
from tokaudit.runtimes.jobs import Job

RENDER = Job("render", "tokaudit.products.chat.rendering.in_worker", "rendered")
RENDER_BY_ENGINE = Job(
    "render_by_engine", "tokaudit.products.chat.engines.inside", "rendered", programs, reads
)
