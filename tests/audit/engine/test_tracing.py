"""A report keeps how the reference encodes the texts of its findings, where it runs anyway."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import tokaudit
from tokaudit.engine.check import Check, check
from tokaudit.engine.needs import Reference
from tokaudit.engine.outcome.tracing import CURATED
from tokaudit.report.model import Basis, Evidence, Finding, Severity, TokenView
from tokaudit.report.recorded import TracedPiece
from tokaudit_folders.folder import Folder


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    """A tokenizer of three tokens."""
    Folder.bpe("ab", [["a", "b"]]).write(tmp_path)
    return tmp_path


def finding() -> Finding:
    return Finding(Severity.WARNING, "careful", (), (Evidence("text", "abb"),), cause="shown")


def asked(reference: Reference) -> Iterator[Finding]:
    yield finding()


def not_asked() -> Iterator[Finding]:
    yield finding()


def made(function: object) -> Check:
    return check(
        "mine/careful", title="t", why="w.", remedy="r.", severity=Severity.WARNING,
        basis=Basis.INTRINSIC,
    )(function)  # type: ignore[arg-type]  # fmt: skip


def test_the_texts_of_findings_have_their_stages(subject: Path, processes: None) -> None:
    traces = tokaudit.audit(subject, checks=[made(asked)]).traces
    assert [each.text for each in traces] == [*CURATED, "abb"]
    (part,) = traces[-1].parts
    assert part.pieces == (
        TracedPiece("abb", (("a", "b"),), (TokenView(2, "ab"), TokenView(1, "b"))),
    )


def test_no_worker_is_started_for_them(subject: Path) -> None:
    assert tokaudit.audit(subject, checks=[made(not_asked)]).traces == ()
