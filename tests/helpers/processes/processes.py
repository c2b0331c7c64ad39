"""Which tests start a process: those of a fixture that does; others ask for `processes`.

With `--in-process` (as `make check` asks) these are left out, and any other test that starts one
fails with the program's name: so no fixture can be forgotten.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

import pytest
from command_door import Door
from worker_door import WorkerDoor

from tokaudit.runtimes.worker import process

EVENTS = ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system")
_Fixture = TypeVar("_Fixture", bound=Callable[..., Any])
_starting: set[Callable[..., Any]] = set()
_started: list[str] = []
_running: list[pytest.Item] = []


def starts_processes(fixture: _Fixture) -> _Fixture:
    """Mark every test that uses this fixture; stands below `@pytest.fixture`."""
    _starting.add(fixture)
    return fixture


@pytest.fixture(scope="session")
@starts_processes
def processes() -> None:
    """Lets a test start processes where none of its other fixtures does."""


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
@starts_processes
def tokaudit_command() -> Command:
    """Runs the installed command, as a user would, and returns what it printed."""

    def run(
        *arguments: str | Path,
        timeout: float = 300,
        environment: Path | None = None,
        cwd: Path | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """`environment` is a virtual environment with more installed packages."""
        program = [str(Path(sys.executable).parent / "tokaudit")]
        if environment:
            program = [str(environment / "bin" / "python"), "-P", "-m", "tokaudit"]
        return subprocess.run(
            [*program, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=timeout,
            cwd=cwd,
            stdin=subprocess.DEVNULL,
            check=False,
            env={**os.environ, "COLUMNS": "100"},  # readline sets it to 80 behind Python's back
        )

    return run


@pytest.fixture(scope="session")
def worker_door() -> Iterator[WorkerDoor]:
    """What starts workers as forks, for this process of the tests; it starts nothing by itself."""
    with closing(WorkerDoor()) as opened:
        yield opened


@pytest.fixture(scope="module")
def workers_in_forks(worker_door: WorkerDoor) -> Iterator[WorkerDoor]:
    """Let all workers that this process starts be forks of one that has been imported."""
    with patch.object(process, "started", worker_door.started):
        yield worker_door


@pytest.fixture(scope="session")
@starts_processes
def door(worker_door: WorkerDoor) -> Iterator[Door]:
    """An interpreter that has imported the command, for this process of the tests."""
    with closing(Door(worker_door)) as opened:
        yield opened


@pytest.fixture(scope="session")
@starts_processes
def tokaudit_in_fork(door: Door, tokaudit_command: Command) -> Command:
    """What `tokaudit_command` does, without the start of Python and the imports, workers included.

    Where the environment has what Python reads when it starts, the installed command is run.
    """

    def run(
        *arguments: str | Path, timeout: float = 300, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        if not door.fits():
            return tokaudit_command(*arguments, timeout=timeout, cwd=cwd)
        environment = {**os.environ, "COLUMNS": "100"}
        return door.run(list(map(str, arguments)), timeout, environment, cwd)

    return run


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that leaves out what starts a process."""
    parser.addoption("--in-process", action="store_true", help="only tests that start no process")


def pytest_configure(config: pytest.Config) -> None:
    """Watch for processes, if none may start."""
    if config.getoption("--in-process"):
        platform.processor()  # the standard library asks a program, once
        sys.addaudithook(_refuse)


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    if event in EVENTS and _running:
        _started.append(str(arguments[0] if arguments else event))
        raise PermissionError("no process is started in these tests")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests of fixtures that start processes, and leave them out if asked."""
    for item in items:
        if _starting & set(_fixtures_of(item)):
            item.add_marker("process")
    if config.getoption("--in-process"):
        marked = [item for item in items if item.get_closest_marker("process")]
        config.hook.pytest_deselected(items=marked)
        items[:] = [item for item in items if not item.get_closest_marker("process")]


def _fixtures_of(item: pytest.Item) -> Iterator[Callable[..., Any]]:
    """The functions of all fixtures that a test uses, directly or not."""
    known = getattr(item, "_fixtureinfo", None)
    for definitions in known.name2fixturedefs.values() if known else ():
        yield from (definition.func for definition in definitions)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """What one test starts is not held against the next, nor what pytest itself starts."""
    _running.append(item)
    result = yield
    _running.clear()
    _started.clear()
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call() -> Iterator[None]:
    """Fail a test that tried to start a process, whatever became of that."""
    yield
    assert _started == [], "this test starts a process: let it ask for the fixture `processes`"
