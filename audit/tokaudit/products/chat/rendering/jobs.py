"""The job of a worker that renders chat templates."""

from __future__ import annotations

from tokaudit.runtimes.jobs import Job

RENDER = Job("render", "tokaudit.products.chat.rendering.in_worker", "rendered")
