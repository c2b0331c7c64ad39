"""Added tokens that are ordinary words."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Severity
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.vocab_entries import ordinary, text_of
from tokaudit_suites.shared.wording import does, in_added, quote, some


@check(
    "special_tokens/ordinary-words",
    title="No added token is an ordinary word",
    why="Added tokens are cut out of text before the model's own rules run, also from the middle "
    "of other words, so texts that hold the word get other ids than without it.",
    remedy="Remove the word from the added tokens; to add words, set single_word and train the "
    "new embedding rows.",
    severity=Severity.ERROR,
    basis=Basis.INTRINSIC,
    incident="Mistral with 'Deniz' added reads 'met Deniz' as 'metDeniz' "
    "(huggingface/transformers #28384).",
)
def ordinary_words(spec: TokenizerSpec) -> Iterator[Finding]:
    """Find added tokens made of letters; those the model already has a token for are errors."""
    words = [token for token in spec.added_tokens if _is_word(token)]
    if not spec.added_tokens:
        raise NotApplicable("there are no added tokens")
    if not words:
        return
    known = {(text_of(piece) or "").strip(" ▁") for _, piece in ordinary(spec)}
    replaced = [token for token in words if token.content.strip() in known]
    others = [token for token in words if token not in replaced and not token.special]
    if replaced:
        yield _finding(spec, replaced, Severity.ERROR, "the vocabulary has its own tokens for them")
    if others:
        yield _finding(spec, others, Severity.WARNING, "text is cut there, in longer words too")


def _is_word(token: AddedToken) -> bool:
    """Words of at least two letters, in running text; scripts without case count as well."""
    letters = token.content.strip().replace(" ", "")
    return len(letters) > 1 and letters.isalpha()


def _finding(
    spec: TokenizerSpec, tokens: list[AddedToken], severity: Severity, effect: str
) -> Finding:
    names = [f"{quote(token.content)} ({token.id})" for token in tokens]
    return Finding(
        severity,
        f"{does(len(tokens), 'ordinary word', 'is')} among the added tokens: {some(names)}; "
        f"{effect}.",
        tuple(in_added(spec, token.content) for token in tokens[:5]),
        cause=severity.value,
    )
