"""Embedding rows shifted away from the ids of their tokens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Place,
    Severity,
    Subject,
    Tensor,
    check,
)
from tokaudit.subject.upstream.checkpoints import embedding_names
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit.subject.weights.rows import most_rows, read_rows
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._related_rows import RelatedRows, WordPair, best_move, word_pairs
from tokaudit_suites.embeddings._undecided import refuse
from tokaudit_suites.embeddings._uses import uses_of
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import in_vocab, quote

ENOUGH = 30  # pairs of one stretch of ids
UNRELATED, RELATED = 0.15, 0.5  # of the pairs; different words have 0.05
FARTHEST = 128  # ids that rows are looked for at, in both directions
MEASURED = "embeddings/related_rows"


@check(
    "embeddings/related-rows",
    title="Each token's embedding row is at its id",
    why="A model finds the embedding row of a token only by the token's id. If all embedding rows "
    "are some ids away from their tokens, or the weights belong to another tokenizer, the model "
    "reads every token as another one, although all sizes fit.",
    remedy="Use the tokenizer that the rows belong to, or put the rows into the order of this "
    "tokenizer's ids.",
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    milder="how near rows are is measured; no file says where a row belongs.",
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="Special tokens were renumbered on conversion, and got other tokens' embeddings "
    "(huggingface/transformers PR#48446).",
    measures=(Measured(MEASURED),),
    no_example="Only trained rows show which words are related, and no small file has any.",
)
def related_rows(
    spec: TokenizerSpec, subject: Subject, weights: WeightHeaders
) -> Iterator[Finding | Measurement]:
    """Compare the rows of words and their plurals, here and at shifted ids."""
    refuse(weights, embedding_names())
    uses = uses_of(spec, subject)
    pairs = word_pairs(spec, uses.plain)
    if len(pairs) < 2 * ENOUGH:
        raise NotApplicable("the vocabulary has too few words together with their plurals")
    measured = 0
    for name, tensor in embedding_tensors(weights).items():
        rows = _read(subject, tensor, pairs, uses.sample)
        if rows is not None:
            measured += 1
            yield Measurement(
                MEASURED,
                "Words whose row is near that of their plural",
                round(rows.share(pairs), 4),
                "share",
                len(pairs),
                "nearer than 95 of 100 pairs of different words, by cosine",
                dimensions={"tensor": name},
            )
            yield from _moved(spec, rows, Place("embeddings", tensor.file, name))
    if not measured:
        raise NotApplicable("the rows cannot be read, or are placeholders")


def _read(
    subject: Subject, tensor: Tensor, pairs: Sequence[WordPair], sample: Sequence[int]
) -> RelatedRows | None:
    ids = [id for pair in pairs for id in pair]
    found = read_rows(subject, tensor, ids)
    if found is None or not found.rows or len(set(found.rows.values())) < len(found.rows) / 10:
        return None
    few = sample if found.whole else ids
    rows = RelatedRows(found, pairs, few)
    if found.whole or rows.share(pairs) >= UNRELATED:
        return rows
    near = pairs[:: len(pairs) // 12 or 1]  # of a large matrix, but few
    around = range(-FARTHEST, FARTHEST + 1)
    wanted = [id + by for pair in near for by in around for id in pair][: most_rows(tensor)]
    more = read_rows(subject, tensor, [*ids, *wanted])
    return None if more is None else RelatedRows(more, pairs, few)


def _moved(spec: TokenizerSpec, rows: RelatedRows, place: Place) -> Iterator[Finding]:
    """Report ranges of ids whose rows fit better at a shift, or all if none fits."""
    lost = list[WordPair]()
    each = max(ENOUGH, len(rows.pairs) // 6)
    for begin in range(0, len(rows.pairs), each):
        stretch = rows.pairs[begin : begin + each]
        if len(stretch) >= ENOUGH and rows.share(stretch) < UNRELATED:
            lost += stretch
    if not lost:
        return
    moves = (by for by in range(-FARTHEST, FARTHEST + 1) if by)
    by, share = best_move(rows, lost, moves)
    if share >= RELATED:
        yield _finding(spec, rows, lost, by, share, place)
    elif rows.share(rows.pairs) < UNRELATED and rows.is_trained:
        yield Finding(
            Severity.WARNING,
            f"In {place.pointer}, the rows of a word and its plural are near each other for only "
            f"{_percent(rows.share(rows.pairs))} of {len(rows.pairs)} pairs; 5 % of pairs of "
            "different words are as near. Rows of another tokenizer, or rows in another order, "
            "look like this.",
            (place, in_vocab(spec)),
            cause="unrelated",
        )


def _finding(
    spec: TokenizerSpec,
    rows: RelatedRows,
    lost: Sequence[WordPair],
    by: int,
    share: float,
    place: Place,
) -> Finding:
    shown = {quote(name_of(spec, id) or ""): id for pair in lost[:3] for id in pair}
    where = (
        "all ids" if len(lost) > len(rows.pairs) * 0.8 else f"ids around {max(lost[0]):,} and on"
    )
    return Finding(
        Severity.WARNING,
        f"The rows of {place.pointer} for {where} are {abs(by)} "
        f"{'before' if by < 0 else 'after'} the ids of their tokens: there {_percent(share)} of "
        f"{len(lost)} words have a row near that of their plural, and at their own ids "
        f"{_percent(rows.share(lost))}.",
        (place, in_vocab(spec)),
        (Evidence("facts", facts=shown, note="words, their plurals and their ids"),),
        cause="moved",
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
