"""What happens to a text between the added tokens and the model: normalizer and pre-tokenizer.

Two ways through the same steps, held equal by a property test: `pieces` from string to strings,
and `aligned` with places.  A byte-level model takes the bytes, so where the mapping of bytes to
characters comes last the quick way leaves it out; where something cuts after it, the pieces are
read back, and bytes that are no UTF-8 by themselves become lone surrogates (`surrogateescape`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit_reference.alignment import AlignedText
from tokaudit_reference.spec import Component, TokenizerSpec, Unsupported, components_of
from tokaudit_reference.steps.normalizers import Normalizer, normalizer
from tokaudit_reference.steps.pre_tokenizers import PreTokenizer, byte_level, pre_tokenizer
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

# Steps after which every character is still one that stands for a byte.
CUTTING = frozenset(
    [
        "ByteLevel",
        "Strip",
        "StripAccents",
        "Split",
        "UnicodeScripts",
        "WhitespaceSplit",
        "Whitespace",
        "BertPreTokenizer",
        "Punctuation",
        "Digits",
        "CharDelimiterSplit",
        "FixedLength",
    ]
)
WRITING = {"Prepend": "prepend", "Replace": "content"}


class Pipeline:
    """The normalizer and pre-tokenizer of a spec, and how their pieces reach the model."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self.normalize: Normalizer = normalizer(spec.normalizer)
        split = pre_tokenizer(spec.pre_tokenizer)
        before = _kinds(spec.normalizer, "normalizers")
        steps = _kinds(spec.pre_tokenizer, "pretokenizers")
        mapped = [*before, *steps].count("ByteLevel")
        self._bytes = spec.byte_level
        if spec.byte_level:
            _refuse_leaving_the_alphabet(spec)
        self._split, self._read_back = split, spec.byte_level and mapped > 0
        if spec.byte_level and mapped == 1 and steps[-1:] == ["ByteLevel"]:
            self._split, self._read_back = PreTokenizer(list(split.steps[:-1])), False
        self._aligned = split
        if spec.byte_level and not mapped:
            self._aligned = PreTokenizer([*split.steps, byte_level.to_bytes()])
        self.needs_places = _asks_for_the_beginning(spec)

    def pieces(self, normalized: str, first: bool) -> list[str]:
        """The model's inputs; `first`: the text begins where the original does."""
        found = self._split(normalized, first)
        return [from_bytes(piece) for piece in found] if self._read_back else found

    def aligned(self, normalized: AlignedText) -> list[AlignedText]:
        """The pieces with places; of a byte-level model, one character for each byte."""
        return self._aligned.aligned(normalized)

    def model_input(self, piece: AlignedText) -> str:
        """What the model gets for a piece of `aligned`."""
        return from_bytes(piece.text) if self._bytes else piece.text


def from_bytes(characters: str) -> str:
    """The text whose bytes the characters of GPT-2's alphabet stand for.

    >>> from_bytes("ĠÃ©"), from_bytes("Ã")
    (' é', '\\udcc3')
    """
    data = bytes([BYTE_OF[character] for character in characters])
    return data.decode("utf-8", "surrogateescape")


def _kinds(component: Component, children: str) -> list[str]:
    return [str(step.get("type")) for step in components_of(component, children)]


def _refuse_leaving_the_alphabet(spec: TokenizerSpec) -> None:
    """A byte-level model reads bytes only; what else may follow the mapping is not defined here."""
    normalizers = components_of(spec.normalizer, "normalizers")
    steps = [*normalizers, *components_of(spec.pre_tokenizer, "pretokenizers")]
    kinds = [step.get("type") for step in steps]
    start = kinds.index("ByteLevel") + 1 if "ByteLevel" in kinds else len(kinds)
    for place, step in enumerate(steps[start:], start):
        if not _stays(step):
            stage = "normalizer" if place < len(normalizers) else "pre_tokenizer"
            raise Unsupported(
                f"{step.get('type')} after ByteLevel may leave the alphabet of bytes",
                pointer=f"/{stage}",
            )


def _stays(step: Mapping[str, Any]) -> bool:
    kind = str(step.get("type"))
    if kind == "ByteLevel" or kind in CUTTING:
        return True
    return kind in WRITING and all(c in BYTE_OF for c in str(step.get(WRITING[kind]) or ""))


def _asks_for_the_beginning(spec: TokenizerSpec) -> bool:
    """Whether a step depends on where its text begins, and others may have moved that."""
    steps = components_of(spec.pre_tokenizer, "pretokenizers")
    asking = [at for at, step in enumerate(steps) if step.get("prepend_scheme") == "first"]
    return bool(asking) and (asking[-1] > 0 or bool(spec.normalizer.options))
