"""Adapter for a user's program in any language, speaking JSON lines.

It is asked as `runtimes/engine_protocol.py` says.  One that does not know `hello` is asked for one
text at a time: it reads `{"op": "encode", "text": ...}` and answers `{"ids": [...]}`, a line each;
or `{"op": "decode", "ids": [...]}` and answers `{"text": ...}`.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.own_process import die_with_parent
from tokaudit.runtimes.engine_protocol import ProtocolEngine, hello_of, speaks
from tokaudit.runtimes.json_line import answer_of
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest

LAST_WORDS = 400  # bytes of what a program wrote to its standard error
PROBE = "a"
TO_GREET = 60.0  # seconds to load and answer `hello`, after which it is not known
ENDING = 2.0  # seconds that a program has to end


class RunningProgram:
    """The running program and its pipes; once it has ended, each question says how."""

    def __init__(self, command: str) -> None:
        self.command = command
        self._ended = ""
        self._said = b""
        self._process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # So that a killed audit, which takes its worker with it, takes the program too.
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        """Keep the end of its standard error, which would fill the pipe."""
        assert self._process.stderr
        with suppress(OSError, ValueError):
            while part := os.read(self._process.stderr.fileno(), 1 << 16):
                self._said = (self._said + part)[-LAST_WORDS:]

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Send a question and return the answer; raise `RuntimeError` with its last output."""
        if self._ended:
            raise RuntimeError(self._ended)
        try:
            return answer_of(self._process, question, "the program")
        except RuntimeError:
            if self._process.poll() is not None:
                self._ended = self._how()
                raise RuntimeError(self._ended) from None
            raise
        except OSError:
            self._ended = self._how()
            raise RuntimeError(self._ended) from None

    def greeted(self, threads: int) -> dict[str, Any]:
        """Return its answer to `hello`; empty if it gives none, or exits."""
        found: dict[str, Any] = {}

        def greet() -> None:
            with suppress(RuntimeError, ValueError):
                found.update(self.ask(hello_of(threads)))

        greeting = threading.Thread(target=greet, daemon=True)
        greeting.start()
        greeting.join(TO_GREET)
        return dict(found)

    def _how(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(ENDING)
        self._listener.join(ENDING)
        words = " ".join(self._said.decode("utf-8", "replace").split())
        code = self._process.poll()
        return f"the program ended with exit code {code}{f'; it said: {words}' if words else ''}"

    @property
    def has_ended(self) -> bool:
        """Return whether it has ended."""
        return bool(self._ended)

    def end(self) -> None:
        """End it, so that it can be restarted, and close its pipes."""
        self._process.kill()
        self._process.wait()
        self._listener.join(ENDING)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                pipe.close() if pipe is not None else None


class OneTextProgram:
    """A program of the simplest form: one text per line, and one list of ids."""

    capabilities = frozenset({"encode", "decode"})

    def __init__(self, program: RunningProgram) -> None:
        self.info = TokenizerInfo("cmd", program.command, "")
        self._program, self.close = program, program.end

    def vocab(self) -> dict[int, bytes | str]:
        """Return nothing: a program does not name its ids."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text."""
        answers = (self._program.ask({"op": "encode", "text": text}) for text in texts)
        return [Encoding(ids=tuple(map(int, answer["ids"]))) for answer in answers]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids."""
        asked = ({"op": "decode", "ids": list(one)} for one in ids)
        return [str(self._program.ask(question)["text"]) for question in asked]


def load(request: LoadRequest) -> Tokenizer:
    """Start the program; raise `RuntimeError` with its exit code if it ends at once."""
    if not shlex.split(request.path):
        raise UsageError("cmd: expected the program after the colon, as in cmd:./my-encoder")
    program = RunningProgram(request.path)
    hello = program.greeted(request.threads)
    if speaks(hello):
        return ProtocolEngine("cmd", program.ask, {"name": request.path} | hello, program.end)
    program.end()
    program = RunningProgram(request.path)
    try:
        program.ask({"op": "encode", "text": PROBE})
    except (RuntimeError, ValueError):
        if program.has_ended:
            program.end()
            raise
    return OneTextProgram(program)


ADAPTER = Adapter("cmd", "", load, named_by_user=True)
