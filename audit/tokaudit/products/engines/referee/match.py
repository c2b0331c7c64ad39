"""A runtime and the reference of the same file, given equal input, with cached results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tokaudit.engine.evidence import TokenRow, token_names, token_values, two_rows
from tokaudit.engine.texts.shrink import minimise
from tokaudit.foundation.errors import OutOfTime
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import EncodeOptions, Encoding, Tokenizer
from tokaudit.runtimes.request import CODE_PREFIXES
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.trace import TracedSegment

AT_ONCE = 500  # texts, of which none is kept where the time ends among them
LONGEST_KEPT = 2_000  # characters of a text whose ids are kept
BY_FILE = "by the file"


class Yardstick(Tokenizer, Protocol):
    """The reference, which can also trace stages."""

    def trace(self, text: str, *, parse_special: bool = True) -> Sequence[TracedSegment]:
        """Return the stages of one text."""
        ...


@dataclass(frozen=True)
class MemoryDifference:
    """A text whose ids depend on earlier input: alone, and later."""

    text: str
    alone: tuple[int, ...]
    later: tuple[int, ...]


class Match:
    """Both sides with the options that the runtime supports.

    A runtime that has a call for one text is asked by it: what a batch does is a separate law.
    """

    def __init__(self, spec: TokenizerSpec, reference: Yardstick, runtime: Tokenizer) -> None:
        self.spec, self.reference, self.runtime = spec, reference, runtime
        abilities = runtime.capabilities
        self.parses = not abilities.isdisjoint({"special", "parses"})
        self.options = EncodeOptions(parse_special=self.parses, alone="batch" in abilities)
        self.names, self.values = token_names(spec), token_values(spec)
        self.late = ""  # what ended the time, where that did
        self._kept: dict[str, tuple[Encoding, Encoding]] = {}

    @property
    def of_user(self) -> bool:
        """Return whether it is the user's own program or object."""
        return self.runtime.info.adapter in CODE_PREFIXES.values()

    @property
    def label(self) -> str:
        """Name the runtime with its version; for an engine, its own names."""
        info = self.runtime.info
        own = self.of_user and info.version
        return f"{info.package if own else info.adapter} {info.version}".strip()

    def of(self, texts: Sequence[str]) -> list[tuple[Encoding, Encoding]]:
        """Encode each text with both, the reference first."""
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if not new:
            return [self._kept[text] for text in texts]
        plain = EncodeOptions(parse_special=self.parses)
        both = zip(
            self.reference.encode(new, plain), self.runtime.encode(new, self.options), strict=True
        )
        found = dict(zip(new, both, strict=True))
        self._kept |= {text: one for text, one in found.items() if len(text) <= LONGEST_KEPT}
        return [found[text] if text in found else self._kept[text] for text in texts]

    def in_time(self, texts: Sequence[str]) -> list[tuple[str, Encoding, Encoding]]:
        """Encode texts with both until the time ends; raise if it ends before any."""
        rows: list[tuple[str, Encoding, Encoding]] = []
        for start in range(0, len(texts), AT_ONCE):
            some = texts[start : start + AT_ONCE]
            try:
                both = self.of(some)
            except OutOfTime as late:
                if not rows:
                    raise
                self.late = str(late)
                break
            rows += ((text, one, other) for text, (one, other) in zip(some, both, strict=True))
        return rows

    def afresh(self, texts: Sequence[str]) -> tuple[list[str], list[MemoryDifference]]:
        """Return texts that still differ in a restarted runtime, and those that do not.

        A runtime that cannot be started anew is believed the first time.
        """
        close = getattr(self.runtime, "close", None)
        if close is None or not texts:
            return list(texts), []
        close()
        found = self.runtime.encode(texts, self.options)
        still, remembered = [], []
        for text, now in zip(texts, found, strict=True):
            expected, before = self._kept[text]
            if now.error is None and now.ids == expected.ids:
                remembered.append(MemoryDifference(text, now.ids, before.ids))
            else:
                still.append(text)
        return still, remembered

    def expected(self, text: str) -> tuple[int, ...]:
        """Return the ids by the file."""
        return self.of([text])[0][0].ids

    def got(self, text: str) -> tuple[int, ...]:
        """Return the ids of the runtime."""
        return self.of([text])[0][1].ids

    def differ(self, texts: Sequence[str]) -> list[bool]:
        """Mark the texts that both encode, to different ids."""
        return [
            one.error is None and other.error is None and one.ids != other.ids
            for one, other in self.of(texts)
        ]

    def agree(self, texts: Iterable[str]) -> bool:
        """Return whether all texts have equal ids on both sides."""
        return all(
            one.error is None and other.error is None and one.ids == other.ids
            for one, other in self.of(list(texts))
        )

    def joined(self, ids: Iterable[int]) -> bytes:
        """Join the bytes of some tokens."""
        return b"".join(self.values.get(id, b"") for id in ids)

    def rows(self, text: str, left: Sequence[int], right: Sequence[int], note: str) -> Evidence:
        """Return a text with both rows of tokens, named by the shared vocabulary."""
        ours, theirs = (
            TokenRow(BY_FILE, left, self.names),
            TokenRow(self.label, right, self.names),
        )
        return two_rows(text, ours, theirs, note)

    def evidence(self, text: str, note: str = "") -> Evidence:
        """Return a text with both results."""
        return self.rows(text, self.expected(text), self.got(text), note)

    def shrunk(self, text: str) -> str:
        """Shrink a differing text to a minimal one."""
        return minimise(text, self.differ)
