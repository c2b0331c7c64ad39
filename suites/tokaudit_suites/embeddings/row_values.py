"""Rows of the embedding that no training wrote: zero, not a number, or the same for two ends."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit.subject.weights import (
    EMBEDDINGS,
    OUTPUTS,
    WeightHeaders,
    embedding_tensors,
    output_tensors,
)
from tokaudit.subject.weights.rows import MatrixRows, Values, read_rows, values
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._undecided import refuse
from tokaudit_suites.shared.stated_roles import role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import id_of, looks_like_marker, name_of, ordinary
from tokaudit_suites.shared.wording import ids_evidence, plural, quote, some

SAMPLE = 500  # rows of plain tokens, of a large matrix
DISTINCT = 0.5  # of the rows
SHOWN = 10  # rows by the names of their tokens
USED = ("bos", "eos", "cls", "sep", "mask")  # padding may be zero; what is unknown may be, too


@check(
    "embeddings/row-values",
    title="Rows of tokens in use are distinct non-zero numbers",
    why="A row of zeros, or one that is not a number, as a resize, a merge or a cut file leaves "
    "it, tells the model nothing of the token, or makes its output no number either. Two "
    "marks with one row are one mark to the model.",
    remedy="Take these rows from the base model, or train them.",
    severity=Severity.ERROR,
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="Fine-tuning Llama 3 base with chat markers that it never trained gave gradients that "
    "are not numbers (unslothai/unsloth, fix of untrained tokens).",
)
def row_values(spec: TokenizerSpec, subject: Subject, weights: WeightHeaders) -> Iterator[Finding]:
    """Read the rows, of a large matrix those of markers, and look at their numbers."""
    refuse(weights, (*EMBEDDINGS, *OUTPUTS))
    tensors = {**embedding_tensors(weights), **output_tensors(weights)}
    if not tensors:
        raise NotApplicable("the weights hold no token embedding that can be recognised")
    tokens = _tokens(spec, subject)
    read = 0
    for name, tensor in tensors.items():
        rows = read_rows(subject, tensor, tokens.looked_at)
        if rows is not None and not _is_placeholder(rows):
            read += 1
            yield from _judged(spec, tokens, rows, Place("embeddings", tensor.file, name))
    if not read:
        raise NotApplicable("the rows are placeholders, quantised, or in another kind of file")


@dataclass(frozen=True)
class _Tokens:
    """Ids that roles or the chat template use, those that are added, and those of plain entries."""

    used: frozenset[int]
    added: frozenset[int]
    plain: frozenset[int]

    @property
    def looked_at(self) -> list[int]:
        """Which rows of a large matrix are read: all of markers, some of others."""
        plain = sorted(self.plain)
        return [*self.used, *self.added, *plain[:: len(plain) // SAMPLE + 1]]


def _is_placeholder(rows: MatrixRows) -> bool:
    """Whether rows repeat, as those of a test's file do; a trained matrix has none twice."""
    return len(set(rows.rows.values())) < DISTINCT * len(rows.rows)


def _tokens(spec: TokenizerSpec, subject: Subject) -> _Tokens:
    named = {token for role in USED for _, token in role_tokens(subject, role)}
    stated = {id for role in USED for _, ids in role_ids(subject, role) for id in ids}
    templates = [str(fact.value) for fact in subject.facts_named("chat_template")]
    written = {
        token.id
        for token in spec.added_tokens
        if token.special and any(token.content in template for template in templates)
    }
    pads = {id for role in ("pad", "unk") for _, ids in role_ids(subject, role) for id in ids}
    pads |= {id_of(spec, t) or 0 for role in ("pad", "unk") for _, t in role_tokens(subject, role)}
    by_name = {id for token in named if (id := id_of(spec, token)) is not None}
    used = (by_name | stated | written) - pads
    added = frozenset(token.id for token in spec.added_tokens)
    plain = {id for id, piece in ordinary(spec) if not looks_like_marker(spec.surface(piece))}
    return _Tokens(frozenset(used), added, frozenset(plain - added - pads))


def _judged(
    spec: TokenizerSpec, tokens: _Tokens, rows: MatrixRows, place: Place
) -> Iterator[Finding]:
    kinds = {id: values(row, rows.dtype) for id, row in rows.rows.items()}
    known = tokens.used | tokens.added | tokens.plain
    broken = [id for id, kind in kinds.items() if kind is Values.NOT_NUMBERS and id in known]
    zero = [id for id, kind in kinds.items() if kind is Values.ZERO]
    for ids, severity, what in (
        (broken, Severity.ERROR, "with values that are not numbers"),
        ([id for id in zero if id in tokens.used], Severity.ERROR, "of zeros, for markers in use"),
        ([id for id in zero if id in tokens.plain], Severity.WARNING, "of zeros, for plain tokens"),
    ):
        if ids:
            yield _finding(spec, ids, severity, what, place)
    for same in _shared(tokens.used - set(zero), rows):
        what = "that are one and the same for different markers"
        yield _finding(spec, same, Severity.ERROR, what, place)


def _shared(used: Iterable[int], rows: MatrixRows) -> Iterator[list[int]]:
    """Markers in use that have the same row."""
    by_row: dict[bytes, list[int]] = {}
    for id in sorted(used):
        if id in rows.rows:
            by_row.setdefault(rows.rows[id], []).append(id)
    yield from (ids for ids in by_row.values() if len(ids) > 1)


def _finding(
    spec: TokenizerSpec, ids: list[int], severity: Severity, what: str, place: Place
) -> Finding:
    first = [f"{id} ({quote(name_of(spec, id) or '')})" for id in ids[:SHOWN]]
    names = first + [str(id) for id in ids[SHOWN:]]
    return Finding(
        severity,
        f"{place.pointer} has {plural(len(ids), 'row')} {what}: {some(names)}.",
        (place,),
        (ids_evidence(ids),),
        cause=what,
    )
