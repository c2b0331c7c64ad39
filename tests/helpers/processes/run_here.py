"""Both sides of a comparison run by the reference in the test's own process, for specs by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Mixed, Trial
from tokaudit.products.compare.proofs.merges.running import Cut
from tokaudit.runtimes.adapters.reference_adapter import Reference
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding
from tokaudit_reference.errors import SpecError
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer


class Here:
    """The reference, whose troubles are a text's error, as in a worker."""

    def __init__(self, spec: TokenizerSpec, other: TokenizerSpec | None = None) -> None:
        self.reference = Reference(ReferenceTokenizer(spec), lambda: other)

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return [self._one(text, options) for text in texts]

    def _one(self, text: str, options: EncodeOptions) -> Encoding:
        try:
            return self.reference.encode([text], options)[0]
        except (SpecError, KeyError, ValueError) as error:
            return Encoding(error=str(error))

    @property
    def capabilities(self) -> frozenset[str]:
        return self.reference.capabilities

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        return self.reference.decode(ids, options)

    def trace(self, text: str) -> list[dict[str, Any]]:
        return tuple(self.reference.trace(text, True))

    def normal_forms(self, codes: range) -> dict[int, str]:
        return self.reference.normal_forms(codes[:0x3000] if codes.start == 0 else range(0))


def cut_of(spec: TokenizerSpec) -> Cut:
    """The pre-tokens of texts by the steps of a spec."""
    cut = Reference(ReferenceTokenizer(spec)).pre_tokens
    return lambda texts: [cut(text) for text in texts]


def trial_here(left: Side, right: Side) -> Trial:
    """A trial of two sides; without encoders where the reference does not cover one."""
    try:
        pair = EncoderPair("the reference", Here(left.spec), Here(right.spec), True)
        forms = Here(left.spec).normal_forms, Here(right.spec).normal_forms
        mixture = Mixed(Here(left.spec, right.spec), cut_of(left.spec), forms)
    except SpecError:
        return Trial(left, right, [])
    return Trial(left, right, [pair], mixture)
