"""The pytest plugin: `pytest --tokaudit=SUBJECT` makes each check an item, `tokaudit::suite/name`.

Every test run of an environment that has tokaudit imports this module.  So it imports nothing but
pytest, which is there already; the rest comes with `--tokaudit`, or with the first fixture.

Pytest looks for its own configuration before it knows our options.  After `--tokaudit` and a space
it takes a folder for one that holds tests, and looks there; after `--tokaudit=` it does not.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tokaudit.engine.needs import Reference, Upstream
    from tokaudit.engine.opening import Opened
    from tokaudit.report.report import Report
    from tokaudit.testing.gate import Gate

MARK = 40  # characters by which a report is known in a message
GATE = "tokaudit-gate"  # the name of the plugin that is there in runs with --tokaudit
OPTIONS = (
    ("--tokaudit", "SUBJECT", "make each check of this tokenizer an item (write it with =)"),
    ("--tokaudit-manifest", "FILE", "one more item: its drift from this manifest"),
    ("--tokaudit-key", "PUBLIC", "the public key that must have signed the manifest"),
    ("--tokaudit-expect", "FILE", "an item for each conversation that tokaudit chat --save kept"),
    ("--tokaudit-select", "CHECK[,CHECK]", "only these checks or suites; may be given again"),
    ("--tokaudit-ignore", "CHECK[,CHECK]", "not these checks or suites; may be given again"),
    ("--tokaudit-base", "SUBJECT", "compare each component with this tokenizer's"),
    ("--tokaudit-tier", "TIER", "how many texts to test: quick, default or full"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of an audit, whose defaults are those of `tokaudit audit`."""
    group = parser.getgroup("tokaudit", "audit a tokenizer (tokaudit)")
    for name, metavar, help in OPTIONS:
        # Each may be given again, so that a second subject is seen, and refused.
        group.addoption(name, action="append", default=[], metavar=metavar, help=help)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse wrong settings before any test runs, and add the items if requested."""
    config.addinivalue_line("markers", "tokaudit: a check of `pytest --tokaudit=SUBJECT`")
    if any(config.getoption(name) for name, _, _ in OPTIONS):
        from tokaudit.testing.gate import gate

        config.pluginmanager.register(gate(config), GATE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the reports of a failed assertion in full, which pytest would cut."""
    shown = yield
    if call.excinfo is not None and call.excinfo.errisinstance(AssertionError):
        for report in _failed_reports(call.excinfo):
            shown.sections.append(("tokaudit report", str(report)))
    return shown


def _failed_reports(error: pytest.ExceptionInfo[BaseException]) -> Iterator[Report]:
    """Yield the reports among a test's variables that its failure quotes."""
    module = sys.modules.get("tokaudit.report.report")
    if module is not None and error.traceback:
        for value in error.traceback[-1].locals.values():
            if isinstance(value, module.Report) and repr(value)[:MARK] in str(error.value):
                yield value


@pytest.fixture(scope="session")
def tokaudit_report(request: pytest.FixtureRequest) -> Report:
    """The report on the subject of `--tokaudit`; the test is skipped in a run without."""
    return _gate(request).audited.report()


@pytest.fixture(scope="session")
def tokaudit_subject(request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The subject of `--tokaudit` as `tokaudit.open` gives it, which strategies take too."""
    subject = _gate(request).asked.subject
    from tokaudit.engine.opening import open

    with open(subject) as opened:
        yield opened


@pytest.fixture(scope="session")
def tokaudit_reference(tokaudit_subject: Opened) -> Reference:
    """The reference that runs the subject of `--tokaudit`, in a worker."""
    return tokaudit_subject.reference


@pytest.fixture(scope="session")
def tokaudit_tokenizer(tokaudit_subject: Opened) -> Upstream:
    """The subject of `--tokaudit` in the library that production would load it with."""
    return tokaudit_subject.library


def _gate(request: pytest.FixtureRequest) -> Gate:
    found: Gate | None = request.config.pluginmanager.get_plugin(GATE)
    if found is None:
        pytest.skip("no tokenizer to audit: run pytest with --tokaudit=SUBJECT")
    return found
