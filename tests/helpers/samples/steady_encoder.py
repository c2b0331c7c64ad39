"""An encoder of letters that keeps every law of the suite stability; tests break one each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, TokenizerInfo
from tokaudit.runtimes.thread_pool import in_threads

IDS = MappingProxyType({"a": 1, "b": 2, "c": 3})
NAMES = {1: "a", 2: "b", 3: "c", 4: "ab", 5: "abc"}
ABILITIES = ("encode", "decode", "batch", "threads", "reload", "stream")


@dataclass
class Steady:
    """An encoder of letters that breaks no law."""

    capabilities: frozenset[str] = frozenset(ABILITIES)
    info: TokenizerInfo = field(default=TokenizerInfo("fake", "fake", "1"))

    def vocab(self) -> dict[int, bytes | str]:
        return {id: text for text, id in IDS.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return [Encoding(ids) for ids in in_threads(texts, options.threads, self.ids)]

    def ids(self, text: str) -> tuple[int, ...]:
        return tuple(IDS[letter] for letter in text)

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        return ["".join(NAMES[id] for id in one) for one in ids]
