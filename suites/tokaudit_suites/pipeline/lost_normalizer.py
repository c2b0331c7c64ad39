"""A vocabulary that was trained behind a normalizer which the file no longer has."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.engine.needs import Traces
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Evidence, Finding, Severity
from tokaudit_reference.spec import ModelType, Standing, TokenizerSpec
from tokaudit_suites.vocab_entries import ordinary, text_of
from tokaudit_suites.wording import in_vocab, stage

LEARNED = 8_000  # tokens; each published vocabulary of so many that was not normalized has 30
RARE = 0.0002  # of the tokens: tables of another year leave a few
PLAIN, ENOUGH = "–—’“”«»€•", 4  # beyond ASCII as well, and what NFKC leaves alone
CHANGED = ("ﬁ", "…", "２", "①")


@check(
    "pipeline/lost-normalizer",
    title="The normalizer that the vocabulary was learned behind is there",
    why="SentencePiece rewrites text before it counts, so that no token holds a ligature, an "
    "ellipsis or a full-width letter. A conversion that loses its character map gives the model "
    "those as unknown tokens or bytes, and line breaks and tabs with them.",
    remedy="Write the normalizer of the original model again: for SentencePiece its "
    "precompiled_charsmap, else NFKC.",
    severity=Severity.WARNING,
    basis=Basis.INTRINSIC,
    incident="Fast tokenizers of T5 and XLM-R whose conversion changed the normalizer gave other "
    "ids than their SentencePiece models (huggingface/transformers #9535, #11358).",
    no_example="It takes a vocabulary of some thousand learned tokens to see what is missing.",
)
def lost_normalizer(spec: TokenizerSpec, traces: Traces) -> Iterator[Finding]:
    """Count the tokens that NFKC rewrites; where there are none, try whether it is applied."""
    if spec.model_type not in (ModelType.BPE, ModelType.UNIGRAM):
        raise NotApplicable("vocabularies of words are normalized by their class")
    if spec.normalizer.standing is Standing.UNSTATED:
        raise NotApplicable("the format states no normalizer")
    texts = [text for _, piece in ordinary(spec) if (text := text_of(piece))]
    plain = {character for text in texts for character in text if character in PLAIN}
    if len(texts) < LEARNED or len(plain) < ENOUGH:
        raise NotApplicable("too few learned tokens to see what the training never saw")
    rewritten = sum(unicodedata.normalize("NFKC", text) != text for text in texts)
    kept = [character for character in CHANGED if character in "".join(traces.given(character))]
    if rewritten <= RARE * len(texts) and len(kept) == len(CHANGED):
        yield Finding(
            Severity.WARNING,
            f"Of {len(texts):,} learned tokens {rewritten:,} hold a character that NFKC rewrites, "
            "so the vocabulary was learned behind it, but the normalizer leaves such characters "
            f"as they are: {', '.join(map(repr, kept))}.",
            (stage(spec, "normalizer", spec.normalizer.options), in_vocab(spec)),
            (Evidence("text", text=kept[0], note="reaches the model as it is"),),
        )
