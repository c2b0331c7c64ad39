"""A library that turns against its user: what it tries is refused, and would succeed if it were not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import tokenizers  # noqa: F401, the real one, before the one of `hostile` can be found

from tokaudit.runtimes.worker.confinement import landlock, seccomp
from tokaudit.runtimes.worker.resources.usage import children
from tokaudit_folders.folder import Folder
from tokaudit_pages import DOCS

HERE = Path(__file__).parent / "hostile"
sys.path.insert(0, str(HERE))
import other_users  # noqa: E402
import trials  # noqa: E402
from attempts import ATTEMPTS, FRAMES, Attempt  # noqa: E402

sys.path.remove(str(HERE))

pytestmark = pytest.mark.skipif(
    landlock.version() < 6 or seccomp.machine() is None,
    reason="the kernel has not all that the list is about: Landlock 6 and seccomp",
)
UNKNOWN = ("[Errno 38]", "[Errno 97]", "[Errno 95]", "[Errno 93]")  # the kernel has no such thing
NAMES = list(ATTEMPTS)
KINDS = {one.rules: name for name, one in reversed(ATTEMPTS.items())}
"""The first attempt against each set of rules, which every run tries; the wider tests try all."""
EACH = [
    pytest.param(name, marks=() if name in KINDS.values() else pytest.mark.published)
    for name in NAMES
]


@pytest.mark.parametrize("name", EACH)
def test_an_attempt_is_refused(name: str, processes: None) -> None:
    before = children(os.getpid())
    found = trials.outcome(ATTEMPTS[name], off=False)
    assert found != trials.DONE
    assert found.isprintable()
    assert children(os.getpid()) == before


@pytest.mark.parametrize("name", EACH)
def test_an_attempt_succeeds_without_the_rules_against_it(name: str, processes: None) -> None:
    attempt = ATTEMPTS[name]
    if attempt.privileged and os.geteuid() != 0:
        pytest.skip("it takes root")
    before = children(os.getpid())
    found = trials.outcome(attempt, off=True)
    if any(code in found for code in UNKNOWN):
        pytest.skip(f"this kernel has no such thing: {found}")
    assert found == trials.DONE
    assert _none_left(before)


@pytest.mark.parametrize("name", ["read the environment of the audit", "trace the audit"])
def test_where_there_is_no_landlock_the_audit_cannot_be_looked_into_either(
    name: str, processes: None
) -> None:
    only = tuple(rule for rule in ATTEMPTS[name].off if rule not in ("dumpable", "capabilities"))
    attempt = Attempt(name, ATTEMPTS[name].make, (), only)
    assert "PermissionError" in trials.outcome(attempt, off=True)


def _outcomes(command: Callable[[list[str], str], list[str]]) -> Iterator[dict[str, str]]:
    folder = other_users.open_folder()
    (folder / "shown").mkdir()
    try:
        given = command([sys.executable, "-P", str(HERE / "trials.py")], str(folder / "shown"))
        done = other_users.run(given, folder)
        assert done.returncode == 0, done.stderr
        yield dict(map(json.loads, done.stdout.splitlines()))
    except LookupError as error:
        pytest.skip(str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def as_root_without_capabilities() -> Iterator[dict[str, str]]:
    """What becomes of each attempt where the audit is run by root without capabilities."""
    yield from _outcomes(lambda command, _: other_users.without_capabilities(command))


@pytest.fixture(scope="module")
def as_a_user() -> Iterator[dict[str, str]]:
    """What becomes of each attempt where the audit is run by a user without privileges."""
    yield from _outcomes(other_users.as_nobody)


@pytest.mark.published
@pytest.mark.parametrize("name", NAMES)
def test_an_attempt_is_refused_to_root_without_capabilities(
    name: str, as_root_without_capabilities: dict[str, str]
) -> None:
    assert as_root_without_capabilities[name] != trials.DONE
    assert as_root_without_capabilities["left"] == []


@pytest.mark.published
@pytest.mark.parametrize("name", NAMES)
def test_an_attempt_is_refused_to_a_user(name: str, as_a_user: dict[str, str]) -> None:
    assert as_a_user[name] != trials.DONE
    assert as_a_user["left"] == []


@pytest.mark.published
def test_the_users_see_the_same_refusals(as_a_user: dict[str, str]) -> None:
    kinds = {name: as_a_user[name].partition(":")[0] for name in NAMES}
    assert kinds["read a secret of the user"] == kinds["fork"] == "PermissionError"
    assert kinds["answer another question"] == "died"


DEADLY = [name for name, one in ATTEMPTS.items() if FRAMES in one.rules]


@pytest.mark.parametrize("name", ["fork", "take more memory than the audit has", *DEADLY[:4]])
def test_the_report_of_an_audit_is_whole_whatever_its_library_tries(
    name: str, tmp_path: Path, processes: None
) -> None:
    subject = Folder.bpe("ab", [["a", "b"]]).changed(added_tokens=[], attempt=name)
    folder, out = subject.write(tmp_path / "subject"), tmp_path / "report.json"
    given = [str(folder), "--select", "round_trip,agreement", "--tier", "quick"]
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tokaudit", "audit", *given, "--out", str(out)],
        env={**os.environ, "PYTHONPATH": str(HERE)},
        capture_output=True,
        text=True,
    )
    assert done.returncode in (1, 3), done.stderr
    report = json.loads(out.read_text())
    assert report["verdict"] in ("fail", "unverifiable")
    assert report["results"] and "crashed" not in {each["status"] for each in report["results"]}
    assert "tokenizers" in json.dumps(report["results"])
    assert "Traceback" not in done.stderr


def test_the_page_lists_every_attempt_with_what_refuses_it() -> None:
    page = (DOCS.parent / "SECURITY.md").read_text("utf-8")
    rows = [f"| {one.name} | {', '.join(one.rules)} |" for one in ATTEMPTS.values()]
    listed = [line for line in page.splitlines() if line in set(rows)]
    assert listed == rows
    assert len(rows) >= 40


def _none_left(before: list[int], within: float = 5.0) -> bool:
    """Whether this process has the children that it had, and none that it adopted since."""
    deadline = time.monotonic() + within
    while set(children(os.getpid())) - set(before) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not set(children(os.getpid())) - set(before)
