"""ByteLevel as a post-processor: it takes white space out of the offsets.

Source: `ByteLevel` in Hugging Face's tokenizers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.post_processors.step import PostProcessorStep, Process
from tokaudit_reference.steps.post_processors.trimming import trimming
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
