"""A shard that the index names and the folder lacks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Contents,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.checkpoints import embedding_names, output_names
from tokaudit.subject.weights import Absent, WeightHeaders, ends_with
from tokaudit_suites.embeddings._heights import height
from tokaudit_suites.embeddings._indices import unread_shards
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED
from tokaudit_suites.shared.wording import plural, some

MODEL = "model"  # as the names of a model's own weights begin


@check(
    "embeddings/shards",
    title="Every tensor that the index names is there",
    why="If a weight shard is missing, for example after an interrupted download, loaders refuse "
    "the model, or fill the shard's tensors with random values and print a warning that few "
    "people read.",
    remedy="Download the missing shard again, or save the weights again together with the index.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    incident="Weights that are absent are initialised at random and only a log line says "
    "so: 'Some weights of ... were not initialized from the model checkpoint' "
    "(huggingface/transformers, modeling_utils.py).",
)
def shards(weights: WeightHeaders, subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Look up each tensor of each index; an index without any weights is just a copy.

    A matrix over the ids that two files of one folder hold has one height, and every part of the
    weights is named by the index that loaders open.
    """
    yield from _twice(weights)
    yield from unread_shards(subject, contents)
    if not weights.absent:
        return
    if nameless := [lost for lost in weights.absent if not lost.is_name]:
        yield _nameless(nameless)
    elif not weights.files:
        index = weights.absent[0].index
        raise NotApplicable(f"{index} is here, but none of the weights that it names")
    absent = [lost for lost in weights.absent if lost.is_name and weights.files]
    for shard in dict.fromkeys(lost.shard for lost in absent):
        yield _finding([lost for lost in absent if lost.shard == shard])


def _twice(weights: WeightHeaders) -> Iterator[Finding]:
    """Report matrices over the ids that two files store with different rows."""
    for name, other in weights.others:
        first = weights.tensors.get(name)
        if first is None or not ends_with(name, (*embedding_names(), *output_names())):
            continue
        files = [first.file.rpartition("/"), other.file.rpartition("/")]
        if files[0][0] == files[1][0]:
            plain = all(base.startswith(MODEL) for *_, base in files)
            yield Finding(
                Severity.ERROR if plain else Severity.WARNING,
                f"{first.file} and {other.file} both hold {name}, with {height(first):,} and "
                f"{height(other):,} rows: the loader decides which of the two is loaded.",
                tuple(Place("embeddings", t.file, name, list(t.shape)) for t in (first, other)),
                cause=f"twice {name}",
            )


def _nameless(lost: list[Absent]) -> Finding:
    """Report entries that are numbers, or texts with a NUL, which no system opens."""
    first = lost[0]
    return Finding(
        Severity.ERROR,
        f"{first.index} gives {plural(len(lost), 'tensor')} no file: {first.shard[:80]!r}, its "
        f"value for {first.tensor[:80]!r}, is not the name of a file.",
        (Place("embeddings", first.index, f"/weight_map{pointer(first.tensor)}"),),
        cause="no name",
    )


def _finding(lost: list[Absent]) -> Finding:
    first = lost[0]
    what = "does not hold" if first.shard_is_here else "is not here, so the folder lacks"
    names = some([item.tensor for item in lost])
    return Finding(
        Severity.ERROR,
        f"{first.index} names the shard {first.shard}, which {what} {plural(len(lost), 'tensor')}: "
        f"{names}.",
        (Place("embeddings", first.index, "/weight_map", first.shard),),
        (Evidence(kind="facts", facts=dict(Counter(item.shard for item in lost))),),
        cause="shard",
    )
