"""Suppressions of findings in a configuration, with a reason and an end.

A suppression is bound to the identity of a finding, so it never covers another failure of the
same check.  It ends on its day, or when the component that it names has another hash.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tokaudit.engine.check import Check
from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.report.model import (
    CheckResult,
    Finding,
    Severity,
    Status,
    Suppressed,
    SuppressedBy,
    identity_of,
)

DIGEST = re.compile("sha256:[0-9a-f]{64}")
DECIDED = (Status.PASSED, Status.FAILED)
SUPPRESSION_KEYS = (
    *("identity", "check", "cause", "reason", "until", "component", "hash", "subject"),
)
Hashes = Mapping[str, str]  # component -> digest


@dataclass(frozen=True)
class Suppression:
    """One entry of `suppressions`; `path` is its place in the file."""

    path: str
    identity: str
    reason: str
    until: dt.date | None = None
    component: str = ""
    digest: str = ""
    subject: str = ""  # of all subjects, where it is empty

    @property
    def check(self) -> str:
        """Return the check of the suppressed finding."""
        return self.identity.partition(":")[0]

    def ended(self, hashes: Hashes, today: dt.date) -> str:
        """Explain why it has ended; empty while it is valid."""
        if self.until is not None and today > self.until:
            return f"expired on {self.until}"
        now = hashes.get(self.component, "")
        if self.component and now != self.digest:
            return f"ended, because {self.component} was {self.digest} and is {now or 'not known'}"
        return ""


def read_suppression(table: Table, known: Sequence[Check]) -> Suppression:
    """Read one entry, with a known check and a reason."""
    identity, check, cause = table.text("identity"), table.text("check"), table.text("cause")
    # Look for a misspelled key first: it explains why both are missing.
    if identity is None and check is None:
        table.refuse_misspelled("identity", "check")
    if (identity is None) == (check is None):
        raise UsageError(
            f"{table.at('check')}: write either the keys 'check' and 'cause', or the key 'identity'"
        )
    if identity is not None and cause is not None:
        raise UsageError(
            f"{table.at('cause')}: the identity already contains the cause; remove the key 'cause'"
        )
    made = identity or identity_of(check or "", cause or "")
    # Refuse an unknown check: an entry that never matches hides its own mistake.
    ids = [*(each.id for each in known), *GATES]
    if made.partition(":")[0] not in ids:
        key = "identity" if check is None else "check"
        given = made.partition(":")[0]
        raise UsageError(f"{table.at(key)}: {given!r} is not a check{meant(given, ids)}")
    component, digest = table.text("component"), table.text("hash")
    if (component is None) != (digest is None):
        raise UsageError(f"{table.at('hash')}: write both keys, 'component' and 'hash', or neither")
    # Refuse what can equal no hash: the entry would have ended already.
    if digest is not None and not DIGEST.fullmatch(digest):
        raise UsageError(
            f"{table.at('hash')}: {digest!r} is not a hash; copy the hash of the component "
            "from the report, where it is written as sha256: and 64 hexadecimal digits"
        )
    reason = table.required("reason", "say why the finding is accepted")
    # Demand one cause: a whole check would hide faults that nobody has seen yet.
    if not cause and not (identity or "").partition(":")[2]:
        raise UsageError(
            f"{table.at('cause')}: is missing; copy the cause of the accepted finding from the "
            "report"
        )
    return Suppression(
        path=table.path,
        identity=made,
        reason=reason,
        until=table.date("until"),
        component=component or "",
        digest=digest or "",
        subject=table.text("subject") or "",
    )


GATES = ("gate/manifest", "gate/compare")  # what may be accepted for a time, as findings may


def suppress(
    result: CheckResult, holding: Iterable[Suppression]
) -> tuple[CheckResult, list[Suppression]]:
    """Return a result without suppressed findings, and the suppressions used."""
    by_identity = {each.identity: each for each in holding}
    kept, held, used = [], [], []
    for finding in result.findings:
        one = by_identity.get(finding.identity)
        if one is None:
            kept.append(finding)
            continue
        until = "" if one.until is None else str(one.until)
        held.append(Suppressed(finding, one.reason, SuppressedBy.CONFIGURATION, until))
        used.append(one)
    return with_suppressed(result, kept, held), used


def with_suppressed(
    result: CheckResult, kept: Sequence[Finding], held: Sequence[Suppressed]
) -> CheckResult:
    """Move findings to the suppressed ones; without an error left, the check passed."""
    status = result.status
    if status is Status.FAILED and not any(f.severity is Severity.ERROR for f in kept):
        status = Status.PASSED
    return replace(
        result,
        status=status,
        findings=tuple(kept),
        suppressed=(*result.suppressed, *held),
    )
