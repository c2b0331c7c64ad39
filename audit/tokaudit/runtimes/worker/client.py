"""Parent-side tokenizer that lives in a worker process."""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from tokaudit.foundation.errors import (
    EncoderOutOfTime,
    EndedAtRest,
    OutOfTime,
    Skip,
    UnreadableError,
    UpstreamTrouble,
    WorkerLost,
)
from tokaudit.runtimes.protocol import (
    Continuation,
    DecodeOptions,
    EncodeOptions,
    Encoding,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import all_adapters, named_by_user, no_ports
from tokaudit.runtimes.request import LoadRequest, encoded, from_anywhere
from tokaudit.runtimes.worker import answers, questions
from tokaudit.runtimes.worker.allowance import START_PROCESSOR, Allowance, Pace, WorkerLimits
from tokaudit.runtimes.worker.answers import (
    LOADED,
    VOCABULARY,
    EncodedText,
    Loaded,
    Shape,
    Token,
    clean,
)
from tokaudit.runtimes.worker.deaths import WorkerDied, is_about_memory, surely
from tokaudit.runtimes.worker.known_answers import Replay, Transcript
from tokaudit.runtimes.worker.process import MEMORY_OF_PROGRAMS, WorkerProcess
from tokaudit.runtimes.worker.questions import AnyQuestion

if TYPE_CHECKING:
    from tokaudit_reference.trace import TracedSegment

MOST_TEXTS = 512
MOST_CHARACTERS = 1_000_000
CHARACTERS_WITH_OFFSETS = 250_000
MOST_IDS = 1_000_000
MOST_DEATHS = 12  # of one tokenizer's workers; then no other is started
MOST_LOST = 6  # of them that something outside has ended; then no other is started either
START_SECONDS = 180.0  # for a process to start, import a library and load; never a measure of it
ASLEEP = 20.0  # seconds of these in which a library may compute nothing, and wait for no disk
_Result = TypeVar("_Result")
_Sized = TypeVar("_Sized", bound=Sized)
SHORTEST_PATIENCE = 2.0  # seconds; each text or batch that hangs halves the wait down to this


class UpstreamRefused(UpstreamTrouble):
    """Raised if the library refused to load or answer, with its message."""

    def __init__(self, message: str) -> None:
        self.message = message
        super().__init__(message)


class WorkerCrashed(UpstreamTrouble):
    """Raised if the library crashed its process, or did not return."""

    def __init__(self, reason: str, stderr_tail: str = "", signal: str = "") -> None:
        self.reason, self.stderr_tail, self.signal = reason, stderr_tail, signal
        super().__init__(reason)


@dataclass
class Stats:
    """Number of requests to a worker, and seconds inside it and in the parent."""

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
        replay: Replay | None = None,
    ) -> None:
        """Store the request, limits, idle sandboxed processes, and recorded answers.

        `replay` is what the same bytes have answered before in this run.
        """
        self.request, self.stats = request, Stats()
        self._idle = idle if idle is not None else []
        self._replay = replay
        self._limits = limits or WorkerLimits(timeout)
        self._timeout, self._start_limit = self._limits.question, start
        self.sandboxed = request.adapter not in named_by_user()
        of_one = self._limits.budget.of_one
        named = all_adapters().get(request.adapter)
        own = named.memory if named is not None else 0
        self._programs = named is not None and named.programs is not None
        self._ports = named is not None and named.ports is not no_ports
        self._memory = memory or own or (of_one if self.sandboxed else MEMORY_OF_PROGRAMS)
        self._patience = self._timeout
        self._allowance, self._pace = Allowance(self._limits.encoder), Pace()
        self._process: WorkerProcess | None = None
        self._described: Loaded | None = None
        self._deaths = self._lost = 0
        self._lock = threading.RLock()

    def __enter__(self) -> WorkerTokenizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def share(self, parts: int) -> None:
        """Allow the next questions one of `parts` equal parts of the remaining time."""
        self._allowance.share(parts)

    def close(self) -> None:
        """End the worker; a later question starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.close()

    @property
    def transcript(self) -> Transcript | None:
        """Return the recorded answers for equal bytes; None if they cannot be shared."""
        known = self._replay.transcript if self._replay is not None else None
        return None if known is None or known.spoiled else known

    @property
    def _loaded(self) -> Loaded:
        """Return the worker's description of the tokenizer, starting and loading if needed.

        No `cached_property`: before Python 3.12 that lets one worker start at a time.
        """
        with self._lock:
            if self._described is None:
                self._described = self._known(None, self._start)
            return self._described

    @property
    def info(self) -> TokenizerInfo:
        """Return the identity of the tokenizer, starting and loading if needed."""
        found = self._loaded
        notes = tuple(map(clean, found.notes))
        adapter, package = clean(found.adapter), clean(found.package)
        version, unicode_version = clean(found.version), clean(found.unicode_version)
        return TokenizerInfo(adapter, package, version, unicode_version, notes)

    @property
    def capabilities(self) -> frozenset[str]:
        """Return the capabilities of the loaded tokenizer."""
        return self._loaded.capabilities

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to tokens."""
        return {id: _unpacked(token) for id, token in self._ask(questions.Vocab(), VOCABULARY)}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text; find and mark a text that kills the worker."""
        with self._lock:
            _ = self._loaded
            if options.pad:  # the longest of all texts decides, so they stay together
                return self._encode(list(texts), options)
            largest = CHARACTERS_WITH_OFFSETS if options.offsets else MOST_CHARACTERS
            return [
                one for batch in _batches(texts, largest) for one in self._encode(batch, options)
            ]

    def _encode(
        self, texts: list[str], options: EncodeOptions, before: WorkerDied | None = None
    ) -> list[Encoding]:
        """Encode a batch; if the worker dies, encode each text by itself.

        One by one and not by halves: that costs one death for each culprit, where halving costs
        nine in a batch of 512, each with a reload, and with a whole wait when the library hangs.
        `before` is the death of the batch that a text was in, which is the first of its two.
        """
        alone = len(texts) == 1 or options.pad
        try:
            found = self._paced(texts, options, before, suspect=not alone)
        except UpstreamRefused as error:
            return [Encoding(error=str(error))] * len(texts)
        except UpstreamTrouble as error:
            return [Encoding(error=str(error), given_up=True)] * len(texts)
        except EncoderOutOfTime as error:
            if not self._pace.too_slow:
                raise
            return [Encoding(error=str(error), given_up=True)] * len(texts)
        except WorkerDied as error:
            if alone:
                return [Encoding(error=str(error), killed=True)] * len(texts)
            return [one for text in texts for one in self._encode([text], options, error)]
        return list(map(_encoding, found))

    def _paced(
        self,
        texts: list[str],
        options: EncodeOptions,
        before: WorkerDied | None = None,
        *,
        suspect: bool = False,
    ) -> list[EncodedText]:
        """Encode a batch, and record the processor time that it took."""
        spent, asked, done = self._allowance.spent, self._allowance.left > 0, texts
        try:
            shape = answers.encodings(texts)
            question = questions.Encode(texts, options)
            found = self._answer(question, shape, self._patience, before, suspect=suspect)
            done = [text for text, one in zip(texts, found, strict=True) if one.e is None]
            return found
        finally:
            if asked:
                self._pace.took(sum(map(len, done)), self._allowance.spent - spent)

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids."""
        outputs: list[bytes | str] = []
        for chunk in _batches(ids, MOST_IDS):
            plain = [list(one) for one in chunk]
            question = questions.Decode(plain, options)
            outputs.extend(map(_unpacked, self._ask(question, answers.outputs(plain))))
        return outputs

    def tables(self, names: Sequence[str], characters: str) -> dict[str, frozenset[int]]:
        """Return the characters on which the library's Unicode tables differ from ours.

        A table is named like the component that consults it (`NFC`, `Lowercase`), or is a class of
        split patterns.
        """
        question = questions.Tables(list(names), characters)
        found = self._ask(question, answers.code_points(names, characters))
        return {name: frozenset(codes) for name, codes in found.items()}

    def do(self, job: str, request: dict[str, Any], shape: Shape[_Result]) -> _Result:
        """Run an installed job, which can use the loaded tokenizer."""
        return self._ask(questions.Do(job, request), shape)

    def trace(self, text: str, *, parse_special: bool = True) -> tuple[TracedSegment, ...]:
        """Return the stages of one text."""
        return tuple(self._ask(questions.Trace(text, parse_special), answers.stages()))

    def pre_tokens(self, texts: Sequence[str]) -> list[list[str] | None]:
        """Return the pieces of each text for the model; None if unknown."""
        lost = (UpstreamTrouble, OutOfTime)
        return self._each(_batches(texts), questions.PreTokens, answers.pre_tokens, lost)

    def normal_forms(self, codes: range) -> dict[int, str]:
        """Map scalars to their normal forms, if these differ."""
        question = questions.NormalForms(codes.start, codes.stop)
        return dict(self._ask(question, answers.normal_forms(codes)))

    def digests(self, texts: Sequence[str]) -> list[tuple[int, str] | None]:
        """Return the number and digest of each text's ids; None without ids.

        It costs less than the ids, which most of the time are only compared.
        """
        return self._each(_batches(texts), questions.Digests, answers.digests)

    def round_trips(self, ids: Sequence[Sequence[int]]) -> list[tuple[bool, int, int] | None]:
        """Return for each list of ids whether its own text encodes to it; None if unknown.

        With it come the bytes of the text and the number of its ids.  Neither texts nor ids travel.
        """
        chunks = ([list(one) for one in chunk] for chunk in _batches(ids, MOST_IDS))
        return self._each(chunks, questions.RoundTrips, answers.round_trips)

    def differences(self, asked: Sequence[Continuation]) -> list[int | None]:
        """Return the index of each text's first id unlike its parts'; -1 if all are equal.

        None where that is not known.  The ids do not travel.
        """
        return self._each(_batches(asked), questions.Continue, answers.differences)

    def _each(
        self,
        batches: Iterable[list[_Sized]],
        question: Callable[[list[_Sized]], AnyQuestion],
        shape: Callable[[list[_Sized]], Shape[list[_Result | None]]],
        lost: tuple[type[Exception], ...] = (UpstreamTrouble,),
    ) -> list[_Result | None]:
        """Ask about all batches; None for each item of a lost batch."""
        found: list[_Result | None] = []
        for batch in batches:
            try:
                found += self._ask(question(batch), shape(batch))
            except lost:
                found += [None] * len(batch)
        return found

    def timed_encode(self, texts: Sequence[str], repeats: int = 1) -> list[float]:
        """Return the seconds inside the worker for each of `repeats` encodings of all texts."""
        return self._ask(questions.TimedEncode(list(texts), repeats), answers.times(repeats))

    def _start(self) -> Loaded:
        """Start a worker and load, twice if the first dies; on failure none is left."""
        try:
            return surely(self._start_once, of=self.request.adapter)
        except WorkerDied as error:
            raise _crashed("load", error) from error

    def _start_once(self) -> Loaded:
        if self._deaths > MOST_DEATHS:
            raise WorkerCrashed(f"given up after {self._deaths} deaths of the worker")
        self._allowed()
        try:
            self._process = self._taken() or WorkerProcess(
                self._memory,
                self._limits.deadline,
                sandboxed=self.sandboxed,
                budget=self._limits.budget,
                interpreter="" if self._programs or self._ports else self.request.place,
                with_children=self._programs,
            )
        except OSError as error:
            raise UnreadableError(f"no worker process can be started: {error.strerror}") from error
        if self.sandboxed:
            self._process.can_be_replaced()
        try:
            question = questions.Load(encoded(from_anywhere(self.request)))
            return self._exchange(question, LOADED, self._start_limit, START_PROCESSOR)
        except UpstreamRefused:
            self.close()
            raise

    def _taken(self) -> WorkerProcess | None:
        """Take an idle process, if one suits this tokenizer."""
        with suppress(IndexError):
            here = not self.request.place
            shared = here and self.sandboxed and self._memory == self._limits.budget.of_one
            return self._idle.pop() if shared else None
        return None

    def _ask(self, question: AnyQuestion, shape: Shape[_Result]) -> _Result:
        """Ask a question that is not about one text: a death is a crash."""
        try:
            return self._answer(question, shape, self._timeout)
        except WorkerDied as error:
            raise _crashed(question.op, error) from error

    def _answer(
        self,
        question: AnyQuestion,
        shape: Shape[_Result],
        timeout: float,
        before: WorkerDied | None = None,
        *,
        suspect: bool = False,
    ) -> _Result:
        with self._lock:
            _ = self._loaded

            def ask() -> _Result:
                return self._answer_now(question, shape, min(timeout, self._patience))

            return self._known(
                question, lambda: surely(ask, before, suspect=suspect, of=self.request.adapter)
            )

    def _known(self, question: AnyQuestion | None, ask: Callable[[], _Result]) -> _Result:
        return ask() if self._replay is None else self._replay.answer(question, ask)

    def _answer_now(self, question: AnyQuestion, shape: Shape[_Result], timeout: float) -> _Result:
        if self._process is None:
            self._start()
        share = timeout / self._timeout
        processor = max(self._limits.processor * share, SHORTEST_PATIENCE)
        within = min(processor, self._limits.processor)
        try:
            return self._exchange(question, shape, timeout, within)
        except EndedAtRest:
            self._start()
            return self._exchange(question, shape, timeout, within)

    def _exchange(
        self, question: AnyQuestion, shape: Shape[_Result], timeout: float, processor: float
    ) -> _Result:
        """Ask the current process, and drop it if it dies."""
        assert self._process is not None
        within = min(processor, self._allowed())
        started, asked = time.thread_time(), time.monotonic()
        self.stats.calls += 1
        try:
            asleep = ASLEEP if self._sleeps_in_vain(question) else math.inf
            answer = self._process.ask(question, shape, timeout, within, asleep)
        except (WorkerDied, OutOfTime) as error:
            self._process = None
            self._allowance.died(after=min(time.monotonic() - asked, within))
            if isinstance(error, WorkerDied):
                if within < processor and error.late:
                    self._allowed()  # the question itself might have had more
                self._note(error)
            raise
        finally:
            self.stats.transport_seconds += time.thread_time() - started
        self._allowance.answered(answer.processor)
        self.stats.upstream_seconds += answer.seconds
        if isinstance(answer.result, msgspec.UnsetType):
            refusal, confined = clean(answer.error or ""), self._process.confined
            if confined and is_about_memory(refusal):
                raise WorkerLost(f"{refusal}: {confined}", self.request.adapter)
            if answer.lacks:
                raise Skip(
                    f"the installed version of the library lacks what this check needs: {refusal}"
                )
            raise UpstreamRefused(refusal)
        if isinstance(question, questions.Encode):
            self.stats.texts += len(question.texts)
        return answer.result

    def _sleeps_in_vain(self, question: AnyQuestion) -> bool:
        """Return whether a loading process that sleeps is stuck; user code may sleep."""
        return isinstance(question, questions.Load) and self.sandboxed and not self._ports

    def _note(self, died: WorkerDied) -> None:
        """Count a death; a timeout shortens the wait for later questions."""
        self._deaths, self._lost = self._deaths + died.own, self._lost + (not died.own)
        if died.late and died.own:
            self._patience = max(self._patience / 2, min(SHORTEST_PATIENCE, self._timeout))
        if self._lost > MOST_LOST:
            raise WorkerLost(f"{self._lost} times; the last time {died}", self.request.adapter)

    def _allowed(self) -> float:
        """Return the processor time left; raise if there is none.

        That the work was too much for the time blames nobody; that processes died of it does.
        """
        if self._allowance.left > 0:
            return self._allowance.left
        self.close()
        self._allowance.died(after=0.0)
        part = "share of the " if self._allowance.shared else ""
        used = f"{part}{self._limits.encoder:g} s of processor time"
        if self._deaths > 1:
            deaths = f"{self._deaths} death{'s'[: self._deaths > 1]} of the worker"
            raise WorkerCrashed(f"given up after {deaths} and {used}")
        raise EncoderOutOfTime(f"{self.request.adapter} used the {used} that an encoder has")


def _batches(items: Sequence[_Sized], largest: int = MOST_CHARACTERS) -> Iterator[list[_Sized]]:
    """Group items into batches of bounded number and length; a longer one is alone.

    >>> list(_batches(["ab", "c", "defg", "h"], 3))
    [['ab', 'c'], ['defg'], ['h']]
    """
    start = 0
    while start < len(items):
        batch = list(items[start : start + MOST_TEXTS])
        if sum(map(len, batch)) > largest:
            batch = batch[: bisect_right(list(accumulate(map(len, batch))), largest) or 1]
        yield batch
        start += len(batch)


def _crashed(op: str, error: WorkerDied) -> WorkerCrashed:
    return WorkerCrashed(f"{op}: {error}", error.printed, error.signal)


def _encoding(found: EncodedText) -> Encoding:
    if found.o is None and found.m is None and found.t is None and found.e is None:
        return Encoding(found.i)
    return Encoding(
        ids=found.i,
        offsets=found.o,
        attention_mask=found.m,
        type_ids=found.t,
        error=None if found.e is None else clean(found.e),
    )


def _unpacked(value: Token) -> bytes | str:
    return value if isinstance(value, str) else value.b64
