"""Fixtures for the suites' tests: a small healthy checkpoint, ways to break it, one-check runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from places import hold_to_places, refuse_untrue, too_severe
from run_here import trial_here

from tokaudit.engine.check import Check, all_checks
from tokaudit.engine.needs import Base, BaseTrial, Options, Others
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.resolver import Needs, Parameter, all_needs, parameters
from tokaudit.engine.sides.side import Side
from tokaudit.engine.workers import Workers
from tokaudit.report.model import Finding, Measurement, Severity
from tokaudit.runtimes.worker.allowance import WorkerLimits
from tokaudit.subject.material import Subject
from tokaudit.subject.opening import open_subject
from tokaudit_faults.folders.checkpoint import AGAINST_BASE, ALONE
from tokaudit_folders import sick as sick_folders
from tokaudit_reference.spec import AddedToken, ModelType, Piece, TokenizerSpec, TokenType

Output = list[Finding | Measurement]
Content = tuple[tuple[str, str], ...]


@pytest.fixture(scope="module", autouse=True)
def workers_of_these_tests(workers_in_forks: object) -> None:
    """What workers answer is judged here, not how they start: see `workers_in_forks`."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that takes `operator` or `drift` every way to break the small checkpoint."""
    for name, registry in (
        ("operator", ALONE),
        ("drift", AGAINST_BASE),
    ):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, sorted(registry))


@pytest.fixture(autouse=True)
def places_are_true(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold every finding of every check that a test asks to the places that it names."""
    hold_to_places(monkeypatch)


@pytest.fixture
def sick() -> ModuleType:
    """The module that writes and breaks checkpoint folders."""
    return sick_folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A fresh healthy checkpoint folder."""
    return sick_folders.healthy(tmp_path / "model")


@pytest.fixture(scope="session")
def checks() -> dict[str, Check]:
    """Every registered check by its id."""
    return {check.id: check for check in all_checks()}


@pytest.fixture
def needs_of() -> Iterator[Callable[..., Needs]]:
    """What the checks of one folder ask for, built once as in an audit; workers end with the test.

    A test that changes a file gets new ones: those of the folder as it was are kept by its content.
    """
    workers = Workers(WorkerLimits(question=60))
    built: dict[tuple[Content, Content | None], Needs] = {}

    def build(folder: Path, base: Path | None = None) -> Needs:
        state = content(folder), None if base is None else content(base)
        if state not in built:
            others = Others(base=None if base is None else str(base))
            built[state] = audit_needs(open_subject(str(folder)), Options(), workers, others)
        return built[state]

    yield build
    workers.close()


def content(folder: Path) -> Content:
    """Every file below a folder, or the file itself, by name and digest."""
    files = [folder, *sorted(folder.rglob("*"))]
    return tuple((str(each), _digest(each)) for each in files if each.is_file())


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "blake2b").hexdigest()


@pytest.fixture
def ask(checks: dict[str, Check], needs_of: Callable[..., Needs]) -> Callable[..., Output]:
    """Ask one check of a folder as it is now; raises its Skip or NotApplicable."""

    def run(id: str, folder: Path, base: Path | None = None) -> Output:
        check, needs = checks[id], needs_of(folder, base)
        found = list(check.function(**needs.arguments(check.function)))
        said = [item for item in found if isinstance(item, Finding)]
        refuse_untrue([replace(each, check=id) for each in said], needs)
        assert too_severe(check, said) == []
        return found

    return run


@pytest.fixture
def call(checks: dict[str, Check]) -> Callable[..., Output]:
    """Call one check with needs made by hand; what follows from them is built as in an audit.

    Nothing is loaded, as there is no file: what may be missing and needs a worker is missing.
    """

    def run(id: str, *given: object) -> Output:
        function = checks[id].function
        rest = list(parameters(function).items())[len(given) :]
        asked = () if any(isinstance(each, Options) for each in given) else (Options(),)
        needs = Needs.of(all_needs(), *given, *asked, *_trial(given), *_without_files(given))

        def argument(asked: Parameter) -> object:
            if asked.optional and needs.built_by_workers(asked.kind):
                return None
            return needs.get(asked.kind)

        return list(function(*given, **{name: argument(asked) for name, asked in rest}))

    return run


def _trial(given: tuple[object, ...]) -> Iterator[BaseTrial]:
    """What runs a spec and its base, where both were given; no file states them."""
    specs = [each for each in given if isinstance(each, TokenizerSpec)]
    for base in given:
        if isinstance(base, Base) and specs:
            left = Side(base.subject.name, base.spec, base.subject)
            yield BaseTrial(trial_here(left, Side("this", specs[0])))


def _without_files(given: tuple[object, ...]) -> Iterator[Subject]:
    """A subject that states nothing, where a spec is compared with a base and has no files."""
    based = any(isinstance(each, Base) for each in given)
    if based and not any(isinstance(each, Subject) for each in given):
        yield Subject("this", Path(), ())


@pytest.fixture
def worst() -> Callable[[Output], list[Severity]]:
    """The severities of the findings among a check's output."""
    return lambda output: [item.severity for item in output if isinstance(item, Finding)]


@pytest.fixture
def letters() -> TokenizerSpec:
    """A tiny character BPE with two added tokens, for tests that need no files."""
    words = ["<unk>", "a", "b", "c", "ab", "abc"]
    pieces = {
        id: Piece(TokenType.ORDINARY if id else TokenType.UNKNOWN, word)
        for id, word in enumerate(words)
    }
    added = (AddedToken(6, "<|end|>", special=True), AddedToken(7, "<|pad|>", special=True))
    return TokenizerSpec(
        ModelType.BPE,
        pieces,
        merges=(("a", "b"), ("ab", "c")),
        unk_id=0,
        added_tokens=added,
        format="tokenizer.json",
        files=("tokenizer.json",),
    )
