"""A program in any language that the user named, speaking JSON lines.

It reads `{"op": "encode", "text": ...}` and answers `{"ids": [...]}`, a line each; or
`{"op": "decode", "ids": [...]}` and answers `{"text": ...}`.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.parent_death import die_with_parent
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


class Program:
    """The running program and its two pipes."""

    capabilities = frozenset({"encode", "decode"})

    def __init__(self, command: str) -> None:
        self.info = TokenizerInfo("cmd", command, "")
        self._process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # So that a killed audit, which takes its worker with it, takes the program too.
            preexec_fn=die_with_parent if sys.platform == "linux" else None,
        )

    def _ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        return answer_of(self._process, question, "the program")

    def vocab(self) -> dict[int, bytes | str]:
        """Nothing: a program does not say what its ids are."""
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text."""
        answers = (self._ask({"op": "encode", "text": text}) for text in texts)
        return [Encoding(ids=tuple(map(int, answer["ids"]))) for answer in answers]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Text for each list of ids."""
        return [str(self._ask({"op": "decode", "ids": list(one)})["text"]) for one in ids]


def load(request: LoadRequest) -> Tokenizer:
    """Start the program."""
    if not shlex.split(request.path):
        raise UsageError("cmd: expected the program after the colon, as in cmd:./my-encoder")
    return Program(request.path)


ADAPTER = Adapter("cmd", "", load, named_by_user=True)
