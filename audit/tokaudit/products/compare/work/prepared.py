"""A subject that can be compared: its parsed file, and the workers that run it."""

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
    """A subject that can be compared: its parsed file and what runs it."""

    side: Side
    representations: Representations
    reference: WorkerTokenizer | None
    upstream: WorkerTokenizer | None
    subject: Subject


def prepared(subject: Subject, workers: Workers, role: str) -> Compared:
    """A subject with its workers started; raises `UnreadableError` where no file parses."""
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
    """A subject that was parsed before, with the reference alone."""
    reference = None
    if representation is not None:
        with suppress(Skip, UpstreamTrouble):
            reference = workers.open(f"reference of {role}", reference_request(spec))
    found = Representations((representation,) if representation else ())
    return Compared(Side(subject.name, spec, subject), found, reference, None, subject)
