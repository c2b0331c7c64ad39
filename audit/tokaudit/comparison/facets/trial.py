"""Runs texts on both sides, so that no difference is claimed that was not seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tokaudit.comparison.evidence import TokenRow, two_rows
from tokaudit.comparison.facets.side import Side
from tokaudit.comparison.patterns.replay import trusted
from tokaudit.comparison.patterns.splits import Split
from tokaudit.comparison.patterns.verdicts import Undecidable
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import EncodeOptions, Encoding
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer


class Encoder(Protocol):
    """What encodes the texts of one side."""

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text, in order."""
        ...


class InProcess:
    """The reference in this process, for specs whose patterns were tried in time before."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._tokenizer = ReferenceTokenizer(spec)

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text; what the reference does not cover is its error."""
        return [self._one(text, options) for text in texts]

    def _one(self, text: str, options: EncodeOptions) -> Encoding:
        try:
            found = self._tokenizer.encode(text, add_special_tokens=options.add_special_tokens)
        except SpecError as error:
            return Encoding(error=str(error))
        return Encoding(tuple(found.ids))


@dataclass(frozen=True)
class Pair:
    """The encoders of both sides, and who they are."""

    who: str
    left: Encoder
    right: Encoder


@dataclass(frozen=True)
class Seen:
    """A text whose ids differ, the ids of both sides, and who gave other ids for it.

    The ids are those of the first pair of encoders that differed.
    """

    text: str
    left: tuple[int, ...]
    right: tuple[int, ...]
    who: tuple[str, ...]


class Trial:
    """Both sides, by every pair of encoders that there is; a text is run once."""

    def __init__(self, left: Side, right: Side, pairs: Sequence[Pair]) -> None:
        self.left, self.right, self.pairs = left, right, tuple(pairs)
        self.seen: dict[str, Seen] = {}
        self._ran: set[str] = set()
        self._failed: set[str] = set()

    @property
    def compared(self) -> int:
        """How many texts some pair encoded on both sides."""
        return len(self._ran) - len(self._failed)

    @property
    def method(self) -> str:
        """What was tried, in words."""
        who = " and ".join(pair.who for pair in self.pairs)
        return f"{self.compared:,} texts, run by {who}" if self.pairs else "nothing could be run"

    def run(self, texts: Iterable[str]) -> list[Seen]:
        """Those of the texts whose ids differ."""
        asked = list(dict.fromkeys(texts))
        new = [text for text in asked if text not in self._ran]
        failed = set(new)
        for pair in self.pairs:
            answers = zip(new, pair.left.encode(new), pair.right.encode(new), strict=True)
            for text, one, other in answers:
                if one.error is None and other.error is None:
                    failed.discard(text)
                    if one.ids != other.ids:
                        self._note(Seen(text, one.ids, other.ids, (pair.who,)))
        self._ran.update(new)
        self._failed |= failed
        return [self.seen[text] for text in asked if text in self.seen]

    def _note(self, seen: Seen) -> None:
        before = self.seen.get(seen.text)
        self.seen[seen.text] = replace(before, who=before.who + seen.who) if before else seen

    def differs(self, text: str) -> bool:
        """Whether the ids of a text differ."""
        return bool(self.run([text]))

    def evidence(self, seen: Seen) -> Evidence:
        """A text with the tokens of both sides, each named by its own vocabulary."""
        left, right = self.left, self.right
        return two_rows(
            seen.text,
            TokenRow(left.name, seen.left, left.names),
            TokenRow(right.name, seen.right, right.names),
            f"run by {' and '.join(seen.who)}",
        )

    def pieces(self, seen: Seen) -> tuple[list[str | None], list[str | None]]:
        """The tokens of both sides by name."""
        ours, theirs = self.left.names, self.right.names
        return [ours.get(id) for id in seen.left], [theirs.get(id) for id in seen.right]


def in_process(left: Side, right: Side) -> list[Pair]:
    """The reference on both sides in this process; none where a pattern might hold it up.

    For whoever has no worker at hand: two specs are compared, and their files need not be there.
    """
    if not all(harmless(side.spec) for side in (left, right)):
        return []
    try:
        return [Pair("the reference", InProcess(left.spec), InProcess(right.spec))]
    except SpecError:
        return []


def harmless(spec: TokenizerSpec) -> bool:
    """Whether the prover could follow every pattern, and the engine was quick to run it."""
    steps = (*spec.normalizer.steps, *spec.pre_tokenizer.steps)
    patterns = [step.effects.pattern for step in steps]
    try:
        for pattern in patterns:
            if pattern is not None and pattern.is_regex:
                trusted((Split(pattern.text),))
    except Undecidable:
        return False
    return True
