"""Scripted encoders, good and deliberately broken, that a worker loads with `call:`."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence


class PanicException(BaseException):
    """What a Rust panic looks like from Python: not an `Exception`."""


class CodePoints:
    """A healthy encoder: an id for each code point."""

    def encode(self, text: str) -> list[int]:
        """The code points."""
        return [ord(character) for character in text]

    def decode(self, ids: Sequence[int]) -> str:
        """Back to text; hangs on an id that is no code point, to be late with an answer."""
        if ids[0] < 0:
            time.sleep(3)
        return "".join(map(chr, (abs(id) for id in ids)))


class Mortal(CodePoints):
    """Dies when it is to encode a text with a bell, which it decodes as any other."""

    def encode(self, text: str) -> list[int]:
        """The code points."""
        if "\a" in text:
            os.abort()
        return super().encode(text)


class Telling:
    """Gives its ids in an attribute and adds a special one unless told not to."""

    def __init__(self, ids: list[int]) -> None:
        self.ids = ids

    @staticmethod
    def encode(text: str, add_special_tokens: bool = True) -> Telling:
        """An object with `.ids`."""
        return Telling(([1] if add_special_tokens else []) + [len(text)])


code_points = CodePoints()
mortal = Mortal()
telling = Telling([])


def mapping(text: str) -> dict[str, list[int]]:
    """Ids under a key, as `transformers` gives them."""
    return {"input_ids": [len(text)], "attention_mask": [1]}


def panics(text: str) -> list[int]:
    """Panics on one text."""
    if text == "bad":
        raise PanicException("range end index 2 out of range")
    return [len(text)]


def leaves(text: str) -> list[int]:
    """Asks the interpreter to end."""
    if text == "bad":
        sys.exit(7)
    return [len(text)]


def ends(text: str) -> list[int]:
    """Ends the process without the interpreter."""
    if text == "bad":
        os._exit(7)
    return [len(text)]


def aborts(text: str) -> list[int]:
    """Prints what a native library prints, and aborts."""
    if text == "bad":
        sys.stderr.write("thread 'main' panicked at src/lib.rs:1\nno entry found\nnote: run with\n")
        sys.stderr.flush()
        os.abort()
    return [len(text)]


def dies(text: str) -> list[int]:
    """Dies of each of several texts."""
    if text.startswith("bad"):
        os.abort()
    return [len(text)]


def hangs(text: str) -> list[int]:
    """Holds the interpreter and never comes back."""
    while text == "bad":
        pass
    return [len(text)]


def always_hangs(text: str) -> list[int]:
    """Never comes back."""
    time.sleep(60)
    return []


def stays_slow(text: str) -> list[int]:
    """Takes a little for each text, so that a batch is late and no text is."""
    time.sleep(0.02)
    return [len(text)]


def sleeps_a_little(text: str) -> list[int]:
    """Takes half a second for each text."""
    time.sleep(0.5)
    return [len(text)]


def burns(text: str) -> list[int]:
    """Needs a tenth of a second of the processor for each text."""
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    return [len(text)]


def shouts(text: str) -> list[int]:
    """Prints ten megabytes on both streams."""
    for stream in (sys.stdout, sys.stderr):
        stream.write("shout\n" * 800_000)
        stream.flush()
    return [len(text)]


def leaves_a_child(text: str) -> list[int]:
    """Starts a program that outlives an ordinary kill of its parent; its id is the token id."""
    child = subprocess.Popen(["sleep", "60"])
    if text == "bad":
        time.sleep(60)
    return [child.pid]


def leaves_a_daemon(text: str) -> list[int]:
    """Starts a program in a session of its own, whose parent ends at once; its id is the token."""
    program = "import os, sys, time; os.fork() and os._exit(0); os.setsid(); print(os.getpid()); "
    program += "sys.stdout.flush(); os.close(1); time.sleep(60)"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE)
    return [int(done.stdout)]


def deaf(text: str) -> list[int]:
    """Hears nothing of its parent any more, and does not come back."""
    import fcntl

    fcntl.fcntl(int(sys.argv[2]), fcntl.F_SETFL, 0)
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    time.sleep(60)
    return [1]


def environment(text: str) -> list[int]:
    """1 when the variable that the text names is set, else 0."""
    return [int(text in os.environ)]


def threads(text: str) -> list[int]:
    """How many threads Rayon may take."""
    return [int(os.environ["RAYON_NUM_THREADS"])]


def limits(text: str) -> list[int]:
    """The soft limit of the resource that the text names."""
    import resource

    return [resource.getrlimit(getattr(resource, text))[0]]
