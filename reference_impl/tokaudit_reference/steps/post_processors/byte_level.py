"""ByteLevel as a post-processor: it takes white space out of the offsets.

What is taken off is counted in the characters of the token's string, whatever they stand for in
the text; it is taken off whether special tokens are added or not.  RoBERTa's does the same.

Source: `ByteLevel` and `RobertaProcessing` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.step import (
    NOWHERE,
    Part,
    PostProcessorStep,
    Process,
    Span,
)
from tokaudit_reference.steps.post_processors.strings import Ends
from tokaudit_reference.steps.step import Options


@dataclass(frozen=True)
class ByteLevel(PostProcessorStep):
    """The step; `use_regex` is for the pre-tokenizer of the same name."""

    type = "ByteLevel"
    add_prefix_space: bool = True
    trim_offsets: bool = True
    use_regex: bool = True

    @classmethod
    def from_json(cls, options: Options) -> ByteLevel:
        """Read the switches; the value of the unread one is free."""
        return super().from_json({**options, "use_regex": bool(options.get("use_regex", True))})

    def build(self, spec: TokenizerSpec) -> Process:
        """Return a process that trims offsets if the switch is on."""
        if not self.trim_offsets:
            return lambda parts, add: parts
        return trimming(spec, prefixed=self.add_prefix_space)

    def acts_as(self, *, ids_only: bool = False) -> ByteLevel | None:
        """Return the step with defaults for unread options; None if only ids count."""
        return None if ids_only else replace(self, use_regex=True)


def trimming(spec: TokenizerSpec, *, prefixed: bool) -> Process:
    """Return a process that trims offsets; `prefixed` as in `trimmed`."""
    ends = Ends(spec)

    def process(parts: list[Part], add: bool) -> list[Part]:
        return [replace(part, offsets=_trimmed(part, ends, prefixed)) for part in parts]

    return process


def _trimmed(part: Part, ends: Ends, prefixed: bool) -> list[Span]:
    found = []
    tokens = zip(part.ids, part.offsets, part.surfaces, strict=True)
    for index, (id, span, surface) in enumerate(tokens):
        if span != NOWHERE:
            leading, trailing = ends.of(id, surface)
            first = index == 0 or span[0] == 0
            span = trimmed(span, leading, trailing, prefixed and first)
        found.append(span)
    return found


def trimmed(span: Span, leading: int, trailing: int, prefixed: bool) -> Span:
    """Trim white space off an interval; `prefixed`: its one leading space was added.

    >>> trimmed((4, 9), 1, 0, False), trimmed((0, 5), 1, 0, True), trimmed((0, 1), 1, 1, False)
    ((5, 9), (0, 5), (1, 1))
    """
    start, end = span
    if leading and not (prefixed and leading == 1):
        start = min(start + leading, end)
    if trailing and end >= trailing:
        end = max(end - trailing, start)
    return start, end
