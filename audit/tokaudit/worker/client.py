"""A tokenizer that lives in a worker process, seen from the parent."""

from __future__ import annotations

import base64
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from tokaudit.errors import VendorTrouble
from tokaudit.protocol import DecodeOptions, EncodeOptions, Encoding, TokenizerInfo
from tokaudit.worker.process import MEMORY, WorkerDied, WorkerProcess

MOST_TEXTS = 512
MOST_CHARACTERS = 1_000_000
MOST_DEATHS = 12  # enough to bisect one batch; then the rest is given up
SHORTEST_TIMEOUT = 2.0  # seconds; each death halves the patience down to this


class VendorRefused(VendorTrouble):
    """The vendor would not load or answer, in its own words."""


class WorkerCrashed(VendorTrouble):
    """The vendor took its process down, or did not come back."""


@dataclass(frozen=True)
class Source:
    """What a worker is to load: an adapter, a path, and what the path does not say."""

    adapter: str
    path: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class Stats:
    """How much a worker was asked, and the seconds it took inside and in the parent."""

    vendor_seconds: float = 0.0
    transport_seconds: float = 0.0  # processor time of the parent's side
    calls: int = 0
    texts: int = 0


class WorkerTokenizer:
    """The `Tokenizer` protocol over a worker that starts on first use."""

    def __init__(self, source: Source, *, timeout: float = 20.0, memory: int = MEMORY) -> None:
        self.source, self.stats = source, Stats()
        self._timeout, self._memory = timeout, memory
        self._process: WorkerProcess | None = None
        self._deaths = 0
        self._lock = threading.RLock()

    def __enter__(self) -> WorkerTokenizer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the worker; a later question starts another."""
        process, self._process = getattr(self, "_process", None), None
        if process is not None:
            process.close()

    @cached_property
    def _loaded(self) -> dict[str, Any]:
        with self._lock:
            return self._start()

    @property
    def info(self) -> TokenizerInfo:
        """Who answers; starts and loads when nothing has yet."""
        fields = ("adapter", "package", "version", "unicode_version")
        return TokenizerInfo(*(self._loaded[name] for name in fields))

    @property
    def capabilities(self) -> frozenset[str]:
        """What the loaded tokenizer can do."""
        return frozenset(self._loaded["capabilities"])

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> token."""
        return {id: _unpacked(token) for id, token in self._ask_or_raise({"op": "vocab"})}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text; one that kills the worker is found and marked."""
        with self._lock:
            _ = self._loaded
            batches = [list(texts)] if options.pad else list(_batches(texts))
            return [one for batch in batches for one in self._encode(batch, asdict(options))]

    def _encode(self, texts: list[str], options: dict[str, bool]) -> list[Encoding]:
        """Ask for a batch; when the worker dies of it, halve it until the text is found."""
        self.stats.texts += len(texts)
        try:
            found = self._ask_or_raise({"op": "encode", "texts": texts, "options": options})
        except VendorRefused as error:
            return [Encoding(error=str(error)) for _ in texts]
        except WorkerDied as error:
            if len(texts) == 1 or self._deaths > MOST_DEATHS:
                return [Encoding(error=str(error), killed=True) for _ in texts]
            half = len(texts) // 2
            return self._encode(texts[:half], options) + self._encode(texts[half:], options)
        return [_encoding(fields) for fields in found]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """One output for each list of ids."""
        outputs: list[bytes | str] = []
        for start in range(0, len(ids), MOST_TEXTS):
            chunk = [list(one) for one in ids[start : start + MOST_TEXTS]]
            question = {"op": "decode", "ids": chunk, "options": asdict(options)}
            try:
                outputs.extend(map(_unpacked, self._ask_or_raise(question)))
            except WorkerDied as error:
                raise WorkerCrashed(f"decoding: {error}") from error
        return outputs

    def table_differences(self) -> frozenset[int]:
        """Code points that the vendor's Unicode tables class otherwise than this Python's."""
        try:
            return frozenset(self._ask_or_raise({"op": "table_differences"}))
        except WorkerDied as error:
            raise WorkerCrashed(f"comparing Unicode tables: {error}") from error

    def timed_encode(self, texts: Sequence[str], repeats: int = 1) -> list[float]:
        """Seconds inside the worker for each of `repeats` encodings of all texts."""
        question = {"op": "timed_encode", "texts": list(texts), "repeats": repeats}
        try:
            found: list[float] = self._ask_or_raise(question)
        except WorkerDied as error:
            raise WorkerCrashed(f"timing: {error}") from error
        return found

    def _start(self) -> dict[str, Any]:
        self._process = WorkerProcess(self._memory)
        source = self.source
        question = {"op": "load", "adapter": source.adapter, "path": source.path}
        try:
            loaded = self._ask({**question, "settings": dict(source.settings)})
        except WorkerDied as error:
            raise WorkerCrashed(f"loading: {error}") from error
        except VendorRefused:
            self.close()
            raise
        assert isinstance(loaded, dict)
        return loaded

    def _ask_or_raise(self, question: dict[str, Any]) -> Any:
        with self._lock:
            _ = self._loaded
            if self._deaths > MOST_DEATHS:
                raise WorkerDied(f"given up after {self._deaths} deaths", "")
            if self._process is None:
                self._start()
            return self._ask(question)

    def _ask(self, question: dict[str, Any]) -> Any:
        assert self._process is not None
        started = time.thread_time()
        self.stats.calls += 1
        try:
            answer = self._process.ask(question, self._timeout)
        except WorkerDied:
            self.close()
            self._deaths += 1
            self._timeout = max(SHORTEST_TIMEOUT, self._timeout / 2)
            raise
        finally:
            self.stats.transport_seconds += time.thread_time() - started
        self.stats.vendor_seconds += answer["seconds"]
        if "error" in answer:
            raise VendorRefused(answer["error"])
        return answer["result"]


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        if batch and (len(batch) == MOST_TEXTS or size + len(text) > MOST_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch


def _encoding(fields: dict[str, Any]) -> Encoding:
    offsets = fields.get("o")
    mask = fields.get("m")
    return Encoding(
        ids=tuple(fields["i"]),
        offsets=None if offsets is None else tuple((a, b) for a, b in offsets),
        attention_mask=None if mask is None else tuple(mask),
        error=fields.get("e"),
    )


def _unpacked(value: Any) -> bytes | str:
    return value if isinstance(value, str) else base64.b64decode(value["b64"])
