"""Another package adds a check with a need, a format, an adapter and a report to what we have."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from locations import ROOT
from third_party_site import SOURCE, install, packages_of
from third_party_site import python as run_python

Command = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment in which the package is installed."""
    return install(tmp_path_factory.mktemp("site"))


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    """A file of its format, without the letters c and r."""
    path = tmp_path / "model.letters"
    path.write_text("?\na\no\nn\n")
    return path


def python(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """This Python, with the package installed."""
    return run_python(site, *arguments, cwd=ROOT)


def test_its_check_judges_its_format_by_its_need_and_its_adapter_into_its_report(
    tokaudit_command: Command, site: Path, letters: Path
) -> None:
    out = letters.with_name("report.acorn")
    asked = ("audit", letters, "--select", "acorn", "--quiet", "--out", out)
    assert tokaudit_command(*asked, environment=site).returncode == 1
    assert out.read_text() == (
        "fail\n'acorn/known'\t'c, r of acorn are missing: its ids are [1, 0, 2, 0, 3]'\n"
    )


def test_python_finds_them_as_the_command_does(site: Path, letters: Path, processes: None) -> None:
    program = (
        "import tokaudit, sys; report = tokaudit.audit(sys.argv[1], select=['acorn']);"
        "print([(r.check, str(r.status)) for r in report.results], report.subject.formats,"
        " report.environment['acorn'])"
    )
    done = python(site, "-c", program, str(letters))
    assert done.stdout == "[('acorn/known', 'failed')] ('letters',) 1.0\n", done.stderr


def test_its_check_is_listed_and_explained(tokaudit_command: Command, site: Path) -> None:
    done = tokaudit_command("checks", "acorn", environment=site)
    first, _, rest = done.stdout.partition("\n\n")
    assert first == "### acorn/known"
    assert rest.startswith(
        "Passes when: the letters of acorn are in the vocabulary. Severity error;"
    )


def test_the_laws_of_every_plugin_hold_for_its_own(site: Path, processes: None) -> None:
    listed = "import plug_ins; print(*plug_ins.every(*plug_ins.KINDS), sep='\\n')"
    names = python(site, "-c", f"import sys; sys.path.insert(0, 'tests/helpers/judging'); {listed}")
    assert {
        "check acorn/known",
        "need acorn.suites.needs.Alphabet",
        "format letters",
        "adapter letters",
        "report format acorn-lines",
    } <= set(names.stdout.splitlines())
    done = python(site, "-m", "pytest", "-q", "tests/laws/test_every_plugin.py")
    assert done.returncode == 0, done.stdout


def test_the_tests_over_every_report_run_over_its_own(site: Path, processes: None) -> None:
    done = python(
        site, "-m", "pytest", "-q", "-rA", "-k", "acorn", "tests/reports/test_every_report.py"
    )
    assert done.returncode == 0, done.stdout
    assert "[acorn-lines-hostile]" in done.stdout


def test_contributing_shows_the_lines_of_its_pyproject() -> None:
    _, _, lines = SOURCE.joinpath("pyproject.toml").read_text().partition("\n\n")
    assert lines in ROOT.joinpath("CONTRIBUTING.md").read_text()


def broken(tmp_path: Path, **changes: str) -> Path:
    """The package installed with other texts in some of its files, named with `__` for `/`."""
    site = install(tmp_path / "site")
    for name, text in changes.items():
        packages_of(site).joinpath("acorn", name.replace("__", "/") + ".py").write_text(text)
    return site


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        (
            "suites__needs",
            "1 / 0",
            "the installed package acorn.suites (of acorn) cannot be imported: "
            "ZeroDivisionError: division by zero",
        ),
        (
            "formats__letters",
            "raise SystemExit(0)",
            "the installed package acorn.formats (of acorn) cannot be imported: SystemExit: 0",
        ),
        (
            "reports__lines",
            "from tokaudit.report.writer import ReportWriter\n"
            "WRITER = ReportWriter('mine', ('.json',), str)",
            "two installed report formats claim .json: "
            "in tokaudit_reports.json_report and in acorn.reports.lines",
        ),
        (
            "reports__lines",
            "from tokaudit.report.writer import ReportWriter\n"
            "WRITER = ReportWriter('mine', '.mine', str)",
            "the installed package acorn.reports (of acorn) cannot be imported: "
            "TypeError: report 'mine': suffixes is a tuple, not a string",
        ),
        (
            "suites__needs",
            "from tokaudit.engine.resolver import need\n"
            "from tokaudit.subject.weights import WeightHeaders\n"
            "@need\ndef mine() -> WeightHeaders: ...\n"
            "class Alphabet: ...",
            "two installed needs claim tokaudit.subject.weights.headers.WeightHeaders: "
            "in tokaudit.engine.providers.stated and in acorn.suites.needs",
        ),
        (
            "suites__needs",
            "from tokaudit.engine.resolver import need\n@need\ndef mine(): ...",
            "the installed package acorn.suites (of acorn) cannot be imported: "
            "TypeError: acorn.suites.needs.mine does not say what type it builds",
        ),
    ],
)
def test_a_package_that_cannot_be_used_is_named_with_the_reason(
    tokaudit_command: Command, tmp_path: Path, letters: Path, file: str, text: str, message: str
) -> None:
    site = broken(tmp_path, **{file: text})
    done = tokaudit_command("audit", letters, "--select", "acorn", "--quiet", environment=site)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"tokaudit: {message}\n")


def test_too_little_memory_is_no_fault_of_the_package_that_needed_it(
    tokaudit_command: Command, tmp_path: Path, letters: Path
) -> None:
    site = broken(tmp_path, suites__needs="raise MemoryError")
    done = tokaudit_command("audit", letters, "--select", "acorn", "--quiet", environment=site)
    said = "tokaudit: ended by a limit of this process: out of memory\n"
    assert (done.returncode, done.stdout, done.stderr) == (3, "", said)


def test_a_place_that_there_is_not_is_named(tokaudit_command: Command, tmp_path: Path) -> None:
    site = install(tmp_path / "site")
    lines = packages_of(site) / "acorn-1.0.dist-info" / "entry_points.txt"
    lines.write_text(lines.read_text().replace("suites =", "suits ="))
    done = tokaudit_command("checks", environment=site)
    assert (done.returncode, done.stderr) == (
        2,
        "tokaudit: the installed package acorn.suites (of acorn) has the unknown entry point "
        "'suits'; known entry points: suites, needs, formats, adapters, reports, data, jobs\n",
    )


def test_a_suffix_that_no_report_claims_ends_before_the_work(
    tokaudit_command: Command, tmp_path: Path
) -> None:
    out = tmp_path / "report.pdf"
    done = tokaudit_command("audit", tmp_path / "nothing", "--out", out)
    assert (done.returncode, done.stderr) == (
        2,
        f"tokaudit: {out}: no report format has this suffix; known formats: "
        "github (.github.txt), html (.html .htm), json (.json), junit (.junit.xml .xml), "
        "markdown (.md), sarif (.sarif .sarif.json), terminal (.txt)\n",
    )
    assert not out.exists()


def test_the_case_of_a_suffix_makes_no_difference() -> None:
    from tokaudit.report.writer import writer_of

    assert [w and w.name for w in map(writer_of, ("a.HTM", "a.b.Json", "json", "a.txt"))] == [
        "html",
        "json",
        None,
        "terminal",
    ]
