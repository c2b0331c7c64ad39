"""A tokenizer that lives in a worker process, seen from the parent."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Iterator, Sequence, Sized
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from tokaudit.foundation.errors import (
    EncoderOutOfTime,
    OutOfTime,
    UnreadableError,
    UpstreamTrouble,
)
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, TokenizerInfo
from tokaudit.runtimes.registry import named_by_user
from tokaudit.runtimes.request import LoadRequest, encoded, from_anywhere
from tokaudit.runtimes.worker.allowance import START_PROCESSOR, Allowance, Pace, WorkerLimits
from tokaudit.runtimes.worker.process import (
    MEMORY,
    MEMORY_OF_PROGRAMS,
    WorkerDied,
    WorkerProcess,
)

MOST_TEXTS = 512
MOST_CHARACTERS = 1_000_000
MOST_IDS = 1_000_000
MOST_DEATHS = 12  # of one tokenizer's workers; then no other is started
START_SECONDS = 180.0  # for a process to start, import a library and load; never a measure of it
SHORTEST_PATIENCE = 2.0  # seconds; each text or batch that hangs halves the wait down to this


class UpstreamRefused(UpstreamTrouble):
    """The library would not load or answer, in its own words."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class WorkerCrashed(UpstreamTrouble):
    """The library took its process down, or did not come back."""

    def __init__(self, reason: str, stderr_tail: str = "", signal: str = "") -> None:
        self.reason, self.stderr_tail, self.signal = reason, stderr_tail, signal
        super().__init__(reason)


@dataclass
class Stats:
    """How much a worker was asked, and the seconds it took inside and in the parent."""

    upstream_seconds: float = 0.0
    transport_seconds: float = 0.0  # processor time of the parent's side
    calls: int = 0
    texts: int = 0


class WorkerTokenizer:
    """The `Tokenizer` protocol over a worker that starts on first use.

    `timeout` is the wait for an answer, `start` that for a new process until it has loaded.  They
    are apart because the first is about the texts, and the second about the machine too: on a busy
    one, Python and a large library need seconds before they have seen any text.
    """

    def __init__(
        self,
        request: LoadRequest,
        *,
        timeout: float = 20.0,
        start: float = START_SECONDS,
        memory: int | None = None,
        limits: WorkerLimits | None = None,
        idle: list[WorkerProcess] | None = None,
    ) -> None:
        """`idle` are sandboxed processes that have started and load nothing yet, to be taken."""
        self.request, self.stats = request, Stats()
        self._idle = idle if idle is not None else []
        self._limits = limits or WorkerLimits(timeout)
        self._timeout, self._start_limit = self._limits.question, start
        self.sandboxed = request.adapter not in named_by_user()
        self._memory = memory or (MEMORY if self.sandboxed else MEMORY_OF_PROGRAMS)
        self._patience = self._timeout
        self._allowance, self._pace = Allowance(self._limits.encoder), Pace()
        self._process: WorkerProcess | None = None
        self._described: dict[str, Any] | None = None
        self._deaths = 0
        self._lock = threading.RLock()

    def __enter__(self) -> WorkerTokenizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker; a later question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    @property
    def _loaded(self) -> dict[str, Any]:
        """What the worker has said of the tokenizer; starts and loads when nothing has yet.

        No `cached_property`: before Python 3.12 that lets one worker start at a time.
        """
        with self._lock:
            if self._described is None:
                self._described = self._start()
            return self._described

    @property
    def info(self) -> TokenizerInfo:
        """Who answers; starts and loads when nothing has yet."""
        found = self._loaded
        adapter, package, version = found["adapter"], found["package"], found["version"]
        notes = tuple(found["notes"])
        return TokenizerInfo(adapter, package, version, found["unicode_version"], notes)

    @property
    def capabilities(self) -> frozenset[str]:
        """What the loaded tokenizer can do."""
        return frozenset(self._loaded["capabilities"])

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> token."""
        return {id: _unpacked(token) for id, token in self._ask({"op": "vocab"})}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text; one that kills the worker is found and marked."""
        with self._lock:
            _ = self._loaded
            given = asdict(options)
            if options.pad:  # the longest of all texts decides, so they stay together
                return self._encode(list(texts), given)
            return [one for batch in _batches(texts) for one in self._encode(batch, given)]

    def _encode(self, texts: list[str], options: dict[str, Any]) -> list[Encoding]:
        """Ask for a batch; when the worker dies of it, ask again for each text by itself.

        One by one and not by halves: that costs one death for each culprit, where halving costs
        nine in a batch of 512, each with a reload, and with a whole wait when the library hangs.
        """
        try:
            found = self._paced(texts, options)
        except UpstreamRefused as error:
            return [Encoding(error=str(error))] * len(texts)
        except UpstreamTrouble as error:
            return [Encoding(error=str(error), given_up=True)] * len(texts)
        except EncoderOutOfTime as error:
            if not self._pace.too_slow:
                raise
            return [Encoding(error=str(error), given_up=True)] * len(texts)
        except WorkerDied as error:
            if error.late:
                self._patience = max(self._patience / 2, min(SHORTEST_PATIENCE, self._timeout))
            if len(texts) == 1 or options["pad"]:
                return [Encoding(error=str(error), killed=True)] * len(texts)
            return [one for text in texts for one in self._encode([text], options)]
        self.stats.texts += len(texts)
        return [_encoding(fields) for fields in found]

    def _paced(self, texts: list[str], options: dict[str, Any]) -> list[dict[str, Any]]:
        """The answer for a batch, and note of the processor time that it took."""
        spent, asked, done = self._allowance.spent, self._allowance.left > 0, texts
        try:
            question = {"op": "encode", "texts": texts, "options": options}
            found: list[dict[str, Any]] = self._answer(question, self._patience)
            done = [text for text, one in zip(texts, found, strict=True) if "e" not in one]
            return found
        finally:
            if asked:
                self._pace.took(sum(map(len, done)), self._allowance.spent - spent)

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """One output for each list of ids."""
        outputs: list[bytes | str] = []
        for chunk in _batches(ids, MOST_IDS):
            plain = [list(one) for one in chunk]
            question = {"op": "decode", "ids": plain, "options": asdict(options)}
            outputs.extend(map(_unpacked, self._ask(question)))
        return outputs

    def tables(self, names: Sequence[str], characters: str) -> dict[str, frozenset[int]]:
        """Where, for these characters, the library's Unicode tables are not this Python's.

        A table is named like the component that consults it (`NFC`, `Lowercase`), or is a class of
        split patterns.
        """
        question = {"op": "tables", "names": list(names), "characters": characters}
        found: dict[str, list[int]] = self._ask(question)
        return {name: frozenset(codes) for name, codes in found.items()}

    def trace(self, text: str, *, parse_special: bool = True) -> list[dict[str, Any]]:
        """The stages of one text, as the fields of `tokaudit_reference.trace.TracedSegment`."""
        found: list[dict[str, Any]] = self._ask(
            {"op": "trace", "text": text, "parse_special": parse_special}
        )
        return found

    def pre_tokens(self, texts: Sequence[str]) -> list[list[str] | None]:
        """What the model is given of each text; None where that is not known."""
        found: list[list[str] | None] = []
        for batch in _batches(texts):
            try:
                found += self._ask({"op": "pre_tokens", "texts": batch})
            except (UpstreamTrouble, OutOfTime):
                found += [None] * len(batch)
        return found

    def normal_forms(self, codes: range) -> dict[int, str]:
        """What the normalizer makes of each scalar alone, where that is not the scalar."""
        found = self._ask({"op": "normal_forms", "first": codes.start, "behind": codes.stop})
        return dict(found)

    def digests(self, texts: Sequence[str]) -> list[tuple[int, str] | None]:
        """For each text the number of its ids and a digest of them; None where it has none.

        It costs less than the ids, which most of the time are only compared.
        """
        found: list[tuple[int, str] | None] = []
        for batch in _batches(texts):
            try:
                answer = self._ask({"op": "digests", "texts": batch})
            except UpstreamTrouble:
                answer = [None] * len(batch)
            found += [None if one is None else (one[0], one[1]) for one in answer]
        return found

    def timed_encode(self, texts: Sequence[str], repeats: int = 1) -> list[float]:
        """Seconds inside the worker for each of `repeats` encodings of all texts."""
        question = {"op": "timed_encode", "texts": list(texts), "repeats": repeats}
        found: list[float] = self._ask(question)
        return found

    def _start(self) -> dict[str, Any]:
        """Start a worker and load; leaves none behind when that fails."""
        if self._deaths > MOST_DEATHS:
            raise WorkerCrashed(f"given up after {self._deaths} deaths of the worker")
        self._allowed()
        try:
            self._process = self._taken() or WorkerProcess(
                self._memory, self._limits.deadline, sandboxed=self.sandboxed
            )
        except OSError as error:
            raise UnreadableError(f"no worker process can be started: {error.strerror}") from error
        try:
            question = {"op": "load", "request": encoded(from_anywhere(self.request))}
            loaded = self._exchange(question, self._start_limit, START_PROCESSOR)
        except WorkerDied as error:
            raise _crashed("load", error) from error
        except UpstreamRefused:
            self.close()
            raise
        assert isinstance(loaded, dict)
        return loaded

    def _taken(self) -> WorkerProcess | None:
        """An idle process, if there is one that is as this tokenizer needs it."""
        with suppress(IndexError):
            return self._idle.pop() if self.sandboxed and self._memory == MEMORY else None
        return None

    def _ask(self, question: dict[str, Any]) -> Any:
        """The answer to a question that is not about one text: a death is a crash."""
        try:
            return self._answer(question, self._timeout)
        except WorkerDied as error:
            raise _crashed(question["op"], error) from error

    def _answer(self, question: dict[str, Any], timeout: float) -> Any:
        with self._lock:
            _ = self._loaded
            if self._process is None:
                self._start()
            share = timeout / self._timeout
            processor = max(self._limits.processor * share, SHORTEST_PATIENCE)
            return self._exchange(question, timeout, min(processor, self._limits.processor))

    def _exchange(self, question: dict[str, Any], timeout: float, processor: float) -> Any:
        """The answer of the process there is, which no longer is there when it dies of it."""
        assert self._process is not None
        within = min(processor, self._allowed())
        started, asked = time.thread_time(), time.monotonic()
        self.stats.calls += 1
        try:
            answer = self._process.ask(question, timeout, within)
        except (WorkerDied, OutOfTime) as error:
            self._process = None
            self._allowance.died(after=min(time.monotonic() - asked, within))
            if isinstance(error, WorkerDied):
                if within < processor and error.late:
                    self._allowed()  # the question itself might have had more
                self._deaths += 1
            raise
        finally:
            self.stats.transport_seconds += time.thread_time() - started
        self._allowance.answered(answer["processor"])
        self.stats.upstream_seconds += answer["seconds"]
        if "error" in answer:
            raise UpstreamRefused(answer["error"])
        return answer["result"]

    def _allowed(self) -> float:
        """The processor time that is left; raises where there is none.

        That the work was too much for the time blames nobody; that processes died of it does.
        """
        if self._allowance.left > 0:
            return self._allowance.left
        self.close()
        used = f"{self._limits.encoder:g} s of processor time"
        if self._deaths:
            deaths = f"{self._deaths} death{'s'[: self._deaths > 1]} of the worker"
            raise WorkerCrashed(f"given up after {deaths} and {used}")
        raise EncoderOutOfTime(f"{self.request.adapter} used the {used} that an encoder has")


_Sized = TypeVar("_Sized", bound=Sized)


def _batches(items: Sequence[_Sized], largest: int = MOST_CHARACTERS) -> Iterator[list[_Sized]]:
    """Items in order, in groups of bounded number and total length."""
    batch: list[_Sized] = []
    size = 0
    for item in items:
        if batch and (len(batch) == MOST_TEXTS or size + len(item) > largest):
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += len(item)
    if batch:
        yield batch


def _crashed(op: str, error: WorkerDied) -> WorkerCrashed:
    return WorkerCrashed(f"{op}: {error}", error.printed, error.signal)


def _encoding(fields: dict[str, Any]) -> Encoding:
    offsets = fields.get("o")
    mask, types = fields.get("m"), fields.get("t")
    return Encoding(
        ids=tuple(fields["i"]),
        offsets=None if offsets is None else tuple((a, b) for a, b in offsets),
        attention_mask=None if mask is None else tuple(mask),
        type_ids=None if types is None else tuple(types),
        error=fields.get("e"),
    )


def _unpacked(value: Any) -> bytes | str:
    return value if isinstance(value, str) else base64.b64decode(value["b64"])
