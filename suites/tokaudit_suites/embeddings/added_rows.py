"""Tokens that loaders add from settings, without a row in the model."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.effective.loaders import CURRENT
from tokaudit.subject.effective.tokens_added import tokens_added
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._heights import height
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED
from tokaudit_suites.shared.wording import about, in_vocab, plural, quote, some


@check(
    "embeddings/added-rows",
    title="Tokens that loaders add have rows",
    why="If settings files name a special token that the tokenizer lacks, loaders add the token "
    "after the last id. If the embedding has no row for a token after the last id, the first text "
    "with this token stops with an index error.",
    remedy="Delete the token from the settings, or add the token to the tokenizer and a row for "
    "the token to the model.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.WEIGHTS, Basis.CROSS_FILE),
    left_to_code=True,
    incident="Six listed special tokens got new ids beyond the 92,544 rows of the embedding "
    "(InternLM/InternLM #715).",
    no_example="It needs weights next to settings of a named class, which examples lack.",
)
def added_rows(subject: Subject, spec: TokenizerSpec, weights: WeightHeaders) -> Iterator[Finding]:
    """Compare the ids of each version with the rows of the embedding."""
    tensors = embedding_tensors(weights)
    if not tensors:
        raise NotApplicable("the weights hold no token embedding that can be recognised")
    name, tensor = min(tensors.items(), key=lambda each: height(each[1]))
    rows = height(tensor)
    found = {loader.name: tokens_added(subject, spec, loader) for loader in CURRENT}
    short = {by: tokens for by, tokens in found.items() if spec.size() + len(tokens) > rows}
    if rows < spec.size() or not any(short.values()):
        return  # embeddings/rows says so, or there is a row for each
    tokens = max(short.values(), key=len)
    yield Finding(
        Severity.ERROR,
        f"Settings name {plural(len(tokens), 'token')} that {spec.files[0]} lacks: "
        f"{some([quote(each) for each in tokens])}. {' and '.join(short)} (emulated) "
        f"{'add' if len(short) > 1 else 'adds'} such tokens from id {spec.size():,} on, but {name} "
        f"has only {rows:,} rows.",
        (Place("embeddings", tensor.file, name, list(tensor.shape)), in_vocab(spec)),
        cause="added by loaders",
        about=about(*tokens),
    )
