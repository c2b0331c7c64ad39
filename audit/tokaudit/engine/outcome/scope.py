"""Scope of a verdict: the tokenizer and the weights that were read, or ids on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tokaudit.engine.check import Check
from tokaudit.engine.resolver import Needs
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.report.sentences.not_examined import DATA
from tokaudit.subject.formats.common.template_alone import template_alone
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.weights import WeightHeaders, embedding_tensors, output_tensors
from tokaudit.subject.weights.rows import rows_read

MOST_NAMED = 3  # matrices; a model has an embedding and a head
LONGEST_NAME = 80  # characters; names are the subject's words


def scope(needs: Needs, checks: Iterable[Check], collected: str) -> str:
    """Describe what the verdict covers, and what it leaves out."""
    if all(check.id.startswith(DATA) for check in checks):
        return f"ids on disk, not the tokenizer itself{collected}"
    code = own_class(needs.get(Subject))
    own = f"; not examined: the checkpoint's own code {code!r}" if code else ""
    return _read(needs) + collected + own


def _read(needs: Needs) -> str:
    if template_alone(needs.get(Subject)) is not None:
        return "chat template only, with each byte as a token"
    try:
        headers = needs.get(WeightHeaders)
    except (Skip, NotApplicable) as error:
        return f"tokenizer only: {error}"
    tensors = f"the names and shapes of {_count(len(headers.tensors), 'tensor')}"
    subject = needs.get(Subject)
    matrices = {**embedding_tensors(headers), **output_tensors(headers)}
    *parts, last = ["tokenizer", tensors, *_rows(headers, rows_read(subject, matrices))]
    return f"{', '.join(parts)} and {last}"


def _rows(headers: WeightHeaders, read: Mapping[str, int]) -> Iterator[str]:
    """Count the rows read of each matrix; of many matrices, all together."""
    if len(read) > MOST_NAMED:
        yield f"{_count(sum(read.values()), 'row')} of {len(read):,} matrices"
        return
    matrices: dict[str, list[str]] = {}
    for name, count in read.items():
        rows = headers.tensors[name].shape[0]
        many = f"all {_count(rows, 'row')}" if count == rows else f"{count:,} of {rows:,} rows"
        matrices.setdefault(many, []).append(name[:LONGEST_NAME])
    for many, names in matrices.items():
        yield f"{many} of {' and '.join(names)}"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
