"""Records of a report about the subject, the machine and the time spent."""

from __future__ import annotations

import contextlib
import platform
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from tokaudit.engine.check import Check
from tokaudit.engine.workers import Workers
from tokaudit.foundation.installed_version import version
from tokaudit.foundation.plugins.entry_points import entry_points
from tokaudit.report.recorded import (
    LACKING,
    CheckRecord,
    FactRecord,
    FileRecord,
    SubjectRecord,
    Timing,
)
from tokaudit.runtimes.registry import all_adapters
from tokaudit.runtimes.worker.confinement.sandbox import lacking, offered
from tokaudit.subject.effective.value_table import value_table
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.representations import Representations
from tokaudit.subject.roles import given_role

READ_FOR_FACTS = ("config", "template")  # read even where they state nothing that is used


def environment(seed: int, workers: Workers) -> dict[str, str]:
    """Describe everything outside of files that may change ids, and the sandbox.

    It is never part of an identity.
    """
    found = {"python": platform.python_version(), "platform": platform.platform()}
    found |= {"sandbox": _sandbox(workers)}
    found |= {LACKING: missing} if (missing := lacking()) else {}
    found |= {"unicode": unicodedata.unidata_version, "seed": str(seed)}
    return found | dict(_versions())


def _sandbox(workers: Workers) -> str:
    """Describe the workers' lost privileges, and the unconfined ones with the user's code."""
    requests = [each.request for each in workers.opened.values() if not each.sandboxed]
    named = [f"{request.adapter}:{request.path}" for request in requests]
    return "; ".join([offered(), *(f"not around {name}, which the user named" for name in named)])


@cache  # metadata takes long to parse, and does not change in a run
def _versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of plug-ins and of libraries that adapters run."""
    return tuple(_installed())


def _installed() -> Iterator[tuple[str, str]]:
    run = {adapter.package for adapter in all_adapters().values() if adapter.package}
    for name in sorted({"regex"} | run | {point.distribution for point in entry_points()}):
        with contextlib.suppress(ModuleNotFoundError):
            yield name, version(name)


def record(subject: Subject, found: Representations) -> SubjectRecord:
    """Record the subject for a report."""
    part_of = {name: each.format for each in reversed(found.all) for name in each.files}
    used = {*part_of, *(fact.file for fact in subject.facts)}
    used |= {file.name for file in subject.files if file.role in READ_FOR_FACTS}
    used |= {file.name for file in subject.files if file.content.was_read}
    read = [file for file in subject.files if file.name in used]
    unread = [file for file in subject.files if file.name not in used]
    whole = SubjectRecord(
        name=subject.name,
        files=tuple(_read(file, _role(file, part_of)) for file in read),
        unread=tuple(_unread(f, _role(f, part_of)) for f in unread),
        facts=tuple(FactRecord(f.name, f.value, f.file, f.pointer) for f in subject.facts),
        formats=tuple(r.format for r in found.all),
        loaded=value_table(subject, found.parsed),
    )
    return _with_server(whole, subject)


def compared_with(compared: Iterable[Subject]) -> tuple[SubjectRecord, ...]:
    """Record the subjects that were compared with: names, and files that were read."""
    return tuple(
        _with_server(
            SubjectRecord(
                subject.name,
                tuple(_read(file, file.role) for file in subject.files if file.content.was_read),
            ),
            subject,
        )
        for subject in compared
    )


def _with_server(record: SubjectRecord, subject: Subject) -> SubjectRecord:
    """Add the commit and the traffic of a subject on a server."""
    served = subject.served
    if served is None:
        return record
    return replace(record, commit=served.commit, traffic=str(served.traffic))


def changes(records: Sequence[SubjectRecord]) -> str:
    """Describe user-given roles, changed files and servers, for the scope."""
    files = [file for record in records for file in record.files]
    names = [file.name for file in files if file.changed]
    roles = [f"{file.name} as {file.read_as}" for file in files if file.read_as]
    said = f"; read as named: {', '.join(roles)}" if roles else ""
    changed = "changed during the audit, judged as first read"
    said += f"; {changed}: {', '.join(names)}" if names else ""
    return said + "".join(_from_a_server(record) for record in records)


def _from_a_server(record: SubjectRecord) -> str:
    commit = f"; {record.name} at commit {record.commit}" if record.commit else ""
    return commit + (f"; {record.traffic}" if record.traffic else "")


def checks_in_words(checks: Iterable[Check]) -> tuple[CheckRecord, ...]:
    """Record each check: a report is read where the checks are not installed."""
    return tuple(
        CheckRecord(each.id, each.title, each.why, each.remedy, each.severity, each.incident)
        for each in checks
    )


REFERENCE = "reference"  # how the roles of workers that run it begin


def _role(file: SourceFile, part_of: Mapping[str, str]) -> str:
    """Return the role of a file, or of the format it belongs to if unnamed."""
    return part_of.get(file.name, file.role) if file.role == "unread" else file.role


def _read(file: SourceFile, role: str) -> FileRecord:
    """Record a file with the digest of the part read: for weights and models, the header."""
    content = file.content
    digest, read = content.digest()
    size = content.size if digest else file.size
    changed = content.has_changed()
    return FileRecord(file.name, size, role, digest, read, changed, given_role(file), content.mark)


def _unread(file: SourceFile, role: str) -> FileRecord:
    return FileRecord(file.name, file.size, role, read_as=given_role(file), mark=file.content.mark)


def timing(wall: float, parent: float, workers: Workers) -> Timing:
    """Split the time spent into libraries, reference, checks, and the rest.

    `parent` is the processor time of this process, of which talking to the workers is taken off.
    What is left of the wall counts as the rest, and so does the talking; with several jobs the
    parts overlap and may add up to more than the wall.
    """
    stats = {role: worker.stats for role, worker in workers.opened.items()}
    upstreams = [stat for role, stat in stats.items() if not role.startswith(REFERENCE)]
    references = [stat for role, stat in stats.items() if role.startswith(REFERENCE)]
    upstream = sum((stat.upstream_seconds for stat in upstreams), 0.0)
    reference = sum((stat.upstream_seconds for stat in references), 0.0)
    transport = sum((stat.transport_seconds for stat in stats.values()), 0.0)
    analysis = max(0.0, parent - transport)
    return Timing(
        wall=wall,
        upstream=upstream,
        reference=reference,
        spec_analysis=analysis,
        other=transport + max(0.0, wall - upstream - reference - analysis - transport),
        upstream_calls=sum(stat.calls for stat in upstreams),
        upstream_texts=sum(stat.texts for stat in upstreams),
    )


def timing_of_all(parts: Sequence[Timing], wall: float) -> Timing:
    """Add up the time of several audits in one run; unexplained time counts as the rest.

    >>> timing_of_all([Timing(2, upstream=1, other=1), Timing(2, upstream=2)], 5).other
    2.0
    """
    upstream = sum(part.upstream for part in parts)
    reference = sum(part.reference for part in parts)
    analysis = sum(part.spec_analysis for part in parts)
    explained = sum(part.wall for part in parts)
    return Timing(
        wall=wall,
        upstream=upstream,
        reference=reference,
        spec_analysis=analysis,
        other=sum(part.other for part in parts) + max(0.0, wall - explained),
        upstream_calls=sum(part.upstream_calls for part in parts),
        upstream_texts=sum(part.upstream_texts for part in parts),
    )
