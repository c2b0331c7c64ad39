"""A vocabulary trained with a normalizer that the file lacks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from string import ascii_lowercase

from tokaudit.plugin import Basis, Evidence, Finding, Harm, NotApplicable, Severity, Traces, check
from tokaudit.subject.formats.sentencepiece_model import FORMAT as SENTENCEPIECE
from tokaudit_reference.spec import ModelType, Standing, TokenizerSpec
from tokaudit_suites.pipeline._learned_texts import LearnedTexts
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.wording import in_vocab, quote, some, stage

LEARNED = 8_000  # tokens; each published vocabulary of so many that was not normalized has 30
RARE = 0.0002  # of the tokens: tables of another year leave a few
MARK, MARKED = "\u2581", 0.1  # of SentencePiece, which normalizes by itself
PLAIN, ENOUGH = "–—’“”«»€•", 4  # beyond ASCII as well, and what NFKC leaves alone
CHANGED = ("ﬁ", "…", "２", "①")
CAPITALS, SMALL = ("A", "Z"), frozenset(ascii_lowercase)
TWO_CAPITALS = re.compile("[A-Z]{2}")


@check(
    "pipeline/lost-normalizer",
    title="The expected normalizer is present",
    why="A vocabulary of lower-cased text has no token with a capital letter; a vocabulary of "
    "text that SentencePiece's character map normalizes has no token with a ligature, an ellipsis "
    "or a full-width letter. If the tokenizer lacks the normalizer that replaces capital letters "
    "or ligatures, these characters become unknown tokens, single letters or bytes.",
    remedy="{Compare|Run tokaudit with --base to compare} the normalizer with the base model's, "
    "and add what is missing: lower-casing (do_lower_case) or, for SentencePiece, the "
    "precompiled_charsmap.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Fast tokenizers of T5 and XLM-R whose conversion changed the normalizer gave other "
    "ids than their SentencePiece models (huggingface/transformers #9535, #11358).",
    no_example="Only a vocabulary of a few thousand learned tokens shows what is missing.",
)
def lost_normalizer(
    spec: TokenizerSpec, learned: LearnedTexts, traces: Traces
) -> Iterator[Finding]:
    """Find text that no token contains, and check if it reaches the model."""
    if spec.normalizer.standing is Standing.UNSTATED:
        raise NotApplicable("the format states no normalizer")
    enough = len(learned.all) >= LEARNED
    if not enough and not _has_small_letters_alone(spec, learned):
        raise NotApplicable("too few learned tokens to see which characters they never contain")
    if spec.format != SENTENCEPIECE.name and _in_lower_case(learned):
        what = "has a capital letter, so the vocabulary expects lower-casing"
        yield from _kept(spec, CAPITALS, traces, Severity.ERROR, f"no token of two letters {what}")
    if enough and _after_a_map(spec, learned.all):
        what = "holds a character that NFKC rewrites, so the vocabulary expects an NFKC normalizer"
        yield from _kept(spec, CHANGED, traces, Severity.WARNING, f"next to no token {what}")


def _has_small_letters_alone(spec: TokenizerSpec, learned: LearnedTexts) -> bool:
    """Return whether WordPiece has every small letter and no capital: such words are unknown."""
    if spec.model_type is not ModelType.WORDPIECE or SMALL - {*learned.all}:
        return False
    return not any(text.upper() in learned.all for text in SMALL)


def _in_lower_case(learned: LearnedTexts) -> bool:
    """Return whether words are in lower case, most of them as parts of capitalized ones."""
    if TWO_CAPITALS.search(learned.in_lines):
        return False  # as nearly always, and found at once
    words = [text for text in learned.all if sum(map(str.isalpha, text)) > 1]
    small = sum(text.upper() != text for text in words)
    return small > len(learned.all) / 2 and all(text.lower() == text for text in words)


def _after_a_map(spec: TokenizerSpec, texts: Sequence[str]) -> bool:
    if spec.byte_level or spec.model_type not in (ModelType.BPE, ModelType.UNIGRAM):
        return False
    marked = sum(text.startswith(MARK) for text in texts)
    plain = {character for text in texts for character in text if character in PLAIN}
    rewritten = sum(unicodedata.normalize("NFKC", text) != text for text in texts)
    known = marked >= MARKED * len(texts) and len(plain) >= ENOUGH
    return known and rewritten <= RARE * len(texts)


def _kept(
    spec: TokenizerSpec, changed: Sequence[str], traces: Traces, worth: Severity, missing: str
) -> Iterator[Finding]:
    """Report a normalizer that leaves all of some characters unchanged."""
    if any(character not in "".join(traces.given(character)) for character in changed):
        return
    yield Finding(
        worth,
        f"In this vocabulary {missing}, but the normalizer leaves such characters as they are: "
        f"{some([quote(each) for each in changed])}.",
        (stage(spec, "normalizer", spec.normalizer.options), in_vocab(spec)),
        (Evidence("text", text=changed[0], note="reaches the model as it is"),),
        cause="capitals" if changed is CAPITALS else "characters",
    )
