"""What material of a subject can reach from its worker, and what the user's own program can."""

from __future__ import annotations

import errno
import importlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import starts_processes

import tokaudit
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.answers import LOADED, encodings
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.runtimes.worker.confinement import landlock, readable, seccomp
from tokaudit.runtimes.worker.confinement.sandbox import NONE, lacking, offered
from tokaudit.runtimes.worker.process import WorkerProcess
from tokaudit.runtimes.worker.questions import Do, Encode, Load

needs_landlock = pytest.mark.skipif(not landlock.version(), reason="the kernel has no Landlock")
needs_seccomp = pytest.mark.skipif(not seccomp.machine(), reason="no seccomp for this machine")

SPY = """
import os, socket, subprocess, sys
from pathlib import Path

def tried(action):
    try:
        return f"{action()!r}"[:200]
    except OSError as error:
        return f"refused {error.errno}"

def answers(text):
    return list(tried(lambda: eval(text)).encode())
"""


class Spy:
    """A worker that evaluates what it is sent; sandboxed or not, as a `WorkerProcess` is."""

    def __init__(self, folder: Path, *, sandboxed: bool) -> None:
        self._process = WorkerProcess(sandboxed=sandboxed)
        (folder / "spying.py").write_text(SPY)
        request = {"adapter": "call", "path": "spying:answers"}
        self._process.ask(Load(request), LOADED, 60)

    def __call__(self, expression: str) -> str:
        question = Encode([expression])
        (found,) = self._process.ask(question, encodings([expression]), 60).result
        assert found.e is None, found.e
        return bytes(found.i).decode()

    def close(self) -> None:
        self._process.close()


def spy(folder: Path, *, sandboxed: bool) -> Iterator[Spy]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.setenv("HF_TOKEN", "hf_secret")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("LC_TIME", "C")
        opened = Spy(folder, sandboxed=sandboxed)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
@starts_processes
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spy]:
    """A spy in the sandbox of a subject."""
    yield from spy(tmp_path_factory.mktemp("inside"), sandboxed=True)


@pytest.fixture(scope="module")
@starts_processes
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spy]:
    """A spy that runs as what the user names does."""
    yield from spy(tmp_path_factory.mktemp("outside"), sandboxed=False)


REFUSED = f"refused {errno.EACCES}"
KINDS = ["AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK"]


@needs_seccomp
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["SOCK_STREAM", "SOCK_DGRAM"])
def test_a_subject_cannot_make_a_socket(inside: Spy, kind: str, way: str) -> None:
    assert inside(f"socket.socket(socket.{kind}, socket.{way})") == REFUSED


@needs_landlock
def test_a_subject_cannot_connect_by_a_socket_that_it_was_given(
    tmp_path: Path, processes: None
) -> None:
    """Without the filter of system calls, so that Landlock alone is shown to hold."""
    if landlock.version() < 4:
        pytest.skip("this Landlock knows no network")
    program = (
        "import socket, sys\n"
        "from tokaudit.runtimes.worker.confinement import landlock\n"
        "import ctypes; ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)\n"
        "landlock.restrict(None)\n"
        "try: socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
        "except PermissionError: print('refused')\n"
    )
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        done = subprocess.run([sys.executable, "-c", program, port], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("refused\n", "")


@needs_landlock
@pytest.mark.parametrize(
    "action",
    [
        "open('{file}', 'a')",
        "os.truncate('{file}', 0)",
        "os.link('{file}', '{file}.other')",
        "os.symlink('{file}', '{file}.other')",
        "os.mkdir('{file}.folder')",
    ],
)
def test_a_subject_changes_nothing_outside_its_folder(
    inside: Spy, tmp_path: Path, action: str
) -> None:
    file = tmp_path / "kept"
    file.write_text("kept")
    assert inside(action.format(file=file)) == REFUSED
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"kept": "kept"}


@needs_landlock
def test_a_subject_reads_libraries_and_nothing_of_the_user(inside: Spy, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    assert inside(f"Path('{tmp_path}/secret').read_text()") == REFUSED
    assert inside(f"os.listdir('{tmp_path}')") == REFUSED
    assert inside("os.listdir(os.path.expanduser('~'))") == REFUSED
    assert inside("os.listdir('/proc')") == REFUSED
    assert inside("len(Path(os.__file__).read_text()) > 1000") == "True"
    assert inside("len(__import__('wave').__name__)") == "4"


@needs_landlock
def test_an_adapter_reads_the_file_of_its_request_and_none_next_to_it(
    tmp_path: Path, processes: None
) -> None:
    (tmp_path / "mine.model").write_bytes(b"no model")
    (tmp_path / "other.model").write_bytes(b"no model")
    with WorkerTokenizer(LoadRequest("sentencepiece", str(tmp_path / "mine.model"))) as opened:
        with pytest.raises(tokaudit.UpstreamTrouble) as refused:
            opened.encode(["a"])
        assert "Permission denied" not in str(refused.value)
        assert opened._process is None
    process = WorkerProcess()
    process.ask(Load({"adapter": "sentencepiece"}), LOADED, 60)
    other = Load({"adapter": "sentencepiece", "path": str(tmp_path / "other.model")})
    assert "Permission denied" in str(process.ask(other, LOADED, 60).error)
    process.close()


def test_an_adapter_may_declare_what_else_it_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    declaring = Adapter("acorn", "", lambda _: None, reads=lambda request: [request.path, "/a/b"])  # type: ignore[arg-type,return-value]
    monkeypatch.setattr(readable, "adapter_named", lambda _: declaring)
    question = Load({"adapter": "acorn", "path": "/c"})
    assert {"/a/b", "/c"} <= set(readable.readable(question))
    assert {"/a/b", "/c"}.isdisjoint(readable.readable(Do("render", {})))


def test_a_package_that_is_a_link_out_of_a_folder_of_the_path_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, listed = tmp_path / "elsewhere", tmp_path / "listed"
    for folder in (elsewhere, listed):
        folder.mkdir()
    (elsewhere / "__init__.py").touch()
    (listed / "linked_package").symlink_to(elsewhere)
    monkeypatch.syspath_prepend(listed)
    importlib.import_module("linked_package")
    try:
        assert str(listed / "linked_package") in readable.readable(Do("render", {}))
    finally:
        del sys.modules["linked_package"]


@needs_seccomp
def test_an_upstream_library_is_imported_in_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    (tmp_path / "tokenizers.py").write_text("import os; os.fork()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with (
        WorkerTokenizer(LoadRequest("tokenizers", "x")) as opened,
        pytest.raises(tokaudit.UpstreamTrouble, match="PermissionError"),
    ):
        opened.encode(["a"])


@pytest.mark.parametrize(
    ("action", "answer"),
    [("os.unlink('{file}')", "None"), ("os.rename('{file}', '{file}.other')", "refused 18")],
)
def test_a_file_that_a_subject_removes_or_renames_stays_where_it_is(
    inside: Spy, tmp_path: Path, action: str, answer: str
) -> None:
    """The calls end before the kernel looks at a path, so that every byte keeps a name."""
    file = tmp_path / "kept"
    file.write_text("kept")
    assert inside(action.format(file=file)) == answer
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"kept": "kept"}


def test_it_may_write_and_read_in_its_folder_and_discard(inside: Spy) -> None:
    assert inside("Path('mine').write_text('ab')") == "2"
    assert inside("Path('mine').read_text()") == "'ab'"
    assert inside("os.unlink('mine')") == "None"
    assert inside("Path('/dev/null').write_text('ab')") == "2"


def test_it_starts_in_an_empty_folder_that_is_not_the_users(inside: Spy) -> None:
    folder = Path(inside("os.getcwd()").strip("'"))
    assert folder.name.startswith("tokaudit-worker-") and folder != Path.cwd()
    assert inside("os.listdir()") in ("[]", "['mine']")  # of the test before, whose file stays
    assert inside("os.environ['TMPDIR']") == repr(str(folder))


def test_its_folder_is_removed_with_what_it_left_there(tmp_path: Path, processes: None) -> None:
    for opened in spy(tmp_path, sandboxed=True):
        folder = Path(opened("os.getcwd()").strip("'"))
        assert opened("Path('left').write_text('ab')") == "2"
    assert not folder.exists()


def test_it_sees_no_secret(inside: Spy) -> None:
    assert inside("sorted({'HF_TOKEN', 'AWS_SECRET_ACCESS_KEY'} & set(os.environ))") == "[]"
    assert inside("os.environ['LC_TIME']") == "'C'"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux offers it")
def test_it_can_gain_no_privileges(inside: Spy) -> None:
    assert inside("__import__('ctypes').CDLL(None).prctl(39, 0, 0, 0, 0)") == "1"


@needs_landlock
@pytest.mark.skipif(landlock.version() < 6, reason="this Landlock knows no signals")
def test_it_cannot_signal_the_audit(inside: Spy) -> None:
    assert inside(f"os.kill({os.getpid()}, 0)") == f"refused {errno.EPERM}"


def test_what_the_user_named_runs_as_the_user(outside: Spy, tmp_path: Path) -> None:
    assert outside("os.environ['HF_TOKEN']") == "'hf_secret'"
    assert outside("os.getcwd()") == repr(str(Path.cwd()))
    assert outside(f"Path('{tmp_path}/made').write_text('ab')") == "2"
    assert outside("socket.socket().close()") == "None"


@pytest.mark.parametrize(
    ("adapter", "sandboxed"),
    [("tokenizers", True), ("reference", True), ("call", False), ("cmd", False)],
)
def test_the_adapter_decides_and_only_the_users_own_programs_go_free(
    adapter: str, sandboxed: bool
) -> None:
    assert WorkerTokenizer(LoadRequest(adapter, "x")).sandboxed is sandboxed


@pytest.mark.skipif(os.geteuid() != 0, reason="only a user who may do anything shows it")
def test_without_a_place_for_a_folder_it_writes_nowhere(
    monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/proc/self")
    with (
        WorkerTokenizer(LoadRequest("tokenizers", "no such file")) as opened,
        pytest.raises(tokaudit.UpstreamTrouble, match="No such file"),
    ):
        opened.encode(["a"])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a folder of another user")
def test_root_can_use_libraries_in_the_closed_folder_of_another_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    package = tmp_path / "closed" / "tokenizers"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('it was read')")
    package.parent.chmod(0o700)
    os.chown(package.parent, 12345, 12345)
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    with (
        WorkerTokenizer(LoadRequest("tokenizers", str(tmp_path / "x"))) as opened,
        pytest.raises(tokaudit.UpstreamTrouble, match="ImportError: it was read"),
    ):
        opened.encode(["a"])
    monkeypatch.syspath_prepend(str(package.parent))
    assert offered().startswith("no new privileges, no capabilities but to read, not dumpable")


def test_the_report_says_what_holds_and_for_whom_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    (tmp_path / "mine.py").write_text("def encode(text): return list(text.encode())\n")
    (tmp_path / "tiny.tiktoken").write_bytes(b"YQ== 0\nYg== 1\n")
    monkeypatch.chdir(tmp_path)
    report = tokaudit.audit(
        "tiny.tiktoken", against="call:mine:encode", select=["embeddings"], pattern="."
    )
    assert report.environment["sandbox"] == (
        f"{offered()}; not around call:mine:encode, which the user named"
    )


EVERYTHING = (
    "no new privileges, no capabilities, not dumpable, "
    "reads only libraries and files of the subject (Landlock), "
    "writes only in a temporary folder (Landlock), truncates nothing else (Landlock 3), "
    "no TCP (Landlock 4), signals no other process (Landlock 6), "
    "system calls of a list only (seccomp), no processes (seccomp), no sockets (seccomp)"
)


def test_the_line_of_a_platform_with_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 7)
    monkeypatch.setattr(seccomp, "machine", lambda: seccomp.MACHINES[0])
    assert (offered(), lacking()) == (EVERYTHING, "")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere everything is lacking")
def test_what_a_kernel_lacks_is_a_line_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 2)
    monkeypatch.setattr(seccomp, "machine", lambda: None)
    assert offered() == (
        "no new privileges, no capabilities, not dumpable, "
        "reads only libraries and files of the subject (Landlock), "
        "writes only in a temporary folder (Landlock)"
    )
    assert lacking() == (
        "truncates nothing else (Landlock 3), no TCP (Landlock 4), "
        "signals no other process (Landlock 6), "
        "system calls of a list only (seccomp), no processes (seccomp), no sockets (seccomp)"
    )


def test_the_report_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    (tmp_path / "tiny.tiktoken").write_bytes(b"YQ== 0\nYg== 1\n")
    report = tokaudit.audit(str(tmp_path / "tiny.tiktoken"), select=["embeddings"], pattern=".")
    assert "writes only in a temporary folder (Landlock)" in report.environment["sandbox_lacks"]


def test_a_platform_that_offers_nothing_is_named_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert offered() == NONE
    assert lacking() == EVERYTHING
