"""Merges whose tokens the pre-tokenizer splits before the model sees them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import (
    Basis,
    EncodeOptions,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Reference,
    Severity,
    Subject,
    Traces,
    check,
)
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import COMPONENT_OF_BASE
from tokaudit_suites.shared.unnamed_class import as_guessed
from tokaudit_suites.shared.vocab_entries import ordinary, text_of
from tokaudit_suites.shared.wording import (
    about,
    ids_evidence,
    in_merges,
    plural,
    quote,
    some,
    stage,
)

SAMPLE = 10_000  # tokens, evenly by rank: the share is known to a fifth of a percent then
TOO_MANY = 0.02  # with another family's pattern 2 to 22 %; published files have 1.3 % at most
ENOUGH = 3
EXPLAINED = 3  # tokens with their cuts
MANY_NUMBERS, NEARLY_ALL = 50, 0.9  # published vocabularies have none, or about a thousand
NO_DIGITS = {bytes([byte]) for byte in range(0x80) if not chr(byte).isdecimal()}
PLAIN = EncodeOptions(parse_special=False)
PIECE = EncodeOptions(parse_special=False, piece=True)


@check(
    "pipeline/split-apart",
    title="The pre-tokenizer leaves whole what the merges make",
    why="A BPE trainer merges only inside pre-tokens, so no token of the vocabulary can be one "
    "that the trainer's own pattern splits. Many tokens that the split pattern would split show "
    "that the pattern and the merges do not belong together: digits, line breaks or contractions "
    "become other tokens than the model knows, without an error.",
    remedy="{Compare|Run tokaudit with --base to compare} the pre-tokenizer with the base model's, "
    "and copy the base's, or run tokaudit with the right --pattern.",
    repair=COMPONENT_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Converted files that split by GPT-2's pattern instead of their own "
    "(ggml-org/llama.cpp PR#6920, huggingface/transformers PR#42131).",
    measures=(Measured("pipeline/merged_tokens_cut_apart"),),
)
def split_apart(
    spec: TokenizerSpec,
    effective: EffectiveMerges,
    reference: Reference,
    traces: Traces,
    subject: Subject,
) -> Iterator[Finding | Measurement]:
    """Encode the text of each merged token, as text and as one piece."""
    if not spec.byte_level:
        raise NotApplicable("the vocabulary is not byte-level")
    texts = learned(spec, effective)
    if not texts:
        raise NotApplicable("no merge makes a token that is text by itself")
    cut = cut_apart(spec, texts, reference)
    share = len(cut) / len(texts)
    yield Measurement(
        "pipeline/merged_tokens_cut_apart",
        "Merged tokens that the pre-tokenizer splits",
        round(100 * share, 3),
        "%",
        len(texts),
        "tokens that a merge makes, evenly by rank, encoded through the whole pipeline",
    )
    if len(cut) < ENOUGH or share <= TOO_MANY:
        cut, texts = _numbers(spec, reference)
        share = len(cut) / (len(texts) or 1)
    if cut:
        pieces = [" | ".join(map(quote, traces.given(texts[id]))) for id in cut[:EXPLAINED]]
        names = [*pieces, *(quote(texts[id]) for id in cut[EXPLAINED:])]
        found = Finding(
            Severity.ERROR,
            f"The pre-tokenizer splits {plural(len(cut), 'token')} of {len(texts):,} "
            f"that the merges build ({share:.1%}), so no text becomes these tokens: {some(names)}.",
            (stage(spec, "pre_tokenizer", spec.pre_tokenizer.options), in_merges(spec)),
            (ids_evidence(cut),),
            cause="cut",
            about=about(*(texts[id] for id in cut)),
        )
        yield as_guessed(found, subject, spec, "pre_tokenizer")


def _numbers(spec: TokenizerSpec, reference: Reference) -> tuple[list[int], dict[int, str]]:
    """Return tokens for numbers of one length, if nearly all are split.

    No published vocabulary has numbers of several digits after a pattern that cuts at each, nor
    those of four after one that cuts at three.
    """
    texts = {id: text_of(p) or "" for id, p in ordinary(spec) if p.value[:1] not in NO_DIGITS}
    numbers = {id: text for id, text in texts.items() if len(text) > 1 and text.isdecimal()}
    by_length: dict[int, dict[int, str]] = {}
    for id, text in numbers.items():
        by_length.setdefault(len(text), {})[id] = text
    for alike in (numbers, *by_length.values()):
        if len(alike) >= MANY_NUMBERS:
            cut = cut_apart(spec, alike, reference)
            if len(cut) > NEARLY_ALL * len(alike):
                return cut, alike
    return [], numbers


def learned(spec: TokenizerSpec, effective: EffectiveMerges) -> dict[int, str]:
    """Return the text of merged tokens, sampled over all ranks."""
    made = [(id, text_of(spec.pieces[id])) for *_, id in effective.merges]
    texts = {id: text for id, text in made if text}
    stride = -(-len(texts) // SAMPLE) or 1
    return dict(list(texts.items())[::stride])


def cut_apart(spec: TokenizerSpec, texts: Mapping[int, str], reference: Reference) -> list[int]:
    """Return the tokens that are whole as one piece, but split as text.

    What a normalizer rewrites, or puts a space before, is not counted: then the pieces are not
    those of the token.
    """
    found = zip(texts, reference.encode(list(texts.values()), PLAIN), strict=True)
    others = {id: one.ids for id, one in found if one.error is None and one.ids != (id,)}
    alone = reference.encode([texts[id] for id in others], PIECE)
    return [
        id
        for (id, ids), one in zip(others.items(), alone, strict=True)
        if one.ids == (id,) and _joined(spec, ids) == spec.pieces[id].value
    ]


def _joined(spec: TokenizerSpec, ids: tuple[int, ...]) -> bytes:
    values = (spec.pieces[id].value for id in ids if id in spec.pieces)
    return b"".join(value for value in values if isinstance(value, bytes))
