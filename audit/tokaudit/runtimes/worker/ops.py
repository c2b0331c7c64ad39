"""Operations of a worker: load, vocab, encode, decode, trace, cut, timed encode and jobs."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import time
from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from tokaudit.foundation.own_process import collect_seldom, return_memory
from tokaudit.runtimes.jobs import all_jobs
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    text_or_none,
)
from tokaudit.runtimes.request import decoded
from tokaudit.runtimes.worker import questions
from tokaudit.runtimes.worker.answers import LARGEST_ID, SMALLEST_ID
from tokaudit.runtimes.worker.questions import Question
from tokaudit.runtimes.worker.resources.cpu_affinity import one_processor

if TYPE_CHECKING:
    from tokaudit.runtimes.worker.files.channel import HandedFiles
    from tokaudit_reference.trace import TracedSegment

_Kept = TypeVar("_Kept")
THREADS = "RAYON_NUM_THREADS"
ADAPTERS = f"{os.path.dirname(os.path.dirname(__file__))}/adapters/"  # noqa: PTH120
MOST_WORDS = 2000  # characters of a library's own words that are passed on


def reported(error: BaseException) -> str:
    """Format an error in the library's own words, its type first."""
    return f"{type(error).__name__}: {error}"[:MOST_WORDS]


def lacks(error: BaseException) -> bool:
    """Return whether the installed version lacks what our adapter needs."""
    looked_in_module = isinstance(getattr(error, "obj", None), ModuleType)
    if not isinstance(error, ImportError) and not looked_in_module:
        return False
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and place.tb_frame.f_code.co_filename.startswith(ADAPTERS)


def packed(value: bytes | str) -> Any:
    """Return text unchanged, bytes as `{"b64": ...}`."""
    return value if isinstance(value, str) else {"b64": base64.b64encode(value).decode()}


def prepare(question: Question) -> None:
    """Import our modules for the first question, so that Python may cache them.

    Nothing of a subject is read, and no upstream library is imported: that is done in the sandbox.
    """
    with contextlib.suppress(Exception):
        if isinstance(question, questions.Do):
            all_jobs()[question.job].imported()
        elif isinstance(question, questions.Load):
            from tokaudit.runtimes.registry import adapter_named

            adapter_named(question.request["adapter"])


class Session:
    """One loaded tokenizer with the questions about it, and handed files."""

    def __init__(self, files: int | None = None) -> None:
        """Store the descriptor by which the parent hands over files."""
        self._tokenizer: Tokenizer | None = None
        self._files = files
        self._kept: dict[Callable[[Session], Any], Any] = {}
        self._answers: dict[type[Question], Callable[[Any], Any]] = {
            questions.Load: self.load,
            questions.Vocab: self.vocab,
            questions.Encode: self.encode,
            questions.Decode: self.decode,
            questions.TimedEncode: self.timed_encode,
            questions.Tables: self.tables,
            questions.Trace: self.trace,
            questions.PreTokens: self.pre_tokens,
            questions.NormalForms: self.normal_forms,
            questions.Digests: self.digests,
            questions.RoundTrips: self.round_trips,
            questions.Continue: self.continued,
            questions.Do: self.do,
        }

    def answer(self, question: Question) -> dict[str, Any]:
        """Return the result of one question, or the library's error, and the seconds.

        A Rust panic is a `BaseException`, hence the broad net; a `SystemExit` from library code
        must not end the worker either.
        """
        started = time.perf_counter()
        try:
            result = {"result": self._answers[type(question)](question)}
        except BaseException as error:
            loaded = not isinstance(question, questions.Load)  # else the user may have named it
            result = {"error": reported(error), "lacks": loaded and lacks(error)}
        return {**result, "seconds": time.perf_counter() - started}

    @property
    def tokenizer(self) -> Tokenizer:
        """Return the loaded tokenizer."""
        if self._tokenizer is None:
            raise RuntimeError("nothing is loaded")
        return self._tokenizer

    def load(self, asked: questions.Load) -> dict[str, Any]:
        """Load by the named adapter, and describe the tokenizer."""
        from tokaudit.runtimes.registry import adapter_named

        wanted = decoded(asked.request)
        os.environ[THREADS] = str(wanted.threads)  # read by a library when it first runs
        collect_seldom()
        return_memory()
        self._tokenizer = adapter_named(wanted.adapter).load(wanted)
        info = self._tokenizer.info
        return {
            "adapter": info.adapter,
            "package": info.package,
            "version": info.version,
            "unicode_version": info.unicode_version,
            "notes": list(info.notes),
            "capabilities": sorted(self._tokenizer.capabilities),
        }

    def vocab(self, asked: questions.Vocab) -> list[Any]:
        """Return pairs of id and token."""
        return [[id, packed(token)] for id, token in self.tokenizer.vocab().items()]

    def encode(self, asked: questions.Encode) -> list[dict[str, Any]]:
        """Encode each text; if the batch raises, encode one by one.

        A batch that is padded together cannot be taken apart, so there the error is that of all.
        """
        try:
            found = self.tokenizer.encode(asked.texts, asked.options)
        except BaseException:
            if asked.options.pad:
                raise
            found = [self._encode_one(text, asked.options) for text in asked.texts]
        return list(map(_fields, found))

    def _encode_one(self, text: str, options: EncodeOptions) -> Encoding:
        try:
            return self.tokenizer.encode([text], options)[0]
        except BaseException as error:
            return Encoding(error=reported(error))

    def decode(self, asked: questions.Decode) -> list[Any]:
        """Decode each list of ids."""
        return [packed(output) for output in self.tokenizer.decode(asked.ids, asked.options)]

    def tables(self, asked: questions.Tables) -> dict[str, list[int]]:
        """Return the characters on which each named Unicode table differs from ours."""
        find = getattr(self.tokenizer, "tables", None)
        return find(asked.names, asked.characters) if find else {}

    def trace(self, asked: questions.Trace) -> list[TracedSegment]:
        """Return the stages of one text, if the tokenizer can trace."""
        find = getattr(self.tokenizer, "trace", None)
        if find is None:
            raise RuntimeError(f"{self.tokenizer.info.adapter} cannot tell its stages")
        found: list[TracedSegment] = find(asked.text, asked.parse_special)
        return found

    def pre_tokens(self, asked: questions.PreTokens) -> list[list[str] | None]:
        """Return the pieces of each text for the model; None if the steps refuse it."""
        cut = getattr(self.tokenizer, "pre_tokens", None)
        if cut is None:
            raise RuntimeError(f"{self.tokenizer.info.adapter} cannot tell its pre-tokens")
        return [_writable(cut, text) for text in asked.texts]

    def normal_forms(self, asked: questions.NormalForms) -> list[list[Any]]:
        """Return each scalar that the normalizer changes, with the result."""
        find = getattr(self.tokenizer, "normal_forms", None)
        if find is None:
            raise RuntimeError(f"{self.tokenizer.info.adapter} cannot tell its normal forms")
        return [[code, text] for code, text in find(range(asked.first, asked.end)).items()]

    def digests(self, asked: questions.Digests) -> list[list[Any] | None]:
        """Return the number and digest of each text's ids; None if it is not encoded."""
        try:
            found = self.tokenizer.encode(asked.texts, EncodeOptions())
        except BaseException:
            found = [self._encode_one(text, EncodeOptions()) for text in asked.texts]
        return [None if one.error is not None else _digest(one.ids) for one in found]

    def round_trips(self, asked: questions.RoundTrips) -> list[list[Any] | None]:
        """Return for each list of ids whether its text encodes to it; None without text."""
        outputs = self.tokenizer.decode(asked.ids, DecodeOptions())
        texts = [text_or_none(output) for output in outputs]
        whole = iter(self.tokenizer.encode([text for text in texts if text is not None]))
        found: list[list[Any] | None] = []
        for ids, text in zip(asked.ids, texts, strict=True):
            own = next(whole) if text is not None else None
            if own is None or text is None or own.error is not None:
                found.append(None)
            else:
                size = len(text.encode("utf-8", "surrogatepass"))
                found.append([list(own.ids) == ids, size, len(own.ids)])
        return found

    def continued(self, asked: questions.Continue) -> list[int | None]:
        """Return the index of each first difference, or -1; None if unknown."""
        find = getattr(self.tokenizer, "first_difference", None)
        return [_tried(find, one) for one in asked.asked] if find else [None] * len(asked.asked)

    def timed_encode(self, asked: questions.TimedEncode) -> list[float]:
        """Return the processor seconds of each repeat, around the library's call alone.

        The clock of this thread counts what it computes, and not what others on the same machine
        make it wait.  That of the process goes in steps of milliseconds once there is a limit to
        its processor time.
        """
        seconds = []
        with one_processor():
            for _ in range(asked.repeats):
                started = time.thread_time()
                self.tokenizer.encode(asked.texts)
                seconds.append(time.thread_time() - started)
        return seconds

    def do(self, asked: questions.Do) -> Any:
        """Run an installed job on its request."""
        return all_jobs()[asked.job].imported()(self, asked.request)

    @property
    def loaded(self) -> Tokenizer | None:
        """Return the loaded tokenizer, or None: some jobs need none."""
        return self._tokenizer

    @cached_property
    def files(self) -> HandedFiles:
        """Return the files that the parent hands over."""
        from tokaudit.runtimes.worker.files.channel import HandedFiles

        if self._files is None:
            raise RuntimeError("no files are handed over")
        return HandedFiles(self._files)

    def kept(self, make: Callable[[Session], _Kept]) -> _Kept:
        """Return an object that a job keeps between requests, created at the first."""
        if make not in self._kept:
            self._kept[make] = make(self)
        found: _Kept = self._kept[make]
        return found


def _fields(encoding: Encoding) -> dict[str, Any]:
    ids = encoding.ids
    if ids and not (min(ids) >= SMALLEST_ID and max(ids) <= LARGEST_ID):
        return {"i": [], "e": "OverflowError: an id that no 32 bits hold"}
    found: dict[str, Any] = {"i": list(encoding.ids)}
    if encoding.offsets is not None:
        found["o"] = [list(pair) for pair in encoding.offsets]
    if encoding.attention_mask is not None:
        found["m"] = list(encoding.attention_mask)
    if encoding.type_ids is not None:
        found["t"] = list(encoding.type_ids)
    if encoding.error is not None:
        found["e"] = encoding.error
    return found


def _writable(cut: Callable[[str], list[str]], text: str) -> list[str] | None:
    """Return the pre-tokens of a text, if they exist and fit a frame."""
    try:
        found = cut(text)
        "".join(found).encode()
    except Exception:
        return None
    return found


def _tried(find: Callable[[Any], int], asked: Any) -> int | None:
    """Return one of many answers, so that its failure spoils no other."""
    try:
        return find(asked)
    except Exception:
        return None


def _digest(ids: Sequence[int]) -> list[Any]:
    packed = array("q", ids).tobytes()
    return [len(ids), hashlib.blake2b(packed, digest_size=16).hexdigest()]
