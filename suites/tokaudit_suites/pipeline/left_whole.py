"""Text that was split in training, but that the pre-tokenizer leaves whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    Subject,
    Traces,
    check,
)
from tokaudit_reference.spec import ModelType, Standing, TokenizerSpec
from tokaudit_suites.pipeline._learned_texts import LearnedTexts
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.unnamed_class import as_guessed
from tokaudit_suites.shared.wording import in_vocab, stage

LEARNED = 5_000  # tokens after which " of the" is a token, unless it was cut
NUMBERS = 900  # of the thousand of three digits; published vocabularies have these or far fewer
LONGEST = 3  # digits
DIGITS, WORDS = "1234567", "one of the two"
LONGER = re.compile(rf"[0-9]{{{LONGEST + 1},}}")
TWO_WORDS = re.compile(r"[A-Za-z][ Ġ][A-Za-z]")


@check(
    "pipeline/left-whole",
    title="The pre-tokenizer cuts where the vocabulary expects it",
    why="A trainer that splits text at words learns no token of two words; a trainer that splits "
    "numbers at three digits learns no token of four digits. If the pre-tokenizer does not split "
    "at words or digits as the trainer does, merges join text across these boundaries: numbers "
    "and runs of spaces become other tokens than the model knows, without an error.",
    remedy="{Compare|Run tokaudit with --base to compare} the pre-tokenizer with the base model's, "
    "and copy the step that is missing here.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="DeepSeek's steps were replaced by one pattern in a converted file, and ids differed "
    "from those of the training (ggml-org/llama.cpp PR#5464).",
    no_example="Only a vocabulary of a few thousand learned tokens shows what is missing.",
)
def left_whole(
    spec: TokenizerSpec, learned: LearnedTexts, traces: Traces, subject: Subject
) -> Iterator[Finding]:
    """Find text that no token contains, and check if it reaches the model unsplit."""
    known = spec.pre_tokenizer.standing is not Standing.UNSTATED
    if not known or not spec.byte_level or spec.model_type is not ModelType.BPE:
        raise NotApplicable("no byte-level vocabulary of merges after a known pre-tokenizer")
    if len(learned.all) >= LEARNED and not TWO_WORDS.search(learned.in_lines):
        missing = "no token of two words, as if text were cut at spaces"
        found = _whole(spec, WORDS, TWO_WORDS, traces.given(WORDS), missing)
        yield from (as_guessed(each, subject, spec, "pre_tokenizer") for each in found)
    if _numbers_of_three(learned.all):
        missing = "the numbers of three digits and none of four, as if they were cut there"
        found = _whole(spec, DIGITS, LONGER, traces.given(DIGITS), missing)
        yield from (as_guessed(each, subject, spec, "pre_tokenizer") for each in found)


def _numbers_of_three(texts: Sequence[str]) -> bool:
    lengths = [len(text) for text in texts if text.isascii() and text.isdecimal()]
    return lengths.count(LONGEST) >= NUMBERS and max(lengths) == LONGEST


def _whole(
    spec: TokenizerSpec, text: str, wanted: re.Pattern[str], given: Sequence[str], missing: str
) -> Iterator[Finding]:
    whole = next((piece for piece in given if wanted.search(piece)), None)
    if whole is not None:
        yield Finding(
            Severity.ERROR,
            f"The vocabulary has {missing}, but the pre-tokenizer gives the model {text!r} "
            f"as {list(given)}.",
            (stage(spec, "pre_tokenizer", spec.pre_tokenizer.options), in_vocab(spec)),
            (Evidence("text", text=text, note="left whole"),),
            cause="words" if wanted is TWO_WORDS else "numbers",
        )
