"""A subject ready for comparison: its parsed file, and its encoders."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from tokaudit.engine.sides.side import Side
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import Skip, UpstreamTrouble
from tokaudit.runtimes.subject_requests import reference_request, upstream_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representation, Representations, readable
from tokaudit_reference.spec import TokenizerSpec


@dataclass(frozen=True)
class Compared:
    """A subject ready for comparison: its parsed file and its encoders."""

    side: Side
    representations: Representations
    reference: WorkerTokenizer | None
    upstream: WorkerTokenizer | None
    subject: Subject


def prepared(subject: Subject, workers: Workers, role: str) -> Compared:
    """Start the workers of a subject; raise `UnreadableError` if no file parses."""
    found = readable(subject)
    representation, spec = found.parsed[0]
    reference = library = None
    with suppress(Skip, UpstreamTrouble):
        reference = workers.open(f"reference of {role}", reference_request(spec))
    with suppress(Skip, UpstreamTrouble):
        request = upstream_request(subject, representation, spec)
        library = workers.open(f"library of {role}", request)
    return Compared(Side(subject.name, spec, subject), found, reference, library, subject)


def by_reference(
    subject: Subject,
    representation: Representation | None,
    spec: TokenizerSpec,
    workers: Workers,
    role: str,
) -> Compared:
    """Prepare a parsed subject with the reference alone."""
    reference = None
    if representation is not None:
        with suppress(Skip, UpstreamTrouble):
            reference = workers.open(f"reference of {role}", reference_request(spec))
    found = Representations((representation,) if representation else ())
    return Compared(Side(subject.name, spec, subject), found, reference, None, subject)
