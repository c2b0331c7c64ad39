"""GPT-2's pre-tokenizer: an optional leading space, its split pattern, and bytes as characters.

The mapping of bytes is a step of its own, so that a pipeline that ends with it may leave it out: a
byte-level model takes the bytes themselves.
"""

from __future__ import annotations

from functools import partial

from tokaudit_reference.alignment import Edit
from tokaudit_reference.steps.normalizers.simple import BUILDERS as NORMALIZERS
from tokaudit_reference.steps.normalizers.simple import prepended
from tokaudit_reference.steps.pre_tokenizers.split import split_at
from tokaudit_reference.steps.pre_tokenizers.step import Options, Step, whole
from tokaudit_reference.text.matching import find
from tokaudit_reference.text.patterns import compiled
from tokaudit_reference.text.published_patterns import GPT2


def build(options: Options) -> Step:
    """The step of one ByteLevel, up to the bytes.

    >>> build({"add_prefix_space": True}).pieces("Hello  world", True)
    [' Hello', ' ', ' world']
    """
    prefix = bool(options.get("add_prefix_space", True))
    expression = compiled(GPT2) if options.get("use_regex", True) else None
    space = prepended(" ")

    def pieces(text: str, first: bool) -> list[str]:
        if prefix and not text.startswith(" "):
            text = " " + text
        return [text] if expression is None else expression.findall(text)

    def edits(text: str, first: bool) -> list[Edit]:
        return space.edits(text) if prefix and not text.startswith(" ") else []

    if expression is None:
        return Step(pieces, whole, edits)
    return Step(pieces, split_at(partial(find, expression), "Isolated").spans, edits)


def to_bytes() -> Step:
    """The step that puts a character of GPT-2's alphabet for each byte."""
    bytes_of = NORMALIZERS["ByteLevel"]({})
    return Step(
        lambda text, first: [bytes_of.apply(text)],
        whole,
        lambda text, first: bytes_of.edits(text),
    )


BUILDERS = {"ByteLevel": build}
