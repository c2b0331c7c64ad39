"""Untrained embedding rows: zero, NaN, or equal for two stop tokens."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.upstream.checkpoints import embedding_names, output_names
from tokaudit.subject.weights import WeightHeaders, embedding_tensors, output_tensors
from tokaudit.subject.weights.rows import MatrixRows, length, read_rows
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._kinds_of_rows import Kind, kinds_of_rows, relative_lengths
from tokaudit_suites.embeddings._undecided import refuse
from tokaudit_suites.embeddings._uses import Uses, uses_of
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import ids_evidence, plural, quote, some

TOO_SHORT = "a thousand times shorter than the median, in use"
VANISHING = 1e-12  # the length of a row by which a norm divides to more than its numbers hold
ANEW = (
    "Initialise these rows again, as with the mean of the others, or take those of the base model: "
    "gradients overflow where a norm divides by a length so small."
)
SHOWN = 10  # rows by the names of their tokens
DISTINCT = 0.5  # of the rows
FEW = 100  # distinct rows, of which the file of a test may have no more
SHARED = 10  # plain tokens with one row; two or three may be one token in two spellings
BLOCK = 32  # plain tokens, one after the other, with the rows of as many others


@check(
    "embeddings/row-values",
    title="Rows in use are distinct, finite, non-zero",
    why="Resizing the embedding, merging models or a truncated file can leave embedding rows of "
    "zeros or NaN. An embedding row of zeros tells the model nothing about the token; a row with "
    "NaN makes the model's output NaN. If the embedding rows of two turn markers are equal, the "
    "model cannot tell the markers apart.",
    remedy="Copy these embedding rows from the base model, or train the rows.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="Fine-tuning Llama 3 base with chat markers that it never trained gave gradients that "
    "are not numbers (unslothai/unsloth, fix of untrained tokens).",
)
def row_values(spec: TokenizerSpec, subject: Subject, weights: WeightHeaders) -> Iterator[Finding]:
    """Check the numbers of the rows; of a large matrix, only the rows of markers."""
    refuse(weights, (*embedding_names(), *output_names()))
    inputs, outputs = embedding_tensors(weights), output_tensors(weights)
    if not inputs and not outputs:
        raise NotApplicable("the weights hold no token embedding that can be recognised")
    uses = uses_of(spec, subject)
    read = 0
    for name, tensor in {**inputs, **outputs}.items():
        rows = read_rows(subject, tensor, uses.looked_at)
        if rows is None or _is_placeholder(rows):
            continue
        read += 1
        needed = uses.put_in if name in inputs else uses.put_out
        needed |= uses.put_out if not outputs else frozenset()  # one matrix for both
        yield from _judged(spec, needed, uses, rows, Place("embeddings", tensor.file, name))
    if not read:
        raise NotApplicable("the rows are placeholders, quantised, or in another kind of file")


def _is_placeholder(rows: MatrixRows) -> bool:
    """Return whether hardly any rows are distinct, as in a test file."""
    distinct = len(set(rows.rows.values()))
    return distinct < DISTINCT * len(rows.rows) and distinct <= FEW


def _judged(
    spec: TokenizerSpec, needed: frozenset[int], uses: Uses, rows: MatrixRows, place: Place
) -> Iterator[Finding]:
    kinds = kinds_of_rows(rows, needed | uses.added, uses.sample)
    spare = uses.added - needed
    for wanted, ids, severity, what in (
        (Kind.NOT_NUMBERS, uses.known, Severity.ERROR, "with values that are not numbers"),
        (Kind.ZERO, needed, Severity.ERROR, "of zeros, for markers in use"),
        (Kind.TINY, needed, Severity.ERROR, TOO_SHORT),
        (
            Kind.SMALL,
            needed,
            Severity.WARNING,
            "five hundred times shorter than the median, in use",
        ),
        (Kind.ZERO, uses.plain - needed, Severity.WARNING, "of zeros, for plain tokens"),
        (Kind.ZERO, spare, Severity.INFO, "of zeros, for added tokens not in use"),
        (Kind.TINY, spare, Severity.INFO, "of almost zero, for added tokens not in use"),
        (Kind.FAR, needed, Severity.WARNING, "thirty times as far out as the median, in use"),
        (Kind.FAR, spare, Severity.INFO, "thirty times as far out as the median"),
        (Kind.AT_THE_MEAN, needed, Severity.INFO, "at the mean of the others"),
    ):
        found = sorted(id for id in kinds.get(wanted, ()) if id in ids)
        if found:
            made = _finding(spec, found, severity, what, place)
            yield _with_orders(made, found, rows, uses) if what is TOO_SHORT else made
    for same in _shared(needed - kinds[Kind.ZERO] - kinds[Kind.TINY], rows):
        what = "that are one and the same for different markers"
        yield _finding(spec, same, Severity.ERROR, what, place)
    for same in _shared(uses.plain - kinds[Kind.ZERO] - kinds[Kind.NOT_NUMBERS], rows):
        if len(same) >= SHARED:
            what = "that are one and the same for plain tokens"
            yield _finding(spec, same, Severity.WARNING, what, place)
    block = _repeated(uses.plain - kinds[Kind.ZERO] - kinds[Kind.NOT_NUMBERS], rows)
    if len(block) >= BLOCK:
        what = "that are those of other plain tokens, one after the other"
        yield _finding(spec, block, Severity.WARNING, what, place)


def _with_orders(finding: Finding, ids: list[int], rows: MatrixRows, uses: Uses) -> Finding:
    """Add the shortest row's length and the remedy if training overflows."""
    ordinary = [rows.rows[id] for id in uses.sample if id in rows.rows]
    shortest = min(relative_lengths(rows, ids, ordinary).values())
    orders = round(-math.log10(shortest))
    said = f"{finding.message.removesuffix('.')}; the shortest by {orders} orders of magnitude."
    vanishing = any(length(rows.rows[id], rows.dtype) < VANISHING for id in ids)
    return replace(finding, message=said, remedy=ANEW if vanishing else finding.remedy)


def _shared(used: Iterable[int], rows: MatrixRows) -> Iterator[list[int]]:
    """Yield tokens that share a row."""
    by_row: dict[bytes, list[int]] = {}
    for id in sorted(used):
        if id in rows.rows:
            by_row.setdefault(rows.rows[id], []).append(id)
    yield from (ids for ids in by_row.values() if len(ids) > 1)


def _repeated(plain: Iterable[int], rows: MatrixRows) -> list[int]:
    """Return the longest run of tokens whose rows repeat those of earlier tokens."""
    first: dict[bytes, int] = {}
    longest: list[int] = []
    run: list[int] = []
    apart = 0  # from the tokens that a run repeats
    for id in sorted(set(plain) & rows.rows.keys()):
        back = id - first.setdefault(rows.rows[id], id)
        if back and back == apart:
            run.append(id)
        else:
            run, apart = [id] * bool(back), back
        longest = max(longest, run, key=len)
    return longest


def _finding(
    spec: TokenizerSpec, ids: list[int], severity: Severity, what: str, place: Place
) -> Finding:
    first = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in ids[:SHOWN]]
    names = first + [f"id {id}" for id in ids[SHOWN:]]
    return Finding(
        severity,
        f"{place.pointer} has {plural(len(ids), 'row')} {what}: {some(names)}.",
        (place,),
        (ids_evidence(ids),),
        cause=what,
    )
