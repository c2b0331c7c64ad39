"""Builds the needs of the core: one short function for each type that a check may ask for."""

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
    """Everything that the checks of one audit may ask for, by every installed provider."""
    needs = Needs.installed(subject, options, workers, others)
    return replace(needs, deadline=workers.limits.deadline)
