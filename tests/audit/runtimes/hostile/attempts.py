"""What a library that has turned against its user may try, one attempt after the other.

Each has a name, which SECURITY.md lists, the rule that refuses it, and what is to be left off for
it to succeed.  It is made inside a worker; one that is refused raises `OSError` or `MemoryError`,
or the worker dies of it.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LIST, LANDLOCK, LIMITS = "the list of system calls", "Landlock", "the worker's limits"
BUDGET, CLOCK = "the parent's look at its workers", "the parent's clock"
FRAMES, START = "the type of an answer", "the cleaned environment"
HIDDEN, NO_CAPABILITIES = "not dumpable", "no capabilities"
libc = ctypes.CDLL(None, use_errno=True)
X86 = os.uname().machine == "x86_64"


@dataclass(frozen=True)
class Attempt:
    """One attempt, the rules that refuse it, and what must be left off so that none does."""

    name: str
    make: Callable[[], object]
    rules: tuple[str, ...]
    off: tuple[str, ...]
    privileged: bool = False  # without rules it still needs capabilities


ATTEMPTS: dict[str, Attempt] = {}
Made = Callable[[], object]


def attempt(
    name: str, rules: tuple[str, ...], *off: str, privileged: bool = False
) -> Callable[[Made], Made]:
    """List a function as an attempt."""

    def listed(make: Made) -> Made:
        ATTEMPTS[name] = Attempt(name, make, rules, off, privileged)
        return make

    return listed


def called(x86_64: int, aarch64: int, *arguments: object) -> int:
    """The result of a system call; raises `OSError`."""
    wide = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    found = int(libc.syscall(ctypes.c_long(x86_64 if X86 else aarch64), *wide))
    if found == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return found


def c_called(name: str, *arguments: object) -> int:
    """The result of a function of the C library; raises `OSError`."""
    found = int(getattr(libc, name)(*arguments))
    if found == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return found


PARENT = os.getppid()


def home() -> Path:
    """The user's home folder, in which there is a secret."""
    return Path(os.environ["HOME"])


# Other processes.


@attempt("change a limit of the audit", (LIST,), "call prlimit64")
def limits_of_the_parent() -> None:
    import resource

    kind = resource.RLIMIT_CORE
    resource.prlimit(PARENT, kind, resource.prlimit(PARENT, kind))


@attempt("signal the audit", (LIST, LANDLOCK), "call kill", "landlock")
def signal_the_parent() -> None:
    os.kill(PARENT, 0)


@attempt("signal every process", (LIST, LANDLOCK), "call kill", "landlock")
def signal_all() -> None:
    os.kill(-1, 0)


@attempt("signal a thread of the audit", (LIST, LANDLOCK), "call tgkill", "landlock")
def signal_a_thread() -> None:
    called(234, 131, PARENT, PARENT, 0)


@attempt("signal a thread by its number", (LIST, LANDLOCK), "call tkill", "landlock")
def signal_a_thread_alone() -> None:
    called(200, 130, PARENT, 0)


@attempt("queue a signal", (LIST, LANDLOCK), "call rt_sigqueueinfo", "landlock")
def queue_a_signal() -> None:
    called(129, 138, PARENT, 0, ctypes.create_string_buffer(struct.pack("iii", 0, 0, -1), 128))


@attempt("open the audit as a descriptor", (LIST,), "call pidfd_open")
def descriptor_of_the_parent() -> None:
    called(434, 434, PARENT, 0)


@attempt("let a pipe signal the audit", (LIST,), "call fcntl")
def owner_of_a_pipe() -> None:
    import fcntl

    fcntl.fcntl(int(sys.argv[1]), fcntl.F_SETOWN, PARENT)


@attempt(
    "trace the audit",
    (LIST, LANDLOCK, HIDDEN, NO_CAPABILITIES),
    "call ptrace", "landlock", "dumpable", "capabilities",
)  # fmt: skip
def trace_the_parent() -> None:
    called(101, 117, 0x4206, PARENT, 0, 0)  # PTRACE_SEIZE does not stop it


@attempt(
    "read memory of the audit",
    (LIST, LANDLOCK, HIDDEN, NO_CAPABILITIES),
    "call process_vm_readv", "landlock", "dumpable", "capabilities",
)  # fmt: skip
def memory_of_the_parent() -> None:
    target = ctypes.create_string_buffer(8)
    here = struct.pack("QQ", ctypes.addressof(target), 8)
    there = struct.pack("QQ", id(None), 8)
    try:
        called(310, 270, PARENT, here, 1, there, 1, 0)
    except OSError as error:
        if error.errno != errno.EFAULT:  # it may read, only not where nothing is
            raise


@attempt(
    "read the environment of the audit",
    (LANDLOCK, HIDDEN, NO_CAPABILITIES),
    "landlock", "dumpable", "capabilities",
)  # fmt: skip
def environment_of_the_parent() -> None:
    Path(f"/proc/{PARENT}/environ").read_bytes()


@attempt(
    "read the descriptors of the audit",
    (LANDLOCK, HIDDEN, NO_CAPABILITIES),
    "landlock", "dumpable", "capabilities",
)  # fmt: skip
def descriptors_of_the_parent() -> None:
    next(Path(f"/proc/{PARENT}/fd").iterdir()).readlink()


@attempt("list processes", (LANDLOCK,), "landlock")
def list_processes() -> None:
    next(Path("/proc").iterdir())


@attempt("change the priority of the audit", (LIST,), "call setpriority", "capabilities")
def priority_of_the_parent() -> None:
    os.setpriority(os.PRIO_PROCESS, PARENT, os.getpriority(os.PRIO_PROCESS, PARENT))


@attempt("move the audit to one processor", (LIST,), "call sched_setaffinity", "capabilities")
def processors_of_the_parent() -> None:
    os.sched_setaffinity(PARENT, os.sched_getaffinity(PARENT))


@attempt("change how the audit is scheduled", (LIST,), "call sched_setscheduler", "capabilities")
def scheduler_of_the_parent() -> None:
    os.sched_setscheduler(PARENT, os.SCHED_OTHER, os.sched_param(0))


@attempt("change the disk priority of the audit", (LIST,), "call ioprio_set", "capabilities")
def disk_priority_of_the_parent() -> None:
    called(251, 30, 1, PARENT, 0)


# Processes of its own.


@attempt("fork", (LIST,), "call fork", "call clone")
def fork() -> None:
    _forked(lambda: None)


@attempt("start a program", (LIST, LANDLOCK), "call execve", "landlock")
def start_a_program() -> None:
    os.set_inheritable(int(sys.argv[2]), True)
    os.execv(sys.executable, [sys.executable, "-c", _SAYING_DONE, *sys.argv[1:3]])


@attempt(
    "start a program in the usual way",
    (LIST, LANDLOCK),
    "call pipe2", "call vfork", "call fork", "call clone", "call execve", "landlock",
)  # fmt: skip
def run_a_program() -> None:
    import subprocess

    subprocess.run([sys.executable, "-c", ""], check=True)


@attempt("clone with flags that no filter sees", (LIST,), "call clone3")
def clone3() -> None:
    flags = ctypes.create_string_buffer(struct.pack("8Q", 0, 0, 0, 0, 17, 0, 0, 0), 64)
    pid = called(435, 435, flags, 64)
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@attempt("start forty processes", (LIST,), "call fork", "call clone")
def forty_processes() -> None:
    for _ in range(40):
        _forked(lambda: None)


@attempt("leave a process behind", (LIST,), "call fork", "call clone", "call setsid")
def leave_a_process() -> None:
    def again() -> None:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1)
            os._exit(0)

    _forked(again)


@attempt("start three hundred threads", (BUDGET,), "budget")
def three_hundred_threads() -> None:
    threading.stack_size(64 * 1024)
    stop = threading.Event()
    for _ in range(300):
        threading.Thread(target=stop.wait, daemon=True).start()
    time.sleep(0.5)


# Sockets and other ways out.


def _socket(name: str, family: int, kind: int, protocol: int = 0, privileged: bool = False) -> None:
    def make() -> None:
        import socket

        socket.socket(family, kind, protocol).close()

    attempt(name, (LIST,), "call socket", *["capabilities"] * privileged, privileged=privileged)(
        make
    )


_socket("open a socket of IPv4", 2, 1)
_socket("open a socket of IPv6", 10, 2)
_socket("open a local socket", 1, 1)
_socket("open a socket to the kernel", 16, 3)
_socket("open a socket to raw packets", 17, 3, privileged=True)


@attempt("open a pair of sockets", (LIST,), "call socketpair")
def pair_of_sockets() -> None:
    import socket

    for end in socket.socketpair():
        end.close()


@attempt("go around by io_uring", (LIST,), "call io_uring_setup")
def io_uring() -> None:
    called(425, 425, 1, ctypes.create_string_buffer(120))


@attempt("share memory (System V)", (LIST,), "call shmget", "call shmctl")
def shared_memory() -> None:
    c_called("shmctl", c_called("shmget", 0, 4096, 0o1600), 0, None)


@attempt("share a semaphore (System V)", (LIST,), "call semget", "call semctl")
def semaphore() -> None:
    c_called("semctl", c_called("semget", 0, 1, 0o1600), 0, 0)


@attempt("share a queue (System V)", (LIST,), "call msgget", "call msgctl")
def queue() -> None:
    c_called("msgctl", c_called("msgget", 0, 0o1600), 0, None)


@attempt("share a queue (POSIX)", (LIST, LANDLOCK), "call mq_open", "call mq_unlink", "landlock")
def posix_queue() -> None:
    called(240, 180, b"tokaudit-hostile", os.O_CREAT | os.O_RDWR, 0o600, None)
    called(241, 181, b"tokaudit-hostile")


@attempt("keep a file in memory", (LIST,), "call memfd_create")
def file_in_memory() -> None:
    os.close(os.memfd_create("hostile"))


@attempt("keep a key in the kernel", (LIST,), "call add_key")
def key() -> None:
    called(248, 217, b"user", b"tokaudit-hostile", b"a", 1, ctypes.c_long(-2))


@attempt("ask the kernel for a key", (LIST,), "call keyctl")
def keyring() -> None:
    called(250, 219, 0, ctypes.c_long(-2), 1)


# The system.


@attempt("load a program into the kernel", (LIST,), "call bpf", "capabilities", privileged=True)
def bpf() -> None:
    given = ctypes.create_string_buffer(struct.pack("5I", 2, 4, 4, 1, 0), 128)
    os.close(called(321, 280, 0, given, 128))


@attempt(
    "measure other processes", (LIST,), "call perf_event_open", "capabilities", privileged=True
)
def perf() -> None:
    given = ctypes.create_string_buffer(struct.pack("IIQ", 1, 128, 0), 128)  # a software clock
    os.close(called(298, 241, given, ctypes.c_long(-1), 0, ctypes.c_long(-1), 0))


@attempt("make a namespace", (LIST,), "call unshare")
def namespace() -> None:
    called(272, 97, 0x10000000)  # of users, which needs no capability


@attempt("change the root folder", (LIST,), "call chroot", "capabilities", privileged=True)
def root_folder() -> None:
    os.chroot("/")


@attempt("name the machine", (LIST,), "call sethostname", "capabilities", privileged=True)
def host_name() -> None:
    name = os.uname().nodename.encode()
    c_called("sethostname", name, len(name))


@attempt(
    "use a capability",
    (NO_CAPABILITIES,),
    "call chown",
    "call fchownat",
    "capabilities",
    privileged=True,
)
def capability() -> None:
    Path("mine").touch()
    os.chown("mine", 12345, 12345)


# Files.


@attempt("read a secret of the user", (LANDLOCK,), "landlock")
def secret_of_the_user() -> None:
    (home() / "secret").read_text()


@attempt("list the user's home folder", (LANDLOCK,), "landlock")
def home_folder() -> None:
    next(home().iterdir())


@attempt("read a file of the system", (LANDLOCK,), "landlock")
def file_of_the_system() -> None:
    Path("/etc/passwd").read_text()


@attempt("write to a file of the user", (LANDLOCK,), "landlock")
def write_to_a_file() -> None:
    with (home() / "kept").open("a"):
        pass


@attempt("make a file in the home folder", (LANDLOCK,), "landlock")
def make_a_file() -> None:
    (home() / "made").touch()


@attempt("remove a file of the user", (LIST, LANDLOCK), "call unlink", "landlock")
def removed() -> None:
    (home() / "removable").unlink()
    if (home() / "removable").exists():
        raise PermissionError("it is still there")


@attempt("share memory by a file", (LANDLOCK,), "landlock")
def shared_file() -> None:
    path = Path("/dev/shm/tokaudit-hostile")
    path.touch()
    path.unlink()


@attempt("change the mode of a file", (LIST,), "call chmod", "call fchmodat")
def mode_of_a_file() -> None:
    (home() / "kept").chmod(0o600)


@attempt("change the times of a file", (LIST,), "call utimensat")
def times_of_a_file() -> None:
    os.utime(home() / "kept")


@attempt("give a file an attribute", (LIST,), "call setxattr")
def attribute_of_a_file() -> None:
    os.setxattr(home() / "kept", "user.hostile", b"a")


@attempt("lock a file of a library", (LIST,), "call flock")
def lock_a_file() -> None:
    import fcntl

    with Path(os.__file__).open() as file:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)


@attempt("see a secret of the environment", (START,), "environment")
def secret_of_the_environment() -> None:
    if "HF_TOKEN" not in os.environ:
        raise OSError("refused")


# Memory, disk and time.


@attempt("take more address space than a worker has", (LIMITS,), "limits")
def address_space() -> None:
    import mmap

    mmap.mmap(-1, 3_000_000_000).close()


@attempt("take more memory than the audit has", (BUDGET,), "budget")
def memory() -> None:
    taken = bytearray(400_000_000)
    taken[::4096] = b"a" * len(range(0, len(taken), 4096))
    time.sleep(1)


@attempt("write a file without end", (LIMITS,), "limits")
def large_file() -> None:
    with Path("large").open("wb") as file:
        file.seek(65 * 1024 * 1024)
        file.write(b"a")


@attempt("write files without end", (BUDGET,), "budget")
def many_files() -> None:
    for number in range(5):
        with Path(f"large {number}").open("wb") as file:
            file.truncate(64 * 1024 * 1024 - 1)  # takes no room
    time.sleep(0.5)


def open_large(name: str, within: int | None = None) -> int:
    """A new open file that states as many bytes as one may have, and takes no room."""
    file = os.open(name, os.O_CREAT | os.O_RDWR, 0o600, dir_fd=within)
    os.ftruncate(file, 64 * 1024 * 1024 - 1)
    return file


@attempt("write files that are removed while open", (LIST, BUDGET), "call unlink", "budget")
def removed_files() -> None:
    for number in range(5):
        open_large(f"removed {number}")
        Path(f"removed {number}").unlink()
    time.sleep(0.5)
    if Path("removed 4").exists():
        raise PermissionError("they are still there")


@attempt("remove a folder", (LIST,), "call rmdir")
def removed_folder() -> None:
    Path("folder").mkdir()
    Path("folder").rmdir()
    if Path("folder").exists():
        raise PermissionError("it is still there")


@attempt("write to a file without a name", (LIST,), "call openat")
def nameless_file() -> None:
    os.close(os.open(".", os.O_TMPFILE | os.O_RDWR, 0o600))


@attempt("move a file over one that is open", (LIST,), "call rename")
def moved_file() -> None:
    for name in ("open", "other"):
        open_large(name)
    Path("other").rename("open")


@attempt("hide files in folders deeper than a path is long", (BUDGET,), "budget")
def deep_folders() -> None:
    here = os.open(".", os.O_DIRECTORY)
    for _ in range(100):
        os.mkdir("d" * 255, dir_fd=here)
        inner = os.open("d" * 255, os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(open_large("file", here))
    time.sleep(0.5)


@attempt("hide files in a folder that nobody may list", (BUDGET,), "budget")
def locked_folder() -> None:
    Path("locked").mkdir(0o300)
    for number in range(5):
        os.close(open_large(f"locked/{number}"))
    time.sleep(0.5)


@attempt("make very many folders", (BUDGET,), "budget")
def many_folders() -> None:
    for number in range(3_000):
        Path(str(number)).mkdir()
    time.sleep(0.5)


@attempt("open a thousand files", (LIMITS,), "limits")
def many_descriptors() -> None:
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for _ in range(1_000):
        os.open(os.devnull, os.O_RDONLY)


@attempt("compute after calling off its clock", (BUDGET,), "budget")
def processor() -> None:
    import signal

    signal.setitimer(signal.ITIMER_PROF, 0)
    until = time.process_time() + 2
    while time.process_time() < until:
        pass


@attempt("sleep and not answer", (CLOCK,), "patience")
def sleep() -> None:
    time.sleep(3)


@attempt("end in the middle of a frame", (FRAMES,), "frames")
def end_in_a_frame() -> None:
    os.write(int(sys.argv[2]), struct.pack(">I", 100) + b"{")
    os._exit(0)


@attempt("end without an answer", (FRAMES,), "frames")
def end() -> None:
    os._exit(0)


def _framed(name: str, body: bytes, length: int | None = None) -> None:
    def make() -> None:
        os.write(int(sys.argv[2]), struct.pack(">I", length or len(body)) + body)
        time.sleep(0.5)

    attempt(name, (FRAMES,), "frames")(make)


LOADED = {
    "adapter": "tokenizers", "package": "tokenizers", "version": "1", "unicode_version": "",
    "notes": [], "capabilities": ["encode"],
}  # fmt: skip


def _answer(**changes: object) -> bytes:
    whole: dict[str, object] = {"number": 1, "seconds": 0, "processor": 0, "result": LOADED}
    return json.dumps({**whole, **changes}).encode()


_framed("send a frame of four gigabytes", b"{}", 2**32 - 1)
_framed("send what is not JSON", b"{]")
_framed("send an object without a result", _answer(result=None))
_framed("answer another question", _answer(number=7))
_framed("answer with a list for a text", _answer(result={**LOADED, "version": []}))
_framed("answer with a name without end", _answer(result={**LOADED, "adapter": "a" * 300}))
_framed("answer with an endless number of seconds", _answer(seconds=1e300))
_framed("answer with a field more", _answer(more=1))


@attempt("write to the terminal by its last words", (FRAMES,), "frames")
def last_words() -> None:
    os.write(2, b"\x1b]0;hostile\x07\n")
    os.write(int(sys.argv[2]), struct.pack(">I", 2) + b"{]")
    time.sleep(0.5)


def _forked(child: Callable[[], object]) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            child()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


_SAYING_DONE = """
import json, os, struct, sys
body = json.dumps({"number": 1, "seconds": 0, "processor": 0, "error": "done"}).encode()
os.write(int(sys.argv[2]), struct.pack(">I", len(body)) + body)
"""
