"""Rules of llama.cpp for each possible name in `tokenizer.ggml.pre`.

The file holds no pattern, only the name.  A name without patterns is one of a vocabulary that is
not byte-level, or splits as no list of patterns says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.upstream.llama_cpp.gguf_patterns import SPLITS, of_the_engine
from tokaudit.subject.upstream.records import SPLITS as RECORD
from tokaudit.subject.upstream.records import hand_written
from tokaudit_reference.spec import Component, Standing
from tokaudit_reference.steps.pre_tokenizers.llama_cpp_split import LlamaCppSplit

DEFAULT = "default"  # the name of a file that has none


@dataclass(frozen=True, slots=True)
class SplitName:
    """A name with its effects besides the patterns."""

    name: str
    like: str = ""  # the name whose patterns it shares
    whole_entries: bool = False  # an entry of the vocabulary is taken before any merge
    begins_with_bos: bool = False  # unless a file says otherwise
    bos_always: bool = False  # BOS begins a text, whatever a file says
    no_bos: bool = False  # no id is taken for BOS where the file states none
    cleans_up: bool = False  # spaces before stops and English endings go from decoded text
    marked: bool = False  # its vocabulary has marks for spaces in place of bytes
    unlisted: bool = False  # it splits as no list of patterns says

    @property
    def rule(self) -> str:
        """Return the name of its patterns; empty without any."""
        return "" if self.marked or self.unlisted else self.like or self.name


@cache
def every_split() -> Mapping[str, SplitName]:
    """Map names to records."""
    return {name: SplitName(name, **said) for name, said in hand_written(RECORD)["splits"].items()}


def rules() -> Mapping[str, str]:
    """Map names with patterns to their rules."""
    return {name: split.rule for name, split in every_split().items() if split.rule}


def split_named(name: str) -> SplitName:
    """Return the record of a name; an unknown name's rule has no patterns.

    >>> split_named("llama-bpe").rule, split_named("glm4").no_bos
    ('llama3', True)
    """
    return every_split().get(name, SplitName(name, unlisted=True))


def pre_tokenizer(pre: str, key: str) -> Component:
    """Return the splits that a name implies; unstated for a name without patterns.

    >>> pre_tokenizer("phi-2", "pre").rule
    'pre is phi-2, which splits like gpt-2'
    >>> pre_tokenizer("brand-new", "pre").standing
    <Standing.UNSTATED: 'unstated'>
    """
    rule = split_named(pre).rule
    if rule not in SPLITS:
        return Component()
    step = LlamaCppSplit(of_the_engine(pre, rule), SPLITS[rule])
    like = "" if rule == pre else f", which splits like {rule}"
    return Component(step.to_json(), Standing.IMPLIED, f"{key} is {pre}{like}")
