"""Builders of the core's needs, one short function for each type."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.engine.needs import Options, Others
from tokaudit.engine.outcome.loader_records import LOADERS as LOADERS
from tokaudit.engine.outcome.tracing import TRACES as TRACES
from tokaudit.engine.resolver import Needs
from tokaudit.engine.workers import Workers
from tokaudit.subject.material import Subject

GIVEN = (Subject, Options, Workers, Others)
"""What there is before anything is built."""


def audit_needs(
    subject: Subject, options: Options, workers: Workers, others: Others = Others()
) -> Needs:
    """Return everything that the checks of an audit may request, by installed providers."""
    needs = Needs.installed(subject, options, workers, others)
    return replace(needs, deadline=workers.limits.deadline)
