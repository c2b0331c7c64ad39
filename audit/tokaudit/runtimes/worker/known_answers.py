"""Recorded answers of encoders, shared between subjects of a run with equal bytes.

A gate often names ten checkpoints of one tokenizer.  A worker that has loaded the files of one
answers for no other files; but the same bytes, asked the same, have the same answers.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from tokaudit.foundation.errors import UpstreamTrouble
from tokaudit.runtimes.registry import named_by_user
from tokaudit.runtimes.request import LoadRequest, encoded
from tokaudit.runtimes.worker.frames import written
from tokaudit.runtimes.worker.questions import AnyQuestion, TimedEncode

MOST_KEPT = 12  # encoders; a subject has two to five
MOST_RENDERED = 100  # templates over all their conversations; a subject has about four
_Result = TypeVar("_Result")
LOAD = b"load"


@dataclass
class Transcript:
    """The questions to one encoder with its answers, in order.

    Asked the same again it may answer otherwise, which is what some checks look for.
    """

    answers: dict[bytes, list[Any]] = field(default_factory=dict)
    spoiled: bool = False  # it died, or its time was up: nobody else is judged by that
    number: int = field(default_factory=count().__next__, compare=False)  # no other has it


@dataclass
class Replay:
    """One subject's replay of a transcript, which it extends at the end."""

    transcript: Transcript = field(default_factory=Transcript)
    _asked: Counter[bytes] = field(default_factory=Counter)

    def answer(self, question: AnyQuestion | None, ask: Callable[[], _Result]) -> _Result:
        """Return the recorded answer for this repetition of a question, or ask now.

        Without a question, what was said of loading.  A refusal is an answer too.
        """
        if isinstance(question, TimedEncode):
            return ask()
        key = LOAD if question is None else _digest(written(question))
        before = self.transcript.answers.setdefault(key, [])
        if self._asked[key] == len(before):
            before.append(self._now(ask))
        found = before[self._asked[key]]
        self._asked[key] += 1
        if isinstance(found, UpstreamTrouble):
            raise found
        return found  # type: ignore[no-any-return]

    def _now(self, ask: Callable[[], _Result]) -> _Result | UpstreamTrouble:
        try:
            return ask()
        except UpstreamTrouble as refusal:
            return refusal
        except Exception:
            self.transcript.spoiled = True
            raise


@dataclass
class KnownAnswers:
    """Transcripts of the last few encoders of a run, by their loaded bytes."""

    _of: dict[bytes, Transcript] = field(default_factory=dict)
    _rendered: Transcript = field(default_factory=Transcript)

    @property
    def some(self) -> bool:
        """Return whether any encoder was used."""
        return bool(self._of)

    def replay(self, request: LoadRequest) -> Replay | None:
        """Return the answers to replay for a request; None for user code."""
        if request.adapter in named_by_user() or request.place:
            return None
        key = _of_bytes(request)
        found = self._of.pop(key, None)
        if found is None or found.spoiled:
            found = Transcript()
        self._of[key] = found
        while len(self._of) > MOST_KEPT:
            self._of.pop(next(iter(self._of)))
        return Replay(found)

    def of_jobs(self) -> Replay:
        """Return the answers to replay for jobs, whose questions are self-contained."""
        if self._rendered.spoiled or len(self._rendered.answers) > MOST_RENDERED:
            self._rendered = Transcript()
        return Replay(self._rendered)


def _of_bytes(request: LoadRequest) -> bytes:
    """Return the digest of a request and its files, wherever they are."""
    here = replace(request, path="", files=(), siblings={})
    paths = [
        *(request.files or (request.path,) if request.path else ()),
        *request.siblings.values(),
    ]
    names = [Path(path).name for path in paths]
    contents = [_digest(Path(path).read_bytes()).hex() for path in paths]
    return _digest(written([encoded(here), names, sorted(request.siblings), contents]))


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
