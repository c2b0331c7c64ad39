"""A tokenizer class for another kind of model than tokenizer.json holds."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Fact, Finding, Severity
from tokaudit.subject.formats.common.model_types import NAMES
from tokaudit.subject.upstream.own_code import KEY
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass
from tokaudit.subject.upstream.versions import FIVE_SHORT
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import in_vocab

UNIGRAM = NAMES[ModelType.UNIGRAM]


def other_kind(spec: TokenizerSpec, fact: Fact, known: TokenizerClass) -> Iterator[Finding]:
    """Report a class that cannot load the vocabulary's kind of model."""
    kind, file = NAMES.get(spec.model_type), spec.files[0]
    if known.pipelines.leaves_bytes and spec.byte_level:
        yield _of_bytes(spec, fact, known.name)
    elif not known.builds or (known.pipelines.in_five and not _is_refused(known, kind)):
        return
    elif known.builds != kind:
        holds = f"holds {kind or 'another kind'}"
        yield _refused(
            spec, fact, f"{known.name}, which is made for {known.builds}, but {file} {holds}"
        )
    elif spec.byte_level and known.vocabulary.marks_spaces:
        bytes_ = "has a vocabulary of bytes"
        yield _refused(
            spec, fact, f"{known.name}, which writes marks for spaces, but {file} {bytes_}"
        )


def _is_refused(known: TokenizerClass, kind: str | None) -> bool:
    """Return whether the class passes a map of ids to Unigram, which needs a score list."""
    return known.builds == UNIGRAM != kind


def _refused(spec: TokenizerSpec, fact: Fact, problem: str) -> Finding:
    return Finding(
        Severity.ERROR,
        f"{fact.file} names {problem}: transformers 4 loads the file as it is, transformers 5 "
        "builds a pipeline with different ids, or does not load it.",
        (place_of(fact, "config"), in_vocab(spec)),
        cause="kind",
    )


def _of_bytes(spec: TokenizerSpec, fact: Fact, name: str) -> Finding:
    return Finding(
        Severity.WARNING,
        f"{fact.file} names {name}, which writes marks for spaces, but {spec.files[0]} has a "
        f"vocabulary of bytes: {KEY} of transformers {FIVE_SHORT} passes over the "
        f"class; with {name}.from_pretrained the ids differ.",
        (place_of(fact, "config"), in_vocab(spec)),
        cause="bytes",
    )
