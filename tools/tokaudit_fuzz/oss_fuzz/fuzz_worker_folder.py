"""Whatever a worker makes of its folder, it is counted within bounds and removed to the last name.

An input is a program: two bytes are one call, of which the second chooses a name.
"""

from __future__ import annotations

import contextlib
import os
import tempfile

from tokaudit.foundation.removal import remove_tree
from tokaudit.runtimes.worker.resources.usage import ENDLESS, size_of

NAMES = (b"a", b"b", b"d" * 255, b"tokenizer.json", b"-rf", b"\xff\xfe", b"a\nb", b"...")
TARGETS = (b"/", b"..", b".", b"a", b"nowhere", b"../outside")
MODES = (0o700, 0o300, 0o500, 0o000)
MOST_CALLS = 2_000
OPENED = os.O_CREAT | os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK  # a FIFO without a reader blocks
KEPT = b"kept"


def TestOneInput(data: bytes) -> None:
    """Make the folder, count it and remove it; what lies next to it stays."""
    with tempfile.TemporaryDirectory() as place:
        outside, top = os.path.join(place, "outside"), os.path.join(place, "top")  # noqa: PTH118
        with open(outside, "wb") as file:  # noqa: PTH123
            file.write(KEPT)
        os.mkdir(top)  # noqa: PTH102
        made(top, data[: 2 * MOST_CALLS])
        assert 0 <= size_of(top) <= ENDLESS
        remove_tree(top)
        assert os.listdir(place) == ["outside"]  # noqa: PTH208
        with open(outside, "rb") as file:  # noqa: PTH123
            assert file.read() == KEPT


def made(top: str, program: bytes) -> None:
    """Carry the program out, each call where the last folder was entered."""
    here = os.open(top, os.O_DIRECTORY)
    for call, chosen in zip(program[::2], program[1::2], strict=False):
        with contextlib.suppress(OSError):
            here = called(call % 7, chosen, here)
    os.close(here)


def called(call: int, chosen: int, here: int) -> int:
    """Carry out one call; returns the folder of the next."""
    name = NAMES[chosen % len(NAMES)]
    match call:
        case 0:
            os.mkdir(name, dir_fd=here)
        case 1:
            inner = os.open(name, os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            return inner
        case 2:
            os.symlink(TARGETS[chosen % len(TARGETS)], name, dir_fd=here)
        case 3:
            os.mkfifo(name, dir_fd=here)
        case 4:
            file = os.open(name, OPENED, dir_fd=here)
            os.ftruncate(file, chosen << 20)
            os.close(file)
        case 5:
            os.chmod(here, MODES[chosen % len(MODES)])
        case _:
            os.mkdir(name, MODES[chosen % len(MODES)], dir_fd=here)
    return here


if __name__ == "__main__":
    from tokaudit_fuzz.oss_fuzz.running import fuzz

    fuzz(TestOneInput)
