"""ByteLevel, GPT-2's pre-tokenizer: a leading space, its split pattern, and bytes as characters.

The writing of bytes is its own cutting, so that a pipeline that ends with it may leave it out:
a byte-level model takes the bytes themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from tokaudit_reference.steps.normalizers.byte_level import ByteLevel as WritingBytes
from tokaudit_reference.steps.normalizers.prepend import prepended
from tokaudit_reference.steps.pattern import Pattern, SplitAt
from tokaudit_reference.steps.pre_tokenizers.split import split_at
from tokaudit_reference.steps.pre_tokenizers.step import Cutting, PreTokenizerStep, whole
from tokaudit_reference.steps.step import Effects
from tokaudit_reference.text.alignment import Edit
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.patterns.classes import classes
from tokaudit_reference.text.published_patterns import GPT2


@dataclass(frozen=True)
class ByteLevel(PreTokenizerStep):
    """The step; `trim_offsets` is for the post-processor of the same name."""

    type = "ByteLevel"
    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    def build(self) -> Cutting:
        """The cutting of one text, up to the bytes.

        >>> ByteLevel().build().pieces("Hello  world", True)
        [' Hello', ' ', ' world']
        """
        prefix = self.add_prefix_space
        expression = compiled(GPT2) if self.use_regex else None
        space = prepended(" ")

        def pieces(text: str, first: bool) -> list[str]:
            if prefix and not text.startswith(" "):
                text = " " + text
            return [text] if expression is None else expression.findall(text)

        def edits(text: str, first: bool) -> list[Edit]:
            return space.edits(text) if prefix and not text.startswith(" ") else []

        if expression is None:
            return Cutting(pieces, whole, edits)
        return Cutting(pieces, split_at(partial(find, expression), "Isolated").spans, edits)

    @property
    def effects(self) -> Effects:
        """State that the step writes bytes and uses the tables of GPT-2's pattern."""
        cuts = (SplitAt(Pattern(GPT2, is_regex=True)),) if self.use_regex else ()
        return Effects(
            writes_bytes=True,
            splits=None if self.add_prefix_space else cuts,
            stays_in_alphabet=True,
            prefix_space=self.add_prefix_space,
            tables=frozenset(classes(GPT2)) if self.use_regex else frozenset(),
        )

    def acts_as(self, *, ids_only: bool = False) -> ByteLevel:
        """Return the step with the default for the option that it does not read."""
        return replace(self, trim_offsets=True)


def bytes_written() -> Cutting:
    """Return a cutting that writes each byte as a character of GPT-2's alphabet."""
    bytes_of = WritingBytes().build()
    return Cutting(
        lambda text, first: [bytes_of.apply(text)],
        whole,
        lambda text, first: bytes_of.edits(text),
    )
