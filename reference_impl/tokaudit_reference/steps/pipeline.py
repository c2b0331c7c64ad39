"""The pipeline from the added tokens to the model: normalizer and pre-tokenizer.

Two ways through the same steps, held equal by a property test: `pieces` from string to strings,
and `aligned` with places.  A byte-level model takes the bytes, so where the mapping of bytes to
characters comes last the quick way leaves it out; where something cuts after it, the pieces are
read back, and bytes that are not UTF-8 by themselves become lone surrogates (`surrogateescape`).
"""

from __future__ import annotations

from tokaudit_reference.spec import TokenizerSpec, Unsupported
from tokaudit_reference.steps.normalizers import Normalizer, normalizer
from tokaudit_reference.steps.pre_tokenizers import PreTokenizer, pre_tokenizer
from tokaudit_reference.steps.pre_tokenizers.byte_level import bytes_written
from tokaudit_reference.text.alignment import AlignedText
from tokaudit_reference.text.bytes_alphabet import BYTE_OF


class Pipeline:
    """The normalizer and pre-tokenizer of a spec, and how their pieces reach the model."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self.normalize: Normalizer = normalizer(spec.normalizer)
        split = pre_tokenizer(spec.pre_tokenizer)
        steps = [*spec.normalizer.steps, *spec.pre_tokenizer.steps]
        mapped = sum(step.effects.writes_bytes for step in steps)
        last = spec.pre_tokenizer.steps[-1:]
        self._bytes = spec.byte_level
        if spec.byte_level:
            _refuse_leaving_the_alphabet(spec)
        self._split, self._read_back = split, spec.byte_level and mapped > 0
        if spec.byte_level and mapped == 1 and last and last[0].effects.writes_bytes:
            self._split, self._read_back = PreTokenizer(list(split.steps[:-1])), False
        self._aligned = split
        if spec.byte_level and not mapped:
            self._aligned = PreTokenizer([*split.steps, bytes_written()])
        self.needs_places = _asks_for_the_beginning(spec)

    def pieces(self, normalized: str, first: bool) -> list[str]:
        """Cut a text into the model's inputs; `first`: it begins where the original does."""
        found = self._split(normalized, first)
        return [from_bytes(piece) for piece in found] if self._read_back else found

    def aligned(self, normalized: AlignedText) -> list[AlignedText]:
        """Cut a text with places; for a byte-level model, into one character for each byte."""
        return self._aligned.aligned(normalized)

    def model_input(self, piece: AlignedText) -> str:
        """Return the model's input for a piece of `aligned`."""
        return from_bytes(piece.text) if self._bytes else piece.text


def from_bytes(characters: str) -> str:
    """Return the text whose bytes are written in GPT-2's alphabet.

    >>> from_bytes("ĠÃ©"), from_bytes("Ã")
    (' é', '\\udcc3')
    """
    data = bytes([BYTE_OF[character] for character in characters])
    return data.decode("utf-8", "surrogateescape")


def _refuse_leaving_the_alphabet(spec: TokenizerSpec) -> None:
    """Refuse steps of a byte-level model that leave GPT-2's alphabet, which is undefined here."""
    mapped = False
    for component in (spec.normalizer, spec.pre_tokenizer):
        for step in component.steps:
            if mapped and not step.effects.stays_in_alphabet:
                raise Unsupported(
                    f"{step.type} after bytes were written may leave their alphabet",
                    pointer=f"/{component.stage}",
                )
            mapped = mapped or step.effects.writes_bytes


def _asks_for_the_beginning(spec: TokenizerSpec) -> bool:
    """Return whether a step depends on the start of its text and earlier steps may move that."""
    steps = enumerate(spec.pre_tokenizer.steps)
    asking = [at for at, step in steps if step.effects.asks_for_beginning]
    return bool(asking) and (asking[-1] > 0 or bool(spec.normalizer.options))
