"""Entries that the normalizer changes, so that the model never sees them."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from typing import cast

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Skip, Subject, check
from tokaudit.subject.formats.characters import NAME, delimiter_of
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.versions import ABSENT
from tokaudit_reference.spec import SpecError, Standing, TokenizerSpec
from tokaudit_reference.steps.normalizers.step import NormalizerStep
from tokaudit_suites.pipeline._byte_level import is_byte_level
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE, repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.unnamed_class import as_guessed
from tokaudit_suites.shared.vocab_entries import is_written_in_bytes, ordinary, read_back, text_of
from tokaudit_suites.shared.wording import ids_evidence, in_vocab, plural, quote, some, stage

TOO_MANY = 0.01  # a vocabulary trained after its own normalizer has nearly none of these
NEVER_MADE = 0.05  # of what merges make: a trainer counts text after the normalizer
EXPLAINED = 3  # tokens with what they become
ENOUGH = 3
COMPOSING = "composing"
LOWER = "do_lower_case"
Change = Callable[[str], str]


@check(
    "pipeline/rewritten",
    title="The normalizer leaves the vocabulary's own tokens alone",
    why="If a normalizer lower-cases text, no text uses the tokens with capital letters in a "
    "cased vocabulary: names become pieces or the unknown token, without an error. A lower-casing "
    "normalizer that no file states, because the tokenizer class adds it, contradicts a cased "
    "vocabulary. A lower-casing normalizer that the file states may be intended, unless merges "
    "need letters that the normalizer removes.",
    remedy="{Compare|Run tokaudit with --base to compare} the normalizer with the base model's, "
    "and write the normalizer that the vocabulary expects into {file|tokenizer.json}. For BERT, "
    "set do_lower_case to false in tokenizer_config.json.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Cased BERT models whose tokenizer_config.json was missing lower-cased all text "
    "(allenai/scibert #79).",
)
def rewritten(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Apply each plain text step to the vocabulary's own entries."""
    if capitals := [*_into_capitals(spec, subject)]:
        yield from capitals
        return
    changes = plain_changes(spec)
    if is_byte_level(spec) and not spec.byte_level:
        raise Skip("the vocabulary's alphabet is not its components'; see pipeline/byte-components")
    if not changes:
        raise NotApplicable("no step of the normalizer changes letters")
    texts = {id: text for id, text in _texts(spec).items() if text}
    for name, change in changes.items():
        lost = [id for id, text in texts.items() if change(text) != text]
        if len(lost) >= ENOUGH and len(lost) > TOO_MANY * len(texts):
            shown = [
                f"{quote(texts[id])} becomes {quote(change(texts[id]))}" for id in lost[:EXPLAINED]
            ]
            found = _finding(spec, name, lost, len(texts), shown)
            yield as_guessed(found, subject, spec, "normalizer")


def _into_capitals(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Report a class of speech that makes capitals, by do_lower_case, where no entry is one.

    Source: `_tokenize` in transformers 4.57.6 and 5.24.0, wav2vec2/tokenization_wav2vec2.py.
    """
    named, stated = class_of(subject), setting(subject, LOWER)
    if spec.format != NAME or named is None or named.known is None or delimiter_of(subject) is None:
        return
    if LOWER not in named.known.settings or stated is None or stated.value is not True:
        return
    if named.known.five == ABSENT:  # version 4's older class changes letters only to decode
        return
    texts = {text for text in _texts(spec).values() if text}
    lost = sorted(text for text in texts if text.upper() not in texts)
    if len(lost) >= ENOUGH and len(lost) > TOO_MANY * len(texts):
        place = place_of(stated, "normalizer")
        yield Finding(
            Severity.ERROR,
            f"{named.name} turns text into capital letters if {LOWER} is true "
            f"({stated.file}), but the vocabulary lacks the capitals of {len(lost)} entries of "
            f"{len(texts)}: {some([quote(text) for text in lost])} in a label become the "
            "unknown token.",
            (place, in_vocab(spec)),
            remedy=f"Set {LOWER} to false in {stated.file}.",
            cause="capitals",
            repair=repaired(set_to(place, False)),
        )


def _texts(spec: TokenizerSpec) -> dict[int, str | None]:
    """Return the texts of entries, without single bytes."""
    in_bytes = is_written_in_bytes(spec)
    texts = {
        id: text_of(piece)
        for id, piece in ordinary(spec)
        if not (spec.byte_level or in_bytes) or len(piece.value) > 1
    }
    return {id: read_back(text) if in_bytes and text else text for id, text in texts.items()}


def _finding(
    spec: TokenizerSpec, name: str, lost: list[int], total: int, shown: list[str]
) -> Finding:
    """Report the first tokens, with their rewritten text."""
    names = [*shown, *(quote(spec.pieces[id].value) for id in lost[len(shown) :])]
    rule = f" ({spec.normalizer.rule})" if spec.normalizer.rule else ""
    implied = spec.normalizer.standing is Standing.IMPLIED
    made = bool(spec.merges) and len(lost) > NEVER_MADE * total
    made = made or name == COMPOSING  # no trainer counts what its own map has composed before
    return Finding(
        Severity.ERROR if implied or made else Severity.WARNING,
        f"The normalizer's {name} step{rule} rewrites {plural(len(lost), 'token')} of {total:,} "
        f"before the model looks them up, so no text becomes these tokens: {some(names)}.",
        (stage(spec, "normalizer", spec.normalizer.options), in_vocab(spec)),
        (ids_evidence(lost),),
        cause=name,
    )


def plain_changes(spec: TokenizerSpec) -> dict[str, Change]:
    """Return the character changes of the normalizer's steps, by name."""
    found: dict[str, Change] = {}
    apart = False  # accents can only be stripped after a step that sets them apart
    for step in spec.normalizer.steps:
        apart = apart or step.effects.decomposes
        if step.effects.lower_cases:
            found["lower-casing"] = str.lower
        if step.effects.strips_marks and apart:
            found["accent-stripping"] = without_marks
        mapped = step.effects.charsmap and not spec.byte_level
        if mapped and _composes(cast(NormalizerStep, step)):
            found[COMPOSING] = compose
    return found


def compose(text: str) -> str:
    """Compose a letter and its mark into one character, as SentencePiece maps do."""
    return unicodedata.normalize("NFC", text)


def _composes(step: NormalizerStep) -> bool:
    """Return whether a map composes letters with marks; a broken map does not."""
    try:
        return "\u00e9" in step.build().apply("e\u0301")  # SentencePiece puts its mark in front
    except SpecError:
        return False


def without_marks(text: str) -> str:
    """Return text without combining marks; unchanged if it has none.

    >>> without_marks("möchte"), without_marks("한")
    ('mochte', '한')
    """
    apart = unicodedata.normalize("NFD", text)
    bare = "".join(c for c in apart if unicodedata.category(c) != "Mn")
    return text if bare == apart else bare
