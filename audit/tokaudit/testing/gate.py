"""Items of `pytest --tokaudit=SUBJECT`: the verdict, every check, and manifest drift."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import pytest

from tokaudit.foundation.errors import TokauditError
from tokaudit.foundation.leftovers import owned
from tokaudit.products.audit.one_check import one_result
from tokaudit.products.chat.expected import ExpectedChat, expect
from tokaudit.report.model import Status, Verdict
from tokaudit.report.visible import visible
from tokaudit.testing.asked import Asked, asked
from tokaudit.testing.audited import Audited
from tokaudit.testing.wording import (
    causes_by_identity,
    drift_text,
    failure_text,
    followed,
    warning_line,
)

ROOT = "tokaudit"  # what the id of every item begins with
VERDICT, MANIFEST, CHAT = "verdict", "manifest", "chat"
SHARED = "tokaudit_folder"  # the key under which workers of pytest-xdist learn of the folder
WARNING = "tokaudit warning"  # the key under which warnings travel with an item's report


def gate(config: pytest.Config) -> Gate:
    """Build the plugin of a run with `--tokaudit`; raise `pytest.UsageError` if invalid."""
    given: Mapping[str, Any] = getattr(config, "workerinput", {})
    return Gate(asked(config), Path(given[SHARED]) if SHARED in given else None)


class Node(Protocol):
    """The part of pytest-xdist's worker handle that is used here."""

    workerinput: dict[str, Any]


class Gate:
    """Adds each tokenizer check to pytest's collection, and lists the warnings at the end."""

    def __init__(self, asked: Asked, folder: Path | None) -> None:
        self.asked = asked
        self.audited = Audited(asked, folder)
        self._own: str | None = None

    @cached_property
    def chats(self) -> dict[str, ExpectedChat]:
        """Return each conversation's result, by the name of its item."""
        found = list(expect(self.asked.subject, self.asked.expected, {}))
        return dict(zip(self.asked_chats, found, strict=True))

    @property
    def asked_chats(self) -> tuple[str, ...]:
        """Return the names of their items, numbered if an id is repeated."""
        ids = [each.given.id for each in self.asked.expected]
        doubled = {id for id in ids if ids.count(id) > 1}
        return tuple(
            f"{CHAT}/{visible(id)}" + (f" ({place})" if id in doubled else "")
            for place, id in enumerate(ids, 1)
        )

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Add our collector next to the arguments of pytest."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed:
            report.result.append(Audit.from_parent(collector, name=ROOT, nodeid=ROOT, gate=self))
        return report

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Node) -> None:
        """Tell a pytest-xdist worker, before it starts, where the report will be."""
        if self._own is None:
            self._own = tempfile.mkdtemp(prefix=owned("tokaudit-pytest-"))
        node.workerinput[SHARED] = self._own

    def pytest_unconfigure(self) -> None:
        """Remove the shared folder in the process that created it."""
        if self._own is not None:
            shutil.rmtree(self._own, ignore_errors=True)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List warnings, which fail no item, one per line."""
        lines = [
            str(text)
            for reports in terminalreporter.stats.values()
            for report in reports
            if getattr(report, "when", "") == "call"
            for key, text in report.user_properties
            if key == WARNING
        ]
        if lines:
            terminalreporter.section("tokaudit warnings")
        for line in lines:
            terminalreporter.write_line(line)


class Audit(pytest.Collector):
    """The parent of our items; collecting them opens nothing of the subject."""

    def __init__(self, *, gate: Gate, **given: Any) -> None:
        super().__init__(**given)
        self.gate = gate
        self.add_marker(pytest.mark.tokaudit)

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the verdict, each check by its id, then the manifest if there is one."""
        yield self._item(VerdictItem, VERDICT)
        for check in self.gate.asked.checks:
            yield self._item(CheckItem, check)
        if self.gate.asked.manifest is not None:
            yield self._item(ManifestItem, MANIFEST)
        for name in self.gate.asked_chats:
            yield self._item(ChatItem, name)

    def _item(self, kind: type[GateItem], name: str) -> pytest.Item:
        item: pytest.Item = kind.from_parent(self, name=name, nodeid=f"{ROOT}::{name}")
        return item


class GateItem(pytest.Item):
    """One item; if the subject cannot be audited, every item fails with the reason."""

    @property
    def gate(self) -> Gate:
        """Return the settings and the report of this run."""
        assert isinstance(self.parent, Audit)
        return self.parent.gate

    def runtest(self) -> None:
        """Pass, skip with a reason, or fail with an actionable message."""
        try:
            self.judge()
        except TokauditError as error:
            pytest.fail(visible(str(error)), pytrace=False)

    def judge(self) -> None:
        """Judge the report for this item."""
        raise NotImplementedError

    def reportinfo(self) -> tuple[Path, None, str]:
        """Return the item's location and name: not in a file of the user's."""
        return self.path, None, f"{ROOT} {self.name}"


class VerdictItem(GateItem):
    """Fails unless the verdict is *pass*: an unverifiable subject must pass no gate."""

    def judge(self) -> None:
        """Fail with the verdict, and what to do and why."""
        report = self.gate.audited.report()
        if report.verdict is not Verdict.PASS:
            said = f"{report.verdict}: {report.title}: {report.sentence}"
            pytest.fail(visible(said), pytrace=False)


class CheckItem(GateItem):
    """Fails with the errors of a check; an undecided one is skipped with the reason."""

    def judge(self) -> None:
        """Judge the results for all tokenizers of the subject together."""
        report = self.gate.audited.report()
        answers = [each for each in report.results if each.check == self.name]
        if not answers:  # of a copy, and of a repository's file that does not parse
            pytest.skip("did not run on this subject")
        result = one_result(answers)
        for finding in result.findings:
            if warning := warning_line(finding):
                self.user_properties.append((WARNING, warning))
        causes = causes_by_identity(report)
        if follows := followed(result, causes, {each.identity for each in report.errors}):
            pytest.skip(visible(f"follows from {follows}, whose item says what to do"))
        if result.status in (Status.CRASHED, Status.FAILED):
            pytest.fail(failure_text(result, causes), pytrace=False)
        if result.status is not Status.PASSED:
            kind = "not applicable: " if result.status is Status.NOT_APPLICABLE else ""
            pytest.skip(visible(f"{kind}{result.reason or 'no reason given'}"))


class ChatItem(GateItem):
    """Fails if a conversation's text, ids or mask differ from the saved ones."""

    def judge(self) -> None:
        """Render all of the file once, and judge this conversation."""
        found = self.gate.chats[self.name]
        if found.differs:
            said = [f"{found.id}: {found.differs}", *found.lines]
            pytest.fail("\n".join(map(visible, said)), pytrace=False)


class ManifestItem(GateItem):
    """Fails with every gated difference from the manifest."""

    def judge(self) -> None:
        """Derive the manifest again, as `tokaudit verify` does."""
        from tokaudit.products.gate.manifests import verify

        asked = self.gate.asked
        assert asked.manifest is not None
        drifts = verify(asked.subject, asked.manifest, key=asked.key)
        gated = [drift for drift in drifts if drift.gated]
        if gated:
            pytest.fail(drift_text(gated), pytrace=False)
